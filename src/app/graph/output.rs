//! What background work on the graph returns, and what it changes.

use std::sync::Arc;

use super::facts::Facts;
use super::state::{LinkGraph, Shown};
use crate::app::CallError;
use crate::app::context::Context;

/// What a task about the graph ended with.
pub(in crate::app) enum Output {
    /// It was read, and its nodes were placed.
    Read(Result<Box<(Facts, Shown)>, CallError>),
}

impl LinkGraph {
    /// Handles the output of a task.
    pub(in crate::app) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Read(Ok(read)) => {
                let (facts, shown) = *read;
                self.facts = facts;
                self.shown.answer(Ok(Arc::new(shown)));
                self.keep_places(cx);
            }
            Output::Read(Err(error)) => self.shown.answer(Err(error)),
        }
        // What was read meanwhile may be older than what changed.
        if std::mem::take(&mut self.again) {
            self.reload(cx);
        }
    }
}
