//! Cached responses: never older than an acknowledged write, identified by their content, and not sent twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    AssetAssociateTag, AssetDisassociateTag, AssetScoresIncrement, AssetSnapshot, AssetUpdate,
};
use serde_json::{Value, json};

use crate::conversations::post;
use crate::support::TestService;
use crate::support::assets::{record, tag, text_asset};
use crate::support::raw;

#[tokio::test]
async fn an_answer_has_a_tag_and_is_not_sent_again_to_whoever_names_it() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "hello").await;
    let target = format!("/asset/{asset}?transferables=false");
    let port = service.running.port();
    let get =
        async |headers: &[(&str, &str)]| raw::send(port, &raw::request("GET", &target, port, headers, None)).await;
    let (first, second) = (get(&[]).await, get(&[]).await);
    let tag = first.header("etag").expect("a tag").to_owned();
    assert_eq!((first.status, second.status, second.header("etag")), (200, 200, Some(tag.as_str())));
    assert_eq!(first.text(), second.text());
    for known in [tag.clone(), format!("\"other\", W/{tag}"), "*".to_owned()] {
        let again = get(&[("If-None-Match", &known)]).await;
        assert_eq!(
            (again.status, again.text().as_str(), again.header("etag")),
            (304, "", Some(tag.as_str())),
            "{known}"
        );
    }
    let rename = json!({ "id": asset.as_str(), "name": "renamed" });
    let rename = AssetUpdate { transferables: Some(false), asset: Some(record(whole(&service, &asset, rename).await)) };
    service.client.call(rename).await.expect("renamed");
    let changed = get(&[("If-None-Match", &tag)]).await;
    assert_eq!((changed.status, changed.json()["name"].as_str()), (200, Some("renamed")));
    assert_ne!(changed.header("etag"), Some(tag.as_str()));
}

/// The record of an asset with some fields replaced.
async fn whole(service: &TestService, asset: &lunette_client::model::id::AssetId, fields: Value) -> Value {
    let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    let mut tree = service.client.call(call).await.expect("the asset").into_tree();
    for (name, value) in fields.as_object().into_iter().flatten() {
        tree[name.as_str()] = value.clone();
    }
    tree
}

