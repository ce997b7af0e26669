//! The filters of a search, which are free JSON in the records of the clients.
//!
//! The service takes filters within filters, eight levels deep; the document shows two.

use serde_json::{Map, Value, json};

use super::{no_value, not_blank_text, property};

/// Adds the filters and the space of a search to its schema. It needs words, filters or a space.
pub(super) fn rule(schema: &mut Map<String, Value>) {
    let blank = json!({ "type": ["string", "null"], "pattern": r"^\s*$" });
    let nothing = json!({ "properties": { "query": blank, "filters": no_value(), "space": no_value() } });
    schema.insert("not".to_owned(), nothing);
    property(schema, "filters", joined(&filter(Some(joined(&filter(None))))));
    property(
        schema,
        "space",
        json!({
            "type": ["object", "null"],
            "required": ["identifers"],
            "properties": { "identifers": {
                "type": "object",
                "required": ["iterable"],
                "properties": { "iterable": { "type": "array", "items": {
                    "type": "object", "required": ["id"], "properties": { "id": { "type": "string" } },
                } } },
            } },
            "additionalProperties": no_value(),
        }),
    );
}

/// Filters that are joined. Without any they restrict nothing.
fn joined(filter: &Value) -> Value {
    json!({
        "type": ["object", "null"],
        "properties": { "iterable": { "type": ["array", "null"], "items": filter }, "type": { "enum": ["AND", "OR", null] } },
        "additionalProperties": no_value(),
    })
}

fn filter(operations: Option<Value>) -> Value {
    let texts = json!({ "type": ["array", "null"], "items": { "type": "string" } });
    let mut within = span();
    within["not"] = json!({ "type": "object", "properties": { "from": no_value(), "to": no_value() } });
    let mut fields = json!({
        "classification": { "type": ["string", "null"] },
        "tags": texts,
        "websites": texts,
        "phrase": phrase(),
        "created": within,
        "updated": within,
    });
    if let (Some(operations), Value::Object(fields)) = (operations, &mut fields) {
        fields.insert("operations".to_owned(), operations);
    }
    json!({ "type": "object", "properties": fields, "additionalProperties": no_value() })
}

fn phrase() -> Value {
    let flag = json!({ "type": ["boolean", "null"] });
    json!({
        "type": ["object", "null"],
        "required": ["value"],
        "properties": { "value": not_blank_text(), "annotation": flag, "title": flag, "content": flag },
        "additionalProperties": no_value(),
    })
}

/// A time of this century, on a day that every month has.
pub(super) fn moment() -> Value {
    json!({
        "type": "string",
        "pattern": r"^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$",
    })
}

/// A time with two ends, each of which may be open.
pub(super) fn span() -> Value {
    let moment = json!({
        "type": ["object", "null"],
        "required": ["value"],
        "properties": { "value": moment() },
    });
    json!({
        "type": ["object", "null"],
        "properties": { "from": moment, "to": moment },
        "additionalProperties": no_value(),
    })
}
