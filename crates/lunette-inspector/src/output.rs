//! The results of background work.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::Probe;
use crate::bulk::RunId;
use crate::bulk::window::Inbox;
use crate::check::Report;
use crate::embedded::ServiceStatus;
use crate::journal::{Entry, JournalEvent};
use crate::listing::rows::AssetRow;
use crate::request_versions::ResourceKey;
use crate::session::log::LogEntry;
use crate::session::{ConnectionStorage, Identity, PendingCall};
use crate::settings::SaveResult;
use crate::sync::RemoteChange;
use crate::watch::follow::FolderNews;
use lunette_client::client::Client;

use crate::{
    applications, assets, bulk, embedded, export, graph, import, inventory, links, overview, session, trash, watch,
    write,
};

pub(crate) use crate::applications::Output as ApplicationsOutput;
pub(crate) use crate::assets::Output as AssetsOutput;
pub(crate) use crate::bulk::Output as BulkOutput;
pub(crate) use crate::embedded::Output as EmbeddedOutput;
pub(crate) use crate::export::Output as ExportOutput;
pub(crate) use crate::graph::Output as GraphOutput;
pub(crate) use crate::import::Output as ImportOutput;
pub(crate) use crate::links::Output as LinksOutput;
pub(crate) use crate::session::Output as SessionOutput;
pub(crate) use crate::trash::Output as TrashOutput;
pub(crate) use crate::write::Output as WriteOutput;

/// The result of a task, and the connection that it belongs to.
pub(crate) struct Event {
    pub generation: u64,
    pub what: TaskOutput,
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
    /// A conformance check has ended.
    Checked(Result<Arc<Report>, String>),
    SettingsSaved(Result<Box<SaveResult>, String>),
    /// The drafts of the connection with this number were written, with messages, or failed.
    DraftsSaved(u64, Result<Vec<String>, String>),
    Session(session::Output),
    Applications(applications::Output),
    Inventory(inventory::Output),
    Assets(assets::Output),
    Links(links::Output),
    Graph(graph::Output),
    Overview(overview::Output),
    Trash(trash::Output),
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
    pub own: bool,
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
        own: bool,
        /// How the calls of runs are paced, where it was one of a run.
        pace: Option<lunette_client::client::PaceView>,
        /// Its connection.
        generation: u64,
    },
    /// A call has had no response for a while.
    Waiting {
        /// The call.
        call: Arc<PendingCall>,
        /// Its connection.
        generation: u64,
    },
    /// A call that had no response for a while has ended.
    Waited {
        /// The call.
        call: Arc<PendingCall>,
        /// Its connection.
        generation: u64,
    },
    /// The current status of the embedded service.
    Embedded(Box<ServiceStatus>),
    /// It is no longer monitored, and why.
    Unwatched(String),
    /// A port of this machine was probed.
    Probed(Box<Probe>),
    /// A lost connection must be retried.
    RetryDue {
        /// Its connection.
        generation: u64,
    },
    /// Rows of the list of assets arrived.
    Rows {
        /// The rows.
        rows: Vec<Arc<AssetRow>>,
        /// The number of the read that they belong to.
        number: u64,
        /// Their connection.
        generation: u64,
    },
    /// A step began, or ended.
    Step {
        /// The current step.
        entry: Arc<Entry>,
        /// A message if its end could not be recorded.
        problem: Option<String>,
        /// Its connection.
        generation: u64,
    },
    /// Other windows recorded steps in the journal, or why these cannot be shown.
    OtherWindows {
        /// The events.
        changes: Result<Vec<JournalEvent>, String>,
        /// The connection of the journal.
        generation: u64,
    },
    /// Rows of a run changed.
    Lines {
        /// The run.
        run: RunId,
        /// The events.
        inbox: Arc<Inbox>,
        /// Its connection.
        generation: u64,
    },
    /// A watched folder has changed, or watching it has stopped.
    Watched {
        /// The folder.
        folder: PathBuf,
        /// What is told of it.
        news: FolderNews,
        /// Its connection.
        generation: u64,
    },
    /// Something differs from the displayed state.
    RemoteChange {
        /// The difference.
        change: RemoteChange,
        /// Its connection.
        generation: u64,
    },
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
