//! One tag, website or workstream summary: found, read, updated, scored, deleted; and linked from its own side, which
//! must leave the very same behind as from the asset's.

use lunette_client::model::id::AssetId;
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{ODD, moment, summary, tag, text_asset, website};

/// The three kinds: the first part of the paths of many and of one, the field of an asset, and the key of an increment.
const KINDS: [(&str, &str, &str); 3] = [
    ("tags", "tag", "tags"),
    ("websites", "website", "websites"),
    ("workstream_summaries", "workstream_summary", "summaries"),
];

async fn made(service: &TestService, one: &str, name: &str) -> String {
    match one {
        "tag" => tag(&service.client, name).await.to_string(),
        "website" => website(&service.client, &format!("https://{name}")).await.to_string(),
        _ => summary(&service.client, name).await.to_string(),
    }
}

async fn get(service: &TestService, target: &str) -> Value {
    let answer = service.send("GET", target, None).await;
    assert_eq!(answer.status, 200, "{target}: {}", answer.text());
    answer.json()
}

/// Sends a POST that is done without a body.
async fn done(service: &TestService, target: &str) {
    let answer = service.send("POST", target, None).await;
    assert_eq!((answer.status, answer.body.len()), (204, 0), "{target}: {}", answer.text());
}

async fn update(service: &TestService, one: &str, body: &Value) -> Value {
    let answer = service.send("POST", &format!("/{one}/update"), Some(&body.to_string())).await;
    assert_eq!(answer.status, 200, "{one} {body}: {}", answer.text());
    answer.json()
}

/// Names of events and what is told with them, in order.
async fn events(service: &TestService, asset: &AssetId) -> Vec<(String, Value)> {
    let activities = get(service, &format!("/asset/{asset}/activities")).await;
    let event_of = |activity: &Value| {
        let event = &activity["event"]["asset"];
        let pair = event["identifier_description_pair"].as_object().expect("a pair");
        (pair.keys().next().expect("a key").clone(), event["metadata"].clone())
    };
    activities["iterable"].as_array().expect("a list").iter().map(event_of).collect()
}

/// A record without what differs from one run to the next: its ids and moments, each by the order of its first place.
fn comparable(tree: &Value) -> String {
    let mut text = tree.to_string();
    let mut names: Vec<String> = Vec::new();
    collect(tree, &mut names);
    // Moments as people read them are whole minutes: two of them are equal or not by chance.
    let (minutes, names): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| name.contains(" UTC"));
    for minute in minutes {
        text = text.replace(&minute, "<minute>");
    }
    for (index, name) in names.iter().enumerate() {
        text = text.replace(name.as_str(), &format!("<{index}>"));
    }
    text
}

fn collect(tree: &Value, names: &mut Vec<String>) {
    match tree {
        Value::String(text) => {
            let varies = text.parse::<AssetId>().is_ok() || text.contains(" UTC") || text.ends_with('Z');
            if varies && !names.contains(text) {
                names.push(text.clone());
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, names)),
        Value::Object(fields) => fields.values().for_each(|value| collect(value, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[tokio::test]
async fn a_link_from_either_side_leaves_the_same_records_and_activities() {
    let mut left = Vec::new();
    for mirrored in [false, true] {
        let service = TestService::start().await;
        let mut seen = Vec::new();
        for (many, one, _) in KINDS {
            let asset = text_asset(&service.client, "greeting", "hello").await;
            let id = made(&service, one, "parser").await;
            for verb in ["associate", "associate", "disassociate", "disassociate", "associate"] {
                let target = match mirrored {
                    false => format!("/asset/{asset}/{many}/{verb}/{id}"),
                    true => format!("/{one}/{id}/assets/{verb}/{asset}"),
                };
                done(&service, &target).await;
                for path in [format!("/asset/{asset}"), format!("/{one}/{id}"), format!("/asset/{asset}/activities")] {
                    seen.push(comparable(&get(&service, &path).await));
                }
            }
        }
        left.push(seen);
    }
    for (asset_side, item_side) in left[0].iter().zip(&left[1]) {
        assert_eq!(asset_side, item_side);
    }
    assert_eq!((left[0].len(), left[1].len()), (45, 45));
}

#[tokio::test]
async fn a_link_from_its_own_side_refuses_as_from_the_assets() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "hello").await;
    let nowhere = AssetId::random();
    for (many, one, _) in KINDS {
        let id = made(&service, one, "parser").await;
        for verb in ["associate", "disassociate"] {
            for (asset, id) in [(nowhere.as_str(), id.as_str()), (asset.as_str(), "no%20such"), ("update", id.as_str())]
            {
                let mirrored = service.send("POST", &format!("/{one}/{id}/assets/{verb}/{asset}"), None).await;
                let direct = service.send("POST", &format!("/asset/{asset}/{many}/{verb}/{id}"), None).await;
                assert_eq!((mirrored.status, mirrored.text()), (direct.status, direct.text()), "{one} {verb} {asset}");
                assert!([400, 404].contains(&mirrored.status), "{}", mirrored.text());
            }
        }
    }
}

#[tokio::test]
async fn an_item_reads_as_listed_and_an_unknown_one_returns_410() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "hello").await;
    for (many, one, _) in KINDS {
        let id = made(&service, one, "parser").await;
        done(&service, &format!("/{one}/{id}/assets/associate/{asset}")).await;
        let record = get(&service, &format!("/{one}/{id}?transferables=false&association_metadata=true")).await;
        assert_eq!(get(&service, &format!("/{many}")).await["iterable"], json!([record]));
        assert_eq!(record["assets"]["iterable"], json!([{ "id": asset.as_str() }]));
        for unknown in ["nobody", "%F0%9F%98%80", "a%2Fb"] {
            let answer = service.send("GET", &format!("/{one}/{unknown}"), None).await;
            assert_eq!(answer.status, 410, "{}", answer.text());
            assert!(answer.text().contains(&one.replace('_', " ")), "{}", answer.text());
        }
    }
}

