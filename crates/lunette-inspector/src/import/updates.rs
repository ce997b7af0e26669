//! Updates assets whose items or files changed, as one step of the history.
//!
//! What must hold: journal and ledger have the step before its first write is sent; each asset is read again before it
//! is written, so that concurrent edits are not replaced.

use std::sync::{Arc, Mutex, PoisonError};

use super::job::{Made, RecordError};
use super::recorder::ImportRecorder;
use super::sources::{SourcePlan, Updated};
use crate::journal::{EntryId, Outcome};
use crate::runs::{Control, Ledger, LedgerEvent, RowSelection, RunRecord, RunStatus, StopMode, run};
use crate::runs::{call_group, outcome, step_of};
use crate::tasks::{CancelFlag, blocking};
use crate::write::journaled::{PendingEntry, WriteContext};

/// Makes changes as one step. Fails if nothing was sent.
pub(super) async fn make_changes(
    context: &WriteContext,
    mut record: RunRecord,
    cancel: &CancelFlag,
) -> Result<Made, RecordError> {
    let entry = EntryId::random();
    record.run.entry = Some(entry);
    let step = PendingEntry::begin(context, step_of(&record.run, &record.rest, entry, Outcome::Sending)).await?;
    let (runs, first) = (context.journal.runs(), record.clone());
    let ledger = blocking(move || Ledger::create(runs.as_ref(), &first).map_err(RecordError::from));
    let ledger = match ledger.await.unwrap_or_else(|error| Err(error.into())) {
        Ok(ledger) => ledger,
        Err(why) => {
            step.end(Outcome::Failed(why.to_string()), None).await;
            return Err(why);
        }
    };
    let client = context.client.for_run().grouped(call_group(&record.run, &record.rest));
    let work = record.rest.work(&record.run, RowSelection::Open).with_deleted(context.deleted.clone());
    let control = Control::new(record.run.in_flight);
    let record = Arc::new(Mutex::new(record));
    let (shared, stop, cancel) = (Arc::clone(&record), control.clone(), cancel.clone());
    let take = move |line: LedgerEvent| {
        if cancel.cancelled() {
            stop.halt(StopMode::Cancel);
        }
        shared.lock().unwrap_or_else(PoisonError::into_inner).take(line);
    };
    run(client, context.vendor, work, ledger, control, take).await;
    let run = record.lock().unwrap_or_else(PoisonError::into_inner).run.clone();
    let end = match &run.status {
        // It can be resumed in the history.
        RunStatus::Paused(Some(why)) => Outcome::Unknown(why.clone()),
        _ => outcome(&run),
    };
    step.end(end, None).await;
    Ok(Made { entry, run })
}

/// The result of updates.
#[derive(Default)]
pub(super) struct UpdateResult {
    pub updated: Updated,
    /// The steps, one for each library.
    pub made: Vec<Made>,
    /// Why they ended early.
    pub problem: Option<String>,
}

/// Updates the assets of these libraries whose items changed, and records which assets are up to date.
pub(super) async fn update_items(
    context: &WriteContext,
    plans: Vec<SourcePlan>,
    cancel: &CancelFlag,
    recorder: &ImportRecorder,
) -> UpdateResult {
    let mut end = UpdateResult::default();
    for plan in plans {
        if cancel.cancelled() || end.problem.is_some() {
            break;
        }
        let updates = match plan.updates(&context.client.for_run(), context.vendor).await {
            Ok(updates) => updates,
            Err(error) => {
                end.problem = Some(error.to_string());
                break;
            }
        };
        let mut done = end.updated.add_unchanged(&updates);
        if !updates.changes.is_empty() {
            match make_changes(context, updates.record(plan.source.program()), cancel).await {
                Ok(made) => {
                    done.extend(end.updated.add_results(&updates, made.run.rows.iter()));
                    end.made.push(made);
                }
                Err(why) => end.problem = Some(why.to_string()),
            }
        }
        let kept = recorder.record_updated(plan, done).await;
        end.problem = end.problem.or(kept);
    }
    end
}
