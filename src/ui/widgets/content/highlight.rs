//! Highlighted code, computed on another thread and drawn line by line.
//!
//! What must hold: highlighting takes bounded work, whatever the text, and can be cancelled. What is not highlighted is
//! shown completely in one colour, and [`Highlighted::note`] says why.

use crate::ui::theme::TokenClass;
use crate::ui::widgets::code::MAX_LENGTH as LONGEST_DRAWN;
use crate::ui::widgets::json_text::json_runs;
use lunette_client::model::size::grouped;
use lunette_inspector::highlighting::{classes, syntax};
use lunette_syntax::{Budget, Highlighter, Stopped};
use std::ops::Range;
use std::sync::Arc;

/// Text beyond this many bytes is drawn in one colour.
pub const MAX_BYTES: usize = 1024 * 1024;
/// Lines beyond this many are drawn in one colour.
pub const MAX_LINES: usize = 20_000;
/// Longer lines, in bytes, are drawn in one colour: patterns take too long on minified code.
pub const MAX_LINE: usize = 4_000;

/// A text, its lines, and the classes of their parts. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Highlighted(Arc<Spans>);

/// Compact, since a text of 16 MB can have as many lines.
#[derive(Debug, Default)]
struct Spans {
    text: Arc<str>,
    /// The start of each line.
    starts: Vec<u32>,
    runs: Vec<Run>,
    /// The end of the runs of each line. Lines after the last of these, and those without runs, are plain.
    run_ends: Vec<u32>,
    longest: usize,
    plain: Option<Plain>,
}

/// Why text is plain although its language has a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plain {
    /// From this line on, starting at 0: the rest would take too long.
    Costly(usize),
    /// From this line on: the text is too long.
    Long(usize),
    /// Some lines are too long.
    Lines,
}

#[derive(Debug)]
struct Run {
    start: u32,
    end: u32,
    class: TokenClass,
}

impl Run {
    fn new(bytes: Range<usize>, class: TokenClass) -> Self {
        Self { start: offset(bytes.start), end: offset(bytes.end), class }
    }