#[tokio::test]
async fn existing_items_are_found_by_their_identifying_fields() {
    let service = TestService::start().await;
    let exists = async |many: &str, value: &str| {
        let answer =
            service.send("POST", &format!("/{many}/exists"), Some(&json!({ "value": value }).to_string())).await;
        assert_eq!(answer.status, 200, "{many} {value:?}: {}", answer.text());
        answer.json()
    };
    for text in ODD {
        let id = tag(&service.client, text).await;
        assert_eq!(exists("tags", &format!(" {text} ")).await, json!({ "tag": { "id": id.as_str() } }));
        assert_eq!(exists("websites", text).await, json!({}));
        let id = website(&service.client, text).await;
        assert_eq!(exists("websites", text).await, json!({ "website": { "id": id.as_str() } }));
    }
    assert_eq!(exists("tags", "another").await, json!({}));
    assert_eq!(exists("tags", "").await, json!({}));
    assert_eq!(service.send("POST", "/tags/exists", Some("{}")).await.status, 400);
    assert_eq!(service.send("POST", "/websites/exists", None).await.status, 400);
}

#[tokio::test]
async fn deleting_an_item_unlinks_it_from_its_assets() {
    let service = TestService::start().await;
    let expected = ["asset_tag_deleted", "asset_link_deleted", "asset_updated"];
    for ((many, one, field), event) in KINDS.into_iter().zip(expected) {
        let first = text_asset(&service.client, "first", "1").await;
        let second = text_asset(&service.client, "second", "2").await;
        let apart = text_asset(&service.client, "apart", "3").await;
        let id = made(&service, one, "parser").await;
        for asset in [&first, &second] {
            done(&service, &format!("/{one}/{id}/assets/associate/{asset}")).await;
        }
        let before = get(&service, &format!("/asset/{first}")).await;
        let untouched = get(&service, &format!("/asset/{apart}")).await;
        done(&service, &format!("/{many}/{id}/delete")).await;
        for asset in [&first, &second] {
            let after = get(&service, &format!("/asset/{asset}")).await;
            assert_eq!(after[field]["iterable"], json!([]));
            assert!(moment(&after["updated"]) > moment(&before["created"]));
            let recorded = events(&service, asset).await;
            assert_eq!(recorded.last().map(|(event, _)| event.as_str()), Some(event));
        }
        let after = get(&service, &format!("/asset/{first}")).await;
        assert!(moment(&after["updated"]) > moment(&before["updated"]));
        assert_eq!(get(&service, &format!("/asset/{apart}")).await, untouched);
        assert_eq!(get(&service, &format!("/{many}")).await["iterable"], json!([]));
        assert_eq!(service.send("GET", &format!("/{one}/{id}"), None).await.status, 410);
        assert_eq!(service.send("POST", &format!("/{many}/{id}/delete"), None).await.status, 404);
        let link = service.send("POST", &format!("/asset/{first}/{many}/associate/{id}"), None).await;
        assert_eq!(link.status, 404, "{}", link.text());
    }
}

