//! `lunette import` of an archive of Pieces and of the cache of its clients: assets with all that hangs on them, once.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::program::Ended;
use crate::write::Home;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/lunette-sources/tests/samples").join(name).join("library")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn last_line(ended: &Ended) -> &str {
    ended.err.lines().last().unwrap_or_default()
}

/// The ids of the new assets, in the order in which they were created.
fn imported(ended: &Ended) -> Vec<String> {
    let imported = ended.json()["imported"].as_array().cloned().expect("assets");
    imported.iter().map(|one| one["asset"].as_str().expect("an id").to_owned()).collect()
}

/// The entries of a list of a record.
fn entries<'a>(record: &'a Value, field: &str) -> &'a [Value] {
    record[field]["iterable"].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn an_archive_of_pieces_gives_its_assets_and_a_second_import_adds_nothing() {
    let home = Home::new();
    let path = sample("pieces");
    let preview = home.done(&["import", "--dry-run", text(&path)]);
    assert!(preview.out.contains("doubtful  größe — 🌙.rs  #größe  #a b  (favourite)"), "{preview:?}");
    assert!(preview.out.contains("new       notes.md  #a b"), "{preview:?}");
    assert!(preview.err.contains("records of ASSETS that the rules of the export exclude: 1"), "{preview:?}");
    let first = home.done(&["import", "--json", text(&path)]);
    assert_eq!(last_line(&first), "2 imported, 0 already present, 0 failed", "{first:?}");
    let ids = imported(&first);
    let shown =
        ids.iter().map(|id| home.shown(id)).find(|shown| shown["name"] == "größe — 🌙.rs").expect("it is there");
    let id = shown["id"].as_str().expect("an id");
    assert_eq!(home.done(&["export", id]).out, "fn main() {\n    println!(\"grüße 🌙\");\n}\n");
    let record = home.done(&["call", "assetSnapshot", &format!("asset={id}")]).json();
    assert_eq!(
        (&record["favorited"], &record["created"]["value"]),
        (&json!(true), &json!("2026-11-25T19:45:00.425273Z"))
    );
    let texts =
        |field: &str, text: &str| entries(&record, field).iter().map(|entry| entry[text].clone()).collect::<Vec<_>>();
    assert_eq!(texts("tags", "text"), ["größe", "a b"]);
    assert_eq!(texts("websites", "name"), ["Example Ä"]);
    assert_eq!(texts("annotations", "type"), ["DESCRIPTION", "DESCRIPTION", "COMMENT"]);
    for (field, id) in [
        ("summaries", "c9c67105-90f1-4a4b-8a2d-a3d927ce6352"),
        ("persons", "e5c8a546-21aa-499a-96d9-44748910a1fa"),
        ("conversations", "80a75467-ec4b-4031-9e33-ed68ca16981b"),
    ] {
        assert_eq!(texts(field, "id"), [id], "{field}");
    }
    let second = home.done(&["import", text(&path)]);
    assert_eq!((last_line(&second), home.count()), ("0 imported, 0 already present, 0 failed", 2), "{second:?}");
    home.done(&["undo"]);
    assert_eq!(home.count(), 0, "one undo removes all of it");
}

#[test]
fn an_archive_that_was_not_finished_is_refused_with_the_reason() {
    let (home, folder) = (Home::new(), tempfile::tempdir().expect("a folder"));
    let path = folder.path().join("export.partial");
    for below in ["", "raw/assets", "raw/formats"] {
        fs::create_dir_all(path.join(below)).expect("a folder");
        for entry in fs::read_dir(sample("pieces-4").join(below)).expect("the sample").flatten() {
            if entry.path().is_file() {
                fs::copy(entry.path(), path.join(below).join(entry.file_name())).expect("a copy");
            }
        }
    }
    let refused = home.run(&["import", text(&path)]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err.contains("was not finished by the export and is not read: export again"), "{refused:?}");
    let whole = path.with_extension("");
    fs::rename(&path, &whole).expect("renamed");
    let done = home.done(&["import", text(&whole)]);
    assert_eq!(last_line(&done), "1 imported, 0 already present, 0 failed", "{done:?}");
}

#[test]
fn a_cache_gives_its_assets_or_says_what_it_has_instead() {
    let (home, folder) = (Home::new(), tempfile::tempdir().expect("a folder"));
    let path = folder.path().join("pieces_client_sqlite.db");
    let database = Connection::open(&path).expect("a database");
    let add = |table: &str, record: Value| {
        let columns = "key TEXT PRIMARY KEY NOT NULL, json TEXT, expireAt INTEGER, destroyKey TEXT";
        database.execute_batch(&format!("CREATE TABLE IF NOT EXISTS {table} ({columns})")).expect("a table");
        let insert = format!("INSERT INTO {table} VALUES ('k', ?1, 1, NULL)");
        database.execute(&insert, [record.to_string()]).expect("a row");
    };
    add("tags", json!({ "id": "t", "text": "kept", "assets": { "iterable": [{ "id": "a" }] } }));
    let nothing = home.run(&["import", text(&path)]);
    assert_eq!(nothing.code, Some(1), "{nothing:?}");
    assert!(nothing.err.contains("has no assets; it has 1 tags: connect to the running service"), "{nothing:?}");
    add("assets", json!({ "id": "a", "name": "cached.py", "original": { "id": "f" } }));
    add("formats", json!({ "id": "f", "fragment": { "string": { "raw": "x = 1\n" } } }));
    for expected in ["1 imported, 0 already present, 0 failed", "0 imported, 0 already present, 0 failed"] {
        let done = home.done(&["import", text(&path)]);
        assert_eq!(last_line(&done), expected, "{done:?}");
    }
    let list = home.done(&["list", "assets"]);
    assert!(list.out.contains("cached.py"), "{list:?}");
}
