//! The columns of the log, and how it is filtered.

use std::borrow::Cow;

use crate::filter::{Field, Filterable, Flag, List};
use crate::listing::{Column, Columns, Moment, Row, Value};
use crate::session::log::LogEntry;

impl Columns for LogEntry {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::id(|call: &Self| Value::Number(i64::try_from(call.number).unwrap_or(i64::MAX))).named("number"),
        Column::text("time", "Time", |call: &Self| Value::Moment(Moment::At(call.at)))
            .named("at")
            .wide(74.0)
            .field(Field::At),
        Column::text("method", "Method", |call: &Self| call.of_call(Value::text(call.info.method.as_str())))
            .wide(64.0)
            .from(560.0)
            .field(Field::Method),
        Column::text("operation", "Operation", |call: &Self| Value::text(call.title()))
            .wide(160.0)
            .growing(1.0)
            .field(Field::Operation),
        Column::text("path", "Path", |call: &Self| call.of_call(Value::text(&call.url)))
            .named("url")
            .wide(130.0)
            .growing(3.0)
            .from(480.0)
            .field(Field::Address),
        Column::text("status", "Status", |call: &Self| Value::text(call.outcome())).wide(112.0),
        Column::filtered("code", Field::Code, |call: &Self| call.status.map(i64::from).into()),
        Column::figures("took", "Took", |call: &Self| Value::Length(call.elapsed))
            .named("milliseconds")
            .wide(70.0)
            .from(420.0)
            .field(Field::Took),
        Column::figures("size", "Size", |call: &Self| Value::Bytes(i64::try_from(call.size).unwrap_or(i64::MAX)))
            .named("bytes")
            .wide(68.0)
            .from(640.0)
            .field(Field::Size),
    ];
}

/// What the key of the entry of a run has and no number of a call.
const OF_RUN: u64 = 1 << 63;

impl LogEntry {
    /// The name of its operation; what a run does, if it is the entry of one.
    pub fn title(&self) -> &str {
        match (&self.calls, &self.run) {
            (Some(_), Some(run)) => &run.title,
            _ => self.info.name,
        }
    }

    /// A value that the entry of a run does not have.
    fn of_call<'a>(&self, value: Value<'a>) -> Value<'a> {
        if self.calls.is_some() { Value::NotTold } else { value }
    }
}

impl Row for LogEntry {
    type Key = u64;

    // The log goes on from one connection to the next.
    const OF_CONNECTION: bool = false;
    const NEWEST_FIRST: bool = true;

    fn key(&self) -> u64 {
        // The entry of a run has the number of its newest call, which changes.
        match (&self.calls, &self.run) {
            (Some(_), Some(run)) => (run.id as u64) | OF_RUN,
            _ => self.number,
        }
    }

    fn is_folded(&self) -> bool {
        self.run.is_some() && self.calls.is_none()
    }

    fn is_background(&self) -> bool {
        self.background
    }
}

impl Filterable for LogEntry {
    const LIST: List = List::Log;

    fn haystack(&self) -> Cow<'_, str> {
        let (method, operation) = (self.info.method.as_str(), self.title());
        format!("{operation}\n{method}\n{}\n{}", self.url, self.outcome()).to_lowercase().into()
    }

    fn is(&self, flag: Flag) -> bool {
        match flag {
            Flag::Failed => self.error.is_some() || self.calls.is_some_and(|calls| calls.failed > 0),
            Flag::Background => self.background,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::filter::parse;
    use crate::listing::{Query, RowList, Sort, apply_query};

    use super::*;

    #[test]
    fn calls_are_listed_newest_first_and_those_of_the_background_only_if_they_are_asked_for() {
        let call =
            |number: u64| LogEntry { background: number == 2, ..LogEntry::sample(number, 12, 5 - number as usize) };
        let log: RowList<LogEntry> = (1..=4).map(call).map(Arc::new).collect();
        let shown = |query: &Query| -> Vec<u64> {
            apply_query(&log, query).iter().map(|index| log[*index as usize].number).collect()
        };
        assert_eq!(shown(&Query::default()), [4, 3, 1]);
        assert_eq!(shown(&Query { background: true, ..Query::default() }), [4, 3, 2, 1]);
        let filter = parse("is:background", List::Log).expect("a filter");
        assert_eq!(shown(&Query { filter, ..Query::default() }), [2]);
        let sort = Some(Sort::down("size"));
        assert_eq!(shown(&Query { sort, ..Query::default() }), [1, 3, 4]);
    }
}
