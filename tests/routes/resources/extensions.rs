//! The extension operations: lists, making and deleting.

use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::*;
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{ODD, application, create, record, refusal, tag, text_asset, text_seed, tree};

#[tokio::test]
async fn assets_are_listed_newest_updated_first_in_pages() {
    let TestService { client, .. } = &TestService::start().await;
    let first = text_asset(client, "first", "1").await;
    let second = text_asset(client, "second", "2").await;
    let third = text_asset(client, "third", "3").await;
    client.call(AssetAssociateTag { asset: first.clone(), tag: tag(client, "a").await }).await.expect("linked");
    let page = async |offset, limit| {
        let call = AssetsSnapshot { transferables: Some(false), suggested: None, pseudo: None, offset, limit };
        names(&client.call(call).await.expect("a page").into_tree())
    };
    assert_eq!(page(None, None).await, ["first", "third", "second"]);
    assert_eq!(page(Some(1), Some(1)).await, ["third"]);
    assert_eq!(page(Some(2), None).await, ["second"]);
    assert_eq!(page(Some(3), Some(10)).await, [""; 0]);
    let ids = client.call(AssetsIdentifiersSnapshot { pseudo: None }).await.expect("ids").into_tree();
    let expected: Vec<Value> = [&first, &third, &second].iter().map(|id| json!({ "id": id.as_str() })).collect();
    assert_eq!(ids["iterable"], json!(expected));
}

#[tokio::test]
async fn a_list_includes_content_unless_it_is_excluded() {
    let TestService { client, .. } = &TestService::start().await;
    text_asset(client, "greeting", "hello").await;
    for (transferables, content) in [(None, Some("hello")), (Some(true), Some("hello")), (Some(false), None)] {
        let list = client
            .call(AssetsSnapshot { transferables, suggested: None, pseudo: None, offset: None, limit: None })
            .await
            .expect("a list");
        let raw = &list.tree()["iterable"][0]["original"]["reference"]["fragment"]["string"]["raw"];
        assert_eq!(raw.as_str(), content, "{transferables:?}");
    }
}

#[tokio::test]
async fn a_page_parameter_that_is_not_a_number_returns_400() {
    let service = TestService::start().await;
    for query in ["offset=-1", "limit=x", "offset=99999999999999999999999", "transferables=2"] {
        let answer = service.send("GET", &format!("/assets?{query}"), None).await;
        assert_eq!(answer.status, 400, "{query}: {}", answer.text());
    }
    let answer = service.send("GET", "/assets?offset=18446744073709551615&limit=18446744073709551615", None).await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn the_same_name_and_content_are_created_once_on_request() {
    let TestService { client, .. } = &TestService::start().await;
    let make = async |name: &str, text: &str| {
        let seed = Some(record(text_seed(name, text)));
        client
            .call(AssetsCreateNewAsset { transferables: None, once: Some(true), seed })
            .await
            .expect("an asset")
            .into_tree()
    };
    let first = make("a", "x").await;
    assert_eq!(first.get("existing"), None);
    let again = make("a", "x").await;
    assert_eq!((&again["id"], &again["existing"]), (&first["id"], &json!(true)));
    assert_ne!(make("a", "y").await["id"], first["id"]);
    assert_ne!(make("b", "x").await["id"], first["id"]);
    assert_ne!(text_asset(client, "a", "x").await.as_str(), first["id"]);
}

#[tokio::test]
async fn a_deleted_asset_can_be_created_again() {
    let TestService { client, .. } = &TestService::start().await;
    let first = text_asset(client, "a", "x").await;
    assert_eq!(client.call(AssetsDeleteAsset { asset: first.clone() }).await.as_deref(), Ok(first.as_str()));
    let seed = Some(record(text_seed("a", "x")));
    let call = AssetsCreateNewAsset { transferables: None, once: Some(true), seed };
    assert_ne!(client.call(call).await.expect("an asset").view().id(), first.as_str());
    assert_eq!(refusal(client.call(AssetsDeleteAsset { asset: first }).await).0, 404);
    assert_eq!(refusal(client.call(AssetsDeleteAsset { asset: AssetId::random() }).await).0, 404);
}

#[tokio::test]
async fn bytes_are_accepted_as_numbers_or_base64_and_returned_completely() {
    let TestService { client, .. } = &TestService::start().await;
    let png = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 255];
    let files = [json!({ "bytes": { "raw": png } }), json!({ "string": { "base64": "iVBORw0KGgoA/w==" } })];
    for file in files {
        let mut seed = text_seed("picture.png", "");
        seed["asset"]["format"] = json!({ "file": file });
        let made = create(client, seed).await.expect("an asset").into_tree();
        assert_eq!(made["original"]["reference"]["file"], json!({ "bytes": { "raw": png } }));
        assert_eq!(made["original"]["reference"]["classification"], json!({ "generic": "IMAGE", "specific": "png" }));
        assert_eq!(made["original"]["reference"]["bytes"]["value"], 10);
    }
}

