//! Previewing a write before it is sent: its fields, its bytes, and whether it can be undone.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::{AssetSnapshot, AssetsDeleteAsset};
use lunette_inspector::action::{SessionAction, SettingsAction, WriteAction};
use lunette_inspector::change::{Change, Counter};
use lunette_inspector::write::plan::Plan;
use lunette_inspector::{State, WritePolicy};
use std::sync::Arc;

use crate::panels::asset_page::{at_service, looking_at, settle};
use crate::stage::Stage;

/// Returns how many writes the window has sent.
pub fn writes(stage: &Stage) -> usize {
    stage.state().session.log.iter().filter(|line| line.info.writes()).count()
}

pub fn plan(state: &State) -> Option<&Arc<Plan>> {
    state.write.planned.as_ref()?.plan.value()
}

fn until_dialog(stage: &mut Stage, title: &'static str) {
    stage.until_drawn(&format!("{title:?} is open"), move |harness| {
        harness.query_by_role_and_label(Role::Dialog, title).is_some()
    });
}

fn until_no_dialog(stage: &mut Stage) {
    stage.until_drawn("no dialog is open", |harness| harness.query_all_by_role(Role::Dialog).next().is_none());
}

fn increment(stage: &mut Stage, id: &AssetId) {
    stage.perform(WriteAction::Change(Change::Increment { asset: id.clone(), counter: Counter::Reuse, from: None }));
    stage.until_said("Score: reuse");
    stand(stage);
}

/// Opens the plan of a deletion like a user, at a connection that shows each.
fn delete(stage: &mut Stage) {
    stage.perform(SettingsAction::PlanDetails(true));
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    stage.press("More");
    stage.press("Delete…");
    stage.until_said("/delete");
    stand(stage);
}

/// Waits until the dialog has its final position, so that clicks hit what was seen.
pub fn stand(stage: &mut Stage) {
    stage.harness.run_steps(4);
}

#[test]
fn ctrl_enter_confirms_a_plan_and_enter_alone_does_not() {
    let (mut stage, id) = looking_at("a.txt", "text");
    increment(&mut stage, &id);
    stage.key(egui::Key::Enter);
    until_no_dialog(&mut stage);
    assert!(stage.state().history.entries.is_empty(), "Enter presses Cancel, which has the focus");
    increment(&mut stage, &id);
    stage.ctrl(egui::Key::Enter);
    until_no_dialog(&mut stage);
    stage.until("it is counted", |state| {
        state.notifications.outcome.as_ref().is_some_and(|outcome| outcome.text.contains("reuse"))
    });
    assert_eq!(stage.state().history.entries.len(), 1);
}

#[test]
fn an_increment_is_shown_first_and_cancel_sends_nothing() {
    let (mut stage, id) = looking_at("a.txt", "text");
    increment(&mut stage, &id);
    until_dialog(&mut stage, "Increment reuse of “a.txt”");
    assert!(stage.says("This cannot be undone"));
    stage.press("Cancel");
    until_no_dialog(&mut stage);
    settle(&mut stage, &id);
    assert_eq!(writes(&stage), 0);
    assert_eq!(at_service(&stage, &id)["score"]["reuse"].as_i64().unwrap_or_default(), 0);
}

#[test]
fn the_shown_bytes_are_sent() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.perform(SettingsAction::PlanDetails(true));
    increment(&mut stage, &id);
    let shown = plan(stage.state()).expect("a plan").calls[0].parts().body.expect("a body");
    let shown = String::from_utf8(shown).expect("UTF-8");
    assert!(stage.harness.query_by_label(&shown).is_some(), "{shown} is drawn");
    stage.press("Increment reuse");
    until_no_dialog(&mut stage);
    settle(&mut stage, &id);
    let sent: Vec<_> = stage.state().session.log.iter().filter(|line| line.info.writes()).collect();
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].request_body.as_deref(), Some(shown.as_str()));
    assert_eq!(at_service(&stage, &id)["score"]["reuse"], 1);
}

