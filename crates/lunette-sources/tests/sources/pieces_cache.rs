//! Pieces: the cache of its clients.

use std::fs;
use std::path::Path;

use lunette_sources::{Cancelled, Files, Limits, Source, read, recognise};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::{codes, languages, open, texts};

/// A cache with these tables and rows.
fn cache(path: &Path, rows: &[(&str, Value)]) -> Connection {
    let database = Connection::open(path).expect("a database");
    for (number, (table, record)) in rows.iter().enumerate() {
        let columns = "key TEXT PRIMARY KEY NOT NULL, json TEXT, expireAt INTEGER, destroyKey TEXT";
        database
            .execute_batch(&format!("CREATE TABLE IF NOT EXISTS {table} ({columns}) WITHOUT ROWID"))
            .expect("a table");
        let insert = format!("INSERT INTO {table} VALUES (?1, ?2, 1, NULL)");
        database.execute(&insert, (number.to_string(), record.to_string())).expect("a row");
    }
    database
}

fn cached() -> Vec<(&'static str, Value)> {
    let time = json!({ "value": "2024-01-02T03:04:05Z" });
    vec![
        ("user_profile", json!({ "id": "u" })),
        ("tags", json!({ "id": "t", "text": "tag", "assets": { "indices": { "b": 0, "a": -1 } } })),
        ("annotations", json!({ "os": { "id": "n", "type": "DESCRIPTION", "text": "said", "asset": { "id": "b" } } })),
        ("assets", json!({ "id": "b", "name": "second", "created": time, "original": { "id": "f" } })),
        ("assets", json!({ "id": "a", "name": "first", "original": { "id": "g" }, "deleted": time })),
        ("assets", json!("broken")),
        (
            "formats",
            json!({ "id": "f", "fragment": { "string": { "raw": "two" } }, "classification": { "specific": "py" } }),
        ),
        ("formats", json!({ "id": "g", "fragment": { "string": { "raw": "one" } } })),
    ]
}

#[test]
fn a_cache_is_read_while_its_client_has_it_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pieces_client_sqlite.db");
    let client = cache(&path, &[]);
    client.pragma_update(None, "journal_mode", "wal").expect("a log");
    drop(client);
    let client = cache(&path, &cached());
    let files = open(&path);
    assert_eq!(recognise(&files), Some(Source::PiecesCache));
    let library = read(&files, Source::PiecesCache);
    drop(client);
    let [second, first] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!((second.name.as_str(), texts(second), languages(second)), ("second", vec!["two"], vec![Some("py")]));
    assert_eq!((second.tags.join(" "), second.trashed), ("tag".to_owned(), false));
    assert_eq!(second.native.as_ref().expect("an asset").annotations, [("DESCRIPTION".to_owned(), "said".to_owned())]);
    assert_eq!((first.name.as_str(), first.tags.len(), first.trashed), ("first", 0, true));
    assert_eq!(codes(&library), ["pieces.record", "pieces.tables"]);
}

#[test]
fn a_cache_without_assets_says_what_it_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pieces_client_sqlite.db");
    let rows: Vec<_> = cached().into_iter().filter(|(table, _)| !matches!(*table, "assets" | "formats")).collect();
    drop(cache(&path, &rows));
    let files = open(&path);
    assert_eq!(recognise(&files), Some(Source::PiecesCache));
    let library = read(&files, Source::PiecesCache);
    let [warning] = library.warnings.as_slice() else { panic!("{library:?}") };
    assert_eq!((warning.code, library.candidates.len()), ("pieces.no-assets", 0));
    assert!(warning.message.contains("it has 1 annotations, 1 tags, 1 user_profile"), "{warning}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left beside it");
}

#[test]
fn a_record_that_many_assets_refer_to_is_not_parsed_without_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pieces_client_sqlite.db");
    let text = json!({ "id": "f", "reference": { "fragment": { "string": { "raw": "text" } } } });
    let asset = |number: usize| {
        let summaries = json!({ "iterable": [{ "id": "s" }] });
        ("assets", json!({ "id": number.to_string(), "name": "a", "original": text, "summaries": summaries }))
    };
    let summary = ("workstream_summaries", json!({ "id": "s", "name": "x".repeat(100_000) }));
    let rows: Vec<_> = (0..100).map(asset).chain([summary]).collect();
    cache(&path, &rows).close().expect("closed");
    let limits = Limits { total_bytes: 200_000, ..Limits::default() };
    let files = Files::open(&path, limits, Cancelled(None)).expect("it opens");
    let library = read(&files, Source::PiecesCache);
    assert_eq!(codes(&library).iter().filter(|code| **code == "limit.work").count(), 1, "{:?}", codes(&library));
    assert_eq!(library.candidates[0].name, "a");
}

#[test]
fn the_tags_of_an_asset_are_told_apart_without_comparing_all_of_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pieces_client_sqlite.db");
    let tag = |number: usize| json!({ "id": format!("{number}"), "reference": { "text": format!("{}", number / 2) } });
    let text = json!({ "id": "f", "reference": { "fragment": { "string": { "raw": "text" } } } });
    let tags = json!({ "iterable": (0..56_000).map(tag).collect::<Vec<_>>() });
    cache(&path, &[("assets", json!({ "id": "a", "name": "a", "original": text, "tags": tags }))]);
    let library = read(&open(&path), Source::PiecesCache);
    assert_eq!((library.candidates[0].tags.len(), &*library.candidates[0].tags[77]), (28_000, "77"));
}
