//! The results of background tasks of exports, and how they are applied.

use crate::CallError;
use crate::assets::page::OpenAssets;
use crate::context::Context;
use crate::export::Exported;
use crate::export::Exports;
use crate::export::drag_file::{DragFile, NotDragged};
use crate::export::library::{ExportError, ExportReport, PreparedExport};
use crate::export::{NotShown, SaveError};
use crate::notifications::Severity;
use crate::output::{TaskOutput, TaskResult};
use crate::setup::NotPicked;
use lunette_client::model::id::AssetId;
use lunette_secrets::Finding;
use std::path::PathBuf;
use std::sync::Arc;

/// The result of a background task of exports.
pub(crate) enum Output {
    Exported(AssetId, Result<Arc<Exported>, CallError>),
    Saved(Result<Option<PathBuf>, SaveError>),
    /// The content to save was searched for secrets.
    Searched(AssetId, Vec<Finding>),
    /// A file was opened or shown in its folder.
    FileOpened(Result<(), NotShown>),
    /// Many assets were written under a temporary name.
    Prepared(Result<Box<PreparedExport>, ExportError>),
    /// They have their final name.
    Written(Result<ExportReport, ExportError>),
    /// The user chose where to export to, or not.
    TargetPicked(Result<Option<PathBuf>, NotPicked>),
    /// An export was dragged; the file if another program accepted it.
    Dragged(Result<Option<DragFile>, NotDragged>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Export(self)
    }

    fn outlives_its_connection(&self) -> bool {
        matches!(self, Self::Saved(_) | Self::Dragged(_))
    }
}

impl Exports {
    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, output: Output, pages: &OpenAssets, cx: &mut Context<'_>) {
        match output {
            Output::Exported(id, document) => self.exported(&id, document),
            Output::Saved(end) => self.saved(end, cx),
            Output::Searched(id, found) => self.searched(id, &found, pages, cx),
            Output::Prepared(end) => self.prepared(end, cx),
            Output::Written(end) => self.written(end, cx),
            Output::TargetPicked(end) => self.target_picked(end, cx),
            Output::FileOpened(Ok(())) => {}
            Output::FileOpened(Err(error)) => cx.notify(Severity::Failed, error.to_string()),
            Output::Dragged(end) => self.dragged(end, cx),
        }
    }
}
