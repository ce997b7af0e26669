//! The panels: one for each feature of the inspector. The sidebar chooses which of them is shown.

pub mod applications;
pub mod assets;
pub mod compare;
pub mod external;
pub mod graph;
pub mod history;
pub mod info;
pub mod links;
pub mod log;
pub mod operations;
pub mod path_field;
pub mod proposals;
pub mod rescue;
pub mod sides;
pub mod welcome;

use egui::{Context, Popup, Ui};

use lunette_inspector::action::{AssetsAction, NavigationAction};
use lunette_inspector::navigation::in_view::InView;
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

use crate::ui::palette::Chosen;
use applications::ApplicationsPanel;
use assets::{AssetList, AssetsPanel};
use compare::ComparePanel;
use external::ExternalPanel;
use graph::GraphPanel;
use history::HistoryPanel;
use links::LinksPanel;
use log::LogPanel;
use operations::OperationsPanel;
use proposals::ProposalsPanel;
use rescue::RescuePanel;
use sides::SidesPanel;

/// One struct per panel, each with the input of its fields.
#[derive(Default)]
pub(in crate::ui) struct Panels {
    pub applications: ApplicationsPanel,
    pub external: ExternalPanel,
    pub assets: AssetsPanel,
    pub links: LinksPanel,
    pub operations: OperationsPanel,
    pub log: LogPanel,
    pub history: HistoryPanel,
    pub graph: GraphPanel,
    pub compare: ComparePanel,
    pub proposals: ProposalsPanel,
    pub rescue: RescuePanel,
    pub sides: SidesPanel,
}

impl Panels {
    /// Returns the list in which assets are selected: the one that is shown, or that of the panel of assets.
    pub fn selected_assets(&mut self, state: &State) -> &mut AssetList {
        match state.navigation.panel {
            Panel::Links => self.links.assets_mut(),
            _ => self.assets.list_mut(),
        }
    }

    /// Returns the action that records what the list of the shown panel shows, if that changed. A dialog, menu or
    /// palette takes the focus, but what had it before is what its commands act on.
    pub fn seen(&self, ctx: &Context, state: &State) -> Option<Action> {
        let (panel, before) = (state.navigation.panel, &state.navigation.in_view);
        let mut now = match panel {
            Panel::Applications => self.applications.in_view(state).clone(),
            Panel::External => self.external.in_view().clone(),
            Panel::Assets => self.assets.in_view().clone(),
            Panel::Links => self.links.in_view().clone(),
            _ => InView::nothing(panel),
        };
        let covered = Popup::is_any_open(ctx) || ctx.memory(|memory| memory.top_modal_layer().is_some());
        if covered && before.panel == panel {
            now.focused.clone_from(&before.focused);
        }
        (now != *before).then(|| NavigationAction::See(now).into())
    }

    /// Draws the panel that is shown; returns what was chosen in it that concerns the window rather than the inspector.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Chosen> {
        let panel = state.navigation.panel;
        if !matches!(panel, Panel::Assets | Panel::Links) && !state.assets.thumbnails.shows(&[]) {
            actions.push(AssetsAction::ShowThumbnails(Vec::new()).into());
        }
        match panel {
            Panel::Applications => return self.applications.ui(ui, state, actions).map(Chosen::Filtered),
            Panel::External => self.external.ui(ui, state, actions),
            Panel::Assets => return self.assets.ui(ui, state, actions).map(Chosen::Command),
            Panel::Links => return self.links.ui(ui, state, actions),
            Panel::Operations => self.operations.ui(ui, state, actions),
            Panel::Log => self.log.ui(ui, state, actions),
            Panel::History => self.history.ui(ui, state, actions),
            Panel::Graph => self.graph.ui(ui, state, actions),
            Panel::Compare => self.compare.ui(ui, state, actions),
            Panel::Proposals => self.proposals.ui(ui, state, actions),
            Panel::Sides => self.sides.ui(ui, state, actions),
            Panel::Rescue => self.rescue.ui(ui, state, actions),
        }
        None
    }

    /// Closes the page of a panel if only the window knows of it; returns whether there was one.
    pub fn close_page(&mut self, panel: Panel) -> bool {
        match panel {
            Panel::Operations => self.operations.close_page(),
            Panel::Log => self.log.close_page(),
            _ => false,
        }
    }
}
