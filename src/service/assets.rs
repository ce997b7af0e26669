//! The Asset group but for its links: reading, updating, reclassifying, scoring and exporting assets.

use serde_json::Value;

use crate::model::View;
use crate::model::asset::{Asset, AssetReclassification, Formats, SeededAccessor};
use crate::model::conversation::Conversations;
use crate::model::id::AssetId;
use crate::model::language::{Language, language};
use crate::model::record::Record as _;
use crate::model::value::{SeededScore, SeededScoreIncrement};
use crate::operation::table::{
    AssetFormats, AssetReclassify, AssetScoresIncrement, AssetSnapshot, AssetSnapshotPost,
    AssetSpecificAssetActivities, AssetSpecificAssetConversations, AssetUpdate, AssetsSpecificAssetFormatsSnapshot,
    AssetsSpecificAssetSnapshot,
};
use crate::store::activity::Scope;
use crate::store::asset::{Counter, Transfer};

use super::{Caller, Service, ServiceError, record};

mod export;
mod merge;
#[cfg(test)]
mod tests;

pub(super) use export::export;

/// The default is to send content (interface, 4, parameter transferables).
pub(super) fn transfer(transferables: Option<bool>) -> Transfer {
    match transferables {
        Some(false) => Transfer::Withheld,
        Some(true) | None => Transfer::Full,
    }
}

/// The record of an asset as it is now.
pub(super) fn read(service: &Service, id: &str, transfer: Transfer) -> Result<Value, ServiceError> {
    let whole = service.store.asset(id, transfer)?;
    Ok(record::asset(service.store.identity(), &whole, transfer))
}

/// Reads an asset. One that is unknown or deleted is 410, the one status documented here (records, section 1).
pub(super) fn snapshot(service: &Service, _: &Caller, op: AssetSnapshot) -> Result<Vec<u8>, ServiceError> {
    let transfer = transfer(op.transferables);
    let whole = service.store.asset(op.asset.as_str(), transfer).map_err(ServiceError::absent_is_gone)?;
    Ok(record::asset_text(service.store.identity(), &whole, transfer))
}

/// The same among the companions.
pub(super) fn snapshot_of_all(
    service: &Service,
    caller: &Caller,
    op: AssetsSpecificAssetSnapshot,
) -> Result<Vec<u8>, ServiceError> {
    snapshot(service, caller, AssetSnapshot { asset: op.asset, transferables: op.transferables })
}

/// Reads an asset and tells who asked. Our choice: the accessor is given back in the extra field `accessor`, and
/// nothing is kept of it.
pub(super) fn snapshot_post(service: &Service, _: &Caller, op: AssetSnapshotPost) -> Result<Asset, ServiceError> {
    let AssetSnapshotPost { asset, transferables, accessor } = op;
    let mut tree = read(service, asset.as_str(), transfer(transferables))?;
    if let (Some(accessor), Value::Object(fields)) = (accessor, &mut tree) {
        fields.insert("accessor".to_owned(), SeededAccessor::into_tree(accessor));
    }
    Ok(Asset::from_tree(tree)?)
}

/// Lists the formats of an asset.
pub(super) fn formats(service: &Service, _: &Caller, op: AssetFormats) -> Result<Formats, ServiceError> {
    let transfer = transfer(op.transferables);
    let whole = service.store.asset(op.asset.as_str(), transfer)?;
    Ok(Formats::from_tree(record::formats(service.store.identity(), &whole, transfer))?)
}

/// The same among the companions.
pub(super) fn formats_of_all(
    service: &Service,
    caller: &Caller,
    op: AssetsSpecificAssetFormatsSnapshot,
) -> Result<Formats, ServiceError> {
    formats(service, caller, AssetFormats { asset: op.asset, transferables: op.transferables })
}

