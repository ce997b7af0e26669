//! The rows of the list of assets: how they come in, one by one and by pages, and how they leave.
//!
//! What must hold: an asset is in the list once, whatever is read of it at the same time and in whichever order it
//! comes; what was learned of a single asset while the list is read is newer than its page; an asset that nobody saved
//! enters the list only where the service lists it. A list that is read again never shrinks meanwhile: its pages are
//! put aside, and take the place of the old rows when all are there.

use std::collections::HashMap;
use std::sync::Arc;

use crate::app::assets::Assets;
use crate::app::assets::load::{ARRANGED_AT_ONCE, LeftOut, describe};
use crate::app::assets::search::Hits;
use crate::app::context::Context;
use crate::app::listing::rows::{AssetColumn, AssetRow};
use crate::app::listing::{Query, RowList};
use crate::app::notifications::Grade;
use crate::app::settings::Recent;
use crate::app::{CallError, Remote};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;

type Rows = RowList<AssetRow>;
type Page = Vec<Arc<AssetRow>>;

/// A list that is being read.
#[derive(Default)]
pub(in crate::app) struct ListRead {
    /// The pages so far, where the list was read before and is shown meanwhile; None where they are shown as they come.
    aside: Option<Rows>,
    /// What became known of single assets meanwhile: their row, or None where they are gone. The numbers say in which
    /// order.
    meanwhile: HashMap<AssetId, (usize, Option<Arc<AssetRow>>)>,
}

impl ListRead {
    fn new(shown: bool) -> Self {
        Self { aside: shown.then(Rows::default), ..Self::default() }
    }

    fn record(&mut self, id: &AssetId, row: Option<&Arc<AssetRow>>) {
        let order = self.meanwhile.len();
        self.meanwhile.insert(id.clone(), (order, row.cloned()));
    }

    /// Adds a page and returns the rows of it to show now.
    fn page(&mut self, mut rows: Page) -> Page {
        match &mut self.aside {
            Some(aside) => {
                aside.append(rows);
                Page::new()
            }
            None => {
                // What is known of these is in the list already, or was taken out of it.
                rows.retain(|row| !self.meanwhile.contains_key(&row.id()));
                rows
            }
        }
    }

