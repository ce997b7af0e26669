//! Answers that are kept: never older than an acknowledged write, named by their content, and not sent twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    AssetAssociateTag, AssetDisassociateTag, AssetScoresIncrement, AssetSnapshot, AssetUpdate,
};
use serde_json::{Value, json};

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
    for number in 1..=60 {
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
    for reader in readers {
        assert!(reader.await.expect("no stale read") > 0);
    }
}
