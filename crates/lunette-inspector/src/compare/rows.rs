//! The rows in which the comparison of two texts is drawn: side by side or below each other, with equal parts folded.
//!
//! What must hold: rows are found by their index without visiting the others, so that any number of lines can be
//! scrolled through.

use std::collections::BTreeSet;
use std::ops::Range;

use super::lines::TextDiff;
use super::side::Position;

/// How many equal lines are shown before and after a change.
pub const CONTEXT: u32 = 3;
/// Fewer lines than this are not folded, since the fold takes a row itself.
const SHORTEST_FOLD: u32 = 2;

/// How the two texts are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Layout {
    /// The left text on the left, the right one beside it.
    #[default]
    SideBySide,
    /// The lines of the left side above those of the right one that replace them.
    Inline,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// A line that both sides have: its number on each side, from 0.
    Equal([u32; 2]),
    /// A line of a changed part: the index of the part, and the lines; one of them may be missing.
    Changed(usize, [Option<u32>; 2]),
    /// Equal lines that are folded: the index of the gap between changed parts, and the lines of each side.
    Fold(usize, [Range<u32>; 2]),
}

/// The rows of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    segments: Vec<Segment>,
    count: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Segment {
    /// Its first row.
    row: usize,
    kind: Kind,
    lines: [Range<u32>; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Equal,
    Fold(usize),
    /// The changed part with this index, with its lines beside each other.
    Beside(usize),
    /// The changed part with this index, with those of the left side above those of the right one.
    Below(usize),
}

impl Rows {
    /// Makes the rows; the equal lines of these gaps are unfolded.
    pub fn of(diff: &TextDiff, layout: Layout, unfolded: &BTreeSet<usize>) -> Self {
        let mut rows = Self::default();
        for index in 0..=diff.hunks.len() {
            rows.add_gap(diff, index, unfolded.contains(&index));
            if let Some(hunk) = diff.hunks.get(index) {
                let kind = match layout {
                    Layout::SideBySide => Kind::Beside(index),
                    Layout::Inline => Kind::Below(index),
                };
                rows.add(kind, hunk.lines.clone());
            }
        }
        rows
    }

    fn add_gap(&mut self, diff: &TextDiff, index: usize, unfolded: bool) {
        let lines = diff.gap(index);
        let before = if index == 0 { 0 } else { CONTEXT };
        let after = if index == diff.hunks.len() { 0 } else { CONTEXT };
        let count = lines[0].len() as u32;
        if unfolded || count < before + after + SHORTEST_FOLD {
            return self.add(Kind::Equal, lines);
        }
        let [left, right] = &lines;
        let part = |from: u32, to: u32| [left.start + from..left.start + to, right.start + from..right.start + to];
        self.add(Kind::Equal, part(0, before));
        self.add(Kind::Fold(index), part(before, count - after));
        self.add(Kind::Equal, part(count - after, count));
    }

    fn add(&mut self, kind: Kind, lines: [Range<u32>; 2]) {
        let [left, right] = [lines[0].len(), lines[1].len()];
        let count = match kind {
            Kind::Equal => left,
            Kind::Fold(_) => 1,
            Kind::Beside(_) => left.max(right),
            Kind::Below(_) => left + right,
        };
        if count > 0 {
            self.segments.push(Segment { row: self.count, kind, lines });
            self.count += count;
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no rows: both texts are empty.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns a row; `None` beyond the last.
    pub fn get(&self, row: usize) -> Option<Row> {
        let after = self.segments.partition_point(|segment| segment.row <= row);
        let Segment { row: first, kind, lines: [left, right] } = self.segments.get(after.checked_sub(1)?)?;
        let index = u32::try_from(row - first).ok().filter(|_| row < self.count)?;
        let at = |lines: &Range<u32>, index: u32| Some(lines.start + index).filter(|line| *line < lines.end);
        Some(match kind {
            Kind::Equal => Row::Equal([left.start + index, right.start + index]),
            Kind::Fold(gap) => Row::Fold(*gap, [left.clone(), right.clone()]),
            Kind::Beside(hunk) => Row::Changed(*hunk, [at(left, index), at(right, index)]),
            Kind::Below(hunk) => match index.checked_sub(left.len() as u32) {
                None => Row::Changed(*hunk, [at(left, index), None]),
                Some(index) => Row::Changed(*hunk, [None, at(right, index)]),
            },
        })
    }

    /// Returns the first row of a changed part.
    pub fn row_of_hunk(&self, hunk: usize) -> Option<usize> {
        let of = |segment: &&Segment| matches!(segment.kind, Kind::Beside(index) | Kind::Below(index) if index == hunk);
        self.segments.iter().find(of).map(|segment| segment.row)
    }

    /// Returns the row of a line of one side; that of its fold if it is folded.
    pub fn row_of_line(&self, at: Position, line: u32) -> Option<usize> {
        let segment = self.segments.iter().find(|segment| segment.lines[at.index()].contains(&line))?;
        let index = (line - segment.lines[at.index()].start) as usize;
        Some(match (segment.kind, at) {
            (Kind::Fold(_), _) => segment.row,
            (Kind::Below(_), Position::Right) => segment.row + segment.lines[0].len() + index,
            (Kind::Equal | Kind::Beside(_) | Kind::Below(_), _) => segment.row + index,
        })
    }

    /// Returns the gap in which a line is folded, if it is.
    pub fn fold_of_line(&self, at: Position, line: u32) -> Option<usize> {
        self.segments.iter().find_map(|segment| match segment.kind {
            Kind::Fold(gap) if segment.lines[at.index()].contains(&line) => Some(gap),
            _ => None,
        })
    }
}
