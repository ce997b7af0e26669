//! A run without a window: resumed if it was interrupted, executed, and recorded as one step of the history.
//!
//! What must hold: journal and ledger have the run before its first write is sent; the same plan at the same service
//! resumes the run that did not end, and repeats none of its writes.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::Vendor;
use crate::change::{Change, Recovery};
use crate::db::RunStore;
use crate::journal::{BeginError, EntryId, EntryRelation, Journal, JournalError, Outcome, RunId};
use crate::runs::export::ExportFailure;
use crate::runs::{
    Control, Exports, Ledger, LedgerError, LedgerEvent, RowSelection, Run, RunRecord, RunStatus, Task, run,
};
use crate::runs::{outcome, step_of};
use crate::write::recovery::{Copies, DeletedAssets};
use crate::{CallError, Transport};

mod reread;

/// A run that can be executed.
#[derive(Debug)]
pub struct HeadlessRun {
    record: RunRecord,
    journal: Journal,
    /// The store of its ledger.
    store: Option<RunStore>,
    resumed: bool,
    /// Which rows are executed.
    selection: RowSelection,
    /// How deleted assets are restored.
    recovery: Recovery,
    /// A message if something on disk was damaged.
    pub messages: Vec<String>,
}

/// A run after its execution.
#[derive(Debug)]
pub struct Carried {
    /// The run.
    pub run: Run,
    /// The path of its exports, or why they could not be completed; `None` if there are none, or not yet.
    pub exported: Option<Result<PathBuf, ExportFailure>>,
}

/// Why a run cannot begin, or why its end could not be recorded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    /// The history cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Its step cannot be recorded.
    #[error(transparent)]
    Step(#[from] BeginError),
    /// Its ledger cannot be read or written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Its exports have no place.
    #[error("the export failed: {0}")]
    Export(#[from] ExportFailure),
    /// An asset whose change has an unknown outcome cannot be read again.
    #[error("an asset could not be read again: {0}")]
    Unread(CallError),
}

impl HeadlessRun {
    /// Creates a run in an open journal.
    pub(crate) fn new(journal: Journal, record: RunRecord) -> Self {
        let (store, recovery, selection) = (journal.runs(), Recovery::None, RowSelection::Open);
        Self { record, journal, store, resumed: false, selection, recovery, messages: Vec::new() }
    }

    /// Finds an interrupted run of the same plan, unless `anew`; otherwise creates one. The connection's name is the
    /// one that the window uses. Blocks.
    pub fn open(data: &Path, connection: &str, record: RunRecord, anew: bool) -> Result<Self, JournalError> {
        let opened = Journal::open(data, connection)?;
        let mut messages: Vec<_> = opened.message.into_iter().collect();
        let mut alone = Self::new(opened.journal, record);
        if let Some(store) = alone.store.as_ref().filter(|_| !anew) {
            let (begun, damage) = Ledger::interrupted(store);
            messages.extend(damage);
            // The newest one, if there are several.
            if let Some(begun) = begun.into_iter().rfind(|begun| same(begun, &alone.record)) {
                let in_flight = alone.record.run.in_flight;
                alone.record = begun;
                alone.record.run.in_flight = in_flight;
                alone.resumed = true;
            }
        }
        alone.messages = messages;
        Ok(alone)
    }

    /// Continues a run of the history with these rows. Blocks.
    pub fn resume(data: &Path, connection: &str, run: RunId, selection: RowSelection) -> Result<Self, RunError> {
        let opened = Journal::open(data, connection)?;
        let store = opened.journal.runs().ok_or(LedgerError::NotStored)?;
        let (record, damage) = Ledger::read(&store, run)?;
        let messages = opened.message.into_iter().chain(damage).collect();
        let (journal, store, recovery) = (opened.journal, Some(store), Recovery::None);
        Ok(Self { record, journal, store, resumed: true, selection, recovery, messages })
    }

    /// Sets how the service restores deleted assets; by default it does not.
    #[must_use]
    pub fn with_recovery(self, recovery: Recovery) -> Self {
        Self { recovery, ..self }
    }

    /// The run.
    pub fn run(&self) -> &Run {
        &self.record.run
    }

    /// Where what it needs of deleted and carried assets is kept.
    pub fn copies(&self) -> Copies {
        Copies::in_folder(self.journal.deleted())
    }

    /// Whether it resumes an interrupted run.
    pub fn resumed(&self) -> bool {
        self.resumed
    }

    /// Executes it at the service of this address, until it ends or is stopped. Fails if nothing was sent, or if its
    /// end could not be recorded.
    pub async fn carry_out<C: Transport>(
        mut self,
        caller: C,
        service: &str,
        vendor: Vendor,
        control: Control,
        notify: impl Fn(&Run) + Send + Sync + 'static,
    ) -> Result<Carried, RunError> {
        let ledger = self.on_disk()?;
        let Self { mut record, journal, recovery, selection, .. } = self;
        record.run.status = RunStatus::Running;
        let deleted = DeletedAssets { recovery, copies: Copies::in_folder(journal.deleted()) };
        let work = record.rest.work(&record.run, selection).with_deleted(deleted);
        let (mut work, entry) = (work, record.run.entry);
        let exports = Exports::open(&record)?;
        if let Some(exports) = &exports {
            work = exports.taking(work);
        }
        let record = Arc::new(Mutex::new(record));
        let (shared, shared_exports) = (Arc::clone(&record), exports.clone());
        let take = move |line: LedgerEvent| {
            if let Some(exports) = &shared_exports {
                exports.take(line.clone());
            }
            let mut record = shared.lock().unwrap_or_else(PoisonError::into_inner);
            record.take(line);
            notify(&record.run);
        };
        run(caller, vendor, work, ledger, control, take).await;
        let run = record.lock().unwrap_or_else(PoisonError::into_inner).run.clone();
        let exported = exports.and_then(|exports| exports.finish(service));
        if let (RunStatus::Ended | RunStatus::Cancelled, Some(entry)) = (&run.status, entry) {
            journal.end(entry, &outcome(&run), None)?;
        }
        Ok(Carried { run, exported })
    }

    /// Writes the step and the ledger to disk.
    fn on_disk(&mut self) -> Result<Ledger, RunError> {
        let Self { record, journal, store, resumed, .. } = self;
        if *resumed {
            // The ledger has what another program did meanwhile, and its lock shows whether that program still runs.
            let resumed = store.as_ref().map(|store| Ledger::resume(store, record.run.id));
            let (ledger, on_disk, _) = resumed.ok_or(LedgerError::NotStored)??;
            let in_flight = std::mem::replace(record, on_disk).run.in_flight;
            record.run.in_flight = in_flight;
            return Ok(ledger);
        }
        let entry = EntryId::random();
        record.run.entry = Some(entry);
        let step = step_of(&record.run, &record.rest, entry, Outcome::Sending);
        journal.begin(&step)?;
        Ok(Ledger::create(store.as_ref(), record)?)
    }
}

/// Whether two runs have the same plan: the same tasks for the same assets in the same order. Names are ignored: they
/// may have been read from the service since.
fn same(begun: &RunRecord, planned: &RunRecord) -> bool {
    let unnamed = |task: &Task| match task {
        Task::Change(Change::Delete { asset, made, .. }) => {
            Task::Change(Change::Delete { asset: asset.clone(), name: String::new(), made: made.clone() })
        }
        other => other.clone(),
    };
    begun.rest.answers == EntryRelation::None
        && begun.rest.operation == planned.rest.operation
        && begun.rest.tasks.iter().map(unnamed).eq(planned.rest.tasks.iter().map(unnamed))
}
