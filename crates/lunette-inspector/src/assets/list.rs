//! The rows of the list of assets: how they are added, one by one and by pages, and removed.
//!
//! What must hold: [`Assets::set_rows`] alone changes the rows, but for how often they were used; an asset is in the list once, in whichever order its
//! responses arrive; a row that was read by itself while the list is read is newer than the row of its page; an asset that
//! was never saved is in the list only if the service lists it. A list that is reloaded does not shrink meanwhile: its
//! pages are collected, and replace the old rows when all are there.

use std::collections::HashMap;
use std::sync::Arc;

use crate::assets::Assets;
use crate::assets::load::{LeftOut, describe};
use crate::assets::row_updates::{RowUpdates, merged};
use crate::assets::search::Hits;
use crate::context::Context;
use crate::listing::APPLIED_AT_ONCE;
use crate::listing::rows::AssetRow;
use crate::listing::{Arrangement, Query, RowList};
use crate::notifications::Severity;
use crate::settings::Recent;
use crate::{CallError, Remote};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;

type Rows = RowList<AssetRow>;
type Page = Vec<Arc<AssetRow>>;

/// A list that is being read.
#[derive(Default)]
pub(crate) struct ListRead {
    /// The pages so far, if the list was read before and is shown meanwhile; `None` if pages are shown as they arrive.
    collected: Option<Rows>,
    /// Assets that were read or deleted meanwhile: their row, or `None` if they were deleted, with the order of these
    /// events.
    meanwhile: HashMap<AssetId, (usize, Option<Arc<AssetRow>>)>,
}

impl ListRead {
    fn new(shown: bool) -> Self {
        Self { collected: shown.then(Rows::default), ..Self::default() }
    }

    fn record(&mut self, id: &AssetId, row: Option<&Arc<AssetRow>>) {
        let order = self.meanwhile.len();
        self.meanwhile.insert(id.clone(), (order, row.cloned()));
    }

    /// Adds a page and returns the rows of it to show now.
    fn page(&mut self, mut rows: Page) -> Page {
        match &mut self.collected {
            Some(collected) => {
                collected.append(rows);
                Page::new()
            }
            None => {
                // These are in the list already, or were removed from it.
                rows.retain(|row| !self.meanwhile.contains_key(&row.id()));
                rows
            }
        }
    }

    /// All collected rows with the changes made meanwhile. New rows come first, the newest at the top.
    fn finish(self) -> Option<Rows> {
        let Self { collected, mut meanwhile } = self;
        let collected = collected?;
        if meanwhile.is_empty() {
            return Some(collected);
        }
        let mut listed = Page::new();
        for row in collected.iter() {
            match meanwhile.remove(&row.id()) {
                Some((_, now)) => listed.extend(now),
                None => listed.push(Arc::clone(row)),
            }
        }
        let mut new: Vec<_> = meanwhile.into_values().filter_map(|(order, row)| Some((order, row?))).collect();
        new.sort_by_key(|(order, _)| std::cmp::Reverse(*order));
        Some(new.into_iter().map(|(_, row)| row).filter(|row| !row.pseudo).chain(listed).collect())
    }
}

impl Assets {
    /// Begins to read the list.
    pub(crate) fn begin_list_read(&mut self) {
        self.list_read = Some(ListRead::new(self.list.count() > 0));
        self.list.rows.start_loading();
    }

    /// Sets the rows of the list, with which of them are shown if that is known. Nothing else changes the rows.
    pub(crate) fn set_rows(&mut self, rows: Remote<Rows>, shown: Option<Arrangement>, cx: &mut Context<'_>) {
        let before = std::mem::replace(&mut self.list.rows, rows);
        if let Some(before) = before.into_value() {
            discard(before, cx);
        }
        let rows = self.list.rows.value();
        if let Some(other) = self.loaded_rows.take_if(|loaded| rows.is_none_or(|rows| !loaded.are(rows))) {
            cx.discard(other);
        }
        match shown {
            Some(shown) => {
                self.list.arrange(shown);
                self.count_values(cx);
            }
            None => self.apply_query(cx),
        }
    }

    /// Adds a page of the list.
    pub(crate) fn add_page(&mut self, mut rows: Page, cx: &mut Context<'_>) {
        self.set_uses(&mut rows);
        let Some(read) = &mut self.list_read else { return };
        let rows = read.page(rows);
        if read.collected.is_some() {
            return;
        }
        let mut all = self.list.rows.value().cloned().unwrap_or_default();
        all.append(rows);
        self.set_rows(Remote::Loading { previous: Some(all) }, None, cx);
    }

    /// Updates the names of recently opened assets from these rows.
    pub(crate) fn rename_recent(&mut self, rows: &Rows, cx: &mut Context<'_>) {
        let renamed = |recent: &Recent| {
            let row = rows.find(&recent.id.parse().ok()?)?;
            (row.name() != recent.name).then(|| Arc::clone(row))
        };
        let renamed: Page = cx.recent().iter().filter_map(renamed).collect();
        if renamed.is_empty() {
            return;
        }
        let key = cx.connection.key();
        cx.set(|settings| {
            for row in renamed {
                settings.rename_recent(&key, row.id().as_str(), row.name());
            }
        });
    }

