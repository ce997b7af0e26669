//! Everything the window shows, a field for each feature. Only [`crate::App`] changes it; panels read it.

use crate::Remote;
use crate::applications::Applications;
use crate::assets::Assets;
use crate::assets::page::AssetPage;
use crate::assistants::window::AssistantsPage;
use crate::background::Work;
use crate::bulk::Bulk;
use crate::change::LinkKind;
use crate::check::window::Checked;
use crate::compare::Compare;
use crate::drafts::Drafts;
use crate::embedded::EmbeddedState;
use crate::export::Exports;
use crate::filter::List;
use crate::graph::LinkGraph;
use crate::history::History;
use crate::history::other_windows::OtherWindows;
use crate::import::Imports;
use crate::inventory::Inventory;
use crate::links::Links;
use crate::listing::AnyList;
use crate::navigation::Navigation;
use crate::navigation::history::NavigationHistory;
use crate::navigation::in_view::InView;
use crate::notifications::Notifications;
use crate::overview::Overview;
use crate::proposals::window::ProposalsPage;
use crate::rescue::window::Rescue;
use crate::scratch::ScratchCopy;
use crate::session::{Connection, Session};
use crate::settings::{Preferences, Recent, RecentSearch};
use crate::shell::open_requests::ExternalRequests;
use crate::sides::window::SidesPage;
use crate::sync::LiveUpdates;
use crate::trash::Trash;
use crate::versions::Versions;
use crate::watch::Watch;
use crate::write::Writes;
use lunette_client::model::id::AssetId;

mod known;
mod location;
mod view;

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
    /// The list of assets, its search, the opened ones, and the items that they can be linked to.
    pub assets: Assets,
    /// The overview of assets.
    pub overview: Overview,
    /// Tags, websites and workstream summaries.
    pub links: Links,
    /// The graph of links.
    pub graph: LinkGraph,
    /// The open comparisons.
    pub compare: Compare,
    /// Two sides of many assets that are compared.
    pub sides: SidesPage,
    /// Rescuing everything from a service, which belongs to no connection.
    pub rescue: Rescue,
    /// The copy to try things on, which belongs to no connection.
    pub scratch: ScratchCopy,
    /// What assistants proposed.
    pub proposals: ProposalsPage,
    /// The assistants that used this program.
    pub assistants: AssistantsPage,
    /// The deleted assets that can be restored.
    pub trash: Trash,
    /// The versions of the open asset.
    pub versions: Versions,
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
    pub(crate) shell: ExternalRequests,
    /// Live updates from the service.
    pub sync: LiveUpdates,
    /// Follows other windows of the same data folder.
    pub(crate) windows: OtherWindows,
}

impl State {
    /// Clears all displayed data of a connection. Input, the log, the messages, the settings and the open panel are
    /// kept.
    pub(crate) fn leave(&mut self) {
        // What a rescue received is of no connection.
        let of_connection = |list: &&mut dyn AnyList| list.list() != List::Rescue;
        self.lists_mut().into_iter().filter(of_connection).for_each(AnyList::leave);
        let probes = std::mem::take(&mut self.connection.probes);
        self.connection = Connection { probes, ..Connection::default() };
        // Steps keep their ids, so steps started in this window are recognised after reconnecting to their service.
        self.history.reload(Vec::new(), None);
        self.notifications.leave();
        self.navigation.visits = NavigationHistory::default();
        self.navigation.in_view = InView::default();
        self.applications = Applications::default();
        self.inventory.leave();
        self.assets.leave();
        self.overview = Overview::default();
        self.links.leave();
        self.graph.leave();
        self.compare.leave();
        self.sides.leave();
        self.proposals.leave();
        self.trash = Trash::default();
        self.versions = Versions::default();
        self.write = Writes::default();
        self.bulk = Bulk::default();
        self.import = Imports::default();
        self.watch.leave();
        self.export = Exports::default();
        self.check = Checked::default();
    }

    /// The page of the open asset.
    pub fn page(&self) -> Option<(&AssetId, &AssetPage)> {
        let pages = &self.assets.pages;
        let id = pages.open.as_ref()?;
        Some((id, pages.of.get(id)?))
    }

    /// Whether the items that assets can be linked to must be loaded before the user picks one: not if they are being
    /// loaded, or if a stream keeps them current.
    pub fn needs_items(&self, kind: LinkKind) -> bool {
        match self.assets.linkable.get(&kind) {
            Some(Remote::Loading { .. }) => false,
            Some(Remote::Known(_)) => !self.sync.follows_items(kind),
            Some(Remote::NotRequested | Remote::Failed { .. }) | None => true,
        }
    }

    /// Assets that were opened recently with this service, newest first.
    pub fn recent(&self) -> &[Recent] {
        self.preferences.settings.recent.get(&self.connection.key()).map_or(&[], Vec::as_slice)
    }
    /// The recent searches of the list of assets with this service, newest first.
    pub fn searches(&self) -> &[RecentSearch] {
        self.preferences.settings.searches.get(&self.connection.key()).map_or(&[], Vec::as_slice)
    }
}
