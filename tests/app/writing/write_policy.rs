//! Write policies without a window: what is held back leaves no trace, what is asked about is shown first.

use std::sync::Arc;

use lunette_client::model::id::AssetId;
use lunette_client::operation::table::{ApplicationsSessionOpen, TagsCreateNewTag};
use lunette_inspector::action::{
    AssetsAction, BulkAction, DraftsAction, HistoryAction, ImportAction, SessionAction, WriteAction,
};
use lunette_inspector::change::{Change, Counter, Edit, Field, LinkKind};
use lunette_inspector::drafts::{Draft, DraftKey};
use lunette_inspector::runs::BulkOperation;
use lunette_inspector::{Action, Remote, WritePolicy};
use serde_json::json;

use crate::stage::Stage;

fn rename(asset: &AssetId, from: &str, to: &str) -> Action {
    let edit = Edit { field: Field::Name, from: Some(from.into()), to: to.into() };
    Action::Write(WriteAction::Change(Change::Edit { asset: asset.clone(), edits: vec![edit] }))
}

fn tag(asset: &AssetId, text: &str) -> Action {
    let text = text.to_owned();
    Action::Write(WriteAction::Change(Change::LinkNew {
        asset: asset.clone(),
        kind: LinkKind::Tag,
        text,
        url: None,
        unlink: Vec::new(),
    }))
}

fn track() -> Action {
    Action::Write(WriteAction::Track { name: "Sextant".to_owned(), version: "1.0".to_owned(), identifier: None })
}

fn new_text() -> Action {
    Action::Import(ImportAction::Create { name: "new.txt".to_owned(), text: "text".to_owned() })
}

/// Every wish of the window that writes.
fn writes(asset: &AssetId) -> Vec<Action> {
    let named = Arc::new(vec![(asset.clone(), "a.txt".to_owned())]);
    vec![
        rename(asset, "b.txt", "c.txt"),
        tag(asset, "held"),
        Action::Write(WriteAction::Change(Change::Delete {
            asset: asset.clone(),
            name: "b.txt".to_owned(),
            made: None,
        })),
        new_text(),
        Action::Import(ImportAction::Samples),
        Action::Import(ImportAction::Import(vec!["/nowhere".into()])),
        Action::Import(ImportAction::PickFiles),
        track(),
        Action::Write(WriteAction::Send(Box::new(ApplicationsSessionOpen {}.into()))),
        Action::Bulk(BulkAction::Plan(BulkOperation::Favourite(true), named)),
        Action::History(HistoryAction::Undo),
        Action::History(HistoryAction::Redo),
    ]
}

#[test]
fn read_only_blocks_a_write_without_a_step_or_call_and_keeps_the_input() {
    let mut stage = Stage::new();
    let asset = stage.asset("a.txt", "text");
    stage.perform(AssetsAction::Open(asset.clone()));
    stage.perform(rename(&asset, "a.txt", "b.txt"));
    stage.perform(tag(&asset, "kept"));
    stage.perform(HistoryAction::Undo);
    let draft = Draft { base: Arc::default(), typed: json!({ "name": "new.txt" }).into(), at: String::new() };
    stage.perform(DraftsAction::Save(DraftKey::NewText, Some(draft.clone())));
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::ReadOnly));
    let (steps, sent, was) = (stage.state().history.entries.len(), stage.writes(), stage.tree(&asset));
    for action in writes(&asset) {
        let message = stage.state().notifications.notices.len();
        stage.perform(action.clone());
        let refused = stage.state().write.console.refused.clone().unwrap_or_default();
        let notified = stage.state().notifications.notices.len() > message && stage.notice().contains("read-only");
        assert!(notified || refused.contains("read-only"), "{action:?} is told of: {:?}", stage.notice());
        let state = stage.state();
        assert!(
            state.write.planned.is_none() && state.bulk.draft.is_none() && state.notifications.confirmation.is_none(),
            "{action:?}"
        );
        assert_eq!((state.history.entries.len(), stage.writes()), (steps, sent), "{action:?}");
    }
    assert_eq!(stage.state().drafts.typed.get(&DraftKey::NewText), Some(&draft));
    assert!(!stage.state().write.of(&asset).writing, "the page is not left waiting");
    assert_eq!(stage.tree(&asset), was);
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Allow));
    stage.perform(rename(&asset, "b.txt", "c.txt"));
    assert_eq!(stage.tree(&asset)["name"], "c.txt");
}

