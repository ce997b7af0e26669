//! A window without a display, on a service of its own, driven by labels like a user would.
//!
//! Nothing sleeps: between two frames the stage waits until the window requests one, as the desktop does.

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use egui::Role;
use egui_kittest::kittest::{By, NodeT as _, Queryable as _};
use egui_kittest::{Harness, Node};
use lunette::ui::{Options, Window};
use lunette_client::client::{CallError, Client, Limits};
use lunette_client::model::id::{AssetId, WorkstreamSummaryId};
use lunette_client::operation::Operation;
use lunette_inspector::filter::List;
use lunette_inspector::overview::Due;
use lunette_inspector::session::Status;
use lunette_inspector::settings::Target;
use lunette_inspector::shell::open_requests::{self, OpenRequestSender};
use lunette_inspector::{Action, BoxFuture, EmbeddedError, EmbeddedService, State};
use lunette_service::{Data, Running, Settings, start};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::dialogs::picked::Picked;
use crate::support;

/// The time limit of each step, for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How long the window waits for a response.
const ANSWERED: Duration = Duration::from_secs(5);

/// A window and its environment.
pub struct Stage {
    pub harness: Harness<'static, Window>,
    /// The answers of the file dialogs.
    pub picked: Picked,
    /// Sends requests like another start of the program.
    pub sender: OpenRequestSender,
    /// The built-in service; `None` if the window uses another one.
    pub service: Option<Running>,
    target: Target,
    woken: Receiver<()>,
    pub runtime: Runtime,
    /// Contains the settings; removed at the end.
    pub folder: TempDir,
}

/// An embedded service that already runs, or reports why it does not.
struct EmbeddedState(Result<String, EmbeddedError>);

impl EmbeddedService for EmbeddedState {
    fn start(&self) -> BoxFuture<Result<String, EmbeddedError>> {
        let answer = self.0.clone();
        Box::pin(async move { answer })
    }
}

impl Stage {
    /// Creates a stage on an empty built-in service; everything is loaded.
    pub fn embedded() -> Self {
        Self::inside_with(|_| {})
    }

    /// The same with other settings of the service.
    pub fn inside_with(change: impl FnOnce(&mut Settings)) -> Self {
        let runtime = runtime();
        let mut settings = support::settings(Data::Memory);
        change(&mut settings);
        let service = runtime.block_on(start(settings)).expect("the service starts");
        let url = service.url();
        let mut stage = Self::new(runtime, Some(service), EmbeddedState(Ok(url)), Target::Embedded);
        stage.until_idle();
        stage
    }

    /// Closes the window and opens another with the same settings, journal and drafts; everything is loaded.
    pub fn reopened(self) -> Self {
        let Self { harness, picked, sender: _, service, target, woken: _, runtime, folder } = self;
        drop(harness);
        let inside = EmbeddedState(service.as_ref().map(Running::url).ok_or(EmbeddedError::NotHere));
        let mut stage = Self::on(folder, picked, runtime, service, inside, target, ANSWERED);
        stage.until_idle();
        stage
    }

    /// Waits until everything is loaded.
    pub fn until_idle(&mut self) {
        self.until("the window is connected and idle", |state| {
            state.connection.status == Status::Up && state.assets.list.rows.value().is_some() && !loading(state)
        });
    }

    /// Creates a stage on the service at this address; does not wait.
    pub fn at(url: &str) -> Self {
        Self::new(runtime(), None, EmbeddedState(Err(EmbeddedError::NotHere)), Target::Url(url.to_owned()))
    }

    /// Does the same, for tests in which a response may be delayed.
    pub fn patient(url: &str) -> Self {
        let (folder, inside) = (tempfile::tempdir().expect("a folder"), EmbeddedState(Err(EmbeddedError::NotHere)));
        Self::on(folder, Picked::default(), runtime(), None, inside, Target::Url(url.to_owned()), TIMEOUT)
    }

    /// Creates a stage with a built-in service that fails to start with this message.
    pub fn without_service(problem: &str) -> Self {
        Self::new(runtime(), None, EmbeddedState(Err(EmbeddedError::Failed(problem.to_owned()))), Target::Embedded)
    }

    /// On a built-in service that the window starts, stops and restores itself, as on a desktop, with its data in a
    /// folder; pages of the given origins may use it. Does not wait.
    pub fn on_folder(data: &Path, given: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self::on_folder_with(folder, data, given)
    }

    /// The same with existing settings, journal and drafts.
    pub fn on_folder_with(folder: TempDir, data: &Path, given: &[&str]) -> Self {
        let given = given.iter().map(|origin| (*origin).to_owned()).collect();
        let inside = lunette::cli::embedded::EmbeddedServer::new(Some(data.to_owned()), given);
        Self::on(folder, Picked::default(), runtime(), None, inside, Target::Embedded, ANSWERED)
    }

    /// On the service at this address, in a window that can start a built-in service with its data in a folder. Does not wait.
    pub fn at_beside(url: &str, data: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = lunette::cli::embedded::EmbeddedServer::new(Some(data.to_owned()), Vec::new());
        Self::on(folder, Picked::default(), runtime(), None, inside, Target::Url(url.to_owned()), ANSWERED)
    }

