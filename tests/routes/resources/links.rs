//! Linking and unlinking: what is linked is seen from both sides, doing it twice is doing it once.

use lunette_client::model::id::{AssetId, TagId};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    AssetAssociateTag, AssetAssociateWebsite, AssetAssociateWorkstreamSummary, AssetDisassociateTag,
    AssetDisassociateWebsite, AssetDisassociateWorkstreamSummary, AssetSpecificAssetActivities, TagsSnapshot,
    TagsSpecificTagSnapshot,
};
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{ODD, moment, refusal, summary, tag, text_asset, tree, website};

#[tokio::test]
async fn a_linked_tag_is_seen_from_both_sides() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "greeting", "hello").await;
    let tag = tag(client, "parser").await;
    client.call(AssetAssociateTag { asset: asset.clone(), tag: tag.clone() }).await.expect("linked");
    let linked = &tree(client, &asset).await["tags"];
    assert_eq!(linked["iterable"][0]["id"], tag.as_str());
    assert_eq!(linked["indices"], json!({ tag.as_str(): 0 }));
    let tags =
        client.call(TagsSnapshot { transferables: None, assets: None, counts: None }).await.expect("tags").into_tree();
    assert_eq!(tags["iterable"][0]["assets"]["iterable"], json!([{ "id": asset.as_str() }]));
    assert_eq!(tags["iterable"][0]["mechanisms"], json!({ asset.as_str(): "MANUAL" }));
}

#[tokio::test]
async fn items_are_listed_and_read_without_their_assets_on_request() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "greeting", "hello").await;
    let tag = tag(client, "parser").await;
    let linked = asset.clone();
    client.call(AssetAssociateTag { asset, tag: tag.clone() }).await.expect("linked");
    let (transferables, assets) = (None, Some(false));
    let listed = client.call(TagsSnapshot { transferables, assets, counts: None }).await.expect("tags").into_tree();
    let alone = client.call(TagsSpecificTagSnapshot { tag: tag.clone(), transferables, assets }).await;
    for tag in [&listed["iterable"][0], &alone.expect("the tag").into_tree()] {
        assert_eq!((&tag["text"], &tag["assets"]["iterable"]), (&json!("parser"), &json!([])));
    }
    assert_eq!(listed["iterable"][0].get("asset_count"), None);
    let counted =
        client.call(TagsSnapshot { transferables, assets, counts: Some(true) }).await.expect("tags").into_tree();
    assert_eq!(counted["iterable"][0]["asset_count"], json!(1));
    assert_eq!(counted["iterable"][0]["asset_updated"], tree(client, &linked).await["updated"]);
    let whole = client.call(TagsSpecificTagSnapshot { tag, transferables, assets: Some(true) }).await;
    assert_eq!(whole.expect("the tag").into_tree()["assets"]["iterable"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn linking_twice_keeps_one_link_and_publishes_it_once() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "greeting", "hello").await;
    let tag = tag(client, "parser").await;
    for _ in 0..2 {
        client.call(AssetAssociateTag { asset: asset.clone(), tag: tag.clone() }).await.expect("linked");
    }
    assert_eq!(tree(client, &asset).await["tags"]["iterable"].as_array().map(Vec::len), Some(1));
    assert_eq!(events(client, &asset).await, ["asset_created", "asset_tag_added"]);
}

#[tokio::test]
async fn every_kind_of_link_is_added_and_removed() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "greeting", "hello").await;
    let tag = tag(client, "parser").await;
    let website = website(client, "https://example.org/a").await;
    let workstream_summary = summary(client, "Morning").await;
    client.call(AssetAssociateTag { asset: asset.clone(), tag: tag.clone() }).await.expect("linked");
    client.call(AssetAssociateWebsite { asset: asset.clone(), website: website.clone() }).await.expect("linked");
    let link = AssetAssociateWorkstreamSummary { asset: asset.clone(), workstream_summary: workstream_summary.clone() };
    client.call(link).await.expect("linked");
    let linked = tree(client, &asset).await;
    for field in ["tags", "websites", "summaries"] {
        assert_eq!(linked[field]["iterable"].as_array().map(Vec::len), Some(1), "{field}");
    }
    for _ in 0..2 {
        let (asset, tag, website) = (asset.clone(), tag.clone(), website.clone());
        client.call(AssetDisassociateTag { asset: asset.clone(), tag }).await.expect("unlinked");
        client.call(AssetDisassociateWebsite { asset: asset.clone(), website }).await.expect("unlinked");
        let unlink = AssetDisassociateWorkstreamSummary { asset, workstream_summary: workstream_summary.clone() };
        client.call(unlink).await.expect("unlinked");
    }
    let unlinked = tree(client, &asset).await;
    for field in ["tags", "websites", "summaries"] {
        assert_eq!(unlinked[field]["iterable"], json!([]), "{field}");
    }
    let expected = [
        "asset_created",
        "asset_tag_added",
        "asset_link_added",
        "asset_updated",
        "asset_tag_deleted",
        "asset_link_deleted",
        "asset_updated",
    ];
    assert_eq!(events(client, &asset).await, expected);
    assert_eq!((&linked["score"]["manual"], &unlinked["score"]["manual"]), (&json!(2 + 3 + 1), &json!(0)));
}

