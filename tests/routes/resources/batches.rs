//! Creating assets in batches: order, rejected seeds, repeated batches, limits, and what is stored once it is answered.

use lunette_client::client::CallError;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::{BATCH_CONTENT_BYTES, BATCH_SEEDS};
use lunette_client::operation::table::*;
use lunette_service::Data;
use serde_json::{Value, json};

use crate::support::assets::{ODD, record, refusal, text_seed, tree};
use crate::support::{TestService, client, settings};

fn batch(seeds: Vec<Value>, once: Option<bool>) -> AssetsCreateBatch {
    AssetsCreateBatch { once, records: None, seeds: Some(record(json!({ "iterable": seeds }))) }
}

async fn outcomes(service: &TestService, call: AssetsCreateBatch) -> Vec<Value> {
    let created = service.client.call(call).await.expect("a batch").into_tree();
    created["iterable"].as_array().expect("a list").clone()
}

fn id(outcome: &Value) -> AssetId {
    outcome["id"].as_str().expect("an id").parse().expect("an asset's id")
}

async fn count(service: &TestService) -> usize {
    let ids = service.client.call(AssetsIdentifiersSnapshot { pseudo: None }).await.expect("ids").into_tree();
    ids["iterable"].as_array().expect("a list").len()
}

#[tokio::test]
async fn the_outcomes_follow_the_order_of_the_seeds() {
    let service = TestService::start().await;
    let seeds = ODD.iter().map(|text| text_seed(text, text)).collect();
    let created = outcomes(&service, batch(seeds, None)).await;
    assert_eq!(created.len(), ODD.len());
    for (outcome, text) in created.iter().zip(ODD) {
        assert_eq!(outcome.as_object().expect("an object").keys().collect::<Vec<_>>(), ["id"], "{text:?}");
        let asset = tree(&service.client, &id(outcome)).await;
        assert_eq!(
            (asset["name"].as_str(), asset["original"]["reference"]["fragment"]["string"]["raw"].as_str()),
            (Some(*text), Some(*text))
        );
    }
}

#[tokio::test]
async fn a_batch_creates_the_same_assets_as_single_calls() {
    let service = TestService::start().await;
    let mut seed = text_seed("a.rs", "fn main() {}\n");
    seed["asset"]["metadata"]["tags"] = json!([{ "text": "rust" }]);
    seed["asset"]["metadata"]["annotations"] = json!([{ "type": "DESCRIPTION", "text": "an example" }]);
    let single = crate::support::assets::create(&service.client, seed.clone()).await.expect("an asset").into_tree();
    let records = AssetsCreateBatch { records: Some(true), ..batch(vec![seed], None) };
    let [outcome] = outcomes(&service, records).await.try_into().expect("one");
    assert_eq!(outcome["id"], outcome["asset"]["id"]);
    let made = tree(&service.client, &id(&outcome)).await;
    for field in ["name", "mechanism", "creator"] {
        assert_eq!(made[field], single[field], "{field}");
    }
    let kinds = |asset: &Value| asset["original"]["reference"]["classification"].clone();
    assert_eq!(kinds(&made), kinds(&single));
    assert_eq!(made["tags"]["iterable"][0]["id"], single["tags"]["iterable"][0]["id"], "the tag is shared");
    assert_eq!(made["annotations"]["iterable"][0]["text"], "an example");
    let call = AssetSnapshot { asset: id(&outcome), transferables: Some(false) };
    let read = service.client.call(call).await.expect("the asset").into_tree();
    assert_eq!(outcome["asset"], read, "the record is the one that reading returns");
}

#[tokio::test]
async fn a_rejected_seed_does_not_affect_the_others() {
    let service = TestService::start().await;
    let mut without_content = text_seed("b", "x");
    without_content["asset"]["format"] = json!({});
    let mut blank_tag = text_seed("c", "x");
    blank_tag["asset"]["metadata"]["tags"] = json!([{ "text": " " }]);
    let long_name = text_seed(&"n".repeat(33 << 10), "x");
    let bad = [without_content, blank_tag, long_name, json!({}), json!(3), json!({ "asset": { "format": 1 } })];
    let mut seeds = vec![text_seed("first", "1")];
    seeds.extend(bad.clone());
    seeds.push(text_seed("last", "2"));
    let created = outcomes(&service, batch(seeds, Some(true))).await;
    assert_eq!(created.len(), bad.len() + 2);
    for rejected in &created[1..=bad.len()] {
        assert_eq!((rejected.get("id"), rejected["status"].as_i64()), (None, Some(400)), "{rejected}");
        assert!(rejected["error"].as_str().is_some_and(|error| !error.is_empty()), "{rejected}");
    }
    assert_eq!(tree(&service.client, &id(&created[0])).await["name"], "first");
    assert_eq!(tree(&service.client, &id(&created[bad.len() + 1])).await["name"], "last");
    assert_eq!(count(&service).await, 2);
}

