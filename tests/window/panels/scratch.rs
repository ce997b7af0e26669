//! Trying things on a copy: made, worked on, compared, copied back and thrown away; cancelled; kept when the window is
//! closed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use lunette_client::client::{Client, Limits};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetAssociateTag, AssetSpecificAssetActivities, AssetsDeleteAsset};
use lunette_inspector::action::{ScratchAction, ScratchOf, SidesAction};
use lunette_inspector::compare::Position;
use lunette_inspector::listing::Row as _;
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;
use lunette_inspector::settings::{Settings, Target};
use lunette_inspector::sides::RowState;
use lunette_inspector::sides::window::Stage as Compared;
use lunette_inspector::undo::HeadlessHistory;
use lunette_service::{Data, start};

use crate::stage::Stage;
use crate::support;
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction};

/// Makes a copy and waits until the window shows it.
fn copy(stage: &mut Stage, which: ScratchOf) {
    stage.perform(ScratchAction::Ask(which));
    stage.until_label("Make a copy");
    stage.press("Make a copy");
    on_copy(stage);
}

fn on_copy(stage: &mut Stage) {
    stage.until("the copy is shown", |state| {
        state.connection.target.copy().is_some() && state.connection.status == Status::Up
    });
    stage.until_idle();
}

/// Throws the copy away and waits until the window is back.
fn discard(stage: &mut Stage) {
    let name = stage.state().scratch.of.as_ref().expect("a copy").name.clone();
    stage.press("Throw the copy away");
    stage.until_label("Throw away");
    stage.until_said(&format!("Nothing changes in {name}."));
    stage.press("Throw away");
    stage.until("the copy is gone", |state| {
        state.connection.target.copy().is_none()
            && state.connection.status == Status::Up
            && state.scratch.obstacle().is_none()
    });
    stage.until_idle();
}

/// Everything below a folder but what SQLite and the locks of a running program add.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with("-wal") || name.ends_with("-shm") || name.ends_with(".lock") {
                continue;
            }
            found.insert(entry.path().strip_prefix(folder).expect("below it").display().to_string());
        }
    }
    found
}

fn rename(stage: &mut Stage, asset: &AssetId, to: &str) {
    let client = stage.client();
    let mut tree = stage.runtime.block_on(support::assets::tree(&client, asset));
    tree["name"] = to.into();
    let asset = Some(lunette_client::model::record::Record::from_any(tree).expect("a record"));
    let call = lunette_client::operation::table::AssetUpdate { transferables: Some(false), asset };
    stage.call(call).expect("updated");
}

#[test]
fn a_copy_is_worked_on_copied_back_and_thrown_away() {
    let data = tempfile::tempdir().expect("a folder");
    let mut stage = Stage::on_folder(data.path(), &[]);
    stage.until_idle();
    let live = stage.client();
    let (kept, other) = (stage.asset("kept.txt", "kept"), stage.asset("other.txt", "other"));
    stage.until("they are listed", |state| state.assets.list.count() == 2);
    copy(&mut stage, ScratchOf::All);
    assert!(stage.says("You are working on a copy of the built-in service. Nothing is sent to it"));
    stage.until("its assets are listed", |state| state.assets.list.count() == 2);
    rename(&mut stage, &kept, "renamed.txt");
    stage.asset("new.txt", "new");
    stage.call(AssetsDeleteAsset { asset: other.clone() }).expect("deleted");
    stage.press("Compare the copy with the original");
    stage.until("they are compared", |state| state.sides.stage == Compared::Ready);
    assert_eq!(stage.state().navigation.panel, Panel::Sides);
    let comparison = stage.state().sides.comparison.clone().expect("a comparison");
    let counts = [RowState::OnlyLeft, RowState::OnlyRight, RowState::Different, RowState::Conflict];
    assert_eq!(counts.map(|state| comparison.counts.of(state)), [1, 1, 1, 0]);
    let changed: Vec<_> =
        comparison.rows.iter().filter(|row| row.state != RowState::OnlyLeft).map(|row| row.key()).collect();
    assert!(
        comparison.rows.iter().any(|row| row.changed.is_some_and(|by| by.right && !by.left)),
        "it is known who did"
    );
    stage.perform(SidesAction::Copy(Arc::new(changed), Position::Left));
    stage.until_said("Copy 2 changes to the left?");
    stage.press("Copy to the left");
    stage.until("they are there", |state| state.sides.sent.is_some());
    stage.until_said("2 of 2 changes");
    discard(&mut stage);
    assert_eq!(stage.state().connection.target, Target::Embedded);
    let name = |asset: &AssetId| stage.runtime.block_on(support::assets::tree(&live, asset))["name"].clone();
    assert_eq!((name(&kept), name(&other)), ("renamed.txt".into(), "other.txt".into()), "nothing is deleted");
    stage.until("the step is in the history", |state| {
        state.history.entries.iter().any(|entry| entry.title.starts_with("Copied from"))
    });
    assert_eq!(stage.state().assets.list.count(), 3);
    assert!(!data.path().join("scratch").exists());
}

