//! What happened to the assets of the item that is open.
//!
//! What must hold: the number of calls is bounded, however many assets the item has; the page reports what could not be
//! read and what the service does not report.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _};
use serde_json::Value;

use super::{Links, Output, read};
use crate::CallError;
use crate::Vendor;
use crate::assets::page::OpenAssets;
use crate::change::{Item, linked};
use crate::context::Context;
use crate::event::Event;
use crate::listing::RowList;
use crate::listing::rows::AssetRow;
use crate::request_versions::ResourceKey;
use lunette_client::client::Client;
use lunette_client::model::activity::Activity;
use lunette_client::model::id::{AssetId, CompactId};
use lunette_client::model::record::{Record as _, View};
use lunette_client::model::time::moment;
use lunette_client::operation::table::AssetSpecificAssetActivities;

/// The number of assets whose activity is read. Our choice: those that changed last, since a tag may be linked to all
/// assets, and each takes a call.
const MAX_ASSETS: usize = 24;
/// The maximum number of activities.
const MAX_EVENTS: usize = 300;
/// The maximum number of concurrent calls, unless the pacing of the connection allows fewer.
const IN_FLIGHT: usize = 8;

/// What happened to the assets of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemActivity {
    /// The activities, newest first.
    pub events: Vec<ItemEvent>,
    /// Whether older ones are left out.
    pub older: bool,
    /// The number of assets whose activity was read.
    pub assets_read_count: usize,
    /// The number of assets that are known to have the item.
    pub of: usize,
    /// The number of assets whose activity could not be read.
    pub failed: usize,
    /// Whether the service reports which assets have the item. If it does not, these are the opened assets that have
    /// it.
    pub reported: bool,
}

/// Something that happened to one asset.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemEvent {
    /// The asset.
    pub asset: AssetId,
    /// Its name, or its id if the name is unknown.
    pub name: String,
    /// The activity as the service returned it.
    pub activity: Value,
}

impl ItemEvent {
    /// The activity.
    pub fn view(&self) -> View<'_, Activity> {
        View::of(&self.activity)
    }
}

/// What the window knows about assets.
struct KnownAssets {
    rows: RowList<AssetRow>,
    /// The opened assets that have the item.
    opened: Vec<AssetId>,
    vendor: Vendor,
}

impl Links {
    /// Reads the activity of the open item; if a read is running, once more after it.
    pub(super) fn load_activity(&mut self, cx: &mut Context<'_>) {
        let Some(page) = &mut self.open else { return };
        if page.activity.loading() {
            self.activity_outdated = true;
            return;
        }
        page.activity.start_loading();
        cx.emit(Event::ReadItemActivity);
    }

    /// Reads it again if it was read before.
    pub(super) fn reload_activity(&mut self, cx: &mut Context<'_>) {
        let read = |page: &super::LinkPage| page.activity.loading() || page.activity.value().is_some();
        if self.open.as_ref().is_some_and(read) {
            self.load_activity(cx);
        }
    }

    /// Reads it with the list of assets, which has their names and when they changed.
    pub(crate) fn read_activity_with(&mut self, rows: RowList<AssetRow>, pages: &OpenAssets, cx: &mut Context<'_>) {
        let Some(item) = self.open.as_ref().map(|page| page.item.clone()) else { return };
        self.activity_outdated = false;
        let known = KnownAssets { rows, opened: opened_with(&item, pages), vendor: cx.connection.vendor };
        let of = item.clone();
        let client = cx.client();
        let read = async move { read_activity(&client?.for_run(), &item, &known).await.map(Arc::new) };
        let read = cx.read(ResourceKey::LinkActivity, read, move |read| Output::Activity(of, read));
        self.reading_activity = Some(read);
    }

    pub(super) fn activity_read(
        &mut self,
        item: &Item,
        read: Result<Arc<ItemActivity>, CallError>,
        cx: &mut Context<'_>,
    ) {
        let of_item = |page: &&mut super::LinkPage| page.item.kind == item.kind && page.item.id == item.id;
        let Some(page) = self.open.as_mut().filter(of_item).filter(|page| page.activity.loading()) else { return };
        page.activity.resolve(read);
        if std::mem::take(&mut self.activity_outdated) {
            self.load_activity(cx);
        }
    }

