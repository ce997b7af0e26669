//! The selection of a list, kept by key across reloads.
//!
//! A table selects rows by their index among all rows. What must hold: a selected row stays selected while the list is
//! filtered, sorted and reloaded, and is deselected when it disappears; a new row is not selected. A small selection is
//! remembered by key; for a large one the list itself is kept, which costs nothing until it is reloaded.

use std::collections::HashSet;
use std::sync::Arc;

use lunette_inspector::listing::{Listing, Row, RowList};
use lunette_inspector::navigation::in_view::{SelectedRows, Several, Subject};

use crate::ui::widgets::table::{Selection, TableState};

/// Up to this many selected rows are remembered by key.
const KEYED_LIMIT: usize = 1_000;

/// Keeps the selection of one list.
pub(in crate::ui) struct KeyedSelection<R: Row> {
    /// The selection that `origin` describes.
    recorded: Selection,
    origin: Origin<R>,
    focus: Option<(u32, R::Key)>,
    /// The keys of selected rows that have not been reloaded yet, while a list loads.
    missing: HashSet<R::Key>,
    /// The last row searched for missing keys, by index and key: rows after it are new.
    searched_to: Option<(usize, R::Key)>,
    /// The order shown last, and how many selected rows it does not contain.
    order: Arc<Vec<u32>>,
    hidden: usize,
    /// How often the user changed it.
    changes: u64,
}

/// The rows that the selection was made on.
enum Origin<R: Row> {
    Few(Vec<(u32, R::Key)>),
    Many(RowList<R>),
}

impl<R: Row> Default for KeyedSelection<R> {
    fn default() -> Self {
        Self {
            recorded: Selection::default(),
            origin: Origin::Few(Vec::new()),
            focus: None,
            missing: HashSet::new(),
            searched_to: None,
            order: Arc::default(),
            hidden: 0,
            changes: 0,
        }
    }
}

impl<R: Row> KeyedSelection<R> {
    /// Maps the selection to the current rows; must be called before it is changed or drawn.
    pub fn sync(&mut self, listing: &Listing<R>, table: &mut TableState) {
        let Some(rows) = listing.rows.value() else { return };
        if self.numbers_changed(rows) {
            self.remap(rows, table);
        } else if let Origin::Many(origin) = &mut self.origin {
            *origin = rows.clone();
        }
        self.find_missing(rows, table);
        if !listing.rows.loading() {
            self.find_changed(rows, table);
            self.missing.clear();
        }
        self.set_origin(listing, table);
    }

    /// Returns the number of selected rows, including those that are still to be reloaded.
    pub fn count(&self) -> usize {
        self.recorded.count() + self.missing.len()
    }

    /// Returns how often the user changed it.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns the numbers of the selected rows, ascending.
    pub fn numbers(&self) -> Vec<u32> {
        self.recorded.iter().collect()
    }

    /// Returns whether the row with this number is selected.
    pub fn contains(&self, number: u32) -> bool {
        self.recorded.contains(number)
    }

    /// Returns how many of them the filter hides.
    pub fn hidden(&self) -> usize {
        self.hidden + self.missing.len()
    }

