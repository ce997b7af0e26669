//! The promises of the search: it finds what a plain look through everything finds, in any script, whatever wrote it.

use proptest::prelude::*;
use rusqlite::Connection;

use super::assets::{add, new_asset, new_tag};
use crate::model::words::{Folded, Words};
use crate::store::Store;
use crate::store::asset::{AssetChange, Description};
use crate::store::create::Again;
use crate::store::format::Content;
use crate::store::item::{ItemKind, NewItem};
use crate::store::search::{Filter, Place, Search, Span};

fn store() -> Store {
    Store::in_memory().expect("a store")
}

fn search(query: &str) -> Search {
    Search { words: Words::of(query), query: query.to_owned(), filter: None, limit: 500 }
}

fn found(store: &Store, query: &str) -> Vec<String> {
    store.search(&search(query)).expect("a search").into_iter().map(|hit| hit.id).collect()
}

fn place(store: &Store, query: &str) -> Vec<Place> {
    store.search(&search(query)).expect("a search").into_iter().map(|hit| hit.place).collect()
}

#[test]
fn letters_are_told_apart_as_the_index_does() {
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
fn content_is_found_by_the_beginnings_of_words_and_by_any_part_where_there_are_no_spaces() {
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
        assert_eq!(place(&store, query), vec![Place::Content; count], "{query}");
    }
}

#[test]
fn no_query_is_syntax_and_none_fails() {
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
        let hits = store.search(&search(query)).unwrap_or_else(|error| panic!("{query:?}: {error}"));
        if query != "\u{301}" {
            assert_eq!(hits.len(), expected, "{query:?}");
        }
    }
    store.search(&search(&"\"* ".repeat(300_000))).expect("a search");
    store.search(&search(&"x".repeat(1_000_000))).expect("a search");
}

#[test]
fn the_exact_name_comes_first_then_names_tags_descriptions_and_content() {
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
    let hits = store.search(&search("needle")).expect("a search");
    let places: Vec<_> = hits.iter().map(|hit| (hit.place, hit.exact)).collect();
    let expected = [
        (Place::Name, true),
        (Place::Name, false),
        (Place::Tag, false),
        (Place::Description, false),
        (Place::Content, false),
    ];
    assert_eq!(places, expected);
    assert_eq!((hits[1].marks[0].text.as_str(), &hits[1].marks[0].ranges), ("a needle in the name", &vec![(2, 8)]));
    assert_eq!((hits[4].marks[0].text.as_str(), &hits[4].marks[0].ranges), ("a needle", &vec![(2, 8)]));
}

#[test]
fn of_what_is_everywhere_the_newest_are_given_and_the_exact_one_first() {
    let store = store();
    let exact = add(&store, "common", "x");
    for number in 0..2_050 {
        add(&store, &format!("common {number}"), "x");
    }
    let found = found(&store, "common");
    assert_eq!((found.len(), &found[0]), (500, &exact));
    let names: Vec<_> =
        store.search(&search("common")).expect("a search").into_iter().map(|hit| hit.marks[0].text.clone()).collect();
    assert_eq!((names[1].as_str(), names[2].as_str()), ("common 2049", "common 2048"));
}

