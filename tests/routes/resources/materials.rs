//! The requests with which the export tool of this family (`pieces-app/export-tool`) reads a service, replayed: counts, ids,
//! batches, and what it looks up beside them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::resources::conversations::{get, post};
use crate::support::TestService;
use crate::support::assets::text_seed;

/// The kinds of records of the tool: the word, the collection, the path of one record, the path of a batch and its field;
/// empty where the tool has none.
const KINDS: &[(&str, &str, &str, &str, &str)] = &[
    (
        "WORKSTREAM_SUMMARIES",
        "/workstream_summaries",
        "/workstream_summary/",
        "/workstream_summaries/batch",
        "workstreamSummaries",
    ),
    ("WORKSTREAM_EVENTS", "", "", "/workstream_events/batch/fetch", "workstreamEvents"),
    ("TAGS", "/tags", "/tag/", "/tags/batch/fetch", "tags"),
    ("ANNOTATIONS", "/annotations", "/annotation/", "/annotations/batch/fetch", "annotations"),
    ("PERSONS", "/persons", "/person/", "/persons/batch/fetch", "persons"),
    ("CONVERSATIONS", "/conversations", "/conversation/", "/conversations/batch/fetch", "conversations"),
    ("CONVERSATION_MESSAGES", "/messages", "/message/", "/messages/batch/fetch", "conversationMessages"),
    ("ASSETS", "/assets", "/asset/", "/assets/batch/fetch", "assets"),
    ("FORMATS", "/formats", "/format/", "/formats/batch/fetch", "formats"),
    ("ANCHORS", "/anchors", "/anchor/", "/anchors/batch/fetch", "anchors"),
    ("ANCHOR_POINTS", "", "", "/anchor_points/batch/fetch", "anchorPoints"),
    ("WEBSITES", "/websites", "/website/", "/websites/batch/fetch", "websites"),
    ("RANGES", "", "", "/ranges/batch/fetch", "ranges"),
    ("HINTS", "/hints", "/hint/", "/hints/batch/fetch", "hints"),
    ("WORKSTREAM_PATTERN_ENGINE_SOURCES", "", "", "", ""),
    ("WORKSTREAM_PATTERN_ENGINE_SOURCE_WINDOWS", "", "", "", ""),
    ("PIPELINES", "", "", "/pipelines/batch/fetch", "pipelines"),
    ("SCHEDULES", "", "", "/schedules/batch/fetch", "schedules"),
    ("SIGNALS", "", "", "/signals/batch/fetch", "signals"),
    ("FINGERPRINTS", "", "", "/fingerprints/batch/fetch", "fingerprints"),
    ("ACTIVITIES", "/activities", "/activity/", "/activities/batch/fetch", "activities"),
    ("APPLICATIONS", "/applications", "/applications/", "", ""),
    ("DISTRIBUTIONS", "", "", "/distributions/batch/fetch", "distributions"),
    ("ENTITIES", "", "", "/entities/batch/fetch", "entities"),
    ("MODELS", "", "", "/models/batch/fetch", "models"),
    ("RELATIONSHIPS", "", "", "", ""),
    ("SENSITIVES", "", "", "/sensitives/batch/fetch", "sensitives"),
    ("SHARES", "", "", "/shares/batch/fetch", "shares"),
    ("SUBSCRIPTIONS", "", "", "/subscriptions/batch/fetch", "subscriptions"),
    ("USERS", "/users", "", "/users/batch/fetch", "users"),
    ("ALLOCATIONS", "", "", "", ""),
    ("INTERNAL_SUMMARY_REPORTS", "", "", "", ""),
];

