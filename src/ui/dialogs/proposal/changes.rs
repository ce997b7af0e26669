//! The changes of a proposal, each with whether it is applied.

use std::cell::Cell;
use std::collections::BTreeSet;

use egui::{Align, Layout, Ui, vec2};

use lunette_inspector::proposals::window::ChangeRow;
use lunette_inspector::proposals::{Status, Undo};
use lunette_inspector::{Action, State};

use crate::ui::list::cells;
use crate::ui::list::list_view::{ListFrame, ListRow, ListView, RowPainter};
use crate::ui::list::states::ListTexts;
use crate::ui::theme::{self, Icon, UiExt as _, control};
use crate::ui::widgets::context_menu::Entry;
use crate::ui::widgets::shown_short;

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    heading: "Changes",
    table: "Changes",
    reload: || Action::Refresh(lunette_inspector::panel::Panel::Proposals),
    refresh: None,
    select: None,
    rows: "changes",
    noun: "changes",
    icon: Icon::EMPTY,
    empty_title: "No changes",
    empty_hint: "This proposal changes nothing.",
};

/// The list, and the change that is shown below it.
pub(super) struct ChangeList {
    list: ListView<ChangeRow>,
    shown: usize,
}

impl Default for ChangeList {
    fn default() -> Self {
        Self { list: ListView::new("Filter changes"), shown: 0 }
    }
}

impl ChangeList {
    /// The index of the change that is shown.
    pub fn shown(&self) -> usize {
        self.shown
    }

    /// Draws the list, at most `height` points high; returns its height. While the proposal is waiting, changes can
    /// be left out.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        (status, height): (&Status, f32),
        left_out: &mut BTreeSet<usize>,
        actions: &mut Vec<Action>,
    ) -> f32 {
        let (waits, can_be_undone) = (*status == Status::Waiting, status.can_be_undone());
        let top = ui.cursor().top();
        let list = &state.proposals.changes;
        let size = vec2(ui.available_width(), control(ui));
        ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            if waits {
                let shown = || (0..list.order.len()).filter_map(|line| list.shown(line)).map(|row| row.index);
                if ui.ghost_button("None").on_hover_text("Leave out all listed changes").clicked() {
                    left_out.extend(shown());
                }
                if ui.ghost_button("All").on_hover_text("Apply all listed changes").clicked() {
                    shown().for_each(|index| _ = left_out.remove(&index));
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                self.list.filter.ui(ui, state, f32::INFINITY, "", actions);
            });
        });
        self.list.filter.fault_ui(ui, actions);
        let columns = cells::columns::<ChangeRow>(ui.available_width());
        let frame = ListFrame { state, list, texts: &TEXTS, columns: &columns };
        let rows = ((height - ui.cursor().top() + top) / theme::row(ui) - 1.0).max(2.0) as usize;
        let painter = Painter { shown: self.shown, waits, can_be_undone, left_out, rows, toggled: Cell::new(None) };
        let opened = self.list.in_dialog_ui(ui, &frame, &painter, actions);
        let toggled = painter.toggled.get();
        if let Some(row) = opened {
            self.shown = row.index;
        }
        if let Some(index) = toggled
            && !left_out.remove(&index)
        {
            left_out.insert(index);
        }
        ui.cursor().top() - top
    }
}

struct Painter<'a> {
    shown: usize,
    waits: bool,
    /// Whether there is something to undo, or may be once the proposal is applied.
    can_be_undone: bool,
    left_out: &'a BTreeSet<usize>,
    rows: usize,
    /// The change that is to be left out, or to be applied again.
    toggled: Cell<Option<usize>>,
}

impl RowPainter<ChangeRow> for Painter<'_> {
    const SEVERAL: bool = false;

    fn name(&self, row: &ChangeRow) -> String {
        let state = match (self.waits, self.left_out.contains(&row.index)) {
            (true, true) => ", left out",
            (true, false) | (false, _) => "",
        };
        format!("{}. {}{state}", row.index + 1, shown_short(&row.change().title, 120))
    }

    fn cell_ui(&self, ui: &mut Ui, row: ListRow<'_, ChangeRow>, key: &str, _: &mut Vec<Action>) -> bool {
        match key {
            "number" if self.waits => {
                let number = row.index + 1;
                let mut applied = !self.left_out.contains(&row.row.index);
                let checkbox = theme::checkbox(ui, &mut applied, &number.to_string());
                if checkbox.accessible_name(format!("Apply change {number}")).changed() {
                    self.toggled.set(Some(row.row.index));
                }
            }
            "what" => _ = ui.label(shown_short(&row.change().title, 160)),
            "undo" if !self.can_be_undone => {}
            "undo" => match &row.change().undo {
                Undo::By(how) => _ = ui.muted("can be undone").on_hover_text(shown_short(how, 400)),
                Undo::Never(why) => {
                    let color = ui.tokens().warning;
                    ui.colored_label(color, "cannot be undone").on_hover_text(shown_short(why, 400));
                }
            },
            _ => return false,
        }
        true
    }

    fn menu_ui(&self, ui: &mut Ui, row: ListRow<'_, ChangeRow>, _: &mut Vec<Action>) {
        let (icon, title) = match self.left_out.contains(&row.row.index) {
            true => (Icon::CHECK, "Apply"),
            false => (Icon::CLOSE, "Leave out"),
        };
        let decided = (!self.waits).then_some("The proposal has been decided");
        if Entry::new(icon, title).disabled_reason(decided).show(ui) {
            self.toggled.set(Some(row.row.index));
        }
    }

    fn open(&self) -> Option<usize> {
        Some(self.shown)
    }

    fn most_rows(&self, _: &Ui) -> Option<usize> {
        Some(self.rows)
    }
}
