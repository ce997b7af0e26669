//! Everything the window shows, a field for each feature. Only [`crate::app::App`] changes it; panels read it.

use crate::app::applications::Applications;
use crate::app::assets::Assets;
use crate::app::assets::page::{AssetPage, Pages};
use crate::app::background::Work;
use crate::app::bulk::Bulk;
use crate::app::check::window::Checked;
use crate::app::drafts::Drafts;
use crate::app::embedded::EmbeddedState;
use crate::app::export::Exports;
use crate::app::graph::LinkGraph;
use crate::app::history::History;
use crate::app::history::other_windows::OtherWindows;
use crate::app::import::Imports;
use crate::app::inventory::Inventory;
use crate::app::links::Links;
use crate::app::navigation::Navigation;
use crate::app::navigation::history::NavigationHistory;
use crate::app::navigation::in_view::InView;
use crate::app::notifications::Notifications;
use crate::app::overview::Overview;
use crate::app::session::{Connection, Session};
use crate::app::settings::{Preferences, Recent};
use crate::app::shell::open_requests::ExternalRequests;
use crate::app::sync::LiveUpdates;
use crate::app::trash::Trash;
use crate::app::watch::Watch;
use crate::app::write::Writes;
use lunette_client::model::id::AssetId;

/// The displayed state.
#[derive(Default)]
pub struct State {
    /// The connection.
    pub connection: Connection,
    /// The settings and the view.
    pub preferences: Preferences,
    /// Notifications and confirmations.
    pub notifications: Notifications,
    /// Displayed work.
    pub work: Vec<Work>,
    /// The opened assets.
    pub pages: Pages,
    /// The steps of this connection.
    pub history: History,
    /// The log, and reconnecting.
    pub session: Session,
    /// The open panel and the visited locations.
    pub navigation: Navigation,
    /// Tracked and external applications.
    pub applications: Applications,
    /// The applications of all lists as one, and their changes.
    pub inventory: Inventory,
    /// The list of assets, its search, and the items that they can be linked to.
    pub assets: Assets,
    /// The overview of assets.
    pub overview: Overview,
    /// Tags, websites and workstream summaries.
    pub links: Links,
    /// The graph of links.
    pub graph: LinkGraph,
    /// The deleted assets that can be restored.
    pub trash: Trash,
    /// The plan and the conflict that are open, and the console.
    pub write: Writes,
    /// Bulk operations.
    pub bulk: Bulk,
    /// The last import, and the asset that is created from text.
    pub import: Imports,
    /// Folders that are kept in step.
    pub watch: Watch,
    /// The last saved file.
    pub export: Exports,
    /// The conformance check of this connection.
    pub check: Checked,
    /// Unsaved input.
    pub drafts: Drafts,
    /// The embedded service, whichever one is used.
    pub embedded: EmbeddedState,
    /// Requests of other programs to the window.
    pub(in crate::app) shell: ExternalRequests,
    /// Live updates from the service.
    pub sync: LiveUpdates,
    /// Follows other windows of the same data folder.
    pub(in crate::app) windows: OtherWindows,
}

impl State {
    /// Clears all displayed data of a connection. Input, the log, the messages, the settings and the open panel are
    /// kept.
    pub(in crate::app) fn leave(&mut self) {
        let probes = std::mem::take(&mut self.connection.probes);
        self.connection = Connection { probes, ..Connection::default() };
        // Steps keep their ids, so steps started in this window are recognised after reconnecting to their service.
        self.history.reload(Vec::new(), None);
        self.notifications.leave();
        self.navigation.visits = NavigationHistory::default();
        self.navigation.in_view = InView::default();
        self.pages = Pages::default();
        self.applications = Applications::default();
        self.inventory.leave();
        self.assets.leave();
        self.overview = Overview::default();
        self.links.leave();
        self.graph.leave();
        self.trash = Trash::default();
        self.write = Writes::default();
        self.bulk = Bulk::default();
        self.import = Imports::default();
        self.watch.leave();
        self.export = Exports::default();
        self.check = Checked::default();
    }

    /// The page of the open asset.
    pub fn page(&self) -> Option<(&AssetId, &AssetPage)> {
        let id = self.pages.open.as_ref()?;
        Some((id, self.pages.of.get(id)?))
    }

    /// Assets that were opened recently with this service, newest first.
    pub fn recent(&self) -> &[Recent] {
        self.preferences.settings.recent.get(&self.connection.key()).map_or(&[], Vec::as_slice)
    }
}
