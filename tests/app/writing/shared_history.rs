//! Two windows of one data folder: each shows the steps of the other while they happen, and no step is undone twice.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lunette_client::client::Limits;
use lunette_client::model::id::AssetId;
use lunette_inspector::action::{HistoryAction, WriteAction};
use lunette_inspector::change::{Change, Edit, Field};
use lunette_inspector::journal::{Entry, EntryId, EntryKind, EntryRelation, Journal, Outcome};
use lunette_inspector::runs::{BulkOperation, Ledger, RunRecord};
use lunette_inspector::session::Status;
use lunette_inspector::settings::Target;
use lunette_inspector::sync::SyncIntervals;
use lunette_inspector::{Action, App, Setup, State};

use crate::stage::Stage;
use crate::support::headless::Headless;

const PATIENCE: Duration = Duration::from_secs(60);

/// A window on the journals of a stage.
struct Window {
    app: App,
    woken: Receiver<()>,
}

impl Window {
    fn on(stage: &Stage) -> Self {
        let (wake, woken) = channel();
        let wake = Mutex::new(wake);
        let app = App::new(Setup {
            runtime: stage.handle(),
            // Nobody listens once the test is over.
            repaint: Arc::new(move || wake.lock().unwrap_or_else(PoisonError::into_inner).send(()).unwrap_or(())),
            target: Some(Target::Url(stage.url().to_owned())),
            embed: Arc::new(Headless),
            dialogs: Arc::new(Headless),
            data: Some(stage.folder.path().to_owned()),
            limits: Limits::default(),
            pace: SyncIntervals { journal: Duration::from_millis(5), ..SyncIntervals::default() },
            open_requests: None,
        });
        let mut window = Self { app, woken };
        window.until("it is connected", |state| state.connection.status == Status::Up);
        window.idle();
        window
    }

    #[track_caller]
    fn until(&mut self, what: &str, done: impl Fn(&State) -> bool) {
        let end = Instant::now() + PATIENCE;
        self.app.step();
        while !done(self.app.state()) {
            self.wait(end, what);
        }
    }

    #[track_caller]
    fn idle(&mut self) {
        let end = Instant::now() + PATIENCE;
        while self.app.busy() {
            self.wait(end, "nothing is under way");
        }
        self.app.step();
    }

    #[track_caller]
    fn wait(&mut self, end: Instant, what: &str) {
        // A wake may have been taken for an earlier step, so the wait is bounded.
        self.woken.recv_timeout(Duration::from_millis(50)).ok();
        self.app.step();
        let state = self.app.state();
        assert!(
            Instant::now() < end,
            "waited in vain until {what}: {:?}; {:?}",
            state.history.entries,
            state.notifications.notices
        );
    }

    /// Undoes a step, and applies the plan where one is shown first.
    fn undo(&mut self, step: EntryId) {
        self.app.perform(HistoryAction::UndoStep(step));
        self.idle();
        if self.app.state().write.planned.is_some() {
            self.app.perform(WriteAction::ApplyPlan);
            self.idle();
        }
    }

    /// How many steps that undo another one this window knows to be done.
    fn undos(&self) -> usize {
        let entries = self.app.state().history.entries.iter();
        entries
            .filter(|entry| matches!(entry.answers, EntryRelation::Undoes(_)) && entry.outcome == Outcome::Done)
            .count()
    }

    /// How many calls this window made that write.
    fn writes(&self) -> usize {
        self.app.state().session.log.iter().filter(|line| line.calls.is_none() && line.info.writes()).count()
    }
}

fn rename(asset: &AssetId, to: &str) -> Action {
    let edit = Edit { field: Field::Name, from: None, to: to.into() };
    Action::Write(WriteAction::Change(Change::Edit { asset: asset.clone(), edits: vec![edit] }))
}

/// A step of another window that is under way.
fn under_way(title: &str) -> Entry {
    Entry {
        id: EntryId::random(),
        at: jiff::Timestamp::now(),
        title: title.to_owned(),
        kind: EntryKind::Call { operation: "assetUpdate".to_owned() },
        requests: Vec::new(),
        fields: Vec::new(),
        before: None,
        outcome: Outcome::Sending,
        answers: EntryRelation::None,
        undone: false,
        partly: None,
        ended: None,
        was_unknown: None,
        group: None,
        asked_by: None,
    }
}

fn is_done(state: &State, step: EntryId) -> bool {
    state.history.entry(step).is_some_and(|entry| entry.outcome == Outcome::Done)
}

