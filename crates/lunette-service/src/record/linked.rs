//! The records of tags, websites, workstream summaries and annotations.
//!
//! Links are seen from both sides. Our choice: a tag inside an asset names that asset alone, one in a list of tags
//! names all it is linked to; else a page of assets that share a tag would grow with its square.

use serde_json::{Map, Value, json};

use super::{indexed, object, references, stamp};
use crate::store::annotation::{About, AnnotationRow};
use crate::store::asset::Score;
use crate::store::item::{ItemKind, ItemRow, LinkedItem, WholeItem};

/// Items of a kind, each with all its assets.
pub(crate) fn items(items: &[WholeItem]) -> Value {
    indexed(items.iter().map(item).collect())
}

/// One item with all its assets.
pub(crate) fn item(whole: &WholeItem) -> Value {
    let WholeItem { item, annotations, assets } = whole;
    record(item, annotations, assets.iter().map(|(id, mechanism)| (id.as_str(), mechanism.as_str())))
}

/// One item as the asset of this id sees it.
pub(super) fn of_asset(linked: &LinkedItem, asset: &str) -> Value {
    let LinkedItem { item, mechanism, annotations } = linked;
    record(item, annotations, [(asset, mechanism.as_str())].into_iter())
}

fn record<'a>(
    item: &ItemRow,
    annotations: &[AnnotationRow],
    assets: impl Iterator<Item = (&'a str, &'a str)> + Clone,
) -> Value {
    let mut tree = Map::new();
    tree.insert("id".into(), item.id.as_str().into());
    match item.kind {
        ItemKind::Tag => {
            tree.insert("text".into(), item.name.as_str().into());
        }
        ItemKind::Website => {
            tree.insert("url".into(), item.key.as_deref().unwrap_or_default().into());
            tree.insert("name".into(), item.name.as_str().into());
        }
        ItemKind::Summary => {
            tree.insert("name".into(), item.name.as_str().into());
            tree.insert("annotations".into(), annotation_references(annotations));
        }
    }
    if item.kind != ItemKind::Summary {
        let mechanisms = assets.clone().map(|(id, mechanism)| (id.to_owned(), mechanism.into())).collect();
        tree.insert("mechanisms".into(), Value::Object(mechanisms));
    }
    tree.insert("assets".into(), references(assets.map(|(id, _)| id)));
    tree.insert("created".into(), stamp(item.created));
    tree.insert("updated".into(), stamp(item.updated));
    if let Some(score) = score(&item.score) {
        tree.insert("score".into(), score);
    }
    for (field, value) in object(&item.document) {
        tree.entry(field).or_insert(value);
    }
    Value::Object(tree)
}

/// The score of an item or a conversation; none where nothing was counted yet.
pub(super) fn score(score: &Score) -> Option<Value> {
    let counters = score.counters();
    if counters.iter().all(|(_, count)| count.is_none()) {
        return None;
    }
    let mut tree = json!({ "manual": score.manual, "automatic": score.automatic });
    for (name, count) in counters.into_iter().filter_map(|(name, count)| Some((name, count?))) {
        tree[name] = count.into();
    }
    Some(tree)
}

/// Annotations as the record that they are about holds them.
pub(super) fn annotation_references(annotations: &[AnnotationRow]) -> Value {
    indexed(annotations.iter().map(|text| json!({ "id": text.id, "reference": annotation(text) })).collect())
}

/// An annotation, with what it is about by id.
pub(crate) fn annotation(row: &AnnotationRow) -> Value {
    let AnnotationRow { id, kind, text, created, updated, about, document, .. } = row;
    let mut tree = json!({ "id": id, "type": kind, "text": text, "created": stamp(*created), "updated": stamp(*updated),
        "mechanism": "MANUAL" });
    let About { asset, summary, conversation, person, anchor } = about;
    let about = [
        ("asset", asset),
        ("summary", summary),
        ("conversation", conversation),
        ("person", person),
        ("anchor", anchor),
    ];
    for (field, id) in about.into_iter().filter_map(|(field, id)| Some((field, id.as_ref()?))) {
        tree[field] = json!({ "id": id });
    }
    for (field, value) in object(document) {
        tree[field.as_str()] = value;
    }
    tree
}
