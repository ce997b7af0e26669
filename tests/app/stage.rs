//! The inspector without a window on a service of its own, driven by actions.
//!
//! Nothing sleeps: between two steps the stage waits to be woken, as the window does.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lunette_client::client::{CallError, Client, Limits};
use lunette_client::model::id::{AssetId, TagId};
use lunette_client::operation::Operation;
use lunette_inspector::action::{BulkAction, WriteAction};
use lunette_inspector::journal::Entry;
use lunette_inspector::session::Status;
use lunette_inspector::settings::Target;
use lunette_inspector::sync::SyncIntervals;
use lunette_inspector::{Action, App, EmbeddedService, Setup, State};
use lunette_service::{Data, Running, Settings, start};
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::support;
use crate::support::headless::Headless;

/// How long anything may take before a test gives up, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

/// An inspector, and what it stands on.
pub struct Stage {
    pub app: App,
    woken: Receiver<()>,
    /// How often the inspector wanted to be drawn.
    wakes: Arc<AtomicUsize>,
    /// The address that is talked to.
    url: String,
    /// How long the inspector waits for an answer.
    patience: Duration,
    pace: SyncIntervals,
    service: Running,
    runtime: Runtime,
    /// Holds what the service keeps on disk, where it keeps any; removed at the end.
    data: Option<TempDir>,
    /// Holds the journal; removed at the end.
    pub folder: TempDir,
}

impl Stage {
    /// On a service with nothing in it; everything that is read at the start has been read.
    pub fn new() -> Self {
        let runtime = runtime();
        let service = runtime.block_on(start(support::settings(Data::Memory))).expect("the service starts");
        let url = service.url();
        Self::on(runtime, service, url, Duration::from_secs(30), SyncIntervals::default())
    }

    /// On a built-in service, once it is connected.
    pub fn embedded(embed: Arc<dyn EmbeddedService>) -> Self {
        let (runtime, patience, pace) = (runtime(), Duration::from_secs(30), SyncIntervals::default());
        let service = runtime.block_on(start(support::settings(Data::Memory))).expect("the service starts");
        let folder = tempfile::tempdir().expect("a folder");
        let (app, woken, wakes) = open_at(&runtime, &folder, Target::Embedded, embed, patience, pace);
        let url = service.url();
        let mut stage = Self { app, woken, wakes, url, patience, pace, service, runtime, data: None, folder };
        stage.until("it is connected", |state| state.connection.status == Status::Up);
        stage
    }

    /// On whatever is at this address.
    pub fn at(url: &str) -> Self {
        let runtime = runtime();
        let service = runtime.block_on(start(support::settings(Data::Memory))).expect("the service starts");
        Self::on(runtime, service, url.to_owned(), Duration::from_secs(30), SyncIntervals::default())
    }

    /// On whatever is at this address, from the moment it is connected: its lists may still be read.
    pub fn opening(url: &str) -> Self {
        let (runtime, patience, pace) = (runtime(), Duration::from_secs(30), SyncIntervals::default());
        let service = runtime.block_on(start(support::settings(Data::Memory))).expect("the service starts");
        Self::connected(runtime, service, url.to_owned(), patience, pace)
    }

    /// The same at another pace.
    pub fn paced(url: &str, pace: SyncIntervals) -> Self {
        let runtime = runtime();
        let service = runtime.block_on(start(support::settings(Data::Memory))).expect("the service starts");
        Self::on(runtime, service, url.to_owned(), Duration::from_secs(30), pace)
    }

    /// On a service that has one asset and the operations of the interface alone, at another pace.
    pub fn interface_only(pace: SyncIntervals, name: &str, text: &str) -> (Self, AssetId) {
        Self::interface_only_after(pace, async |client| support::assets::text_asset(client, name, text).await)
    }

    /// The same with what is made of the service while it still has all operations.
    pub fn interface_only_after<T>(pace: SyncIntervals, make: impl AsyncFnOnce(&Client) -> T) -> (Self, T) {
        let runtime = runtime();
        let data = tempfile::tempdir().expect("a folder");
        let settings = || support::settings(Data::Folder(data.path().to_owned()));
        let full = runtime.block_on(start(settings())).expect("the service starts");
        let client = support::client(&full);
        let made = runtime.block_on(make(&client));
        runtime.block_on(full.stop());
        let bare = Settings { interface_only: true, ..settings() };
        let service = runtime.block_on(start(bare)).expect("the service starts");
        let url = service.url();
        let mut stage = Self::on(runtime, service, url, Duration::from_secs(30), pace);
        stage.data = Some(data);
        (stage, made)
    }

    /// The same, with something between the inspector and the service: made of the service's port, it gives its address.
    /// The inspector waits so long for an answer.
    pub fn behind(patience: Duration, wall: impl FnOnce(u16) -> String) -> Self {
        let runtime = runtime();
        let service = runtime.block_on(start(support::settings(Data::Memory))).expect("the service starts");
        let url = wall(service.port());
        Self::on(runtime, service, url, patience, SyncIntervals::default())
    }

    fn on(runtime: Runtime, service: Running, url: String, patience: Duration, pace: SyncIntervals) -> Self {
        let mut stage = Self::connected(runtime, service, url, patience, pace);
        stage.idle();
        stage
    }

