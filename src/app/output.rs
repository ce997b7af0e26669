//! What background work comes back with.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::app::assets::load::LeftOut;
use crate::app::assets::search::Hits;
use crate::app::bulk::window::{Halted, Inbox, ReadRuns, Then};
use crate::app::bulk::{BatchAnswer, BulkOperation, NamedAssets, RunId, Sample};
use crate::app::change::{Change, Item, LinkKind};
use crate::app::check::Report;
use crate::app::embedded::{Backup, ServiceStatus};
use crate::app::import::Made;
use crate::app::journal::{Entry, EntryId, EntryRelation, JournalEvent};
use crate::app::listing::Query;
use crate::app::listing::rows::{ApplicationRow, AssetColumn, AssetRow, ExternalRow, TrashRow};
use crate::app::request_versions::Read;
use crate::app::session::log::{LogEntry, LoggedClient};
use crate::app::session::{ConnectionStorage, FirstChoice, Identity, PendingCall};
use crate::app::settings::Written;
use crate::app::shell::drag_file::DragFile;
use crate::app::state::{ConsoleAnswer, Content, Exported, ImportSummary};
use crate::app::sync::RemoteChange;
use crate::app::write::conflict::Conflict;
use crate::app::write::plan::{Done, NotDone, Plan, Preflight, Reconciled};
use crate::app::write::step::Failed;
use crate::app::write::tracking::Tracking;
use crate::app::{CallError, Probe};
use lunette_client::model::activity::Activities;
use lunette_client::model::application::Application;
use lunette_client::model::asset::{Asset, Formats};
use lunette_client::model::conversation::Conversations;
use lunette_client::model::id::AssetId;

/// The end of a task, and the connection it belongs to.
pub(in crate::app) struct Event {
    pub generation: u64,
    pub what: What,
}

/// What a task ended with.
pub(in crate::app) enum What {
    /// Work failed in a way that its own end has no place for: it is said, and this is what it comes to.
    Failed {
        said: String,
        then: Box<What>,
    },
    /// The end of a read of this number.
    Read(Read, u64, Box<What>),
    /// A service was reached, or not.
    Connected(Result<Box<Handshake>, String>),
    /// How the service inside stands.
    Inside(ServiceStatus),
    /// Which backups there are.
    Backups(Result<Vec<Backup>, String>),
    BackedUp(Result<Backup, String>),
    /// The backup before a run that deletes was made, or not; of the connection of this number.
    BackedUpFirst(Result<Backup, String>, Arc<BatchAnswer>, u64),
    /// Data of the service inside was exchanged; where what was there is kept.
    Restored(Result<Option<PathBuf>, String>),
    /// Which service there is to talk to at the first start.
    Chosen(FirstChoice),
    Probed(Vec<Probe>),
    /// The service was asked whether it is still there.
    Doubted(Result<Identity, CallError>),
    /// Whether the service has a Trash was asked; what it answered is among its capabilities.
    TrashAsked,
    /// How the service answers for a path that is none; None where it did not.
    NotFoundProbe(Option<Arc<LogEntry>>),
    Applications(Result<Vec<Arc<ApplicationRow>>, CallError>),
    Application(String, Result<Arc<Application>, CallError>),
    External(Result<Vec<Arc<ExternalRow>>, CallError>),
    Tracked(Tracking, Result<EntryId, Failed>),
    /// The whole list of assets was read; which of them are too large to be listed.
    AssetsListed(Result<Vec<LeftOut>, CallError>),
    /// The deleted assets.
    Trash(Result<Vec<Arc<TrashRow>>, CallError>),
    /// The Trash was emptied of this many assets, or not.
    TrashEmptied(Result<usize, Failed>),
    /// The order for a query, what the service found and these rows.
    AssetsArranged {
        query: Query<AssetColumn>,
        hits: Option<Arc<Hits>>,
        rows: Arc<Vec<Arc<AssetRow>>>,
        order: Arc<Vec<u32>>,
    },
    /// What the search of this number found.
    Found(u64, Result<Hits, CallError>),
    Asset(AssetId, Result<Arc<Asset>, CallError>),
    Content(AssetId, Result<Content, CallError>),
    Formats(AssetId, Result<Arc<Formats>, CallError>),
    Activities(AssetId, Result<Arc<Activities>, CallError>),
    Conversations(AssetId, Result<Arc<Conversations>, CallError>),
    Linkable(LinkKind, Result<Vec<Item>, CallError>),
    /// A write was planned, to be looked at.
    Planned {
        change: Change,
        end: Result<Preflight, String>,
    },
    /// A write ended.
    WriteResult {
        meant: Change,
        answers: EntryRelation,
        end: WriteResult,
    },
    /// A write of unknown outcome was read again.
    Reconciled {
        change: Change,
        end: Result<Reconciled, String>,
    },
    Created(Result<AssetId, Failed>),
    Answered(Result<Arc<ConsoleAnswer>, String>),
    Picked(Result<Vec<PathBuf>, String>),
    /// An import, and the step it was, where it sent anything.
    Imported(ImportSummary, Option<Made>),
    Exported(AssetId, Result<Arc<Exported>, CallError>),
    Saved(Result<Option<PathBuf>, String>),
    /// A file was opened or shown in its folder; fails with a sentence.
    FileOpened(Result<(), String>),
    /// Where many exports go; None when the user changed their mind.
    PlacePicked(Result<Option<(BulkOperation, NamedAssets)>, String>),
    /// An export was dragged; the file, where another program took it.
    Dragged(Result<Option<DragFile>, String>),
    /// A conformance check has ended.
    Checked(Result<Arc<Report>, String>),
    SettingsKept(Result<Box<Written>, String>),
    /// The first few of many assets were planned, to be looked at.
    BulkSampled(Result<Sample, String>),
    /// A run has ended, or stands still.
    RunHalted(Halted),
    /// Ledgers of runs were read, for something.
    RunsRead(ReadRuns, Then),
    /// The end of a step that is a run was noted.
    StepNoted(Result<(), String>),
    /// Drafts of the connection of this number are on disk; what there is to tell, or why they are not.
    DraftsKept(u64, Result<Vec<String>, String>),
}

