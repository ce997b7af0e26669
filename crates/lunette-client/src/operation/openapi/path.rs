//! The rows of the table as the paths of the document.

use serde_json::{Map, Value, json};

use crate::model::record::Schema;
use crate::operation::{Group, Input, InputLocation, OperationInfo, template};

use super::schema::{Direction, Schemas};
use super::{object, responses, schema};

/// The extensions by what they are about: the beginning of the path, and the heading.
const RESOURCES: [(&str, &str); 13] = [
    ("asset", "Extension: assets"),
    ("search", "Extension: search"),
    ("format", "Extension: formats"),
    ("tag", "Extension: tags"),
    ("website", "Extension: websites"),
    ("workstream", "Extension: workstream summaries"),
    ("conversation", "Extension: conversations"),
    ("message", "Extension: messages"),
    ("annotation", "Extension: annotations"),
    ("activit", "Extension: activities"),
    ("person", "Extension: persons"),
    ("anchor", "Extension: anchors"),
    ("hint", "Extension: hints"),
];

/// The headings in the order of the table.
pub(super) fn tags(rows: &[&OperationInfo]) -> Value {
    let mut tags: Vec<&str> = Vec::new();
    for tag in rows.iter().map(|info| tag(info)) {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags.into_iter().map(|tag| json!({ "name": tag })).collect()
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

fn tag(info: &OperationInfo) -> &'static str {
    let subject = info.path.trim_start_matches('/');
    match info.group {
        Group::Applications => "Applications",
        Group::Asset => "Asset",
        Group::Extension => {
            let heading = RESOURCES.iter().find(|(start, _)| subject.starts_with(start));
            heading.map_or("Extension: the service", |(_, heading)| heading)
        }
    }
}

fn operation(info: &OperationInfo, schemas: &Schemas) -> Value {
    let parameters = info.inputs.iter().filter(|input| input.place != InputLocation::Body);
    object([
        ("operationId", json!(info.name)),
        ("summary", json!(info.summary)),
        ("tags", json!([tag(info)])),
        ("deprecated", if info.deprecated { json!(true) } else { Value::Null }),
        ("x-label", json!(info.label.map(|label| label.as_str()))),
        ("parameters", parameters.map(|input| parameter(input, schemas)).collect()),
        ("requestBody", body(info, schemas)),
        ("responses", responses::of(info, schemas)),
    ])
}

fn parameter(input: &Input, schemas: &Schemas) -> Value {
    let schema = match (input.place, input.schema) {
        // An id is never empty.
        (InputLocation::Path, Schema::Text) => json!({ "type": "string", "minLength": 1 }),
        // What travels in a path or in the query is read strictly.
        (_, Schema::Uuid) => schemas.schema(Schema::Uuid, Direction::Answered),
        (_, Schema::Enum(closed_enum)) => schema::enum_schema(closed_enum),
        (_, Schema::Int) => json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX }),
        (_, schema) => schemas.schema(schema, Direction::Sent),
    };
    json!({ "name": input.name, "in": input.place.to_string(), "required": input.required, "schema": schema })
}

/// The body. Null is taken as none.
fn body(info: &OperationInfo, schemas: &Schemas) -> Value {
    let Some(input) = info.inputs.iter().find(|input| input.place == InputLocation::Body) else { return Value::Null };
    let schema = match input.schema {
        Schema::Uuid => json!({ "type": ["string", "null"], "format": "uuid" }),
        schema => schemas.body(info, schema),
    };
    json!({
        "required": input.required,
        "content": { "application/json": { "schema": schema, "example": template::example(info) } },
    })
}
