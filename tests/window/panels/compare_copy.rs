//! Copying a part when its target changed meanwhile, and the steps that it leaves in the history.

use egui::Role;
use egui_kittest::kittest::Queryable as _;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetAssociateTag, AssetDisassociateTag, AssetSnapshot};
use lunette_inspector::action::{CompareAction, HistoryAction};
use lunette_inspector::change::{LinkKind, linked};
use lunette_inspector::compare::{CopyPart, Position};

use crate::dialogs::edit_text::{change_elsewhere, text_at_service};
use crate::dialogs::plan::writes;
use crate::dialogs::record::rename;
use crate::panels::compare::{LEFT, compared, comparison, until_compared};
use crate::panels::graph::tag;
use crate::stage::Stage;

/// Copies a part to the left side, of the comparison as it was made before the window hears of anything else.
fn copy_part(stage: &mut Stage, part: CopyPart) {
    let number = stage.state().compare.open.expect("a comparison");
    stage.perform(CompareAction::CopyPart(number, Position::Left, part));
}

fn tags(stage: &Stage, asset: &AssetId) -> Vec<String> {
    let read = stage.call(AssetSnapshot { asset: asset.clone(), transferables: Some(false) }).expect("it is read");
    linked(read.view(), LinkKind::Tag).into_iter().map(|item| item.text).collect()
}

/// The index of the name among the fields that differ.
fn name_field(stage: &Stage) -> usize {
    let fields = &comparison(stage).fields;
    fields.iter().position(|field| field.path.to_string() == "$.name").expect("the names differ")
}

#[test]
fn a_change_taken_over_into_a_text_that_changed_meanwhile_is_a_conflict() {
    let (mut stage, assets) = compared();
    change_elsewhere(&stage, &assets[0], "theirs\n");
    copy_part(&mut stage, CopyPart::Hunks(vec![0]));
    stage.until("it is a conflict", |state| state.write.conflict.is_some());
    assert_eq!((text_at_service(&stage, &assets[0]).as_str(), writes(&stage)), ("theirs\n", 0));
    assert!(stage.state().history.last().is_none(), "nothing was done");
}

#[test]
fn a_field_taken_over_that_changed_meanwhile_is_a_conflict() {
    let (mut stage, assets) = compared();
    let field = name_field(&stage);
    rename(&stage, &assets[0], "theirs.txt");
    copy_part(&mut stage, CopyPart::Field(field));
    stage.until("it is a conflict", |state| state.write.conflict.is_some());
    assert_eq!(writes(&stage), 0);
    let read = stage.call(AssetSnapshot { asset: assets[0].clone(), transferables: Some(false) }).expect("it is read");
    assert_eq!(read.view().name(), Some("theirs.txt"));
}

#[test]
fn a_link_taken_over_that_was_made_or_removed_meanwhile_is_left_as_it_is() {
    let (mut stage, assets) = compared();
    let blue = comparison(&stage).links[0].item.clone();
    let blue_id = blue.id.as_str().parse().expect("an id");
    stage.call(AssetAssociateTag { asset: assets[0].clone(), tag: blue_id }).expect("linked");
    copy_part(&mut stage, CopyPart::Link(0));
    stage.until("it is settled", |state| state.work.is_empty());
    assert_eq!((tags(&stage, &assets[0]), writes(&stage)), (vec!["blue".to_owned()], 0));

    let green = tag(&stage, "green");
    stage.call(AssetAssociateTag { asset: assets[0].clone(), tag: green.clone() }).expect("linked");
    stage.perform(CompareAction::Reload(stage.state().compare.open.expect("a comparison")));
    until_compared(&mut stage);
    stage.until("the link is compared", |state| {
        let shown = state.compare.tab().and_then(|tab| tab.shown.value());
        shown.is_some_and(|shown| shown.links.len() == 1 && shown.links[0].item.text == "green")
    });
    stage.call(AssetDisassociateTag { asset: assets[0].clone(), tag: green }).expect("removed");
    copy_part(&mut stage, CopyPart::Link(0));
    stage.until("it is settled", |state| state.work.is_empty());
    assert_eq!((tags(&stage, &assets[0]), writes(&stage)), (vec!["blue".to_owned()], 0));
}

#[test]
fn parts_that_were_taken_over_are_steps_that_the_next_window_undoes() {
    let (mut stage, assets) = compared();
    let field = name_field(&stage);
    for (count, part) in [CopyPart::Hunks(vec![0]), CopyPart::Field(field), CopyPart::Link(0)].into_iter().enumerate() {
        copy_part(&mut stage, part);
        stage.until("it is done and compared again", move |state| {
            let tab = state.compare.tab().is_some_and(|tab| !tab.shown.loading());
            tab && state.work.is_empty() && state.history.entries.len() == count + 1
        });
    }
    assert_eq!(tags(&stage, &assets[0]), ["blue"]);
    let mut stage = stage.reopened();
    stage.until("the steps are there", |state| state.history.entries.len() == 3);
    for count in 0..3 {
        stage.until("there is a step", |state| state.history.last().is_some() && state.work.is_empty());
        stage.perform(HistoryAction::Undo);
        confirm(&mut stage);
        stage.until("it is undone", move |state| state.history.entries.len() == 4 + count && state.work.is_empty());
    }
    assert_eq!((text_at_service(&stage, &assets[0]).as_str(), tags(&stage, &assets[0])), (LEFT, Vec::new()));
    let read = stage.call(AssetSnapshot { asset: assets[0].clone(), transferables: Some(false) }).expect("it is read");
    assert_eq!(read.view().name(), Some("a.txt"));
}

/// Applies the plan that a step of an earlier window shows first.
fn confirm(stage: &mut Stage) {
    stage.until("the plan is shown", |state| {
        state.write.planned.as_ref().is_some_and(|planned| planned.plan.value().is_some())
    });
    stage.settle();
    let name =
        ["Apply", "Undo"].into_iter().find(|name| stage.harness.query_by_role_and_label(Role::Button, name).is_some());
    stage.press(name.expect("a button that applies the plan"));
}
