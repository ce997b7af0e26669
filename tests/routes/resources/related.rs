//! Persons, anchors and hints: made, listed, read, linked and deleted; and how an asset lists them.

use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{ODD, create, moment, text_asset, text_seed};

/// The three kinds: the first part of the paths of many, of one, and a seed.
fn kinds() -> [(&'static str, &'static str, Value); 3] {
    [
        ("persons", "person", json!({ "type": { "basic": { "name": "Ada", "email": "ada@example.org" } } })),
        ("anchors", "anchor", json!({ "type": "DIRECTORY", "fullpath": "/home/ada/engine", "name": "engine" })),
        ("hints", "hint", json!({ "type": "QGPT_HINT", "text": "What does it do?" })),
    ]
}

async fn get(service: &TestService, target: &str) -> Value {
    let answer = service.send("GET", target, None).await;
    assert_eq!(answer.status, 200, "{target}: {}", answer.text());
    answer.json()
}

async fn post(service: &TestService, target: &str, body: &Value) -> Value {
    let answer = service.send("POST", target, Some(&body.to_string())).await;
    assert_eq!(answer.status, 200, "{target} {body}: {}", answer.text());
    answer.json()
}

async fn done(service: &TestService, target: &str) {
    let answer = service.send("POST", target, None).await;
    assert_eq!((answer.status, answer.body.len()), (204, 0), "{target}: {}", answer.text());
}

async fn refused(service: &TestService, target: &str) -> u16 {
    service.send("POST", target, None).await.status
}

fn id(record: &Value) -> &str {
    record["id"].as_str().expect("an id")
}

/// The key, rank and metadata of the last thing that happened to an asset, and how much has happened.
async fn last_event(service: &TestService, asset: &AssetId) -> (String, Value, Value, usize) {
    let activities = get(service, &format!("/asset/{asset}/activities")).await;
    let all = activities["iterable"].as_array().expect("a list");
    let last = all.last().expect("an activity");
    let pair = last["event"]["asset"]["identifier_description_pair"].as_object().expect("a pair");
    let key = pair.keys().next().expect("a key").clone();
    (key, last["rank"].clone(), last["event"]["asset"]["metadata"].clone(), all.len())
}

#[tokio::test]
async fn an_item_is_created_listed_read_and_deleted() {
    let service = TestService::start().await;
    for (many, one, seed) in kinds() {
        assert_eq!(get(&service, &format!("/{many}")).await["iterable"], json!([]));
        let made = post(&service, &format!("/{many}/create"), &seed).await;
        let again = post(&service, &format!("/{many}/create"), &seed).await;
        assert_ne!(made["id"], again["id"]);
        assert_eq!(get(&service, &format!("/{many}?transferables=false")).await["iterable"], json!([made, again]));
        assert_eq!(get(&service, &format!("/{one}/{}", id(&made))).await, made);
        assert_eq!(made["assets"]["iterable"], json!([]));
        done(&service, &format!("/{many}/{}/delete", id(&made))).await;
        assert_eq!(get(&service, &format!("/{many}")).await["iterable"], json!([again]));
        let answer = service.send("GET", &format!("/{one}/{}", id(&made)), None).await;
        assert_eq!((answer.status, answer.text().contains("deleted")), (410, true), "{}", answer.text());
        assert_eq!(service.send("GET", &format!("/{one}/a%2Fb"), None).await.status, 410);
        assert_eq!(refused(&service, &format!("/{many}/{}/delete", id(&made))).await, 404);
        assert_eq!(refused(&service, &format!("/{many}/nobody/delete")).await, 404);
    }
}

