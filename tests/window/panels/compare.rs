//! Comparing: how it is begun, what is shown, and taking parts over.

use egui::accesskit::Role;
use egui::{Key, Modifiers, pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetAssociateTag, AssetSnapshot};
use lunette_inspector::action::{AssetsAction, CompareAction, HistoryAction};
use lunette_inspector::change::LinkKind;
use lunette_inspector::compare::{Comparison, Source};
use lunette_inspector::panel::Panel;

use crate::dialogs::plan::stand;
use crate::input::dragging::{release, take};
use crate::panels::graph::tag;
use crate::stage::Stage;

pub const LEFT: &str = "one\ntwo\nthree\nfour\n";
const RIGHT: &str = "one\n2\nthree\n4\n";

/// A stage with two assets that differ in name, a tag, and two lines.
pub fn two() -> (Stage, [AssetId; 2]) {
    let mut stage = Stage::embedded();
    let assets = [stage.asset("a.txt", LEFT), stage.asset("b.txt", RIGHT)];
    let tag = tag(&stage, "blue");
    stage.call(AssetAssociateTag { asset: assets[1].clone(), tag }).expect("linked");
    stage.until("they are listed", |state| state.assets.list.count() == 2 && !state.assets.list.rows.loading());
    (stage, assets)
}

fn source(asset: &AssetId, name: &str) -> Source {
    Source::Asset(asset.clone(), name.to_owned())
}

/// The same with their comparison shown.
pub fn compared() -> (Stage, [AssetId; 2]) {
    let (mut stage, assets) = two();
    stage.perform(CompareAction::Open([source(&assets[0], "a.txt"), source(&assets[1], "b.txt")]));
    until_compared(&mut stage);
    (stage, assets)
}

pub fn until_compared(stage: &mut Stage) {
    stage.until("they are compared", |state| {
        state.compare.tab().is_some_and(|tab| !tab.shown.loading() && tab.shown.value().is_some())
    });
    stand(stage);
}

pub fn comparison(stage: &Stage) -> &Comparison {
    stage.state().compare.tab().and_then(|tab| tab.shown.value()).expect("a comparison")
}

fn text_of(stage: &Stage, asset: &AssetId) -> String {
    let read = stage.call(AssetSnapshot { asset: asset.clone(), transferables: Some(true) }).expect("it is read");
    let raw =
        read.view().original().reference().and_then(|format| format.fragment()?.string()?.raw().map(str::to_owned));
    raw.expect("a text")
}

#[test]
fn before_the_first_comparison_the_panel_says_how_to_make_one() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num9);
    stage.until_label("Nothing is compared");
    stage.find(Role::Button, "Compare two files…");
}

#[test]
fn two_selected_assets_are_compared_by_key() {
    let (mut stage, _) = two();
    stage.ctrl(Key::Num3);
    stage.until_label("a.txt");
    stage.find(Role::Row, "a.txt").click();
    stage.settle();
    stage.find(Role::Row, "b.txt").click_modifiers(Modifiers::COMMAND);
    stage.settle();
    stage.ctrl(Key::B);
    until_compared(&mut stage);
    assert_eq!(stage.state().navigation.panel, Panel::Compare);
    let mut titles = comparison(&stage).sides.each_ref().map(|side| side.title.clone());
    titles.sort();
    assert_eq!(titles, ["a.txt", "b.txt"]);
}

#[test]
fn one_that_was_selected_for_compare_is_compared_with_the_next() {
    let (mut stage, _) = two();
    stage.ctrl(Key::Num3);
    stage.until_label("a.txt");
    stage.find(Role::Row, "a.txt").click();
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    stage.harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::B);
    stage.until("it is selected", |state| state.compare.selected.is_some());
    stage.find(Role::Row, "b.txt").click();
    stage.until("it is read", |state| {
        state
            .page()
            .is_some_and(|(_, page)| page.record.value().is_some_and(|asset| asset.view().name() == Some("b.txt")))
    });
    stage.ctrl(Key::B);
    until_compared(&mut stage);
    assert_eq!(comparison(&stage).sides.each_ref().map(|side| side.title.as_str()), ["a.txt", "b.txt"]);
}

