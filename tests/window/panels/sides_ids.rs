//! Copying to services that give their own ids: the new ids are told, copied, and remembered.

use std::path::Path;

use egui::Role;
use lunette_client::client::Client;
use lunette_client::model::record::Record;
use lunette_client::operation::table::{AssetAssociateTag, AssetUpdate};
use lunette_inspector::State;
use lunette_inspector::action::{HistoryAction, SidesAction};
use lunette_inspector::compare::Position;
use lunette_inspector::listing::Row as _;
use lunette_inspector::runs::RunStatus;
use lunette_inspector::sides::window::Stage as Compared;
use lunette_inspector::sides::{Match, RowState};
use lunette_service::{Data, Running, start};
use tokio::runtime::Runtime;

use super::sides::{asset_of, compare, keys, set_text, two_services};
use crate::stage::Stage;
use crate::support;
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction};

/// Links a tag to an asset, which counts for its scores.
async fn link_tag(client: &Client, asset: &str) {
    let (asset, tag) = (asset.parse().expect("an id"), support::assets::tag(client, "rust").await);
    client.call(AssetAssociateTag { asset, tag }).await.expect("linked");
}

/// What is copied when a button is pressed.
fn copied(stage: &mut Stage, button: &str) -> Option<String> {
    stage.until_label(button);
    stage.find(Role::Button, button).click_accesskit();
    stage.harness.step();
    stage.harness.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    })
}

#[test]
fn the_new_ids_at_a_service_that_gives_its_own_are_told_copied_and_remembered() {
    let (mut stage, other) = two_services();
    let foreign = MutatingProxy::named("other/1.0", other.port(), |_| ProxyAction::Pass);
    let (here, there) = (stage.client(), support::client(&other));
    let mine = asset_of(&stage, &here, "mine.txt").expect("it is here")["id"].as_str().expect("an id").to_owned();
    stage.runtime.block_on(link_tag(&here, &mine));
    compare(&mut stage, &foreign.url());
    let rows = keys(&stage, |row| row.state == RowState::OnlyLeft);
    let old = rows[0].left.clone().expect("an id");
    stage.perform(SidesAction::Copy(rows, Position::Right));
    stage.until_said("Copy 1 change to the right?");
    stage.press("Copy to the right");
    stage.until_said("1 has a new id there");
    stage.until_said("scores of 1 asset not copied");
    let new = asset_of(&stage, &there, "mine.txt").expect("it is there")["id"].as_str().expect("an id").to_owned();
    assert_ne!(*old, *new);
    assert_eq!(copied(&mut stage, "Copy old and new ids"), Some(format!("old id,new id\n{old},{new}\n")));
    let is_one_row = |state: &State| {
        let mut rows = state.sides.list.iter();
        rows.any(|row| {
            let key = row.key();
            row.state == RowState::Same
                && row.matched == Some(Match::Copied)
                && (key.left.as_deref(), key.right.as_deref()) == (Some(&*old), Some(&*new))
        })
    };
    stage.until("they are one row", is_one_row);
    // Also where nothing else says that they are the same.
    set_text(&stage, &there, "mine.txt", "changed there");
    let mut renamed = asset_of(&stage, &there, "mine.txt").expect("it is there");
    renamed["name"] = "renamed there.txt".into();
    let call = AssetUpdate { transferables: None, asset: Some(Record::from_any(renamed).expect("a record")) };
    stage.runtime.block_on(there.call(call)).expect("updated");
    stage.press("Compare");
    stage.until("they are still one row", |state| {
        state.sides.stage == Compared::Ready
            && state
                .sides
                .list
                .iter()
                .any(|row| row.matched == Some(Match::Copied) && row.differs.names() == "content, name")
    });
}

