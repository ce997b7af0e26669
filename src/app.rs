//! The inspector without a window: what is known, what is wished, what is under way.
//!
//! A frame calls [`App::step`], draws from [`App::state`], and hands the actions of its panels to [`App::perform`].
//! What must hold: nothing here waits. Calls, files and long work run as tasks; their ends come back through
//! [`App::step`] in the order they were started, and one of an earlier connection changes nothing but the log.
//! This module does not name egui.

use std::sync::mpsc::{Receiver, channel};

pub mod action;
pub mod applications;
pub mod assets;
pub mod background;
pub mod bulk;
pub mod change;
pub mod check;
pub mod confirm;
pub mod db;
mod dispatch;
pub mod drafts;
pub mod embedded;
mod events;
pub mod export;
pub mod files;
pub mod filter;
pub mod history;
pub mod import;
pub mod journal;
pub mod listing;
pub mod navigation;
pub mod notifications;
mod output;
mod remote;
mod request_versions;
mod runtime;
pub mod session;
pub mod settings;
mod setup;
pub mod shell;
pub mod state;
pub mod sync;
pub mod tasks;
pub mod trash;
mod view;
pub mod write;

pub use action::Action;
pub use import::typed_path;
pub use lunette_client::client::{Address, CallError, Limits, Owner, Probe, ProbeStatus, WritePolicy};
pub use output::ProgressEvent;
pub use remote::Remote;
pub use session::transport::{Observer, Transport};
pub use setup::{BoxFuture, Dialogs, EmbeddedService, Setup};
pub use state::State;

use notifications::Grade;
use output::Event;
use runtime::Runtime;
use settings::{Loaded, Settings};
use shell::open_requests::ExternalRequests;
use tasks::TaskId;

/// The inspector.
pub struct App {
    state: State,
    runtime: Runtime,
    notes: Receiver<ProgressEvent>,
}

impl App {
    /// An inspector that starts to connect.
    pub fn new(mut setup: Setup) -> Self {
        let (notes_in, notes) = channel();
        let Loaded { settings, problem, first, legacy_unreadable } = match (&setup.data, &setup.settings) {
            (Some(data), Some(legacy)) => Settings::read(data, legacy),
            (None, _) | (_, None) => Loaded::default(),
        };
        // They are imported by the first start that can read them, so nothing may take their place before.
        setup.settings.take_if(|_| legacy_unreadable);
        let target = setup.target.clone();
        let door = setup.door.take();
        let mut state = State { shell: ExternalRequests::behind(door, &setup.waker), ..State::default() };
        state.navigation.panel = settings.panel;
        state.preferences.kept = settings.clone();
        state.preferences.settings = settings;
        let mut app = Self { state, runtime: Runtime::new(setup, notes_in), notes };
        app.state.inside.watch = Some(app.watch_inside());
        app.runtime.setup.embed.news().into_iter().for_each(|news| app.notify(Grade::Failed, news));
        if let Some(problem) = problem {
            app.notify(Grade::Failed, problem);
        }
        match target {
            Some(target) => app.connect_by_choice(target),
            None if first => app.choose(),
            None => app.connect(app.state.preferences.settings.target.clone()),
        }
        app
    }

    /// What is shown.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether anything is under way.
    pub fn busy(&self) -> bool {
        self.runtime.tasks.count() > 0
    }

    /// Takes in what came back since the last frame.
    pub fn step(&mut self) {
        while let Ok(note) = self.notes.try_recv() {
            self.handle_progress(note);
        }
        for (task, Event { generation, what }) in self.runtime.tasks.finished() {
            self.state.work.retain(|work| work.task != task);
            self.runtime.cancels.remove(&task);
            // Notes of a task come before its end, also those that arrived since the loop above.
            while let Ok(note) = self.notes.try_recv() {
                self.handle_progress(note);
            }
            if generation == self.runtime.generation || what.outlives_its_connection() {
                self.handle_output(what);
            }
        }
        self.handle_open_requests();
        self.record_visit();
        self.publish_sight();
    }

    fn show(&mut self, panel: crate::app::navigation::Panel) {
        self.state.navigation.panel = panel;
        self.set(|settings| settings.panel = panel);
        self.see(|view| view.panel = panel);
    }

    /// Ends work: one that can finish what it began is asked to, any other is dropped.
    fn cancel(&mut self, task: TaskId) {
        if let Some(run) = self.run_of(task) {
            return self.cancel_run(run);
        }
        match self.runtime.cancels.get(&task) {
            Some(flag) => flag.cancel(),
            None => self.runtime.tasks.cancel(task),
        }
        self.record_cancelled(task);
        for work in self.state.work.iter_mut().filter(|work| work.task == task) {
            work.cancelling = true;
        }
    }

    /// Shows a short word of success in the status bar.
    fn say(&mut self, text: String) {
        self.state.notifications.outcome = Some(crate::app::notifications::Outcome { text, undo: None });
    }
}

/// What every call comes to while the service is away: nothing is sent.
fn away(problem: impl Into<String>) -> CallError {
    CallError::Disconnected { problem: problem.into() }
}

/// A fault of this program as the error of a call.
fn broken(problem: impl Into<String>) -> CallError {
    CallError::Internal { target: None, problem: problem.into() }
}
