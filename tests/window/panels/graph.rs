//! The graph: its picture by pointer, the same by list and keyboard alone, its files, and its states.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::{AssetId, TagId};
use lunette_client::model::linked::SeededTag;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetAssociateTag, TagsCreateNewTag};
use lunette_inspector::Remote;
use lunette_inspector::graph::{NodeKey, Shown};

use crate::dialogs::plan::{stand, writes};
use crate::stage::Stage;

pub fn tag(stage: &Stage, text: &str) -> TagId {
    let tag = Some(SeededTag::from_tree(serde_json::json!({ "text": text })).expect("a tag"));
    let made = stage.call(TagsCreateNewTag { transferables: None, tag }).expect("it was made");
    made.view().id().parse().expect("an id")
}

/// A stage with three assets: one with both tags, one with the first and one with the second.
pub fn with_links() -> (Stage, [AssetId; 3], [TagId; 2]) {
    let mut stage = Stage::embedded();
    let assets = ["a.txt", "b.txt", "c.txt"].map(|name| stage.asset(name, name));
    let tags = ["blue", "green"].map(|text| tag(&stage, text));
    for (asset, tag) in [(0, 0), (0, 1), (1, 0), (2, 1)] {
        stage.call(AssetAssociateTag { asset: assets[asset].clone(), tag: tags[tag].clone() }).expect("linked");
    }
    stage.until("they are listed", |state| {
        state.assets.list.count() == 3 && !state.assets.list.rows.loading() && state.assets.linkable.len() == 3
    });
    (stage, assets, tags)
}

/// The same with the graph of the first asset drawn.
pub fn drawn() -> (Stage, [AssetId; 3], [TagId; 2]) {
    let (mut stage, assets, tags) = with_links();
    stage.ctrl(Key::Num3);
    stage.until_label("a.txt");
    stage.find(Role::Row, "a.txt").click();
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    stage.ctrl(Key::G);
    until_read(&mut stage);
    (stage, assets, tags)
}

pub fn until_read(stage: &mut Stage) {
    stage.until("the graph is read", |state| matches!(state.graph.shown, Remote::Known(_)));
    stand(stage);
}

pub fn shown(stage: &Stage) -> &Shown {
    stage.state().graph.shown.value().expect("a graph")
}

fn linked(stage: &Stage, asset: &AssetId, tag: &TagId) -> bool {
    let graph = &shown(stage).graph;
    let index_of = |key: &NodeKey| graph.index_of(key);
    let (from, to) = (index_of(&NodeKey::Asset(asset.clone())), index_of(&tag_key(tag)));
    graph.edges.iter().any(|edge| (Some(edge.from), Some(edge.to)) == (from, to))
}

pub fn tag_key(tag: &TagId) -> NodeKey {
    NodeKey::Item(lunette_inspector::change::LinkKind::Tag, tag.as_str().to_owned())
}

/// Where a node is drawn.
pub fn at(stage: &Stage, name: &str) -> Pos2 {
    let nodes = stage.harness.query_all_by_label_contains(name);
    let mut nodes = nodes.filter(|node| node.accesskit_node().role() == Role::GraphicsObject);
    nodes.next().unwrap_or_else(|| panic!("{name} is drawn")).rect().center()
}

fn button(at: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

/// Drags along a line of points.
fn drag(stage: &mut Stage, line: &[Pos2]) {
    let (first, last) = (line[0], line[line.len() - 1]);
    stage.harness.event(Event::PointerMoved(first));
    stage.harness.step();
    stage.harness.event(button(first, true));
    stage.harness.step();
    for at in line {
        stage.harness.event(Event::PointerMoved(*at));
        stage.harness.step();
    }
    stage.harness.event(button(last, false));
    stage.harness.step();
    stand(stage);
}

#[test]
fn before_the_first_graph_the_panel_says_how_to_make_one() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num8);
    stage.until_label("No graph yet");
    stage.press("Go to Assets");
    assert_eq!(stage.state().navigation.panel, lunette_inspector::panel::Panel::Assets);
}

#[test]
fn the_picture_and_the_list_have_the_same_nodes() {
    let (stage, ..) = drawn();
    let nodes = shown(&stage).graph.nodes.len();
    assert!(nodes >= 5, "three assets, two tags: {nodes}");
    let count = |role: Role| stage.harness.query_all_by_role(role).count();
    assert_eq!((count(Role::GraphicsObject), count(Role::ListItem)), (nodes, nodes));
    assert!(stage.says("Graph of a.txt"));
}

