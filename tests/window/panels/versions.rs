//! The tab of earlier versions of an asset: listed, restored after a question as a whole or in parts, forgotten.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::{AssetId, CheckpointId, VersionNumber};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetAssociateTag, AssetSnapshot, CheckpointsSnapshot, TagsCreateNewTag};
use lunette_inspector::State;
use lunette_inspector::action::{AssetsAction, CompareAction, HistoryAction, VersionsAction, WriteAction};
use lunette_inspector::change::{Change, Edit, Field};
use lunette_inspector::compare::Source;
use lunette_inspector::session::Status;
use lunette_inspector::versions::{Forgotten, Moment};
use serde_json::json;

use super::asset_page::looking_at;
use crate::dialogs::edit_text::{change_elsewhere, text_at_service};
use crate::dialogs::record::rename;
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

/// What the rows of the versions are called, the newest first.
fn row_names(stage: &Stage) -> Vec<String> {
    let rows = stage.harness.query_all_by_role(Role::ListItem);
    let names = rows.filter_map(|row| row.accesskit_node().label());
    names.filter(|name| name.starts_with("Version ")).collect()
}

#[test]
fn a_step_is_named_beside_the_version_that_it_wrote_and_beside_no_later_one() {
    let (mut stage, asset) = with_two_versions();
    let edit = Edit { field: Field::Name, from: Some("a.txt".into()), to: "b.txt".into() };
    stage.perform(WriteAction::Change(Change::Edit { asset: asset.clone(), edits: vec![edit] }));
    stage.until_said("Version 3, ");
    // Another client of this program, right after the step.
    rename(&stage, &asset, "c.txt");
    stage.until_said("Version 4, ");
    stage.until("the step has ended", |state| state.work.is_empty());
    let title = stage.state().history.entries.last().expect("a step").title.clone();
    let named: Vec<_> = row_names(&stage).into_iter().filter(|name| name.contains(&title)).collect();
    assert!(named.len() == 1 && named[0].starts_with("Version 3, "), "{title}: {named:?}");
    assert!(named[0].contains(&format!("by Lunette: {title}")), "{named:?}");
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
    // The moment before it has a name.
    let checkpoints = stage.call(CheckpointsSnapshot {}).expect("checkpoints");
    let made: Vec<_> =
        checkpoints.view().iterable().iter().map(|one| (one.name().to_owned(), one.automatic())).collect();
    assert_eq!(made, [("Before: Restored version 1 of “a.txt”".to_owned(), Some(true))]);
}

#[test]
fn a_run_is_named_beside_the_version_that_it_wrote() {
    let (mut stage, asset) = with_two_versions();
    let first = VersionNumber::of(1).expect("a number");
    stage.perform(VersionsAction::Restore(asset, first));
    stage.until_said("Restore version 1?");
    stage.press("Restore");
    stage.until_said("Version 3, ");
    stage.until_said(": Restored version 1 of “a.txt”");
    let named: Vec<_> = row_names(&stage).into_iter().filter(|name| name.contains("Restored version 1")).collect();
    assert!(named.len() == 1 && named[0].starts_with("Version 3, "), "{named:?}");
}

const FIRST: &str = "one\ntwo\nthree\nfour\nfive\n";
const LAST: &str = "1\ntwo\nthree\nfour\n5\n";

/// A stage on the parts in which an asset differs from its first version: two lines, its name and a tag.
fn with_parts() -> (Stage, AssetId) {
    let (mut stage, asset) = looking_at("a.txt", FIRST);
    let call = TagsCreateNewTag { transferables: None, tag: Some(record(json!({ "text": "urgent" }))) };
    let tag = stage.call(call).expect("a tag").view().id().parse().expect("an id");
    stage.call(AssetAssociateTag { asset: asset.clone(), tag }).expect("linked");
    rename(&stage, &asset, "b.txt");
    change_elsewhere(&stage, &asset, LAST);
    stage.find(Role::Tab, "Versions").click();
    stage.until_said("Version 4, ");
    until_parts(&mut stage, &asset);
    (stage, asset)
}

