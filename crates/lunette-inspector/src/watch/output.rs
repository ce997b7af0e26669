//! What background work about watched folders returns, and what it changes.

use std::path::PathBuf;

use super::Watch;
use crate::context::Context;
use crate::import::detect::{Changes, FoundFile};
use crate::notifications::Severity;
use crate::output::{TaskOutput, TaskResult};

/// What a task about watched folders ended with.
pub(crate) enum Output {
    /// The user chose a folder, or not.
    Picked(Result<Option<PathBuf>, String>),
    /// What is new of these changes of a folder; fails with a sentence.
    Found(PathBuf, Changes, Result<Vec<FoundFile>, String>),
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
            Output::Picked(Err(problem)) => cx.notify(Severity::Failed, problem),
            Output::Found(path, changes, found) => self.found(&path, &changes, found, cx),
        }
    }
}
