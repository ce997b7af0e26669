//! After any writes the index finds what a plain look through everything finds.

use proptest::prelude::*;

use super::{found, store};
use crate::store::Store;
use crate::store::records::asset::{AssetChange, Description};
use crate::store::records::item::{ItemKind, NewItem};
use crate::store::tests::assets::{add, new_tag};
use lunette_client::model::search_terms::{Folded, SearchTerms};

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
    let id = |index: usize| assets.get(index).cloned().unwrap_or_default();
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
            let made = store.make_item(new, Vec::new()).expect("a tag").id;
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
    let words = SearchTerms::of(query);
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
                let column = |column: usize| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
                let message = Folded::of(&[column(1)?, column(2)?, column(3)?].join("\n"));
                let held = column(4)?;
                let begun: Vec<Vec<String>> = words.iter().map(parts).filter(|parts| !parts.is_empty()).collect();
                let held_words = parts(Folded::of(&held).as_str());
                let all_begun = !begun.is_empty() && begun.iter().all(|word| begins(&held_words, word));
                let all_parts = words.spaceless() && words.all_in(&Folded::of(&held));
                if words.all_in(&message) || all_begun || all_parts {
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
    fn after_any_writes_the_index_agrees_with_a_full_scan(
        writes in prop::collection::vec(write(), 1..24),
        queries in prop::collection::vec(text(), 1..6),
    ) {
        let store = store();
        for tag in 0..3 {
            let made = store.make_item(NewItem { key: Some(format!("k{tag}")), ..new_tag("abc") }, Vec::new()).expect("a tag");
            store.write(move |db| Ok(db.execute("UPDATE item SET id = ?1 WHERE id = ?2", [tag.to_string(), made.id])?))
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