fn until_parts(stage: &mut Stage, asset: &AssetId) {
    let first = VersionNumber::of(1).expect("a number");
    stage.perform(CompareAction::ChooseParts(asset.clone(), first));
    stage.until("the parts are read", |state| {
        state.compare.choice.as_ref().is_some_and(|choice| !choice.parts.loading())
    });
    stage.until_label("What is different from version 1");
}

fn name(stage: &Stage, asset: &AssetId) -> String {
    let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    stage.call(call).expect("an asset").view().name().unwrap_or_default().to_owned()
}

#[test]
fn chosen_lines_and_links_of_a_version_are_restored_in_one_step_that_is_undone() {
    let (mut stage, asset) = with_parts();
    stage.until_said("Line 5: now 5, then five");
    stage.until_said("Name: now b.txt, then a.txt");
    for part in ["Line 1", "Tag"] {
        stage.find(Role::CheckBox, part).click();
        stage.settle();
    }
    stage.press("Restore the 2 chosen parts…");
    stage.until_said("Restore 2 parts of version 1?");
    stage.settle();
    stage.press("Restore");
    stage.until("the run has ended", |state| {
        let restored =
            state.history.entries.iter().any(|entry| entry.title == "Restored 2 parts of version 1 of “b.txt”");
        restored && state.work.is_empty()
    });
    assert_eq!(text_at_service(&stage, &asset), "one\ntwo\nthree\nfour\n5\n");
    assert_eq!((tags(&stage, &asset), name(&stage, &asset).as_str()), (0, "b.txt"));
    // What is left is still there, and the restore is a version.
    stage.until_said("Line 5: now 5, then five");
    stage.until_drawn("what was restored is gone", |harness| harness.query_by_label_contains("Line 1: now").is_none());
    stage.press("All versions");
    stage.until_said("Version 5, ");
    stage.perform(HistoryAction::Undo);
    stage.until("the undo is planned", |state| {
        state.bulk.draft.as_ref().is_some_and(|draft| draft.sample.value().is_some())
    });
    stage.until_said("Undo on");
    stage.harness.get_by_label_contains("Undo on").click();
    stage.until("it is undone", |state| state.work.is_empty() && state.history.entries.len() == 2);
    assert_eq!((text_at_service(&stage, &asset).as_str(), tags(&stage, &asset)), (LAST, 1));
}

#[test]
fn a_part_of_a_text_that_changed_meanwhile_is_not_restored() {
    let (mut stage, asset) = with_parts();
    change_elsewhere(&stage, &asset, "theirs\n");
    stage.perform(CompareAction::RestoreParts([0].into()));
    stage.until_said("Restore 1 part of version 1?");
    stage.settle();
    stage.press("Restore");
    stage.until("the run has ended", |state| {
        state.history.entries.iter().any(|entry| entry.title.starts_with("Restored 1 part")) && state.work.is_empty()
    });
    assert_eq!(text_at_service(&stage, &asset), "theirs\n");
}

#[test]
fn the_parts_say_why_they_cannot_be_read_and_that_nothing_differs() {
    let (mut stage, asset) = with_two_versions();
    let now = VersionNumber::of(2).expect("a number");
    stage.perform(CompareAction::ChooseParts(asset.clone(), now));
    stage.until_label("Nothing to restore");
    stage.stop_service();
    stage.perform(lunette_inspector::Action::Refresh(lunette_inspector::panel::Panel::Assets));
    stage.until("the service is lost", |state| matches!(state.connection.status, Status::Down(_)));
    stage.perform(CompareAction::ChooseParts(asset, VersionNumber::of(1).expect("a number")));
    stage.until_said("The version could not be compared");
}

#[test]
fn versions_are_forgotten_after_a_question_and_the_tab_says_so() {
    let (mut stage, _) = with_two_versions();
    stage.press("Forget the past…");
    stage.until_said("This cannot be undone.");
    stage.settle();
    stage.press("Forget");
    stage.until_said("Versions up to 1 are no longer kept.");
    assert!(!stage.says("Version 1, "));
}

#[test]
fn one_version_is_forgotten_after_a_question_and_the_tab_says_so() {
    let (mut stage, asset) = with_two_versions();
    rename(&stage, &asset, "b.txt");
    stage.until_said("Version 3, ");
    let forgotten = |version| Forgotten { asset: asset.clone(), version: VersionNumber::of(version) };
    stage.perform(VersionsAction::Forget(forgotten(2)));
    stage.until_said("Forget version 2?");
    stage.until_said("This cannot be undone.");
    stage.settle();
    stage.press("Forget");
    stage.until_said("Missing: it was forgotten");
    assert!(stage.says("Version 1, "));
}

