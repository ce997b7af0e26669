//! The context menu of a row of a preview.

use egui::Ui;

use super::{mark_obstacle, open_asset};
use crate::ui::list::copy_as;
use crate::ui::theme::Icon;
use crate::ui::widgets::context_menu::{Entry, entry, separator};
use lunette_inspector::Action;
use lunette_inspector::import::preview::content::{PreviewRow, PreviewStatus};
use lunette_inspector::listing::Columns as _;

/// How a row is shown.
#[derive(Clone, Copy)]
pub(super) struct RowState {
    /// Whether it is marked.
    pub marked: bool,
    /// Whether the import is running.
    pub sending: bool,
    /// Whether only rows of one kind are shown.
    pub filtered: bool,
}

/// A choice in the menu.
#[derive(Clone, Copy)]
pub(super) enum MenuChoice {
    /// Mark or unmark the row.
    Toggle,
    /// Show only rows of this kind.
    ShowOnly(PreviewStatus),
    /// Show all rows.
    ShowAll,
}

/// Draws the menu of a row; returns what was chosen.
pub(super) fn ui(ui: &mut Ui, row: &PreviewRow, state: RowState, actions: &mut Vec<Action>) -> Option<MenuChoice> {
    let RowState { marked, sending, filtered } = state;
    let title = if marked { "Unmark" } else { "Mark" };
    let toggle = Entry::new(Icon::CHECK, title).disabled_reason(mark_obstacle(row, sending)).show(ui);
    let mut chosen = toggle.then_some(MenuChoice::Toggle);
    if let Some(asset) = &row.asset
        && Entry::new(Icon::SHOWN, "Open the asset").tip("Closes the preview").show(ui)
    {
        open_asset(asset, actions);
    }
    separator(ui);
    if filtered {
        chosen = entry(ui, Icon::FILTER, "Show all").then_some(MenuChoice::ShowAll).or(chosen);
    } else {
        let title = format!("Show only “{}”", row.status.word());
        chosen = entry(ui, Icon::FILTER, &title).then_some(MenuChoice::ShowOnly(row.status)).or(chosen);
    }
    separator(ui);
    let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    copy_as::entry_ui(ui, "name", text(&row.name).as_ref(), actions);
    copy_as::entry_ui(ui, "path", text(&row.path).as_ref(), actions);
    copy_as::entry_ui(ui, "UUID", row.asset.as_ref().map(ToString::to_string).as_ref(), actions);
    copy_as::json_entry_ui(ui, "row", || row.record(), actions);
    chosen
}
