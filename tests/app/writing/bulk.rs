//! Runs over a wire that fails: exact counts, and each write once, whatever happens on the way.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lunette_client::client::{Client, Limits};
use lunette_client::model::id::AssetId;
use lunette_inspector::Vendor;
use lunette_inspector::change::{Change, Counter, Item, LinkKind};
use lunette_inspector::db::RunStore;
use lunette_inspector::runs::{
    BulkOperation, Control, Counts, Ledger, LedgerEvent, RowSelection, RowStatus, RunId, RunRecord, RunStatus,
    StopMode, Task, run,
};
use tempfile::TempDir;

use crate::inspector::execute;
use crate::support::fault::{Fault, FaultKind, seven_and_three};
use crate::support::{self, TestService, assets};

/// A service with assets, a wire that fails in front of it, and a folder of ledgers.
struct Bench {
    service: TestService,
    fault: Fault,
    client: Client,
    assets: Vec<(AssetId, String)>,
    folder: TempDir,
}

fn store(folder: &TempDir) -> RunStore {
    RunStore::open(folder.path(), "embedded").expect("a database")
}

impl Bench {
    async fn with(count: usize, kind: fn(usize) -> FaultKind) -> Self {
        Self::patient(Limits::default().total, count, kind).await
    }

    /// With a client that waits for so long. Where answers are kept back a test waits as long each time, and on a busy
    /// machine an answer that is not kept back must come sooner.
    async fn patient(total: Duration, count: usize, kind: fn(usize) -> FaultKind) -> Self {
        let service = TestService::start().await;
        let mut assets = Vec::new();
        for number in 0..count {
            let name = format!("asset {number}");
            assets.push((assets::text_asset(&service.client, &name, &name).await, name));
        }
        let fault = Fault::start(service.port(), kind);
        let client = support::client_at(&fault.url(), Limits { total, ..Limits::default() });
        Self { service, fault, client, assets, folder: tempfile::tempdir().expect("a folder") }
    }

    fn store(&self) -> RunStore {
        store(&self.folder)
    }

    async fn tag(&self) -> Item {
        let id = assets::tag(&self.service.client, "rust").await.to_string();
        Item::new(LinkKind::Tag, &id, "rust", None)
    }

    fn kept(&self, operation: BulkOperation) -> RunRecord {
        RunRecord::of_operation("A run".to_owned(), operation, &self.assets, 8)
    }

    /// Runs what is to be done, to the end or to where it halts.
    async fn run(&self, kept: RunRecord, which: RowSelection, ledger: &Ledger) -> RunRecord {
        self.steered(kept, which, ledger, &Control::new(8), |_, _| {}).await
    }

    /// The same, steered by what is told.
    async fn steered(
        &self,
        kept: RunRecord,
        which: RowSelection,
        ledger: &Ledger,
        control: &Control,
        steer: impl Fn(&RunRecord, &Control) + Send + Sync + 'static,
    ) -> RunRecord {
        let work = kept.rest.work(&kept.run, which);
        let kept = Arc::new(Mutex::new(kept));
        let (recorder, hand) = (Arc::clone(&kept), control.clone());
        let tell = move |line: LedgerEvent| {
            let mut kept = recorder.lock().unwrap_or_else(PoisonError::into_inner);
            kept.take(line);
            steer(&kept, &hand);
        };
        run(self.client.clone(), Vendor::Lunette, work, ledger.clone(), control.clone(), tell).await;
        let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clone()
    }

    /// Where the counter of each asset stands at the service.
    async fn counters(&self) -> Vec<i64> {
        let mut counters = Vec::new();
        for (asset, _) in &self.assets {
            let tree = assets::tree(&self.service.client, asset).await;
            counters.push(tree["score"]["priority"].as_i64().unwrap_or_default());
        }
        counters
    }

    /// How many assets have this many tags.
    async fn tagged(&self) -> Vec<usize> {
        let mut tags = Vec::new();
        for (asset, _) in &self.assets {
            let tree = assets::tree(&self.service.client, asset).await;
            tags.push(tree["tags"]["iterable"].as_array().map_or(0, Vec::len));
        }
        tags
    }
}

fn counts(done: usize, failed: usize, unknown: usize) -> Counts {
    Counts { done, failed, unknown, ..Counts::default() }
}

