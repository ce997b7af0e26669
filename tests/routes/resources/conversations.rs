//! Conversations: made, read, merged into, linked from both sides, scored, deleted.

use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{ODD, text_asset, tree};

const UNKNOWN: &str = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";

/// Sends a body and gives back the record; fails on any status but 200.
pub async fn post(service: &TestService, target: &str, body: &Value) -> Value {
    let answer = service.send("POST", target, Some(&body.to_string())).await;
    assert_eq!(answer.status, 200, "{target} {body}: {}", answer.text());
    answer.json()
}

/// Reads a record; fails on any status but 200.
pub async fn get(service: &TestService, target: &str) -> Value {
    let answer = service.send("GET", target, None).await;
    assert_eq!(answer.status, 200, "{target}: {}", answer.text());
    answer.json()
}

/// The status of a request without a body.
pub async fn status(service: &TestService, method: &str, target: &str) -> u16 {
    service.send(method, target, None).await.status
}

fn seed() -> Value {
    json!({ "type": "COPILOT", "name": "talk", "favorited": true, "of_tomorrow": { "kept": [1] },
        "model": { "id": "m", "reference": { "usage": "OF_TOMORROW" } },
        "pipeline": { "conversation": { "generalized_code_dialog": { "schema": {} } } },
        "annotations": [{ "type": "SUMMARY", "text": "we talk" }],
        "messages": [
            { "role": "USER", "fragment": { "string": { "raw": "hello" }, "metadata": { "ext": "md" } } },
            { "role": "OF_TOMORROW", "sentiment": "LIKE", "fragment": { "bytes": { "raw": [104, 105] } } },
        ] })
}

#[tokio::test]
async fn a_conversation_reads_back_as_created() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    let mut body = seed();
    body["assets"] = json!({ "iterable": [{ "id": asset.as_str() }] });
    let made = post(&service, "/conversations/create", &body).await;
    let id = made["id"].as_str().expect("an id");
    assert_eq!((&made["name"], &made["favorited"], &made["type"]), (&json!("talk"), &json!(true), &json!("COPILOT")));
    assert_eq!((&made["of_tomorrow"], &made["model"]), (&json!({ "kept": [1] }), &json!({ "id": "m" })));
    assert_eq!(made["pipeline"], json!({ "conversation": { "generalized_code_dialog": {} } }));
    assert_eq!(made["assets"]["iterable"], json!([{ "id": asset.as_str() }]));
    assert_eq!(made["annotations"]["iterable"][0]["reference"]["text"], "we talk");
    let messages = get(&service, &format!("/conversation/{id}/messages")).await;
    let message: Vec<_> = messages["iterable"].as_array().expect("messages").iter().map(|one| &one["role"]).collect();
    assert_eq!(message, ["USER", "USER"]);
    assert_eq!(
        messages["iterable"][0]["fragment"],
        json!({ "string": { "raw": "hello" }, "metadata": { "ext": "md" } })
    );
    assert_eq!(messages["iterable"][1]["fragment"]["string"]["raw"], "hi");
    assert_eq!(messages["iterable"][1]["sentiment"], "LIKE");
    assert_eq!(get(&service, &format!("/conversation/{id}")).await, made);
    assert_eq!(get(&service, "/conversations").await["iterable"], json!([made]));
    assert_eq!(get(&service, "/conversations/identifiers").await["iterable"], json!([{ "id": id }]));
    assert_eq!(tree(&service.client, &asset).await["conversations"]["iterable"], json!([made]));
}

#[tokio::test]
async fn content_of_messages_can_be_excluded() {
    let service = TestService::start().await;
    let made = post(&service, "/conversations/create?transferables=false", &seed()).await;
    let id = made["id"].as_str().expect("an id");
    assert_eq!(made["messages"]["iterable"][1]["reference"]["fragment"], json!({}));
    for target in ["/conversations".to_owned(), format!("/conversation/{id}"), format!("/conversation/{id}/messages")] {
        let text = get(&service, &format!("{target}?transferables=false")).await.to_string();
        assert!(!text.contains("hello") && text.contains("fragment"), "{target}: {text}");
    }
}