    /// Cancels reading the activity of an item that is no longer open.
    pub(super) fn end_activity(&mut self, cx: &mut Context<'_>) {
        self.activity_outdated = false;
        if let Some(task) = self.reading_activity.take() {
            cx.cancel(task);
        }
    }
}

/// The opened assets whose records name the item.
fn opened_with(item: &Item, pages: &OpenAssets) -> Vec<AssetId> {
    let is_linked = |linked: Vec<Item>| linked.iter().any(|other| other.id.eq_ignore_ascii_case(&item.id));
    let opened = pages.of.iter().filter(|(_, page)| {
        !page.gone && page.record.value().is_some_and(|asset| is_linked(linked(asset.view(), item.kind)))
    });
    opened.map(|(id, _)| id.clone()).collect()
}

async fn read_activity(client: &Client, item: &Item, known: &KnownAssets) -> Result<ItemActivity, CallError> {
    let reported = read::reported_assets(&client.with_json_limit(read::LONG_LIST), item, known.vendor).await?;
    let (reported, assets) = (reported.is_some(), reported.unwrap_or_else(|| known.opened.clone()));
    let of = assets.len();
    let assets = newest(assets, &known.rows);
    let assets_read_count = assets.len();
    let reads = assets.into_iter().map(|(asset, name)| async move {
        let call = AssetSpecificAssetActivities { asset: asset.clone(), transferables: Some(false) };
        (asset, name, client.call(call).await)
    });
    let mut reads = stream::iter(reads).buffered(IN_FLIGHT);
    let (mut events, mut failed, mut error) = (Vec::new(), 0, None);
    while let Some((asset, name, read)) = reads.next().await {
        match read {
            Ok(activities) => {
                let trees = activities.view().iterable().trees();
                let event =
                    |tree: &Value| ItemEvent { asset: asset.clone(), name: name.clone(), activity: tree.clone() };
                events.extend(trees.iter().map(event));
                sort(&mut events);
                // One more than shown, to know whether there are older ones.
                events.truncate(MAX_EVENTS + 1);
            }
            // The service has no such operation, so the other calls would fail too.
            Err(problem) if problem.missing() => return Err(problem),
            Err(problem) => {
                failed += 1;
                error.get_or_insert(problem);
            }
        }
    }
    if let Some(error) = error.filter(|_| failed == assets_read_count) {
        return Err(error);
    }
    let older = events.len() > MAX_EVENTS;
    events.truncate(MAX_EVENTS);
    Ok(ItemActivity { events, older, assets_read_count, of, failed, reported })
}

/// Sorts the events, newest first; the sort is stable.
fn sort(events: &mut [ItemEvent]) {
    events.sort_by_cached_key(|event| Reverse(moment(event.view().created().value())));
}

/// Returns the assets that changed last, with their names; those that are not in the list come last.
fn newest(assets: Vec<AssetId>, rows: &RowList<AssetRow>) -> Vec<(AssetId, String)> {
    let wanted: HashSet<CompactId> = assets.iter().map(CompactId::from).collect();
    let listed = rows.iter().filter(|row| wanted.contains(&row.compact_id()));
    let listed: HashMap<CompactId, &Arc<AssetRow>> = listed.map(|row| (row.compact_id(), row)).collect();
    let mut assets: Vec<_> = assets.into_iter().map(|id| (listed.get(&CompactId::from(&id)).copied(), id)).collect();
    assets.sort_by_key(|(row, _)| Reverse(row.map(|row| row.updated_at())));
    assets.truncate(MAX_ASSETS);
    let named = |(row, id): (Option<&Arc<AssetRow>>, AssetId)| {
        let name = row.map_or_else(|| id.to_string(), |row| row.title().into_owned());
        (id, name)
    };
    assets.into_iter().map(named).collect()
}
