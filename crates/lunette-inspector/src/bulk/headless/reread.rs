//! Reads again what became of the rows of unknown outcome of a run that has ended.
//!
//! What must hold: nothing is sent; the run stays ended, and its ledger and its step have what was found.

use std::sync::Arc;

use super::{HeadlessRun, RunError};
use crate::Transport;
use crate::change::Change;
use crate::db::Durability;
use crate::runs::{LedgerEvent, RowStatus, Run, RunRecord, RunStatus, outcome};
use crate::write::journaled::NOT_MADE;
use crate::write::plan::{Reconciled, reconciled};

impl HeadlessRun {
    /// Reads the rows of unknown outcome again and records what is found; a run that has not ended is left as it is.
    /// Returns the run as it is then. Fails if the service cannot be read; what was found until then is recorded.
    pub async fn read_again<C: Transport>(mut self, caller: &C) -> Result<Run, RunError> {
        let ledger = self.on_disk()?;
        let Self { mut record, journal, .. } = self;
        let end = match &record.run.status {
            RunStatus::Ended => LedgerEvent::Ended,
            RunStatus::Cancelled => LedgerEvent::Cancelled,
            RunStatus::Running | RunStatus::Paused(_) | RunStatus::Interrupted => return Ok(record.run),
        };
        let (mut lines, mut unread) = (Vec::new(), None);
        for (row, sent) in unknown(&record) {
            match found(caller, row, &sent).await {
                Ok(line) => lines.push(line),
                Err(error) => {
                    unread = Some(error);
                    break;
                }
            }
        }
        // A run has ended if the last line of its ledger says so.
        lines.push(end);
        ledger.append_all(&lines, Durability::Synced).await?;
        lines.into_iter().for_each(|line| record.take(line));
        if let Some(entry) = record.run.entry {
            journal.end(entry, &outcome(&record.run), None)?;
        }
        unread.map_or(Ok(record.run), |error| Err(RunError::Unread(error)))
    }
}

/// The rows of unknown outcome for which it is known what was sent.
fn unknown(record: &RunRecord) -> Vec<(usize, Arc<Change>)> {
    let rows = record.run.rows.iter().enumerate().filter(|(_, row)| matches!(row.status, RowStatus::Unknown(_)));
    rows.filter_map(|(index, _)| Some((index, Arc::clone(record.rest.sent.get(&index)?)))).collect()
}

/// What reading the asset of a row shows.
async fn found<C: Transport>(caller: &C, row: usize, sent: &Change) -> Result<LedgerEvent, crate::CallError> {
    let (read, done) = reconciled(caller, sent).await?;
    Ok(match read {
        Reconciled::Applied => LedgerEvent::Done { row, change: done.map(Box::new), saved: None, message: None },
        Reconciled::NotApplied => LedgerEvent::Failed { row, why: NOT_MADE.to_owned() },
        Reconciled::Unclear(why) => LedgerEvent::Unknown { row, why },
    })
}
