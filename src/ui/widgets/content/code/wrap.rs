//! Soft wrap: splits the lines of a text into rows, so that all of it is visible without scrolling sideways.
//!
//! What must hold: every byte of a line is in exactly one of its rows; a row is no wider than the given columns, unless
//! it is a single character; a million lines cost four bytes per row.

use std::ops::Range;

use unicode_width::UnicodeWidthChar as _;

use crate::ui::widgets::highlight::Highlighted;

/// A text in rows of a number of columns.
#[derive(Debug, Default, PartialEq)]
pub struct Wrapped {
    /// The start of each row.
    starts: Vec<u32>,
}

impl Wrapped {
    /// Wraps a text; takes a while for a long one, so it should run on another thread.
    pub fn new(code: &Highlighted, columns: usize) -> Self {
        let mut starts = Vec::with_capacity(code.line_count());
        for line in 0..code.line_count() {
            let Some(bytes) = code.bytes_of(line) else { continue };
            wrap_line(code.line(line), columns, column_width, |start| starts.push(offset(bytes.start + start)));
        }
        Self { starts }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len()
    }

    /// Returns the bytes of a row, and its line.
    pub fn row(&self, code: &Highlighted, row: usize) -> Option<(usize, Range<usize>)> {
        let start = *self.starts.get(row)? as usize;
        let line = code.line_at(start);
        let end = code.bytes_of(line)?.end;
        let next = self.starts.get(row + 1).map_or(end, |next| (*next as usize).min(end));
        Some((line, start..next))
    }

    /// Returns the row that shows a byte of the text.
    pub fn row_at(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= byte).saturating_sub(1)
    }
}

/// Calls `push` with the start of each row of one line: after a space if there is one, otherwise where the row is full.
/// `width` returns how many columns a character takes.
pub(in crate::ui::widgets) fn wrap_line(
    line: &str,
    columns: usize,
    width: impl Fn(char) -> usize,
    mut push: impl FnMut(usize),
) {
    push(0);
    let columns = columns.max(1);
    let (mut column, mut start) = (0, 0);
    // Where the row can end, and its columns up to there.
    let mut space: Option<(usize, usize)> = None;
    for (position, c) in line.char_indices() {
        let width = width(c);
        while column + width > columns && position > start {
            let (end, used) = space.take().unwrap_or((position, column));
            push(end);
            (start, column) = (end, column - used);
        }
        column += width;
        if c == ' ' || c == '\t' {
            space = Some((position + c.len_utf8(), column));
        }
    }
}

/// Returns how many columns a character takes; hidden ones are drawn as escapes.
pub(super) fn column_width(c: char) -> usize {
    match c {
        '\t' => 4,
        ' '..='~' => 1,
        c => c.width().map_or(8, |width| width.max(1)),
    }
}

/// No displayed text is as long as 4 GiB.
fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(text: &str, columns: usize) -> Vec<String> {
        let code = Highlighted::plain(text);
        let wrapped = Wrapped::new(&code, columns);
        let text = |row: usize| wrapped.row(&code, row).map(|(_, bytes)| code.text()[bytes].to_owned());
        (0..wrapped.rows()).filter_map(text).collect()
    }

    #[test]
    fn a_line_wraps_after_a_space_and_a_long_word_wherever_the_row_is_full() {
        assert_eq!(rows("one two three\nfour", 8), ["one two ", "three", "four"]);
        assert_eq!(rows("abcdefgh ij", 3), ["abc", "def", "gh ", "ij"]);
        assert_eq!(rows("", 8), [""]);
        assert_eq!(rows("日本語", 4), ["日本", "語"]);
    }

    #[test]
    fn rows_know_their_line_and_bytes_know_their_row() {
        let code = Highlighted::plain("one two\nthree");
        let wrapped = Wrapped::new(&code, 4);
        assert_eq!(wrapped.row(&code, 1), Some((0, 4..7)));
        assert_eq!((wrapped.row_at(0), wrapped.row_at(5), wrapped.row_at(9)), (0, 1, 2));
        assert_eq!(wrapped.row(&code, 9), None);
    }

    proptest! {
        #[test]
        fn the_rows_of_any_text_are_its_lines(text in "[ a-zé日\t\n\u{7}]{0,80}", columns in 1_usize..20) {
            let code = Highlighted::plain(text.clone());
            let lines: String = (0..code.line_count()).map(|line| code.line(line)).collect();
            prop_assert_eq!(rows(&text, columns).concat(), lines);
        }
    }
}