#[test]
fn nothing_is_asked_of_the_service_meanwhile_and_what_is_thrown_away_leaves_no_trace() {
    let data = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let running = runtime.block_on(start(support::settings(Data::Memory))).expect("it starts");
    let client = support::client(&running);
    let first = runtime.block_on(support::assets::text_asset(&client, "a.txt", "a"));
    runtime.block_on(support::assets::text_asset(&client, "b.txt", "b"));
    let watched = MutatingProxy::start(running.port(), |_| ProxyAction::Pass);
    let mut stage = Stage::at_beside(&watched.url(), data.path());
    stage.until_idle();
    let before = (files(data.path()), files(stage.folder.path()));
    let settings = stage.state().preferences.settings.clone();
    copy(&mut stage, ScratchOf::Assets(Arc::new(vec![first.clone()])));
    stage.until("the chosen one is listed", |state| state.assets.list.count() == 1);
    let asked = watched.asked().len();
    rename(&mut stage, &first, "renamed on the copy");
    stage.perform(lunette_inspector::action::AssetsAction::Open(first.clone()));
    stage.until("it is open", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    stage.perform(lunette_inspector::action::WriteAction::Change(lunette_inspector::change::Change::Delete {
        asset: first.clone(),
        name: "a.txt".to_owned(),
        made: None,
    }));
    stage.until("it is a step of the copy", |state| state.history.entries.len() == 1);
    assert_eq!(watched.asked().len(), asked, "no call to the service");
    discard(&mut stage);
    stage.until("both are listed again", |state| state.assets.list.count() == 2);
    let name = runtime.block_on(support::assets::tree(&client, &first))["name"].clone();
    assert_eq!(name, "a.txt");
    let folder = stage.closed();
    assert_eq!((files(data.path()), files(folder.path())), before);
    let now = Settings::peek(folder.path());
    assert_eq!(Settings { views: settings.views.clone(), panel: settings.panel, ..now.clone() }, settings);
    assert!(now.views.keys().all(|key| key != "copy"));
    for key in [watched.url().as_str(), "copy"] {
        let history = HeadlessHistory::open(folder.path(), key).expect("a history");
        assert_eq!(history.entries().len(), 0, "{key}");
    }
    let client = support::client_at(&running.url(), Limits::default());
    runtime.block_on(support::assets::tree(&client, &first));
    runtime.block_on(running.stop());
}

#[test]
fn making_a_copy_can_be_cancelled_and_leaves_nothing() {
    let data = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let running = runtime.block_on(start(support::settings(Data::Memory))).expect("it starts");
    let client = support::client(&running);
    for number in 0..30 {
        runtime.block_on(support::assets::text_asset(&client, &format!("{number}.txt"), "text"));
    }
    let (gate, closed) = std::sync::mpsc::channel::<()>();
    let closed = std::sync::Mutex::new(closed);
    // The records of single assets are held back until the end of the test.
    let slow = MutatingProxy::start(running.port(), move |asked| {
        if asked.path.starts_with("/asset/") {
            closed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).recv().ok();
        }
        ProxyAction::Pass
    });
    let mut stage = Stage::at_beside(&slow.url(), data.path());
    stage.until_idle();
    stage.perform(ScratchAction::Ask(ScratchOf::All));
    stage.until_label("Make a copy");
    stage.press("Make a copy");
    stage.until_label("Cancel the copy");
    stage.press("Cancel the copy");
    drop(gate);
    stage.until("nothing is being made", |state| state.scratch.making.is_none());
    assert!(stage.state().connection.target.copy().is_none());
    stage.until_said("No copy was made: cancelled");
    assert!(!data.path().join("scratch").exists());
    runtime.block_on(running.stop());
}

