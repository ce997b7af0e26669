//! The rows of an import preview: their warnings, and what the button that imports says.

use std::fs;

use egui::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_inspector::Remote;
use lunette_inspector::action::PreviewAction;

use crate::dialogs::import_preview::{drop_library, usual};
use crate::dialogs::plan::stand;
use crate::stage::Stage;

/// Opens the preview of a file with two items, one of which has a warning.
fn with_a_warning() -> Stage {
    let mut stage = Stage::embedded();
    let path = stage.folder.path().join("base.yml");
    let matches = "matches:\n  - trigger: ':plain'\n    replace: 'text'\n  - trigger: ':now'\n    replace: '{{now}}'\n    \
                   vars:\n      - name: now\n        type: date\n";
    fs::write(&path, matches).expect("written");
    drop_library(&mut stage, &path);
    stage
}

#[test]
fn warnings_about_items_are_counted_above_the_table_and_shown_in_their_rows() {
    let mut stage = with_a_warning();
    assert!(stage.says("New (2)"), "the library was recognised");
    stage.until_label("Warnings (1)");
    assert!(stage.says("has variables, which are kept as text"), "also without a selected row");
    stage.press("Warnings (1)");
    stand(&mut stage);
    let rows = stage.harness.query_all_by_role(Role::Row).filter_map(|row| row.accesskit_node().label());
    assert_eq!(rows.collect::<Vec<_>>(), [":now"]);
}

#[test]
fn the_button_that_imports_says_what_to_do_while_nothing_is_marked() {
    let mut stage = Stage::embedded();
    let path = usual(&stage);
    drop_library(&mut stage, &path);
    stage.press("Unmark all shown");
    stand(&mut stage);
    assert!(!stage.draws(Role::Button, "Import 0 items"));
    assert!(stage.says("Mark the items to import"));
    assert!(stage.find(Role::Button, "Import items").accesskit_node().is_disabled());
}

#[test]
fn a_preview_of_nothing_offers_no_import() {
    let mut stage = Stage::embedded();
    let path = stage.folder.path().join("empty");
    fs::create_dir(&path).expect("made");
    stage.perform(PreviewAction::Show(vec![path]));
    stage.until("the preview is read", |state| {
        state.import.previews.open.as_deref().is_some_and(|preview| matches!(preview.content, Remote::Known(_)))
    });
    stand(&mut stage);
    assert!(!stage.draws(Role::Button, "Import 0 items") && !stage.draws(Role::Button, "Import items"));
    stage.find(Role::Button, "Close");
}
