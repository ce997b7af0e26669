//! The results of background work on writes, and what they change.

use crate::CallError;
use crate::change::Change;
use crate::context::WideContext;
use crate::journal::EntryId;
use crate::journal::EntryRelation;
use crate::output::{TaskOutput, TaskResult};
use crate::write::ConsoleAnswer;
use crate::write::Writes;
use crate::write::console::NotAnswered;
use crate::write::journaled::{Failed, WriteResult};
use crate::write::plan::Reconciled;
use crate::write::plan::{PlanError, Preflight};
use crate::write::tracking::Tracking;
use std::sync::Arc;

/// The result of a task on writes.
pub(crate) enum Output {
    /// A write was planned, to be shown.
    Planned {
        change: Change,
        end: Result<Preflight, PlanError>,
    },
    /// A write ended.
    Ended {
        intended: Change,
        relation: EntryRelation,
        end: WriteResult,
    },
    /// A write of unknown outcome was reconciled.
    Reconciled {
        change: Change,
        end: Result<Reconciled, CallError>,
    },
    /// The asset was looked for that a step with this title was to create.
    LookedFor {
        title: String,
        end: Result<Reconciled, CallError>,
    },
    /// A request of the console ended.
    Answered(Result<Arc<ConsoleAnswer>, NotAnswered>),
    Tracked(Tracking, Result<EntryId, Failed>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Write(self)
    }
}

impl Writes {
    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut WideContext<'_>) {
        match output {
            Output::Planned { change, end } => self.planned(change, end, cx),
            Output::Ended { intended, relation, end } => self.wrote(intended, relation, end, cx),
            Output::Reconciled { change, end } => {
                self.reconcile_page(&change, &end);
                self.reconciled(&change, end, cx);
            }
            Output::LookedFor { title, end } => self.looked_for(&title, end, cx),
            Output::Answered(end) => self.answered(end),
            Output::Tracked(tracking, end) => self.tracking_ended(tracking, end, cx),
        }
    }
}
