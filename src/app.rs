//! The inspector without a window: what is known, what is wished, what is under way.
//!
//! A frame calls [`App::step`], draws from [`App::state`], and hands the actions of its panels to [`App::perform`].
//! What must hold: nothing here waits. Calls, files and long work run as tasks; their ends come back through
//! [`App::step`] in the order they were started, and one of an earlier connection changes nothing but the log.
//! This module does not name egui.

use std::collections::BTreeMap;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, Sender, channel};

use tokio::runtime::Handle;

pub mod action;
mod asset_list;
pub mod backups;
mod bounds;
pub mod bulk;
mod caller;
pub mod capability;
pub mod change;
pub mod check;
mod closing;
pub mod conflict;
mod connection;
pub mod content;
pub mod db;
pub mod drafts;
pub mod embed;
mod event;
mod export;
pub mod feature;
pub mod files;
pub mod filter;
pub mod fingerprint;
pub mod front;
pub mod guard;
pub mod harvest;
pub mod history;
pub mod import;
pub mod journal;
mod lent;
pub mod link;
pub mod listing;
pub mod live;
pub mod load;
pub mod log;
mod notices;
mod other_windows;
mod perform;
mod picking;
pub mod picture;
pub mod plan;
mod reads;
pub mod recovery;
mod remote;
pub mod request;
pub mod rows;
pub mod search;
mod selected;
pub mod settings;
mod starts;
pub mod state;
pub mod store_health;
mod take;
pub mod tasks;
pub mod trash;
mod typed_path;
mod view;
pub mod visits;
mod write;
pub mod write_policy;

pub use action::Action;
pub use caller::{Observer, Transport};
pub use embed::EmbeddedService;
pub use event::Note;
pub use lunette_client::client::{Address, CallError, Limits, Owner, Probe, Standing, WritePolicy};
pub use remote::Remote;
pub use state::State;
pub use typed_path::typed_path;

use event::Event;
use harvest::CancelFlag;
use log::LoggedClient;
use settings::{Loaded, Settings};
use state::{Grade, Target};
use tasks::{TaskId, Tasks, Waker};

/// A future that can be kept and sent.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The system's dialogs.
pub trait Dialogs: Send + Sync {
    /// Files to import; none when the user changed their mind.
    fn files(&self) -> BoxFuture<Vec<PathBuf>>;
    /// A folder to import.
    fn folder(&self) -> BoxFuture<Option<PathBuf>>;
    /// A folder to export to.
    fn place(&self) -> BoxFuture<Option<PathBuf>> {
        self.folder()
    }
    /// Where to save a file; the system asks before one is overwritten.
    fn save(&self, file_name: &str) -> BoxFuture<Option<PathBuf>>;
    /// Why this system has no such dialogs, and what to do; None where it has. Asked where nothing was chosen.
    fn missing(&self) -> BoxFuture<Option<String>> {
        Box::pin(async { None })
    }
    /// Opens a file in the program that the system has for it.
    fn open(&self, _path: PathBuf) -> BoxFuture<Result<(), String>> {
        Box::pin(async { Err("this system knows no way".to_owned()) })
    }
    /// Shows a file in its folder, in the system's file manager.
    fn show_in_folder(&self, _path: PathBuf) -> BoxFuture<Result<(), String>> {
        Box::pin(async { Err("this system knows no way".to_owned()) })
    }
    /// Offers a file to the program it is dragged onto; true where one took it.
    fn drag(&self, _path: PathBuf) -> BoxFuture<Result<bool, String>> {
        Box::pin(async { Err("this system does not support it".to_owned()) })
    }
}

/// What an inspector is made of.
pub struct Setup {
    /// Runs the background work.
    pub runtime: Handle,
    /// Wakes the window.
    pub waker: Waker,
    /// Which service to talk to; None for the last one, or at the first start one that runs, else the embedded one.
    pub target: Option<Target>,
    /// Starts the service inside.
    pub embed: Arc<dyn EmbeddedService>,
    /// The system's dialogs.
    pub dialogs: Arc<dyn Dialogs>,
    /// The data folder, whose database keeps settings, drafts and history; None keeps them in memory.
    pub data: Option<PathBuf>,
    /// The settings file of earlier versions, which is read in once; None keeps no settings.
    pub settings: Option<PathBuf>,
    /// The client's limits.
    pub limits: Limits,
    /// How fast what others do is followed.
    pub pace: live::SyncIntervals,
    /// Where other starts of this program ring; None where nobody can.
    pub door: Option<front::OpenRequestReceiver>,
}

/// The inspector.
pub struct App {
    state: State,
    tasks: Tasks<Event>,
    notes: Receiver<Note>,
    notes_in: Sender<Note>,
    calls: Arc<AtomicU64>,
    wire: Option<LoggedClient>,
    /// What is known of a loss of the service.
    lost: connection::ReconnectState,
    /// Which answer to a read is the newest.
    reads: reads::RequestVersions,
    /// What reads the list of assets; it has ended where it is not the newest.
    listing: Option<TaskId>,
    /// The assets that were opened, the last one at the end.
    opened: Vec<lunette_client::model::id::AssetId>,
    /// The list of assets while it is read.
    list_read: Option<asset_list::ListRead>,
    /// The assets that were said to be too large for the list.
    left_out: Vec<load::LeftOut>,
    /// Counts connections; what belongs to an earlier one is not shown.
    generation: u64,
    /// Since when the same service was meant, whenever it was tried anew: steps since then stand in one journal.
    same_since: u64,
    /// Steps told of while that journal was being read.
    late: Vec<Arc<journal::Entry>>,
    /// The journal of this connection; there is no wire to write through until it is open.
    journal: journal::Journal,
    /// What takes the runs on that are drawn.
    runs: BTreeMap<bulk::RunId, bulk::window::Live>,
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
    drafts: drafts::Keeper,
    /// What keeps up with the service.
    live: live::Live,
    /// What keeps up with other windows of the same data folder.
    windows: Option<other_windows::Following>,
    /// What comes from outside.
    front: front::ExternalRequests,
    /// The connection whose view holds; None before the first.
    viewed: Option<String>,
    /// Looks at the service inside.
    inside: Option<embed::Watch>,
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
        let Loaded { settings, problem, first } = match (&setup.data, &setup.settings) {
            (Some(data), Some(legacy)) => Settings::read(data, legacy),
            (None, _) | (_, None) => Loaded { settings: Settings::default(), problem: None, first: false },
        };
        let target = setup.target.clone();
        let mut app = Self {
            tasks: Tasks::new(setup.runtime.clone(), Arc::clone(&setup.waker)),
            kept: settings.clone(),
            state: State { panel: settings.panel, settings, ..State::default() },
            notes,
            notes_in,
            calls: Arc::default(),
            wire: None,
            lost: connection::ReconnectState::default(),
            reads: reads::RequestVersions::default(),
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
            drafts: drafts::Keeper::default(),
            live: live::Live::default(),
            windows: None,
            front: front::ExternalRequests::behind(setup.door.take(), &setup.waker),
            viewed: None,
            inside: None,
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
            self.take_note(note);
        }
        for (task, Event { generation, what }) in self.tasks.finished() {
            self.state.work.retain(|work| work.task != task);
            self.cancels.remove(&task);
            // Notes of a task come before its end, also those that arrived since the loop above.
            while let Ok(note) = self.notes.try_recv() {
                self.take_note(note);
            }
            if generation == self.generation || what.outlives_its_connection() {
                self.take(what);
            }
        }
        self.answer_door();
        self.note_visit();
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
        self.note_cancelled(task);
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
