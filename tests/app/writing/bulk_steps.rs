//! Runs as the window has them: one step of the history, taken back as one, left and gone on with.

use std::fs;
use std::sync::Arc;

use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::AssetReclassify;
use lunette_inspector::Action;
use lunette_inspector::action::{AssetsAction, BulkAction, HistoryAction, SessionAction};
use lunette_inspector::change::{Counter, Item, LinkKind};
use lunette_inspector::journal::{Entry, EntryRelation, Outcome};
use lunette_inspector::panel::Panel;
use lunette_inspector::runs::{BulkOperation, Counts, ExportTarget, Run, RunId, RunStatus};
use lunette_inspector::session::Status;
use lunette_inspector::settings::Target;
use serde_json::Value;

use crate::inspector::{Environment, Inspector};
use crate::support::assets;

type Assets = lunette_inspector::bulk::NamedAssets;

fn made(environment: &Environment, count: usize) -> Assets {
    let client = environment.client();
    let make = async {
        let mut made = Vec::new();
        for number in 0..count {
            let name = format!("asset {number}");
            made.push((assets::text_asset(&client, &name, &name).await, name));
        }
        made
    };
    Arc::new(environment.runtime.block_on(make))
}

fn tag(environment: &Environment) -> Item {
    let id = environment.runtime.block_on(assets::tag(&environment.client(), "rust")).to_string();
    Item::new(LinkKind::Tag, &id, "rust", None)
}

/// Something of every asset's record.
fn each(environment: &Environment, assets: &Assets, pointer: &str) -> Vec<Value> {
    let client = environment.client();
    let read = async {
        let mut values = Vec::new();
        for (asset, _) in assets.iter() {
            values.push(assets::tree(&client, asset).await.pointer(pointer).cloned().unwrap_or_default());
        }
        values
    };
    environment.runtime.block_on(read)
}

/// How many tags each asset has.
fn tags(environment: &Environment, assets: &Assets) -> Vec<usize> {
    let count = |tags: &Value| tags.as_array().map_or(0, Vec::len);
    each(environment, assets, "/tags/iterable").iter().map(count).collect()
}

/// Plans a run and starts it; gives its name.
fn start(inspector: &mut Inspector, operation: BulkOperation, assets: &Assets) -> RunId {
    inspector.perform(BulkAction::Plan(operation, Arc::clone(assets)));
    inspector.until("the first few are planned", |state| {
        state.bulk.draft.as_ref().is_some_and(|draft| draft.sample.value().is_some())
    });
    inspector.perform(BulkAction::Start);
    newest(inspector)
}

/// The run of the step that is looked at.
fn newest(inspector: &Inspector) -> RunId {
    let selected = inspector.state().history.selected;
    let of = |run: &&Run| run.entry.is_some() && run.entry == selected;
    inspector.state().bulk.runs.values().find(of).expect("a run is looked at").id
}

fn until_still(inspector: &mut Inspector, run: RunId) {
    inspector.until("the run stands still", |state| {
        state.bulk.runs.get(&run).is_some_and(|run| run.status != RunStatus::Running) && state.work.is_empty()
    });
    inspector.until_idle();
}

fn undoable(inspector: &Inspector) -> Option<&Arc<Entry>> {
    let state = inspector.state();
    state.history.undoable(&state.connection, &state.bulk.runs)
}

fn counts(inspector: &Inspector, run: RunId) -> Counts {
    inspector.state().bulk.runs[&run].counts()
}

