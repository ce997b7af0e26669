//! The tab of earlier versions of an asset: listed, restored after a question, forgotten.

use egui::Role;
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetAssociateTag, AssetSnapshot, TagsCreateNewTag};
use lunette_inspector::action::VersionsAction;
use serde_json::json;

use super::asset_page::looking_at;
use crate::stage::Stage;
use crate::support::assets::record;

/// A stage with an open asset that was linked to a tag after it was created, and its versions.
fn with_two_versions() -> (Stage, AssetId) {
    let (mut stage, asset) = looking_at("a.txt", "one\n");
    let call = TagsCreateNewTag { transferables: None, tag: Some(record(json!({ "text": "urgent" }))) };
    let tag = stage.call(call).expect("a tag").view().id().parse().expect("an id");
    stage.call(AssetAssociateTag { asset: asset.clone(), tag }).expect("linked");
    stage.find(Role::Tab, "Versions").click();
    stage.until_said("Version 2, ");
    (stage, asset)
}

fn tags(stage: &Stage, asset: &AssetId) -> usize {
    let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    let asset = stage.call(call).expect("an asset");
    asset.view().tags().map_or(0, |tags| tags.iterable().len())
}

#[test]
fn the_tab_says_who_changed_what() {
    let (mut stage, _) = with_two_versions();
    stage.until_said("by lunette/");
    stage.until_said("tags");
    stage.until_said("Version 1, ");
    assert!(stage.says("created") && !stage.says("not recorded"));
}

#[test]
fn a_version_is_restored_after_a_question_that_names_what_changes() {
    let (mut stage, asset) = with_two_versions();
    assert_eq!(tags(&stage, &asset), 1);
    let first = VersionNumber::of(1).expect("a number");
    stage.perform(VersionsAction::Restore(asset.clone(), first));
    stage.until_said("Restore version 1?");
    stage.until_said("urgent");
    stage.press("Restore");
    stage.until("the run has ended", |state| {
        state.history.entries.iter().any(|entry| entry.title.starts_with("Restored version 1"))
    });
    stage.until_said("Version 3, ");
    assert_eq!(tags(&stage, &asset), 0);
}

#[test]
fn versions_are_forgotten_after_a_question_and_the_tab_says_so() {
    let (mut stage, _) = with_two_versions();
    stage.press("Forget the past…");
    stage.until_said("This cannot be undone.");
    stage.press("Forget");
    stage.until_said("Versions up to 1 are no longer kept.");
    assert!(!stage.says("Version 1, "));
}
