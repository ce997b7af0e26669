//! What a table is made of, from its first rows: its delimiter, its columns, and whether it has a header.

use std::collections::{BTreeMap, BTreeSet};

use lunette_syntax::CancelToken;

use super::{Delimited, DelimitedColumn, Index, MAX_COLUMNS, number};

/// How much of a text is looked at.
const SAMPLE_BYTES: usize = 64 * 1024;
const SAMPLE_ROWS: usize = 200;
/// The longest title of a column, in characters.
const LONGEST_TITLE: usize = 100;

/// Returns the delimiter with which most of the first records have the same number of cells; of those the one with the
/// most cells.
pub(super) fn delimiter(text: &str, tabs: bool) -> u8 {
    let mut sample = &text[..text.floor_char_boundary(SAMPLE_BYTES)];
    if sample.len() < text.len()
        && let Some(end) = sample.rfind('\n')
    {
        sample = &sample[..=end];
    }
    let candidates = if tabs { [b'\t', b',', b';', b'|'] } else { [b',', b';', b'\t', b'|'] };
    // How many records have as many cells as most of them, and how many those are.
    let mut best = (0, 0);
    let mut delimiter = candidates[0];
    for candidate in candidates {
        let found = commonest_length(sample.as_bytes(), candidate).filter(|(_, cells)| *cells > 1);
        let Some((records, cells)) = found else { continue };
        if (records, cells) > best {
            (best, delimiter) = ((records, cells), candidate);
        }
    }
    delimiter
}

/// Returns the most frequent number of cells of the records, and how many have it.
fn commonest_length(sample: &[u8], delimiter: u8) -> Option<(usize, usize)> {
    let index = Index::of(sample, delimiter, SAMPLE_ROWS, &CancelToken::default());
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for bytes in index.starts.windows(2) {
        let record = &sample[bytes[0] as usize..bytes[1] as usize];
        let cells = Index::of(record, delimiter, 1, &CancelToken::default()).widest;
        *counts.entry(cells).or_default() += 1;
    }
    counts.into_iter().map(|(cells, records)| (records, cells)).max()
}

/// Returns what is known of the shown columns.
pub(super) fn columns(table: &Delimited) -> Vec<DelimitedColumn> {
    let mut columns = vec![DelimitedColumn::default(); table.widest.min(MAX_COLUMNS)];
    let mut numbers = vec![[0_usize; 2]; columns.len()];
    for record in 0..table.record_count().min(SAMPLE_ROWS) {
        let drawn = table.drawn_cells(record);
        for ((cell, column), [filled, numeric]) in drawn.cells.iter().zip(&mut columns).zip(&mut numbers) {
            column.characters = column.characters.max(cell.chars().count());
            if record == 0 {
                column.title = cell.trim().chars().take(LONGEST_TITLE).collect();
            }
            // The first record may be the header.
            if (record > 0 || table.record_count() == 1) && !cell.trim().is_empty() {
                *filled += 1;
                *numeric += usize::from(number(cell, table.delimiter).is_some());
            }
        }
    }
    for (column, [filled, numeric]) in columns.iter_mut().zip(numbers) {
        column.is_figures = filled > 0 && filled == numeric;
    }
    columns
}

/// Returns whether the first of several records has a distinct word, and no number, in each of its cells.
pub(super) fn has_header(table: &Delimited) -> bool {
    let titles: BTreeSet<&str> = table.columns.iter().map(|column| column.title.as_str()).collect();
    let is_word = |title: &&str| !title.is_empty() && number(title, table.delimiter).is_none();
    table.record_count() > 1 && titles.len() == table.columns.len() && titles.iter().all(is_word)
}