#[tokio::test]
async fn an_incomplete_seed_returns_400_and_creates_nothing() {
    let service = TestService::start().await;
    let format = |format: Value| {
        let mut seed = text_seed("a", "x");
        seed["asset"]["format"] = format;
        seed.to_string()
    };
    let mut blank_tag = text_seed("a", "x");
    blank_tag["asset"]["metadata"]["tags"] = json!([{ "text": "  " }]);
    let bodies = [
        (String::new(), "seed"),
        ("{}".to_owned(), "asset"),
        ("nonsense".to_owned(), "JSON"),
        (json!({ "asset": { "application": application() } }).to_string(), "format"),
        (json!({ "asset": { "format": {} } }).to_string(), "application"),
        (format(json!({})), "exactly one"),
        (format(json!({ "fragment": {} })), "exactly one"),
        (format(json!({ "fragment": { "string": {} } })), "raw"),
        (
            format(json!({ "fragment": { "string": { "raw": "a" } }, "file": { "string": { "raw": "a" } } })),
            "exactly one",
        ),
        (format(json!({ "file": { "bytes": { "raw": [256] } } })), "256"),
        (format(json!({ "file": { "bytes": { "raw": [-1] } } })), "-1"),
        (format(json!({ "file": { "bytes": { "raw": [1.5] } } })), "whole number"),
        (format(json!({ "file": { "string": { "base64": "not base64!" } } })), "base64"),
        (blank_tag.to_string(), "text"),
    ];
    for (body, named) in bodies {
        let answer = service.send("POST", "/assets/create", Some(&body)).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.text());
        assert!(answer.text().contains(named), "{body}: {}", answer.text());
    }
    let list = service.send("GET", "/assets", None).await.json();
    assert_eq!(list["iterable"], json!([]));
    assert_eq!(service.send("GET", "/tags", None).await.json()["iterable"], json!([]));
}

#[tokio::test]
async fn a_seed_may_say_when_its_asset_was_created_and_changed() {
    let TestService { client, .. } = &TestService::start().await;
    let made = async |created: Value, updated: Value| {
        let mut seed = text_seed("a.txt", "a");
        (seed["asset"]["created"], seed["asset"]["updated"]) = (created, updated);
        create(client, seed).await.map(|asset| asset.into_tree())
    };
    let value = |text: &str| json!({ "value": text });
    let (first, last) = ("2020-01-02T03:04:05Z", "2021-02-03T04:05:06.123456Z");
    let both = made(value(first), last.into()).await.expect("an asset");
    assert_eq!((&both["created"]["value"], &both["updated"]["value"]), (&first.into(), &last.into()));
    let alone = made(first.into(), Value::Null).await.expect("an asset");
    assert_eq!((&alone["created"]["value"], &alone["updated"]["value"]), (&first.into(), &first.into()));
    let turned = made(last.into(), first.into()).await.expect("an asset");
    assert_eq!(turned["updated"], turned["created"], "nothing is changed before it is created");
    let future = made("9000-01-01T00:00:00Z".into(), Value::Null).await.expect("an asset");
    assert!(future["created"]["value"].as_str() < Some("9000"), "{future}");
    for wrong in [json!("yesterday"), json!({ "value": 1 }), json!(17)] {
        assert_eq!(refusal(made(wrong.clone(), Value::Null).await).0, 400, "{wrong}");
    }
}

#[tokio::test]
async fn enum_values_of_later_clients_are_not_returned() {
    let TestService { client, .. } = &TestService::start().await;
    let mut seed = text_seed("a", "x");
    seed["asset"]["application"]["name"] = "MCP_CLIENT".into();
    seed["asset"]["metadata"]["mechanism"] = "EXTERNAL_AGENT".into();
    seed["asset"]["metadata"]["tags"] = json!([{ "text": "t", "category": "NEW" }]);
    seed["asset"]["metadata"]["annotations"] = json!([{ "type": "KNOWLEDGE_GRAPH", "text": "kept" }]);
    let made = create(client, seed).await.expect("an asset").into_tree();
    assert_eq!(made["original"]["reference"]["application"]["name"], "UNKNOWN");
    assert_eq!(made["mechanism"], "MANUAL");
    assert_eq!(made["tags"]["iterable"][0]["category"], "UNKNOWN");
    assert_eq!(made["annotations"]["iterable"][0]["type"], "COMMENT");
    assert_eq!(made["annotations"]["iterable"][0]["text"], "kept");
}

