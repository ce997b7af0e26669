//! The Asset group except links: reading, updating, reclassifying, scoring and exporting assets.

use crate::http::memory::MemoryPermit;
use crate::http::queued_write::QueuedWrite;
use crate::http::spool::ResponseText;
use crate::store::records::activity::Scope;
use crate::store::records::asset::{Counter, Transfer};
use crate::store::records::conversation::ConversationRow;
use crate::{RequestContext, Service, ServiceError, record};
use lunette_client::model::View;
use lunette_client::model::asset::{AssetReclassification, Formats};
use lunette_client::model::id::AssetId;
use lunette_client::model::language::{Language, language};
use lunette_client::model::record::Record as _;
use lunette_client::model::value::{SeededScore, SeededScoreIncrement};
use lunette_client::operation::table::{
    AssetFormats, AssetReclassify, AssetScoresIncrement, AssetSnapshot, AssetSnapshotPost,
    AssetSpecificAssetActivities, AssetSpecificAssetConversations, AssetUpdate, AssetsSpecificAssetFormatsSnapshot,
    AssetsSpecificAssetSnapshot,
};

mod export;
mod merge;
#[cfg(test)]
mod tests;

pub(crate) use export::export;

/// The default is to send content (interface, 4, parameter transferables).
pub(crate) fn transfer(transferables: Option<bool>) -> Transfer {
    match transferables {
        Some(false) => Transfer::Withheld,
        Some(true) | None => Transfer::Full,
    }
}

/// Reserves memory for reading the content of an asset or format and the conversations of an asset, which exist twice
/// meanwhile: in the store and here. Small ones need none.
pub(crate) fn content_memory(service: &Service, id: &str, transfer: Transfer) -> Result<MemoryPermit, ServiceError> {
    let content = match transfer {
        Transfer::Withheld => 0,
        Transfer::Full => service.store.content_size(id)?,
    };
    service.reserve_memory(content.saturating_add(service.store.conversations_size(id)?))
}

/// The current record of an asset; `extra` is additional JSON fields.
pub(crate) fn answer(
    service: &Service,
    id: &str,
    transfer: Transfer,
    extra: &str,
) -> Result<ResponseText, ServiceError> {
    let _memory = content_memory(service, id, transfer)?;
    record::asset_answer(service, &service.store.asset(id, transfer)?, transfer, extra)
}

/// The record of an asset that was just changed. If it cannot be returned, the change is still committed.
pub(crate) fn changed(
    service: &Service,
    id: &str,
    transfer: Transfer,
    extra: &str,
) -> Result<ResponseText, ServiceError> {
    answer(service, id, transfer, extra).map_err(ServiceError::after_write)
}

/// Reads an asset. One that is unknown or deleted is 410, the one status documented here (records, section 1).
pub(crate) fn snapshot(service: &Service, _: &RequestContext, op: AssetSnapshot) -> Result<ResponseText, ServiceError> {
    let transfer = transfer(op.transferables);
    let _memory = content_memory(service, op.asset.as_str(), transfer)?;
    let whole = service.store.asset(op.asset.as_str(), transfer).map_err(ServiceError::absent_is_gone)?;
    record::asset_answer(service, &whole, transfer, "")
}

/// Reads an asset, as an extension operation.
pub(crate) fn snapshot_of_all(
    service: &Service,
    caller: &RequestContext,
    op: AssetsSpecificAssetSnapshot,
) -> Result<ResponseText, ServiceError> {
    snapshot(service, caller, AssetSnapshot { asset: op.asset, transferables: op.transferables })
}

/// Reads an asset for a named user. Our choice: the accessor is echoed in the extra field `accessor` and not stored.
pub(crate) fn snapshot_post(
    service: &Service,
    _: &RequestContext,
    op: AssetSnapshotPost,
) -> Result<ResponseText, ServiceError> {
    let AssetSnapshotPost { asset, transferables, accessor } = op;
    let extra = accessor.map(|accessor| format!("\"accessor\":{}", accessor.tree())).unwrap_or_default();
    answer(service, asset.as_str(), transfer(transferables), &extra)
}

/// Lists the formats of an asset.
pub(crate) fn formats(service: &Service, _: &RequestContext, op: AssetFormats) -> Result<Formats, ServiceError> {
    let transfer = transfer(op.transferables);
    let _memory = content_memory(service, op.asset.as_str(), transfer)?;
    let whole = service.store.asset(op.asset.as_str(), transfer)?;
    Ok(Formats::from_tree(record::formats(service.store.identity(), &whole, transfer))?)
}

/// Lists the formats of an asset, as an extension operation.
pub(crate) fn formats_of_all(
    service: &Service,
    caller: &RequestContext,
    op: AssetsSpecificAssetFormatsSnapshot,
) -> Result<Formats, ServiceError> {
    formats(service, caller, AssetFormats { asset: op.asset, transferables: op.transferables })
}

