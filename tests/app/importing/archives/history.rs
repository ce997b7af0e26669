//! What hangs on the assets of an archive: summaries, conversations, persons, hints, anchors, scores and activities.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use lunette_client::client::{Client, Limits};
use lunette_client::model::record::Record as _;
use lunette_client::operation::{Operation, table as op};
use lunette_inspector::export::library::{Format, LeftOutAsset};
use lunette_inspector::tasks::CancelFlag;
use serde_json::{Value, json};

use super::stores::{Store, candidates, some_assets};
use crate::support::assets::record;
use crate::support::client_at;
use crate::support::unsupported_proxy::UnsupportedProxy;

const ASSETS: op::AssetsSnapshot =
    op::AssetsSnapshot { transferables: None, suggested: None, pseudo: None, offset: None, limit: None };
const SUMMARIES: op::WorkstreamSummariesSnapshot =
    op::WorkstreamSummariesSnapshot { transferables: None, assets: None, counts: None };

fn model() -> Value {
    json!({ "id": "m", "version": "1", "created": { "value": "2024-01-02T03:04:05Z" }, "name": "M",
        "cloud": false, "type": "SPEED", "usage": "CODE_TITLE" })
}

/// Calls that give the first two assets something in common, and the first one something of its own.
async fn enrich(client: &Client) {
    let list = client.call(ASSETS).await.expect("assets").into_tree();
    let assets: Vec<Value> = list["iterable"].as_array().expect("assets").clone();
    let [first, second] = [0, 1].map(|index| assets[index]["id"].as_str().expect("an id").to_owned());
    let application = assets[0]["original"]["reference"]["application"].clone();
    let both = json!({ "iterable": [{ "id": first }, { "id": second }] });
    let summary = json!({ "name": "Morning", "model": model(), "assets": both,
        "annotations": [{ "type": "SUMMARY", "text": "What was done" }] });
    client
        .call(op::WorkstreamSummariesCreateNewWorkstreamSummary { transferables: None, summary: Some(record(summary)) })
        .await
        .expect("a summary");
    let message = |role, text| json!({ "role": role, "fragment": { "string": { "raw": text } } });
    let conversation = json!({ "type": "COPILOT", "name": "About it", "assets": both, "favorited": true,
        "messages": [message("USER", "Why?"), message("ASSISTANT", "Because.")],
        "annotations": [{ "type": "DESCRIPTION", "text": "A talk" }] });
    let conversation = Some(record(conversation));
    client
        .call(op::ConversationsCreateSpecificConversation { transferables: None, conversation })
        .await
        .expect("a conversation");
    let person = json!({ "type": { "basic": { "name": "Ada", "email": "ada@example.org" } }, "asset": first,
        "access": { "scoped": "OWNER" } });
    client
        .call(op::PersonsCreateNewPerson { transferables: None, person: Some(record(person)) })
        .await
        .expect("a person");
    let found = json!({ "text": "found by itself", "asset": first, "mechanism": "AUTOMATIC" });
    client.call(op::TagsCreateNewTag { transferables: None, tag: Some(record(found)) }).await.expect("a tag");
    let found = json!({ "url": "https://found.example", "name": "", "asset": first, "mechanism": "RECOMMENDED" });
    let website = Some(record(found));
    client.call(op::WebsitesCreateNewWebsite { transferables: None, website }).await.expect("a website");
    let hint = json!({ "type": "SUGGESTED_QUERY", "text": "What does it do?", "asset": first });
    client.call(op::HintsCreateNewHint { hint: Some(record(hint)) }).await.expect("a hint");
    let anchor = json!({ "type": "FILE", "fullpath": "/home/me/main.rs", "asset": first, "name": "main" });
    client
        .call(op::AnchorsCreateNewAnchor { transferables: None, anchor: Some(record(anchor)) })
        .await
        .expect("an anchor");
    let asset: lunette_client::model::id::AssetId = first.parse().expect("an id");
    for _ in 0..3 {
        let increment = Some(record(json!({ "asset": { "reuse": true } })));
        client.call(op::AssetScoresIncrement { asset: asset.clone(), increment }).await.expect("incremented");
    }
    let event = json!({ "asset": { "asset": { "id": first },
        "identifier_description_pair": { "asset_referenced": "an asset was referenced." } } });
    let activity = json!({ "event": event, "application": application, "asset": { "id": first } });
    let _ =
        client.call(op::ActivitiesCreateNewActivity { transferables: None, activity: Some(record(activity)) }).await;
}

/// Calls that count something of a tag, a website, a summary and a conversation of the first asset.
async fn count_items(client: &Client) {
    let list = client.call(ASSETS).await.expect("assets").into_tree();
    let id = |field: &str| entries(&list["iterable"][0][field])[0]["id"].as_str().expect("an id").to_owned();
    let increment = |kind: &str, counter: &str| Some(record(json!({ kind: { counter: true } })));
    let tag = id("tags").parse().expect("an id");
    let call = op::TagScoresIncrement { tag, increment: increment("tag", "reuse") };
    client.call(call).await.expect("incremented");
    let website = id("websites").parse().expect("an id");
    let call = op::WebsiteScoresIncrement { website, increment: increment("website", "reference") };
    client.call(call).await.expect("incremented");
    let summary = id("summaries").parse().expect("an id");
    let increment_summary = increment("workstream_summary", "priority");
    let call = op::WorkstreamSummaryScoresIncrement { workstream_summary: summary, increment: increment_summary };
    client.call(call).await.expect("incremented");
    let conversation = id("conversations").parse().expect("an id");
    let call = op::ConversationScoresIncrement { conversation, increment: increment("conversation", "searched") };
    client.call(call).await.expect("incremented");
}

