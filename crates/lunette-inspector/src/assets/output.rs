//! The results of background work on assets, and what they change.

use crate::CallError;
use crate::Remote;
use crate::assets::load::LeftOut;
use crate::assets::near_duplicates::NearDuplicates;
use crate::assets::page::Content;
use crate::assets::pictures::{Loaded, PictureOf};
use crate::assets::related::Related;
use crate::assets::remote::has_other_content;
use crate::assets::search::Hits;
use crate::assets::values::Values;
use crate::assets::{Assets, SelectionSummary};
use crate::change::Item;
use crate::change::LinkKind;
use crate::context::Context;
use crate::event::AssetEvent;
use crate::listing::rows::AssetRow;
use crate::listing::{Arrangement, Query, RowList};
use crate::output::{TaskOutput, TaskResult};
use crate::request_versions::ResourceKey;
use crate::usage::UseError;
use lunette_client::model::activity::Activities;
use lunette_client::model::asset::Asset;
use lunette_client::model::asset::Formats;
use lunette_client::model::conversation::Conversations;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use std::sync::Arc;

/// The result of a task on assets.
pub(crate) enum Output {
    /// The whole list of assets was read; the assets that are too large to be listed.
    Listed(Result<Vec<LeftOut>, CallError>),
    /// What is shown for a query, the hits of a search and these rows.
    QueryApplied {
        query: Query,
        hits: Option<Arc<Hits>>,
        rows: RowList<AssetRow>,
        shown: Arrangement,
    },
    /// A use was written, or why not.
    UseCounted(Result<(), UseError>),
    /// What the selected assets have in common; `None` if that failed.
    SummedUp(Option<Arc<SelectionSummary>>),
    /// The values of a list; `None` if counting failed.
    Counted(Option<Box<Values>>),
    /// The hits of the search with this number.
    Found(u64, Result<Hits, CallError>),
    /// The hits of the search for the palette with this number.
    FoundForPalette(u64, Result<Hits, CallError>),
    Read(AssetId, Result<Arc<Asset>, CallError>),
    Content(AssetId, Result<Content, CallError>),
    /// The first bytes of a large file.
    Head(AssetId, Result<Arc<[u8]>, CallError>),
    Formats(AssetId, Result<Arc<Formats>, CallError>),
    Activities(AssetId, Result<Arc<Activities>, CallError>),
    Conversations(AssetId, Result<Arc<Conversations>, CallError>),
    Related(AssetId, Result<Arc<Related>, CallError>),
    NearDuplicates(Result<Arc<NearDuplicates>, CallError>),
    Linkable(LinkKind, Result<Vec<Item>, CallError>),
    /// The load with this number of a picture ended.
    Picture(PictureOf, u64, Loaded),
    /// The same of a thumbnail.
    Thumbnail(PictureOf, u64, Loaded),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Assets(self)
    }
}

impl Assets {
    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Listed(end) => self.assets_listed(end, cx),
            Output::UseCounted(Ok(())) => {}
            Output::UseCounted(Err(error)) => tracing::warn!(%error, "a use of an asset was not counted"),
            Output::SummedUp(summary) => self.summed_up(summary, cx),
            Output::Counted(values) => self.values_counted(values, cx),
            Output::QueryApplied { query, hits, rows, shown } => {
                self.assets_query_applied(&query, hits.as_ref(), &rows, shown, cx)
            }
            Output::Found(number, found) => self.found(number, found, cx),
            Output::FoundForPalette(number, found) => self.found_for_palette(number, found),
            Output::Read(id, record) => self.asset_read_again(id, record, cx),
            Output::Content(id, content) => {
                let known = &mut self.pages.of.entry(id).or_default().content;
                // Equal content keeps its allocation, by which the window recognises that it has prepared it.
                let same = known.value().filter(|known| content.as_ref() == Ok(known)).cloned();
                known.resolve(same.map_or(content, Ok));
                cx.emit(AssetEvent::PagesLoaded);
            }
            Output::Head(id, head) => {
                self.pages.of.entry(id).or_default().head.resolve(head);
                cx.emit(AssetEvent::PagesLoaded);
            }
            Output::Formats(id, formats) => {
                self.pages.of.entry(id).or_default().formats.resolve(formats);
                cx.emit(AssetEvent::PagesLoaded);
            }
            Output::Activities(id, activities) => {
                self.pages.of.entry(id).or_default().activities.resolve(activities);
                cx.emit(AssetEvent::PagesLoaded);
            }
            Output::Conversations(id, conversations) => {
                self.pages.of.entry(id).or_default().conversations.resolve(conversations);
                cx.emit(AssetEvent::PagesLoaded);
            }
            Output::Related(id, related) => self.related_read(id, related),
            Output::NearDuplicates(near) => self.near_duplicates_read(near, cx),
            Output::Picture(of, number, picture) => self.picture_loaded(&of, number, picture, cx),
            Output::Thumbnail(of, number, picture) => self.thumbnail_loaded(&of, number, picture, cx),
            Output::Linkable(kind, items) => self.linkable.entry(kind).or_default().resolve(items.map(Arc::new)),
        }
    }

    /// Shows the record in the response to a write: responses to earlier reads are older.
    pub(crate) fn take(&mut self, asset: Arc<Asset>, cx: &mut Context<'_>) {
        let Ok(id) = asset.view().id().parse::<AssetId>() else { return };
        cx.begin_read(ResourceKey::Asset(id.clone()));
        self.asset_read(id, Ok(asset), cx);
    }

    /// Shows a text that was saved as the content of an opened asset.
    pub(super) fn take_text(&mut self, id: &AssetId, text: &str) {
        if let Some(page) = self.pages.of.get_mut(id) {
            page.content = Remote::Known(Content::Text(text.into()));
            page.content_saved = true;
        }
    }

    /// Shows a record that was read, and loads the content again if another client changed it meanwhile.
    fn asset_read_again(&mut self, id: AssetId, record: Result<Arc<Asset>, CallError>, cx: &mut Context<'_>) {
        let changed = match (self.pages.of.get_mut(&id), &record) {
            (Some(page), Ok(now)) => {
                let saved = std::mem::take(&mut page.content_saved);
                let other = page.record.value().is_some_and(|before| has_other_content(before, now));
                other && !saved && page.content != Remote::NotRequested
            }
            _ => false,
        };
        let of = id.clone();
        self.asset_read(id, record, cx);
        if changed {
            self.load_small_content(&of, cx);
        }
    }

    fn asset_read(&mut self, id: AssetId, record: Result<Arc<Asset>, CallError>, cx: &mut Context<'_>) {
        let gone = matches!(&record, Err(CallError::Status { status: 404 | 410, .. }));
        let asset = record.as_ref().ok().cloned();
        self.pages.of.entry(id.clone()).or_default().record.resolve(record);
        if gone {
            self.forget_asset(&id, cx);
        }
        let Some(asset) = asset else { return };
        cx.emit(AssetEvent::Found(id.clone()));
        self.show_record(&asset, cx);
        if self.pages.of.get(&id).is_some_and(|page| page.content == Remote::NotRequested) {
            self.load_small_content(&id, cx);
        }
        if self.pages.is_shown(&id) {
            let key = cx.connection.key();
            let name = asset.view().name().unwrap_or_default().to_owned();
            cx.set(|settings| settings.remember(&key, id.as_str(), &name));
        }
        cx.emit(AssetEvent::PagesLoaded);
    }
}
