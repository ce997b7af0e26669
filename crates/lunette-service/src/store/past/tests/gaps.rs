//! Times in which no versions are kept: what is kept from before stays readable, and what was not recorded is said to be so.

use std::collections::BTreeMap;

use super::bounds::prune_within;
use super::changes::{Story, numbers_of};
use super::*;
use crate::store::now;

const DAY: i64 = 24 * 60 * 60 * 1_000_000;
const NONE: PastBounds = PastBounds { versions: 0, ..WIDE };
const WIDE: PastBounds = PastBounds { days: 90, versions: 200, bytes: 1 << 30 };

fn set(store: &Store, bounds: PastBounds) {
    store.set_past_bounds(bounds).expect("set");
}

/// What is said of each version, the newest first: its number, and why it is missing.
fn listed(store: &Store, id: &str) -> Vec<(i64, Option<&'static str>)> {
    let listed = store.versions_of(id).expect("versions");
    listed.entries.iter().map(|entry| (entry.number, entry.missing)).collect()
}

fn text(store: &Store, id: &str, number: i64) -> String {
    let (_, bytes) = version(store, id, number).expect("read").content.expect("content");
    String::from_utf8(bytes).expect("text")
}

fn logged(store: &Store) -> i64 {
    store.read(|db| Ok(db.query_row("SELECT count(*) FROM past_log", [], |row| row.get(0))?)).expect("counted")
}

#[test]
fn versions_of_an_asset_that_did_not_change_while_none_were_kept_are_read_as_before() {
    let store = Store::in_memory().expect("a store");
    let id = add(&store, "one", "first");
    edit(&store, &id, "second");
    rename(&store, &id, "two");
    set(&store, NONE);
    set(&store, WIDE);
    assert_eq!(listed(&store, &id), [(3, None), (2, None), (1, None)]);
    edit(&store, &id, "third");
    assert_eq!(listed(&store, &id), [(4, None), (3, None), (2, None), (1, None)]);
    assert_eq!([1, 2, 3, 4].map(|number| text(&store, &id, number)), ["first", "second", "second", "third"]);
    let versions = store.versions_of(&id).expect("versions");
    assert_eq!((versions.gaps.len(), versions.from_creation), (1, true));
}

#[test]
fn a_version_that_was_replaced_while_none_were_kept_is_missing_and_those_before_are_whole() {
    let store = Store::in_memory().expect("a store");
    let id = add(&store, "one", "first");
    as_client(Some("editor"), || edit(&store, &id, "second"));
    as_client(Some("editor"), || edit(&store, &id, "third"));
    set(&store, NONE);
    edit(&store, &id, "fourth");
    rename(&store, &id, "two");
    edit(&store, &id, "fifth");
    assert_eq!(logged(&store), 0, "nothing is recorded of it");
    let missing = Some("it was not recorded");
    assert_eq!(listed(&store, &id), [(4, None), (3, missing), (2, None), (1, None)]);
    set(&store, WIDE);
    edit(&store, &id, "sixth");
    for _ in 0..2 {
        assert_eq!(listed(&store, &id), [(5, None), (4, None), (3, missing), (2, None), (1, None)]);
        assert_eq!([1, 2, 4, 5].map(|number| text(&store, &id, number)), ["first", "second", "fifth", "sixth"]);
        let versions = store.versions_of(&id).expect("versions");
        let who: Vec<_> = versions.entries.iter().map(|entry| (entry.at.is_some(), entry.client.as_deref())).collect();
        // Which of the changes that were not recorded wrote version 4 is not known.
        let editor = (true, Some("editor"));
        assert_eq!(who, [(true, None), (false, None), editor, editor, (true, None)]);
        assert!(versions.from_creation && versions.gaps.len() == 1);
        arrange_all(&store);
    }
}

#[test]
fn what_was_created_and_changed_while_none_were_kept_is_not_called_what_it_was_created_as() {
    let store = Store::in_memory().expect("a store");
    set(&store, NONE);
    let id = add(&store, "one", "first");
    edit(&store, &id, "second");
    set(&store, WIDE);
    for numbers in [&[(1, None)][..], &[(2, None), (1, None)]] {
        assert_eq!(listed(&store, &id), numbers);
        let versions = store.versions_of(&id).expect("versions");
        let first = versions.entries.last().expect("a version");
        assert_eq!((versions.from_creation, first.at, first.changed.as_slice()), (false, None, [].as_slice()));
        assert_eq!(text(&store, &id, 1), "second");
        rename(&store, &id, "two");
    }
}

#[test]
fn an_asset_that_was_deleted_for_good_while_none_were_kept_has_its_versions_from_before() {
    let store = Store::in_memory().expect("a store");
    let id = add(&store, "one", "first");
    let large = "a line of a large text\n".repeat(20_000);
    edit(&store, &id, &large);
    edit(&store, &id, "third");
    set(&store, NONE);
    store.delete_asset(&id).expect("deleted");
    store.empty_trash(None).expect("emptied");
    set(&store, WIDE);
    assert_eq!(listed(&store, &id), [(4, None), (3, Some("it was not recorded")), (2, None), (1, None)]);
    assert_eq!((text(&store, &id, 1).as_str(), text(&store, &id, 2) == large), ("first", true));
}

