//! Exports. Documents are made by `service::export`; what needs no layout is made here.
//!
//! Our choice: `JSON` is the whole record, `TXT` the text alone, `RAW` the original: text as it is, bytes in
//! `raw.string.base64`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::export::{Document, html, markdown};
use crate::store::records::asset::{Transfer, WholeAsset};
use crate::store::records::format::Content;
use crate::store::records::item::ItemKind;
use crate::{RequestContext, Service, ServiceError, classify, record};
use lunette_client::model::asset::ExportedAsset;
use lunette_client::model::export::ExportType;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSpecificAssetExport;

/// Exports an asset. A kind we do not know is 400 and names those we do.
pub(crate) fn export(
    service: &Service,
    _: &RequestContext,
    op: AssetSpecificAssetExport,
) -> Result<ExportedAsset, ServiceError> {
    let AssetSpecificAssetExport { asset, export_type } = op;
    if let ExportType::Other(kind) = &export_type {
        let known: Vec<_> = ExportType::KNOWN.iter().map(ExportType::as_str).collect();
        let sentence = format!("{kind:?} is not an export type; the types are {}", known.join(", "));
        return Err(ServiceError::bad_request(sentence));
    }
    // The document is several times its content.
    let _memory = service.reserve_memory(service.store.content_size(asset.as_str())?.saturating_mul(3))?;
    let whole = service.store.asset(asset.as_str(), Transfer::Full)?;
    let raw = raw(service, &whole, &export_type)?;
    let tree = json!({
        "name": whole.asset.name.as_deref().unwrap_or_default(),
        "description": description(&whole).unwrap_or_default(),
        "created": record::stamp(whole.asset.created),
        "raw": raw,
    });
    Ok(ExportedAsset::from_tree(tree)?)
}

/// The last annotation of type DESCRIPTION (records, 2.4).
fn description(whole: &WholeAsset) -> Option<&str> {
    whole.annotations.iter().rfind(|text| text.kind == "DESCRIPTION").map(|text| text.text.as_str())
}

fn raw(service: &Service, whole: &WholeAsset, kind: &ExportType) -> Result<Value, ServiceError> {
    let content = whole.formats.first().and_then(|format| format.content.as_ref());
    let content = content.ok_or_else(|| ServiceError::internal("an asset has no content"))?;
    let text = match (kind, content) {
        (ExportType::Raw, Content::Bytes(bytes)) => {
            return Ok(json!({ "string": { "base64": STANDARD.encode(bytes) } }));
        }
        (ExportType::Raw | ExportType::Txt, Content::Text(text)) => text.clone(),
        (ExportType::Txt, Content::Bytes(_)) => {
            let sentence = "this asset is binary: export it as RAW, HTML, MD or JSON";
            return Err(ServiceError::bad_request(sentence));
        }
        (ExportType::Json, _) => {
            let tree = record::asset(service.store.identity(), whole, Transfer::Full);
            serde_json::to_string_pretty(&tree).map_err(ServiceError::internal)?
        }
        (ExportType::Html, _) => with_document(service, whole, content, html),
        (ExportType::Md | ExportType::Other(_), _) => with_document(service, whole, content, markdown),
    };
    Ok(json!({ "string": { "raw": text } }))
}

/// Lays the asset out.
fn with_document(service: &Service, whole: &WholeAsset, content: &Content, lay_out: fn(&Document) -> String) -> String {
    let tree = record::asset(service.store.identity(), whole, Transfer::Withheld);
    let moment = |field: &str| tree[field]["value"].as_str().unwrap_or_default();
    let linked =
        |kind: ItemKind| whole.items.iter().map(|linked| &linked.shared.item).filter(move |item| item.kind == kind);
    let format = whole.formats.first();
    lay_out(&Document {
        name: whole.asset.name.as_deref().unwrap_or_default(),
        description: description(whole).unwrap_or_default(),
        language: format.map(|format| format.specific.as_str()).unwrap_or_default(),
        generic: format.map(|format| format.generic.as_str()).unwrap_or_default(),
        content: classify::Content::from(content),
        tags: linked(ItemKind::Tag).map(|tag| tag.name.as_str()).collect(),
        websites: linked(ItemKind::Website)
            .map(|website| (website.name.as_str(), website.key.as_deref().unwrap_or_default()))
            .collect(),
        summaries: linked(ItemKind::Summary).map(|summary| summary.name.as_str()).collect(),
        created: moment("created"),
        updated: moment("updated"),
        tree: &tree,
    })
}
