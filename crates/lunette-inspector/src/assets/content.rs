//! The content of an asset: reading it from the record, and what is fetched automatically.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::Vendor;
use crate::assets::page::Content;
use crate::{CallError, Transport, unexpected};
use lunette_client::client::Client;
use lunette_client::model::View;
use lunette_client::model::asset::{Asset, FlattenedFormat};
use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;
use lunette_client::model::value::FileFormat;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{AssetSnapshot, AssetSpecificAssetExport};

mod beginning;
mod direct;

/// Content up to this many bytes is fetched with its asset.
pub const SMALL: i64 = 2_000_000;

/// The limit of a response with automatically fetched content, in bytes. The largest such content, eight times
/// [`SMALL`] by its record, is a third longer as base64.
pub const UNASKED: usize = 24 * 1024 * 1024;

/// The largest content, in bytes, that is read from a foreign service, which sends bytes as JSON numbers.
pub const FOREIGN_BYTES: i64 = 4_000_000;

/// How many bytes of a larger text are shown at first; each *Show more* shows four times as much.
pub const PART: usize = 256_000;

/// How many bytes are shown of a file that is too large to be loaded unasked.
pub const HEAD: usize = 64 * 1024;

/// How many bytes of a response are read for the first [`PART`] of a text: the fields before the text in a record, and
/// the text with JSON escapes.
const PART_ANSWER: usize = 1024 * 1024;

/// A response with the whole content of one asset may be this many times as large as others: up to 256 MiB, at the
/// user's request. A foreign record can have its text several times.
const WHOLE_TIMES: usize = 16;

/// How much of an asset's content is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Portion {
    /// All of it, if it is as small as its record says.
    Small,
    /// The beginning of a text, about this many bytes.
    First(usize),
    /// All of it, however large.
    Whole,
}

