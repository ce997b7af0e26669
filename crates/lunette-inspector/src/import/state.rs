//! The state of imports and new assets.

use std::path::PathBuf;
use std::sync::Arc;

use super::ImportSummary;
use super::preview::Previews;
use crate::Remote;
use crate::background::Saving;
use crate::tasks::TaskId;
use lunette_client::model::id::AssetId;

/// What is imported, for importing it again.
#[derive(Clone, Debug, PartialEq)]
pub enum Repeatable {
    /// Files and folders.
    Files(Vec<PathBuf>),
    /// The samples.
    Samples,
}

/// The last import, and the asset that is created from text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imports {
    /// The report of the last import.
    pub summary: Option<Arc<ImportSummary>>,
    /// The asset that is being created from text, or was created last; the error is a sentence.
    pub creation: Remote<AssetId, String>,
    /// The call that creates it, while its response is awaited.
    pub creating: Option<Saving>,
    /// The page of libraries on this machine, and the open preview.
    pub previews: Previews,
    /// Counts the requests for the form for a path to import.
    pub path_requests: u64,
    /// Counts the imports that imported everything.
    pub completed: u64,
    /// What is being imported, which is imported again if the service refuses it and the user tries again.
    pub(super) repeatable: Option<Repeatable>,
}

impl Imports {
    /// Records that the user cancelled waiting for the new asset.
    pub(crate) fn record_cancelled(&mut self, task: TaskId) {
        self.creating.iter_mut().filter(|saving| saving.task == task).for_each(|saving| saving.cancelled = true);
    }
}
