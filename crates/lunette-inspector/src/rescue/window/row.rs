//! A record that a rescue named, in a list.

use std::borrow::Cow;

use crate::filter::{Field, Filterable, Flag, List};
use crate::listing::{Column, Columns, Row, Value};
use crate::rescue::Kind;

/// What became of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowStatus {
    /// It was received; nothing else is known yet.
    Received,
    /// It was received, and is not stored by our service.
    Kept,
    /// It was read back and says the same.
    Equal,
    /// It was here before under this id.
    StoredAs(String),
    /// It is missing, and why.
    Missing(String),
    /// It is there and says something else, and what differs.
    Different(String),
}

/// A record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RescueRow {
    /// Its kind.
    pub kind: Kind,
    /// Its id.
    pub id: String,
    /// What people know it by; empty if it says nothing of that.
    pub name: String,
    /// What became of it.
    pub status: RowStatus,
}

impl RescueRow {
    /// Its status in a word.
    pub fn status_text(&self) -> &'static str {
        match &self.status {
            RowStatus::Received => "received",
            RowStatus::Kept => "kept",
            RowStatus::Equal => "equal",
            RowStatus::StoredAs(_) => "stored under another id",
            RowStatus::Missing(_) => "missing",
            RowStatus::Different(_) => "different",
        }
    }

    /// Whether it is missing or differs.
    pub fn is_not_equal(&self) -> bool {
        matches!(self.status, RowStatus::Missing(_) | RowStatus::Different(_))
    }

    /// Why it is missing or differs, or its id here.
    pub fn reason(&self) -> &str {
        match &self.status {
            RowStatus::StoredAs(reason) | RowStatus::Missing(reason) | RowStatus::Different(reason) => reason,
            RowStatus::Received | RowStatus::Kept | RowStatus::Equal => "",
        }
    }

    /// Its name, or its id where it has none.
    pub fn title(&self) -> &str {
        if self.name.is_empty() { &self.id } else { &self.name }
    }
}

impl Columns for RescueRow {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("name", "Name", |row: &Self| Value::text(&row.name)).wide(200.0).growing(1.0).field(Field::Name),
        Column::text("kind", "Kind", |row: &Self| Value::text(row.kind.name())).wide(110.0),
        Column::text("state", "State", |row: &Self| Value::word(row.status_text())).wide(100.0).field(Field::State),
        Column::text("reason", "Reason", |row: &Self| Value::text(row.reason()))
            .wide(220.0)
            .growing(1.0)
            .field(Field::Outcome),
        Column::id(|row: &Self| Value::text(&row.id)).wide(120.0).field(Field::Id),
    ];
}

impl Row for RescueRow {
    type Key = (Kind, String);

    fn key(&self) -> (Kind, String) {
        (self.kind, self.id.clone())
    }
}

impl Filterable for RescueRow {
    const LIST: List = List::Rescue;

    fn haystack(&self) -> Cow<'_, str> {
        format!("{}\n{}\n{}", self.name, self.id, self.reason()).to_lowercase().into()
    }

    fn is(&self, flag: Flag) -> bool {
        flag == Flag::Missing && self.is_not_equal()
    }
}
