//! Searches: what is found, in which order, with which passages, and what is refused.

use lunette_client::client::Client;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::*;
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{ODD, create, record, refusal, tag, text_asset, text_seed, tree};

#[tokio::test]
async fn a_search_finds_names_tags_websites_descriptions_and_content_best_first() {
    let TestService { client, .. } = &TestService::start().await;
    text_asset(client, "content", "the Needle in a haystack").await;
    let mut seed = text_seed("described", "x");
    seed["asset"]["metadata"]["annotations"] = json!([{ "type": "DESCRIPTION", "text": "about needles" }]);
    create(client, seed).await.expect("an asset");
    let mut seed = text_seed("linked", "x");
    seed["asset"]["metadata"]["websites"] = json!([{ "url": "https://needle.example", "name": "n" }]);
    create(client, seed).await.expect("an asset");
    let mut seed = text_seed("tagged", "x");
    seed["asset"]["metadata"]["tags"] = json!([{ "text": "pine-needles" }]);
    create(client, seed).await.expect("an asset");
    text_asset(client, "NEEDLEWORK", "x").await;
    text_asset(client, "needle", "x").await;
    text_asset(client, "nothing", "x").await;
    let found = search(client, "needle").await;
    let matches: Vec<_> =
        found["iterable"].as_array().expect("a list").iter().map(|one| one["match"].clone()).collect();
    assert_eq!(matches, ["TITLE", "TITLE", "TAGS", "WEBSITES", "ANNOTATION", "CONTENT"]);
    assert_eq!((&found["exact"], &found["suggested"]), (&json!(1), &json!(5)));
    assert_eq!(found["iterable"][0]["exact"], true);
    assert!(found["iterable"][0].get("asset").is_none());
}

#[tokio::test]
async fn a_search_accepts_any_text_and_sees_changes() {
    let TestService { client, .. } = &TestService::start().await;
    for text in ODD {
        let id = text_asset(client, &format!("<{text}>"), "x").await;
        let found = search(client, text).await;
        let ids: Vec<_> =
            found["iterable"].as_array().expect("a list").iter().map(|one| one["identifier"].clone()).collect();
        assert!(ids.contains(&id.as_str().into()), "{text:?}: {found}");
        client.call(AssetsDeleteAsset { asset: id.clone() }).await.expect("deleted");
        let found = search(client, text).await;
        assert!(!found.to_string().contains(id.as_str()), "{text:?}: {found}");
    }
    let id = text_asset(client, "old", "x").await;
    let mut body = tree(client, &id).await;
    body["name"] = "ÜBER new".into();
    client.call(AssetUpdate { transferables: None, asset: Some(record(body)) }).await.expect("renamed");
    assert_eq!(search(client, "über").await["iterable"][0]["identifier"], id.as_str());
    assert_eq!(search(client, "old").await["iterable"], json!([]));
}

#[tokio::test]
async fn a_search_for_several_words_needs_all_of_them_in_the_content() {
    let TestService { client, .. } = &TestService::start().await;
    let both = text_asset(client, "1", "fn parse_header(line: &str)").await;
    text_asset(client, "2", "fn parse_body(line: &str)").await;
    let found = search_with(client, "line parse_head", Some(true)).await;
    assert_eq!(ids(&found), [both.to_string()]);
    assert_eq!(found.get("steps"), None);
}

#[tokio::test]
async fn a_search_that_finds_few_goes_on_and_says_how() {
    let TestService { client, .. } = &TestService::start().await;
    let both = text_asset(client, "1", "fn parse_header(line: &str)").await;
    let one = text_asset(client, "2", "fn parse_body(line: &str)").await;
    let found = search(client, "the line parse_head").await;
    assert_eq!(ids(&found), [both.to_string(), one.to_string()]);
    assert_eq!((&found["exact"], &found["suggested"]), (&json!(0), &json!(2)));
    let found_by = |index: usize| &found["iterable"][index]["found_by"];
    assert_eq!(*found_by(0), json!({ "step": "ANY_WORD", "missing": [] }), "{found}");
    assert_eq!(*found_by(1), json!({ "step": "ANY_WORD", "missing": ["parse_head"] }), "{found}");
    assert_eq!(found["steps"], json!({ "words": ["line", "parse_head"], "ignored": ["the"], "replaced": [] }));
    let misspelt = search(client, "haeder absent").await;
    assert_eq!(ids(&misspelt), [both.to_string()]);
    let missing = json!({ "step": "SPELLING", "missing": ["absent"] });
    assert_eq!((&misspelt["iterable"][0]["found_by"], &misspelt["iterable"][0]["exact"]), (&missing, &json!(false)));
    assert_eq!(misspelt["steps"]["replaced"], json!([{ "word": "haeder", "by": ["header"] }]));
    for quoted in ["\"haeder\"", "\"line absent\""] {
        assert_eq!(ids(&search(client, quoted).await), [""; 0], "{quoted}");
    }
    assert_eq!(ids(&search(client, "\"parse_header\"").await), [both.to_string()]);
    let call = FullTextSearch { query: "haeder".to_owned(), pseudo: None, exact: None };
    assert_eq!(ids(&client.call(call).await.expect("found").into_tree()), [both.to_string()]);
}

