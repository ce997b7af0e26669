//! Deleted assets that come back: from the Trash of our own service, and made again from a copy where there is none.

use std::path::PathBuf;
use std::time::Duration;

use lunette_client::model::View;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{AssetSnapshot, AssetsTrashSnapshot};
use lunette_inspector::Action;
use lunette_inspector::action::{HistoryAction, ImportAction, WriteAction};
use lunette_inspector::change::Recovery;
use lunette_inspector::change::{Change, Item, LinkKind, linked};
use lunette_inspector::journal::EntryKind;
use lunette_inspector::write::plan::{Plan, UndoKind};

use crate::stage::Stage;
use crate::support::assets;
use crate::support::unsupported_proxy::UnsupportedProxy;

/// A service that makes assets and has no Trash.
pub fn without_trash() -> Stage {
    let stage = Stage::behind(Duration::from_secs(30), |port| {
        let proxy = UnsupportedProxy::start(port);
        proxy.reject(AssetsTrashSnapshot::INFO, 404);
        proxy.url()
    });
    assert_eq!(stage.state().connection.recovery(), Recovery::Copy);
    stage
}

fn delete(asset: &AssetId, name: &str) -> Action {
    Action::Write(WriteAction::Change(Change::Delete { asset: asset.clone(), name: name.to_owned(), made: None }))
}

fn plan(stage: &Stage) -> &Plan {
    stage.state().write.planned.as_ref().and_then(|planned| planned.plan.value()).expect("a plan")
}

fn asset_exists(stage: &Stage, asset: &AssetId) -> bool {
    stage.call(AssetSnapshot { asset: asset.clone(), transferables: None }).is_ok()
}

/// The asset that the last step made.
fn made(stage: &Stage) -> AssetId {
    match &stage.last().kind {
        EntryKind::Change(made @ Change::Create { .. }) => made.asset().clone(),
        other => panic!("{other:?}"),
    }
}

fn text(stage: &Stage, asset: &AssetId) -> String {
    let asset = stage.call(AssetSnapshot { asset: asset.clone(), transferables: Some(true) }).expect("the asset");
    let content = lunette_inspector::assets::content::of_original(lunette_client::model::record::Record::view(&asset));
    match content {
        lunette_inspector::assets::page::Content::Text(text) => text.to_string(),
        other => panic!("{other:?}"),
    }
}

fn tags(stage: &Stage, asset: &AssetId) -> Vec<String> {
    linked(View::<Asset>::of(&stage.tree(asset)), LinkKind::Tag).into_iter().map(|item| item.text).collect()
}

/// What is kept of the one connection.
fn journal(stage: &Stage) -> PathBuf {
    let folders = std::fs::read_dir(stage.folder.path().join("journal")).expect("the journals");
    folders.flatten().map(|entry| entry.path()).find(|path| path.is_dir()).expect("a connection's")
}

fn tag(stage: &mut Stage, asset: &AssetId) {
    let id = stage.wait_for(assets::tag(&stage.client(), "rust")).to_string();
    let item = Item::new(LinkKind::Tag, &id, "rust", None);
    stage.perform(WriteAction::Change(Change::Link { asset: asset.clone(), item }));
}

#[test]
fn undoing_a_deletion_restores_id_content_and_links() {
    let mut stage = Stage::new();
    assert_eq!(stage.state().connection.recovery(), Recovery::Trash);
    let asset = stage.asset("a.txt", "the text");
    tag(&mut stage, &asset);
    stage.perform(delete(&asset, "a.txt"));
    assert!(!asset_exists(&stage, &asset), "it is in the Trash, so no plan is shown");
    stage.perform(HistoryAction::Undo);
    assert_eq!((text(&stage, &asset).as_str(), tags(&stage, &asset)), ("the text", vec!["rust".to_owned()]));
    stage.perform(HistoryAction::Redo);
    assert!(!asset_exists(&stage, &asset));
    // After a restart it is undone as well.
    stage.restart();
    stage.confirm(Action::History(HistoryAction::Undo));
    assert!(asset_exists(&stage, &asset));
    let folder = journal(&stage);
    assert!(!folder.join("deleted").exists(), "no copy is needed");
}

