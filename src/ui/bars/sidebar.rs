//! The sidebar on the left: the panels with their counts, recently opened assets, saved filters, and the tags and
//! languages that most assets have.
//!
//! What must hold: in a narrow window it shows icons only, so that the panel keeps its width; its contents scroll.

use egui::{Color32, Context, Frame, Margin, ScrollArea, Ui, UiBuilder, accesskit::Role};

use lunette_client::model::id::AssetId;
use lunette_inspector::action::{AssetsAction, NavigationAction};
use lunette_inspector::filter::{List, Saved, parse};
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::panel::Panel;
use lunette_inspector::settings::Recent;
use lunette_inspector::{Action, State};

use crate::ui::dragging;
use crate::ui::drawing::kind_icon;
use crate::ui::overview::{keep_counted, saved_filters};
use crate::ui::palette::Chosen;
use crate::ui::panels::info::{PanelInfo, info};
use crate::ui::theme::{self, Icon, SPACE_M, UiExt as _};
use crate::ui::widgets::context_menu::{context_menu, entry};
use crate::ui::widgets::{nav_counted_link, nav_icon_link, nav_item, shown_short};

mod groups;

/// Below this window width, in points, the sidebar shows icons only.
const NARROW: f32 = 700.0;
/// Width of the sidebar with icons only, in points.
const SIGNS: f32 = 52.0;
/// Maximum number of saved filters shown; all of them are in the menu beside the filter field.
const FILTERS: usize = 5;
/// Maximum number of recent assets shown, unless more are pinned.
const RECENT: usize = 6;
/// At least so many recent assets are shown that are not pinned.
const FEW_RECENT: usize = 2;

/// Returns the width of the sidebar, in points.
pub(in crate::ui) fn width(ctx: &Context) -> f32 {
    if ctx.content_rect().width() < NARROW { SIGNS } else { theme::SIDEBAR }
}

/// Draws the sidebar; returns what was chosen in it that concerns the window rather than the inspector.
pub(in crate::ui) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Chosen> {
    let tokens = ui.tokens();
    let frame = Frame::new().fill(tokens.panel).inner_margin(Margin::symmetric(8, 10));
    let width = width(ui.ctx());
    let panel = egui::Panel::left("sidebar").exact_size(width).resizable(false).frame(frame);
    let drawn = panel.show(ui, |ui| {
        let area = ScrollArea::vertical().id_salt("sidebar").auto_shrink([false, false]);
        area.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            panels_ui(ui, state, actions);
            if width == SIGNS {
                return None;
            }
            keep_counted(ui, state, actions);
            recent_ui(ui, state, actions);
            let saved = filters_ui(ui, state);
            groups::ui(ui, state, actions).or(saved)
        })
        .inner
    });
    drawn.inner
}

fn panels_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let builder = UiBuilder::new().accessibility_role(Role::TabList).accessibility_label("Panels");
    ui.scope_builder(builder, |ui| {
        for panel in Panel::ALL {
            let PanelInfo { command, count, .. } = info(panel);
            let selected = state.navigation.panel == panel;
            let item = nav_item(ui, Some(command.row().icon), panel.name(), count(state), selected);
            // What is dragged over a panel is carried into it.
            let carried = matches!(panel, Panel::Assets | Panel::Links)
                && state.navigation.panel != panel
                && dragging::is_over(&item);
            if command.on(item, state).clicked() || carried {
                actions.push(NavigationAction::Show(panel).into());
            }
        }
    });
}

fn section_ui(ui: &mut Ui, name: &str) {
    ui.add_space(SPACE_M);
    ui.horizontal(|ui| {
        ui.add_space(10.0);
        ui.section_title(name);
    });
}

fn recent_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let recent = state.recent();
    if recent.is_empty() {
        return;
    }
    section_ui(ui, "Recent");
    let pinned = recent.iter().filter(|asset| asset.pinned).count();
    for asset in recent.iter().take(RECENT.max(pinned + FEW_RECENT)) {
        let Ok(id) = asset.id.parse::<AssetId>() else { continue };
        let name = if asset.name.is_empty() { asset.id.as_str() } else { asset.name.as_str() };
        let in_view = state.navigation.panel == Panel::Assets && !state.navigation.welcome;
        let shown = in_view && state.assets.pages.open.as_ref() == Some(&id);
        let row = state.assets.row(&id);
        let folder = row.and_then(AssetRow::folder).map(|folder| &**folder);
        let lead = recent_icon(ui, asset, row.map_or("", AssetRow::specific));
        let item = ui.push_id(&asset.id, |ui| nav_icon_link(ui, lead, name, folder, shown)).inner;
        if asset.pinned {
            ui.ctx().accesskit_node_builder(item.id, |node| node.set_description("Pinned"));
        }
        context_menu(&item, &format!("Menu of {}", shown_short(name, 80)), |ui| {
            recent_menu_ui(ui, asset, &id, actions);
        });
        let path = folder.map_or_else(|| name.to_owned(), |folder| format!("{folder}/{name}"));
        if item.on_hover_text(shown_short(&path, 500)).clicked() {
            actions.push(AssetsAction::Open(id).into());
        }
    }
}

/// Returns the icon of a recent asset with its colour: a pin, or that of its kind.
fn recent_icon(ui: &Ui, asset: &Recent, specific: &str) -> (Icon, Color32) {
    match asset.pinned {
        true => (Icon::PINNED, ui.tokens().accent),
        false => (kind_icon::of_language(specific), kind_icon::color(specific, ui.tokens().dark)),
    }
}

fn recent_menu_ui(ui: &mut Ui, asset: &Recent, id: &AssetId, actions: &mut Vec<Action>) {
    let copy = |ui: &Ui, text: &str, what: &str, actions: &mut Vec<Action>| {
        ui.ctx().copy_text(text.to_owned());
        actions.push(Action::Notify(format!("Copied the {what}")));
    };
    if entry(ui, Icon::ASSETS, "Open") {
        actions.push(AssetsAction::Open(id.clone()).into());
    }
    if entry(ui, Icon::PINNED, if asset.pinned { "Unpin" } else { "Pin" }) {
        actions.push(AssetsAction::PinRecent(Recent { pinned: !asset.pinned, ..asset.clone() }).into());
    }
    if entry(ui, Icon::COPY, "Copy name") {
        copy(ui, &asset.name, "name", actions);
    }
    if entry(ui, Icon::COPY, "Copy UUID") {
        copy(ui, id.as_str(), "UUID", actions);
    }
    if entry(ui, Icon::CLOSE, "Remove from Recent") {
        actions.push(AssetsAction::ForgetRecent(id.clone()).into());
    }
}

/// Draws the saved filters of the list of assets, each with how many it shows.
fn filters_ui(ui: &mut Ui, state: &State) -> Option<Chosen> {
    let saved = saved_filters(state);
    if saved.is_empty() {
        return None;
    }
    let counts = state.overview.summary.as_ref().map(|summary| &summary.filters);
    section_ui(ui, "Saved filters");
    let mut chosen = None;
    for Saved { name, filter } in saved.iter().take(FILTERS) {
        let count = counts.and_then(|counts| counts.get(name)).copied();
        let item = ui.push_id(("filter", name), |ui| nav_counted_link(ui, name, count, false)).inner;
        if item.on_hover_text(shown_short(filter, 200)).clicked() {
            chosen = parse(filter, List::Assets).ok().map(Chosen::Filtered);
        }
    }
    chosen
}
