//! The extension operations: listing, creating and deleting, which the interface lacks (records, section 3).

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::items;
use crate::http::memory::MemoryPermit;
use crate::http::spool::ResponseText;
use crate::input::bounds::{self, Bound};
use crate::input::normalize;
use crate::store::records::asset::{Transfer, Which};
use crate::store::records::create::OnDuplicate;
use crate::store::records::format::Content;
use crate::store::records::item::{ItemKind, ListedItem, NewItem};
use crate::{RequestContext, Service, ServiceError, record};
use lunette_client::model::linked::{SeededTag, SeededWebsite, SeededWorkstreamSummary};
use lunette_client::model::record::{Record as _, View};
use lunette_client::model::seed::SeededFormat;
use lunette_client::operation::table::{
    AssetsCreateNewAsset, AssetsDeleteAsset, AssetsIdentifiersSnapshot, AssetsPseudoSnapshot, AssetsSnapshot,
    TagsCreateNewTag, TagsSnapshot, WebsitesCreateNewWebsite, WebsitesSnapshot,
    WorkstreamSummariesCreateNewWorkstreamSummary, WorkstreamSummariesSnapshot,
};

use super::assets::{changed, needed, transfer};

pub(crate) mod archived;
mod batch;
mod derived_name;
mod draft;
mod fingerprints;
mod rows;
mod seed;

pub(crate) use batch::create_batch;
pub(crate) use derived_name::derived_name;
pub(crate) use draft::draft;
pub(crate) use fingerprints::fingerprints;
pub(crate) use rows::rows;
pub(crate) use seed::read as read_seed;

/// Reads the seeds of tags and websites.
pub(crate) mod item_seed {
    pub(crate) use super::seed::{tag, website};
}

/// The mechanism of what a person did.
const MANUAL: &str = "MANUAL";

/// Lists assets, most recently updated first: a page (pagination by offset and limit), or all of them.
pub(crate) fn assets(
    service: &Service,
    caller: &RequestContext,
    op: AssetsSnapshot,
) -> Result<ResponseText, ServiceError> {
    let AssetsSnapshot { transferables, pseudo, offset, limit, .. } = op;
    let transfer = transfer(transferables);
    let _memory = match transfer {
        Transfer::Full => service.reserve_memory(service.store.largest_content()?)?,
        Transfer::Withheld => MemoryPermit::default(),
    };
    let (mut list, identity) = (record::List::indexed(service, caller), service.store.identity());
    let page = (offset.unwrap_or_default(), limit.unwrap_or(u64::MAX));
    service.store.each_asset(which(pseudo), page, transfer, |whole| list.add_asset(identity, &whole, transfer))?;
    list.finish()
}

/// Our choice: pseudo assets, which no user saved, are listed only on request, as the clients' documents say ("we will
/// always default to false"); whether an asset was `suggested` is unknown here.
fn which(pseudo: Option<bool>) -> Which {
    if pseudo == Some(true) { Which::All } else { Which::Saved }
}

/// Lists the ids of pseudo assets, which no user saved, most recently updated first.
pub(crate) fn pseudo(
    service: &Service,
    caller: &RequestContext,
    _: AssetsPseudoSnapshot,
) -> Result<ResponseText, ServiceError> {
    let mut list = record::List::within("identifiers", service, caller).with_indices(service);
    service.store.each_asset_id(Which::Pseudo, |id| list.add_reference(id))?;
    list.finish()
}

/// Lists the ids of all assets, most recently updated first.
pub(crate) fn identifiers(
    service: &Service,
    caller: &RequestContext,
    op: AssetsIdentifiersSnapshot,
) -> Result<ResponseText, ServiceError> {
    let mut list = record::List::indexed(service, caller);
    service.store.each_asset_id(which(op.pseudo), |id| list.add_reference(id))?;
    list.finish()
}

/// Creates an asset from a seed; with `once`, returns an existing one of the same name and content.
pub(crate) fn create(
    service: &Service,
    caller: &RequestContext,
    op: AssetsCreateNewAsset,
) -> Result<ResponseText, ServiceError> {
    let AssetsCreateNewAsset { transferables, once, seed } = op;
    let seed = needed(seed, "a seed with the asset to create")?;
    let new = seed::read(&seed)?;
    drop(seed);
    bounds::of_new(&new)?;
    let again = if once == Some(true) { OnDuplicate::Reuse } else { OnDuplicate::Create };
    let created = service.store.create_asset(new, again)?;
    caller.release_body();
    let existing = if created.existing { "\"existing\":true" } else { "" };
    changed(service, &created.id, transfer(transferables), existing)
}

/// The content of a format, in a seed or a record. Fails unless there is exactly one.
pub(crate) fn content(format: View<'_, SeededFormat>) -> Result<Content, ServiceError> {
    seed::content(format)
}

/// Deletes an asset by moving it to the Trash; gives its id.
pub(crate) fn delete(service: &Service, _: &RequestContext, op: AssetsDeleteAsset) -> Result<String, ServiceError> {
    service.store.delete_asset(op.asset.as_str())?;
    Ok(op.asset.to_string())
}

