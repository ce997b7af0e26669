//! The tab of related assets: what is related to the open asset, and why.
//!
//! What must hold: a row opens, drags, takes drops and has a menu as it does in the list of assets.

use std::sync::Arc;

use egui::{Sense, Ui};

use super::cells::kind_ui;
use super::frame::AssetFrame;
use super::row_menu;
use crate::ui::command::Command;
use crate::ui::dragging::{self, Dragged};
use crate::ui::list::copy_as;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::{entry, separator};
use crate::ui::widgets::placeholder::empty;
use crate::ui::widgets::row_list::{RowList, RowListState};
use crate::ui::widgets::{grouped, shown_short};
use lunette_inspector::action::AssetsAction;
use lunette_inspector::assets::related::{Related, RelatedAsset};
use lunette_inspector::bulk::NamedAssets;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::{Action, State};

/// Maximum number of characters of a name, of a folder, and of what is shared.
const MAX_NAME: usize = 120;
const MAX_WHY: usize = 300;

/// What the tab shows besides its rows.
#[derive(Default)]
pub(super) struct RelatedTab {
    rows: RowListState,
    /// The command chosen in the menu of a row, and its row.
    command: Option<(Command, Arc<AssetRow>)>,
}

impl RelatedTab {
    /// The command chosen in the menu of a row, and the row.
    pub(super) fn take_command(&mut self) -> Option<(Command, Arc<AssetRow>)> {
        self.command.take()
    }

    /// Draws the related assets in the available space.
    pub(super) fn ui(&mut self, ui: &mut Ui, related: &Related, frame: &mut AssetFrame<'_>) {
        if related.assets.is_empty() {
            let advice = if related.by_window {
                BY_WINDOW
            } else {
                "It shares no rare words, links, folder or name with another."
            };
            empty(ui, Icon::EMPTY, "Nothing is related to it", advice, &[]);
            return;
        }
        for told in told(related) {
            ui.caption(&told);
            ui.add_space(SPACE_S);
        }
        let name = |row: usize| related.assets.get(row).map(row_name).unwrap_or_default().into();
        let rect = ui.available_rect_before_wrap();
        let list = RowList { name: "Related assets", rect, rows: related.assets.len(), row_name: &name, drags: true };
        let actions = &mut *frame.actions;
        let drawn = list.show(ui, &mut self.rows, |ui, row| {
            let Some(asset) = related.assets.get(row) else { return };
            row_ui(ui, asset);
            let over = ui.interact(ui.max_rect(), ui.scope_id().with("drop"), Sense::hover());
            let named = || format!("“{}”", shown_short(asset.title(), 40));
            actions.extend(dragging::drop_on_assets(ui, &over, named, || named_asset(asset)));
        });
        let dragged = drawn.dragged.and_then(|row| related.assets.get(row));
        dragging::begin(&drawn.response, || dragged.map(|asset| Dragged::Assets(named_asset(asset))));
        let Some(asset) = related.assets.get(drawn.row) else { return };
        if drawn.clicked || drawn.opened {
            frame.push(AssetsAction::Open(asset.id.clone()));
        }
        let (state, actions) = (frame.state, &mut *frame.actions);
        let title = format!("Menu of {}", shown_short(asset.title(), 80));
        if let Some(chosen) = drawn.menu(&title, |ui| menu_ui(ui, asset, state, actions)).flatten() {
            self.command = Some(chosen);
        }
    }
}

/// What the window says where the service does not say what is related.
const BY_WINDOW: &str = "This service does not say what is related. The assets in the list are compared: their tags, \
                         websites, summaries, folders, the shape of their names and their languages.";

/// What is said above the rows.
fn told(related: &Related) -> impl Iterator<Item = String> {
    let unindexed = match related.unindexed {
        0 => None,
        1 => Some("The content of 1 new asset is not compared yet.".to_owned()),
        count => Some(format!("The contents of {} new assets are not compared yet.", grouped(count))),
    };
    related.by_window.then(|| BY_WINDOW.to_owned()).into_iter().chain(unindexed)
}

/// What a row is called: its name, its folder and what is shared.
fn row_name(asset: &RelatedAsset) -> String {
    let folder =
        if asset.folder.is_empty() { String::new() } else { format!(", {}", shown_short(&asset.folder, MAX_NAME)) };
    format!("{}{folder}, {}", shown_short(asset.title(), MAX_NAME), shown_short(&asset.why(), MAX_WHY))
}

fn row_ui(ui: &mut Ui, asset: &RelatedAsset) {
    // A text that can be selected would take the click.
    ui.style_mut().interaction.selectable_labels = false;
    ui.horizontal(|ui| {
        kind_ui(ui, &asset.specific);
        ui.strong(shown_short(asset.title(), MAX_NAME));
        if !asset.folder.is_empty() {
            ui.muted(&shown_short(&asset.folder, MAX_NAME));
        }
    });
    ui.caption(&shown_short(&asset.why(), MAX_WHY));
    ui.add_space(SPACE_S);
    ui.line();
    ui.add_space(SPACE_S);
}

fn named_asset(asset: &RelatedAsset) -> NamedAssets {
    Arc::new(vec![(asset.id.clone(), asset.title().to_owned())])
}

/// Draws the menu of an asset: as in the list, where the list has it.
fn menu_ui(
    ui: &mut Ui,
    asset: &RelatedAsset,
    state: &State,
    actions: &mut Vec<Action>,
) -> Option<(Command, Arc<AssetRow>)> {
    if let Some(row) = state.assets.list.rows.value().and_then(|rows| rows.find(&asset.id)) {
        return row_menu::one_ui(ui, row, state, actions).map(|command| (command, Arc::clone(row)));
    }
    if entry(ui, Icon::SHOWN, "Open") {
        actions.push(AssetsAction::Open(asset.id.clone()).into());
    }
    separator(ui);
    copy_as::entry_ui(ui, "name", Some(&asset.name), actions);
    copy_as::entry_ui(ui, "id", Some(&asset.id.to_string()), actions);
    None
}