#[tokio::test]
async fn a_batch_that_is_sent_again_with_once_creates_nothing_more() {
    let service = TestService::start().await;
    let seeds: Vec<_> = (0..20).map(|number| text_seed(&format!("{number}.txt"), "text")).collect();
    let first = outcomes(&service, batch(seeds.clone(), Some(true))).await;
    assert!(first.iter().all(|outcome| outcome.get("existing").is_none()));
    let again = outcomes(&service, batch(seeds.clone(), Some(true))).await;
    let ids = |outcomes: &[Value]| outcomes.iter().map(id).collect::<Vec<_>>();
    assert_eq!(ids(&first), ids(&again));
    assert!(again.iter().all(|outcome| outcome["existing"] == true));
    assert_eq!(count(&service).await, 20);
    // A single call finds what a batch created.
    let seed = Some(record(seeds[7].clone()));
    let call = AssetsCreateNewAsset { transferables: Some(false), once: Some(true), seed };
    assert_eq!(service.client.call(call).await.expect("an asset").view().id(), first[7]["id"]);
    assert!(outcomes(&service, batch(seeds, None)).await.iter().all(|outcome| outcome.get("existing").is_none()));
    assert_eq!(count(&service).await, 40);
}

#[tokio::test]
async fn concurrent_batches_of_the_same_seeds_create_each_asset_once() {
    let service = TestService::start().await;
    let seeds: Vec<_> = (0..50).map(|number| text_seed(&format!("{number}.txt"), "text")).collect();
    let sent: Vec<_> = (0..8)
        .map(|_| {
            let (client, call) = (service.client.clone(), batch(seeds.clone(), Some(true)));
            tokio::spawn(async move { client.call(call).await })
        })
        .collect();
    for sent in sent {
        sent.await.expect("no panic").expect("a batch");
    }
    assert_eq!(count(&service).await, 50);
}

#[tokio::test]
async fn the_limits_of_a_batch_are_256_seeds_and_4_mib_of_content() {
    let service = TestService::start().await;
    let seeds = |count: usize| (0..count).map(|number| text_seed(&number.to_string(), "x")).collect::<Vec<_>>();
    let too_many: Result<_, CallError> = service.client.call(batch(seeds(BATCH_SEEDS + 1), None)).await;
    let (status, sentence) = refusal(too_many);
    assert!(status == 413 && sentence.contains("256"), "{status} {sentence}");
    let half = "x".repeat(BATCH_CONTENT_BYTES / 2);
    let large = vec![text_seed("a", &half), text_seed("b", &half), text_seed("c", "x")];
    let (status, sentence) = refusal(service.client.call(batch(large.clone(), None)).await);
    assert!(status == 413 && sentence.contains("4194304"), "{status} {sentence}");
    assert_eq!(count(&service).await, 0, "nothing of a batch over the limit is created");
    assert_eq!(outcomes(&service, batch(large[..2].to_vec(), None)).await.len(), 2);
    assert_eq!(outcomes(&service, batch(seeds(BATCH_SEEDS), None)).await.len(), BATCH_SEEDS);
    assert_eq!(count(&service).await, 2 + BATCH_SEEDS);
}

#[tokio::test]
async fn an_empty_batch_creates_nothing_and_a_missing_one_is_an_error() {
    let service = TestService::start().await;
    assert!(outcomes(&service, batch(Vec::new(), Some(true))).await.is_empty());
    for body in [None, Some("{}"), Some("[]"), Some("{\"iterable\": 3}"), Some("nonsense")] {
        assert_eq!(service.send("POST", "/assets/create/batch", body).await.status, 400, "{body:?}");
    }
    assert_eq!(service.send("POST", "/assets/create/batch?once=2", Some("{\"iterable\": []}")).await.status, 400);
    assert_eq!(count(&service).await, 0);
}

#[tokio::test]
async fn assets_of_a_batch_are_found_by_search_and_after_a_restart() {
    let service = TestService::start().await;
    let seeds = (0..100).map(|number| text_seed(&format!("{number}.txt"), &format!("word{number}"))).collect();
    let created = outcomes(&service, batch(seeds, Some(true))).await;
    let call = SearchAssets {
        query: Some("word42".to_owned()),
        transferables: Some(false),
        searchable_tags: None,
        pseudo: None,
        exact: None,
    };
    let found = service.client.call(call).await.expect("a search").into_tree();
    assert_eq!(found["iterable"][0]["identifier"], created[42]["id"]);
    // As they are on disk at this moment, without the service closing them.
    let copy = tempfile::tempdir().expect("a folder");
    for name in ["lunette.sqlite3", "lunette.sqlite3-wal"] {
        std::fs::copy(service.folder.path().join(name), copy.path().join(name)).expect("a copy");
    }
    let running = lunette_service::start(settings(Data::Folder(copy.path().to_owned()))).await.expect("a service");
    let client = client(&running);
    for outcome in &created {
        tree(&client, &id(outcome)).await;
    }
}

#[tokio::test]
async fn a_service_of_the_interface_alone_does_not_offer_batches() {
    let service = TestService::with(|settings| settings.interface_only = true).await;
    let refused = service.client.call(batch(vec![text_seed("a", "x")], Some(true))).await.expect_err("not offered");
    assert!(refused.missing(), "{refused}");
}
