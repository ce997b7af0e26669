//! The words that mean the same, in the preferences.

use egui::{Key, Role};
use egui_kittest::kittest::NodeT as _;
use lunette_inspector::Action;
use lunette_inspector::panel::Panel;

use crate::stage::Stage;

const FIELD: &str = "Words that mean the same";

fn searched(stage: &mut Stage, count: usize) {
    stage.until("the search is done", move |state| {
        let found = state.assets.found.as_ref().filter(|found| !found.hits.loading());
        found.and_then(|found| found.hits.value()).is_some_and(|hits| hits.count() == count)
    });
    stage.settle();
}

/// Types into the list.
fn type_words(stage: &mut Stage, text: &str) {
    stage.find(Role::MultilineTextInput, FIELD).focus();
    stage.harness.step();
    stage.find(Role::MultilineTextInput, FIELD).type_text(text);
    stage.settle();
}

fn is_enabled(stage: &Stage, button: &str) -> bool {
    !stage.find(Role::Button, button).accesskit_node().is_disabled()
}

#[test]
fn a_pair_of_the_user_finds_an_asset_that_was_not_found_before_and_reset_brings_ours_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_owned();
    let mut stage = Stage::on_folder_with(folder, &data, &[]);
    stage.until_idle();
    stage.asset("standup notes", "x");
    stage.perform(Action::Refresh(Panel::Assets));
    stage.ctrl(Key::Num3);
    stage.until("it is listed", |state| state.assets.list.count() == 1 && !state.assets.list.rows.loading());
    stage.type_into("Filter assets", "xyzzy");
    stage.ctrl(Key::Enter);
    searched(&mut stage, 0);
    stage.press("Preferences");
    assert!(!is_enabled(&stage, "Save the words") && !is_enabled(&stage, "Reset the words"));
    type_words(&mut stage, "Xyzzy, standup\n");
    assert!(is_enabled(&stage, "Save the words"));
    stage.press("Save the words");
    searched(&mut stage, 1);
    stage.until_said("1 of your own");
    let written = data.join("synonyms.txt");
    stage.until("it is written", |_| {
        std::fs::read_to_string(&written).is_ok_and(|text| text.lines().any(|line| line == "xyzzy standup"))
    });
    stage.press("Reset the words");
    searched(&mut stage, 0);
    stage.until("the file is gone", |_| !written.exists());
    stage.until_said("groups, the default ones");
}

#[test]
fn what_is_no_list_says_why_and_is_not_saved() {
    let mut stage = Stage::embedded();
    stage.press("Preferences");
    type_words(&mut stage, "alone\n");
    stage.until_said("has a single word");
    assert!(!is_enabled(&stage, "Save the words"));
    assert_eq!(stage.state().preferences.synonyms.changes(), (0, 0));
}
