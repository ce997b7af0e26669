//! What an operation of the interface is: its row, the parts of a request, and what comes back.
//!
//! Client and service never name each other; this is all they share beside the records. One side writes a request into
//! [`RequestParts`] and the other reads it from them, so that every path, query name and encoding rule exists once.

use std::fmt;

use serde_json::Value;

use crate::model::id::BadId;
use crate::model::record::{Record, Schema, SchemaError};
use lunette_json::budget::{self, JsonError, OverBudget};
use lunette_json::duplicate_key::duplicate_key;

pub mod elements;
pub mod input;
pub mod openapi;
pub mod parts;
mod rows;
pub mod stream;
pub mod table;
pub mod template;
pub mod unsupported;

pub use parts::RequestParts;
pub use stream::{
    CHANGES_ONLY, Change, NO_SNAPSHOT, STATUS_STREAMS, STREAMS, StatusStream, StatusStreamInfo, StreamInfo, StreamKind,
};
pub use table::{Call, OPERATIONS, Reply};

/// One operation: a typed request that knows its row.
pub trait Operation: Into<Call> + Send + 'static {
    /// The row of the table.
    const INFO: &'static OperationInfo;
    /// The body of a success.
    type Output: ResponseBody;

    /// Writes the request's inputs.
    fn write(&self) -> RequestParts;
    /// Reads the request's inputs; fails on the first that is missing or malformed.
    fn read(parts: &RequestParts) -> Result<Self, InvalidInput>;
    /// Reads the request's inputs with an already parsed body; the body of the parts is ignored.
    fn read_with_body(parts: &RequestParts, body: Option<Value>) -> Result<Self, InvalidInput>;
    /// Extracts this operation's response from a reply; None if the reply belongs to another operation.
    fn output(reply: Reply) -> Option<Self::Output>;
}

/// A row of the table, as the interface document has it.
#[derive(Debug)]
pub struct OperationInfo {
    /// The document's name, such as `assetAssociateTag`.
    pub name: &'static str,
    /// The HTTP method.
    pub method: Method,
    /// The path, inputs in braces.
    pub path: &'static str,
    /// Path, query and body inputs, in this order.
    pub inputs: &'static [Input],
    /// What the client says it accepts.
    pub accept: Accept,
    /// The document's section.
    pub group: Group,
    /// Whether section 9 of the document lists it.
    pub deprecated: bool,
    /// Whether it changes nothing: every GET, and the POSTs that only ask.
    pub reads: bool,
    /// Whether its body changes a record that is there: of the body only the id has to be there.
    pub updates: bool,
    /// Whether its body may hold the content of an asset, and so may be larger than others.
    pub brings_content: bool,
    /// Whether a service may keep its answer until the store changes: it depends on nothing else.
    pub cached: bool,
    /// Whether its answer has no limit, so that a service sends it while it is still being written.
    pub streamed: bool,
    /// Whether it may conflict with stored data: a service may respond 409.
    pub conflicts: bool,
    /// Whether it can do nothing without its body, if it has one.
    pub needs_body: bool,
    /// The document's label, where it has one.
    pub label: Option<Label>,
    /// One sentence on what it does.
    pub summary: &'static str,
    /// The record it answers with; `void` for none.
    pub answer: &'static str,
    /// How the body of its success is encoded.
    pub body_kind: BodyKind,
    /// The status of a success (records, section 1).
    pub status: u16,
}

/// Rows are compared by name: there is one of each.
impl PartialEq for OperationInfo {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for OperationInfo {}

impl OperationInfo {
    /// The row of this name; names compare as in the document.
    pub fn named(name: &str) -> Option<&'static Self> {
        OPERATIONS.iter().copied().find(|info| info.name == name)
    }

    /// Whether calling it can change anything at the service.
    pub fn writes(&self) -> bool {
        !self.reads
    }
}

/// One input of an operation.
#[derive(Debug)]
pub struct Input {
    /// The name in the path template or the query; for a body, the name of the field.
    pub name: &'static str,
    /// Where it travels.
    pub location: InputLocation,
    /// Whether a request without it is rejected.
    pub required: bool,
    /// The kind, in the words of the interface document.
    pub kind: &'static str,
    /// The kind as data.
    pub schema: Schema,
}

/// Where an input travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputLocation {
    /// A segment of the path.
    Path,
    /// The query.
    Query,
    /// The JSON body.
    Body,
}

impl fmt::Display for InputLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Body => "body",
        })
    }
}

/// The methods the interface uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads; changes nothing, ever.
    Get,
    /// Writes, with or without a body.
    Post,
}

impl Method {
    /// The method's name in a request line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The Accept column of the interface document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accept {
    /// `application/json`.
    Json,
    /// `application/json, text/plain`.
    JsonOrText,
    /// `text/plain`.
    Text,
    /// "not defined": the header is not sent.
    Undefined,
}

