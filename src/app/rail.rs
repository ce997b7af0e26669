//! Guard rails in the window: which writes leave for the service that is talked to, and what is asked before they do.
//!
//! What must hold: what the rail holds back is held back before it is noted, so that no step is left of it and what was
//! typed stays; below this the client holds it back once more. While a rail asks, nothing is written that was not shown.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::App;
use crate::app::bulk::{Halt, Kept, RunId, Task, Which};
use crate::app::capability::Reason;
use crate::app::change::Change;
use crate::app::feature::Feature;
use crate::app::harvest::CancelFlag;
use crate::app::journal::Answers;
use crate::app::state::{Connection, Grade, Target};
use crate::app::write::tracking::Tracking;
use lunette_client::client::{Address, Rail};
use lunette_client::operation::Call;

/// Something that waits for the user's word.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// What is asked.
    pub title: String,
    /// What it comes to.
    pub text: String,
    /// The word of the button that does it.
    pub button: String,
    /// The call as it will be sent, where it is one.
    pub call: Option<Arc<Call>>,
    /// What is done then.
    pub(super) wish: Wish,
}

/// What is done once the user has said so.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wish {
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
    pub answers: Answers,
}

impl App {
    /// The rail kept for the connection that is meant; without one its address says.
    pub(super) fn rail_kept(&self) -> Rail {
        let connection = &self.state.connection;
        if let Some(rail) = self.state.settings.rails.get(&key(&connection.target)) {
            return *rail;
        }
        self.rail_of_address()
    }

    fn rail_of_address(&self) -> Rail {
        let connection = &self.state.connection;
        let address = match (&connection.address, &connection.target) {
            (Some(address), _) | (None, Target::Url(address)) => address,
            // The service inside listens on this machine only.
            (None, Target::Embedded) => return Rail::Free,
        };
        // What cannot be read cannot be told to be this machine.
        address.parse::<Address>().map_or(Rail::ReadOnly, |address| Rail::of(&address))
    }

    /// Hands the rail to the client, once there is one.
    pub(super) fn hold_rail(&mut self) {
        let rail = self.rail_kept();
        self.state.connection.rail = rail;
        if let Some(wire) = &self.wire {
            wire.set_rail(rail);
        }
    }

    /// Chooses a rail. That writes leave this machine freely is asked first.
    pub(super) fn set_rail(&mut self, rail: Rail) {
        let connection = &self.state.connection;
        if rail == connection.rail {
            return;
        }
        if rail == Rail::Free && connection.elsewhere() {
            let address = connection.address.clone().unwrap_or_default();
            return self.ask_first(Asked {
                title: "Allow changes to another machine?".to_owned(),
                text: format!(
                    "{address} is on another machine. Changes are sent immediately and unencrypted, so others on the \
                     network could read or modify them. This setting is saved for this connection."
                ),
                button: "Allow changes".to_owned(),
                call: None,
                wish: Wish::Free,
            });
        }
        self.put_rail(rail);
    }

    fn put_rail(&mut self, rail: Rail) {
        let (key, by_itself) = (key(&self.state.connection.target), self.rail_of_address());
        self.set(|settings| {
            match rail == by_itself {
                true => settings.rails.remove(&key),
                false => settings.rails.insert(key, rail),
            };
        });
        self.hold_rail();
        self.say(match rail {
            Rail::Free => "Changes are allowed".to_owned(),
            Rail::Confirm => "Every change is shown before it is sent".to_owned(),
            Rail::ReadOnly => "Read-only: nothing is sent".to_owned(),
        });
        if !rail.lets_writes() {
            let running: Vec<_> = self.runs.keys().copied().collect();
            running.into_iter().for_each(|run| self.pause_run(run));
            // An import ends with what it has made; the rest would be held back file by file.
            self.cancels.values().for_each(CancelFlag::cancel);
            self.answer_asked(false);
        }
    }

    /// Whether every write is asked about first.
    pub(super) fn confirms(&self) -> bool {
        self.state.connection.rail == Rail::Confirm
    }