#[tokio::test]
async fn a_deleted_tag_can_be_created_again() {
    let service = TestService::start().await;
    let first = tag(&service.client, "parser").await;
    done(&service, &format!("/tags/{first}/delete")).await;
    assert_ne!(tag(&service.client, "parser").await, first);
}

#[tokio::test]
async fn an_update_merges_and_leaves_our_own_fields_alone() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "hello").await;
    for (_, one, _) in KINDS {
        let id = made(&service, one, "parser").await;
        done(&service, &format!("/{one}/{id}/assets/associate/{asset}")).await;
        let before = get(&service, &format!("/{one}/{id}")).await;
        let mut body = before.clone();
        body["created"]["value"] = "1999-01-01T00:00:00Z".into();
        body["assets"] = json!({ "iterable": [] });
        body["mechanisms"] = json!({ "x": "AUTOMATIC" });
        body["score"] = json!({ "manual": 7, "automatic": 7, "reuse": 7 });
        body["deleted"] = json!({ "value": "1999-01-01T00:00:00Z" });
        assert_eq!(update(&service, one, &body).await, before, "{one}: what is ours is not a change");
        body["of_tomorrow"] = json!({ "kept": [1, 2.50] });
        body["persons"] = json!({ "iterable": [{ "id": "p1" }] });
        let after = update(&service, one, &body).await;
        assert_eq!(after["of_tomorrow"], json!({ "kept": [1, 2.50] }));
        assert_eq!(after["persons"]["iterable"], json!([{ "id": "p1" }]));
        assert!(moment(&after["updated"]) > moment(&before["updated"]));
        // What is absent or null is kept, but for an unknown field that is null; lists lose nothing.
        let mut body = before.clone();
        body["persons"] = json!({ "iterable": [{ "id": "p2", "reference": { "id": "p2", "type": {} } }] });
        let after = update(&service, one, &body).await;
        assert_eq!(after["of_tomorrow"], json!({ "kept": [1, 2.50] }));
        assert_eq!(after["persons"]["iterable"], json!([{ "id": "p1" }, { "id": "p2" }]));
        body["persons"] = Value::Null;
        body["of_tomorrow"] = Value::Null;
        let after = update(&service, one, &body).await;
        assert_eq!(after["persons"]["iterable"].as_array().map(Vec::len), Some(2));
        assert_eq!(after.get("of_tomorrow"), None);
        assert_eq!(get(&service, &format!("/{one}/{id}")).await, after);
    }
}

#[tokio::test]
async fn a_renamed_item_is_found_by_its_new_name_and_updated_on_its_assets() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "hello").await;
    for ((_, one, field), text) in KINDS.into_iter().zip(["text", "url", "name"]) {
        let id = made(&service, one, "old").await;
        done(&service, &format!("/{one}/{id}/assets/associate/{asset}")).await;
        let before = get(&service, &format!("/asset/{asset}")).await;
        for odd in ODD {
            let mut body = get(&service, &format!("/{one}/{id}")).await;
            body[text] = format!("  {odd} ").into();
            assert_eq!(update(&service, one, &body).await[text], *odd);
        }
        let after = get(&service, &format!("/asset/{asset}")).await;
        assert_eq!(after[field]["iterable"][0][text], *ODD.last().expect("a text"));
        assert_eq!(after["updated"], before["updated"]);
    }
    let found = service.send("POST", "/tags/exists", Some("{\"value\":\"old\"}")).await.json();
    assert_eq!(found, json!({}));
}

#[tokio::test]
async fn a_foreign_or_missing_text_is_refused_and_changes_nothing() {
    let service = TestService::start().await;
    for ((many, one, _), text) in KINDS.into_iter().zip(["text", "url", "name"]) {
        let (first, second) = (made(&service, one, "first").await, made(&service, one, "second").await);
        let before = get(&service, &format!("/{many}")).await;
        let mut body = get(&service, &format!("/{one}/{second}")).await;
        body["of_tomorrow"] = true.into();
        let taken = get(&service, &format!("/{one}/{first}")).await[text].clone();
        body[text] = format!(" {} ", taken.as_str().expect("a text")).into();
        let answer = service.send("POST", &format!("/{one}/update"), Some(&body.to_string())).await;
        // Summaries may share a name, as in making.
        if one == "workstream_summary" {
            assert_eq!(answer.status, 200);
        } else {
            assert_eq!(answer.status, 409, "{}", answer.text());
            assert!(answer.text().contains(&first), "{}", answer.text());
            assert_eq!(get(&service, &format!("/{many}")).await, before);
        }
        let before = get(&service, &format!("/{many}")).await;
        body[text] = " \t".into();
        let answer = service.send("POST", &format!("/{one}/update"), Some(&body.to_string())).await;
        assert_eq!(answer.status, 400, "{}", answer.text());
        assert_eq!(get(&service, &format!("/{many}")).await, before);
        body[text] = "third".into();
        body["id"] = "nobody".into();
        assert_eq!(service.send("POST", &format!("/{one}/update"), Some(&body.to_string())).await.status, 404);
        assert_eq!(service.send("POST", &format!("/{one}/update"), None).await.status, 400);
    }
}

