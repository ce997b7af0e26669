//! The order of the records by the cells of a column: numbers by their value, then text, then empty cells.

use std::cmp::Ordering;

use lunette_syntax::CancelToken;

use super::{Cells, Delimited, SortBy, number};

/// A cell to sort by. Its text stays where it is, so that a key takes 16 bytes whatever the cell is.
#[derive(Clone, Copy)]
struct Key {
    /// The number in the cell; not a number if it is text or empty.
    number: f64,
    start: u32,
    length: u32,
}

impl Delimited {
    /// Returns the records in order, from the record `first` on; equal ones stay in the order of the file. Takes about a
    /// second for a million; empty if it is cancelled.
    pub fn sorted(&self, by: SortBy, first: usize, cancel: &CancelToken) -> Vec<u32> {
        let Some(keys) = self.keys(by.column, cancel) else { return Vec::new() };
        let count = u32::try_from(self.record_count()).unwrap_or(u32::MAX);
        let mut order: Vec<u32> = (u32::try_from(first).unwrap_or(u32::MAX)..count).collect();
        order.sort_by(|one, other| {
            let (one, other) = (&keys[*one as usize], &keys[*other as usize]);
            let empty = one.is_empty().cmp(&other.is_empty());
            let cells = if by.descending { self.compare(other, one) } else { self.compare(one, other) };
            empty.then(cells)
        });
        order
    }

    fn keys(&self, column: usize, cancel: &CancelToken) -> Option<Vec<Key>> {
        let mut reader = self.reader();
        let mut keys = Vec::with_capacity(self.record_count());
        for record in 0..self.record_count() {
            if cancel.is_cancelled() {
                return None;
            }
            reader.reset();
            let bytes = self.bytes_of(record)?;
            let mut cells = Cells::new(&self.text.as_bytes()[bytes.clone()], 0);
            let cell = std::iter::from_fn(|| cells.next(&mut reader)).nth(column).map(|cell| cell.raw);
            let cell = cell.unwrap_or(0..0);
            let (start, end) = (bytes.start + cell.start, bytes.start + cell.end);
            let text = unquoted(self.text.get(start..end).unwrap_or_default());
            let number = number(text, self.delimiter).unwrap_or(f64::NAN);
            let start = start + usize::from(text.len() < end - start);
            keys.push(Key { number, start: u32::try_from(start).ok()?, length: u32::try_from(text.len()).ok()? });
        }
        Some(keys)
    }

    fn compare(&self, one: &Key, other: &Key) -> Ordering {
        match (one.number.is_nan(), other.number.is_nan()) {
            (false, false) => one.number.total_cmp(&other.number),
            (true, true) => compare_text(self.text_of(one), self.text_of(other)),
            (one, other) => one.cmp(&other),
        }
    }

    fn text_of(&self, key: &Key) -> &str {
        self.text.get(key.start as usize..(key.start + key.length) as usize).unwrap_or_default()
    }
}

impl Key {
    fn is_empty(self) -> bool {
        self.length == 0
    }
}

/// Returns a cell without its quotes. Quotes within it stay doubled, which does not change the order.
fn unquoted(cell: &str) -> &str {
    match cell.strip_prefix('"') {
        Some(inner) => inner.strip_suffix('"').unwrap_or(inner),
        None => cell,
    }
}

/// Compares regardless of case; texts that differ in nothing else by their letters.
fn compare_text(one: &str, other: &str) -> Ordering {
    let one_lower = one.chars().flat_map(char::to_lowercase);
    let other_lower = other.chars().flat_map(char::to_lowercase);
    one_lower.cmp(other_lower).then_with(|| one.cmp(other))
}
