//! The assets of a tag, a website or a workstream summary: the same rows, with all that the list of assets can, on the
//! page of the item.
//!
//! What must hold: what is not known is said, and is not shown as none.

use egui::{Align, Layout, Ui};

use super::rows::{self, Painter, Shows};
use super::{AssetList, SelectedAssets};
use crate::ui::list::grouping::group_button;
use crate::ui::list::list_view::{ListFrame, ListView};
use crate::ui::list::states::ListTexts;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::grouped;
use crate::ui::widgets::placeholder::empty;
use crate::ui::widgets::table::{columns_button, tiles_button};
use lunette_inspector::action::{AssetsAction, LinksAction};
use lunette_inspector::filter::List;
use lunette_inspector::links::{Source, ToldBy};
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::navigation::in_view::InView;
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, Remote, State};

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    heading: "Assets",
    table: "Assets of the link",
    reload: || LinksAction::Reload.into(),
    refresh: None,
    select: Some("Select several assets to tag, reclassify, export or delete them together"),
    rows: "assets",
    noun: "assets",
    icon: Icon::EMPTY,
    empty_title: "No asset is linked to it",
    empty_hint: "Select assets in their list and tag them, or drag them here.",
};

impl AssetList {
    /// The list of the assets of the open item.
    pub(in crate::ui) fn linked() -> Self {
        let view = ListView::of(List::Linked, "Filter the assets of the link");
        Self { view, tools: Default::default(), rows: |state| &state.links.assets.list }
    }

    /// Draws the assets of the open item in the available space, and has them chosen.
    pub(in crate::ui) fn linked_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        keep_chosen(state, actions);
        let Self { view, tools, .. } = self;
        view.in_view = InView::nothing(Panel::Links);
        let columns = &rows::columns(ui, state);
        let frame = ListFrame { state, list: &state.links.assets.list, texts: &TEXTS, columns };
        head_ui(view, ui, &frame, actions);
        told_ui(ui, state);
        let painter = Painter::new(state, view.filter.text(), Shows::Linked);
        if let Some(row) = view.in_dialog_ui(ui, &frame, &painter, actions) {
            actions.push(AssetsAction::Open(row.id()).into());
        }
        let Painter { tool, command, thumbnails, .. } = painter;
        actions.extend(thumbnails.take().map(|in_sight| AssetsAction::ShowThumbnails(in_sight).into()));
        if let Some(tool) = tool.get() {
            tools.prompts.begin(tool, state, SelectedAssets { marks: &view.marks, list: frame.list }, actions);
        }
        tools.command = command.take().or(tools.command.take());
        self.selected_ui(ui, state, false, actions);
    }
}

/// Has the rows chosen from the list of assets, unless they were as it is now.
fn keep_chosen(state: &State, actions: &mut Vec<Action>) {
    let listed = &state.assets.list.rows;
    let complete = matches!(listed, Remote::Known(_) | Remote::Failed { .. });
    let source = Source { rows: listed.value().cloned().unwrap_or_default(), complete };
    if state.links.assets.due(&source) {
        actions.push(LinksAction::ListAssets(source).into());
    }
}

fn head_ui(view: &mut ListView<AssetRow>, ui: &mut Ui, frame: &ListFrame<'_, AssetRow>, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            columns_button(ui, frame.columns, &mut view.table);
            tiles_button(ui, &mut view.table);
            group_button(ui, frame.list, actions);
            let (shown, all) = (frame.list.order.len(), frame.list.count());
            if shown < all {
                ui.caption(&format!("{} of {}", grouped(shown as u64), grouped(all as u64)));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                view.filter.ui(ui, frame.state, f32::INFINITY, "", actions);
            });
        });
    });
    view.filter.fault_ui(ui, actions);
    ui.add_space(SPACE_S);
}

/// Says what the service leaves out.
fn told_ui(ui: &mut Ui, state: &State) {
    let assets = &state.links.assets;
    let text = match (assets.told_by, assets.unlisted) {
        (ToldBy::Item, 0) | (ToldBy::Nothing, _) => return,
        (ToldBy::Item, 1) => "1 of its assets is not in the list of assets: only its UUID is known.".to_owned(),
        (ToldBy::Item, count) => {
            format!(
                "{} of its assets are not in the list of assets: only their UUIDs are known.",
                grouped(count as u64)
            )
        }
        (ToldBy::Assets, _) if assets.list.count() == 0 => return,
        (ToldBy::Assets, _) => {
            "This service does not say which assets have it. These are the ones in the list that say so.".to_owned()
        }
    };
    ui.caption(&text);
    ui.add_space(SPACE_S);
}

/// Says that there are none, or that it is not known.
pub(super) fn empty_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let (title, advice) = match state.links.assets.told_by {
        ToldBy::Item => (TEXTS.empty_title, TEXTS.empty_hint),
        ToldBy::Assets => (
            "No asset in the list says that it has it",
            "This service does not say which assets have it. Open an asset that does, and it is listed here.",
        ),
        ToldBy::Nothing => (
            "The service does not say which assets have it",
            "Neither its record nor the list of assets says it. Open an asset that has it, and it is listed here.",
        ),
    };
    actions.extend(empty(ui, TEXTS.icon, title, advice, &["Read again"]).map(|_| (TEXTS.reload)()));
}
