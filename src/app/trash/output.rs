//! What background work about the Trash returns, and what it changes.

use crate::app::CallError;
use crate::app::context::Context;
use crate::app::listing::rows::TrashRow;
use crate::app::trash::Trash;
use crate::app::write::step::Failed;
use std::sync::Arc;

/// What a task about the Trash ended with.
pub(in crate::app) enum Output {
    /// Whether the service has a Trash was asked; what it answered is among its capabilities.
    Asked,
    /// The deleted assets.
    Listed(Result<Vec<Arc<TrashRow>>, CallError>),
    /// The Trash was emptied of this many assets, or not.
    Emptied(Result<usize, Failed>),
}

impl Trash {
    /// Handles the output of a task.
    pub(in crate::app) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Asked => {}
            Output::Listed(rows) => self.trash_read(rows, cx),
            Output::Emptied(end) => self.trash_emptied(end, cx),
        }
    }
}
