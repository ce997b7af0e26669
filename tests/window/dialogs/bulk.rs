//! A run from the selection to the service and back: requested, previewed, applied, undone in one step.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::Queryable as _;
use lunette_client::model::Record as _;
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::{AssetSnapshot, AssetsDeleteAsset, AssetsTrashRestore};
use lunette_inspector::Action;
use lunette_inspector::action::{HistoryAction, SettingsAction};
use lunette_inspector::change::{LinkKind, linked};
use lunette_inspector::journal::Outcome;
use lunette_inspector::runs::{Run, RunStatus};

use crate::dialogs::edit_text::{change_record_elsewhere, type_text};
use crate::input::selection::{click, four, marked};
use crate::panels::asset_page::{open, settle};
use crate::stage::Stage;

/// A stage with four assets, the first three selected.
fn three_marked() -> (Stage, Vec<AssetId>) {
    let (mut stage, ids) = four();
    stage.perform(SettingsAction::PlanDetails(true));
    click(&mut stage, "a.txt", Modifiers::NONE);
    click(&mut stage, "b.md", Modifiers::COMMAND);
    click(&mut stage, "c.txt", Modifiers::COMMAND);
    assert!(stage.says("3 selected"));
    (stage, ids)
}

/// Returns the tags of each asset on the service.
fn tags(stage: &Stage, ids: &[AssetId]) -> Vec<Vec<String>> {
    let read = |id: &AssetId| {
        let call = AssetSnapshot { asset: id.clone(), transferables: Some(false) };
        let asset = stage.call(call).expect("an asset");
        linked(asset.view(), LinkKind::Tag).into_iter().map(|item| item.text).collect()
    };
    ids.iter().map(read).collect()
}

/// Returns the language of each asset on the service.
fn languages(stage: &Stage, ids: &[AssetId]) -> Vec<String> {
    let read = |id: &AssetId| {
        let call = AssetSnapshot { asset: id.clone(), transferables: Some(false) };
        let asset = stage.call(call).expect("an asset");
        let specific = asset.view().original().reference().map(|it| it.classification().specific().to_owned());
        specific.unwrap_or_default()
    };
    ids.iter().map(read).collect()
}

/// Opens the choice of tags for the marked assets in a mode, and chooses the tag “rust”.
fn choose_rust(stage: &mut Stage, mode: &str) {
    stage.press("Tag…");
    stage.find(Role::RadioButton, mode).click();
    stage.until_drawn("the tag is offered", |harness| {
        harness.query_by_role_and_label(Role::ListBoxOption, "rust").is_some()
    });
    stage.find(Role::ListBoxOption, "rust").click();
}

/// Presses the button that starts the run, once the dialog is stable.
fn apply(stage: &mut Stage, name: &str) {
    stage.harness.run_steps(4);
    stage.press(name);
    assert!(stage.state().bulk.draft.is_none(), "{name} starts the run");
}

/// Adds the new tag “rust” to the three selected assets, and waits until the run has ended.
fn tag_selected(stage: &mut Stage) {
    stage.press("Tag…");
    stage.type_into("Add a tag", "rust");
    stage.key(Key::Enter);
    stage.until_said("1 request creates the tag");
    apply(stage, "Apply to 3 assets");
    until_ended(stage, 1);
}

/// Waits until this many runs have ended, and their steps with them.
pub fn until_ended(stage: &mut Stage, count: usize) {
    let ended = |run: &&Run| run.status == RunStatus::Ended;
    stage.until("the runs have ended", |state| {
        let sending = state.history.entries.iter().any(|step| step.outcome == Outcome::Sending);
        state.bulk.runs.values().filter(ended).count() == count && !sending
    });
}

#[test]
fn a_new_tag_is_added_to_three_assets_and_undone_in_one_step() {
    let (mut stage, ids) = three_marked();
    stage.press("Tag…");
    stage.type_into("Add a tag", "rust");
    stage.key(Key::Enter);
    stage.until_label("Create and link tag “rust” to 3 assets");
    stage.until_said("1 request creates the tag, 3 link it:");
    assert_eq!(tags(&stage, &ids), [[""; 0]; 4], "nothing is sent before Apply");
    apply(&mut stage, "Apply to 3 assets");
    until_ended(&mut stage, 1);
    assert_eq!(tags(&stage, &ids), [vec!["rust"], vec!["rust"], vec!["rust"], vec![]]);
    stage.ctrl(Key::Num3);
    assert_eq!(marked(&stage).len(), 3);
    stage.perform(HistoryAction::Undo);
    stage.until_said("the first request");
    assert_eq!(tags(&stage, &ids), [vec!["rust"], vec!["rust"], vec!["rust"], vec![]], "its plan is shown first");
    apply(&mut stage, "Undo on 3 assets");
    until_ended(&mut stage, 2);
    assert_eq!(tags(&stage, &ids), [[""; 0]; 4]);
}