#[tokio::test]
async fn a_search_with_transferables_returns_the_records() {
    let TestService { client, .. } = &TestService::start().await;
    let id = text_asset(client, "needle", "x").await;
    let call = SearchAssets {
        query: Some("needle".to_owned()),
        transferables: None,
        searchable_tags: None,
        pseudo: None,
        exact: None,
    };
    let found = client.call(call).await.expect("found").into_tree();
    assert_eq!(found["iterable"][0]["asset"], tree(client, &id).await);
}

#[tokio::test]
async fn an_empty_search_returns_400() {
    let service = TestService::start().await;
    for target in ["/assets/search", "/assets/search?query=", "/assets/search?query=%20"] {
        assert_eq!(service.send("GET", target, None).await.status, 400, "{target}");
    }
}

#[tokio::test]
async fn a_hit_names_its_field_and_highlights_and_is_ordered_by_rank() {
    let TestService { client, .. } = &TestService::start().await;
    text_asset(client, "held", "first line\nsecond über needle\n").await;
    let mut seed = text_seed("said", "x");
    seed["asset"]["metadata"]["annotations"] = json!([{ "type": "DESCRIPTION", "text": "of the Über-needle" }]);
    create(client, seed).await.expect("an asset");
    text_asset(client, "A Needle, über", "x").await;
    let found = search(client, "needle uber").await;
    let hits = found["iterable"].as_array().expect("hits");
    let marks: Vec<&Value> = hits.iter().map(|hit| &hit["highlights"]).collect();
    let expected = [
        json!([{ "field": "name", "text": "A Needle, über", "ranges": [[2, 8], [10, 14]] }]),
        json!([{ "field": "description", "text": "of the Über-needle", "ranges": [[7, 11], [12, 18]] }]),
        json!([{ "field": "content", "text": "second über needle", "ranges": [[7, 11], [12, 18]] }]),
    ];
    assert_eq!(marks, expected.iter().collect::<Vec<_>>());
    let scores: Vec<f64> = hits.iter().filter_map(|hit| hit["score"].as_f64()).collect();
    assert!(scores.len() == 3 && scores.is_sorted_by(|one, next| one > next), "{scores:?}");
}

#[tokio::test]
async fn a_search_query_has_no_syntax_and_a_huge_one_is_refused() {
    let service = TestService::start().await;
    text_asset(&service.client, "a \"b\" (c) NEAR -d col:e f*", "x").await;
    for query in ["\"b\"", "(c)", "near", "-d", "col:e", "f*", "\"", "*", "^", "{", "a AND"] {
        let count = search(&service.client, query).await["iterable"].as_array().map(Vec::len);
        let expected = usize::from(!["^", "{", "a AND"].contains(&query));
        assert_eq!(count, Some(expected), "{query:?}");
    }
    let answer =
        service.send("POST", "/assets/search", Some(&json!({ "query": "x".repeat(1_000_000) }).to_string())).await;
    assert_eq!(answer.status, 400, "{}", answer.text());
    assert!(answer.text().contains("2000 characters"), "{}", answer.text());
}

#[tokio::test]
async fn searchable_tags_need_all_tags_with_or_without_words() {
    let TestService { client, .. } = &TestService::start().await;
    let (red, blue) = (tag(client, "Red").await, tag(client, "blue").await);
    let both = text_asset(client, "both", "x").await;
    let one = text_asset(client, "one", "x").await;
    for (asset, tag) in [(&both, &red), (&both, &blue), (&one, &red)] {
        client.call(AssetAssociateTag { asset: asset.clone(), tag: tag.clone() }).await.expect("linked");
    }
    let with = async |query: Option<&str>, tags: &str| {
        let call = SearchAssets {
            query: query.map(str::to_owned),
            transferables: Some(false),
            searchable_tags: Some(tags.to_owned()),
            pseudo: None,
            exact: None,
        };
        ids(&client.call(call).await.expect("found").into_tree())
    };
    assert_eq!(with(None, "red").await.len(), 2);
    assert_eq!(with(None, &format!("red, {blue}")).await, [both.to_string()]);
    assert_eq!(with(Some("one"), "red").await, [one.to_string()]);
    assert_eq!(with(Some("one"), "red,blue").await, [""; 0]);
}

