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
use crate::bulk::{BatchAnswer, BulkOperation, Run};
use crate::confirm::Confirmation;
use crate::db::Database;
use crate::drafts::{Draft, DraftKey, DraftStore};
use crate::history::Answer;
use crate::journal::{Entry, EntryId, RunId};
use crate::panel::Panel;
use crate::settings::Target;
use crate::write::own_writes::RowWrite;
use lunette_client::model::id::AssetId;

/// What a feature reports to the loop.
pub(crate) enum Event {
    /// An action of the user, or of a feature on one that it names.
    Action(Box<Action>),
    /// Leaves the connection for another one.
    Connect(Target),
    /// An attempt to connect has ended.
    Connected,
    /// The service responds: for the first time, or again after it was lost.
    Reached { again: bool },
    /// Asks the user for confirmation after the earlier events are handled.
    Ask(Confirmation),
    /// The connection is lost: the service is no longer followed.
    Lost,
    /// Drafts of the connection were read.
    Drafts(DraftStore, BTreeMap<DraftKey, Draft>),
    /// The database of the connection was opened, and the name of the connection in it; `None` if nothing is stored.
    DatabaseOpened(Option<(Arc<Database>, String)>),
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
    /// A panel is needed.
    Show(Panel),
    /// A panel is shown, or shown again.
    Shown(Panel),
    /// A list of applications was read, or reading it failed.
    ApplicationsRead(ListResult),
    /// The settings say whether content is loaded without being asked for.
    TransferablesSet,
    /// The settings allow other origins than before.
    OriginsAllowed,
    /// The settings have other write policies than before.
    WritePoliciesRead,
    /// An asset was opened.
    AssetOpened(AssetId),
    /// An asset exists, perhaps again.
    AssetFound(AssetId),
    /// An asset was deleted.
    AssetLost(AssetId),
    /// An asset was written by this window.
    AssetWritten(AssetId),
    /// Assets were moved to the Trash, or restored from it.
    TrashChanged,
    /// An import of what was found in a watched folder ended, or was not begun.
    FolderImported(PathBuf),
    /// Pages of assets were loaded, and may exceed their limits.
    PagesLoaded,
    /// An asset was created from text.
    AssetCreated(AssetId),
    /// The steps of the journal of the connection, and a message if it was damaged.
    JournalRead(Vec<Arc<Entry>>, Option<String>),
    /// A step began or ended.
    Step(Arc<Entry>),
    /// A batch changed nothing.
    StepUnchanged(EntryId),
    /// No change of a batch can be undone.
    StepIrreversible(EntryId),
    /// A batch of another window has ended, or went on.
    EndedElsewhere(EntryId, RunId),
    /// A step is undone or redone by what made it.
    Answer(Answer),
    /// The outcome of a change is unknown; its asset is read again.
    Reconcile(Arc<Entry>),
    /// The rows of a run are needed.
    OpenRun(RunId),
    /// A run began, with its step.
    RunBegan(Arc<Entry>),
    /// Rows of a run were written.
    RowsWritten(VecDeque<RowWrite>),
    /// A run has stopped: it has ended, or it can be resumed.
    RunStopped(ChangedByRun),
    /// Runs that have ended, with their rows.
    RunsRecorded(Vec<Run>),
    /// A backup is created before many assets are deleted.
    BackUpFirst(Arc<BatchAnswer>),
    /// That backup was created, or why not; the number is that of the connection.
    BackedUp(Arc<BatchAnswer>, Result<(), String>, u64),
    /// Writes are disabled: runs pause, work finishes what it started, and open confirmations are dropped.
    HoldWrites,
}
