//! What background work about exports returns, and what it changes.

use crate::app::CallError;
use crate::app::context::Context;
use crate::app::export::Exported;
use crate::app::export::Exports;
use crate::app::export::drag_file::DragFile;
use crate::app::export::library::{ExportReport, PreparedExport};
use crate::app::notifications::Grade;
use lunette_client::model::id::AssetId;
use lunette_secrets::Finding;
use std::path::PathBuf;
use std::sync::Arc;

/// What a task about exports ended with.
pub(in crate::app) enum Output {
    Exported(AssetId, Result<Arc<Exported>, CallError>),
    Saved(Result<Option<PathBuf>, String>),
    /// The content that is to be saved was searched for secrets.
    Searched(AssetId, Vec<Finding>),
    /// A file was opened or shown in its folder; fails with a sentence.
    FileOpened(Result<(), String>),
    /// Many assets are written, without a name yet; fails with the reason.
    Prepared(Result<Box<PreparedExport>, String>),
    /// They have their name; fails with a sentence.
    Written(Result<ExportReport, String>),
    /// The user chose where to export to, or not.
    TargetPicked(Result<Option<PathBuf>, String>),
    /// An export was dragged; the file, where another program took it.
    Dragged(Result<Option<DragFile>, String>),
}

impl Exports {
    /// Handles the output of a task.
    pub(in crate::app) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Exported(id, document) => self.exported(&id, document),
            Output::Saved(end) => self.saved(end, cx),
            Output::Searched(id, found) => self.searched(id, &found, cx),
            Output::Prepared(end) => self.prepared(end, cx),
            Output::Written(end) => self.written(end, cx),
            Output::TargetPicked(end) => self.target_picked(end, cx),
            Output::FileOpened(Ok(())) => {}
            Output::FileOpened(Err(problem)) => cx.notify(Grade::Failed, problem),
            Output::Dragged(end) => self.dragged(end, cx),
        }
    }
}
