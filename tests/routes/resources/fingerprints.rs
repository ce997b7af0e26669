//! What tells assets apart, for comparisons of two services.

use lunette_client::model::fingerprint::{content_hash, set_hash, text_hash};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    AssetAssociateTag, AssetAssociateWebsite, AssetAssociateWorkstreamSummary, AssetScoresIncrement, AssetsDeleteAsset,
    AssetsFingerprintsSnapshot,
};
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{create, summary, tag, text_asset, text_seed, website};

async fn page(service: &TestService, position: Option<u64>, limit: Option<u64>) -> Value {
    let call = AssetsFingerprintsSnapshot { position, limit };
    service.client.call(call).await.expect("a page").into_tree()
}

#[tokio::test]
async fn a_fingerprint_has_what_people_wrote_and_linked_and_nothing_that_the_service_maintains() {
    let service = TestService::start().await;
    let mut seed = text_seed("a.txt", "text");
    seed["asset"]["metadata"]["annotations"] = json!([{ "type": "DESCRIPTION", "text": "about it" }]);
    let made = create(&service.client, seed).await.expect("an asset");
    let asset = made.view().id().parse::<lunette_client::model::id::AssetId>().expect("an id");
    for text in ["b", "a"] {
        let tag = tag(&service.client, text).await;
        service.client.call(AssetAssociateTag { asset: asset.clone(), tag }).await.expect("linked");
    }
    let website = website(&service.client, "https://a.example/").await;
    service.client.call(AssetAssociateWebsite { asset: asset.clone(), website }).await.expect("linked");
    let workstream_summary = summary(&service.client, "work").await;
    let link = AssetAssociateWorkstreamSummary { asset: asset.clone(), workstream_summary };
    service.client.call(link).await.expect("linked");
    let one = page(&service, None, None).await["iterable"][0].clone();
    let mut expected = json!({
        "id": asset, "name": "a.txt", "specific": "txt", "content": content_hash(b"text"),
        "description": text_hash("about it"), "websites": set_hash(["https://a.example/"]),
        "summaries": set_hash(["work"]), "size": 4, "tags": ["a", "b"],
    });
    expected["updated"] = one["updated"].clone();
    assert_eq!(one, expected);
    let increment = AssetScoresIncrement { asset: asset.clone(), increment: None };
    service.client.call(increment).await.expect("counted");
    let mut again = page(&service, None, None).await["iterable"][0].clone();
    again["updated"] = one["updated"].clone();
    assert_eq!(again, one, "a score is not a difference");
}

#[tokio::test]
async fn fingerprints_come_in_pages_of_what_there_is() {
    let service = TestService::start().await;
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(text_asset(&service.client, &format!("{number}.txt"), "text").await);
    }
    service.client.call(AssetsDeleteAsset { asset: ids.remove(2) }).await.expect("deleted");
    let (mut found, mut position) = (Vec::new(), None);
    loop {
        let page = page(&service, position, Some(3)).await;
        found.extend(page["iterable"].as_array().expect("a list").iter().map(|one| one["id"].clone()));
        position = page["next"].as_u64();
        if position.is_none() {
            break;
        }
    }
    assert_eq!(json!(found), json!(ids));
    let refused = service.send("GET", "/assets/fingerprints?position=x", None).await;
    assert_eq!(refused.status, 400);
    let interface = TestService::with(|settings| settings.interface_only = true).await;
    assert_eq!(interface.send("GET", "/assets/fingerprints", None).await.status, 404);
}
