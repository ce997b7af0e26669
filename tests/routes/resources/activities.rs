//! Activities: told, counted into scores, filtered, changed, taken back.

use lunette_client::model::event::EVENTS;
use serde_json::{Value, json};

use crate::resources::conversations::{get, post, status};
use crate::support::TestService;
use crate::support::assets::{application, create, text_asset, text_seed, tree};

fn viewed(asset: &str) -> Value {
    json!({ "application": application(), "mechanism": "MANUAL", "event": { "asset": { "asset": { "id": asset },
        "identifier_description_pair": { "asset_viewed": "an_asset_was_viewed" } } } })
}

#[tokio::test]
async fn every_event_of_the_fixed_list_is_accepted() {
    let service = TestService::start().await;
    for event in EVENTS {
        let mut of = json!({ "identifier_description_pair": { event.key: event.sentence }, "description": "d",
            "shortcut": [1] });
        of[event.subject] = json!({ "id": "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159" });
        let body = json!({ "application": application(), "event": { event.subject: of } });
        let made = post(&service, "/activities/create", &body).await;
        assert_eq!(made["event"][event.subject]["identifier_description_pair"], json!({ event.key: event.sentence }));
        assert_eq!((&made["rank"], &made["mechanism"]), (&json!(event.rank), &json!("AUTOMATIC")));
        assert_eq!(made.get("asset"), None);
        let target = format!("/activity/{}", made["id"].as_str().expect("an id"));
        assert_eq!(get(&service, &target).await, made);
    }
    let all = get(&service, "/activities").await;
    assert_eq!(all["iterable"].as_array().map(Vec::len), Some(EVENTS.len()));
}

#[tokio::test]
async fn a_rank_counts_in_the_score_from_its_event_until_its_deletion() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    let score = async || {
        let score = &tree(&service.client, &asset).await["score"];
        (score["manual"].as_i64(), score["automatic"].as_i64())
    };
    let made = post(&service, "/activities/create", &viewed(asset.as_str())).await;
    assert_eq!(made["asset"]["id"], asset.as_str());
    assert_eq!(score().await, (Some(1), Some(0)));
    let mut body = made.clone();
    body["mechanism"] = "AUTOMATIC".into();
    body["event"] = json!({});
    body["note"] = "kept".into();
    let changed = post(&service, "/activity/update", &body).await;
    assert_eq!((&changed["event"], &changed["note"]), (&made["event"], &json!("kept")));
    assert_eq!(score().await, (Some(0), Some(1)));
    let copied = json!({ "asset_format_copied": "an_asset_preview_format_was_copied" });
    body["event"] = made["event"].clone();
    body["event"]["asset"]["identifier_description_pair"] = copied;
    post(&service, "/activity/update", &body).await;
    assert_eq!(score().await, (Some(0), Some(5)));
    let target = format!("/activities/{}/delete", made["id"].as_str().expect("an id"));
    assert_eq!(status(&service, "POST", &target).await, 204);
    assert_eq!(score().await, (Some(0), Some(0)));
    assert_eq!(status(&service, "POST", &target).await, 404);
    assert_eq!(status(&service, "GET", &format!("/activity/{}", made["id"].as_str().expect("an id"))).await, 410);
}

#[tokio::test]
async fn identifiers_are_newest_first_and_filtered_by_event() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    let last = post(&service, "/activities/create", &viewed(asset.as_str())).await;
    assert_eq!(status(&service, "POST", &format!("/assets/{asset}/delete")).await, 200);
    let ids = |list: &Value| -> Vec<String> {
        let list = list["iterable"].as_array().expect("a list").iter();
        list.map(|one| one["id"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let all = ids(&get(&service, "/activities").await);
    let mut newest = ids(&get(&service, "/activity/identifiers").await);
    assert_eq!((newest.len(), newest[1].as_str()), (3, last["id"].as_str().expect("an id")));
    newest.reverse();
    assert_eq!(newest, all);
    for (word, expected) in [("CREATED", &all[..1]), ("DELETED", &all[2..]), ("UPDATED", &[]), ("REFERENCED", &[])] {
        let list = get(&service, &format!("/activity/identifiers?activity_filter_enum={word}")).await;
        assert_eq!(ids(&list), expected, "{word}");
    }
    assert_eq!(status(&service, "GET", "/activity/identifiers?activity_filter_enum=EATEN").await, 400);
    let activities = get(&service, "/activities").await;
    assert_eq!(activities["iterable"][2]["event"]["asset"]["asset"]["id"], asset.as_str());
}

#[tokio::test]
async fn activities_of_pseudo_assets_are_listed_on_request() {
    let service = TestService::start().await;
    let mut seed = text_seed("a", "x");
    seed["asset"]["pseudo"] = true.into();
    create(&service.client, seed).await.expect("an asset");
    for (target, count) in [("/activities", 0), ("/activities?pseudo=true", 1), ("/activity/identifiers", 0)] {
        assert_eq!(get(&service, target).await["iterable"].as_array().map(Vec::len), Some(count), "{target}");
    }
}

#[tokio::test]
async fn an_event_that_clients_would_refuse_returns_400() {
    let service = TestService::start().await;
    let event = |pair: Value| json!({ "asset": { "asset": { "id": "a" }, "identifier_description_pair": pair } });
    let twice = json!({ "asset_viewed": "an_asset_was_viewed", "asset_created": "an_asset_was_created" });
    for pair in [json!({}), json!({ "asset_viewed": "seen" }), json!({ "asset_eaten": "an_asset_was_eaten" }), twice] {
        let body = json!({ "application": application(), "event": event(pair) }).to_string();
        let answer = service.send("POST", "/activities/create", Some(&body)).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.text());
    }
    let mut body = viewed("a");
    body["asset"] = json!({ "id": "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159" });
    assert_eq!(service.send("POST", "/activities/create", Some(&body.to_string())).await.status, 404);
    let empty = json!({ "application": application(), "event": {} });
    assert_eq!(post(&service, "/activities/create", &empty).await["event"], json!({}));
}
