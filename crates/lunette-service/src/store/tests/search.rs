//! The promises of the search: it finds what a plain look through everything finds, in any script, whatever wrote it.

use rusqlite::Connection;

use super::assets::{add, new_asset, new_tag};
use crate::store::Store;
use crate::store::records::asset::{AssetChange, Description};
use crate::store::records::create::OnDuplicate;
use crate::store::records::format::Content;
use crate::store::records::item::ItemKind;
use crate::store::search::{Filter, MatchLocation, Search, Span};
use lunette_client::model::search_terms::{Folded, SearchTerms};

mod content;
mod measured;
mod questions;
mod random;
mod recorded;
mod relation;
mod steps;
mod waiting;

fn store() -> Store {
    Store::in_memory().expect("a store")
}

fn search(query: &str) -> Search {
    Search { words: SearchTerms::of(query), query: query.to_owned(), filter: None, limit: 500, goes_on: false }
}

fn found(store: &Store, query: &str) -> Vec<String> {
    store.search(&search(query)).expect("a search").hits.into_iter().map(|hit| hit.id).collect()
}

fn locations(store: &Store, query: &str) -> Vec<MatchLocation> {
    store.search(&search(query)).expect("a search").hits.into_iter().map(|hit| hit.location).collect()
}

#[test]
fn letters_are_compared_as_in_the_index() {
    let db = Connection::open_in_memory().expect("a database");
    db.execute_batch(
        "CREATE VIRTUAL TABLE letter USING fts5 (text, tokenize = 'trigram remove_diacritics 1');
         CREATE VIRTUAL TABLE term USING fts5vocab (letter, instance);",
    )
    .expect("tables");
    let letters = ('\u{1}'..'\u{2100}').chain('\u{FF00}'..'\u{FFF0}').chain('\u{10400}'..'\u{10450}');
    let letters: Vec<char> = letters.collect();
    db.execute_batch("BEGIN").expect("begun");
    for (row, letter) in letters.iter().enumerate() {
        let text = [*letter; 3].iter().collect::<String>();
        db.execute("INSERT INTO letter (rowid, text) VALUES (?1, ?2)", (row as i64, text)).expect("kept");
    }
    let mut statement = db.prepare("SELECT doc, term FROM term ORDER BY doc").expect("a statement");
    let terms = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))).expect("terms");
    let mut index = vec![String::new(); letters.len()];
    terms.for_each(|term| {
        let (row, term) = term.expect("a term");
        index[row as usize] = term;
    });
    for (letter, term) in letters.iter().zip(index) {
        let text: String = [*letter; 3].iter().collect();
        assert_eq!(Folded::of(&text).into_text(), term, "{letter:?} U+{:04X}", *letter as u32);
    }
}

#[test]
fn names_are_found_by_any_part_in_any_script() {
    let store = store();
    for name in ["今天天气很好", "これはテストです", "السلام عليكم", "שלום", "a 😀 b", "Ünïcode.RS", "สวัสดีชาวโลก"]
    {
        add(&store, name, "x");
    }
    for (query, count) in [
        ("天气", 1),
        ("天", 1),
        ("很好", 1),
        ("テスト", 1),
        ("です", 1),
        ("سلام", 1),
        ("לום", 1),
        ("😀", 1),
        ("unicode.rs", 1),
        ("ÜN", 1),
        ("e.r", 1),
        ("ชาว", 1),
        ("好天", 0),
        ("z", 0),
    ] {
        assert_eq!(found(&store, query).len(), count, "{query}");
    }
}

#[test]
fn content_is_found_by_word_prefixes_and_by_any_part_in_scripts_without_spaces() {
    let store = store();
    for text in ["fn parse_header(line: &str)", "今天天气很好", "launch 🚀 now", "السلام عليكم", "여름 날씨입니다"]
    {
        add(&store, "n", text);
    }
    for (query, count) in [
        ("parse_head", 1),
        ("line parse", 1),
        ("header", 0),
        ("天气", 1),
        ("气", 1),
        ("好", 1),
        ("🚀", 1),
        ("عليكم", 1),
        ("날씨", 1),
        ("씨입", 1),
        ("line 天", 0),
    ] {
        assert_eq!(locations(&store, query), vec![MatchLocation::Content; count], "{query}");
    }
}

