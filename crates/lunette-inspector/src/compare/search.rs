//! Searching both texts of a comparison.

use std::ops::Range;

use super::lines::TextDiff;
use super::side::Position;

/// The most places that are found.
pub const MAX_FOUND: usize = 10_000;

/// A place that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// On which side.
    pub at: Position,
    /// In which line, from 0.
    pub line: u32,
    /// The bytes of the line.
    pub range: Range<usize>,
}

/// Returns the places of a text on both sides, by line; ASCII letters in either case. At most [`MAX_FOUND`].
pub fn find(diff: &TextDiff, wanted: &str) -> Vec<Found> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let wanted = wanted.to_ascii_lowercase();
    let finder = memchr::memmem::Finder::new(&wanted);
    let mut found = Vec::new();
    for at in Position::ALL {
        let lines = diff.side(at);
        let text = lines.text().to_ascii_lowercase();
        for start in finder.find_iter(text.as_bytes()).take(MAX_FOUND / 2) {
            let line = lines.line_at(start);
            let start = start - lines.start(line);
            found.push(Found { at, line, range: start..start + wanted.len() });
        }
    }
    found.sort_by_key(|found| (order(diff, found), found.at, found.line));
    found
}

/// Returns a number by which lines of both sides come in the order in which they are drawn: the index of the changed
/// part or gap.
fn order(diff: &TextDiff, found: &Found) -> (usize, bool, u32) {
    let side = found.at.index();
    let hunk = diff.hunks.partition_point(|hunk| hunk.lines[side].end <= found.line);
    let within = diff.hunks.get(hunk).is_some_and(|hunk| hunk.lines[side].contains(&found.line));
    let gap = diff.gap(hunk)[side].start;
    (hunk, within, if within { 0 } else { found.line.saturating_sub(gap) })
}
