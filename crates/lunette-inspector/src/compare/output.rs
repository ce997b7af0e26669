//! The results of background work of comparisons, and how they are applied.

use std::path::PathBuf;
use std::sync::Arc;

use super::Comparison;
use super::parts::Parts;
use super::source::{Source, SourceError};
use super::state::Compare;
use crate::context::Context;
use crate::notifications::Severity;
use crate::output::{TaskOutput, TaskResult};
use crate::setup::NotPicked;
use crate::tasks::Ended;
use crate::versions;

/// The result of background work of comparisons.
pub(crate) enum Output {
    /// The sides of the comparison with this number were read and compared.
    Compared(u64, Result<Arc<Comparison>, Arc<SourceError>>),
    /// Files were picked to be compared with this, or with each other.
    Picked(Option<Source>, Result<Vec<PathBuf>, NotPicked>),
    /// The parts in which an asset differs from a version of it.
    PartsRead(Result<Arc<Parts>, versions::SourceError>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Compare(self)
    }
}

impl Compare {
    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Compared(number, result) => {
                // One that was cancelled for another is followed by that.
                let cancelled =
                    matches!(&result, Err(error) if matches!(**error, SourceError::Ended(Ended::Cancelled)));
                if let Some(tab) = self.tab_mut(number).filter(|_| !cancelled) {
                    tab.task = None;
                    // What is the same as before is shown as before: at the same place, with the same change selected.
                    let known = tab.shown.value().cloned();
                    tab.shown.resolve(result.map(|new| known.filter(|known| **known == *new).unwrap_or(new)));
                }
            }
            Output::PartsRead(read) => self.parts_read(read),
            Output::Picked(source, Ok(paths)) => self.picked(source, paths, cx),
            Output::Picked(_, Err(error)) => cx.notify(Severity::Failed, format!("No file was chosen: {error}")),
        }
    }

    fn picked(&mut self, source: Option<Source>, paths: Vec<PathBuf>, cx: &mut Context<'_>) {
        let mut files = paths.into_iter().map(Source::File);
        match (source, files.next(), files.next()) {
            (_, None, _) => {}
            (Some(source), Some(file), _) => self.begin([source, file], cx),
            (None, Some(one), Some(other)) => self.begin([one, other], cx),
            (None, Some(one), None) => self.select(one, cx),
        }
    }
}
