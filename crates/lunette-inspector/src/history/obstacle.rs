//! Why a step cannot be undone or redone. Keys, buttons and notifications use only this module.
//!
//! What must hold: the reasons are true for the current connection; without a reason, the undo or redo can be tried.

use std::borrow::Cow;
use std::sync::Arc;

use crate::capability::Capability;
use crate::history::History;
use crate::journal::{Entry, EntryKind, EntryRelation, Outcome};
use crate::run::{RunStatus, Runs};
use crate::session::Connection;
use crate::session::support::Reason as Blocked;

/// A reason, for use within a sentence.
type Reason = Cow<'static, str>;

/// Why a step whose asset can be read again is not undone before that.
const READ_AGAIN: &str = "its outcome is unknown; read it again first";

impl History {
    /// The step that Undo undoes; `None` if there is none, or if the last one cannot be undone.
    pub fn undoable(&self, connection: &Connection, runs: &Runs) -> Option<&Arc<Entry>> {
        self.last().filter(|last| self.undo_obstacle(last, connection, runs).is_none())
    }

    /// Why a step cannot be undone; `None` if it can be tried. `runs` are those that are known.
    pub fn undo_obstacle(&self, entry: &Entry, connection: &Connection, runs: &Runs) -> Option<Reason> {
        match entry.answers {
            EntryRelation::None => {}
            EntryRelation::Undoes(_) => return Some("it undid another step; redo that one instead".into()),
            EntryRelation::Redoes(target) => return self.undo_obstacle(self.entry(target)?, connection, runs),
        }
        if self.is_in_another_window(entry) && !self.is_sent_here(entry) {
            return Some("it is in progress in another window or command".into());
        }
        if let Some(why) = run_obstacle(entry, runs) {
            return Some(why.into());
        }
        match (&entry.outcome, &entry.kind) {
            (Outcome::Sending, _) => Some("it is still in progress".into()),
            (Outcome::Failed(_), EntryKind::Change(_) | EntryKind::Call { .. }) => Some("it failed".into()),
            (Outcome::Unknown(_), EntryKind::Change(_)) => Some(READ_AGAIN.into()),
            (Outcome::Unknown(_), EntryKind::Call { .. }) if entry.creates_asset() => Some(READ_AGAIN.into()),
            (Outcome::Unknown(_), EntryKind::Call { .. }) => {
                Some("its outcome is unknown, and it cannot be read again; undo another step".into())
            }
            _ if entry.undone => Some("already undone".into()),
            _ if entry.partly.is_some_and(|partly| partly.unclear) => {
                Some("the outcome of its undo is unknown; read the undo again first".into())
            }
            (_, kind) => self.way_back_obstacle(entry, kind, connection),
        }
    }

    fn way_back_obstacle(&self, entry: &Entry, kind: &EntryKind, connection: &Connection) -> Option<Reason> {
        let recovery = connection.recovery();
        match kind {
            EntryKind::Change(change) => {
                let made = self.change_of(entry.id).unwrap_or(change);
                made.irreversible_reason(recovery).map(Into::into)
            }
            EntryKind::Batch { .. } => {
                self.irreversible.contains(&entry.id).then(|| "none of its changes can be undone".into())
            }
            EntryKind::Call { .. } if entry.tracked().is_some() => match connection.can_do(Capability::Untrack) {
                Err(Blocked::Unsupported { .. }) => Some("this service cannot stop tracking an application".into()),
                Err(Blocked::ReadOnly | Blocked::Refused(_) | Blocked::NotConnected) | Ok(()) => None,
            },
            EntryKind::Call { .. } if entry.item_step().is_some() => None,
            EntryKind::Call { .. } => Some("requests from the console cannot be undone".into()),
        }
    }

    /// Why a step cannot be redone; `None` if it can be tried.
    pub fn redo_obstacle(&self, entry: &Entry) -> Option<Reason> {
        if self.redoable().is_none_or(|redoable| redoable.id != entry.id) {
            return Some("only the last undone step can be redone".into());
        }
        let last = self.answers(entry.id).last();
        match last.map(|last| (&last.outcome, &last.kind)) {
            Some((Outcome::Sending, _)) => Some("it is still in progress".into()),
            Some((Outcome::Unknown(_), EntryKind::Change(_) | EntryKind::Call { .. })) => {
                Some("the outcome of its undo is unknown; read the undo again first".into())
            }
            _ => None,
        }
    }
}

/// Why a run that has not ended cannot be undone.
fn run_obstacle(entry: &Entry, runs: &Runs) -> Option<&'static str> {
    let EntryKind::Batch { run, .. } = entry.kind else { return None };
    match runs.get(&run)?.status {
        RunStatus::Running => Some("it is still in progress; wait or cancel it"),
        RunStatus::Paused(_) | RunStatus::Interrupted => Some("it has not finished; resume or cancel it first"),
        RunStatus::Cancelled | RunStatus::Ended => None,
    }
}
