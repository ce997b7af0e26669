//! Writes: planned before they are sent, noted before they leave, sent once, and settled by reading.

use std::time::Duration;

use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    AssetScoresIncrement, AssetSnapshot, AssetUpdate, AssetsDeleteAsset, TagsCreateNewTag,
};
use lunette_inspector::Action;
use lunette_inspector::action::{HistoryAction, ImportAction, WriteAction};
use lunette_inspector::change::{Change, Counter, Edit, Field, Item, LinkKind};
use lunette_inspector::journal::{EntryKind, EntryRelation, Outcome};
use lunette_inspector::write::plan::{Plan, UndoKind};
use serde_json::{Value, json};

use crate::inspector::{REFUSE_STEPS, execute};
use crate::stage::Stage;
use crate::support::assets::{self, record};
use crate::support::fault::{Fault, FaultKind};
use crate::support::unsupported_proxy::UnsupportedProxy;
use crate::writing::undo_deleted::without_trash;

fn rename(asset: &AssetId, from: &str, to: &str) -> Action {
    let edit = Edit { field: Field::Name, from: Some(from.into()), to: to.into() };
    Action::Write(WriteAction::Change(Change::Edit { asset: asset.clone(), edits: vec![edit] }))
}

fn increment(asset: &AssetId) -> Action {
    Action::Write(WriteAction::Change(Change::Increment { asset: asset.clone(), counter: Counter::Reuse, from: None }))
}

fn delete(asset: &AssetId) -> Action {
    Action::Write(WriteAction::Change(Change::Delete { asset: asset.clone(), name: String::new(), made: None }))
}

/// The record as the raw editor begins with it: without content.
fn seen(stage: &Stage, asset: &AssetId) -> Value {
    let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    stage.call(call).expect("the asset").into_tree()
}

/// A raw edit of the record as it is now.
fn raw(stage: &Stage, asset: &AssetId, edit: impl FnOnce(&mut Value)) -> Action {
    let from = seen(stage, asset);
    let mut to = from.clone();
    edit(&mut to);
    Action::Write(WriteAction::Change(Change::Record { asset: asset.clone(), from, to }))
}

/// Changes the asset as another client would.
fn behind(stage: &Stage, asset: &AssetId, edit: impl FnOnce(&mut Value)) {
    let mut tree = stage.tree(asset);
    edit(&mut tree);
    stage.call(AssetUpdate { transferables: None, asset: Some(record(tree)) }).expect("updated");
}

/// The plan that is shown.
fn plan(stage: &Stage) -> Plan {
    let planned = stage.state().write.planned.as_ref().expect("a plan is shown");
    Plan::clone(planned.plan.value().unwrap_or_else(|| panic!("{planned:?}")))
}

fn changes(plan: &Plan) -> Vec<(String, Option<Value>, Option<Value>)> {
    plan.fields.iter().map(|change| (change.path.to_string(), change.before.clone(), change.after.clone())).collect()
}

/// Every write that went out: target and body.
fn went_out(stage: &Stage) -> Vec<(String, Option<String>)> {
    let writes = stage.state().session.log.iter().filter(|line| line.calls.is_none() && line.info.writes());
    let target = |url: &str| url.splitn(4, '/').nth(3).map(|rest| format!("/{rest}")).unwrap_or_default();
    writes.map(|line| (target(&line.url), line.request_body.clone())).collect()
}

/// The calls of a plan: target and body.
fn planned(plan: &Plan) -> Vec<(String, Option<String>)> {
    let call = |call: &lunette_client::operation::Call| {
        let parts = call.parts();
        (parts.target(call.info()), parts.body.map(|body| String::from_utf8(body).expect("text")))
    };
    plan.calls.iter().map(call).collect()
}

#[test]
fn the_sent_bytes_equal_those_of_the_plan_and_the_journal() {
    let mut stage = Stage::new();
    let asset = stage.asset("a", "text");
    behind(&stage, &asset, |tree| tree["x_old"] = json!(1.10));
    let raw = raw(&stage, &asset, |tree| {
        tree["x_new"] = json!({ "digits": "ü😀" });
        tree.as_object_mut().expect("an object").shift_remove("x_old");
    });
    for action in [raw, increment(&asset)] {
        let before = went_out(&stage).len();
        stage.perform(action);
        let plan = plan(&stage);
        assert_eq!(went_out(&stage).len(), before, "it was sent before it was looked at");
        stage.perform(WriteAction::ApplyPlan);
        assert_eq!(went_out(&stage)[before..], planned(&plan));
        let noted = stage.last().requests.iter().map(|sent| (sent.target.clone(), sent.body.clone()));
        assert_eq!(noted.collect::<Vec<_>>(), planned(&plan));
        assert_eq!((&stage.last().outcome, stage.last().answers), (&Outcome::Done, EntryRelation::None));
        assert_eq!(stage.state().write.planned, None);
    }
}

