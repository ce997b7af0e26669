//! A text with delimiters, such as CSV, as a table: sorted by a click on a title, of a million rows only the visible
//! ones are decoded.
//!
//! What must hold: drawing never waits for sorting; until it is done, the rows keep the order that they had.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Key, Modifiers, Ui, vec2};
use lunette_inspector::files::delimited::{Delimited, DelimitedColumn, DrawnCells, MAX_COLUMNS, SortBy};

use crate::ui::focus;
use crate::ui::theme::{self, Icon, UiExt as _};
use crate::ui::widgets::background::{Background, Identity};
use crate::ui::widgets::context_menu::entry;
use crate::ui::widgets::table::{Column, ColumnOf, Side, Table, TableResponse, TableState};
use crate::ui::widgets::{grouped, plural, shown, shown_short};

/// The column with the number of the row in the file.
const ROW: Column = Column::figures("row", "Row", 64.0);
/// The number of a table's columns that its menu lists for copying.
const LISTED: usize = 40;
/// How far the left and right arrow keys scroll, in points.
const STEP: f32 = 80.0;
/// The longest accessible name of a row, in characters.
const LONGEST_NAME: usize = 200;

/// The state of a table.
#[derive(Debug, Default)]
pub struct DelimitedState {
    table: TableState,
    of: Option<Identity<Delimited>>,
    /// Whether the first record is a header, if the user said so.
    header: Option<bool>,
    sorted: Background<Order, Vec<u32>>,
    /// The visible rows, decoded, by record.
    decoded: BTreeMap<usize, DrawnCells>,
    /// The column under the pointer when the menu of a row was opened.
    pointed: Option<usize>,
}

/// What the order of the rows depends on.
#[derive(Clone, Debug, PartialEq)]
struct Order {
    of: Identity<Delimited>,
    by: SortBy,
    first: usize,
}

impl DelimitedState {
    /// Returns whether the first record is shown as a header.
    pub fn has_header(&self, table: &Delimited) -> bool {
        self.header.unwrap_or(table.has_header())
    }

    /// Sets whether the first record is a header.
    pub fn set_header(&mut self, header: bool) {
        self.header = Some(header);
        self.table.show_top();
    }

    /// Returns the size of a table, and whether it is being sorted, in words.
    pub fn caption(&self, table: &Delimited) -> String {
        let rows = table.record_count() - self.first(table);
        let more = if table.is_truncated() { "first " } else { "" };
        let size = format!("{more}{} × {}", plural(rows, "row"), plural(table.widest(), "column"));
        let sorting = if self.sort(table).is_some_and(|order| self.sorted.known(&order).is_none()) {
            " · Sorting…"
        } else {
            ""
        };
        format!("{size}{sorting}")
    }

    /// Returns the record of the first row.
    fn first(&self, table: &Delimited) -> usize {
        usize::from(self.has_header(table)).min(table.record_count())
    }

    /// Returns by what the rows are sorted, unless they are in the order of the file.
    fn sort(&self, table: &Delimited) -> Option<Order> {
        let sort = self.table.sort.as_ref()?;
        let by = SortBy { column: sort.column.parse().ok()?, descending: sort.descending };
        Some(Order { of: self.of.clone()?, by, first: self.first(table) })
    }

    /// Starts another table: nothing of the last one stays.
    fn begin(&mut self, table: &Arc<Delimited>) {
        let of = Identity(Arc::clone(table));
        if self.of.as_ref() != Some(&of) {
            *self = Self { of: Some(of), ..Self::default() };
        }
    }
}

/// The records in the order in which they are shown.
#[derive(Clone, Copy)]
struct Rows<'a> {
    table: &'a Delimited,
    first: usize,
    sorted: Option<&'a [u32]>,
    reversed: bool,
}

impl Rows<'_> {
    fn count(self) -> usize {
        self.table.record_count() - self.first
    }

    /// Returns the record of a row.
    fn record(self, row: usize) -> usize {
        match self.sorted {
            Some(sorted) => sorted.get(row).map_or(self.first, |record| *record as usize),
            None if self.reversed => self.table.record_count().saturating_sub(row + 1),
            None => self.first + row,
        }
    }
}

