//! What each operation may answer.

use serde_json::{Map, Value, json};

use crate::model::record::Schema;
use crate::model::registry;
use crate::operation::{InputLocation, Method, OperationInfo};

use super::schema::{Direction, Schemas};

/// Error responses: the status, the name, and when they are returned.
const ERROR_RESPONSES: [(u16, &str, &str); 11] = [
    (400, "BadRequest", "An input is missing, malformed or not allowed."),
    (
        403,
        "Forbidden",
        "The browser guard rejected the request because it came from a web page or its `Host` is not this machine.",
    ),
    (404, "NotFound", "The item named in the path or the body does not exist."),
    (408, "TooSlow", "The body did not arrive in time."),
    (
        409,
        "Conflict",
        "Another record of this kind has the same text or address, the content of the Trash has changed, or the record is \
         one that stays.",
    ),
    (410, "Gone", "The item named in the path does not exist or was deleted."),
    (413, "TooLarge", "The body exceeds the size limit."),
    (415, "NoJson", "The content type of the body is not `application/json`."),
    (500, "Failed", "Internal error; see the log of the service."),
    (503, "Busy", "Too many requests at once, or the disk is not available; try again later."),
    (507, "Full", "The disk is full."),
];

/// The refusals that these operations refer to.
pub(super) fn components(rows: &[&OperationInfo]) -> Value {
    let referred = |status| rows.iter().any(|info| may_return(info, status));
    let refusals = ERROR_RESPONSES.into_iter().filter(|(status, ..)| referred(*status));
    Value::Object(refusals.map(|(_, name, when)| (name.to_owned(), text_response(when))).collect::<Map<_, _>>())
}

/// What an operation may answer, by status.
pub(super) fn of(info: &OperationInfo, schemas: &Schemas) -> Value {
    let mut answers = Map::new();
    answers.insert(info.status.to_string(), success(info, schemas));
    for (status, name, _) in ERROR_RESPONSES.into_iter().filter(|(status, ..)| may_return(info, *status)) {
        answers.insert(status.to_string(), json!({ "$ref": format!("#/components/responses/{name}") }));
    }
    Value::Object(answers)
}

fn success(info: &OperationInfo, schemas: &Schemas) -> Value {
    match (info.answer, registry::record(info.answer)) {
        (_, Some(record)) => {
            let schema = schemas.schema(Schema::Record(record.name), Direction::Answered);
            json!({ "description": "Success.", "content": { "application/json": { "schema": schema } } })
        }
        ("String", None) => text_response("Success."),
        _ => json!({ "description": "Success; no content." }),
    }
}

fn text_response(description: &str) -> Value {
    json!({ "description": description, "content": { "text/plain": { "schema": { "type": "string" } } } })
}

fn may_return(info: &OperationInfo, status: u16) -> bool {
    let has = |location: InputLocation| info.inputs.iter().any(|input| input.location == location);
    match status {
        400 => !info.inputs.is_empty(),
        404 => has(InputLocation::Path) || has(InputLocation::Body),
        409 => info.conflicts,
        408 | 413 | 415 => has(InputLocation::Body),
        410 => info.method == Method::Get && has(InputLocation::Path),
        507 => info.writes() || registry::record(info.answer).is_some(),
        _ => true,
    }
}