    /// Returns the selected rows: the visible ones in the order of the list, then the others.
    pub fn rows<'a>(&self, listing: &'a Listing<R>) -> Vec<&'a R> {
        self.shared(listing).map(Arc::as_ref).collect()
    }

    /// Returns the same rows for what outlives the list.
    pub fn shared_rows(&self, listing: &Listing<R>) -> Vec<Arc<R>> {
        self.shared(listing).cloned().collect()
    }

    fn shared<'a>(&self, listing: &'a Listing<R>) -> impl Iterator<Item = &'a Arc<R>> {
        let mut shown = listing.sequence();
        shown.retain(|number| self.recorded.contains(*number));
        let seen: Selection = shown.iter().copied().collect();
        let hidden: Vec<u32> = self.recorded.iter().filter(|number| !seen.contains(*number)).collect();
        let rows = listing.rows.value();
        shown.into_iter().chain(hidden).filter_map(move |number| rows?.get(number as usize))
    }

    /// Returns the selected rows for commands, and each of them if they are two; `subject` is what they act on in a row.
    pub fn in_view(
        &self,
        listing: &Listing<R>,
        subject: impl Fn(&Arc<R>) -> Option<Subject>,
    ) -> (SelectedRows, Option<Box<[Subject; 2]>>) {
        let (count, hidden) = (self.count(), self.hidden());
        let selected = match count {
            // A single one that the filter hides is not seen: no bar names it.
            0 => SelectedRows::None,
            1 if hidden > 0 => SelectedRows::None,
            1 => {
                let row = self.recorded.iter().next().and_then(|number| listing.rows.value()?.get(number as usize));
                row.and_then(&subject).map_or(SelectedRows::None, SelectedRows::One)
            }
            _ => SelectedRows::Several(Several { list: listing.list, count, hidden }),
        };
        (selected, self.pair(listing, subject))
    }

    /// Returns what the selected rows stand for, if they are two.
    fn pair(&self, listing: &Listing<R>, subject: impl Fn(&Arc<R>) -> Option<Subject>) -> Option<Box<[Subject; 2]>> {
        if self.count() != 2 {
            return None;
        }
        let rows = listing.rows.value()?;
        let mut subjects = self.recorded.iter().filter_map(|number| rows.get(number as usize)).filter_map(subject);
        Some(Box::new([subjects.next()?, subjects.next()?]))
    }

    /// Returns whether all selected rows satisfy `is_so`; false if there are too many to check in every frame.
    pub fn all_if_few(&self, listing: &Listing<R>, is_so: fn(&R) -> bool) -> bool {
        let Some(rows) = listing.rows.value() else { return false };
        let row_is = |number: u32| rows.get(number as usize).is_some_and(|row| is_so(row));
        self.recorded.count() <= KEYED_LIMIT && self.recorded.iter().all(row_is)
    }

    /// Returns whether any selected row satisfies `is_so`; true if there are too many to check in every frame.
    pub fn any_if_few(&self, listing: &Listing<R>, is_so: fn(&R) -> bool) -> bool {
        let Some(rows) = listing.rows.value() else { return false };
        let row_is = |number: u32| rows.get(number as usize).is_some_and(|row| is_so(row));
        self.recorded.count() > KEYED_LIMIT || self.recorded.iter().any(row_is)
    }

    /// Records which rows are selected and how many of them are visible, if either changed; must be called after the
    /// table was drawn.
    pub fn record(&mut self, listing: &Listing<R>, table: &TableState) {
        if !self.missing.is_empty()
            && self.recorded != table.selection
            && !is_extension(&self.recorded, &table.selection)
        {
            self.missing.clear();
        }
        self.changes += u64::from(self.recorded != table.selection);
        self.set_origin(listing, table);
    }

    fn set_origin(&mut self, listing: &Listing<R>, table: &TableState) {
        let Some(rows) = listing.rows.value() else { return };
        let key = |number: u32| rows.get(number as usize).map(|row| (number, row.key()));
        let changed = self.recorded != table.selection;
        if changed {
            self.recorded.clone_from(&table.selection);
            self.origin = match self.recorded.count() {
                0..=KEYED_LIMIT => Origin::Few(self.recorded.iter().filter_map(key).collect()),
                _ => Origin::Many(rows.clone()),
            };
        }
        if self.focus.as_ref().map(|(number, _)| *number) != table.focused() {
            self.focus = table.focused().and_then(key);
        }
        if changed || !Arc::ptr_eq(&self.order, &listing.order) {
            self.order = Arc::clone(&listing.order);
            let is_shown = |number: &&u32| self.recorded.contains(**number);
            self.hidden = match self.recorded.count() {
                0 => 0,
                count => count - self.order.iter().filter(is_shown).count(),
            };
        }
    }

    /// Returns whether a selected or focused row now has a different index.
    fn numbers_changed(&self, rows: &RowList<R>) -> bool {
        let at = |number: u32, key: &R::Key| rows.get(number as usize).is_some_and(|row| row.key() == *key);
        let focus_moved = self.focus.as_ref().is_some_and(|(number, key)| !at(*number, key));
        focus_moved
            || match &self.origin {
                Origin::Few(keys) => keys.iter().any(|(number, key)| !at(*number, key)),
                Origin::Many(origin) => {
                    let same = |one: &Arc<R>, other: &Arc<R>| Arc::ptr_eq(one, other) || one.key() == other.key();
                    !origin.same(rows) && !origin.begins(rows, same)
                }
            }
    }

    /// Finds the selected rows by key. Rows that are not found are missing while the list still loads.
    fn remap(&mut self, rows: &RowList<R>, table: &mut TableState) {
        match &self.origin {
            Origin::Few(keys) => self.missing.extend(keys.iter().map(|(_, key)| key.clone())),
            Origin::Many(origin) => {
                let keys = self.recorded.iter().filter_map(|number| origin.get(number as usize)).map(|row| row.key());
                self.missing.extend(keys);
            }
        }
        let focus = self.focus.take().and_then(|(_, key)| {
            let index = rows.iter().position(|row| row.key() == key).or_else(|| {
                let parts = R::partial_keys(&key);
                rows.iter().position(|row| R::partial_keys(&row.key()).iter().any(|part| parts.contains(part)))
            })?;
            u32::try_from(index).ok()
        });
        self.searched_to = None;
        self.recorded = Selection::default();
        self.origin = Origin::Few(Vec::new());
        table.renumber(Selection::default(), focus);
    }

    /// Selects missing rows that were reloaded.
    fn find_missing(&mut self, rows: &RowList<R>, table: &mut TableState) {
        if self.missing.is_empty() {
            self.searched_to = None;
            return;
        }
        let at = |(index, key): &(usize, R::Key)| rows.get(*index).is_some_and(|row| row.key() == *key);
        let searched_to = self.searched_to.take().filter(at).map_or(0, |(index, _)| index + 1);
        for (row, number) in rows.iter().zip(0..).skip(searched_to) {
            if self.missing.remove(&row.key()) {
                table.selection.set(number, true);
            }
        }
        self.searched_to = rows.last().map(|row| (rows.len() - 1, row.key()));
    }

    /// Selects rows that have another key than the selected ones had: of two things, one came, went or was replaced.
    fn find_changed(&self, rows: &RowList<R>, table: &mut TableState) {
        let parts: HashSet<R::Key> = self.missing.iter().flat_map(R::partial_keys).collect();
        if parts.is_empty() {
            return;
        }
        for (row, number) in rows.iter().zip(0..) {
            if R::partial_keys(&row.key()).iter().any(|part| parts.contains(part)) {
                table.selection.set(number, true);
            }
        }
    }
}

