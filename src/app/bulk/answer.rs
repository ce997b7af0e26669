//! What undoes a batch, or redoes it: row by row, from what the batch and the runs that answered it did.
//!
//! What must hold: a row is undone only while it is in force and redone only while it is undone, so that nothing is done
//! twice however often a batch is undone in part; a row of unknown outcome is left alone until it was read again.

use std::sync::Arc;

use crate::app::bulk::{AnswerRow, Row, RowStatus, Run};
use crate::app::change::{Change, Recovery, inverse};
use crate::app::journal::EntryRelation;

/// Our choice: a run that undoes or redoes and deletes more assets than this makes a backup first.
pub(in crate::app) const FEW_DELETIONS: usize = 5;

/// How a row of a batch stands after all that answered it.
enum RowNow {
    /// Nothing was done to it.
    Untouched,
    /// This was done to it, and is in force.
    InForce(Arc<Change>),
    /// It was undone by this.
    Undone(Arc<Change>),
    /// Nobody knows.
    Unclear,
}

/// A batch and the runs that undid or redid it, oldest first.
pub(in crate::app) struct BatchHistory<'a> {
    run: &'a Run,
    rows: Vec<RowNow>,
}

impl<'a> BatchHistory<'a> {
    /// How the rows of a batch stand.
    pub fn of(run: &'a Run, answers: &[(EntryRelation, Run)]) -> Self {
        Self { run, rows: rows_now(run, answers) }
    }

    /// What undoes the rows that are in force; what was done last is undone first.
    pub fn undo(&self, recovery: Recovery) -> Vec<AnswerRow> {
        let rows = self.rows.iter().zip(self.run.rows.iter()).enumerate().rev();
        let back = rows.filter_map(|(target, (now, row))| match now {
            RowNow::InForce(change) => Some(answer_row(inverse(change, row.done.as_deref(), recovery)?, row, target)),
            RowNow::Untouched | RowNow::Undone(_) | RowNow::Unclear => None,
        });
        back.collect()
    }

    /// What redoes the rows that are undone.
    pub fn redo(&self, recovery: Recovery) -> Vec<AnswerRow> {
        let rows = self.rows.iter().zip(self.run.rows.iter()).enumerate();
        let again = rows.filter_map(|(target, (now, row))| match now {
            RowNow::Undone(undo) => Some(answer_row(again(undo, row, recovery)?, row, target)),
            RowNow::Untouched | RowNow::InForce(_) | RowNow::Unclear => None,
        });
        again.collect()
    }

    /// Whether the batch changed nothing, so that there is nothing to undo.
    pub fn changed_nothing(&self) -> bool {
        self.rows.iter().all(|row| matches!(row, RowNow::Untouched))
    }
}

fn answer_row(change: Change, row: &Row, target: usize) -> AnswerRow {
    AnswerRow { change, name: row.name.to_string(), target }
}

/// What redoes a row that was undone. An asset that was made or deleted by the undo is treated as what it is now.
fn again(undo: &Change, row: &Row, recovery: Recovery) -> Option<Change> {
    match undo {
        Change::Delete { .. } | Change::Create { .. } | Change::Restore { .. } => undo.inverse(recovery),
        _ => row.done.as_deref().cloned(),
    }
}

/// How each row of a batch stands.
fn rows_now(run: &Run, answers: &[(EntryRelation, Run)]) -> Vec<RowNow> {
    let done = |row: &Row| row.done.clone().filter(|_| row.status == RowStatus::Done);
    let mut now: Vec<_> = run.rows.iter().map(|row| done(row).map_or(RowNow::Untouched, RowNow::InForce)).collect();
    for (answers, answer) in answers {
        for row in answer.rows.iter() {
            // Runs of before say which asset they are about, and not which row.
            let of_asset = || run.rows.iter().position(|known| known.asset == row.asset);
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
