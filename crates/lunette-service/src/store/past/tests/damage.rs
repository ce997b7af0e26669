//! What is damaged is missing by its number, and no more goes with it than hangs on it.

use super::*;

/// A store with an asset of so many versions, all in order, and what they are.
fn versions(count: usize) -> (Store, String, Vec<Whole>) {
    let store = Store::in_memory().expect("a store");
    let id = add(&store, "one", &text(0));
    let mut states = vec![now_of(&store, &id)];
    for number in 1..count {
        edit(&store, &id, &text(number));
        states.push(now_of(&store, &id));
    }
    arrange_all(&store);
    (store, id, states)
}

fn text(number: usize) -> String {
    format!("{}version {number}\n", "one of many lines\n".repeat(60))
}

#[test]
fn what_hangs_on_a_damaged_version_is_missing_by_its_number_and_the_others_are_whole() {
    let (store, id, states) = versions(100);
    store
        .write(|db| {
            let damage = "UPDATE past SET pieces = CAST(substr(pieces, 1, 20) || x'00' || substr(pieces, 22) AS BLOB) WHERE version = 50";
            Ok(db.execute(damage, []).map(drop)?)
        })
        .expect("damaged");
    let listed = store.versions_of(&id).expect("versions");
    for number in 1..=100_i64 {
        let read = version(&store, &id, number);
        let entry = listed.entries.iter().find(|entry| entry.number == number).expect("an entry");
        // Version 32 is whole, and so those before it hang on it.
        match (33..=50).contains(&number) {
            true => {
                let error = read.expect_err("missing");
                assert!(matches!(error, StoreError::NoVersion { number: missing, .. } if missing == number), "{error}");
                assert!(entry.missing.is_some());
            }
            false => {
                assert_eq!(read.as_ref(), Ok(&states[number as usize - 1]), "version {number}");
                assert_eq!(entry.missing, None);
            }
        }
    }
}

#[test]
fn a_version_is_read_from_the_next_whole_one_and_needs_none_that_is_later() {
    let (store, id, states) = versions(100);
    let damage = "UPDATE past SET pieces = x'00' WHERE version > 64";
    store.write(move |db| Ok(db.execute(damage, []).map(drop)?)).expect("damaged");
    for number in 1..=64 {
        assert_eq!(version(&store, &id, number).as_ref(), Ok(&states[number as usize - 1]), "version {number}");
        let record = store.version_of(&id, number, Read::Record).expect("read");
        assert_eq!(record.state, states[number as usize - 1].state, "version {number}");
    }
}

#[test]
fn time_in_which_no_versions_were_kept_is_a_gap_and_nothing_is_made_up_for_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let store = Store::open(&data).expect("a store");
    let id = add(&store, "one", &text(0));
    for number in 1..40 {
        edit(&store, &id, &text(number));
    }
    arrange_all(&store);
    let last = version(&store, &id, 39).expect("read");
    drop(store);
    let store = Store::open_keeping(&data, PastBounds::NONE).expect("a store");
    edit(&store, &id, &text(100));
    edit(&store, &id, &text(101));
    assert_eq!(store.versions_of(&id).expect("versions").entries.len(), 41);
    drop(store);
    let store = Store::open(&data).expect("a store");
    let now = now_of(&store, &id);
    edit(&store, &id, &text(200));
    let listed = store.versions_of(&id).expect("versions");
    assert_eq!(listed.gaps.len(), 1);
    assert!(listed.gaps[0].1.is_some_and(|ended| ended > listed.gaps[0].0));
    let missing: Vec<_> =
        listed.entries.iter().filter(|entry| entry.missing.is_some()).map(|entry| entry.number).collect();
    assert_eq!(missing, [40]);
    assert_eq!(version(&store, &id, 41), Ok(now));
    assert_eq!(version(&store, &id, 39), Ok(last));
    let error = version(&store, &id, 40).expect_err("missing").to_string();
    assert!(error.contains("not recorded"), "{error}");
}
