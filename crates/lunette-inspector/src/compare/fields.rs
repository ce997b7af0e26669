//! The records that are compared: what people mean by the fields of an asset or an item, without what is a copy, an id
//! or a time that changes by itself; and the links that differ.

use serde_json::{Map, Value};

use crate::assets::content;
use crate::change::fingerprint::VOLATILE;
use crate::change::{Item, LinkKind, description, linked, reports_links};
use crate::compare::side::Position;
use lunette_client::model::asset::Asset;
use lunette_client::model::{Told, View};

/// Fields of an asset that are compared in another form: the content, its formats, the description, and the links.
const OTHER_FORM: [&str; 8] =
    ["formats", "preview", "original", "annotations", "tags", "websites", "summaries", "schema"];
/// Fields by which any two records differ.
const OWN: [&str; 4] = ["id", "created", "deleted", "synced"];

/// An item that one side alone is linked to.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkDiff {
    /// The item.
    pub item: Item,
    /// The side that is linked to it.
    pub on: Position,
}

/// Returns the fields of an asset as they are compared with those of another one: its name, description, language, size
/// and the like, and all fields that are not known.
pub fn asset_record(asset: View<'_, Asset>) -> Value {
    let mut record = comparable(asset.tree(), &OTHER_FORM);
    if let Some(description) = description(asset) {
        record.insert("description".to_owned(), description.into());
    }
    if let Some(format) = content::original(asset) {
        let language = format.classification().specific();
        if !language.is_empty() {
            record.insert("language".to_owned(), language.into());
        }
    }
    if let Some(size) = content::told_size(asset) {
        record.insert("size".to_owned(), size.into());
    }
    Value::Object(record)
}

/// Returns the fields of a tag, website or workstream summary as they are compared with those of another one; its
/// assets by their ids.
pub fn item_record(record: &Value) -> Value {
    let mut fields = comparable(record, &["schema"]);
    if let Some(assets) = crate::change::told_assets(record) {
        let mut ids: Vec<&str> = assets;
        ids.sort_unstable();
        let entries = ids.into_iter().map(|id| serde_json::json!({ "id": id })).collect();
        fields.insert("assets".to_owned(), Value::Array(entries));
    }
    Value::Object(fields)
}

/// Returns the items that the record of an asset is linked to; `None` if it does not tell all of them.
pub(crate) fn asset_links(asset: View<'_, Asset>) -> Option<Vec<Item>> {
    let told = LinkKind::ALL
        .into_iter()
        .all(|kind| reports_links(asset, kind) || asset.told(kind.collection()) == Told::Nothing);
    told.then(|| super::sorted(LinkKind::ALL.into_iter().flat_map(|kind| linked(asset, kind)).collect()))
}

fn comparable(record: &Value, other_form: &[&str]) -> Map<String, Value> {
    let Value::Object(fields) = record else { return Map::new() };
    let kept = |name: &str| !OWN.contains(&name) && !VOLATILE.contains(&name) && !other_form.contains(&name);
    fields.iter().filter(|(name, _)| kept(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Returns the items that one side alone is linked to; both lists are sorted by [`super::sorted`].
pub(super) fn link_diff(left: &[Item], right: &[Item]) -> Vec<LinkDiff> {
    let alone = |of: &[Item], other: &[Item], on: Position| -> Vec<LinkDiff> {
        let known: std::collections::HashSet<_> = other.iter().map(|item| (item.kind, &*item.id)).collect();
        let missing = of.iter().filter(|item| !known.contains(&(item.kind, &*item.id)));
        missing.map(|item| LinkDiff { item: item.clone(), on }).collect()
    };
    let mut differing = alone(left, right, Position::Left);
    differing.extend(alone(right, left, Position::Right));
    differing.sort_by(|one, other| (one.item.kind, one.item.name()).cmp(&(other.item.kind, other.item.name())));
    differing
}
