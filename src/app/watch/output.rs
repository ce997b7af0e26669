//! What background work about watched folders returns, and what it changes.

use std::path::PathBuf;

use super::Watch;
use crate::app::context::Context;
use crate::app::import::detect::{Changes, FoundFile};
use crate::app::notifications::Grade;

/// What a task about watched folders ended with.
pub(in crate::app) enum Output {
    /// The user chose a folder, or not.
    Picked(Result<Option<PathBuf>, String>),
    /// What is new of these changes of a folder; fails with a sentence.
    Found(PathBuf, Changes, Result<Vec<FoundFile>, String>),
}

impl Watch {
    /// Handles the output of a task.
    pub(in crate::app) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Picked(Ok(path)) => path.into_iter().for_each(|path| self.add(path, cx)),
            Output::Picked(Err(problem)) => cx.notify(Grade::Failed, problem),
            Output::Found(path, changes, found) => self.found(&path, &changes, found, cx),
        }
    }
}
