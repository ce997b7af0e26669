//! The searches of the list and of the palette: their requests and responses.

use std::sync::Arc;

use super::{Hits, LoadedRows, Search};
use crate::CallError;
use crate::assets::{Assets, Output};
use crate::context::Context;
use crate::listing::Query;
use crate::tasks::{TaskId, blocking};
use lunette_client::model::search_terms::SearchTerms;
use lunette_client::operation::table::SearchAssets;

impl Assets {
    /// Starts a search for the list; an empty text ends the search.
    pub(crate) fn search(&mut self, text: String, cx: &mut Context<'_>) {
        if let Some(task) = self.searching.take() {
            cx.cancel(task);
        }
        if text.trim().is_empty() {
            self.found = None;
            self.apply_query(cx);
            return;
        }
        let number = self.begin(|assets| &mut assets.found, &text);
        self.searching = Some(self.ask(text, cx, move |found| Output::Found(number, found)));
    }

    /// Repeats the search of the list, if there is one.
    pub(crate) fn search_again(&mut self, cx: &mut Context<'_>) {
        if let Some(text) = self.found.as_ref().map(|found| found.text.clone()) {
            self.search(text, cx);
        }
    }

    /// Starts a search for the palette; an empty text ends the search.
    pub(crate) fn search_for_palette(&mut self, text: String, cx: &mut Context<'_>) {
        if let Some(task) = self.palette_searching.take() {
            cx.cancel(task);
        }
        if text.trim().is_empty() {
            self.palette_found = None;
            return;
        }
        let number = self.begin(|assets| &mut assets.palette_found, &text);
        self.palette_searching = Some(self.ask(text, cx, move |found| Output::FoundForPalette(number, found)));
    }

    /// Shows that a search is under way; returns its number.
    fn begin(&mut self, place: fn(&mut Self) -> &mut Option<Search>, text: &str) -> u64 {
        self.searches += 1;
        let number = self.searches;
        let found = place(self).get_or_insert_default();
        found.hits.start_loading();
        found.words = SearchTerms::of(text);
        text.clone_into(&mut found.text);
        found.number = number;
        number
    }

    /// Sends a search.
    fn ask(
        &mut self,
        text: String,
        cx: &mut Context<'_>,
        into: impl FnOnce(Result<Hits, CallError>) -> Output + Send + 'static,
    ) -> TaskId {
        // Only Lunette's own service goes on where few assets have every word; for others, the loaded rows are searched.
        let (exact, goes_on) = (cx.preferences.view.exact_search, cx.connection.vendor.is_lunette());
        let loaded = (!goes_on && !exact).then(|| self.loaded_rows());
        let synonyms = Arc::clone(&cx.preferences.synonyms);
        let operation = SearchAssets {
            query: Some(text.clone()),
            transferables: Some(false),
            searchable_tags: None,
            pseudo: None,
            exact: (exact && goes_on).then_some(true),
        };
        let client = cx.client();
        let search = async move {
            let hits = client?.call(operation).await.map(|found| Hits::of(&found))?;
            match loaded {
                Some(loaded) => Ok(blocking(move || loaded.go_on(hits, &text, &synonyms)).await?),
                None => Ok(hits),
            }
        };
        cx.run(search, into)
    }

    /// The rows that are loaded, with their index if these were searched before.
    fn loaded_rows(&mut self) -> Arc<LoadedRows> {
        let rows = self.list.rows.value().cloned().unwrap_or_default();
        match &self.loaded_rows {
            Some(known) if known.are(&rows) => Arc::clone(known),
            _ => Arc::clone(self.loaded_rows.insert(Arc::new(LoadedRows::of(rows)))),
        }
    }

    /// Shows the response of a search, unless a newer one was started.
    pub(crate) fn found(&mut self, number: u64, hits: Result<Hits, CallError>, cx: &mut Context<'_>) {
        let Some(found) = self.found.as_mut().filter(|found| found.number == number) else { return };
        found.hits.resolve(hits.map(Arc::new));
        self.searching = None;
        self.apply_query(cx);
    }

    /// Takes the response of a search for the palette, unless a newer one was started.
    pub(crate) fn found_for_palette(&mut self, number: u64, hits: Result<Hits, CallError>) {
        let Some(found) = self.palette_found.as_mut().filter(|found| found.number == number) else { return };
        found.hits.resolve(hits.map(Arc::new));
        self.palette_searching = None;
    }

    /// The displayed hits of a search: the previous ones while a newer search is in progress.
    pub(crate) fn hits(&self) -> Option<Arc<Hits>> {
        self.found.as_ref()?.hits.value().cloned()
    }

    /// Whether an order that was computed in the background is for the current query and search.
    pub(crate) fn still_wanted(&self, query: &Query, hits: Option<&Arc<Hits>>) -> bool {
        let now = self.hits();
        let same = match (&now, hits) {
            (Some(now), Some(then)) => Arc::ptr_eq(now, then),
            (None, None) => true,
            _ => false,
        };
        same && *query == self.list.query
    }
}
