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
use crate::app::notifications::Notifications;
use crate::app::overview::Overview;
use crate::app::session::{Connection, Session};
use crate::app::settings::{Preferences, Recent};
use crate::app::shell::open_requests::ExternalRequests;
use crate::app::sync::LiveUpdates;
use crate::app::trash::Trash;
use crate::app::write::Writes;
use lunette_client::model::id::AssetId;

/// What the window shows.
#[derive(Default)]
pub struct State {
    /// The service that is used.
    pub connection: Connection,
    /// What the user chose about the program.
    pub preferences: Preferences,
    /// Notifications and confirmations.
    pub notifications: Notifications,
    /// Work under way.
    pub work: Vec<Work>,
    /// The assets that were opened.
    pub pages: Pages,
    /// The steps of this connection.
    pub history: History,
    /// The log, and reconnecting.
    pub session: Session,
    /// Where the window is, and where it was.
    pub navigation: Navigation,
    /// Tracked and external applications.
    pub applications: Applications,
    /// The applications of all lists as one, and what changed.
    pub inventory: Inventory,
    /// The list of assets, its search, and what they can be linked to.
    pub assets: Assets,
    /// The assets at a glance.
    pub overview: Overview,
    /// Tags, websites and workstream summaries.
    pub links: Links,
    /// The graph of what is linked.
    pub graph: LinkGraph,
    /// The deleted assets that can be restored.
    pub trash: Trash,
    /// The plan and the conflict that are open, and the console.
    pub write: Writes,
    /// Runs over many assets.
    pub bulk: Bulk,
    /// The last import, and the asset that is created from text.
    pub import: Imports,
    /// The file that was saved last.
    pub export: Exports,
    /// The conformance check of this connection.
    pub check: Checked,
    /// What was typed and not applied.
    pub drafts: Drafts,
    /// The embedded service, whichever one is used.
    pub embedded: EmbeddedState,
    /// What other programs ask of the window.
    pub(in crate::app) shell: ExternalRequests,
    /// What keeps up with the service.
    pub sync: LiveUpdates,
    /// What keeps up with other windows of the same data folder.
    pub(in crate::app) windows: OtherWindows,
}

impl State {
    /// Empties everything that is shown of a connection. What was typed, the log, the messages, the preferences and the
    /// panel in front stay.
    pub(in crate::app) fn leave(&mut self) {
        let probes = std::mem::take(&mut self.connection.probes);
        self.connection = Connection { probes, ..Connection::default() };
        // Steps keep their ids, so steps started in this window are recognised after reconnecting to their service.
        self.history.reload(Vec::new(), None);
        self.notifications.leave();
        self.navigation.visits = NavigationHistory::default();
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
        self.export = Exports::default();
        self.check = Checked::default();
    }

    /// The page of the asset that is open.
    pub fn page(&self) -> Option<(&AssetId, &AssetPage)> {
        let id = self.pages.open.as_ref()?;
        Some((id, self.pages.of.get(id)?))
    }

    /// Assets that were opened recently with this service, newest first.
    pub fn recent(&self) -> &[Recent] {
        self.preferences.settings.recent.get(&self.connection.key()).map_or(&[], Vec::as_slice)
    }
}