#[test]
fn a_deletion_names_the_asset_and_runs_after_confirmation() {
    let (mut stage, id) = looking_at("doomed.txt", "text");
    delete(&mut stage);
    until_dialog(&mut stage, "Delete “doomed.txt”?");
    stage.key(Key::Escape);
    until_no_dialog(&mut stage);
    assert_eq!(writes(&stage), 0);
    delete(&mut stage);
    stage.press("Delete");
    stage.until("the page is left", |state| state.assets.pages.open.is_none());
    assert!(stage.call(AssetSnapshot { asset: id, transferables: Some(false) }).is_err());
    until_no_dialog(&mut stage);
    assert_eq!(writes(&stage), 1);
}

#[test]
fn enter_alone_does_not_delete() {
    let (mut stage, id) = looking_at("kept.txt", "text");
    delete(&mut stage);
    stage.key(Key::Enter);
    until_no_dialog(&mut stage);
    settle(&mut stage, &id);
    assert_eq!(writes(&stage), 0);
    assert_eq!(at_service(&stage, &id)["name"], "kept.txt");
}

#[test]
fn a_plan_is_copied_for_a_shell_in_two_ways() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.perform(SettingsAction::PlanDetails(true));
    increment(&mut stage, &id);
    let copied = |stage: &Stage| {
        stage.harness.output().platform_output.commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    };
    for (button, begins) in
        [("Copy as curl", "curl -X POST "), ("Copy as command", "lunette call assetScoresIncrement ")]
    {
        stage.find(Role::Button, button).click();
        let mut text = None;
        for _ in 0..4 {
            stage.harness.step();
            text = text.or_else(|| copied(&stage));
        }
        let text = text.unwrap_or_else(|| panic!("{button} copies"));
        assert!(text.starts_with(begins) && text.contains(&stage.url()) && text.contains(id.as_str()), "{text}");
        assert!(text.contains(r#"{"asset":{"reuse":true}}"#), "{text}");
    }
    assert_eq!(writes(&stage), 0);
}

#[test]
fn a_failed_plan_says_why_and_sends_nothing() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.call(AssetsDeleteAsset { asset: id.clone() }).expect("deleted");
    stage.perform(WriteAction::Change(Change::Increment { asset: id.clone(), counter: Counter::Reuse, from: None }));
    stage.until("it is refused", |state| {
        state.write.planned.as_ref().is_some_and(|planned| planned.plan.error().is_some())
    });
    stand(&mut stage);
    stage.find(Role::Button, "Try again");
    stage.press("Cancel");
    until_no_dialog(&mut stage);
    assert!(!stage.says("The last change was not made"), "what was read in the dialog is not said again");
    assert_eq!(writes(&stage), 0);
}

#[test]
fn an_outdated_plan_is_shown_again_before_anything_is_sent() {
    let (mut stage, id) = looking_at("a.txt", "text");
    increment(&mut stage, &id);
    let body = serde_json::json!({ "asset": { "reuse": true } });
    let increment = Some(crate::support::assets::record(body));
    let other = lunette_client::operation::table::AssetScoresIncrement { asset: id.clone(), increment };
    stage.call(other).expect("incremented by another");
    stage.find(Role::Button, "Increment reuse").focus();
    stage.harness.step();
    stage.key(Key::Enter);
    stage.until_said("1 becomes 2");
    stand(&mut stage);
    assert_eq!(writes(&stage), 0);
    let focused = stage.find(Role::Button, "Cancel").accesskit_node().is_focused();
    assert!(focused, "a plan that nobody has seen is not sent by pressing Enter again");
    stage.press("Increment reuse");
    until_no_dialog(&mut stage);
    settle(&mut stage, &id);
    assert_eq!(at_service(&stage, &id)["score"]["reuse"], 2);
}