#[test]
fn lines_fields_and_links_that_differ_are_named_in_the_accessibility_tree() {
    let (stage, _) = compared();
    stage.find(Role::Document, "Compared texts");
    stage.find(Role::Label, "line 1: one");
    stage.find(Role::Label, "removed line 2: two; added line 2: 2");
    stage.find(Role::Label, "Name: \"a.txt\" on the left, \"b.txt\" on the right");
    stage.find(Role::Label, "Tag: not linked on the left, blue on the right");
    stage.find(Role::Button, "Copy Tag to the left");
}

#[test]
fn the_layout_is_chosen_and_the_changes_are_visited_by_key() {
    let (mut stage, _) = compared();
    stage.find(Role::RadioButton, "Inline").click();
    stage.settle();
    stage.find(Role::Label, "removed line 2: two");
    stage.find(Role::Label, "added line 2: 2");
    stage.key(Key::F7);
    stage.until_label("Change 1 of 2");
    stage.key(Key::F7);
    stage.until_label("Change 2 of 2");
    stage.key(Key::F7);
    stage.until_label("Change 1 of 2");
    stage.harness.key_press_modifiers(Modifiers::SHIFT, Key::F7);
    stage.until_label("Change 2 of 2");
}

#[test]
fn both_texts_are_searched() {
    let (mut stage, _) = compared();
    stage.type_into("Find in both", "three");
    stage.until_label("1 of 2");
    stage.key(Key::Enter);
    stage.until_label("2 of 2");
    stage.type_into("Find in both", "none");
    stage.until_label("No matches");
}

#[test]
fn a_change_is_taken_over_and_undone() {
    let (mut stage, assets) = compared();
    stage.key(Key::F7);
    stage.until_label("Change 1 of 2");
    stage.press("Copy the change to the left");
    stage.until("one change is left", |state| {
        let tab = state.compare.tab().filter(|tab| !tab.shown.loading());
        tab.and_then(|tab| tab.shown.value()?.text()).is_some_and(|text| text.hunks.len() == 1)
    });
    assert_eq!(text_of(&stage, &assets[0]), "one\n2\nthree\nfour\n");
    stage.until("it can be undone", |state| state.work.is_empty() && state.history.last().is_some());
    stage.perform(HistoryAction::Undo);
    stage.until("both changes are back", |state| {
        let tab = state.compare.tab().filter(|tab| !tab.shown.loading());
        tab.and_then(|tab| tab.shown.value()?.text()).is_some_and(|text| text.hunks.len() == 2)
    });
    assert_eq!(text_of(&stage, &assets[0]), LEFT);
}

#[test]
fn a_field_and_a_link_are_taken_over() {
    let (mut stage, _) = compared();
    stage.press("Copy Name to the right");
    stage.until("the names are equal", |state| {
        state
            .compare
            .tab()
            .and_then(|tab| tab.shown.value())
            .is_some_and(|shown| shown.sides.iter().all(|side| side.title == "a.txt"))
    });
    stage.until("it is done", |state| state.work.is_empty());
    stage.press("Copy Tag to the left");
    stage.until("both have the tag", |state| {
        state.compare.tab().and_then(|tab| tab.shown.value()).is_some_and(|shown| shown.links.is_empty())
    });
}

#[test]
fn two_that_are_equal_say_so() {
    let mut stage = Stage::embedded();
    let asset = stage.asset("a.txt", LEFT);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.txt");
    std::fs::write(&path, LEFT).expect("a file");
    stage.perform(CompareAction::Open([source(&asset, "a.txt"), source(&asset, "a.txt")]));
    until_compared(&mut stage);
    stage.until_label("The two are the same");
    stage.perform(CompareAction::Open([source(&asset, "a.txt"), Source::File(path)]));
    until_compared(&mut stage);
    stage.until_label("“a.txt” has no fields to compare.");
    assert!(stage.state().compare.tabs.len() == 2 && stage.draws(Role::TabList, "Comparisons"));
}

