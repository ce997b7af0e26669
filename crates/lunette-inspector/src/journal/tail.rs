//! The lines that other windows add to the journal while this one has it open.
//!
//! What must hold: each line is read once, in order; whether a step may be undone is determined from all lines, so that
//! two windows never both undo it.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::db::journal::StepLines;
use crate::journal::line::{End, JournalLine};
use crate::journal::presence::WindowId;
use crate::journal::replay::NO_ANSWER;
use crate::journal::{Entry, EntryId, EntryRelation, Outcome};

/// An event in another window.
#[derive(Debug, PartialEq)]
pub enum JournalEvent {
    /// It started a step.
    Started(Box<Entry>),
    /// A step ended, or its window was closed and the outcome is unknown.
    Ended(Box<End>),
}

/// How far the journal was read, and what the next write needs of it.
#[derive(Debug, Default)]
pub(super) struct Tail {
    /// The id of this window, whose lines are skipped.
    own: Option<WindowId>,
    /// The number of the last line that was read.
    at: i64,
    /// The version of the database at the last read.
    version: Option<i64>,
    /// The steps that undo or redo another one, in order, and how far they were done.
    answers: Vec<(EntryId, EntryRelation, Extent)>,
    /// Steps of other windows that have not ended.
    open: HashMap<EntryId, Option<WindowId>>,
    /// Events for the window.
    new_events: Vec<JournalEvent>,
}

/// How far a step was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// It failed, or its outcome is unknown.
    Nothing,
    /// It changed some of its assets; the others can still be undone or redone.
    Part,
    /// It changed all of them.
    Whole,
}

impl Extent {
    fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Done => Self::Whole,
            Outcome::Partly { .. } => Self::Part,
            Outcome::Sending | Outcome::Failed(_) | Outcome::Unknown(_) => Self::Nothing,
        }
    }
}

impl Tail {
    /// For a journal that this window has just read up to a line; `open` are the steps in progress in other windows.
    pub fn behind(at: i64, own: WindowId, entries: &[Entry], open: HashMap<EntryId, Option<WindowId>>) -> Self {
        let answers = entries.iter().filter(|entry| entry.answers != EntryRelation::None);
        let answers = answers.map(|entry| (entry.id, entry.answers, Extent::of(&entry.outcome))).collect();
        Self { own: Some(own), at, answers, open, ..Self::default() }
    }

    /// The number of the last line that was read.
    pub fn at(&self) -> i64 {
        self.at
    }

    /// Whether nothing was written since the last read.
    pub fn is_at(&self, version: i64) -> bool {
        self.version == Some(version)
    }

    /// Records that all lines up to this version of the database were read.
    pub fn reached(&mut self, version: i64) {
        self.version = Some(version);
    }

    /// Whether a step of another window is in progress, so that its window must be checked.
    pub fn awaits(&self) -> bool {
        !self.open.is_empty() || !self.new_events.is_empty()
    }

    /// Applies added lines.
    pub fn catch_up(&mut self, read: &StepLines) {
        for (number, text) in &read.lines {
            self.at = *number;
            // Damaged lines are reported when the journal is opened.
            if let Ok(line) = serde_json::from_str(text) {
                self.take(line);
            }
        }
    }

    /// Records that this window added a line.
    pub fn passed(&mut self, line: &JournalLine, number: i64) {
        match line {
            JournalLine::Begin(begin) => self.record_start(begin.id(), begin.answers()),
            JournalLine::End(end) => {
                self.record_end(end.id, &end.outcome);
                self.open.remove(&end.id);
            }
        }
        self.at = number;
    }

    /// The steps in progress whose windows are closed. Must be called before the lines are read that end such steps.
    pub fn orphaned(&self, data: &Path) -> Vec<EntryId> {
        let mut open: HashMap<WindowId, bool> = HashMap::new();
        let mut is_open = |window: WindowId| *open.entry(window).or_insert_with(|| window.is_open(data));
        let gone = self.open.iter().filter(|(_, window)| !window.is_some_and(&mut is_open));
        gone.map(|(id, _)| *id).collect()
    }

    /// Ends these steps with an unknown outcome, unless the lines read since have their end.
    pub fn give_up(&mut self, gone: Vec<EntryId>) {
        for id in gone {
            if self.open.remove(&id).is_some() {
                let outcome = Outcome::Unknown(NO_ANSWER.to_owned());
                self.new_events.push(JournalEvent::Ended(Box::new(End { id, outcome, done: None, at: None })));
            }
        }
    }

    /// Returns what other windows recorded since the last call.
    pub fn take_events(&mut self) -> Vec<JournalEvent> {
        std::mem::take(&mut self.new_events)
    }

    /// Why a step must not undo or redo another one: another window has done so, or is doing so.
    pub fn refuses(&self, answers: EntryRelation) -> Option<&'static str> {
        let target = match answers {
            EntryRelation::None => return None,
            EntryRelation::Undoes(target) | EntryRelation::Redoes(target) => target,
        };
        let of_target: Vec<_> = self.answers.iter().filter(|(_, known, _)| target_of(*known) == Some(target)).collect();
        let undoing = matches!(answers, EntryRelation::Undoes(_));
        if of_target.iter().any(|(id, ..)| self.open.contains_key(id)) {
            return Some("another window is undoing or redoing this step");
        }
        let last = of_target.iter().rev().find(|(.., extent)| *extent != Extent::Nothing);
        match last.map(|(_, known, extent)| (extent, known)) {
            Some((Extent::Whole, EntryRelation::Undoes(_))) if undoing => Some("this step was already undone"),
            Some((Extent::Whole, EntryRelation::Redoes(_))) if !undoing => Some("this step was already redone"),
            _ => None,
        }
    }

    fn take(&mut self, line: JournalLine) {
        match line {
            JournalLine::Begin(begin) => {
                let window = begin.window();
                let Some(entry) = begin.entry() else { return };
                self.record_start(entry.id, entry.answers);
                if window.is_none() || window != self.own {
                    self.open.insert(entry.id, window);
                }
                self.new_events.push(JournalEvent::Started(Box::new(entry)));
            }
            JournalLine::End(end) => {
                self.record_end(end.id, &end.outcome);
                self.open.remove(&end.id);
                self.new_events.push(JournalEvent::Ended(end));
            }
        }
    }

    fn record_start(&mut self, id: EntryId, answers: EntryRelation) {
        if answers != EntryRelation::None && self.answers.iter().all(|(known, ..)| *known != id) {
            self.answers.push((id, answers, Extent::Nothing));
        }
    }

    fn record_end(&mut self, id: EntryId, outcome: &Outcome) {
        if let Some((.., extent)) = self.answers.iter_mut().rev().find(|(known, ..)| *known == id) {
            *extent = Extent::of(outcome);
        }
    }
}

/// Combines events: a step that began and ended since is reported with its last end only.
pub(super) fn folded(changes: Vec<JournalEvent>) -> Vec<JournalEvent> {
    let mut later = HashSet::new();
    let mut events: Vec<JournalEvent> = changes
        .into_iter()
        .rev()
        .filter(|event| match event {
            JournalEvent::Started(_) => true,
            JournalEvent::Ended(end) => later.insert(end.id),
        })
        .collect();
    events.reverse();
    events
}

fn target_of(answers: EntryRelation) -> Option<EntryId> {
    match answers {
        EntryRelation::None => None,
        EntryRelation::Undoes(target) | EntryRelation::Redoes(target) => Some(target),
    }
}
