//! What was forgotten is in no file, a backup has what was there, and a store of the version before has an empty past.

use std::fs;
use std::path::Path;

use super::*;
use crate::store::disk::migration;

fn holds(folder: &Path, needle: impl AsRef<[u8]>) -> bool {
    let needle = needle.as_ref();
    fs::read_dir(folder).expect("a folder").flatten().filter(|entry| entry.path().is_file()).any(|entry| {
        let bytes = fs::read(entry.path()).expect("bytes");
        bytes.windows(needle.len()).any(|part| part == needle)
    })
}

/// What is stored of these versions of an asset, all of which are in order: a difference does not show the words in it.
fn stored(store: &Store, id: &str, versions: std::ops::RangeInclusive<i64>) -> Vec<Vec<u8>> {
    arrange_all(store);
    let asset = row_of(store, id);
    let query = "SELECT pieces FROM past WHERE asset = ?1 AND version BETWEEN ?2 AND ?3 ORDER BY version";
    let read = |db: &Connection| {
        let mut statement = db.prepare(query)?;
        let pieces = statement.query_map([asset, *versions.start(), *versions.end()], |row| row.get(0))?;
        Ok(pieces.collect::<Result<_, _>>()?)
    };
    store.read(read).expect("pieces")
}

#[test]
fn what_was_forgotten_is_neither_in_the_file_nor_in_its_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    let (id, other) = (add(&store, "one", "needle-in-the-past"), add(&store, "two", "something else"));
    rename(&store, &id, "needle-in-a-name");
    rename(&store, &id, "three");
    for number in 0..40 {
        edit(&store, &id, &format!("needle-in-the-past {number}"));
        edit(&store, &other, &format!("something else {number}"));
        if number % 10 == 0 {
            arrange_all(&store);
        }
    }
    edit(&store, &id, "nothing");
    let pieces = stored(&store, &id, 1..=43);
    assert!(holds(folder.path(), "needle-in-the-past") && holds(folder.path(), "needle-in-a-name"));
    assert!(pieces.len() == 43 && pieces.iter().all(|pieces| holds(folder.path(), pieces)));
    let kept = numbers(&store, &other);
    store.forget_versions(&id).expect("forgotten");
    assert!(!pieces.iter().any(|pieces| holds(folder.path(), pieces)));
    for needle in ["needle-in-the-past", "needle-in-a-name", "needle"] {
        assert!(!holds(folder.path(), needle), "{needle}");
    }
    let listed = store.versions_of(&id).expect("versions");
    assert_eq!((listed.entries.len(), listed.entries[0].number, listed.ended), (1, 44, Some(43)));
    assert_eq!(numbers(&store, &other), kept);
    assert_eq!(now_of(&store, &id).content, Some((false, b"nothing".to_vec())));
    edit(&store, &id, "goes on");
    assert_eq!(numbers(&store, &id), [45, 44]);
}

#[test]
fn what_was_deleted_for_good_can_be_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    let id = add(&store, "one", "needle-in-the-past");
    store.delete_asset(&id).expect("deleted");
    store.empty_trash(None).expect("emptied");
    assert_eq!(version(&store, &id, 1).expect("read").content, Some((false, b"needle-in-the-past".to_vec())));
    store.forget_versions(&id).expect("forgotten");
    assert!(!holds(folder.path(), "needle-in-the-past"));
}

#[test]
fn one_version_is_forgotten_alone_and_those_before_and_after_it_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    let id = add(&store, "one", "first");
    for number in 2..=70 {
        let text = if number == 40 { "needle-in-the-past".to_owned() } else { format!("text {number}") };
        edit(&store, &id, &text);
        if number == 39 {
            rename(&store, &id, "needle-in-a-name");
        }
        if number == 40 {
            rename(&store, &id, "three");
        }
    }
    let all: Vec<_> = (1..=72).map(|number| version(&store, &id, number).expect("read")).collect();
    let holding: Vec<i64> = (1..=72)
        .filter(|number| {
            format!("{:?}", all[*number as usize - 1]).contains("needle") || {
                let (_, text) = all[*number as usize - 1].content.clone().expect("text");
                String::from_utf8_lossy(&text).contains("needle")
            }
        })
        .collect();
    assert_eq!(holding, [40, 41, 42]);
    let pieces = stored(&store, &id, 40..=42);
    assert!(holds(folder.path(), "needle-in-a-name"));
    assert!(pieces.len() == 3 && pieces.iter().all(|pieces| holds(folder.path(), pieces)));
    for number in &holding {
        store.forget_version(&id, *number).expect("forgotten");
    }
    assert!(!pieces.iter().any(|pieces| holds(folder.path(), pieces)));
    for needle in ["needle-in-the-past", "needle-in-a-name", "needle"] {
        assert!(!holds(folder.path(), needle), "{needle}");
    }
    for number in 1..=72 {
        let read = version(&store, &id, number);
        match holding.contains(&number) {
            true => assert!(read.expect_err("forgotten").to_string().contains("it was forgotten"), "{number}"),
            false => assert_eq!(read.as_ref(), Ok(&all[number as usize - 1]), "{number}"),
        }
    }
    assert_eq!(numbers(&store, &id), (1..=72).rev().collect::<Vec<_>>());
    let now = store.forget_version(&id, 72).expect_err("it is what the asset is");
    assert!(now.to_string().contains("what the asset is now"), "{now}");
    assert!(matches!(store.forget_version(&id, 73), Err(StoreError::NoVersion { .. })));
}

#[test]
fn a_backup_has_the_versions_that_there_were() {
    let around = tempfile::tempdir().expect("a folder");
    let data = around.path().join("data");
    let store = Store::open(&data).expect("a store");
    let id = add(&store, "one", "first");
    edit(&store, &id, "second");
    arrange_all(&store);
    edit(&store, &id, "third");
    let expected: Vec<_> = (1..=3).map(|number| version(&store, &id, number)).collect();
    let backup = store.back_up().expect("a backup");
    edit(&store, &id, "fourth");
    drop(store);
    crate::store::restore(&data, &backup.path).expect("restored");
    let store = Store::open(&data).expect("a store");
    assert_eq!(numbers(&store, &id), [3, 2, 1]);
    let restored: Vec<_> = (1..=3).map(|number| version(&store, &id, number)).collect();
    assert_eq!(restored, expected);
    assert!(store.versions_of(&id).expect("versions").from_creation);
}

#[test]
fn a_store_of_the_version_before_opens_with_an_empty_past_that_is_not_said_to_be_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let store = Store::open(&data).expect("a store");
    let id = add(&store, "one", "first");
    drop(store);
    let db = Connection::open(data.join("lunette.sqlite3")).expect("a database");
    for table in ["past_log", "past_client", "past", "past_status", "past_gap", "checkpoint"] {
        db.execute_batch(&format!("DROP TABLE {table}")).expect("dropped");
    }
    db.pragma_update(None, "user_version", migration::known() - 3).expect("an earlier version");
    drop(db);
    let store = Store::open(&data).expect("a store");
    let listed = store.versions_of(&id).expect("versions");
    assert_eq!((listed.entries.len(), listed.from_creation, listed.entries[0].at), (1, false, None));
    edit(&store, &id, "second");
    assert_eq!(version(&store, &id, 1).expect("read").content, Some((false, b"first".to_vec())));
    assert!(!store.versions_of(&id).expect("versions").from_creation);
    let new = add(&store, "two", "text");
    assert!(store.versions_of(&new).expect("versions").from_creation);
}
