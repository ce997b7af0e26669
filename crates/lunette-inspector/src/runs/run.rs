//! Executes a run: a limited number of rows in flight, paused and cancelled on request, each row written once. The
//! window and the command line share it.
//!
//! What must hold: each asset is read again before its write, and the ledger has the write before it is sent; two rows
//! of one asset are never in flight together, and keep their order; a row that may have been sent is reconciled by a
//! read before anything else is done to it; rows of an asset that was created under a new id are about that one; if the
//! service or the ledger fails, the run stops with a reason, and the rows that were not begun stay pending.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex};

use tokio::task::{JoinError, JoinSet};

use crate::Vendor;
use crate::change::{Item, Replacements, replaced};
use crate::db::Durability;
use crate::journal::EntryRelation;
use crate::runs::checkpoint::{MANY, checkpoint_before};
use crate::runs::control::{StopMode, Wanted};
use crate::runs::export::ExportSink;
use crate::runs::{Control, Ledger, LedgerEvent, NewItem, RowStatus, Run, RunContext, RunStatus, Task};
use crate::write::recovery::DeletedAssets;
use crate::{CallError, Transport};
use lunette_client::model::id::AssetId;

mod create_items;
mod exports;
mod row;

pub use exports::Exports;
pub(crate) use row::{OnWritten, silent};
use row::{RowAttempt, RowExecutor, RowResult};

/// After this many consecutive unanswered calls, the service is considered unreachable.
const SILENT: usize = 3;
/// How often a row without a response is tried while others have one.
const TRIES: usize = 3;
/// How many pending rows are searched for one whose asset is free.
const MAX_SCANNED: usize = 64;

/// Which rows of a run are executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowSelection {
    /// Unfinished rows and rows that may have been sent: at the start and when the run is resumed.
    Open,
    /// Failed rows and rows with an unknown outcome.
    Failed,
    /// Rows that may have been sent: they are reconciled, completed if they may have been applied in part, and the run
    /// is cancelled.
    Sent,
}

/// The work: rows, with their earlier requests.
pub struct Work {
    /// The title of the run; None for rows of one that was begun before.
    title: Option<String>,
    /// Whether it begins with a checkpoint, however few assets it changes.
    checkpoint: bool,
    tasks: Arc<Vec<Task>>,
    rows: VecDeque<RowAttempt>,
    /// Whether a row with nothing to change counts as failed, as it does in Undo and Redo.
    strict: bool,
    made: BTreeMap<NewItem, Option<Item>>,
    /// The new ids of assets that its rows created.
    moved: Replacements,
    which: RowSelection,
    /// Where exports are saved.
    sink: Option<Arc<ExportSink>>,
    /// How deleted assets are restored.
    deleted: DeletedAssets,
    /// Receives each write that was applied.
    written: Option<OnWritten>,
}

impl Work {
    /// Sets what receives each write that was applied, before its row is done.
    pub(crate) fn reporting(mut self, written: OnWritten) -> Self {
        self.written = Some(written);
        self
    }

    /// Sets how deleted assets can be restored; by default they cannot.
    pub(crate) fn with_deleted(mut self, deleted: DeletedAssets) -> Self {
        self.deleted = deleted;
        self
    }

    /// Sets where exports are saved.
    pub(super) fn into_sink(mut self, sink: &Arc<ExportSink>) -> Self {
        self.sink = Some(Arc::clone(sink));
        self
    }
}

impl RunContext {
    /// The rows to execute now.
    pub fn work(&self, run: &Run, which: RowSelection) -> Work {
        let wanted = |index: usize, status: &RowStatus| match status {
            RowStatus::Pending | RowStatus::Sending => which == RowSelection::Open,
            RowStatus::Unknown(_) => which != RowSelection::Sent || self.sent.contains_key(&index),
            RowStatus::Failed(_) => which == RowSelection::Failed,
            RowStatus::Done | RowStatus::Unchanged(_) => false,
        };
        let rows = run.rows.iter().enumerate().filter(|(index, row)| wanted(*index, &row.status));
        let is_new = run.rows.iter().all(|row| matches!(row.status, RowStatus::Pending));
        Work {
            title: is_new.then(|| run.title.clone()),
            checkpoint: self.checkpoint,
            tasks: Arc::clone(&self.tasks),
            rows: rows.map(|(index, row)| RowAttempt::new(index, row, self.sent.get(&index).cloned())).collect(),
            strict: match self.answers {
                EntryRelation::None => false,
                EntryRelation::Undoes(_) | EntryRelation::Redoes(_) => true,
            },
            made: self.made.clone(),
            moved: Replacements(run.rows.iter().filter_map(|row| replaced(row.done.as_deref()?)).collect()),
            which,
            sink: None,
            deleted: DeletedAssets::default(),
            written: None,
        }
    }
}

/// Executes rows until all have ended or the run is stopped, and returns the status of the run. `notify` receives each
/// event after the ledger has it, in the order of the ledger; `own` says whether the service is one of ours.
pub async fn run<C: Transport>(
    caller: C,
    vendor: Vendor,
    work: Work,
    ledger: Ledger,
    control: Control,
    notify: impl Fn(LedgerEvent) + Send + Sync + 'static,
) -> RunStatus {
    let Work { title, checkpoint, tasks, rows: waiting, strict, made, moved, which, sink, deleted, written } = work;
    let (notify, none) = (Box::new(notify), BTreeMap::new());
    let only_reconciles = which == RowSelection::Sent;
    let mut rows = RowExecutor {
        caller,
        vendor,
        strict,
        only_reconciles,
        tasks,
        made: none,
        moved: Mutex::new(moved),
        sink,
        deleted,
        written,
        ledger,
        notify,
    };
    rows.record(LedgerEvent::Running);
    if !only_reconciles {
        let least = if checkpoint { 1 } else { MANY };
        begin_with_checkpoint(&rows, &waiting, title.as_deref(), least).await;
    }
    for attempt in waiting.iter().filter(|attempt| which == RowSelection::Failed && attempt.sent.is_none()) {
        rows.record(LedgerEvent::Pending { row: attempt.row });
    }
    let halted = match control.halted() {
        StopMode::No if !only_reconciles => {
            rows.create_items(&waiting, made).await.err().map(|error| error.to_string())
        }
        StopMode::No | StopMode::Pause | StopMode::Cancel => None,
    };
    let mut engine =
        Engine { rows: Arc::new(rows), waiting, running: JoinSet::new(), busy: BTreeSet::new(), silent: 0, halted };
    engine.go(&control).await;
    engine.end(&control).await
}