#[test]
fn whitespace_is_ignored_on_request_and_nothing_is_taken_over_then() {
    let mut stage = Stage::embedded();
    let assets = [stage.asset("a.txt", "a b\nc\n"), stage.asset("a.txt", "a  b\nc\n")];
    stage.perform(CompareAction::Open([source(&assets[0], "a.txt"), source(&assets[1], "a.txt")]));
    until_compared(&mut stage);
    stage.until_label("1 change");
    stage.find(Role::CheckBox, "Ignore whitespace").click();
    stage.until("it is compared again", |state| {
        let tab = state.compare.tab().filter(|tab| !tab.shown.loading());
        tab.and_then(|tab| tab.shown.value()?.text()).is_some_and(|text| text.hunks.is_empty())
    });
}

#[test]
fn a_side_that_is_gone_is_a_failure_that_can_be_tried_again() {
    let mut stage = Stage::embedded();
    let file = Source::File("/nonexistent/file".into());
    let asset = stage.asset("a.txt", LEFT);
    stage.perform(CompareAction::Open([source(&asset, "a.txt"), file]));
    stage.until("it failed", |state| state.compare.tab().is_some_and(|tab| tab.shown.error().is_some()));
    stage.until_label("A side could not be read");
    stage.find(Role::Button, "Try again");
    stage.perform(CompareAction::Open([source(&AssetId::random(), "gone"), source(&asset, "a.txt")]));
    stage.until("it failed", |state| state.compare.tab().is_some_and(|tab| tab.shown.error().is_some()));
    stage.until_label("“gone” could not be read");
}

#[test]
fn bytes_are_told_by_their_facts() {
    let mut stage = Stage::embedded();
    let folder = tempfile::tempdir().expect("a folder");
    let paths = [("a.bin", b"\0ab"), ("b.bin", b"\0ac")].map(|(name, bytes)| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        Source::File(path)
    });
    stage.perform(CompareAction::Open(paths));
    until_compared(&mut stage);
    stage.until_said("at byte 2");
    // The keyboard is on the tab of the comparison, not on the button that closes it.
    let focused = |stage: &Stage| stage.find(Role::Tab, "a.bin ↔ b.bin").accesskit_node().is_focused();
    assert!(focused(&stage));
}

#[test]
fn fifty_thousand_lines_draw_only_what_is_in_sight() {
    let mut stage = Stage::embedded();
    let folder = tempfile::tempdir().expect("a folder");
    let text = |kind: &str| -> String {
        (0..50_000)
            .map(|line| if line % 50 == 0 { format!("{kind} {line}\n") } else { format!("same {line}\n") })
            .collect()
    };
    let paths = ["left", "right"].map(|kind| {
        let path = folder.path().join(kind);
        std::fs::write(&path, text(kind)).expect("a file");
        Source::File(path)
    });
    stage.perform(CompareAction::Open(paths));
    until_compared(&mut stage);
    stage.until_label("1,000 changes");
    let rows = stage.harness.query_all_by_label_contains("line").count();
    assert!((10..200).contains(&rows), "{rows} rows");
    stage.harness.key_press_modifiers(Modifiers::SHIFT, Key::F7);
    stage.until_label("Change 1,000 of 1,000");
    stage.find(Role::Label, "removed line 49951: left 49950; added line 49951: right 49950");
}

#[test]
fn what_is_dropped_on_either_side_is_compared_in_its_place() {
    let (mut stage, assets) = compared();
    stage.harness.set_size(egui::vec2(1_600.0, 1_000.0));
    stage.perform(AssetsAction::LoadLinkable(LinkKind::Tag));
    stage.until("the tags are known and counted", |state| {
        let counted = state.overview.summary.as_ref().is_some_and(|summary| !summary.tags.most.is_empty());
        counted && !state.assets.items(LinkKind::Tag).is_empty()
    });
    stand(&mut stage);
    let left = stage.find(Role::Label, "line 1: one").rect();
    let tag = stage.find(Role::Link, "blue").rect().center();
    take(&mut stage, tag);
    release(&mut stage, pos2(left.left() + 40.0, left.center().y));
    until_compared(&mut stage);
    let tab = stage.state().compare.tab().expect("a comparison");
    assert!(matches!(&tab.sources[0], Source::Item(item) if item.text == "blue"), "{:?}", tab.sources);
    assert_eq!(tab.sources[1], source(&assets[1], "b.txt"));
    assert_eq!(stage.state().compare.tabs.len(), 1);
}