#[tokio::test]
async fn a_search_by_tags_ranks_by_the_number_of_matching_tags() {
    let TestService { client, .. } = &TestService::start().await;
    let (red, blue) = (tag(client, "Red").await, tag(client, "blue").await);
    let both = text_asset(client, "both", "x").await;
    let one = text_asset(client, "one", "x").await;
    for (asset, tag) in [(&both, &red), (&both, &blue), (&one, &red)] {
        client.call(AssetAssociateTag { asset: asset.clone(), tag: tag.clone() }).await.expect("linked");
    }
    let body = json!({ "iterable": [{ "text": "red" }, { "text": "BLUE" }] });
    let found =
        client.call(TagBasedSearch { pseudo: None, tags: Some(record(body)) }).await.expect("found").into_tree();
    assert_eq!(ids(&found), [both.to_string(), one.to_string()]);
    assert_eq!(
        (&found["exact"], &found["suggested"], &found["iterable"][0]["match"]),
        (&json!(1), &json!(1), &json!("TAGS"))
    );
    let empty = TagBasedSearch { pseudo: None, tags: Some(record(json!({ "iterable": [] }))) };
    assert_eq!(refusal(client.call(empty).await).0, 400);
}

#[tokio::test]
async fn full_text_search_finds_the_same_assets_without_records() {
    let TestService { client, .. } = &TestService::start().await;
    let id = text_asset(client, "a needle", "x").await;
    let call = FullTextSearch { query: "needle".to_owned(), pseudo: None, exact: None };
    let found = client.call(call).await.expect("found").into_tree();
    assert_eq!(ids(&found), [id.to_string()]);
    assert!(found["iterable"][0].get("asset").is_none());
    assert_eq!(refusal(client.call(FullTextSearch { query: String::new(), pseudo: None, exact: None }).await).0, 400);
}

#[tokio::test]
async fn pseudo_assets_are_found_only_on_request() {
    let TestService { client, .. } = &TestService::start().await;
    let mut seed = text_seed("a needle", "x");
    seed["asset"]["pseudo"] = true.into();
    create(client, seed).await.expect("an asset");
    for (pseudo, count) in [(None, 0), (Some(false), 0), (Some(true), 1)] {
        let call = FullTextSearch { query: "needle".to_owned(), pseudo, exact: None };
        let found = client.call(call).await.expect("found").into_tree();
        assert_eq!(ids(&found).len(), count, "{pseudo:?}");
    }
}

#[tokio::test]
async fn filters_return_the_matching_assets() {
    let TestService { client, .. } = &TestService::start().await;
    let rust = text_asset(client, "needle.rs", "fn main() {}").await;
    let text = text_asset(client, "Needle.txt", "some words").await;
    client.call(AssetAssociateTag { asset: rust.clone(), tag: tag(client, "red").await }).await.expect("linked");
    let only_rust = || vec![rust.to_string()];
    let only_text = || vec![text.to_string()];
    let past = json!({ "value": "2001-01-01T00:00:00Z" });
    for (case, expected) in [
        (json!({ "filters": { "iterable": [{ "classification": "rs" }] } }), only_rust()),
        (json!({ "query": "needle", "filters": { "iterable": [{ "tags": ["RED"] }] } }), only_rust()),
        (json!({ "query": "needle", "casing": true }), only_rust()),
        (json!({ "filters": { "iterable": [{ "phrase": { "value": "wor", "content": true } }] } }), only_text()),
        (json!({ "filters": { "iterable": [{ "phrase": { "value": "LE.TX", "title": true } }] } }), only_text()),
        (json!({ "query": "needle", "filters": { "iterable": [{ "created": { "to": past } }] } }), vec![]),
        (
            json!({ "query": "needle", "space": { "identifers": { "iterable": [{ "id": text.as_str() }] } } }),
            only_text(),
        ),
        (json!({ "filters": { "iterable": [{ "tags": ["red"] }, { "classification": "txt" }] } }), vec![]),
        // A filter that says nothing is none.
        (json!({ "filters": { "iterable": [{ "tags": ["red"], "operations": {} }, {}] } }), only_rust()),
        (json!({ "query": "needle", "filters": {} }), vec![text.to_string(), rust.to_string()]),
        (json!({ "filters": {} }), vec![text.to_string(), rust.to_string()]),
        (json!({ "query": null, "filters": { "iterable": [] } }), vec![text.to_string(), rust.to_string()]),
        (
            json!({ "filters": { "type": "OR", "iterable": [{ "tags": ["red"], "classification": "txt" }, { "tags": ["red"] }] } }),
            only_rust(),
        ),
        (
            json!({ "filters": { "iterable": [{ "classification": "txt", "operations": { "type": "OR", "iterable": [{ "tags": ["red"] }] },
            "updated": { "from": past } }] } }),
            vec![text.to_string(), rust.to_string()],
        ),
    ] {
        let call = AssetsSearchWithFilters {
            transferables: Some(false),
            pseudo: None,
            exact: None,
            search: Some(record(case.clone())),
        };
        let found = client.call(call).await.expect("found").into_tree();
        let (mut found, mut expected) = (ids(&found["results"]), expected);
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{case}");
    }
}

