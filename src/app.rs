//! The inspector without a window: what is known, what is wished, what is under way.
//!
//! A frame calls [`App::step`], draws from [`App::state`], and hands the actions of its panels to [`App::perform`].
//! What must hold: nothing here waits. Calls, files and long work run as tasks; their ends come back through
//! [`App::step`] in the order they were started, and one of an earlier connection changes nothing but the log.
//! This module does not name egui.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, Sender, channel};

pub mod action;
pub mod applications;
pub mod assets;
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
mod notifications;
mod output;
mod remote;
mod request_versions;
pub mod session;
pub mod settings;
mod setup;
pub mod shell;
mod spawn;
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

use output::Event;
use session::log::LoggedClient;
use settings::{Loaded, Settings};
use state::Grade;
use tasks::{CancelFlag, TaskId, Tasks};

/// The inspector.
pub struct App {
    state: State,
    tasks: Tasks<Event>,
    notes: Receiver<ProgressEvent>,
    notes_in: Sender<ProgressEvent>,
    calls: Arc<AtomicU64>,
    client: Option<LoggedClient>,
    /// What is known of a loss of the service.
    lost: session::ReconnectState,
    /// Which answer to a read is the newest.
    reads: request_versions::RequestVersions,
    /// What reads the list of assets; it has ended where it is not the newest.
    listing: Option<TaskId>,
    /// The assets that were opened, the last one at the end.
    opened: Vec<lunette_client::model::id::AssetId>,
    /// The list of assets while it is read.
    list_read: Option<assets::list::ListRead>,
    /// The assets that were said to be too large for the list.
    left_out: Vec<assets::load::LeftOut>,
    /// Counts connections; what belongs to an earlier one is not shown.
    generation: u64,
    /// Since when the same service was meant, whenever it was tried anew: steps since then stand in one journal.
    same_since: u64,
    /// Steps told of while that journal was being read.
    late: Vec<Arc<journal::Entry>>,
    /// The journal of this connection; there is no wire to write through until it is open.
    journal: journal::Journal,
    /// What takes the runs on that are drawn.
    runs: BTreeMap<bulk::RunId, bulk::window::ActiveRun>,
    notices: u64,
    works: u64,
    /// How many searches were asked for, and the task of the one under way.
    searches: u64,
    searching: Option<TaskId>,
    /// How to ask work to end that finishes what it began.
    cancels: BTreeMap<TaskId, CancelFlag>,
    keeping: SaveState,
    /// The settings as they were last read or written: what differs from them is what this window chose.
    kept: Settings,
    /// The drafts of this connection on their way to disk.
    drafts: drafts::DraftSaver,
    /// What keeps up with the service.
    live: sync::Live,
    /// What keeps up with other windows of the same data folder.
    windows: Option<history::other_windows::Following>,
    /// What comes from outside.
    front: shell::open_requests::ExternalRequests,
    /// The connection whose view holds; None before the first.
    viewed: Option<String>,
    /// Looks at the service inside.
    inside: Option<embedded::Watch>,
    /// The allowed origins on their way to it.
    origins: embedded::origins::AllowedOrigins,
    /// Whether the user named the service that is connected to, in this window or on the command line.
    chosen_by_user: bool,
    setup: Setup,
}

/// Whether something is being written.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum SaveState {
    #[default]
    No,
    Writing,
    /// It changed since the write began.
    Again,
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
        let mut app = Self {
            tasks: Tasks::new(setup.runtime.clone(), Arc::clone(&setup.waker)),
            kept: settings.clone(),
            state: State { panel: settings.panel, settings, ..State::default() },
            notes,
            notes_in,
            calls: Arc::default(),
            client: None,
            lost: session::ReconnectState::default(),
            reads: request_versions::RequestVersions::default(),
            listing: None,
            opened: Vec::new(),
            list_read: None,
            left_out: Vec::new(),
            generation: 0,
            same_since: 0,
            late: Vec::new(),
            journal: journal::Journal::in_memory(),
            runs: BTreeMap::new(),
            notices: 0,
            works: 0,
            searches: 0,
            searching: None,
            cancels: BTreeMap::new(),
            keeping: SaveState::No,
            drafts: drafts::DraftSaver::default(),
            live: sync::Live::default(),
            windows: None,
            front: shell::open_requests::ExternalRequests::behind(setup.door.take(), &setup.waker),
            viewed: None,
            inside: None,
            origins: embedded::origins::AllowedOrigins::default(),
            chosen_by_user: false,
            setup,
        };
        app.inside = Some(app.watch_inside());
        app.setup.embed.news().into_iter().for_each(|news| app.notify(Grade::Failed, news));
        if let Some(problem) = problem {
            app.notify(Grade::Failed, problem);
        }
        match target {
            Some(target) => app.connect_by_choice(target),
            None if first => app.choose(),
            None => app.connect(app.state.settings.target.clone()),
        }
        app
    }

    /// What is shown.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether anything is under way.
    pub fn busy(&self) -> bool {
        self.tasks.count() > 0
    }

    /// Takes in what came back since the last frame.
    pub fn step(&mut self) {
        while let Ok(note) = self.notes.try_recv() {
            self.handle_progress(note);
        }
        for (task, Event { generation, what }) in self.tasks.finished() {
            self.state.work.retain(|work| work.task != task);
            self.cancels.remove(&task);
            // Notes of a task come before its end, also those that arrived since the loop above.
            while let Ok(note) = self.notes.try_recv() {
                self.handle_progress(note);
            }
            if generation == self.generation || what.outlives_its_connection() {
                self.handle_output(what);
            }
        }
        self.handle_open_requests();
        self.record_visit();
        self.publish_sight();
    }

    fn show(&mut self, panel: state::Panel) {
        self.state.panel = panel;
        self.set(|settings| settings.panel = panel);
        self.see(|view| view.panel = panel);
    }

    /// Ends work: one that can finish what it began is asked to, any other is dropped.
    fn cancel(&mut self, task: TaskId) {
        if let Some(run) = self.run_of(task) {
            return self.cancel_run(run);
        }
        match self.cancels.get(&task) {
            Some(flag) => flag.cancel(),
            None => self.tasks.cancel(task),
        }
        self.record_cancelled(task);
        for work in self.state.work.iter_mut().filter(|work| work.task == task) {
            work.cancelling = true;
        }
    }

    /// Shows a short word of success in the status bar.
    fn say(&mut self, text: String) {
        self.state.outcome = Some(state::Outcome { text, undo: None });
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