/// A service with some of every kind.
async fn planted() -> TestService {
    let service = TestService::start().await;
    for name in ["moon.rs", "tide.rs"] {
        let mut seed = text_seed(name, &format!("fn {}() {{}}\n", name.replace('.', "_")));
        seed["asset"]["metadata"]["tags"] = json!([{ "text": "sky" }, { "text": name }]);
        seed["asset"]["metadata"]["websites"] = json!([{ "url": format!("https://{name}.test"), "name": name }]);
        seed["asset"]["metadata"]["annotations"] = json!([{ "type": "DESCRIPTION", "text": "about it" }]);
        let asset = post(&service, "/assets/create", &seed).await["id"].clone();
        post(&service, "/persons/create", &json!({ "asset": asset, "type": { "basic": { "name": "Ada" } } })).await;
        post(&service, "/anchors/create", &json!({ "asset": asset, "type": "FILE", "fullpath": "/x" })).await;
        post(&service, "/hints/create", &json!({ "asset": asset, "type": "SUGGESTED_QUERY", "text": "why?" })).await;
    }
    let mut hidden = text_seed("pseudo.rs", "fn hidden() {}\n");
    hidden["asset"]["pseudo"] = json!(true);
    post(&service, "/assets/create", &hidden).await;
    let talk = json!({ "type": "COPILOT", "name": "talk",
        "messages": [{ "role": "USER", "fragment": { "string": { "raw": "hello" } } }] });
    post(&service, "/conversations/create", &talk).await;
    let summary: Value =
        serde_json::from_str(include_str!("../../examples/SeededWorkstreamSummary.json")).expect("JSON");
    post(&service, "/workstream_summaries/create", &summary).await;
    service
}

async fn ids_of(service: &TestService, body: Value) -> Vec<String> {
    let found = post(service, "/materials/identifiers", &body).await;
    let ids = found["identifiers"].as_array().expect("the tool refuses a response without identifiers");
    ids.iter().map(|id| id.as_str().expect("an id").to_owned()).collect()
}

async fn count(service: &TestService, body: Value) -> usize {
    let found = post(service, "/materials/metrics", &body).await;
    usize::try_from(found["total_count"].as_u64().expect("a count")).expect("few")
}

#[tokio::test]
async fn the_export_tool_reads_every_record_of_every_kind() {
    let service = planted().await;
    let mut empty = 0;
    for (word, collection, one, batch, field) in KINDS {
        let ids = ids_of(&service, json!({ "material_type": word })).await;
        assert_eq!(count(&service, json!({ "material_type": word })).await, ids.len(), "{word}");
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{word}");
        let sample = ids_of(&service, json!({ "material_type": word, "limit": 1 })).await;
        assert_eq!(sample, ids.iter().take(1).cloned().collect::<Vec<_>>(), "{word}");
        assert_eq!(ids.is_empty(), collection.is_empty(), "{word}");
        empty += usize::from(ids.is_empty());
        if !collection.is_empty() {
            let listed = get(&service, collection).await;
            let listed = listed["iterable"].as_array().expect("a list").iter().map(|record| record["id"].as_str());
            let missing: Vec<_> = listed.flatten().filter(|id| !ids.iter().any(|known| known == id)).collect();
            assert!(missing.is_empty(), "{word}: {missing:?}");
        }
        if !batch.is_empty() {
            let wanted: Vec<Value> =
                ids.iter().map(String::as_str).chain(["unknown"]).map(|id| json!({ "id": id })).collect();
            let target = format!("{batch}?transferables=true");
            let found = post(&service, &target, &json!({ *field: { "iterable": wanted } })).await;
            let records = found[*field]["iterable"].as_array().unwrap_or_else(|| panic!("{word}: {found}"));
            let read: Vec<&str> = records.iter().filter_map(|record| record["id"].as_str()).collect();
            assert_eq!(
                (read, &found["notFound"]),
                (ids.iter().map(String::as_str).collect(), &json!(["unknown"])),
                "{word}"
            );
            for record in records.iter().filter(|_| !one.is_empty()) {
                let id = record["id"].as_str().expect("an id");
                assert_eq!(*record, get(&service, &format!("{one}{id}?transferables=true")).await, "{word}");
            }
        }
        for id in ids.iter().filter(|_| !one.is_empty()) {
            assert_eq!(get(&service, &format!("{one}{id}")).await["id"], id.as_str(), "{word}");
        }
    }
    assert_eq!(empty, 18, "kinds of which there are no records");
    // An asset that lists leave out is there too.
    assert_eq!(count(&service, json!({ "material_type": "ASSETS" })).await, 3);
}

