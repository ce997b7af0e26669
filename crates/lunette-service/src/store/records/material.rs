//! How many records of a kind there are, and their ids: everything that is stored, for programs that copy all of it.

use rusqlite::{Row, params};

use crate::store::{Store, StoreError};

/// The kinds of records that are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Material {
    Assets,
    Formats,
    Tags,
    Websites,
    Summaries,
    Conversations,
    Messages,
    Annotations,
    Activities,
    Persons,
    Anchors,
    Hints,
    Applications,
}

/// A time, both ends of which belong to it, in microseconds since 1970 UTC. An end that is absent is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TimeRange {
    pub(crate) from: Option<i64>,
    pub(crate) to: Option<i64>,
}

/// Which records of a kind are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    pub(crate) created: TimeRange,
    pub(crate) updated: TimeRange,
}

/// SQL for the ids of a kind, newest first, and for their number. The times are those of the record.
struct Statements {
    ids: &'static str,
    count: &'static str,
}

macro_rules! statements {
    ($rows:literal, $created:literal, $updated:literal) => {
        Statements {
            ids: statements!(@select "id", $rows, $created, $updated, " ORDER BY row DESC LIMIT ?5"),
            count: statements!(@select "count(*)", $rows, $created, $updated, ""),
        }
    };
    (@select $what:literal, $rows:literal, $created:literal, $updated:literal, $end:literal) => {
        concat!(
            "SELECT ", $what, " FROM ", $rows,
            " AND (?1 IS NULL OR ", $created, " >= ?1) AND (?2 IS NULL OR ", $created, " <= ?2)",
            " AND (?3 IS NULL OR ", $updated, " >= ?3) AND (?4 IS NULL OR ", $updated, " <= ?4)", $end,
        )
    };
}

impl Material {
    fn statements(self) -> Statements {
        match self {
            Self::Assets => statements!("asset WHERE deleted IS NULL", "created", "updated"),
            Self::Formats => statements!(
                "format WHERE EXISTS (SELECT 1 FROM asset WHERE asset.row = format.asset AND deleted IS NULL)",
                "created",
                "updated"
            ),
            Self::Tags => statements!("item WHERE kind = 'tag'", "created", "updated"),
            Self::Websites => statements!("item WHERE kind = 'website'", "created", "updated"),
            Self::Summaries => statements!("item WHERE kind = 'summary'", "created", "updated"),
            Self::Conversations => statements!("conversation WHERE true", "created", "updated"),
            Self::Messages => {
                statements!("conversation_message WHERE true", "created", "coalesce(updated, created)")
            }
            Self::Annotations => statements!(
                "annotation WHERE NOT (kind = 'DESCRIPTION' AND text = '' AND asset IS NOT NULL)",
                "created",
                "updated"
            ),
            Self::Activities => statements!("activity WHERE true", "created", "updated"),
            Self::Persons => statements!("aside WHERE kind = 'person' AND deleted IS NULL", "created", "updated"),
            Self::Anchors => statements!("aside WHERE kind = 'anchor' AND deleted IS NULL", "created", "updated"),
            Self::Hints => statements!("aside WHERE kind = 'hint' AND deleted IS NULL", "created", "updated"),
            // An application has no times: it belongs to every one.
            Self::Applications => statements!("application WHERE true", "coalesce(?1, ?2)", "coalesce(?3, ?4)"),
        }
    }
}

impl Store {
    /// How many records of a kind there are.
    pub(crate) fn count_materials(&self, of: Material, selection: Selection) -> Result<i64, StoreError> {
        let Selection { created, updated } = selection;
        self.read(|db| {
            let mut statement = db.prepare_cached(of.statements().count)?;
            let times = params![created.from, created.to, updated.from, updated.to];
            Ok(statement.query_row(times, |row| row.get(0))?)
        })
    }

    /// The ids of the records of a kind, newest first, at most `limit` of them.
    pub(crate) fn material_ids(
        &self,
        of: Material,
        selection: Selection,
        limit: Option<i64>,
    ) -> Result<Vec<String>, StoreError> {
        let Selection { created, updated } = selection;
        self.read(|db| {
            let mut statement = db.prepare_cached(of.statements().ids)?;
            let id = |row: &Row| row.get(0);
            // A negative limit is none.
            let times = params![created.from, created.to, updated.from, updated.to, limit.unwrap_or(-1)];
            Ok(statement.query_map(times, id)?.collect::<Result<_, _>>()?)
        })
    }
}
