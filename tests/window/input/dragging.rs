//! Dragging assets and tags: one request for one asset, a plan for several, and nothing for a drag that ends elsewhere.

use std::collections::BTreeSet;

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Role};
use egui_kittest::kittest::Queryable as _;
use lunette_client::model::id::{AssetId, TagId};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetAssociateTag, AssetSnapshot, TagsCreateNewTag};
use lunette_inspector::Action;
use lunette_inspector::change::{LinkKind, linked};
use lunette_inspector::panel::Panel;
use serde_json::json;

use crate::dialogs::plan::{stand, writes};
use crate::panels::asset_page::open;
use crate::stage::Stage;
use crate::support::assets::record;

/// A stage with three assets, of which the first has a tag, and another tag without assets.
fn with_tags() -> (Stage, [AssetId; 3]) {
    let mut stage = Stage::embedded();
    stage.harness.set_size(egui::vec2(1600.0, 1000.0));
    let assets = ["a.txt", "b.txt", "c.txt"].map(|name| stage.asset(name, name));
    let tag = tag(&stage, "red");
    stage.call(AssetAssociateTag { asset: assets[0].clone(), tag }).expect("linked");
    tag_blue(&stage);
    stage.until("they are listed", |state| state.assets.list.count() == 3 && !state.assets.list.rows.loading());
    stand(&mut stage);
    (stage, assets)
}

/// Creates a tag.
pub fn tag(stage: &Stage, text: &str) -> TagId {
    let made = stage.call(TagsCreateNewTag { transferables: None, tag: Some(record(json!({ "text": text }))) });
    made.expect("a tag").view().id().parse().expect("an id")
}

fn tag_blue(stage: &Stage) {
    tag(stage, "blue");
}

pub fn tags(stage: &Stage, asset: &AssetId) -> Vec<String> {
    let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    let asset = stage.call(call).expect("the asset");
    linked(asset.view(), LinkKind::Tag).into_iter().map(|item| item.text).collect()
}

pub fn row(stage: &Stage, name: &str) -> Pos2 {
    let row = stage
        .harness
        .query_all_by_role(Role::Row)
        .find(|row| egui_kittest::kittest::NodeT::accesskit_node(row).label().is_some_and(|label| label == name));
    row.unwrap_or_else(|| panic!("a row {name}")).rect().center()
}

fn panel(stage: &Stage, name: &str) -> Pos2 {
    let mut tabs = stage.harness.query_all_by_role(Role::Tab);
    let named = |node: &egui_kittest::Node<'_>| {
        egui_kittest::kittest::NodeT::accesskit_node(node).label().is_some_and(|label| label.starts_with(name))
    };
    tabs.find(named).unwrap_or_else(|| panic!("a panel {name}")).rect().center()
}

