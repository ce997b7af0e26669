//! What background work about exports returns, and what it changes.

use crate::app::App;
use crate::app::CallError;
use crate::app::export::Exported;
use crate::app::export::drag_file::DragFile;
use crate::app::notifications::Grade;
use lunette_client::model::id::AssetId;
use std::path::PathBuf;
use std::sync::Arc;

/// What a task about exports ended with.
pub(in crate::app) enum Output {
    Exported(AssetId, Result<Arc<Exported>, CallError>),
    Saved(Result<Option<PathBuf>, String>),
    /// A file was opened or shown in its folder; fails with a sentence.
    FileOpened(Result<(), String>),
    /// An export was dragged; the file, where another program took it.
    Dragged(Result<Option<DragFile>, String>),
}

impl App {
    /// Takes in what a task ended with.
    pub(in crate::app) fn handle_export(&mut self, output: Output) {
        match output {
            Output::Exported(id, document) => {
                self.exported(&id, document);
                self.drop_old_pages();
            }
            Output::Saved(end) => self.saved(end),
            Output::FileOpened(Ok(())) => {}
            Output::FileOpened(Err(problem)) => self.notify(Grade::Failed, problem),
            Output::Dragged(end) => self.dragged(end),
        }
    }
}
