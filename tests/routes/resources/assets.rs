//! The Asset group but for its links: good calls, missing assets, malformed bodies, odd text.

use std::sync::Arc;

use lunette_client::model::asset::{Asset, AssetReclassification};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::*;
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{
    ODD, application, create, imported_seed, record, refusal, summary, text_asset, text_seed, tree,
};

#[tokio::test]
async fn a_new_asset_reads_back_completely() {
    let TestService { client, .. } = &TestService::start().await;
    let id = text_asset(client, "greeting.py", "print(\"hi\")\n").await;
    let asset = tree(client, &id).await;
    assert_eq!(asset["name"], "greeting.py");
    assert_eq!(asset["mechanism"], "MANUAL");
    let original = &asset["original"];
    assert_eq!(original["reference"]["classification"], json!({ "generic": "CODE", "specific": "py" }));
    assert_eq!(original["reference"]["application"], application());
    assert_eq!(original["reference"]["bytes"], json!({ "value": 12, "readable": "12 B" }));
    assert_eq!(original["reference"]["asset"], id.as_str());
    for format in [&original["reference"], &asset["preview"]["base"]["reference"], &asset["formats"]["iterable"][0]] {
        assert_eq!(format["id"], original["id"]);
        assert_eq!(format["fragment"], json!({ "string": { "raw": "print(\"hi\")\n" }, "metadata": { "ext": "py" } }));
    }
    let inside = &asset["formats"]["iterable"][0]["asset"];
    assert_eq!(inside["original"], original["id"]);
    assert_eq!(inside["formats"], json!({ "iterable": [{ "id": original["id"] }] }));
    assert!(asset["created"]["value"].as_str().is_some_and(|at| at.ends_with('Z')));
}

#[tokio::test]
async fn without_transferables_only_the_content_is_omitted() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "greeting.py", "print()").await;
    let full = tree(client, &asset).await;
    let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    let withheld = client.call(call).await.expect("the asset").into_tree();
    let mut expected = full;
    let pointers = ["/original/reference/fragment", "/preview/base/reference/fragment", "/formats/iterable/0/fragment"];
    for pointer in pointers {
        let fragment = expected.pointer_mut(pointer).and_then(Value::as_object_mut).expect("a fragment");
        fragment.remove("string").expect("the content");
    }
    assert_eq!(withheld, expected);
    let formats = AssetFormats { asset, transferables: Some(false) };
    let formats = client.call(formats).await.expect("formats").into_tree();
    assert_eq!(formats, expected["formats"]);
}

#[tokio::test]
async fn an_unknown_or_deleted_asset_returns_410_from_its_snapshot_and_404_elsewhere() {
    let service = TestService::start().await;
    let client = &service.client;
    let deleted = text_asset(client, "short-lived", "x").await;
    client.call(AssetsDeleteAsset { asset: deleted.clone() }).await.expect("deleted");
    for asset in [AssetId::random(), deleted] {
        let (status, sentence) =
            refusal(client.call(AssetSnapshot { asset: asset.clone(), transferables: None }).await);
        assert_eq!(status, 410);
        assert!(sentence.contains(asset.as_str()), "{sentence}");
        for (method, path) in [
            ("GET", "formats"),
            ("GET", "activities"),
            ("GET", "conversations"),
            ("POST", "scores/increment"),
            ("GET", "export?export_type=MD"),
        ] {
            let answer = service.send(method, &format!("/asset/{asset}/{path}"), None).await;
            assert_eq!(answer.status, 404, "{path}: {}", answer.text());
        }
        assert_eq!(service.send("POST", &format!("/asset/{asset}"), None).await.status, 404);
    }
}

#[tokio::test]
async fn an_asset_id_that_is_not_a_uuid_returns_400_with_the_reason() {
    let service = TestService::start().await;
    for id in ["update2", "%2e%2e", "a%2Fb", "%F0%9F%98%80", "%ff", "00000000-0000-0000-0000-00000000000"] {
        for (method, path) in [
            ("GET", ""),
            ("POST", ""),
            ("GET", "/formats"),
            ("GET", "/activities"),
            ("GET", "/conversations"),
            ("GET", "/export?export_type=MD"),
            ("POST", "/scores/increment"),
        ] {
            let answer = service.send(method, &format!("/asset/{id}{path}"), None).await;
            assert_eq!(answer.status, 400, "{id}{path}: {}", answer.text());
            assert!(answer.text().contains("asset"), "{}", answer.text());
        }
    }
}

