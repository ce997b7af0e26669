//! The rows that a line is drawn in, and positions among them.
//!
//! No index of all rows is kept: only lines that are drawn, or moved over, are split. A line that is not wrapped is one
//! row unless it is very long, so that no row takes long to lay out.

use std::ops::Range;

use super::super::code::wrap_line;
use super::buffer::Buffer;
use super::words;

/// The most bytes of a row.
const MAX_ROW: usize = 2_000;
/// Longer lines, in bytes, are split after so many bytes and not between words, so that no key reads all of them.
const MAX_WRAPPED: usize = 16 * 1024;

/// The rows of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineRows {
    /// All of it is one row.
    One(usize),
    /// The start of each row, and the end of the line.
    Wrapped(Vec<usize>, usize),
    /// So many bytes a row, in a line of a length.
    Cut(usize, usize),
}

impl LineRows {
    /// Splits a line into rows of so many columns; a line is not wrapped without them.
    pub fn of(line: &str, columns: Option<usize>) -> Self {
        match columns {
            None if line.len() <= MAX_ROW => Self::One(line.len()),
            None => Self::Cut(MAX_ROW, line.len()),
            Some(columns) if line.len() <= columns && !line.contains('\t') && line.is_ascii() => Self::One(line.len()),
            // A tab is wider than the bytes that it takes.
            Some(columns) if line.len() > MAX_WRAPPED => Self::Cut(columns.clamp(8, MAX_ROW), line.len()),
            Some(columns) => {
                let mut starts = Vec::new();
                wrap_line(line, columns, words::width, |start| starts.push(start));
                Self::Wrapped(starts, line.len())
            }
        }
    }

    /// Returns the number of rows; at least one.
    pub fn count(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Wrapped(starts, _) => starts.len(),
            Self::Cut(step, length) => length.div_ceil(*step).max(1),
        }
    }

    /// Returns the bytes of a row within its line.
    pub fn row(&self, line: &str, row: usize) -> Range<usize> {
        match self {
            Self::One(length) => 0..*length,
            Self::Wrapped(starts, length) => {
                let start = starts.get(row).copied().unwrap_or(*length);
                start..starts.get(row + 1).copied().unwrap_or(*length)
            }
            Self::Cut(step, length) => {
                let boundary = |row: usize| line.floor_char_boundary((row * step).min(*length));
                boundary(row)..boundary(row + 1)
            }
        }
    }

    /// Returns the row of a byte of the line. The end of a row belongs to the next one.
    pub fn row_of(&self, line: &str, byte: usize) -> usize {
        match self {
            Self::One(_) => 0,
            Self::Wrapped(starts, _) => starts.partition_point(|start| *start <= byte).saturating_sub(1),
            Self::Cut(step, _) => {
                let row = (byte / step).min(self.count() - 1);
                // The row before may end at the boundary of a character before this byte.
                let next = row + 1;
                if next < self.count() && self.row(line, next).start <= byte { next } else { row }
            }
        }
    }
}

/// A row of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowAt {
    /// The line, starting at 0.
    pub line: usize,
    /// The row of the line, starting at 0.
    pub row: usize,
}

/// The rows of a text that is wrapped after so many columns, or is not.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    /// The text.
    pub buffer: &'a Buffer,
    /// After how many columns lines are wrapped.
    pub columns: Option<usize>,
}

impl Rows<'_> {
    /// Returns the rows of a line.
    pub fn of(&self, line: usize) -> LineRows {
        LineRows::of(self.buffer.line(line), self.columns)
    }

    /// Returns the bytes of a row in the text.
    pub fn bytes(&self, at: RowAt) -> Range<usize> {
        let start = self.buffer.line_bytes(at.line).start;
        let row = self.of(at.line).row(self.buffer.line(at.line), at.row);
        start + row.start..start + row.end
    }

    /// Returns the row of a byte.
    pub fn at(&self, byte: usize) -> RowAt {
        let line = self.buffer.line_at(byte);
        let start = self.buffer.line_bytes(line).start;
        RowAt { line, row: self.of(line).row_of(self.buffer.line(line), byte - start) }
    }

    /// Returns the row so many rows further down or up, and how many rows were left over at an end of the text.
    pub fn step(&self, from: RowAt, by: isize) -> (RowAt, isize) {
        let (mut at, mut left) = (from, by);
        let mut count = self.of(at.line).count();
        at.row = at.row.min(count - 1);
        while left > 0 {
            let within = (count - 1 - at.row).min(left.unsigned_abs());
            at.row += within;
            left -= within.cast_signed();
            if left == 0 || at.line + 1 >= self.buffer.line_count() {
                break;
            }
            at = RowAt { line: at.line + 1, row: 0 };
            count = self.of(at.line).count();
            left -= 1;
        }
        while left < 0 {
            let within = at.row.min(left.unsigned_abs());
            at.row -= within;
            left += within.cast_signed();
            if left == 0 || at.line == 0 {
                break;
            }
            at.line -= 1;
            at.row = self.of(at.line).count() - 1;
            left += 1;
        }
        (at, left)
    }

    /// Returns the byte at a column of a row. The end of a row that is not the last of its line belongs to the next
    /// one, so its last character is the furthest.
    pub fn byte_at_column(&self, at: RowAt, column: usize) -> usize {
        let bytes = self.bytes(at);
        let text = self.buffer.slice(bytes.clone());
        let byte = bytes.start + words::byte_at_column(text, column);
        let last = bytes.end == self.buffer.line_bytes(at.line).end;
        if byte == bytes.end && !last && !bytes.is_empty() { words::previous(self.buffer.text(), byte) } else { byte }
    }

    /// Returns the column of a byte within its row.
    pub fn column(&self, byte: usize) -> usize {
        let bytes = self.bytes(self.at(byte));
        words::columns(self.buffer.slice(bytes.start..byte))
    }
}