/// Lists what happened to an asset, oldest first.
pub(super) fn activities(
    service: &Service,
    _: &Caller,
    op: AssetSpecificAssetActivities,
) -> Result<Vec<u8>, ServiceError> {
    let mut list = record::List::plain();
    let identity = service.store.identity();
    service.store.each_activity(Scope::Asset(op.asset.as_str()), |activity| list.add_activity(identity, &activity))?;
    Ok(list.finish())
}

/// Lists the conversations of an asset, oldest first.
pub(super) fn conversations(
    service: &Service,
    _: &Caller,
    op: AssetSpecificAssetConversations,
) -> Result<Conversations, ServiceError> {
    let rows = service.store.conversations(op.asset.as_str())?;
    Ok(Conversations::from_tree(record::conversations(&rows, transfer(op.transferables)))?)
}

/// Makes an asset one of another language. Of the asset in the body only the id is looked at, since a client may have
/// sent half of it (records, section 0, surprise 7).
pub(super) fn reclassify(service: &Service, _: &Caller, op: AssetReclassify) -> Result<Asset, ServiceError> {
    let AssetReclassify { transferables, reclassification } = op;
    let body = needed(reclassification, "the asset and the language it becomes (`ext`)")?;
    let body: AssetReclassification = body;
    let id = asset_id(body.view().asset().id())?;
    let language = language_of(body.view().ext())?;
    service.store.reclassify(id.as_str(), language.generic, language.specific)?;
    Ok(Asset::from_tree(read(service, id.as_str(), transfer(transferables))?)?)
}

/// The language of this word, which every client must know.
pub(super) fn language_of(ext: &str) -> Result<&'static Language, ServiceError> {
    language(ext).filter(|language| language.emitted).ok_or_else(|| {
        ServiceError::bad_request(format!(
            "{ext:?} is no language of this interface; one such as `py` or `md` is needed"
        ))
    })
}

/// Adds one to a score of an asset. Our choice: without a body, or with no score chosen, nothing changes; scores of
/// materials other than the asset are accepted and do nothing here.
pub(super) fn increment(service: &Service, _: &Caller, op: AssetScoresIncrement) -> Result<(), ServiceError> {
    let AssetScoresIncrement { asset, increment } = op;
    let chosen = match increment.as_ref().map(SeededScoreIncrement::view).and_then(|body| body.asset()) {
        Some(score) => chosen(score)?,
        None => None,
    };
    match chosen {
        Some(counter) => Ok(service.store.increment(asset.as_str(), counter)?),
        None => Ok(service.store.asset(asset.as_str(), Transfer::Withheld).map(drop)?),
    }
}

/// The one counter that is to move; more than one is refused (records, 2.2).
pub(super) fn chosen(score: View<'_, SeededScore>) -> Result<Option<Counter>, ServiceError> {
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
            "one score is incremented at a time; both `{}` and `{}` are true",
            first.map(Counter::name).unwrap_or_default(),
            second.name()
        ))),
        None => Ok(first),
    }
}

/// Updates an asset by merging the body into it, and gives back the whole of it (interface, 4.2 rule 2).
pub(super) fn update(service: &Service, _: &Caller, op: AssetUpdate) -> Result<Asset, ServiceError> {
    let AssetUpdate { transferables, asset } = op;
    let body = needed(asset, "the asset to update")?;
    let id = asset_id(body.view().id())?;
    service.store.update_asset(id.as_str(), move |before| merge::merge(before, &body))?;
    Ok(Asset::from_tree(read(service, id.as_str(), transfer(transferables))?)?)
}

/// A body that the interface calls optional and that nothing can be done without. Our choice: 400.
pub(super) fn needed<B>(body: Option<B>, what: &str) -> Result<B, ServiceError> {
    body.ok_or_else(|| ServiceError::bad_request(format!("a body is needed: {what}")))
}

fn asset_id(text: &str) -> Result<AssetId, ServiceError> {
    text.parse().map_err(|bad| ServiceError::bad_request(format!("the asset's `id`: {bad}")))
}
