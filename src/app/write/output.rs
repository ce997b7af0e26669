//! The results of background work on writes, and what they change.

use crate::app::change::Change;
use crate::app::context::Context;
use crate::app::journal::EntryId;
use crate::app::journal::EntryRelation;
use crate::app::write::ConsoleAnswer;
use crate::app::write::Writes;
use crate::app::write::plan::Preflight;
use crate::app::write::plan::Reconciled;
use crate::app::write::step::{Failed, WriteResult};
use crate::app::write::tracking::Tracking;
use std::sync::Arc;

/// The result of a task on writes.
pub(in crate::app) enum Output {
    /// A write was planned, to be shown.
    Planned {
        change: Change,
        end: Result<Preflight, String>,
    },
    /// A write ended.
    Ended {
        intended: Change,
        answers: EntryRelation,
        end: WriteResult,
    },
    /// A write of unknown outcome was reconciled.
    Reconciled {
        change: Change,
        end: Result<Reconciled, String>,
    },
    Answered(Result<Arc<ConsoleAnswer>, String>),
    Tracked(Tracking, Result<EntryId, Failed>),
}

impl Writes {
    /// Handles the output of a task.
    pub(in crate::app) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Planned { change, end } => self.planned(change, end, cx),
            Output::Ended { intended, answers, end } => self.wrote(intended, answers, end, cx),
            Output::Reconciled { change, end } => {
                self.reconcile_page(&change, &end, cx);
                self.reconciled(&change, end, cx);
            }
            Output::Answered(end) => self.answered(end),
            Output::Tracked(tracking, end) => self.tracking_ended(tracking, end, cx),
        }
    }
}
