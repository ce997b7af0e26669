//! What waits for the user's word, and what is done then.
//!
//! What must hold: while a write policy asks, nothing is written that was not shown; what was typed for something that is
//! not confirmed stays where it was typed.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::App;
use crate::app::bulk::{RowSelection, RunId, RunRecord, StopMode, Task};
use crate::app::change::Change;
use crate::app::journal::EntryRelation;
use crate::app::session::Target;
use crate::app::write::tracking::Tracking;
use lunette_client::client::WritePolicy;
use lunette_client::operation::Call;

/// Something that waits for the user's word.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmation {
    /// What is asked.
    pub title: String,
    /// What it comes to.
    pub text: String,
    /// The word of the button that does it.
    pub button: String,
    /// The call as it will be sent, where it is one.
    pub call: Option<Arc<Call>>,
    /// What is done then.
    pub(in crate::app) wish: ConfirmedAction,
}

/// What is done once the user has said so.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum ConfirmedAction {
    /// Writes leave for another machine.
    Free,
    /// Sends the call, from the console.
    Send,
    /// Sends the call that registers or deletes an application.
    Track(Tracking),
    /// Sends the call that makes an asset of this name.
    Create(String),
    Import(Vec<PathBuf>),
    Samples,
    GoOn(RunId, RowSelection),
    Batch(Batch),
    /// Puts this backup in the place of the data of the service inside.
    Restore(PathBuf),
    /// Moves data that cannot be opened aside.
    BeginEmpty,
    /// Sends the call that empties the Trash of this many assets.
    EmptyTrash(usize),
    /// Uses the service at this address.
    Use(String),
}

/// A run of changes that needs no plan of its own: what was asked says all there is to see.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct Batch {
    pub title: String,
    pub changes: Arc<Vec<(Change, String)>>,
    pub in_flight: usize,
    pub answers: EntryRelation,
}

impl App {
    /// Asks for the user's word.
    pub(in crate::app) fn ask_first(&mut self, asked: Confirmation) {
        self.state.notifications.asked = Some(asked);
    }

    pub(in crate::app) fn answer_asked(&mut self, yes: bool) {
        let Some(Confirmation { wish, call, .. }) = self.state.notifications.asked.take() else { return };
        if !yes {
            return self.not_confirmed(&wish);
        }
        match (wish, call) {
            (ConfirmedAction::Free, _) => self.save_write_policy(WritePolicy::Allow),
            (ConfirmedAction::Send, Some(call)) => self.send_now(Call::clone(&call)),
            (ConfirmedAction::Track(tracking), Some(call)) => self.track_now(tracking, Call::clone(&call)),
            (ConfirmedAction::Create(name), Some(call)) => self.create_now(name, Call::clone(&call)),
            (ConfirmedAction::EmptyTrash(count), Some(call)) => self.empty_trash_now(count, Call::clone(&call)),
            (
                ConfirmedAction::Send
                | ConfirmedAction::Track(_)
                | ConfirmedAction::Create(_)
                | ConfirmedAction::EmptyTrash(_),
                None,
            ) => {}
            (ConfirmedAction::Import(paths), _) => self.import_now(paths),
            (ConfirmedAction::Samples, _) => self.import_samples_now(),
            (ConfirmedAction::GoOn(run, which), _) => self.continue_run(run, which, StopMode::No),
            (ConfirmedAction::Batch(batch), _) => self.start_batch(batch),
            (ConfirmedAction::Restore(backup), _) => self.restore_now(backup),
            (ConfirmedAction::BeginEmpty, _) => self.begin_empty_now(),
            (ConfirmedAction::Use(address), _) => self.connect_by_choice(Target::Url(address)),
        }
    }

    /// What was typed for it stays where it was typed.
    fn not_confirmed(&mut self, wish: &ConfirmedAction) {
        match wish {
            ConfirmedAction::Free
            | ConfirmedAction::Restore(_)
            | ConfirmedAction::BeginEmpty
            | ConfirmedAction::Use(_) => {}
            ConfirmedAction::Create(_) => self.state.import.making.answer(Err("cancelled".to_owned())),
            ConfirmedAction::Send
            | ConfirmedAction::Track(_)
            | ConfirmedAction::Import(_)
            | ConfirmedAction::Samples
            | ConfirmedAction::GoOn(..)
            | ConfirmedAction::Batch(_)
            | ConfirmedAction::EmptyTrash(_) => self.say("Cancelled".to_owned()),
        }
    }

    fn start_batch(&mut self, batch: Batch) {
        let Batch { title, changes, in_flight, answers } = batch;
        let tasks = changes.iter().map(|(change, name)| (Task::Change(change.clone()), name.clone())).collect();
        self.start_run(RunRecord::of_tasks(title, tasks, in_flight), answers);
    }
}

impl Confirmation {
    /// Whether it sends nothing to the service that is talked to, so that neither policy nor loss stands in its way.
    pub fn sends_nothing(&self) -> bool {
        matches!(
            self.wish,
            ConfirmedAction::Free | ConfirmedAction::Restore(_) | ConfirmedAction::BeginEmpty | ConfirmedAction::Use(_)
        )
    }

    /// Whether it deletes something permanently.
    pub fn deletes(&self) -> bool {
        match &self.wish {
            ConfirmedAction::EmptyTrash(_) => true,
            ConfirmedAction::Batch(batch) => {
                batch.changes.iter().any(|(change, _)| matches!(change, Change::Purge { .. }))
            }
            _ => false,
        }
    }

    /// Something that is done on this machine.
    pub(in crate::app) fn here(title: String, text: String, button: &str, wish: ConfirmedAction) -> Self {
        Self { title, text, button: button.to_owned(), call: None, wish }
    }

    /// A call that is shown before it is sent.
    pub(in crate::app) fn call(title: String, button: &str, call: Call, wish: ConfirmedAction) -> Self {
        let text = "This request will be sent:".to_owned();
        Self { title, text, button: button.to_owned(), call: Some(Arc::new(call)), wish }
    }

    /// An import of files.
    pub(in crate::app) fn import(title: String, text: &str, wish: ConfirmedAction) -> Self {
        Self { title, text: text.to_owned(), button: "Import".to_owned(), call: None, wish }
    }

    /// A run that goes on.
    pub(in crate::app) fn continue_run(title: &str, rows: usize, run: RunId, which: RowSelection) -> Self {
        let rows = if rows == 1 { "1 asset is".to_owned() } else { format!("{rows} assets are") };
        Self {
            title: format!("Resume “{title}”?"),
            text: format!("{rows} left. Each is read again before it is changed."),
            button: "Resume".to_owned(),
            call: None,
            wish: ConfirmedAction::GoOn(run, which),
        }
    }
}
