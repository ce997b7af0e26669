//! The actions of the user. Panels push them; [`crate::app::App::perform`] performs them.
//!
//! Each feature has its own enum; `into()` converts its actions to an [`Action`].

use crate::app::navigation::Panel;
use crate::app::tasks::TaskId;
use crate::app::{
    applications, assets, bulk, drafts, embedded, export, graph, history, import, inventory, links, navigation,
    overview, session, settings, trash, write,
};

pub use crate::app::applications::Action as ApplicationsAction;
pub use crate::app::assets::Action as AssetsAction;
pub use crate::app::bulk::Action as BulkAction;
pub use crate::app::drafts::Action as DraftsAction;
pub use crate::app::embedded::Action as EmbeddedAction;
pub use crate::app::export::Action as ExportAction;
pub use crate::app::graph::Action as GraphAction;
pub use crate::app::history::Action as HistoryAction;
pub use crate::app::import::Action as ImportAction;
pub use crate::app::import::preview::Action as PreviewAction;
pub use crate::app::inventory::Action as InventoryAction;
pub use crate::app::links::Action as LinksAction;
pub use crate::app::navigation::Action as NavigationAction;
pub use crate::app::overview::Action as OverviewAction;
pub use crate::app::session::Action as SessionAction;
pub use crate::app::settings::Action as SettingsAction;
pub use crate::app::trash::Action as TrashAction;
pub use crate::app::write::Action as WriteAction;

/// An action of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Runs the conformance check; `true` sends no write.
    Check(bool),
    /// Reloads a panel's lists.
    Refresh(Panel),
    /// Confirms or rejects the open question.
    Confirm(bool),
    /// Cancels work.
    Cancel(TaskId),
    /// Dismisses a notification.
    Dismiss(u64),
    /// Shows a message, such as after a copy.
    Notify(String),
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
    /// The overview of assets.
    Overview(overview::Action),
    /// The Trash.
    Trash(trash::Action),
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
    /// Exports, and saved files.
    Export(export::Action),
    /// The embedded service: its backups and the web pages that may use it.
    Embedded(embedded::Action),
    /// Settings, and the layout of the window.
    Settings(settings::Action),
}