#[tokio::test]
async fn a_seed_becomes_the_record_that_clients_read() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    let person = json!({ "asset": asset.as_str(), "mechanism": "AUTOMATIC", "access": { "scoped": "EDITOR" },
        "model": { "model": { "id": "m" } }, "anchors": { "iterable": [{ "id": "a" }] },
        "type": { "basic": { "name": "Ada", "sourced": "GIT_HUB" }, "platform": { "id": "u" } } });
    let person = post(&service, "/persons/create", &person).await;
    assert_eq!(person["type"], json!({ "basic": { "name": "Ada", "sourced": "GIT_HUB" } }));
    assert_eq!(person["mechanisms"], json!({ asset.as_str(): "AUTOMATIC" }));
    assert_eq!(person["access"], json!({ asset.as_str(): { "scoped": "EDITOR" } }));
    let model = json!({ "model": { "id": "m" }, "asset": { "id": asset.as_str() } });
    assert_eq!(person["models"], json!({ asset.as_str(): model }));
    assert_eq!(person["anchors"]["iterable"], json!([{ "id": "a" }]));
    let anchor = json!({ "type": "FILE", "fullpath": "/a b/ü", "platform": "LINUX", "watch": true,
        "persons": { "iterable": [{ "id": person["id"] }] }, "conversation": "c" });
    let anchor = post(&service, "/anchors/create", &anchor).await;
    let point = &anchor["points"]["iterable"][0];
    assert_eq!((&point["reference"]["fullpath"], &point["reference"]["platform"]), (&json!("/a b/ü"), &json!("LINUX")));
    assert_eq!((&point["reference"]["id"], &point["reference"]["anchor"]["id"]), (&point["id"], &anchor["id"]));
    assert_eq!((&anchor["type"], &anchor["watch"], anchor.get("name")), (&json!("FILE"), &json!(true), None));
    assert_eq!(anchor["conversations"]["iterable"], json!([{ "id": "c" }]));
    assert_eq!(anchor["persons"]["iterable"], json!([{ "id": person["id"] }]));
    let hint = post(&service, "/hints/create", &json!({ "type": "UNKNOWN", "text": "Why?", "model": "m" })).await;
    assert_eq!(
        (&hint["type"], &hint["text"], &hint["model"]["id"]),
        (&json!("SUGGESTED_QUERY"), &json!("Why?"), &json!("m"))
    );
    assert_eq!(hint["mechanisms"], json!({}));
}

#[tokio::test]
async fn an_incomplete_seed_returns_400_and_one_for_a_missing_asset_creates_nothing() {
    let service = TestService::start().await;
    for (many, _, mut seed) in kinds() {
        for body in ["{}", "[]", "{\"type\":7}", "{\"type\":\"FILE\",\"fullpath\":\" \",\"text\":\"\"}"] {
            let answer = service.send("POST", &format!("/{many}/create"), Some(body)).await;
            assert_eq!(answer.status, 400, "{many} {body}: {}", answer.text());
        }
        assert_eq!(refused(&service, &format!("/{many}/create")).await, 400);
        seed["asset"] = AssetId::random().as_str().into();
        let answer = service.send("POST", &format!("/{many}/create"), Some(&seed.to_string())).await;
        assert_eq!(answer.status, 404, "{}", answer.text());
        assert_eq!(get(&service, &format!("/{many}")).await["iterable"], json!([]));
    }
}

#[tokio::test]
async fn links_are_added_and_removed_once_and_published() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    for (many, one, seed) in kinds() {
        let made = post(&service, &format!("/{many}/create"), &seed).await;
        let before = get(&service, &format!("/asset/{asset}")).await;
        assert_eq!(before.get(many), None);
        let counted = if one == "anchor" { 0 } else { 2 };
        for (verb, past) in [("associate", "added"), ("disassociate", "deleted"), ("associate", "added")] {
            let rank = if past == "added" { counted } else { -counted };
            let (.., happened) = last_event(&service, &asset).await;
            let score = get(&service, &format!("/asset/{asset}")).await["score"]["manual"].as_i64().expect("a sum");
            for _ in 0..2 {
                done(&service, &format!("/asset/{asset}/{many}/{verb}/{}", id(&made))).await;
            }
            let (key, told_rank, metadata, now) = last_event(&service, &asset).await;
            assert_eq!((key, now), (format!("asset_{one}_{past}"), happened + 1));
            assert_eq!((told_rank, metadata), (json!(rank), json!({ one: { "id": made["id"] } })));
            let after = get(&service, &format!("/asset/{asset}")).await;
            assert_eq!(after["score"]["manual"], score + rank);
            let linked = get(&service, &format!("/{one}/{}", id(&made))).await;
            if past == "added" {
                assert_eq!(after[many]["iterable"], json!([linked]));
                assert_eq!(linked["assets"]["iterable"], json!([{ "id": asset.as_str() }]));
            } else {
                assert_eq!((after.get(many), &linked["assets"]["iterable"]), (None, &json!([])));
            }
        }
        let after = get(&service, &format!("/asset/{asset}")).await;
        assert!(moment(&after["updated"]) > moment(&before["updated"]));
    }
}

