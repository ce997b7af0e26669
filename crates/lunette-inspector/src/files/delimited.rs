//! Tables in texts: CSV, TSV and their like (RFC 4180).
//!
//! What must hold: any text is read in one pass, with four bytes of memory for each row; a cell is decoded only when it
//! is drawn, copied or sorted by, and of a drawn row only its beginning is. Rows may have different numbers of cells.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use csv_core::{ReadFieldResult, ReadRecordResult, Reader, ReaderBuilder};
use lunette_syntax::CancelToken;

mod guess;
mod sort;

/// The maximum number of rows that are listed.
pub const MAX_ROWS: usize = 5_000_000;
/// The maximum number of columns that are shown.
pub const MAX_COLUMNS: usize = 200;
/// How many bytes of a row are decoded to be drawn, and how many of each of its cells.
const DRAWN_ROW: usize = 64 * 1024;
const DRAWN_CELL: usize = 1_000;

/// A text as a table.
#[derive(Debug)]
pub struct Delimited {
    text: Arc<str>,
    delimiter: u8,
    /// Where each record begins, and where the last one ends.
    starts: Vec<u32>,
    /// The number of cells of the longest record.
    widest: usize,
    is_truncated: bool,
    has_header: bool,
    columns: Vec<DelimitedColumn>,
}

/// What is known of a column from the first rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DelimitedColumn {
    /// Its cell in the first record; empty if that has none.
    pub title: String,
    /// The number of characters of its longest cell.
    pub characters: usize,
    /// Whether its cells are numbers.
    pub is_figures: bool,
}

/// The beginning of a row as it is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnCells {
    /// The cells, of which long ones are cut.
    pub cells: Vec<String>,
    /// Whether further cells are left out, since the row is too long.
    pub is_cut: bool,
}

/// The order of the rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortBy {
    /// The column, counted from 0.
    pub column: usize,
    /// Largest or last first.
    pub descending: bool,
}

impl Delimited {
    /// Reads a text; guesses the delimiter, preferably a tab if `tabs` is set, and whether the first record is a header.
    /// Takes about a second for 256 MiB, and ends early with what was read if it is cancelled.
    pub fn read(text: Arc<str>, tabs: bool, cancel: &CancelToken) -> Self {
        let delimiter = guess::delimiter(&text, tabs);
        let Index { starts, widest, is_truncated } = Index::of(text.as_bytes(), delimiter, MAX_ROWS, cancel);
        let mut table = Self { text, delimiter, starts, widest, is_truncated, has_header: false, columns: Vec::new() };
        table.columns = guess::columns(&table);
        table.has_header = guess::has_header(&table);
        table
    }

    /// Returns the number of records, with the header.
    pub fn record_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the number of cells of the longest record.
    pub fn widest(&self) -> usize {
        self.widest
    }

    /// Returns the shown columns, at most [`MAX_COLUMNS`].
    pub fn columns(&self) -> &[DelimitedColumn] {
        &self.columns
    }

    /// Returns whether the first record looks like a header.
    pub fn has_header(&self) -> bool {
        self.has_header
    }

    /// Returns whether there are more rows than are listed.
    pub fn is_truncated(&self) -> bool {
        self.is_truncated
    }

    /// Returns the name of the delimiter.
    pub fn delimiter_name(&self) -> &'static str {
        match self.delimiter {
            b'\t' => "tabs",
            b';' => "semicolons",
            b'|' => "vertical bars",
            _ => "commas",
        }
    }

    /// Returns the text of a record as it is in the file, without its line break; empty if there is none.
    pub fn record(&self, record: usize) -> &str {
        let text = self.bytes_of(record).and_then(|bytes| self.text.get(bytes)).unwrap_or_default();
        text.trim_start_matches('\u{feff}').trim_matches(['\r', '\n'])
    }

    /// Returns the beginning of a record, decoded.
    pub fn drawn_cells(&self, record: usize) -> DrawnCells {
        let Some(bytes) = self.bytes_of(record) else { return DrawnCells::default() };
        let end = bytes.end.min(bytes.start + DRAWN_ROW);
        let mut cells = Cells::new(&self.text.as_bytes()[bytes.start..end], DRAWN_CELL);
        let mut reader = self.reader();
        let mut drawn = DrawnCells::default();
        while drawn.cells.len() < MAX_COLUMNS {
            let Some(cell) = cells.next(&mut reader) else { return DrawnCells { is_cut: end < bytes.end, ..drawn } };
            let mut text = cell.text;
            if cell.is_cut {
                text.push('…');
            }
            drawn.cells.push(text);
        }
        DrawnCells { is_cut: false, ..drawn }
    }

    /// Returns a whole cell, decoded; empty if the record has no such cell.
    pub fn cell(&self, record: usize, column: usize) -> String {
        let Some(bytes) = self.bytes_of(record) else { return String::new() };
        let mut cells = Cells::new(&self.text.as_bytes()[bytes], usize::MAX);
        let mut reader = self.reader();
        std::iter::from_fn(|| cells.next(&mut reader)).nth(column).map(|cell| cell.text).unwrap_or_default()
    }

    fn bytes_of(&self, record: usize) -> Option<Range<usize>> {
        let [start, end] = self.starts.get(record..record + 2)?.try_into().ok()?;
        Some(start as usize..end as usize)
    }

    fn reader(&self) -> Reader {
        ReaderBuilder::new().delimiter(self.delimiter).build()
    }
}

