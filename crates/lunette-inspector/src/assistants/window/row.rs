//! An assistant in a list.

use std::borrow::Cow;
use std::sync::Arc;

use crate::assistants::{Assistant, Assistants};
use crate::filter::{Field, Filterable, Flag, List};
use crate::following::{self, FollowError};
use crate::listing::{Column, Columns, Moment, Row, Value};

/// An assistant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssistantRow {
    /// The name by which it is known, which it gave itself.
    pub name: String,
    /// What is known of it.
    pub assistant: Assistant,
}

impl AssistantRow {
    /// Whether it may call, in a word.
    pub fn state(&self) -> &'static str {
        if self.assistant.off { "off" } else { "on" }
    }

    /// What it may do, in a few words.
    pub fn may(&self) -> &'static str {
        match (self.assistant.off, self.assistant.applies_small) {
            (true, _) => "nothing",
            (false, true) => "read, propose, small changes",
            (false, false) => "read and propose",
        }
    }
}

fn count(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl Columns for AssistantRow {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("name", "Name", |row: &Self| Value::text(&row.name)).wide(150.0).growing(2.0).field(Field::Name),
        Column::text("state", "State", |row: &Self| Value::Named { text: row.state(), token: row.state() })
            .wide(56.0)
            .field(Field::State)
            .fixed(),
        Column::text("may", "May", |row: &Self| Value::text(row.may())).wide(130.0).growing(1.0).from(560.0),
        Column::figures("calls", "Calls", |row: &Self| Value::Number(count(row.assistant.calls))).wide(70.0),
        Column::figures("size", "Received", |row: &Self| Value::Bytes(count(row.assistant.bytes)))
            .wide(86.0)
            .field(Field::Size),
        Column::figures("requests", "Requests", |row: &Self| Value::Number(count(row.assistant.requests)))
            .wide(84.0)
            .from(640.0),
        Column::text("last", "Last seen", |row: &Self| match row.assistant.last.as_str() {
            "" => Value::NotTold,
            last => Value::Moment(Moment::Text(last)),
        })
        .wide(96.0)
        .field(Field::Active)
        .fixed(),
    ];
}

impl Row for AssistantRow {
    type Key = String;

    const OF_CONNECTION: bool = false;

    fn key(&self) -> String {
        self.name.clone()
    }

    fn has_key(&self, key: &String) -> bool {
        self.name == *key
    }
}

impl Filterable for AssistantRow {
    const LIST: List = List::Assistants;

    fn haystack(&self) -> Cow<'_, str> {
        self.name.to_lowercase().into()
    }

    fn is(&self, _: Flag) -> bool {
        false
    }
}

/// The assistants that were found in the database.
pub(crate) type Found = Vec<Arc<AssistantRow>>;

/// Reads all assistants; returns none if nothing changed since the last call and nobody waits for them.
pub(super) fn reader(
    assistants: Assistants,
) -> impl FnMut(bool) -> Result<following::Found<Found>, FollowError> + Send {
    let mut before: Option<Found> = None;
    move |awaited| {
        let row = |(name, assistant)| Arc::new(AssistantRow { name, assistant });
        let now: Found = assistants.list()?.into_iter().map(row).collect();
        Ok((awaited || before.as_ref() != Some(&now)).then(|| before.insert(now).clone()).into())
    }
}
