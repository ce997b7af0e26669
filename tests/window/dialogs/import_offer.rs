//! A folder that is imported as plain files although it has a library of another program: the library is offered.

use std::fs;

use egui::Role;
use lunette_inspector::Remote;
use lunette_inspector::action::{ImportAction, PreviewAction};

use crate::dialogs::import_preview::{library, preview};
use crate::stage::Stage;

fn until_previewed(stage: &mut Stage) {
    stage.until("the preview is read", |state| {
        state.import.previews.open.as_deref().is_some_and(|preview| matches!(preview.content, Remote::Known(_)))
    });
}

#[test]
fn a_dropped_project_is_imported_whole_and_its_library_can_be_previewed() {
    let mut stage = Stage::embedded();
    let project = stage.folder.path().join("project");
    library(&stage, "project/snippets", &[("Totals", &[("", "SELECT 1;")])]);
    fs::write(project.join("README.md"), "x").expect("written");
    stage.perform(ImportAction::Import(vec![project.clone()]));
    stage.until_said("It also has a library of massCode");
    stage.press("Preview");
    until_previewed(&mut stage);
    assert_eq!(preview(&stage).paths, [project.join("snippets")]);
    assert_eq!(preview(&stage).content.value().map(|content| content.plans.len()), Some(1));
    stage.until("both files are assets", |state| state.assets.list.count() == 2);
}

#[test]
fn the_preview_of_a_project_offers_its_library_also_where_both_share_a_folder() {
    let mut stage = Stage::embedded();
    let project = library(&stage, "project", &[("Totals", &[("", "SELECT 1;")])]);
    fs::write(project.join("main.rs"), "fn main() {}").expect("written");
    stage.perform(PreviewAction::Show(vec![project.clone()]));
    until_previewed(&mut stage);
    stage.settle();
    let rows = |stage: &Stage| preview(stage).content.value().map(|content| content.rows.len());
    assert_eq!(rows(&stage), Some(2), "both files");
    let name = format!("Preview {}", project.display());
    stage.find(Role::Button, &name).click();
    stage.until("the library is read", |state| {
        let open = state.import.previews.open.as_deref();
        open.and_then(|preview| preview.content.value()).is_some_and(|content| !content.plans.is_empty())
    });
    assert_eq!(rows(&stage), Some(1), "the snippet");
}
