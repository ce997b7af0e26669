//! Versions of assets over HTTP: listed, read, forgotten, and the assets as they were at a time; checkpoints.

use lunette_client::model::id::{AssetId, CheckpointId, VersionNumber};
use lunette_client::model::record::Record as _;
use lunette_client::model::version::SeededCheckpoint;
use lunette_client::operation::table::*;
use lunette_service::{Data, PastBounds};
use serde_json::{Value, json};

use crate::support::assets::{record, refusal, tag, text_asset, tree};
use crate::support::{TestService, raw};

fn number(number: u32) -> VersionNumber {
    VersionNumber::of(number).expect("a number")
}

async fn edit(service: &TestService, asset: &AssetId, text: &str) {
    let mut format = tree(&service.client, asset).await["formats"]["iterable"][0].clone();
    format["fragment"]["string"]["raw"] = text.into();
    let call = FormatUpdateValue { transferable: Some(false), format: Some(record(format)) };
    service.client.call(call).await.expect("edited");
}

async fn listed(service: &TestService, asset: &AssetId) -> Value {
    let call = AssetVersionsSnapshot { asset: asset.clone() };
    service.client.call(call).await.expect("a list").into_tree()
}

async fn content(service: &TestService, asset: &AssetId, version: u32, part: (Option<u64>, Option<u64>)) -> Value {
    let (offset, limit) = part;
    let call = AssetVersionContent { asset: asset.clone(), version: number(version), offset, limit };
    service.client.call(call).await.expect("content").into_tree()
}

#[tokio::test]
async fn every_change_is_a_version_with_who_made_it_and_what_changed() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "a.txt", "one\ntwo\n").await;
    edit(&service, &asset, "one\nthree\nfour\n").await;
    let made = tag(&service.client, "t").await;
    let link = AssetAssociateTag { asset: asset.clone(), tag: made.clone() };
    service.client.call(link).await.expect("linked");

    let list = listed(&service, &asset).await;
    let [linked, edited, created] = list["iterable"].as_array().expect("versions").as_slice() else {
        panic!("three versions: {list}")
    };
    assert_eq!((&list["from_creation"], &list["kept"]["versions"]), (&json!(true), &json!(200)));
    assert_eq!(
        (&linked["version"], &linked["current"], &linked["changed"]),
        (&json!(3), &json!(true), &json!(["tags"]))
    );
    assert_eq!(edited["changed"], json!(["content"]));
    let lines = (&edited["added"], &edited["removed"], &edited["first_line"]);
    assert_eq!(lines, (&json!(2), &json!(1), &json!("three")));
    let client = edited["client"].as_str().expect("a client");
    assert!(client.starts_with("lunette/"), "{client}");
    assert_eq!((&created["changed"], created.get("client")), (&json!(["created"]), None));

    let call = AssetVersionSnapshot { asset: asset.clone(), version: number(1) };
    let first = service.client.call(call).await.expect("a version").into_tree();
    assert_eq!((&first["name"], &first["tags"], &first["specific"]), (&json!("a.txt"), &json!([]), &json!("txt")));
    let call = AssetVersionSnapshot { asset: asset.clone(), version: number(3) };
    let now = service.client.call(call).await.expect("a version").into_tree();
    assert_eq!(now["tags"], json!([{ "id": made.as_str(), "text": "t" }]));
}

#[tokio::test]
async fn the_content_of_a_version_is_read_whole_or_in_parts_between_characters() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "a.txt", "one é two").await;
    edit(&service, &asset, "something else").await;
    let whole = content(&service, &asset, 1, (None, None)).await;
    assert_eq!((&whole["text"], &whole["size"]), (&json!("one é two"), &json!(10)));
    let part = content(&service, &asset, 1, (Some(2), Some(3))).await;
    assert_eq!((&part["text"], &part["offset"]), (&json!("e "), &json!(2)));
    let behind = content(&service, &asset, 1, (Some(100), Some(1))).await;
    assert_eq!((&behind["text"], &behind["offset"]), (&json!(""), &json!(10)));
}

#[tokio::test]
async fn a_version_that_is_not_there_and_a_number_that_is_none_are_refused() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "a.txt", "one").await;
    let call = AssetVersionSnapshot { asset: asset.clone(), version: number(2) };
    let (status, sentence) = refusal(service.client.call(call).await);
    assert_eq!(status, 404, "{sentence}");
    assert!(sentence.contains("no version 2"), "{sentence}");
    for bad in ["0", "x", "01", "-1"] {
        let target = format!("/asset/{asset}/versions/{bad}");
        assert_eq!(service.send("GET", &target, None).await.status, 400, "{bad}");
    }
    let unknown = AssetVersionsSnapshot { asset: AssetId::random() };
    assert_eq!(refusal(service.client.call(unknown).await).0, 404);
}