#[test]
fn a_tag_is_removed_from_assets_that_have_it_and_others_are_unchanged() {
    let (mut stage, ids) = three_marked();
    tag_selected(&mut stage);
    let rows = |state: &lunette_inspector::State| {
        state
            .assets
            .list
            .rows
            .value()
            .map_or(0, |rows| rows.iter().filter(|row| row.tags().iter().map(|tag| &**tag).eq(["rust"])).count())
    };
    stage.perform(Action::Refresh(lunette_inspector::panel::Panel::Assets));
    stage.until("the list shows the tags", move |state| rows(state) == 3 && !state.assets.list.rows.loading());
    stage.ctrl(Key::Num3);
    click(&mut stage, "d.md", Modifiers::COMMAND);
    assert!(stage.says("4 selected"));
    choose_rust(&mut stage, "Remove");
    stage.until_label("Remove tag “rust” from 4 assets");
    stage.until_said("the first request");
    apply(&mut stage, "Apply to 4 assets");
    until_ended(&mut stage, 2);
    assert_eq!(tags(&stage, &ids), [[""; 0]; 4]);
}

/// Gives the first three assets a tag.
fn three_tagged() -> (Stage, Vec<AssetId>) {
    let (mut stage, ids) = three_marked();
    tag_selected(&mut stage);
    stage.perform(Action::Refresh(lunette_inspector::panel::Panel::Assets));
    stage.until("the list shows the tags", |state| {
        let tagged = state.assets.list.iter().filter(|row| !row.tags().is_empty()).count();
        tagged == 3 && !state.assets.list.rows.loading()
    });
    stage.ctrl(Key::Num3);
    (stage, ids)
}

#[test]
fn selected_assets_are_moved_to_a_new_tag_by_one_plan_and_one_undo() {
    let (mut stage, ids) = three_tagged();
    click(&mut stage, "c.txt", Modifiers::COMMAND);
    assert!(stage.says("2 selected"));
    choose_rust(&mut stage, "Move");
    stage.until_label("From tag “rust” to:");
    stage.type_into("Move to a tag", "rust 2024");
    stage.key(Key::Enter);
    stage.until_label("Replace tag “rust” with the new tag “rust 2024” on 2 assets");
    stage.until_said("1 request creates the tag, 2 link it in place of tag “rust”:");
    assert_eq!(tags(&stage, &ids), [vec!["rust"], vec!["rust"], vec!["rust"], vec![]], "nothing is sent before Apply");
    apply(&mut stage, "Apply to 2 assets");
    until_ended(&mut stage, 2);
    assert_eq!(tags(&stage, &ids), [vec!["rust 2024"], vec!["rust 2024"], vec!["rust"], vec![]]);
    stage.perform(HistoryAction::Undo);
    stage.until_said("the first request");
    apply(&mut stage, "Undo on 2 assets");
    until_ended(&mut stage, 3);
    assert_eq!(tags(&stage, &ids), [vec!["rust"], vec!["rust"], vec!["rust"], vec![]]);
}

#[test]
fn selected_assets_are_moved_to_another_tag_and_those_without_the_first_are_unchanged() {
    let (mut stage, ids) = three_tagged();
    let other = crate::panels::graph::tag(&stage, "other");
    stage.until("it is offered", |state| {
        state.assets.items(LinkKind::Tag).iter().any(|item| item.id == *other.as_str())
    });
    click(&mut stage, "d.md", Modifiers::COMMAND);
    stage.press("Tag…");
    stage.find(Role::RadioButton, "Move").click();
    for name in ["rust", "other"] {
        stage.until_drawn("the tag is offered", |harness| {
            harness.query_by_role_and_label(Role::ListBoxOption, name).is_some()
        });
        stage.find(Role::ListBoxOption, name).click();
        stage.settle();
    }
    stage.until_label("Replace tag “rust” with “other” on 4 assets");
    stage.until_said("the first request");
    apply(&mut stage, "Apply to 4 assets");
    until_ended(&mut stage, 2);
    assert_eq!(tags(&stage, &ids), [vec!["other"], vec!["other"], vec!["other"], vec![]]);
}

