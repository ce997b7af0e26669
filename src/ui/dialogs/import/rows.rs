//! The rows of a preview, with the status of each item and whether it is marked.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use egui::{Key, Modifiers, Ui};

use super::menu::{self, MenuChoice};
use super::{mapping, mark_obstacle};
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::focus;
use crate::ui::list::cells;
use crate::ui::list::list_view::{ListFrame, ListRow, ListView, RowPainter};
use crate::ui::list::states::ListTexts;
use crate::ui::theme::{self, Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::table::{Column, checkbox};
use crate::ui::widgets::{counted, grouped, shown_short};
use lunette_inspector::action::PreviewAction;
use lunette_inspector::filter::{Field, Filter, Flag};
use lunette_inspector::import::preview::Preview;
use lunette_inspector::import::preview::content::{Content, PreviewRow, PreviewStatus};
use lunette_inspector::listing::Listing;
use lunette_inspector::{Action, State};

/// The height that the dialog needs besides the table, in points.
const RESERVED_HEIGHT: f32 = 600.0;

/// The column of the marks.
const MARK: Column = Column::text("mark", "Import", 64.0).unsorted();

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    heading: "Import preview",
    table: "Items to import",
    reload: || PreviewAction::ReadAgain.into(),
    refresh: None,
    select: None,
    rows: "items",
    noun: "items",
    icon: Icon::EMPTY,
    empty_title: "Nothing to import",
    empty_hint: "It contains nothing that can become an asset.",
};

/// The rows, and what is typed above them.
pub(super) struct Rows(ListView<PreviewRow>);

impl Default for Rows {
    fn default() -> Self {
        Self(ListView::new("Filter items"))
    }
}

/// Returns the filter for rows of a status.
fn of_status(status: PreviewStatus) -> Filter {
    Filter::of(Field::Outcome, status.word())
}

impl Rows {
    /// Draws the rows, their filters and the buttons that mark them.
    pub fn ui(&mut self, ui: &mut Ui, preview: &Preview, content: &Content, state: &State, actions: &mut Vec<Action>) {
        let mut columns = cells::columns::<PreviewRow>(f32::INFINITY);
        columns.insert(0, MARK);
        let frame = ListFrame { state, list: &state.import.previews.list, texts: &TEXTS, columns: &columns };
        self.chips_ui(ui, content, actions);
        self.0.filter.ui(ui, state, f32::INFINITY, "", actions);
        self.0.filter.fault_ui(ui, actions);
        marks_ui(ui, preview, content, frame.list, actions);
        let toggled = self.space_pressed(ui).and_then(|index| frame.list.order.get(index).copied());
        let painter = Painter {
            preview,
            filtered: !self.0.filter.text().is_empty(),
            toggled: Cell::new(toggled),
            filter: RefCell::default(),
        };
        self.0.in_dialog_ui(ui, &frame, &painter, actions);
        if let Some(filter) = painter.filter.take() {
            self.0.filter.set_filter(&filter, actions);
        }
        if let Some(row) = painter.toggled.get() {
            let on = !painter.is_marked(row);
            actions.push(PreviewAction::Mark { rows: Arc::new(vec![row]), marked: on }.into());
        }
    }

    /// Returns the focused row.
    pub fn focused(&self, content: &Content) -> Option<usize> {
        self.0.table.focused().map(|row| row as usize).filter(|row| *row < content.rows.len())
    }

    /// Draws the filters by kind, each with its count.
    fn chips_ui(&mut self, ui: &mut Ui, content: &Content, actions: &mut Vec<Action>) {
        let count = |is: fn(&PreviewRow) -> bool| content.rows.iter().filter(|row| is(row)).count();
        let by_status = PreviewStatus::ALL.map(|status| (of_status(status), status.word(), content.count(status)));
        let noticed = [
            (Filter::flag(Flag::Secret), "Looks like a secret", count(|row| !row.secrets.is_empty())),
            (Filter::flag(Flag::Warned), "Warnings", count(|row| !row.warnings.is_empty())),
        ];
        let all = [(Filter::default(), "All", content.rows.len())];
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            for (filter, word, count) in all.into_iter().chain(by_status).chain(noticed) {
                let chosen = *self.0.filter.filter() == filter;
                if count == 0 && !chosen && !filter.is_empty() {
                    continue;
                }
                if ui.selectable_label(chosen, counted(word, count)).clicked() {
                    self.0.filter.set_filter(&filter, actions);
                }
            }
        });
    }

    /// Returns the focused row if Space was pressed while the table has the focus.
    fn space_pressed(&self, ui: &Ui) -> Option<usize> {
        let table = ui.make_persistent_id(("table", TEXTS.table));
        let row = self.0.table.focus.filter(|_| focus::receives_keys(ui.ctx(), table))?;
        ui.input_mut(|input| {
            let pressed = input.consume_key(Modifiers::NONE, Key::Space);
            input.events.retain(|event| !(pressed && matches!(event, egui::Event::Text(text) if text == " ")));
            pressed
        })
        .then_some(row)
    }
}

