//! Changes by another client while something is being edited here: reported, and no input is lost.

use egui::Role;
use egui_kittest::kittest::Queryable as _;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetSnapshot, AssetUpdate, AssetsDeleteAsset};
use lunette_inspector::drafts::DraftKey;
use serde_json::json;

use crate::dialogs::record::{FIELD, change, edit, text};
use crate::panels::asset_page::looking_at;
use crate::stage::Stage;
use crate::support::assets::record;

/// Renames an asset as another client.
fn rename(stage: &Stage, asset: &AssetId, name: &str) {
    let read = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    let mut tree = stage.call(read).expect("the asset").into_tree();
    tree["name"] = json!(name);
    stage.call(AssetUpdate { transferables: None, asset: Some(record(tree)) }).expect("updated");
}

#[test]
fn a_draft_is_kept_and_a_remote_change_of_its_record_reported() {
    let (mut stage, id) = looking_at("a.txt", "text");
    edit(&mut stage);
    change(&mut stage, |tree| tree["name"] = json!("mine.txt"));
    stage.until("it is kept", |state| state.drafts.typed.contains_key(&DraftKey::Record(id.clone())));
    assert!(!stage.says("Changed elsewhere"));
    rename(&stage, &id, "theirs.txt");
    stage.until_said("Changed elsewhere");
    assert!(text(&stage).contains("mine.txt") && !text(&stage).contains("theirs.txt"));
    stage.until_label("Show the difference");
    stage.press("Show the difference");
    stage.until_said("Name");
    assert!(stage.says("theirs.txt"));
    stage.press("Dismiss the change made elsewhere");
    assert!(!stage.says("Show the difference"));
    // The comparison before sending remains the safeguard.
    stage.until_drawn("it can be reviewed", |harness| {
        harness.query_by_role_and_label(Role::Button, "Review…").is_some()
    });
    stage.press("Review…");
    stage.until("both versions are shown", |state| state.write.conflict.is_some());
    assert!(text_is_kept(&stage));
}

fn text_is_kept(stage: &Stage) -> bool {
    let typed = stage.state().drafts.typed.values().next().and_then(|draft| draft.typed.as_text());
    typed.is_some_and(|typed| typed.contains("mine.txt"))
}

#[test]
fn an_asset_deleted_elsewhere_is_reported_and_typed_input_is_kept() {
    let (mut stage, id) = looking_at("a.txt", "text");
    edit(&mut stage);
    change(&mut stage, |tree| tree["name"] = json!("mine.txt"));
    stage.until("it is kept", |state| state.drafts.typed.contains_key(&DraftKey::Record(id.clone())));
    stage.call(AssetsDeleteAsset { asset: id.clone() }).expect("deleted");
    stage.until_said("This asset was deleted elsewhere");
    assert!(stage.says("What you typed is kept as a draft"));
    assert!(text(&stage).contains("mine.txt") && text_is_kept(&stage));
    stage.find(Role::MultilineTextInput, FIELD);
    stage.press("Close the deleted asset");
    assert_eq!(stage.state().assets.pages.open, None);
    assert!(text_is_kept(&stage));
}

#[test]
fn a_remote_change_of_a_viewed_asset_is_shown() {
    let (mut stage, id) = looking_at("a.txt", "text");
    rename(&stage, &id, "theirs.txt");
    stage.until_drawn("it has the new name", |harness| {
        harness.query_by_role_and_label(Role::Button, "Rename theirs.txt").is_some()
    });
    stage.until_said("Updated elsewhere");
    assert!(!stage.says("Show the difference"));
}

#[test]
fn the_chip_shows_the_sync_status_and_background_calls_are_hidden_in_the_log() {
    let (mut stage, id) = looking_at("a.txt", "text");
    rename(&stage, &id, "theirs.txt");
    stage.until("it was read beside the user", |state| state.session.log.iter().any(|line| line.background));
    let live = stage.state().sync.status.word();
    stage.harness.step();
    assert!(stage.says(&live) && (live == "live" || live.starts_with("every ")), "{live}");
    stage.ctrl(egui::Key::Num6);
    let shown = |stage: &Stage| stage.harness.query_all_by_role(Role::Row).count();
    let before = shown(&stage);
    stage.find(Role::CheckBox, "Background").click();
    stage.settle();
    assert!(shown(&stage) > before, "{before} rows");
}