#[test]
fn a_plan_lists_its_changes_and_whether_they_can_be_undone() {
    let mut stage = Stage::new();
    let asset = stage.asset("a", "text");
    stage.perform(increment(&asset));
    let counted = ("$.score.reuse".to_owned(), None, Some(json!(1)));
    assert_eq!(changes(&plan(&stage)), [counted]);
    assert!(matches!(plan(&stage).undo, UndoKind::Never(_)));
    stage.perform(raw(&stage, &asset, |tree| {
        tree["x_new"] = 1.into();
        tree["name"] = "b".into();
    }));
    let changed =
        [("$.name".to_owned(), Some("a".into()), Some("b".into())), ("$.x_new".to_owned(), None, Some(1.into()))];
    assert_eq!(changes(&plan(&stage)), changed);
    assert!(matches!(plan(&stage).undo, UndoKind::By(_)));
    stage.perform(WriteAction::DismissPlan);
    assert_eq!((stage.state().write.planned.clone(), stage.writes()), (None, 0));
    assert!(!stage.state().write.of(&asset).writing);
}

#[test]
fn removing_a_field_sends_null_and_deletes_it() {
    let mut stage = Stage::new();
    let asset = stage.asset("a", "text");
    behind(&stage, &asset, |tree| tree["x_old"] = json!([1, null]));
    let before = stage.tree(&asset);
    stage.perform(raw(&stage, &asset, |tree| drop(tree.as_object_mut().expect("fields").shift_remove("x_old"))));
    let body: Value = serde_json::from_str(planned(&plan(&stage))[0].1.as_deref().expect("a body")).expect("JSON");
    assert_eq!(body.get("x_old"), Some(&Value::Null));
    stage.perform(WriteAction::ApplyPlan);
    assert_eq!(stage.tree(&asset).get("x_old"), None);
    assert_eq!(stage.state().notifications.notices, []);
    stage.perform(HistoryAction::Undo);
    assert_eq!(stage.tree(&asset)["x_old"], before["x_old"]);
}

#[test]
fn a_change_without_effect_is_not_sent() {
    let mut stage = Stage::new();
    let asset = stage.asset("a", "text");
    for action in [rename(&asset, "a", "a"), raw(&stage, &asset, |_| {})] {
        stage.perform(action);
        let message = stage.state().notifications.outcome.as_ref().expect("it is said").text.clone();
        assert!(message.starts_with("Nothing to change: "), "{message}");
    }
    assert_eq!((stage.writes(), stage.state().write.planned.clone()), (0, None));
    assert!(stage.state().history.entries.is_empty() && !stage.state().write.of(&asset).writing);
}

#[test]
fn data_that_a_service_does_not_remove_is_reported_and_the_rest_can_be_undone() {
    let mut stage = Stage::new();
    let asset = stage.asset("a", "text");
    let before = seen(&stage, &asset);
    stage.perform(raw(&stage, &asset, |tree| {
        tree["creator"] = "somebody else".into();
        tree["x_new"] = true.into();
    }));
    stage.perform(WriteAction::ApplyPlan);
    assert!(stage.notice().contains("did not change Creator"), "{}", stage.notice());
    assert_eq!(stage.tree(&asset)["x_new"], true);
    stage.perform(HistoryAction::Undo);
    let after = seen(&stage, &asset);
    assert_eq!((after.get("x_new"), &after["creator"]), (None, &before["creator"]));
}

#[test]
fn a_deletion_of_a_changed_asset_shows_its_plan_again() {
    let mut stage = without_trash();
    let asset = stage.asset("a", "text");
    stage.perform(delete(&asset));
    behind(&stage, &asset, |tree| tree["name"] = "b".into());
    stage.perform(WriteAction::ApplyPlan);
    assert_eq!(stage.writes(), 0);
    assert_eq!(plan(&stage).before.expect("the asset").view().name(), Some("b"));
    assert!(stage.notice().starts_with("Not sent: the asset changed"), "{}", stage.notice());
    stage.perform(WriteAction::ApplyPlan);
    assert_eq!((stage.writes(), stage.state().write.planned.clone()), (1, None));
    assert!(stage.call(AssetSnapshot { asset, transferables: None }).is_err());
}

