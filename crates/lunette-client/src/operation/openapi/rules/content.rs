//! What a content in a request must have: a text, or bytes.
//!
//! Each part is written as what is refused, as the rules of other records are: the fields stay as the clients know them.

use serde_json::{Map, Value, json};

use super::{both, neither, no_value};

/// Base64 of whole bytes (RFC 4648, 4).
const BASE64: &str = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$";
/// Bytes in base64 with the letters of URLs, as a regular expression (RFC 4648, 5).
const BASE64_URL: &str = "^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2}==|[A-Za-z0-9_-]{3}=)?$";

/// A content is a string or bytes.
pub(super) fn rule(schema: &mut Map<String, Value>) {
    schema.insert("not".to_owned(), json!({ "anyOf": refused() }));
}

/// A new content of a format is a fragment or a file.
pub(super) fn rule_of_format(schema: &mut Map<String, Value>) {
    let mut all = vec![both("fragment", "file"), neither("fragment", "file")];
    for field in ["fragment", "file"] {
        let content = json!({ "type": "object", "anyOf": refused() });
        all.push(json!({ "required": [field], "properties": { field: content } }));
    }
    schema.insert("not".to_owned(), json!({ "anyOf": all }));
}

/// A message is text: its fragment has a string with it.
pub(super) fn text_of_message(schema: &mut Map<String, Value>) {
    let no_text = json!({ "type": "object", "properties": { "raw": no_value() } });
    let fragment = json!({
        "type": "object",
        "anyOf": [
            { "properties": { "string": no_value() } },
            { "required": ["string"], "properties": { "string": no_text } },
        ],
    });
    schema.insert("not".to_owned(), json!({ "required": ["fragment"], "properties": { "fragment": fragment } }));
}

/// What is not content.
fn refused() -> Vec<Value> {
    let string = json!({
        "type": "object",
        "anyOf": [
            { "properties": { "raw": no_value(), "base64": no_value(), "base64_url": no_value() } },
            { "required": ["base64"], "properties": { "raw": no_value(), "base64": { "type": "string", "not": { "pattern": BASE64 } } } },
            { "required": ["base64_url"], "properties": { "raw": no_value(), "base64": no_value(), "base64_url": { "type": "string", "not": { "pattern": BASE64_URL } } } },
        ],
    });
    let bytes = json!({
        "type": "object",
        "anyOf": [
            { "properties": { "raw": no_value() } },
            { "properties": { "raw": { "contains": { "not": { "minimum": 0, "maximum": 255 } } } } },
        ],
    });
    vec![
        both("string", "bytes"),
        neither("string", "bytes"),
        json!({ "required": ["string"], "properties": { "string": string } }),
        json!({ "required": ["bytes"], "properties": { "bytes": bytes } }),
    ]
}
