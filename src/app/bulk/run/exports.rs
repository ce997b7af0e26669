//! The exports of a run: where they go, and what becomes of them in the end.
//!
//! What must hold: the manifest says of each row what the ledger says.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::app::bulk::export::{ExportFailure, ExportSink};
use crate::app::bulk::{BulkOperation, LedgerEvent, RunRecord, RunStatus, Work};

/// The exports of one run, under way. Copies share them.
#[derive(Clone, Debug)]
pub struct Exports {
    sink: Arc<ExportSink>,
    /// The run as far as it is, for the manifest.
    record: Arc<Mutex<RunRecord>>,
}

impl Exports {
    /// Opens the place of a run that exports; None where it does not. Blocks.
    pub fn open(record: &RunRecord) -> Result<Option<Self>, ExportFailure> {
        let Some(BulkOperation::Export { kind, to }) = &record.rest.operation else { return Ok(None) };
        let sink = Arc::new(ExportSink::open(to, kind, &record.run)?);
        Ok(Some(Self { sink, record: Arc::new(Mutex::new(record.clone())) }))
    }

    /// The work of the run, with its exports going here.
    pub fn taking(&self, work: Work) -> Work {
        work.into_sink(&self.sink)
    }

    /// Takes in what is told of the run.
    pub fn take(&self, line: LedgerEvent) {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).take(line);
    }

    /// Writes the manifest, and packs an archive, once the run is over; gives back where the exports are. None while it
    /// can be gone on with, with a manifest of what is there so far. Blocks.
    pub fn finish(&self, service: &str) -> Option<Result<PathBuf, ExportFailure>> {
        let record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        match record.run.status {
            RunStatus::Ended | RunStatus::Cancelled => Some(self.sink.finish(&record.run, service)),
            // It says what is there should nobody go on; an archive is packed when the run is over.
            RunStatus::Paused(_) => Some(Err(self.sink.save_manifest(&record.run, service).err()?)),
            RunStatus::Running | RunStatus::Interrupted => None,
        }
    }
}