#[tokio::test]
async fn an_unknown_side_of_a_link_returns_404_with_its_id() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    for (many, one, seed) in kinds() {
        let made = post(&service, &format!("/{many}/create"), &seed).await;
        for verb in ["associate", "disassociate"] {
            let nowhere = service.send("POST", &format!("/asset/{asset}/{many}/{verb}/%F0%9F%98%80"), None).await;
            assert_eq!((nowhere.status, nowhere.text().contains(one)), (404, true), "{}", nowhere.text());
            let target = format!("/asset/{}/{many}/{verb}/{}", AssetId::random(), id(&made));
            assert_eq!(refused(&service, &target).await, 404);
            assert_eq!(refused(&service, &format!("/asset/update/{many}/{verb}/x")).await, 400);
        }
    }
}

#[tokio::test]
async fn deleting_an_item_unlinks_it_and_cannot_be_reverted() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    for (many, one, mut seed) in kinds() {
        seed["asset"] = asset.as_str().into();
        let made = post(&service, &format!("/{many}/create"), &seed).await;
        let held = get(&service, &format!("/asset/{asset}")).await;
        assert_eq!(held[many]["iterable"], json!([made]));
        done(&service, &format!("/{many}/{}/delete", id(&made))).await;
        assert_eq!(last_event(&service, &asset).await.0, format!("asset_{one}_deleted"));
        // Someone who had read the asset before sends all of it back.
        let after = post(&service, "/asset/update", &held).await;
        assert_eq!(after.get(many), None, "{after}");
        assert_eq!(refused(&service, &format!("/asset/{asset}/{many}/associate/{}", id(&made))).await, 404);
    }
}

#[tokio::test]
async fn an_asset_includes_its_items_without_duplicates() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    let at = json!({ "value": "2024-05-01T12:00:00Z" });
    let foreign = [
        json!({ "id": "theirs", "type": { "basic": { "name": "Bob" } }, "created": at, "updated": at, "new": 1 }),
        json!({ "id": "theirs", "type": "UNKNOWN", "points": { "iterable": [] }, "created": at, "updated": at, "new": 1 }),
        json!({ "id": "theirs", "type": "UNKNOWN", "text": "Why?", "created": at, "updated": at, "new": 1 }),
    ];
    for ((many, one, mut seed), foreign) in kinds().into_iter().zip(foreign) {
        let mut body = get(&service, &format!("/asset/{asset}")).await;
        body[many] = json!({ "iterable": [foreign] });
        post(&service, "/asset/update", &body).await;
        seed["asset"] = asset.as_str().into();
        let made = post(&service, &format!("/{many}/create"), &seed).await;
        let joined = get(&service, &format!("/asset/{asset}")).await;
        let list = joined[many]["iterable"].as_array().expect("a list");
        assert_eq!((list.len(), &list[1], &list[0]["id"], &list[0]["new"]), (2, &made, &json!("theirs"), &json!(1)));
        assert_eq!(joined[many]["indices"], json!({ "theirs": 0, id(&made): 1 }));
        if one != "person" {
            assert_ne!(list[0]["type"], "UNKNOWN");
        }
        if one != "anchor" {
            assert_eq!(list[0]["mechanisms"], json!({}));
        }
        // Sent back, it changes nothing, but for what was brought into the alphabet the first time.
        post(&service, "/asset/update", &joined).await;
        let before = get(&service, &format!("/asset/{asset}")).await;
        assert_eq!(post(&service, "/asset/update", &joined).await, before);
        assert_eq!(before[many], joined[many]);
        // Unlinked, it leaves no copy behind, and the other entry stays.
        done(&service, &format!("/asset/{asset}/{many}/disassociate/{}", id(&made))).await;
        let after = post(&service, "/asset/update", &joined).await;
        assert_eq!(after[many]["iterable"], json!([list[0]]));
    }
}

