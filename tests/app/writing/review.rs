//! Which changes show their plan first and which are sent at once, for every kind of the table; and what follows from it:
//! what was sent at once is sent once and taken back by one Undo, pressed however soon.

use std::collections::BTreeSet;

use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetSnapshot, AssetUpdate, AssetsDeleteAsset};
use lunette_inspector::action::{AssetsAction, HistoryAction, SessionAction, WriteAction};
use lunette_inspector::change::{CHANGES, Change, Counter, Edit, Field, Item, LinkKind, Undo};
use lunette_inspector::journal::{EntryRelation, Outcome};
use lunette_inspector::{Action, WritePolicy};
use serde_json::{Value, json};

use crate::stage::Stage;
use crate::support::assets::record;
use crate::support::fault::{Fault, FaultKind};
use crate::writing::undo_deleted::without_trash;

/// An asset with one tag, and a change of it of every kind that a user makes.
pub(super) fn changes(stage: &mut Stage) -> Vec<Change> {
    CHANGES.iter().filter_map(|info| change(stage, info.name, info.title.contains("on {asset}"))).collect()
}

/// A change of a kind, on an asset of its own; `None` for kinds that only undo something.
fn change(stage: &mut Stage, name: &str, replaces: bool) -> Option<Change> {
    let asset = stage.asset("a.txt", "text");
    let tag = |text: &str| Item::new(LinkKind::Tag, &stage.tag(text).to_string(), text, None);
    let (linked, other) = (tag("linked"), tag("other"));
    stage.perform(WriteAction::Change(Change::Link { asset: asset.clone(), item: linked.clone() }));
    let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    let from = stage.call(call).expect("the asset").into_tree();
    let new = |text: &str, unlink| Change::LinkNew {
        asset: asset.clone(),
        kind: LinkKind::Tag,
        text: text.to_owned(),
        url: None,
        unlink,
    };
    let in_trash = |stage: &Stage| stage.call(AssetsDeleteAsset { asset: asset.clone() }).is_ok();
    Some(match name {
        "link" => Change::Link { asset, item: other },
        "unlink" => Change::Unlink { asset, item: linked },
        "relink" => Change::Relink { asset, link: vec![other], unlink: vec![linked] },
        "link_new" if replaces => new("newer", vec![linked]),
        "link_new" => new("new", Vec::new()),
        "edit" => {
            let edits = vec![Edit { field: Field::Name, from: Some("a.txt".into()), to: "b.txt".into() }];
            Change::Edit { asset, edits }
        }
        "record" => {
            let mut to = from.clone();
            to["x_new"] = json!(1);
            Change::Record { asset, from, to }
        }
        "text" => Change::Text { asset, from: "text".to_owned(), to: "other".to_owned() },
        "reclassify" => Change::Reclassify { asset, from: None, to: "rs".to_owned() },
        "increment" => Change::Increment { asset, counter: Counter::Reuse, from: None },
        "delete" => Change::Delete { asset, name: "a.txt".to_owned(), made: None },
        "restore" if in_trash(stage) => Change::Restore { asset, name: "a.txt".to_owned() },
        "purge" if in_trash(stage) => Change::Purge { asset, name: "a.txt".to_owned() },
        "create" | "copy" | "recreate" => return None,
        other => panic!("no change of the kind {other}"),
    })
}

/// The asset as it is now; null if it is deleted.
fn seen(stage: &Stage, asset: &AssetId) -> Value {
    let call = AssetSnapshot { asset: asset.clone(), transferables: Some(true) };
    stage.call(call).map_or(Value::Null, |asset| lunette_inspector::change::fingerprint::lasting(asset.tree()))
}

