//! What the window shows of imports and of new assets.

use std::sync::Arc;

use super::ImportSummary;
use super::preview::Previews;
use crate::app::Remote;
use crate::app::background::Saving;
use crate::app::tasks::TaskId;
use lunette_client::model::id::AssetId;

/// The last import, and the asset that is created from text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imports {
    /// The report of the last import.
    pub summary: Option<Arc<ImportSummary>>,
    /// The asset that is being created from text, or was created last; fails with a sentence.
    pub making: Remote<AssetId, String>,
    /// The call that creates it, while its answer is awaited.
    pub creating: Option<Saving>,
    /// The page of libraries on this machine, and the preview that is open.
    pub previews: Previews,
    /// Counts how often the form for a path to import was asked for.
    pub path_asked: u64,
}

impl Imports {
    /// Notes that the user no longer waits for the asset that is being created.
    pub(in crate::app) fn record_cancelled(&mut self, task: TaskId) {
        self.creating.iter_mut().filter(|saving| saving.task == task).for_each(|saving| saving.cancelled = true);
    }
}
