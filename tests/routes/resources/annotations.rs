//! Annotations about anything; a description of an asset is one of them.

use serde_json::{Value, json};

use crate::resources::conversations::{get, post, status};
use crate::support::TestService;
use crate::support::assets::{ODD, text_asset, tree};

async fn events(service: &TestService, asset: &str) -> Vec<String> {
    let activities = get(service, &format!("/asset/{asset}/activities")).await;
    let pairs = activities["iterable"].as_array().expect("activities").iter();
    let key = |one: &Value| {
        let pair = one["event"]["asset"]["identifier_description_pair"].as_object();
        pair.and_then(|pair| pair.keys().next()).cloned().unwrap_or_default()
    };
    pairs.map(key).collect()
}

#[tokio::test]
async fn a_new_description_appears_in_the_asset_and_is_published_like_an_update() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    let body = json!({ "type": "DESCRIPTION", "text": "says hello", "asset": asset.as_str(), "unknown": 1 });
    let made = post(&service, "/annotations/create", &body).await;
    assert_eq!((&made["asset"], &made["unknown"]), (&json!({ "id": asset.as_str() }), &json!(1)));
    let seen = tree(&service.client, &asset).await;
    assert_eq!(seen["annotations"]["iterable"], json!([made]));
    assert_eq!(seen["score"]["manual"], 1);
    let mut body = made.clone();
    body["text"] = "says good-bye".into();
    body["asset"] = Value::Null;
    let changed = post(&service, "/annotation/update", &body).await;
    assert_eq!((&changed["text"], &changed["asset"]), (&json!("says good-bye"), &made["asset"]));
    assert_eq!(tree(&service.client, &asset).await["annotations"]["iterable"], json!([changed]));
    let target = format!("/annotations/{}/delete", made["id"].as_str().expect("an id"));
    assert_eq!(status(&service, "POST", &target).await, 204);
    assert_eq!(status(&service, "POST", &target).await, 404);
    assert_eq!(tree(&service.client, &asset).await["annotations"]["iterable"], json!([]));
    let described = "asset_description_updated";
    assert_eq!(events(&service, asset.as_str()).await, ["asset_created", described, described, described]);
}

#[tokio::test]
async fn annotations_of_an_asset_are_published_as_annotations() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    let body = json!({ "type": "COMMENT", "text": "first", "asset": asset.as_str() });
    let mut made = post(&service, "/annotations/create", &body).await;
    made["text"] = "second".into();
    post(&service, "/annotation/update", &made).await;
    post(&service, "/annotation/update", &made).await;
    let target = format!("/annotations/{}/delete", made["id"].as_str().expect("an id"));
    assert_eq!(status(&service, "POST", &target).await, 204);
    let expected = ["asset_created", "asset_annotation_added", "asset_annotation_updated", "asset_annotation_deleted"];
    assert_eq!(events(&service, asset.as_str()).await, expected);
}

#[tokio::test]
async fn an_annotation_may_have_any_subject_or_none() {
    let service = TestService::start().await;
    let conversation = post(&service, "/conversations/create", &json!({ "type": "COPILOT" })).await;
    let about = json!({ "conversation": conversation["id"], "person": "somebody", "anchor": "somewhere" });
    for (field, id) in about.as_object().expect("fields") {
        let made = post(&service, "/annotations/create", &json!({ "type": "COMMENT", "text": field, field: id })).await;
        assert_eq!(made[field], json!({ "id": id }));
    }
    for text in ODD {
        let made = post(&service, "/annotations/create", &json!({ "type": "NEW", "text": text })).await;
        assert_eq!((made["text"].as_str(), &made["type"]), (Some(*text), &json!("COMMENT")));
        let target = format!("/annotation/{}", made["id"].as_str().expect("an id"));
        assert_eq!(get(&service, &target).await, made);
    }
    let target = format!("/conversation/{}", conversation["id"].as_str().expect("an id"));
    assert_eq!(get(&service, &target).await["annotations"]["iterable"][0]["reference"]["text"], "conversation");
    let count = |list: Value| list["iterable"].as_array().map(Vec::len);
    assert_eq!(count(get(&service, "/annotations").await), Some(3 + ODD.len()));
    assert_eq!(count(get(&service, "/annotations?annotation_type_filter=COMMENT").await), Some(3 + ODD.len()));
    assert_eq!(count(get(&service, "/annotations?annotation_type_filter=SUMMARY").await), Some(0));
}

#[tokio::test]
async fn an_annotation_of_a_missing_item_is_not_created() {
    let service = TestService::start().await;
    let unknown = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";
    for field in ["asset", "conversation"] {
        let body = json!({ "type": "COMMENT", "text": "x", field: unknown }).to_string();
        assert_eq!(service.send("POST", "/annotations/create", Some(&body)).await.status, 404);
    }
    let body = json!({ "type": "DESCRIPTION", "text": " " }).to_string();
    assert_eq!(service.send("POST", "/annotations/create", Some(&body)).await.status, 400);
    assert_eq!(status(&service, "GET", &format!("/annotation/{unknown}")).await, 404);
    assert_eq!(get(&service, "/annotations").await["iterable"], json!([]));
}
