//! The inspector without a window: state, actions and background work.
//!
//! A frame calls [`App::step`], draws from [`App::state`], and hands the actions of its panels to [`App::perform`].
//! What must hold: nothing here waits. Calls, files and long work run as tasks; their ends come back through
//! [`App::step`] in the order they were started, and one of an earlier connection changes nothing but the log.
//! This crate names neither egui nor the service.

#![cfg_attr(
    test,
    expect(
        clippy::too_many_lines,
        reason = "a test of a whole story, and a table of cases, are easier to read in one piece"
    )
)]

use std::sync::mpsc::{Receiver, channel};

pub mod action;
pub mod applications;
pub mod assets;
pub mod assistants;
pub mod background;
pub mod bulk;
pub mod capability;
pub mod change;
pub mod check;
mod closing;
pub mod compare;
pub mod confirm;
mod context;
pub mod db;
mod dispatch;
pub mod drafts;
pub mod embedded;
mod event;
pub mod export;
pub mod files;
pub mod filter;
mod following;
pub mod graph;
pub mod highlighting;
pub mod history;
pub mod import;
pub mod inventory;
pub mod item;
pub mod journal;
pub mod licences;
pub mod links;
pub mod listing;
mod lists;
pub mod local_versions;
pub mod navigation;
pub mod notifications;
mod output;
pub mod overview;
pub mod panel;
pub mod proposals;
mod remote;
mod remote_changes;
mod request_versions;
pub mod rescue;
mod results;
mod run;
pub mod runs;
mod runtime;
pub mod scratch;
pub mod session;
pub mod settings;
mod setup;
pub mod shell;
pub mod sides;
pub mod state;
mod switching;
pub mod sync;
pub mod tables;
pub mod tasks;
mod transport;
pub mod trash;
pub mod undo;
pub mod usage;
pub mod versions;
pub mod watch;
pub mod write;

pub use action::Action;
pub use import::typed_path;
pub use lunette_client::client::{Address, CallError, Limits, Owner, Probe, ProbeStatus, Refusal, Vendor, WritePolicy};
pub use output::ProgressEvent;
pub use remote::Remote;
pub use setup::{BoxFuture, DesktopError, Dialogs, EmbeddedError, EmbeddedService, RescueDestination, Setup};
pub use state::State;
pub use transport::Transport;
pub(crate) use transport::unexpected;

use context::{of_feature, of_reader, split};
use notifications::Severity;
use output::{Completion, Report};
use runtime::Runtime;
use session::Status;
use settings::Loaded;
use shell::open_requests::ExternalRequests;
use tasks::{StartGate, TaskId};

/// The inspector.
pub struct App {
    state: State,
    runtime: Runtime,
    notes: Receiver<Report>,
}

impl App {
    /// Creates an inspector, which starts to connect.
    pub fn new(setup: Setup) -> Self {
        let loaded = setup.load_settings();
        Self::with_settings(setup, loaded, None)
    }

    /// Creates an inspector from settings that were read already. Work that is started before the next [`App::step`]
    /// begins when the hold is released.
    pub fn with_settings(mut setup: Setup, loaded: Loaded, hold: Option<StartGate>) -> Self {
        let (events_in, notes) = channel();
        let Loaded { settings, problem, first, synonyms } = loaded;
        let target = setup.target.clone();
        let receiver = setup.open_requests.take();
        let mut state = State { shell: ExternalRequests::new(receiver, &setup.repaint), ..State::default() };
        state.navigation.panel = settings.panel;
        state.preferences.saved = settings.clone();
        state.preferences.settings = settings;
        state.preferences.synonyms = synonyms;
        let mut app = Self { state, runtime: Runtime::new(setup, events_in), notes };
        app.runtime.tasks.hold(hold);
        app.open(problem);
        match target {
            Some(target) => of_feature!(app, session.connect_by_choice(target)),
            None if first => of_feature!(app, session.choose()),
            None => app.connect(app.state.preferences.settings.target.clone()),
        }
        app.handle_events();
        app.runtime.tasks.hold(None);
        app
    }

    /// Starts polling the embedded service, and reports messages about earlier runs.
    fn open(&mut self, problem: Option<String>) {
        let news = self.runtime.setup.embed.news();
        let (embedded, mut context) = split!(self, embedded);
        embedded.watch(&mut context);
        for news in news.into_iter().chain(problem) {
            context.notify(Severity::Failed, news);
        }
        of_feature!(self, scratch.look());
    }

    /// The displayed state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether any work is in progress.
    pub fn busy(&self) -> bool {
        self.runtime.tasks.count() > 0
    }

    /// Handles the results since the last frame.
    pub fn step(&mut self) {
        while let Ok(note) = self.notes.try_recv() {
            self.handle_progress(note);
        }
        for (task, Completion { generation, what }) in self.runtime.tasks.finished() {
            self.state.work.retain(|work| work.task != task);
            self.runtime.cancels.remove(&task);
            // Progress events of a task come before its result, also those that arrived since the loop above.
            while let Ok(note) = self.notes.try_recv() {
                self.handle_progress(note);
            }
            if generation.is_none_or(|generation| generation == self.runtime.generation) {
                self.handle_output(what);
            }
        }
        of_feature!(self, shell.handle_open_requests());
        self.handle_events();
        self.state.update_rows();
        self.record_visit();
        self.publish_view();
    }

    /// Cancels work: it is asked to complete its current step if it can, and aborted otherwise.
    fn cancel(&mut self, task: TaskId) {
        if let Some(run) = self.state.bulk.run_of(task) {
            return of_reader!(self, bulk.cancel_run(run));
        }
        match self.runtime.cancels.get(&task) {
            Some(flag) => flag.cancel(),
            None => self.runtime.tasks.cancel(task),
        }
        self.state.import.record_cancelled(task);
        self.state.write.record_cancelled(task);
        for work in self.state.work.iter_mut().filter(|work| work.task == task) {
            work.cancelling = true;
        }
    }

    /// Whether the service responds.
    pub fn up(&self) -> bool {
        self.state.connection.status == Status::Up
    }

    /// How often the window was raised since it opened.
    pub fn called(&self) -> u64 {
        self.state.shell.called()
    }

    /// Whether the window was asked to close.
    pub fn is_ending(&self) -> bool {
        self.state.shell.is_ending()
    }
}

/// The error of every call without a connection: nothing is sent.
fn not_connected(problem: impl Into<String>) -> CallError {
    CallError::Disconnected { problem: problem.into() }
}

/// An internal error as the error of a call.
fn internal_error(problem: impl Into<String>) -> CallError {
    CallError::Internal { target: None, problem: problem.into() }
}
