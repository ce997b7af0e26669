//! The actions of the user. Panels push them; [`crate::App::perform`] performs them.
//!
//! Each feature has its own enum; `into()` converts its actions to an [`Action`].

use crate::filter::List;
use crate::listing::Change;
use crate::panel::Panel;
use crate::tasks::TaskId;
use crate::{
    applications, assets, assistants, bulk, compare, drafts, embedded, export, graph, history, import, inventory,
    links, navigation, overview, proposals, rescue, scratch, session, settings, sides, trash, versions, watch, write,
};

pub use crate::applications::Action as ApplicationsAction;
pub use crate::assets::Action as AssetsAction;
pub use crate::assistants::window::Action as AssistantsAction;
pub use crate::bulk::Action as BulkAction;
pub use crate::compare::Action as CompareAction;
pub use crate::drafts::Action as DraftsAction;
pub use crate::embedded::Action as EmbeddedAction;
pub use crate::export::Action as ExportAction;
pub use crate::graph::Action as GraphAction;
pub use crate::history::Action as HistoryAction;
pub use crate::import::Action as ImportAction;
pub use crate::import::preview::Action as PreviewAction;
pub use crate::inventory::Action as InventoryAction;
pub use crate::links::Action as LinksAction;
pub use crate::navigation::Action as NavigationAction;
pub use crate::overview::Action as OverviewAction;
pub use crate::proposals::window::Action as ProposalsAction;
pub use crate::rescue::window::Action as RescueAction;
pub use crate::scratch::{Action as ScratchAction, Which as ScratchOf};
pub use crate::session::Action as SessionAction;
pub use crate::settings::Action as SettingsAction;
pub use crate::sides::window::Action as SidesAction;
pub use crate::trash::Action as TrashAction;
pub use crate::versions::Action as VersionsAction;
pub use crate::watch::Action as WatchAction;
pub use crate::write::Action as WriteAction;

/// An action of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Runs the conformance check; `true` sends no write.
    Check(bool),
    /// Reloads a panel's lists.
    Refresh(Panel),
    /// Changes which rows a list shows, and in which order.
    List(List, Change),
    /// Confirms the open question.
    Confirm,
    /// Rejects the open question.
    Decline,
    /// Cancels work.
    Cancel(TaskId),
    /// Dismisses a notification.
    Dismiss(u64),
    /// Shows a message, such as after a copy.
    Notify(String),
    /// Says why what was asked for was not done, until another page is shown, the selection changes, or something is
    /// written.
    Hint(String),
    /// Connecting, saved connections, and the write policy.
    Session(session::Action),
    /// Navigation.
    Navigation(navigation::Action),
    /// Tracked and external applications.
    Applications(applications::Action),
    /// The applications of all lists as one, and their changes.
    Inventory(inventory::Action),
    /// The list of assets, its search, and the pages of assets.
    Assets(assets::Action),
    /// Tags, websites and workstream summaries.
    Links(links::Action),
    /// The graph of links.
    Graph(graph::Action),
    /// Comparisons of two things.
    Compare(compare::Action),
    /// The overview of assets.
    Overview(overview::Action),
    /// Two sides of many assets that are compared.
    Sides(sides::window::Action),
    /// Rescuing everything from a service.
    Rescue(rescue::window::Action),
    /// Copies to try things on.
    Scratch(scratch::Action),
    /// What assistants proposed.
    Proposals(proposals::window::Action),
    /// The assistants, and what they may do.
    Assistants(assistants::window::Action),
    /// The Trash.
    Trash(trash::Action),
    /// Earlier versions of the open asset.
    Versions(versions::Action),
    /// Changes, their plans and conflicts, and the console.
    Write(write::Action),
    /// Unsaved input.
    Drafts(drafts::Action),
    /// Undo, redo, and the entries of the history.
    History(history::Action),
    /// Bulk operations.
    Bulk(bulk::Action),
    /// Importing files, folders, samples and text.
    Import(import::Action),
    /// Watched folders.
    Watch(watch::Action),
    /// Exports, and saved files.
    Export(export::Action),
    /// The embedded service: its backups and the web pages that may use it.
    Embedded(embedded::Action),
    /// Settings, and the layout of the window.
    Settings(settings::Action),
}