#[test]
fn every_kind_is_sent_at_once_or_shows_its_plan_as_its_row_says() {
    for mut stage in [Stage::new(), without_trash()] {
        let recovery = stage.state().connection.recovery();
        let (mut at_once, mut shown) = (BTreeSet::new(), BTreeSet::new());
        for change in changes(&mut stage) {
            let (info, sent, before) = (change.info(), stage.writes(), seen(&stage, change.asset()));
            if info.changes_trash && info.name != "delete" && recovery != lunette_inspector::change::Recovery::Trash {
                continue;
            }
            stage.perform(WriteAction::Change(change.clone()));
            let planned = stage.state().write.planned.is_some();
            assert_eq!(planned, change.needs_review(recovery), "{change:?}");
            assert_eq!(stage.writes() == sent, planned, "{change:?}: {:?}", stage.state().notifications.notices);
            if planned {
                shown.insert(info.name);
                stage.perform(WriteAction::DismissPlan);
                assert_eq!((stage.writes(), seen(&stage, change.asset())), (sent, before), "{change:?}");
                continue;
            }
            at_once.insert(info.name);
            let step = stage.last().id;
            let undo = stage.state().notifications.outcome.as_ref().and_then(|outcome| outcome.undo);
            assert_eq!(undo, Some(step), "Undo is offered: {change:?}");
            stage.perform(HistoryAction::Undo);
            assert_eq!(stage.last().answers, EntryRelation::Undoes(step), "{change:?}");
            assert_eq!(seen(&stage, change.asset()), before, "{change:?}");
        }
        let all: BTreeSet<_> = CHANGES.iter().map(|info| info.name).collect();
        assert!(shown.iter().chain(&at_once).all(|name| all.contains(name)));
        match recovery {
            lunette_inspector::change::Recovery::Trash => {
                assert_eq!(shown, BTreeSet::from(["increment", "purge", "record"]));
                assert_eq!(
                    at_once.len() + shown.len() + 3,
                    all.len(),
                    "all but copies and those that only undo something"
                );
            }
            _ => assert_eq!(shown, BTreeSet::from(["delete", "increment", "record"])),
        }
    }
}

#[test]
fn a_permanent_change_is_never_sent_without_its_plan() {
    let mut stage = Stage::new();
    let recovery = stage.state().connection.recovery();
    for change in changes(&mut stage) {
        let made_anew = matches!(change, Change::LinkNew { .. });
        let permanent = matches!(change.info().undo, Undo::Never(_)) && !made_anew;
        assert!(!permanent || change.needs_review(recovery), "{change:?}");
    }
}

#[test]
fn with_confirm_every_kind_asks_and_with_read_only_none_is_sent() {
    let mut stage = Stage::new();
    let changes = changes(&mut stage);
    for (policy, asks) in [(WritePolicy::Confirm, true), (WritePolicy::ReadOnly, false)] {
        stage.perform(SessionAction::SetWritePolicy(policy));
        let sent = stage.writes();
        for change in &changes {
            stage.perform(WriteAction::Change(change.clone()));
            assert_eq!(stage.state().write.planned.is_some(), asks, "{policy:?}, {change:?}");
            stage.perform(WriteAction::DismissPlan);
        }
        assert_eq!(stage.writes(), sent, "{policy:?}");
    }
}

#[test]
fn undo_pressed_before_a_change_has_ended_takes_that_change_back_and_not_the_one_before() {
    let mut stage = Stage::new();
    let recovery = stage.state().connection.recovery();
    for change in changes(&mut stage).into_iter().filter(|change| !change.needs_review(recovery)) {
        let other = stage.asset("other.txt", "text");
        let edits = vec![Edit { field: Field::Name, from: Some("other.txt".into()), to: "renamed.txt".into() }];
        stage.perform(WriteAction::Change(Change::Edit { asset: other.clone(), edits }));
        let before = seen(&stage, change.asset());
        stage.app.perform(WriteAction::Change(change.clone()));
        for _ in 0..2 {
            stage.app.perform(HistoryAction::Undo);
        }
        stage.idle();
        assert_eq!(seen(&stage, change.asset()), before, "{change:?}: {:?}", stage.state().notifications);
        assert!(matches!(stage.last().answers, EntryRelation::Undoes(_)), "{change:?}");
        assert_eq!(stage.tree(&other)["name"], "renamed.txt", "what was done before it stays: {change:?}");
    }
}

