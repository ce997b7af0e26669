//! Streams of identifiers: what a service of this family pushes (records, section 3), and how a message of one is
//! written and read. The interface's own document names none (section 6).

use serde_json::{Map, Value, json};

use super::{DecodeError, elements};
use crate::model::SchemaError;
use crate::model::record::kind_name;
use lunette_json::budget;

/// One stream, a row.
#[derive(Debug, PartialEq, Eq)]
pub struct StreamInfo {
    /// The clients' name, such as `assetsStreamIdentifiers`.
    pub name: &'static str,
    /// The path of its WebSocket.
    pub path: &'static str,
    /// The kind of records.
    pub kind: StreamKind,
}

/// The kind of records on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each is the record of its name")]
pub enum StreamKind {
    Assets,
    Tags,
    Websites,
    WorkstreamSummaries,
    Conversations,
    Applications,
    Activities,
}

impl StreamKind {
    /// The field of a `StreamedIdentifier` that names one of them.
    pub fn field(self) -> &'static str {
        match self {
            Self::Assets => "asset",
            Self::Tags => "tag",
            Self::Websites => "website",
            Self::WorkstreamSummaries => "workstream_summary",
            Self::Conversations => "conversation",
            Self::Applications => "application",
            Self::Activities => "activity",
        }
    }

    /// Its row.
    pub fn info(self) -> &'static StreamInfo {
        let row = |kind| STREAMS.iter().find(|info| info.kind == kind);
        row(self).unwrap_or(&STREAMS[0])
    }
}

/// The query that asks our own service for changes alone, without the snapshot that a stream begins with.
pub const CHANGES_ONLY: &str = "snapshot=false";

/// The header of an answer that says so, since a service that does not know the query sends a snapshot all the same.
pub const NO_SNAPSHOT: &str = "no-snapshot";

/// The streams of identifiers (records, section 3): WebSockets that send a snapshot first and then every change.
pub const STREAMS: [StreamInfo; 7] = [
    StreamInfo { name: "assetsStreamIdentifiers", path: "/assets/stream/identifiers", kind: StreamKind::Assets },
    StreamInfo { name: "tagsStreamIdentifiers", path: "/tags/stream/identifiers", kind: StreamKind::Tags },
    StreamInfo { name: "websitesStreamIdentifiers", path: "/websites/stream/identifiers", kind: StreamKind::Websites },
    StreamInfo {
        name: "workstreamSummariesStreamIdentifiers",
        path: "/workstream_summaries/stream/identifiers",
        kind: StreamKind::WorkstreamSummaries,
    },
    StreamInfo {
        name: "conversationsStreamIdentifiers",
        path: "/conversations/stream/identifiers",
        kind: StreamKind::Conversations,
    },
    StreamInfo {
        name: "applicationsStreamIdentifiers",
        path: "/applications/stream/identifiers",
        kind: StreamKind::Applications,
    },
    StreamInfo {
        name: "activitiesStreamIdentifiers",
        path: "/activities/stream/identifiers",
        kind: StreamKind::Activities,
    },
];

/// A stream about the service itself, a row.
#[derive(Debug, PartialEq, Eq)]
pub struct StatusStreamInfo {
    /// The clients' name, such as `userStream`.
    pub name: &'static str,
    /// The path of its WebSocket.
    pub path: &'static str,
    /// What its messages say.
    pub kind: StatusStream,
    /// What it sends, in a sentence.
    pub summary: &'static str,
}

/// What the messages of a stream about the service itself say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusStream {
    /// That it is there: what `getWellKnownHealth` responds.
    Health,
    /// Who uses it: a `UserProfile`.
    User,
}

/// The streams about the service itself, which editors' plugins open before they do anything else. Each sends one
/// message when it begins, and stays open as long as the service runs.
pub const STATUS_STREAMS: [StatusStreamInfo; 2] = [
    StatusStreamInfo {
        name: "getWellKnownStreamHealth",
        path: "/.well-known/stream/health",
        kind: StatusStream::Health,
        summary: "Sends the health of the service once; the stream ends when the service stops.",
    },
    StatusStreamInfo {
        name: "userStream",
        path: "/user/stream",
        kind: StatusStream::User,
        summary: "Sends the user of the service once, as a `UserProfile`; the local user never changes.",
    },
];