/// What each kind of write leaves in the record: the name's number, the score, whether the tag is linked.
fn state_of(asset: &Asset) -> (u64, u64, bool) {
    let tree = asset.tree();
    let name = tree["name"].as_str().and_then(|name| name.parse().ok()).unwrap_or_default();
    let score = tree["score"]["reuse"].as_u64().unwrap_or_default();
    (name, score, tree["tags"]["iterable"].as_array().is_some_and(|tags| !tags.is_empty()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_read_is_older_than_a_write_that_was_acknowledged_before_it() {
    assert!(reads_beside_writes(60).await > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "takes minutes: 100,000 writes beside as many reads as four readers make"]
async fn no_read_is_older_than_any_of_100_000_writes() {
    println!("{} reads", reads_beside_writes(25_000).await);
}

/// Reads an asset from four readers while it is renamed, scored, linked and unlinked in turn, so many times; checks that
/// each read shows the writes that were acknowledged before it, and returns the number of reads.
async fn reads_beside_writes(rounds: u64) -> u64 {
    let service = Arc::new(TestService::start().await);
    let asset = text_asset(&service.client, "0", "hello").await;
    let tag = tag(&service.client, "x").await;
    let (renamed, scored, over) =
        (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let readers: Vec<_> = (0..4)
        .map(|_| {
            let (service, asset) = (Arc::clone(&service), asset.clone());
            let (renamed, scored, over) = (Arc::clone(&renamed), Arc::clone(&scored), Arc::clone(&over));
            tokio::spawn(async move {
                let mut reads = 0_u64;
                while !over.load(Ordering::SeqCst) {
                    let acknowledged = (renamed.load(Ordering::SeqCst), scored.load(Ordering::SeqCst));
                    let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
                    let read = state_of(&service.client.call(call).await.expect("the asset"));
                    assert!(read.0 >= acknowledged.0 && read.1 >= acknowledged.1, "{read:?} after {acknowledged:?}");
                    reads += 1;
                }
                reads
            })
        })
        .collect();
    for number in 1..=rounds {
        let fields = json!({ "name": number.to_string() });
        let update =
            AssetUpdate { transferables: Some(false), asset: Some(record(whole(&service, &asset, fields).await)) };
        service.client.call(update).await.expect("renamed");
        renamed.store(number, Ordering::SeqCst);
        let increment = Some(record(json!({ "asset": { "reuse": true } })));
        service.client.call(AssetScoresIncrement { asset: asset.clone(), increment }).await.expect("scored");
        scored.store(number, Ordering::SeqCst);
        service.client.call(AssetAssociateTag { asset: asset.clone(), tag: tag.clone() }).await.expect("linked");
        let read = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
        assert!(state_of(&service.client.call(read.clone()).await.expect("the asset")).2, "linked");
        service.client.call(AssetDisassociateTag { asset: asset.clone(), tag: tag.clone() }).await.expect("unlinked");
        assert!(!state_of(&service.client.call(read).await.expect("the asset")).2, "unlinked");
    }
    over.store(true, Ordering::SeqCst);
    let mut reads = 0;
    for reader in readers {
        reads += reader.await.expect("no stale read");
    }
    reads
}

#[tokio::test]
async fn each_kind_of_write_shows_in_the_next_response() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "hello").await;
    let target = format!("/asset/{asset}");
    let (mut last, mut fresh) = (Value::Null, 0);
    // An unknown parameter makes another key of the cache.
    let mut assert_changed = async |what: &str| {
        fresh += 1;
        let cached = service.send("GET", &target, None).await.json();
        let made = service.send("GET", &format!("{target}?fresh={fresh}"), None).await.json();
        assert_eq!(cached, made, "{what}");
        assert_ne!(cached, std::mem::replace(&mut last, cached.clone()), "{what}");
        cached
    };
    let record = assert_changed("created").await;
    let model = json!({ "id": "0000000e-0000-4000-8000-00000000000e", "version": "1", "name": "local", "cloud": false,
        "created": { "value": "2024-05-01T12:00:00Z" }, "type": "BALANCED", "usage": "CODE_TITLE" });
    for (kind, body) in [
        ("tag", json!({ "text": "one" })),
        ("website", json!({ "url": "https://one.example/", "name": "one" })),
        ("person", json!({ "type": { "basic": { "name": "one" } } })),
        ("anchor", json!({ "type": "FILE", "fullpath": "/one" })),
        ("hint", json!({ "type": "SUGGESTED_QUERY", "text": "one" })),
        ("conversation", json!({ "type": "COPILOT", "name": "one" })),
        ("workstream_summary", json!({ "name": "one", "model": model })),
    ] {
        let plural = if kind == "workstream_summary" { "workstream_summaries".to_owned() } else { format!("{kind}s") };
        let item = post(&service, &format!("/{plural}/create"), &body).await;
        let id = item["id"].as_str().expect("an id");
        let links = format!("{target}/{plural}");
        let linked = service.send("POST", &format!("{links}/associate/{id}"), None).await;
        assert!(linked.status < 300, "{kind}: {}", linked.text());
        assert_changed(&format!("{kind} linked")).await;
        let unlinked = service.send("POST", &format!("{links}/disassociate/{id}"), None).await;
        assert!(unlinked.status < 300, "{kind}: {}", unlinked.text());
        assert_changed(&format!("{kind} unlinked")).await;
        service.send("POST", &format!("{links}/associate/{id}"), None).await;
        assert_changed(&format!("{kind} linked again")).await;
        let deleted = service.send("POST", &format!("/{plural}/{id}/delete"), None).await;
        assert!(deleted.status < 300, "{kind}: {}", deleted.text());
        assert_changed(&format!("{kind} deleted")).await;
    }
    let tag = post(&service, "/tags/create", &json!({ "text": "two" })).await;
    let id = tag["id"].as_str().expect("an id");
    service.send("POST", &format!("/tag/{id}/assets/associate/{asset}"), None).await;
    assert_changed("linked from the other end").await;
    post(&service, "/tag/update", &json!({ "id": tag["id"], "text": "three" })).await;
    assert_changed("a linked tag renamed").await;
    let comment = json!({ "type": "COMMENT", "text": "first", "asset": asset.as_str() });
    let mut comment = post(&service, "/annotations/create", &comment).await;
    assert_changed("a comment").await;
    comment["text"] = "second".into();
    post(&service, "/annotation/update", &comment).await;
    assert_changed("a comment changed").await;
    let format = json!({ "id": record["original"]["id"], "fragment": { "string": { "raw": "good-bye" } } });
    post(&service, "/format/update/value", &format).await;
    assert_changed("another text").await;
    service.send("POST", &format!("{target}/scores/increment"), Some(r#"{"asset":{"reuse":true}}"#)).await;
    assert_changed("a score").await;
    service.send("POST", &format!("/assets/{asset}/delete"), None).await;
    assert_eq!(service.send("GET", &target, None).await.status, 410);
    service.send("POST", &format!("/assets/trash/{asset}/restore"), None).await;
    assert_changed("restored").await;
}