#[test]
fn dragging_a_node_to_another_sends_one_request_that_undo_reverts() {
    let (mut stage, assets, tags) = drawn();
    assert!(!linked(&stage, &assets[1], &tags[1]));
    let (from, to) = (at(&stage, "asset b.txt"), at(&stage, "tag green"));
    drag(&mut stage, &[from, from + (to - from) * 0.5, to]);
    let link = (assets[1].clone(), tags[1].clone());
    stage.until_drawn("they are linked", move |harness| {
        let state = harness.state().state();
        state.graph.shown.value().is_some_and(|shown| {
            let index_of = |key: &NodeKey| shown.graph.index_of(key);
            let (from, to) = (index_of(&NodeKey::Asset(link.0.clone())), index_of(&tag_key(&link.1)));
            shown.graph.edges.iter().any(|edge| (Some(edge.from), Some(edge.to)) == (from, to))
        })
    });
    assert_eq!(writes(&stage), 1);
    stage.until("it can be undone", |state| state.work.is_empty() && state.history.last().is_some());
    stage.ctrl(Key::Z);
    let link = (assets[1].clone(), tags[1].clone());
    stage.until("it is undone", move |state| {
        state.graph.shown.value().is_some_and(|shown| {
            let index_of = |key: &NodeKey| shown.graph.index_of(key);
            let (from, to) = (index_of(&NodeKey::Asset(link.0.clone())), index_of(&tag_key(&link.1)));
            !shown.graph.edges.iter().any(|edge| (Some(edge.from), Some(edge.to)) == (from, to))
        })
    });
    assert_eq!(writes(&stage), 2);
}

#[test]
fn a_node_dragged_to_an_empty_place_is_pinned_and_nothing_is_sent() {
    let (mut stage, assets, _) = drawn();
    let from = at(&stage, "asset b.txt");
    let picture = stage.harness.get_by_role(Role::Canvas).rect();
    let free = picture.left_bottom() + egui::vec2(30.0, -30.0);
    drag(&mut stage, &[from, free]);
    assert!(stage.state().graph.is_pinned(&NodeKey::Asset(assets[1].clone())));
    assert!((at(&stage, "asset b.txt") - free).length() < 3.0);
    assert_eq!(writes(&stage), 0);
}

#[test]
fn a_selected_link_is_removed_by_delete() {
    let (mut stage, assets, tags) = drawn();
    let (from, to) = (at(&stage, "asset a.txt"), at(&stage, "tag blue"));
    let middle = from + (to - from) * 0.5;
    stage.harness.event(Event::PointerMoved(middle));
    stage.harness.step();
    stage.harness.event(button(middle, true));
    stage.harness.step();
    stage.harness.event(button(middle, false));
    stage.harness.step();
    stage.key(Key::Delete);
    let (asset, tag) = (assets[0].clone(), tags[0].clone());
    stage.until("the write has ended", |state| state.work.is_empty() && !state.history.entries.is_empty());
    until_read(&mut stage);
    stage.until("the link is gone", move |state| {
        state.graph.graph().is_some_and(|graph| {
            let (from, to) = (graph.index_of(&NodeKey::Asset(asset.clone())), graph.index_of(&tag_key(&tag)));
            !graph.edges.iter().any(|edge| (Some(edge.from), Some(edge.to)) == (from, to))
        })
    });
    assert_eq!(writes(&stage), 1);
}

#[test]
fn a_line_around_everything_marks_all_nodes_for_one_plan() {
    let (mut stage, ..) = drawn();
    stage.press("Mark nodes with a lasso");
    let picture = stage.harness.get_by_role(Role::Canvas).rect().shrink(4.0);
    drag(
        &mut stage,
        &[picture.left_top(), picture.right_top(), picture.right_bottom(), picture.left_bottom(), picture.left_top()],
    );
    let nodes = shown(&stage).graph.nodes.len();
    assert!(stage.says(&format!("{nodes} marked")));
    stage.press("Unlink…");
    stage.until_said("blue");
    stage.type_into("Unlink marked from", "blue");
    stage.key(Key::Enter);
    stage.until("the plan is there", |state| state.bulk.draft.is_some());
    assert!(stage.says("Remove tag “blue” from 3 assets"));
    assert_eq!(writes(&stage), 0);
}

#[test]
fn the_whole_task_can_be_done_by_names_and_roles_alone() {
    let (mut stage, assets, tags) = drawn();
    // Choose a node in the list by the keyboard.
    stage.type_into("Find a node", "b.txt");
    stage.find(Role::List, "Nodes").focus();
    stage.harness.step();
    stage.key(Key::Home);
    stage.until_label("Link to…");
    // Link it.
    stage.press_once_enabled("Link to…");
    stage.until_said("green");
    stage.type_into("Link to", "green");
    stage.key(Key::Enter);
    stage.until("it is linked", |state| state.work.is_empty() && state.history.entries.len() == 1);
    stage.press_once_enabled("Remove the link to green");
    stage.until("it is removed", |state| state.work.is_empty() && state.history.entries.len() == 2);
    assert_eq!(writes(&stage), 2);
    until_read(&mut stage);
    // Pin, mark, hide a kind, open its page.
    stage.press("Pin");
    assert!(stage.state().graph.is_pinned(&NodeKey::Asset(assets[1].clone())));
    stage.press("Mark");
    assert!(stage.says("1 marked"));
    stage.find(Role::CheckBox, "Applications").click_accesskit();
    stage.settle();
    until_read(&mut stage);
    assert!(!shown(&stage).graph.nodes.iter().any(|node| matches!(node.key, NodeKey::Application(_))));
    let _ = tags;
    stage.press("Open its page");
    stage.until("its page is open", move |state| state.assets.pages.open.as_ref() == Some(&assets[1]));
}

