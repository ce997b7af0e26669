//! The promises of the store's core: durability's order, one owner, and files that are left as they are.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection, StatementStatus};
use tempfile::TempDir;

use super::*;

pub(in crate::store) mod assets;
mod backup;
mod batch;
mod daily;
mod foreign;
mod health;
mod quarantine;
mod rows;
mod search;
mod trash;
mod unclean;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// A temporary folder for a data folder and its backups; gone when the first is dropped.
fn data() -> (TempDir, PathBuf) {
    let around = folder();
    let data = around.path().join("data");
    (around, data)
}

fn database(folder: &Path) -> PathBuf {
    folder.join("lunette.sqlite3")
}

fn count(store: &Store) -> i64 {
    store.read(|db| Ok(db.query_row("SELECT count(*) FROM origin", [], |row| row.get(0))?)).expect("a count")
}

fn add(store: &Store, document: impl Into<String>) -> Result<(), StoreError> {
    let document = document.into();
    store.write(move |db| {
        db.execute("INSERT INTO origin (document) VALUES (?1)", [document])?;
        Ok(())
    })
}

#[test]
fn sqlite_is_compiled_without_memory_statistics() {
    let options = compile_options();
    assert!(options.contains(&"DEFAULT_MEMSTATUS=0".to_owned()), ".cargo/config.toml did not arrive: {options:?}");
}

fn compile_options() -> Vec<String> {
    let db = Connection::open_in_memory().expect("a database");
    let mut statement = db.prepare("PRAGMA compile_options").expect("a query");
    let options = statement.query_map([], |row| row.get(0)).expect("rows");
    options.collect::<Result<_, _>>().expect("texts")
}

#[test]
fn a_reader_prepares_each_statement_once() {
    let folder = folder();
    let store = Store::open(folder.path()).expect("a store");
    ["a", "b", "c"].iter().for_each(|name| drop(assets::add(&store, name, "text")));
    let db = file::open_reader(&database(folder.path())).expect("a reader");
    let query = "SELECT id FROM format JOIN origin ON origin.row = format.origin WHERE asset = ?1 ORDER BY place";
    let mut statement = db.prepare(query).expect("a query");
    for asset in 1..=3 {
        statement.query_row([asset], |row| row.get::<_, String>(0)).expect("a format");
    }
    assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
}

#[test]
fn written_data_survives_reopening() {
    let folder = folder();
    add(&Store::open(folder.path()).expect("a store"), "{}").expect("written");
    assert_eq!(count(&Store::open(folder.path()).expect("a store")), 1);
}

#[test]
fn the_writer_syncs_every_commit() {
    let folder = folder();
    let store = Store::open(folder.path()).expect("a store");
    let settings = store.write(|db| {
        let journal: String = db.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        let synchronous: i64 = db.pragma_query_value(None, "synchronous", |row| row.get(0))?;
        let foreign_keys: i64 = db.pragma_query_value(None, "foreign_keys", |row| row.get(0))?;
        Ok((journal, synchronous, foreign_keys))
    });
    assert_eq!(settings, Ok(("wal".to_owned(), 2, 1)));
}

#[test]
fn a_failed_change_rolls_back_only_itself() {
    let store = Store::in_memory().expect("a store");
    add(&store, "first").expect("written");
    let refused = store.write(|db| -> Result<(), StoreError> {
        db.execute("INSERT INTO origin (document) VALUES ('lost')", [])?;
        Err(StoreError::invalid("no"))
    });
    assert_eq!(refused, Err(StoreError::invalid("no")));
    assert_eq!(count(&store), 1);
}

#[test]
fn a_panicking_change_is_rolled_back_and_the_next_one_runs() {
    let store = Store::in_memory().expect("a store");
    let panicked = store.write(|db| -> Result<(), StoreError> {
        db.execute("INSERT INTO origin (document) VALUES ('lost')", [])?;
        panic!("a fault");
    });
    assert!(matches!(panicked, Err(StoreError::Broken(_))));
    add(&store, "next").expect("written");
    assert_eq!(count(&store), 1);
}

#[test]
fn concurrent_reads_and_writes_are_not_refused() {
    let folder = folder();
    let store = Arc::new(Store::open(folder.path()).expect("a store"));
    std::thread::scope(|scope| {
        for writer in 0..32 {
            let store = store.clone();
            scope.spawn(move || {
                for number in 0..20 {
                    add(&store, format!("{writer}/{number}")).expect("written");
                    assert!(count(&store) > 0);
                }
            });
        }
    });
    assert_eq!(count(&store), 640);
}

