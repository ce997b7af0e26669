//! The columns of a list. Each is declared once, beside its row; sorting, the fields of the filter, cells, copies, CSV,
//! JSON and the lines of the command line come from there.

use std::cmp::Ordering;
use std::fmt;

use jiff::Timestamp;
use serde_json::{Map, Value as Json};

use super::value::Value;
use crate::filter::{Field, Fields};
use crate::listing::Row;

/// Rows with columns.
pub trait Columns: Sized + 'static {
    /// All columns: those of the table in their order, and those that are only filtered, copied or printed.
    const COLUMNS: &'static [Column<Self>];

    /// The column of a key.
    fn column(key: &str) -> Option<&'static Column<Self>> {
        Self::COLUMNS.iter().find(|column| column.key == key)
    }

    /// Returns the row as an object.
    fn record(&self) -> Json {
        self.columns_record()
    }

    /// Returns the row as an object, with a field for each recorded column.
    fn columns_record(&self) -> Json {
        let fields = Self::COLUMNS.iter().filter(|column| column.recorded);
        let fields = fields.map(|column| (column.name().replace(' ', "_"), (column.value)(self).json()));
        Json::Object(fields.collect::<Map<_, _>>())
    }
}

/// A column of a list.
pub struct Column<R: 'static> {
    /// The name under which it is saved, and by which the command line sorts.
    pub key: &'static str,
    /// Its title in the table.
    pub title: &'static str,
    /// What its values are.
    pub kind: ColumnKind,
    /// What a row says in it.
    pub value: fn(&R) -> Value<'_>,
    /// The field of the filter that compares it.
    pub field: Option<Field>,
    /// How the table draws it; `None` if it does not.
    pub cell: Option<Cell>,
    /// Whether it is among the columns of copied rows.
    pub copied: bool,
    /// Whether it is a field of the JSON that the command line prints.
    pub recorded: bool,
    /// Whether it is a column of the lines that the command line prints.
    pub printed: bool,
    /// How rows are grouped by it; `None` if they are not.
    pub group: Option<Grouped>,
    order: Order<R>,
    name: Option<&'static str>,
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Texts, which are cut where there is no room.
    Text,
    /// Short texts, which a terminal prints first and never cuts.
    Fixed,
    /// Counts, sizes and moments: aligned on the right, and sorted with the largest first.
    Figures,
    /// Ids. On a terminal they come last, and as much of their end is printed as tells the rows apart.
    Id,
}

/// How a table draws a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Its initial width, in points.
    pub width: f32,
    /// The width at which its usual values are whole, in points: it gets so much of the remaining width before others grow.
    pub full: f32,
    /// Its share of the remaining width; 0 for one that does not grow.
    pub grows: f32,
    /// The width of the table, in points, below which it is hidden unless the user shows it.
    pub least: f32,
}

/// How rows are grouped by a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grouped {
    /// What one of its values is called, such as "Tag".
    pub name: &'static str,
    /// The name of the group of rows without a value.
    pub none: &'static str,
    /// What makes a group.
    pub by: GroupBy,
}

/// What makes a group of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupBy {
    /// The value of the row; a row without one says that it has none.
    Value,
    /// Each of the values of the row, which the service may not tell.
    Each,
    /// The day of the moment.
    Day,
}

/// What rows are sorted by in a column.
enum Order<R: 'static> {
    Never,
    Value,
    By(fn(&R) -> Value<'_>),
}

impl<R> Column<R> {
    /// A column of texts that a table does not draw.
    pub const fn text(key: &'static str, title: &'static str, value: fn(&R) -> Value<'_>) -> Self {
        let (field, cell, group, order, name) = (None, None, None, Order::Value, None);
        let (copied, recorded, printed) = (true, true, false);
        Self { key, title, kind: ColumnKind::Text, value, field, cell, copied, recorded, printed, group, order, name }
    }

    /// A column of counts, sizes or moments that a table does not draw.
    pub const fn figures(key: &'static str, title: &'static str, value: fn(&R) -> Value<'_>) -> Self {
        Self { kind: ColumnKind::Figures, ..Self::text(key, title, value) }
    }

    /// The column of the ids.
    pub const fn id(value: fn(&R) -> Value<'_>) -> Self {
        Self { kind: ColumnKind::Id, printed: true, ..Self::text("id", "Id", value) }
    }

    /// A column that only the filter knows.
    pub const fn filtered(key: &'static str, field: Field, value: fn(&R) -> Value<'_>) -> Self {
        Self { copied: false, recorded: false, ..Self::text(key, key, value) }.field(field)
    }

