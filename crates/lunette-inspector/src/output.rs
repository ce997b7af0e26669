//! The results of background work.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::Probe;
use crate::Vendor;
use crate::bulk::window::Inbox;
use crate::embedded::ServiceStatus;
use crate::following::FollowError;
use crate::journal::{Entry, JournalEvent};
use crate::listing::rows::AssetRow;
use crate::request_versions::ResourceKey;
use crate::runs::RunId;
use crate::session::log::LogEntry;
use crate::session::{ConnectionStorage, Identity, PendingCall};
use crate::sync::RemoteChange;
use crate::watch::follow::FolderEvent;
use lunette_client::client::Client;

use crate::{
    applications, assets, assistants, bulk, check, compare, drafts, embedded, export, graph, import, inventory, links,
    overview, proposals, rescue, scratch, session, settings, sides, trash, versions, watch, write,
};

/// A result that a feature gets from its background work.
pub(crate) trait TaskResult {
    /// Makes it a result of the loop, which hands it to its feature.
    fn into_output(self) -> TaskOutput;

    /// Whether it matters although the connection changed meanwhile.
    fn outlives_its_connection(&self) -> bool {
        false
    }
}

/// The result of a task.
pub(crate) struct Completion {
    /// The connection without which it is dropped; `None` if it matters whatever the connection is.
    pub generation: Option<u64>,
    pub what: TaskOutput,
}

impl Completion {
    /// A result of work that was started by this connection.
    pub(crate) fn new(generation: u64, result: impl TaskResult) -> Self {
        let generation = (!result.outlives_its_connection()).then_some(generation);
        Self { generation, what: result.into_output() }
    }
}

/// The result of the read with this number.
pub(crate) struct Numbered<O> {
    pub key: ResourceKey,
    pub number: u64,
    pub output: O,
}

impl<O: TaskResult> TaskResult for Numbered<O> {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Read(self.key, self.number, Box::new(self.output.into_output()))
    }

    fn outlives_its_connection(&self) -> bool {
        self.output.outlives_its_connection()
    }
}

/// A result that cannot carry a failure, and the message of the failure.
pub(crate) struct Reported<O> {
    pub problem: Option<String>,
    pub output: O,
}

impl<O: TaskResult> TaskResult for Reported<O> {
    fn into_output(self) -> TaskOutput {
        let output = self.output.into_output();
        match self.problem {
            Some(message) => TaskOutput::Failed { message, then: Box::new(output) },
            None => output,
        }
    }

    fn outlives_its_connection(&self) -> bool {
        self.output.outlives_its_connection()
    }
}

/// The result of a task.
pub(crate) enum TaskOutput {
    /// Work failed in a way that its result cannot carry: the message to report, and the result to handle instead.
    Failed {
        message: String,
        then: Box<TaskOutput>,
    },
    /// The result of the read with this number.
    Read(ResourceKey, u64, Box<TaskOutput>),
    Check(check::window::Output),
    Settings(settings::Output),
    Drafts(drafts::Output),
    Session(session::Output),
    Applications(applications::Output),
    Inventory(inventory::Output),
    Assets(assets::Output),
    Links(links::Output),
    Graph(graph::Output),
    Compare(compare::Output),
    Overview(overview::Output),
    Rescue(rescue::window::Output),
    Scratch(scratch::Output),
    Sides(sides::window::Output),
    Proposals(proposals::window::Output),
    Assistants(assistants::window::Output),
    Trash(trash::Output),
    Versions(versions::Output),
    Write(write::Output),
    Bulk(bulk::Output),
    Import(import::Output),
    Watch(watch::Output),
    Export(export::Output),
    Embedded(embedded::Output),
}

/// A service that responded.
pub(crate) struct Handshake {
    pub client: Client,
    pub address: String,
    pub version: Option<String>,
    pub latency: Duration,
    pub vendor: Vendor,
    /// The identity of the service.
    pub identity: Identity,
    /// Its stored data.
    pub storage: ConnectionStorage,
}

/// Events of work in progress.
pub enum ProgressEvent {
    /// A call ended.
    Called {
        /// Its entry in the log.
        line: Arc<LogEntry>,
        /// Whether our own kind of service responded.
        vendor: Vendor,
        /// How the calls of runs are paced, where it was one of a run.
        pace: Option<lunette_client::client::PaceView>,
    },
    /// A call has had no response for a while.
    Waiting(Arc<PendingCall>),
    /// A call that had no response for a while has ended.
    Waited(Arc<PendingCall>),
    /// The current status of the embedded service.
    Embedded(Box<ServiceStatus>),
    /// It is no longer monitored, and why.
    Unwatched(String),
    /// A port of this machine was probed.
    Probed(Box<Probe>),
    /// A lost connection must be retried.
    RetryDue,
    /// Rows of the list of assets arrived.
    Rows {
        /// The rows.
        rows: Vec<Arc<AssetRow>>,
        /// The number of the read that they belong to.
        number: u64,
    },
    /// A step began, or ended.
    Step {
        /// The current step.
        entry: Arc<Entry>,
        /// A message if its end could not be recorded.
        problem: Option<String>,
    },
    /// Other windows recorded steps in the journal, or why these cannot be shown.
    OtherWindows(Result<Vec<JournalEvent>, FollowError>),
    /// What assistants proposed changed.
    Proposals(Result<proposals::window::Found, FollowError>),
    /// What is known of the assistants changed.
    Assistants(Result<assistants::window::Found, FollowError>),
    /// Rows of a run changed.
    Lines {
        /// The run.
        run: RunId,
        /// The events.
        inbox: Arc<Inbox>,
    },
    /// A watched folder has changed, or watching it has stopped.
    Watched {
        /// The folder.
        folder: PathBuf,
        /// What happened to the folder.
        event: FolderEvent,
    },
    /// Something differs from the displayed state.
    RemoteChange(RemoteChange),
    /// A side of the comparison that was begun under this number was read further.
    SideRead(u64, compare::Position, sides::Progress),
    /// So many rows of the comparison with this number were planned.
    SidePlanned(u64, usize),
    /// So many changes of what is copied under this number ended, and so many there are.
    SideSent(u64, usize, usize),
    /// What was begun under this number by the rescue made progress.
    Rescue(u64, rescue::Progress),
    /// The copy that is made under this number made progress.
    Scratch(u64, sides::Progress),
    /// Work made progress.
    Progress {
        /// The number of the work.
        work: u64,
        /// How much is done.
        done: usize,
        /// How much there is in total.
        all: usize,
    },
}

impl ProgressEvent {
    /// Whether it matters although the connection changed meanwhile.
    pub(crate) fn outlives_its_connection(&self) -> bool {
        match self {
            // The log keeps the calls of earlier connections, and a connection to the same service their steps.
            Self::Called { .. } | Self::Step { .. } => true,
            Self::Embedded(_) | Self::Unwatched(_) | Self::Probed(_) | Self::Progress { .. } => true,
            Self::Rescue(..) | Self::Scratch(..) => true,
            Self::Waiting(_)
            | Self::Waited(_)
            | Self::RetryDue
            | Self::Rows { .. }
            | Self::OtherWindows(_)
            | Self::Proposals(_)
            | Self::Assistants(_)
            | Self::Lines { .. }
            | Self::Watched { .. }
            | Self::SideRead(..)
            | Self::SidePlanned(..)
            | Self::SideSent(..)
            | Self::RemoteChange(_) => false,
        }
    }
}

/// An event of work in progress, and the connection that started the work.
pub(crate) struct Report {
    pub generation: u64,
    pub event: ProgressEvent,
}
