//! The Trash over HTTP: deleted assets are listed, restored and deleted permanently; applications are untracked.

use lunette_client::client::StreamKind;
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::*;
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{application, record, refusal, tag, text_asset, tree};

async fn listed(service: &TestService, query: &str) -> Vec<Value> {
    let list = service.send("GET", &format!("/assets/trash{query}"), None).await.json();
    list["iterable"].as_array().expect("a list").clone()
}

async fn status(service: &TestService, target: &str) -> u16 {
    service.send("POST", target, None).await.status
}

#[tokio::test]
async fn a_deleted_asset_is_in_the_trash_and_restored_with_the_same_record() {
    let service = TestService::start().await;
    let client = &service.client;
    let asset = text_asset(client, "a.txt", "hello").await;
    let made = tag(client, "t").await;
    client.call(AssetAssociateTag { asset: asset.clone(), tag: made }).await.expect("linked");
    let before = tree(client, &asset).await;
    client.call(AssetsDeleteAsset { asset: asset.clone() }).await.expect("deleted");

    let snapshot = client.call(AssetSnapshot { asset: asset.clone(), transferables: None }).await;
    assert_eq!(refusal(snapshot).0, 410);
    let [trashed] = listed(&service, "").await.try_into().expect("one");
    assert_eq!((&trashed["id"], &trashed["name"]), (&json!(asset.as_str()), &json!("a.txt")));
    let reference = &trashed["original"]["reference"];
    assert_eq!((&reference["bytes"]["value"], reference["fragment"].get("string")), (&json!(5), None));
    let moment = |field: &str| -> jiff::Timestamp {
        trashed[field]["value"].as_str().expect("a moment").parse().expect("RFC 3339")
    };
    assert_eq!(moment("expires").duration_since(moment("deleted")), jiff::SignedDuration::from_hours(30 * 24));

    let call = AssetsTrashRestore { asset: asset.clone(), transferables: None };
    let restored = client.call(call.clone()).await.expect("restored");
    let without_moments = |mut tree: Value| {
        tree["updated"].take();
        tree["formats"]["iterable"][0]["asset"].take();
        tree
    };
    let restored = lunette_client::model::record::Record::into_tree(restored);
    assert_eq!(without_moments(restored), without_moments(before));
    assert!(listed(&service, "").await.is_empty());
    client.call(call).await.expect("it is there already");
}

#[tokio::test]
async fn the_trash_is_paged_with_the_latest_deletion_first() {
    let service = TestService::start().await;
    let mut assets = Vec::new();
    for name in ["a", "b", "c"] {
        assets.push(text_asset(&service.client, name, name).await);
    }
    for asset in &assets {
        service.client.call(AssetsDeleteAsset { asset: asset.clone() }).await.expect("deleted");
    }
    let names = async |query: &str| -> Vec<Value> {
        listed(&service, query).await.into_iter().map(|mut asset| asset["name"].take()).collect()
    };
    assert_eq!(names("").await, ["c", "b", "a"]);
    assert_eq!(names("?offset=1&limit=1").await, ["b"]);
    assert_eq!(names("?offset=3").await, [""; 0]);
    assert_eq!(service.send("GET", "/assets/trash?limit=x", None).await.status, 400);
}

#[tokio::test]
async fn permanently_deleted_assets_and_those_outside_the_trash_cannot_be_restored() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "a", "x").await;
    assert_eq!(status(&service, &format!("/assets/trash/{asset}/delete")).await, 409);
    assert_eq!(tree(&service.client, &asset).await["name"], "a");
    assert_eq!(status(&service, &format!("/assets/{asset}/delete")).await, 200);
    assert_eq!(status(&service, &format!("/assets/{asset}/delete")).await, 404);
    assert_eq!(status(&service, &format!("/assets/trash/{asset}/delete")).await, 204);
    for verb in ["restore", "delete"] {
        assert_eq!(status(&service, &format!("/assets/trash/{asset}/{verb}")).await, 404);
        assert_eq!(status(&service, &format!("/assets/trash/{}/{verb}", AssetId::random())).await, 404);
        assert_eq!(status(&service, &format!("/assets/trash/nobody/{verb}")).await, 400);
    }
    assert_eq!(service.send("GET", &format!("/asset/{asset}"), None).await.status, 410);
}