#[tokio::test]
async fn an_asset_is_found_by_its_id_in_any_case() {
    let TestService { client, .. } = &TestService::start().await;
    let id = text_asset(client, "greeting", "x").await;
    let upper: AssetId = id.as_str().to_uppercase().parse().expect("an id");
    assert_eq!(tree(client, &upper).await["id"], id.as_str());
}

#[tokio::test]
async fn a_snapshot_by_post_identifies_the_client_and_needs_no_body() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "greeting", "x").await;
    let accessor = json!({ "os": "o", "share": "s", "user": { "id": "u" } });
    let call =
        AssetSnapshotPost { asset: asset.clone(), transferables: None, accessor: Some(record(accessor.clone())) };
    let mut read = client.call(call).await.expect("the asset").into_tree();
    assert_eq!(read.as_object_mut().and_then(|fields| fields.remove("accessor")), Some(accessor));
    let call = AssetSnapshotPost { asset: asset.clone(), transferables: None, accessor: None };
    assert_eq!(client.call(call).await.expect("the asset").into_tree(), read);
}

#[tokio::test]
async fn unusual_names_and_texts_round_trip() {
    let TestService { client, .. } = &TestService::start().await;
    for text in ODD {
        let asset = tree(client, &text_asset(client, text, text).await).await;
        assert_eq!(asset["name"], *text);
        assert_eq!(asset["original"]["reference"]["fragment"]["string"]["raw"], *text);
    }
}

#[tokio::test]
async fn reclassifying_changes_only_the_language() {
    let TestService { client, .. } = &TestService::start().await;
    let id = text_asset(client, "greeting.py", "content").await;
    let before = tree(client, &id).await;
    let mut half = before.clone();
    half["formats"] = json!({ "iterable": [] });
    half["name"] = "not looked at".into();
    let after = reclassify(client, half, "rs").await.expect("reclassified").into_tree();
    assert_eq!(after["name"], "greeting.py");
    for pointer in ["/original/reference", "/preview/base/reference", "/formats/iterable/0"] {
        let format = after.pointer(pointer).expect("a format");
        assert_eq!(format["classification"], json!({ "generic": "CODE", "specific": "rs" }), "{pointer}");
        assert_eq!(format["fragment"]["metadata"]["ext"], "rs");
        assert_eq!(format["fragment"]["string"]["raw"], "content");
    }
    let call = AssetSpecificAssetActivities { asset: id, transferables: None };
    let activities = client.call(call).await.expect("activities").into_tree();
    let metadata = json!({ "reclassification": {
        "previous": { "generic": "CODE", "specific": "py" }, "current": { "generic": "CODE", "specific": "rs" }
    } });
    assert_eq!(activities["iterable"][1]["event"]["asset"]["metadata"], metadata);
}

#[tokio::test]
async fn an_invalid_language_returns_400_and_changes_nothing() {
    let service = TestService::start().await;
    let client = &service.client;
    let id = text_asset(client, "greeting.py", "content").await;
    let before = tree(client, &id).await;
    for ext in ["", "klingon", "PY", "nim", "../py", "😀"] {
        let (status, sentence) = refusal(reclassify(client, before.clone(), ext).await);
        assert_eq!(status, 400, "{ext}");
        assert!(sentence.contains("language"), "{sentence}");
    }
    for body in ["", "{}", "{\"ext\":\"py\"}", "[1]"] {
        assert_eq!(service.send("POST", "/asset/reclassify", Some(body)).await.status, 400, "{body}");
    }
    let mut unknown = before.clone();
    unknown["id"] = AssetId::random().as_str().into();
    assert_eq!(refusal(reclassify(client, unknown, "rs").await).0, 404);
    assert_eq!(tree(client, &id).await, before);
}

