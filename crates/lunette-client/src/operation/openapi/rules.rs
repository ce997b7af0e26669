//! What the service requires of some records in requests beyond the kinds of their fields, in the words of JSON Schema.
//!
//! What must hold: each rule describes a 400 of the service. A record in a response follows none of them.
//!
//! Our choice: "exactly one of two fields" is written with `not`, and not with `oneOf`. Programs that make clients of a
//! document take `oneOf` for several types, and would lose the fields of the record.

use serde_json::{Map, Value, json};

use crate::model::record::{RecordTable, Schema};

use super::schema::enum_schema;

/// Adds what is required of this record to its schema.
pub(super) fn apply(record: &RecordTable, schema: &mut Map<String, Value>) {
    match record.name {
        "SeededFormat" => exactly_one("fragment", "file", schema),
        "SeededFragment" | "SeededFile" => exactly_one("string", "bytes", schema),
        "AssetReclassification" | "FormatReclassification" => known_languages(record, schema),
        "SearchEngines" => search_engines(schema),
        "SearchEngine" => search_engine(schema),
        "FullTextSearchOptions" => search_options(schema),
        "Seed" => needed("asset", schema),
        "SeededAssetTags" => one_text(schema),
        "SeededAnchor" => property(schema, "fullpath", not_blank_text()),
        _ => {}
    }
}

/// Text with something else in it than white space.
pub(super) fn not_blank_text() -> Value {
    json!({ "type": "string", "pattern": r"\S" })
}

/// The clients may leave the field out or send null, and the service can do nothing then.
fn needed(field: &str, schema: &mut Map<String, Value>) {
    let known = schema.get("properties").and_then(|properties| properties.get(field)).cloned();
    let whole = known.as_ref().and_then(|known| known.pointer("/anyOf/0")).cloned();
    property(schema, field, whole.unwrap_or_default());
    if let Value::Array(required) = schema.entry("required").or_insert_with(|| json!([])) {
        required.push(json!(field));
    }
}

/// At least one tag has a text.
fn one_text(schema: &mut Map<String, Value>) {
    if let Some(Value::Object(list)) = schema.get_mut("properties").and_then(|all| all.get_mut("iterable")) {
        let text = json!({ "required": ["text"], "properties": { "text": not_blank_text() } });
        list.insert("contains".to_owned(), text);
    }
}

/// An object has one of these fields, and not both; null is as good as none.
fn exactly_one(one: &str, other: &str, schema: &mut Map<String, Value>) {
    let both = json!({
        "required": [one, other],
        "properties": { one: { "type": "object" }, other: { "type": "object" } },
    });
    schema.insert("not".to_owned(), json!({ "anyOf": [both, neither(one, other)] }));
}

/// What has none of these fields.
fn neither(one: &str, other: &str) -> Value {
    json!({ "properties": { one: { "type": "null" }, other: { "type": "null" } } })
}

/// A language has to be one that all clients know.
fn known_languages(record: &RecordTable, schema: &mut Map<String, Value>) {
    for field in record.fields {
        if let Schema::Enum(languages) = field.schema {
            property(schema, field.name, enum_schema(languages));
        }
    }
}

/// Joined engines have only the fields that the service knows.
fn search_engines(schema: &mut Map<String, Value>) {
    only_known_fields(schema);
    if let Some(Value::Object(list)) = schema.get_mut("properties").and_then(|all| all.get_mut("iterable")) {
        list.insert("minItems".to_owned(), json!(1));
    }
    property(schema, "type", json!({ "enum": ["AND", "OR", null] }));
}

/// An engine has a query or other engines, and no search by meaning or time.
fn search_engine(schema: &mut Map<String, Value>) {
    only_known_fields(schema);
    for unsupported in ["embeddings", "temporal", "workstream"] {
        property(schema, unsupported, json!({ "type": "null" }));
    }
    property(schema, "query", json!({ "type": ["string", "null"], "pattern": r"\S" }));
    property(schema, "operations", json!({ "type": ["object", "null"] }));
    let options_alone = json!({
        "required": ["full_text"],
        "properties": { "full_text": { "type": "object" }, "query": { "type": "null" } },
    });
    schema.insert("not".to_owned(), json!({ "anyOf": [neither("query", "operations"), options_alone] }));
}

/// The options of a query.
fn search_options(schema: &mut Map<String, Value>) {
    only_known_fields(schema);
    property(schema, "similarity", json!({ "type": ["number", "null"], "minimum": 0, "maximum": 1 }));
}

fn only_known_fields(schema: &mut Map<String, Value>) {
    schema.insert("additionalProperties".to_owned(), json!({ "type": "null" }));
}

fn property(schema: &mut Map<String, Value>, name: &str, value: Value) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert(name.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::operation::openapi::{ApiSurface, Publication, document};

    /// The schema of a record in requests.
    fn sent(record: &str) -> Value {
        let document = document(ApiSurface::Everything, Publication::Served);
        let schemas = &document["components"]["schemas"];
        schemas.get(format!("{record}-Input")).unwrap_or(&schemas[record]).clone()
    }

    #[test]
    fn a_new_format_has_a_fragment_or_a_file() {
        let refused = &sent("SeededFormat")["not"]["anyOf"];
        assert_eq!(refused[0]["required"], json!(["fragment", "file"]));
        assert_eq!(refused[1]["properties"]["fragment"], json!({ "type": "null" }));
        assert_eq!(refused[1]["properties"]["file"], json!({ "type": "null" }));
    }

    #[test]
    fn a_record_in_responses_has_no_rule() {
        let document = document(ApiSurface::Everything, Publication::Served);
        let schemas = document["components"]["schemas"].as_object().expect("schemas");
        for record in ["SeededFormat", "SeededFragment", "SeededFile"] {
            let both = schemas.contains_key(&format!("{record}-Input"));
            assert!(!both || schemas[record].get("not").is_none(), "{record}");
        }
    }

    #[test]
    fn a_reclassification_names_its_languages() {
        let languages = sent("AssetReclassification")["properties"]["ext"]["enum"].clone();
        assert!(languages.as_array().expect("a closed enum").contains(&json!("rs")));
    }

    #[test]
    fn an_engine_needs_a_query_or_other_engines() {
        let engine = sent("SearchEngine");
        assert_eq!(engine["not"]["anyOf"][0]["properties"]["operations"], json!({ "type": "null" }));
        assert_eq!(engine["additionalProperties"], json!({ "type": "null" }));
        assert_eq!(sent("SearchEngines")["properties"]["iterable"]["minItems"], json!(1));
    }

    #[test]
    fn required_fields_of_a_new_record_must_not_be_null() {
        let schema = sent("Seed");
        assert!(schema["required"].as_array().expect("a list").contains(&json!("asset")));
        assert!(schema["properties"]["asset"]["$ref"].is_string());
    }

    #[test]
    fn a_text_that_is_needed_is_not_blank() {
        assert_eq!(sent("SeededAnchor")["properties"]["fullpath"]["pattern"], json!(r"\S"));
        let tags = sent("SeededAssetTags")["properties"]["iterable"]["contains"].clone();
        assert_eq!(tags["properties"]["text"]["pattern"], json!(r"\S"));
    }
}