#[test]
fn an_increment_of_a_changed_counter_shows_its_plan_again() {
    let mut stage = Stage::new();
    let asset = stage.asset("a", "text");
    stage.perform(increment(&asset));
    let body = Some(record(json!({ "asset": { "reuse": true } })));
    stage.call(AssetScoresIncrement { asset: asset.clone(), increment: body }).expect("incremented");
    stage.perform(WriteAction::ApplyPlan);
    assert_eq!(stage.writes(), 0);
    assert_eq!(changes(&plan(&stage)), [("$.score.reuse".to_owned(), Some(json!(1)), Some(json!(2)))]);
    stage.perform(WriteAction::ApplyPlan);
    assert_eq!(stage.tree(&asset)["score"]["reuse"], 2);
}

#[test]
fn a_conflicting_record_edit_sends_nothing_until_it_is_resolved() {
    let mut stage = Stage::new();
    let asset = stage.asset("a", "text");
    let yours = raw(&stage, &asset, |tree| tree["x_yours"] = 1.into());
    behind(&stage, &asset, |tree| tree["x_theirs"] = 2.into());
    stage.perform(yours);
    assert_eq!((stage.state().write.planned.clone(), stage.writes()), (None, 0));
    assert!(stage.state().write.conflict.as_ref().is_some_and(|conflict| conflict.mergeable()));
    stage.perform(WriteAction::MergeConflict);
    stage.perform(WriteAction::ApplyPlan);
    let tree = stage.tree(&asset);
    assert_eq!((&tree["x_yours"], &tree["x_theirs"], stage.writes()), (&json!(1), &json!(2), 1));
    assert_eq!(stage.state().write.conflict, None);
}

#[test]
fn a_record_changed_while_its_plan_is_shown_is_not_sent() {
    let mut stage = Stage::new();
    let asset = stage.asset("a", "text");
    stage.perform(raw(&stage, &asset, |tree| tree["name"] = "yours".into()));
    behind(&stage, &asset, |tree| tree["name"] = "theirs".into());
    stage.perform(WriteAction::ApplyPlan);
    assert_eq!((stage.state().write.planned.clone(), stage.writes()), (None, 0));
    assert!(stage.state().write.conflict.as_ref().is_some_and(|conflict| !conflict.decided()));
    assert_eq!(stage.tree(&asset)["name"], "theirs");
}

#[test]
fn an_edit_that_overlaps_another_is_a_conflict_and_not_sent() {
    let mut stage = Stage::new();
    let asset = stage.asset("theirs", "text");
    stage.perform(rename(&asset, "seen", "yours"));
    assert!(stage.state().write.conflict.is_some() && stage.state().history.entries.is_empty());
    stage.perform(WriteAction::DismissConflict);
    assert_eq!((stage.writes(), stage.state().write.of(&asset).writing), (0, false));
    assert_eq!(stage.tree(&asset)["name"], "theirs");
}

/// A stage whose writes have these faults, and the proxy.
fn faulty(kind: fn(usize) -> FaultKind) -> (Stage, Fault) {
    let mut wire = None;
    let stage = Stage::behind(Duration::from_secs(3), |port| wire.insert(Fault::start(port, kind)).url());
    (stage, wire.expect("a wire"))
}

#[test]
fn an_unanswered_write_is_read_again_by_itself_and_found_to_be_made() {
    let (mut stage, wire) = faulty(|_| FaultKind::Delayed);
    let asset = stage.asset("before", "text");
    stage.perform(rename(&asset, "before", "after"));
    for _ in 0..2 {
        assert_eq!((&stage.last().outcome, wire.reached().len()), (&Outcome::Done, 1));
        let why = stage.last().was_unknown.clone().expect("what was unknown is said");
        assert!(why.contains("no response"), "{why}");
        assert!(stage.undoable().is_some());
        stage.restart();
    }
}

