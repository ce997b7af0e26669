//! An update needs the id and what changes; what is absent, or null, is kept.

use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{application, summary, tag, text_asset, website};

async fn ok(service: &TestService, method: &str, target: &str, body: Option<Value>) -> Value {
    let answer = service.send(method, target, body.map(|body| body.to_string()).as_deref()).await;
    assert_eq!(answer.status, 200, "{target}: {}", answer.text());
    answer.json()
}

/// A record without the fields that every change moves on.
fn settled(mut record: Value, changed: &str) -> Value {
    // The formats of an asset name their asset, with all of these in it.
    for field in ["updated", "score", "formats", "asset", "status", "engagement", changed] {
        record.as_object_mut().expect("an object").remove(field);
    }
    record
}

/// Updates one field of a record and holds the rest against what was there.
async fn changes_alone(service: &TestService, update: &str, read: &str, field: &str, value: Value) {
    let before = ok(service, "GET", read, None).await;
    let body = json!({ "id": before["id"], field: value });
    let after = ok(service, "POST", update, Some(body)).await;
    assert_eq!(after[field], value, "{update}");
    assert_eq!(settled(after, field), settled(before, field), "{update}");
    let nothing = ok(service, "POST", update, Some(json!({ "id": ok(service, "GET", read, None).await["id"] }))).await;
    assert_eq!(nothing[field], value, "{update}: an update of nothing keeps everything");
}

#[tokio::test]
async fn every_kind_of_record_is_updated_by_its_id_and_one_field() {
    let service = TestService::start().await;
    let client = &service.client;
    let asset = text_asset(client, "before", "content").await;
    changes_alone(&service, "/asset/update", &format!("/asset/{asset}"), "favorited", true.into()).await;
    changes_alone(&service, "/asset/update", &format!("/asset/{asset}"), "name", "after".into()).await;
    let tag = tag(client, "before").await;
    changes_alone(&service, "/tag/update", &format!("/tag/{tag}"), "category", "EMAIL".into()).await;
    changes_alone(&service, "/tag/update", &format!("/tag/{tag}"), "text", "after".into()).await;
    let website = website(client, "https://before.test").await;
    changes_alone(&service, "/website/update", &format!("/website/{website}"), "name", "after".into()).await;
    let summary = summary(client, "before").await;
    let one = format!("/workstream_summary/{summary}");
    changes_alone(&service, "/workstream_summary/update", &one, "name", "after".into()).await;

    let seed = json!({ "type": "DESCRIPTION", "text": "before", "asset": asset.as_str() });
    let annotation = ok(&service, "POST", "/annotations/create", Some(seed)).await;
    let one = format!("/annotation/{}", annotation["id"].as_str().expect("an id"));
    changes_alone(&service, "/annotation/update", &one, "mechanism", "MANUAL".into()).await;
    changes_alone(&service, "/annotation/update", &one, "text", "after".into()).await;

    let seed = json!({ "type": "COPILOT", "name": "before" });
    let conversation = ok(&service, "POST", "/conversations/create", Some(seed)).await;
    let one = format!("/conversation/{}", conversation["id"].as_str().expect("an id"));
    changes_alone(&service, "/conversation/update", &one, "favorited", true.into()).await;
    changes_alone(&service, "/conversation/update", &one, "name", "after".into()).await;

    let registered = ok(&service, "POST", "/applications/register", Some(application())).await;
    let one = format!("/applications/{}", registered["id"].as_str().expect("an id"));
    changes_alone(&service, "/application/update", &one, "version", "2.0.0".into()).await;

    let pair = json!({ "asset_viewed": "an_asset_was_viewed" });
    let event = json!({ "asset": { "asset": { "id": asset.as_str() }, "identifier_description_pair": pair } });
    let seed = json!({ "application": application(), "event": event });
    let activity = ok(&service, "POST", "/activities/create", Some(seed)).await;
    let one = format!("/activity/{}", activity["id"].as_str().expect("an id"));
    changes_alone(&service, "/activity/update", &one, "mechanism", "MANUAL".into()).await;
}

#[tokio::test]
async fn content_is_replaced_by_format_id_and_content() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "a", "before").await;
    let read = ok(&service, "GET", &format!("/asset/{asset}"), None).await;
    let format = read["original"]["id"].as_str().expect("an id").to_owned();
    let body = json!({ "id": format, "fragment": { "string": { "raw": "after" } } });
    let row = lunette_client::operation::OperationInfo::named("formatUpdateValue").expect("a row");
    let answer = ok(&service, "POST", row.path, Some(body)).await;
    assert_eq!(answer["fragment"]["string"]["raw"], "after");
}

#[tokio::test]
async fn an_update_without_an_id_or_with_a_wrong_field_type_is_refused() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "a", "content").await;
    let id = asset.as_str();
    for (body, path) in [
        (json!({ "name": "a" }), "$.id"),
        (json!({ "id": null, "name": "a" }), "$.id"),
        (json!({ "id": id, "name": 7 }), "$.name"),
        (json!({ "id": id, "tags": { "iterable": [{ "id": "t" }] } }), "$.tags.iterable[0]"),
    ] {
        let answer = service.send("POST", "/asset/update", Some(&body.to_string())).await;
        assert!(answer.status == 400 && answer.text().contains(path), "{body}: {}", answer.text());
    }
}

#[tokio::test]
async fn the_openapi_document_requires_only_the_id_for_an_update() {
    let service = TestService::start().await;
    let document = ok(&service, "GET", "/openapi.json", None).await;
    for (path, record) in [("/asset/update", "Asset"), ("/tag/update", "Tag"), ("/annotation/update", "Annotation")] {
        let body = &document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(body["$ref"], format!("#/components/schemas/{record}-Update"), "{path}");
        let schema = &document["components"]["schemas"][format!("{record}-Update")];
        assert_eq!(schema["required"], json!(["id"]), "{record}");
        assert!(schema["properties"].get("created").is_some(), "{record}");
    }
}
