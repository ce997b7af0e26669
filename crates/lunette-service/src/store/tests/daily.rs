//! Daily backups: when one is due, which are kept, and what is told where one fails.

use super::backup::{assets_there, fill, names};
use super::*;
use crate::store::disk::backup::{is_due, sum_path};
use crate::store::health::HealthStatus;
use crate::store::interrupt::InterruptToken;
use crate::store::upkeep::{back_up_if_due, run_daily};

#[test]
fn a_backup_is_due_after_a_day_and_five_daily_ones_are_kept() {
    let (_around, data) = data();
    let store = Store::open(&data).expect("a store");
    let now = crate::store::now();
    let day = 24 * 60 * 60 * 1_000_000;
    assert!(!is_due(&data, now), "a database that was made just now has nothing to lose");
    assert!(is_due(&data, now + day + 60_000_000), "one that is a day old has");
    let by_hand = store.back_up().expect("a backup");
    assert!(!is_due(&data, by_hand.taken + day - 1) && is_due(&data, by_hand.taken + day));
    assert!(is_due(&data, by_hand.taken - day), "a clock that was set back is not a reason to wait");
    assert_eq!(back_up_if_due(&data, &InterruptToken::default()), Ok(None));

    let folder = by_hand.path.parent().expect("a folder").to_owned();
    for number in 1..=7 {
        dated(&by_hand.path, now - number * day - day);
    }
    let left = format!("by-hand-{}.sqlite3.new", folder::stamp(now - 2 * day));
    fs::write(folder.join(left), "left by a kill").expect("written");
    fs::remove_file(&by_hand.path).and_then(|()| fs::remove_file(sum_path(&by_hand.path))).expect("removed");
    let old = format!("by-hand-{}.sqlite3", folder::stamp(now - 30 * day));
    let migrated = format!("version-2-{}.sqlite3", folder::stamp(now - 40 * day));
    for name in [&old, &migrated] {
        fs::write(folder.join(name), "kept").expect("written");
    }
    let taken = back_up_if_due(&data, &InterruptToken::default()).expect("no failure").expect("one was due");
    let causes: Vec<_> = backups(&data).into_iter().map(|backup| backup.cause).collect();
    assert_eq!(backups(&data)[0], taken);
    assert_eq!(causes, [[Cause::Daily; 5].as_slice(), &[Cause::ByHand, Cause::Migration]].concat());
    // Five with their sums, and two that never had one.
    assert_eq!(names(&folder).len(), 12, "{:?}", names(&folder));
}

/// Puts a daily copy of this moment beside a copy.
fn dated(copy: &Path, moment: i64) -> PathBuf {
    let path = copy.with_file_name(format!("daily-{}.sqlite3", folder::stamp(moment)));
    fs::copy(copy, &path).expect("copied");
    fs::copy(sum_path(copy), sum_path(&path)).expect("copied");
    path
}

#[test]
fn backups_from_the_future_neither_count_nor_are_deleted() {
    let (_around, data) = data();
    let store = Store::open(&data).expect("a store");
    let (now, day) = (crate::store::now(), 24 * 60 * 60 * 1_000_000);
    let by_hand = store.back_up().expect("a backup");
    let ahead: Vec<_> = (0..5).map(|number| dated(&by_hand.path, now + (400 + number) * day)).collect();
    fs::rename(&by_hand.path, by_hand.path.with_file_name(format!("by-hand-{}.sqlite3", folder::stamp(now + day))))
        .expect("renamed");
    let past: Vec<_> = (2..7).map(|number| dated(&ahead[0], now - number * day)).collect();
    let taken = back_up_if_due(&data, &InterruptToken::default()).expect("no failure").expect("one was due");
    assert!(taken.path.exists() && ahead.iter().all(|path| path.exists()));
    assert_eq!(past.iter().filter(|path| path.exists()).count(), 4, "with the new one there are five");
    assert_eq!(back_up_if_due(&data, &InterruptToken::default()), Ok(None), "one a day is enough");
}

#[test]
fn a_failed_daily_backup_is_reported_and_an_unwritable_folder_is_skipped() {
    let (around, data) = data();
    let store = Store::open(&data).expect("a store");
    let by_hand = store.back_up().expect("a backup");
    dated(&by_hand.path, crate::store::now() - 2 * 24 * 60 * 60 * 1_000_000);
    fs::remove_file(&by_hand.path).expect("removed");
    let folders = [around.path().join("data-backups"), data.join("backups")];
    for folder in &folders {
        fs::create_dir_all(folder.join(".tried/in the way")).expect("made");
    }
    let (interrupt, status) = (InterruptToken::default(), HealthStatus::default());
    assert!(!run_daily(&data, &interrupt, &status));
    let message = status.daily_failure().expect("a failure");
    assert!(message.contains("data-backups"), "{message}");
    fs::remove_dir_all(folders[1].join(".tried")).expect("removed");
    assert!(run_daily(&data, &interrupt, &status));
    assert_eq!(status.daily_failure(), None);
    assert!(backups(&data)[0].path.starts_with(&data), "{:?}", backups(&data));
}

#[test]
fn daily_backups_of_a_quarantined_database_are_kept() {
    let (_around, data) = data();
    let store = Store::open(&data).expect("a store");
    fill(&store, 0, 3);
    let (now, day) = (crate::store::now(), 24 * 60 * 60 * 1_000_000);
    let by_hand = store.back_up().expect("a backup");
    drop(store);
    let first: Vec<_> = (10..15).map(|number| dated(&by_hand.path, now - number * day)).collect();
    fs::remove_file(database(&data)).expect("gone");
    quarantine(&data).expect("begun with an empty one");
    let second = Store::open(&data).expect("a store").back_up().expect("a backup");
    fs::remove_file(&by_hand.path).expect("removed");
    let later: Vec<_> = (2..8).map(|number| dated(&second.path, now - number * day)).collect();
    fs::remove_file(&second.path).expect("removed");
    back_up_if_due(&data, &InterruptToken::default()).expect("no failure").expect("one was due");
    assert!(first.iter().all(|path| path.exists()));
    assert_eq!(later.iter().filter(|path| path.exists()).count(), 4, "of the new one there are five");
    restore(&data, &first[0]).expect("restored");
    assert_eq!(assets_there(&Store::open(&data).expect("a store")), 3);
}