#[test]
fn a_copy_is_kept_when_the_window_is_closed_and_offered_at_the_next_start() {
    let data = tempfile::tempdir().expect("a folder");
    let mut stage = Stage::on_folder(data.path(), &[]);
    stage.until_idle();
    let asset = stage.asset("a.txt", "a");
    stage.until("it is listed", |state| state.assets.list.count() == 1);
    copy(&mut stage, ScratchOf::All);
    rename(&mut stage, &asset, "renamed on the copy");
    let folder = stage.closed();
    let mut stage = Stage::on_folder_with(folder, data.path(), &[]);
    stage.until_idle();
    assert_eq!(stage.state().connection.target, Target::Embedded, "it begins with what the copy is of");
    stage.until_said("was kept when its window was closed");
    stage.press("Go on with the copy");
    on_copy(&mut stage);
    let name = stage.runtime.block_on(support::assets::tree(&stage.client(), &asset))["name"].clone();
    assert_eq!(name, "renamed on the copy");
    let folder = stage.closed();
    let mut stage = Stage::on_folder_with(folder, data.path(), &[]);
    stage.until_idle();
    stage.until_said("was kept when its window was closed");
    stage.press("Throw the copy away");
    stage.until_label("Throw away");
    stage.press("Throw away");
    stage.until("it is gone", |state| state.scratch.left.is_empty() && !state.scratch.removing);
    assert!(!data.path().join("scratch").exists());
    let name = stage.runtime.block_on(support::assets::tree(&stage.client(), &asset))["name"].clone();
    assert_eq!(name, "a.txt");
}

#[test]
fn a_copy_of_a_service_by_address_has_its_activities_and_scores() {
    let data = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let running = runtime.block_on(start(support::settings(Data::Memory))).expect("it starts");
    let client = support::client(&running);
    let first = runtime.block_on(support::assets::text_asset(&client, "a.txt", "a"));
    let other = runtime.block_on(support::assets::text_asset(&client, "b.txt", "b"));
    let tag = runtime.block_on(support::assets::tag(&client, "rust"));
    runtime.block_on(client.call(AssetAssociateTag { asset: first.clone(), tag })).expect("linked");
    let scored = |client: &Client, asset: &AssetId| {
        let activities = AssetSpecificAssetActivities { asset: asset.clone(), transferables: None };
        let activities = runtime.block_on(client.call(activities)).expect("activities").into_tree();
        let ids = activities["iterable"].as_array().expect("a list").iter().map(|one| one["id"].to_string());
        (runtime.block_on(support::assets::tree(client, asset))["score"].clone(), ids.collect::<BTreeSet<_>>())
    };
    let there = [&first, &other].map(|asset| scored(&client, asset));
    assert!(there[0].0["manual"].as_i64() > Some(0), "{there:?}");
    let mut stage = Stage::at_beside(&running.url(), data.path());
    stage.until_idle();
    copy(&mut stage, ScratchOf::All);
    let copied = stage.client();
    assert_eq!([&first, &other].map(|asset| scored(&copied, asset)), there);
    discard(&mut stage);
    copy(&mut stage, ScratchOf::Assets(Arc::new(vec![first.clone()])));
    assert_eq!(scored(&stage.client(), &first), there[0]);
    runtime.block_on(running.stop());
}

#[test]
fn the_question_says_that_scores_of_a_service_of_another_program_are_not_all_copied() {
    let data = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let running = runtime.block_on(start(support::settings(Data::Memory))).expect("it starts");
    let foreign = MutatingProxy::named("other/1.0", running.port(), |_| ProxyAction::Pass);
    for (url, says) in [(running.url(), false), (foreign.url(), true)] {
        let mut stage = Stage::at_beside(&url, data.path());
        stage.until_idle();
        stage.perform(ScratchAction::Ask(ScratchOf::All));
        stage.until_label("Make a copy");
        stage.until_said("into a service of its own");
        assert_eq!(stage.says("Scores that are not the sum of activities are not copied"), says, "{url}");
    }
    runtime.block_on(running.stop());
}