#[test]
fn several_links_made_together_while_none_are_kept_leave_older_versions_whole() {
    let store = Store::in_memory().expect("a store");
    let (id, tags) = (add(&store, "one", "first"), ["a", "b", "c"].map(|text| add_tag(&store, text)));
    edit(&store, &id, "second");
    set(&store, NONE);
    tags.iter().for_each(|tag| store.link(&id, ItemKind::Tag, tag).expect("linked"));
    set(&store, WIDE);
    store.unlink(&id, ItemKind::Tag, &tags[0]).expect("unlinked");
    assert_eq!(version(&store, &id, 1).expect("read").state.items.len(), 0);
    assert_eq!(version(&store, &id, 3).expect("read").state.items.len(), 3);
    assert_eq!(version(&store, &id, 4).expect("read").state.items.len(), 2);
}

#[test]
fn a_gap_that_ended_before_an_asset_was_created_is_none_of_its() {
    let store = Store::in_memory().expect("a store");
    set(&store, NONE);
    let within = add(&store, "one", "first");
    set(&store, WIDE);
    let after = add(&store, "two", "first");
    edit(&store, &after, "second");
    assert_eq!(store.versions_of(&after).expect("versions").gaps, []);
    assert_eq!(store.versions_of(&within).expect("versions").gaps.len(), 1);
}

#[test]
fn a_gap_of_an_earlier_program_breaks_what_hangs_on_it_and_ends_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    let id = add(&store, "one", "first");
    edit(&store, &id, "second");
    set(&store, NONE);
    store.write(|db| Ok(db.execute("UPDATE past_gap SET marked = 0", []).map(drop)?)).expect("as it was");
    drop(store);
    let store = Store::open(folder.path()).expect("a store");
    // The writer begins with that.
    store.write(|_| Ok(())).expect("written");
    let gaps = store.read(gap::all).expect("gaps");
    let marks: Vec<_> = gaps.iter().map(|gap| (gap.is_marked, gap.ended.is_some())).collect();
    assert_eq!(marks, [(true, false), (false, true)]);
    assert_eq!(listed(&store, &id), [(2, None), (1, Some("it was not recorded"))]);
}

#[test]
fn bounds_that_cannot_be_stored_are_not_set() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    std::fs::create_dir(folder.path().join("versions.json")).expect("in the way");
    assert!(store.set_past_bounds(NONE).is_err());
    assert_eq!((store.past_bounds(), store.read(gap::all).expect("gaps")), (PastBounds::default(), Vec::new()));
    let id = add(&store, "one", "first");
    edit(&store, &id, "second");
    assert_eq!(text(&store, &id, 1), "first");
}

/// What an asset is known to have been, by the number of the version; None where it was not recorded.
type Known = BTreeMap<i64, Option<Whole>>;

/// One of the things that may happen, at random; what is known of the asset afterwards.
fn step(story: &mut Story, known: &mut Known) {
    let (before, kind) = (numbers_of(story), story.random(20));
    let random = PastBounds {
        versions: story.random(12) as u32 + 1,
        bytes: [200, 4000, 1 << 30][story.random(3)],
        days: story.random(3) as u32 * 30,
    };
    match kind {
        0 | 1 => set(&story.store, NONE),
        2 | 3 => set(&story.store, random),
        4 => set(&story.store, WIDE),
        5 => {
            prune_within(&story.store, &story.store.bounds, now());
        }
        6 => {
            prune_within(&story.store, &story.store.bounds, now() + 40 * DAY);
        }
        7 => arrange_all(&story.store),
        8 => drop(story.store.make_checkpoint("a".to_owned(), None, false).expect("a checkpoint")),
        9 => {
            for checkpoint in story.store.checkpoints().expect("checkpoints") {
                story.store.delete_checkpoint(&checkpoint.id).expect("deleted");
            }
        }
        _ => story.change(),
    }
    let (after, is) = (numbers_of(story), now_of(&story.store, &story.id));
    let keeps = story.store.past_bounds().keeps();
    match (after - before, keeps) {
        (0, _) => {}
        (1, true) => {}
        (1, false) => drop(known.insert(before, None)),
        // It was deleted and restored.
        (2, true) => {
            let mut deleted = is.clone();
            deleted.state.deletion = Deletion::Trashed;
            known.insert(before + 1, Some(deleted));
        }
        (more, _) => panic!("{more} versions of one change"),
    }
    known.insert(after, Some(is));
}

/// Every version that is listed is read back as it was, or is said to be missing if it was not recorded.
fn check(story: &Story, known: &Known, at: &str) {
    let listed = story.store.versions_of(&story.id).expect("versions");
    let numbers: Vec<i64> = listed.entries.iter().map(|entry| entry.number).collect();
    let newest = numbers_of(story);
    assert_eq!(numbers, (listed.ended.unwrap_or_default() + 1..=newest).rev().collect::<Vec<_>>(), "{at}");
    for entry in &listed.entries {
        let (number, read) = (entry.number, version(&story.store, &story.id, entry.number));
        match &known[&number] {
            Some(was) => {
                assert_eq!(read.as_ref(), Ok(was), "{at}, version {number}");
                assert_eq!(entry.missing, None, "{at}, version {number}");
            }
            None => {
                assert!(read.is_err() && entry.missing == Some("it was not recorded"), "{at}, version {number}");
                assert!(!listed.gaps.is_empty(), "{at}, version {number}");
            }
        }
    }
}

#[test]
fn whatever_happens_to_bounds_every_version_that_is_listed_is_read_back_byte_for_byte() {
    for seed in 1..=12 {
        let folder = tempfile::tempdir().expect("a folder");
        let mut story = Story::begin_in(Store::open(folder.path()).expect("a store"), seed);
        let mut known = Known::from([(1, Some(now_of(&story.store, &story.id)))]);
        for number in 0..80 {
            step(&mut story, &mut known);
            check(&story, &known, &format!("seed {seed}, step {number}"));
        }
    }
}
