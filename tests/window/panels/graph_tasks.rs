//! The graph: every task by its list and controls alone, the menus of its nodes, and where a graph can begin.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::operation::table::AssetAssociateTag;
use lunette_inspector::State;
use lunette_inspector::action::{AssetsAction, GraphAction, InventoryAction};
use lunette_inspector::graph::{NodeKey, NodeKind};
use lunette_inspector::inventory::Shown;
use lunette_inspector::panel::Panel;

use crate::dialogs::plan::{stand, writes};
use crate::input::row_menu::{choose, entries, right_click};
use crate::panels::graph::{at, drawn, shown, tag, tag_key, until_read, with_links};
use crate::stage::Stage;

fn press_at(stage: &mut Stage, at: Pos2, button: PointerButton) {
    stage.harness.event(Event::PointerMoved(at));
    stage.harness.step();
    for pressed in [true, false] {
        stage.harness.event(Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
        stage.harness.step();
    }
}

/// Two clicks in one frame: frames of a test are further apart than the clicks of a double-click.
pub fn double_click_at(stage: &mut Stage, at: Pos2) {
    stage.harness.event(Event::PointerMoved(at));
    stage.harness.step();
    for pressed in [true, false, true, false] {
        let event =
            Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE };
        stage.harness.input_mut().events.push(event);
    }
    stage.harness.step();
}

/// Selects a node in the list by the keyboard alone.
fn select(stage: &mut Stage, name: &str) {
    stage.type_into("Find a node", name);
    stage.find(Role::List, "Nodes").focus();
    stage.harness.step();
    stage.key(Key::Home);
}

/// The graph of a tag of 60 assets, which draws some of them.
fn of_many() -> Stage {
    let mut stage = Stage::embedded();
    let blue = tag(&stage, "blue");
    for number in 0..60 {
        let asset = stage.asset(&format!("{number}.txt"), &number.to_string());
        stage.call(AssetAssociateTag { asset, tag: blue.clone() }).expect("linked");
    }
    let key = tag_key(&blue);
    stage.until("they are listed", |state| state.assets.list.count() == 60 && !state.assets.list.rows.loading());
    let start = lunette_inspector::graph::Start { key, name: "blue".to_owned(), url: None };
    stage.perform(GraphAction::Start(vec![start]));
    until_read(&mut stage);
    stage
}

fn more(stage: &Stage) -> Option<String> {
    let graph = &shown(stage).graph;
    let node = graph.nodes.iter().find(|node| node.key.kind() == NodeKind::More)?;
    Some(node.name.clone())
}

#[test]
fn hidden_neighbours_are_shown_by_a_click_in_the_picture() {
    let mut stage = of_many();
    let (before, name) = (shown(&stage).graph.nodes.len(), more(&stage).expect("more than are drawn"));
    let pos = at(&stage, &name);
    press_at(&mut stage, pos, PointerButton::Primary);
    stage.until("more are drawn", move |state| state.graph.graph().is_some_and(|graph| graph.nodes.len() > before));
    assert_eq!(writes(&stage), 0);
}

#[test]
fn hidden_neighbours_are_shown_by_enter_in_the_list() {
    let mut stage = of_many();
    let (before, name) = (shown(&stage).graph.nodes.len(), more(&stage).expect("more than are drawn"));
    select(&mut stage, &name);
    stage.key(Key::Enter);
    stage.until("more are drawn", move |state| state.graph.graph().is_some_and(|graph| graph.nodes.len() > before));
}

#[test]
fn at_800_by_600_the_filters_are_one_menu_and_the_names_of_nodes_can_be_read() {
    let (mut stage, ..) = drawn();
    assert!(stage.draws(Role::CheckBox, "Tags") && !stage.draws(Role::Button, "Filters"));
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stand(&mut stage);
    assert!(!stage.draws(Role::CheckBox, "Tags"));
    let row = ["1 link", "2 links"].map(|name| stage.find(Role::RadioButton, name).rect().y_range());
    let filters = stage.find(Role::Button, "Filters").rect();
    assert!(row.iter().all(|other| other.intersects(filters.y_range())), "they are on one line: {row:?}, {filters}");
    stage.press("Filters");
    let names: Vec<String> = entries(&stage).into_iter().map(|(name, _)| name).collect();
    let kinds = ["Assets", "Tags", "Websites", "Summaries", "Applications"];
    assert_eq!(names, [&kinds[..], &["Any language", "Any time", "Show everything"]].concat());
    choose(&mut stage, "Tags");
    until_read(&mut stage);
    stage.press("Filters (1)");
    stage.find(Role::MenuItem, "Any time").click();
    stage.settle();
    choose(&mut stage, "Last 30 days");
    until_read(&mut stage);
    let filter = &stage.state().graph.filter;
    assert_eq!((filter.days, filter.hidden.len()), (Some(30), 1));
    stage.press("Filters (2)");
    choose(&mut stage, "Show everything");
    until_read(&mut stage);
    assert_eq!(stage.state().graph.filter, lunette_inspector::settings::GraphFilter::default());
    let list = stage.find(Role::List, "Nodes");
    let (inside, rows) = (list.rect(), list.query_all_by_role(Role::ListItem).map(|row| row.rect()));
    let read = rows.filter(|row| inside.contains_rect(row.shrink(1.0)) && row.width() >= 200.0).count();
    assert!(read >= 4, "{read} of the names are in sight");
}

