//! Loads the list, pages, and the items that assets can be linked to.

use crate::Vendor;
use crate::event::AssetEvent;
use crate::session::reporter::Reporter;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::timeout;

use crate::assets::content::{self, Portion};
use crate::assets::linkable::items;
use crate::assets::page::Content;
use crate::assets::search::{Hits, in_rank};
use crate::assets::{Assets, Output};
use crate::change::LinkKind;
use crate::context::Context;
use crate::filter::CompiledFilter;
use crate::listing::rows::AssetRow;
use crate::listing::{APPLIED_AT_ONCE, Arrangement, Query, RowList, apply_query, sort};
use crate::output::{Numbered, ProgressEvent};
use crate::request_versions::ResourceKey;
use crate::settings::OpenedAssets;
use crate::tasks::blocking;
use crate::{CallError, Remote};
use lunette_client::client::{Client, Purpose};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record;
use lunette_client::operation::table::{
    AssetFormats, AssetSnapshot, AssetSpecificAssetActivities, AssetSpecificAssetConversations,
};
use lunette_storage::freed_memory;

mod pages;

pub use pages::{LeftOut, PagedList, describe};

/// How long loading the list waits for the stream of its changes to open: the stream reports later changes, and the
/// list has earlier ones.
const FOLLOWED_WITHIN: Duration = Duration::from_secs(1);

/// How often the rows of a list are shown while it is loaded.
const BETWEEN_REPORTS: Duration = Duration::from_millis(250);

/// After loading a list of this length, freed memory is returned to the system.
const MANY_ROWS: usize = 10_000;

impl Assets {
    pub(crate) fn load_assets(&mut self, cx: &mut Context<'_>) {
        self.end_listing(cx);
        self.begin_list_read();
        self.forget_near_duplicates(cx);
        cx.emit(AssetEvent::ListRead);
        let number = cx.begin_read(ResourceKey::Assets);
        let (client, reporter, vendor) = (cx.client(), cx.reporter(), cx.connection.vendor);
        let followed = cx.assets_followed().filter(|_| vendor.is_lunette());
        let list = async move {
            if let Some(mut followed) = followed {
                // It fails after this time, or if the service is no longer followed.
                timeout(FOLLOWED_WITHIN, followed.wait_for(|followed| *followed)).await.ok();
            }
            list_assets(client?.for_run(), &reporter, number, vendor).await
        };
        let listed = move |end| Numbered { key: ResourceKey::Assets, number, output: Output::Listed(end) };
        self.reading = Some(cx.run(list, listed));
    }

    /// Cancels loading the list of assets.
    pub(crate) fn end_listing(&mut self, cx: &mut Context<'_>) {
        if let Some(task) = self.reading.take() {
            cx.cancel(task);
        }
    }

    pub(crate) fn open_asset(&mut self, id: AssetId, cx: &mut Context<'_>) {
        // An asset is in one page at a time, so that nothing is typed into it twice.
        if self.pages.is_beside(&id) {
            self.pages.exchange();
        }
        if self.pages.open.as_ref() != Some(&id) {
            self.count_use(&id, cx);
            let beside = self.pages.other.as_ref().map(|other| other.asset.clone());
            self.cancel_related(cx, |of| beside.as_ref() == Some(of));
        }
        cx.emit(AssetEvent::Opened(id.clone()));
        match cx.preferences.settings.look.opened {
            OpenedAssets::Tabs => self.pages.add_tab(&id),
            OpenedAssets::OnePage => self.pages.tabs.clear(),
        }
        self.pages.peeked.take_if(|peeked| *peeked == id);
        self.pages.open = Some(id.clone());
        self.pages.news = None;
        self.record_opened(&id);
        self.load_asset(&id, cx);
    }

    pub(super) fn close_asset(&mut self) {
        self.pages.close();
        self.pages.news = None;
    }

    /// Closes a tab; if its asset is open, opens that of the tab that takes its place.
    pub(super) fn close_tab(&mut self, id: &AssetId, cx: &mut Context<'_>) {
        let next = self.pages.remove_tab(id);
        if self.pages.open.as_ref() != Some(id) {
            return;
        }
        match next {
            Some(next) => self.open_asset(next, cx),
            None => self.close_asset(),
        }
    }

    /// Shows an asset without opening it: that is no use of it, and it does not become a recent one.
    pub(super) fn peek(&mut self, id: Option<AssetId>, cx: &mut Context<'_>) {
        self.pages.peeked = id;
        let Some(id) = self.pages.peeked.clone() else { return };
        self.record_opened(&id);
        let page = self.pages.of.entry(id.clone()).or_default();
        match &page.record {
            Remote::Known(_) if page.content == Remote::NotRequested => self.load_small_content(&id, cx),
            Remote::Known(_) | Remote::Loading { .. } => {}
            Remote::NotRequested | Remote::Failed { .. } => self.load_asset(&id, cx),
        }
    }