#[test]
fn any_query_is_searched_without_syntax_or_failure() {
    let store = store();
    add(&store, "a \"quoted\" name* NEAR(x) col:umn -minus ^caret {set} OR AND NOT", "text");
    for query in [
        "\"quoted\"",
        "name*",
        "NEAR(x)",
        "col:umn",
        "-minus",
        "^caret",
        "{set}",
        "OR",
        "AND NOT",
        "\"",
        "\"\"\"",
        "*",
        "(",
        ")",
        ":",
        "-",
        "^",
        "+",
        "'",
        "name : x",
        "a\u{0}b",
        "\u{301}",
        "%",
        "_",
        "\\",
        "{name} : quoted",
    ] {
        let expected = usize::from(
            !["\"\"\"", "+", "'", "a\u{0}b", "\u{301}", "%", "_", "\\", "{name} : quoted"].contains(&query),
        );
        let hits = store.search(&search(query)).unwrap_or_else(|error| panic!("{query:?}: {error}")).hits;
        if query != "\u{301}" {
            assert_eq!(hits.len(), expected, "{query:?}");
        }
    }
    store.search(&search(&"\"* ".repeat(300_000))).expect("a search");
    store.search(&search(&"x".repeat(1_000_000))).expect("a search");
}

#[test]
fn exact_names_rank_first_then_names_tags_descriptions_and_content() {
    let store = store();
    add(&store, "in content", "a needle");
    let described = add(&store, "described", "x");
    let change = AssetChange {
        descriptions: vec![Description { id: None, text: "a needle".to_owned() }],
        ..AssetChange::default()
    };
    store.update_asset(&described, move |_| Ok(change)).expect("described");
    let tagged = add(&store, "tagged", "x");
    store.make_item(new_tag("needles"), vec![tagged]).expect("a tag");
    add(&store, "needle", "x");
    add(&store, "a needle in the name", "x");
    let hits = store.search(&search("needle")).expect("a search").hits;
    let ranked: Vec<_> = hits.iter().map(|hit| (hit.location, hit.exact)).collect();
    let expected = [
        (MatchLocation::Name, true),
        (MatchLocation::Name, false),
        (MatchLocation::Tag, false),
        (MatchLocation::Description, false),
        (MatchLocation::Content, false),
    ];
    assert_eq!(ranked, expected);
    assert_eq!((hits[1].marks[0].text.as_str(), &hits[1].marks[0].ranges), ("a needle in the name", &vec![(2, 8)]));
    assert_eq!((hits[4].marks[0].text.as_str(), &hits[4].marks[0].ranges), ("a needle", &vec![(2, 8)]));
}

#[test]
fn common_matches_return_the_newest_and_an_exact_one_first() {
    let store = store();
    let exact = add(&store, "common", "x");
    for number in 0..2_050 {
        add(&store, &format!("common {number}"), "x");
    }
    let found = found(&store, "common");
    assert_eq!((found.len(), &found[0]), (500, &exact));
    let names: Vec<_> = store
        .search(&search("common"))
        .expect("a search")
        .hits
        .into_iter()
        .map(|hit| hit.marks[0].text.clone())
        .collect();
    assert_eq!((names[1].as_str(), names[2].as_str()), ("common 2049", "common 2048"));
}

#[test]
fn filters_return_the_matching_assets() {
    let store = store();
    let one = add(&store, "one needle", "alpha");
    let two = add(&store, "two needle", "beta");
    let tag = store.make_item(new_tag("Red"), vec![one.clone()]).expect("a tag");
    let with = |query: &str, filter: Filter| {
        let search = Search { filter: Some(filter), ..search(query) };
        store.search(&search).expect("a search").hits.into_iter().map(|hit| hit.id).collect::<Vec<_>>()
    };
    let red = |named: &str| Filter::Item(ItemKind::Tag, named.to_owned());
    for named in ["red", "Red", &tag.id] {
        assert_eq!(with("needle", red(named)), std::slice::from_ref(&one), "{named}");
    }
    assert_eq!(with("", red("red")), std::slice::from_ref(&one));
    assert_eq!(with("needle", Filter::Content("bet".to_owned())), std::slice::from_ref(&two));
    assert_eq!(with("needle", Filter::Written("NEEDLE".to_owned())), [""; 0]);
    assert_eq!(with("needle", Filter::Among(vec![two.clone()])), std::slice::from_ref(&two));
    assert_eq!(with("needle", Filter::Created(Span { from: Some(i64::MAX), to: None })), [""; 0]);
    let either = Filter::Any(vec![red("red"), Filter::Title("TWO".to_owned())]);
    assert_eq!(with("needle", either).len(), 2);
}

#[test]
fn binary_content_is_not_searched_and_an_unnamed_asset_is_found_by_other_fields() {
    let store = store();
    let mut new = new_asset("", Content::Bytes(b"needle".to_vec()));
    new.name = None;
    store.create_asset(new, OnDuplicate::Create).expect("an asset");
    let mut new = new_asset("", Content::Text("needle".to_owned()));
    new.name = None;
    let id = store.create_asset(new, OnDuplicate::Create).expect("an asset").id;
    assert_eq!(found(&store, "needle"), [id]);
}
