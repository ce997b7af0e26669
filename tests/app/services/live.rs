//! The window keeps up with what others do, without a word of its user: by streams, and by polling where there are none.

use std::time::Duration;

use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::StreamKind;
use lunette_client::operation::table::{ApplicationsRegister, AssetSnapshot, AssetUpdate};
use lunette_inspector::State;
use lunette_inspector::action::{AssetsAction, NavigationAction};
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::panel::Panel;
use lunette_inspector::sync::{StreamStatus, SyncIntervals, SyncStatus};
use serde_json::json;

use crate::services::flood::Flood;
use crate::stage::Stage;
use crate::support::assets::{self, record};

/// Polls without patience, so that no test waits for it.
fn quick() -> SyncIntervals {
    SyncIntervals { poll: Duration::from_millis(40), poll_most: Duration::from_millis(320), ..SyncIntervals::default() }
}

/// Changes an asset's name as another client would.
pub fn rename(stage: &Stage, asset: &AssetId, name: &str) {
    let read = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    let mut tree = stage.call(read).expect("the asset").into_tree();
    tree["name"] = json!(name);
    stage.call(AssetUpdate { transferables: None, asset: Some(record(tree)) }).expect("updated");
}

pub fn open_name(state: &State) -> &str {
    let record = state.page().and_then(|(_, page)| page.record.value());
    record.and_then(|record| record.view().name()).unwrap_or_default()
}

pub fn open(stage: &mut Stage, asset: &AssetId) {
    stage.perform(AssetsAction::Open(asset.clone()));
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
}

pub fn settled(stage: &mut Stage) {
    stage.until("each stream was asked for", |state| {
        let live = &state.sync.status;
        SyncStatus::KINDS.into_iter().all(|kind| *live.of(kind) != StreamStatus::Asked)
    });
}

pub fn row<'a>(state: &'a State, id: &AssetId) -> Option<&'a AssetRow> {
    state.assets.list.rows.value()?.iter().map(|row| row.as_ref()).find(|row| row.is_of(id))
}

/// The calls that the user made, and those beside them.
pub fn calls(stage: &Stage) -> (usize, usize) {
    let background = stage.state().session.log.iter().filter(|line| line.background).count();
    (stage.state().session.log.count() - background, background)
}

#[test]
fn ten_thousand_changes_are_coalesced_into_a_few_updates_and_calls() {
    let mut flood = Flood::start(10_000);
    let mut stage = Stage::at(flood.url());
    stage.until("it is followed", |state| state.sync.status.follows(StreamKind::Assets));
    stage.until("all are listed", |state| state.assets.list.count() == 10_000 && !state.assets.list.rows.loading());
    let (_, before) = calls(&stage);
    let (woken, lists) = (stage.wakes(), flood.lists());
    flood.change_all("changed");
    stage.until("all are shown as they are now", |state| {
        state.assets.list.rows.value().is_some_and(|rows| rows.iter().all(|row| row.name() == "changed"))
    });
    let (_, after) = calls(&stage);
    let (lists, singles) = (flood.lists() - lists, after - before);
    assert!(lists <= 4 && singles <= 250, "{lists} lists and {singles} calls for 10,000 changes");
    assert!(stage.wakes() - woken <= 100, "{} frames for 10,000 changes", stage.wakes() - woken);
}

#[test]
fn without_streams_the_open_asset_is_polled() {
    let (mut stage, made) = Stage::interface_only(quick(), "a.txt", "first");
    settled(&mut stage);
    assert_eq!(*stage.state().sync.status.of(StreamKind::Assets), StreamStatus::NotOffered);
    open(&mut stage, &made);
    stage.until("it says how often", |state| state.sync.status.word().starts_with("every "));
    rename(&stage, &made, "b.txt");
    stage.until("the new name is shown", |state| open_name(state) == "b.txt");
    stage.until("it is told", |state| state.assets.pages.news.is_some());
}

#[test]
fn without_streams_the_visible_applications_are_polled() {
    let (mut stage, _) = Stage::interface_only(quick(), "a.txt", "first");
    settled(&mut stage);
    stage.perform(NavigationAction::Show(Panel::Applications));
    let before = stage.state().applications.list.count();
    stage.call(ApplicationsRegister { application: Some(record(assets::application())) }).expect("registered");
    stage.until("it is listed", |state| state.applications.list.count() == before + 1);
}

#[test]
fn a_poll_without_changes_does_not_wake_the_window() {
    let (mut stage, made) = Stage::interface_only(quick(), "a.txt", "first");
    settled(&mut stage);
    open(&mut stage, &made);
    stage.until("it is polled", |state| state.session.log.iter().filter(|line| line.background).count() > 3);
    let polls = |state: &State| state.session.log.iter().filter(|line| line.background).count();
    let before = (stage.state().assets.pages.clone(), stage.state().assets.list.clone());
    let polled = polls(stage.state());
    stage.until("it was polled again", |state| polls(state) > polled + 2);
    let after = stage.state();
    assert_eq!((&after.assets.pages, &after.assets.list), (&before.0, &before.1));
    assert!(after.session.log.iter().filter(|line| !line.background).count() > 0);
}

#[test]
fn a_hidden_window_does_not_poll() {
    let pace = SyncIntervals { unattended: Duration::ZERO, ..quick() };
    let (mut stage, made) = Stage::interface_only(pace, "a.txt", "first");
    settled(&mut stage);
    open(&mut stage, &made);
    stage.until("it is polled", |state| state.session.log.iter().any(|line| line.background));
    stage.app.attend(false);
    stage.app.step();
    // What was on its way ends; from then on only the user's own reading is seen.
    stage.perform(AssetsAction::Reload(made.clone()));
    stage.perform(AssetsAction::Reload(made.clone()));
    let polls = |stage: &Stage| stage.state().session.log.iter().filter(|line| line.background).count();
    let before = polls(&stage);
    for _ in 0..30 {
        stage.perform(AssetsAction::Reload(made.clone()));
    }
    assert!(polls(&stage) <= before + 1, "{} polls", polls(&stage) - before);
    rename(&stage, &made, "b.txt");
    stage.app.attend(true);
    stage.until("it is looked at again", |state| open_name(state) == "b.txt");
}