#[tokio::test]
async fn the_export_tool_finds_its_user_and_the_lists_that_it_reads_whole() {
    let service = planted().await;
    let user = get(&service, "/user").await["user"]["id"].clone();
    assert_eq!(ids_of(&service, json!({ "material_type": "USERS" })).await, [user.as_str().expect("an id")]);
    for list in [
        "/connectors?transferables=true",
        "/workstream_pattern_engine_observers?transferables=true",
        "/workstream_summaries/parent/identifiers?transferables=false",
        "/workstream_summaries/child/identifiers?transferables=false",
    ] {
        assert_eq!(get(&service, list).await, json!({ "iterable": [] }), "{list}");
    }
}

#[tokio::test]
async fn windows_of_time_hold_each_record_in_one_of_their_halves() {
    let service = planted().await;
    for (word, collection, ..) in
        KINDS.iter().filter(|(word, collection, ..)| !collection.is_empty() && *word != "USERS")
    {
        let all = ids_of(&service, json!({ "material_type": word })).await;
        let (long_ago, soon) = ("2001-01-01T00:00:00Z", "2199-01-01T00:00:00Z");
        // As the tool writes an end, and as others do.
        for (from, to) in [
            (json!({ "value": long_ago }), json!({ "value": soon })),
            (json!(long_ago), json!(soon)),
            (Value::Null, json!({ "value": soon })),
        ] {
            let within = json!({ "from": from, "to": to });
            assert_eq!(ids_of(&service, json!({ "material_type": word, "created": within })).await, all, "{word}");
            assert_eq!(ids_of(&service, json!({ "material_type": word, "updated": within })).await, all, "{word}");
            let filters = json!({ "created": within });
            assert_eq!(
                count(&service, json!({ "material_type": word, "filters": filters })).await,
                all.len(),
                "{word}"
            );
        }
        // Applications have no times.
        let expected = if *collection == "/applications" { all.len() } else { 0 };
        let after = json!({ "created": { "from": { "value": soon } } });
        assert_eq!(count(&service, json!({ "material_type": word, "filters": after })).await, expected, "{word}");
        let before = json!({ "material_type": word, "updated": { "to": { "value": long_ago } } });
        assert_eq!(ids_of(&service, before).await.len(), expected, "{word}");
    }
}

#[tokio::test]
async fn what_is_no_kind_no_time_or_too_much_is_refused_by_name() {
    let service = TestService::start().await;
    let many: Vec<Value> = (0..1_001).map(|number| json!({ "id": number.to_string() })).collect();
    for (target, body, status, says) in [
        ("/materials/metrics", json!({ "material_type": "FROGS" }), 400, "FROGS"),
        ("/materials/metrics", json!({}), 400, "material_type"),
        ("/materials/metrics", json!({ "material_type": "ASSETS", "filters": [null] }), 400, "filters"),
        (
            "/materials/identifiers",
            json!({ "material_type": "TAGS", "created": { "from": "soon" } }),
            400,
            "created.from",
        ),
        (
            "/materials/metrics",
            json!({ "material_type": "TAGS", "filters": { "updated": { "to": 1 } } }),
            400,
            "updated.to",
        ),
        (
            "/materials/metrics",
            json!({ "material_type": "TAGS", "filters": { "updated": [null, null] } }),
            400,
            "`updated` must be an object",
        ),
        (
            "/materials/identifiers",
            json!({ "material_type": "TAGS", "created": "x" }),
            400,
            "`created` must be an object",
        ),
        ("/frogs/batch/fetch", json!({}), 404, "frogs"),
        ("/TAGS/batch/fetch", json!({}), 404, "TAGS"),
        ("/tags/batch/fetch", json!({ "tags": { "iterable": many } }), 413, "1000"),
        ("/tags/batch/fetch", json!({ "tags": { "iterable": [1] } }), 400, "iterable[0]"),
    ] {
        let answer = service.send("POST", target, Some(&body.to_string())).await;
        assert!(answer.status == status && answer.text().contains(says), "{target} {body:.80}: {answer:?}");
    }
    for target in ["/materials/metrics", "/materials/identifiers", "/tags/batch/fetch", "/workstream_summaries/batch"] {
        assert_eq!(service.send("POST", target, None).await.status, 400, "{target}");
    }
    let nothing = service.send("POST", "/tags/batch/fetch", Some("{}")).await;
    assert_eq!(nothing.json(), json!({ "tags": { "iterable": [], "indices": {} }, "notFound": [] }));
}
