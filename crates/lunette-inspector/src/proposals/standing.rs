//! How a proposal stands: as it was decided, and what became since of the steps that carried it out.
//!
//! What must hold: whoever undoes, redoes or reads again such a step, wherever, the proposal says so, in the window, on
//! the command line and to the assistant.

use super::{Applied, Status};
use crate::journal::asked::AskedStep;

/// The status of a proposal with this recorded status, and these steps in the journal.
pub(super) fn standing(recorded: Status, steps: &[&AskedStep]) -> Status {
    let applied = match &recorded {
        Status::Applied(applied) => applied.clone(),
        // As earlier versions recorded it.
        Status::Undone => Applied { done: steps.iter().map(|step| step.done()).sum(), ..Applied::default() },
        Status::Waiting | Status::Sending | Status::Declined(_) | Status::Withdrawn => return recorded,
    };
    // What failed, or changed nothing, leaves nothing to undo.
    let made: Vec<_> = steps.iter().filter(|step| step.done() > 0 || step.is_open()).collect();
    if steps.is_empty() {
        return recorded;
    }
    if !made.is_empty() && made.iter().all(|step| step.undone().is_none()) {
        return Status::Undone;
    }
    let undone = made.iter().map(|step| step.undone().unwrap_or_else(|| step.done())).sum();
    Status::Applied(Applied { undone, ..known(applied, steps) })
}

/// The counts of a proposal whose changes of unknown outcome were all read again since.
fn known(applied: Applied, steps: &[&AskedStep]) -> Applied {
    if applied.unknown == 0 || steps.iter().any(|step| step.is_open()) || !steps.iter().any(|step| step.was_unknown()) {
        return applied;
    }
    let not_made = steps.iter().filter(|step| step.was_unknown() && step.is_failed()).count().min(applied.unknown);
    let Applied { done, unknown, failed, .. } = applied;
    let problems = if failed + not_made > 0 { applied.problems } else { Vec::new() };
    Applied { done: done + unknown - not_made, failed: failed + not_made, unknown: 0, problems, ..applied }
}