#[tokio::test]
async fn the_items_named_in_an_asset_seed_are_created_and_linked() {
    let service = TestService::start().await;
    let mut seed = text_seed("greeting", "x");
    for (many, _, of) in kinds() {
        seed["asset"]["metadata"][many] = json!([of, of]);
    }
    let made = create(&service.client, seed.clone()).await.expect("an asset");
    let asset: AssetId = made.view().id().parse().expect("an id");
    let tree = get(&service, &format!("/asset/{asset}")).await;
    for (many, one, _) in kinds() {
        assert_eq!(tree[many]["iterable"].as_array().map(Vec::len), Some(2));
        assert_eq!(get(&service, &format!("/{many}")).await["iterable"], tree[many]["iterable"], "{one}");
    }
    let events = get(&service, &format!("/asset/{asset}/activities")).await;
    assert_eq!(events["iterable"].as_array().map(Vec::len), Some(1 + 6));
    seed["asset"]["metadata"]["hints"] = json!([{ "type": "QGPT_HINT", "text": " " }]);
    let before = get(&service, "/assets/identifiers").await;
    assert_eq!(service.send("POST", "/assets/create", Some(&seed.to_string())).await.status, 400);
    assert_eq!(get(&service, "/assets/identifiers").await, before);
    // The asset goes, they stay.
    assert_eq!(service.send("POST", &format!("/assets/{asset}/delete"), None).await.status, 200);
    assert_eq!(get(&service, "/persons").await["iterable"][0]["assets"]["iterable"], json!([]));
}

#[tokio::test]
async fn texts_of_a_seed_become_annotations_and_are_deleted_with_it() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    for (many, one, mut seed) in kinds().into_iter().take(2) {
        seed["asset"] = asset.as_str().into();
        seed["annotations"] = json!([{ "type": "COMMENT", "text": "met in London" }]);
        let made = post(&service, &format!("/{many}/create"), &seed).await;
        let texts = &made["annotations"]["iterable"];
        assert_eq!(texts[0]["reference"]["text"], "met in London");
        assert_eq!(texts[0]["reference"][one], json!({ "id": made["id"] }));
        assert_eq!(get(&service, &format!("/asset/{asset}")).await[many]["iterable"], json!([made]));
        assert_eq!(get(&service, &format!("/{many}")).await["iterable"], json!([made]));
        let of_its_own = get(&service, &format!("/annotation/{}", id(&texts[0]))).await;
        assert_eq!(of_its_own, texts[0]["reference"]);
        done(&service, &format!("/{many}/{}/delete", id(&made))).await;
        let answer = service.send("GET", &format!("/annotation/{}", id(&texts[0])), None).await;
        assert!([404, 410].contains(&answer.status), "{}", answer.text());
    }
}

#[tokio::test]
async fn unusual_text_is_stored_unchanged() {
    let service = TestService::start().await;
    for text in ODD {
        let hint = post(&service, "/hints/create", &json!({ "type": "QGPT_HINT", "text": text })).await;
        assert_eq!(hint["text"], *text);
        let anchor =
            post(&service, "/anchors/create", &json!({ "type": "FILE", "fullpath": text, "name": text })).await;
        assert_eq!(anchor["points"]["iterable"][0]["reference"]["fullpath"], *text);
        let person = post(&service, "/persons/create", &json!({ "type": { "basic": { "name": text } } })).await;
        assert_eq!(person["type"]["basic"]["name"], *text);
    }
}
