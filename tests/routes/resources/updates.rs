//! Updates: what is named is replaced, everything else is kept.

use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetAssociateTag, AssetSpecificAssetActivities, AssetUpdate};
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{application, record, tag, text_asset, tree};

#[tokio::test]
async fn an_update_replaces_the_given_fields_and_keeps_the_others() {
    let TestService { client, .. } = &TestService::start().await;
    let id = text_asset(client, "before", "content").await;
    let tag = tag(client, "kept").await;
    client.call(AssetAssociateTag { asset: id.clone(), tag }).await.expect("linked");
    let before = tree(client, &id).await;
    let mut body = minimal(&before);
    body["name"] = "after".into();
    body["favorited"] = true.into();
    body["of_tomorrow"] = json!({ "digits": "x", "list": [1, null, { "deep": true }] });
    let after = update(client, body).await.expect("updated").into_tree();
    assert_eq!(after["name"], "after");
    assert_eq!(after["favorited"], true);
    assert_eq!(after["of_tomorrow"], json!({ "digits": "x", "list": [1, null, { "deep": true }] }));
    for field in ["id", "creator", "created", "mechanism", "annotations"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(after["tags"]["iterable"][0]["id"], before["tags"]["iterable"][0]["id"]);
    assert_eq!(after["original"]["reference"]["fragment"], before["original"]["reference"]["fragment"]);
    assert_eq!(tree(client, &id).await, after);
}

#[tokio::test]
async fn an_update_without_content_does_not_remove_it() {
    let TestService { client, .. } = &TestService::start().await;
    let id = text_asset(client, "greeting", "content").await;
    let before = tree(client, &id).await;
    let mut body = before.clone();
    for field in ["formats", "activities", "tags", "websites", "summaries", "annotations", "conversations"] {
        body[field] = json!({ "iterable": [] });
    }
    body["score"] = json!({ "manual": -9, "automatic": -9 });
    body["created"] = json!({ "value": "1999-01-01T00:00:00Z" });
    body["deleted"] = json!({ "value": "1999-01-01T00:00:00Z" });
    body["creator"] = "somebody else".into();
    body["preview"] = json!({ "base": { "id": "nothing" } });
    assert_eq!(update(client, body).await.expect("updated").into_tree(), before);
}

#[tokio::test]
async fn an_update_edits_the_description_and_publishes_it() {
    let TestService { client, .. } = &TestService::start().await;
    let id = text_asset(client, "greeting", "content").await;
    let described = |body: &mut Value, annotation: &str, text: &str| {
        let moment = json!({ "value": "2024-05-01T12:00:00Z" });
        body["annotations"] = json!({ "iterable": [
            { "id": annotation, "created": moment, "updated": moment, "type": "DESCRIPTION", "text": text }
        ] });
    };
    let mut body = minimal(&tree(client, &id).await);
    described(&mut body, "new", "says hello");
    let first = update(client, body.clone()).await.expect("updated").into_tree();
    let annotation = &first["annotations"]["iterable"][0];
    assert_eq!((annotation["text"].as_str(), annotation["type"].as_str()), (Some("says hello"), Some("DESCRIPTION")));
    described(&mut body, annotation["id"].as_str().expect("an id"), "says good-bye");
    let second = update(client, body).await.expect("updated").into_tree();
    assert_eq!(second["annotations"]["iterable"].as_array().map(Vec::len), Some(1));
    assert_eq!(second["annotations"]["iterable"][0]["text"], "says good-bye");
    let expected = ["asset_created", "asset_description_updated", "asset_description_updated"];
    assert_eq!(events(client, &id).await, expected);
}

#[tokio::test]
async fn null_removes_an_unknown_field_and_keeps_a_known_one() {
    let TestService { client, .. } = &TestService::start().await;
    let id = text_asset(client, "greeting", "content").await;
    let before = tree(client, &id).await;
    let mut body = minimal(&before);
    body["of_tomorrow"] = json!({ "a": null });
    body["favorited"] = true.into();
    let with = update(client, body.clone()).await.expect("updated").into_tree();
    assert_eq!(with["of_tomorrow"], json!({ "a": null }));
    for field in ["of_tomorrow", "favorited", "never_there"] {
        body[field] = Value::Null;
    }
    let without = update(client, body).await.expect("updated").into_tree();
    assert_eq!((without.get("of_tomorrow"), without.get("never_there")), (None, None));
    assert_eq!(without["favorited"], true);
}

#[tokio::test]
async fn a_description_sent_without_text_is_removed() {
    let TestService { client, .. } = &TestService::start().await;
    let id = text_asset(client, "greeting", "content").await;
    let before = tree(client, &id).await;
    let moment = json!({ "value": "2024-05-01T12:00:00Z" });
    let described = |annotation: &Value, text: &str| {
        let mut body = minimal(&before);
        body["annotations"] = json!({ "iterable": [
            { "id": annotation, "created": moment, "updated": moment, "type": "DESCRIPTION", "text": text }
        ] });
        body
    };
    let unchanged = update(client, described(&json!("new"), "")).await.expect("updated").into_tree();
    assert_eq!(unchanged, before);
    let with = update(client, described(&json!("new"), "says hello")).await.expect("updated").into_tree();
    let annotation = &with["annotations"]["iterable"][0]["id"];
    let without = update(client, described(annotation, "")).await.expect("updated").into_tree();
    assert_eq!(without["annotations"], before["annotations"]);
}

#[tokio::test]
async fn a_rename_is_published_with_both_names() {
    let TestService { client, .. } = &TestService::start().await;
    let id = text_asset(client, "before", "content").await;
    let mut body = minimal(&tree(client, &id).await);
    body["name"] = "after".into();
    update(client, body).await.expect("updated");
    let call = AssetSpecificAssetActivities { asset: id.clone(), transferables: None };
    let activities = client.call(call).await.expect("activities").into_tree();
    let renamed = &activities["iterable"][1];
    let pair = json!({ "asset_name_updated": "an_asset_was_renamed_by_the_user" });
    assert_eq!(renamed["event"]["asset"]["identifier_description_pair"], pair);
    assert_eq!(
        renamed["event"]["asset"]["metadata"],
        json!({ "rename": { "previous": "before", "current": "after" } })
    );
    assert_eq!(renamed["rank"], 1);
    assert_eq!(renamed["application"], application());
    assert_eq!(renamed["asset"]["id"], id.as_str());
}

#[tokio::test]
async fn a_malformed_update_returns_400_with_the_reason() {
    let service = TestService::start().await;
    let id = text_asset(&service.client, "greeting", "content").await;
    let mut bad_moment = minimal(&tree(&service.client, &id).await);
    bad_moment["interacted"] = json!({ "value": "yesterday" });
    let mut bad_id = bad_moment.clone();
    bad_id["id"] = "greeting".into();
    let bodies = [
        (String::new(), "body"),
        ("null".to_owned(), "body"),
        ("{".to_owned(), "JSON"),
        ("[]".to_owned(), "Asset"),
        ("{}".to_owned(), "id"),
        (bad_moment.to_string(), "interacted"),
        (bad_id.to_string(), "UUID"),
    ];
    for (body, named) in bodies {
        let answer = service.send("POST", "/asset/update", Some(&body)).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.text());
        assert!(answer.text().contains(named), "{body}: {}", answer.text());
    }
    let mut unknown = minimal(&tree(&service.client, &id).await);
    unknown["id"] = AssetId::random().as_str().into();
    assert_eq!(service.send("POST", "/asset/update", Some(&unknown.to_string())).await.status, 404);
}

