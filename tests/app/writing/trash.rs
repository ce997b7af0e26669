//! Restoring and deleting permanently as writes: planned, in the journal, settled by reading; and links that leave no
//! trace in the score.

use lunette_client::model::id::AssetId;
use lunette_client::operation::table::{AssetsDeleteAsset, AssetsTrashDelete, AssetsTrashRestore};
use lunette_inspector::Vendor;
use lunette_inspector::action::{HistoryAction, WriteAction};
use lunette_inspector::change::{Change, Item, LinkKind};
use lunette_inspector::journal::{EntryKind, Outcome};
use lunette_inspector::write::plan::{PlanError, Preflight, Reconciled, UndoKind, prepare, reconcile};
use lunette_inspector::write::recovery::DeletedAssets;
use serde_json::Value;

use crate::stage::Stage;

fn restore(asset: &AssetId) -> Change {
    Change::Restore { asset: asset.clone(), name: "a.txt".to_owned() }
}

fn purge(asset: &AssetId) -> Change {
    Change::Purge { asset: asset.clone(), name: "a.txt".to_owned() }
}

fn planned(stage: &Stage, change: Change) -> Result<Preflight, PlanError> {
    let client = stage.client();
    stage.wait_for(async move { prepare(&client, &DeletedAssets::default(), change, Vendor::Lunette).await })
}

fn settled(stage: &Stage, change: &Change) -> Reconciled {
    let client = stage.client();
    stage.wait_for(async move { reconcile(&client, change).await }).expect("it was read")
}

fn score(stage: &Stage, asset: &AssetId) -> Value {
    stage.tree(asset)["score"].clone()
}

#[test]
fn restoring_an_asset_is_a_step_that_survives_a_restart() {
    let mut stage = Stage::new();
    let asset = stage.asset("a.txt", "text");
    let before = stage.tree(&asset);
    stage.call(AssetsDeleteAsset { asset: asset.clone() }).expect("deleted");
    stage.perform(WriteAction::Change(restore(&asset)));
    let after = stage.tree(&asset);
    for field in ["id", "name", "created", "score", "original", "tags"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    for _ in 0..2 {
        let step = stage.last();
        assert_eq!((step.title.as_str(), &step.outcome), ("Restored “a.txt”", &Outcome::Done));
        assert_eq!(step.kind, EntryKind::Change(restore(&asset)));
        assert_eq!(step.requests[0].target, format!("/assets/trash/{asset}/restore?transferables=false"));
        stage.restart();
    }
}

#[test]
fn restoring_an_asset_that_is_not_in_the_trash_sends_nothing() {
    let mut stage = Stage::new();
    let asset = stage.asset("a.txt", "text");
    assert!(matches!(planned(&stage, restore(&asset)), Ok(Preflight::NoOp(how)) if how.contains("not deleted")));
    assert!(matches!(planned(&stage, purge(&asset)), Err(PlanError::NotInTrash)));
    stage.perform(WriteAction::Change(restore(&asset)));
    assert_eq!(stage.writes(), 0);
}

#[test]
fn a_permanent_deletion_shows_its_plan_and_cannot_be_undone() {
    let mut stage = Stage::new();
    let asset = stage.asset("a.txt", "text");
    stage.call(AssetsDeleteAsset { asset: asset.clone() }).expect("deleted");
    stage.perform(WriteAction::Change(purge(&asset)));
    assert_eq!(stage.writes(), 0);
    let plan = stage.state().write.planned.as_ref().and_then(|planned| planned.plan.value()).expect("a plan").clone();
    assert_eq!(plan.calls, [AssetsTrashDelete { asset: asset.clone() }.into()]);
    assert!(matches!(plan.undo, UndoKind::Never(_)));
    stage.perform(WriteAction::ApplyPlan);
    assert_eq!((&stage.last().outcome, stage.last().title.as_str()), (&Outcome::Done, "Deleted “a.txt” permanently"));
    assert!(stage.call(AssetsTrashRestore { asset, transferables: None }).is_err());
}

#[test]
fn reconciling_finds_whether_an_asset_was_restored() {
    let stage = Stage::new();
    let asset = stage.asset("a.txt", "text");
    stage.call(AssetsDeleteAsset { asset: asset.clone() }).expect("deleted");
    assert_eq!(settled(&stage, &restore(&asset)), Reconciled::NotApplied);
    assert!(matches!(settled(&stage, &purge(&asset)), Reconciled::Unclear(_)));
    stage.call(AssetsTrashRestore { asset: asset.clone(), transferables: None }).expect("restored");
    assert_eq!(settled(&stage, &restore(&asset)), Reconciled::Applied);
    assert_eq!(settled(&stage, &purge(&asset)), Reconciled::NotApplied);
}

#[test]
fn linking_and_undoing_it_leave_the_score_unchanged() {
    let mut stage = Stage::new();
    let asset = stage.asset("a.txt", "text");
    let tag = |text: &str| Item::new(LinkKind::Tag, &stage.tag(text).to_string(), text, None);
    let (linked, other) = (tag("linked"), tag("other"));
    stage.perform(WriteAction::Change(Change::Link { asset: asset.clone(), item: linked.clone() }));
    let before = score(&stage, &asset);
    stage.perform(WriteAction::Change(Change::Link { asset: asset.clone(), item: other }));
    assert_ne!(score(&stage, &asset), before);
    stage.perform(HistoryAction::Undo);
    assert_eq!(score(&stage, &asset), before);
    stage.perform(WriteAction::Change(Change::Unlink { asset: asset.clone(), item: linked }));
    assert_ne!(score(&stage, &asset), before);
    stage.perform(HistoryAction::Undo);
    assert_eq!(score(&stage, &asset), before);
}