/// Draws a table over the available width, `height` points high; `name` is its accessible name.
///
/// Ctrl+C copies the row with the focus as it is in the text; the menu of a row copies its cells.
pub fn delimited_table(ui: &mut Ui, name: &str, table: &Arc<Delimited>, state: &mut DelimitedState, height: f32) {
    state.begin(table);
    if table.widest() > MAX_COLUMNS {
        ui.caption(&format!("Only the first {} columns are shown.", grouped(MAX_COLUMNS as u64)));
    }
    let size = vec2(ui.available_width(), height);
    ui.allocate_ui(size, |ui| {
        ui.set_min_size(size);
        let order = state.sort(table);
        if let Some(order) = &order {
            let (of, by, first) = (Arc::clone(table), order.by, order.first);
            state.sorted.get_cancellable(ui.ctx(), order, move |cancel| of.sorted(by, first, &cancel));
        }
        let first = state.first(table);
        if table.record_count() == first {
            ui.muted(if first == 0 { "This table is empty." } else { "This table has a header and no rows." });
            return;
        }
        let sorted = std::mem::take(&mut state.sorted);
        let like =
            |known: &Order| order.as_ref().is_some_and(|order| order.of == known.of && order.first == known.first);
        let reversed = state.table.sort.as_ref().is_some_and(|sort| sort.column == ROW.key && sort.descending);
        let rows = Rows { table, first, sorted: sorted.last(like).map(Vec::as_slice), reversed };
        rows_ui(ui, name, rows, state);
        state.sorted = sorted;
    });
}

fn rows_ui(ui: &mut Ui, name: &str, rows: Rows<'_>, state: &mut DelimitedState) {
    let names: Vec<(String, String)> = names(rows.table, state.has_header(rows.table));
    let columns = columns(rows.table.columns(), &names);
    let id = ui.make_persistent_id(("table", name));
    keys(ui, id, rows, state);
    let visible = Visible::new(rows.table, std::mem::take(&mut state.decoded));
    let (pointed, menu_column) = (std::cell::Cell::new(None), state.pointed);
    let record = |row: usize| rows.record(row);
    let row_name = |row: usize| visible.with(record(row), |cells| row_name(record(row), cells));
    let mut menu = |ui: &mut Ui, row: usize| menu_ui(ui, rows.table, record(row), menu_column, &names);
    let done = Table::new(name, &columns, rows.count(), &|row| record(row).to_string())
        .number(&|row| u32::try_from(record(row)).unwrap_or(u32::MAX))
        .row_name(&row_name)
        .typed_name(&|row| Cow::Owned((record(row) + 1).to_string()))
        .single_selection()
        .follow_focus(false)
        .row_menu(&mut menu)
        .show(ui, &mut state.table, |ui, row, column| {
            if ui.input(|input| input.pointer.secondary_pressed()) && ui.rect_contains_pointer(ui.max_rect()) {
                pointed.set(Some(column.checked_sub(1)));
            }
            visible.with(record(row), |cells| cell_ui(ui, record(row), column, cells));
        });
    state.decoded = visible.kept();
    if let Some(column) = pointed.get() {
        state.pointed = column;
    }
    after(ui, id, &done);
}

/// Lets the page have what the table has no use for.
fn after(ui: &Ui, id: egui::Id, done: &TableResponse) {
    if done.escaped {
        ui.memory_mut(|memory| memory.surrender_focus(id));
    }
}

/// Scrolls sideways and copies; a row has no page to open.
fn keys(ui: &Ui, id: egui::Id, rows: Rows<'_>, state: &mut DelimitedState) {
    if !focus::receives_keys(ui.ctx(), id) {
        return;
    }
    let pressed = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)) as f32;
    state.table.scroll.left += STEP * (pressed(Key::ArrowRight) - pressed(Key::ArrowLeft));
    pressed(Key::Enter);
    let copy = ui.input(|input| input.events.iter().any(|event| matches!(event, egui::Event::Copy)));
    if copy && let Some(record) = state.table.focused() {
        ui.ctx().copy_text(rows.table.record(record as usize).to_owned());
    }
}