#[tokio::test]
async fn a_deleted_asset_has_its_versions_until_they_are_forgotten() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "a.txt", "one").await;
    service.client.call(AssetsDeleteAsset { asset: asset.clone() }).await.expect("deleted");
    service.client.call(AssetsTrashEmpty { count: Some(1) }).await.expect("emptied");
    let list = listed(&service, &asset).await;
    assert_eq!((&list["iterable"][0]["deleted"], &list["iterable"][1]["deleted"]), (&json!("purged"), &json!("trash")));
    assert_eq!(content(&service, &asset, 1, (None, None)).await["text"], json!("one"));
    let gone = AssetVersionContent { asset: asset.clone(), version: number(3), offset: None, limit: None };
    assert_eq!(refusal(service.client.call(gone).await).0, 404);

    service.client.call(AssetVersionsForget { asset: asset.clone() }).await.expect("forgotten");
    let list = listed(&service, &asset).await;
    assert_eq!((list["iterable"].as_array().map(Vec::len), &list["ended"]), (Some(1), &json!(2)));
}

#[tokio::test]
async fn assets_are_listed_as_they_were_and_checkpoints_name_a_time() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "a.txt", "one").await;
    let seed = SeededCheckpoint::from_tree(json!({ "name": " before ", "assets": [asset.as_str()] })).expect("a seed");
    let made = service.client.call(CheckpointsCreate { checkpoint: Some(seed) }).await.expect("made").into_tree();
    assert_eq!((&made["name"], &made["assets"]), (&json!("before"), &json!([asset.as_str()])));
    text_asset(&service.client, "b.txt", "two").await;
    service.client.call(AssetsDeleteAsset { asset: asset.clone() }).await.expect("deleted");

    let at = made["at"]["value"].as_str().expect("a time").to_owned();
    let then = service.client.call(AssetsThen { at }).await.expect("a list").into_tree();
    let rows = then["iterable"].as_array().expect("rows");
    assert_eq!((rows.len(), &rows[0]["id"], &rows[0]["recorded"]), (1, &json!(asset.as_str()), &json!(true)));
    let bad = service.client.call(AssetsThen { at: "yesterday".to_owned() }).await;
    assert_eq!(refusal(bad).0, 400);

    let all = service.client.call(CheckpointsSnapshot {}).await.expect("a list").into_tree();
    assert_eq!(all["iterable"], json!([made]));
    let id: CheckpointId = made["id"].as_str().expect("an id").parse().expect("an id");
    service.client.call(CheckpointsDelete { checkpoint: id.clone() }).await.expect("deleted");
    assert_eq!(refusal(service.client.call(CheckpointsDelete { checkpoint: id }).await).0, 404);
    let unnamed = SeededCheckpoint::from_tree(json!({ "name": " " })).expect("a seed");
    assert_eq!(refusal(service.client.call(CheckpointsCreate { checkpoint: Some(unnamed) }).await).0, 400);
}

#[tokio::test]
async fn one_version_is_forgotten_and_what_the_asset_is_now_is_not() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "a.txt", "one").await;
    edit(&service, &asset, "two").await;
    edit(&service, &asset, "three").await;
    let forget = |number_of: u32| AssetVersionForget { asset: asset.clone(), version: number(number_of) };
    service.client.call(forget(2)).await.expect("forgotten");
    let list = listed(&service, &asset).await;
    assert_eq!(
        (&list["iterable"][1]["missing"], &list["iterable"][1]["version"]),
        (&json!("it was forgotten"), &json!(2))
    );
    assert_eq!(content(&service, &asset, 1, (None, None)).await["text"], json!("one"));
    assert_eq!(refusal(service.client.call(forget(3)).await).0, 409);
    assert_eq!(refusal(service.client.call(forget(4)).await).0, 404);
}

#[tokio::test]
async fn a_version_that_looks_like_it_holds_a_secret_is_marked() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "a.txt", "one").await;
    // Made up, in the form of a token.
    let token = ["gh", "p_16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    edit(&service, &asset, &format!("token = \"{token}\"")).await;
    edit(&service, &asset, "three").await;
    let list = listed(&service, &asset).await;
    let marked: Vec<bool> = (0..3).map(|index| list["iterable"][index]["secret"].is_string()).collect();
    assert_eq!(marked, [false, true, false], "{list}");
}

#[tokio::test]
async fn two_clients_are_told_apart_by_how_they_name_themselves() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "a.txt", "one").await;
    let update = json!({ "id": asset.as_str(), "name": "b.txt" }).to_string();
    let headers = [("User-Agent", "editor/2.1 (somewhere)")];
    let request = raw::request("POST", "/asset/update", service.port(), &headers, Some(&update));
    let answer = service.raw(request).await;
    assert_eq!(answer.status, 200);
    edit(&service, &asset, "two").await;
    let list = listed(&service, &asset).await;
    let clients: Vec<_> = [0, 1].map(|index| list["iterable"][index]["client"].clone()).into();
    assert!(clients[0].as_str().is_some_and(|client| client.starts_with("lunette/")), "{clients:?}");
    assert_eq!(clients[1], json!("editor/2.1 (somewhere)"));
}

