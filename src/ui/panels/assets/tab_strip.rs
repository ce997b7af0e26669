//! The tabs of opened assets, above the page of the open one.

use egui::Ui;

use crate::ui::theme::SPACE_XS;
use crate::ui::widgets::{TabEvent, TabText, tab_strip};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::assets::page::Place;
use lunette_inspector::settings::OpenedAssets;
use lunette_inspector::{Action, State};

/// Draws the tabs, if opened assets are kept in tabs.
pub fn ui(ui: &mut Ui, place: Place, state: &State, actions: &mut Vec<Action>) {
    let pages = &state.assets.pages;
    let tabs = pages.tabs_at(place);
    if state.preferences.settings.look.opened == OpenedAssets::OnePage || tabs.is_empty() {
        return;
    }
    let text = |id: &AssetId| TabText { name: distinct_name(id, state), open: pages.at(place) == Some(id) };
    let texts: Vec<TabText> = tabs.iter().map(text).collect();
    let action = match tab_strip(ui, "Opened assets", &texts).event {
        Some(TabEvent::Open(index)) => Some(AssetsAction::Open(tabs[index].clone())),
        Some(TabEvent::Close(index)) => Some(AssetsAction::CloseTab(tabs[index].clone())),
        None => None,
    };
    if let Some(action) = action {
        // The tabs of the other page are opened there.
        let activate = (place != pages.place).then_some(AssetsAction::Activate(place));
        actions.extend(activate.into_iter().chain([action]).map(Action::from));
    }
    ui.add_space(SPACE_XS);
}

/// Returns the name of an asset, with its folder if another tab has the same name.
pub(super) fn distinct_name(id: &AssetId, state: &State) -> String {
    let name = name_of(id, state);
    let pages = &state.assets.pages;
    let mut opened = Place::ALL.into_iter().flat_map(|place| pages.tabs_at(place).iter().chain(pages.at(place)));
    let same = opened.any(|other| other != id && name_of(other, state) == name);
    match state.assets.folder_of(id).filter(|_| same) {
        Some(folder) => format!("{name} · {}", folder.rsplit('/').next().unwrap_or(folder)),
        None => name,
    }
}

/// Returns the name of an asset as it is known, or its id.
pub(super) fn name_of(id: &AssetId, state: &State) -> String {
    let page = state.assets.pages.of.get(id).and_then(|page| page.record.value());
    let name = page.and_then(|asset| asset.view().name().map(str::to_owned));
    let listed = || Some(state.assets.list.rows.value()?.find(id)?.name().to_owned());
    name.or_else(listed).filter(|name| !name.trim().is_empty()).unwrap_or_else(|| id.to_string())
}
