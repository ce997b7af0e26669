//! The resources that every feature needs: the setup, the client, background work, the journal, and the numbers that
//! distinguish outdated responses.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::Sender;

use tokio::sync::watch;

use crate::embedded::origins::AllowedOrigins;
use crate::event::Event;
use crate::following::DatabaseWatch;
use crate::journal::Journal;
use crate::local_versions::{LocalVersions, Recorder};
use crate::output::{Completion, Report};
use crate::request_versions::RequestVersions;
use crate::setup::Setup;
use crate::tasks::{CancelFlag, TaskId, Tasks, log_panic, spawn_blocking_supervised};
use lunette_client::client::Client;

/// The resources shared by the features, apart from the displayed state.
pub(crate) struct Runtime {
    /// What the program was started with.
    pub setup: Setup,
    /// Background work in progress.
    pub tasks: Tasks<Completion>,
    /// Cancels work that completes its current step.
    pub cancels: BTreeMap<TaskId, CancelFlag>,
    /// Receives progress events.
    pub events_in: Sender<Report>,
    /// The client of this connection, once the service responded.
    pub client: Option<Client>,
    /// Numbers calls.
    pub calls: Arc<AtomicU64>,
    /// Numbers work that is shown.
    pub works: u64,
    /// The numbers of the newest reads.
    pub reads: RequestVersions,
    /// The number of the connection; results of earlier ones are not shown.
    pub generation: u64,
    /// The journal of this connection; there is no client to write through until it is open.
    pub journal: Journal,
    /// Tells when the database of this connection was written to; `None` if nothing is stored.
    pub database_watch: Option<DatabaseWatch>,
    /// Events of features that are not handled yet.
    pub pending: VecDeque<Event>,
    /// Whether the status of the stream of assets is known; `None` before the first connection.
    pub assets_followed: Option<watch::Receiver<bool>>,
    /// The allowed origins on their way to the embedded service.
    pub origins: AllowedOrigins,
    /// Keeps versions of what is read and written at a service of others.
    pub recorder: Recorder,
    /// The versions that are kept of its assets; `None` for a service that keeps them itself.
    pub local_versions: Option<LocalVersions>,
}

impl Runtime {
    /// For a window that has no connection yet.
    pub fn new(setup: Setup, events_in: Sender<Report>) -> Self {
        Self {
            tasks: Tasks::new(setup.runtime.clone(), Arc::clone(&setup.repaint)),
            cancels: BTreeMap::new(),
            events_in,
            client: None,
            calls: Arc::default(),
            works: 0,
            reads: RequestVersions::default(),
            generation: 0,
            journal: Journal::in_memory(),
            database_watch: None,
            pending: VecDeque::new(),
            assets_followed: None,
            origins: AllowedOrigins::default(),
            recorder: Recorder::default(),
            local_versions: None,
            setup,
        }
    }

    /// Keeps no more versions of the assets of a connection that is left.
    pub fn leave_versions(&mut self) {
        self.recorder.attach(None);
        (self.recorder, self.local_versions) = (Recorder::default(), None);
    }

    /// Drops a value that takes long to drop in the background.
    pub fn discard<T: Send + 'static>(&self, value: T) {
        let panicked = log_panic("dropping a value in the background");
        spawn_blocking_supervised(&self.setup.runtime, move || drop(value), panicked);
    }
}