#[tokio::test]
async fn a_score_accepts_one_increment_at_a_time() {
    let service = TestService::start().await;
    let id = text_asset(&service.client, "greeting", "content").await;
    let target = format!("/asset/{id}/scores/increment");
    for body in ["", "{}", "{\"asset\":{}}", "{\"asset\":{\"reuse\":false}}", "{\"tag\":{\"reuse\":true}}"] {
        assert_eq!(service.send("POST", &target, Some(body)).await.status, 204, "{body}");
    }
    assert_eq!(tree(&service.client, &id).await["score"], json!({ "manual": 0, "automatic": 0 }));
    for counter in ["priority", "reuse", "update", "reference", "searched", "reuse"] {
        let body = json!({ "asset": { counter: true } }).to_string();
        assert_eq!(service.send("POST", &target, Some(&body)).await.status, 204, "{counter}");
    }
    let expected = json!({ "manual": 0, "automatic": 0, "priority": 1, "reuse": 2, "update": 1, "reference": 1,
        "searched": 1 });
    assert_eq!(tree(&service.client, &id).await["score"], expected);
    for body in
        ["{\"asset\":{\"reuse\":true,\"update\":true}}", "{\"asset\":{\"reuse\":1}}", "{\"asset\":7}", "nonsense"]
    {
        assert_eq!(service.send("POST", &target, Some(body)).await.status, 400, "{body}");
    }
    assert_eq!(tree(&service.client, &id).await["score"], expected);
}

