//! What background work about the Trash returns, and what it changes.

use crate::app::App;
use crate::app::CallError;
use crate::app::listing::rows::TrashRow;
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

impl App {
    /// Takes in what a task ended with.
    pub(in crate::app) fn handle_trash(&mut self, output: Output) {
        match output {
            Output::Asked => {}
            Output::Listed(rows) => self.trash_read(rows),
            Output::Emptied(end) => self.trash_emptied(end),
        }
    }
}
