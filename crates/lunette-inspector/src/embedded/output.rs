//! The results of background work on the embedded service, and what they change.

use crate::context::Context;
use crate::embedded::Backup;
use crate::embedded::EmbeddedState;
use crate::embedded::ServiceStatus;
use crate::output::{TaskOutput, TaskResult};
use crate::runs::BatchAnswer;
use crate::setup::EmbeddedError;
use std::path::PathBuf;
use std::sync::Arc;

/// The result of a task on the embedded service.
pub(crate) enum Output {
    /// The status of the embedded service.
    Status(ServiceStatus),
    /// The backups.
    Backups(Result<Vec<Backup>, EmbeddedError>),
    /// The backup before a run; the number is that of its connection.
    BackedUpFirst(Result<Backup, EmbeddedError>, Arc<BatchAnswer>, u64),
    BackedUp(Result<Backup, EmbeddedError>),
    /// Data of the embedded service was replaced; the path of the previous data.
    Restored(Result<Option<PathBuf>, EmbeddedError>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Embedded(self)
    }

    fn outlives_its_connection(&self) -> bool {
        true
    }
}

impl EmbeddedState {
    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Status(seen) => self.apply_status(seen, cx),
            Output::Backups(found) => self.backups_found(found),
            Output::BackedUp(end) => self.backed_up(end, cx),
            Output::BackedUpFirst(end, answer, generation) => self.backed_up_first(end, answer, generation, cx),
            Output::Restored(end) => self.restored(end, cx),
        }
    }
}
