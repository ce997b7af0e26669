//! What a feature may use of the rest: the connection, the preferences, messages to the user, and background work.
//!
//! What must hold: a feature changes its own state only. It asks a feature that it names by a request, and reports
//! everything else as an [`Event`]; both are handled once it has finished. Opened assets and the history are read here,
//! and changed by the features `assets` and `history` alone.

use std::future::Future;
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::watch;

use crate::action::Action;
use crate::assets::page::OpenAssets;
use crate::background::Work;
use crate::embedded::origins::AllowedOrigins;
use crate::event::Event;
use crate::following::DatabaseWatch;
use crate::history::History;
use crate::journal::Journal;
use crate::local_versions::{Recorded, Recorder};
use crate::notifications::Notifications;
use crate::output::Completion;
use crate::request_versions::ResourceKey;
use crate::runtime::Runtime;
use crate::session::Connection;
use crate::session::log::CallLog;
use crate::session::reporter::Reporter;
use crate::settings::Preferences;
use crate::setup::Setup;
use crate::tasks::{CancelFlag, Ended, TaskId};
use crate::versions::VersionSource;
use crate::{App, State};
use lunette_client::client::Client;

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
    runtime: &'a mut Runtime,
}

/// A context of a feature that also reads the opened assets and the history.
pub(crate) struct WideContext<'a> {
    context: Context<'a>,
    /// The opened assets.
    pub pages: &'a OpenAssets,
    /// The steps of this connection.
    pub history: &'a History,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        connection: &'a mut Connection,
        preferences: &'a mut Preferences,
        notifications: &'a mut Notifications,
        work: &'a mut Vec<Work>,
        runtime: &'a mut Runtime,
    ) -> Self {
        Self { connection, preferences, notifications, work, runtime }
    }

    /// Adds what is read of other features.
    pub(crate) fn with(self, pages: &'a OpenAssets, history: &'a History) -> WideContext<'a> {
        WideContext { context: self, pages, history }
    }
}

impl<'a> Deref for WideContext<'a> {
    type Target = Context<'a>;

    fn deref(&self) -> &Context<'a> {
        &self.context
    }
}

impl<'a> DerefMut for WideContext<'a> {
    fn deref_mut(&mut self) -> &mut Context<'a> {
        &mut self.context
    }
}

impl Context<'_> {
    /// Asks a feature to perform an action, once this one has finished.
    pub fn request(&mut self, action: impl Into<Action>) {
        self.emit(Event::Action(Box::new(action.into())));
    }

    /// Reports an event, which is handled once this feature has finished.
    pub fn emit(&mut self, event: impl Into<Event>) {
        self.runtime.pending.push_back(event.into());
    }

    /// What the program was started with.
    pub(crate) fn setup(&self) -> &Setup {
        &self.runtime.setup
    }

    /// The folder in which what belongs to the connection is stored: that of a copy, or else the data folder.
    pub(crate) fn data(&self) -> Option<PathBuf> {
        let of_copy = self.connection.target.copy().map(|copy| copy.folder.clone());
        of_copy.or_else(|| self.setup().data.clone())
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

    /// A log of the calls of this connection, which the window shows; what they show of assets is kept too, once it is
    /// known that the service does not do so.
    pub(crate) fn call_log(&self) -> Recorded<CallLog> {
        let observer = CallLog::new(self.reporter(), Arc::clone(&self.runtime.calls));
        Recorded { observer, recorder: self.recorder() }
    }

    /// Keeps versions of what is read and written at a service of others.
    pub(crate) fn recorder(&self) -> Recorder {
        self.runtime.recorder.clone()
    }

    /// Where the versions of assets of this connection are.
    pub(crate) fn version_source(&self) -> VersionSource<Client> {
        match &self.runtime.local_versions {
            Some(versions) => VersionSource::Local(versions.clone(), self.recorder()),
            None => VersionSource::Service(self.client()),
        }
    }

    /// The journal of the connection.
    pub(crate) fn journal(&self) -> &Journal {
        &self.runtime.journal
    }

    /// Sets the journal of the connection.
    pub(crate) fn set_journal(&mut self, journal: Journal) {
        self.runtime.journal = journal;
    }

    /// Tells when the database of the connection was written to; `None` if nothing is stored.
    pub(crate) fn database_watch(&self) -> Option<&DatabaseWatch> {
        self.runtime.database_watch.as_ref()
    }

    /// Whether the stream of assets is open; `None` before the first connection.
    pub(crate) fn assets_followed(&self) -> Option<watch::Receiver<bool>> {
        self.runtime.assets_followed.clone()
    }

    /// Sets what tells whether the stream of assets is open.
    pub(crate) fn set_assets_followed(&mut self, followed: watch::Receiver<bool>) {
        self.runtime.assets_followed = Some(followed);
    }

    /// The allowed origins, to be passed on to the embedded service.
    pub(crate) fn newest_origins(&self) -> AllowedOrigins {
        let origins = self.runtime.origins.clone();
        origins.set(self.preferences.settings.allowed_origins.clone());
        origins
    }

    /// Begins a read; responses to earlier reads of this resource are outdated from now on.
    pub(crate) fn begin_read(&mut self, read: ResourceKey) -> u64 {
        self.runtime.reads.begin(read)
    }

    /// Starts a task.
    pub(crate) fn start<T, E: From<Ended> + 'static>(
        &mut self,
        work: impl Future<Output = Result<T, E>> + Send + 'static,
        into: impl FnOnce(Result<T, E>) -> Completion + Send + 'static,
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
        let State { connection, preferences, notifications, work, .. } = &mut self.state;
        Context::new(connection, preferences, notifications, work, &mut self.runtime)
    }
}

/// A feature of an [`crate::App`] and its context.
macro_rules! split {
    ($app:expr, $feature:ident) => {{
        let crate::State { $feature: feature, connection, preferences, notifications, work, .. } = &mut $app.state;
        (feature, crate::context::Context::new(connection, preferences, notifications, work, &mut $app.runtime))
    }};
}

/// Calls a method of a feature of an [`crate::App`] with its context. The features after `with` are read by the arguments.
macro_rules! of_feature {
    ($app:expr, $feature:ident.$method:ident($($argument:expr),* $(,)?)) => {{
        let (feature, mut context) = crate::context::split!($app, $feature);
        feature.$method($($argument,)* &mut context)
    }};
    ($app:expr, $feature:ident.$method:ident($($argument:expr),* $(,)?), with $($read:ident),+) => {{
        let crate::State { $feature: feature, connection, preferences, notifications, work, $($read,)+ .. } =
            &mut $app.state;
        $(let $read = &*$read;)+
        let runtime = &mut $app.runtime;
        let mut context = crate::context::Context::new(connection, preferences, notifications, work, runtime);
        feature.$method($($argument,)* &mut context)
    }};
}

/// Calls a method of a feature that also reads the opened assets and the history.
macro_rules! of_reader {
    ($app:expr, $feature:ident.$method:ident($($argument:expr),* $(,)?)) => {{
        let crate::State { $feature: feature, connection, preferences, notifications, work, assets, history, .. } =
            &mut $app.state;
        let runtime = &mut $app.runtime;
        let context = crate::context::Context::new(connection, preferences, notifications, work, runtime);
        feature.$method($($argument,)* &mut context.with(&assets.pages, history))
    }};
}

pub(crate) use {of_feature, of_reader, split};
