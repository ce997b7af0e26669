//! Confirmations, and the actions that they confirm.
//!
//! What must hold: while the write policy is Confirm, nothing is written that was not shown. Input for a rejected
//! action stays in its form.

use std::sync::Arc;

use crate::action::{BulkAction, ImportAction};
use crate::bulk::Batch;
use crate::change::Change;
use crate::context::Context;
use crate::import::Repeatable;
use crate::runs::{RowSelection, RunId};
use crate::{Action, Refusal};
use lunette_client::operation::Call;

/// An action that waits for confirmation.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmation {
    /// The question.
    pub title: String,
    /// The consequences.
    pub text: String,
    /// The label of the confirming button.
    pub button: String,
    /// The call as it will be sent, if it is one.
    pub call: Option<Arc<Call>>,
    /// Whether it sends nothing to the connected service, so that neither write policy nor a lost connection blocks it.
    pub sends_nothing: bool,
    /// Whether it deletes something permanently.
    pub deletes: bool,
    /// The action after confirmation.
    pub(crate) then: Box<Action>,
    /// The action after a rejection.
    pub(crate) declined: Option<Box<Action>>,
}

/// Proof that the user confirmed. Only a [`Confirmation`] creates one.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmed {
    _made_here: (),
}

impl Context<'_> {
    /// Asks the user for confirmation.
    pub(crate) fn ask_first(&mut self, confirmation: Confirmation) {
        self.notifications.confirmation = Some(confirmation);
    }

    /// Performs what would be asked about, where the write policy does not ask.
    pub(crate) fn without_asking(&mut self, confirmation: Confirmation) {
        self.request(*confirmation.then);
    }

    /// Performs the action that the open question is about.
    pub(crate) fn confirm(&mut self) {
        if let Some(Confirmation { then, .. }) = self.notifications.confirmation.take() {
            self.request(*then);
        }
    }

    /// Performs the action for a rejection of the open question, if there is one.
    pub(crate) fn decline(&mut self) {
        if let Some(declined) = self.notifications.confirmation.take().and_then(|asked| asked.declined) {
            self.request(*declined);
        }
    }
}

impl Confirmation {
    fn new<A: Into<Action>>(title: String, text: String, button: &str, then: impl FnOnce(Confirmed) -> A) -> Self {
        Self {
            title,
            text,
            button: button.to_owned(),
            call: None,
            sends_nothing: false,
            deletes: false,
            then: Box::new(then(Confirmed { _made_here: () }).into()),
            declined: Some(Box::new(Action::Notify("Cancelled".to_owned()))),
        }
    }

    /// An action on this machine.
    pub(crate) fn here<A: Into<Action>>(
        title: String,
        text: String,
        button: &str,
        then: impl FnOnce(Confirmed) -> A,
    ) -> Self {
        Self { sends_nothing: true, declined: None, ..Self::new(title, text, button, then) }
    }

    /// A call that is shown before it is sent.
    pub(crate) fn call<A: Into<Action>>(
        title: String,
        button: &str,
        call: Call,
        then: impl FnOnce(Arc<Call>, Confirmed) -> A,
    ) -> Self {
        let call = Arc::new(call);
        let text = "This request will be sent:".to_owned();
        let confirmation = Self::new(title, text, button, |confirmed| then(Arc::clone(&call), confirmed));
        Self { call: Some(call), ..confirmation }
    }

    /// Adds the action to perform after a rejection.
    pub(crate) fn or_else(self, declined: impl Into<Action>) -> Self {
        Self { declined: Some(Box::new(declined.into())), ..self }
    }

    /// A deletion of several items.
    pub(crate) fn deletion<A: Into<Action>>(title: String, text: &str, then: impl FnOnce(Confirmed) -> A) -> Self {
        Self { deletes: true, ..Self::new(title, text.to_owned(), "Delete", then) }
    }

    /// Several writes.
    pub(crate) fn writes<A: Into<Action>>(
        title: String,
        text: String,
        button: &str,
        then: impl FnOnce(Confirmed) -> A,
    ) -> Self {
        Self::new(title, text, button, then)
    }

    /// An import of files.
    pub(crate) fn import<A: Into<Action>>(title: String, text: &str, then: impl FnOnce(Confirmed) -> A) -> Self {
        Self::new(title, text.to_owned(), "Import", then)
    }

    /// A run of changes.
    pub(crate) fn batch(title: String, text: String, button: &str, batch: Batch) -> Self {
        let deletes = batch.changes.iter().any(|(change, _)| matches!(change, Change::Purge { .. }));
        Self { deletes, ..Self::new(title, text, button, |confirmed| BulkAction::StartBatch(batch, confirmed)) }
    }

    /// A run of changes that restore something, before which a checkpoint is made.
    pub(crate) fn restore(title: String, text: String, batch: Batch) -> Self {
        Self::new(title, text, "Restore", |confirmed| BulkAction::StartRestore(batch, confirmed))
    }

    /// A run that stopped because the service accepts no writes: it goes on, or stays paused.
    pub(crate) fn retry_run(title: &str, refusal: &Refusal, run: RunId) -> Self {
        let text = format!(
            "Read-only: {refusal}. The rows that were not changed stay as they are, and the run stays paused until you \
             resume or cancel it."
        );
        let title = format!("“{title}” stopped. Try again?");
        Self::here(title, text, "Try again", |confirmed| BulkAction::TryAgain(run, confirmed))
    }

    /// An import that stopped because the service accepts no writes: what was not imported is sent again, or not.
    pub(crate) fn retry_import(refusal: &Refusal, what: Repeatable) -> Self {
        let text = format!("Read-only: {refusal}. Nothing that was imported before is imported twice.");
        let title = "The import stopped. Try again?".to_owned();
        Self::here(title, text, "Try again", |confirmed| ImportAction::TryAgain(what, confirmed))
    }

    /// A run that resumes.
    pub(crate) fn continue_run(title: &str, rows: usize, run: RunId, which: RowSelection) -> Self {
        let rows = if rows == 1 { "1 asset is".to_owned() } else { format!("{rows} assets are") };
        let text = format!("{rows} left. Each is read again before it is changed.");
        Self::new(format!("Resume “{title}”?"), text, "Resume", |confirmed| {
            BulkAction::Continue(run, which, confirmed)
        })
    }
}