#[test]
fn filters_leave_what_they_ask_for() {
    let store = store();
    let one = add(&store, "one needle", "alpha");
    let two = add(&store, "two needle", "beta");
    let tag = store.make_item(new_tag("Red"), vec![one.clone()]).expect("a tag").item;
    let with = |query: &str, filter: Filter| {
        let search = Search { filter: Some(filter), ..search(query) };
        store.search(&search).expect("a search").into_iter().map(|hit| hit.id).collect::<Vec<_>>()
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
fn a_database_of_version_2_is_searchable_after_its_migration() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = Connection::open(folder.path().join("lunette.sqlite3")).expect("a database");
    db.execute_batch(include_str!("../schema/0001-assets.sql")).expect("version 1");
    db.execute_batch(include_str!("../schema/0002-applications.sql")).expect("version 2");
    db.pragma_update(None, "user_version", 2).expect("a version");
    db.pragma_update(None, "application_id", 0x4C55_4E45).expect("ours");
    db.execute_batch(
        "INSERT INTO origin (row, document) VALUES (1, '{}');
         INSERT INTO asset (row, id, name, folded_name, mechanism, created, updated) VALUES
           (1, 'one', 'old name', 'old name', 'MANUAL', 1, 1), (2, 'gone', 'old gone', 'old gone', 'MANUAL', 1, 1);
         UPDATE asset SET deleted = 1 WHERE row = 2;
         INSERT INTO format (row, id, asset, place, role, generic, specific, origin, binary, size, sha256, created, updated)
           VALUES (7, 'f', 1, 0, 'BOTH', 'TEXT', 'txt', 1, 0, 1, x'00', 1, 1);
         INSERT INTO content (format, text) VALUES (7, 'held 天气 words');
         INSERT INTO content_word (rowid, text) VALUES (1, 'held words');
         INSERT INTO item (row, kind, id, key, name, folded_name, created, updated)
           VALUES (1, 'tag', 't', 'a tag', 'a tag', 'a tag', 1, 1);
         INSERT INTO link (asset, item, mechanism, created) VALUES (1, 1, 'MANUAL', 1);
         INSERT INTO annotation (row, id, asset, kind, text, folded_text, created, updated)
           VALUES (1, 'a', 1, 'DESCRIPTION', 'described', 'described', 1, 1);",
    )
    .expect("rows");
    drop(db);
    let store = Store::open(folder.path()).expect("a store");
    for (query, count) in [("old", 1), ("a tag", 1), ("descri", 1), ("held", 1), ("天气", 1), ("gone", 0)] {
        assert_eq!(found(&store, query).len(), count, "{query}");
    }
}

/// One write, of one of a few assets and tags.
#[derive(Clone, Debug)]
enum Write {
    Create(String, String),
    Rename(usize, String),
    Describe(usize, String),
    Delete(usize),
    Link(usize, usize),
    Unlink(usize, usize),
    RenameTag(usize, String),
    DeleteTag(usize),
    Value(usize, String),
}

fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "ab",
        "abc",
        "abcd",
        "Über",
        "uber",
        "bcd",
        "天气",
        "今天天气",
        "😀",
        "a-b",
        "\"q\"",
        "x",
        "naïve",
        "ΣΟΦΟΣ",
        "سلام",
    ]);
    prop::collection::vec(word, 0..4).prop_map(|words| words.join(" "))
}

fn write() -> impl Strategy<Value = Write> {
    let asset = 0..4_usize;
    let tag = 0..3_usize;
    prop_oneof![
        (text(), text()).prop_map(|(name, text)| Write::Create(name, text)),
        (asset.clone(), text()).prop_map(|(asset, name)| Write::Rename(asset, name)),
        (asset.clone(), text()).prop_map(|(asset, text)| Write::Describe(asset, text)),
        asset.clone().prop_map(Write::Delete),
        (asset.clone(), tag.clone()).prop_map(|(asset, tag)| Write::Link(asset, tag)),
        (asset.clone(), tag.clone()).prop_map(|(asset, tag)| Write::Unlink(asset, tag)),
        (tag.clone(), text()).prop_map(|(tag, text)| Write::RenameTag(tag, text)),
        tag.prop_map(Write::DeleteTag),
        (asset, text()).prop_map(|(asset, text)| Write::Value(asset, text)),
    ]
}

/// Does a write as the store does it, or where the store has none yet as SQL that any way of writing comes down to.
fn apply(store: &Store, assets: &mut Vec<String>, write: Write) {
    let sql = |statement: &'static str, one: String, other: String| {
        store.write(move |db| Ok(db.execute(statement, [one, other])?)).expect("written");
    };
    let id = |place: usize| assets.get(place).cloned().unwrap_or_default();
    // What is not there, or not any more, is refused; that is no matter here.
    match write {
        Write::Create(name, text) => assets.insert(0, add(store, &name, &text)),
        Write::Rename(asset, name) => {
            let change = AssetChange { name: Some(name), ..AssetChange::default() };
            store.update_asset(&id(asset), move |_| Ok(change)).ok();
        }
        Write::Describe(asset, text) => {
            let descriptions = vec![Description { id: None, text }];
            let change = AssetChange { descriptions, ..AssetChange::default() };
            store.update_asset(&id(asset), move |_| Ok(change)).ok();
        }
        Write::Delete(asset) => drop(store.delete_asset(&id(asset))),
        Write::Link(asset, tag) => drop(store.link(&id(asset), ItemKind::Tag, &tag.to_string())),
        Write::Unlink(asset, tag) => drop(store.unlink(&id(asset), ItemKind::Tag, &tag.to_string())),
        Write::RenameTag(tag, text) => sql("UPDATE item SET name = ?1 WHERE id = ?2", text, tag.to_string()),
        Write::DeleteTag(tag) => {
            sql("DELETE FROM item WHERE ?1 = '' AND id = ?2", String::new(), tag.to_string());
            let new = NewItem { key: Some(format!("k{tag}")), ..new_tag("abc") };
            let made = store.make_item(new, Vec::new()).expect("a tag").item.id;
            sql("UPDATE item SET id = ?1 WHERE id = ?2", tag.to_string(), made);
        }
        Write::Value(asset, text) => sql(
            "UPDATE content SET text = ?1
             WHERE format IN (SELECT format.row FROM format JOIN asset ON asset.row = asset WHERE asset.id = ?2)",
            text,
            id(asset),
        ),
    }
}

