//! Shows the steps of other windows of the same data folder in the history of this window.
//!
//! What must hold: the journal is polled in the background, and the window is woken only if another one wrote
//! something; a step of another window never counts as a step of this window.

use std::sync::Arc;

use tokio::task::AbortHandle;
use tokio::time::sleep;

use crate::context::Context;
use crate::event::RunEvent;
use crate::history::History;
use crate::journal::RunId;
use crate::journal::{End, Entry, EntryKind, EntryRelation, JournalError, JournalEvent, Outcome};
use crate::notifications::Severity;
use crate::output::ProgressEvent;
use crate::tasks::{Ended, blocking, spawn_supervised};

/// Follows other windows of the same data folder.
#[derive(Default)]
pub struct OtherWindows {
    /// The task that reads their steps.
    pub(crate) following: Option<Following>,
}

/// Steps of an assistant that are sent because of a decision in this window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentHere {
    /// The name of the assistant.
    pub client: String,
    /// The proposal; `None` for all of the assistant.
    pub proposal: Option<u64>,
    /// Whether its steps are undone instead of made.
    pub undoes: bool,
}

/// The task that follows the journal of a connection; it ends when this is dropped.
pub(crate) struct Following(AbortHandle);

impl Drop for Following {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl History {
    /// Whether a step is in progress in another window.
    pub fn is_in_another_window(&self, entry: &Entry) -> bool {
        entry.outcome == Outcome::Sending && !self.is_of_this_window(entry.id)
    }

    /// Whether a step is one that an assistant asked for and that this window sent.
    pub(super) fn is_sent_here(&self, entry: &Entry) -> bool {
        let Some(sent) = &self.sent_here else { return false };
        let asked = match (sent.undoes, entry.answers) {
            (false, EntryRelation::None) => entry.asked_by.as_ref(),
            (true, EntryRelation::Undoes(target)) => self.entry(target).and_then(|undone| undone.asked_by.as_ref()),
            (false | true, _) => None,
        };
        let is_proposal = |number| sent.proposal.is_none_or(|sent| sent == number);
        asked.is_some_and(|asked| asked.client == sent.client && is_proposal(asked.proposal))
    }

    /// Whether a run is in progress in another window.
    pub(crate) fn runs_in_another_window(&self, run: RunId) -> bool {
        let of_run = |entry: &&Arc<Entry>| matches!(entry.kind, EntryKind::Batch { run: known, .. } if known == run);
        self.entries.iter().rev().find(of_run).is_some_and(|entry| self.is_in_another_window(entry))
    }

    /// Inserts a step that another window began, ordered by time.
    fn add_of_another_window(&mut self, entry: Entry) {
        if self.entry(entry.id).is_none() {
            let index = self.entries.iter().rposition(|known| known.at <= entry.at).map_or(0, |index| index + 1);
            self.entries.insert(index, Arc::new(entry));
            self.revision += 1;
        }
    }

    /// Sets the outcome of a step; returns its run if it is a batch that changed.
    fn end_of_another_window(&mut self, end: End) -> Option<RunId> {
        let mut entry = Entry::clone(self.entry(end.id)?);
        let known = (entry.outcome.clone(), entry.kind.clone());
        let at = end.recorded_at();
        entry.end(end.outcome, end.done, at);
        if known == (entry.outcome.clone(), entry.kind.clone()) {
            return None;
        }
        let run = match entry.kind {
            EntryKind::Batch { run, .. } => Some(run),
            EntryKind::Change(_) | EntryKind::Call { .. } => None,
        };
        self.merge(Arc::new(entry));
        run
    }
}

/// Why the steps of other windows are not known.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotFollowed {
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Reading it panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
    /// The work that follows it panicked; the message of the panic.
    #[error("{0}")]
    Panicked(String),
}

impl OtherWindows {
    /// Follows the journal of this connection for entries of other windows.
    pub(crate) fn follow_windows(&mut self, cx: &mut Context<'_>) {
        let (journal, every) = (cx.journal().clone(), cx.setup().pace.journal);
        let events = cx.reporter();
        let send = move |changes| events.report(ProgressEvent::OtherWindows(changes));
        let halted = send.clone();
        let follow = async move {
            let mut reported: Option<NotFollowed> = None;
            loop {
                sleep(every).await;
                let journal = journal.clone();
                let read = blocking(move || Ok(journal.new_events()?));
                match read.await.unwrap_or_else(|ended| Err(ended.into())) {
                    Ok(changes) => {
                        reported = None;
                        if !changes.is_empty() {
                            send(Ok(changes));
                        }
                    }
                    Err(why) if reported.as_ref() == Some(&why) => {}
                    Err(why) => {
                        reported = Some(why.clone());
                        send(Err(why));
                    }
                }
            }
        };
        self.following = Some(Following(spawn_supervised(&cx.setup().runtime, follow, move |panic| {
            halted(Err(NotFollowed::Panicked(panic)))
        })));
    }
}

impl History {
    /// Shows the steps that other windows began or ended.
    pub(crate) fn apply_other_windows(
        &mut self,
        changes: Result<Vec<JournalEvent>, NotFollowed>,
        cx: &mut Context<'_>,
    ) {
        match changes {
            Err(why) => cx.notify(Severity::Failed, format!("Steps of other windows are not shown: {why}")),
            Ok(changes) => {
                for change in changes {
                    match change {
                        JournalEvent::Started(entry) => self.add_of_another_window(*entry),
                        JournalEvent::Ended(end) => self.ended_in_another_window(*end, cx),
                    }
                }
            }
        }
    }

    fn ended_in_another_window(&mut self, end: End, cx: &mut Context<'_>) {
        let id = end.id;
        if let Some(run) = self.end_of_another_window(end) {
            cx.emit(RunEvent::EndedElsewhere(id, run));
        }
    }
}
