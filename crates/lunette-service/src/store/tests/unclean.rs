//! A database that was not closed cleanly: a small one is checked before it is used, a large one while it is in use.

use std::io::{Seek as _, SeekFrom, Write as _};

use super::*;
use crate::store::Health;

/// A folder whose database is over 64 MiB and was not closed cleanly; and the first page of a table that nothing reads.
fn large_and_unclean() -> (tempfile::TempDir, u64) {
    let folder = folder();
    let root = filler(folder.path(), 70, 1_000_000);
    leave_log(folder.path());
    (folder, root)
}

/// Makes a store with so many contents of no format; returns the first page of their table.
fn filler(data: &Path, count: i64, bytes: i64) -> u64 {
    drop(Store::open(data).expect("a store"));
    let db = Connection::open(database(data)).expect("a database");
    db.execute_batch("PRAGMA foreign_keys = OFF").expect("as it is by default");
    for number in 0..count {
        db.execute("INSERT INTO content (format, bytes) VALUES (?1, zeroblob(?2))", [number, bytes]).expect("added");
    }
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'content'";
    db.query_row(root, [], |row| row.get::<_, i64>(0)).expect("a table") as u64
}

/// What a process leaves that was killed.
fn leave_log(data: &Path) {
    fs::write(data.join("lunette.sqlite3-wal"), "").expect("written");
}

fn damage(data: &Path, root: u64) {
    let mut file = fs::File::options().write(true).open(database(data)).expect("the database");
    file.seek(SeekFrom::Start((root - 1) * 4096)).expect("the page");
    file.write_all(&[0xEE; 4096]).expect("damaged");
}

fn is_marked(data: &Path) -> bool {
    data.join("lunette.unchecked").exists()
}

#[test]
fn a_large_database_is_usable_while_it_is_checked() {
    let (folder, _) = large_and_unclean();
    let store = Store::open(folder.path()).expect("a store");
    add(&store, "written meanwhile").expect("written");
    assert!(store.status.wait_until(|| !is_marked(folder.path()) || store.health() != Health::Healthy));
    assert_eq!((store.health(), is_marked(folder.path())), (Health::Healthy, false));
}

#[test]
fn damage_of_a_large_database_stops_writes_and_the_next_start_refuses_it() {
    let (folder, root) = large_and_unclean();
    damage(folder.path(), root);
    let store = Store::open(folder.path()).expect("a store");
    assert!(store.status.wait_until(|| store.health() == Health::Failed), "the damage is found");
    assert!(matches!(add(&store, "more"), Err(StoreError::Corrupt { .. })));
    drop(store);
    // It was closed cleanly now, and is refused all the same, where it can be moved aside or restored.
    let refused = Store::open(folder.path()).err().expect("a refusal");
    assert!(matches!(refused, StoreError::Corrupt { .. }), "{refused}");
}

#[test]
fn an_interrupted_check_is_repeated_at_the_next_start() {
    let (folder, root) = large_and_unclean();
    fs::write(folder.path().join("lunette.unchecked"), "").expect("written");
    fs::remove_file(folder.path().join("lunette.sqlite3-wal")).expect("it was closed cleanly");
    damage(folder.path(), root);
    let store = Store::open(folder.path()).expect("a store");
    assert!(store.status.wait_until(|| store.health() == Health::Failed), "the damage is found");
}

#[test]
fn a_small_database_that_is_damaged_is_refused_before_it_is_used() {
    let folder = folder();
    let root = filler(folder.path(), 1, 100_000);
    damage(folder.path(), root);
    leave_log(folder.path());
    let refused = Store::open(folder.path()).err().expect("a refusal");
    assert!(matches!(refused, StoreError::Corrupt { .. }), "{refused}");
    assert!(!is_marked(folder.path()));
}
