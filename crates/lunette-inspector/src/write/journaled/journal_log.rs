//! The record of a write in the journal.
//!
//! What must hold: an entry whose write is aborted, by a cancel or a panic, ends as unknown.

use crate::change::Change;
use crate::journal::{Entry, Journal, JournalError, Outcome, asked_title};
use crate::session::reporter::Reporter;
use crate::session::support::Reason;
use crate::tasks::{blocking, log_panic, spawn_blocking_supervised};
use crate::write::engine::WriteLog;
use crate::write::journaled::{NotRecorded, WriteContext};
use lunette_client::client::Client;

/// Why no write is sent now: the write policy blocks it, or the service has refused one because it accepts none.
pub(crate) fn held(client: &Client) -> Option<Reason> {
    match client.refusal() {
        _ if !client.write_policy().allows_writes() => Some(Reason::ReadOnly),
        refusal => refusal.map(Reason::Refused),
    }
}

/// An entry of the journal that has begun and not ended.
pub(crate) struct PendingEntry {
    /// None once its end was recorded.
    entry: Option<Entry>,
    journal: Journal,
    reporter: Reporter,
}

impl PendingEntry {
    /// Records the entry. If this fails, nothing may be sent. An entry that the write policy blocks is not recorded.
    pub(crate) async fn begin(context: &WriteContext, entry: Entry) -> Result<Self, NotRecorded> {
        if let Some(reason) = held(&context.client) {
            return Err(reason.into());
        }
        let title = asked_title(entry.title, context.asked_by.as_ref());
        let entry = Entry { title, asked_by: context.asked_by.clone(), ..entry };
        let (journal, recorded) = (context.journal.clone(), entry.clone());
        blocking(move || journal.begin(&recorded)).await??;
        // From here on an aborted entry is recorded as unknown.
        let pending = Self::recorded(context, entry.clone());
        context.sent.set();
        context.reporter.report_entry(entry, None);
        Ok(pending)
    }

    /// An entry that is in the journal already.
    pub(super) fn recorded(context: &WriteContext, entry: Entry) -> Self {
        Self { entry: Some(entry), journal: context.journal.clone(), reporter: context.reporter.clone() }
    }

    /// Records the outcome, and the applied change if only the service knew it.
    pub(crate) async fn end(mut self, outcome: Outcome, done: Option<Change>) {
        let Some(mut entry) = self.entry.take() else { return };
        let (journal, id) = (self.journal.clone(), entry.id);
        let at = jiff::Timestamp::now();
        entry.end(outcome.clone(), done.clone(), Some(at));
        let ended = blocking(move || journal.end_at(id, &outcome, done.as_ref(), at)).await;
        let ended = ended.unwrap_or_else(|error| Err(JournalError(error.to_string())));
        self.reporter.report_entry(entry, ended.err().map(|error| error.to_string()));
    }
}

/// The write was aborted.
impl Drop for PendingEntry {
    fn drop(&mut self) {
        let Some(mut entry) = self.entry.take() else { return };
        let outcome = Outcome::Unknown("interrupted before the response arrived".to_owned());
        let (journal, id, at) = (self.journal.clone(), entry.id, jiff::Timestamp::now());
        entry.end(outcome.clone(), None, Some(at));
        // The end of its task wakes the window. The repaint is not called here: this may run while a panic unwinds, and a
        // second panic would end the program.
        self.reporter.report_entry_quietly(entry);
        // When the program ends there is no runtime any more; an entry without an end reads as unknown then.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let end = move || {
                if let Err(error) = journal.end_at(id, &outcome, None, at) {
                    tracing::error!("the end of an interrupted change could not be recorded: {error}");
                }
            };
            spawn_blocking_supervised(&runtime, end, log_panic("recording the end of an interrupted change"));
        }
    }
}

/// Records a write as an entry of the journal; `F` returns the outcome and the applied change of a result.
pub(super) struct JournalLog<'a, F> {
    context: &'a WriteContext,
    /// None once it was recorded.
    entry: Option<Entry>,
    pending: Option<PendingEntry>,
    outcome: F,
}

impl<'a, F> JournalLog<'a, F> {
    pub(super) fn new(context: &'a WriteContext, entry: Entry, outcome: F) -> Self {
        Self { context, entry: Some(entry), pending: None, outcome }
    }
}

impl<R: Sync, F: FnOnce(&R) -> (Outcome, Option<Change>) + Send> WriteLog<R> for JournalLog<'_, F> {
    type Refused = NotRecorded;

    async fn begin(&mut self) -> Result<(), NotRecorded> {
        if let Some(entry) = self.entry.take() {
            self.pending = Some(PendingEntry::begin(self.context, entry).await?);
        }
        Ok(())
    }

    async fn end(self, result: &R) {
        let (outcome, done) = (self.outcome)(result);
        if let Some(pending) = self.pending {
            pending.end(outcome, done).await;
        }
    }
}