#[test]
fn an_own_run_over_the_asset_whose_text_is_edited_is_not_reported_as_made_elsewhere() {
    let (mut stage, ids) = four();
    stage.perform(SettingsAction::PlanDetails(true));
    open(&mut stage, &ids[0]);
    settle(&mut stage, &ids[0]);
    type_text(&mut stage, "mine");
    click(&mut stage, "b.md", Modifiers::COMMAND);
    click(&mut stage, "c.txt", Modifiers::COMMAND);
    assert!(stage.says("3 selected"));
    tag_selected(&mut stage);
    stage.ctrl(Key::Num3);
    stage.press("Clear selection");
    settle(&mut stage, &ids[0]);
    stage.harness.run_steps(8);
    assert!(!stage.says("Changed elsewhere"));
    change_record_elsewhere(&stage, &ids[0], |tree| tree["favorited"] = true.into());
    stage.until_said("Changed elsewhere");
}

#[test]
fn many_assets_are_reclassified_only_after_the_plan_is_applied() {
    let (mut stage, ids) = three_marked();
    let before = languages(&stage, &ids);
    stage.press_for_selection("Reclassify…");
    stage.type_into("Find a language", "Rust");
    stage.key(Key::Enter);
    stage.until_label("Reclassify 3 assets to Rust");
    stage.until_said("3 × POST /asset/reclassify");
    stage.until_said("becomes \"rs\"");
    stage.key(Key::Escape);
    assert!(stage.state().bulk.draft.is_none());
    assert_eq!(languages(&stage, &ids), before);
    stage.press_for_selection("Reclassify…");
    stage.type_into("Find a language", "Rust");
    stage.key(Key::Enter);
    stage.until_said("3 × POST /asset/reclassify");
    apply(&mut stage, "Apply to 3 assets");
    until_ended(&mut stage, 1);
    assert_eq!(languages(&stage, &ids), ["rs", "rs", "rs", before[3].as_str()]);
}

#[test]
fn deleting_many_says_how_to_undo_it_and_deselects_them() {
    let (mut stage, ids) = three_marked();
    stage.press_for_selection("Delete…");
    stage.until_label("Delete 3 assets");
    stage.until_said("The assets move to the Trash; Undo restores them");
    stage.until_said("the first request");
    apply(&mut stage, "Delete 3 assets");
    until_ended(&mut stage, 1);
    stage.until("they are gone from the list", |state| state.assets.list.count() == 1);
    stage.settle();
    let left = |id: &&AssetId| stage.call(AssetSnapshot { asset: (*id).clone(), transferables: Some(false) }).is_ok();
    assert_eq!(ids.iter().filter(left).count(), 1);
    assert!(!stage.says("selected"));
}

#[test]
fn the_plan_is_saved_for_the_command_line() {
    let (mut stage, ids) = three_marked();
    stage.press_for_selection("Add to favourites");
    stage.until_said("the first request");
    let file = stage.folder.path().join("plan.json");
    stage.picked.set(vec![file.clone()]);
    stage.harness.run_steps(4);
    stage.press("Save as plan…");
    stage.until_said(&format!("Saved {}", file.display()));
    let text = std::fs::read_to_string(&file).expect("a plan");
    assert!(ids[..3].iter().all(|id| text.contains(id.as_str())) && !text.contains(ids[3].as_str()), "{text}");
}

#[test]
fn a_partial_undo_says_one_number_in_its_button_its_plan_and_its_result_and_names_what_is_left() {
    let (mut stage, ids) = three_tagged();
    stage.call(AssetsDeleteAsset { asset: ids[1].clone() }).expect("deleted elsewhere");
    stage.perform(HistoryAction::Undo);
    stage.until_said("the first request");
    stage.until_label("2 of 3 assets can be changed; the others stay as they are.");
    apply(&mut stage, "Undo on 2 assets");
    until_ended(&mut stage, 2);
    stage.until_said("Error: Undid 2 of 3; 1 could not be undone: asset not found: the asset “b.md” has been deleted");
    assert!(!stage.says(&format!("not found: the asset with the id {}", ids[1])));
    // The asset comes back, and the rest is undone: the error is over.
    stage.call(AssetsTrashRestore { asset: ids[1].clone(), transferables: None }).expect("restored");
    let run = stage.state().bulk.runs.values().find(|run| run.counts().failed == 1).expect("the run").id;
    stage.perform(lunette_inspector::action::BulkAction::Retry(run));
    stage.until("the rest is undone", |state| state.bulk.runs.values().all(|run| run.counts().failed == 0));
    stage.until_drawn("the error is gone", |harness| harness.query_by_role(Role::Alert).is_none());
}
