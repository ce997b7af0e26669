//! A search that finds few assets goes on, says how, and keeps the exact hits first.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use rusqlite::Connection;

use super::questions::{filled, going_on};
use super::store;
use crate::store::interrupt::InterruptToken;
use crate::store::records::asset::{AssetChange, Counter};
use crate::store::records::item::ItemKind;
use crate::store::search::{Filter, Search, SearchMatches};
use crate::store::tests::assets::{add, new_tag};
use crate::store::{Store, backups};
use lunette_words::Step;

fn found(store: &Store, query: &str) -> SearchMatches {
    store.search(&going_on(query)).expect("a search")
}

/// The step by which an asset was found, and the words that are missing; exact hits have neither.
type By = Option<(Step, Vec<String>)>;

/// The names of what is found, and how it was found.
fn told(store: &Store, query: &str) -> Vec<(String, By)> {
    let name = |id: &str| store.asset(id, crate::store::records::asset::Transfer::Withheld).expect("one").asset.name;
    let hits = found(store, query).hits.into_iter();
    hits.map(|hit| (name(&hit.id).unwrap_or_default(), hit.found_by.map(|by| (by.step, by.missing)))).collect()
}

fn names(store: &Store, query: &str) -> Vec<String> {
    told(store, query).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn exact_hits_come_first_and_are_not_repeated() {
    let store = store();
    add(&store, "debounce input", "x");
    add(&store, "debounced", "input of a field");
    add(&store, "debounce", "x");
    let missing = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let expected = [
        ("debounce input".to_owned(), None),
        ("debounced".to_owned(), Some((Step::Any, missing(&[])))),
        ("debounce".to_owned(), Some((Step::Any, missing(&["input"])))),
    ];
    assert_eq!(told(&store, "debounce input"), expected);
}

#[test]
fn a_search_with_enough_exact_hits_or_of_exact_words_does_not_go_on() {
    let store = store();
    for number in 0..5 {
        add(&store, &format!("debounce {number}"), "x");
    }
    add(&store, "debuonce", "x");
    add(&store, "delay", "x");
    assert_eq!((found(&store, "debounce").hits.len(), found(&store, "debounce").steps), (5, None));
    let exact = store.search(&Search { goes_on: false, ..going_on("debounce 7") }).expect("a search");
    assert_eq!((exact.hits.len(), exact.steps), (0, None));
}

#[test]
fn each_step_says_what_it_did() {
    let store = store();
    add(&store, "getUserName", "x");
    add(&store, "queries", "x");
    add(&store, "prune", "x");
    add(&store, "in the content", "authentication");
    for (query, name, step) in [
        ("user missing", "getUserName", Step::Any),
        ("get-user-names", "getUserName", Step::Forms),
        ("querying", "queries", Step::Forms),
        ("qureies", "queries", Step::Spelling),
        ("aueries", "queries", Step::Spelling),
        ("delete", "prune", Step::Synonyms),
        ("enticat", "in the content", Step::Pieces),
    ] {
        let told = told(&store, query);
        let first = told.first().map(|(name, by)| (name.as_str(), by.as_ref().map(|(step, _)| *step)));
        assert_eq!(first, Some((name, Some(step))), "{query}: {told:?}");
    }
    let steps = found(&store, "the qureies").steps.expect("steps");
    assert_eq!(steps.replaced, [("qureies".to_owned(), vec!["queries".to_owned()])]);
    assert_eq!((steps.words, steps.ignored), (vec!["qureies".to_owned()], vec!["the".to_owned()]));
}

#[test]
fn a_word_in_quotation_marks_is_looked_for_as_typed_and_the_others_are_still_replaced() {
    let store = store();
    add(&store, "queries of users", "x");
    let steps = found(&store, "qureies uesrs").steps.expect("steps");
    assert_eq!(steps.replaced.len(), 2);
    let marked = found(&store, "\"qureies\" uesrs");
    assert_eq!(marked.steps.expect("steps").replaced, [("uesrs".to_owned(), vec!["users".to_owned()])]);
    assert_eq!(marked.hits[0].found_by.as_ref().map(|by| by.missing.clone()), Some(vec!["qureies".to_owned()]));
    assert_eq!(names(&store, "\"prune\" delete"), [""; 0]);
}

#[test]
fn a_list_of_a_user_in_the_data_folder_replaces_ours_at_once() {
    let around = tempfile::tempdir().expect("a folder");
    let data = around.path().join("data");
    let store = Store::open(&data).expect("a store");
    add(&store, "prune", "x");
    add(&store, "standup", "x");
    assert_eq!((names(&store, "delete"), names(&store, "daily")), (vec!["prune".to_owned()], vec![]));
    std::fs::write(data.join("synonyms.txt"), "daily standup\nsingle\nuser_name login\n").expect("written");
    assert_eq!((names(&store, "delete"), names(&store, "daily")), (vec![], vec!["standup".to_owned()]));
    std::fs::write(data.join("synonyms.txt"), b"\xFF\xFE").expect("written");
    assert_eq!(names(&store, "delete"), ["prune"], "what is not text is not a list");
    std::fs::remove_file(data.join("synonyms.txt")).expect("removed");
    assert_eq!(names(&store, "delete"), ["prune"]);
}

#[test]
fn of_equals_the_asset_that_was_used_more_often_comes_first_and_then_the_newest() {
    let store = store();
    let ids: Vec<String> =
        (0..3).map(|number| add(&store, &format!("needle {}", ["one", "two", "six"][number]), "x")).collect();
    let order = || found(&store, "needle absent").hits.into_iter().map(|hit| hit.id).collect::<Vec<_>>();
    assert_eq!(order(), [ids[2].clone(), ids[1].clone(), ids[0].clone()], "the newest first");
    store.increment(&ids[0], Counter::Reuse).expect("counted");
    assert_eq!(order(), [ids[0].clone(), ids[2].clone(), ids[1].clone()], "then by use");
    let better = add(&store, "needle", "needle");
    assert_eq!(order()[0], better, "a better match stays before them");
    assert_eq!(order(), order());
}

#[test]
fn a_word_that_more_assets_have_is_meant_rather_than_a_rare_one() {
    let store = store();
    add(&store, "cart", "x");
    (0..3).for_each(|number| drop(add(&store, &format!("card {number}"), "x")));
    let steps = found(&store, "carf").steps.expect("steps");
    assert_eq!(steps.replaced, [("carf".to_owned(), vec!["card".to_owned(), "cart".to_owned()])]);
}

#[test]
fn changes_are_found_at_once_and_what_is_deleted_or_filtered_is_not() {
    let store = store();
    let id = add(&store, "first", "alpha");
    assert_eq!(names(&store, "alpha missing"), ["first"]);
    let change = AssetChange { name: Some("second".to_owned()), ..AssetChange::default() };
    store.update_asset(&id, move |_| Ok(change)).expect("renamed");
    assert_eq!((names(&store, "seconds"), names(&store, "first missing")), (vec!["second".to_owned()], vec![]));
    let tagged = add(&store, "tagged", "alpha");
    store.make_item(new_tag("red"), vec![tagged]).expect("a tag");
    assert_eq!(names(&store, "reds"), ["tagged"]);
    let filter = Some(Filter::Item(ItemKind::Tag, "red".to_owned()));
    let only = store.search(&Search { filter, ..going_on("alpha missing") }).expect("a search");
    assert_eq!(only.hits.len(), 1);
    store.delete_asset(&id).expect("deleted");
    assert_eq!(names(&store, "alpha missing"), ["tagged"]);
    store.restore_asset(&id).expect("restored");
    assert_eq!(names(&store, "seconds"), ["second"]);
}

#[test]
fn scripts_without_spaces_are_found_by_pairs_of_letters() {
    let store = store();
    add(&store, "居中盒子", "x");
    add(&store, "别的东西", "x");
    assert_eq!(names(&store, "居中一个盒子"), ["居中盒子"]);
}

#[test]
fn words_that_very_many_assets_have_are_found_together_with_others() {
    let store = store();
    let rare = add(&store, "common usual rare", "x");
    for number in 0..2_100 {
        add(&store, &format!("common usual {number}"), "x");
    }
    assert_eq!(found(&store, "common rare absent").hits[0].id, rare);
    let together = found(&store, "common usual absent").hits;
    assert!(
        !together.is_empty()
            && together.iter().all(|hit| hit.found_by.as_ref().is_some_and(|by| by.missing == ["absent"]))
    );
}

#[test]
fn the_same_query_gives_the_same_answer() {
    let (store, _) = filled();
    for query in ["delete lines", "parse the file quickly", "conectoin timeout", "x"] {
        assert_eq!(found(&store, query), found(&store, query));
    }
}

#[test]
fn odd_and_very_long_queries_are_answered_within_bounds() {
    let (store, _) = filled();
    let words = |count: usize| (0..count).map(|number| format!("word{number}x")).collect::<Vec<_>>().join(" ");
    let mut queries = vec![words(10_000), "delete ".repeat(10_000), "x".repeat(100_000), "aB".repeat(50_000)];
    queries.extend(
        [
            "",
            " ",
            "the of and",
            "\"",
            "\"\"",
            "a\" OR \"b",
            "NEAR(a b)",
            "words:a",
            "^a",
            "a*",
            "-- ; DROP",
            "a\u{0}b",
            "\u{301}",
            "_",
            "__-__",
            "%_%",
        ]
        .map(str::to_owned),
    );
    for query in queries {
        let began = Instant::now();
        found(&store, &query);
        assert!(began.elapsed() < Duration::from_secs(10), "{} letters", query.len());
    }
}

#[test]
fn a_search_whose_client_is_gone_ends() {
    let (store, _) = filled();
    let interrupt = InterruptToken::default();
    interrupt.interrupt();
    assert!(store.search_interruptible(&going_on("delete lines"), &interrupt).is_err());
    assert!(!found(&store, "delete lines").hits.is_empty(), "the connection is used again");
}

#[test]
fn what_an_earlier_version_stored_is_indexed_after_the_update() {
    let around = tempfile::tempdir().expect("a folder");
    let data = around.path().join("data");
    let store = Store::open(&data).expect("a store");
    add(&store, "getUserName", "content of an earlier version");
    drop(store);
    let db = Connection::open(data.join("lunette.sqlite3")).expect("a database");
    db.execute_batch(
        "DROP TRIGGER search_form_text_gone; DROP TRIGGER search_form_text_changed;
         DROP TRIGGER search_form_content_gone; DROP TRIGGER search_form_content_changed;
         DROP TABLE search_form; DROP TABLE search_vocabulary; DROP TABLE search_form_waiting;
         DROP TABLE past_log; DROP TABLE past_client; DROP TABLE past; DROP TABLE past_status; DROP TABLE past_gap;
         DROP TABLE checkpoint; PRAGMA user_version = 10",
    )
    .expect("as it was");
    drop(db);
    let store = Store::open(&data).expect("updated");
    assert_eq!(backups(&data).len(), 1);
    assert!(store.status.wait_until(|| names(&store, "user-names") == ["getUserName"]), "the name is not indexed");
    assert!(store.status.wait_until(|| names(&store, "earliest versions") == ["getUserName"]), "nor the content");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_query_is_answered(query in "\\PC{0,80}", words in prop::collection::vec("[a-z_\"*()-]{1,12}", 0..12)) {
        let store = store();
        add(&store, &query, &words.join(" "));
        for query in [query.clone(), words.join(" "), format!("{query} {}", words.join(" "))] {
            prop_assert!(store.search(&going_on(&query)).is_ok());
        }
    }
}
