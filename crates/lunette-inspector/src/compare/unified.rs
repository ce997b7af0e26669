//! The comparison of two texts in the unified format, as `diff -u` and `git diff` print it.

use std::fmt::Write as _;
use std::ops::Range;

use super::lines::{Lines, TextDiff};
use super::rows::CONTEXT;

/// Returns the changed parts in the unified format, without the two lines that name the sides; empty if nothing
/// differs.
pub fn unified(diff: &TextDiff) -> String {
    let mut text = String::new();
    let mut first = 0;
    while first < diff.hunks.len() {
        let near = |next: &usize| diff.gap(*next)[0].len() as u32 <= 2 * CONTEXT;
        let end = (first + 1..diff.hunks.len()).take_while(near).last().unwrap_or(first) + 1;
        add_group(&mut text, diff, first..end);
        first = end;
    }
    text
}

/// Adds some changed parts that share their context.
fn add_group(text: &mut String, diff: &TextDiff, hunks: Range<usize>) {
    let (before, after) = (diff.gap(hunks.start), diff.gap(hunks.end));
    let lead = (before[0].len() as u32).min(CONTEXT);
    let trail = (after[0].len() as u32).min(CONTEXT);
    let lines = [0, 1].map(|side| before[side].end - lead..after[side].start + trail);
    let [left, right] = lines.map(|lines| position(&lines));
    // Writing to a string does not fail.
    writeln!(text, "@@ -{left} +{right} @@").ok();
    let end = before[0].end;
    add_lines(text, ' ', &diff.lines[0], end - lead..end);
    for index in hunks.clone() {
        let hunk = &diff.hunks[index];
        add_lines(text, '-', &diff.lines[0], hunk.lines[0].clone());
        add_lines(text, '+', &diff.lines[1], hunk.lines[1].clone());
        let gap = diff.gap(index + 1)[0].clone();
        let end = if index + 1 == hunks.end { gap.start + trail } else { gap.end };
        add_lines(text, ' ', &diff.lines[0], gap.start..end);
    }
}

/// Returns the first line and how many there are, as `diff -u` says it.
fn position(lines: &Range<u32>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

fn add_lines(text: &mut String, sign: char, lines: &Lines, range: Range<u32>) {
    for line in range {
        let line = lines.line(line);
        text.push(sign);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}
