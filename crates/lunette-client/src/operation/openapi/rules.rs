//! What the service requires of some records in requests beyond the kinds of their fields, in the words of JSON Schema.
//!
//! What must hold: each rule describes a 400 of the service. A record in a response follows none of them.
//!
//! Our choice: "exactly one of two fields" is written with `not`, and not with `oneOf`. Programs that make clients of a
//! document take `oneOf` for several types, and would lose the fields of the record.

use serde_json::{Map, Value, json};

use crate::model::event::EVENTS;
use crate::model::record::{RecordTable, Schema};
use crate::operation::OperationInfo;

use super::schema::enum_schema;

mod content;
mod filters;

/// Adds what is required of this record to its schema.
pub(super) fn apply(record: &RecordTable, schema: &mut Map<String, Value>) {
    match record.name {
        "SeededFormat" => exactly_one("fragment", "file", schema),
        "SeededFragment" | "SeededFile" => content::rule(schema),
        "SeededConversationMessage" => content::text_of_message(schema),
        "AssetsSearchWithFiltersInput" => filters::rule(schema),
        "MaterialsMetricsInput" | "MaterialsIdentifiersInput" => materials(record, schema),
        "AssetReclassification" | "FormatReclassification" => known_words(record, schema),
        "SearchEngines" => search_engines(schema),
        "SearchEngine" => search_engine(schema),
        "FullTextSearchOptions" => search_options(schema),
        "Seed" => needed("asset", schema),
        "SeededAssetTags" => one_text(schema),
        "VersionBounds" => version_bounds(schema),
        "SeededAnchor" => property(schema, "fullpath", not_blank_text()),
        "SeededTag" | "SeededHint" => property(schema, "text", not_blank_text()),
        "SeededWorkstreamSummary" => property(schema, "name", not_blank_text()),
        _ => {}
    }
}

/// Adds what holds of this record in requests and in responses, so that what was read can be sent again.
pub(super) fn apply_to_both(record: &RecordTable, schema: &mut Map<String, Value>) {
    match record.name {
        "SeededTrackedAssetEvent" => known_events("asset", schema),
        "SeededTrackedFormatEvent" => known_events("format", schema),
        "SeededTrackedConversationEvent" => known_events("conversation", schema),
        "SeededTrackedSessionEvent" => known_events("session", schema),
        _ => {}
    }
}

/// Adds what is required of a part of this record to its schema.
pub(super) fn apply_to_part(record: &RecordTable, schema: &mut Map<String, Value>) {
    if record.name == "Format" {
        content::rule_of_format(schema);
    }
}

/// What is required of the text of this query parameter.
pub(super) fn query_text(name: &str) -> Option<Value> {
    match name {
        // The `next` of a page.
        "after" => Some(json!({ "type": "string", "pattern": "^-?[0-9]{1,18}:-?[0-9]{1,18}$" })),
        "at" => Some(filters::moment()),
        _ => None,
    }
}

/// What is required of the text of this parameter of the path: an id is never empty.
pub(super) fn path_text(name: &str) -> Value {
    match name {
        "version" => json!({ "type": "string", "pattern": "^[1-9][0-9]{0,8}$" }),
        _ => json!({ "type": "string", "minLength": 1 }),
    }
}

/// Whether a request needs this parameter of the query, though the operation takes it for optional.
///
/// A search for assets needs words or tags, for which the document has no word: it asks for words, and who has tags alone
/// can leave them out.
pub(super) fn needs_parameter(info: &OperationInfo, name: &str) -> bool {
    (info.name, name) == ("searchAssets", "query")
}

/// The schema of a body of this schema for this operation.
///
/// A message by itself names its conversation; one within a new conversation does not. A website by itself has an address;
/// one that comes with a new asset may have none. A record that is updated is named.
pub(super) fn body(info: &OperationInfo, mut schema: Value) -> Value {
    let refused = match info.name {
        "messagesCreateSpecificMessage" => json!({ "properties": { "conversation": no_value() } }),
        "websitesCreateNewWebsite" => json!({ "properties": { "url": { "pattern": r"^\s*$" } } }),
        _ if info.updates => json!({ "required": ["id"], "properties": { "id": { "const": "" } } }),
        _ => return schema,
    };
    if let Value::Object(fields) = &mut schema {
        fields.insert("not".to_owned(), refused);
    }
    schema
}

/// What is null, or absent. It is a value and not a type: programs that make clients of a document know no type that has
/// no other value.
fn no_value() -> Value {
    json!({ "const": null })
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
    schema.insert("not".to_owned(), json!({ "anyOf": [both(one, other), neither(one, other)] }));
}

/// What has both of these fields.
fn both(one: &str, other: &str) -> Value {
    json!({
        "required": [one, other],
        "properties": { one: { "type": "object" }, other: { "type": "object" } },
    })
}

/// What has none of these fields.
fn neither(one: &str, other: &str) -> Value {
    json!({ "properties": { one: no_value(), other: no_value() } })
}

/// An event is one of the fixed list: a name with its sentence, and nothing else.
fn known_events(subject: &str, schema: &mut Map<String, Value>) {
    let events = EVENTS.iter().filter(|event| event.subject == subject);
    let pairs: Map<_, _> = events.map(|event| (event.key.to_owned(), json!({ "const": event.sentence }))).collect();
    let pair = json!({
        "type": "object", "properties": pairs, "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
    });
    property(schema, "identifier_description_pair", pair);
}