/// Returns the key and the title of each column.
fn names(table: &Delimited, has_header: bool) -> Vec<(String, String)> {
    let title = |index: usize, column: &DelimitedColumn| match has_header && !column.title.is_empty() {
        true => shown(&column.title).into_owned(),
        false => format!("Column {}", index + 1),
    };
    table.columns().iter().enumerate().map(|(index, column)| (index.to_string(), title(index, column))).collect()
}

/// Returns the columns, as wide as their first cells.
fn columns<'a>(columns: &[DelimitedColumn], names: &'a [(String, String)]) -> Vec<ColumnOf<'a>> {
    let column = |(column, (key, title)): (&DelimitedColumn, &'a (String, String))| {
        let characters = column.characters.max(title.chars().count()).clamp(4, 40) as f32;
        let width = characters * 7.0 + 34.0;
        ColumnOf { side: if column.is_figures { Side::Right } else { Side::Left }, ..ColumnOf::text(key, title, width) }
    };
    std::iter::once(ROW).chain(columns.iter().zip(names).map(column)).collect()
}

fn row_name(record: usize, cells: &DrawnCells) -> String {
    let cells = cells.cells.join(", ");
    format!("{}: {}", grouped(record as u64 + 1), shown_short(&cells, LONGEST_NAME))
}

fn cell_ui(ui: &mut Ui, record: usize, column: usize, cells: &DrawnCells) {
    let Some(column) = column.checked_sub(1) else {
        ui.caption(&grouped(record as u64 + 1));
        return;
    };
    match cells.cells.get(column) {
        Some(cell) => {
            let label = ui.label(shown(cell).as_ref());
            if cell.contains('\n') || cell.chars().count() > 30 {
                label.on_hover_text(cell);
            }
        }
        None if cells.is_cut => drop(ui.muted("…").on_hover_text("This row is too long to be shown in full")),
        None => {}
    }
}

fn menu_ui(ui: &mut Ui, table: &Delimited, record: usize, column: Option<usize>, names: &[(String, String)]) {
    if let Some((column, (_, title))) = column.and_then(|column| Some((column, names.get(column)?)))
        && entry(ui, Icon::COPY, &format!("Copy cell {title}"))
    {
        ui.ctx().copy_text(table.cell(record, column));
    }
    if entry(ui, Icon::COPY, "Copy row") {
        ui.ctx().copy_text(table.record(record).to_owned());
    }
    let submenu = ui.menu_button("Copy a cell", |ui| {
        egui::ScrollArea::vertical().max_height(theme::row(ui) * 12.0).show(ui, |ui| {
            for (column, (_, title)) in names.iter().enumerate().take(LISTED) {
                if entry(ui, Icon::COPY, title) {
                    ui.ctx().copy_text(table.cell(record, column));
                }
            }
        });
    });
    submenu.response.accessible_name("Copy a cell");
}

/// The visible rows: decoded when they become visible, and kept as long as they are.
struct Visible<'a> {
    table: &'a Delimited,
    before: RefCell<BTreeMap<usize, DrawnCells>>,
    now: RefCell<BTreeMap<usize, DrawnCells>>,
}

impl<'a> Visible<'a> {
    fn new(table: &'a Delimited, before: BTreeMap<usize, DrawnCells>) -> Self {
        Self { table, before: RefCell::new(before), now: RefCell::default() }
    }

    /// Calls `with` with the cells of a record.
    fn with<R>(&self, record: usize, with: impl FnOnce(&DrawnCells) -> R) -> R {
        let mut now = self.now.borrow_mut();
        let decode = || self.before.borrow_mut().remove(&record).unwrap_or_else(|| self.table.drawn_cells(record));
        with(now.entry(record).or_insert_with(decode))
    }

    /// Returns the rows that were drawn.
    fn kept(self) -> BTreeMap<usize, DrawnCells> {
        self.now.into_inner()
    }
}