fn is_undone(state: &State, step: EntryId) -> bool {
    state.history.entry(step).is_some_and(|entry| entry.undone)
}

/// Two windows, of which the first renamed an asset; both know of it.
fn renamed() -> (Stage, Window, Window, AssetId, EntryId) {
    let stage = Stage::new();
    let asset = stage.asset("before.txt", "text");
    let (mut one, mut two) = (Window::on(&stage), Window::on(&stage));
    one.app.perform(rename(&asset, "after.txt"));
    one.idle();
    let step = one.app.state().history.entries.last().expect("a step").id;
    two.until("the other window sees the step", |state| is_done(state, step));
    (stage, one, two, asset, step)
}

#[test]
fn a_step_of_one_window_appears_in_another_and_can_be_undone_there() {
    let (stage, mut one, mut two, asset, step) = renamed();
    assert!(!two.app.state().history.is_of_this_window(step));
    two.undo(step);
    assert_eq!(stage.tree(&asset)["name"], "before.txt");
    one.until("the first window shows it undone", |state| is_undone(state, step));
    let writes = one.writes();
    one.undo(step);
    assert_eq!((one.writes(), stage.tree(&asset)["name"].as_str()), (writes, Some("before.txt")));
}

#[test]
fn concurrent_undo_of_one_step_in_two_windows_runs_once() {
    let (stage, mut one, mut two, asset, step) = renamed();
    let before = one.writes() + two.writes();
    for window in [&mut one, &mut two] {
        window.app.perform(HistoryAction::UndoStep(step));
    }
    for window in [&mut one, &mut two] {
        window.idle();
        if window.app.state().write.planned.is_some() {
            window.app.perform(WriteAction::ApplyPlan);
            window.idle();
        }
    }
    for window in [&mut one, &mut two] {
        window.until("both show it undone", |state| is_undone(state, step));
        assert_eq!(window.undos(), 1);
    }
    assert_eq!((one.writes() + two.writes() - before, stage.tree(&asset)["name"].as_str()), (1, Some("before.txt")));
}

#[test]
fn a_step_pending_in_another_window_becomes_unknown_once_that_window_closes() {
    let stage = Stage::new();
    let mut window = Window::on(&stage);
    let address = window.app.state().connection.address.clone().expect("an address");
    let other = Journal::open(stage.folder.path(), &address).expect("the journal opens").journal;
    let entry = under_way("Renamed");
    other.begin(&entry).expect("noted");
    let is_elsewhere =
        |state: &State| state.history.entry(entry.id).is_some_and(|known| state.history.is_in_another_window(known));
    window.until("it is in progress in another window", is_elsewhere);
    let mut later = Window::on(&stage);
    later.until("a window that is opened meanwhile says so too", is_elsewhere);
    drop(other);
    let is_unknown =
        |state: &State| state.history.entry(entry.id).is_some_and(|known| matches!(known.outcome, Outcome::Unknown(_)));
    window.until("its outcome is unknown", is_unknown);
    later.until("its outcome is unknown", is_unknown);
}

#[test]
fn a_run_active_in_another_window_is_not_reported_as_interrupted() {
    let stage = Stage::new();
    let asset = stage.asset("a.txt", "text");
    let address = Window::on(&stage).app.state().connection.address.clone().expect("an address");
    let other = Journal::open(stage.folder.path(), &address).expect("the journal opens").journal;
    let mut kept = RunRecord::of_operation(
        "Make 1 asset a favourite".to_owned(),
        BulkOperation::Favourite(true),
        &[(asset, "a.txt".to_owned())],
        1,
    );
    let step = Entry { kind: EntryKind::Batch { run: kept.run.id, count: 1 }, ..under_way("Make 1 asset a favourite") };
    kept.run.entry = Some(step.id);
    other.begin(&step).expect("noted");
    let ledger = Ledger::create(other.runs().as_ref(), &kept).expect("the ledger is made");
    let mut window = Window::on(&stage);
    window.idle();
    let state = window.app.state();
    assert!(state.history.entry(step.id).is_some_and(|known| state.history.is_in_another_window(known)));
    assert_eq!((state.notifications.notices.as_slice(), state.bulk.runs.len()), (&[][..], 0));
    drop((ledger, other));
    let mut later = Window::on(&stage);
    later.until("a run of a window that is gone is said to be cut off", |state| {
        state.notifications.notices.iter().any(|notice| notice.text.contains("was interrupted"))
    });
}
