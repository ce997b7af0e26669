//! Tags, websites and workstream summaries: finding, updating, scoring and deleting one (records, section 3).
//!
//! Searches are in `search.rs`, links in `links.rs`, creating and listing in `extensions.rs`.

use serde_json::json;

use crate::http::queued_write::QueuedWrite;
use crate::http::spool::ResponseText;
use crate::record::{self, ItemAssets};
use crate::store::records::item::ItemKind;
use crate::{RequestContext, Service, ServiceError};
use lunette_client::model::View;
use lunette_client::model::field_type::Text;
use lunette_client::model::record::Record;
use lunette_client::model::seed::{ExistentMetadata, ExistingMetadata};
use lunette_client::model::value::{SeededScore, SeededScoreIncrement};
use lunette_client::operation::table::{
    TagScoresIncrement, TagUpdate, TagsDeleteSpecificTag, TagsExists, TagsSpecificTagSnapshot, WebsiteScoresIncrement,
    WebsiteUpdate, WebsitesDeleteSpecificWebsite, WebsitesExists, WebsitesSpecificWebsiteSnapshot,
    WorkstreamSummariesDeleteSpecificWorkstreamSummary, WorkstreamSummariesSpecificWorkstreamSummarySnapshot,
    WorkstreamSummaryScoresIncrement, WorkstreamSummaryUpdate,
};

use super::assets::{chosen, needed};

mod merge;

/// Says whether there is a tag of this text.
pub(crate) fn tags_exist(
    service: &Service,
    _: &RequestContext,
    op: TagsExists,
) -> Result<ExistingMetadata, ServiceError> {
    existing(service, ItemKind::Tag, op.existent, "tag")
}

/// Says whether there is a website of this address.
pub(crate) fn websites_exist(
    service: &Service,
    _: &RequestContext,
    op: WebsitesExists,
) -> Result<ExistingMetadata, ServiceError> {
    existing(service, ItemKind::Website, op.existent, "website")
}

/// The item that creating one of this text would return, by id; an empty record if there is none.
fn existing(
    service: &Service,
    kind: ItemKind,
    existent: Option<ExistentMetadata>,
    field: &str,
) -> Result<ExistingMetadata, ServiceError> {
    let existent = needed(existent, "the text or address to find, as `value`")?;
    let found = service.store.item_of_key(kind, existent.view().value().trim())?;
    let tree = found.map_or_else(|| json!({}), |id| json!({ field: { "id": id } }));
    Ok(ExistingMetadata::from_tree(tree)?)
}

/// Reads a tag.
pub(crate) fn tag(
    service: &Service,
    caller: &RequestContext,
    op: TagsSpecificTagSnapshot,
) -> Result<ResponseText, ServiceError> {
    one(service, caller, (ItemKind::Tag, op.tag.as_str()), op.assets)
}

/// Reads a website.
pub(crate) fn website(
    service: &Service,
    caller: &RequestContext,
    op: WebsitesSpecificWebsiteSnapshot,
) -> Result<ResponseText, ServiceError> {
    one(service, caller, (ItemKind::Website, op.website.as_str()), op.assets)
}

/// Reads a workstream summary.
pub(crate) fn workstream_summary(
    service: &Service,
    caller: &RequestContext,
    op: WorkstreamSummariesSpecificWorkstreamSummarySnapshot,
) -> Result<ResponseText, ServiceError> {
    one(service, caller, (ItemKind::Summary, op.workstream_summary.as_str()), op.assets)
}

fn one(
    service: &Service,
    caller: &RequestContext,
    item: (ItemKind, &str),
    assets: Option<bool>,
) -> Result<ResponseText, ServiceError> {
    let assets = match assets {
        Some(false) => ItemAssets::Omitted,
        Some(true) | None => ItemAssets::All,
    };
    record::item_answer(service, caller, item, assets)
}

/// The record of an item that was just made or changed. If it cannot be returned, the change is still committed.
pub(crate) fn changed(
    service: &Service,
    caller: &RequestContext,
    item: (ItemKind, &str),
) -> Result<ResponseText, ServiceError> {
    record::item_answer(service, caller, item, ItemAssets::All).map_err(ServiceError::after_write)
}

