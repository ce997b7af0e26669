//! The task of a run in the window: it records the run on disk, executes it, and completes it.

use std::path::PathBuf;

use crate::bulk::headless::RunError;
use crate::journal::{Journal, Outcome};
use crate::runs::export::ExportFailure;
use crate::runs::{
    Control, Exports, Ledger, LedgerError, LedgerEvent, OnWritten, RowSelection, RunId, RunRecord, StopMode, Work,
    call_group, run, step_of,
};
use crate::tasks::blocking;
use crate::write::journaled::{WriteContext, held};

/// A run before its first write.
pub(super) struct RunSetup {
    pub record: RunRecord,
    /// Whether the journal has its step.
    pub journaled: bool,
    pub ledger: Option<Ledger>,
    pub which: RowSelection,
}

/// A run that was recorded on disk.
struct Opened {
    ledger: Ledger,
    exports: Option<Exports>,
    work: Work,
    /// Events that the window does not have yet.
    events: Vec<LedgerEvent>,
}

/// A run whose task has ended.
pub(crate) struct RunStopped {
    pub run: RunId,
    /// Whether the journal has its step.
    pub journaled: bool,
    /// The ledger to resume it; `None` if it could not be opened or written.
    pub ledger: Option<Ledger>,
    /// Why it did not begin.
    pub problem: Option<String>,
    /// The path of the exports of an ended run, or why they could not be completed.
    pub exported: Option<Result<PathBuf, ExportFailure>>,
}

/// What the execution needs.
pub(super) struct RunHandles {
    pub control: Control,
    /// The service's address, for the manifest of exports.
    pub service: String,
    pub notify: Box<dyn Fn(LedgerEvent) + Send + Sync>,
    /// Receives each write that was applied.
    pub written: OnWritten,
}

impl RunStopped {
    /// A run that ended with an internal error.
    pub(super) fn broken(run: RunId, problem: String) -> Self {
        Self { run, journaled: true, ledger: None, problem: Some(problem), exported: None }
    }
}

impl RunSetup {
    pub fn halted(self, problem: String) -> RunStopped {
        let Self { record, journaled, ledger, .. } = self;
        RunStopped { run: record.run.id, journaled, ledger, problem: Some(problem), exported: None }
    }

    pub async fn execute(self, context: WriteContext, begun: RunHandles) -> RunStopped {
        let RunHandles { control, service, notify, written } = begun;
        // The write policy is checked before it is recorded; a run that is only cancelled sends nothing.
        if self.record.writes()
            && control.halted() == StopMode::No
            && let Some(reason) = held(&context.client)
        {
            return self.halted(reason.to_string());
        }
        let id = self.record.run.id;
        let client = context.client.for_run().grouped(call_group(&self.record.run, &self.record.rest));
        let Opened { ledger, exports, work, events } = match self.on_disk(context.journal.clone()).await {
            Ok(opened) => opened,
            Err(halted) => return *halted,
        };
        events.into_iter().for_each(&notify);
        match &exports {
            None => {
                run(
                    client,
                    context.vendor,
                    work.with_deleted(context.deleted).reporting(written),
                    ledger.clone(),
                    control,
                    notify,
                )
                .await
            }
            Some(exports) => {
                let record = exports.clone();
                let notify = move |line: LedgerEvent| {
                    record.take(line.clone());
                    notify(line);
                };
                run(client, context.vendor, exports.taking(work), ledger.clone(), control, notify).await
            }
        };
        let exported = finished(exports, service).await;
        let ledger = Some(ledger).filter(Ledger::has_no_error);
        RunStopped { run: id, journaled: true, ledger, problem: None, exported }
    }

    /// Writes the step and the ledger to disk, and opens the destination of exports.
    async fn on_disk(mut self, journal: Journal) -> Result<Opened, Box<RunStopped>> {
        let id = self.record.run.id;
        let begun = blocking(move || match self.open(&journal) {
            Ok(opened) => Ok(opened),
            Err(RunError::Export(failure)) => Err(Box::new(self.halted(failure.reason))),
            Err(error) => Err(Box::new(self.halted(error.to_string()))),
        });
        begun.await.unwrap_or_else(|error| Err(Box::new(RunStopped::broken(id, error.to_string()))))
    }

    fn open(&mut self, journal: &Journal) -> Result<Opened, RunError> {
        if let Some(entry) = self.record.run.entry.filter(|_| !self.journaled) {
            let step = step_of(&self.record.run, &self.record.rest, entry, Outcome::Sending);
            journal.begin(&step)?;
            self.journaled = true;
        }
        let (ledger, events) = self.ledger(journal)?;
        let opened = Exports::open(&self.record);
        let work = self.record.rest.work(&self.record.run, self.which);
        match opened {
            Ok(exports) => Ok(Opened { ledger, exports, work, events }),
            Err(failure) => {
                self.ledger = Some(ledger);
                Err(failure.into())
            }
        }
    }

    /// The ledger, and the events that the window does not have yet.
    fn ledger(&mut self, journal: &Journal) -> Result<(Ledger, Vec<LedgerEvent>), LedgerError> {
        if let Some(ledger) = self.ledger.take() {
            return Ok((ledger, Vec::new()));
        }
        let (store, id) = (journal.runs(), self.record.run.id);
        let known = store.as_ref().filter(|store| store.has(id.0).unwrap_or(false));
        let Some(store) = known else { return Ok((Ledger::create(store.as_ref(), &self.record)?, Vec::new())) };
        let (ledger, record, _) = Ledger::resume(store, id)?;
        let events = record.since(&self.record.run);
        self.record = record;
        Ok((ledger, events))
    }
}

async fn finished(exports: Option<Exports>, service: String) -> Option<Result<PathBuf, ExportFailure>> {
    let exports = exports?;
    match blocking(move || exports.finish(&service)).await {
        Ok(finished) => finished,
        Err(error) => Some(Err(ExportFailure { reason: error.to_string(), fatal: true })),
    }
}