/// The displayed format of an asset: its original, if the record has it.
pub fn original(asset: View<'_, Asset>) -> Option<View<'_, FlattenedFormat>> {
    asset.original().reference().or_else(|| asset.preview().base().reference())
}

/// The size of an asset's original format in bytes; 0 if the record has no size.
pub fn size(asset: View<'_, Asset>) -> i64 {
    told_size(asset).unwrap_or_default()
}

/// Returns the size of the original format, in bytes; `None` if the record does not tell it.
pub fn told_size(asset: View<'_, Asset>) -> Option<i64> {
    original(asset).map(|format| format.bytes()).filter(|bytes| bytes.tells("value")).map(|bytes| bytes.value())
}

/// Whether the asset's format is one of text (records, 2.4: text is a fragment, everything else a file).
pub fn is_text(asset: View<'_, Asset>) -> bool {
    match original(asset) {
        Some(format) if format.file().is_some() => false,
        Some(format) => format.classification().generic() != "IMAGE" || format.fragment().is_some(),
        None => true,
    }
}

/// The content of a record that was read with transferables: the text of the preview, or else that of the original
/// (records, 2.4).
pub fn of_record(asset: View<'_, Asset>) -> Content {
    first_of([asset.preview().base().reference(), asset.original().reference()])
}

/// Returns the content of an asset, preferably of its original format.
pub fn of_original(asset: View<'_, Asset>) -> Content {
    first_of([asset.original().reference(), asset.preview().base().reference()])
}

/// The content of the first of these formats that has any.
fn first_of(formats: [Option<View<'_, FlattenedFormat>>; 2]) -> Content {
    for format in formats.into_iter().flatten() {
        let text = format.fragment().and_then(|fragment| fragment.string()).and_then(|string| string.raw());
        if let Some(text) = text {
            return Content::Text(Arc::from(text));
        }
        if let Some(content) = format.file().and_then(of_file) {
            return content;
        }
    }
    Content::None
}

/// The content of a file: text, base64 text, or bytes.
fn of_file(file: View<'_, FileFormat>) -> Option<Content> {
    if let Some(string) = file.string() {
        if let Some(text) = string.raw() {
            return Some(Content::Text(Arc::from(text)));
        }
        let bytes = string.base64().and_then(|text| STANDARD.decode(text).ok())?;
        return Some(Content::Bytes(Arc::from(bytes)));
    }
    let numbers = file.bytes()?.raw()?.trees();
    let bytes = numbers.iter().map(|number| number.as_u64().and_then(|byte| u8::try_from(byte).ok()));
    bytes.collect::<Option<Vec<u8>>>().map(|bytes| Content::Bytes(Arc::from(bytes)))
}

/// Fetches an asset's content. From our own service large content comes as one export, from others with the record.
pub(crate) async fn fetch(
    client: &Client,
    id: AssetId,
    (text, vendor, size): (bool, Vendor, i64),
    portion: Portion,
) -> Result<Content, CallError> {
    let snapshot = |asset| AssetSnapshot { asset, transferables: Some(true) };
    let raw = |asset| AssetSpecificAssetExport { asset, export_type: ExportType::Raw };
    match portion {
        Portion::Small if vendor.is_lunette() && !text => {
            Ok(exported(&client.with_response_limit(UNASKED), id, ExportType::Raw).await?.1)
        }
        Portion::Small => client.with_response_limit(UNASKED).read(&snapshot(id).into(), direct::asset).await,
        Portion::Whole if vendor.is_lunette() => Ok(exported(client, id, ExportType::Raw).await?.1),
        Portion::Whole => client.with_json_limit(WHOLE_TIMES).read(&snapshot(id).into(), direct::asset).await,
        Portion::First(most) => {
            let call = if vendor.is_lunette() { raw(id).into() } else { snapshot(id).into() };
            let enough = most.saturating_mul(2).saturating_add(PART_ANSWER);
            let read = move |body: &[u8]| Ok(beginning::of_text(body, most));
            let part = client.with_prefix(enough).read(&call, read).await?;
            Ok(part.map_or(Content::Large(size), |part| match part {
                beginning::Text::Whole(text) => Content::Text(text.into()),
                beginning::Text::Cut(text) => Content::Part(text.into(), size),
            }))
        }
    }
}

/// Fetches the first [`HEAD`] bytes of a file from a service of ours, which sends files as base64.
pub(crate) async fn head(client: &Client, asset: AssetId) -> Result<Arc<[u8]>, CallError> {
    let call = AssetSpecificAssetExport { asset, export_type: ExportType::Raw };
    let read = |body: &[u8]| Ok(beginning::of_bytes(body, HEAD));
    let bytes = client.with_prefix(HEAD * 2).read(&call.into(), read).await?;
    Ok(bytes.unwrap_or_default().into())
}

/// Why a response is not content: it must not be taken for an empty one, which would be saved.
const NO_CONTENT: &str = "the service does not tell the content";

/// Returns the whole content of an asset's original; `own` says whether the service is one of ours.
pub async fn whole(caller: &impl Transport, id: AssetId, vendor: Vendor) -> Result<Content, CallError> {
    match vendor.is_lunette() {
        true => Ok(exported(caller, id, ExportType::Raw).await?.1),
        false => {
            let call = AssetSnapshot { asset: id, transferables: Some(true) };
            let content = caller.read(&call.into(), direct::told_asset).await?;
            content.ok_or_else(|| unexpected(AssetSnapshot::INFO, "$.original", NO_CONTENT.to_owned()))
        }
    }
}

/// The content in the text of a record; None if the text is not a record, or does not tell it.
pub(crate) fn told_content(record: &[u8]) -> Option<Content> {
    direct::told_asset(record).ok().flatten()
}

/// An export: its name and its content.
pub(crate) async fn exported(
    caller: &impl Transport,
    asset: AssetId,
    export_type: ExportType,
) -> Result<(String, Content), CallError> {
    let (name, content) = caller.read(&AssetSpecificAssetExport { asset, export_type }.into(), direct::export).await?;
    let content = content.ok_or_else(|| unexpected(AssetSpecificAssetExport::INFO, "$.raw", NO_CONTENT.to_owned()))?;
    Ok((name, content))
}

/// The tree of a record with one field on each line, for comparing.
pub fn pretty(tree: &Value) -> String {
    serde_json::to_string_pretty(tree).unwrap_or_else(|_| tree.to_string())
}

/// The text of a record that was read with content; `None` if its content is not text.
pub(crate) fn text_of(asset: View<'_, Asset>) -> Option<Arc<str>> {
    match of_record(asset) {
        Content::Text(text) => Some(text),
        Content::Part(..) | Content::Bytes(_) | Content::Large(_) | Content::None => None,
    }
}
