//! What features report to the loop.
//!
//! What must hold: a feature says what happened, or what it needs, and does not know who acts on it; the loop hands each
//! event to the features that it concerns, once the one that reported it has finished. Events are handled in order.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use crate::action::Action;
use crate::applications::ListResult;
use crate::bulk::window::ChangedByRun;
use crate::confirm::Confirmation;
use crate::db::Database;
use crate::drafts::{Draft, DraftKey, DraftStore};
use crate::history::{Answer, SentHere};
use crate::journal::{Entry, EntryId, RunId};
use crate::panel::Panel;
use crate::run::Run;
use crate::runs::{BatchAnswer, BulkOperation};
use crate::settings::Target;
use crate::setup::EmbeddedError;
use crate::usage::Usage;
use crate::write::own_writes::RowWrite;
use lunette_client::model::id::AssetId;

mod handle;

/// What a feature reports to the loop.
pub(crate) enum Event {
    /// An action of the user, or of a feature on one that it names.
    Action(Box<Action>),
    /// Asks the user for confirmation after the earlier events are handled.
    Ask(Confirmation),
    /// A panel is needed.
    Show(Panel),
    /// A panel is shown, or shown again.
    Shown(Panel),
    /// The records of the service may have changed: every list is reloaded.
    ReadAll,
    /// The graph is read after the list of assets, which has the names of most nodes.
    ReadGraph,
    /// The activity of the open tag, website or summary is read after the list of assets, which names its assets.
    ReadItemActivity,
    /// A list of applications was read, or reading it failed.
    ApplicationsRead(ListResult),
    /// An import of what was found in a watched folder ended, or was not begun.
    FolderImported(PathBuf),
    Connection(ConnectionEvent),
    Settings(SettingsEvent),
    Asset(AssetEvent),
    Step(StepEvent),
    Run(RunEvent),
}

/// What happened to the connection.
pub(crate) enum ConnectionEvent {
    /// It is left for another one.
    Chosen(Target),
    /// An attempt to connect has ended.
    Tried,
    /// The service responds: for the first time, or again after it was lost.
    Reached { again: bool },
    /// It is lost: the service is no longer followed.
    Lost,
    /// Its journal was read: the steps, and a message if it was damaged.
    Journal(Vec<Arc<Entry>>, Option<String>),
    /// Its drafts were read.
    Drafts(DraftStore, BTreeMap<DraftKey, Draft>),
    /// Its database was opened, with the name of the connection in it; `None` if nothing is stored.
    Database(Option<(Arc<Database>, String)>),
    /// How often its assets were used was read.
    Usage(Usage),
    /// Writes are disabled: runs pause, work finishes what it started, and open confirmations are dropped.
    WritesHeld,
}

/// What changed in the settings.
pub(crate) enum SettingsEvent {
    /// Whether content is loaded without being asked for.
    Transferables,
    /// The origins that may use the embedded service.
    Origins,
    /// The write policies, in another window.
    WritePolicies,
    /// The layout of the window is reset.
    LayoutReset,
    /// Whether, how many and for how long versions of assets are kept.
    Versions,
    /// The words that mean the same in searches, which the service inside has now too.
    Synonyms,
}

/// What happened to assets.
pub(crate) enum AssetEvent {
    /// The list is reloaded: rows reported before need no read of their own.
    ListRead,
    /// OpenAssets were loaded, and may exceed their limits.
    PagesLoaded,
    /// One was created from text.
    Created(AssetId),
    /// One was opened.
    Opened(AssetId),
    /// One exists, perhaps again.
    Found(AssetId),
    /// One was deleted.
    Lost(AssetId),
    /// One was written by this window.
    Written(AssetId),
    /// Some were moved to the Trash, or restored from it.
    TrashChanged,
}

/// What happened to a step of the history.
pub(crate) enum StepEvent {
    /// It began or ended.
    Recorded(Arc<Entry>),
    /// It is a batch that changed nothing.
    Unchanged(EntryId),
    /// It is a batch of which no change can be undone.
    Irreversible(EntryId),
    /// It is undone or redone by the feature that made it.
    Answered(Answer),
    /// Its outcome is unknown: its asset is read again.
    Doubted(Arc<Entry>),
    /// The steps of an assistant are sent because of a decision in this window.
    SendingBegan(SentHere),
    /// They were sent.
    SendingEnded,
}

/// What happened to runs.
pub(crate) enum RunEvent {
    /// An operation on these assets is planned, with the names that the list has.
    Wanted(BulkOperation, Vec<AssetId>),
    /// A run began, with its step.
    Began(Arc<Entry>),
    /// Rows of it were written.
    RowsWritten(VecDeque<RowWrite>),
    /// A run has stopped: it has ended, or it can be resumed.
    Stopped(ChangedByRun),
    /// Runs that have ended were recorded, with their rows.
    Recorded(Vec<Run>),
    /// The rows of a run are needed.
    Needed(RunId),
    /// The run of a step went on or ended in another window.
    EndedElsewhere(EntryId, RunId),
    /// A backup is created before a run deletes many assets.
    BackupNeeded(Arc<BatchAnswer>),
    /// That backup was created, or why not; the number is that of the connection.
    BackedUp(Arc<BatchAnswer>, Result<(), NotBackedUp>, u64),
}

impl From<ConnectionEvent> for Event {
    fn from(event: ConnectionEvent) -> Self {
        Self::Connection(event)
    }
}

impl From<SettingsEvent> for Event {
    fn from(event: SettingsEvent) -> Self {
        Self::Settings(event)
    }
}

impl From<AssetEvent> for Event {
    fn from(event: AssetEvent) -> Self {
        Self::Asset(event)
    }
}

impl From<StepEvent> for Event {
    fn from(event: StepEvent) -> Self {
        Self::Step(event)
    }
}

/// Why there is no backup, so that a run that needs one does not start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotBackedUp {
    /// This window cannot create one.
    #[error("{0}")]
    Obstacle(&'static str),
    /// Creating it failed.
    #[error("the backup failed: {0}")]
    Failed(EmbeddedError),
}

impl From<RunEvent> for Event {
    fn from(event: RunEvent) -> Self {
        Self::Run(event)
    }
}