#[tokio::test]
async fn an_event_without_a_type_of_its_own_is_described_in_a_sentence() {
    let service = TestService::start().await;
    let client = &service.client;
    let asset = text_asset(client, "greeting", "hello").await;
    let morning = summary(client, "Morning").await;
    let (asset_id, summary_id) = (asset.as_str(), morning.as_str());
    let mut steps = vec![
        format!("/asset/{asset_id}/workstream_summaries/associate/{summary_id}"),
        format!("/asset/{asset_id}/workstream_summaries/disassociate/{summary_id}"),
    ];
    for counter in ["reuse", "searched"] {
        let target = format!("/asset/{asset_id}/scores/increment");
        steps.push(format!("{target} {}", json!({ "asset": { counter: true } })));
    }
    for step in steps {
        let (target, body) = step.split_once(' ').map_or((step.as_str(), None), |(target, body)| (target, Some(body)));
        assert_eq!(service.send("POST", target, body).await.status, 204, "{step}");
    }
    let reported: Vec<Value> = activities(client, &asset).await["iterable"].as_array().expect("a list")[1..]
        .iter()
        .map(|activity| {
            json!([activity["event"]["interaction"], activity["event"].get("asset").is_some(), activity["rank"]])
        })
        .collect();
    let expected = [
        json!([{ "description": "Summary “Morning” linked" }, true, 1]),
        json!([{ "description": "Summary “Morning” unlinked" }, true, -1]),
        json!([{ "description": "Score: reuse incremented" }, false, 0]),
        json!([{ "description": "Score: searched incremented" }, false, 0]),
    ];
    assert_eq!(reported, expected);
}

#[tokio::test]
async fn linking_updates_the_modification_time_of_the_asset() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "greeting", "hello").await;
    let before = tree(client, &asset).await;
    client.call(AssetAssociateTag { asset: asset.clone(), tag: tag(client, "parser").await }).await.expect("linked");
    let after = tree(client, &asset).await;
    assert_eq!(after["created"], before["created"]);
    assert!(moment(&after["updated"]) > moment(&before["updated"]));
}

#[tokio::test]
async fn an_unknown_side_of_a_link_returns_404_with_its_id() {
    let TestService { client, .. } = &TestService::start().await;
    let (asset, nowhere) = (text_asset(client, "greeting", "hello").await, AssetId::random());
    let tag = tag(client, "parser").await;
    let (status, sentence) = refusal(client.call(AssetAssociateTag { asset: nowhere.clone(), tag }).await);
    assert_eq!(status, 404);
    assert!(sentence.contains(nowhere.as_str()) && sentence.contains("asset"), "{sentence}");
    for text in ODD.iter().filter(|text| text.parse::<TagId>().is_ok()) {
        let tag: TagId = text.parse().expect("an id");
        let (status, sentence) = refusal(client.call(AssetAssociateTag { asset: asset.clone(), tag }).await);
        assert_eq!(status, 404, "{text}: {sentence}");
        assert!(sentence.contains("tag"), "{sentence}");
    }
    let unlink = AssetDisassociateWebsite { asset, website: "unknown".parse().expect("an id") };
    assert_eq!(refusal(client.call(unlink).await).0, 404);
}

#[tokio::test]
async fn linking_a_malformed_asset_id_returns_400() {
    let service = TestService::start().await;
    for (kind, verb) in [("tags", "associate"), ("websites", "disassociate"), ("workstream_summaries", "associate")] {
        let answer = service.send("POST", &format!("/asset/update/{kind}/{verb}/x"), None).await;
        assert_eq!(answer.status, 400, "{kind}: {}", answer.text());
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    }
}

#[tokio::test]
async fn linking_returns_204_without_a_body() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "hello").await;
    let tag = tag(&service.client, "parser").await;
    let answer = service.send("POST", &format!("/asset/{asset}/tags/associate/{tag}"), None).await;
    assert_eq!((answer.status, answer.body.len()), (204, 0));
}

async fn activities(client: &lunette_client::client::Client, asset: &AssetId) -> Value {
    let call = AssetSpecificAssetActivities { asset: asset.clone(), transferables: None };
    client.call(call).await.expect("activities").into_tree()
}

async fn events(client: &lunette_client::client::Client, asset: &AssetId) -> Vec<String> {
    let activities = activities(client, asset).await;
    let pair = |activity: &Value| {
        let pair = activity["event"]["asset"]["identifier_description_pair"].as_object().expect("a pair");
        pair.keys().next().expect("a key").clone()
    };
    activities["iterable"].as_array().expect("a list").iter().map(pair).collect()
}