/// What a plain look through everything finds: the rule at the head of `store::search`, without any index.
fn scan(store: &Store, query: &str) -> Vec<String> {
    let words = Words::of(query);
    let statement = "SELECT id, coalesce(name, ''), (SELECT group_concat(item.name, char(10)) FROM link
         JOIN item ON item.row = link.item WHERE link.asset = asset.row),
         (SELECT group_concat(text, char(10)) FROM annotation WHERE annotation.asset = asset.row),
         (SELECT text FROM content JOIN format ON format.row = format WHERE format.asset = asset.row)
         FROM asset WHERE deleted IS NULL";
    store
        .read(|db| {
            let mut statement = db.prepare(statement)?;
            let mut rows = statement.query([])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let column = |place: usize| row.get::<_, Option<String>>(place).map(Option::unwrap_or_default);
                let said = Folded::of(&[column(1)?, column(2)?, column(3)?].join("\n"));
                let held = column(4)?;
                let begun: Vec<Vec<String>> = words.iter().map(parts).filter(|parts| !parts.is_empty()).collect();
                let held_words = parts(Folded::of(&held).as_str());
                let all_begun = !begun.is_empty() && begun.iter().all(|word| begins(&held_words, word));
                let all_parts = words.spaceless() && words.all_in(&Folded::of(&held));
                if words.all_in(&said) || all_begun || all_parts {
                    found.push(row.get(0)?);
                }
            }
            Ok(found)
        })
        .expect("a look")
}

/// The words of folded text as the index of words tells them apart.
fn parts(text: &str) -> Vec<String> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split(|letter| !is_part(letter)).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Whether words follow each other so in a text, the last of them begun.
fn begins(text: &[String], words: &[String]) -> bool {
    let (last, before) = words.split_last().expect("a word");
    text.windows(words.len())
        .any(|part| part[..before.len()] == *before && part[before.len()].starts_with(last.as_str()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn after_any_writes_the_index_finds_what_a_plain_look_finds(
        writes in prop::collection::vec(write(), 1..24),
        queries in prop::collection::vec(text(), 1..6),
    ) {
        let store = store();
        for tag in 0..3 {
            let made = store.make_item(NewItem { key: Some(format!("k{tag}")), ..new_tag("abc") }, Vec::new()).expect("a tag");
            store.write(move |db| Ok(db.execute("UPDATE item SET id = ?1 WHERE id = ?2", [tag.to_string(), made.item.id])?))
                .expect("named");
        }
        let mut assets = Vec::new();
        for write in writes {
            apply(&store, &mut assets, write);
        }
        let short = ["a", "b", "天", "气", "😀", "u", "σο", "ل", "\"", "-b"].map(str::to_owned);
        for query in queries.into_iter().chain(short).filter(|query| !query.trim().is_empty()) {
            let mut by_index = found(&store, &query);
            let mut by_scan = scan(&store, &query);
            by_index.sort_unstable();
            by_scan.sort_unstable();
            prop_assert_eq!(by_index, by_scan, "{:?}", query);
        }
    }
}

#[test]
fn bytes_are_not_searched_and_an_asset_without_a_name_is_found_by_the_rest() {
    let store = store();
    let mut new = new_asset("", Content::Bytes(b"needle".to_vec()));
    new.name = None;
    store.create_asset(new, Again::Made).expect("an asset");
    let mut new = new_asset("", Content::Text("needle".to_owned()));
    new.name = None;
    let id = store.create_asset(new, Again::Made).expect("an asset").id;
    assert_eq!(found(&store, "needle"), [id]);
}
