//! The rows of a preview, with the status of each item and whether it is marked.
//!
//! What must hold: rows are sorted when the order changes, in the background if there are many; a frame draws only the
//! visible rows.

use std::sync::Arc;

use egui::{Key, Modifiers, Ui};

use super::menu::{self, MenuChoice};
use super::{mapping, mark_obstacle};
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::focus;
use crate::ui::list::cells;
use crate::ui::theme::{self, Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::background::{Background, Identity};
use crate::ui::widgets::placeholder::empty;
use crate::ui::widgets::table::{Column, Sort, Table, TableState, checkbox};
use crate::ui::widgets::{grouped, shown_short};
use lunette_inspector::Action;
use lunette_inspector::action::PreviewAction;
use lunette_inspector::import::preview::Preview;
use lunette_inspector::import::preview::content::{Content, PreviewStatus, Row, Warning};
use lunette_inspector::listing::Columns as _;

/// The name of the table.
const NAME: &str = "Items to import";
/// The height that the dialog needs besides the table, in points.
const RESERVED_HEIGHT: f32 = 560.0;

const MARK: &str = "mark";
/// Returns the columns of the table; the first one has the marks.
fn columns() -> Vec<Column> {
    let mut columns = cells::columns::<Row>(f32::INFINITY);
    columns.insert(0, Column::text(MARK, "Import", 64.0).unsorted());
    columns
}

/// Which rows are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Filter {
    #[default]
    All,
    PreviewStatus(PreviewStatus),
    Secrets,
    Warnings,
}

/// The inputs of the order of the rows.
#[derive(Clone, PartialEq)]
struct OrderKey {
    content: Identity<Content>,
    filter: Filter,
    sort: Option<Sort>,
}

/// The table and its order.
#[derive(Default)]
pub(super) struct Rows {
    table: TableState,
    filter: Filter,
    order: Background<OrderKey, Arc<Vec<u32>>>,
    /// The counts, with the content that was counted.
    counts: Option<(Identity<Content>, Counts)>,
}

/// The number of rows of each kind.
#[derive(Clone, Copy)]
struct Counts {
    by_status: [usize; PreviewStatus::ALL.len()],
    secrets: usize,
    warnings: usize,
}

impl Rows {
    /// Draws the rows, their filters and the buttons that mark them.
    pub fn ui(&mut self, ui: &mut Ui, preview: &Preview, content: &Arc<Content>, actions: &mut Vec<Action>) {
        self.filter_ui(ui, content);
        let key =
            OrderKey { content: Identity(Arc::clone(content)), filter: self.filter, sort: self.table.sort.clone() };
        let work = {
            let key = key.clone();
            move || Arc::new(order(&key))
        };
        let known = self.order.get_prepared(ui.ctx(), &key, content.rows.len(), work).and_then(Result::ok).cloned();
        // The previous order remains until the new one is ready.
        let known = known.or_else(|| self.order.last(|last| last.content == key.content).cloned());
        let indices = known.unwrap_or_default();
        self.marks_ui(ui, preview, content, &indices, actions);
        if indices.is_empty() {
            if self.order.known(&key).is_some() {
                let chosen = empty(ui, Icon::NO_MATCH, "No such items", "Others are hidden.", &["Show all"]);
                self.filter = if chosen.is_some() { Filter::All } else { self.filter };
            }
            return;
        }
        self.table_ui(ui, preview, content, &indices, actions);
    }

    /// Returns the focused row.
    pub fn focused(&self, content: &Content) -> Option<usize> {
        self.table.focused().map(|row| row as usize).filter(|row| *row < content.rows.len())
    }

    fn counts(&mut self, content: &Arc<Content>) -> Counts {
        let key = Identity(Arc::clone(content));
        match &self.counts {
            Some((known, counts)) if *known == key => *counts,
            _ => {
                let counts = Counts {
                    by_status: PreviewStatus::ALL.map(|status| content.count(status)),
                    secrets: content.rows.iter().filter(|row| !row.secrets.is_empty()).count(),
                    warnings: (0..content.rows.len()).filter(|row| !content.warnings_of(*row).is_empty()).count(),
                };
                self.counts = Some((key, counts));
                counts
            }
        }
    }

