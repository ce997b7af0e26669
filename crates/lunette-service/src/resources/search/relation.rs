//! The assets that are related to one, and all near duplicates.

use serde_json::{Map, Value, json};

use crate::http::spool::ResponseText;
use crate::store::search::{RelatedAsset, Why};
use crate::{RequestContext, Service, ServiceError, record};
use lunette_client::model::record::Record as _;
use lunette_client::model::search_result::{DEFAULT_RELATED, MAX_RELATED, RelatedAssets};
use lunette_client::operation::table::{AssetsNearDuplicatesSnapshot, AssetsSpecificAssetRelatedSnapshot};

/// Lists the assets that are related to one, the closest first.
pub(crate) fn related(
    service: &Service,
    caller: &RequestContext,
    op: AssetsSpecificAssetRelatedSnapshot,
) -> Result<RelatedAssets, ServiceError> {
    let wanted = op.limit.and_then(|limit| usize::try_from(limit).ok());
    let most = if op.limit.is_none() { DEFAULT_RELATED } else { wanted.unwrap_or(MAX_RELATED).min(MAX_RELATED) };
    let found = service.store.related_assets(op.asset.as_str(), most, &caller.interrupt)?;
    let mut answer = Map::new();
    answer.insert("iterable".to_owned(), found.assets.iter().map(tree).collect::<Vec<_>>().into());
    if found.unindexed > 0 {
        answer.insert("unindexed".to_owned(), found.unindexed.into());
    }
    Ok(RelatedAssets::from_tree(answer.into())?)
}

/// Lists the groups of assets that are near duplicates of one another.
pub(crate) fn near_duplicates(
    service: &Service,
    caller: &RequestContext,
    _: AssetsNearDuplicatesSnapshot,
) -> Result<ResponseText, ServiceError> {
    let mut list = record::List::plain(service, caller);
    for assets in service.store.near_duplicates(&caller.interrupt)? {
        if list.add(&json!({ "assets": assets })).is_break() {
            break;
        }
    }
    list.finish()
}

fn tree(asset: &RelatedAsset) -> Value {
    let RelatedAsset { id, name, language, path, near_duplicate, why } = asset;
    let mut record = Map::new();
    record.insert("id".to_owned(), id.as_str().into());
    for (field, text) in [("name", name), ("specific", language), ("path", path)] {
        if let Some(text) = text {
            record.insert(field.to_owned(), text.as_str().into());
        }
    }
    if let Some(similarity) = near_duplicate {
        // Two digits are more than a comparison of words is good for.
        record.insert("near_duplicate".to_owned(), ((similarity * 100.0).round() / 100.0).into());
    }
    record.insert("why".to_owned(), traits(why));
    record.into()
}

/// What two assets have in common; a field without a value is omitted.
fn traits(why: &Why) -> Value {
    let Why { words, tags, websites, summaries, persons, anchors, conversations, folder, name } = why;
    let mut traits = Map::new();
    for (field, count) in
        [("words", words), ("persons", persons), ("anchors", anchors), ("conversations", conversations)]
    {
        if *count > 0 {
            traits.insert(field.to_owned(), (*count).into());
        }
    }
    for (field, texts) in [("tags", tags), ("websites", websites), ("summaries", summaries)] {
        if !texts.is_empty() {
            traits.insert(field.to_owned(), texts.clone().into());
        }
    }
    for (field, shared) in [("folder", folder), ("name", name)] {
        if *shared {
            traits.insert(field.to_owned(), true.into());
        }
    }
    traits.into()
}