/// Lists all tags.
pub(crate) fn tags(service: &Service, caller: &RequestContext, op: TagsSnapshot) -> Result<ResponseText, ServiceError> {
    all(service, caller, ItemKind::Tag, Parts { assets: op.assets, counts: op.counts })
}

/// Lists all websites.
pub(crate) fn websites(
    service: &Service,
    caller: &RequestContext,
    op: WebsitesSnapshot,
) -> Result<ResponseText, ServiceError> {
    all(service, caller, ItemKind::Website, Parts { assets: op.assets, counts: op.counts })
}

/// Lists all workstream summaries.
pub(crate) fn workstream_summaries(
    service: &Service,
    caller: &RequestContext,
    op: WorkstreamSummariesSnapshot,
) -> Result<ResponseText, ServiceError> {
    all(service, caller, ItemKind::Summary, Parts { assets: op.assets, counts: op.counts })
}

/// What a list says of the assets of its items.
struct Parts {
    assets: Option<bool>,
    counts: Option<bool>,
}

/// Our choice: with `assets=false` no item names its assets, which may be all there are; with `counts=true` as well, each
/// says in `asset_count` how many there are, and in `asset_updated` when one of them was last updated.
fn all(service: &Service, caller: &RequestContext, kind: ItemKind, parts: Parts) -> Result<ResponseText, ServiceError> {
    let mut list = record::List::indexed(service, caller);
    let each = |item: &ListedItem<'_>| match (parts.assets, parts.counts) {
        (Some(false), Some(true)) => list.add_item_counted(item),
        (Some(false), Some(false) | None) => Ok(list.add_item_alone(item)),
        (Some(true) | None, _) => list.add_item(item),
    };
    service.store.each_item(kind, each)?;
    list.finish()
}

/// Creates a tag; the same text returns the existing tag.
pub(crate) fn create_tag(
    service: &Service,
    caller: &RequestContext,
    op: TagsCreateNewTag,
) -> Result<ResponseText, ServiceError> {
    let body: SeededTag = needed(op.tag, "the tag to create, with its `text`")?;
    let view = body.view();
    make(service, caller, seed::tag(view.text(), view.category(), view.mechanism())?, view.asset())
}

/// Creates a website; the same address returns the existing website.
pub(crate) fn create_website(
    service: &Service,
    caller: &RequestContext,
    op: WebsitesCreateNewWebsite,
) -> Result<ResponseText, ServiceError> {
    let body: SeededWebsite = needed(op.website, "the website to create, with its `url` and `name`")?;
    let view = body.view();
    make(service, caller, seed::website(view.url(), view.name(), view.mechanism())?, view.asset())
}

/// Creates a workstream summary, always a new one.
pub(crate) fn create_workstream_summary(
    service: &Service,
    caller: &RequestContext,
    op: WorkstreamSummariesCreateNewWorkstreamSummary,
) -> Result<ResponseText, ServiceError> {
    let body: SeededWorkstreamSummary = needed(op.summary, "the summary to create, with its `name` and `model`")?;
    let view = body.view();
    let name = filled("name", view.name(), bounds::NAME)?;
    let mut document = Map::new();
    document.insert("model".to_owned(), normalize::model(view.model().tree().clone()));
    let annotations = view.annotations().into_iter().flat_map(|texts| texts.iter());
    let new = NewItem {
        kind: ItemKind::Summary,
        id: None,
        key: None,
        name: name.to_owned(),
        document: bounds::FIELDS.check(Value::Object(document).to_string())?,
        annotations: annotations.map(|text| seed::annotation(text.kind(), text.text())).collect::<Result<_, _>>()?,
        counters: Vec::new(),
        mechanism: MANUAL.to_owned(),
    };
    let assets = view.assets().and_then(|assets| assets.iterable());
    let mut seen = HashSet::new();
    let assets = assets.into_iter().flat_map(|assets| assets.iter()).map(|asset| asset.id().to_owned());
    // Each once: the whole record of an asset is read to see whether it has room.
    let assets: Vec<_> = assets.filter(|asset| seen.insert(asset.clone())).collect();
    assets.iter().try_for_each(|asset| bounds::check_room(service, asset, new.document.len()))?;
    let made = service.store.make_item(new, assets)?;
    items::changed(service, caller, (made.kind, &made.id))
}

fn make(
    service: &Service,
    caller: &RequestContext,
    new: NewItem,
    asset: Option<&str>,
) -> Result<ResponseText, ServiceError> {
    asset.into_iter().try_for_each(|asset| bounds::check_room(service, asset, 0))?;
    let assets = asset.into_iter().map(str::to_owned).collect();
    let made = service.store.make_item(new, assets)?;
    items::changed(service, caller, (made.kind, &made.id))
}

/// A text that must not be blank, nor longer than this.
fn filled<'a>(field: &str, text: &'a str, bound: Bound) -> Result<&'a str, ServiceError> {
    match text.trim() {
        "" => Err(ServiceError::bad_request(format!("the field `{field}` is empty"))),
        text => Ok(bound.check(text)?),
    }
}
