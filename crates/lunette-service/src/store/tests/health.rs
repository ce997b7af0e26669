//! Health is reported, and the store recovers by itself once the failure is over.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::sync::mpsc;

use super::*;

/// Waits until the writer has made this true.
fn until(store: &Store, what: &str, holds: impl FnMut() -> bool) {
    assert!(store.status.wait_until(holds), "still not: {what}");
}

/// SQLite's own limit fails as a full disk does.
fn limit(store: &Store, pages: i64) {
    store.write(move |db| Ok(db.pragma_update(None, "max_page_count", pages)?)).expect("a limit");
}

fn pages(store: &Store) -> i64 {
    store.write(|db| Ok(db.query_row("PRAGMA page_count", [], |row| row.get(0))?)).expect("a count")
}

fn ballast(data: &Path) -> u64 {
    fs::metadata(data.join("lunette.reserve")).map_or(0, |found| found.len())
}

#[test]
fn a_full_disk_is_reported_loses_nothing_and_recovers() {
    let folder = folder();
    let store = Store::open(folder.path()).expect("a store");
    let whole = Ballast::of(folder.path()).bytes();
    add(&store, "kept").expect("written");
    assert_eq!((store.health(), ballast(folder.path())), (Health::Healthy, whole));
    limit(&store, pages(&store) + 2);
    assert_eq!(add(&store, "x".repeat(1_000_000)), Err(StoreError::Full));
    assert_eq!((store.health(), ballast(folder.path())), (Health::Full, whole), "the reserve is for deletions alone");
    assert_eq!(count(&store), 1);
    limit(&store, 1_000_000);
    add(&store, "next").expect("written");
    assert_eq!((store.health(), ballast(folder.path())), (Health::Healthy, whole));
    assert_eq!(count(&store), 2);
}

#[test]
fn a_deletion_on_a_full_disk_is_retried_with_the_ballast() {
    let folder = folder();
    let store = Store::open(folder.path()).expect("a store");
    add(&store, "first").expect("written");
    let (data, mut runs) = (folder.path().to_owned(), 0);
    let deleted = store.write_freeing(move |db| {
        runs += 1;
        db.execute("DELETE FROM origin", [])?;
        let given_up = !data.join("lunette.reserve").exists();
        if given_up { Ok(runs) } else { Err(StoreError::Full) }
    });
    assert_eq!(deleted, Ok(2), "it ran again, and the space of the reserve was free then");
    assert_eq!(count(&store), 0);
    assert_eq!(ballast(folder.path()), Ballast::of(folder.path()).bytes(), "the reserve is whole again");
}

#[test]
fn an_insert_runs_once_and_fails_alone_beside_a_deletion() {
    let folder = folder();
    let store = Store::open(folder.path()).expect("a store");
    add(&store, "first").expect("written");
    let (data, (began, has_begun)) = (folder.path().to_owned(), mpsc::channel::<()>());
    std::thread::scope(|scope| {
        // Both wait for this one, so that they are of one commit.
        let first = scope.spawn(|| store.write(move |_| has_begun.recv().map_err(|_| StoreError::invalid("no"))));
        let adding = scope.spawn(|| store.write(|_| -> Result<(), StoreError> { Err(StoreError::Full) }));
        let deleting = scope.spawn(|| {
            store.write_freeing(move |db| {
                db.execute("DELETE FROM origin", [])?;
                if data.join("lunette.reserve").exists() { Err(StoreError::Full) } else { Ok(()) }
            })
        });
        began.send(()).expect("heard");
        assert_eq!(first.join().expect("it ran"), Ok(()));
        assert_eq!(adding.join().expect("it ran"), Err(StoreError::Full));
        assert_eq!(deleting.join().expect("it ran"), Ok(()));
    });
    assert_eq!(count(&store), 0);
}

#[test]
fn a_full_disk_with_space_again_is_detected_without_a_write() {
    let folder = folder();
    let store = Store::open(folder.path()).expect("a store");
    limit(&store, pages(&store) + 2);
    assert_eq!(add(&store, "x".repeat(1_000_000)), Err(StoreError::Full));
    until(&store, "well again", || store.health() == Health::Healthy);
}

#[test]
fn a_read_only_store_reports_it_and_recovers_without_a_restart() {
    let folder = folder();
    let store = Store::open(folder.path()).expect("a store");
    add(&store, "kept").expect("written");
    // What a disk that became read-only answers.
    store.write(|db| Ok(db.pragma_update(None, "query_only", true)?)).expect("set");
    let refused = add(&store, "refused");
    assert!(matches!(refused, Err(StoreError::ReadOnly { .. })), "{refused:?}");
    assert_eq!(store.health(), Health::ReadOnly);
    assert_eq!(count(&store), 1);
    add(&store, "next").expect("the writer has another connection now");
    assert_eq!(store.health(), Health::Healthy);
}

