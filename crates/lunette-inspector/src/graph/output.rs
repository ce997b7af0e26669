//! The results of background tasks of the graph, and how they are applied.

use std::sync::Arc;

use super::facts::Facts;
use super::state::{LinkGraph, Shown};
use crate::CallError;
use crate::context::Context;
use crate::output::{TaskOutput, TaskResult};

/// The result of a background task of the graph.
pub(crate) enum Output {
    /// The graph was read, and its nodes were placed.
    Read(Result<Box<(Facts, Shown)>, CallError>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Graph(self)
    }
}

impl LinkGraph {
    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Read(Ok(read)) => {
                let (facts, shown) = *read;
                self.facts = facts;
                self.shown.resolve(Ok(Arc::new(shown)));
                self.save_positions(cx);
            }
            Output::Read(Err(error)) => self.shown.resolve(Err(error)),
        }
        // The result may be older than a change made meanwhile.
        if std::mem::take(&mut self.reload_pending) {
            self.reload(cx);
        }
    }
}