/// A service that answered.
pub(in crate::app) struct Handshake {
    pub wire: LoggedClient,
    pub address: String,
    pub version: Option<String>,
    pub latency: Duration,
    pub own: bool,
    /// Which service it is.
    pub identity: Identity,
    /// What is kept of it on disk.
    pub kept: ConnectionStorage,
}

/// How a write ended.
pub(in crate::app) enum WriteResult {
    /// It was done, in this step.
    Done(EntryId, Box<Done>),
    /// It was sent, and not done as far as is known.
    NotDone(NotDone),
    /// Nothing was sent; why.
    Unsent(String),
    /// Nothing was sent: it is so already; how.
    Unchanged(String),
    /// Nothing was sent: the asset moved on.
    Moved(Box<Conflict>),
    /// Nothing was sent: what the plan showed is no longer so; the plan as it is now, and why.
    Anew(Box<Plan>, String),
}

/// What work reports on its way.
pub enum Note {
    /// A call ended.
    Called {
        /// Its line in the log.
        line: Arc<LogEntry>,
        /// Whether our own kind of service answered.
        own: bool,
        /// Its connection.
        generation: u64,
    },
    /// A call has had no answer for a while.
    Waiting {
        /// The call.
        call: Arc<PendingCall>,
        /// Its connection.
        generation: u64,
    },
    /// A call that had no answer for a while has ended.
    Waited {
        /// The call.
        call: Arc<PendingCall>,
        /// Its connection.
        generation: u64,
    },
    /// How the service inside stands now.
    Inside(Box<ServiceStatus>),
    /// That is no longer looked at, and why.
    Unwatched(String),
    /// A port of this machine was looked at.
    Probed(Box<Probe>),
    /// A service that was lost is to be tried again.
    RetryDue {
        /// Its connection.
        generation: u64,
    },
    /// Rows of the list of assets came.
    Rows {
        /// The rows.
        rows: Vec<Arc<AssetRow>>,
        /// Which reading of the list they belong to.
        number: u64,
        /// Their connection.
        generation: u64,
    },
    /// A step began, or ended.
    Step {
        /// The step as it stands.
        entry: Arc<Entry>,
        /// What could not be noted on disk, for people.
        problem: Option<String>,
        /// Its connection.
        generation: u64,
    },
    /// Other windows noted steps in the journal, or why they cannot be shown.
    OtherWindows {
        /// What they noted.
        news: Result<Vec<JournalEvent>, String>,
        /// The connection of the journal.
        generation: u64,
    },
    /// Rows of a run went on.
    Lines {
        /// Which run.
        run: RunId,
        /// What became of them.
        inbox: Arc<Inbox>,
        /// Its connection.
        generation: u64,
    },
    /// Something differs from what is shown.
    Live {
        /// What.
        news: RemoteChange,
        /// Its connection.
        generation: u64,
    },
    /// Work went on.
    Progress {
        /// Which work, by its number.
        work: u64,
        /// How much is done.
        done: usize,
        /// Of how much.
        all: usize,
    },
}
