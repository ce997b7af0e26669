//! The examples of the OpenAPI document, sent as they are to a service with the samples; and what its schemas leave to the
//! service.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::resources::conversations::post;
use crate::support::TestService;
use crate::support::assets::text_seed;

/// What makes one of each kind that a parameter of the path names and no sample has.
const MAKERS: [&str; 10] = [
    "/workstream_summaries/create",
    "/websites/create",
    "/tags/create",
    "/conversations/create",
    "/annotations/create",
    "/persons/create",
    "/anchors/create",
    "/hints/create",
    "/checkpoints/create",
    "/applications/session/open",
];

/// The sample files that are text, as assets.
async fn with_samples() -> TestService {
    let service = TestService::start().await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the samples") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if let Ok(text) = fs::read_to_string(&path) {
            post(&service, "/assets/create", &text_seed(&name, &text)).await;
            count += 1;
        }
    }
    assert!(count >= 5, "{count} samples");
    service
}

async fn document(service: &TestService) -> Value {
    service.send("GET", "/openapi.json", None).await.json()
}

/// Every operation with its path and method.
fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let methods = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods");
        methods.iter().map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
    });
    methods.collect()
}

/// The target of an operation with the examples of its parameters.
fn target(path: &str, operation: &Value) -> String {
    let (mut path, mut query) = (path.to_owned(), Vec::new());
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().expect("a name");
        let example = match &parameter["example"] {
            Value::String(text) => text.clone(),
            Value::Null => panic!("{path}: `{name}` has no example"),
            other => other.to_string(),
        };
        match parameter["in"].as_str() {
            Some("path") => path = path.replace(&format!("{{{name}}}"), &example),
            _ => query.push(format!("{name}={example}")),
        }
    }
    if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
}

#[tokio::test]
async fn every_read_of_the_document_can_be_sent_with_its_examples() {
    let service = with_samples().await;
    let before = document(&service).await;
    for maker in MAKERS {
        let body = &before["paths"][maker]["post"]["requestBody"]["content"]["application/json"]["example"];
        let body = (!body.is_null()).then(|| body.to_string());
        let made = service.send("POST", maker, body.as_deref()).await;
        assert_eq!(made.status, 200, "{maker}: {}", made.text());
    }
    let document = document(&service).await;
    let mut sent = 0;
    for (path, _, operation) in operations(&document).into_iter().filter(|(_, method, _)| *method == "get") {
        let target = target(path, operation);
        let answer = service.send("GET", &target, None).await;
        assert_eq!(answer.status, 200, "{target}: {:.200}", answer.text());
        sent += 1;
    }
    assert!(sent > 40, "{sent}");
}

#[tokio::test]
async fn no_read_of_the_document_is_malformed_where_nothing_is_stored() {
    let service = TestService::start().await;
    let document = document(&service).await;
    for (path, _, operation) in operations(&document).into_iter().filter(|(_, method, _)| *method == "get") {
        let target = target(path, operation);
        let status = service.send("GET", &target, None).await.status;
        assert!([200, 404, 410].contains(&status), "{target}: {status}");
    }
}

#[tokio::test]
async fn every_write_of_the_document_can_be_sent_with_its_examples() {
    let service = with_samples().await;
    let document = document(&service).await;
    for (path, _, operation) in operations(&document).into_iter().filter(|(_, method, _)| *method == "post") {
        let target = target(path, operation);
        let body = &operation["requestBody"]["content"]["application/json"]["example"];
        let body = (!body.is_null()).then(|| body.to_string());
        let answer = service.send("POST", &target, body.as_deref()).await;
        // What the example of a body names need not be there.
        let fine = [200, 204, 404, 409, 410].contains(&answer.status);
        assert!(fine, "{target} {body:?}: {} {}", answer.status, answer.text());
    }
}

/// The schema of the body of an operation; references lead to the record.
fn body_schema<'a>(document: &'a Value, path: &str) -> &'a Value {
    let schema = &document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"];
    named(document, schema)
}

fn named<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
        Some(pointer) => document.pointer(pointer).expect("a schema"),
        None => schema,
    }
}

#[tokio::test]
async fn what_the_document_calls_well_formed_is_not_called_malformed() {
    let service = with_samples().await;
    let document = document(&service).await;
    let refused = async |target: &str, body: Value| {
        let answer = service.send("POST", target, Some(&body.to_string())).await;
        assert_eq!(answer.status, 400, "{target} {body}: {}", answer.text());
    };
    assert_eq!(service.send("POST", "/applications/session/close", None).await.status, 404, "nobody opened one");
    // A search needs something to look for.
    assert_eq!(service.send("GET", "/assets/search", None).await.status, 400);
    let parameters = document["paths"]["/assets/search"]["get"]["parameters"].as_array().expect("parameters");
    assert_eq!(parameters.iter().find(|one| one["name"] == "query").expect("`query`")["required"], json!(true));
    refused("/assets/search", json!({})).await;
    let without = &body_schema(&document, "/assets/search")["not"]["properties"];
    assert_eq!(without.as_object().map(serde_json::Map::len), Some(3));
    // A message is a text.
    let talk = post(&service, "/conversations/create", &json!({ "type": "COPILOT" })).await["id"].clone();
    refused("/messages/create", json!({ "role": "USER", "conversation": { "id": talk }, "fragment": {} })).await;
    assert_eq!(body_schema(&document, "/messages/create")["not"]["required"], json!(["fragment"]));
    // Engines need a list, at every depth.
    for kind in ["annotations", "conversations", "tags", "websites", "workstream_summaries"] {
        let target = format!("/{kind}/search");
        refused(&target, json!({ "engines": { "iterable": [{ "query": "x", "operations": {} }] } })).await;
        let engines = named(&document, &body_schema(&document, &target)["properties"]["engines"]);
        let engine = named(&document, &engines["properties"]["iterable"]["items"]);
        let inner = named(&document, &engine["properties"]["operations"]["anyOf"][0]);
        assert_eq!(inner["required"], json!(["iterable"]), "{target}");
    }
    // A page continues after one.
    let rows = &document["paths"]["/assets/rows"]["get"]["parameters"];
    let after = rows.as_array().expect("parameters").iter().find(|one| one["name"] == "after").expect("`after`");
    assert!(after["schema"]["pattern"].is_string());
    assert_eq!(service.send("GET", "/assets/rows?after=x", None).await.status, 400);
    // A new content is one, and a seed has one.
    let content = &body_schema(&document, "/format/update/value")["not"]["anyOf"];
    assert_eq!(content.as_array().map(Vec::len), Some(4));
    refused("/format/update/value", json!({ "id": "x" })).await;
    refused("/format/update/value", json!({ "id": "x", "fragment": { "string": {} } })).await;
    let mut seed = text_seed("x", "y");
    seed["asset"]["format"]["fragment"]["string"] = json!({});
    refused("/assets/draft", seed).await;
    let schemas = &document["components"]["schemas"];
    // The schema of a record in a request, which may have a name of its own.
    let sent = |record: &str| schemas.get(format!("{record}-Input")).unwrap_or(&schemas[record]);
    assert_eq!(sent("SeededFragment")["not"]["anyOf"].as_array().map(Vec::len), Some(4));
    // An event is one of a fixed list.
    let event = json!({ "asset": { "asset": { "id": "x" }, "identifier_description_pair": { "x": "y" } } });
    refused("/activities/create", json!({ "event": event, "application": crate::support::assets::application() }))
        .await;
    let pairs = &sent("SeededTrackedAssetEvent")["properties"]["identifier_description_pair"];
    assert_eq!(pairs["additionalProperties"], json!(false));
}
