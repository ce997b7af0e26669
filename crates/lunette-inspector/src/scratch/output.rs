//! The results of the work on copies.

use std::sync::Arc;

use super::ScratchCopy;
use super::work::Made;
use crate::context::Context;
use crate::notifications::Topic;
use crate::output::{TaskOutput, TaskResult};
use crate::sides::{LeftCopy, ScratchError, SideError};
use crate::tasks::Ended;

/// The result of a task.
pub(crate) enum Output {
    /// What was begun under this number was made, or started.
    Made(u64, Result<Made, ScratchError>),
    /// The copies that earlier windows kept.
    Left(Result<Vec<LeftCopy>, ScratchError>),
    /// A copy was removed.
    Removed(Result<(), ScratchError>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Scratch(self)
    }

    fn outlives_its_connection(&self) -> bool {
        true
    }
}

impl ScratchCopy {
    /// Handles the result of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Made(number, made) if number == self.number => {
                (self.making, self.work) = (None, None);
                match made {
                    Ok(made) => self.made(made, cx),
                    Err(ScratchError::Side(SideError::Cancelled) | ScratchError::Ended(Ended::Cancelled)) => {
                        cx.show_success("No copy was made: cancelled".to_owned());
                    }
                    Err(error) => cx.notify_failed(Topic::Scratch, format!("No copy was made: {error}"), Vec::new()),
                }
            }
            // One that nobody waits for is removed when it is dropped.
            Output::Made(_, made) => cx.discard(made),
            Output::Left(Ok(left)) => self.left = Arc::new(left),
            Output::Left(Err(error)) => {
                cx.notify_failed(
                    Topic::Scratch,
                    format!("Copies of earlier windows cannot be read: {error}"),
                    Vec::new(),
                );
            }
            Output::Removed(removed) => {
                self.removing = false;
                match removed {
                    Ok(()) => cx.notify_done(Topic::Scratch, "The copy was thrown away".to_owned(), Vec::new()),
                    Err(error) => {
                        cx.notify_failed(Topic::Scratch, format!("The copy was not removed: {error}"), Vec::new());
                    }
                }
                self.look(cx);
            }
        }
    }

    fn made(&mut self, made: Made, cx: &mut Context<'_>) {
        let Made { copy, of, unstored } = made;
        cx.resolve(Topic::Scratch);
        if let Some(first) = unstored.first() {
            let count = unstored.len();
            let message = match count {
                1 => format!("1 record is not in the copy: {first}"),
                count => format!("{count} records are not in the copy, the first one: {first}"),
            };
            cx.notify_failed(Topic::Scratch, message, Vec::new());
        }
        let folder = copy.folder();
        let left = self.left.iter().filter(|left| left.folder != folder).cloned().collect();
        self.left = Arc::new(left);
        self.enter(copy, of, cx);
    }
}