    fn bytes(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// An offset in a text. No displayed text is as long as 4 GiB.
fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

impl Highlighted {
    /// The text in one colour; fast, for showing something while [`highlight`] runs.
    pub fn plain(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let mut parts = Spans::default();
        for bytes in lines(&text) {
            parts.push_line(&text, bytes, Vec::new());
        }
        parts.text = text;
        Highlighted(Arc::new(parts))
    }

    /// Highlights JSON, fast; lines of more than `columns` characters are wrapped. Copying takes the text without the
    /// added line breaks.
    pub fn json(text: impl Into<Arc<str>>, columns: usize) -> Self {
        let text = text.into();
        let runs = json_runs(&text);
        let mut parts = Spans::default();
        let mut first = 0;
        for line in lines(&text) {
            for bytes in pieces(&text, line, columns) {
                first += runs[first..].iter().take_while(|(run, _)| run.end <= bytes.start).count();
                let within = runs[first..].iter().take_while(|(run, _)| run.start < bytes.end);
                let cut = |run: &Range<usize>| run.start.max(bytes.start)..run.end.min(bytes.end);
                let runs = within.map(|(run, class)| Run::new(cut(run), *class)).collect();
                parts.push_line(&text, bytes.clone(), runs);
            }
        }
        parts.text = text;
        Highlighted(Arc::new(parts))
    }

    /// Returns the whole text as it was given.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns whether both are the same text in memory.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the number of lines; an empty text has one.
    pub fn line_count(&self) -> usize {
        self.0.starts.len()
    }

    /// Returns the number of characters of the longest line.
    pub fn longest_line(&self) -> usize {
        self.0.longest
    }

    /// Returns one line without its line break; empty beyond the last.
    pub fn line(&self, line: usize) -> &str {
        self.0.bytes(line).and_then(|bytes| self.0.text.get(bytes)).unwrap_or_default()
    }

    /// Returns the runs of one line in order, covering all of it.
    pub fn runs(&self, line: usize) -> impl Iterator<Item = (&str, TokenClass)> {
        let parts = &*self.0;
        let runs = parts.runs_of(line);
        let plain = (runs.is_empty() && line < parts.starts.len()).then(|| (self.line(line), TokenClass::Plain));
        let text = |run: &Run| parts.text.get(run.bytes()).unwrap_or_default();
        plain.into_iter().chain(runs.iter().map(move |run| (text(run), run.class)))
    }

    /// Returns the runs of these bytes of a line in order, covering all of them, each with its start.
    pub(in crate::ui::widgets) fn runs_within(
        &self,
        line: usize,
        bytes: Range<usize>,
    ) -> impl Iterator<Item = (Range<usize>, TokenClass)> {
        let runs = self.0.runs_of(line);
        let first = runs.partition_point(|run| run.end as usize <= bytes.start);
        let plain = runs.is_empty().then(|| (bytes.clone(), TokenClass::Plain));
        let within = runs[first..].iter().map(|run| (run.bytes(), run.class));
        let cut = move |(run, class): (Range<usize>, TokenClass)| {
            let cut = run.start.max(bytes.start)..run.end.min(bytes.end);
            (cut.start < cut.end).then_some((cut, class))
        };
        plain.into_iter().chain(within).map_while(cut)
    }

    /// Returns the bytes of a line, without its line break; `None` beyond the last.
    pub(in crate::ui::widgets) fn bytes_of(&self, line: usize) -> Option<Range<usize>> {
        self.0.bytes(line)
    }

    /// Returns whether a byte is so far to the right that an unwrapped line does not show it.
    pub fn is_past_shown_columns(&self, byte: usize) -> bool {
        let Some(line) = self.bytes_of(self.line_at(byte)) else { return false };
        byte - line.start.min(byte) >= LONGEST_DRAWN
    }

    /// Returns the byte at which a line begins.
    pub fn line_start(&self, line: usize) -> usize {
        self.bytes_of(line).map_or(self.text().len(), |bytes| bytes.start)
    }

    /// Returns the line of a byte.
    pub fn line_at(&self, byte: usize) -> usize {
        self.0.starts.partition_point(|start| *start as usize <= byte).saturating_sub(1)
    }

    /// Returns why some of the text is not highlighted although it could be, as a sentence.
    pub fn note(&self) -> Option<String> {
        let line = |line: usize| grouped(line as u64 + 1);
        Some(match self.0.plain? {
            Plain::Costly(from) => format!("Not highlighted from line {} on: it would take too long.", line(from)),
            Plain::Long(from) => format!("Not highlighted from line {} on: the text is too long.", line(from)),
            Plain::Lines => format!("Lines of more than {} bytes are not highlighted.", grouped(MAX_LINE as u64)),
        })
    }

    /// Returns the text of some lines, with the line breaks between them.
    pub fn slice(&self, lines: Range<usize>) -> &str {
        let of = |line: usize| self.0.bytes(line);
        match (of(lines.start), lines.end.checked_sub(1).and_then(of)) {
            (Some(first), Some(last)) => self.0.text.get(first.start..last.end).unwrap_or_default(),
            _ => "",
        }
    }
}

impl Spans {
    fn push_line(&mut self, text: &str, bytes: Range<usize>, runs: Vec<Run>) {
        if !runs.is_empty() {
            self.run_ends.resize(self.starts.len(), offset(self.runs.len()));
            self.runs.extend(runs);
            self.run_ends.push(offset(self.runs.len()));
        }
        self.starts.push(offset(bytes.start));
        self.longest = self.longest.max(text[bytes].chars().count());
    }

    /// Returns the range of a line, without its line break; `None` beyond the last.
    fn bytes(&self, line: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(line)? as usize;
        let next = self.starts.get(line + 1).map(|next| *next as usize);
        let text = self.text.get(start..next.unwrap_or(self.text.len()))?;
        let whole = text.strip_suffix('\n');
        let cut = whole.unwrap_or(text);
        // A wrapped line ends where it was wrapped.
        let ends = whole.is_some() || next.is_none();
        let line = if ends { cut.strip_suffix('\r').unwrap_or(cut) } else { cut };
        Some(start..start + line.len())
    }

    fn runs_of(&self, line: usize) -> &[Run] {
        let Some(end) = self.run_ends.get(line) else { return &[] };
        let start = line.checked_sub(1).and_then(|before| self.run_ends.get(before)).copied().unwrap_or_default();
        self.runs.get(start as usize..*end as usize).unwrap_or_default()
    }
}

/// Highlights `text` as the language `specific` (a value of the interface, or a file extension).
///
/// Takes about 40 ms for 1,000 lines, so it should run on another thread. Beyond [`MAX_BYTES`], [`MAX_LINES`] and the
/// budget, in lines over [`MAX_LINE`], and for an unknown language, text is plain.
pub fn highlight(text: impl Into<Arc<str>>, specific: &str, budget: &mut Budget) -> Highlighted {
    let text = text.into();
    let Some(syntax) = syntax(specific) else { return Highlighted::plain(text) };
    let mut parts = Spans::default();
    let mut highlighter = Some(Highlighter::new(syntax));
    for (number, bytes) in lines(&text).enumerate() {
        let mut runs = Vec::new();
        if number >= MAX_LINES || bytes.end > MAX_BYTES {
            parts.plain = parts.plain.filter(|plain| *plain != Plain::Lines).or(Some(Plain::Long(number)));
            highlighter = None;
        } else if bytes.len() > MAX_LINE {
            parts.plain = parts.plain.or(Some(Plain::Lines));
        } else if let Some(running) = &mut highlighter {
            match running.line(&text[bytes.clone()], classes(), budget) {
                Ok(tokens) => runs = tokens.into_iter().map(|token| run(token, bytes.start)).collect(),
                Err(Stopped::Budget | Stopped::Cancelled) => {
                    parts.plain = Some(Plain::Costly(number));
                    highlighter = None;
                }
            }
        }
        parts.push_line(&text, bytes, runs);
    }
    parts.text = text;
    Highlighted(Arc::new(parts))
}

/// A token of a line that begins at this offset.
fn run((range, class): (Range<usize>, TokenClass), start: usize) -> Run {
    Run::new(start + range.start..start + range.end, class)
}

/// Splits a line into pieces of this many characters; at least one.
fn pieces(text: &str, line: Range<usize>, columns: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = Some(line.start);
    std::iter::from_fn(move || {
        let first = start.take()?;
        let end = text[first..line.end].char_indices().nth(columns.max(1)).map_or(line.end, |(end, _)| first + end);
        start = (end < line.end).then_some(end);
        Some(first..end)
    })
}

/// Returns the ranges of the lines, without their line breaks; at least one.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let rest = &text[start..];
        let first = start;
        let end = match rest.find('\n') {
            Some(offset) => {
                start += offset + 1;
                // A line break at the end of a text does not begin another line.
                done = start == text.len();
                first + offset
            }
            None => {
                done = true;
                text.len()
            }
        };
        let end = if text[first..end].ends_with('\r') { end - 1 } else { end };
        Some(first..end)
    })
}

#[cfg(test)]
mod tests;