#[test]
fn what_a_row_must_say_is_within_a_narrow_page_and_no_row_is_higher_than_its_two_lines() {
    let (mut stage, asset) = with_two_versions();
    change_elsewhere(
        &stage,
        &asset,
        &format!("token = \"ghp_0123456789abcdefghijABCDEFGHIJ456789\"\n{}", "long ".repeat(80)),
    );
    change_elsewhere(&stage, &asset, "two\n");
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stage.until_said("Version 4, ");
    stage.until_drawn("the rows have their height", |harness| {
        let Some(list) = harness.query_by_role_and_label(Role::List, "Versions").map(|list| list.rect()) else {
            return false;
        };
        let mut rows = harness
            .query_all_by_role(Role::ListItem)
            .filter(|row| row.accesskit_node().label().is_some_and(|label| label.starts_with("Version ")));
        let badge = harness.query_by_label("May hold a secret").map(|badge| badge.rect());
        badge.is_some_and(|badge| list.x_range().contains(badge.right())) && rows.all(|row| row.rect().height() < 80.0)
    });
}

/// Waits until a version is beside what the asset is now.
fn until_compared_with_now(stage: &mut Stage, wanted: &AssetId) {
    let (wanted, first) = (wanted.clone(), VersionNumber::of(1).expect("a number"));
    stage.until("the version is compared", move |state| {
        let Some(tab) = state.compare.tab() else { return false };
        let [left, right] = &tab.sources;
        matches!(left, Source::Version(asset, version, _) if *asset == wanted && *version == first)
            && matches!(right, Source::Asset(asset, _) if *asset == wanted)
    });
}

#[test]
fn enter_on_a_version_compares_it_with_now() {
    let (mut stage, asset) = with_two_versions();
    stage.find(Role::List, "Versions").focus();
    stage.settle();
    stage.key(Key::Enter);
    assert!(stage.state().compare.tab().is_none(), "the first row is what the asset is now");
    stage.key(Key::ArrowDown);
    stage.key(Key::Enter);
    until_compared_with_now(&mut stage, &asset);
}

#[test]
fn a_checkpoint_is_deleted_only_after_a_question() {
    let (mut stage, _) = with_two_versions();
    let count = |stage: &Stage| stage.call(CheckpointsSnapshot {}).expect("checkpoints").view().iterable().len();
    stage.perform(VersionsAction::AddCheckpoint("one".to_owned(), None));
    let known = |state: &State, wanted: usize| {
        state.versions.checkpoints.value().is_some_and(|known| known.view().iterable().len() == wanted)
    };
    stage.until("it is listed", move |state| known(state, 1));
    let id = stage
        .call(CheckpointsSnapshot {})
        .expect("checkpoints")
        .view()
        .iterable()
        .iter()
        .next()
        .map(|one| one.id().parse::<CheckpointId>().expect("an id"));
    stage.perform(VersionsAction::DeleteCheckpoint(id.expect("a checkpoint")));
    stage.until_label("Delete the checkpoint “one”?");
    assert_eq!(count(&stage), 1);
    stage.settle();
    stage.press("Delete");
    stage.until("it is gone", move |state| known(state, 0));
    assert_eq!(count(&stage), 0);
}

#[test]
fn a_button_of_a_version_opens_its_menu() {
    let (mut stage, asset) = with_two_versions();
    stage.press("More for version 2");
    stage.until_label("Compare with the version before");
    assert!(
        stage.find(Role::MenuItem, "Compare with now").accesskit_node().is_disabled(),
        "it is what the asset is now"
    );
    stage.key(Key::Escape);
    stage.press("More for version 1");
    stage.until_label("Compare with now");
    stage.find(Role::MenuItem, "Compare with now").click();
    until_compared_with_now(&mut stage, &asset);
}