#[tokio::test]
async fn every_state_that_two_clients_at_once_ever_read_is_a_version_in_its_order() {
    const CHANGES: u32 = 60;
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "a.txt", "0").await;
    let change = async |name: &str| {
        let mut seen = Vec::new();
        for number in 0..CHANGES {
            edit(&service, &asset, &format!("{name} {number}")).await;
            let text =
                tree(&service.client, &asset).await["original"]["reference"]["fragment"]["string"]["raw"].clone();
            seen.push(text.as_str().expect("a text").to_owned());
        }
        seen
    };
    let (one, two) = tokio::join!(change("one"), change("two"));
    let list = listed(&service, &asset).await;
    let count = u32::try_from(list["iterable"].as_array().map_or(0, Vec::len)).expect("few");
    assert_eq!(count, 2 * CHANGES + 1);
    let mut texts = Vec::new();
    for version in 1..=count {
        let text = content(&service, &asset, version, (None, None)).await["text"].clone();
        texts.push(text.as_str().expect("a text").to_owned());
    }
    for seen in [one, two] {
        let places: Vec<_> =
            seen.iter().map(|seen| texts.iter().position(|text| text == seen).expect("it is a version")).collect();
        assert!(places.is_sorted(), "{places:?}");
    }
}

async fn bounds(service: &TestService) -> Value {
    service.client.call(VersionBoundsSnapshot {}).await.expect("bounds").into_tree()
}

async fn set(service: &TestService, bounds: Value) -> Result<Value, String> {
    let answer = service.send("POST", "/versions/bounds", Some(&bounds.to_string())).await;
    if answer.status == 200 { Ok(answer.json()) } else { Err(format!("{} {}", answer.status, answer.text())) }
}

#[tokio::test]
async fn how_many_versions_are_kept_is_told_and_set_for_good() {
    let folder = tempfile::tempdir().expect("a folder");
    let on_folder = async || {
        let data = Data::Folder(folder.path().join("data"));
        TestService::with(|settings| settings.data = data).await
    };
    let service = on_folder().await;
    assert_eq!(bounds(&service).await, json!({ "days": 90, "versions": 200, "bytes": 1_u64 << 30 }));
    let wanted = json!({ "days": 7, "versions": 20, "bytes": 1_000_000 });
    assert_eq!(set(&service, wanted.clone()).await, Ok(wanted.clone()));
    let asset = text_asset(&service.client, "a.txt", "one").await;
    assert_eq!(listed(&service, &asset).await["kept"], wanted);
    service.running.stop().await;
    let service = on_folder().await;
    assert_eq!(bounds(&service).await, wanted);
    service.running.stop().await;

    // What is given when it starts holds in its place.
    let data = Data::Folder(folder.path().join("data"));
    let given = PastBounds { days: 1, versions: 2, bytes: 3 };
    let service = TestService::with(|settings| (settings.data, settings.past) = (data, Some(given))).await;
    assert_eq!(bounds(&service).await, json!({ "days": 1, "versions": 2, "bytes": 3 }));
}

#[tokio::test]
async fn bounds_that_are_no_numbers_or_negative_are_rejected_and_change_nothing() {
    let service = TestService::start().await;
    let before = bounds(&service).await;
    for wrong in [
        json!({ "days": -1, "versions": 1, "bytes": 1 }),
        json!({ "days": 1, "versions": 1_000_001, "bytes": 1 }),
        json!({ "days": 1, "versions": 1, "bytes": -1 }),
        json!({ "days": 1, "versions": 1 }),
        json!({ "days": "many", "versions": 1, "bytes": 1 }),
    ] {
        let refused = set(&service, wrong.clone()).await;
        assert!(refused.as_ref().is_err_and(|error| error.starts_with("400 ")), "{wrong}: {refused:?}");
    }
    assert_eq!(service.send("POST", "/versions/bounds", None).await.status, 400);
    assert_eq!(bounds(&service).await, before);
}

#[tokio::test]
async fn a_service_that_is_to_keep_none_keeps_none_and_says_when() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "a.txt", "one").await;
    edit(&service, &asset, "two").await;
    set(&service, json!({ "days": 90, "versions": 0, "bytes": 1_000_000 })).await.expect("set");
    edit(&service, &asset, "three").await;
    set(&service, json!({ "days": 90, "versions": 10, "bytes": 1_000_000 })).await.expect("set");
    edit(&service, &asset, "four").await;
    let list = listed(&service, &asset).await;
    let gaps = list["gaps"].as_array().expect("gaps");
    assert!(gaps.len() == 1 && !gaps[0]["from"].is_null() && !gaps[0]["to"].is_null(), "{list}");
    assert_eq!(list["iterable"][0]["current"], json!(true));
    // “two” was replaced by “three” while none were kept.
    let missing: Vec<_> = (0..4).map(|index| list["iterable"][index]["missing"].clone()).collect();
    assert_eq!(missing, [Value::Null, Value::Null, json!("it was not recorded"), Value::Null], "{list}");
    let texts = [content(&service, &asset, 1, (None, None)).await, content(&service, &asset, 3, (None, None)).await];
    assert_eq!(texts.map(|content| content["text"].clone()), ["one", "three"]);
    let call = AssetVersionContent { asset: asset.clone(), version: number(2), offset: None, limit: None };
    assert_eq!(refusal(service.client.call(call).await).0, 404);
}