#[tokio::test]
async fn emptying_the_trash_deletes_no_other_asset() {
    let service = TestService::start().await;
    let kept = text_asset(&service.client, "kept", "k").await;
    for number in 0..70 {
        let asset = text_asset(&service.client, "a", &number.to_string()).await;
        service.client.call(AssetsDeleteAsset { asset }).await.expect("deleted");
    }
    assert_eq!(listed(&service, "").await.len(), 70);
    let other = service.send("POST", "/assets/trash/empty?count=69", None).await;
    assert_eq!((other.status, listed(&service, "").await.len()), (409, 70));
    assert!(other.text().contains("the Trash now holds 70 assets, not 69"), "{}", other.text());
    assert_eq!(service.send("POST", "/assets/trash/empty?count=70", None).await.status, 204);
    assert!(listed(&service, "").await.is_empty());
    assert_eq!(tree(&service.client, &kept).await["name"], "kept");
}

#[tokio::test]
async fn a_restored_asset_is_published_on_the_stream() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "a", "x").await;
    let mut stream = service.client.follow(StreamKind::Assets).await.expect("a stream");
    let mut next = async || -> Vec<(String, bool)> {
        let message = tokio::time::timeout(std::time::Duration::from_secs(60), stream.next()).await;
        let message = message.expect("in time").expect("it goes on").expect("a message");
        message.into_iter().map(|change| (change.id, change.deleted)).collect()
    };
    assert_eq!(next().await, [(asset.to_string(), false)]);
    service.client.call(AssetsDeleteAsset { asset: asset.clone() }).await.expect("deleted");
    assert_eq!(next().await, [(asset.to_string(), true)]);
    let call = AssetsTrashRestore { asset: asset.clone(), transferables: None };
    service.client.call(call).await.expect("restored");
    assert_eq!(next().await, [(asset.to_string(), false)]);
}

#[tokio::test]
async fn an_untracked_application_is_gone_and_regains_its_engagement_when_registered_again() {
    let service = TestService::start().await;
    let client = &service.client;
    let call = || ApplicationsRegister { application: Some(record(application())) };
    client.call(call()).await.expect("registered");
    client.call(ApplicationsSessionOpen {}).await.expect("opened");
    let id = application()["id"].as_str().expect("an id").to_owned();
    let target = format!("/applications/{id}/delete");
    assert_eq!(status(&service, &target).await, 204);
    assert_eq!(service.send("GET", &format!("/applications/{id}"), None).await.status, 404);
    assert_eq!(status(&service, &target).await, 404);
    let again = lunette_client::model::record::Record::into_tree(client.call(call()).await.expect("registered"));
    assert_eq!(again["engagement"]["sessions"], 1);
    assert_eq!(status(&service, &format!("{target}?usage=true")).await, 204);
    let anew = lunette_client::model::record::Record::into_tree(client.call(call()).await.expect("registered"));
    assert_eq!(anew["engagement"]["sessions"], 0, "what was counted is deleted on request");
}

#[tokio::test]
async fn lunette_itself_cannot_be_untracked() {
    let service = TestService::start().await;
    let list = service.send("GET", "/applications", None).await.json();
    let own = list["iterable"][0]["id"].as_str().expect("an id");
    let answer = service.send("POST", &format!("/applications/{own}/delete"), None).await;
    assert_eq!(answer.status, 409);
    assert!(answer.text().contains("always tracked"), "{}", answer.text());
    assert_eq!(service.send("GET", &format!("/applications/{own}"), None).await.status, 200);
}
