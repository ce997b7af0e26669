//! The rows of a list, shared by those that draw, sort and compare them while the list changes.
//!
//! What must hold: a clone copies no rows; a change copies at most one part of them, however many there are; whether two
//! lists are the same is known without looking at their rows.

use std::fmt;
use std::ops::Index;
use std::sync::Arc;

use super::Row;

/// The most rows of a part: what a change copies.
const PART_ROWS: usize = 4096;

/// The rows of a list, in the order they came.
pub struct RowList<R> {
    parts: Arc<Vec<Part<R>>>,
    count: usize,
}

/// Some rows that follow each other.
struct Part<R> {
    /// The index of the first row.
    start: usize,
    rows: Arc<PartRows<R>>,
}

struct PartRows<R> {
    rows: Vec<Arc<R>>,
    /// `Row::fingerprint` of each.
    fingerprints: Vec<u32>,
}

impl<R: Row> RowList<R> {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns whether both are the same list in memory.
    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.parts, &other.parts)
    }

    /// Returns the row at an index.
    pub fn get(&self, index: usize) -> Option<&Arc<R>> {
        let part = self.parts.get(self.part_of(index)?)?;
        part.rows.rows.get(index - part.start)
    }

    /// Returns the last row.
    pub fn last(&self) -> Option<&Arc<R>> {
        self.get(self.count.checked_sub(1)?)
    }

    /// The rows, in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<R>> + Clone {
        self.parts.iter().flat_map(|part| &part.rows.rows)
    }

    /// The rows as a slice, for work that looks at them in another order.
    pub(super) fn flat(&self) -> Vec<&R> {
        let mut flat = Vec::with_capacity(self.count);
        flat.extend(self.iter().map(Arc::as_ref));
        flat
    }

    /// Returns the index of the row with this fingerprint that satisfies `is`. It looks at no other rows.
    pub(crate) fn position(&self, fingerprint: u32, is: impl Fn(&R) -> bool) -> Option<usize> {
        self.parts.iter().find_map(|part| {
            let PartRows { rows, fingerprints } = part.rows.as_ref();
            let mut from = 0;
            while let Some(at) = fingerprints[from..].iter().position(|known| *known == fingerprint) {
                if is(&rows[from + at]) {
                    return Some(part.start + from + at);
                }
                from += at + 1;
            }
            None
        })
    }

    /// Returns whether another list begins with the rows of this one, where `same` compares two rows. Parts that both
    /// share are not looked at.
    pub fn begins(&self, longer: &Self, same: impl Fn(&Arc<R>, &Arc<R>) -> bool) -> bool {
        let shared =
            |(part, other): (&Part<R>, &Part<R>)| part.start == other.start && Arc::ptr_eq(&part.rows, &other.rows);
        let equal = |part: &Part<R>| {
            let others = longer.iter_from(part.start);
            part.rows.rows.iter().zip(others).all(|(row, other)| same(row, other))
        };
        let mut others = longer.parts.iter();
        self.count <= longer.count
            && self.parts.iter().all(|part| others.next().is_some_and(|other| shared((part, other))) || equal(part))
    }

    /// The rows from this index on.
    pub(super) fn iter_from(&self, index: usize) -> impl Iterator<Item = &Arc<R>> {
        let first = self.part_of(index).unwrap_or(self.parts.len());
        let skipped = self.parts.get(first).map_or(0, |part| index - part.start);
        self.parts[first..].iter().flat_map(|part| &part.rows.rows).skip(skipped)
    }

    /// Adds rows behind the others.
    pub(crate) fn append(&mut self, rows: impl IntoIterator<Item = Arc<R>>) {
        let parts = Arc::make_mut(&mut self.parts);
        for row in rows {
            let full = parts.last().is_none_or(|part| part.rows.rows.len() >= PART_ROWS);
            if full {
                parts.push(Part { start: self.count, rows: Arc::default() });
            }
            if let Some(part) = parts.last_mut() {
                let rows = Arc::make_mut(&mut part.rows);
                rows.insert(rows.rows.len(), row);
                self.count += 1;
            }
        }
    }

    /// Puts a row at this index, before the row that is there; at the end if there is none.
    pub(crate) fn insert(&mut self, index: usize, row: Arc<R>) {
        let Some(part_index) = self.part_of(index) else { return self.append([row]) };
        let part = &mut Arc::make_mut(&mut self.parts)[part_index];
        Arc::make_mut(&mut part.rows).insert(index - part.start, row);
        self.renumber();
    }

    /// Removes the first rows.
    pub(crate) fn remove_first(&mut self, count: usize) {
        (0..count).for_each(|_| self.remove(0));
    }

    /// Puts a row before the others.
    pub(crate) fn insert_first(&mut self, row: Arc<R>) {
        let parts = Arc::make_mut(&mut self.parts);
        if parts.first().is_none_or(|part| part.rows.rows.len() >= PART_ROWS) {
            parts.insert(0, Part { start: 0, rows: Arc::default() });
        }
        if let Some(first) = parts.first_mut() {
            Arc::make_mut(&mut first.rows).insert(0, row);
        }
        self.renumber();
    }

    /// Replaces a row; an index past the end changes nothing.
    pub(crate) fn replace(&mut self, index: usize, row: Arc<R>) {
        let Some(part_index) = self.part_of(index) else { return };
        let part = &mut Arc::make_mut(&mut self.parts)[part_index];
        let rows = Arc::make_mut(&mut part.rows);
        rows.fingerprints[index - part.start] = row.fingerprint();
        rows.rows[index - part.start] = row;
    }

    /// Removes a row; an index past the end changes nothing.
    pub(crate) fn remove(&mut self, index: usize) {
        let Some(part_index) = self.part_of(index) else { return };
        let parts = Arc::make_mut(&mut self.parts);
        let part = &mut parts[part_index];
        let rows = Arc::make_mut(&mut part.rows);
        rows.fingerprints.remove(index - part.start);
        rows.rows.remove(index - part.start);
        if rows.rows.is_empty() {
            parts.remove(part_index);
        }
        self.renumber();
    }

    fn renumber(&mut self) {
        let mut start = 0;
        for part in Arc::make_mut(&mut self.parts) {
            part.start = start;
            start += part.rows.rows.len();
        }
        self.count = start;
    }

    /// The part that has this index; None past the end.
    fn part_of(&self, index: usize) -> Option<usize> {
        if index >= self.count {
            return None;
        }
        self.parts.partition_point(|part| part.start <= index).checked_sub(1)
    }
}

