//! Undo and redo of typing.
//!
//! What must hold: undoing every step leads to the text before the first; what was undone can be redone until something
//! else is typed; memory is bounded.

use super::buffer::{Change, inverse};
use super::document::Selection;

/// How long typing may pause within one step, in seconds.
const PAUSE: f64 = 1.0;
/// The most bytes that steps keep; the oldest are forgotten.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// The most steps.
const MAX_STEPS: usize = 10_000;

/// What a step does, which decides what joins it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// Characters typed one after the other.
    Typing,
    /// Characters deleted one after the other.
    Deleting,
    /// Anything else, a step of its own.
    Other,
}

/// Changes that are undone together.
#[derive(Clone, Debug)]
pub struct Step {
    kind: StepKind,
    changes: Vec<Change>,
    before: Selection,
    after: Selection,
    /// When it was made last, in seconds.
    time: f64,
}

/// The steps before and after the current text.
#[derive(Clone, Debug, Default)]
pub struct History {
    undone: Vec<Step>,
    done: Vec<Step>,
    bytes: usize,
    /// Whether the next change begins a step, whatever it is.
    closed: bool,
}

impl Step {
    /// A step that was made at a time, in seconds.
    pub fn new(kind: StepKind, changes: Vec<Change>, (before, after): (Selection, Selection), time: f64) -> Self {
        Self { kind, changes, before, after, time }
    }

    fn bytes(&self) -> usize {
        self.changes.iter().map(|change| change.removed.len() + change.inserted.len() + size_of::<Change>()).sum()
    }

    /// Adds the next step to this one if they belong together; returns it otherwise.
    fn join(&mut self, next: Step) -> Option<Step> {
        let joins = self.kind == next.kind && next.time - self.time <= PAUSE && self.after == next.before;
        let ([own], [new]) = (&mut self.changes[..], &next.changes[..]) else { return Some(next) };
        let done = joins
            && match self.kind {
                StepKind::Typing => join_typing(own, new),
                StepKind::Deleting => join_deleting(own, new),
                StepKind::Other => false,
            };
        if !done {
            return Some(next);
        }
        (self.after, self.time) = (next.after, next.time);
        None
    }
}

/// Adds typed characters to a word. A word after a space begins another step.
fn join_typing(own: &mut Change, new: &Change) -> bool {
    let begins_word = own.inserted.ends_with(char::is_whitespace) && !new.inserted.starts_with(char::is_whitespace);
    let follows = new.at == own.at + own.inserted.len() && new.removed.is_empty();
    if follows && !begins_word {
        own.inserted.push_str(&new.inserted);
    }
    follows && !begins_word
}

/// Adds deleted characters before or after those that are gone.
fn join_deleting(own: &mut Change, new: &Change) -> bool {
    if new.at + new.removed.len() == own.at {
        own.removed.insert_str(0, &new.removed);
        own.at = new.at;
        return true;
    }
    if new.at == own.at {
        own.removed.push_str(&new.removed);
        return true;
    }
    false
}

impl History {
    /// Records a step; what was undone cannot be redone any more.
    pub fn push(&mut self, step: Step) {
        self.undone.clear();
        let bytes = step.bytes();
        let joined = !std::mem::take(&mut self.closed);
        let left = match self.done.last_mut().filter(|_| joined) {
            Some(last) => last.join(step),
            None => Some(step),
        };
        self.done.extend(left);
        self.bytes += bytes;
        while (self.bytes > MAX_BYTES || self.done.len() > MAX_STEPS) && self.done.len() > 1 {
            self.bytes = self.bytes.saturating_sub(self.done.remove(0).bytes());
        }
    }

    /// Makes the next change a step of its own.
    pub fn close(&mut self) {
        self.closed = true;
    }

    /// Returns whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    /// Returns whether there is something to redo.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Takes back the last step: returns the changes to apply, and the selection before it.
    pub fn undo(&mut self) -> Option<(Vec<Change>, Selection)> {
        let step = self.done.pop()?;
        self.closed = true;
        let back = (inverse(&step.changes), step.before);
        self.undone.push(step);
        Some(back)
    }

    /// Makes the last step that was taken back again: returns the changes to apply, and the selection after it.
    pub fn redo(&mut self) -> Option<(Vec<Change>, Selection)> {
        let step = self.undone.pop()?;
        self.closed = true;
        let again = (step.changes.clone(), step.after);
        self.done.push(step);
        Some(again)
    }
}