    /// Closes the window and stops the built-in service; returns the folder of its settings.
    pub fn closed(self) -> TempDir {
        let Self { harness, runtime, folder, .. } = self;
        drop(harness);
        // The tasks end with it, and so does the built-in service.
        runtime.shutdown_timeout(TIMEOUT);
        folder
    }

    /// Sends these bytes to the current service, bypassing the window.
    pub fn raw(&self, request: &[u8]) -> support::raw::Answer {
        self.runtime.block_on(support::raw::send(self.port(), request))
    }

    /// Returns the port of the current service.
    pub fn port(&self) -> u16 {
        let (_, port) =
            self.url().rsplit_once(':').map(|(host, port)| (host.to_owned(), port.to_owned())).expect("a port");
        port.trim_end_matches('/').parse().expect("a number")
    }

    fn new(runtime: Runtime, service: Option<Running>, inside: EmbeddedState, target: Target) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self::on(folder, Picked::default(), runtime, service, inside, target, ANSWERED)
    }

    fn on(
        folder: TempDir,
        picked: Picked,
        runtime: Runtime,
        service: Option<Running>,
        inside: impl EmbeddedService + 'static,
        target: Target,
        total: Duration,
    ) -> Self {
        let (sender, receiver) = open_requests::channel();
        let options = Options {
            runtime: runtime.handle().clone(),
            target: Some(target.clone()),
            embed: Arc::new(inside),
            dialogs: Arc::new(picked.clone()),
            data: Some(folder.path().to_owned()),
            limits: Limits { total, ..Limits::default() },
            open_requests: Some(receiver),
            reset_layout: false,
            loaded: None,
        };
        let (wake, woken) = channel();
        let setup = move |ctx: &egui::Context| {
            let wake = Mutex::new(wake);
            ctx.set_request_repaint_callback(move |_| {
                // The receiver is gone once the test is over.
                wake.lock().unwrap_or_else(PoisonError::into_inner).send(()).ok();
            });
        };
        let harness = Harness::builder()
            .with_size([1280.0, 800.0])
            .with_context_setup(setup)
            .allow_missing_glyphs()
            .build_eframe(move |cc| Window::new(&cc.egui_ctx, options));
        Self { harness, picked, sender, service, target, woken, runtime, folder }
    }

    /// Returns the state that the window shows.
    pub fn state(&self) -> &State {
        self.harness.state().state()
    }

    /// Returns the address of the built-in service.
    pub fn url(&self) -> String {
        let started = || self.state().connection.address.clone();
        self.service.as_ref().map(Running::url).or_else(started).expect("this stage has an embedded service")
    }

    /// Returns a client of the built-in service.
    pub fn client(&self) -> Client {
        support::client_at(&self.url(), Limits::default())
    }

    /// Calls the built-in service, bypassing the window.
    pub fn call<O: Operation>(&self, operation: O) -> Result<O::Output, CallError> {
        let client = self.client();
        self.runtime.block_on(async move { client.call(operation).await })
    }

    /// Creates a text asset on the built-in service, bypassing the window.
    pub fn asset(&self, name: &str, text: &str) -> AssetId {
        let client = self.client();
        self.runtime.block_on(support::assets::text_asset(&client, name, text))
    }

    /// Creates a text asset on the built-in service as an import makes it of a file at this path.
    pub fn imported(&self, path: &str, text: &str) -> AssetId {
        let client = self.client();
        self.runtime.block_on(support::assets::imported_asset(&client, path, text))
    }

    /// Creates a text asset; fails if the service refuses it.
    pub fn create(&self, name: &str, text: &str) -> Result<(), CallError> {
        let (client, seed) = (self.client(), support::assets::text_seed(name, text));
        self.runtime.block_on(support::assets::create(&client, seed)).map(|_| ())
    }

    /// Creates a workstream summary on the built-in service, bypassing the window.
    pub fn summary(&self, name: &str) -> WorkstreamSummaryId {
        let client = self.client();
        self.runtime.block_on(support::assets::summary(&client, name))
    }

    /// Stops the built-in service, as if it had crashed.
    pub fn stop_service(&mut self) {
        if let Some(service) = self.service.take() {
            self.runtime.block_on(service.stop());
        }
    }

    /// Stops the service, and waits until the window knows: its streams end, and nothing answers.
    pub fn lose_service(&mut self) {
        self.stop_service();
        self.until("the window knows that the service is gone", |state| {
            matches!(state.connection.status, Status::Down(_))
        });
        self.until_said("Not connected");
    }

    /// Performs an action of the window directly.
    pub fn perform(&mut self, action: impl Into<Action>) {
        self.harness.state_mut().perform(action);
        self.harness.step();
    }

    /// Draws frames until the state satisfies a condition; fails with its description.
    #[track_caller]
    pub fn until(&mut self, what: &str, done: impl Fn(&State) -> bool) {
        self.until_drawn(what, |harness| done(harness.state().state()));
    }

    /// Draws frames until the window satisfies a condition; fails with its description.
    #[track_caller]
    pub fn until_drawn(&mut self, what: &str, done: impl Fn(&Harness<'static, Window>) -> bool) {
        let end = Instant::now() + TIMEOUT;
        loop {
            self.harness.step();
            if done(&self.harness) {
                // One more frame, so that what follows finds the current window.
                self.harness.step();
                return;
            }
            if Instant::now() > end {
                let connection = &self.state().connection;
                let (target, status, drawn) = (&connection.target, &connection.status, self.drawn());
                panic!("waited in vain until {what}; {status:?} at {target:?}; drawn: {drawn}");
            }
            // A wake-up may have been consumed by an earlier frame, so the wait is bounded.
            self.woken.recv_timeout(Duration::from_millis(50)).ok();
        }
    }

    /// Returns the names and texts of everything that is drawn, for a failure message.
    fn drawn(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        for node in self.harness.query_all(By::new()) {
            let node = node.accesskit_node();
            names.extend(node.label());
            names.extend(node.value().filter(|value| !value.is_empty()));
        }
        names.join(" | ")
    }

    /// Draws frames until something with this label appears.
    #[track_caller]
    pub fn until_label(&mut self, label: &str) {
        self.until_drawn(&format!("{label:?} is drawn"), |harness| harness.query_all_by_label(label).next().is_some());
    }

    /// Draws frames until something whose label contains this appears.
    #[track_caller]
    pub fn until_said(&mut self, part: &str) {
        let found = |harness: &Harness<'static, Window>| harness.query_all_by_label_contains(part).next().is_some();
        self.until_drawn(&format!("{part:?} is said"), found);
    }

    /// Returns whether something whose label contains this is drawn.
    pub fn says(&self, part: &str) -> bool {
        self.harness.query_all_by_label_contains(part).next().is_some()
    }

    /// Returns the only node with this role and label.
    #[track_caller]
    pub fn find<'a>(&'a self, role: Role, label: &'a str) -> Node<'a> {
        self.harness.get_by_role_and_label(role, label)
    }

    /// Returns whether something with this role and label is drawn.
    pub fn draws(&self, role: Role, label: &str) -> bool {
        self.harness.query_all_by_role_and_label(role, label).next().is_some()
    }

    /// Returns the text in the field with this name.
    #[track_caller]
    pub fn value_of(&self, field: &str) -> String {
        self.find(Role::TextInput, field).accesskit_node().value().unwrap_or_default()
    }

    /// Draws the effects of the last input, until nothing moves any more or an animation is endless.
    pub fn settle(&mut self) {
        self.harness.step();
        for _ in 0..8 {
            if !self.harness.ctx.has_requested_repaint() {
                break;
            }
            self.harness.step();
        }
    }

    /// Presses the button with this name, and draws the effect. Its position is read at that moment: changes on the
    /// service may move it.
    #[track_caller]
    pub fn press(&mut self, name: &str) {
        self.find(Role::Button, name).click_accesskit();
        self.settle();
    }

    /// Waits until the assets that are listed are counted for the sidebar.
    pub fn until_counted(&mut self) {
        self.until("the assets are counted", |state| {
            let filters = state.preferences.settings.filters.get(List::Assets.key());
            let filters = filters.map_or(&[][..], Vec::as_slice);
            let counted = |rows| state.overview.summary.is_some() && state.overview.due(rows, filters) == Due::No;
            state.assets.list.rows.value().is_none_or(counted)
        });
    }

    /// Presses a button of the bar of the selection, where it may be in the menu of those that do not fit.
    #[track_caller]
    pub fn press_for_selection(&mut self, name: &str) {
        if !self.draws(Role::Button, name) {
            self.press("More for the selection");
        }
        self.press(name);
    }

    /// Waits until a button with this name is enabled, and presses it.
    #[track_caller]
    pub fn press_once_enabled(&mut self, name: &str) {
        let wanted = name.to_owned();
        self.until_drawn(&format!("{name:?} can be pressed"), move |harness| {
            let mut buttons = harness.query_all_by_role_and_label(Role::Button, &wanted);
            buttons.any(|button| !button.accesskit_node().is_disabled())
        });
        self.press(name);
    }

    /// Types into the field with this name.
    #[track_caller]
    pub fn type_into(&mut self, field: &str, text: &str) {
        self.find(Role::TextInput, field).focus();
        self.harness.step();
        self.find(Role::TextInput, field).type_text(text);
        self.settle();
    }

    /// Presses a key.
    pub fn key(&mut self, key: egui::Key) {
        self.harness.key_press(key);
        self.settle();
    }

    /// Presses a key together with Ctrl.
    pub fn ctrl(&mut self, key: egui::Key) {
        self.harness.key_press_modifiers(egui::Modifiers::COMMAND, key);
        self.settle();
    }
}

fn loading(state: &State) -> bool {
    state.applications.list.rows.loading()
        || state.applications.external.rows.loading()
        || state.assets.list.rows.loading()
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}
