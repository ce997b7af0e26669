//! What background work about changes returns, and what it changes.

use crate::app::App;
use crate::app::change::Change;
use crate::app::journal::EntryRelation;
use crate::app::output::WriteResult;
use crate::app::write::ConsoleAnswer;
use crate::app::write::plan::Preflight;
use crate::app::write::plan::Reconciled;
use std::sync::Arc;

/// What a task about changes ended with.
pub(in crate::app) enum Output {
    /// A write was planned, to be looked at.
    Planned {
        change: Change,
        end: Result<Preflight, String>,
    },
    /// A write ended.
    Ended {
        meant: Change,
        answers: EntryRelation,
        end: WriteResult,
    },
    /// A write of unknown outcome was read again.
    Reconciled {
        change: Change,
        end: Result<Reconciled, String>,
    },
    Answered(Result<Arc<ConsoleAnswer>, String>),
}

impl App {
    /// Takes in what a task ended with.
    pub(in crate::app) fn handle_write(&mut self, output: Output) {
        match output {
            Output::Planned { change, end } => self.planned(change, end),
            Output::Ended { meant, answers, end } => self.wrote(meant, answers, end),
            Output::Reconciled { change, end } => {
                self.reconcile_page(&change, &end);
                self.reconciled(&change, end);
            }
            Output::Answered(end) => self.answered(end),
        }
    }
}
