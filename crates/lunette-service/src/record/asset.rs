//! The record of an asset, its formats, and its flattened forms.
//!
//! They are written as text, field by field: lists have a hundred thousand of them, and a tree of one is many times its
//! size. Documents of the store are JSON objects made here or by a merge, and are put in as they are.
//!
//! Our choice: content up to [`EVERYWHERE_BYTES`] is repeated in the formats, in the original and in the preview, since
//! clients look for it in all three; larger content occurs once, in the preview's base, where they look first. Bytes
//! travel as numbers up to [`NUMBERS_BYTES`], beyond as `string.base64`, a twentieth of the memory.

use std::ops::ControlFlow;

use serde_json::Value;

use super::list::List;
use super::writer::Writer;
use super::{indexed, linked, tree};
use crate::http::spool::ResponseText;
use crate::store::Identity;
use crate::store::records::asset::{AssetRow, Transfer, WholeAsset};
use crate::store::records::create::CreatedAsset;
use crate::store::records::format::{Content, FormatRow, WholeFormat};
use crate::store::records::item::ItemKind;
use crate::store::records::trash::TrashedAsset;
use crate::{Service, ServiceError};
use lunette_client::model::size::size;

/// Content up to this size is in every copy of a format.
const EVERYWHERE_BYTES: i64 = 1 << 20;
/// Bytes up to this many travel as an array of numbers.
const NUMBERS_BYTES: usize = 1 << 16;

/// An asset, whole.
pub(crate) fn asset(identity: &Identity, whole: &WholeAsset, transfer: Transfer) -> Value {
    tree(&asset_text(identity, whole, transfer))
}

/// An asset, whole, as JSON text.
pub(crate) fn asset_text(identity: &Identity, whole: &WholeAsset, transfer: Transfer) -> Vec<u8> {
    let mut out = Writer::default();
    write_asset(&mut out, identity, whole, transfer, "");
    out.finish()
}

/// An asset, whole, as a response; `extra` is fields of JSON that it has beside its own.
pub(crate) fn asset_answer(
    service: &Service,
    whole: &WholeAsset,
    transfer: Transfer,
    extra: &str,
) -> Result<ResponseText, ServiceError> {
    let mut out = Writer::new(service.spool.writer());
    write_asset(&mut out, service.store.identity(), whole, transfer, extra);
    out.finish_text()
}

/// An asset in the Trash: without content, with the extra field `expires`.
pub(crate) fn trashed_asset(identity: &Identity, trashed: &TrashedAsset) -> Value {
    let mut record = asset(identity, &trashed.whole, Transfer::Withheld);
    record["deleted"] = super::stamp(trashed.deleted);
    record["expires"] = super::stamp(trashed.expires());
    record
}

fn write_asset(out: &mut Writer, identity: &Identity, whole: &WholeAsset, transfer: Transfer, extra: &str) {
    let WholeAsset { asset, formats, items, annotations, conversations, related } = whole;
    let head = head(identity, asset);
    let commons: Vec<Vec<u8>> = formats.iter().map(|format| common(identity, format)).collect();
    out.raw("{").bytes(&head).raw(",");
    write_formats(out, whole, transfer, &Parts { head: &head, commons: &commons }, Copies::InRecord);
    if let (Some(original), Some(common)) = (formats.first(), commons.first()) {
        let everywhere = original.size_bytes <= EVERYWHERE_BYTES;
        for (before, with_content) in [(",\"preview\":{\"base\":", true), (",\"original\":", everywhere)] {
            out.raw(before).raw("{\"id\":").text(&original.id).raw(",\"reference\":{").bytes(common);
            write_content(out, original, transfer, with_content);
            out.raw(",\"asset\":").text(&asset.id).raw("}}");
            out.raw(if before.contains("base") { "}" } else { "" });
        }
    }
    for (field, kind) in [("tags", ItemKind::Tag), ("websites", ItemKind::Website), ("summaries", ItemKind::Summary)] {
        let of_kind = items.iter().filter(|linked| linked.shared.item.kind == kind);
        linked::write_items(out.raw(",").field(field), of_kind, &asset.id);
    }
    let texts = annotations.iter().map(linked::annotation).collect();
    out.raw(",\"annotations\":").tree(&indexed(texts));
    if !conversations.is_empty() {
        out.raw(",\"conversations\":").tree(&super::conversations(conversations, transfer));
    }
    // Fields without a column; a merge keeps them apart from all fields above.
    out.fields_of(&super::related::document(asset, related));
    out.raw(if extra.is_empty() { "" } else { "," }).raw(extra).raw("}");
}

