//! Formats: reading, reclassifying, and replacing their content.

use super::extensions;
use crate::http::memory::MemoryPermit;
use crate::http::spool::ResponseText;
use crate::store::records::asset::Transfer;
use crate::{RequestContext, Service, ServiceError, record};
use lunette_client::model::View;
use lunette_client::model::asset::{Format, FormatReclassification};
use lunette_client::model::id::FormatId;
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::SeededFormat;
use lunette_client::operation::table::{
    FormatReclassify, FormatSnapshot, FormatUpdateValue, FormatsSnapshot, FormatsSpecificFormatSnapshot,
};

use super::assets::{content_memory, language_of, needed, transfer};

/// Lists the formats of all assets, in the order they were made.
pub(crate) fn all(
    service: &Service,
    caller: &RequestContext,
    op: FormatsSnapshot,
) -> Result<ResponseText, ServiceError> {
    let (mut list, transfer) = (record::List::plain(service, caller), transfer(op.transferables));
    let identity = service.store.identity();
    let _memory = match transfer {
        Transfer::Full => service.reserve_memory(service.store.largest_content()?)?,
        Transfer::Withheld => MemoryPermit::default(),
    };
    service.store.each_format(transfer, |format| list.add_format(identity, &format, transfer))?;
    list.finish()
}

/// Reads a format.
pub(crate) fn one(service: &Service, _: &RequestContext, op: FormatSnapshot) -> Result<ResponseText, ServiceError> {
    read(service, &op.format, op.transferable)
}

/// Reads a format.
pub(crate) fn one_of_all(
    service: &Service,
    _: &RequestContext,
    op: FormatsSpecificFormatSnapshot,
) -> Result<ResponseText, ServiceError> {
    read(service, &op.format, op.transferable)
}

fn read(service: &Service, id: &FormatId, transferable: Option<bool>) -> Result<ResponseText, ServiceError> {
    let transfer = transfer(transferable);
    let _memory = content_memory(service, id.as_str(), transfer)?;
    let whole = service.store.format(id.as_str(), transfer)?;
    record::format_text(service, &whole, transfer)
}

/// Replaces the content of a format: text if the body has a `fragment`, bytes if it has a `file`. Our choice: the rest
/// of the body is ignored, and the language stays.
pub(crate) fn update_value(
    service: &Service,
    caller: &RequestContext,
    op: FormatUpdateValue,
) -> Result<ResponseText, ServiceError> {
    let body: Format = needed(op.format, "the format, with its new content")?;
    let id = format_id(body.view().id())?;
    // A format and a seed hold content alike.
    let content = extensions::content(View::<SeededFormat>::of(body.tree()))?;
    drop(body);
    service.store.replace_content(id.as_str(), content)?;
    caller.release_body();
    read(service, &id, op.transferable).map_err(ServiceError::after_write)
}

/// Changes the language of a format and, if it is the original, of its asset. Only the id of the format in the body is
/// used.
pub(crate) fn reclassify(
    service: &Service,
    _: &RequestContext,
    op: FormatReclassify,
) -> Result<ResponseText, ServiceError> {
    let body: FormatReclassification = needed(op.reclassification, "the format and its new language (`ext`)")?;
    let id = format_id(body.view().format().id())?;
    let language = language_of(body.view().ext())?;
    service.store.reclassify_format(id.as_str(), language.generic, language.specific)?;
    read(service, &id, op.transferable)
}

fn format_id(text: &str) -> Result<FormatId, ServiceError> {
    text.parse().map_err(|bad| ServiceError::bad_request(format!("invalid `id` of the format: {bad}")))
}