impl Accept {
    /// The header's value; None where none is sent.
    pub fn header(self) -> Option<&'static str> {
        match self {
            Self::Json => Some("application/json"),
            Self::JsonOrText => Some("application/json, text/plain"),
            Self::Text => Some("text/plain"),
            Self::Undefined => None,
        }
    }
}

/// The section of the document that describes an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Section 4.1.
    Applications,
    /// Section 4.2.
    Asset,
    /// Not in the document: what services of this family offer beside it (records, section 3).
    Extension,
}

impl Group {
    /// The group's heading.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Applications => "Applications",
            Self::Asset => "Asset",
            Self::Extension => "Extension",
        }
    }
}

/// The document's labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// "Scoped to Apps".
    Apps,
    /// "Scoped To Asset".
    Asset,
}

impl Label {
    /// The label's words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Apps => "Scoped to Apps",
            Self::Asset => "Scoped to Asset",
        }
    }
}

/// An invalid input.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InvalidInput {
    /// A required input is not there.
    #[error("the {location} input `{name}` is missing")]
    Missing {
        /// Where it should be.
        location: InputLocation,
        /// Its name.
        name: &'static str,
    },
    /// A malformed id.
    #[error("the {location} input `{name}` is not a valid id: {source}")]
    Id {
        /// Where it is.
        location: InputLocation,
        /// Its name.
        name: &'static str,
        /// Why not.
        source: BadId,
    },
    /// A value that cannot be parsed as its type.
    #[error("the {location} input `{name}` must be {wanted}, not {found:?}")]
    Value {
        /// Where it is.
        location: InputLocation,
        /// Its name.
        name: &'static str,
        /// What was given.
        found: String,
        /// What was expected.
        wanted: &'static str,
    },
    /// A body that is not JSON.
    #[error("the body is not JSON: {0}")]
    NotJson(String),
    /// A JSON body that does not match its record.
    #[error("the body is not a valid {record}: {source}")]
    Schema {
        /// The record it should be.
        record: &'static str,
        /// Where it differs.
        source: SchemaError,
    },
}

/// The body of a successful response.
pub trait ResponseBody: Sized + Send + 'static {
    /// The name in the table's Response column.
    const NAME: &'static str;
    /// How it travels.
    const KIND: BodyKind;

    /// Reads a body as far as it goes: a record is any object ([`Record::from_any`]). Fails when it is not of this kind.
    fn read(body: &[u8]) -> Result<Self, DecodeError>;
    /// Writes the body.
    fn write(&self) -> Vec<u8>;
    /// The response as JSON, for people to look at: void is null, text a string.
    fn to_tree(&self) -> Value;
}

/// How a response travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Nothing.
    Void,
    /// `text/plain`.
    Text,
    /// `application/json`.
    Record,
}

/// A response body that cannot be decoded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DecodeError {
    /// Not JSON, or not text.
    #[error("{0}")]
    NotJson(String),
    /// JSON that does not match the schema.
    #[error("{0}")]
    Schema(SchemaError),
    /// JSON whose values would exceed their memory budget.
    #[error("{0}")]
    OverBudget(OverBudget),
}

impl From<JsonError> for DecodeError {
    fn from(error: JsonError) -> Self {
        match error {
            JsonError::OverBudget(over) => Self::OverBudget(over),
            JsonError::Syntax(error) => Self::NotJson(error.to_string()),
        }
    }
}

/// A void response accepts any body: services differ in what they send (records, section 1).
impl ResponseBody for () {
    const NAME: &'static str = "void";
    const KIND: BodyKind = BodyKind::Void;

    fn read(_: &[u8]) -> Result<Self, DecodeError> {
        Ok(())
    }

    fn write(&self) -> Vec<u8> {
        Vec::new()
    }

    fn to_tree(&self) -> Value {
        Value::Null
    }
}

impl ResponseBody for String {
    const NAME: &'static str = "String";
    const KIND: BodyKind = BodyKind::Text;

    fn read(body: &[u8]) -> Result<Self, DecodeError> {
        String::from_utf8(body.to_vec())
            .map_err(|error| DecodeError::NotJson(format!("the text is not UTF-8: {error}")))
    }

    fn write(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }

    fn to_tree(&self) -> Value {
        Value::String(self.clone())
    }
}

impl<R: Record + Send + 'static> ResponseBody for R {
    const NAME: &'static str = R::NAME;
    const KIND: BodyKind = BodyKind::Record;

    fn read(body: &[u8]) -> Result<Self, DecodeError> {
        let tree = budget::parse(body)?;
        let twice = duplicate_key(body, &tree);
        R::from_any(tree).map(|record| record.with_duplicate_key(twice)).map_err(DecodeError::Schema)
    }

    fn write(&self) -> Vec<u8> {
        self.tree().to_string().into_bytes()
    }

    fn to_tree(&self) -> Value {
        self.tree().clone()
    }
}

/// The status of a success: links and increments answer 204, everything else 200 (records, section 1).
pub(crate) const fn success_status(kind: BodyKind, accept: Accept) -> u16 {
    match (kind, accept) {
        (BodyKind::Void, Accept::Text) => 204,
        _ => 200,
    }
}