#[test]
fn at_800_by_600_the_links_of_a_marked_node_are_in_sight_below_the_list() {
    let (mut stage, ..) = drawn();
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stand(&mut stage);
    stage.press("Mark");
    stage.until_label("1 marked");
    stand(&mut stage);
    let list = stage.find(Role::List, "Nodes").rect();
    let remove = stage.find(Role::Button, "Remove the link to blue").rect();
    assert!(list.bottom() < remove.top() && remove.bottom() <= 572.0, "{list}, {remove}");
}

#[test]
fn depth_language_and_date_are_chosen_using_accessible_names_only() {
    let (mut stage, ..) = drawn();
    let before = shown(&stage).graph.nodes.len();
    stage.find(Role::RadioButton, "1 link").click_accesskit();
    stage.until("it goes one link", move |state| {
        state.graph.hops == 1 && state.graph.graph().is_some_and(|graph| graph.nodes.len() < before)
    });
    stage.find(Role::RadioButton, "2 links").click_accesskit();
    until_read(&mut stage);
    stage.press("Any time");
    choose(&mut stage, "Last 7 days");
    assert_eq!(stage.state().graph.filter.days, Some(7));
    until_read(&mut stage);
    stage.press("Any language");
    let languages = entries(&stage);
    let (language, _) = languages.last().expect("a language").clone();
    assert_ne!(language, "Any language");
    choose(&mut stage, &language);
    assert!(stage.state().graph.filter.language.is_some());
    until_read(&mut stage);
    stage.press("Show everything");
    assert_eq!(stage.state().graph.filter, lunette_inspector::settings::GraphFilter::default());
}

#[test]
fn nodes_are_pinned_unpinned_and_changed_together_using_accessible_names_only() {
    let (mut stage, assets, _) = drawn();
    let key = NodeKey::Asset(assets[1].clone());
    select(&mut stage, "b.txt");
    stage.press("Pin");
    assert!(stage.state().graph.is_pinned(&key));
    stage.press("Unpin");
    assert!(!stage.state().graph.is_pinned(&key));
    stage.press("Mark");
    stage.press("Link…");
    stage.until_said("green");
    stage.type_into("Link marked to", "green");
    stage.key(Key::Enter);
    stage.until("the plan is there", |state| state.bulk.draft.is_some());
    assert_eq!(writes(&stage), 0);
    stage.key(Key::Escape);
    stage.press("Unmark all");
    assert!(!stage.says("1 marked"));
}

#[test]
fn a_link_made_in_the_list_is_undone_by_its_key() {
    let (mut stage, ..) = drawn();
    let links = shown(&stage).graph.edges.len();
    let drawn_links =
        |count: usize| move |state: &State| state.graph.graph().is_some_and(|graph| graph.edges.len() == count);
    select(&mut stage, "b.txt");
    stage.press_once_enabled("Link to…");
    stage.until_said("green");
    stage.type_into("Link to", "green");
    stage.key(Key::Enter);
    stage.until("it is linked", |state| state.work.is_empty() && state.history.entries.len() == 1);
    stage.until("the link is drawn", drawn_links(links + 1));
    stage.ctrl(Key::Z);
    stage.until("it is undone", |state| state.history.entries.iter().any(|step| step.undone));
    stage.until("the link is gone", drawn_links(links));
}

#[test]
fn the_menu_of_a_node_is_the_same_in_the_picture_and_in_the_list() {
    let (mut stage, assets, _) = drawn();
    let pos = at(&stage, "asset b.txt");
    press_at(&mut stage, pos, PointerButton::Secondary);
    stage.settle();
    let of_picture = entries(&stage);
    assert!(of_picture.iter().any(|(name, _)| name == "Start here"), "{of_picture:?}");
    choose(&mut stage, "Pin");
    assert!(stage.state().graph.is_pinned(&NodeKey::Asset(assets[1].clone())));
    select(&mut stage, "b.txt");
    stage.key(Key::Menu);
    let of_list = entries(&stage);
    let names = |entries: &[(String, bool)]| entries.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&of_list), names(&of_picture).iter().map(|name| name.replace("Pin", "Unpin")).collect::<Vec<_>>());
    choose(&mut stage, "Unpin");
    assert!(!stage.state().graph.is_pinned(&NodeKey::Asset(assets[1].clone())));
}