    /// Handles the end of the list of assets. If the service cannot list assets, the recently opened ones are shown.
    pub(crate) fn assets_listed(&mut self, end: Result<Vec<LeftOut>, CallError>, cx: &mut Context<'_>) {
        let read = self.list_read.take().and_then(ListRead::finish);
        let shown = self.list.rows.value().cloned();
        let rows = match end {
            Ok(left_out) => {
                let rows = read.or(shown).unwrap_or_default();
                self.rename_recent(&rows, cx);
                self.report_left_out(left_out, cx);
                Remote::Known(rows)
            }
            Err(error) if error.missing() => {
                let recent = cx.preferences.settings.recent.get(&cx.connection.key());
                let rows = recent.into_iter().flatten();
                let rows = rows.filter_map(|recent| AssetRow::recent(&recent.id, &recent.name)).map(Arc::new);
                Remote::Known(rows.collect())
            }
            Err(error) => Remote::Failed { error, previous: shown },
        };
        self.set_rows(rows, None, cx);
    }

    /// Reports which assets are too large to be listed, once until that changes.
    fn report_left_out(&mut self, left_out: Vec<LeftOut>, cx: &mut Context<'_>) {
        if left_out == self.left_out {
            return;
        }
        if let Some(message) = describe(&left_out) {
            cx.notify(Severity::Failed, message);
        }
        self.left_out = left_out;
    }

    /// Shows an order that was computed in the background. If the query or the rows changed meanwhile, it is computed
    /// again.
    pub(crate) fn assets_query_applied(
        &mut self,
        query: &Query,
        hits: Option<&Arc<Hits>>,
        rows: &Rows,
        shown: Arrangement,
        cx: &mut Context<'_>,
    ) {
        let wanted = self.still_wanted(query, hits);
        let listing = &mut self.list;
        listing.applying_query = false;
        let now = listing.rows.value();
        let same = now.is_some_and(|now| now.same(rows));
        // While a list grows, an order of its beginning remains valid; after other changes it would show wrong rows.
        if now.is_some_and(|now| grew(rows, now)) {
            listing.arrange(shown);
        }
        if !wanted || !same {
            self.apply_query(cx);
        }
        self.count_values(cx);
    }

    /// Updates the row of an asset from its record, or adds it. Does nothing before the list is requested.
    pub(crate) fn show_record(&mut self, asset: &Asset, cx: &mut Context<'_>) {
        let Some(row) = AssetRow::of(asset.view()) else { return };
        let row = Arc::new(row.with_uses(self.usage.of(row.compact_id())));
        if let Some(read) = &mut self.list_read {
            read.record(&row.id(), Some(&row));
        }
        if !matches!(self.list.rows, Remote::NotRequested) {
            self.update_rows(RowUpdates::of(row), cx);
        }
    }

    /// Removes an asset from the list.
    pub(crate) fn drop_row(&mut self, id: &AssetId, cx: &mut Context<'_>) {
        if let Some(read) = &mut self.list_read {
            read.record(id, None);
        }
        self.update_rows(RowUpdates::removal(id.clone()), cx);
    }

    /// Merges updates into the rows, without changing whether the list is still loading.
    fn update_rows(&mut self, updates: RowUpdates, cx: &mut Context<'_>) {
        let base = self.list.rows.value().cloned().unwrap_or_default();
        let Some(rows) = merged(&base, updates) else { return };
        let rows = match &self.list.rows {
            Remote::Loading { .. } => Remote::Loading { previous: Some(rows) },
            Remote::Failed { error, .. } => Remote::Failed { error: error.clone(), previous: Some(rows) },
            Remote::NotRequested | Remote::Known(_) => Remote::Known(rows),
        };
        self.set_rows(rows, None, cx);
    }
}

/// Whether the earlier rows are the beginning of these, as far as the last of them shows.
fn grew(before: &Rows, now: &Rows) -> bool {
    match before.last() {
        None => true,
        Some(last) => now.get(before.len() - 1).is_some_and(|row| row.compact_id() == last.compact_id()),
    }
}

/// Drops the rows of a long list in the background: each is freed by itself.
fn discard(rows: Rows, cx: &Context<'_>) {
    if rows.len() > APPLIED_AT_ONCE {
        cx.discard(rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(index: usize) -> Arc<AssetRow> {
        Arc::new(AssetRow::sample(index))
    }

    fn unsaved(index: usize) -> Arc<AssetRow> {
        let mut row = AssetRow::sample(index);
        row.pseudo = true;
        Arc::new(row)
    }

    fn ids<'a>(rows: impl IntoIterator<Item = &'a Arc<AssetRow>>) -> Vec<AssetId> {
        rows.into_iter().map(|row| row.id()).collect()
    }

    #[test]
    fn a_row_loaded_before_its_page_is_not_shown_twice() {
        let mut read = ListRead::new(false);
        read.record(&row(1).id(), Some(&row(1)));
        read.record(&row(2).id(), None);
        assert_eq!(ids(&read.page(vec![row(0), row(1), row(2), row(3)])), ids(&[row(0), row(3)]));
    }

    #[test]
    fn a_reloaded_list_includes_changes_made_during_the_load() {
        let mut read = ListRead::new(true);
        assert!(read.page(vec![row(0), row(1), row(2)]).is_empty());
        let renamed = Arc::new(AssetRow::sample(1).renamed("renamed"));
        for (id, row) in
            [(2, None), (1, Some(&renamed)), (7, Some(&row(7))), (8, Some(&row(8))), (9, Some(&unsaved(9)))]
        {
            read.record(&AssetRow::sample(id).id(), row);
        }
        let rows = read.finish().expect("rows");
        assert_eq!(ids(rows.iter()), ids(&[row(8), row(7), row(0), row(1)]));
        assert_eq!(rows[3].name(), "renamed");
    }
}