#[test]
fn a_batch_is_undone_and_redone_as_one_step() {
    let environment = Environment::new();
    let (assets, tag) = (made(&environment, 12), tag(&environment));
    let mut inspector = environment.open_up();
    let some = Arc::new(assets[..4].to_vec());
    let first = start(&mut inspector, BulkOperation::Link(tag.clone()), &some);
    until_still(&mut inspector, first);
    assert_ne!(inspector.state().navigation.panel, Panel::History, "a run stays where one is");

    let run = start(&mut inspector, BulkOperation::Link(tag), &assets);
    until_still(&mut inspector, run);
    assert_eq!(counts(&inspector, run), Counts { done: 8, unchanged: 4, ..Counts::default() });
    let step = inspector.state().bulk.runs[&run].entry;
    assert_eq!(inspector.state().notifications.outcome.as_ref().and_then(|outcome| outcome.undo), step);
    assert_eq!(tags(&environment, &assets), [1; 12]);

    inspector.confirm(Action::History(HistoryAction::Undo));
    let back = newest(&inspector);
    until_still(&mut inspector, back);
    assert_eq!(counts(&inspector, back), Counts { done: 8, ..Counts::default() });
    assert_eq!(tags(&environment, &assets), [1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    let undone =
        |inspector: &Inspector| inspector.state().history.entries.iter().map(|entry| entry.undone).collect::<Vec<_>>();
    assert_eq!(undone(&inspector), [false, true, false]);

    // A restart knows as much, and takes the rest back from what is on disk.
    drop(inspector);
    let mut inspector = environment.open_up();
    assert_eq!(undone(&inspector), [false, true, false]);
    inspector.confirm(Action::History(HistoryAction::Redo));
    inspector.until("it is done again", |state| state.history.entries.len() == 4 && state.work.is_empty());
    inspector.until_idle();
    assert_eq!(tags(&environment, &assets), [1; 12]);
    inspector.confirm(Action::History(HistoryAction::Undo));
    inspector.confirm(Action::History(HistoryAction::Undo));
    assert_eq!(tags(&environment, &assets), [0; 12]);
    assert!(inspector.state().history.entries.iter().all(|entry| entry.outcome == Outcome::Done));
}

#[test]
fn a_plan_samples_the_first_changes_and_sends_nothing() {
    let environment = Environment::new();
    let assets = made(&environment, 9);
    let mut inspector = environment.open_up();
    inspector.perform(BulkAction::Plan(BulkOperation::Reclassify("py".to_owned()), Arc::clone(&assets)));
    inspector.until_idle();
    let draft = inspector.state().bulk.draft.as_ref().expect("a draft");
    assert_eq!(draft.title, "Reclassify 9 assets to Python");
    let sample = draft.sample.value().expect("a sample");
    assert_eq!(sample.len(), 5);
    assert!(sample.iter().all(|(_, plan)| plan.as_ref().is_ok_and(|plan| plan.calls.len() == 1)));
    assert!(inspector.state().session.log.iter().all(|line| !line.info.writes()));
    assert!(inspector.state().history.entries.is_empty());
}

#[test]
fn a_changed_row_is_not_undone_and_reports_the_conflict() {
    let environment = Environment::new();
    let assets = made(&environment, 3);
    let before = each(&environment, &assets, "/original/reference/classification/specific");
    let mut inspector = environment.open_up();
    let run = start(&mut inspector, BulkOperation::Reclassify("py".to_owned()), &assets);
    until_still(&mut inspector, run);
    // Somebody else makes it something else.
    let client = environment.client();
    let asset = environment.runtime.block_on(assets::tree(&client, &assets[1].0));
    let body = serde_json::json!({ "ext": "rs", "asset": asset });
    let reclassification = Some(assets::record(body));
    environment.call(AssetReclassify { transferables: Some(false), reclassification }).expect("it is reclassified");

    inspector.confirm(Action::History(HistoryAction::Undo));
    let back = newest(&inspector);
    until_still(&mut inspector, back);
    assert_eq!(counts(&inspector, back), Counts { done: 2, failed: 1, ..Counts::default() });
    let entry = inspector.state().history.entries.last().expect("a step");
    let why = "1 of 3 failed".to_owned();
    assert_eq!(entry.outcome, Outcome::Partly { done: 2, of: 3, why });
    assert!(!inspector.state().history.entries[0].undone);
    let now = each(&environment, &assets, "/original/reference/classification/specific");
    assert_eq!((&now[0], &now[1], &now[2]), (&before[0], &Value::from("rs"), &before[2]));
}

#[test]
fn a_run_left_by_disconnecting_is_found_again_and_processes_each_row_once() {
    let environment = Environment::new();
    let assets = made(&environment, 60);
    let mut inspector = environment.open_up();
    let run = start(&mut inspector, BulkOperation::Increment(Counter::Priority), &assets);
    inspector.until("some are done", |state| state.bulk.runs[&run].counts().done >= 5);
    inspector.perform(SessionAction::Connect(Target::Embedded));
    inspector.until("it is up again", |state| state.connection.status == Status::Up);
    inspector.until_idle();
    let found = &inspector.state().bulk.runs[&run];
    assert_eq!(found.status, RunStatus::Interrupted);
    let left = found.counts();
    assert!(left.done + left.unknown >= 5 && left.pending > 0, "{left:?}");
    let message =
        inspector.state().notifications.notices.iter().filter(|notice| notice.text.contains("was interrupted")).count();
    assert_eq!(message, 1);

    inspector.perform(BulkAction::Resume(run));
    until_still(&mut inspector, run);
    assert_eq!(counts(&inspector, run), Counts { done: 60, ..Counts::default() });
    assert_eq!(each(&environment, &assets, "/score/priority"), vec![Value::from(1); 60]);
    assert_eq!(inspector.state().history.entries.last().map(|entry| &entry.outcome), Some(&Outcome::Done));
    // A score cannot be taken back, and Undo does not try.
    assert_eq!(undoable(&inspector), None);
}

#[test]
fn a_run_can_be_paused_resumed_and_cancelled_from_the_window() {
    let environment = Environment::new();
    let assets = made(&environment, 60);
    let mut inspector = environment.open_up();
    let run = start(&mut inspector, BulkOperation::Increment(Counter::Reuse), &assets);
    inspector.until("some are done", |state| state.bulk.runs[&run].counts().done >= 3);
    inspector.perform(BulkAction::SetInFlight(run, 8));
    inspector.perform(BulkAction::Pause(run));
    until_still(&mut inspector, run);
    let paused = counts(&inspector, run);
    assert_eq!((&inspector.state().bulk.runs[&run].status, paused.sending), (&RunStatus::Paused(None), 0));
    assert!(paused.pending > 0);

    inspector.perform(BulkAction::Resume(run));
    inspector.until("it goes on", |state| state.bulk.runs[&run].counts().done > paused.done);
    let work = inspector.state().work.iter().find(|work| work.progress.is_some()).expect("work with progress").task;
    inspector.perform(Action::Cancel(work));
    until_still(&mut inspector, run);
    assert_eq!(inspector.state().bulk.runs[&run].status, RunStatus::Cancelled);
    let counts = counts(&inspector, run);
    let sum: i64 = each(&environment, &assets, "/score/reuse").iter().filter_map(Value::as_i64).sum();
    assert_eq!((sum as usize, counts.pending), (counts.done, 60 - counts.done));
    let entry = inspector.state().history.entries.last().expect("a step");
    assert!(
        matches!(&entry.outcome, Outcome::Partly { why, .. } if why.starts_with("cancelled")),
        "{:?}",
        entry.outcome
    );
}

#[test]
fn a_run_whose_ledger_cannot_be_created_sends_nothing() {
    let environment = Environment::new();
    let assets = made(&environment, 4);
    let mut inspector = environment.open_up();
    let locks = environment.folder.path().join("locks");
    fs::remove_dir_all(&locks).ok();
    fs::write(&locks, "in the way").expect("written");
    let run = start(&mut inspector, BulkOperation::Increment(Counter::Reuse), &assets);
    until_still(&mut inspector, run);
    let status = &inspector.state().bulk.runs[&run].status;
    assert!(matches!(status, RunStatus::Paused(Some(why)) if why.contains("ledger")), "{status:?}");
    assert!(inspector.state().session.log.iter().all(|line| !line.info.writes()));

    fs::remove_file(&locks).expect("removed");
    inspector.perform(BulkAction::Resume(run));
    until_still(&mut inspector, run);
    assert_eq!(counts(&inspector, run), Counts { done: 4, ..Counts::default() });
    let answers: Vec<_> = inspector.state().history.entries.iter().map(|entry| entry.answers).collect();
    assert_eq!(answers, [EntryRelation::None]);
}

#[test]
fn a_deleted_asset_leaves_the_window_and_undo_restores_it() {
    let environment = Environment::new();
    let assets = made(&environment, 5);
    let mut inspector = environment.open_up();
    inspector.perform(AssetsAction::Open(assets[2].0.clone()));
    inspector.until_idle();
    let some = Arc::new(assets[1..4].to_vec());
    let run = start(&mut inspector, BulkOperation::Delete, &some);
    until_still(&mut inspector, run);
    assert_eq!(counts(&inspector, run), Counts { done: 3, ..Counts::default() });
    assert_eq!((inspector.state().assets.pages.open.as_ref(), inspector.state().assets.list.count()), (None, 2));
    inspector.confirm(Action::History(HistoryAction::Undo));
    assert_eq!((inspector.state().assets.list.count(), each(&environment, &assets, "/name").len()), (5, 5));
    assert!(inspector.state().history.entries[0].undone);
    inspector.confirm(Action::History(HistoryAction::Redo));
    assert_eq!(inspector.state().assets.list.count(), 2);
}

#[test]
fn exports_go_to_a_folder_or_an_archive_with_a_manifest() {
    let environment = Environment::new();
    let mut assets = made(&environment, 6).to_vec();
    assets.push((AssetId::random(), "gone".to_owned()));
    let assets = Arc::new(assets);
    let mut inspector = environment.open_up();
    let (folder, archive) = (environment.folder.path().join("exports"), environment.folder.path().join("exports.zip"));
    for to in [ExportTarget::Folder(folder.clone()), ExportTarget::Zip(archive.clone())] {
        let run = start(&mut inspector, BulkOperation::Export { kind: ExportType::Md, to }, &assets);
        until_still(&mut inspector, run);
        assert_eq!(counts(&inspector, run), Counts { done: 6, failed: 1, ..Counts::default() });
        assert!(
            inspector.state().bulk.runs[&run]
                .rows
                .iter()
                .filter_map(|row| row.saved.as_ref())
                .all(|saved| saved.bytes > 0)
        );
        // Nothing was written at the service, so there is nothing to take back.
        assert_eq!(undoable(&inspector), None);
    }
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 7);
    let manifest: Value = serde_json::from_slice(&fs::read(folder.join("manifest.json")).expect("read")).expect("JSON");
    assert_eq!(manifest["counts"], serde_json::json!({ "exported": 6, "failed": 1 }));
    assert!(fs::metadata(&archive).is_ok_and(|metadata| metadata.len() > 0));
}

#[test]
fn bulk_tagging_and_untagging_leave_every_score_unchanged() {
    let environment = Environment::new();
    let (assets, tag) = (made(&environment, 6), tag(&environment));
    let mut inspector = environment.open_up();
    let before = each(&environment, &assets, "/score");
    for operation in [BulkOperation::Link(tag.clone()), BulkOperation::Unlink(tag)] {
        let run = start(&mut inspector, operation, &assets);
        until_still(&mut inspector, run);
        assert_eq!(counts(&inspector, run).done, 6);
    }
    assert_eq!(each(&environment, &assets, "/score"), before);
}