#[test]
fn the_new_ids_at_a_connected_service_that_gives_its_own_are_told_and_remembered() {
    let data = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let services = [0, 1].map(|_| runtime.block_on(start(support::settings(Data::Memory))).expect("it starts"));
    let [connected, other] = services;
    let there = support::client(&other);
    let theirs = runtime.block_on(support::assets::text_asset(&there, "theirs.txt", "only there"));
    runtime.block_on(link_tag(&there, theirs.as_str()));
    let foreign = MutatingProxy::named("other/1.0", connected.port(), |_| ProxyAction::Pass);
    let mut stage = Stage::at_beside(&foreign.url(), data.path());
    stage.until_idle();
    compare(&mut stage, &other.url());
    let rows = keys(&stage, |row| row.state == RowState::OnlyRight);
    let old = rows[0].right.clone().expect("an id");
    stage.perform(SidesAction::Copy(rows, Position::Left));
    stage.until_said("Copy 1 change to the left?");
    stage.press("Copy to the left");
    stage.until_said("1 has a new id there");
    stage.until_said("scores of 1 asset not copied");
    stage.until("they are one row", |state| {
        let mut rows = state.sides.list.iter();
        rows.any(|row| row.state == RowState::Same && row.matched == Some(Match::Copied))
    });
    let key = keys(&stage, |row| row.matched == Some(Match::Copied))[0].clone();
    assert_eq!(key.right, Some(old.clone()));
    let text = copied(&mut stage, "Copy old and new ids").expect("copied");
    assert_eq!(text, format!("old id,new id\n{old},{}\n", key.left.expect("an id")));
    runtime.block_on(async { (connected.stop().await, other.stop().await) });
}

/// A window on a service that gives its own ids, beside another one with two assets; both are compared.
fn connected_to_foreign(data: &Path) -> (Stage, MutatingProxy, [Running; 2], Runtime) {
    let runtime = Runtime::new().expect("a runtime");
    let [connected, other] =
        [0, 1].map(|_| runtime.block_on(start(support::settings(Data::Memory))).expect("it starts"));
    for name in ["one.txt", "two.txt"] {
        runtime.block_on(support::assets::text_asset(&support::client(&other), name, name));
    }
    let foreign = MutatingProxy::named("other/1.0", connected.port(), |_| ProxyAction::Pass);
    let mut stage = Stage::at_beside(&foreign.url(), data);
    stage.until_idle();
    compare(&mut stage, &other.url());
    (stage, foreign, [connected, other], runtime)
}

/// The numbers of rows that the right side alone has, and that are the same.
fn alone_and_same(state: &State) -> [usize; 2] {
    let counts = &state.sides.comparison.as_ref().expect("a comparison").counts;
    [RowState::OnlyRight, RowState::Same].map(|state| counts.of(state))
}

#[test]
fn what_is_undone_and_redone_at_a_connected_service_that_gives_its_own_ids_is_in_the_rows_and_stays_selected() {
    let data = tempfile::tempdir().expect("a folder");
    let (mut stage, _foreign, _services, _runtime) = connected_to_foreign(data.path());
    let first = keys(&stage, |row| row.name() == "one.txt");
    let second = keys(&stage, |row| row.name() == "two.txt");
    stage.find(Role::Table, "Assets of both sides").focus();
    stage.ctrl(egui::Key::A);
    stage.until_said("2 selected");
    for (done, rows) in [(1, first), (2, second)] {
        stage.perform(SidesAction::Copy(rows, Position::Left));
        stage.until_said("Copy 1 change to the left?");
        stage.press("Copy to the left");
        stage.until("it is there", |state| alone_and_same(state) == [2 - done, done] && !state.sides.is_busy());
        stage.until_said("2 selected");
    }
    let is_settled = |state: &State| {
        !state.sides.is_busy()
            && !state.history.sending()
            && state.bulk.runs.values().all(|run| run.status == RunStatus::Ended)
    };
    // Twice: each time the service gives another id.
    for _ in 0..2 {
        for undone in 1..=2 {
            stage.perform(HistoryAction::Undo);
            stage.press_once_enabled("Delete 1 asset");
            stage.until("it is gone", |state| alone_and_same(state) == [undone, 2 - undone] && is_settled(state));
        }
        for redone in 1..=2 {
            stage.perform(HistoryAction::Redo);
            stage.until("it is back", |state| alone_and_same(state) == [2 - redone, redone] && is_settled(state));
            stage.until_said("2 selected");
        }
    }
    assert!(stage.state().sides.list.iter().all(|row| row.matched == Some(Match::Copied)));
}
