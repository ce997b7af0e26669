//! How a typed input is written into the parts of a request and read from them, by the location where it travels.

use std::str::FromStr;

use serde_json::Value;

use crate::model::closed_enum::ClosedEnum;
use crate::model::event::EventKind;
use crate::model::export::ExportType;
use crate::model::id::{
    ActivityId, AnchorId, AnnotationId, ApplicationId, AssetId, BadId, CheckpointId, CollectionName, ConversationId,
    FormatId, HintId, MessageId, PersonId, SessionId, TagId, VersionNumber, WebsiteId, WorkstreamSummaryId,
};
use crate::model::record::{Record, Schema};

use super::{InputLocation, InvalidInput, OperationInfo, RequestParts};

/// An input of the path: always an id, always required.
pub trait PathInput: Sized {
    /// The kind as data.
    const SCHEMA: Schema;

    /// Adds it under its name.
    fn write_to(&self, name: &'static str, parts: &mut RequestParts);
    /// Reads it.
    fn read_from(name: &'static str, parts: &RequestParts) -> Result<Self, InvalidInput>;
}

macro_rules! path_inputs {
    ($($schema:ident: $($id:ident)*;)*) => { $( $(
        impl PathInput for $id {
            const SCHEMA: Schema = Schema::$schema;

            fn write_to(&self, name: &'static str, parts: &mut RequestParts) {
                parts.path.push((name.to_owned(), self.to_string()));
            }

            fn read_from(name: &'static str, parts: &RequestParts) -> Result<Self, InvalidInput> {
                let text = parts.text(InputLocation::Path, name).unwrap_or_default();
                text.parse().map_err(|source| InvalidInput::Id { location: InputLocation::Path, name, source })
            }
        }
    )* )* };
}

path_inputs! {
    Uuid: AssetId ApplicationId SessionId;
    Text: TagId WebsiteId WorkstreamSummaryId FormatId ConversationId MessageId AnnotationId ActivityId PersonId AnchorId HintId
        CollectionName CheckpointId VersionNumber;
}

/// A value that can be sent in the query.
pub trait QueryValue: Sized {
    /// The expected value, for the message.
    const EXPECTED: &'static str;
    /// The kind, in the document's words.
    const KIND: &'static str;
    /// The kind as data.
    const SCHEMA: Schema;

    /// The word's text.
    fn text(&self) -> String;
    /// Reads it; None when it is not of this kind.
    fn of(text: &str) -> Option<Self>;
}

impl QueryValue for bool {
    const EXPECTED: &'static str = "`true` or `false`";
    const KIND: &'static str = "bool";
    const SCHEMA: Schema = Schema::Bool;

    fn text(&self) -> String {
        self.to_string()
    }

    /// Older clients write `True`, and some `1`.
    fn of(text: &str) -> Option<Self> {
        match text {
            "1" => Some(true),
            "0" => Some(false),
            _ if text.eq_ignore_ascii_case("true") => Some(true),
            _ if text.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        }
    }
}

impl QueryValue for u64 {
    const EXPECTED: &'static str = "a whole number";
    const KIND: &'static str = "int";
    const SCHEMA: Schema = Schema::Int;

    fn text(&self) -> String {
        self.to_string()
    }

    fn of(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl QueryValue for String {
    const EXPECTED: &'static str = "text";
    const KIND: &'static str = "String";
    const SCHEMA: Schema = Schema::Text;

    fn text(&self) -> String {
        self.clone()
    }

    fn of(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl QueryValue for ExportType {
    const EXPECTED: &'static str = "an export type";
    const KIND: &'static str = "String";
    const SCHEMA: Schema = Schema::Enum(&ClosedEnum {
        name: "ExportType",
        summary: "The format of an export.",
        words: || vec!["HTML", "MD", "JSON", "TXT", "RAW"],
    });

    fn text(&self) -> String {
        self.as_str().to_owned()
    }

    fn of(text: &str) -> Option<Self> {
        if text.is_empty() { None } else { Self::from_str(text).ok() }
    }
}

impl QueryValue for EventKind {
    const EXPECTED: &'static str = "`CREATED`, `UPDATED`, `DELETED` or `REFERENCED`";
    const KIND: &'static str = "String";
    const SCHEMA: Schema = Schema::Enum(&ClosedEnum {
        name: "ActivityFilterEnum",
        summary: "What an activity did.",
        words: || EventKind::ALL.map(EventKind::as_str).to_vec(),
    });

    fn text(&self) -> String {
        self.as_str().to_owned()
    }

    fn of(text: &str) -> Option<Self> {
        Self::of(text)
    }
}

/// An input of the query: a word, or an optional one.
pub trait QueryInput: Sized {
    /// Whether it must be there.
    const REQUIRED: bool;
    /// The kind, in the document's words.
    const KIND: &'static str;
    /// The kind as data.
    const SCHEMA: Schema;

    /// Adds it under its name, unless it is absent.
    fn write_to(&self, name: &'static str, parts: &mut RequestParts);
    /// Reads it.
    fn read_from(name: &'static str, parts: &RequestParts) -> Result<Self, InvalidInput>;
}

impl<W: QueryValue> QueryInput for W {
    const REQUIRED: bool = true;
    const KIND: &'static str = W::KIND;
    const SCHEMA: Schema = W::SCHEMA;

    fn write_to(&self, name: &'static str, parts: &mut RequestParts) {
        parts.query.push((name.to_owned(), self.text()));
    }

    fn read_from(name: &'static str, parts: &RequestParts) -> Result<Self, InvalidInput> {
        Option::<W>::read_from(name, parts)?.ok_or(InvalidInput::Missing { location: InputLocation::Query, name })
    }
}

impl<W: QueryValue> QueryInput for Option<W> {
    const REQUIRED: bool = false;
    const KIND: &'static str = W::KIND;
    const SCHEMA: Schema = W::SCHEMA;

    fn write_to(&self, name: &'static str, parts: &mut RequestParts) {
        if let Some(word) = self {
            word.write_to(name, parts);
        }
    }

    fn read_from(name: &'static str, parts: &RequestParts) -> Result<Self, InvalidInput> {
        let Some(text) = parts.text(InputLocation::Query, name) else { return Ok(None) };
        let bad = || InvalidInput::Value {
            location: InputLocation::Query,
            name,
            found: text.to_owned(),
            wanted: W::EXPECTED,
        };
        W::of(text).map(Some).ok_or_else(bad)
    }
}

/// A JSON body. All of the interface's are optional (interface, 4: "may be omitted").
pub trait BodyInput: Sized {
    /// Whether it must be there.
    const REQUIRED: bool;
    /// The record's name.
    const KIND: &'static str;
    /// The kind as data.
    const SCHEMA: Schema;

    /// Writes it, unless it is absent.
    fn write_to(&self, parts: &mut RequestParts);
    /// Reads it, for the operation of this row.
    fn read_from(info: &OperationInfo, name: &'static str, parts: &RequestParts) -> Result<Self, InvalidInput>;
    /// Takes it out of the tree of the body.
    fn of_tree(info: &OperationInfo, name: &'static str, tree: Option<Value>) -> Result<Self, InvalidInput>;
}

impl<R: Record> BodyInput for Option<R> {
    const REQUIRED: bool = false;
    const KIND: &'static str = R::NAME;
    const SCHEMA: Schema = Schema::Record(R::NAME);

    fn write_to(&self, parts: &mut RequestParts) {
        parts.body = self.as_ref().map(|record| record.tree().to_string().into_bytes());
    }

    fn read_from(info: &OperationInfo, name: &'static str, parts: &RequestParts) -> Result<Self, InvalidInput> {
        let Some(body) = &parts.body else { return Ok(None) };
        let tree = serde_json::from_slice(body).map_err(|error| InvalidInput::NotJson(error.to_string()))?;
        Self::of_tree(info, name, Some(tree))
    }

    fn of_tree(info: &OperationInfo, _: &'static str, tree: Option<Value>) -> Result<Self, InvalidInput> {
        let Some(tree) = tree.filter(|tree| !tree.is_null()) else { return Ok(None) };
        let record = if info.updates { R::from_part(tree) } else { R::from_tree(tree) };
        record.map(Some).map_err(|source| InvalidInput::Schema { record: R::NAME, source })
    }
}

impl<R: Record> BodyInput for R {
    const REQUIRED: bool = true;
    const KIND: &'static str = R::NAME;
    const SCHEMA: Schema = Schema::Record(R::NAME);

    fn write_to(&self, parts: &mut RequestParts) {
        parts.body = Some(self.tree().to_string().into_bytes());
    }

    fn read_from(info: &OperationInfo, name: &'static str, parts: &RequestParts) -> Result<Self, InvalidInput> {
        Option::<R>::read_from(info, name, parts)?.ok_or(InvalidInput::Missing { location: InputLocation::Body, name })
    }

    fn of_tree(info: &OperationInfo, name: &'static str, tree: Option<Value>) -> Result<Self, InvalidInput> {
        Option::<R>::of_tree(info, name, tree)?.ok_or(InvalidInput::Missing { location: InputLocation::Body, name })
    }
}

/// A session's id travels as a JSON string, quotes included; a bare id is read too (records, section 0, surprise 6).
impl BodyInput for Option<SessionId> {
    const REQUIRED: bool = false;
    const KIND: &'static str = "String";
    const SCHEMA: Schema = Schema::Uuid;

    fn write_to(&self, parts: &mut RequestParts) {
        parts.body = self.as_ref().map(|id| serde_json::Value::from(id.as_str()).to_string().into_bytes());
    }

    fn read_from(_: &OperationInfo, name: &'static str, parts: &RequestParts) -> Result<Self, InvalidInput> {
        let Some(body) = &parts.body else { return Ok(None) };
        let text = match serde_json::from_slice::<Option<String>>(body) {
            Ok(None) => return Ok(None),
            Ok(Some(text)) => text,
            Err(_) => String::from_utf8_lossy(body).trim().to_owned(),
        };
        let bad = |source: BadId| InvalidInput::Id { location: InputLocation::Body, name, source };
        text.parse().map(Some).map_err(bad)
    }

    fn of_tree(_: &OperationInfo, name: &'static str, tree: Option<Value>) -> Result<Self, InvalidInput> {
        let Some(tree) = tree.filter(|tree| !tree.is_null()) else { return Ok(None) };
        let bad = |source: BadId| InvalidInput::Id { location: InputLocation::Body, name, source };
        tree.as_str().unwrap_or_default().parse().map(Some).map_err(bad)
    }
}
