//! The records of persons, anchors and hints, and how an asset lists them.
//!
//! Our choice: as with tags, one inside an asset names that asset alone.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::linked::annotation_references;
use super::{indexed, object, references, stamp};
use crate::input::normalize;
use crate::store::records::asset::AssetRow;
use crate::store::records::related::{RelatedKind, RelatedLink, RelatedRecord, RelatedRow};

/// One, with the links that are given.
pub(crate) fn related_record(whole: &RelatedRecord) -> Value {
    let RelatedRecord { related_record, links, annotations } = whole;
    let mut tree = Map::new();
    tree.insert("id".into(), related_record.id.as_str().into());
    tree.extend(object(&related_record.document));
    match related_record.kind {
        RelatedKind::Anchor => {
            let points = points(related_record, tree.get("points"));
            tree.insert("points".into(), points);
        }
        RelatedKind::Hint => {
            tree.insert("mechanisms".into(), mechanisms(links));
        }
        RelatedKind::Person => {
            tree.insert("mechanisms".into(), mechanisms(links));
            for (field, of_link) in [("access", "access"), ("models", "model")] {
                let link_metadata: Map<String, Value> =
                    links.iter().filter_map(|link| link_metadata(link, of_link)).collect();
                if !link_metadata.is_empty() {
                    tree.insert(field.into(), Value::Object(link_metadata));
                }
            }
        }
    }
    if !annotations.is_empty() {
        tree.insert("annotations".into(), annotation_references(annotations));
    }
    tree.insert("assets".into(), references(links.iter().map(|link| link.asset.as_str())));
    tree.insert("created".into(), stamp(related_record.created));
    tree.insert("updated".into(), stamp(related_record.updated));
    Value::Object(tree)
}

/// What is said of a person with one asset, by the asset's id.
fn link_metadata(link: &RelatedLink, field: &str) -> Option<(String, Value)> {
    let mut link_metadata = object(&link.document).shift_remove(field)?;
    if field == "model" {
        link_metadata["asset"] = json!({ "id": link.asset });
    }
    Some((link.asset.clone(), link_metadata))
}

fn mechanisms(links: &[RelatedLink]) -> Value {
    links.iter().map(|link| (link.asset.clone(), Value::from(link.mechanism.as_str()))).collect::<Map<_, _>>().into()
}

/// The places an anchor is dropped at. They are kept as a list of `id`, `fullpath` and what else is known of each.
fn points(anchor: &RelatedRow, kept: Option<&Value>) -> Value {
    let point = |kept: &Value| {
        let mut whole = kept.clone();
        whole["created"] = stamp(anchor.created);
        whole["updated"] = stamp(anchor.created);
        whole["anchor"] = json!({ "id": anchor.id });
        json!({ "id": kept["id"], "reference": whole })
    };
    indexed(kept.and_then(Value::as_array).into_iter().flatten().map(point).collect())
}

/// The document of an asset with the lists of what it is linked to. Entries of an update that are none of ours stand in
/// them too, each in words that every client knows, but for those of an id that is linked.
pub(super) fn document<'a>(asset: &'a AssetRow, linked: &[RelatedRecord]) -> Cow<'a, str> {
    let lists = |kind: &RelatedKind| asset.document.contains(kind.field());
    if linked.is_empty() && !RelatedKind::ALL.iter().any(lists) {
        return Cow::Borrowed(&asset.document);
    }
    let mut fields = object(&asset.document);
    for kind in RelatedKind::ALL {
        let own: Vec<Value> =
            linked.iter().filter(|whole| whole.related_record.kind == kind).map(related_record).collect();
        let mut list = match fields.get(kind.field()).and_then(Value::as_object) {
            Some(list) => list.clone(),
            None if own.is_empty() => continue,
            None => Map::new(),
        };
        let mut entries = match list.remove("iterable") {
            Some(Value::Array(entries)) => entries,
            _ => Vec::new(),
        };
        entries.retain(|entry| own.iter().all(|own| own["id"] != entry["id"]));
        let foreign = entries.into_iter().map(|entry| normalize::related_record(kind, entry));
        if let Value::Object(joined) = indexed(foreign.chain(own).collect()) {
            list.extend(joined);
        }
        fields.insert(kind.field().to_owned(), Value::Object(list));
    }
    Cow::Owned(Value::Object(fields).to_string())
}
