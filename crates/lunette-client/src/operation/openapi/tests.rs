//! The document against itself and against the table.

use std::collections::HashSet;

use super::*;

const BOTH: [ApiSurface; 2] = [ApiSurface::Interface, ApiSurface::Everything];

fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let methods = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods");
        methods.iter().map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
    });
    methods.collect()
}

fn references<'a>(tree: &'a Value, found: &mut HashSet<&'a str>) {
    match tree {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[test]
fn every_operation_is_in_the_document_with_its_path_method_and_name() {
    for (surface, rows) in [(ApiSurface::Interface, 27), (ApiSurface::Everything, OPERATIONS.len())] {
        let document = document(surface, Publication::Apart);
        let names: Vec<&str> =
            operations(&document).iter().filter_map(|(.., operation)| operation["operationId"].as_str()).collect();
        assert_eq!((names.len(), names.iter().collect::<HashSet<_>>().len()), (rows, rows));
        for info in OPERATIONS.iter().take(rows) {
            let method = info.method.as_str().to_ascii_lowercase();
            assert_eq!(document["paths"][info.path][method]["operationId"], info.name);
        }
    }
}

#[test]
fn every_reference_resolves_and_every_component_is_used() {
    for surface in BOTH {
        let document = document(surface, Publication::Served);
        let mut found = HashSet::new();
        references(&document, &mut found);
        for reference in &found {
            let pointer = reference.strip_prefix('#').expect("a reference within the document");
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
        for part in ["schemas", "responses"] {
            for name in document["components"][part].as_object().expect("components").keys() {
                assert!(found.contains(format!("#/components/{part}/{name}").as_str()), "{name}");
            }
        }
    }
}

#[test]
fn the_names_in_a_path_are_its_path_parameters() {
    let document = document(ApiSurface::Everything, Publication::Served);
    for (path, _, operation) in operations(&document) {
        let names: Vec<&str> = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let in_path = parameters.filter(|parameter| parameter["in"] == "path" && parameter["required"] == true);
        assert_eq!(in_path.filter_map(|parameter| parameter["name"].as_str()).collect::<Vec<_>>(), names, "{path}");
    }
}

#[test]
fn the_document_is_deterministic() {
    assert_eq!(
        document(ApiSurface::Everything, Publication::Apart),
        document(ApiSurface::Everything, Publication::Apart)
    );
}

#[test]
fn enums_are_closed_in_responses_and_open_in_requests() {
    let document = document(ApiSurface::Everything, Publication::Served);
    let word = |record: &str| &document["components"]["schemas"][record]["properties"]["platform"];
    assert_eq!(word("Application"), &json!({ "$ref": "#/components/schemas/PlatformEnum" }));
    assert_eq!(word("Application-Input")["anyOf"][1], json!({ "type": "string" }));
    assert!(document["components"]["schemas"].get("SeededTag-Input").is_none());
}

#[test]
fn streams_are_documented_where_they_are_offered() {
    let streams = document(ApiSurface::Everything, Publication::Apart)["x-websockets"].as_array().map(Vec::len);
    assert_eq!(streams, Some(STREAMS.len() + STATUS_STREAMS.len()));
    assert!(document(ApiSurface::Interface, Publication::Apart).get("x-websockets").is_none());
}
