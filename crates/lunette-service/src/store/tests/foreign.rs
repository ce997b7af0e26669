//! Backups and databases that another program changed: no SQL of theirs runs, and nothing is replaced by them.

use super::backup::fill;
use super::*;
use crate::store::disk::backup::{self, sum_path};
use crate::store::interrupt::InterruptToken;
use crate::store::search::register as register_search;

/// A backup of three assets in a file of its own, and the data folder that it is of.
fn backed_up() -> (TempDir, PathBuf, PathBuf) {
    let (around, data) = data();
    let store = Store::open(&data).expect("a store");
    fill(&store, 0, 3);
    drop(store);
    let path = around.path().join("backup.sqlite3");
    back_up(&data, Some(&path)).expect("a backup");
    // As of a file that came from elsewhere.
    fs::remove_file(sum_path(&path)).expect("removed");
    (around, data, path)
}

const SLOW: &str = "CREATE INDEX slow ON asset (hex(zeroblob(100000000)))";

/// What somebody may have done to a file, and the words of the refusal.
const CHANGES: [(&str, &str); 14] = [
    ("CREATE TRIGGER evil AFTER INSERT ON item BEGIN UPDATE asset SET name = 'OWNED'; END", "unknown trigger \"evil\""),
    ("CREATE TEMP TABLE t (a); CREATE VIEW sight AS SELECT * FROM asset", "unknown view \"sight\""),
    (
        "ALTER TABLE item RENAME TO other; CREATE VIEW item AS SELECT * FROM other",
        "\"item\" is a view instead of a table",
    ),
    ("DROP TABLE item", "table \"item\" is missing"),
    ("DROP TABLE search_content_waiting", "table \"search_content_waiting\" is missing"),
    ("DROP INDEX asset_by_name", "index \"asset_by_name\" is missing"),
    ("DROP TRIGGER search_content_made", "trigger \"search_content_made\" is missing"),
    ("ALTER TABLE asset ADD COLUMN more TEXT", "table \"asset\" differs"),
    ("ALTER TABLE asset ADD COLUMN more TEXT AS (hex(zeroblob(100000000)))", "table \"asset\" differs"),
    ("CREATE TABLE more (a)", "unknown table \"more\""),
    ("CREATE VIRTUAL TABLE more USING fts5 (a)", "unknown table \"more"),
    ("PRAGMA user_version = 1", "has version 1, of a build before the first release"),
    ("PRAGMA user_version = -5", "its version is -5"),
    ("PRAGMA user_version = 0", "its version is 0"),
];

/// Opens a file as any program can.
fn edit(path: &Path, statements: &str) {
    let db = Connection::open(path).expect("opened");
    register_search(&db).expect("functions");
    checksum::register(&db).expect("functions");
    db.execute_batch(statements).unwrap_or_else(|error| panic!("{statements}: {error}"));
}

#[test]
fn a_backup_whose_tables_are_not_those_of_its_version_is_refused_by_name_and_nothing_is_replaced() {
    let (_around, data, path) = backed_up();
    let (whole, before) = (fs::read(&path).expect("bytes"), fs::read(database(&data)).expect("bytes"));
    for (change, words) in CHANGES {
        fs::write(&path, &whole).expect("written");
        edit(&path, change);
        let refused = restore(&data, &path).map(drop).expect_err(change).to_string();
        assert!(refused.contains(words) && refused.contains("backup.sqlite3"), "{change}: {refused}");
        assert_eq!(fs::read(database(&data)).expect("bytes"), before, "{change}");
    }
    fs::write(&path, &whole).expect("written");
    assert_eq!(restore(&data, &path).expect("restored").damaged_records, 0);
}

/// The index takes 100 MB and a second for each row that is read through it.
#[test]
fn an_indexed_expression_of_a_backup_is_refused_before_it_is_computed() {
    let (_around, data, path) = backed_up();
    let db = Connection::open(&path).expect("opened");
    db.execute_batch(&format!("DELETE FROM asset; {SLOW}")).expect("changed");
    drop(db);
    let refused = restore(&data, &path).expect_err("foreign").to_string();
    assert!(refused.contains("unknown index \"slow\""), "{refused}");
}

#[test]
fn a_database_with_a_foreign_trigger_does_not_start_and_can_be_moved_aside() {
    let (_around, data, _) = backed_up();
    edit(&database(&data), CHANGES[0].0);
    let before = fs::read(database(&data)).expect("bytes");
    let refused = Store::open(&data).err().expect("a refusal");
    let message = refused.to_string();
    assert!(matches!(refused, StoreError::Corrupt { .. }) && message.contains("unknown trigger \"evil\""), "{message}");
    assert!(message.contains("--set-aside"), "{message}");
    assert!(back_up(&data, None).is_err(), "it is not copied either");
    assert_eq!(fs::read(database(&data)).expect("bytes"), before);
    let aside = quarantine(&data).expect("moved").expect("a folder");
    assert_eq!(fs::read(database(&aside)).expect("bytes"), before);
    assert!(Store::open(&data).is_ok());
}

#[test]
fn damaged_records_of_a_backup_are_refused_unless_the_database_had_them() {
    for (change, named) in [
        ("UPDATE asset SET name = 'changed' WHERE row = 1", "asset"),
        ("UPDATE content SET text = 'changed' WHERE format = 1", "format"),
    ] {
        let (around, data, path) = backed_up();
        edit(&path, change);
        let refused = restore(&data, &path).expect_err(change).to_string();
        assert!(refused.contains(&format!("the {named} with the id")) && refused.contains("checksum"), "{refused}");

        edit(&database(&data), change);
        let faithful = around.path().join("faithful.sqlite3");
        back_up(&data, Some(&faithful)).expect("a backup");
        assert_eq!(restore(&data, &faithful).expect("restored").damaged_records, 1, "{change}");
    }
}

#[test]
fn views_in_place_of_tables_of_backups_and_of_the_history_are_not_asked() {
    let endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)";
    let (_around, data, path) = backed_up();
    let view = format!("DROP TABLE identity; CREATE VIEW identity AS {endless} SELECT max(x) AS folder FROM n");
    edit(&path, &view);
    assert!(restore(&data, &path).is_err());
    let beside = data.with_file_name("data-backups");
    fs::create_dir_all(&beside).expect("made");
    fs::copy(&path, beside.join("daily-20261121T101112123456Z.sqlite3")).expect("copied");
    let history = format!("CREATE VIEW step_line AS {endless} SELECT max(x) AS connection FROM n");
    edit(&data.join("inspector.sqlite3"), &history);
    fs::remove_file(data.join("lunette.lock")).expect("removed");
    assert!(!never_used(&data));
    let store = Store::open(&data).expect("a store");
    let source = file::open_source(&database(&data)).expect("a connection");
    backup::take(&source, &data, Cause::Daily, &InterruptToken::default()).expect("old ones are looked at");
    drop(store);
}
