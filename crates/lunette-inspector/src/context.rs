//! What a feature may use of the rest: the connection, the preferences, messages to the user, opened assets,
//! the history, and background work.
//!
//! What must hold: a feature changes its own state; it asks another one by a request, which is carried out once the
//! feature that asks has finished.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use tokio::sync::watch;

use crate::action::Action;
use crate::assets::page::Pages;
use crate::background::Work;
use crate::confirm::Confirmation;
use crate::drafts::{Draft, DraftKey, DraftStore};
use crate::embedded::origins::AllowedOrigins;
use crate::history::History;
use crate::inventory::InventoryStore;
use crate::journal::Journal;
use crate::notifications::Notifications;
use crate::output::Event;
use crate::request_versions::ResourceKey;
use crate::runs::BulkOperation;
use crate::runtime::Runtime;
use crate::session::Connection;
use crate::session::log::CallLog;
use crate::session::reporter::Reporter;
use crate::settings::{Preferences, Target};
use crate::setup::Setup;
use crate::tasks::{CancelFlag, Ended, TaskId};
use crate::{App, State};
use lunette_client::client::Client;
use lunette_client::model::id::AssetId;

/// What a feature may use of the rest.
pub(crate) struct Context<'a> {
    /// The connection.
    pub connection: &'a mut Connection,
    /// The settings and the view.
    pub preferences: &'a mut Preferences,
    /// Notifications and confirmations.
    pub notifications: &'a mut Notifications,
    /// Displayed work.
    pub work: &'a mut Vec<Work>,
    /// The opened assets.
    pub pages: &'a mut Pages,
    /// The steps of this connection, and its runs.
    pub history: &'a mut History,
    runtime: &'a mut Runtime,
}

/// What is carried out once the feature that asks for it has finished.
pub(crate) enum Request {
    /// An action of the user or of a feature.
    Action(Box<Action>),
    /// Leaves the connection for another one.
    Connect(Target),
    /// The service responds: for the first time, or again after it was lost.
    Reached { again: bool },
    /// Asks the user for confirmation after the earlier requests are handled.
    Ask(Confirmation),
    /// The connection is lost: the service is no longer followed.
    Lost,
    /// Drafts of the connection were read.
    Drafts(DraftStore, BTreeMap<DraftKey, Draft>),
    /// The stored inventory of the connection was read.
    Inventory(InventoryStore),
    /// Reloads every list.
    ReadAll,
    /// Resets the layout of the window.
    ResetLayout,
    /// The list of assets is reloaded: rows reported before need no request of their own.
    ListRead,
    /// Shows the plan of an operation on these assets, with the names that the list has.
    PlanRun(BulkOperation, Vec<AssetId>),
    /// Loads the graph after the list of assets, which has the names of most nodes.
    ReadGraph,
    /// Reads the activity of the open tag, website or summary after the list of assets, which names its assets.
    ReadItemActivity,
    /// Writes are disabled: runs pause, work finishes what it started, and open confirmations are dropped.
    HoldWrites,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        connection: &'a mut Connection,
        preferences: &'a mut Preferences,
        notifications: &'a mut Notifications,
        work: &'a mut Vec<Work>,
        pages: &'a mut Pages,
        history: &'a mut History,
        runtime: &'a mut Runtime,
    ) -> Self {
        Self { connection, preferences, notifications, work, pages, history, runtime }
    }
}