#[tokio::test]
async fn enum_values_of_later_clients_are_not_stored() {
    let service = TestService::start().await;
    let id = made(&service, "tag", "parser").await;
    let at = json!({ "value": "2024-05-01T12:00:00Z" });
    let model = json!({ "id": "m", "version": "1", "created": at, "name": "local", "cloud": false, "type": "UNKNOWN",
        "usage": "OF_TOMORROW" });
    let mut body = get(&service, &format!("/tag/{id}")).await;
    body["category"] = "OF_TOMORROW".into();
    body["relationship"] = json!({ "id": "r", "created": at, "updated": at,
        "embeddings": { "iterable": [{ "raw": [0.5], "created": at, "updated": at, "model": model }] },
        "edges": { "iterable": [{ "id": "n", "type": "UNKNOWN", "root": true, "created": at }] } });
    let after = update(&service, "tag", &body).await;
    assert_eq!(after["category"], "UNKNOWN");
    assert_eq!(after["relationship"]["embeddings"]["iterable"][0]["model"]["type"], "BALANCED");
    assert_eq!(after["relationship"]["edges"]["iterable"][0]["type"], "ASSET");
    let id = made(&service, "workstream_summary", "Morning").await;
    let mut body = get(&service, &format!("/workstream_summary/{id}")).await;
    body["model"] = model;
    body["applications"] = json!({ "iterable": [{ "id": "a", "name": "MCP_CLIENT", "version": "1", "platform": "LINUX",
        "onboarded": true, "privacy": "OPEN" }] });
    body["ranges"] = json!("nonsense");
    let after = update(&service, "workstream_summary", &body).await;
    assert_eq!((&after["model"]["type"], &after["model"]["usage"]), (&json!("BALANCED"), &json!("CODE_CONVERSATION")));
    assert_eq!(after["applications"]["iterable"][0]["name"], "UNKNOWN");
    assert_eq!(after["ranges"]["iterable"], json!([]));
}

#[tokio::test]
async fn a_score_increments_by_one_and_does_not_count_as_an_edit() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "hello").await;
    for (_, one, field) in KINDS {
        let id = made(&service, one, "parser").await;
        done(&service, &format!("/{one}/{id}/assets/associate/{asset}")).await;
        let before = get(&service, &format!("/{one}/{id}")).await;
        assert_eq!(before.get("score"), None);
        let increment = async |body: Value| {
            service.send("POST", &format!("/{one}/{id}/scores/increment"), Some(&body.to_string())).await
        };
        for body in [json!({ one: { "reuse": true } }), json!({ one: { "reuse": true, "update": false } })] {
            assert_eq!(increment(body).await.status, 204);
        }
        assert_eq!(increment(json!({ one: { "searched": true } })).await.status, 204);
        // Nothing chosen, or of another material, changes nothing.
        for body in [json!({}), json!({ one: {} }), json!({ "asset": { "reuse": true } })] {
            assert_eq!(increment(body).await.status, 204);
        }
        done(&service, &format!("/{one}/{id}/scores/increment")).await;
        let after = get(&service, &format!("/{one}/{id}")).await;
        assert_eq!(after["score"], json!({ "manual": 0, "automatic": 0, "reuse": 2, "searched": 1 }));
        assert_eq!(after["updated"], before["updated"]);
        let linked = &get(&service, &format!("/asset/{asset}")).await[field]["iterable"][0]["score"];
        assert_eq!(linked, &after["score"]);
        assert_eq!(increment(json!({ one: { "reuse": true, "priority": true } })).await.status, 400);
        assert_eq!(increment(json!({ one: 7 })).await.status, 400);
        let nobody = service.send("POST", &format!("/{one}/nobody/scores/increment"), None).await;
        assert_eq!(nobody.status, 404, "{}", nobody.text());
    }
}
