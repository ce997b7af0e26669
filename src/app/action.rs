//! What a user can ask of the window. Panels push these; [`crate::app::App::perform`] carries them out.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::WritePolicy;
use crate::app::bulk::{BatchAnswer, BulkOperation, NamedAssets, ReportKind, RunId};
use crate::app::change::{Change, LinkKind};
use crate::app::drafts::{Draft, DraftKey};
use crate::app::embedded::Backup;
use crate::app::export::picture::Picture;
use crate::app::filter::{List, Saved};
use crate::app::journal::EntryId;
use crate::app::listing::rows::{ApplicationColumn, AssetColumn, ExternalColumn, ExternalKey, TrashColumn};
use crate::app::listing::{Direction, Query};
use crate::app::navigation::link::Link;
use crate::app::settings::{ListView, Look, Named, Theme, WindowSize};
use crate::app::state::{Panel, Selected, Target};
use crate::app::tasks::TaskId;
use crate::app::write::conflict::Choice;
use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;
use lunette_client::operation::Call;

/// One wish of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Brings a panel to the front.
    Show(Panel),
    /// Goes back to what was looked at before.
    GoBack,
    /// Goes forward again, after going back.
    GoForward,
    /// Talks to another service from now on.
    Connect(Target),
    /// Tries the same service again, at once; what is shown stays.
    Reconnect,
    /// Asks the service all operations of the interface, and compares; `true` sends no write.
    Check(bool),
    /// Takes the other service that answers at the address now; what was shown goes.
    Adopt,
    /// Keeps a connection by its name, in the place of the one at this address.
    KeepConnection {
        /// The address it had.
        url: String,
        /// What it is from now on.
        named: Named,
    },
    /// Forgets a connection that was kept, by its address.
    ForgetConnection(String),
    /// Looks for services on this machine.
    Discover,
    /// Reads a panel's lists anew.
    Refresh(Panel),
    /// Looks at an application, by the id of its row.
    OpenApplication(String),
    /// Closes the page of the application.
    CloseApplication,
    /// Looks at an external application; None goes back to the list alone.
    OpenExternal(Option<ExternalKey>),
    /// Asks whether an external application is to be registered, and shows the call.
    Track {
        /// Its name.
        name: String,
        /// Its version, if known.
        version: String,
        /// The interface's word for it, if there is one.
        identifier: Option<String>,
    },
    /// Filters and sorts the applications.
    ArrangeApplications(Query<ApplicationColumn>),
    /// Filters and sorts the external applications.
    ArrangeExternal(Query<ExternalColumn>),
    /// Filters and sorts the assets.
    ArrangeAssets(Query<AssetColumn>),
    /// Has the service search; the search before is given up, and an empty text ends the search.
    Search(String),
    /// Looks at an asset.
    OpenAsset(AssetId),
    /// Tells which rows of the list of assets are selected now.
    SelectAssets(Selected),
    /// Shows what a link names.
    OpenLink(Link),
    /// Shows the Trash, or puts it away.
    ShowTrash(bool),
    /// Reads the Trash again.
    LoadTrash,
    /// Sorts the Trash.
    ArrangeTrash(Option<(TrashColumn, Direction)>),
    /// Restores deleted assets: id, and name for people.
    RestoreTrashed(NamedAssets),
    /// Deletes assets of the Trash permanently, after asking.
    PurgeTrashed(NamedAssets),
    /// Deletes all of the Trash permanently, after asking.
    EmptyTrash,
    /// Removes an asset from those opened lately.
    ForgetRecent(AssetId),
    /// Goes back to the list alone.
    CloseAsset,
    /// Reads an asset anew.
    RefreshAsset(AssetId),
    /// Reads an asset's content although it is large.
    LoadContent(AssetId),
    /// Opens a file that was saved in the program that the system has for it.
    OpenFile(PathBuf),
    /// Shows a file that was saved in its folder.
    ShowInFolder(PathBuf),
    /// Writes what was confirmed in a dialog that says what it changes.
    ChangeConfirmed(Change),
    /// Loads more of a text of which the beginning is shown.
    LoadMore(AssetId),
    /// Whether long lines of a text go on below, or are scrolled sideways.
    WrapText(bool),
    /// Reads an asset's formats.
    LoadFormats(AssetId),
    /// Reads an asset's activities.
    LoadActivities(AssetId),
    /// Reads an asset's conversations.
    LoadConversations(AssetId),
    /// Reads what assets can be linked to.
    LoadLinkable(LinkKind),
    /// Chooses whether content is fetched with an asset.
    Transferables(bool),
    /// Chooses which writes leave for the service that is talked to.
    SetWritePolicy(WritePolicy),
    /// Says yes or no to what is asked.
    Answer(bool),
    /// Forgets that the service does not offer an operation, so that it can be tried again.
    ForgetLack(&'static str),
    /// Writes: at once where it is small and can be taken back, else after its plan was looked at.
    Change(Change),
    /// Sends the plan that is looked at.
    ApplyPlan,
    /// Puts the plan that is looked at away.
    DismissPlan,
    /// Says whose version shall stand at a place of the conflict.
    Decide(usize, Choice),
    /// Plans the conflict's change anew, on what the service holds now, as decided.
    MergeConflict,
    /// Puts the conflict away; nothing is sent.
    DismissConflict,
    /// Undoes the last step, or says why it cannot be undone.
    Undo,
    /// Redoes the step that was undone last.
    Redo,
    /// Undoes a step.
    UndoStep(EntryId),
    /// Leaves a step as it is, and undoes the one before it.
    UndoBefore(EntryId),
    /// Reads what a write of unknown outcome was meant for, to learn whether it was done.
    Settle(EntryId),
    /// Looks at a step.
    SelectStep(Option<EntryId>),
    /// Keeps what was typed and not applied; None forgets it.
    KeepDraft(DraftKey, Option<Draft>),
    /// Plans again what undoes or redoes a batch.
    PlanAnswer(Arc<BatchAnswer>),
    /// Plans one wish for many assets: id, and name for people.
    PlanBulk(BulkOperation, NamedAssets),
    /// Chooses how many are in flight at once, of the run that is looked at before it starts.
    DraftInFlight(usize),
    /// Starts the run that is looked at.
    StartBulk,
    /// Puts the run that is looked at away.
    DismissBulk,
    /// Reads a run's ledger, to look at it.
    OpenRun(RunId),
    /// Halts a run; what is under way ends.
    PauseRun(RunId),
    /// Goes on with a run that was halted or cut off.
    ResumeRun(RunId),
    /// Ends a run; what is under way ends, the rest is not begun.
    CancelRun(RunId),
    /// Does the failed rows of a run again, and reads the unknown ones.
    RetryRun(RunId),
    /// Chooses how many of a run are in flight at once.
    RunInFlight(RunId, usize),
    /// Saves a run's report, where the user says.
    SaveReport(RunId, ReportKind),
    /// Saves the run that is looked at as a plan for `lunette bulk`, where the user says.
    SaveBulkPlan,
    /// Lets the user pick where many exports go: a folder (false) or a zip archive (true), then plans the run.
    PickExportPlace(ExportType, bool, NamedAssets),
    /// Forgets why a write to an asset failed.
    DismissRefusal(AssetId),
    /// Makes an asset from text.
    Create {
        /// Its name.
        name: String,
        /// Its text.
        text: String,
    },
    /// Sends any operation.
    Send(Box<Call>),
    /// Imports files and folders.
    Import(Vec<PathBuf>),
    /// Lets the user pick files to import.
    PickFiles,
    /// Lets the user pick a folder to import.
    PickFolder,
    /// Opens the form for a path to import.
    AskForPath,
    /// Imports the samples.
    ImportSamples,
    /// Exports an asset, to look at.
    Export(AssetId, ExportType),
    /// Lets the document of an export go: it is looked at no more.
    DropExport(AssetId),
    /// Saves the export that is looked at, where the user says.
    SaveExport(AssetId),
    /// Offers the export that is looked at to the program it is dragged onto.
    DragExport(AssetId),
    /// Saves the export that is looked at under a path that was typed, where nothing is yet.
    SaveExportAs(AssetId, PathBuf),
    /// Saves the content that is looked at, where the user says.
    SaveContent(AssetId),
    /// Ends work under way.
    Cancel(TaskId),
    /// Puts a notice away.
    Dismiss(u64),
    /// Puts the report of the last import away.
    DismissImport,
    /// Says something to the user, after a copy for example.
    Say(String),
    /// Looks which backups of the service inside there are.
    LookForBackups,
    /// Makes one.
    BackUp,
    /// Asks whether this one is to be restored.
    AskRestore(Box<Backup>),
    /// Asks whether data that cannot be opened is to be moved aside.
    AskBeginEmpty,
    /// Lets pages of this exact origin use the service inside.
    AllowOrigin(String),
    /// Lets them use it no more.
    DisallowOrigin(String),
    /// Tells no more of the page that was refused.
    PutRefusedAway,
    /// Empties the log.
    ClearLog,
    /// Saves a picture of the window, where the user says.
    SavePicture(Arc<Picture>),
    /// Notes that a command was used, by its name.
    Used(&'static str),
    /// Chooses the theme.
    Theme(Theme),
    /// Chooses how the window looks and answers.
    Look(Look),
    /// Draws everything this much larger.
    Zoom(f32),
    /// Keeps how a list is laid out, under its name.
    Layout(String, Box<ListView>),
    /// Keeps the filter of a list as it is typed.
    KeepFilter(List, String),
    /// Keeps these filters of a list by their names, and no others.
    KeepFilters(List, Vec<Saved>),
    /// Keeps which tab of an asset's page is in front.
    KeepTab(usize),
    /// Keeps how large the window is.
    KeepWindow(WindowSize),
    /// Forgets how the window was laid out, for every connection.
    ResetLayout,
}
