//! Formats by themselves, drafts, and lists with and without pseudo assets.

use lunette_client::model::record::Record as _;
use serde_json::{Value, json};

use crate::resources::conversations::{get, post, status};
use crate::support::TestService;
use crate::support::assets::{create, text_asset, text_seed, tree};

#[tokio::test]
async fn a_format_reads_the_same_alone_and_in_its_asset() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "hello").await;
    let seen = tree(&service.client, &asset).await;
    let format = &seen["formats"]["iterable"][0];
    let id = format["id"].as_str().expect("an id");
    for target in [format!("/format/{id}"), format!("/formats/{id}")] {
        assert_eq!(get(&service, &target).await, *format);
        let withheld = get(&service, &format!("{target}?transferable=false")).await;
        assert_eq!(withheld["fragment"], json!({ "metadata": { "ext": format["classification"]["specific"] } }));
    }
    assert_eq!(get(&service, "/formats").await["iterable"], json!([format]));
    assert_eq!(get(&service, &format!("/assets/{asset}/formats")).await["iterable"], json!([format]));
    assert_eq!(get(&service, &format!("/assets/{asset}")).await, seen);
    assert_eq!(status(&service, "GET", "/format/other").await, 404);
    assert_eq!(status(&service, "GET", "/assets/5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159").await, 410);
}

#[tokio::test]
async fn updated_content_is_returned_searched_and_published() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "haystack").await;
    let mut body = tree(&service.client, &asset).await["formats"]["iterable"][0].clone();
    body["fragment"] = json!({ "string": { "raw": "the needle" } });
    let changed = post(&service, "/format/update/value", &body).await;
    assert_eq!(changed["fragment"]["string"]["raw"], "the needle");
    assert_eq!(changed["bytes"]["value"], 10);
    post(&service, "/format/update/value", &body).await;
    let seen = tree(&service.client, &asset).await;
    assert_eq!(seen["original"]["reference"]["fragment"]["string"]["raw"], "the needle");
    let found = async |word: &str| get(&service, &format!("/assets/search?query={word}")).await["iterable"].clone();
    assert_eq!(found("needle").await[0]["identifier"], asset.as_str());
    assert_eq!(found("haystack").await, json!([]));
    let activities = get(&service, &format!("/asset/{asset}/activities")).await;
    assert_eq!(activities["iterable"].as_array().map(Vec::len), Some(2));
    let pair = &activities["iterable"][1]["event"]["asset"]["identifier_description_pair"];
    assert_eq!(pair, &json!({ "asset_format_value_edited": "a_specific_format_value_was_edited_on_an_asset" }));
    body["fragment"] = Value::Null;
    body["file"] = json!({ "bytes": { "raw": [0, 255] } });
    assert_eq!(post(&service, "/format/update/value", &body).await["file"]["bytes"]["raw"], json!([0, 255]));
    assert_eq!(found("needle").await, json!([]));
    body["file"] = json!({});
    let refused = service.send("POST", "/format/update/value", Some(&body.to_string())).await;
    assert_eq!(refused.status, 400, "{}", refused.text());
}

#[tokio::test]
async fn the_language_of_the_original_is_that_of_the_asset() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    let format = tree(&service.client, &asset).await["formats"]["iterable"][0].clone();
    let body = |ext: &str| json!({ "ext": ext, "format": format });
    let changed = post(&service, "/format/reclassify", &body("rs")).await;
    assert_eq!(changed["classification"], json!({ "generic": "CODE", "specific": "rs" }));
    let seen = tree(&service.client, &asset).await;
    assert_eq!(seen["original"]["reference"]["classification"], changed["classification"]);
    let refused = service.send("POST", "/format/reclassify", Some(&body("klingon").to_string())).await;
    assert_eq!(refused.status, 400);
}

#[tokio::test]
async fn pseudo_assets_are_listed_only_on_request() {
    let service = TestService::start().await;
    let saved = text_asset(&service.client, "saved", "x").await;
    let mut seed = text_seed("pseudo", "y");
    seed["asset"]["pseudo"] = true.into();
    let pseudo = create(&service.client, seed).await.expect("an asset");
    let (saved, pseudo) = (json!(saved.as_str()), json!(pseudo.view().id()));
    for target in ["/assets", "/assets/identifiers"] {
        for (query, expected) in
            [("", vec![&saved]), ("?pseudo=false", vec![&saved]), ("?pseudo=true", vec![&pseudo, &saved])]
        {
            let list = get(&service, &format!("{target}{query}")).await;
            let ids: Vec<_> = list["iterable"].as_array().expect("a list").iter().map(|one| &one["id"]).collect();
            assert_eq!(ids, expected, "{target}{query}");
        }
    }
    let list = get(&service, "/assets/pseudo").await;
    assert_eq!(list["identifiers"]["iterable"], json!([{ "id": pseudo }]));
}

#[tokio::test]
async fn a_draft_previews_the_result_and_creates_nothing() {
    let service = TestService::start().await;
    let mut seed = text_seed("main.rs", "fn main() {}");
    seed["asset"]["metadata"]["mechanism"] = "OF_TOMORROW".into();
    let draft = post(&service, "/assets/draft", &seed).await;
    assert_eq!(draft["asset"]["format"]["classification"], json!({ "generic": "CODE", "specific": "rs" }));
    let metadata = &draft["asset"]["metadata"];
    assert_eq!((&metadata["name"], &metadata["mechanism"]), (&json!("main.rs"), &json!("MANUAL")));
    assert_eq!(draft["asset"]["format"]["fragment"]["string"]["raw"], "fn main() {}");
    let withheld = post(&service, "/assets/draft?transferables=false", &seed).await;
    assert_eq!(withheld["asset"]["format"]["fragment"], json!({ "metadata": { "ext": "rs" } }));
    assert_eq!(status(&service, "POST", "/assets/draft").await, 400);
    assert_eq!(get(&service, "/assets?pseudo=true").await["iterable"], json!([]));
}

#[tokio::test]
async fn a_draft_has_no_enum_value_that_the_oldest_clients_refuse() {
    let service = TestService::start().await;
    let mut seed = text_seed("main.rs", "fn main() {}");
    seed["schema"] = json!({ "migration": 0, "semantic": "OF_TOMORROW" });
    seed["website"] =
        json!({ "url": "https://example.org/", "name": "Example", "mechanism": "OF_TOMORROW", "kept": 1 });
    let draft = post(&service, "/assets/draft", &seed).await;
    assert_eq!(draft["schema"], json!({ "migration": 0, "semantic": "MAJOR_0_MINOR_0_PATCH_1" }));
    assert_eq!(draft["website"], json!({ "url": "https://example.org/", "name": "Example", "kept": 1 }));
}
