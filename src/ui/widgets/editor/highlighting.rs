//! The colours of a text while it is edited, line by line.
//!
//! What is known at the beginning of each line is kept. After a change, lines are read again from there on until one
//! ends as it did before. What must hold: a frame takes bounded work, whatever the text; what is not read yet is drawn
//! as it was, or in one colour; once nothing is left to read, the colours are those of reading from the beginning. Known
//! limit: after a jump of more than `KEPT` lines over text that was never read, reading begins shortly above the
//! visible lines as if nothing had been opened before.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lunette_inspector::highlighting::{TokenClass, classes};
use lunette_syntax::{Budget, Highlighter, LineState, Syntax};

use super::buffer::{Buffer, ChangedLines};

/// How long lines are read in one frame.
const FRAME: Duration = Duration::from_millis(4);
/// The work that one line may take; beyond it the line is plain.
const LINE_WORK: u64 = 1_000_000;
/// Longer lines, in bytes, are plain.
const MAX_LINE: usize = 4_000;
/// How far above the visible lines reading begins where nothing is known yet, in lines.
const LEAD: usize = 200;
/// How many lines around the visible ones keep their colours.
const KEPT: usize = 2_000;

/// Runs of a line, in bytes of the line.
pub type Runs = Arc<[(Range<u32>, TokenClass)]>;

/// What is known of a line.
#[derive(Clone, Debug, Default)]
struct Line {
    /// What is known where it begins.
    state: Option<Arc<LineState>>,
    runs: Option<Runs>,
}

/// Lines that have to be read again.
#[derive(Clone, Copy, Debug)]
struct Outdated {
    line: usize,
    /// Nothing is known of the lines before this one; from there on, those are outdated that begin otherwise.
    until: usize,
}

/// The colours of a text.
#[derive(Debug)]
pub struct Highlighting {
    highlighter: Option<Highlighter>,
    lines: Vec<Line>,
    /// The lines from which on the states may be outdated, in ascending order.
    outdated: Vec<Outdated>,
    /// The lines that may have runs.
    coloured: Range<usize>,
}

impl Highlighting {
    /// The colours of a text in a language; plain without one.
    pub fn new(buffer: &Buffer, syntax: Option<Syntax>) -> Self {
        let highlighter = syntax.map(Highlighter::new);
        let mut lines = vec![Line::default(); if highlighter.is_some() { buffer.line_count() } else { 0 }];
        if let (Some(first), Some(highlighter)) = (lines.first_mut(), &highlighter) {
            first.state = Some(Arc::new(highlighter.state()));
        }
        Self { highlighter, lines, outdated: Vec::new(), coloured: 0..0 }
    }

    /// Records that lines were replaced.
    pub fn change(&mut self, ChangedLines { first, removed, added }: ChangedLines) {
        if self.highlighter.is_none() {
            return;
        }
        // The first line still begins as it did; the last one that was replaced ends in an unknown state.
        let state = self.lines.get(first).and_then(|line| line.state.clone());
        let fresh = (0..added).map(|_| Line::default());
        let end = (first + removed).min(self.lines.len());
        self.lines.splice(first.min(end)..end, fresh);
        if let Some(line) = self.lines.get_mut(first) {
            line.state = state;
        }
        let last = first + added - 1;
        // An older entry among the replaced lines goes on below them.
        let within = |line: usize| first <= line && line < first + removed;
        let until = self.outdated.iter().filter(|old| within(old.line)).map(|old| old.until).max().unwrap_or_default();
        self.outdated.retain(|old| !within(old.line));
        let moved = |line: usize| if line > first { (line + added).saturating_sub(removed) } else { line };
        for old in &mut self.outdated {
            (old.line, old.until) = (moved(old.line), moved(old.until));
        }
        self.outdated.push(Outdated { line: first, until: (last + 1).max(moved(until)) });
        self.outdated.sort_unstable_by_key(|old| old.line);
        let moved = |line: usize| if line <= first { line } else { (line + added).saturating_sub(removed).max(first) };
        self.coloured = moved(self.coloured.start)..moved(self.coloured.end).max(last + 1);
    }

    /// Reads what is needed for the visible lines, as far as a frame allows; returns whether something is left to read.
    pub fn advance(&mut self, buffer: &Buffer, visible: Range<usize>) -> bool {
        self.advance_until(buffer, visible, Instant::now().checked_add(FRAME))
    }

    /// Returns the runs of a line; `None` if it is plain or not read yet.
    pub fn runs(&self, line: usize) -> Option<&Runs> {
        self.lines.get(line)?.runs.as_ref()
    }