#[test]
fn a_button_of_an_asset_as_it_was_opens_its_menu() {
    let (mut stage, _) = with_two_versions();
    let at = jiff::Timestamp::now();
    stage.perform(VersionsAction::ShowThen(Moment { at, title: "at a test".to_owned(), assets: None }));
    stage.until_label("Only changed since");
    stage.press("More for a.txt");
    stage.until_label("Open as it is now");
}

#[test]
fn the_status_bar_counts_the_assets_of_the_time_that_is_shown() {
    let (mut stage, _) = with_two_versions();
    stage.until_label("1 asset");
    let at = jiff::Timestamp::now();
    stage.asset("later.txt", "later");
    stage.until_label("2 assets");
    stage.perform(VersionsAction::ShowThen(Moment { at, title: "at a test".to_owned(), assets: None }));
    stage.until_label("1 asset as of then");
    assert!(stage.harness.query_by_label("2 assets").is_none());
}

#[test]
fn the_list_as_it_was_gets_the_keyboard_that_the_list_had() {
    let (mut stage, _) = with_two_versions();
    stage.perform(AssetsAction::Close);
    stage.find(Role::Table, "Assets").focus();
    stage.settle();
    let at = jiff::Timestamp::now();
    stage.perform(VersionsAction::ShowThen(Moment { at, title: "at a test".to_owned(), assets: None }));
    stage.until_drawn("its first row has the keyboard", |harness| {
        let row = harness.query_by_role_and_label(Role::ListItem, "a.txt, Plain text");
        row.is_some_and(|row| row.accesskit_node().is_focused())
    });
}

#[test]
fn enter_in_the_list_as_it_was_compares_an_asset_with_now() {
    let (mut stage, asset) = with_two_versions();
    let at = jiff::Timestamp::now();
    rename(&stage, &asset, "b.txt");
    stage.perform(VersionsAction::ShowThen(Moment { at, title: "at a test".to_owned(), assets: None }));
    stage.until_label("Only changed since");
    stage.find(Role::List, "Assets as they were").focus();
    stage.settle();
    stage.key(Key::Enter);
    stage.until("it is compared", |state| state.compare.tab().is_some());
}

#[test]
fn a_filter_of_the_list_as_it_was_that_leaves_nothing_is_cleared_by_a_button() {
    let (mut stage, _) = with_two_versions();
    let at = jiff::Timestamp::now();
    stage.perform(VersionsAction::ShowThen(Moment { at, title: "at a test".to_owned(), assets: None }));
    stage.until_said("1 asset, ");
    stage.type_into("Filter by name", "nothing like it");
    stage.until_label("Nothing matches");
    assert!(stage.says("0 of 1 asset, "));
    stage.press("Clear the filter");
    stage.until_drawn("the list is back", |harness| {
        harness.query_by_role_and_label(Role::List, "Assets as they were").is_some()
    });
}

#[test]
fn the_list_as_it_was_is_drawn_below_a_bar_of_one_line() {
    let (mut stage, _) = with_two_versions();
    let at = jiff::Timestamp::now();
    stage.perform(VersionsAction::ShowThen(Moment { at, title: "at a test".to_owned(), assets: None }));
    stage.until_drawn("the list is below its bar", |harness| {
        let back = harness.query_by_role_and_label(Role::Button, "Back to now");
        let list = harness.query_by_role_and_label(Role::List, "Assets as they were");
        back.zip(list).is_some_and(|(back, list)| {
            let (back, list) = (back.rect(), list.rect());
            (back.bottom()..back.bottom() + 120.0).contains(&list.top()) && list.height() > 200.0
        })
    });
}

#[test]
fn the_button_that_restores_the_list_is_on_one_line_in_a_narrow_list() {
    let (mut stage, _) = with_two_versions();
    stage.perform(AssetsAction::Close);
    let at = jiff::Timestamp::now();
    stage.perform(VersionsAction::ShowThen(Moment { at, title: "at a test".to_owned(), assets: None }));
    for width in [800.0, 640.0, 560.0] {
        stage.harness.set_size(egui::vec2(width, 600.0));
        stage.until_drawn("the button is on one line", |harness| {
            let button = harness.query_by_role_and_label(Role::Button, "Restore what changed…");
            button.is_some_and(|button| button.rect().height() < 40.0 && button.rect().right() <= width)
        });
    }
}