#[test]
fn a_write_answered_by_an_error_is_read_again_by_itself_and_found_not_to_be_made() {
    let mut wire = None;
    let mut stage = Stage::behind(Duration::from_secs(3), |port| wire.insert(UnsupportedProxy::start(port)).url());
    let wire = wire.expect("a wire");
    let asset = stage.asset("before", "text");
    wire.refuse_writes(500, "out of order");
    stage.perform(rename(&asset, "before", "after"));
    let Outcome::Failed(why) = &stage.last().outcome else { panic!("{:?}", stage.last()) };
    assert_eq!(why, "reading the asset again showed that the change was not made");
    assert!(stage.last().was_unknown.as_ref().is_some_and(|why| why.contains("status 500")), "{:?}", stage.last());
    assert!(
        stage.notice().contains("500") && stage.notice().ends_with("the change was not made"),
        "{}",
        stage.notice()
    );
    assert_eq!((wire.refused().len(), stage.state().write.of(&asset).unsure), (1, false));
    // An empty success says nothing either.
    wire.refuse_writes(200, "");
    stage.perform(rename(&asset, "before", "after"));
    assert!(matches!(stage.last().outcome, Outcome::Failed(_)), "{:?}", stage.last());
    assert_eq!((wire.refused().len(), stage.tree(&asset)["name"].clone()), (2, "before".into()));
}

#[test]
fn an_unanswered_new_link_is_reconciled_as_the_created_link() {
    let (mut stage, wire) = faulty(|write| if write == 1 { FaultKind::Delayed } else { FaultKind::Passed });
    let asset = stage.asset("a", "text");
    let change = Change::LinkNew { asset, kind: LinkKind::Tag, text: "new".to_owned(), url: None, unlink: Vec::new() };
    stage.perform(WriteAction::Change(change));
    assert_eq!(stage.last().outcome, Outcome::Done, "{:?}", stage.last());
    assert!(matches!(&stage.last().kind, EntryKind::Change(Change::Link { .. })), "{:?}", stage.last());
    assert_eq!(wire.reached().len(), 2);
    stage.perform(HistoryAction::Undo);
    assert_eq!(wire.reached().len(), 3);
}

#[test]
fn a_new_tag_is_reported_as_created_if_linking_it_fails() {
    let (mut stage, wire) = faulty(|write| if write == 1 { FaultKind::Failed } else { FaultKind::Passed });
    let asset = stage.asset("linked", "text");
    stage.perform(WriteAction::Change(Change::LinkNew {
        asset,
        kind: LinkKind::Tag,
        text: "new".to_owned(),
        url: None,
        unlink: Vec::new(),
    }));
    assert!(matches!(&stage.last().outcome, Outcome::Failed(why) if why.contains("“new” but could not link it")));
    assert!(stage.notice().contains("“new” but could not link it"), "{}", stage.notice());
    assert_eq!(wire.reached().len(), 1);
    assert!(stage.state().assets.items(LinkKind::Tag).iter().any(|item| item.text == "new"));
}

#[test]
fn a_write_that_never_reached_the_service_is_reconciled_as_not_applied() {
    let (mut stage, wire) = faulty(|_| FaultKind::Disconnected);
    let asset = stage.asset("before", "text");
    stage.perform(rename(&asset, "before", "after"));
    let Outcome::Unknown(why) = &stage.last().outcome else { panic!("{:?}", stage.last()) };
    assert!(why.ends_with("reading the asset again did not show the change, which may still be made"), "{why}");
    stage.restart();
    assert!(matches!(stage.last().outcome, Outcome::Unknown(_)), "{:?}", stage.last());
    stage.perform(HistoryAction::Reconcile(stage.last().id));
    assert!(matches!(stage.last().outcome, Outcome::Failed(_)), "{:?}", stage.last());
    assert_eq!((wire.reached().len(), stage.undoable()), (0, None));
    assert_eq!(stage.tree(&asset)["name"], "before");
}

#[test]
fn a_refused_write_is_recorded_as_failed_with_its_reason() {
    let (mut stage, _wire) = faulty(|_| FaultKind::Failed);
    let asset = stage.asset("before", "text");
    stage.perform(rename(&asset, "before", "after"));
    let Outcome::Failed(why) = &stage.last().outcome else { panic!("{:?}", stage.last()) };
    assert!(why.contains("status 400"), "{why}");
    assert!(stage.state().write.of(&asset).refused.is_some());
}