    /// Why something may not be sent, as far as is known before it is.
    pub(super) fn held(&self, feature: Feature) -> Option<Reason> {
        feature.operations().into_iter().find_map(|operation| self.state.permits(operation).err())
    }

    /// The same, said to the user; true when it may not be sent. `what` says what was not done.
    pub(super) fn holds_back(&mut self, feature: Feature, what: &str) -> bool {
        let held = self.held(feature);
        if let Some(reason) = &held {
            self.notify(Grade::Failed, format!("{what}: {reason}"));
        }
        held.is_some()
    }

    /// Asks for the user's word.
    pub(super) fn ask_first(&mut self, asked: Asked) {
        self.state.asked = Some(asked);
    }

    pub(super) fn answer_asked(&mut self, yes: bool) {
        let Some(Asked { wish, call, .. }) = self.state.asked.take() else { return };
        if !yes {
            return self.not_confirmed(&wish);
        }
        match (wish, call) {
            (Wish::Free, _) => self.put_rail(Rail::Free),
            (Wish::Send, Some(call)) => self.send_now(Call::clone(&call)),
            (Wish::Track(tracking), Some(call)) => self.track_now(tracking, Call::clone(&call)),
            (Wish::Create(name), Some(call)) => self.create_now(name, Call::clone(&call)),
            (Wish::EmptyTrash(count), Some(call)) => self.empty_trash_now(count, Call::clone(&call)),
            (Wish::Send | Wish::Track(_) | Wish::Create(_) | Wish::EmptyTrash(_), None) => {}
            (Wish::Import(paths), _) => self.import_now(paths),
            (Wish::Samples, _) => self.import_samples_now(),
            (Wish::GoOn(run, which), _) => self.go_on(run, which, Halt::No),
            (Wish::Batch(batch), _) => self.start_batch(batch),
            (Wish::Restore(backup), _) => self.restore_now(backup),
            (Wish::BeginEmpty, _) => self.begin_empty_now(),
            (Wish::Use(address), _) => self.connect_by_choice(Target::Url(address)),
        }
    }

    /// What was typed for it stays where it was typed.
    fn not_confirmed(&mut self, wish: &Wish) {
        match wish {
            Wish::Free | Wish::Restore(_) | Wish::BeginEmpty | Wish::Use(_) => {}
            Wish::Create(_) => self.state.making.answer(Err("cancelled".to_owned())),
            Wish::Send
            | Wish::Track(_)
            | Wish::Import(_)
            | Wish::Samples
            | Wish::GoOn(..)
            | Wish::Batch(_)
            | Wish::EmptyTrash(_) => self.say("Cancelled".to_owned()),
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

impl Asked {
    /// Whether it sends nothing to the service that is talked to, so that neither rail nor loss stands in its way.
    pub fn sends_nothing(&self) -> bool {
        matches!(self.wish, Wish::Free | Wish::Restore(_) | Wish::BeginEmpty | Wish::Use(_))
    }

    /// Whether it deletes something permanently.
    pub fn deletes(&self) -> bool {
        match &self.wish {
            Wish::EmptyTrash(_) => true,
            Wish::Batch(batch) => batch.changes.iter().any(|(change, _)| matches!(change, Change::Purge { .. })),
            _ => false,
        }
    }

    /// Something that is done on this machine.
    pub(super) fn here(title: String, text: String, button: &str, wish: Wish) -> Self {
        Self { title, text, button: button.to_owned(), call: None, wish }
    }

    /// A call that is shown before it is sent.
    pub(super) fn call(title: String, button: &str, call: Call, wish: Wish) -> Self {
        let text = "This request will be sent:".to_owned();
        Self { title, text, button: button.to_owned(), call: Some(Arc::new(call)), wish }
    }

    /// An import of files.
    pub(super) fn import(title: String, text: &str, wish: Wish) -> Self {
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
            wish: Wish::GoOn(run, which),
        }
    }
}

/// The name under which a rail is kept: of an address however it was typed.
fn key(target: &Target) -> String {
    match target {
        Target::Embedded => "embedded".to_owned(),
        Target::Url(url) => url.parse::<Address>().map_or_else(|_| url.clone(), |address| address.to_string()),
    }
}