/// What occurs in a record more than once.
struct Parts<'a> {
    /// See [`head`].
    head: &'a [u8],
    /// See [`common`], for each format.
    commons: &'a [Vec<u8>],
}

/// The fields that an asset and its flattened form share.
pub(super) fn head(identity: &Identity, asset: &AssetRow) -> Vec<u8> {
    let mut out = Writer::part();
    let AssetRow { id, name, mechanism, created, updated, favorited, score, .. } = asset;
    out.raw("\"id\":").text(id);
    if let Some(name) = name {
        out.raw(",\"name\":").text(name);
    }
    out.raw(",\"creator\":").text(&identity.user);
    out.raw(",\"created\":").stamp(*created);
    out.raw(",\"updated\":").stamp(*updated);
    out.raw(",\"mechanism\":").text(mechanism);
    // Our choice: `favorited` is always present, so that the record is the same before and after the flag was set for a
    // while.
    out.raw(",\"favorited\":").raw(if favorited.unwrap_or_default() { "true" } else { "false" });
    out.raw(",\"score\":{\"manual\":").number(score.manual);
    out.raw(",\"automatic\":").number(score.automatic);
    for (name, count) in score.counters().into_iter().filter_map(|(name, count)| Some((name, count?))) {
        out.raw(",").field(name).number(count);
    }
    out.raw("}").finish()
}

/// An asset inside a format or an activity: what it holds is named by id (records, section 0, surprise 10).
pub(super) fn write_flattened<'a>(out: &mut Writer, head: &[u8], mut formats: impl Iterator<Item = &'a str>) {
    out.raw("{").bytes(head).raw(",\"formats\":{\"iterable\":[");
    // An asset has its original, and that is the first.
    let original = formats.next().unwrap_or_default();
    out.raw("{\"id\":").text(original).raw("}");
    for format in formats {
        out.raw(",{\"id\":").text(format).raw("}");
    }
    out.raw("]},\"preview\":{\"base\":").text(original).raw("},\"original\":").text(original).raw("}");
}

/// A format inside an activity: its asset is named by id, and its content is omitted.
pub(super) fn write_flattened_format(out: &mut Writer, identity: &Identity, format: &FormatRow, asset: &str) {
    out.raw("{").bytes(&common(identity, format));
    write_content(out, format, Transfer::Withheld, false);
    out.raw(",\"asset\":").text(asset).raw("}");
}

impl List {
    /// Adds the outcome of a seed: the asset that was created or found, with its record if that is wanted, or the error.
    pub(crate) fn add_created(
        &mut self,
        identity: &Identity,
        outcome: &Result<CreatedAsset, ServiceError>,
        record: Option<&WholeAsset>,
    ) {
        match outcome {
            Ok(CreatedAsset { id, existing }) => {
                let out = self.next(id).raw("{\"id\":").text(id);
                out.raw(if *existing { ",\"existing\":true" } else { "" });
                if let Some(whole) = record {
                    write_asset(out.raw(",\"asset\":"), identity, whole, Transfer::Withheld, "");
                }
                out.raw("}");
            }
            Err(error) => {
                let out = self.next("").raw("{\"status\":").number(error.status().into());
                out.raw(",\"error\":").text(error.sentence()).raw("}");
            }
        }
    }

    /// Adds an asset.
    pub(crate) fn add_asset(&mut self, identity: &Identity, whole: &WholeAsset, transfer: Transfer) -> ControlFlow<()> {
        write_asset(self.next(&whole.asset.id), identity, whole, transfer, "");
        self.wanted()
    }

    /// Adds what a search found, with its record where that is wanted; `hit` is an object of JSON.
    pub(crate) fn add_hit(&mut self, identity: &Identity, hit: &str, whole: Option<&WholeAsset>) -> ControlFlow<()> {
        let out = self.next("");
        match whole {
            None => {
                out.raw(hit);
            }
            Some(whole) => {
                out.raw(hit.strip_suffix('}').unwrap_or(hit)).raw(",\"asset\":");
                write_asset(out, identity, whole, Transfer::Full, "");
                out.raw("}");
            }
        }
        self.wanted()
    }

