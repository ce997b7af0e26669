//! Write policies in the window: which writes leave for the service that is talked to, and what is asked before they do.
//!
//! What must hold: what the write policy holds back is held back before it is noted, so that no step is left of it and
//! what was typed stays; below this the client holds it back once more. While a write policy asks, nothing is written
//! that was not shown.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::App;
use crate::app::bulk::{Halt, Kept, RunId, Task, Which};
use crate::app::capability::Reason;
use crate::app::change::Change;
use crate::app::feature::Feature;
use crate::app::harvest::CancelFlag;
use crate::app::journal::EntryRelation;
use crate::app::state::{Connection, Grade, Target};
use crate::app::write::tracking::Tracking;
use lunette_client::client::{Address, WritePolicy};
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
    pub(super) wish: ConfirmedAction,
}

/// What is done once the user has said so.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ConfirmedAction {
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
    GoOn(RunId, Which),
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
pub(super) struct Batch {
    pub title: String,
    pub changes: Arc<Vec<(Change, String)>>,
    pub in_flight: usize,
    pub answers: EntryRelation,
}

impl App {
    /// The write policy kept for the connection that is meant; without one its address says.
    pub(super) fn saved_write_policy(&self) -> WritePolicy {
        let connection = &self.state.connection;
        if let Some(policy) = self.state.settings.write_policies.get(&key(&connection.target)) {
            return *policy;
        }
        self.rail_of_address()
    }

    fn rail_of_address(&self) -> WritePolicy {
        let connection = &self.state.connection;
        let address = match (&connection.address, &connection.target) {
            (Some(address), _) | (None, Target::Url(address)) => address,
            // The service inside listens on this machine only.
            (None, Target::Embedded) => return WritePolicy::Allow,
        };
        // What cannot be read cannot be told to be this machine.
        address.parse::<Address>().map_or(WritePolicy::ReadOnly, |address| WritePolicy::of(&address))
    }

    /// Hands the write policy to the client, once there is one.
    pub(super) fn apply_write_policy(&mut self) {
        let policy = self.saved_write_policy();
        self.state.connection.write_policy = policy;
        if let Some(wire) = &self.wire {
            wire.set_write_policy(policy);
        }
    }

    /// Chooses a write policy. That writes leave this machine freely is asked first.
    pub(super) fn set_write_policy(&mut self, policy: WritePolicy) {
        let connection = &self.state.connection;
        if policy == connection.write_policy {
            return;
        }
        if policy == WritePolicy::Allow && connection.elsewhere() {
            let address = connection.address.clone().unwrap_or_default();
            return self.ask_first(Confirmation {
                title: "Allow changes to another machine?".to_owned(),
                text: format!(
                    "{address} is on another machine. Changes are sent immediately and unencrypted, so others on the \
                     network could read or modify them. This setting is saved for this connection."
                ),
                button: "Allow changes".to_owned(),
                call: None,
                wish: ConfirmedAction::Free,
            });
        }
        self.save_write_policy(policy);
    }

    fn save_write_policy(&mut self, policy: WritePolicy) {
        let (key, by_itself) = (key(&self.state.connection.target), self.rail_of_address());
        self.set(|settings| {
            match policy == by_itself {
                true => settings.write_policies.remove(&key),
                false => settings.write_policies.insert(key, policy),
            };
        });
        self.apply_write_policy();
        self.say(match policy {
            WritePolicy::Allow => "Changes are allowed".to_owned(),
            WritePolicy::Confirm => "Every change is shown before it is sent".to_owned(),
            WritePolicy::ReadOnly => "Read-only: nothing is sent".to_owned(),
        });
        if !policy.allows_writes() {
            let running: Vec<_> = self.runs.keys().copied().collect();
            running.into_iter().for_each(|run| self.pause_run(run));
            // An import ends with what it has made; the rest would be held back file by file.
            self.cancels.values().for_each(CancelFlag::cancel);
            self.answer_asked(false);
        }
    }

    /// Whether every write is asked about first.
    pub(super) fn confirms(&self) -> bool {
        self.state.connection.write_policy == WritePolicy::Confirm
    }

    /// Why something may not be sent, as far as is known before it is.
    pub(super) fn held(&self, feature: Feature) -> Option<Reason> {
        feature.operations().into_iter().find_map(|operation| self.state.permits(operation).err())
    }

    /// The same, said to the user; true when it may not be sent. `what` says what was not done.
    pub(super) fn blocks_write(&mut self, feature: Feature, what: &str) -> bool {
        let held = self.held(feature);
        if let Some(reason) = &held {
            self.notify(Grade::Failed, format!("{what}: {reason}"));
        }
        held.is_some()
    }

    /// Asks for the user's word.
    pub(super) fn ask_first(&mut self, asked: Confirmation) {
        self.state.asked = Some(asked);
    }

    pub(super) fn answer_asked(&mut self, yes: bool) {
        let Some(Confirmation { wish, call, .. }) = self.state.asked.take() else { return };
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
            (ConfirmedAction::GoOn(run, which), _) => self.go_on(run, which, Halt::No),
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
            ConfirmedAction::Create(_) => self.state.making.answer(Err("cancelled".to_owned())),
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
        self.start_run(Kept::of_tasks(title, tasks, in_flight), answers);
    }
}

impl Connection {
    /// Whether the service is known to be on another machine than this one.
    pub fn elsewhere(&self) -> bool {
        match (&self.address, &self.target) {
            (Some(_), _) => !self.is_loopback(),
            (None, Target::Url(url)) => url.parse::<Address>().is_ok_and(|address| !address.is_loopback()),
            (None, Target::Embedded) => false,
        }
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
    pub(super) fn here(title: String, text: String, button: &str, wish: ConfirmedAction) -> Self {
        Self { title, text, button: button.to_owned(), call: None, wish }
    }

    /// A call that is shown before it is sent.
    pub(super) fn call(title: String, button: &str, call: Call, wish: ConfirmedAction) -> Self {
        let text = "This request will be sent:".to_owned();
        Self { title, text, button: button.to_owned(), call: Some(Arc::new(call)), wish }
    }

    /// An import of files.
    pub(super) fn import(title: String, text: &str, wish: ConfirmedAction) -> Self {
        Self { title, text: text.to_owned(), button: "Import".to_owned(), call: None, wish }
    }

    /// A run that goes on.
    pub(super) fn go_on(title: &str, rows: usize, run: RunId, which: Which) -> Self {
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

/// The name under which a write policy is kept: of an address however it was typed.
fn key(target: &Target) -> String {
    match target {
        Target::Embedded => "embedded".to_owned(),
        Target::Url(url) => url.parse::<Address>().map_or_else(|_| url.clone(), |address| address.to_string()),
    }
}