/// Deletes a tag.
pub(crate) fn delete_tag(service: &Service, _: &RequestContext, op: TagsDeleteSpecificTag) -> Result<(), ServiceError> {
    Ok(service.store.delete_item(ItemKind::Tag, op.tag.as_str())?)
}

/// Deletes a website.
pub(crate) fn delete_website(
    service: &Service,
    _: &RequestContext,
    op: WebsitesDeleteSpecificWebsite,
) -> Result<(), ServiceError> {
    Ok(service.store.delete_item(ItemKind::Website, op.website.as_str())?)
}

/// Deletes a workstream summary.
pub(crate) fn delete_workstream_summary(
    service: &Service,
    _: &RequestContext,
    op: WorkstreamSummariesDeleteSpecificWorkstreamSummary,
) -> Result<(), ServiceError> {
    Ok(service.store.delete_item(ItemKind::Summary, op.workstream_summary.as_str())?)
}

/// Updates a tag by merging the body into it.
pub(crate) fn update_tag(
    service: &Service,
    caller: &RequestContext,
    op: TagUpdate,
) -> Result<ResponseText, ServiceError> {
    update(service, caller, ItemKind::Tag, needed(op.tag, "the tag to update")?)
}

/// Updates a website by merging the body into it.
pub(crate) fn update_website(
    service: &Service,
    caller: &RequestContext,
    op: WebsiteUpdate,
) -> Result<ResponseText, ServiceError> {
    update(service, caller, ItemKind::Website, needed(op.website, "the website to update")?)
}

/// Updates a workstream summary by merging the body into it.
pub(crate) fn update_workstream_summary(
    service: &Service,
    caller: &RequestContext,
    op: WorkstreamSummaryUpdate,
) -> Result<ResponseText, ServiceError> {
    update(service, caller, ItemKind::Summary, needed(op.summary, "the workstream summary to update")?)
}

fn update<R: Record + Send + 'static>(
    service: &Service,
    caller: &RequestContext,
    kind: ItemKind,
    body: R,
) -> Result<ResponseText, ServiceError> {
    let id = body.view().required::<Text>("id").to_owned();
    service.store.update_item(kind, &id, move |before| merge::merge(before, &body))?;
    changed(service, caller, (kind, &id))
}

/// Adds one to a score of a tag.
pub(crate) fn increment_tag(service: &Service, op: TagScoresIncrement) -> Result<QueuedWrite, ServiceError> {
    let score = op.increment.as_ref().map(SeededScoreIncrement::view).and_then(|body| body.tag());
    increment(service, ItemKind::Tag, op.tag.as_str(), score)
}

/// Adds one to a score of a website.
pub(crate) fn increment_website(service: &Service, op: WebsiteScoresIncrement) -> Result<QueuedWrite, ServiceError> {
    let score = op.increment.as_ref().map(SeededScoreIncrement::view).and_then(|body| body.website());
    increment(service, ItemKind::Website, op.website.as_str(), score)
}

/// Adds one to a score of a workstream summary.
pub(crate) fn increment_workstream_summary(
    service: &Service,
    op: WorkstreamSummaryScoresIncrement,
) -> Result<QueuedWrite, ServiceError> {
    let score = op.increment.as_ref().map(SeededScoreIncrement::view).and_then(|body| body.workstream_summary());
    increment(service, ItemKind::Summary, op.workstream_summary.as_str(), score)
}

/// As with assets: without a score chosen nothing changes, and scores of other materials do nothing here.
fn increment(
    service: &Service,
    kind: ItemKind,
    id: &str,
    score: Option<View<'_, SeededScore>>,
) -> Result<QueuedWrite, ServiceError> {
    match score.map(chosen).transpose()?.flatten() {
        Some(counter) => Ok(QueuedWrite::new(service.store.begin_increment_item(kind, id, counter)?)),
        None => {
            let id = id.to_owned();
            Ok(QueuedWrite::none(move |service| Ok(service.store.with_item(kind, &id, |_| Ok(()))?)))
        }
    }
}
