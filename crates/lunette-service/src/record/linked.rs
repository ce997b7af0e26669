//! The records of tags, websites, workstream summaries and annotations.
//!
//! Links are seen from both sides. Our choice: a tag inside an asset names that asset alone, one in a list of tags
//! names all it is linked to; else a page of assets that share a tag would grow with its square.

use std::iter;
use std::ops::ControlFlow;

use serde_json::{Map, Value, json};

use super::list::List;
use super::writer::Writer;
use super::{indexed, object, references, stamp};
use crate::http::spool::ResponseText;
use crate::store::StoreError;
use crate::store::records::annotation::{About, AnnotationRow};
use crate::store::records::asset::Score;
use crate::store::records::item::{ItemKind, ItemRow, LinkedItem, ListedItem, SharedItem};
use crate::{RequestContext, Service, ServiceError};

impl List {
    /// Adds an item without its assets.
    pub(crate) fn add_item_alone(&mut self, listed: &ListedItem) -> ControlFlow<()> {
        self.add(&record(&listed.item, &listed.annotations).into())
    }

    /// Adds an item without its assets, but with how many there are and when one of them was last updated.
    pub(crate) fn add_item_counted(&mut self, listed: &ListedItem) -> Result<ControlFlow<()>, StoreError> {
        let mut fields = record(&listed.item, &listed.annotations);
        fields.insert("asset_count".to_owned(), listed.asset_count()?.into());
        if let Some(updated) = listed.asset_updated()? {
            fields.insert("asset_updated".to_owned(), stamp(updated));
        }
        Ok(self.add(&fields.into()))
    }

    /// Adds an item with all its assets.
    pub(crate) fn add_item(&mut self, listed: &ListedItem) -> Result<ControlFlow<()>, StoreError> {
        write_with_assets(self.next(&listed.item.id), listed)?;
        Ok(self.wanted())
    }

    /// Adds a hit of a search, whose fields these are, with the item that was found and all its assets.
    pub(crate) fn add_found_item(
        &mut self,
        hit: &Map<String, Value>,
        field: &str,
        listed: &ListedItem,
    ) -> Result<ControlFlow<()>, StoreError> {
        let out = self.next(&listed.item.id).raw("{");
        for (name, value) in hit {
            out.field(name).tree(value).raw(",");
        }
        write_with_assets(out.field(field), listed)?;
        out.raw("}");
        Ok(self.wanted())
    }
}

/// One item as a response, with its assets or without. One that is unknown or deleted is 410, the one status documented
/// here (records, section 3).
pub(crate) fn item_answer(
    service: &Service,
    caller: &RequestContext,
    (kind, id): (ItemKind, &str),
    assets: ItemAssets,
) -> Result<ResponseText, ServiceError> {
    let mut out = Writer::new(caller.writer(service));
    let written = service.store.with_item(kind, id, |listed| match assets {
        ItemAssets::All => write_with_assets(&mut out, listed),
        ItemAssets::Omitted => {
            out.tree(&record(&listed.item, &listed.annotations).into());
            Ok(())
        }
    });
    written.map_err(ServiceError::absent_is_gone)?;
    out.finish_text()
}

/// Whether an item names its assets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemAssets {
    All,
    Omitted,
}

/// Writes an item with all its assets, which are written as they are read: one tag may have all there are.
fn write_with_assets(out: &mut Writer, listed: &ListedItem) -> Result<(), StoreError> {
    let ListedItem { item, annotations, .. } = listed;
    for (index, (field, value)) in record(item, annotations).iter().enumerate() {
        out.raw(if index == 0 { "{" } else { "," }).text(field).raw(":");
        match field.as_str() {
            "mechanisms" if item.kind != ItemKind::Summary => {
                out.raw("{");
                write_each(out, listed, |out, _, asset, mechanism| out.text(asset).raw(":").text(mechanism))?;
                out.raw("}");
            }
            "assets" => {
                out.raw("{\"iterable\":[");
                write_each(out, listed, |out, _, asset, _| out.raw("{\"id\":").text(asset).raw("}"))?;
                out.raw("],\"indices\":{");
                write_each(out, listed, |out, index, asset, _| out.text(asset).raw(":").number(index))?;
                out.raw("}}");
            }
            _ => {
                out.tree(value);
            }
        }
    }
    out.raw("}");
    Ok(())
}

/// Writes something for each asset of an item, with commas between.
fn write_each(
    out: &mut Writer,
    listed: &ListedItem,
    write: impl for<'w> Fn(&'w mut Writer, i64, &str, &str) -> &'w mut Writer,
) -> Result<(), StoreError> {
    let mut index = 0;
    listed.each_asset(|asset, mechanism| {
        out.raw(if index == 0 { "" } else { "," });
        write(out, index, asset, mechanism);
        index += 1;
        out.wanted()
    })
}

/// Writes the items that an asset of this id is linked to.
pub(super) fn write_items<'a>(out: &mut Writer, items: impl Iterator<Item = &'a LinkedItem> + Clone, asset: &str) {
    out.raw("{\"iterable\":[");
    for (index, linked) in items.clone().enumerate() {
        out.raw(if index == 0 { "" } else { "," });
        write_item(out, linked, asset);
    }
    out.raw("],\"indices\":{");
    for (linked, index) in items.zip(0..) {
        out.raw(if index == 0 { "" } else { "," }).text(&linked.shared.item.id).raw(":").number(index);
    }
    out.raw("}}");
}

/// Writes an item as the asset of this id sees it.
fn write_item(out: &mut Writer, linked: &LinkedItem, asset: &str) {
    let LinkedItem { shared, mechanism } = linked;
    let [before, after] = shared.record.get_or_init(|| around_assets(shared));
    out.raw(before);
    if shared.item.kind != ItemKind::Summary {
        out.raw(",\"mechanisms\":{").text(asset).raw(":").text(mechanism).raw("}");
    }
    out.raw(",\"assets\":{\"iterable\":[{\"id\":").text(asset).raw("}],\"indices\":{").text(asset).raw(":0}}");
    out.raw(after);
}

/// The record of an item, but for what names its assets: the text before that, and the text after it.
fn around_assets(shared: &SharedItem) -> [String; 2] {
    let mut parts = ["{".to_owned(), String::new()];
    let mut part = 0;
    for (index, (field, value)) in record(&shared.item, &shared.annotations).iter().enumerate() {
        match field.as_str() {
            "mechanisms" | "assets" => part = 1,
            _ => {
                let comma = if index == 0 { "" } else { "," };
                parts[part].push_str(&format!("{comma}{}:{value}", Value::from(field.as_str())));
            }
        }
    }
    parts[1].push('}');
    parts
}

/// An item that names no assets.
fn record(item: &ItemRow, annotations: &[AnnotationRow]) -> Map<String, Value> {
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
        tree.insert("mechanisms".into(), json!({}));
    }
    tree.insert("assets".into(), references(iter::empty()));
    tree.insert("created".into(), stamp(item.created));
    tree.insert("updated".into(), stamp(item.updated));
    if let Some(score) = score(&item.score) {
        tree.insert("score".into(), score);
    }
    for (field, value) in object(&item.document) {
        tree.entry(field).or_insert(value);
    }
    tree
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
