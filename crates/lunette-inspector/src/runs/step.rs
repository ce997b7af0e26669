//! A run as one step of the history.

use crate::journal::{Entry, EntryId, EntryKind, Outcome};
use crate::runs::{Run, RunContext};
use lunette_client::client::CallGroup;
use lunette_client::model::size::grouped;

/// The step of a run in the journal.
pub(crate) fn step_of(run: &Run, rest: &RunContext, id: EntryId, outcome: Outcome) -> Entry {
    Entry {
        id,
        at: run.at,
        title: rest.past_title(run),
        kind: EntryKind::Batch { run: run.id, count: run.rows.len() },
        requests: Vec::new(),
        fields: Vec::new(),
        before: None,
        outcome,
        answers: rest.answers,
        undone: false,
        partly: None,
        ended: None,
        was_unknown: None,
        group: None,
        asked_by: rest.asked_by.clone(),
    }
}

/// The group of all calls of a run, for the log.
pub(crate) fn call_group(run: &Run, rest: &RunContext) -> CallGroup {
    CallGroup { id: run.id.0.as_u128(), title: rest.past_title(run) }
}

/// The outcome of an ended run as one step.
pub(crate) fn outcome(run: &Run) -> Outcome {
    if let Some(why) = run.unconfirmed_text() {
        return Outcome::Unknown(why);
    }
    let counts = run.counts();
    let all = grouped(counts.all() as u64);
    let why = match (counts.unknown, counts.failed, counts.pending) {
        (0, 0, 0) => return Outcome::Done,
        (0, 0, left) => format!("cancelled: {} of {all} not started", grouped(left as u64)),
        (0, failed, _) => format!("{} of {all} failed", grouped(failed as u64)),
        (unknown, ..) => {
            return Outcome::Unknown(format!("the outcome of {} of {all} is unknown", grouped(unknown as u64)));
        }
    };
    match counts.done + counts.unchanged {
        0 => Outcome::Failed(why),
        done => Outcome::Partly { done, of: counts.all(), why },
    }
}