#[tokio::test]
async fn an_unknown_filter_is_refused_with_a_reason() {
    let TestService { client, .. } = &TestService::start().await;
    for (filters, word) in [
        (json!({ "iterable": [{ "persons": ["p"] }] }), "persons"),
        (json!({ "iterable": [{ "interacted": { "from": { "value": "2001-01-01T00:00:00Z" } } }] }), "interacted"),
        (json!({ "iterable": [{ "phrase": {} }] }), "value"),
        (json!({ "iterable": [{ "created": {} }] }), "from"),
        (json!({ "iterable": [{ "created": { "from": { "value": "yesterday" } } }] }), "time"),
        (json!({ "iterable": [{ "tags": "red" }] }), "list"),
        (json!({ "iterable": [1] }), "object"),
        (json!({ "iterable": [], "type": "XOR" }), "AND"),
        (json!({ "iterable": {} }), "iterable"),
    ] {
        let body = record(json!({ "query": "x", "filters": filters }));
        let call = AssetsSearchWithFilters { transferables: None, pseudo: None, exact: None, search: Some(body) };
        let (status, sentence) = refusal(client.call(call).await);
        assert!(status == 400 && sentence.contains(word), "{filters}: {status} {sentence}");
    }
    let nested = (0..300).fold(json!({ "iterable": [] }), |inner, _| json!({ "iterable": [{ "operations": inner }] }));
    let body = record(json!({ "query": "x", "filters": nested }));
    let call = AssetsSearchWithFilters { transferables: None, pseudo: None, exact: None, search: Some(body) };
    assert_eq!(refusal(client.call(call).await).0, 400);
    for body in [json!({}), json!({ "query": " ", "filters": null }), json!({ "space": null })] {
        let call =
            AssetsSearchWithFilters { transferables: None, pseudo: None, exact: None, search: Some(record(body)) };
        assert_eq!(refusal(client.call(call).await).0, 400);
    }
}

fn ids(found: &Value) -> Vec<String> {
    let hits = found["iterable"].as_array().expect("hits");
    hits.iter().filter_map(|hit| hit["identifier"].as_str().map(str::to_owned)).collect()
}

async fn search(client: &Client, query: &str) -> Value {
    search_with(client, query, None).await
}

async fn search_with(client: &Client, query: &str, exact: Option<bool>) -> Value {
    let call = SearchAssets {
        query: Some(query.to_owned()),
        transferables: Some(false),
        searchable_tags: None,
        pseudo: None,
        exact,
    };
    client.call(call).await.expect("a search").into_tree()
}

#[tokio::test]
async fn a_semantic_search_finds_what_full_text_search_finds_with_half_the_certainty() {
    let service = TestService::start().await;
    for name in ["needle in a name", "another needle"] {
        crate::support::assets::text_asset(&service.client, name, "hay").await;
    }
    let search = async |path: &str| {
        let answer = service.send("GET", &format!("{path}?query=needle"), None).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let hits = answer.json()["iterable"].as_array().expect("hits").clone();
        hits.iter().map(|hit| (hit["identifier"].clone(), hit["score"].as_f64())).collect::<Vec<_>>()
    };
    let (by_words, by_meaning) = (search("/search/full_text").await, search("/search/neural_code").await);
    assert_eq!(by_words.len(), 2);
    let halved: Vec<_> = by_words.into_iter().map(|(id, score)| (id, score.map(|score| score / 2.0))).collect();
    assert_eq!(by_meaning, halved);
    assert_eq!(service.send("GET", "/search/neural_code", None).await.status, 400);
}