    /// A table draws it, initially with this width in points.
    pub const fn wide(self, width: f32) -> Self {
        Self { cell: Some(Cell { width, full: width, grows: 0.0, least: 0.0 }), ..self }
    }

    /// It gets up to this width, in points, before the remaining width is divided among growing columns.
    pub const fn up_to(self, full: f32) -> Self {
        match self.cell {
            Some(cell) => Self { cell: Some(Cell { full, ..cell }), ..self },
            None => self,
        }
    }

    /// It takes this share of the remaining width, divided among all growing columns.
    pub const fn growing(self, share: f32) -> Self {
        match self.cell {
            Some(cell) => Self { cell: Some(Cell { grows: share, ..cell }), ..self },
            None => self,
        }
    }

    /// It is hidden in a table that is narrower than this, in points, unless the user shows it.
    pub const fn from(self, least: f32) -> Self {
        match self.cell {
            Some(cell) => Self { cell: Some(Cell { least, ..cell }), ..self },
            None => self,
        }
    }

    /// It is hidden until the user shows it.
    pub const fn hidden(self) -> Self {
        self.from(f32::INFINITY)
    }

    /// The filter compares it as this field.
    pub const fn field(self, field: Field) -> Self {
        Self { field: Some(field), ..self }
    }

    /// Rows are sorted by something else than its value.
    pub const fn sorted_by(self, order: fn(&R) -> Value<'_>) -> Self {
        Self { order: Order::By(order), ..self }
    }

    /// Rows are not sorted by it.
    pub const fn unsorted(self) -> Self {
        Self { order: Order::Never, ..self }
    }

    /// Rows can be grouped by it: `name` is what one of its values is called, `none` the group of rows without one.
    pub const fn grouped(self, by: GroupBy, name: &'static str, none: &'static str) -> Self {
        Self { group: Some(Grouped { name, none, by }), ..self }
    }

    /// It has another name than its title in copied rows and in JSON.
    pub const fn named(self, name: &'static str) -> Self {
        Self { name: Some(name), ..self }
    }

    /// A terminal never cuts it.
    pub const fn fixed(self) -> Self {
        Self { kind: ColumnKind::Fixed, ..self }
    }

    /// The command line prints it.
    pub const fn printed(self) -> Self {
        Self { printed: true, ..self }
    }

    /// It is in no copied row.
    pub const fn not_copied(self) -> Self {
        Self { copied: false, ..self }
    }

    /// It is in no JSON of the command line.
    pub const fn not_recorded(self) -> Self {
        Self { recorded: false, ..self }
    }

    /// Its name in copied rows and, with underscores, in JSON.
    pub fn name(&self) -> String {
        self.name.map_or_else(|| self.title.to_lowercase(), str::to_owned)
    }

    /// Whether a list shows it, given what the user chose; one that is hidden only because the window is narrow counts as
    /// shown.
    pub fn is_shown(&self, chosen: Option<bool>) -> bool {
        self.cell.is_some_and(|cell| chosen.unwrap_or(cell.least.is_finite()))
    }

    /// Whether rows can be sorted by it: what a table does not draw is not sorted.
    pub fn is_sortable(&self) -> bool {
        self.cell.is_some() && !matches!(self.order, Order::Never)
    }

    /// The order of two rows in it.
    pub fn compare(&self, one: &R, other: &R) -> Ordering {
        self.order(one).compare(&self.order(other))
    }

    /// What a row is sorted by.
    pub(super) fn order<'a>(&self, row: &'a R) -> Value<'a> {
        match self.order {
            Order::By(order) => order(row),
            Order::Value | Order::Never => (self.value)(row),
        }
    }
}

impl<R: Row> Fields for R {
    fn any_text(&self, field: Field, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        of_field(field).any(|column| (column.value)(self).any_text(wanted))
    }

    fn number(&self, field: Field) -> Option<i64> {
        of_field(field).find_map(|column| (column.value)(self).number())
    }

    fn moment(&self, field: Field) -> Option<Timestamp> {
        of_field(field).find_map(|column| (column.value)(self).at())
    }
}

fn of_field<R: Row>(field: Field) -> impl Iterator<Item = &'static Column<R>> {
    R::COLUMNS.iter().filter(move |column| column.field == Some(field))
}

impl<R> PartialEq for Column<R> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<R> fmt::Debug for Column<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Column({:?})", self.key)
    }
}
