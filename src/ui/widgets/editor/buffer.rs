//! A text and the starts of its lines, changed in place.
//!
//! The text is contiguous, because that is what regular expressions and the highlighter read; at 10 MB a change moves
//! what follows it in a fraction of a millisecond. What must hold: the starts are those of the text after every change.

use std::ops::Range;

use memchr::memchr_iter;

/// The largest text, in bytes: positions are stored in four bytes.
const MAX_BYTES: usize = 1 << 30;

/// A text in lines that end with `\n`.
#[derive(Clone, Debug)]
pub struct Buffer {
    text: String,
    /// The start of each line; never empty.
    starts: Vec<u32>,
}

/// One replaced range of a text, with what was there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where the range begins in the text before all changes of its step, in bytes.
    pub at: usize,
    /// The text before.
    pub removed: String,
    /// The text after.
    pub inserted: String,
}

/// The lines that a step changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangedLines {
    /// The first line that differs.
    pub first: usize,
    /// How many lines from there on were replaced.
    pub removed: usize,
    /// How many lines take their place.
    pub added: usize,
}

impl Buffer {
    /// Takes over a text.
    pub fn new(text: String) -> Self {
        let starts = starts_of(&text);
        Self { text, starts }
    }

    /// Returns the whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the byte after the last one of the text.
    pub fn end(&self) -> usize {
        self.text.len()
    }

    /// Returns the number of lines: one more than line breaks.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the bytes of a line without its break; the empty end of the text beyond the last.
    pub fn line_bytes(&self, line: usize) -> Range<usize> {
        let Some(start) = self.starts.get(line) else { return self.end()..self.end() };
        let end = self.starts.get(line + 1).map_or(self.end(), |next| *next as usize - 1);
        *start as usize..end
    }

    /// Returns a line without its break.
    pub fn line(&self, line: usize) -> &str {
        self.slice(self.line_bytes(line))
    }

    /// Returns the line of a byte.
    pub fn line_at(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= byte).saturating_sub(1)
    }

    /// Returns a part of the text; empty if the range does not exist.
    pub fn slice(&self, bytes: Range<usize>) -> &str {
        self.text.get(bytes).unwrap_or_default()
    }

    /// Returns the nearest boundary of a character at or before a byte.
    pub fn clamp(&self, byte: usize) -> usize {
        self.text.floor_char_boundary(byte)
    }

    /// Applies changes in ascending order that do not overlap; returns the lines that changed, or `None`, with nothing
    /// changed, if the text would be too large.
    pub fn apply(&mut self, changes: &[Change]) -> Option<ChangedLines> {
        let (first, last) = (changes.first()?, changes.last()?);
        let added: usize = changes.iter().map(|change| change.inserted.len()).sum();
        if self.end().saturating_add(added) > MAX_BYTES {
            return None;
        }
        let before = self.line_count();
        let from = self.line_at(first.at);
        let to = self.line_at(last.at + last.removed.len());
        match changes {
            [only] => self.replace(only),
            changes => self.rebuild(changes),
        }
        let removed = to - from + 1;
        Some(ChangedLines { first: from, removed, added: self.line_count() + removed - before })
    }

    /// Replaces one range in place.
    fn replace(&mut self, Change { at, removed, inserted }: &Change) {
        let end = at + removed.len();
        let (first, last) = (self.line_at(*at), self.line_at(end));
        self.text.replace_range(*at..end, inserted);
        let fresh = memchr_iter(b'\n', inserted.as_bytes()).map(|offset| position(at + offset + 1));
        let count = fresh.clone().count();
        self.starts.splice(first + 1..last + 1, fresh);
        // Wrapping arithmetic adds a negative difference too.
        let difference = position(inserted.len()).wrapping_sub(position(removed.len()));
        if difference != 0 {
            for start in &mut self.starts[first + 1 + count..] {
                *start = start.wrapping_add(difference);
            }
        }
    }

    /// Replaces many ranges in one pass.
    fn rebuild(&mut self, changes: &[Change]) {
        let (mut text, mut kept) = (String::with_capacity(self.end()), 0);
        for Change { at, removed, inserted } in changes {
            text.push_str(self.slice(kept..*at));
            text.push_str(inserted);
            kept = at + removed.len();
        }
        text.push_str(self.slice(kept..self.end()));
        *self = Self::new(text);
    }
}

/// Returns the changes that take these back.
pub fn inverse(changes: &[Change]) -> Vec<Change> {
    let (mut added, mut gone) = (0, 0);
    let back = |Change { at, removed, inserted }: &Change| {
        let change = Change { at: at + added - gone, removed: inserted.clone(), inserted: removed.clone() };
        (added, gone) = (added + inserted.len(), gone + removed.len());
        change
    };
    changes.iter().map(back).collect()
}

/// Returns the starts of the lines of a text.
fn starts_of(text: &str) -> Vec<u32> {
    let breaks = memchr_iter(b'\n', text.as_bytes()).map(|offset| position(offset + 1));
    std::iter::once(0).chain(breaks).collect()
}

/// No text is as long as 4 GiB.
fn position(byte: usize) -> u32 {
    u32::try_from(byte).unwrap_or(u32::MAX)
}