    /// Removes a deleted asset from the recent ones and from the navigation.
    pub(crate) fn forget_asset(&mut self, id: &AssetId, cx: &mut Context<'_>) {
        let key = cx.connection.key();
        cx.set(|settings| settings.forget(&key, id.as_str()));
        cx.emit(AssetEvent::Lost(id.clone()));
    }

    /// Removes the page of a deleted asset, and forgets it.
    pub(crate) fn forget_deleted(&mut self, id: &AssetId, cx: &mut Context<'_>) {
        self.pages.remove(id);
        self.forget_asset(id, cx);
    }

    pub(crate) fn load_asset(&mut self, id: &AssetId, cx: &mut Context<'_>) {
        self.pages.of.entry(id.clone()).or_default().record.start_loading();
        let (key, call) = (id.clone(), AssetSnapshot { asset: id.clone(), transferables: Some(false) });
        cx.ask(ResourceKey::Asset(id.clone()), call, Arc::new, move |record| Output::Read(key, record));
    }

    /// Fetches content automatically, once its size is known from the record: small content as a whole, the beginning
    /// of a larger text. If more of a text was shown before, as much is fetched again.
    pub(crate) fn load_small_content(&mut self, id: &AssetId, cx: &mut Context<'_>) {
        let wanted = cx.preferences.settings.transferables;
        let Some(page) = self.pages.of.get_mut(id) else { return };
        let Some(asset) = page.record.value() else { return };
        let (size, text) = (content::size(asset.view()), content::is_text(asset.view()));
        if !wanted {
            page.content = Remote::NotRequested;
        } else if text && size > content::SMALL {
            let portion = match page.content.value() {
                Some(Content::Text(_)) => Portion::Whole,
                Some(Content::Part(shown, _)) => Portion::First(shown.len().max(content::PART)),
                _ => Portion::First(content::PART),
            };
            self.fetch_content(id, portion, cx);
        } else if size > 8 * content::SMALL {
            page.content = Remote::Known(Content::Large(size));
            self.load_head(id, cx);
        } else {
            self.fetch_content(id, Portion::Small, cx);
        }
    }

    /// Fetches the content at the user's request, however large it is.
    pub(crate) fn load_content(&mut self, id: &AssetId, cx: &mut Context<'_>) {
        self.fetch_content(id, Portion::Whole, cx);
    }

    /// Fetches four times as much of a text as is shown.
    pub(crate) fn load_more_content(&mut self, id: &AssetId, cx: &mut Context<'_>) {
        let Some(page) = self.pages.of.get(id) else { return };
        let shown = match page.content.value() {
            Some(Content::Part(shown, _)) => shown.len(),
            _ => 0,
        };
        self.fetch_content(id, Portion::First((shown * 4).max(content::PART)), cx);
    }

    fn fetch_content(&mut self, id: &AssetId, portion: Portion, cx: &mut Context<'_>) {
        let vendor = cx.connection.vendor;
        let client = cx.client();
        let Some(page) = self.pages.of.get_mut(id) else { return };
        let text = page.record.value().is_none_or(|asset| content::is_text(asset.view()));
        let size = page.record.value().map(|asset| content::size(asset.view())).unwrap_or_default();
        page.content.start_loading();
        let (key, asset) = (id.clone(), id.clone());
        let fetch = async move {
            match client? {
                _ if !vendor.is_lunette() && !text && size > content::FOREIGN_BYTES => Ok(Content::Large(size)),
                client => content::fetch(&client, key, (text, vendor, size), portion).await,
            }
        };
        cx.read(ResourceKey::Content(id.clone()), fetch, move |content| Output::Content(asset, content));
    }

    /// Fetches the first bytes of a large file, from a service of ours.
    fn load_head(&mut self, id: &AssetId, cx: &mut Context<'_>) {
        if !cx.connection.vendor.is_lunette() {
            return;
        }
        let Some(page) = self.pages.of.get_mut(id) else { return };
        page.head.start_loading();
        let (client, asset, key) = (cx.client(), id.clone(), id.clone());
        let fetch = async move { content::head(&client?, key).await };
        cx.read(ResourceKey::Content(id.clone()), fetch, move |head| Output::Head(asset, head));
    }

    pub(crate) fn load_formats(&mut self, id: AssetId, cx: &mut Context<'_>) {
        self.pages.of.entry(id.clone()).or_default().formats.start_loading();
        let call = AssetFormats { asset: id.clone(), transferables: Some(false) };
        cx.ask(ResourceKey::Formats(id.clone()), call, Arc::new, move |formats| Output::Formats(id, formats));
    }

