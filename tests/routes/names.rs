//! Assets that are created without a name: what they are called, and that nothing else changes.

use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetsCreateNewAsset;
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{create, record, text_seed, tree};

/// A text seed as editors and the public command line send it.
fn nameless(text: &str) -> Value {
    let mut seed = text_seed("", text);
    seed["asset"]["metadata"] = Value::Null;
    seed
}

async fn name(service: &TestService, seed: Value) -> Value {
    let asset = create(&service.client, seed).await.expect("an asset");
    tree(&service.client, &asset.view().id().parse().expect("an id")).await["name"].take()
}

#[tokio::test]
async fn text_without_a_name_is_called_by_its_heading_its_function_or_its_first_line() {
    let service = TestService::start().await;
    for (text, expected) in [
        ("# Title\n\nSome *text*", "Title"),
        ("import os\n\ndef add(a, b):\n    return a + b", "add"),
        ("create table places (id int);", "places"),
        ("// says hi\nconsole.log('hi');", "says hi"),
        ("Buy milk.", "Buy milk."),
    ] {
        assert_eq!(name(&service, nameless(text)).await, expected, "{text}");
        assert_eq!(name(&service, text_seed("", text)).await, expected, "an empty name is none");
        assert_eq!(name(&service, text_seed(" given ", text)).await, " given ");
    }
}

#[tokio::test]
async fn bytes_and_text_that_shows_nothing_stay_without_a_name() {
    let service = TestService::start().await;
    let mut bytes = nameless("");
    bytes["asset"]["format"] = json!({ "file": { "bytes": { "raw": [0, 1, 2, 254] } } });
    assert_eq!(name(&service, bytes).await, Value::Null);
    for text in ["", " \n\t", "\u{200b}"] {
        assert_eq!(name(&service, nameless(text)).await, Value::Null, "{text:?}");
    }
}

#[tokio::test]
async fn the_name_of_a_file_is_kept() {
    let service = TestService::start().await;
    let mut file = nameless("");
    file["asset"]["format"] =
        json!({ "file": { "string": { "raw": "fn main() {}" }, "metadata": { "name": "a.rs", "size": 12 } } });
    assert_eq!(name(&service, file).await, "a.rs");
}

#[tokio::test]
async fn the_same_text_without_a_name_is_created_once_on_request() {
    let service = TestService::start().await;
    let make = async |text: &str| {
        let seed = Some(record(nameless(text)));
        let call = AssetsCreateNewAsset { transferables: Some(false), once: Some(true), seed };
        service.client.call(call).await.expect("an asset").into_tree()
    };
    let first = make("fn main() {}").await;
    let again = make("fn main() {}").await;
    assert_eq!((&again["id"], &again["existing"]), (&first["id"], &json!(true)));
    assert_ne!(make("fn other() {}").await["id"], first["id"]);
}

#[tokio::test]
async fn a_draft_has_the_name_that_its_asset_would_have() {
    let service = TestService::start().await;
    let seed = nameless("class User:\n    pass");
    let answer = service.send("POST", "/assets/draft", Some(&seed.to_string())).await.json();
    assert_eq!(answer["asset"]["metadata"]["name"], "User");
    assert_eq!(answer["asset"]["format"]["classification"]["specific"], "py");
}

#[tokio::test]
async fn a_derived_name_stays_when_the_language_is_changed() {
    let service = TestService::start().await;
    let asset = create(&service.client, nameless("fn main() {}")).await.expect("an asset").into_tree();
    let body = json!({ "ext": "md", "asset": asset });
    let after = service.send("POST", "/asset/reclassify", Some(&body.to_string())).await.json();
    let language = &after["original"]["reference"]["classification"]["specific"];
    assert_eq!((&after["name"], language), (&json!("main"), &json!("md")));
}