/// One change on a stream: a record exists, was changed, or is gone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Change {
    /// What it is.
    pub kind: StreamKind,
    /// Its id.
    pub id: String,
    /// Whether it was deleted.
    pub deleted: bool,
}

impl Change {
    /// A message of these, as a `StreamedIdentifiers` record.
    pub fn message(changes: impl IntoIterator<Item = Self>) -> String {
        let entries = changes.into_iter().map(|change| {
            let mut entry = Map::new();
            entry.insert(change.kind.field().to_owned(), json!({ "id": change.id }));
            if change.deleted {
                entry.insert("deleted".to_owned(), Value::Bool(true));
            }
            Value::Object(entry)
        });
        json!({ "iterable": entries.collect::<Vec<_>>() }).to_string()
    }

    /// Reads a message. Entries of other kinds are skipped; another shape fails.
    pub fn read(message: &[u8]) -> Result<Vec<Self>, DecodeError> {
        let mut changes = Vec::new();
        elements::each(message, "StreamedIdentifiers", |element| {
            let entry = budget::parse(element.text)?;
            changes.extend(read_entry(&entry).map_err(|wrong| element.wrong(wrong))?);
            Ok(())
        })?;
        Ok(changes)
    }
}

fn read_entry(entry: &Value) -> Result<Option<Change>, SchemaError> {
    let Value::Object(fields) = entry else {
        return Err(SchemaError::new(format!("expected an object, got {}", kind_name(entry))));
    };
    let deleted = match fields.get("deleted") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(deleted)) => *deleted,
        Some(other) => {
            let problem = format!("expected a boolean, got {}", kind_name(other));
            return Err(SchemaError::new(problem).within("deleted"));
        }
    };
    let named = |info: &StreamInfo| Some((info.kind, fields.get(info.kind.field()).filter(|value| !value.is_null())?));
    let Some((kind, reference)) = STREAMS.iter().find_map(named) else { return Ok(None) };
    match reference.get("id") {
        Some(Value::String(id)) => Ok(Some(Change { kind, id: id.clone(), deleted })),
        _ => Err(SchemaError::new("expected a string").within("id").within(kind.field())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_round_trips() {
        let changes: Vec<Change> = STREAMS
            .iter()
            .flat_map(|info| [false, true].map(|deleted| Change { kind: info.kind, id: "a\"b".to_owned(), deleted }))
            .collect();
        let message = Change::message(changes.clone());
        assert_eq!(Change::read(message.as_bytes()), Ok(changes));
        let one = Change { kind: StreamKind::WorkstreamSummaries, id: "1".to_owned(), deleted: true };
        assert_eq!(Change::message([one]), r#"{"iterable":[{"workstream_summary":{"id":"1"},"deleted":true}]}"#);
    }

    #[test]
    fn unknown_kinds_are_skipped_and_other_shapes_fail_with_their_position() {
        let read = |text: &str| Change::read(text.as_bytes());
        assert_eq!(read(r#"{"iterable":[{"range":{"id":"1"}},{},{"tag":null}],"more":1}"#), Ok(Vec::new()));
        for (text, path) in [
            ("[]", "$"),
            (r#"{"iterable":{}}"#, "$.iterable"),
            (r#"{"iterable":[1]}"#, "$.iterable[0]"),
            (r#"{"iterable":[{"asset":"1"}]}"#, "$.iterable[0].asset.id"),
            (r#"{"iterable":[{},{"tag":{"id":1}}]}"#, "$.iterable[1].tag.id"),
            (r#"{"iterable":[{"tag":{"id":"1"},"deleted":"no"}]}"#, "$.iterable[0].deleted"),
        ] {
            let Err(DecodeError::Schema(wrong)) = read(text) else { panic!("{text}") };
            assert_eq!(wrong.path(), path, "{text}");
        }
    }

    #[test]
    fn every_kind_has_its_own_row() {
        for info in &STREAMS {
            assert_eq!(info.kind.info(), info);
        }
    }
}
