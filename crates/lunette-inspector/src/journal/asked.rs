//! The steps that assistants asked for, and how far each was undone, read from the lines of the journal.
//!
//! What must hold: each line is read once; the values of changes are not kept in memory.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::db::journal::{StepLines, StepStore};
use crate::db::{Database, DatabaseError};
use crate::journal::disk::KEPT;
use crate::journal::{AskedBy, Attempt, EntryId, EntryRelation, Outcome, undone_by};

/// The steps of one connection that assistants asked for.
#[derive(Debug)]
pub(crate) struct AskedSteps {
    store: StepStore,
    /// The number of the last line that was read; `None` before the first read.
    at: Option<i64>,
    steps: HashMap<EntryId, AskedStep>,
    /// The steps of each proposal, oldest first.
    of_proposal: BTreeMap<AskedBy, Vec<EntryId>>,
    /// The step that each undo and redo concerns.
    targets: HashMap<EntryId, EntryId>,
}

/// A step that an assistant asked for.
#[derive(Debug)]
pub(crate) struct AskedStep {
    made: Extent,
    /// Whether its outcome was unknown at first.
    was_unknown: bool,
    /// What undid and redid it, oldest first.
    answers: Vec<Extent>,
}

/// How far a step came.
#[derive(Debug)]
struct Extent {
    id: EntryId,
    answers: EntryRelation,
    outcome: Outcome,
    /// The number of assets of a batch; `None` for a single step.
    batch: Option<usize>,
}

impl Extent {
    fn attempt(&self) -> Attempt<'_> {
        Attempt { answers: self.answers, outcome: &self.outcome, batch: self.batch }
    }
}

impl AskedStep {
    /// How many of its assets it changed; none as long as its outcome is unknown.
    pub fn done(&self) -> usize {
        self.made.attempt().done_of().map_or(0, |(done, _)| done)
    }

    /// Whether it is a single step that failed.
    pub fn is_failed(&self) -> bool {
        matches!(self.made.outcome, Outcome::Failed(_))
    }

    /// Whether it has no known outcome.
    pub fn is_open(&self) -> bool {
        matches!(self.made.outcome, Outcome::Sending | Outcome::Unknown(_))
    }

    /// Whether its outcome was unknown until its asset was read again.
    pub fn was_unknown(&self) -> bool {
        self.was_unknown && !self.is_open()
    }

    /// How many of its assets are undone; `None` if all of them are.
    pub fn undone(&self) -> Option<usize> {
        match undone_by(self.answers.iter().map(Extent::attempt)) {
            (true, _) => None,
            (false, partly) => Some(partly.map_or(0, |partly| partly.undone)),
        }
    }
}

impl AskedSteps {
    /// Those of a connection; nothing is read yet.
    pub fn of(database: Arc<Database>, connection: &str) -> Self {
        let store = StepStore::of(database, connection);
        let (at, steps, of_proposal, targets) = Default::default();
        Self { store, at, steps, of_proposal, targets }
    }

    /// Reads the lines that were added since the last call. Blocks.
    pub fn catch_up(&mut self) -> Result<(), DatabaseError> {
        let read = match self.at {
            Some(at) => self.store.after(at)?,
            // As many as the history has.
            None => self.store.newest(KEPT.entries.saturating_mul(3), KEPT.bytes)?,
        };
        self.take_all(&read);
        Ok(())
    }

    /// The steps of a proposal, oldest first; none if they are no longer in the journal.
    pub fn of_proposal(&self, by: &AskedBy) -> Vec<&AskedStep> {
        let ids = self.of_proposal.get(by).map(Vec::as_slice).unwrap_or_default();
        ids.iter().filter_map(|id| self.steps.get(id)).collect()
    }

    fn take_all(&mut self, read: &StepLines) {
        self.at = Some(self.at.unwrap_or_default());
        for (number, text) in &read.lines {
            self.at = Some(*number);
            // Damaged lines are reported when the journal is opened.
            if let Ok(line) = serde_json::from_str(text) {
                self.take(line);
            }
        }
    }

    fn take(&mut self, line: Line) {
        match line {
            Line::Begin(Begin { id, kind, answers, asked_by }) => {
                let batch = match kind {
                    Kind::Batch { count } => Some(count),
                    Kind::Change(_) | Kind::Call(_) => None,
                };
                let extent = Extent { id, answers, outcome: Outcome::Sending, batch };
                match (answers, asked_by) {
                    (EntryRelation::None, Some(by)) => self.begin(by, extent),
                    (EntryRelation::None, None) => {}
                    (EntryRelation::Undoes(target) | EntryRelation::Redoes(target), _) => self.answer(target, extent),
                }
            }
            Line::End(End { id, outcome }) => self.end(id, outcome),
        }
    }

    fn begin(&mut self, by: AskedBy, made: Extent) {
        self.of_proposal.entry(by).or_default().push(made.id);
        self.steps.insert(made.id, AskedStep { made, was_unknown: false, answers: Vec::new() });
    }

    fn answer(&mut self, target: EntryId, extent: Extent) {
        let Some(step) = self.steps.get_mut(&target) else { return };
        self.targets.insert(extent.id, target);
        step.answers.push(extent);
    }

    fn end(&mut self, id: EntryId, outcome: Outcome) {
        let of = self.targets.get(&id).copied().unwrap_or(id);
        let Some(step) = self.steps.get_mut(&of) else { return };
        if of == id {
            step.was_unknown |= matches!(step.made.outcome, Outcome::Unknown(_));
            step.made.outcome = outcome;
        } else if let Some(answer) = step.answers.iter_mut().find(|answer| answer.id == id) {
            answer.outcome = outcome;
        }
    }
}

/// A line of the journal without the values of its change.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Begin(Begin),
    End(End),
}

#[derive(Deserialize)]
struct Begin {
    id: EntryId,
    #[serde(rename = "deed")]
    kind: Kind,
    answers: EntryRelation,
    #[serde(default)]
    asked_by: Option<AskedBy>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Change(IgnoredAny),
    Batch { count: usize },
    Call(IgnoredAny),
}

#[derive(Deserialize)]
struct End {
    id: EntryId,
    outcome: Outcome,
}
