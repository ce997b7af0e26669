//! The assets that are related to one: which, in which order, and why.

use lunette_client::client::Client;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::*;
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{ODD, imported_asset, refusal, tag, text_asset};

const TEXT: &str = "fn debounce(quiet: Duration, mut call: impl FnMut()) { let mut last = Instant::now(); \
                    loop { if last.elapsed() > quiet { call(); last = Instant::now(); } park_timeout(quiet); } }";

async fn related(client: &Client, asset: &AssetId, limit: Option<u64>) -> Vec<Value> {
    let call = AssetsSpecificAssetRelatedSnapshot { asset: asset.clone(), limit };
    let tree = client.call(call).await.expect("related assets").into_tree();
    tree["iterable"].as_array().expect("a list").clone()
}

#[tokio::test]
async fn a_near_duplicate_comes_first_and_each_says_why() {
    let TestService { client, .. } = &TestService::start().await;
    let original = imported_asset(client, "lib/time/debounce.rs", TEXT).await;
    let copy = text_asset(client, "Untitled", &TEXT.replace("quiet", "pause")).await;
    let tagged = text_asset(client, "invoices.sql", "SELECT name FROM invoices").await;
    imported_asset(client, "lib/time/sleep.py", "import asyncio").await;
    text_asset(client, "poem", "roses violets").await;
    let batch = tag(client, "batch").await;
    for asset in [&original, &tagged] {
        client.call(AssetAssociateTag { asset: asset.clone(), tag: batch.clone() }).await.expect("linked");
    }
    let found = related(client, &original, None).await;
    let names: Vec<&Value> = found.iter().map(|asset| &asset["name"]).collect();
    assert_eq!(names, ["Untitled", "invoices.sql", "sleep.py"], "{found:?}");
    assert_eq!(found[0]["id"], copy.as_str());
    assert!(found[0]["near_duplicate"].as_f64().is_some_and(|near| (0.5..1.0).contains(&near)), "{found:?}");
    assert!(found[0]["why"]["words"].as_u64().is_some_and(|words| words > 5), "{found:?}");
    assert_eq!(found[1]["why"], json!({ "tags": ["batch"] }));
    assert_eq!((&found[2]["path"], &found[2]["why"]["folder"]), (&json!("lib/time/sleep.py"), &json!(true)));
    assert_eq!(found[2].get("near_duplicate"), None);
    assert_eq!(related(client, &original, Some(1)).await, found[..1]);
    assert_eq!(related(client, &original, Some(0)).await, Vec::<Value>::new());
}

#[tokio::test]
async fn assets_of_any_text_have_relations() {
    let TestService { client, .. } = &TestService::start().await;
    for text in ODD {
        let content = format!("{text} is a text of more than eight words, so that it can be compared");
        let one = text_asset(client, text, &content).await;
        let other = text_asset(client, text, &content.replace("compared", "weighed")).await;
        let found = related(client, &one, Some(100)).await;
        assert_eq!(found.first().map(|asset| &asset["id"]), Some(&json!(other.as_str())), "{text:?}: {found:?}");
        for id in [one, other] {
            client.call(AssetsDeleteAsset { asset: id }).await.expect("deleted");
        }
    }
}

#[tokio::test]
async fn unknown_and_deleted_assets_have_no_relations() {
    let service = TestService::start().await;
    let client = &service.client;
    let id = text_asset(client, "gone", TEXT).await;
    client.call(AssetsDeleteAsset { asset: id.clone() }).await.expect("deleted");
    let refused = client.call(AssetsSpecificAssetRelatedSnapshot { asset: id.clone(), limit: None }).await;
    assert_eq!(refusal(refused).0, 404);
    let unknown = "00000000-0000-4000-8000-000000000000";
    for (target, status) in [
        (format!("/assets/{unknown}/related"), 404),
        ("/assets/none/related".to_owned(), 400),
        (format!("/assets/{id}/related?limit=few"), 400),
    ] {
        assert_eq!(service.send("GET", &target, None).await.status, status, "{target}");
    }
}

#[tokio::test]
async fn near_duplicates_are_listed_in_groups_the_newest_first() {
    let service = TestService::start().await;
    let client = &service.client;
    let original = text_asset(client, "debounce.rs", TEXT).await;
    text_asset(client, "poem", "roses violets").await;
    let copy = text_asset(client, "Untitled", &TEXT.replace("quiet", "pause")).await;
    let groups = async || client.call(AssetsNearDuplicatesSnapshot {}).await.expect("groups").into_tree();
    assert_eq!(groups().await, json!({ "iterable": [{ "assets": [copy.as_str(), original.as_str()] }] }));
    client.call(AssetsDeleteAsset { asset: copy }).await.expect("deleted");
    assert_eq!(groups().await, json!({ "iterable": [] }));
}