#[test]
fn without_a_trash_a_deletion_is_undone_from_a_copy_and_reports_the_differences() {
    let mut stage = without_trash();
    let asset = stage.asset("a.rs", "fn main() {}");
    tag(&mut stage, &asset);
    stage.perform(delete(&asset, "a.rs"));
    assert!(matches!(&plan(&stage).undo, UndoKind::By(how) if how.contains("new id")), "{:?}", plan(&stage).undo);
    stage.perform(WriteAction::ApplyPlan);
    assert!(!asset_exists(&stage, &asset));
    stage.perform(HistoryAction::Undo);
    let again = made(&stage);
    assert_ne!(again, asset);
    assert_eq!((text(&stage, &again).as_str(), tags(&stage, &again)), ("fn main() {}", vec!["rust".to_owned()]));
    assert_eq!(stage.tree(&again)["name"], "a.rs");
    assert!(stage.notice().contains(again.as_str()), "the new id is told: {}", stage.notice());
    // Redo deletes what is there now, and the step before goes on with it.
    stage.perform(HistoryAction::Undo);
    assert_eq!(tags(&stage, &again), [""; 0], "the link was made to the asset of before");
    stage.perform(HistoryAction::Redo);
    assert_eq!(tags(&stage, &again), ["rust"]);
    stage.perform(HistoryAction::Redo);
    assert!(asset_exists(&stage, &again), "what cannot be restored as it was is deleted after its plan was shown");
    stage.perform(WriteAction::ApplyPlan);
    assert!(!asset_exists(&stage, &again));
}

#[test]
fn redoing_a_creation_restores_content_name_and_links() {
    for mut stage in [Stage::new(), without_trash()] {
        stage.perform(ImportAction::Create { name: "made.txt".to_owned(), text: "what it says".to_owned() });
        let asset = made(&stage);
        stage.confirm(Action::History(HistoryAction::Undo));
        assert!(!asset_exists(&stage, &asset));
        stage.restart();
        stage.confirm(Action::History(HistoryAction::Redo));
        let now = match stage.state().connection.recovery() {
            Recovery::Trash => asset,
            Recovery::Copy | Recovery::None => made(&stage),
        };
        assert_eq!((text(&stage, &now).as_str(), &stage.tree(&now)["name"]), ("what it says", &"made.txt".into()));
        stage.confirm(Action::History(HistoryAction::Undo));
        assert!(!asset_exists(&stage, &now), "and it can be undone again: {}", stage.notice());
    }
}

#[test]
fn without_a_trash_redoing_an_import_creates_its_assets_again() {
    let mut stage = without_trash();
    stage.perform(ImportAction::Samples);
    let names = |stage: &Stage| {
        let rows = stage.state().assets.list.rows.value().cloned().unwrap_or_default();
        let mut names: Vec<_> = rows.iter().map(|row| row.name().to_owned()).collect();
        names.sort();
        names
    };
    let before = names(&stage);
    assert!(before.len() > 5);
    stage.confirm(Action::History(HistoryAction::Undo));
    assert_eq!(names(&stage), [""; 0]);
    stage.confirm(Action::History(HistoryAction::Redo));
    assert_eq!(
        names(&stage),
        before,
        "{}",
        stage.state().notifications.notices.iter().map(|n| n.text.as_str()).collect::<String>()
    );
    stage.confirm(Action::History(HistoryAction::Undo));
    assert_eq!(names(&stage), [""; 0], "and undone again");
}

#[test]
fn a_deletion_whose_copy_cannot_be_saved_is_shown_again_as_irreversible() {
    let mut stage = without_trash();
    let asset = stage.asset("a.txt", "text");
    let folder = journal(&stage);
    std::fs::write(folder.join("deleted"), "in the way").expect("written");
    stage.perform(delete(&asset, "a.txt"));
    stage.perform(WriteAction::ApplyPlan);
    assert!(asset_exists(&stage, &asset), "nothing is deleted that was promised to come back");
    assert!(matches!(&plan(&stage).undo, UndoKind::Never(why) if why.contains("no copy")), "{:?}", plan(&stage).undo);
    stage.perform(WriteAction::ApplyPlan);
    assert!(!asset_exists(&stage, &asset), "it is deleted once that was looked at");
}
