//! The tabs of opened assets, above the page of the open one.

use egui::accesskit::Role;
use egui::{Key, ScrollArea, Ui, UiBuilder};

use crate::ui::theme::{Icon, SPACE_XS, UiExt as _};
use crate::ui::widgets::shown_short;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::settings::OpenedAssets;
use lunette_inspector::{Action, State};

/// Maximum number of characters shown of a name.
const MAX_NAME: usize = 24;

/// Draws the tabs, if opened assets are kept in tabs.
pub fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let tabs = &state.assets.pages.tabs;
    if state.preferences.settings.look.opened == OpenedAssets::OnePage || tabs.is_empty() {
        return;
    }
    let list = UiBuilder::new().accessibility_role(Role::TabList).accessibility_label("Opened assets");
    ui.scope_builder(list, |ui| {
        ScrollArea::horizontal().id_salt("opened assets").auto_shrink([false, true]).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = SPACE_XS;
                tabs.iter().for_each(|id| tab_ui(ui, id, state, actions));
            });
        });
    });
    ui.add_space(SPACE_XS);
}

/// Draws the tab of an asset. A click opens the asset; a click with the middle button or Delete closes the tab.
fn tab_ui(ui: &mut Ui, id: &AssetId, state: &State, actions: &mut Vec<Action>) {
    let open = state.assets.pages.open.as_ref() == Some(id);
    let name = distinct_name(id, state);
    let tab = ui.selectable_label(open, shown_short(&name, MAX_NAME));
    ui.ctx().accesskit_node_builder(tab.id, |node| {
        node.set_role(Role::Tab);
        node.set_selected(open);
    });
    let deleted = tab.has_focus() && ui.input(|input| input.key_pressed(Key::Delete));
    let closed = ui.icon_button(Icon::CLOSE, &format!("Close {}", shown_short(&name, MAX_NAME))).clicked();
    if closed || deleted || tab.middle_clicked() {
        actions.push(AssetsAction::CloseTab(id.clone()).into());
    } else if tab.clicked() && !open {
        actions.push(AssetsAction::Open(id.clone()).into());
    }
    if open && !tab.rect.intersects(ui.clip_rect()) {
        tab.scroll_to_me(None);
    }
    tab.on_hover_text(shown_short(&name, 2_000));
}

/// Returns the name of an asset, with its folder if another tab has the same name.
fn distinct_name(id: &AssetId, state: &State) -> String {
    let name = name_of(id, state);
    let same = state.assets.pages.tabs.iter().any(|other| other != id && name_of(other, state) == name);
    match state.assets.folder_of(id).filter(|_| same) {
        Some(folder) => format!("{name} · {}", folder.rsplit('/').next().unwrap_or(folder)),
        None => name,
    }
}

/// Returns the name of an asset as it is known, or its id.
fn name_of(id: &AssetId, state: &State) -> String {
    let page = state.assets.pages.of.get(id).and_then(|page| page.record.value());
    let name = page.and_then(|asset| asset.view().name().map(str::to_owned));
    let listed = || Some(state.assets.list.rows.value()?.find(id)?.name().to_owned());
    name.or_else(listed).filter(|name| !name.trim().is_empty()).unwrap_or_else(|| id.to_string())
}