#[tokio::test]
async fn an_enum_value_unknown_to_the_oldest_clients_is_not_returned() {
    let TestService { client, .. } = &TestService::start().await;
    let id = text_asset(client, "main.rs", "fn main() {}").await;
    let mut body = minimal(&tree(client, &id).await);
    let schema = json!({ "migration": 0, "semantic": "NEW" });
    body["synced"] = json!({ "value": "2026-01-01T00:00:00Z", "schema": schema });
    let updated = update(client, body).await.expect("updated").into_tree();
    assert_eq!(updated["synced"]["schema"]["semantic"], "MAJOR_0_MINOR_0_PATCH_1");
}

/// The fields that an update must have, and no other.
fn minimal(asset: &Value) -> Value {
    let needed = ["id", "creator", "created", "updated", "formats", "preview", "original", "mechanism"];
    Value::Object(needed.into_iter().map(|field| (field.to_owned(), asset[field].clone())).collect())
}

async fn update(
    client: &lunette_client::client::Client,
    body: Value,
) -> Result<Asset, lunette_client::client::CallError> {
    client.call(AssetUpdate { transferables: None, asset: Some(record(body)) }).await
}

async fn events(client: &lunette_client::client::Client, asset: &AssetId) -> Vec<String> {
    let call = AssetSpecificAssetActivities { asset: asset.clone(), transferables: None };
    let activities = client.call(call).await.expect("activities").into_tree();
    let pairs = activities["iterable"].as_array().expect("a list").iter();
    pairs
        .flat_map(|activity| activity["event"]["asset"]["identifier_description_pair"].as_object())
        .flat_map(|pair| pair.keys().cloned())
        .collect()
}