/// Draws the number of marked rows, and the buttons that mark or unmark all shown rows.
fn marks_ui(ui: &mut Ui, preview: &Preview, content: &Content, list: &Listing<PreviewRow>, actions: &mut Vec<Action>) {
    let reason = preview.sending.is_some().then_some("The import is in progress");
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        let all = grouped(content.rows.len() as u64);
        ui.muted(&format!("{} of {all} marked", grouped(preview.marked as u64)));
        for (name, on) in [("Mark all shown", true), ("Unmark all shown", false)] {
            if enabled_unless(ui, reason, |ui| ui.line_button(name)).clicked() {
                actions.push(PreviewAction::Mark { rows: Arc::clone(&list.order), marked: on }.into());
            }
        }
        mapping::as_files_ui(ui, preview, content, actions);
    });
}

struct Painter<'a> {
    preview: &'a Preview,
    /// Whether only some rows are shown.
    filtered: bool,
    /// The number of the row to be marked or unmarked.
    toggled: Cell<Option<u32>>,
    /// The filter chosen in the menu of a row.
    filter: RefCell<Option<Filter>>,
}

impl Painter<'_> {
    fn is_marked(&self, number: u32) -> bool {
        self.preview.marks.get(number as usize).copied().unwrap_or_default()
    }
}

impl RowPainter<PreviewRow> for Painter<'_> {
    const OPENS: bool = false;
    // The checkboxes are marks.
    const SEVERAL: bool = false;

    fn name(&self, row: &PreviewRow) -> String {
        row_name(row)
    }

    fn cell_ui(&self, ui: &mut Ui, row: ListRow<'_, PreviewRow>, key: &str, _: &mut Vec<Action>) -> bool {
        match key {
            "mark" => {
                if mark_ui(ui, &row, self.is_marked(row.index), self.preview.sending.is_some()) {
                    self.toggled.set(Some(row.index));
                }
            }
            "fate" => {
                let t = ui.tokens();
                let ink = match row.status {
                    PreviewStatus::New => t.ok,
                    PreviewStatus::Doubtful | PreviewStatus::Changed => t.warning,
                    PreviewStatus::Same | PreviewStatus::LeftOut => t.muted,
                };
                ui.colored_label(ink, row.status.word());
            }
            "name" if row.name.is_empty() => _ = ui.muted("named by the service"),
            "name" => _ = ui.label(shown_short(&row.name, 120)),
            "reason" => reason_ui(ui, &row),
            _ => return false,
        }
        true
    }

    fn menu_ui(&self, ui: &mut Ui, row: ListRow<'_, PreviewRow>, actions: &mut Vec<Action>) {
        let (marked, sending) = (self.is_marked(row.index), self.preview.sending.is_some());
        match menu::ui(ui, &row, menu::RowState { marked, sending, filtered: self.filtered }, actions) {
            Some(MenuChoice::Toggle) => self.toggled.set(Some(row.index)),
            Some(MenuChoice::ShowAll) => _ = self.filter.replace(Some(Filter::default())),
            Some(MenuChoice::ShowOnly(status)) => _ = self.filter.replace(Some(of_status(status))),
            None => {}
        }
    }

    fn most_rows(&self, ui: &Ui) -> Option<usize> {
        let height = ui.ctx().content_rect().height() - RESERVED_HEIGHT;
        Some((height / theme::row(ui)).clamp(4.0, 24.0) as usize)
    }
}

fn row_name(row: &PreviewRow) -> String {
    shown_short(if row.name.is_empty() { &row.path } else { &row.name }, 120).into_owned()
}

/// Draws the checkbox of a row; returns whether it was clicked.
fn mark_ui(ui: &mut Ui, row: &PreviewRow, marked: bool, sending: bool) -> bool {
    let reason = mark_obstacle(row, sending);
    checkbox(ui, &format!("Import {}", row_name(row)), marked, reason).clicked() && reason.is_none()
}

/// Draws the possible secrets of a row, its warnings, and the reason of its status.
fn reason_ui(ui: &mut Ui, row: &PreviewRow) {
    if let Some(first) = row.secrets.first() {
        let secret = format!("Looks like a secret: {} in line {}", first.rule, first.line);
        sign_ui(ui, &secret, row.secrets.len());
    }
    if let Some(first) = row.warnings.first() {
        sign_ui(ui, &first.message, row.warnings.len());
    }
    if !row.reason.is_empty() {
        ui.muted(&shown_short(&row.reason, 200));
    }
}

/// Draws the first of several warnings, and how many more there are.
fn sign_ui(ui: &mut Ui, first: &str, count: usize) {
    let ink = ui.tokens().warning;
    ui.decoration(Icon::WARNING.text().color(ink));
    let words = if count > 1 { format!("{first} and {} more", count - 1) } else { first.to_owned() };
    ui.colored_label(ink, shown_short(&words, 200));
}