/// Returns whether at most one row was deselected, which leaves the rest of the selection.
fn is_extension(before: &Selection, after: &Selection) -> bool {
    before.iter().filter(|number| !after.contains(*number)).count() <= 1 && after.count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use lunette_inspector::Remote;
    use lunette_inspector::listing::rows::AssetRow;

    fn listing(indices: &[usize], loading: bool) -> Listing<AssetRow> {
        let rows: RowList<_> = indices.iter().map(|index| Arc::new(AssetRow::sample(*index))).collect();
        let order = Arc::new((0..u32::try_from(indices.len()).expect("few")).collect());
        let rows = if loading { Remote::Loading { previous: Some(rows) } } else { Remote::Known(rows) };
        Listing { rows, order, ..Listing::default() }
    }

    fn marked(marks: &KeyedSelection<AssetRow>, listing: &Listing<AssetRow>) -> Vec<i64> {
        marks.rows(listing).iter().filter_map(|row| row.score()).collect()
    }

    #[test]
    fn selected_rows_stay_selected_when_others_are_added_and_removed() {
        let (mut marks, mut table) = (KeyedSelection::default(), TableState::default());
        let first = listing(&[1, 2, 3, 4], false);
        table.selection = [1, 3].into_iter().collect();
        marks.record(&first, &table);
        let second = listing(&[9, 2, 4, 8], false);
        marks.sync(&second, &mut table);
        assert_eq!((marked(&marks, &second), marks.count()), (vec![2, 4], 2));
        let third = listing(&[4, 9], false);
        marks.sync(&third, &mut table);
        assert_eq!((marked(&marks, &third), marks.count()), (vec![4], 1));
    }

    #[test]
    fn rows_that_are_not_reloaded_yet_stay_selected() {
        let (mut marks, mut table) = (KeyedSelection::default(), TableState::default());
        table.selection = [0, 2].into_iter().collect();
        marks.record(&listing(&[1, 2, 3], false), &table);
        marks.sync(&listing(&[5, 1], true), &mut table);
        assert_eq!((marks.count(), marks.hidden()), (2, 1));
        let whole = listing(&[5, 1, 2, 3], false);
        marks.sync(&whole, &mut table);
        assert_eq!((marked(&marks, &whole), marks.hidden()), (vec![1, 3], 0));
    }

    #[test]
    fn large_selections_survive_a_refresh_too() {
        let (mut marks, mut table) = (KeyedSelection::default(), TableState::default());
        let first: Vec<usize> = (0..3_000).collect();
        table.selection = (0..2_000).collect();
        marks.record(&listing(&first, false), &table);
        let later: Vec<usize> = (1_000..3_000).rev().chain(5_000..6_000).collect();
        let second = listing(&later, false);
        marks.sync(&second, &mut table);
        assert_eq!(marks.count(), 1_000);
        assert!((1_000..2_000).all(|index| table.selection.contains(index)) && !table.selection.contains(2_500));
    }

    #[test]
    fn rows_hidden_by_a_filter_are_counted_and_returned_last() {
        let (mut marks, mut table) = (KeyedSelection::default(), TableState::default());
        table.selection = [0, 1, 2].into_iter().collect();
        let mut rows = listing(&[1, 2, 3], false);
        marks.record(&rows, &table);
        rows.order = Arc::new(vec![2, 1]);
        marks.sync(&rows, &mut table);
        assert_eq!((marked(&marks, &rows), marks.hidden()), (vec![3, 2, 1], 1));
    }
}
