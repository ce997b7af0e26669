//! What a user can ask of the window. Panels push these; [`crate::app::App::perform`] carries them out.
//!
//! Each feature has an enum of its own; a request of a feature turns into an [`Action`] by `into()`.

use crate::app::navigation::Panel;
use crate::app::tasks::TaskId;
use crate::app::{
    applications, assets, bulk, drafts, embedded, export, graph, history, import, inventory, links, navigation,
    overview, session, settings, trash, watch, write,
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
pub use crate::app::inventory::Action as InventoryAction;
pub use crate::app::links::Action as LinksAction;
pub use crate::app::navigation::Action as NavigationAction;
pub use crate::app::overview::Action as OverviewAction;
pub use crate::app::session::Action as SessionAction;
pub use crate::app::settings::Action as SettingsAction;
pub use crate::app::trash::Action as TrashAction;
pub use crate::app::watch::Action as WatchAction;
pub use crate::app::write::Action as WriteAction;

/// One request of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Asks the service all operations of the interface, and compares; `true` sends no write.
    Check(bool),
    /// Reads a panel's lists anew.
    Refresh(Panel),
    /// Confirms or rejects the open question.
    Confirm(bool),
    /// Ends work under way.
    Cancel(TaskId),
    /// Puts a notice away.
    Dismiss(u64),
    /// Says something to the user, after a copy for example.
    Notify(String),
    /// Connecting, saved connections, and the write policy.
    Session(session::Action),
    /// Going from one thing to another.
    Navigation(navigation::Action),
    /// Tracked and external applications.
    Applications(applications::Action),
    /// The applications of all lists as one, and what changed.
    Inventory(inventory::Action),
    /// The list of assets, its search, and the pages of assets.
    Assets(assets::Action),
    /// Tags, websites and workstream summaries.
    Links(links::Action),
    /// The graph of what is linked.
    Graph(graph::Action),
    /// The assets at a glance.
    Overview(overview::Action),
    /// The Trash.
    Trash(trash::Action),
    /// Changes, their plans and conflicts, drafts, and the console.
    Write(write::Action),
    /// What was typed and not applied.
    Drafts(drafts::Action),
    /// Undo, redo, and the entries of the history.
    History(history::Action),
    /// Operations on many assets.
    Bulk(bulk::Action),
    /// Importing files, folders, samples and text.
    Import(import::Action),
    /// Watched folders.
    Watch(watch::Action),
    /// Exports, and files that were saved.
    Export(export::Action),
    /// The built-in service: its backups and the web pages that may use it.
    Embedded(embedded::Action),
    /// Settings, and the layout of the window.
    Settings(settings::Action),
}
