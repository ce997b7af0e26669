//! The counters of a score, and how to increment one.

use rusqlite::Connection;

use crate::store::StoreError;

/// A counter of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counter {
    Priority,
    Reuse,
    Update,
    Reference,
    Searched,
}

/// What has counters: a table with the columns of [`super::Score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Counted {
    Asset,
    Item,
    Conversation,
}

impl Counted {
    fn table(self) -> &'static str {
        match self {
            Self::Asset => "asset",
            Self::Item => "item",
            Self::Conversation => "conversation",
        }
    }
}

impl Counter {
    /// All counters.
    pub(crate) const ALL: [Self; 5] = [Self::Priority, Self::Reuse, Self::Update, Self::Reference, Self::Searched];

    /// The counter's name on the wire.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Priority => "priority",
            Self::Reuse => "reuse",
            Self::Update => "update",
            Self::Reference => "reference",
            Self::Searched => "searched",
        }
    }

    /// Adds one to this counter of a row. Fails at the largest value.
    pub(in crate::store) fn one_more(self, db: &Connection, of: Counted, row: i64) -> Result<(), StoreError> {
        let moved = db.prepare_cached(self.statement(of))?.execute([row])?;
        if moved == 1 {
            return Ok(());
        }
        Err(StoreError::invalid(format!("the score `{}` has reached its maximum", self.name())))
    }

    /// Sets this counter of a row.
    pub(in crate::store) fn set(self, db: &Connection, of: Counted, row: i64, count: i64) -> Result<(), StoreError> {
        let (table, column) = (of.table(), self.name());
        db.prepare_cached(&format!("UPDATE {table} SET score_{column} = ?2 WHERE row = ?1"))?.execute([row, count])?;
        Ok(())
    }

    fn statement(self, of: Counted) -> &'static str {
        macro_rules! one_more {
            ($table:literal, $column:literal) => {
                concat!(
                    "UPDATE ",
                    $table,
                    " SET ",
                    $column,
                    " = coalesce(",
                    $column,
                    ", 0) + 1 WHERE row = ?1 AND coalesce(",
                    $column,
                    ", 0) < 9223372036854775807"
                )
            };
        }
        macro_rules! each_counter {
            ($table:literal) => {
                match self {
                    Self::Priority => one_more!($table, "score_priority"),
                    Self::Reuse => one_more!($table, "score_reuse"),
                    Self::Update => one_more!($table, "score_update"),
                    Self::Reference => one_more!($table, "score_reference"),
                    Self::Searched => one_more!($table, "score_searched"),
                }
            };
        }
        match of {
            Counted::Asset => each_counter!("asset"),
            Counted::Item => each_counter!("item"),
            Counted::Conversation => each_counter!("conversation"),
        }
    }
}