#[tokio::test]
async fn an_update_merges_and_never_loses_messages() {
    let service = TestService::start().await;
    let before = post(&service, "/conversations/create", &seed()).await;
    let moment = json!({ "value": "1999-01-01T00:00:00Z" });
    for (index, name) in ODD.iter().enumerate() {
        let body = json!({ "id": before["id"], "name": name, "type": "COPILOT", "created": moment, "updated": moment,
            "messages": { "iterable": [] }, "more": index });
        let after = post(&service, "/conversation/update", &body).await;
        assert_eq!((after["name"].as_str(), &after["more"]), (Some(*name), &json!(index)));
        for field in ["id", "created", "favorited", "messages", "of_tomorrow", "model", "annotations"] {
            assert_eq!(after[field], before[field], "{field}");
        }
        assert_ne!(after["updated"], before["updated"]);
    }
}

#[tokio::test]
async fn a_link_is_the_same_from_both_sides() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    let conversation = post(&service, "/conversations/create", &seed()).await;
    let id = conversation["id"].as_str().expect("an id");
    let sides = [
        (format!("/asset/{asset}/conversations"), id.to_owned()),
        (format!("/conversation/{id}/assets"), asset.to_string()),
    ];
    for (side, other) in &sides {
        for _ in 0..2 {
            assert_eq!(status(&service, "POST", &format!("{side}/associate/{other}")).await, 204);
        }
        let linked = get(&service, &format!("/conversation/{id}")).await;
        assert_eq!(linked["assets"]["iterable"], json!([{ "id": asset.as_str() }]));
        let seen = tree(&service.client, &asset).await;
        assert_eq!(seen["conversations"]["iterable"][0]["id"], id);
        assert_eq!(seen["score"]["manual"], 1);
        for _ in 0..2 {
            assert_eq!(status(&service, "POST", &format!("{side}/disassociate/{other}")).await, 204);
        }
        let unlinked = tree(&service.client, &asset).await;
        assert_eq!((unlinked.get("conversations"), &unlinked["score"]["manual"]), (None, &json!(0)));
        assert_eq!(get(&service, &format!("/conversation/{id}")).await["assets"]["iterable"], json!([]));
    }
    assert_eq!(status(&service, "POST", &format!("/asset/{asset}/conversations/associate/{UNKNOWN}")).await, 404);
    assert_eq!(status(&service, "POST", &format!("/conversation/{id}/assets/associate/{UNKNOWN}")).await, 404);
}

#[tokio::test]
async fn a_score_can_be_incremented_and_a_deleted_conversation_is_gone() {
    let service = TestService::start().await;
    let made = post(&service, "/conversations/create", &seed()).await;
    let target = format!("/conversation/{}", made["id"].as_str().expect("an id"));
    let body = json!({ "conversation": { "reuse": true } }).to_string();
    for _ in 0..2 {
        let answer = service.send("POST", &format!("{target}/scores/increment"), Some(&body)).await;
        assert_eq!(answer.status, 204);
    }
    assert_eq!(get(&service, &target).await["score"], json!({ "manual": 0, "automatic": 0, "reuse": 2 }));
    let delete = target.replace("/conversation/", "/conversations/") + "/delete";
    assert_eq!(status(&service, "POST", &delete).await, 204);
    let gone = service.send("GET", &target, None).await;
    assert_eq!((gone.status, gone.header("content-type")), (410, Some("text/plain; charset=utf-8")));
    assert_eq!(status(&service, "POST", &delete).await, 404);
    assert_eq!(get(&service, "/annotations").await["iterable"], json!([]));
}

#[tokio::test]
async fn an_invalid_conversation_returns_400_and_creates_none() {
    let service = TestService::start().await;
    for messages in [
        json!([{ "role": "USER" }]),
        json!([{ "role": "USER", "fragment": {} }]),
        json!([{ "role": "USER", "fragment": { "bytes": { "raw": [255] } } }]),
        json!([{ "role": "USER", "fragment": { "bytes": { "raw": [256] } } }]),
    ] {
        let body = json!({ "type": "COPILOT", "messages": messages }).to_string();
        let answer = service.send("POST", "/conversations/create", Some(&body)).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.text());
    }
    let body = json!({ "type": "COPILOT", "assets": { "iterable": [{ "id": UNKNOWN }] } }).to_string();
    assert_eq!(service.send("POST", "/conversations/create", Some(&body)).await.status, 404);
    assert_eq!(get(&service, "/conversations").await["iterable"], json!([]));
}