/// Makes a checkpoint before the first write of a run that changes at least so many assets.
async fn begin_with_checkpoint<C: Transport>(
    rows: &RowExecutor<C>,
    waiting: &VecDeque<RowAttempt>,
    title: Option<&str>,
    least: usize,
) {
    let Some(title) = title else { return };
    let changed = |attempt: &&RowAttempt| matches!(rows.tasks.get(attempt.row), Some(Task::Change(_)));
    let assets: BTreeSet<&AssetId> = waiting.iter().filter(changed).map(|attempt| rows.asset(attempt.row)).collect();
    if assets.len() >= least {
        let assets = assets.into_iter().map(|asset| asset.as_str().to_owned()).collect();
        Box::pin(checkpoint_before(&rows.caller, rows.vendor, title, Some(assets))).await;
    }
}

struct Engine<C: Transport> {
    rows: Arc<RowExecutor<C>>,
    waiting: VecDeque<RowAttempt>,
    running: JoinSet<(RowAttempt, RowResult)>,
    /// The assets of the rows in flight.
    busy: BTreeSet<AssetId>,
    /// The number of consecutive unanswered calls.
    silent: usize,
    /// Why the run stops itself.
    halted: Option<String>,
}

impl<C: Transport> Engine<C> {
    async fn go(&mut self, control: &Control) {
        let mut listen = control.listen();
        let mut in_flight = listen.borrow().in_flight;
        loop {
            let wanted = *listen.borrow_and_update();
            if std::mem::replace(&mut in_flight, wanted.in_flight) != wanted.in_flight {
                self.rows.record(LedgerEvent::InFlight(wanted.in_flight));
            }
            while wanted.halt == StopMode::No && self.halted.is_none() && self.running.len() < self.at_once(wanted) {
                let Some(next) = self.next() else { break };
                self.busy.insert(self.rows.asset(next.row).clone());
                self.running.spawn(Arc::clone(&self.rows).execute(next));
            }
            if self.running.is_empty() {
                return;
            }
            tokio::select! {
                Some(ended) = self.running.join_next() => self.ended(ended),
                // It cannot fail while `control` exists.
                _ = listen.changed() => {}
            }
        }
    }

    /// How many rows are begun at once: no more than the service may have calls, so that none waits half-way.
    fn at_once(&self, wanted: Wanted) -> usize {
        self.rows.caller.pace().map_or(wanted.in_flight, |pace| wanted.in_flight.min(pace.limit))
    }

    /// Returns the first pending row whose asset is free.
    fn next(&mut self) -> Option<RowAttempt> {
        let free = |attempt: &RowAttempt| !self.busy.contains(self.rows.asset(attempt.row));
        let index = self.waiting.iter().take(MAX_SCANNED).position(free)?;
        self.waiting.remove(index)
    }

    fn ended(&mut self, ended: Result<(RowAttempt, RowResult), JoinError>) {
        let (mut attempt, end) = match ended {
            Ok(ended) => ended,
            Err(panic) => {
                self.halted = Some(format!("internal error: {panic}; resume to find out what happened to the row"));
                return;
            }
        };
        self.busy.remove(self.rows.asset(attempt.row));
        match end {
            RowResult::Answered => self.silent = 0,
            RowResult::Unknown => self.silent += 1,
            RowResult::Silent(error) => {
                self.silent += 1;
                attempt.tries += 1;
                if attempt.tries >= TRIES && self.silent < SILENT {
                    self.rows.give_up(&attempt, &error);
                } else {
                    self.halt_when_gone(&error);
                    self.waiting.push_front(attempt);
                }
            }
            RowResult::Stopped(why) => {
                self.halted.get_or_insert(why);
                self.waiting.push_front(attempt);
            }
        }
    }

    fn halt_when_gone(&mut self, error: &CallError) {
        if self.silent >= SILENT {
            self.halted.get_or_insert(format!("the service does not respond: {error}; resume when it does"));
        }
    }

    async fn end(self, control: &Control) -> RunStatus {
        let line = match (self.halted, control.halted()) {
            (None, _) if self.rows.only_reconciles => LedgerEvent::Cancelled,
            (None, _) if self.waiting.is_empty() => LedgerEvent::Ended,
            (_, StopMode::Cancel) => LedgerEvent::Cancelled,
            (halted, StopMode::No | StopMode::Pause) => LedgerEvent::Paused(halted),
        };
        let line = match self.rows.ledger.append_and_wait(&line, Durability::Synced).await {
            Ok(()) => line,
            Err(error) => LedgerEvent::Paused(Some(error.to_string())),
        };
        (self.rows.notify)(line.clone());
        match line {
            LedgerEvent::Ended => RunStatus::Ended,
            LedgerEvent::Cancelled => RunStatus::Cancelled,
            LedgerEvent::Paused(why) => RunStatus::Paused(why),
            _ => RunStatus::Interrupted,
        }
    }
}
