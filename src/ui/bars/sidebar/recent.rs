//! The assets that were opened recently.

use std::sync::Arc;

use egui::{Color32, Response, Ui};

use lunette_client::model::id::AssetId;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::panel::Panel;
use lunette_inspector::settings::Recent;
use lunette_inspector::{Action, State};

use crate::ui::dragging::{self, Dragged};
use crate::ui::drawing::kind_icon;
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::context_menu::{context_menu, entry};
use crate::ui::widgets::{nav_icon_link, shown_short};

/// Draws a recent asset with its menu; `None` if its id is not one.
pub(super) fn ui(ui: &mut Ui, asset: &Recent, state: &State, actions: &mut Vec<Action>) -> Option<Response> {
    let id = asset.id.parse::<AssetId>().ok()?;
    let name = if asset.name.is_empty() { asset.id.as_str() } else { asset.name.as_str() };
    let in_view = state.navigation.panel == Panel::Assets && !state.navigation.welcome;
    let shown = in_view && state.assets.pages.open.as_ref() == Some(&id);
    let row = state.assets.row(&id);
    let folder = row.and_then(AssetRow::folder).map(|folder| &**folder);
    let lead = icon(ui, asset, row.map_or("", AssetRow::specific));
    let item = nav_icon_link(ui, lead, name, folder, shown);
    if asset.pinned {
        ui.ctx().accesskit_node_builder(item.id, |node| node.set_description("Pinned"));
    }
    dragging::begin(&item, || Some(Dragged::Assets(Arc::new(vec![(id.clone(), name.to_owned())]))));
    context_menu(&item, &format!("Menu of {}", shown_short(name, 80)), |ui| menu_ui(ui, asset, &id, actions));
    let path = folder.map_or_else(|| name.to_owned(), |folder| format!("{folder}/{name}"));
    let item = item.on_hover_text(shown_short(&path, 500));
    if item.clicked() {
        actions.push(AssetsAction::Open(id).into());
    }
    Some(item)
}

/// Returns the icon of a recent asset with its colour: a pin, or that of its kind.
fn icon(ui: &Ui, asset: &Recent, specific: &str) -> (Icon, Color32) {
    match asset.pinned {
        true => (Icon::PINNED, ui.tokens().accent),
        false => (kind_icon::of_language(specific), kind_icon::color(specific, ui.tokens().dark)),
    }
}

fn menu_ui(ui: &mut Ui, asset: &Recent, id: &AssetId, actions: &mut Vec<Action>) {
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