fn entries(list: &Value) -> Vec<&Value> {
    let list = list["iterable"].as_array().into_iter().flatten();
    list.map(|entry| entry.get("reference").unwrap_or(entry)).collect()
}

fn sorted(mut all: Vec<String>) -> Vec<String> {
    all.sort();
    all
}

/// What hangs on each asset of an archive, by its name and without ids.
fn history(archive: &Path) -> BTreeMap<String, Value> {
    let of = |candidate: lunette_sources::Candidate| {
        let archived = candidate.native.expect("an archive").archived;
        let archived: Value = serde_json::from_str(&archived).expect("JSON");
        let record = &archived["record"];
        let id = record["id"].as_str().expect("an id");
        let names = |field: &str, read: &dyn Fn(&Value) -> Value| -> Vec<String> {
            sorted(entries(&record[field]).into_iter().map(|entry| read(entry).to_string()).collect())
        };
        let texts = |entry: &Value| -> Vec<Value> {
            entries(&entry["annotations"]).iter().map(|text| json!([text["type"], text["text"]])).collect()
        };
        let conversations = archived["conversations"].as_array().expect("conversations");
        let conversation = |one: &Value| {
            let messages = entries(&one["messages"]);
            let messages: Vec<Value> =
                messages.iter().map(|text| json!([text["role"], text["fragment"]["string"]["raw"]])).collect();
            json!([one["id"], one["name"], one["favorited"], messages, texts(one), one["score"]])
        };
        let activity = |one: &Value| {
            let event = one["event"].to_string().replace(id, "ASSET");
            json!([event, one["created"]["value"], one["rank"], one["mechanism"]])
        };
        let activities = archived["activities"].as_array().expect("activities");
        let history = json!({
            "summaries": names("summaries", &|one| json!([one["id"], one["name"], one["model"], texts(one), one["score"]])),
            "persons": names("persons", &|one| json!([one["id"], one["type"], one["mechanisms"][id], one["access"][id]])),
            "hints": names("hints", &|one| json!([one["id"], one["type"], one["text"], one["mechanisms"][id]])),
            "anchors": names("anchors", &|one| {
                let points: Vec<&Value> = entries(&one["points"]).iter().map(|point| &point["fullpath"]).collect();
                json!([one["id"], one["type"], one["name"], points])
            }),
            "score": record["score"],
            "mechanism": record["mechanism"],
            "tags": names("tags", &|one| json!([one["text"], one["category"], one["score"], one["mechanisms"][id]])),
            "websites": names("websites", &|one| json!([one["url"], one["name"], one["score"], one["mechanisms"][id]])),
            "conversations": conversations.iter().map(conversation).collect::<Value>(),
            "activities": activities.iter().map(activity).collect::<Value>(),
        });
        (candidate.name, history)
    };
    candidates(archive).1.into_iter().map(of).collect()
}

#[test]
fn related_records_of_an_asset_are_restored_with_ids_scores_and_activities() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (first, second) = (Store::of(&some_assets()), Store::new());
    first.runtime.block_on(enrich(&first.client()));
    first.runtime.block_on(count_items(&first.client()));
    first.export(Format::Archive, &path("out")).expect("written");
    let before = history(&path("out"));
    let rich = before.values().filter(|one| one["hints"] != json!([])).collect::<Vec<_>>();
    let [rich] = rich.as_slice() else { panic!("one asset has all: {before:#?}") };
    for field in ["summaries", "persons", "hints", "anchors", "conversations", "activities"] {
        assert_ne!(rich[field], json!([]), "{field}");
    }
    assert_eq!(rich["score"]["reuse"], 3);
    let counted = rich.to_string();
    for counter in [r#""reuse\":1"#, r#""reference\":1"#, r#""priority\":1"#, r#""searched":1"#] {
        assert!(counted.contains(counter), "{counter}: {counted}");
    }
    for mechanism in ["AUTOMATIC", "RECOMMENDED"] {
        assert!(rich.to_string().contains(mechanism), "{mechanism}");
    }
    let (_, imported) = second.import(&path("out"));
    assert_eq!(imported.imported.len(), 4, "{imported:?}");
    second.export(Format::Archive, &path("back")).expect("written");
    let after = history(&path("back"));
    for (name, before) in &before {
        for (field, before) in before.as_object().expect("an object") {
            assert_eq!(&after[name][field], before, "{field} of {name}");
        }
    }
    assert_eq!(after.len(), before.len());
    // What two assets share is shared again.
    let count = |tree: Value| tree["iterable"].as_array().map_or(0, Vec::len);
    let client = second.client();
    let summaries = client.call(SUMMARIES);
    assert_eq!(count(second.runtime.block_on(summaries).expect("summaries").into_tree()), 1);
    let conversations = client.call(op::ConversationsSnapshot { transferables: None });
    assert_eq!(count(second.runtime.block_on(conversations).expect("conversations").into_tree()), 1);
}