    fn advance_until(&mut self, buffer: &Buffer, visible: Range<usize>, end: Option<Instant>) -> bool {
        if self.highlighter.is_none() {
            return false;
        }
        self.forget_far(&visible);
        let late = || end.is_some_and(|end| Instant::now() >= end);
        let near = visible.start.saturating_sub(KEPT)..visible.end;
        while let Some(index) = self.outdated.iter().position(|outdated| near.contains(&outdated.line)) {
            if late() {
                return true;
            }
            self.read_outdated(buffer, index);
        }
        let mut line = self.first_known(&visible);
        while line < visible.end.min(self.lines.len()) {
            if self.lines[line].runs.is_none() || self.lines.get(line + 1).is_some_and(|next| next.state.is_none()) {
                if late() {
                    return true;
                }
                let state = self.read(buffer, line);
                self.continue_with(line + 1, state);
            }
            line += 1;
        }
        false
    }

    /// Drops the colours of lines far from the visible ones.
    fn forget_far(&mut self, visible: &Range<usize>) {
        let kept = visible.start.saturating_sub(KEPT)..visible.end.saturating_add(KEPT);
        let coloured = std::mem::replace(&mut self.coloured, visible.clone());
        for line in coloured.clone().filter(|line| !kept.contains(line)) {
            if let Some(line) = self.lines.get_mut(line) {
                line.runs = None;
            }
        }
        let all = coloured.start.min(visible.start)..coloured.end.max(visible.end);
        self.coloured = all.start.max(kept.start)..all.end.min(kept.end);
    }

    /// Reads a line that may be outdated, and goes on to the next one if that begins otherwise than before.
    fn read_outdated(&mut self, buffer: &Buffer, index: usize) {
        let Outdated { line, until } = self.outdated.remove(index);
        let Some(state) = self.read(buffer, line) else { return };
        let differs = self.continue_with(line + 1, Some(state));
        if line + 1 >= self.lines.len() || (line + 1 >= until && !differs) {
            return;
        }
        match self.outdated.get_mut(index).filter(|next| next.line == line + 1) {
            Some(next) => next.until = next.until.max(until),
            None => self.outdated.insert(index, Outdated { line: line + 1, until }),
        }
    }

    /// Sets what is known where a line begins; returns whether something else was known.
    fn continue_with(&mut self, line: usize, state: Option<Arc<LineState>>) -> bool {
        let Some(line) = self.lines.get_mut(line).filter(|line| line.state != state) else { return false };
        line.runs = None;
        std::mem::replace(&mut line.state, state).is_some()
    }

    /// Returns the line from which on the visible ones can be read.
    fn first_known(&mut self, visible: &Range<usize>) -> usize {
        let start = visible.start.min(self.lines.len().saturating_sub(1));
        let lead = start.saturating_sub(KEPT);
        let known = (lead..=start).rev().find(|line| self.lines.get(*line).is_some_and(|line| line.state.is_some()));
        known.unwrap_or_else(|| {
            let from = start.saturating_sub(LEAD);
            let state = self.lines.first().and_then(|line| line.state.clone());
            if let Some(line) = self.lines.get_mut(from) {
                line.state = state;
            }
            from
        })
    }

    /// Reads a line: sets its runs, and returns what is known where the next one begins.
    fn read(&mut self, buffer: &Buffer, number: usize) -> Option<Arc<LineState>> {
        let line = self.lines.get_mut(number)?;
        let state = line.state.clone()?;
        let text = buffer.line(number);
        let highlighter = self.highlighter.as_mut()?;
        highlighter.resume(&state);
        let short = text.len() <= MAX_LINE;
        let mut budget = Budget::of_work(LINE_WORK);
        let read = short.then(|| highlighter.line(text, classes(), &mut budget).ok()).flatten();
        // A line that cannot be read ends as it began.
        let Some(tokens) = read else {
            line.runs = Some(Arc::from([(0..offset(text.len()), TokenClass::Plain)]));
            return Some(state);
        };
        let run = |(bytes, class): (Range<usize>, TokenClass)| (offset(bytes.start)..offset(bytes.end), class);
        line.runs = Some(tokens.into_iter().map(run).collect());
        let next = highlighter.state();
        // Most lines end as they begin: they share what is kept.
        Some(if next == *state { state } else { Arc::new(next) })
    }
}

/// No line that has runs is as long as 4 GiB.
fn offset(byte: usize) -> u32 {
    u32::try_from(byte).unwrap_or(u32::MAX)
}
