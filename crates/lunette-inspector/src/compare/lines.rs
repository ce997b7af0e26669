//! Two texts compared line by line.
//!
//! What must hold: the lines between two changed parts are equal on both sides; taking all changed parts from one side
//! gives its text, byte for byte, unless whitespace is ignored.

use std::ops::Range;
use std::sync::Arc;

use imara_diff::{Algorithm, Diff, InternedInput};

use super::side::Position;

/// If more lines than this differ between the common beginning and end of two texts, they are one change as a whole.
pub const MAX_LINES: usize = 1_000_000;

/// If this many pairs of a line of one text and a line of the other are equal, they are one change as a whole too: two
/// texts of a few lines that repeat in no order take time in proportion to the square of their sizes. 63,000 lines each
/// of eight different ones in random order have as many.
const MAX_EQUAL_PAIRS: u64 = 500_000_000;

/// How whitespace is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whitespace {
    /// As it is.
    #[default]
    Exact,
    /// Lines are equal if they differ in nothing but whitespace.
    Ignored,
}

/// A text and where its lines begin. A line ends with its line feed; the last one may have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    text: Arc<str>,
    /// Where each line begins, and the length of the text.
    starts: Vec<u32>,
}

impl Lines {
    /// Finds the lines of a text of less than 4 GiB.
    pub fn of(text: Arc<str>) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1));
        if starts.last() != Some(&(text.len() as u32)) {
            starts.push(text.len() as u32);
        }
        Self { text, starts }
    }

    /// The number of lines; an empty text has none.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// A line with its end; empty beyond the last.
    pub fn line(&self, line: u32) -> &str {
        self.range(line..line + 1)
    }

    /// Some lines with their ends.
    pub fn range(&self, lines: Range<u32>) -> &str {
        let start = |line: u32| self.starts.get(line as usize).map_or(self.text.len(), |start| *start as usize);
        self.text.get(start(lines.start)..start(lines.end)).unwrap_or_default()
    }

    /// Where a line begins in the text.
    pub fn start(&self, line: u32) -> usize {
        self.starts.get(line as usize).map_or(self.text.len(), |start| *start as usize)
    }

    /// The line that has this byte of the text.
    pub fn line_at(&self, offset: usize) -> u32 {
        let after = self.starts.partition_point(|start| *start as usize <= offset);
        after.saturating_sub(1).min(self.len().saturating_sub(1)) as u32
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as u32).map(|line| self.line(line))
    }

    /// The text without any whitespace but the line feeds.
    fn without_whitespace(&self) -> Self {
        let mut text = String::with_capacity(self.text.len());
        let mut starts = Vec::with_capacity(self.starts.len());
        for line in self.iter() {
            starts.push(text.len() as u32);
            text.extend(line.chars().filter(|letter| !letter.is_whitespace()));
        }
        starts.push(text.len() as u32);
        Self { text: text.into(), starts }
    }
}

/// A changed part: these lines of the left side are replaced by these of the right one. One of them may be empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hunk {
    /// The lines of each side, counted from 0.
    pub lines: [Range<u32>; 2],
}

/// Two texts and how their lines differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextDiff {
    /// The lines of each side.
    pub lines: [Lines; 2],
    /// The changed parts, in order.
    pub hunks: Vec<Hunk>,
    /// Whether too many lines differ for them to be compared one by one, so that the only changed part is all between
    /// the common beginning and end.
    pub coarse: bool,
}

impl TextDiff {
    /// Compares two texts.
    pub fn of(left: Arc<str>, right: Arc<str>, whitespace: Whitespace) -> Self {
        let lines = [Lines::of(left), Lines::of(right)];
        let (hunks, coarse) = match whitespace {
            Whitespace::Exact => hunks(&lines),
            Whitespace::Ignored => hunks(&lines.each_ref().map(Lines::without_whitespace)),
        };
        Self { lines, hunks, coarse }
    }

    /// The lines of one side.
    pub fn side(&self, at: Position) -> &Lines {
        &self.lines[at.index()]
    }

    /// How many lines the right side alone has, and how many the left one.
    pub fn added_and_removed(&self) -> (usize, usize) {
        let count = |at: Position| self.hunks.iter().map(|hunk| hunk.lines[at.index()].len()).sum();
        (count(Position::Right), count(Position::Left))
    }

    /// Returns the lines that are equal before a hunk, or after the last one, by its index.
    pub fn gap(&self, index: usize) -> [Range<u32>; 2] {
        [0, 1].map(|side| {
            let start =
                index.checked_sub(1).and_then(|before| self.hunks.get(before)).map_or(0, |hunk| hunk.lines[side].end);
            let end = self.hunks.get(index).map_or(self.lines[side].len() as u32, |hunk| hunk.lines[side].start);
            start..end
        })
    }

    /// Returns the text of one side with some changed parts, by their indices, taken from the other.
    pub fn with_hunks(&self, into: Position, taken: impl Fn(usize) -> bool) -> String {
        let (to, from) = (into.index(), into.other().index());
        let mut text = String::with_capacity(self.lines[to].text.len());
        for index in 0..=self.hunks.len() {
            text.push_str(self.lines[to].range(self.gap(index)[to].clone()));
            if let Some(hunk) = self.hunks.get(index) {
                let of = if taken(index) { from } else { to };
                text.push_str(self.lines[of].range(hunk.lines[of].clone()));
            }
        }
        text
    }
}

/// Returns the changed parts, and whether they are coarse.
fn hunks(lines: &[Lines; 2]) -> (Vec<Hunk>, bool) {
    let [left, right] = lines;
    let (common, ends) = common_ends(left, right);
    let changed = [left, right].map(|lines| common..lines.len() as u32 - ends);
    if changed.iter().all(Range::is_empty) {
        return (Vec::new(), false);
    }
    if changed.iter().any(Range::is_empty) {
        return (vec![Hunk { lines: changed }], false);
    }
    if changed.iter().any(|lines| lines.len() > MAX_LINES) {
        return (vec![Hunk { lines: changed }], true);
    }
    let mut input = InternedInput::<&str>::default();
    input.update_before(changed[0].clone().map(|line| left.line(line)));
    input.update_after(changed[1].clone().map(|line| right.line(line)));
    if equal_pairs(&input) > MAX_EQUAL_PAIRS {
        return (vec![Hunk { lines: changed }], true);
    }
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let moved = |range: Range<u32>| range.start + common..range.end + common;
    (diff.hunks().map(|hunk| Hunk { lines: [moved(hunk.before), moved(hunk.after)] }).collect(), false)
}

/// Returns how many pairs of a line of one side and a line of the other are equal.
fn equal_pairs(input: &InternedInput<&str>) -> u64 {
    let mut counts = vec![[0_u64; 2]; input.interner.num_tokens() as usize];
    for (side, tokens) in [&input.before, &input.after].into_iter().enumerate() {
        for token in tokens {
            if let Some(count) = counts.get_mut(token.0 as usize) {
                count[side] += 1;
            }
        }
    }
    counts.iter().map(|[left, right]| left * right).sum()
}

/// Returns how many lines are equal at the beginning, and how many of the others at the end.
fn common_ends(left: &Lines, right: &Lines) -> (u32, u32) {
    let least = left.len().min(right.len()) as u32;
    let common = (0..least).take_while(|line| left.line(*line) == right.line(*line)).count() as u32;
    let ends = (0..least - common)
        .take_while(|back| {
            let last = |lines: &Lines| lines.len() as u32 - 1 - back;
            left.line(last(left)) == right.line(last(right))
        })
        .count() as u32;
    (common, ends)
}