#[test]
fn at_rest_no_frame_is_asked_for() {
    let (mut stage, ..) = drawn();
    stage.until("nothing is under way", |state| state.work.is_empty());
    stage.until_counted();
    stage.harness.run_steps(40);
    assert!(!stage.harness.ctx.has_requested_repaint(), "{:?}", stage.harness.ctx.repaint_causes());
}

#[test]
fn the_graph_is_copied_as_mermaid_and_saved_as_svg_and_png() {
    let (mut stage, ..) = drawn();
    stage.press("Save or copy the graph");
    stage.find(Role::Button, "Copy as Mermaid").click_accesskit();
    stage.harness.step();
    let copied = stage.harness.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let copied = copied.expect("the text of the graph");
    assert!(copied.starts_with("graph LR") && copied.contains("a.txt") && copied.contains("blue"), "{copied}");
    stage.settle();
    let folder = tempfile::tempdir().expect("a folder");
    for (entry, file) in [("Save as SVG…", "graph.svg"), ("Save as PNG…", "graph.png")] {
        let path = folder.path().join(file);
        stage.picked.set(vec![path.clone()]);
        stage.press("Save or copy the graph");
        stage.press(entry);
        stage.until("it is saved", |_| path.exists());
        stage.until_said(file);
        stage.settle();
        let bytes = std::fs::read(&path).expect("a file");
        match file {
            "graph.svg" => assert!(String::from_utf8(bytes).expect("text").contains(">a.txt</text>")),
            _ => assert!(bytes.starts_with(b"\x89PNG")),
        }
    }
}

#[test]
fn filters_and_pins_are_restored_when_the_window_reopens() {
    let (mut stage, assets, _) = drawn();
    let (from, picture) = (at(&stage, "asset b.txt"), stage.harness.get_by_role(Role::Canvas).rect());
    drag(&mut stage, &[from, picture.left_bottom() + egui::vec2(30.0, -30.0)]);
    stage.find(Role::CheckBox, "Applications").click_accesskit();
    stage.settle();
    let positions = |stage: &Stage| {
        let shown = shown(stage);
        shown.graph.index_of(&NodeKey::Asset(assets[1].clone())).map(|index| shown.positions[index])
    };
    let pinned = positions(&stage);
    until_read(&mut stage);
    let all = |stage: &Stage| {
        let shown = shown(stage);
        let keys = shown.graph.nodes.iter().map(|node| format!("{:?}", node.key));
        keys.zip(shown.positions.iter().copied()).collect::<Vec<_>>()
    };
    let everywhere = all(&stage);
    crate::input::views::until_kept(&mut stage);
    let mut stage = stage.reopened();
    stage.perform(lunette_inspector::action::AssetsAction::Open(assets[0].clone()));
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    stage.ctrl(Key::G);
    until_read(&mut stage);
    assert!(stage.state().graph.is_pinned(&NodeKey::Asset(assets[1].clone())));
    assert_eq!(positions(&stage), pinned);
    assert_eq!(all(&stage), everywhere, "the other nodes are where they were too");
    let kinds = shown(&stage).graph.nodes.iter().map(|node| node.key.kind());
    assert!(kinds.into_iter().all(|kind| kind != lunette_inspector::graph::NodeKind::Application));
}

#[test]
fn a_graph_that_cannot_be_read_says_why_and_offers_to_try_again() {
    let (mut stage, assets, _) = drawn();
    stage.call(lunette_client::operation::table::AssetsDeleteAsset { asset: assets[0].clone() }).expect("deleted");
    stage.press("Refresh the graph");
    stage.until("it failed", |state| matches!(state.graph.shown, Remote::Failed { .. }));
    stage.until_said("could not be refreshed");
}

#[test]
fn the_panel_fits_the_smallest_window() {
    let (mut stage, ..) = drawn();
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stand(&mut stage);
    let window = Rect::from_min_size(Pos2::ZERO, egui::vec2(800.0, 600.0));
    for name in ["Refresh the graph", "Show the whole graph", "Mark nodes with a lasso", "Filters"] {
        assert!(window.contains_rect(stage.find(Role::Button, name).rect()), "{name}");
    }
    let picture = stage.harness.get_by_role(Role::Canvas).rect();
    assert!(picture.width() >= 240.0 && picture.height() >= 340.0, "{picture:?}");
}