/// Where the records of a text are.
struct Index {
    starts: Vec<u32>,
    widest: usize,
    is_truncated: bool,
}

impl Index {
    /// Finds the records, at most `most` of them.
    fn of(text: &[u8], delimiter: u8, most: usize, cancel: &CancelToken) -> Self {
        let mut reader = ReaderBuilder::new().delimiter(delimiter).build();
        // Nothing of the cells is kept, so their buffers are reused before they are full.
        let (mut output, mut ends) = ([0; 16 * 1024], [0; 512]);
        let (mut at, mut cells) = (0, 0);
        let mut index = Self { starts: vec![0], widest: 0, is_truncated: false };
        while !cancel.is_cancelled() {
            let (result, read, _, ended) = reader.read_record(&text[at..], &mut output, &mut ends);
            (at, cells) = (at + read, cells + ended);
            match result {
                ReadRecordResult::Record if index.starts.len() > most => {
                    index.is_truncated = true;
                    break;
                }
                ReadRecordResult::Record => {
                    let Ok(end) = u32::try_from(at) else {
                        index.is_truncated = true;
                        break;
                    };
                    index.starts.push(end);
                    index.widest = index.widest.max(std::mem::take(&mut cells));
                }
                ReadRecordResult::End => break,
                ReadRecordResult::InputEmpty | ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {}
            }
        }
        index
    }
}

/// The cells of one record.
struct Cells<'a> {
    record: &'a [u8],
    at: usize,
    /// How many bytes of a cell are decoded.
    most: usize,
    ended: bool,
}

/// A cell, as it is in the file and decoded.
struct Cell {
    /// Its bytes in the record, with its quotes.
    raw: Range<usize>,
    text: String,
    is_cut: bool,
}

impl<'a> Cells<'a> {
    fn new(record: &'a [u8], most: usize) -> Self {
        Self { record, at: 0, most, ended: false }
    }

    /// Returns the next cell; `reader` must be new or reset before the first one.
    fn next(&mut self, reader: &mut Reader) -> Option<Cell> {
        if self.ended {
            return None;
        }
        let (start, mut output) = (self.at, [0; 1_024]);
        let (mut bytes, mut is_cut) = (Vec::new(), false);
        loop {
            let (result, read, written) = reader.read_field(&self.record[self.at..], &mut output);
            self.at += read;
            let kept = written.min(self.most - bytes.len().min(self.most));
            is_cut |= kept < written;
            bytes.extend_from_slice(&output[..kept]);
            match result {
                ReadFieldResult::Field { record_end } => self.ended = record_end,
                ReadFieldResult::End if start == self.at => return None,
                ReadFieldResult::End => self.ended = true,
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => continue,
            }
            let raw = trimmed(self.record, start..self.at);
            return Some(Cell { raw, text: decoded(bytes), is_cut });
        }
    }
}

/// Returns a cell's bytes without the line breaks before it and the delimiter or line break after it.
fn trimmed(record: &[u8], mut bytes: Range<usize>) -> Range<usize> {
    let is_break = |at: usize| record.get(at).is_some_and(|byte| matches!(byte, b'\r' | b'\n'));
    while bytes.start < bytes.end && is_break(bytes.start) {
        bytes.start += 1;
    }
    if bytes.end < record.len() || bytes.start < bytes.end && is_break(bytes.end - 1) {
        bytes.end = bytes.end.saturating_sub(1).max(bytes.start);
    }
    bytes
}

/// Returns the bytes of a cell as text; a character that was cut is left out.
fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let valid = error.utf8_error().valid_up_to();
        let mut bytes = error.into_bytes();
        bytes.truncate(valid);
        String::from_utf8(bytes).unwrap_or_default()
    })
}

/// Returns the number in a cell: digits, with a decimal point, separators of thousands, or a decimal comma if that cannot
/// be the delimiter.
fn number(cell: &str, delimiter: u8) -> Option<f64> {
    let cell = cell.trim();
    let digits = cell.trim_start_matches(['-', '+']);
    if !digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') || digits.len() > 40 {
        return None;
    }
    let text = match cell.matches(',').count() {
        0 => Cow::Borrowed(cell),
        1 if delimiter != b',' && !cell.contains('.') => Cow::Owned(cell.replace(',', ".")),
        _ => {
            let whole = digits.split('.').next().unwrap_or_default();
            let grouped = whole.split(',').enumerate().all(|(at, group)| match at {
                0 => (1..=3).contains(&group.len()),
                _ => group.len() == 3,
            });
            Cow::Owned(grouped.then(|| cell.replace(',', ""))?)
        }
    };
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests;
