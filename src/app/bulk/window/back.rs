//! Taking a batch back and doing it again: as another run, of what its rows did.
//!
//! What must hold: only rows that are done are taken back, each from what it was left as; the batch counts as taken back
//! when all of them are.

use std::sync::Arc;

use crate::app::App;
use crate::app::bulk::window::Then;
use crate::app::bulk::window::going::inverse;
use crate::app::bulk::{Row, RowStatus, Run, RunId, RunStatus};
use crate::app::change::Change;
use crate::app::journal::{Answers, Deed, Entry, EntryId};
use crate::app::rail::Batch;
use crate::app::state::Grade;

impl App {
    /// Takes a batch back: a run of the inverses of the rows that are done.
    pub(in crate::app) fn undo_batch(&mut self, id: EntryId) {
        let Some((entry, run)) = self.batch(id, Then::Undo(id)) else { return };
        let refused = match run.status {
            RunStatus::Ended | RunStatus::Cancelled => None,
            RunStatus::Running => Some("it is still under way; wait for it, or cancel it"),
            RunStatus::Paused(_) | RunStatus::Interrupted => Some("it has not ended; resume it, or cancel it first"),
        };
        // What was done last is taken back first.
        let back: Vec<_> =
            run.rows.iter().rev().filter_map(|row| Some((inverse(row)?, row.name.to_string()))).collect();
        let refused = refused.or(back.is_empty().then_some("nothing of it was done that the interface can take back"));
        if let Some(why) = refused {
            if back.is_empty() {
                self.state.history.lasting.insert(id);
            }
            return self.notify(Grade::Failed, format!("“{}” was not undone: {why}", entry.title));
        }
        let title = format!("Undo: {}", entry.title);
        self.answer_batch(title, back, run.in_flight, Answers::Undo(id));
    }

    /// Does a batch again that was taken back: a run of what its rows did.
    pub(in crate::app) fn redo_batch(&mut self, id: EntryId) {
        let Some((entry, run)) = self.batch(id, Then::Redo(id)) else { return };
        let again: Vec<_> = run.rows.iter().filter_map(|row| Some((again(row)?, row.name.to_string()))).collect();
        if again.is_empty() {
            let why = "what was made would come back as something else; make it anew";
            return self.notify(Grade::Failed, format!("“{}” was not done again: {why}", entry.title));
        }
        let title = format!("Do again: {}", entry.title);
        self.answer_batch(title, again, run.in_flight, Answers::Redo(id));
    }

    fn answer_batch(&mut self, title: String, changes: Vec<(Change, String)>, in_flight: usize, answers: Answers) {
        let under_way = |live: &super::Live| live.going.is_some() && live.rest.answers == answers;
        if self.runs.values().any(under_way) {
            return self.say("It is under way already; wait for it".to_owned());
        }
        self.run_batch(Batch { title, changes: Arc::new(changes), in_flight, answers });
    }

    /// A batch and its run; where the run is not known it is read first.
    fn batch(&mut self, id: EntryId, then: Then) -> Option<(Arc<Entry>, Run)> {
        let entry = Arc::clone(self.state.history.entry(id)?);
        let run: RunId = match entry.deed {
            Deed::Batch { run, .. } => run,
            Deed::Change(_) | Deed::Call { .. } => return None,
        };
        match self.state.runs.get(&run) {
            Some(run) => Some((entry, run.clone())),
            None => {
                self.read_run(run, then);
                None
            }
        }
    }
}

/// What does a row again. An asset that was made and deleted would come back as another one.
fn again(row: &Row) -> Option<Change> {
    let done = row.done.as_ref().filter(|_| row.status == RowStatus::Done)?;
    let whole = inverse(row).is_some() && !matches!(**done, Change::Create { .. });
    whole.then(|| Change::clone(done))
}
