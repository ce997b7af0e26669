//! The results of background work on the Trash, and what they change.

use crate::CallError;
use crate::context::Context;
use crate::listing::rows::TrashRow;
use crate::output::{TaskOutput, TaskResult};
use crate::trash::Trash;
use crate::write::journaled::Failed;
use std::sync::Arc;

/// The result of a task on the Trash.
pub(crate) enum Output {
    /// The service was asked for its Trash; the result is among its capabilities.
    Asked,
    /// The deleted assets.
    Listed(Result<Vec<Arc<TrashRow>>, CallError>),
    /// The Trash was emptied of this many assets, or not.
    Emptied(Result<usize, Failed>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Trash(self)
    }
}

impl Trash {
    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Asked => {}
            Output::Listed(rows) => self.trash_read(rows, cx),
            Output::Emptied(end) => self.trash_emptied(end, cx),
        }
    }
}
