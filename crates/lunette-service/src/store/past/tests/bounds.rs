//! Versions that are too old, too many or too large go, the oldest first, and say that they went.

use std::path::Path;
use std::sync::mpsc;

use super::*;
use crate::store::interrupt::InterruptToken;
use crate::store::now;

const DAY: i64 = 24 * 60 * 60 * 1_000_000;

fn opened(folder: &Path) -> Store {
    Store::open(folder).expect("a store")
}

/// Deletes what is beyond the bounds; returns of how many assets versions went.
fn prune_by(store: &Store, bounds: PastBounds, now: i64) -> usize {
    prune_within(store, &Arc::new(CurrentBounds::of(None, Some(bounds))), now).assets
}

pub(super) fn prune_within(store: &Store, bounds: &Arc<CurrentBounds>, now: i64) -> Pruned {
    arrange_all(store);
    store.write(|db| Ok(db.execute("UPDATE past_status SET pruned = 0", []).map(drop)?)).expect("due");
    let folder = store.folder().expect("a folder").join("lunette.sqlite3");
    let queue = store.writer.queue().expect("a queue");
    prune(&folder, &queue, bounds, now, &InterruptToken::default()).expect("pruned")
}

fn edited(store: &Store, edits: usize) -> String {
    let id = add(store, "one", "0");
    (1..=edits).for_each(|number| edit(store, &id, &number.to_string()));
    id
}

fn kept(store: &Store, id: &str) -> (Vec<i64>, Option<i64>) {
    let listed = store.versions_of(id).expect("versions");
    assert!(listed.entries.iter().all(|entry| entry.missing.is_none()), "{listed:?}");
    (listed.entries.iter().map(|entry| entry.number).collect(), listed.ended)
}

#[test]
fn only_so_many_versions_are_kept_and_numbers_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = opened(folder.path());
    let (id, other) = (edited(&store, 9), edited(&store, 2));
    let bounds = PastBounds { versions: 4, ..PastBounds::default() };
    assert_eq!(prune_by(&store, bounds, now()), 1);
    assert_eq!(kept(&store, &id), ((6..=10).rev().collect(), Some(5)));
    assert_eq!(kept(&store, &other), (vec![3, 2, 1], None));
    assert_eq!(version(&store, &id, 6).expect("read").content, Some((false, b"5".to_vec())));
    let error = version(&store, &id, 5).expect_err("gone").to_string();
    assert!(error.contains("no longer kept"), "{error}");
    edit(&store, &id, "again");
    assert_eq!(kept(&store, &id).0[0], 11);
    assert_eq!(prune_by(&store, bounds, now()), 1);
    assert_eq!(kept(&store, &id), ((7..=11).rev().collect(), Some(6)));
}

#[test]
fn versions_go_after_their_days_unless_a_checkpoint_holds_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = opened(folder.path());
    let id = edited(&store, 3);
    let checkpoint = store.make_checkpoint("before".to_owned(), None, false).expect("a checkpoint");
    edit(&store, &id, "after");
    let later = now() + 91 * DAY;
    assert_eq!(prune_by(&store, PastBounds::default(), later), 1);
    assert_eq!(kept(&store, &id), (vec![5, 4], Some(3)));
    store.delete_checkpoint(&checkpoint.id).expect("deleted");
    assert_eq!(store.checkpoints().expect("checkpoints"), []);
    assert_eq!(prune_by(&store, PastBounds::default(), later), 1);
    assert_eq!(kept(&store, &id), (vec![5], Some(4)));
}

#[test]
fn an_automatic_checkpoint_holds_no_versions_and_goes_with_the_oldest() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = opened(folder.path());
    let id = edited(&store, 3);
    store.make_checkpoint("Before: a run".to_owned(), None, true).expect("a checkpoint");
    assert_eq!(prune_by(&store, PastBounds::default(), now()), 0);
    assert_eq!(store.checkpoints().expect("checkpoints").len(), 1);
    assert_eq!(prune_by(&store, PastBounds::default(), now() + 91 * DAY), 1);
    assert_eq!(kept(&store, &id), (vec![4], Some(3)));
    assert_eq!(store.checkpoints().expect("checkpoints"), []);
}