#[test]
fn a_change_that_is_asked_for_twice_is_sent_once() {
    let mut stage = Stage::new();
    let recovery = stage.state().connection.recovery();
    for change in changes(&mut stage).into_iter().filter(|change| !change.needs_review(recovery)) {
        let steps = stage.state().history.entries.len();
        for _ in 0..2 {
            stage.app.perform(WriteAction::Change(change.clone()));
        }
        stage.idle();
        assert_eq!(stage.state().history.entries.len(), steps + 1, "{change:?}");
        assert_eq!(stage.last().outcome, Outcome::Done, "{change:?}");
    }
}

#[test]
fn a_plan_that_is_applied_twice_is_sent_once() {
    let mut stage = Stage::new();
    let asset = stage.asset("a.txt", "text");
    stage.perform(WriteAction::Change(Change::Increment { asset: asset.clone(), counter: Counter::Reuse, from: None }));
    for _ in 0..2 {
        stage.app.perform(WriteAction::ApplyPlan);
    }
    stage.idle();
    assert_eq!((stage.writes(), &stage.tree(&asset)["score"]["reuse"]), (1, &json!(1)));
}

#[test]
fn undo_of_a_change_that_failed_leaves_the_step_before_it_in_force() {
    let mut stage = Stage::new();
    let asset = stage.asset("a.txt", "text");
    let rename = |from: &str, to: &str| {
        let edits = vec![Edit { field: Field::Name, from: Some(from.into()), to: to.into() }];
        Action::Write(WriteAction::Change(Change::Edit { asset: asset.clone(), edits }))
    };
    stage.perform(rename("a.txt", "b.txt"));
    // It is not the name any more.
    stage.app.perform(rename("a.txt", "c.txt"));
    stage.app.perform(HistoryAction::Undo);
    stage.idle();
    assert_eq!(stage.tree(&asset)["name"], "b.txt");
    assert!(stage.state().write.conflict.is_some());
}

#[test]
fn a_deletion_of_an_asset_that_was_changed_since_it_was_shown_asks() {
    let mut stage = Stage::new();
    let asset = stage.asset("a.txt", "text");
    stage.perform(AssetsAction::Open(asset.clone()));
    let mut tree = stage.tree(&asset);
    tree["name"] = json!("theirs.txt");
    stage.call(AssetUpdate { transferables: Some(false), asset: Some(record(tree)) }).expect("renamed");
    // The page still has the record of before.
    stage.perform(WriteAction::Change(Change::Delete { asset: asset.clone(), name: "a.txt".to_owned(), made: None }));
    assert_eq!(stage.writes(), 0);
    assert!(stage.state().write.conflict.is_some(), "{:?}", stage.state().notifications);
    assert_eq!(stage.tree(&asset)["name"], "theirs.txt");
}

#[test]
fn after_a_change_of_unknown_outcome_the_next_one_asks() {
    let behind = Stage::new();
    let asset = behind.asset("a.txt", "text");
    let port = behind.url().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    let fault = Fault::start(port, |write| if write == 0 { FaultKind::Disconnected } else { FaultKind::Passed });
    let mut stage = Stage::at(&fault.url());
    let edit = || {
        let edits = vec![Edit { field: Field::Favorited, from: None, to: true.into() }];
        Action::Write(WriteAction::Change(Change::Edit { asset: asset.clone(), edits }))
    };
    stage.perform(edit());
    assert!(stage.state().write.of(&asset).unsure, "{:?}", stage.state().notifications);
    stage.perform(edit());
    assert!(stage.state().write.planned.is_some());
    assert_eq!(fault.reached().len(), 0);
}