#[test]
fn a_folder_has_one_owner_and_a_second_one_learns_which() {
    let folder = folder();
    let _owner = Store::open(folder.path()).expect("a store");
    let second = Store::open(folder.path()).err().expect("a refusal");
    assert!(matches!(second, StoreError::Locked { .. }));
    assert!(second.to_string().contains(&folder.path().display().to_string()), "{second}");
    #[cfg(unix)]
    assert!(second.to_string().contains(&format!("process {}", std::process::id())), "{second}");
}

#[test]
fn closing_a_store_releases_its_folder() {
    let folder = folder();
    drop(Store::open(folder.path()).expect("a store"));
    assert!(Store::open(folder.path()).is_ok());
}

#[test]
fn a_file_of_a_later_version_or_one_before_the_first_release_is_refused_with_both_numbers_and_left_untouched() {
    let (known, first) = (migration::known(), migration::MIGRATIONS.first);
    for (version, ours, advice) in
        [(9999, known, "use the newer program"), (9, first, "`lunette export` of that build")]
    {
        let folder = folder();
        drop(Store::open(folder.path()).expect("a store"));
        let file = database(folder.path());
        Connection::open(&file).and_then(|db| db.pragma_update(None, "user_version", version)).expect("a version");
        let before = fs::read(&file).expect("bytes");
        let refused = Store::open(folder.path()).err().expect("a refusal").to_string();
        let parts = [&version.to_string(), &ours.to_string(), advice, &*file.to_string_lossy()];
        assert!(parts.iter().all(|part| refused.contains(*part)), "{refused}");
        assert!(quarantine(folder.path()).is_err(), "an intact file is not set aside");
        assert_eq!(fs::read(&file).expect("bytes"), before);
        let beside = fs::read_dir(folder.path()).expect("the folder").flatten().map(|entry| entry.file_name());
        assert!(!beside.into_iter().any(|name| name == "lunette.sqlite3-wal" || name == "lunette.sqlite3-shm"));
    }
}

#[test]
fn a_change_interrupted_by_a_crash_is_rolled_back() {
    let (folder, crashed) = (folder(), folder());
    drop(Store::open(folder.path()).expect("a store"));
    let file = database(folder.path());
    let connection = Connection::open(&file).expect("a connection");
    // As the file is before its first log: pages go into it as soon as the cache has no room for them.
    connection
        .execute_batch(
            "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; UPDATE identity SET user = 'cut off';
             CREATE TABLE filler AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
             SELECT i, hex(zeroblob(400)) AS text FROM n;",
        )
        .expect("a change that is not committed");
    for piece in ["lunette.sqlite3", "lunette.sqlite3-journal"] {
        fs::copy(folder.path().join(piece), crashed.path().join(piece)).expect("what a crash leaves");
    }
    let store = Store::open(crashed.path()).expect("it is rolled back");
    assert_ne!(store.identity().user, "cut off");
    let filler = "SELECT count(*) FROM sqlite_schema WHERE name = 'filler'";
    assert_eq!(store.read(|db| Ok(db.query_row(filler, [], |row| row.get::<_, i64>(0))?)), Ok(0));
}

#[test]
fn a_path_that_cannot_be_a_folder_is_named() {
    let folder = folder();
    let file = folder.path().join("a file");
    fs::write(&file, "text").expect("written");
    let refused = Store::open(&file.join("below")).err().expect("a refusal");
    assert!(matches!(refused, StoreError::Unusable { .. }), "{refused}");
    assert!(refused.to_string().contains("a file"), "{refused}");
}

#[test]
fn leftovers_of_an_interrupted_first_start_are_ignored() {
    let folder = folder();
    fs::write(folder.path().join("lunette.sqlite3.new"), "half").expect("written");
    assert!(Store::open(folder.path()).is_ok());
    assert!(!folder.path().join("lunette.sqlite3.new").exists());
}

#[test]
fn closing_checkpoints_the_log() {
    let folder = folder();
    let store = Store::open(folder.path()).expect("a store");
    add(&store, "{}").expect("written");
    assert_eq!(count(&store), 1);
    drop(store);
    assert!(!folder.path().join("lunette.sqlite3-wal").exists());
}

#[test]
fn an_old_sqlite_is_refused() {
    assert!(file::require_version(3_051_002).is_err());
    assert!(rusqlite::version_number() >= 3_051_003);
}