#[tokio::test]
async fn the_same_tag_or_website_is_created_once() {
    let TestService { client, .. } = &TestService::start().await;
    for text in ODD {
        assert_eq!(tag(client, text).await, tag(client, &format!(" {text} ")).await);
    }
    let made = |name: &str| WebsitesCreateNewWebsite {
        transferables: None,
        website: Some(record(json!({ "url": "https://a", "name": name }))),
    };
    let first = client.call(made("one")).await.expect("a website");
    let second = client.call(made("two")).await.expect("a website");
    assert_eq!(first.view().id(), second.view().id());
    let tags =
        client.call(TagsSnapshot { transferables: None, assets: None, counts: None }).await.expect("tags").into_tree();
    assert_eq!(tags["iterable"].as_array().map(Vec::len), Some(ODD.len()));
    assert_eq!(tags["iterable"][0]["mechanisms"], json!({}));
    let websites = client
        .call(WebsitesSnapshot { transferables: None, assets: None, counts: None })
        .await
        .expect("websites")
        .into_tree();
    assert_eq!(websites["iterable"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_tag_created_for_an_asset_is_linked_or_not_created() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    let body = json!({ "text": "for it", "asset": asset.as_str() }).to_string();
    let made = service.send("POST", "/tags/create", Some(&body)).await.json();
    assert_eq!(made["assets"]["iterable"], json!([{ "id": asset.as_str() }]));
    assert_eq!(tree(&service.client, &asset).await["tags"]["iterable"][0]["id"], made["id"]);
    assert_eq!(made["mechanisms"], json!({ asset.as_str(): "MANUAL" }));
    let body = json!({ "text": "found", "asset": asset.as_str(), "mechanism": "AUTOMATIC" }).to_string();
    let made = service.send("POST", "/tags/create", Some(&body)).await.json();
    assert_eq!(made["mechanisms"], json!({ asset.as_str(): "AUTOMATIC" }));
    let body = json!({ "text": "for nothing", "asset": AssetId::random().as_str() }).to_string();
    assert_eq!(service.send("POST", "/tags/create", Some(&body)).await.status, 404);
    let tags = service.send("GET", "/tags", None).await.json();
    assert_eq!(tags["iterable"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn a_summary_keeps_its_model_and_texts() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    let model = json!({ "id": "m", "version": "1", "created": { "value": "2024-05-01T12:00:00Z" }, "name": "local",
        "cloud": false, "type": "UNKNOWN", "usage": "OCR", "foundation": "OF_TOMORROW" });
    let body = json!({ "name": "Morning", "model": model, "annotations": [{ "type": "SUMMARY", "text": "we met" }],
        "assets": { "iterable": [{ "id": asset.as_str() }] } });
    let made = service.send("POST", "/workstream_summaries/create", Some(&body.to_string())).await.json();
    assert_eq!((&made["model"]["type"], &made["model"]["usage"]), (&json!("BALANCED"), &json!("OCR")));
    assert_eq!(made["annotations"]["iterable"][0]["reference"]["text"], "we met");
    assert_eq!(made["assets"]["iterable"], json!([{ "id": asset.as_str() }]));
    let listed = service.send("GET", "/workstream_summaries", None).await.json();
    assert_eq!(listed["iterable"], json!([made]));
}

#[tokio::test]
async fn an_incomplete_item_returns_400() {
    let service = TestService::start().await;
    for path in ["/tags/create", "/websites/create", "/workstream_summaries/create"] {
        for body in ["", "{}", "[]", "{\"text\":\" \"}", "{\"url\":\"\",\"name\":\"\"}", "{\"text\":7}"] {
            let answer = service.send("POST", path, Some(body)).await;
            assert_eq!(answer.status, 400, "{path} {body}: {}", answer.text());
        }
    }
}

fn names(list: &Value) -> Vec<String> {
    let assets = list["iterable"].as_array().expect("a list").iter();
    assets.map(|asset| asset["name"].as_str().unwrap_or_default().to_owned()).collect()
}