    /// Draws the filters by kind, each with its count.
    fn filter_ui(&mut self, ui: &mut Ui, content: &Arc<Content>) {
        let counts = self.counts(content);
        let by_status = PreviewStatus::ALL
            .iter()
            .zip(counts.by_status)
            .map(|(status, count)| (Filter::PreviewStatus(*status), status.word(), count));
        let all = [(Filter::All, "All", content.rows.len())].into_iter().chain(by_status);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            let noticed = [
                (Filter::Secrets, "Looks like a secret", counts.secrets),
                (Filter::Warnings, "Warnings", counts.warnings),
            ];
            for (filter, word, count) in all.chain(noticed) {
                let chosen = self.filter == filter;
                if count == 0 && !chosen && filter != Filter::All {
                    continue;
                }
                if ui.selectable_label(chosen, format!("{word} {}", grouped(count as u64))).clicked() {
                    self.filter = filter;
                }
            }
        });
    }

    /// Draws the number of marked rows, and the buttons that mark or unmark all shown rows.
    fn marks_ui(
        &self,
        ui: &mut Ui,
        preview: &Preview,
        content: &Content,
        indices: &Arc<Vec<u32>>,
        actions: &mut Vec<Action>,
    ) {
        let reason = preview.sending.is_some().then_some("The import is in progress");
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            let all = grouped(content.rows.len() as u64);
            ui.muted(&format!("{} of {all} marked", grouped(preview.marked as u64)));
            for (name, on) in [("Mark all shown", true), ("Unmark all shown", false)] {
                if enabled_unless(ui, reason, |ui| ui.line_button(name)).clicked() {
                    actions.push(PreviewAction::Mark { rows: Arc::clone(indices), on }.into());
                }
            }
            mapping::as_files_ui(ui, preview, content, actions);
        });
    }

    fn table_ui(
        &mut self,
        ui: &mut Ui,
        preview: &Preview,
        content: &Arc<Content>,
        indices: &[u32],
        actions: &mut Vec<Action>,
    ) {
        let row = |index: usize| content.rows.get(*indices.get(index)? as usize);
        let key = |index: usize| indices.get(index).map(u32::to_string).unwrap_or_default();
        let name = |index: usize| row(index).map(row_name).unwrap_or_default();
        let number = |index: usize| indices.get(index).copied().unwrap_or(u32::MAX);
        let marked = |index: usize| indices.get(index).and_then(|row| preview.marks.get(*row as usize)).copied();
        let most = most_rows(ui);
        let mut toggled = self.space_pressed(ui).filter(|index| *index < indices.len());
        let (mut chosen, shown_only) = (None, self.filter);
        let columns = columns();
        Table::new(NAME, &columns, indices.len(), &key)
            .row_name(&name)
            .number(&number)
            .single_selection()
            .at_most_rows(most)
            .row_menu(&mut |ui, index| {
                let Some(row) = row(index) else { return };
                let (marked, sending) = (marked(index).unwrap_or_default(), preview.sending.is_some());
                let state = menu::RowState { marked, sending, filtered: shown_only != Filter::All };
                chosen = menu::ui(ui, row, state, actions).map(|chosen| (index, chosen)).or(chosen.take());
            })
            .show(ui, &mut self.table, |ui, index, column| {
                let Some(row) = row(index) else { return };
                if columns[column].key != MARK {
                    cell_ui(ui, row, content.warnings_of(number(index) as usize), columns[column].key);
                } else if mark_ui(ui, row, marked(index).unwrap_or_default(), preview.sending.is_some()) {
                    toggled = Some(index);
                }
            });
        match chosen {
            Some((index, MenuChoice::Toggle)) => toggled = Some(index),
            Some((_, MenuChoice::ShowAll)) => self.filter = Filter::All,
            Some((_, MenuChoice::ShowOnly(status))) => self.filter = Filter::PreviewStatus(status),
            None => {}
        }
        if let Some(index) = toggled
            && let Some(row) = indices.get(index)
        {
            let on = !marked(index).unwrap_or_default();
            actions.push(PreviewAction::Mark { rows: Arc::new(vec![*row]), on }.into());
        }
    }

    /// Returns the focused row if Space was pressed while the table has the focus.
    fn space_pressed(&self, ui: &Ui) -> Option<usize> {
        let table = ui.make_persistent_id(("table", NAME));
        let row = self.table.focus.filter(|_| focus::receives_keys(ui.ctx(), table))?;
        ui.input_mut(|input| {
            let pressed = input.consume_key(Modifiers::NONE, Key::Space);
            input.events.retain(|event| !(pressed && matches!(event, egui::Event::Text(text) if text == " ")));
            pressed
        })
        .then_some(row)
    }
}

/// Returns how many rows the table has at most: the dialog leaves room for its own parts.
fn most_rows(ui: &Ui) -> usize {
    let height = ui.ctx().content_rect().height() - RESERVED_HEIGHT;
    (height / theme::row(ui)).clamp(4.0, 24.0) as usize
}

/// Returns the indices of the shown rows, in order.
fn order(key: &OrderKey) -> Vec<u32> {
    let OrderKey { content: Identity(content), filter, sort } = key;
    let rows = &content.rows;
    let is_shown = |row: &usize| match filter {
        Filter::All => true,
        Filter::PreviewStatus(status) => rows[*row].status == *status,
        Filter::Secrets => !rows[*row].secrets.is_empty(),
        Filter::Warnings => !content.warnings_of(*row).is_empty(),
    };
    let mut indices: Vec<u32> = (0..rows.len()).filter(is_shown).map(|row| row as u32).collect();
    let Some(Sort { column, descending }) = sort else { return indices };
    let Some(column) = Row::column(column).filter(|column| column.is_sortable()) else { return indices };
    indices.sort_by(|one, other| column.compare(&rows[*one as usize], &rows[*other as usize]));
    if *descending {
        indices.reverse();
    }
    indices
}

fn row_name(row: &Row) -> String {
    shown_short(if row.name.is_empty() { &row.path } else { &row.name }, 120).into_owned()
}

/// Draws the checkbox of a row; returns whether it was clicked.
fn mark_ui(ui: &mut Ui, row: &Row, marked: bool, sending: bool) -> bool {
    let reason = mark_obstacle(row, sending);
    checkbox(ui, &format!("Import {}", row_name(row)), marked, reason).clicked() && reason.is_none()
}

fn cell_ui(ui: &mut Ui, row: &Row, warnings: &[Warning], key: &str) {
    match key {
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
        "reason" => reason_ui(ui, row, warnings),
        _ => cells::cell_ui(ui, row, key),
    }
}

/// Draws the possible secrets of a row, its warnings, and the reason of its status.
fn reason_ui(ui: &mut Ui, row: &Row, warnings: &[Warning]) {
    if let Some(first) = row.secrets.first() {
        let secret = format!("Looks like a secret: {} in line {}", first.rule, first.line);
        sign_ui(ui, &secret, row.secrets.len());
    }
    if let Some(first) = warnings.first() {
        sign_ui(ui, &first.message, warnings.len());
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
