//! The record of an asset, its formats, and its flattened forms.
//!
//! Our choice: content up to [`EVERYWHERE_BYTES`] stands in the formats, in the original and in the preview, as clients
//! look for it in all three; larger content stands once, in the preview's base, where they look first. Bytes travel as
//! numbers up to [`NUMBERS_BYTES`], beyond as `string.base64`, a twentieth of the memory.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::{byte_descriptor, indexed, linked, object, score, stamp};
use crate::store::Identity;
use crate::store::asset::{AssetRow, Transfer, WholeAsset};
use crate::store::format::{Content, FormatRow};
use crate::store::item::ItemKind;

/// Content up to this size stands in every copy of a format.
const EVERYWHERE_BYTES: i64 = 1 << 20;
/// Bytes up to this many travel as an array of numbers.
const NUMBERS_BYTES: usize = 1 << 16;

/// An asset, whole.
pub(crate) fn asset(identity: &Identity, whole: &WholeAsset, transfer: Transfer) -> Value {
    let WholeAsset { asset, formats, items, annotations, conversations } = whole;
    let mut tree = head(identity, asset);
    tree.insert("formats".into(), json!({ "iterable": format_records(identity, whole, transfer, Copies::InRecord) }));
    if let Some(original) = formats.first() {
        let base = flattened_format(identity, asset, original, transfer, true);
        let again = flattened_format(identity, asset, original, transfer, original.size_bytes <= EVERYWHERE_BYTES);
        tree.insert("preview".into(), json!({ "base": { "id": original.id, "reference": base } }));
        tree.insert("original".into(), json!({ "id": original.id, "reference": again }));
    }
    for (field, kind) in [("tags", ItemKind::Tag), ("websites", ItemKind::Website), ("summaries", ItemKind::Summary)] {
        let linked: Vec<Value> = items
            .iter()
            .filter(|linked| linked.item.kind == kind)
            .map(|item| linked::of_asset(item, &asset.id))
            .collect();
        tree.insert(field.into(), indexed(linked));
    }
    let about = json!({ "asset": { "id": asset.id } });
    tree.insert(
        "annotations".into(),
        indexed(annotations.iter().map(|text| linked::annotation(text, &about)).collect()),
    );
    if !conversations.is_empty() {
        tree.insert("conversations".into(), super::conversations(conversations, transfer));
    }
    keep_unknown(&mut tree, asset);
    Value::Object(tree)
}

/// The fields that an asset and its flattened form share.
fn head(identity: &Identity, asset: &AssetRow) -> Map<String, Value> {
    let AssetRow { id, name, mechanism, created, updated, favorited, .. } = asset;
    let mut tree = Map::new();
    tree.insert("id".into(), id.as_str().into());
    if let Some(name) = name {
        tree.insert("name".into(), name.as_str().into());
    }
    tree.insert("creator".into(), identity.user.as_str().into());
    tree.insert("created".into(), stamp(*created));
    tree.insert("updated".into(), stamp(*updated));
    tree.insert("mechanism".into(), mechanism.as_str().into());
    if let Some(favorited) = favorited {
        tree.insert("favorited".into(), (*favorited).into());
    }
    tree.insert("score".into(), score(&asset.score));
    tree
}

/// Adds the fields that have no column, unless one has come to have it.
fn keep_unknown(tree: &mut Map<String, Value>, asset: &AssetRow) {
    for (field, value) in object(&asset.document) {
        tree.entry(field).or_insert(value);
    }
}

/// An asset inside a format or an activity: what it holds is named by id (records, section 0, surprise 10).
pub(crate) fn flattened_asset(identity: &Identity, asset: &AssetRow, formats: &[FormatRow]) -> Value {
    let ids: Vec<Value> = formats.iter().map(|format| json!({ "id": format.id })).collect();
    let original = formats.first().map(|format| format.id.as_str()).unwrap_or_default();
    let mut tree = head(identity, asset);
    tree.insert("formats".into(), json!({ "iterable": ids }));
    tree.insert("preview".into(), json!({ "base": original }));
    tree.insert("original".into(), original.into());
    Value::Object(tree)
}

/// The formats of an asset by themselves; content stands in them whatever its size.
pub(crate) fn formats(identity: &Identity, whole: &WholeAsset, transfer: Transfer) -> Value {
    json!({ "iterable": format_records(identity, whole, transfer, Copies::Alone) })
}

/// Whether formats stand in an asset, which tells of the content elsewhere too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copies {
    InRecord,
    Alone,
}

fn format_records(identity: &Identity, whole: &WholeAsset, transfer: Transfer, copies: Copies) -> Vec<Value> {
    let WholeAsset { asset, formats, .. } = whole;
    let flattened = flattened_asset(identity, asset, formats);
    let records = formats.iter().map(|format| {
        let with_content = copies == Copies::Alone || format.size_bytes <= EVERYWHERE_BYTES;
        let mut tree = format_head(identity, format, transfer, with_content);
        tree.insert("asset".into(), flattened.clone());
        Value::Object(tree)
    });
    records.collect()
}

fn flattened_format(
    identity: &Identity,
    asset: &AssetRow,
    format: &FormatRow,
    transfer: Transfer,
    with_content: bool,
) -> Value {
    let mut tree = format_head(identity, format, transfer, with_content);
    tree.insert("asset".into(), asset.id.as_str().into());
    Value::Object(tree)
}

/// The fields that a format and its flattened form share. Without content the `fragment` or `file` stays, empty, so
/// that one sees which it is (records, 2.4).
fn format_head(identity: &Identity, format: &FormatRow, transfer: Transfer, with_content: bool) -> Map<String, Value> {
    let FormatRow { id, role, generic, specific, application, binary, size_bytes, created, updated, content } = format;
    let mut tree = Map::new();
    tree.insert("id".into(), id.as_str().into());
    tree.insert("creator".into(), identity.user.as_str().into());
    tree.insert("classification".into(), json!({ "generic": generic, "specific": specific }));
    tree.insert("role".into(), role.as_str().into());
    tree.insert("application".into(), Value::Object(object(application)));
    tree.insert("bytes".into(), byte_descriptor(*size_bytes));
    tree.insert("created".into(), stamp(*created));
    tree.insert("updated".into(), stamp(*updated));
    let content = content.as_ref().filter(|_| with_content && transfer == Transfer::Full);
    if *binary {
        tree.insert("file".into(), file(content));
    } else {
        let mut fragment = Map::new();
        if let Some(Content::Text(text)) = content {
            fragment.insert("string".into(), json!({ "raw": text }));
        }
        fragment.insert("metadata".into(), json!({ "ext": specific }));
        tree.insert("fragment".into(), Value::Object(fragment));
    }
    tree
}

fn file(content: Option<&Content>) -> Value {
    match content {
        Some(Content::Bytes(bytes)) if bytes.len() <= NUMBERS_BYTES => json!({ "bytes": { "raw": bytes } }),
        Some(Content::Bytes(bytes)) => json!({ "string": { "base64": STANDARD.encode(bytes) } }),
        Some(Content::Text(_)) | None => json!({}),
    }
}