    pub(crate) fn load_activities(&mut self, id: AssetId, cx: &mut Context<'_>) {
        self.pages.of.entry(id.clone()).or_default().activities.start_loading();
        let call = AssetSpecificAssetActivities { asset: id.clone(), transferables: Some(false) };
        cx.ask(ResourceKey::Activities(id.clone()), call, Arc::new, move |activities| {
            Output::Activities(id, activities)
        });
    }

    pub(crate) fn load_conversations(&mut self, id: AssetId, cx: &mut Context<'_>) {
        self.pages.of.entry(id.clone()).or_default().conversations.start_loading();
        let call = AssetSpecificAssetConversations { asset: id.clone(), transferables: Some(false) };
        cx.ask(ResourceKey::Conversations(id.clone()), call, Arc::new, move |conversations| {
            Output::Conversations(id, conversations)
        });
    }

    pub(crate) fn load_linkable(&mut self, kind: LinkKind, cx: &mut Context<'_>) {
        self.linkable.entry(kind).or_default().start_loading();
        let (client, vendor) = (cx.client(), cx.connection.vendor);
        let read = async move { items(&client?, kind, vendor).await };
        cx.read(ResourceKey::Linkable(kind), read, move |items| Output::Linkable(kind, items));
    }

    /// Loads or drops the content of the shown assets, as the settings now say.
    pub(crate) fn transferables_set(&mut self, cx: &mut Context<'_>) {
        for id in self.pages.shown_ids() {
            self.load_small_content(&id, cx);
        }
    }

    /// Filters and sorts the list by its query and the hits of the search; in the background if it is long.
    pub(crate) fn apply_query(&mut self, cx: &mut Context<'_>) {
        self.load_wanted_near_duplicates(cx);
        let query = self.list.query.clone();
        let Some(rows) = self.list.rows.value().cloned() else { return };
        let hits = self.hits();
        if rows.len() <= APPLIED_AT_ONCE {
            self.list.arrange(apply_query_and_hits(&rows, &query, hits.as_deref()));
            return;
        }
        if std::mem::replace(&mut self.list.applying_query, true) {
            return;
        }
        let (of, with, found) = (rows.clone(), query.clone(), hits.clone());
        let sort = blocking(move || apply_query_and_hits(&of, &with, found.as_deref()));
        cx.run_reporting("Could not sort the list of assets", sort, |shown| {
            let all = || Arrangement { order: Arc::new((0..).take(rows.len()).collect()), groups: None };
            let shown = shown.unwrap_or_else(|_| all());
            Output::QueryApplied { rows, query, hits, shown }
        });
    }
}

/// The shown rows: those that match the filter, or with a search its results that match the filter, best
/// first unless a column is sorted by. The words of the query are for the service then, which also searches contents.
pub(crate) fn apply_query_and_hits(rows: &RowList<AssetRow>, query: &Query, hits: Option<&Hits>) -> Arrangement {
    let Some(hits) = hits else { return Arrangement::of(rows, query, apply_query(rows, query)) };
    let mut indices = in_rank(rows, hits);
    let rest = query.filter.without_words();
    if !rest.is_empty() {
        let compiled = CompiledFilter::new(&rest, &jiff::ZonedDateTime::now());
        indices.retain(|index| rows.get(*index as usize).is_some_and(|row| compiled.takes(row.as_ref())));
    }
    sort(rows, &mut indices, query);
    let sections = if query.sort.is_none() && query.group.is_none() { hits.sections(rows, &indices) } else { None };
    Arrangement { groups: sections, ..Arrangement::of(rows, query, indices) }
}

/// Lists assets page by page; returns those that are too large to be listed. The first page is reported at once, the
/// others several at a time: a frame for each of them would take longer than loading them.
async fn list_assets(
    client: Client,
    reporter: &Reporter,
    number: u64,
    vendor: Vendor,
) -> Result<Vec<LeftOut>, CallError> {
    let mut pages = PagedList::new(client.for_purpose(Purpose::Part)).of_vendor(vendor);
    let report = |rows| reporter.report(ProgressEvent::Rows { rows, number });
    let (mut waiting, mut reported, mut count) = (Vec::new(), None::<Instant>, 0);
    while let Some(page) = pages.next().await {
        count += page.as_ref().map_or(0, Vec::len);
        match page {
            Ok(rows) if waiting.is_empty() => waiting = rows,
            Ok(rows) => waiting.extend(rows),
            Err(error) => {
                // A list that fails at once has no value, rather than an empty one.
                if !waiting.is_empty() {
                    report(waiting);
                }
                return Err(error);
            }
        }
        if reported.is_none_or(|reported| reported.elapsed() >= BETWEEN_REPORTS) {
            report(std::mem::take(&mut waiting));
            reported = Some(Instant::now());
        }
    }
    if !waiting.is_empty() {
        report(waiting);
    }
    if count >= MANY_ROWS {
        freed_memory::schedule_trim();
    }
    Ok(pages.left_out().to_vec())
}