#[tokio::test]
async fn concurrent_increments_add_up() {
    let TestService { client, .. } = &TestService::start().await;
    let id = text_asset(client, "greeting", "content").await;
    let increment =
        AssetScoresIncrement { asset: id.clone(), increment: Some(record(json!({ "asset": { "reuse": true } }))) };
    let (increment, shared) = (Arc::new(increment), Arc::new(client.clone()));
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let (client, increment) = (shared.clone(), increment.clone());
            tokio::spawn(async move {
                for _ in 0..10 {
                    client.call((*increment).clone()).await.expect("incremented");
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("the task ends");
    }
    assert_eq!(tree(client, &id).await["score"]["reuse"], 160);
}

#[tokio::test]
async fn a_large_text_is_stored_and_occurs_once_in_its_record() {
    let service = TestService::start().await;
    let client = &service.client;
    let text = "all work and no play\n".repeat(500_000);
    let id = text_asset(client, "large", &text).await;
    let asset = tree(client, &id).await;
    assert_eq!(asset["preview"]["base"]["reference"]["fragment"]["string"]["raw"], text);
    assert_eq!(asset["original"]["reference"]["fragment"], json!({ "metadata": { "ext": "txt" } }));
    let formats = client.call(AssetFormats { asset: id, transferables: None }).await.expect("formats").into_tree();
    assert_eq!(formats["iterable"][0]["fragment"]["string"]["raw"], text);
}

#[tokio::test]
async fn a_name_of_ten_thousand_characters_is_stored() {
    let TestService { client, .. } = &TestService::start().await;
    let name = "é".repeat(10_000);
    assert_eq!(tree(client, &text_asset(client, &name, "x").await).await["name"], name);
}

#[tokio::test]
async fn conversations_about_an_asset_are_listed_with_their_messages() {
    let folder = tempfile::tempdir().expect("a folder");
    let (client, id, running) = with_conversation(folder.path()).await;
    let call = AssetSpecificAssetConversations { asset: id.clone(), transferables: None };
    let conversations = client.call(call).await.expect("conversations").into_tree();
    let one = &conversations["iterable"][0];
    assert_eq!((one["name"].as_str(), one["type"].as_str()), (Some("about it"), Some("COPILOT")));
    assert_eq!(one["assets"]["iterable"], json!([{ "id": id.as_str() }]));
    let message = &one["messages"]["iterable"][0]["reference"];
    assert_eq!(message["fragment"], json!({ "string": { "raw": "what is this?" } }));
    assert_eq!(message["role"], "USER");
    let call = AssetSpecificAssetConversations { asset: id.clone(), transferables: Some(false) };
    let withheld = client.call(call).await.expect("conversations").into_tree();
    assert_eq!(withheld["iterable"][0]["messages"]["iterable"][0]["reference"]["fragment"], json!({}));
    assert_eq!(tree(&client, &id).await["conversations"], conversations);
    running.stop().await;
}

async fn with_conversation(
    folder: &std::path::Path,
) -> (lunette_client::client::Client, AssetId, lunette_service::Running) {
    use crate::support::{client, settings};
    use lunette_service::{Data, start};
    let data = || settings(Data::Folder(folder.to_owned()));
    let running = start(data()).await.expect("the service starts");
    let id = text_asset(&client(&running), "greeting", "hello").await;
    running.stop().await;
    let store = lunette_service::store::Store::open(folder).expect("the store");
    let conversation = lunette_service::store::NewConversation {
        name: Some("about it".to_owned()),
        messages: vec![
            ("USER".to_owned(), "what is this?".to_owned()),
            ("ASSISTANT".to_owned(), "a greeting".to_owned()),
        ],
        assets: vec![id.to_string()],
    };
    store.make_conversation(conversation).expect("a conversation");
    drop(store);
    let running = start(data()).await.expect("the service starts");
    (client(&running), id, running)
}

#[tokio::test]
async fn an_asset_with_every_kind_of_link_is_one_record() {
    let TestService { client, .. } = &TestService::start().await;
    let mut seed = text_seed("greeting", "hello");
    seed["asset"]["metadata"]["tags"] = json!([{ "text": "parser" }]);
    seed["asset"]["metadata"]["tags"][0]["mechanism"] = "RECOMMENDED".into();
    seed["asset"]["metadata"]["websites"] = json!([{ "url": "https://example.org", "name": "Example" }]);
    seed["asset"]["metadata"]["annotations"] = json!([{ "type": "DESCRIPTION", "text": "says hello" }]);
    let made = create(client, seed).await.expect("an asset");
    let id: AssetId = made.view().id().parse().expect("an id");
    let workstream_summary = summary(client, "Morning").await;
    client.call(AssetAssociateWorkstreamSummary { asset: id.clone(), workstream_summary }).await.expect("linked");
    let asset = tree(client, &id).await;
    assert_eq!(asset["tags"]["iterable"][0]["text"], "parser");
    assert_eq!(asset["tags"]["iterable"][0]["mechanisms"], json!({ id.as_str(): "RECOMMENDED" }));
    assert_eq!(asset["websites"]["iterable"][0]["url"], "https://example.org");
    assert_eq!(asset["websites"]["iterable"][0]["mechanisms"], json!({ id.as_str(): "MANUAL" }));
    assert_eq!(asset["summaries"]["iterable"][0]["model"]["usage"], "CODE_TITLE");
    assert_eq!(asset["annotations"]["iterable"][0]["text"], "says hello");
}

async fn reclassify(
    client: &lunette_client::client::Client,
    asset: Value,
    ext: &str,
) -> Result<Asset, lunette_client::client::CallError> {
    let reclassification = Some(record::<AssetReclassification>(json!({ "ext": ext, "asset": asset })));
    client.call(AssetReclassify { transferables: None, reclassification }).await
}

#[tokio::test]
async fn a_row_of_the_list_names_the_application_that_the_asset_came_from() {
    let TestService { client, .. } = &TestService::start().await;
    text_asset(client, "greeting.py", "print()").await;
    let rows = client.call(AssetsRowsSnapshot { after: None, limit: None }).await.expect("rows").into_tree();
    let (named, came_from) = (&rows["iterable"][0]["application"], application());
    assert_eq!((&named["id"], &named["name"]), (&came_from["id"], &came_from["name"]), "{rows}");
}

#[tokio::test]
async fn a_row_of_the_list_has_the_path_that_the_last_description_says_it_was_imported_from() {
    let TestService { client, .. } = &TestService::start().await;
    let path = async || {
        let rows = client.call(AssetsRowsSnapshot { after: None, limit: None }).await.expect("rows").into_tree();
        rows["iterable"][0]["path"].clone()
    };
    let asset = create(client, imported_seed("serde/src/lib.rs", "fn main() {}")).await.expect("an asset").into_tree();
    assert_eq!(path().await, "serde/src/lib.rs");
    let text = |text: &str| json!({ "type": "DESCRIPTION", "text": text, "asset": asset["id"] });
    for (said, expected) in [("Mine now.", Value::Null), ("Imported from a/b.rs (was UTF-16LE)", "a/b.rs".into())] {
        let annotation = Some(record::<lunette_client::model::linked::SeededAnnotation>(text(said)));
        client.call(AnnotationsCreateNewAnnotation { annotation }).await.expect("an annotation");
        assert_eq!(path().await, expected, "{said}");
    }
}
