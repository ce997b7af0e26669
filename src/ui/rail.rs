//! The rail on the left: the panels with what each holds, and the assets looked at lately.

use egui::{Frame, Margin, Ui, UiBuilder, accesskit::Role};

use crate::app::state::Panel;
use crate::app::{Action, State};
use crate::operation::{Group, OPERATIONS};

use super::command::Command;
use super::theme::{self, Icon, SPACE_M, UiExt as _};
use super::widget::{nav_item, nav_link};

/// Draws the rail.
pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let tokens = ui.tokens();
    let frame = Frame::new().fill(tokens.panel).inner_margin(Margin::symmetric(8, 10));
    let panel = egui::Panel::left("rail").exact_size(theme::RAIL).resizable(false).frame(frame);
    panel.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        let builder = UiBuilder::new().accessibility_role(Role::TabList).accessibility_label("Panels");
        ui.scope_builder(builder, |ui| {
            for panel in Panel::ALL {
                let item = nav_item(ui, Some(icon(panel)), panel.name(), count(state, panel), state.panel == panel);
                if Command::of_panel(panel).on(item, state).clicked() {
                    actions.push(Action::Show(panel));
                }
            }
        });
        recent_ui(ui, state, actions);
    });
}

fn recent_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let recent = state.recent();
    if recent.is_empty() {
        return;
    }
    ui.add_space(SPACE_M);
    ui.horizontal(|ui| {
        ui.add_space(10.0);
        ui.section_title("Recent");
    });
    egui::ScrollArea::vertical().id_salt("recent").show(ui, |ui| {
        for asset in recent {
            let Ok(id) = asset.id.parse() else { continue };
            let name = if asset.name.is_empty() { asset.id.as_str() } else { asset.name.as_str() };
            let shown = state.panel == Panel::Assets && state.asset.as_ref() == Some(&id);
            let item = ui.push_id(&asset.id, |ui| nav_link(ui, name, shown)).inner;
            if item.on_hover_text(super::widget::shown_short(name, 500)).clicked() {
                actions.push(Action::OpenAsset(id));
            }
        }
    });
}

/// The sign of a panel.
pub(super) fn icon(panel: Panel) -> Icon {
    match panel {
        Panel::Applications => Icon::APPLICATIONS,
        Panel::External => Icon::EXTERNAL,
        Panel::Assets => Icon::ASSETS,
        Panel::Operations => Icon::OPERATIONS,
        Panel::Log => Icon::LOG,
        Panel::History => Icon::HISTORY,
    }
}

/// How many things a panel holds; None while that is not known.
fn count(state: &State, panel: Panel) -> Option<usize> {
    match panel {
        Panel::Applications => state.applications.rows.value().map(|rows| rows.len()),
        Panel::External => state.external.rows.value().map(|rows| rows.len()),
        Panel::Assets => state.assets.rows.value().map(|rows| rows.len()),
        Panel::Operations => Some(interface_operations()),
        Panel::Log => Some(state.log.len()),
        Panel::History => Some(state.history.entries.len()),
    }
}

/// How many operations the interface has, the companions of our own not counted.
fn interface_operations() -> usize {
    OPERATIONS.iter().filter(|info| info.group != Group::Companion).count()
}
