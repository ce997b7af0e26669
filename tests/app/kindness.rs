//! Runs at a service of others: one call at the start, never more than four, none more while it is slow, a pause where it
//! asks for one, and each write once.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lunette_client::client::{Client, DEFAULT_CONCURRENCY, Limiter, Limits};
use lunette_client::model::id::AssetId;
use lunette_inspector::Vendor;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::change::Counter;
use lunette_inspector::import::engine::{ImportReport, SendMode, import_through};
use lunette_inspector::runs::{BulkOperation, Control, Ledger, RowSelection, RowStatus, RunRecord, RunStatus, run};
use lunette_inspector::tasks::CancelFlag;
use tempfile::TempDir;

use crate::inspector::Environment;
use crate::support::busy::{Busy, Mood};
use crate::support::{self, TestService, assets};

/// How many quick answers in a row let one more call leave.
const QUICK_ANSWERS: usize = 4;
/// Longer than any quick answer.
const SLOW: Duration = Duration::from_millis(550);

fn files(count: usize) -> (TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..count {
        std::fs::write(folder.path().join(format!("{number:04}.txt")), format!("text {number}")).expect("written");
    }
    let paths = vec![folder.path().to_owned()];
    (folder, paths)
}

fn client(busy: &Busy) -> Client {
    support::client_at(&busy.url(), Limits::default()).paced(Limiter::new(DEFAULT_CONCURRENCY)).for_run()
}

async fn import(busy: &Busy, count: usize) -> ImportReport {
    let (_folder, paths) = files(count);
    import_through(client(busy), paths, SendMode::Single, |_| {}, CancelFlag::default()).await
}