    /// Adds a format with its asset.
    pub(crate) fn add_format(
        &mut self,
        identity: &Identity,
        whole: &WholeFormat,
        transfer: Transfer,
    ) -> ControlFlow<()> {
        write_format(self.next(&whole.format.id), identity, whole, transfer);
        self.wanted()
    }
}

/// A format by itself, as JSON text.
pub(crate) fn format_text(
    service: &Service,
    whole: &WholeFormat,
    transfer: Transfer,
) -> Result<ResponseText, ServiceError> {
    let mut out = Writer::new(service.spool.writer());
    write_format(&mut out, service.store.identity(), whole, transfer);
    out.finish_text()
}

fn write_format(out: &mut Writer, identity: &Identity, whole: &WholeFormat, transfer: Transfer) {
    let WholeFormat { format, asset, format_ids } = whole;
    out.raw("{").bytes(&common(identity, format));
    write_content(out, format, transfer, true);
    out.raw(",\"asset\":");
    write_flattened(out, &head(identity, asset), format_ids.iter().map(String::as_str));
    out.raw("}");
}

/// The formats of an asset; they contain content of any size.
pub(crate) fn formats(identity: &Identity, whole: &WholeAsset, transfer: Transfer) -> Value {
    let commons: Vec<Vec<u8>> = whole.formats.iter().map(|format| common(identity, format)).collect();
    let mut out = Writer::default();
    out.raw("{");
    let parts = Parts { head: &head(identity, &whole.asset), commons: &commons };
    write_formats(&mut out, whole, transfer, &parts, Copies::Alone);
    tree(&out.raw("}").finish()).get_mut("formats").map(Value::take).unwrap_or_default()
}

/// Whether formats are inside an asset, which also has the content elsewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copies {
    InRecord,
    Alone,
}

fn write_formats(out: &mut Writer, whole: &WholeAsset, transfer: Transfer, parts: &Parts, copies: Copies) {
    let formats = &whole.formats;
    out.raw("\"formats\":{\"iterable\":[");
    for (index, (format, common)) in formats.iter().zip(parts.commons).enumerate() {
        let with_content = copies == Copies::Alone || format.size_bytes <= EVERYWHERE_BYTES;
        out.raw(if index == 0 { "{" } else { ",{" }).bytes(common);
        write_content(out, format, transfer, with_content);
        out.raw(",\"asset\":");
        write_flattened(out, parts.head, formats.iter().map(|format| format.id.as_str()));
        out.raw("}");
    }
    out.raw("]}");
}

/// The fields that a format and its flattened form share, but for the content.
fn common(identity: &Identity, format: &FormatRow) -> Vec<u8> {
    let FormatRow { id, role, generic, specific, application, size_bytes, created, updated, .. } = format;
    let mut out = Writer::part();
    out.raw("\"id\":").text(id).raw(",\"creator\":").text(&identity.user);
    out.raw(",\"classification\":{\"generic\":").text(generic).raw(",\"specific\":").text(specific).raw("}");
    out.raw(",\"role\":").text(role).raw(",\"application\":").raw(application);
    out.raw(",\"bytes\":{\"value\":").number(*size_bytes).raw(",\"readable\":").text(&size(*size_bytes));
    out.raw("},\"created\":").stamp(*created).raw(",\"updated\":").stamp(*updated);
    out.finish()
}

/// Without content the `fragment` or `file` stays, empty, so that one sees which it is (records, 2.4).
fn write_content(out: &mut Writer, format: &FormatRow, transfer: Transfer, with_content: bool) {
    let content = format.content.as_ref().filter(|_| with_content && transfer == Transfer::Full);
    if format.binary {
        out.raw(",\"file\":{");
        match content {
            Some(Content::Bytes(bytes)) if bytes.len() <= NUMBERS_BYTES => {
                out.raw("\"bytes\":{\"raw\":[");
                for (index, byte) in bytes.iter().enumerate() {
                    out.raw(if index == 0 { "" } else { "," }).number(i64::from(*byte));
                }
                out.raw("]}");
            }
            Some(Content::Bytes(bytes)) => {
                out.raw("\"string\":{\"base64\":\"").base64(bytes).raw("\"}");
            }
            Some(Content::Text(_)) | None => {}
        }
        out.raw("}");
    } else {
        out.raw(",\"fragment\":{");
        if let Some(Content::Text(text)) = content {
            out.raw("\"string\":{\"raw\":").text(text).raw("},");
        }
        out.raw("\"metadata\":{\"ext\":").text(&format.specific).raw("}}");
    }
}