/// How often each target was reached.
fn times(targets: Vec<String>) -> BTreeMap<String, usize> {
    targets.into_iter().fold(BTreeMap::new(), |mut times, target| {
        *times.entry(target).or_default() += 1;
        times
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_of_a_thousand_rows_completes_each_exactly_once_despite_failures() {
    let bench = Bench::patient(Duration::from_secs(3), 1_000, seven_and_three).await;
    let kept = bench.kept(BulkOperation::Increment(Counter::Priority));
    let ledger = Ledger::create(Some(&bench.store()), &kept).expect("a ledger");
    let kept = bench.run(kept, RowSelection::Open, &ledger).await;
    assert_eq!((kept.run.counts(), &kept.run.status), (counts(900, 70, 30), &RunStatus::Ended));
    assert_eq!(bench.fault.reached().len(), 930);

    bench.fault.set(|_| FaultKind::Passed);
    let kept = bench.run(kept, RowSelection::Failed, &ledger).await;
    assert_eq!(kept.run.counts(), counts(1_000, 0, 0));
    assert!(times(bench.fault.reached()).values().all(|times| *times == 1), "an increment reached the service twice");
    assert_eq!(bench.counters().await, vec![1; 1_000]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_and_unknown_links_are_reconciled_and_linked_once() {
    let bench = Bench::patient(Duration::from_secs(3), 100, seven_and_three).await;
    let kept = bench.kept(BulkOperation::Link(bench.tag().await));
    let ledger = Ledger::create(Some(&bench.store()), &kept).expect("a ledger");
    let kept = bench.run(kept, RowSelection::Open, &ledger).await;
    assert_eq!(kept.run.counts(), counts(90, 7, 3));
    drop(ledger);

    bench.fault.set(|_| FaultKind::Passed);
    let (ledger, kept, message) = Ledger::resume(&bench.store(), kept.run.id).expect("the ledger");
    assert_eq!((kept.run.counts(), message), (counts(90, 7, 3), None));
    let kept = bench.run(kept, RowSelection::Failed, &ledger).await;
    assert_eq!(kept.run.counts(), counts(100, 0, 0));
    assert_eq!(times(bench.fault.reached()).into_values().collect::<Vec<_>>(), vec![1; 100]);
    assert_eq!(bench.tagged().await, vec![1; 100]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_applied_write_answered_by_a_gateway_is_reconciled_and_not_repeated() {
    let bench = Bench::with(12, |write| if write % 3 == 0 { FaultKind::Late } else { FaultKind::Passed }).await;
    let kept = bench.kept(BulkOperation::Increment(Counter::Priority));
    let ledger = Ledger::create(Some(&bench.store()), &kept).expect("a ledger");
    let kept = bench.run(kept, RowSelection::Open, &ledger).await;
    assert_eq!((kept.run.counts(), &kept.run.status), (counts(8, 0, 4), &RunStatus::Ended));
    assert_eq!(bench.counters().await, vec![1; 12]);

    bench.fault.set(|_| FaultKind::Passed);
    let kept = bench.run(kept, RowSelection::Failed, &ledger).await;
    assert_eq!(kept.run.counts(), counts(12, 0, 0));
    assert_eq!(bench.fault.reached().len(), 12, "an increment reached the service twice");
    assert_eq!(bench.counters().await, vec![1; 12]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_paused_run_starts_nothing_and_resumes_where_it_stopped() {
    let bench = Bench::with(40, |_| FaultKind::Passed).await;
    let kept = bench.kept(BulkOperation::Increment(Counter::Priority));
    let control = Control::new(2);
    let pause = |kept: &RunRecord, control: &Control| {
        if kept.run.counts().done == 10 {
            control.halt(StopMode::Pause);
        }
    };
    let kept = bench.steered(kept, RowSelection::Open, &Ledger::in_memory(), &control, pause).await;
    let done = kept.run.counts().done;
    assert!((10..=11).contains(&done), "{:?}", kept.run.counts());
    assert_eq!((&kept.run.status, kept.run.counts().pending), (&RunStatus::Paused(None), 40 - done));
    assert_eq!(bench.fault.reached().len(), done);

    let kept = bench.run(kept, RowSelection::Open, &Ledger::in_memory()).await;
    assert_eq!((kept.run.counts(), &kept.run.status), (counts(40, 0, 0), &RunStatus::Ended));
    assert_eq!(bench.counters().await, vec![1; 40]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelling_a_run_finishes_the_started_rows_and_ends_it() {
    let bench = Bench::with(20, |_| FaultKind::Passed).await;
    let kept = bench.kept(BulkOperation::Increment(Counter::Priority));
    let ledger = Ledger::create(Some(&bench.store()), &kept).expect("a ledger");
    let cancel = |kept: &RunRecord, control: &Control| {
        if kept.run.counts().sending == 1 {
            control.halt(StopMode::Cancel);
        }
    };
    let kept = bench.steered(kept, RowSelection::Open, &ledger, &Control::new(1), cancel).await;
    assert_eq!((kept.run.counts().done, kept.run.counts().pending), (1, 19));
    assert_eq!(kept.run.status, RunStatus::Cancelled);
    assert!(Ledger::interrupted(&bench.store()).0.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_number_of_parallel_calls_can_change_during_a_run() {
    let bench = Bench::with(60, |_| FaultKind::Passed).await;
    let kept = bench.kept(BulkOperation::Increment(Counter::Priority));
    let most = Arc::new(Mutex::new([0; 2]));
    let seen = Arc::clone(&most);
    let change = move |kept: &RunRecord, control: &Control| {
        let counts = kept.run.counts();
        let mut most = seen.lock().unwrap_or_else(PoisonError::into_inner);
        let half = usize::from(counts.done >= 20);
        most[half] = most[half].max(counts.sending);
        if counts.done == 20 {
            control.in_flight(8);
        }
    };
    let ledger = Ledger::create(Some(&bench.store()), &kept).expect("a ledger");
    let kept = bench.steered(kept, RowSelection::Open, &ledger, &Control::new(1), change).await;
    assert_eq!((kept.run.counts().done, kept.run.in_flight), (60, 8));
    let most = most.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(most[0] == 1 && most[1] > 1, "{most:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_rows_of_missing_ids_fail() {
    let mut bench = Bench::with(3, |_| FaultKind::Passed).await;
    bench.assets.insert(1, (AssetId::random(), "gone".to_owned()));
    let kept = bench.kept(BulkOperation::Favourite(true));
    let kept = bench.run(kept, RowSelection::Open, &Ledger::in_memory()).await;
    assert_eq!(kept.run.counts(), counts(3, 1, 0));
    assert!(matches!(&kept.run.rows[1].status, RowStatus::Failed(why) if why.starts_with("asset not found")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_of_one_asset_run_one_after_another() {
    let bench = Bench::with(1, |_| FaultKind::Passed).await;
    let task = |_| {
        let change = Change::Increment { asset: bench.assets[0].0.clone(), counter: Counter::Priority, from: None };
        (Task::Change(change), "one".to_owned())
    };
    let kept = RunRecord::of_tasks("Thrice".to_owned(), (0..3).map(task).collect(), 8);
    let kept = bench.run(kept, RowSelection::Open, &Ledger::in_memory()).await;
    let from = |row: &lunette_inspector::runs::RunRow| match row.done.as_deref() {
        Some(Change::Increment { from, .. }) => *from,
        _ => None,
    };
    assert_eq!(kept.run.rows.iter().map(from).collect::<Vec<_>>(), [Some(0), Some(1), Some(2)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_item_is_created_once_and_linked_to_all_assets() {
    let bench = Bench::with(12, |_| FaultKind::Passed).await;
    let operation =
        BulkOperation::LinkNew { kind: LinkKind::Tag, text: "fresh".to_owned(), url: None, unlink: Vec::new() };
    let kept = bench.run(bench.kept(operation), RowSelection::Open, &Ledger::in_memory()).await;
    assert_eq!(kept.run.counts(), counts(12, 0, 0));
    assert_eq!(bench.tagged().await, vec![1; 12]);
    let made = bench.fault.reached().iter().filter(|target| !target.contains("/associate/")).count();
    assert_eq!(made, 1);
    let unlinks = |row: &lunette_inspector::runs::RunRow| matches!(row.done.as_deref(), Some(Change::Link { .. }));
    assert!(kept.run.rows.iter().all(unlinks), "a row cannot be taken back");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_stops_when_the_service_is_lost_and_resumes_when_it_returns() {
    let bench = Bench::with(30, |_| FaultKind::Passed).await;
    let kept = bench.kept(BulkOperation::Increment(Counter::Priority));
    let fault = bench.fault.clone();
    let cut = move |kept: &RunRecord, _: &Control| fault.cut(kept.run.counts().done >= 10);
    let kept = bench.steered(kept, RowSelection::Open, &Ledger::in_memory(), &Control::new(4), cut).await;
    let counts_then = kept.run.counts();
    assert!(matches!(&kept.run.status, RunStatus::Paused(Some(why)) if why.contains("does not respond")), "{kept:?}");
    assert_eq!(counts_then.sending, 0);
    assert!(counts_then.pending >= 10);
    // One that was silent while answers to others were still coming in may have been given up before the run halted.
    assert!(counts_then.failed <= 1, "{counts_then:?}");

    bench.fault.cut(false);
    let kept = bench.run(kept, RowSelection::Open, &Ledger::in_memory()).await;
    let kept = bench.run(kept, RowSelection::Failed, &Ledger::in_memory()).await;
    assert_eq!(kept.run.counts(), counts(30, 0, 0));
    assert_eq!(bench.counters().await, vec![1; 30]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_interrupted_at_any_point_resumes_where_it_stopped() {
    let bench = Bench::with(10, |_| FaultKind::Passed).await;
    for round in 1..=9_i64 {
        let kept = bench.kept(BulkOperation::Increment(Counter::Priority));
        let id = kept.run.id;
        let ledger = Ledger::create(Some(&bench.store()), &kept).expect("a ledger");
        // The run is dropped in the middle of what it does, as when the program is killed.
        let (cut, mut cutting) = tokio::sync::mpsc::unbounded_channel();
        let lines = Mutex::new(0);
        let after = usize::try_from(round).expect("small") * 2 - 1;
        let steer = move |_: &RunRecord, _: &Control| {
            let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
            *lines += 1;
            if *lines == after {
                cut.send(()).ok();
            }
        };
        let control = Control::new(3);
        tokio::select! {
            biased;
            _ = cutting.recv() => {}
            _ = bench.steered(kept, RowSelection::Open, &ledger, &control, steer) => {}
        }
        drop(ledger);
        let (ledger, kept, message) = Ledger::resume(&bench.store(), id).expect("the ledger is let go");
        // What had left arrives before anything else is done.
        bench.fault.quiet();
        assert_eq!((&kept.run.status, message), (&RunStatus::Interrupted, None));
        let kept = bench.run(kept, RowSelection::Open, &ledger).await;
        assert_eq!(kept.run.counts(), counts(10, 0, 0), "cut after {after} lines");
        assert_eq!(bench.counters().await, vec![round; 10], "cut after {after} lines");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_resumes_from_a_ledger_truncated_at_any_line_and_links_each_asset_once() {
    let bench = Bench::with(4, |_| FaultKind::Passed).await;
    let kept = bench.kept(BulkOperation::Link(bench.tag().await));
    let ledger = Ledger::create(Some(&bench.store()), &kept).expect("a ledger");
    let (store, run) = (bench.store(), kept.run.id);
    bench.run(kept, RowSelection::Open, &ledger).await;
    drop(ledger);
    // Its header, an item, a line before and after each row, its end.
    for length in (1..10).rev() {
        let first = format!("SELECT id FROM run_line ORDER BY id LIMIT {length}");
        execute(bench.folder.path(), &format!("DELETE FROM run_line WHERE id NOT IN ({first})"));
        let (ledger, kept, _) = Ledger::resume(&store, run).expect("the ledger");
        let kept = bench.run(kept, RowSelection::Open, &ledger).await;
        let counts = kept.run.counts();
        assert_eq!((counts.done + counts.unchanged, &kept.run.status), (4, &RunStatus::Ended), "cut at {length}");
    }
    assert_eq!(bench.fault.reached().len(), 4);
    assert_eq!(bench.tagged().await, vec![1; 4]);
}

#[test]
fn a_missing_or_headless_ledger_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = Ledger::read(&store(&folder), RunId::random()).expect_err("no ledger").to_string();
    assert!(error.contains("there is none"), "{error}");
}

#[test]
fn two_processes_cannot_resume_the_same_ledger() {
    let folder = tempfile::tempdir().expect("a folder");
    let operation = BulkOperation::Favourite(true);
    let kept = RunRecord::of_operation("A run".to_owned(), operation, &[(AssetId::random(), "one".to_owned())], 1);
    let held = Ledger::create(Some(&store(&folder)), &kept).expect("a ledger");
    let error = Ledger::resume(&store(&folder), kept.run.id).map(drop).expect_err("it is held").to_string();
    assert!(error.contains("another window"), "{error}");
    drop(held);
    Ledger::resume(&store(&folder), kept.run.id).map(drop).expect("it is free");
}