/// Each number of calls on their way is at most one more than there were quick answers for.
fn assert_grows_slowly(busy: &Busy) {
    for (number, arrival) in busy.arrivals().iter().enumerate() {
        let most = (1 + number / QUICK_ANSWERS).min(DEFAULT_CONCURRENCY);
        assert!(arrival.in_flight <= most, "request {number}: {} at once", arrival.in_flight);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_starts_with_one_call_and_never_has_more_than_four() {
    let service = TestService::start().await;
    let busy = Busy::start(service.port(), |_| Mood::Slow(Duration::from_millis(5)));
    let report = import(&busy, 80).await;
    assert_eq!((report.imported.len(), busy.arrivals().len()), (80, 80));
    assert_grows_slowly(&busy);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_service_gets_at_most_one_call_at_a_time() {
    let service = TestService::start().await;
    let busy = Busy::start(service.port(), |_| Mood::Slow(SLOW));
    let report = import(&busy, QUICK_ANSWERS + 3).await;
    assert_eq!((report.imported.len(), busy.most()), (QUICK_ANSWERS + 3, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_that_asks_for_a_pause_gets_it_and_no_write_is_sent_twice() {
    let moods: [fn(usize) -> Mood; 2] = [|number| overloaded(number, 429), |number| overloaded(number, 503)];
    for (status, mood) in [429, 503].into_iter().zip(moods) {
        let service = TestService::start().await;
        let busy = Busy::start(service.port(), mood);
        let report = import(&busy, 12).await;
        // Whether a write was made that is answered with 503 is not known.
        let [turned_away, not] =
            if status == 429 { [&report.rejected, &report.unknown] } else { [&report.unknown, &report.rejected] };
        assert_eq!((report.imported.len(), turned_away.len(), not.len()), (11, 1, 0), "{report:?}");
        assert!(turned_away[0].reason.contains(&status.to_string()), "{}", turned_away[0].reason);
        let arrivals = busy.arrivals();
        assert_eq!(arrivals.len(), 12, "one request for each file");
        assert!(arrivals[3].at.duration_since(arrivals[2].at) >= Duration::from_secs(1), "the pause");
    }
}

/// The third request is turned away for a second.
fn overloaded(number: usize, status: u16) -> Mood {
    if number == 2 { Mood::Overloaded(status, "1") } else { Mood::Quick }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_that_is_too_long_ends_an_import_and_says_so() {
    let service = TestService::start().await;
    let busy = Busy::start(service.port(), |_| Mood::Overloaded(503, "7200"));
    let report = import(&busy, 12).await;
    assert_eq!(busy.arrivals().len(), 1);
    let stopped = report.stopped.expect("it stopped").to_string();
    assert!(stopped.contains("the service asked for a pause of"), "{stopped}");
}

/// A run over as many assets, and the service that they are in.
async fn bulk(count: usize, mood: fn(usize) -> Mood) -> (TestService, Busy, RunRecord, Ledger) {
    let service = TestService::start().await;
    let mut targets: Vec<(AssetId, String)> = Vec::new();
    for number in 0..count {
        let name = format!("asset {number}");
        targets.push((assets::text_asset(&service.client, &name, &name).await, name));
    }
    let busy = Busy::start(service.port(), mood);
    let record = RunRecord::of_operation("A run".to_owned(), BulkOperation::Increment(Counter::Priority), &targets, 8);
    let ledger = Ledger::create(None, &record).expect("a ledger");
    (service, busy, record, ledger)
}

async fn carry_out(client: Client, record: RunRecord, which: RowSelection, ledger: &Ledger) -> RunRecord {
    let work = record.rest.work(&record.run, which);
    let record = Arc::new(Mutex::new(record));
    let recorder = Arc::clone(&record);
    let tell = move |line| recorder.lock().unwrap_or_else(PoisonError::into_inner).take(line);
    run(client, Vendor::Other, work, ledger.clone(), Control::new(8), tell).await;
    let record = record.lock().unwrap_or_else(PoisonError::into_inner);
    record.clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_starts_with_one_call_and_never_has_more_than_four_although_it_may_have_eight() {
    let (_service, busy, record, ledger) = bulk(40, |_| Mood::Slow(Duration::from_millis(5))).await;
    let record = carry_out(client(&busy), record, RowSelection::Open, &ledger).await;
    assert_eq!((record.run.counts().done, &record.run.status), (40, &RunStatus::Ended));
    assert_grows_slowly(&busy);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rejected_write_is_a_failed_row_that_is_resent_only_on_request() {
    // Each row is a read and a write, one after the other at the start.
    let (_service, busy, record, ledger) = bulk(4, |number| match number {
        1 => Mood::Overloaded(503, "0"),
        _ => Mood::Quick,
    })
    .await;
    let record = carry_out(client(&busy), record, RowSelection::Open, &ledger).await;
    let counts = record.run.counts();
    assert_eq!((counts.done, counts.failed + counts.unknown), (3, 1));
    assert_eq!(busy.arrivals().iter().filter(|arrival| arrival.writes).count(), 4, "each write once");
    let turned_away = record.run.rows.iter().find_map(|row| match &row.status {
        RowStatus::Failed(why) | RowStatus::Unknown(why) => Some(why.clone()),
        _ => None,
    });
    assert!(turned_away.expect("a row").contains("503"));
    let record = carry_out(client(&busy), record, RowSelection::Failed, &ledger).await;
    assert_eq!(record.run.counts().done, 4);
}

#[test]
fn the_window_paces_runs_on_other_services_and_not_on_its_own() {
    let environment = Environment::new();
    let mut own = environment.open_up();
    own.perform(AssetsAction::LoadList);
    own.until_idle();
    assert_eq!(own.state().connection.pace, None);

    let port = environment.url().rsplit(':').next().and_then(|port| port.trim_end_matches('/').parse().ok());
    let busy = Busy::start(port.expect("a port"), |_| Mood::Quick);
    let mut others = environment.open_at(busy.url());
    others.until("the list was read", |state| state.connection.pace.is_some());
    let pace = others.state().connection.pace.expect("a pace");
    assert_eq!((pace.max, pace.pause), (DEFAULT_CONCURRENCY, None));
}