#[test]
fn a_write_answered_by_a_gateway_is_found_to_be_made() {
    let (mut stage, wire) = faulty(|_| FaultKind::Late);
    let asset = stage.asset("before", "text");
    stage.perform(rename(&asset, "before", "after"));
    assert_eq!((&stage.last().outcome, wire.reached().len()), (&Outcome::Done, 1));
    assert!(stage.last().was_unknown.as_ref().is_some_and(|why| why.contains("504")), "{:?}", stage.last());
}

#[test]
fn an_unconfirmed_asset_of_an_import_stays_unknown_after_a_restart() {
    for kind in [|write| if write == 1 { FaultKind::Dropped } else { FaultKind::Passed }, |_| FaultKind::Late]
        as [fn(usize) -> FaultKind; 2]
    {
        let (mut stage, wire) = faulty(kind);
        stage.perform(ImportAction::Samples);
        let summary = stage.state().import.summary.clone().expect("a report");
        let (sent, unknown) = (wire.reached().len(), summary.unknown);
        assert_eq!((summary.imported + unknown, summary.rejected.len()), (sent, unknown), "{summary}");
        assert!(unknown > 0 && summary.to_string().contains(&format!("{unknown} unknown")), "{summary}");
        assert!(
            summary.rejected.iter().all(|(_, why)| why.starts_with("it is unknown whether it was imported")),
            "{summary:?}"
        );
        assert!(matches!(stage.last().outcome, Outcome::Unknown(_)), "{:?}", stage.last());
        stage.restart();
        assert!(matches!(stage.last().outcome, Outcome::Unknown(_)), "{:?}", stage.last());
    }
}

#[test]
fn a_write_that_cannot_be_journaled_is_not_sent() {
    let mut stage = Stage::new();
    let asset = stage.asset("before", "text");
    execute(stage.folder.path(), REFUSE_STEPS);
    let tag = Some(record(json!({ "text": "x" })));
    let actions = [
        rename(&asset, "before", "after"),
        Action::Write(WriteAction::Send(Box::new(TagsCreateNewTag { transferables: None, tag }.into()))),
        Action::Import(ImportAction::Create { name: "a".to_owned(), text: "text".to_owned() }),
    ];
    for action in actions {
        stage.perform(action);
    }
    assert_eq!((stage.writes(), stage.tree(&asset)["name"].clone()), (0, "before".into()));
    assert!(stage.state().history.entries.is_empty());
    let message = |text: &str| text.contains("must be recorded before");
    let message = stage.state().notifications.notices.iter().filter(|notice| message(&notice.text)).count();
    assert_eq!((message, stage.state().write.console.refused.is_some()), (2, true));
    assert!(!stage.state().write.of(&asset).writing);
}

#[test]
fn a_console_call_is_a_step_that_cannot_be_undone() {
    let mut stage = Stage::new();
    let tag = Some(record(json!({ "text": "x" })));
    stage.perform(WriteAction::Send(Box::new(TagsCreateNewTag { transferables: None, tag }.into())));
    let step = stage.last().clone();
    assert_eq!(step.kind, EntryKind::Call { operation: "tagsCreateNewTag".to_owned() });
    assert_eq!((&step.outcome, stage.undoable()), (&Outcome::Done, None));
    stage.perform(HistoryAction::UndoStep(step.id));
    assert!(stage.notice().contains("cannot be undone"), "{}", stage.notice());
    let asset = stage.asset("a", "text");
    stage.perform(WriteAction::Send(Box::new(AssetSnapshot { asset, transferables: None }.into())));
    assert_eq!(stage.state().history.entries.len(), 1, "a read is not a step");
}

#[test]
fn changing_a_deleted_asset_reports_that_and_sends_nothing() {
    let mut stage = Stage::new();
    let asset = stage.asset("a", "text");
    stage.call(AssetsDeleteAsset { asset: asset.clone() }).expect("deleted");
    let id = stage.wait_for(assets::tag(&stage.client(), "x")).to_string();
    let item = Item::new(LinkKind::Tag, &id, "x", None);
    stage.perform(WriteAction::Change(Change::Link { asset: asset.clone(), item }));
    stage.perform(delete(&asset));
    assert_eq!(stage.writes(), 0);
    assert_eq!(stage.state().write.planned, None);
    assert!(stage.state().write.of(&asset).refused.as_ref().is_some_and(|why| why.contains("status 410")));
}
