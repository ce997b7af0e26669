//! The bar below a list for several selected rows: their number, what is done with them, their copies.

use egui::{Align, Frame, Id, Label, Layout, Panel, RichText, Ui};

use lunette_inspector::Action;
use lunette_inspector::action::SettingsAction;
use lunette_inspector::listing::{Listing, Row};

use super::copy_as::{self, CopyAs};
use super::keyed_selection::KeyedSelection;
use super::list_view::{ListFrame, RowPainter};
use crate::ui::focus::{Region, region};
use crate::ui::platform::with_key_names;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _, control};
use crate::ui::widgets::grouped;
use crate::ui::widgets::table::TableState;

/// The least height of a list that leaves room for the advice, in points.
const HEIGHT_FOR_ADVICE: f32 = 240.0;

/// The selected rows while their bar is drawn.
pub(in crate::ui) struct SelectionBar<'a, R: Row> {
    /// The list.
    pub list: &'a Listing<R>,
    /// The selected rows.
    pub marks: &'a KeyedSelection<R>,
    table: &'a mut TableState,
    copied: Option<CopyAs>,
}

impl<R: Row> SelectionBar<'_, R> {
    /// Draws the menu of the formats in which the rows are copied, and `more`.
    pub fn copy_ui(&mut self, ui: &mut Ui, more: impl FnOnce(&mut Ui)) {
        ui.icon_menu_button(Icon::COPY, "Copy", |ui| {
            self.copied = copy_as::entries_ui(ui).or(self.copied);
            more(ui);
        });
    }

    /// Returns the selected rows: the visible ones in the order of the list, then the others.
    pub fn rows(&self) -> Vec<&R> {
        self.marks.rows(self.list)
    }

    /// Selects everything that the filter shows.
    pub fn select_all(&mut self) {
        self.table.select_all();
    }
}

/// Draws the bar while several rows are selected; before that was ever done, the advice how to do it.
pub(super) fn selection_bar_ui<R: Row>(
    ui: &mut Ui,
    frame: &ListFrame<'_, R>,
    advice: &str,
    marks: &KeyedSelection<R>,
    table: &mut TableState,
    painter: &impl RowPainter<R>,
    actions: &mut Vec<Action>,
) {
    let known = frame.state.preferences.settings.selected_several;
    if marks.count() < 2 {
        if !known && frame.list.count() > 1 && ui.available_height() >= HEIGHT_FOR_ADVICE {
            bar_ui(ui, frame.list.list.key(), |ui| hint_ui(ui, advice, actions));
        }
        return;
    }
    if !known {
        actions.push(SettingsAction::SelectedSeveral.into());
    }
    let mut bar = SelectionBar { list: frame.list, marks, table, copied: None };
    bar_ui(ui, frame.list.list.key(), |ui| {
        let mut message = format!("{} selected", grouped(marks.count() as u64));
        if marks.hidden() > 0 {
            message += &format!(", {} not visible", grouped(marks.hidden() as u64));
        }
        ui.strong(message);
        painter.selected_ui(ui, &mut bar, actions);
        if ui.ghost_button("Clear selection").on_hover_text("Escape").clicked() {
            bar.table.clear_selection();
        }
    });
    if let Some(kind) = bar.copied {
        copy_as::copy(ui, kind, &bar.rows(), frame.texts.rows, actions);
    }
}

/// Draws how to select several rows, and the button that removes the advice for good.
fn hint_ui(ui: &mut Ui, advice: &str, actions: &mut Vec<Action>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if ui.ghost_button("Got it").on_hover_text("Do not show this again").clicked() {
            actions.push(SettingsAction::SelectedSeveral.into());
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(RichText::new(advice).small().color(ui.tokens().muted)).truncate())
                .on_hover_text(with_key_names("Ctrl+click selects one more, Shift+click all rows between, Ctrl+A all"));
        });
    });
}

/// Draws a bar below a list; `name` must be unique in the window. It is drawn before the list, and Tab reaches it after
/// the list.
fn bar_ui(ui: &mut Ui, name: &str, draw: impl FnOnce(&mut Ui)) {
    let panel = Panel::bottom(Id::unique(("selected", name))).resizable(false).frame(Frame::new());
    panel.exact_size(control(ui) + SPACE_S * 2.0).show_separator_line(false).show(ui, |ui| {
        region(ui, Region::BelowList, |ui| {
            ui.horizontal_centered(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                draw(ui);
            });
        });
    });
}
