//! The exports of a run: their destination, and how they are completed.
//!
//! What must hold: the manifest has the same status for each row as the ledger.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::runs::export::{ExportFailure, ExportSink};
use crate::runs::{BulkOperation, LedgerEvent, RunRecord, RunStatus, Work};

/// The exports of one active run. Clones share them.
#[derive(Clone, Debug)]
pub struct Exports {
    sink: Arc<ExportSink>,
    /// The current run, for the manifest.
    record: Arc<Mutex<RunRecord>>,
}

impl Exports {
    /// Opens the destination of a run with exports; `None` if it has none. Blocks.
    pub fn open(record: &RunRecord) -> Result<Option<Self>, ExportFailure> {
        let Some(BulkOperation::Export { kind, to }) = &record.rest.operation else { return Ok(None) };
        let sink = Arc::new(ExportSink::open(to, kind, &record.run)?);
        Ok(Some(Self { sink, record: Arc::new(Mutex::new(record.clone())) }))
    }

    /// The work of the run, with this destination.
    pub fn taking(&self, work: Work) -> Work {
        work.into_sink(&self.sink)
    }

    /// Applies an event of the run.
    pub fn take(&self, line: LedgerEvent) {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).take(line);
    }

    /// Writes the manifest and packs the archive of an ended run; returns the path of the exports. Returns `None` for a
    /// run that can be resumed, after writing a manifest of the files so far. Blocks.
    pub fn finish(&self, service: &str) -> Option<Result<PathBuf, ExportFailure>> {
        let record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        match record.run.status {
            RunStatus::Ended | RunStatus::Cancelled => Some(self.sink.finish(&record.run, service)),
            // The manifest describes the files if the run is never resumed; an archive is packed when the run ends.
            RunStatus::Paused(_) => Some(Err(self.sink.save_manifest(&record.run, service).err()?)),
            RunStatus::Running | RunStatus::Interrupted => None,
        }
    }
}