    /// All rows that were put aside, with what became known meanwhile: the newest of those that are new comes first.
    fn finish(self) -> Option<Rows> {
        let Self { aside, mut meanwhile } = self;
        let aside = aside?;
        if meanwhile.is_empty() {
            return Some(aside);
        }
        let mut listed = Page::new();
        for row in aside.iter() {
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

/// Puts a row in the place of the one of the same asset; one that is not there yet comes to the top, unless nobody saved
/// it. Gives whether that changed anything.
fn upsert(rows: &mut Rows, row: Arc<AssetRow>) -> bool {
    match rows.place_of_compact(row.compact_id()) {
        Some(place) if rows[place] == row => return false,
        Some(place) => rows.replace(place, row),
        None if row.pseudo => return false,
        None => rows.insert_first(row),
    }
    true
}

impl Assets {
    /// Begins to read the list.
    pub(in crate::app) fn begin_list_read(&mut self) {
        self.list_read = Some(ListRead::new(self.list.count() > 0));
    }

    /// Adds a page of the list.
    pub(in crate::app) fn add_page(&mut self, rows: Page, cx: &mut Context<'_>) {
        let Some(read) = &mut self.list_read else { return };
        let rows = read.page(rows);
        if read.aside.is_some() {
            return;
        }
        let listing = &mut self.list;
        let mut all = listing.rows.value().cloned().unwrap_or_default();
        all.append(rows);
        listing.rows = Remote::Loading { previous: Some(all) };
        self.arrange_assets(self.list.query.clone(), cx);
    }

    /// Gives the assets opened lately the names they have in these rows.
    pub(in crate::app) fn rename_recent(&mut self, rows: &Rows, cx: &mut Context<'_>) {
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

    /// The end of the list of assets. A service that cannot list them leaves those that were opened lately.
    pub(in crate::app) fn assets_listed(&mut self, end: Result<Vec<LeftOut>, CallError>, cx: &mut Context<'_>) {
        let read = self.list_read.take().and_then(ListRead::finish);
        let listing = &mut self.list;
        match end {
            Ok(left_out) => {
                let before = listing.rows.value().cloned().unwrap_or_default();
                let rows = read.unwrap_or_else(|| before.clone());
                listing.rows = Remote::Known(rows.clone());
                discard(before, cx);
                self.rename_recent(&rows, cx);
                self.report_left_out(left_out, cx);
            }
            Err(error) if error.missing() => {
                let recent = cx.preferences.settings.recent.get(&cx.connection.key());
                let rows = recent
                    .into_iter()
                    .flatten()
                    .filter_map(|recent| AssetRow::recent(&recent.id, &recent.name))
                    .map(Arc::new);
                listing.rows = Remote::Known(rows.collect());
            }
            Err(error) => listing.rows.answer(Err(error)),
        }
        self.arrange_assets(self.list.query.clone(), cx);
    }

    /// Says which assets are too large to be listed, once until that changes.
    fn report_left_out(&mut self, left_out: Vec<LeftOut>, cx: &mut Context<'_>) {
        if left_out == self.left_out {
            return;
        }
        if let Some(message) = describe(&left_out) {
            cx.notify(Grade::Failed, message);
        }
        self.left_out = left_out;
    }

    /// Takes an order that was worked out in the background; works out another when the query or the rows moved on.
    pub(in crate::app) fn assets_arranged(
        &mut self,
        query: &Query<AssetColumn>,
        hits: Option<&Arc<Hits>>,
        rows: &Rows,
        order: Arc<Vec<u32>>,
        cx: &mut Context<'_>,
    ) {
        let wanted = self.still_wanted(query, hits);
        let listing = &mut self.list;
        listing.arranging = false;
        let now = listing.rows.value();
        // While a list grows, an order of its beginning holds; where its rows moved, it would show others.
        if now.is_some_and(|now| grew(rows, now)) {
            listing.order = order;
        }
        if !wanted || now.is_none_or(|now| !now.same(rows)) {
            self.arrange_assets(self.list.query.clone(), cx);
        }
        self.count_values(cx);
    }

    /// Brings the row of an asset up to its record: the one way in which a single asset enters the list. Before the
    /// list is asked for there is none to enter.
    pub(in crate::app) fn show_record(&mut self, asset: &Asset, cx: &mut Context<'_>) {
        let Some(row) = AssetRow::of(asset.view()).map(Arc::new) else { return };
        if let Some(read) = &mut self.list_read {
            read.record(&row.id(), Some(&row));
        }
        let rows = &self.list.rows;
        if matches!(rows, Remote::Unasked) {
            return;
        }
        let mut rows = rows.value().cloned().unwrap_or_default();
        if upsert(&mut rows, row) {
            self.replace_rows(rows, cx);
        }
    }

    /// Takes an asset out of the list.
    pub(in crate::app) fn drop_row(&mut self, id: &AssetId, cx: &mut Context<'_>) {
        if let Some(read) = &mut self.list_read {
            read.record(id, None);
        }
        let Some(mut rows) = self.list.rows.value().cloned() else { return };
        if let Some(place) = rows.place_of(id) {
            rows.remove(place);
            self.replace_rows(rows, cx);
        }
    }

    /// Replaces the rows without changing whether the list is still loading.
    fn replace_rows(&mut self, rows: Rows, cx: &mut Context<'_>) {
        let listing = &mut self.list.rows;
        *listing = match std::mem::take(listing) {
            Remote::Loading { .. } => Remote::Loading { previous: Some(rows) },
            Remote::Failed { error, .. } => Remote::Failed { error, previous: Some(rows) },
            Remote::Unasked | Remote::Known(_) => Remote::Known(rows),
        };
        self.arrange_assets(self.list.query.clone(), cx);
    }
}

/// Whether the rows stand where they stood, as far as their last one tells.
fn grew(before: &Rows, now: &Rows) -> bool {
    match before.last() {
        None => true,
        Some(last) => now.get(before.len() - 1).is_some_and(|row| row.compact_id() == last.compact_id()),
    }
}

/// Drops the rows of a long list in the background: each is freed by itself.
pub(in crate::app) fn discard(rows: Rows, cx: &Context<'_>) {
    if rows.len() > ARRANGED_AT_ONCE {
        cx.runtime.discard(rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(place: usize) -> Arc<AssetRow> {
        Arc::new(AssetRow::sample(place))
    }

    fn unsaved(place: usize) -> Arc<AssetRow> {
        let mut row = AssetRow::sample(place);
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

    #[test]
    fn an_unlisted_asset_is_updated_without_being_added() {
        let mut rows = Rows::from(vec![row(0)]);
        assert!(!upsert(&mut rows, unsaved(1)) && rows.len() == 1);
        assert!(upsert(&mut rows, unsaved(0)) && rows.len() == 1 && rows[0].pseudo);
        assert!(upsert(&mut rows, row(1)) && ids(rows.iter()) == ids(&[row(1), row(0)]));
    }
}
