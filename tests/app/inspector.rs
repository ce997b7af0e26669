//! A service, a folder, and inspectors without a window on both.
//!
//! Nothing sleeps: between two steps the inspector waits to be woken, as a window does.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lunette_client::client::{CallError, Client, Limits};
use lunette_client::operation::Operation;
use lunette_inspector::action::{BulkAction, WriteAction};
use lunette_inspector::session::Status;
use lunette_inspector::settings::Target;
use lunette_inspector::sync::SyncIntervals;
use lunette_inspector::{Action, App, BoxFuture, EmbeddedError, EmbeddedService, Setup, State};
use lunette_service::{Data, Running, start};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::support;
use crate::support::headless::Headless;

/// How long anything may take before a test gives up, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

/// Lets no step be recorded from then on.
pub const REFUSE_STEPS: &str = "CREATE TRIGGER refuse BEFORE INSERT ON step_line BEGIN
    SELECT RAISE(ABORT, 'writes are refused'); END";

/// Changes the inspector's database of a data folder behind its back.
pub fn execute(data: &Path, statements: &str) {
    let database = rusqlite::Connection::open(data.join(lunette_inspector::db::FILE)).expect("the database");
    database.execute_batch(statements).expect("changed");
}

/// A service and a folder; what stays when an inspector is closed and another is opened.
pub struct Environment {
    service: Running,
    pub runtime: Runtime,
    /// Holds journals and drafts.
    pub folder: TempDir,
}

/// An inspector without a window.
pub struct Inspector {
    app: App,
    woken: Receiver<()>,
}

struct Inside(String);

impl EmbeddedService for Inside {
    fn start(&self) -> BoxFuture<Result<String, EmbeddedError>> {
        let url = self.0.clone();
        Box::pin(async move { Ok(url) })
    }
}

impl Environment {
    pub fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let service = runtime.block_on(start(support::settings(Data::Memory))).expect("the service starts");
        Self { service, runtime, folder: tempfile::tempdir().expect("a folder") }
    }

    /// Opens an inspector; what is read at its start may still be under way.
    pub fn open(&self) -> Inspector {
        self.open_with(Arc::new(Inside(self.service.url())))
    }

    /// The same on the service at another address.
    pub fn open_at(&self, url: String) -> Inspector {
        self.open_with(Arc::new(Inside(url)))
    }

    /// The address of the service.
    pub fn url(&self) -> String {
        self.service.url()
    }

    /// The same with another way to the embedded service.
    pub fn open_with(&self, embed: Arc<dyn EmbeddedService>) -> Inspector {
        let (wake, woken) = channel();
        let wake = Mutex::new(wake);
        let app = App::new(Setup {
            runtime: self.runtime.handle().clone(),
            // Nobody listens once the inspector is gone.
            repaint: Arc::new(move || wake.lock().unwrap_or_else(PoisonError::into_inner).send(()).unwrap_or(())),
            target: Some(Target::Embedded),
            embed,
            dialogs: Arc::new(Headless),
            data: Some(self.folder.path().to_owned()),
            limits: Limits::default(),
            pace: SyncIntervals::default(),
            open_requests: None,
        });
        Inspector { app, woken }
    }

    /// Opens an inspector and waits until it is connected and has read what it reads at its start.
    pub fn open_up(&self) -> Inspector {
        let mut inspector = self.open();
        inspector.until("it is up", |state| state.connection.status == Status::Up);
        inspector.until_idle();
        inspector
    }

    /// The folder of the journals of all connections.
    pub fn journals(&self) -> PathBuf {
        self.folder.path().join("journal")
    }

    /// Changes the inspector's database behind its back.
    pub fn execute(&self, statements: &str) {
        execute(self.folder.path(), statements);
    }

    /// The ledgers of the embedded service.
    pub fn runs(&self) -> lunette_inspector::db::RunStore {
        lunette_inspector::db::RunStore::open(self.folder.path(), "embedded").expect("the database")
    }

    /// The folder of the one connection there is.
    pub fn kept(&self) -> PathBuf {
        let mut folders = std::fs::read_dir(self.journals()).expect("the journals").filter_map(Result::ok);
        let folder = folders.next().expect("a connection's").path();
        assert!(folders.next().is_none(), "one connection was made");
        folder
    }

    /// A client of the service, past every inspector.
    pub fn client(&self) -> Client {
        support::client_at(&self.service.url(), Limits::default())
    }

    /// Calls the service, past every inspector.
    pub fn call<O: Operation>(&self, operation: O) -> Result<O::Output, CallError> {
        let client = self.client();
        self.runtime.block_on(async move { client.call(operation).await })
    }
}

impl Inspector {
    pub fn state(&self) -> &State {
        self.app.state()
    }

    pub fn perform(&mut self, action: impl Into<Action>) {
        self.app.perform(action);
    }

    /// Asks for something, confirms its plan where one is shown, and waits for all that comes of it.
    #[track_caller]
    pub fn confirm(&mut self, action: Action) {
        self.perform(action);
        self.until_idle();
        let State { bulk, write, .. } = self.state();
        let confirm = match (&bulk.draft, &write.planned) {
            (Some(_), _) => Action::Bulk(BulkAction::Start),
            (None, Some(_)) => Action::Write(WriteAction::ApplyPlan),
            (None, None) => return,
        };
        self.perform(confirm);
        self.until_idle();
    }

    /// Waits until the state is so; fails with what was waited for.
    #[track_caller]
    pub fn until(&mut self, what: &str, done: impl Fn(&State) -> bool) {
        self.wait(what, |app| done(app.state()));
    }

    /// Waits until nothing is under way.
    #[track_caller]
    pub fn until_idle(&mut self) {
        self.wait("nothing is under way", |app| !app.busy());
    }

    #[track_caller]
    fn wait(&mut self, what: &str, done: impl Fn(&App) -> bool) {
        let end = Instant::now() + PATIENCE;
        loop {
            self.app.step();
            if done(&self.app) {
                return;
            }
            if self.woken.recv_timeout(end.saturating_duration_since(Instant::now())).is_err() {
                let State { connection, notifications, .. } = self.app.state();
                panic!("waited in vain until {what}; {:?}, {notifications:?}", connection.status);
            }
        }
    }
}