    fn connected(runtime: Runtime, service: Running, url: String, patience: Duration, pace: SyncIntervals) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (app, woken, wakes) = open(&runtime, &folder, &url, patience, pace);
        let mut stage = Self { app, woken, wakes, url, patience, pace, service, runtime, data: None, folder };
        stage.until("it is connected", |state| state.connection.status == Status::Up);
        stage
    }

    /// Ends the inspector and starts another one on the same folder.
    pub fn restart(&mut self) {
        (self.app, self.woken, self.wakes) = open(&self.runtime, &self.folder, &self.url, self.patience, self.pace);
        self.until("it is connected", |state| state.connection.status == Status::Up);
        self.idle();
    }

    /// The address that is talked to.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Runs the background work of another window.
    pub fn handle(&self) -> tokio::runtime::Handle {
        self.runtime.handle().clone()
    }

    /// What is shown.
    pub fn state(&self) -> &State {
        self.app.state()
    }

    /// The step that Undo undoes.
    pub fn undoable(&self) -> Option<&Arc<Entry>> {
        self.state().history.undoable(&self.state().connection, &self.state().bulk.runs)
    }

    /// Asks for something and waits for all that comes of it.
    pub fn perform(&mut self, action: impl Into<Action>) {
        self.app.perform(action);
        self.idle();
    }

    /// Asks for something, confirms its plan where one is shown, and waits for all that comes of it.
    pub fn confirm(&mut self, action: Action) {
        self.perform(action);
        let confirm = match (&self.state().bulk.draft, &self.state().write.planned) {
            (Some(_), _) => Action::Bulk(BulkAction::Start),
            (None, Some(_)) => Action::Write(WriteAction::ApplyPlan),
            (None, None) => return,
        };
        self.perform(confirm);
    }

    /// Steps until nothing is under way.
    pub fn idle(&mut self) {
        let end = Instant::now() + PATIENCE;
        while self.app.busy() {
            self.wait(end, "nothing is under way");
        }
        self.app.step();
    }

    /// Steps until the state is so.
    pub fn until(&mut self, what: &str, done: impl Fn(&State) -> bool) {
        let end = Instant::now() + PATIENCE;
        self.app.step();
        while !done(self.app.state()) {
            self.wait(end, what);
        }
    }

    fn wait(&mut self, end: Instant, what: &str) {
        // A wake may have been taken for an earlier step, so the wait is bounded.
        self.woken.recv_timeout(Duration::from_millis(50)).ok();
        self.app.step();
        assert!(Instant::now() < end, "waited in vain until {what}; notices: {:?}", self.state().notifications.notices);
    }

    /// How often the inspector wanted to be drawn.
    pub fn wakes(&self) -> usize {
        self.wakes.load(Ordering::Relaxed)
    }

    /// Makes a tag past the inspector.
    pub fn tag(&self, text: &str) -> TagId {
        let client = self.client();
        self.runtime.block_on(support::assets::tag(&client, text))
    }

    /// The newest step.
    pub fn last(&self) -> &Entry {
        self.state().history.entries.last().expect("a step")
    }

    /// The text of the newest notice.
    pub fn notice(&self) -> &str {
        self.state().notifications.notices.last().map(|notice| notice.text.as_str()).unwrap_or_default()
    }

    /// How many calls were made that write.
    pub fn writes(&self) -> usize {
        self.state().session.log.iter().filter(|line| line.calls.is_none() && line.info.writes()).count()
    }

    /// A client of the service, to look behind the inspector.
    pub fn client(&self) -> Client {
        support::client_at(&self.service.url(), Limits::default())
    }

    /// Calls the service past the inspector, as another client would.
    pub fn call<O: Operation>(&self, operation: O) -> Result<O::Output, CallError> {
        let client = self.client();
        self.runtime.block_on(async move { client.call(operation).await })
    }

    /// Runs what is asked of the service past the inspector.
    pub fn wait_for<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Makes an asset of text past the inspector.
    pub fn asset(&self, name: &str, text: &str) -> AssetId {
        let client = self.client();
        self.runtime.block_on(support::assets::text_asset(&client, name, text))
    }

    /// The asset as the service has it, with content.
    pub fn tree(&self, id: &AssetId) -> Value {
        let client = self.client();
        self.runtime.block_on(support::assets::tree(&client, id))
    }
}

fn open(
    runtime: &Runtime,
    folder: &TempDir,
    url: &str,
    patience: Duration,
    pace: SyncIntervals,
) -> (App, Receiver<()>, Arc<AtomicUsize>) {
    open_at(runtime, folder, Target::Url(url.to_owned()), Arc::new(Headless), patience, pace)
}

fn open_at(
    runtime: &Runtime,
    folder: &TempDir,
    target: Target,
    embed: Arc<dyn EmbeddedService>,
    patience: Duration,
    pace: SyncIntervals,
) -> (App, Receiver<()>, Arc<AtomicUsize>) {
    let (wake, woken) = channel();
    let wakes = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&wakes);
    let wake = Mutex::new(wake);
    let repaint = move || {
        counted.fetch_add(1, Ordering::Relaxed);
        // Nobody listens once the test is over.
        wake.lock().unwrap_or_else(PoisonError::into_inner).send(()).ok();
    };
    let app = App::new(Setup {
        runtime: runtime.handle().clone(),
        repaint: Arc::new(repaint),
        target: Some(target),
        embed,
        dialogs: Arc::new(Headless),
        data: Some(folder.path().to_owned()),
        limits: Limits { total: patience, ..Limits::default() },
        pace,
        open_requests: None,
    });
    (app, woken, wakes)
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}