/// Lists what happened to an asset, oldest first.
pub(crate) fn activities(
    service: &Service,
    caller: &RequestContext,
    op: AssetSpecificAssetActivities,
) -> Result<ResponseText, ServiceError> {
    let mut list = record::List::plain(service, caller);
    let identity = service.store.identity();
    let each = |activity| list.add_activity(identity, &activity);
    service.store.each_activity(Scope::Asset(op.asset.as_str()), each)?;
    list.finish()
}

/// Lists the conversations of an asset, oldest first.
pub(crate) fn conversations(
    service: &Service,
    caller: &RequestContext,
    op: AssetSpecificAssetConversations,
) -> Result<ResponseText, ServiceError> {
    let (mut list, transfer) = (record::List::indexed(service, caller), transfer(op.transferables));
    let each = |one: &ConversationRow| list.add(&record::conversation(one, transfer));
    service.store.each_conversation_of(op.asset.as_str(), each)?;
    list.finish()
}

/// Changes the language of an asset. Only the id of the asset in the body is used, since a client may have sent half of
/// it (records, section 0, surprise 7).
pub(crate) fn reclassify(
    service: &Service,
    _: &RequestContext,
    op: AssetReclassify,
) -> Result<ResponseText, ServiceError> {
    let AssetReclassify { transferables, reclassification } = op;
    let body = needed(reclassification, "the asset and its new language (`ext`)")?;
    let body: AssetReclassification = body;
    let id = asset_id(body.view().asset().id())?;
    let language = language_of(body.view().ext())?;
    service.store.reclassify(id.as_str(), language.generic, language.specific)?;
    changed(service, id.as_str(), transfer(transferables), "")
}

/// The language of this value, which every client must know.
pub(crate) fn language_of(ext: &str) -> Result<&'static Language, ServiceError> {
    language(ext).filter(|language| language.emitted).ok_or_else(|| {
        ServiceError::bad_request(format!("{ext:?} is not a known language; use one such as `py` or `md`"))
    })
}

/// Adds one to a score of an asset. Our choice: without a body, or with no score chosen, nothing changes; scores of
/// materials other than the asset are accepted and do nothing here.
pub(crate) fn increment(service: &Service, op: AssetScoresIncrement) -> Result<QueuedWrite, ServiceError> {
    let AssetScoresIncrement { asset, increment } = op;
    let chosen = match increment.as_ref().map(SeededScoreIncrement::view).and_then(|body| body.asset()) {
        Some(score) => chosen(score)?,
        None => None,
    };
    match chosen {
        Some(counter) => Ok(QueuedWrite::new(service.store.begin_increment(asset.as_str(), counter)?)),
        None => Ok(QueuedWrite::none(move |service| {
            Ok(service.store.asset(asset.as_str(), Transfer::Withheld).map(drop)?)
        })),
    }
}

/// The one counter to increment; more than one is rejected (records, 2.2).
pub(crate) fn chosen(score: View<'_, SeededScore>) -> Result<Option<Counter>, ServiceError> {
    let wanted = [
        (score.priority(), Counter::Priority),
        (score.reuse(), Counter::Reuse),
        (score.update(), Counter::Update),
        (score.reference(), Counter::Reference),
        (score.searched(), Counter::Searched),
    ];
    let mut chosen = wanted.into_iter().filter(|(wanted, _)| *wanted == Some(true)).map(|(_, counter)| counter);
    let first = chosen.next();
    match chosen.next() {
        Some(second) => Err(ServiceError::bad_request(format!(
            "only one score can be incremented at a time, but both `{}` and `{}` are true",
            first.map(Counter::name).unwrap_or_default(),
            second.name()
        ))),
        None => Ok(first),
    }
}

/// Updates an asset by merging the body into it, and returns the whole asset (interface, 4.2 rule 2).
pub(crate) fn update(
    service: &Service,
    caller: &RequestContext,
    op: AssetUpdate,
) -> Result<ResponseText, ServiceError> {
    let AssetUpdate { transferables, asset } = op;
    let body = needed(asset, "the asset to update")?;
    let id = asset_id(body.view().id())?;
    service.store.update_asset(id.as_str(), move |before| merge::merge(before, &body))?;
    caller.release_body();
    changed(service, id.as_str(), transfer(transferables), "")
}

/// A body that is optional in the interface but needed here. Our choice: 400 without it.
pub(crate) fn needed<B>(body: Option<B>, what: &str) -> Result<B, ServiceError> {
    body.ok_or_else(|| ServiceError::bad_request(format!("the body is missing: {what}")))
}

fn asset_id(text: &str) -> Result<AssetId, ServiceError> {
    text.parse().map_err(|bad| ServiceError::bad_request(format!("invalid `id` of the asset: {bad}")))
}