impl<R: Row> PartRows<R> {
    fn insert(&mut self, index: usize, row: Arc<R>) {
        self.fingerprints.insert(index, row.fingerprint());
        self.rows.insert(index, row);
    }
}

impl<R> Default for RowList<R> {
    fn default() -> Self {
        Self { parts: Arc::default(), count: 0 }
    }
}

impl<R> Clone for RowList<R> {
    fn clone(&self) -> Self {
        Self { parts: Arc::clone(&self.parts), count: self.count }
    }
}

impl<R> Clone for Part<R> {
    fn clone(&self) -> Self {
        Self { start: self.start, rows: Arc::clone(&self.rows) }
    }
}

impl<R> Default for PartRows<R> {
    fn default() -> Self {
        Self { rows: Vec::new(), fingerprints: Vec::new() }
    }
}

impl<R> Clone for PartRows<R> {
    fn clone(&self) -> Self {
        Self { rows: self.rows.clone(), fingerprints: self.fingerprints.clone() }
    }
}

impl<R: Row> PartialEq for RowList<R> {
    fn eq(&self, other: &Self) -> bool {
        self.same(other) || self.count == other.count && self.iter().eq(other.iter())
    }
}

impl<R: Row + fmt::Debug> fmt::Debug for RowList<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<R: Row> FromIterator<Arc<R>> for RowList<R> {
    fn from_iter<I: IntoIterator<Item = Arc<R>>>(rows: I) -> Self {
        let mut list = Self::default();
        list.append(rows);
        list
    }
}

impl<R: Row> From<Vec<Arc<R>>> for RowList<R> {
    fn from(rows: Vec<Arc<R>>) -> Self {
        rows.into_iter().collect()
    }
}

impl<R: Row> Index<usize> for RowList<R> {
    type Output = Arc<R>;

    fn index(&self, index: usize) -> &Arc<R> {
        let part = &self.parts[self.part_of(index).unwrap_or(self.parts.len())];
        &part.rows.rows[index - part.start]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::listing::rows::AssetRow;

    fn row(index: usize) -> Arc<AssetRow> {
        Arc::new(AssetRow::sample(index))
    }

    fn ids(rows: &RowList<AssetRow>) -> Vec<String> {
        rows.iter().map(|row| row.id().to_string()).collect()
    }

    #[test]
    fn a_change_leaves_clones_as_they_were_and_copies_one_part() {
        let mut rows: RowList<AssetRow> = (0..3 * PART_ROWS).map(row).collect();
        let before = rows.clone();
        rows.replace(PART_ROWS + 7, row(9_999_999));
        assert_eq!(before[PART_ROWS + 7].id(), row(PART_ROWS + 7).id());
        assert_eq!(rows[PART_ROWS + 7].id(), row(9_999_999).id());
        let shared = |index: usize| Arc::ptr_eq(&rows.parts[index].rows, &before.parts[index].rows);
        assert_eq!([0, 1, 2].map(shared), [true, false, true]);
        assert!(!rows.same(&before) && before.same(&before.clone()));
    }

    #[test]
    fn a_list_that_grew_starts_with_its_previous_rows() {
        let before: RowList<AssetRow> = (0..PART_ROWS + 10).map(row).collect();
        let mut after = before.clone();
        after.append([row(1_000_000)]);
        let same = |one: &Arc<AssetRow>, other: &Arc<AssetRow>| one.id() == other.id();
        assert!(before.begins(&after, same) && !after.begins(&before, same));
        after.replace(3, row(2_000_000));
        assert!(!before.begins(&after, same));
    }

    proptest! {
        /// Each step inserts a row first, appends one, replaces one or removes one.
        #[test]
        fn rows_change_as_those_of_a_vector_do(steps in prop::collection::vec((0..4_u8, 0..9_000_usize), 0..60)) {
            let mut rows: RowList<AssetRow> = (0..PART_ROWS + 100).map(row).collect();
            let mut model: Vec<_> = rows.iter().cloned().collect();
            for (number, (step, index)) in steps.into_iter().enumerate() {
                let new = row(100_000 + number);
                let index = index % model.len();
                match step {
                    0 => { rows.insert_first(Arc::clone(&new)); model.insert(0, new); }
                    1 => { rows.append([Arc::clone(&new)]); model.push(new); }
                    2 => { rows.replace(index, Arc::clone(&new)); model[index] = new; }
                    _ => { rows.remove(index); model.remove(index); }
                }
            }
            prop_assert_eq!(ids(&rows), model.iter().map(|row| row.id().to_string()).collect::<Vec<_>>());
            prop_assert_eq!(rows.len(), model.len());
            for index in [0, model.len() / 2, model.len() - 1] {
                prop_assert_eq!(rows.index_of(&model[index].id()), Some(index));
                prop_assert_eq!(&rows.get(index).expect("a row").id(), &model[index].id());
            }
            prop_assert!(rows.get(model.len()).is_none() && rows.index_of(&row(8_000_000).id()).is_none());
        }
    }
}