#[test]
fn an_asset_of_very_many_versions_is_pruned_in_parts_that_each_say_what_is_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = opened(folder.path());
    let id = edited(&store, 3);
    arrange_all(&store);
    let asset = row_of(&store, &id);
    store
        .write(move |db| {
            db.execute(
                "WITH RECURSIVE number (n) AS (SELECT 4 UNION ALL SELECT n + 1 FROM number WHERE n < 3000)
                 INSERT INTO past (asset, version, at, pieces) SELECT ?1, n, 9000000000000000 + n, randomblob(60) FROM number",
                [asset],
            )?;
            Ok(())
        })
        .expect("made");
    let bounds = PastBounds { versions: 10, ..PastBounds::default() };
    assert_eq!(prune_by(&store, bounds, now()), 1);
    let listed = store.versions_of(&id).expect("versions");
    assert_eq!((listed.entries.len(), listed.ended), (11, Some(2990)));
}

#[test]
fn more_bytes_than_are_allowed_go_by_their_age() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = opened(folder.path());
    let id = edited(&store, 5);
    assert_eq!(prune_by(&store, PastBounds { bytes: 1 << 20, ..PastBounds::default() }, now()), 0);
    assert_eq!(prune_by(&store, PastBounds { bytes: 100, ..PastBounds::default() }, now()), 1);
    assert_eq!(kept(&store, &id), (vec![6], Some(5)));
}

#[test]
fn pruning_is_done_by_the_maintenance_once_a_day() {
    let folder = tempfile::tempdir().expect("a folder");
    let store =
        Store::open_keeping(folder.path(), PastBounds { versions: 1, ..PastBounds::default() }).expect("a store");
    let id = edited(&store, 3);
    arrange_all(&store);
    store.run_daily();
    assert_eq!(kept(&store, &id), (vec![4, 3], Some(2)));
    (10..13).for_each(|number| edit(&store, &id, &number.to_string()));
    arrange_all(&store);
    store.run_daily();
    assert_eq!(kept(&store, &id).0.len(), 5);
}

/// A store with so many assets of ten versions each that are a day older than any may be.
fn with_old_versions(folder: &Path, assets: usize) -> (Store, String) {
    let store = opened(folder);
    let id = add(&store, "one", "0");
    store
        .write(move |db| {
            db.execute(
                "WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 10 * ?1 - 1)
                 INSERT INTO past (asset, version, at, pieces)
                 SELECT 1000 + n / 10, n % 10 + 1, 1000000 + n, randomblob(60) FROM number",
                [assets as i64],
            )?;
            Ok(())
        })
        .expect("made");
    (store, id)
}

#[test]
fn pruning_is_done_in_commits_of_few_versions_between_which_writes_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, id) = with_old_versions(folder.path(), 3000);
    let bounds = Arc::new(CurrentBounds::of(None, Some(PastBounds::default())));
    let pruned = std::thread::scope(|scope| {
        let pruning = scope.spawn(|| prune_within(&store, &bounds, now()));
        for number in 0..20 {
            rename(&store, &id, &format!("name {number}"));
        }
        pruning.join().expect("pruned")
    });
    assert_eq!(pruned.assets, 3000);
    // A part may end within a step.
    let most = (prune::PART_VERSIONS + 64) as usize;
    assert!(pruned.parts >= 30_000 / most, "{pruned:?}");
    assert_eq!(numbers(&store, &id).len(), 21);
}

#[test]
fn bounds_that_are_widened_while_it_prunes_end_it_and_what_is_left_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = opened(folder.path());
    let id = edited(&store, 9);
    let bounds = Arc::new(CurrentBounds::of(None, Some(PastBounds { versions: 2, ..PastBounds::default() })));
    arrange_all(&store);
    let (release, released) = mpsc::channel::<()>();
    // Every part waits for this.
    let wait = move || released.recv().unwrap_or_default();
    let held = store
        .queue_change(move |_| {
            wait();
            Ok(())
        })
        .expect("queued");
    std::thread::scope(|scope| {
        let queue = store.writer.queue().expect("a queue");
        let (database, bounds) = (folder.path().join("lunette.sqlite3"), &bounds);
        let pruning = scope.spawn(move || prune(&database, &queue, bounds, now(), &InterruptToken::default()));
        bounds.set(PastBounds::default()).expect("set");
        release.send(()).expect("it waits");
        pruning.join().expect("no panic").expect("pruned");
    });
    held.wait().expect("done");
    assert_eq!(kept(&store, &id), ((1..=10).rev().collect(), None));
}
