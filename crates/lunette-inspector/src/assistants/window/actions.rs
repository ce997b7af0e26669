//! The actions of the assistants, and the results of their work.

use super::AssistantsPage;
use crate::assistants::{Assistant, Token, TokenError, TokenFile};
use crate::confirm::{Confirmation, Confirmed};
use crate::context::Context;
use crate::db::DatabaseError;
use crate::notifications::Topic;
use crate::output::{TaskOutput, TaskResult};
use crate::tasks::Ended;

/// An action of the assistants.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Shows them, or closes them.
    Show(bool),
    /// Reads them again.
    Reload,
    /// Decides what the assistant with this name may do.
    Decide(String, Decision),
    /// Makes a token in place of the old one, after confirmation if there is one.
    RenewToken,
    /// Makes a token; the old one is refused from then on.
    RenewTokenConfirmed(Confirmed),
    /// Deletes the token.
    RevokeToken,
}

/// What the user decides about an assistant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Whether it is turned off.
    Off(bool),
    /// Whether it is shown what looks like a secret.
    ShownSecrets(bool),
    /// Whether a small change that it proposes is applied at once.
    AppliesSmall(bool),
}

impl Decision {
    fn set(self, assistant: &mut Assistant) {
        match self {
            Self::Off(off) => assistant.off = off,
            Self::ShownSecrets(shown) => assistant.shown_secrets = shown,
            Self::AppliesSmall(applies) => assistant.applies_small = applies,
        }
    }
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Assistants(action)
    }
}

/// Why something about assistants was not written or read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AssistantsError {
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error(transparent)]
    Token(#[from] TokenError),
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// The result of a task.
pub(crate) enum Output {
    /// A decision was written.
    Decided(Result<(), AssistantsError>),
    /// The token was read, made or deleted.
    Token(Result<Option<Token>, AssistantsError>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Assistants(self)
    }

    fn outlives_its_connection(&self) -> bool {
        true
    }
}

impl AssistantsPage {
    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Show(open) => {
                self.open = open;
                // It is in memory while it is shown.
                self.token = crate::Remote::NotRequested;
                if open {
                    self.reload();
                    self.use_token(cx, |file| Ok(file.known()));
                }
            }
            Action::Reload => self.reload(),
            Action::Decide(name, decision) => self.decide(name, decision, cx),
            Action::RenewToken => match self.token.value().and_then(Option::as_ref) {
                Some(_) => {
                    let title = "Make a new token?".to_owned();
                    let text =
                        "The current token is refused from then on. Give the new one to each client that uses it.";
                    let asked =
                        Confirmation::here(title, text.to_owned(), "Make a new token", Action::RenewTokenConfirmed);
                    cx.ask_first(asked);
                }
                None => self.use_token(cx, |file| file.renew().map(Some)),
            },
            Action::RenewTokenConfirmed(Confirmed { .. }) => self.use_token(cx, |file| file.renew().map(Some)),
            Action::RevokeToken => self.use_token(cx, |file| file.revoke().map(|()| None)),
        }
    }

    fn decide(&mut self, name: String, decision: Decision, cx: &mut Context<'_>) {
        let Some((assistants, _)) = self.place.clone() else { return };
        let decide = move || Ok(assistants.decide(&name, |assistant| decision.set(assistant))?);
        cx.run_blocking(decide, Output::Decided);
    }

    fn use_token(
        &mut self,
        cx: &mut Context<'_>,
        work: impl FnOnce(&TokenFile) -> Result<Option<Token>, TokenError> + Send + 'static,
    ) {
        let Some((_, file)) = self.place.clone() else { return };
        self.token.start_loading();
        cx.run_blocking(move || Ok(work(&file)?), Output::Token);
    }

    /// Handles the result of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Decided(Ok(())) => cx.resolve(Topic::Assistants),
            Output::Decided(Err(error)) => {
                let message = format!("What the assistant may do was not changed: {error}");
                cx.notify_failed(Topic::Assistants, message, Vec::new());
            }
            Output::Token(read) if self.open => self.token.resolve(read.map_err(|error| error.to_string())),
            Output::Token(_) => {}
        }
        self.reload();
    }
}