#[test]
fn an_archive_is_imported_into_the_store_that_wrote_it_and_changes_nothing_that_exists() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.zip");
    let store = Store::of(&some_assets());
    store.runtime.block_on(enrich(&store.client()));
    store.runtime.block_on(count_items(&store.client()));
    store.export(Format::Archive, &out).expect("written");
    let client = store.client();
    store.runtime.block_on(count_items(&client));
    let list = store.runtime.block_on(client.call(ASSETS)).expect("assets").into_tree();
    for asset in list["iterable"].as_array().expect("assets") {
        let asset = asset["id"].as_str().expect("an id").parse().expect("an id");
        store.runtime.block_on(client.call(op::AssetsDeleteAsset { asset })).expect("deleted");
    }
    let (_, imported) = store.import(&out);
    assert_eq!(imported.imported.len(), 4, "{imported:?}");
    let summaries = store.runtime.block_on(client.call(SUMMARIES)).expect("summaries");
    let summaries = summaries.into_tree();
    assert_eq!(summaries["iterable"].as_array().map(Vec::len), Some(1));
    assert_eq!(entries(&summaries["iterable"][0]["assets"]).len(), 2, "{summaries}");
    // Counted once before the archive was written, and once after.
    let counts =
        [("summaries", "priority"), ("tags", "reuse"), ("websites", "reference"), ("conversations", "searched")];
    let list = store.runtime.block_on(client.call(ASSETS)).expect("assets").into_tree();
    let assets = list["iterable"].as_array().expect("assets");
    for (field, counter) in counts {
        let scores = assets.iter().flat_map(|asset| entries(&asset[field])).map(|entry| &entry["score"][counter]);
        assert_eq!(scores.filter_map(Value::as_i64).max(), Some(2), "{field}");
    }
}

/// An archive with one asset, whose record is changed after it was written.
fn archive_with(folder: &Path, change: impl FnOnce(&mut Value)) -> PathBuf {
    let out = folder.join("out");
    let store = Store::of(&some_assets()[..1]);
    store.export(Format::Archive, &out).expect("written");
    let path = out.join("records/main.rs.json");
    let mut record: Value = serde_json::from_slice(&fs::read(&path).expect("read")).expect("JSON");
    change(&mut record);
    fs::write(&path, record.to_string()).expect("written");
    out
}

#[test]
fn activities_that_are_too_large_are_left_out_with_a_warning_and_the_asset_is_imported() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = archive_with(folder.path(), |record| {
        record["activities"] = vec![record["activities"][0].clone(); 10_000].into();
        record["record"]["score"]["reuse"] = 5.into();
    });
    let store = Store::new();
    let (plan, imported) = store.import(&out);
    let warnings: Vec<_> = plan.items.iter().flat_map(|planned| &planned.item.warnings).map(|one| one.code).collect();
    assert!(warnings.contains(&"lunette.history"), "{warnings:?}");
    assert_eq!((imported.imported.len(), imported.rejected.len()), (1, 0), "{imported:?}");
    let list = store.runtime.block_on(store.client().call(ASSETS)).expect("assets").into_tree();
    assert_eq!(list["iterable"][0]["score"]["reuse"], 5);
}

#[test]
fn an_archive_without_activities_keeps_those_of_the_creation_and_their_score() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = archive_with(folder.path(), |record| record["activities"] = json!([]));
    let store = Store::new();
    store.import(&out);
    let list = store.runtime.block_on(store.client().call(ASSETS)).expect("assets").into_tree();
    // Two tags and a website.
    assert_eq!(list["iterable"][0]["score"]["manual"], 7);
}

#[test]
fn activities_that_cannot_be_read_are_reported_and_those_that_are_not_offered_are_not() {
    let store = Store::of(&some_assets()[..2]);
    let proxy = UnsupportedProxy::start(store.port());
    let folder = tempfile::tempdir().expect("a folder");
    for (status, reported) in [(500, 2), (404, 0)] {
        proxy.reject(<op::AssetSpecificAssetActivities as Operation>::INFO, status);
        let out = folder.path().join(status.to_string());
        let client = client_at(&proxy.url(), Limits::default());
        let report = store.export_through(client, Format::Archive, &out, CancelFlag::default()).expect("written");
        assert_eq!((report.exported, report.left_out.assets().len()), (2, reported), "{report:?}");
        let named = |one: &LeftOutAsset| one.failed && one.reason.starts_with("exported without its activities: ");
        assert!(report.left_out.assets().iter().all(named), "{report:?}");
        let record = fs::read(out.join("records/main.rs.json")).expect("read");
        let record: Value = serde_json::from_slice(&record).expect("JSON");
        assert!(record["activities"].is_null() && record["conversations"].is_array());
    }
}
