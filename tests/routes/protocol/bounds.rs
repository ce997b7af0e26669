//! Names, tags, addresses and annotations have limits; what is within them is taken, and what is beyond is refused by its
//! number.

use lunette_client::model::id::AssetId;
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{create, refusal, tag, text_asset, text_seed, website};

const NAME: usize = 32 << 10;
const TAG: usize = 1 << 10;
const ADDRESS: usize = 8 << 10;
const TEXT: usize = 64 << 10;

/// A text of so many bytes, another one each time: a tag is made once.
fn of(bytes: usize) -> String {
    let id = AssetId::random().to_string();
    format!("{id}{}", "x".repeat(bytes - id.len()))
}

/// What is asked with a text of some length, and how long that may be.
struct Case {
    path: &'static str,
    body: Box<dyn Fn(String) -> Value>,
    most: usize,
}

fn case(path: &'static str, most: usize, body: impl Fn(String) -> Value + 'static) -> Case {
    Case { path, most, body: Box::new(body) }
}

fn with_metadata(field: &'static str, value: impl Fn(String) -> Value) -> impl Fn(String) -> Value {
    move |text| {
        let mut seed = text_seed("a", "content");
        seed["asset"]["metadata"][field] = value(text);
        seed
    }
}

#[tokio::test]
async fn a_text_over_its_limit_is_refused_with_the_limit_and_one_within_accepted() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "asset", "content").await.to_string();
    let tag = tag(&service.client, "tag").await.to_string();
    let website = website(&service.client, "https://one.test").await.to_string();
    let cases = [
        case("/assets/create", NAME, |text| text_seed(&text, "content")),
        case("/assets/create", TAG, with_metadata("tags", |text| json!([{ "text": text }]))),
        case("/assets/create", ADDRESS, with_metadata("websites", |text| json!([{ "url": text, "name": "a" }]))),
        case("/assets/create", NAME, with_metadata("websites", |text| json!([{ "url": "u", "name": text }]))),
        case(
            "/assets/create",
            TEXT,
            with_metadata("annotations", |text| json!([{ "type": "DESCRIPTION", "text": text }])),
        ),
        case("/assets/create", ADDRESS, with_metadata("anchors", |text| json!([{ "type": "FILE", "fullpath": text }]))),
        case("/tags/create", TAG, |text| json!({ "text": text })),
        case("/websites/create", ADDRESS, |text| json!({ "url": text, "name": "a" })),
        case("/annotations/create", TEXT, |text| json!({ "type": "COMMENT", "text": text })),
        case("/hints/create", TEXT, |text| json!({ "type": "SUGGESTED_QUERY", "text": text })),
        case("/conversations/create", NAME, |text| json!({ "type": "COPILOT", "name": text })),
        case("/asset/update", NAME, move |text| json!({ "id": asset, "name": text })),
        case("/tag/update", TAG, move |text| json!({ "id": tag, "text": text })),
        case("/website/update", NAME, move |text| json!({ "id": website, "name": text })),
    ];
    for Case { path, body, most } in cases {
        let within = service.send("POST", path, Some(&body(of(most)).to_string())).await;
        assert_eq!(within.status, 200, "{path} {most}: {}", within.text());
        let beyond = service.send("POST", path, Some(&body(of(most + 1)).to_string())).await;
        assert_eq!(beyond.status, 400, "{path} {most}");
        assert!(beyond.text().contains(&most.to_string()), "{path}: {}", beyond.text());
    }
}

#[tokio::test]
async fn unknown_fields_are_stored_up_to_a_limit() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "asset", "content").await;
    let body = |bytes: usize| json!({ "id": asset.as_str(), "of_tomorrow": of(bytes) }).to_string();
    assert_eq!(service.send("POST", "/asset/update", Some(&body(200 << 10))).await.status, 200);
    let beyond = service.send("POST", "/asset/update", Some(&body(257 << 10))).await;
    assert!(beyond.status == 400 && beyond.text().contains("262144"), "{}", beyond.text());
}

/// The window reads 16 MiB at once; a quarter of that is the most that one record may have.
#[tokio::test]
async fn a_record_without_content_is_limited_to_four_mebibytes_and_existing_ones_stay_readable() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "asset", "content").await;
    let annotation = json!({ "type": "COMMENT", "text": of(TEXT), "asset": asset.as_str() }).to_string();
    let mut kept = 0;
    let refused = loop {
        let answer = service.send("POST", "/annotations/create", Some(&annotation)).await;
        if answer.status != 200 {
            break answer;
        }
        kept += 1;
        assert!(kept < 100, "there is a limit");
    };
    assert!(refused.status == 400 && refused.text().contains("4194304"), "{}", refused.text());
    // A little room is left for links, which are refused then; taking away and reading are not.
    let mut linked = Vec::new();
    let refused = loop {
        let tag = tag(&service.client, &of(TAG)).await;
        let answer = service.send("POST", &format!("/asset/{asset}/tags/associate/{tag}"), None).await;
        if answer.status != 204 {
            break answer;
        }
        linked.push(tag);
        assert!(linked.len() < 100, "there is a limit");
    };
    assert!(refused.status == 400 && refused.text().contains("4194304"), "{}", refused.text());
    assert!(!linked.is_empty(), "a little room was left");
    let unlinked = service.send("POST", &format!("/asset/{asset}/tags/disassociate/{}", linked[0]), None).await;
    assert_eq!(unlinked.status, 204);
    let read = service.send("GET", &format!("/asset/{asset}?transferables=false"), None).await;
    assert_eq!((read.status, read.json()["annotations"]["iterable"].as_array().map(Vec::len)), (200, Some(kept)));
    assert!(read.body.len() < 5 << 20, "{}", read.body.len());
    // All at once is no way around.
    let many: Vec<_> = (0..70).map(|_| json!({ "type": "COMMENT", "text": of(TEXT) })).collect();
    let mut seed = text_seed("a", "content");
    seed["asset"]["metadata"]["annotations"] = many.into();
    let created = create(&service.client, seed).await;
    assert_eq!(refusal(created).0, 400);
}