#[test]
fn switching_to_read_only_blocks_an_open_plan() {
    let mut stage = Stage::new();
    let asset = stage.asset("a.txt", "text");
    stage.perform(AssetsAction::Open(asset.clone()));
    stage.perform(WriteAction::Change(Change::Increment { asset, counter: Counter::Reuse, from: None }));
    assert!(matches!(stage.state().write.planned.as_ref().map(|planned| &planned.plan), Some(Remote::Known(_))));
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::ReadOnly));
    stage.perform(WriteAction::ApplyPlan);
    assert!(stage.notice().contains("read-only"), "{}", stage.notice());
    assert!(stage.state().write.planned.is_some(), "it is still there to be looked at");
    assert_eq!((stage.writes(), stage.state().history.entries.len()), (0, 0));
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Allow));
    stage.perform(WriteAction::ApplyPlan);
    assert_eq!(stage.writes(), 1);
}

#[test]
fn a_small_write_that_needs_confirmation_shows_its_plan_and_so_does_its_undo() {
    let mut stage = Stage::new();
    let asset = stage.asset("a.txt", "text");
    stage.perform(AssetsAction::Open(asset.clone()));
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    stage.perform(rename(&asset, "a.txt", "b.txt"));
    assert_eq!(stage.writes(), 0, "nothing leaves before it was looked at");
    assert!(stage.state().write.of(&asset).writing, "what was typed for it waits");
    stage.perform(WriteAction::DismissPlan);
    assert!(!stage.state().write.of(&asset).writing);
    let refused = stage.state().write.of(&asset).refused.clone().unwrap_or_default();
    assert_eq!(refused, "Cancelled");
    assert!(
        stage.state().write.of(&asset).cancelled && stage.state().notifications.notices.is_empty(),
        "that is not an error"
    );
    assert_eq!((stage.writes(), stage.state().history.entries.len()), (0, 0));
    stage.perform(rename(&asset, "a.txt", "b.txt"));
    stage.perform(WriteAction::ApplyPlan);
    assert_eq!(stage.tree(&asset)["name"], "b.txt");
    assert!(stage.state().write.planned.is_none() && !stage.state().write.of(&asset).writing);
    stage.perform(HistoryAction::Undo);
    assert_eq!(stage.tree(&asset)["name"], "b.txt", "undo is looked at too");
    stage.perform(WriteAction::ApplyPlan);
    assert_eq!(stage.tree(&asset)["name"], "a.txt");
    assert!(stage.state().history.redoable().is_some(), "it counts as taken back");
}

#[test]
fn a_write_without_a_plan_asks_for_confirmation() {
    let mut stage = Stage::new();
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    let tag = TagsCreateNewTag { transferables: None, tag: None };
    for (action, counts) in [
        (new_text(), true),
        (Action::Import(ImportAction::Samples), true),
        (track(), true),
        (Action::Write(WriteAction::Send(Box::new(tag.into()))), true),
        (Action::History(HistoryAction::Undo), false),
    ] {
        let sent = stage.writes();
        stage.perform(action.clone());
        if !counts {
            continue;
        }
        let asked = stage.state().notifications.confirmation.clone().unwrap_or_else(|| panic!("{action:?} asks"));
        assert_eq!(stage.writes(), sent, "{action:?}: nothing leaves before the answer");
        stage.perform(Action::Decline);
        assert_eq!((stage.writes(), stage.state().notifications.confirmation.is_none()), (sent, true), "{action:?}");
        assert!(!stage.state().import.creation.loading(), "{action:?}: no form is left waiting");
        stage.perform(action.clone());
        stage.perform(Action::Confirm);
        assert!(stage.writes() > sent, "{action:?} is sent: {}", stage.notice());
        if let Some(call) = asked.call {
            let last = stage.state().session.log.iter().rev().find(|line| line.info.writes()).expect("a write");
            assert_eq!(last.info.name, call.info().name);
        }
    }
}

#[test]
fn undoing_a_bulk_change_needs_confirmation_but_undoing_an_export_does_not() {
    let mut stage = Stage::new();
    stage.perform(ImportAction::Samples);
    let (made, sent) = (stage.state().assets.list.count(), stage.writes());
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    stage.perform(HistoryAction::Undo);
    let draft = stage.state().bulk.draft.clone().expect("its plan is shown");
    assert_eq!((draft.assets.len(), stage.writes()), (made, sent));
    stage.perform(BulkAction::Start);
    assert_eq!(stage.state().assets.list.count(), 0, "{}", stage.notice());
}
