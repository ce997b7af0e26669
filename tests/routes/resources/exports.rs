//! Exports over HTTP: each kind gives a document, what has none is refused in words.

use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSpecificAssetExport;
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{ODD, create, refusal, text_asset, text_seed, tree};

async fn export(service: &TestService, asset: &AssetId, export_type: ExportType) -> Value {
    let call = AssetSpecificAssetExport { asset: asset.clone(), export_type };
    service.client.call(call).await.expect("an export").into_tree()
}

#[tokio::test]
async fn every_kind_of_export_contains_the_text() {
    let service = TestService::start().await;
    let mut seed = text_seed("greeting.py", "hello_world = 1\n");
    seed["asset"]["metadata"]["annotations"] = json!([{ "type": "DESCRIPTION", "text": "says hello" }]);
    let made = create(&service.client, seed).await.expect("an asset");
    let asset: AssetId = made.view().id().parse().expect("an id");
    for kind in ExportType::KNOWN {
        let exported = export(&service, &asset, kind.clone()).await;
        assert_eq!((&exported["name"], &exported["description"]), (&json!("greeting.py"), &json!("says hello")));
        let document = exported["raw"]["string"]["raw"].as_str().expect("a document");
        assert!(document.contains("hello_world"), "{kind}: {document}");
    }
    for kind in [ExportType::Txt, ExportType::Raw] {
        assert_eq!(export(&service, &asset, kind).await["raw"]["string"]["raw"], "hello_world = 1\n");
    }
    let document = export(&service, &asset, ExportType::Json).await;
    let record: Value = serde_json::from_str(document["raw"]["string"]["raw"].as_str().expect("text")).expect("JSON");
    assert_eq!(record, tree(&service.client, &asset).await);
}

#[tokio::test]
async fn bytes_are_exported_completely_and_not_as_text() {
    let service = TestService::start().await;
    let mut seed = text_seed("some.bin", "");
    seed["asset"]["format"] = json!({ "file": { "string": { "base64": "AP8B" } } });
    let made = create(&service.client, seed).await.expect("an asset");
    let asset: AssetId = made.view().id().parse().expect("an id");
    let raw = export(&service, &asset, ExportType::Raw).await;
    assert_eq!(raw["raw"], json!({ "string": { "base64": "AP8B" } }));
    for kind in [ExportType::Html, ExportType::Md, ExportType::Json] {
        let exported = export(&service, &asset, kind.clone()).await;
        assert!(exported["raw"]["string"]["raw"].is_string(), "{kind}");
    }
    let call = AssetSpecificAssetExport { asset, export_type: ExportType::Txt };
    let (status, sentence) = refusal(service.client.call(call).await);
    assert_eq!(status, 400);
    assert!(sentence.contains("RAW"), "{sentence}");
}

#[tokio::test]
async fn an_unknown_export_format_returns_400_with_the_known_ones() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "x").await;
    for kind in ["UNKNOWN", "html", "weird", "PDF", "%F0%9F%98%80", ""] {
        let answer = service.send("GET", &format!("/asset/{asset}/export?export_type={kind}"), None).await;
        assert_eq!(answer.status, 400, "{kind}: {}", answer.text());
    }
    let answer = service.send("GET", &format!("/asset/{asset}/export?exportType=PDF"), None).await;
    assert!(answer.text().contains("HTML, MD, JSON, TXT, RAW"), "{}", answer.text());
    assert_eq!(service.send("GET", &format!("/asset/{asset}/export"), None).await.status, 400);
}

#[tokio::test]
async fn unusual_names_and_texts_are_exported() {
    let service = TestService::start().await;
    for text in ODD {
        let asset = text_asset(&service.client, text, text).await;
        for kind in ExportType::KNOWN {
            assert_eq!(export(&service, &asset, kind).await["name"], *text);
        }
    }
}