#[test]
fn the_menu_of_a_link_removes_it() {
    let (mut stage, ..) = drawn();
    let (from, to) = (at(&stage, "asset a.txt"), at(&stage, "tag blue"));
    press_at(&mut stage, from + (to - from) * 0.5, PointerButton::Secondary);
    stage.settle();
    choose(&mut stage, "Remove the link");
    stage.until("the write has ended", |state| state.work.is_empty() && !state.history.entries.is_empty());
    assert_eq!(writes(&stage), 1);
}

#[test]
fn a_double_click_on_a_node_opens_its_page() {
    let (mut stage, assets, _) = drawn();
    let pos = at(&stage, "asset b.txt");
    double_click_at(&mut stage, pos);
    stage.until("its page is open", move |state| state.assets.pages.open.as_ref() == Some(&assets[1]));
    assert_eq!(stage.state().navigation.panel, Panel::Assets);
}

#[test]
fn a_graph_begins_with_all_selected_rows() {
    let (mut stage, assets, _) = with_links();
    stage.ctrl(Key::Num3);
    stage.until_label("a.txt");
    stage.find(Role::Row, "a.txt").click();
    stage.settle();
    stage.find(Role::Row, "b.txt").click_modifiers(Modifiers::COMMAND);
    stage.settle();
    stage.ctrl(Key::G);
    until_read(&mut stage);
    let begun: Vec<_> = stage.state().graph.start.iter().filter_map(|start| start.key.asset().cloned()).collect();
    assert_eq!(begun.len(), 2);
    assert!(begun.contains(&assets[0]) && begun.contains(&assets[1]));
    assert!(stage.says("1 more"), "the title says that there are several");
}

#[test]
fn a_graph_begins_with_an_application_from_the_menus_of_its_table_and_its_card() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num1);
    stage.until("the lists are joined", |state| state.inventory.list.iter().any(|row| row.tracked.is_some()));
    let name = |stage: &Stage, role: Role| {
        let mut nodes = stage.harness.query_all_by_role(role).filter_map(|node| node.accesskit_node().label());
        nodes.find(|label| label.starts_with("Lunette")).expect("the tracked one")
    };
    for (shown, role) in [(Shown::Tracked, Role::Row), (Shown::All, Role::Row), (Shown::Board, Role::ListBoxOption)] {
        stage.perform(lunette_inspector::action::NavigationAction::Show(Panel::Applications));
        stage.perform(InventoryAction::Show(shown));
        // The table of all and the board have one filter.
        if shown != Shown::Board {
            stage.type_into("Filter applications", "lunette");
        }
        stand(&mut stage);
        let label = name(&stage, role);
        right_click(&mut stage, role, &label);
        choose(&mut stage, "Show graph");
        until_read(&mut stage);
        assert!(matches!(stage.state().graph.start[0].key, NodeKey::Application(_)), "{shown:?}");
    }
}

#[test]
fn the_assets_of_an_application_are_listed_from_its_page_and_lead_back_to_it() {
    let mut stage = Stage::embedded();
    let tree = crate::support::assets::application();
    let application = crate::support::assets::record(tree.clone());
    stage
        .call(lunette_client::operation::table::ApplicationsRegister { application: Some(application) })
        .expect("registered");
    let id = stage.asset("made.txt", "made");
    stage.until("it is listed", |state| state.assets.list.count() == 1 && !state.assets.list.rows.loading());
    stage.ctrl(Key::Num1);
    stage.perform(lunette_inspector::Action::Refresh(Panel::Applications));
    let application = tree["id"].as_str().expect("an id").to_owned();
    let wanted = application.clone();
    stage.until("it is tracked", move |state| state.applications.list.iter().any(|row| row.id == wanted));
    stage.perform(lunette_inspector::action::ApplicationsAction::Open(application.clone()));
    stage.press_once_enabled("Show its assets");
    stage.until("they are listed", |state| {
        state.navigation.panel == Panel::Assets && state.assets.list.order.len() == 1
    });
    assert_eq!(stage.value_of("Filter assets"), "application:\"Open source\"");
    stage.perform(AssetsAction::Open(id));
    stage.press_once_enabled("Details");
    stage.until_label("Application");
    // What is below the content moves once the content is there.
    stage.until("its content is there", |state| state.page().is_some_and(|(_, page)| page.content.value().is_some()));
    stand(&mut stage);
    stage.find(Role::Link, "Open source").click();
    stage.until("its page is open", move |state| {
        let open = state.applications.open.as_ref();
        state.navigation.panel == Panel::Applications && open.is_some_and(|page| page.id == application)
    });
}
