//! What background work about watched folders returns, and what it changes.

use std::path::PathBuf;

use super::{Watch, WatchError};
use crate::context::Context;
use crate::import::detect::{Changes, FoundFile};
use crate::notifications::Severity;
use crate::output::{TaskOutput, TaskResult};
use crate::setup::NotPicked;

/// What a task about watched folders ended with.
pub(crate) enum Output {
    /// The user chose a folder, or not.
    Picked(Result<Option<PathBuf>, NotPicked>),
    /// What is new of these changes of a folder.
    Found(PathBuf, Changes, Result<Vec<FoundFile>, WatchError>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Watch(self)
    }
}

impl Watch {
    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Picked(Ok(path)) => path.into_iter().for_each(|path| self.add(path, cx)),
            Output::Picked(Err(error)) => cx.notify(Severity::Failed, error.to_string()),
            Output::Found(path, changes, found) => self.found(&path, &changes, found, cx),
        }
    }
}