/// A kind is one that all clients know, and a time is a moment.
fn materials(record: &RecordTable, schema: &mut Map<String, Value>) {
    property(schema, "material_type", json!({ "$ref": "#/components/schemas/MaterialTypeEnum" }));
    let range = filters::span();
    let times = |range: &Value| json!({ "created": range, "updated": range });
    if record.fields.iter().any(|field| field.name == "filters") {
        property(schema, "filters", json!({ "type": ["object", "null"], "properties": times(&range) }));
    } else {
        property(schema, "created", range.clone());
        property(schema, "updated", range);
    }
}

/// A word has to be one that all clients know.
fn known_words(record: &RecordTable, schema: &mut Map<String, Value>) {
    for field in record.fields {
        if let Schema::Enum(words) = field.schema {
            property(schema, field.name, enum_schema(words));
        }
    }
}

/// None is negative, and each is a number that every client reads.
fn version_bounds(schema: &mut Map<String, Value>) {
    for (field, most) in [("days", 1_000_000_u64), ("versions", 1_000_000), ("bytes", 1 << 53)] {
        property(schema, field, json!({ "type": "integer", "minimum": 0, "maximum": most }));
    }
}

/// Joined engines have only the fields that the service knows.
fn search_engines(schema: &mut Map<String, Value>) {
    only_known_fields(schema);
    if let Some(Value::Object(list)) = schema.get_mut("properties").and_then(|all| all.get_mut("iterable")) {
        list.insert("type".to_owned(), json!("array"));
        list.insert("minItems".to_owned(), json!(1));
    }
    schema.insert("required".to_owned(), json!(["iterable"]));
    property(schema, "type", json!({ "enum": ["AND", "OR", null] }));
}

/// An engine has a query or other engines, and no search by meaning or time.
fn search_engine(schema: &mut Map<String, Value>) {
    only_known_fields(schema);
    for unsupported in ["embeddings", "temporal", "workstream"] {
        property(schema, unsupported, no_value());
    }
    property(schema, "query", json!({ "type": ["string", "null"], "pattern": r"\S" }));
    // Free JSON in the record of the clients.
    let engines = json!({ "$ref": "#/components/schemas/SearchEngines" });
    property(schema, "operations", json!({ "anyOf": [engines, { "type": "null" }] }));
    let options_alone = json!({
        "required": ["full_text"],
        "properties": { "full_text": { "type": "object" }, "query": no_value() },
    });
    schema.insert("not".to_owned(), json!({ "anyOf": [neither("query", "operations"), options_alone] }));
}

/// The options of a query.
fn search_options(schema: &mut Map<String, Value>) {
    only_known_fields(schema);
    property(schema, "similarity", json!({ "type": ["number", "null"], "minimum": 0, "maximum": 1 }));
}

fn only_known_fields(schema: &mut Map<String, Value>) {
    schema.insert("additionalProperties".to_owned(), no_value());
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
        assert_eq!(refused[1]["properties"]["fragment"], json!({ "const": null }));
        assert_eq!(refused[1]["properties"]["file"], json!({ "const": null }));
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
        assert_eq!(engine["not"]["anyOf"][0]["properties"]["operations"], json!({ "const": null }));
        assert_eq!(engine["additionalProperties"], json!({ "const": null }));
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

    /// Schemas that allow null and nothing else by their type, as a field or as an element; among the members of `anyOf`
    /// they are alternatives, which every program reads.
    fn null_types(tree: &Value, found: &mut Vec<String>, path: &str) {
        match tree {
            Value::Object(fields) => {
                for (name, value) in fields {
                    let path = format!("{path}/{name}");
                    match value {
                        null if *null == json!({ "type": "null" }) && name != "not" => found.push(path),
                        Value::Array(members) if name == "anyOf" => {
                            let others = members.iter().filter(|member| **member != json!({ "type": "null" }));
                            others.for_each(|member| null_types(member, found, &path));
                        }
                        other => null_types(other, found, &path),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| null_types(item, found, path)),
            _ => {}
        }
    }

    #[test]
    fn no_schema_has_a_type_that_is_null_alone() {
        let mut found = Vec::new();
        null_types(&document(ApiSurface::Everything, Publication::Served), &mut found, "");
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn an_event_of_an_activity_is_one_of_the_fixed_list() {
        let pair = &sent("SeededTrackedAssetEvent")["properties"]["identifier_description_pair"];
        assert_eq!(pair["properties"]["asset_viewed"], json!({ "const": "an_asset_was_viewed" }));
        assert_eq!((&pair["minProperties"], &pair["maxProperties"]), (&json!(1), &json!(1)));
    }

    #[test]
    fn nested_engines_need_a_list_as_the_outer_ones_do() {
        let engine = sent("SearchEngine");
        let reference = engine["properties"]["operations"]["anyOf"][0]["$ref"].as_str().expect("a reference");
        let engines = sent(reference.rsplit('/').next().expect("a name"));
        assert!(engines["required"].as_array().expect("a list").contains(&json!("iterable")));
    }

    #[test]
    fn a_new_content_of_a_format_is_one_content() {
        let refused = &sent("Format-Update")["not"]["anyOf"];
        assert_eq!(refused[1]["properties"]["fragment"], json!({ "const": null }));
        assert_eq!(refused[2]["required"], json!(["fragment"]));
    }
}
