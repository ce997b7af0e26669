//! Runs over many assets in the history: rows, pausing, retrying, the report, undo.

use std::fs;
use std::sync::Arc;

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_inspector::Remote;
use lunette_inspector::action::{BulkAction, NavigationAction, SettingsAction};
use lunette_inspector::panel::Panel;
use lunette_inspector::runs::{BulkOperation, Run, RunStatus};
use lunette_inspector::state::State;

use crate::panels::asset_page::at_service;
use crate::stage::Stage;
use crate::support::fault::{Fault, FaultKind};

/// A stage behind a faulty proxy, and the stage whose service is behind it.
struct Scene {
    behind: Stage,
    fault: Fault,
    stage: Stage,
    assets: Vec<AssetId>,
}

impl Scene {
    /// With this many assets; each write has this kind.
    fn with(count: usize, kind: fn(usize) -> FaultKind) -> Self {
        let behind = Stage::embedded();
        let assets = (0..count).map(|index| behind.asset(&format!("a{index}.txt"), &format!("text {index}"))).collect();
        let port = behind.url().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        let fault = Fault::start(port, kind);
        let mut stage = Stage::at(&fault.url());
        stage.until("the assets are listed", |state| matches!(state.assets.list.rows, Remote::Known(_)));
        Self { behind, fault, stage, assets }
    }

    /// Makes all of them favourites, and shows the run in the history.
    fn start(&mut self) {
        let name = |(index, id): (usize, &AssetId)| (id.clone(), format!("a{index}.txt"));
        let assets = Arc::new(self.assets.iter().enumerate().map(name).collect());
        self.stage.perform(SettingsAction::PlanDetails(true));
        self.stage.perform(BulkAction::Plan(BulkOperation::Favourite(true), assets));
        self.stage.until("it is planned", |state| state.bulk.draft.as_ref().is_some_and(|bulk| !bulk.sample.loading()));
        self.stage.perform(BulkAction::Start);
        self.stage.until("it began", |state| run(state).is_some());
        assert_ne!(self.stage.state().navigation.panel, Panel::History, "a run stays where one is");
        self.stage.perform(NavigationAction::Show(Panel::History));
    }

    fn until_still(&mut self) {
        self.stage.until("it stands still", |state| {
            run(state).is_some_and(|run| run.status != RunStatus::Running) && state.work.is_empty()
        });
    }

    fn favourites(&self) -> usize {
        self.assets.iter().filter(|id| at_service(&self.behind, id)["favorited"] == true).count()
    }
}

/// Returns the only run.
fn run(state: &State) -> Option<&Run> {
    state.bulk.runs.values().next()
}

#[test]
fn a_run_shows_a_row_per_asset_and_is_undone_as_one_step() {
    let mut scene = Scene::with(12, |_| FaultKind::Passed);
    scene.start();
    scene.until_still();
    scene.stage.until_label("All (12)");
    scene.stage.harness.get_by_label("Done (12)");
    scene.stage.harness.get_by_label("12 of 12 done");
    scene.stage.find(Role::Row, "a3.txt, done");
    assert_eq!(scene.favourites(), 12);
    scene.stage.press("Undo batch");
    scene.stage.until_said("the first request");
    scene.stage.harness.run_steps(4);
    scene.stage.press("Undo on 12 assets");
    scene.stage.until("it is taken back", |state| {
        state.history.entries.first().is_some_and(|step| step.undone) && state.work.is_empty()
    });
    assert_eq!(scene.favourites(), 0);
}

#[test]
fn failed_rows_say_why_and_only_they_are_retried() {
    let mut scene = Scene::with(12, |write| if write % 4 == 0 { FaultKind::Failed } else { FaultKind::Passed });
    scene.start();
    scene.until_still();
    scene.stage.until_label("Failed (3)");
    scene.stage.harness.get_by_label("Failed (3)").click();
    scene.stage.settle();
    let failed = |stage: &Stage| {
        let rows = stage.harness.query_all_by_role(Role::Row);
        rows.filter(|row| row.accesskit_node().label().is_some_and(|label| label.ends_with(", failed"))).count()
    };
    assert_eq!(failed(&scene.stage), 3);
    assert!(scene.stage.says("no such luck"));
    scene.fault.set(|_| FaultKind::Passed);
    scene.stage.press("Retry failed (3)");
    scene.stage.until("all are done", |state| run(state).is_some_and(|run| run.counts().done == 12));
    assert_eq!((scene.favourites(), scene.fault.reached().len()), (12, 12));
}

#[test]
fn a_run_is_paused_and_resumed() {
    // The first write is held back, so that the run continues until it is controlled.
    let mut scene = Scene::with(40, |write| if write == 0 { FaultKind::Delayed } else { FaultKind::Passed });
    scene.start();
    scene.stage.until_said("Adding 40 assets to favourites … ");
    scene.stage.press("Pause the run");
    scene.until_still();
    let paused = run(scene.stage.state()).expect("a run").clone();
    assert_eq!(paused.status, RunStatus::Paused(None));
    assert!(scene.stage.says("nothing more is sent until it is resumed"));
    scene.stage.press("Resume");
    scene
        .stage
        .until("it goes on", |state| run(state).is_some_and(|run| run.counts().ended() > paused.counts().ended()));
    scene.until_still();
    scene.stage.until_said(" of 40 done");
    let counts = run(scene.stage.state()).expect("a run").counts();
    assert_eq!((counts.done + counts.unknown + counts.unchanged, counts.failed), (40, 0));
}