fn button(at: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

/// Presses at a position, and moves a little so that it is a drag.
pub fn take(stage: &mut Stage, at: Pos2) {
    stage.harness.event(Event::PointerMoved(at));
    stage.harness.step();
    stage.harness.event(button(at, true));
    stage.harness.step();
    for far in [8.0, 16.0] {
        carry(stage, at + egui::vec2(far, 0.0));
    }
}

fn carry(stage: &mut Stage, to: Pos2) {
    stage.harness.event(Event::PointerMoved(to));
    stage.harness.step();
    stage.harness.step();
}

pub fn release(stage: &mut Stage, at: Pos2) {
    carry(stage, at);
    stage.harness.event(button(at, false));
    stage.harness.step();
    stage.settle();
}

#[test]
fn dragging_a_row_onto_a_tag_in_the_list_sends_one_request_that_undo_reverts() {
    let (mut stage, assets) = with_tags();
    let from = row(&stage, "b.txt");
    take(&mut stage, from);
    let links = panel(&stage, "Links");
    carry(&mut stage, links);
    stage.until("the list of tags is shown", |state| {
        state.navigation.panel == Panel::Links && state.links.shown().count() == 2
    });
    assert!(stage.says("blue"));
    let onto = row(&stage, "blue");
    release(&mut stage, onto);
    stage.until("it is linked", |state| state.work.is_empty() && state.history.last().is_some());
    assert_eq!((tags(&stage, &assets[1]), writes(&stage)), (vec!["blue".to_owned()], 1));
    stage.ctrl(Key::Z);
    stage.until("it is undone", |state| state.history.entries.len() == 2 && state.work.is_empty());
    assert_eq!((tags(&stage, &assets[1]), writes(&stage)), (Vec::new(), 2));
}

#[test]
fn a_row_is_dragged_onto_a_tag_of_the_sidebar() {
    let (mut stage, assets) = with_tags();
    // The ids of tags are known once their list was read.
    stage.perform(Action::Refresh(Panel::Links));
    stage.until("tags are counted", |state| {
        let named = state.overview.summary.as_ref().is_some_and(|summary| !summary.tags.most.is_empty());
        named && !state.assets.items(LinkKind::Tag).is_empty()
    });
    stand(&mut stage);
    let from = row(&stage, "b.txt");
    let onto = stage.find(Role::Link, "red").rect().center();
    take(&mut stage, from);
    release(&mut stage, onto);
    stage.until("it is linked", |state| state.work.is_empty() && state.history.last().is_some());
    assert_eq!((tags(&stage, &assets[1]), writes(&stage)), (vec!["red".to_owned()], 1));
}

#[test]
fn a_tag_of_the_open_asset_is_dragged_onto_a_row() {
    let (mut stage, assets) = with_tags();
    open(&mut stage, &assets[0]);
    stage.until_drawn("its tag is drawn", |harness| harness.query_by_role_and_label(Role::Button, "red").is_some());
    stand(&mut stage);
    let chip = stage.find(Role::Button, "red").rect().center();
    take(&mut stage, chip);
    let onto = row(&stage, "c.txt");
    release(&mut stage, onto);
    stage.until("it is linked", |state| state.work.is_empty() && state.history.last().is_some());
    assert_eq!((tags(&stage, &assets[2]), writes(&stage)), (vec!["red".to_owned()], 1));
}

#[test]
fn selected_rows_dragged_onto_a_chip_show_the_plan_of_a_run_first() {
    let (mut stage, assets) = with_tags();
    open(&mut stage, &assets[0]);
    for name in ["b.txt", "c.txt"] {
        stage.find(Role::Row, name).click_modifiers(Modifiers::COMMAND);
        stage.settle();
    }
    let selected = stage.state().assets.selected.count;
    stage.until_drawn("its tag is drawn", |harness| {
        harness.query_by_role_and_label(Role::Button, "red 1 of 3").is_some()
    });
    stage.until("the tags are read", |state| !state.assets.items(LinkKind::Tag).is_empty());
    stand(&mut stage);
    let (from, chip) = (row(&stage, "b.txt"), stage.find(Role::Button, "red 1 of 3").rect().center());
    take(&mut stage, from);
    assert!(stage.says("b.txt"));
    release(&mut stage, chip);
    stage.until("the plan is shown", |state| state.bulk.draft.is_some());
    let draft = stage.state().bulk.draft.as_ref().expect("a plan");
    assert_eq!(draft.assets.len(), selected);
    assert!(draft.title.starts_with("Link tag “red” to"), "{}", draft.title);
    assert_eq!(writes(&stage), 0);
}

#[test]
fn a_row_dropped_outside_of_a_target_changes_nothing() {
    let (mut stage, assets) = with_tags();
    let (from, other) = (row(&stage, "b.txt"), row(&stage, "c.txt"));
    take(&mut stage, from);
    release(&mut stage, other);
    stand(&mut stage);
    assert_eq!(writes(&stage), 0);
    assert_eq!(tags(&stage, &assets[2]), Vec::<String>::new());
    assert!(stage.state().bulk.draft.is_none());
}

#[test]
fn a_tag_dragged_onto_the_head_of_a_group_is_linked_to_each_of_the_group_after_a_plan() {
    let (mut stage, _) = with_tags();
    let found = [stage.imported("notes/d.txt", "d"), stage.imported("notes/e.txt", "e")];
    stage.perform(Action::Refresh(Panel::Links));
    stage.until("tags are counted", |state| {
        let named = state.overview.summary.as_ref().is_some_and(|summary| !summary.tags.most.is_empty());
        named && !state.assets.items(LinkKind::Tag).is_empty() && state.assets.list.count() == 5
    });
    stage.press("Group by");
    stage.find(Role::MenuItem, "Folder").click();
    stage.settle();
    stage.press("Fold notes");
    stand(&mut stage);
    let red = stage.find(Role::Link, "red").rect().center();
    take(&mut stage, red);
    let head = row(&stage, "notes, 2");
    release(&mut stage, head);
    assert_plan_links_red_to(&mut stage, &found);
}

#[test]
fn a_tag_dragged_onto_a_folder_of_the_sidebar_is_linked_to_what_is_in_it() {
    let (mut stage, _) = with_tags();
    let found = [stage.imported("notes/d.txt", "d"), stage.imported("notes/below/e.txt", "e")];
    stage.perform(Action::Refresh(Panel::Links));
    stage.until("they are counted", |state| {
        let counted = state.overview.summary.as_ref().is_some_and(|summary| !summary.folders.outermost.is_empty());
        counted && !state.assets.items(LinkKind::Tag).is_empty() && state.assets.list.count() == 5
    });
    stand(&mut stage);
    let red = stage.find(Role::Link, "red").rect().center();
    take(&mut stage, red);
    let folder = stage.find(Role::Link, "notes").rect().center();
    release(&mut stage, folder);
    assert_plan_links_red_to(&mut stage, &found);
}

/// Waits for the plan that links the tag to these assets and to no others, of which nothing is sent yet.
fn assert_plan_links_red_to(stage: &mut Stage, assets: &[AssetId]) {
    stage.until("the plan is shown", |state| state.bulk.draft.is_some());
    let draft = stage.state().bulk.draft.as_ref().expect("a plan");
    assert!(draft.title.starts_with("Link tag “red” to"), "{}", draft.title);
    let planned: BTreeSet<&str> = draft.assets.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(planned, assets.iter().map(AssetId::as_str).collect());
    assert_eq!(writes(stage), 0);
}