/// Writes over a part of a file that is open; gives what was there.
fn overwrite(path: &Path, offset: u64, bytes: &[u8]) -> Vec<u8> {
    let before = fs::read(path).expect("bytes")[offset as usize..offset as usize + bytes.len()].to_vec();
    let mut file = fs::File::options().write(true).open(path).expect("the file");
    file.seek(SeekFrom::Start(offset)).and_then(|_| file.write_all(bytes)).expect("written");
    before
}

#[test]
fn damage_found_at_run_time_blocks_writes_until_the_file_is_intact() {
    let folder = folder();
    let store = Store::open(folder.path()).expect("a store");
    for number in 0..200 {
        add(&store, format!("{number} {}", "x".repeat(3000))).expect("written");
    }
    drop(store);
    let store = Store::open(folder.path()).expect("a store");
    let root: u64 = store
        .read(|db| {
            let query = "SELECT rootpage FROM sqlite_schema WHERE name = 'origin'";
            Ok(db.query_row(query, [], |row| row.get::<_, i64>(0))? as u64)
        })
        .expect("a page");
    let before = overwrite(&database(folder.path()), (root - 1) * 4096, &[0xEE; 4096]);
    let failed =
        store.read(|db| Ok(db.query_row("SELECT count(document) FROM origin", [], |row| row.get::<_, i64>(0))?));
    assert!(matches!(failed, Err(StoreError::Disk(_))), "{failed:?}");
    until(&store, "known as failed", || store.health() == Health::Failed);
    let refused = add(&store, "refused").expect_err("the file is damaged");
    assert!(matches!(refused, StoreError::Disk(_) | StoreError::Corrupt { .. }), "{refused}");
    // What can be read is read.
    assert_eq!(store.read(|db| Ok(db.query_row("SELECT count(*) FROM asset", [], |row| row.get(0))?)), Ok(0));
    overwrite(&database(folder.path()), (root - 1) * 4096, &before);
    until(&store, "well again", || store.health() == Health::Healthy);
    add(&store, "next").expect("written");
    assert_eq!(count(&store), 201);
}

#[test]
fn a_disk_failure_in_one_change_is_reported_to_every_change_of_the_commit() {
    let folder = folder();
    let store = Store::open(folder.path()).expect("a store");
    let failed = store.write(|db| -> Result<(), StoreError> {
        db.execute("INSERT INTO origin (document) VALUES ('lost')", [])?;
        Err(StoreError::Disk("disk I/O error".to_owned()))
    });
    assert!(matches!(failed, Err(StoreError::Disk(_))), "{failed:?}");
    // Its health is not asserted here: the next idle moment, after 10 ms, finds the file sound.
    assert_eq!(count(&store), 0);
    add(&store, "next").expect("the file was looked at and is sound");
    assert_eq!((store.health(), count(&store)), (Health::Healthy, 1));
}

#[test]
fn the_log_is_checkpointed_once_a_slow_reader_is_gone() {
    let folder = folder();
    let store = Store::open(folder.path()).expect("a store");
    let log = || fs::metadata(folder.path().join("lunette.sqlite3-wal")).map_or(0, |found| found.len());
    let (begun, has_begun) = mpsc::channel();
    let (end, ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let store = &store;
        scope.spawn(move || {
            store.read(|db| {
                let seen: i64 = db.query_row("SELECT count(*) FROM origin", [], |row| row.get(0))?;
                begun.send(()).expect("heard");
                ended.recv().ok();
                let again: i64 = db.query_row("SELECT count(*) FROM origin", [], |row| row.get(0))?;
                assert_eq!(seen, again, "a reader sees one moment");
                Ok(())
            })
        });
        has_begun.recv().expect("it reads");
        for number in 0..24 {
            add(store, format!("{number} {}", "x".repeat(1 << 20))).expect("written");
        }
        assert!(log() > 20 << 20, "{} bytes", log());
        let folded_in = || log() <= 8 << 20;
        // An idle moment comes, and the reader is in the way; who writes is not held up by it.
        let mut turns = 0;
        until(store, "idle", || {
            turns += 1;
            turns > 2
        });
        assert!(!folded_in(), "{} bytes", log());
        add(store, "meanwhile").expect("written");
        end.send(()).expect("heard");
    });
    until(&store, "folded in", || log() <= 8 << 20);
    assert_eq!(count(&store), 25);
}
