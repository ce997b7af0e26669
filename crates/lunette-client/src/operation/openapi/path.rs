//! The rows of the table as the paths of the document.

use serde_json::{Map, Value, json};

use crate::model::record::Schema;
use crate::operation::{Group, Input, InputLocation, OperationInfo, template};

use super::schema::{Direction, Schemas};
use super::{object, responses, rules, schema};

/// A heading of the document.
struct Heading {
    /// The beginning of the paths below it, without the slash.
    start: &'static str,
    name: &'static str,
    description: &'static str,
}

const fn heading(start: &'static str, name: &'static str, description: &'static str) -> Heading {
    Heading { start, name, description }
}

/// What concerns all kinds of records.
const fn materials(start: &'static str) -> Heading {
    heading(start, "Extension: materials", "Counts, ids and batches of all records, to copy everything.")
}

const APPLICATIONS: Heading =
    heading("applications", "Applications", "Tracked applications, their sessions and their use; external detections.");
const ASSET: Heading =
    heading("asset", "Asset", "One asset: its record, links, formats, activities, conversations, scores and exports.");

/// The extensions that have no heading of their own.
const SERVICE: Heading =
    heading("", "Extension: the service", "The service itself: its health, version, user and clients.");

/// The other extensions by what they are about.
const EXTENSIONS: [Heading; 18] = [
    heading("asset", "Extension: assets", "Lists, searches, creates, deletes and restores assets."),
    heading("search", "Extension: search", "Finds assets by their text and by their tags."),
    heading("format", "Extension: formats", "The contents of assets and their languages."),
    heading("tag", "Extension: tags", "Tags and the assets that have them."),
    heading("website", "Extension: websites", "Websites and the assets that name them."),
    materials("workstream_pattern_engine"),
    heading("workstream", "Extension: workstream summaries", "Workstream summaries and the assets they are about."),
    heading("conversation", "Extension: conversations", "Conversations and the assets they are about."),
    heading("message", "Extension: messages", "The messages of conversations, one by one."),
    heading("annotation", "Extension: annotations", "Descriptions and comments of assets and other records."),
    heading("activit", "Extension: activities", "What happened to assets, and by which application."),
    heading("person", "Extension: persons", "Persons that assets are linked with."),
    heading("anchor", "Extension: anchors", "Files and folders that assets are linked with."),
    heading("hint", "Extension: hints", "Questions that assets can answer."),
    heading("checkpoint", "Extension: checkpoints", "Moments with a name, whose versions of assets are kept."),
    heading("version", "Extension: versions", "How many earlier versions of assets are kept."),
    materials("materials"),
    materials("connectors"),
];

/// The headings in the order of the table.
pub(super) fn tags(rows: &[&OperationInfo]) -> Value {
    let mut tags: Vec<&Heading> = Vec::new();
    for tag in rows.iter().map(|info| tag(info)) {
        if !tags.iter().any(|known| known.name == tag.name) {
            tags.push(tag);
        }
    }
    tags.into_iter().map(|tag| json!({ "name": tag.name, "description": tag.description })).collect()
}

/// Every row under its path and method.
pub(super) fn paths(rows: &[&OperationInfo], schemas: &Schemas) -> Value {
    let mut paths = Map::new();
    for info in rows {
        let methods = paths.entry(info.path).or_insert_with(|| json!({}));
        methods[info.method.as_str().to_ascii_lowercase()] = operation(info, schemas);
    }
    Value::Object(paths)
}

fn tag(info: &OperationInfo) -> &'static Heading {
    let subject = info.path.trim_start_matches('/');
    // A path that begins with an input is about any kind.
    let subject = if subject.starts_with('{') { "materials" } else { subject };
    match info.group {
        Group::Applications => &APPLICATIONS,
        Group::Asset => &ASSET,
        Group::Extension => EXTENSIONS.iter().find(|heading| subject.starts_with(heading.start)).unwrap_or(&SERVICE),
    }
}

/// What is to be known of an operation beside its summary: how much its response can be, and what it does to records.
fn description(info: &OperationInfo) -> String {
    let mut sentences = vec![info.summary.to_owned()];
    if info.updates {
        sentences.push(
            "The body is merged into the record: only `id` is required, and what it does not name stays.".to_owned(),
        );
    }
    if info.streamed {
        sentences.push("The response has no limit and is sent in chunks.".to_owned());
    }
    if info.cached {
        sentences.push("The response has an `ETag`; a request that names it in `If-None-Match` gets 304.".to_owned());
    }
    if info.deprecated {
        sentences.push("Deprecated, and supported all the same.".to_owned());
    }
    sentences.join(" ")
}

fn operation(info: &OperationInfo, schemas: &Schemas) -> Value {
    let parameters = info.inputs.iter().filter(|input| input.location != InputLocation::Body);
    object([
        ("operationId", json!(info.name)),
        ("summary", json!(info.summary)),
        ("description", json!(description(info))),
        ("tags", json!([tag(info).name])),
        ("deprecated", if info.deprecated { json!(true) } else { Value::Null }),
        ("x-label", json!(info.label.map(|label| label.as_str()))),
        ("parameters", parameters.map(|input| parameter(info, input, schemas)).collect()),
        ("requestBody", body(info, schemas)),
        ("responses", responses::of(info, schemas)),
    ])
}

fn parameter(info: &OperationInfo, input: &Input, schemas: &Schemas) -> Value {
    let required = input.required || rules::needs_parameter(info, input.name);
    let schema = match (input.location, input.schema) {
        (InputLocation::Path, Schema::Text) => rules::path_text(input.name),
        // What travels in a path or in the query is read strictly.
        (_, Schema::Uuid) => schemas.schema(Schema::Uuid, Direction::Answered),
        (_, Schema::Enum(closed_enum)) => schema::enum_schema(closed_enum),
        (InputLocation::Query, Schema::Text) if rules::query_text(input.name).is_some() => {
            rules::query_text(input.name).unwrap_or_default()
        }
        // A text that is looked for is not empty.
        (InputLocation::Query, Schema::Text) if required => rules::not_blank_text(),
        (_, Schema::Int) => json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX }),
        (_, schema) => schemas.schema(schema, Direction::Sent),
    };
    json!({
        "name": input.name, "in": input.location.to_string(), "required": required, "schema": schema,
        "example": template::parameter(input),
    })
}

/// The body. Null is taken as none. The interface calls every body optional; here those are required without which the
/// operation can do nothing.
fn body(info: &OperationInfo, schemas: &Schemas) -> Value {
    let Some(input) = info.inputs.iter().find(|input| input.location == InputLocation::Body) else {
        return Value::Null;
    };
    let schema = match input.schema {
        Schema::Uuid if info.needs_body => json!({ "type": "string", "format": "uuid" }),
        Schema::Uuid => json!({ "type": ["string", "null"], "format": "uuid" }),
        schema => rules::body(info, schemas.body(info, schema)),
    };
    json!({
        "required": input.required || info.needs_body,
        "content": { "application/json": { "schema": schema, "example": template::example(info) } },
    })
}
