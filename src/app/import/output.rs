//! What background work about imports returns, and what it changes.

use crate::app::action::WatchAction;
use crate::app::context::Context;
use crate::app::import::ImportSummary;
use crate::app::import::Imports;
use crate::app::import::Made;
use crate::app::write::step::Failed;
use lunette_client::model::id::AssetId;
use std::path::PathBuf;

/// What a task about imports ended with.
pub(in crate::app) enum Output {
    Picked(Result<Vec<PathBuf>, String>),
    /// An import, and the step it was, where it sent anything.
    Imported(Box<ImportSummary>, Option<Made>),
    /// The same of files that were found in a watched folder.
    FoundImported(PathBuf, Box<ImportSummary>, Option<Made>),
    Created(Result<AssetId, Failed>),
}

impl Imports {
    /// Handles the output of a task.
    pub(in crate::app) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Picked(end) => self.apply_picked(end, cx),
            Output::Imported(summary, made) => self.imported(*summary, made, cx),
            Output::FoundImported(folder, summary, made) => {
                self.imported(*summary, made, cx);
                cx.request(WatchAction::Imported(folder));
            }
            Output::Created(end) => self.created(end, cx),
        }
    }
}