#[test]
fn a_cancelled_paused_run_lists_the_rows_not_started() {
    let mut scene = Scene::with(40, |write| if write == 0 { FaultKind::Delayed } else { FaultKind::Passed });
    scene.start();
    scene.stage.press("Pause the run");
    scene.until_still();
    scene.stage.press("Cancel");
    scene.stage.until("it is cancelled", |state| run(state).is_some_and(|run| run.status == RunStatus::Cancelled));
    scene.stage.until_said("were not started");
    let reached = scene.fault.reached().len();
    assert_eq!(reached, scene.favourites());
}

#[test]
fn rows_with_an_unknown_outcome_are_reconciled_and_sent_once() {
    let mut scene = Scene::with(6, |write| if write == 2 { FaultKind::Dropped } else { FaultKind::Passed });
    scene.start();
    scene.until_still();
    let unknown = run(scene.stage.state()).expect("a run").counts().unknown;
    if unknown > 0 {
        scene.stage.press("Read unknown again (1)");
    }
    scene.stage.until("all are known", |state| run(state).is_some_and(|run| run.counts().unknown == 0));
    assert_eq!((scene.favourites(), scene.fault.reached().len()), (6, 6));
}

#[test]
fn the_report_is_saved_at_the_chosen_path() {
    let mut scene = Scene::with(3, |_| FaultKind::Passed);
    scene.start();
    scene.until_still();
    let path = scene.stage.folder.path().join("report.csv");
    scene.stage.picked.set(vec![path.clone()]);
    scene.stage.press("Report");
    scene.stage.press("Save as CSV…");
    scene.stage.until_said("report.csv");
    let report = fs::read_to_string(path).expect("a report");
    assert_eq!(report.matches("a1.txt").count(), 1, "{report}");
}

#[test]
fn a_row_opens_its_asset() {
    let mut scene = Scene::with(3, |_| FaultKind::Passed);
    scene.start();
    scene.until_still();
    scene.stage.find(Role::Row, "a1.txt, done").click();
    scene.stage.settle();
    scene.stage.key(Key::Enter);
    let wanted = scene.assets[1].clone();
    scene.stage.until("it is open", move |state| state.assets.pages.open.as_ref() == Some(&wanted));
}

#[test]
fn after_a_restart_a_run_is_loaded_from_disk() {
    let mut scene = Scene::with(5, |_| FaultKind::Passed);
    scene.start();
    scene.until_still();
    let mut stage = scene.stage.reopened();
    stage.ctrl(Key::Num7);
    stage.until_label("Added 5 assets to favourites, 5 assets, done");
    assert!(stage.state().bulk.runs.is_empty());
    stage.find(Role::Row, "Added 5 assets to favourites, 5 assets, done").click();
    stage.until_label("Done (5)");
    stage.find(Role::Row, "a4.txt, done");
}

#[test]
fn the_status_bar_shows_a_run_and_a_click_on_it_opens_it_in_the_history() {
    let mut scene = Scene::with(12, |write| if write == 0 { FaultKind::Delayed } else { FaultKind::Passed });
    scene.start();
    scene.stage.perform(NavigationAction::Show(Panel::Assets));
    scene.stage.until_drawn("its sentence is in the status bar", |harness| {
        harness.query_all_by_label_contains("Adding 12 assets to favourites … ").next().is_some()
    });
    assert_eq!(scene.stage.state().navigation.panel, Panel::Assets);
    scene.stage.harness.query_all_by_label_contains("Adding 12 assets to favourites … ").last().expect("it").click();
    scene.stage.until("the history is shown", |state| state.navigation.panel == Panel::History);
    scene.until_still();
    // The response that was held back came too late.
    scene.stage.until_label("Added 12 assets to favourites: 11 done, 1 unknown");
}

#[test]
fn the_calls_of_a_run_are_one_line_of_the_log_which_opens_to_them() {
    let mut scene = Scene::with(12, |write| if write % 4 == 0 { FaultKind::Failed } else { FaultKind::Passed });
    scene.start();
    scene.until_still();
    scene.stage.perform(NavigationAction::Show(Panel::Log));
    scene.stage.until_label("Added 12 assets to favourites, 24 calls, 3 failed");
    let lines = scene.stage.harness.query_all_by_label_contains("assetUpdate").count();
    assert_eq!(lines, 0, "the calls themselves are not in the list");
    // By its name: another call may move the row.
    scene.stage.find(Role::Row, "Added 12 assets to favourites, 24 calls, 3 failed").click_accesskit();
    scene.stage.until_said(" on average");
    assert!(scene.stage.harness.query_all_by_label_contains("POST assetUpdate, call ").count() > 1);
    scene.stage.harness.query_all_by_label_contains("POST assetUpdate, call ").next().expect("a call").click();
    scene.stage.until_said("no such luck");
}
