//! Searches of tags, websites and the like: engines, what they find, and what they refuse.

use lunette_client::model::record::Record as _;
use lunette_client::operation::table::*;
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{record, refusal, tag};

fn engines(query: &str) -> Value {
    json!({ "engines": { "iterable": [{ "query": query, "full_text": {} }] } })
}

async fn tags(client: &lunette_client::client::Client, search: Value) -> Vec<(String, bool)> {
    let call = SearchTags { transferables: None, search: Some(record(search)) };
    let found = client.call(call).await.expect("a search").into_tree();
    let hits = found["iterable"].as_array().expect("hits").iter();
    hits.map(|hit| (hit["tag"]["text"].as_str().unwrap_or_default().to_owned(), hit["exact"] == true)).collect()
}

#[tokio::test]
async fn tags_are_searched_by_their_words_with_the_most_similar_first() {
    let TestService { client, .. } = &TestService::start().await;
    for text in ["a red rose", "Red", "redder", "blue"] {
        tag(client, text).await;
    }
    let message = |found: Vec<(String, bool)>| found.into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    let found = tags(client, engines("RED")).await;
    assert_eq!(found[0], ("Red".to_owned(), true));
    assert_eq!(message(found), ["Red", "redder", "a red rose"]);
    let exact = json!({ "engines": { "iterable": [{ "query": "red", "full_text": { "exact": true } }] } });
    assert_eq!(message(tags(client, exact).await), ["Red"]);
    let alike = json!({ "engines": { "iterable": [{ "query": "red", "full_text": { "similarity": 0.7 } }] } });
    assert_eq!(message(tags(client, alike).await), ["Red", "redder"]);
    let all = json!({ "engines": { "iterable": [{ "query": "red" }, { "query": "rose" }] } });
    assert_eq!(message(tags(client, all).await), ["a red rose"]);
    let any = json!({ "engines": { "type": "OR", "iterable": [{ "query": "rose" }, { "query": "blue" }] } });
    assert_eq!(message(tags(client, any).await), ["blue", "a red rose"]);
    let nested = json!({ "engines": { "iterable": [{ "query": "rose",
        "operations": { "type": "OR", "iterable": [{ "query": "blue" }] } }] } });
    assert_eq!(message(tags(client, nested).await).len(), 2);
}

#[tokio::test]
async fn websites_and_summaries_are_found_with_their_records() {
    let TestService { client, .. } = &TestService::start().await;
    let site = record(json!({ "url": "https://needle.example/a", "name": "A site" }));
    client.call(WebsitesCreateNewWebsite { transferables: None, website: Some(site) }).await.expect("a website");
    let call = SearchWebsites { transferables: None, search: Some(record(engines("needle.ex"))) };
    let found = client.call(call).await.expect("found").into_tree();
    assert_eq!(found["iterable"][0]["website"]["name"], "A site");
    let model = json!({ "id": "m", "version": "1", "created": { "value": "2024-05-01T12:00:00Z" }, "name": "m",
        "cloud": false, "type": "SPEED", "usage": "CODE_TITLE" });
    let summary =
        json!({ "name": "Work", "model": model, "annotations": [{ "type": "SUMMARY", "text": "of needles" }] });
    let call = WorkstreamSummariesCreateNewWorkstreamSummary { transferables: None, summary: Some(record(summary)) };
    client.call(call).await.expect("a summary");
    for (transferables, name) in [(None, Some("Work")), (Some(false), None)] {
        let call = SearchWorkstreamSummaries { transferables, search: Some(record(engines("needle"))) };
        let found = client.call(call).await.expect("found").into_tree();
        assert_eq!(found["iterable"][0]["summary"]["name"].as_str(), name);
    }
}

#[tokio::test]
async fn unsupported_engine_operations_are_refused_with_a_reason() {
    let TestService { client, .. } = &TestService::start().await;
    for (engines, word) in [
        (json!({ "iterable": [{ "query": "x", "embeddings": {} }] }), "semantic"),
        (json!({ "iterable": [{ "temporal": {} }] }), "time"),
        (json!({ "iterable": [{ "workstream": {} }] }), "workstream"),
        (json!({ "iterable": [{ "full_text": {} }] }), "query"),
        (json!({ "iterable": [{}] }), "query"),
        (json!({ "iterable": [{ "query": " " }] }), "empty"),
        (json!({ "iterable": [{ "query": "x", "full_text": { "similarity": 7 } }] }), "0 to 1"),
        (json!({ "iterable": [{ "query": "x", "full_text": { "fuzzy": true } }] }), "fuzzy"),
        (json!({ "iterable": [] }), "at least one"),
        (json!({ "iterable": [{ "query": "x" }], "type": "NOT" }), "AND"),
        (json!({ "iterable": [{ "query": "x".repeat(3_000) }] }), "characters"),
    ] {
        let search = Some(record(json!({ "engines": engines })));
        let (status, sentence) = refusal(client.call(SearchTags { transferables: None, search }).await);
        assert!(status == 400 && sentence.contains(word), "{engines}: {status} {sentence}");
    }
    assert_eq!(refusal(client.call(SearchTags { transferables: None, search: None }).await).0, 400);
}
