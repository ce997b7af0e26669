//! The changes that undo or redo a batch, determined for each row from the batch and the runs that undid and redid it.
//!
//! What must hold: a row is undone only while it is in force and redone only while it is undone, so that nothing is
//! done twice however often a batch is partly undone; a row of unknown outcome is not changed until it was reconciled.

use std::collections::HashMap;
use std::sync::Arc;

use crate::change::{self, Change, Recovery, inverse};
use crate::journal::EntryRelation;
use crate::runs::{AnswerRow, RowStatus, Run, RunRow};

/// Our choice: before an undo or redo that deletes more assets than this, a backup is created.
pub(crate) const FEW_DELETIONS: usize = 5;

/// The status of a row of a batch after all undo and redo runs.
enum RowNow {
    /// Nothing was changed.
    Untouched,
    /// This change was applied, and is in force.
    InForce(Arc<Change>),
    /// It was undone by this change.
    Undone(Arc<Change>),
    /// The outcome is unknown.
    Unclear,
}

/// A batch and the runs that undid or redid it, oldest first.
pub(crate) struct BatchHistory<'a> {
    run: &'a Run,
    rows: Vec<RowNow>,
}

impl<'a> BatchHistory<'a> {
    /// The statuses of the rows of a batch.
    pub fn of(run: &'a Run, answers: &[(EntryRelation, Run)]) -> Self {
        Self { run, rows: rows_now(run, answers) }
    }

    /// The changes that undo the rows in force, in reverse order.
    pub fn undo(&self, recovery: Recovery) -> Vec<AnswerRow> {
        let rows = self.rows.iter().zip(self.run.rows.iter()).enumerate().rev();
        let back = rows.filter_map(|(target, (now, row))| match now {
            RowNow::InForce(change) => Some(answer_row(inverse(change, row.done.as_deref(), recovery)?, row, target)),
            RowNow::Untouched | RowNow::Undone(_) | RowNow::Unclear => None,
        });
        back.collect()
    }

    /// The changes that redo the undone rows.
    pub fn redo(&self, recovery: Recovery) -> Vec<AnswerRow> {
        let rows = self.rows.iter().zip(self.run.rows.iter()).enumerate();
        let again = rows.filter_map(|(target, (now, row))| match now {
            RowNow::Undone(undo) => Some(answer_row(change::redo(undo, row.done.as_deref(), recovery)?, row, target)),
            RowNow::Untouched | RowNow::InForce(_) | RowNow::Unclear => None,
        });
        again.collect()
    }

    /// Whether the batch changed nothing, so that there is nothing to undo.
    pub fn changed_nothing(&self) -> bool {
        self.rows.iter().all(|row| matches!(row, RowNow::Untouched))
    }
}

fn answer_row(change: Change, row: &RunRow, target: usize) -> AnswerRow {
    AnswerRow { change, name: row.name.to_string(), target }
}

/// The status of each row of a batch.
fn rows_now(run: &Run, answers: &[(EntryRelation, Run)]) -> Vec<RowNow> {
    let done = |row: &RunRow| row.done.clone().filter(|_| row.status == RowStatus::Done);
    let mut now: Vec<_> = run.rows.iter().map(|row| done(row).map_or(RowNow::Untouched, RowNow::InForce)).collect();
    // Runs of earlier versions record the asset and not the row.
    let old = answers.iter().any(|(_, answer)| answer.rows.iter().any(|row| row.target.is_none()));
    let mut places = HashMap::new();
    for (index, row) in run.rows.iter().enumerate().filter(|_| old) {
        places.entry(&row.asset).or_insert(index);
    }
    for (answers, answer) in answers {
        for row in answer.rows.iter() {
            let of_asset = || places.get(&row.asset).copied();
            let Some(target) = row.target.or_else(of_asset).and_then(|target| now.get_mut(target)) else { continue };
            *target = match (&row.status, done(row), answers) {
                (RowStatus::Unknown(_) | RowStatus::Sending, ..) => RowNow::Unclear,
                (_, Some(change), EntryRelation::Undoes(_)) => RowNow::Undone(change),
                (_, Some(change), EntryRelation::Redoes(_)) => RowNow::InForce(change),
                _ => continue,
            };
        }
    }
    now
}
