//! Shows the steps of other windows of the same data folder in the history of this window.
//!
//! What must hold: the journal is read in the background, and the window is woken only if another one wrote something;
//! a step of another window never counts as a step of this window.

use std::collections::HashSet;
use std::sync::Arc;

use crate::context::Context;
use crate::event::RunEvent;
use crate::following::{FollowError, Following, Found, follow};
use crate::history::History;
use crate::journal::RunId;
use crate::journal::{End, Entry, EntryId, EntryKind, EntryRelation, JournalEvent, Outcome};
use crate::notifications::Severity;
use crate::output::ProgressEvent;

/// Follows other windows of the same data folder.
#[derive(Default)]
pub struct OtherWindows {
    /// The task that reads their steps.
    pub(crate) following: Option<Following>,
}

/// The steps of assistants that this window sends, whose lines in the journal are as those of another window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SentSteps {
    /// What is being sent.
    now: Option<SentHere>,
    /// The steps that were under way when the sending ended; their own ends may not be read yet.
    ended: HashSet<EntryId>,
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

impl History {
    /// Whether a step is in progress in another window.
    pub fn is_in_another_window(&self, entry: &Entry) -> bool {
        entry.outcome == Outcome::Sending && !self.is_of_this_window(entry.id)
    }

    /// Takes the steps that are described for steps of this window, from now until the sending has ended.
    pub(crate) fn begin_sending(&mut self, sent: SentHere) {
        self.sent_here.now = Some(sent);
        self.revision += 1;
    }

    /// From now on such steps are of another window, apart from those that are under way.
    pub(crate) fn end_sending(&mut self) {
        let own = self.entries.iter().filter(|entry| self.is_in_another_window(entry) && self.is_sent_here(entry));
        self.sent_here = SentSteps { now: None, ended: own.map(|entry| entry.id).collect() };
        self.revision += 1;
    }

    /// Whether a step is one that an assistant asked for and that this window sends.
    pub(super) fn is_sent_here(&self, entry: &Entry) -> bool {
        if self.sent_here.ended.contains(&entry.id) {
            return true;
        }
        let Some(sent) = &self.sent_here.now else { return false };
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
    pub(crate) fn add_of_another_window(&mut self, entry: Entry) {
        if self.entry(entry.id).is_none() {
            let index = self.entries.iter().rposition(|known| known.at <= entry.at).map_or(0, |index| index + 1);
            self.entries.insert(index, Arc::new(entry));
            self.revision += 1;
        }
    }

    /// Sets the outcome of a step; returns its run if it is a batch that changed.
    pub(crate) fn end_of_another_window(&mut self, end: End) -> Option<RunId> {
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

impl OtherWindows {
    /// Follows the journal of this connection for entries of other windows.
    pub(crate) fn follow_windows(&mut self, cx: &mut Context<'_>) {
        let (journal, events) = (cx.journal().clone(), cx.reporter());
        let send = move |changes| events.report(ProgressEvent::OtherWindows(changes));
        let read = move |_| {
            let news = journal.new_events()?;
            // A window that is closed writes nothing, so it is looked for.
            Ok(Found { news: (!news.is_empty()).then_some(news), again: journal.awaits_others() })
        };
        self.following = cx.database_watch().map(|watch| follow(watch, read, send));
    }
}

impl History {
    /// Shows the steps that other windows began or ended.
    pub(crate) fn apply_other_windows(
        &mut self,
        changes: Result<Vec<JournalEvent>, FollowError>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Change;
    use crate::history::EntryStatus;
    use crate::journal::{AskedBy, EntryRelation};
    use crate::run::Runs;
    use crate::write::journaled::entry;
    use lunette_client::model::id::AssetId;

    fn step(relation: EntryRelation, outcome: Outcome, asked_by: Option<AskedBy>) -> Entry {
        let change = Change::Reclassify { asset: AssetId::random(), from: None, to: "rs".to_owned() };
        let kind = EntryKind::Change(change);
        Entry { outcome, asked_by, ..entry("a".to_owned(), kind, &[], relation) }
    }

    #[test]
    fn an_undo_of_another_window_is_not_under_way_here_once_the_undo_of_this_window_has_ended() {
        let asked = |number| Some(AskedBy { client: "one".to_owned(), proposal: number });
        let steps = [1, 2].map(|number| step(EntryRelation::None, Outcome::Done, asked(number)));
        let undo = |of: &Entry| step(EntryRelation::Undoes(of.id), Outcome::Sending, None);
        let (own, other) = (undo(&steps[0]), undo(&steps[1]));
        let mut history = History::default();
        steps.into_iter().for_each(|step| history.add_of_another_window(step));
        history.begin_sending(SentHere { client: "one".to_owned(), proposal: None, undoes: true });
        history.add_of_another_window(own.clone());
        let status = |history: &History, entry: &Entry| {
            EntryStatus::of(history.entry(entry.id).expect("a step"), history, &Runs::new())
        };
        assert_eq!(status(&history, &own), EntryStatus::Sending);
        history.end_sending();
        assert_eq!(status(&history, &own), EntryStatus::Sending, "its end was not read yet");
        history.add_of_another_window(other.clone());
        assert_eq!(status(&history, &other), EntryStatus::Elsewhere);
        history.end_of_another_window(End { id: own.id, outcome: Outcome::Done, done: None, at: None });
        assert_eq!(status(&history, &own), EntryStatus::Done);
    }
}