impl Context<'_> {
    /// Asks a feature to perform an action, once this one has finished.
    pub fn request(&mut self, action: impl Into<Action>) {
        self.request_later(Request::Action(Box::new(action.into())));
    }

    /// Requests a transition that concerns several features.
    pub fn request_later(&mut self, request: Request) {
        self.runtime.requests.push_back(request);
    }

    /// What the program was started with.
    pub(crate) fn setup(&self) -> &Setup {
        &self.runtime.setup
    }

    /// The number of the connection.
    pub(crate) fn generation(&self) -> u64 {
        self.runtime.generation
    }

    /// The client of the connection once its service was reached, also while the service does not respond.
    pub(crate) fn known_client(&self) -> Option<&Client> {
        self.runtime.client.as_ref()
    }

    /// Sets the client of the connection.
    pub(crate) fn set_client(&mut self, client: Client) {
        self.runtime.client = Some(client);
    }

    /// A log of the calls of this connection, which the window shows.
    pub(crate) fn call_log(&self) -> CallLog {
        CallLog::new(self.reporter(), Arc::clone(&self.runtime.calls))
    }

    /// The journal of the connection.
    pub(crate) fn journal(&self) -> &Journal {
        &self.runtime.journal
    }

    /// Sets the journal of the connection.
    pub(crate) fn set_journal(&mut self, journal: Journal) {
        self.runtime.journal = journal;
    }

    /// Whether the stream of assets is open; `None` before the first connection.
    pub(crate) fn assets_followed(&self) -> Option<watch::Receiver<bool>> {
        self.runtime.assets_followed.clone()
    }

    /// Sets what tells whether the stream of assets is open.
    pub(crate) fn set_assets_followed(&mut self, followed: watch::Receiver<bool>) {
        self.runtime.assets_followed = Some(followed);
    }

    /// The allowed origins on their way to the embedded service.
    pub(crate) fn origins(&self) -> AllowedOrigins {
        self.runtime.origins.clone()
    }

    /// Begins a read; responses to earlier reads of this resource are outdated from now on.
    pub(crate) fn begin_read(&mut self, read: ResourceKey) -> u64 {
        self.runtime.reads.begin(read)
    }

    /// Starts a task.
    pub(crate) fn start<T, E: From<Ended> + 'static>(
        &mut self,
        work: impl Future<Output = Result<T, E>> + Send + 'static,
        into: impl FnOnce(Result<T, E>) -> Event + Send + 'static,
    ) -> TaskId {
        self.runtime.tasks.start(work, into)
    }

    /// Aborts a task; its result is that it was cancelled.
    pub(crate) fn cancel(&self, task: TaskId) {
        self.runtime.tasks.cancel(task);
    }

    /// Sets the flag that asks a task to stop after its current step.
    pub(crate) fn on_cancel(&mut self, task: TaskId, flag: CancelFlag) {
        self.runtime.cancels.insert(task, flag);
    }

    /// The next number of work that is shown.
    pub(crate) fn next_work(&mut self) -> u64 {
        self.runtime.works += 1;
        self.runtime.works
    }

    /// Drops a value that takes long to drop in the background.
    pub(crate) fn discard<T: Send + 'static>(&self, value: T) {
        self.runtime.discard(value);
    }

    /// Reports progress of background work to the window.
    pub(crate) fn reporter(&self) -> Reporter {
        let Runtime { events_in, tasks, generation, .. } = &*self.runtime;
        Reporter::new(events_in.clone(), tasks.repaint(), *generation)
    }
}

impl App {
    /// The context without a feature.
    pub(crate) fn context(&mut self) -> Context<'_> {
        let State { connection, preferences, notifications, work, pages, history, .. } = &mut self.state;
        Context::new(connection, preferences, notifications, work, pages, history, &mut self.runtime)
    }
}

/// A feature of an [`crate::App`] and its context.
macro_rules! split {
    ($app:expr, $feature:ident) => {{
        let crate::State { $feature: feature, connection, preferences, notifications, work, pages, history, .. } =
            &mut $app.state;
        let runtime = &mut $app.runtime;
        let context =
            crate::context::Context::new(connection, preferences, notifications, work, pages, history, runtime);
        (feature, context)
    }};
}

/// Calls a method of a feature of an [`crate::App`] with its context.
macro_rules! of_feature {
    ($app:expr, $feature:ident.$method:ident($($argument:expr),* $(,)?)) => {{
        let (feature, mut context) = crate::context::split!($app, $feature);
        feature.$method($($argument,)* &mut context)
    }};
}

pub(crate) use {of_feature, split};
