//! Tests of the inventory on disk: several windows, reading it back, and its size.

use jiff::ToSpan as _;
use tempfile::TempDir;

use super::*;
use crate::db;
use crate::listing::rows::Usage;

const NO_WAIT: Duration = Duration::ZERO;

fn database(folder: &TempDir) -> Arc<Database> {
    Database::open(folder.path()).expect("a database").database
}

fn store(folder: &TempDir) -> InventoryStore {
    InventoryStore::of(database(folder), "here".to_owned())
}

fn now() -> ZonedDateTime {
    "2026-11-24T12:00:00+00:00[UTC]".parse().expect("a timestamp")
}

fn editor(version: &str, sessions: u64) -> (String, Observed) {
    let usage =
        Usage { sessions, interactions: 40 * sessions, keyboard: 900 * sessions, open_seconds: 3_600 * sessions };
    let (name, version, status) = ("Editor".to_owned(), version.to_owned(), "Onboarded".to_owned());
    ("EDITOR|LINUX".to_owned(), Observed { name, version, status, usage: Some(usage) })
}

fn seen(store: &InventoryStore, version: &str, sessions: u64, at: &ZonedDateTime) -> ObserveResult {
    store.observe(Source::Tracked, &observed::answer([editor(version, sessions)]), at, NO_WAIT).expect("kept")
}

#[test]
fn two_windows_record_a_change_once_and_it_survives_a_restart() {
    let folder = TempDir::new().expect("a folder");
    let (one, other) = (store(&folder), store(&folder));
    seen(&one, "1.0", 1, &now());
    assert_eq!(seen(&one, "1.1", 1, &now()).new.len(), 1);
    assert_eq!(seen(&other, "1.1", 1, &now()).new, [], "the other window noticed it already");
    drop((one, other));
    let changes = store(&folder).read().expect("read").changes;
    assert_eq!(changes.iter().map(|change| change.what.token()).collect::<Vec<_>>(), ["upgraded"]);
}

#[test]
fn an_empty_list_is_a_baseline() {
    let folder = TempDir::new().expect("a folder");
    let store = store(&folder);
    store.observe(Source::Tracked, &AppList::new(), &now(), NO_WAIT).expect("kept");
    let result = seen(&store, "1.0", 0, &now());
    assert_eq!(result.new.iter().map(|change| change.what.token()).collect::<Vec<_>>(), ["added"]);
}

#[test]
fn an_application_is_gone_if_it_is_missing_in_a_second_response() {
    let folder = TempDir::new().expect("a folder");
    let store = store(&folder);
    seen(&store, "1.0", 0, &now());
    let missing = || store.observe(Source::Tracked, &AppList::new(), &now(), NO_WAIT).expect("kept");
    let first = missing();
    assert_eq!((first.new.len(), first.unsettled), (0, true));
    let second = missing();
    assert_eq!((second.new[0].what.token(), second.unsettled), ("removed", false));
    assert_eq!(missing().new, []);
}

#[test]
fn usage_is_counted_by_day_from_the_counters_of_the_service() {
    let folder = TempDir::new().expect("a folder");
    let store = store(&folder);
    let day = |days: i32| now().saturating_add(days.days());
    for (days, sessions) in [(0, 5), (0, 6), (1, 9), (4, 10)] {
        seen(&store, "1.0", sessions, &day(days));
    }
    let usage = store.read().expect("read").usage;
    let by_day: Vec<u64> = usage.days("EDITOR|LINUX").iter().map(|(_, usage)| usage.sessions).collect();
    assert_eq!(by_day, [3, 1]);
    assert_eq!(usage.since("EDITOR|LINUX", day(1).date()).map(|usage| usage.sessions), Some(4));
}

#[test]
fn a_year_of_five_hundred_applications_used_every_day_fits_into_5_mb() {
    let folder = TempDir::new().expect("a folder");
    let database = database(&folder);
    let store = InventoryStore::of(Arc::clone(&database), "here".to_owned());
    for day in 0..365_u32 {
        let applications = (0..500_u64).map(|number| {
            let (_, observed) = editor(&format!("{}.{}", day / 30, number % 7), u64::from(day) * (1 + number % 5));
            (format!("APPLICATION_{number}|LINUX"), Observed { name: format!("Application {number}"), ..observed })
        });
        let at = now().saturating_add(i64::from(day).days());
        store.keep(Source::Tracked, &observed::answer(applications), &at, NO_WAIT).expect("kept");
    }
    database.checkpoint();
    let size = std::fs::metadata(folder.path().join(db::FILE)).expect("the file").len();
    assert!(size <= 5_000_000, "{size} bytes");
    let read = store.read().expect("read");
    assert_eq!(read.changes.len(), 12 * 500, "a version a month");
    assert_eq!(read.usage.days("APPLICATION_7|LINUX").len(), 364);
}
