//! Two pages beside each other: opening and closing either, the keyboard, what is typed, dragging between them, and a
//! window that is too narrow for both.

use egui::{Key, Modifiers, Pos2, Role, Vec2, vec2};
use egui_kittest::Node;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    AssetAssociateTag, AssetAssociateWebsite, AssetAssociateWorkstreamSummary, AssetSnapshot, WebsitesCreateNewWebsite,
};
use lunette_inspector::action::{AssetsAction, NavigationAction, SettingsAction};
use lunette_inspector::assets::page::Place;
use lunette_inspector::change::{LinkKind, linked};
use lunette_inspector::drafts::DraftKey;
use lunette_inspector::panel::Panel;
use lunette_inspector::settings::{Look, OpenedAssets};
use serde_json::json;

use crate::dialogs::edit_text::text_at_service;
use crate::dialogs::plan::{stand, writes};
use crate::input::dragging::{release, row, tag, tags, take};
use crate::panels::asset_page::{open, settle};
use crate::stage::Stage;
use crate::support::assets::record;

const WIDE: Vec2 = vec2(1_600.0, 1_000.0);
const NARROW: Vec2 = vec2(1_100.0, 800.0);
const FIELD: &str = "Text of the asset";

/// A stage with three assets, the first two open beside each other; the second one is active.
fn two() -> (Stage, [AssetId; 3]) {
    let mut stage = Stage::embedded();
    stage.harness.set_size(WIDE);
    let assets = ["a.txt", "b.txt", "c.txt"].map(|name| stage.asset(name, &format!("text of {name}")));
    stage.until("they are listed", |state| state.assets.list.count() == 3 && !state.assets.list.rows.loading());
    open(&mut stage, &assets[0]);
    stage.perform(AssetsAction::OpenBeside(assets[1].clone()));
    until_read(&mut stage, &assets[1]);
    (stage, assets)
}

fn until_read(stage: &mut Stage, asset: &AssetId) {
    let asset = asset.clone();
    stage.until("it is read", move |state| {
        let page = state.assets.pages.of.get(&asset);
        page.is_some_and(|page| page.record.value().is_some() && page.content.value().is_some())
    });
    stand(stage);
}

fn resize(stage: &mut Stage, size: Vec2) {
    stage.harness.set_size(size);
    stage.settle();
    stand(stage);
}

/// Returns the page whose accessible name begins with this.
fn page<'a>(stage: &'a Stage, name: &'a str) -> Node<'a> {
    let mut groups = stage.harness.query_all_by_role(Role::Group);
    let named = |node: &Node<'_>| node.accesskit_node().label().is_some_and(|label| label.starts_with(name));
    groups.find(named).unwrap_or_else(|| panic!("the {name}"))
}

fn is_active(stage: &Stage, name: &str) -> bool {
    page(stage, name).accesskit_node().label().is_some_and(|label| label.ends_with(", active"))
}

/// Returns the shown assets, from left to right, and where the active one is.
fn shown(stage: &Stage) -> (Vec<AssetId>, Place) {
    let pages = &stage.state().assets.pages;
    (pages.shown().map(|(id, _)| id.clone()).collect(), pages.place)
}

fn focused(stage: &Stage) -> Option<Pos2> {
    let focused = stage.harness.ctx.memory(|memory| memory.focused())?;
    stage.harness.ctx.viewport(|view| view.prev_pass.widgets.get(focused).map(|widget| widget.rect.center()))
}

/// Opens the editor of the text on the page with this name, and types into it.
fn type_on(stage: &mut Stage, name: &str, text: &str) {
    let at = page(stage, name).rect().center_top() + vec2(0.0, 30.0);
    click(stage, at);
    stage.key(Key::F4);
    let named = name.to_owned();
    stage.until_drawn("the editor is open", move |harness| {
        let groups = harness.query_all_by_role(Role::Group);
        let mut pages =
            groups.filter(|node| node.accesskit_node().label().is_some_and(|label| label.starts_with(&named)));
        pages.any(|page| page.query_by_role_and_label(Role::MultilineTextInput, FIELD).is_some())
    });
    stand(stage);
    stage.harness.event(egui::Event::Text(text.to_owned()));
    stage.settle();
}

/// Returns the text in the only editor.
fn editor_text(stage: &Stage) -> String {
    stage.find(Role::MultilineTextInput, FIELD).accesskit_node().value().unwrap_or_default()
}

fn click(stage: &mut Stage, at: Pos2) {
    let button = |pressed| egui::Event::PointerButton {
        pos: at,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    for event in [egui::Event::PointerMoved(at), button(true), button(false)] {
        stage.harness.event(event);
        stage.harness.step();
    }
    stage.settle();
}

#[test]
fn the_focused_row_is_opened_beside_the_page_by_key() {
    let mut stage = Stage::embedded();
    let assets = ["a.txt", "b.txt"].map(|name| stage.asset(name, name));
    stage.until("they are listed", |state| state.assets.list.count() == 2 && !state.assets.list.rows.loading());
    open(&mut stage, &assets[0]);
    // The page follows the row, so the row is open there already: it moves to the second page.
    stage.find(Role::Row, "b.txt").click();
    until_read(&mut stage, &assets[1]);
    stage.ctrl(Key::Enter);
    stage.until("two are open", |state| state.assets.pages.are_two());
    stand(&mut stage);
    assert_eq!(shown(&stage), (assets.to_vec(), Place::Second));
    assert!(is_active(&stage, "Second page") && !is_active(&stage, "First page"));
    let [first, second] = ["First page", "Second page"].map(|name| page(&stage, name).rect());
    assert!(first.right() <= second.left() && first.width() > 250.0 && second.width() > 250.0, "{first} {second}");
}

#[test]
fn either_page_is_closed_and_the_other_one_stays() {
    for (name, left) in [("First page", 1), ("Second page", 0)] {
        let (mut stage, assets) = two();
        page(&stage, name).get_by_role_and_label(Role::Button, "Close the asset").click();
        stage.until("one is open", |state| !state.assets.pages.are_two());
        assert_eq!(shown(&stage), (vec![assets[left].clone()], Place::First));
    }
}

#[test]
fn an_asset_that_a_page_shows_is_not_opened_a_second_time() {
    let (mut stage, assets) = two();
    stage.perform(AssetsAction::Open(assets[0].clone()));
    stage.settle();
    assert_eq!(shown(&stage), (assets[..2].to_vec(), Place::First));
    stage.perform(AssetsAction::OpenBeside(assets[1].clone()));
    stage.settle();
    assert_eq!(shown(&stage), (assets[..2].to_vec(), Place::Second));
    // The list opens in the active page.
    stage.perform(AssetsAction::Open(assets[2].clone()));
    until_read(&mut stage, &assets[2]);
    assert_eq!(shown(&stage), (vec![assets[0].clone(), assets[2].clone()], Place::Second));
}

#[test]
fn f6_goes_through_the_list_and_both_pages_and_the_one_with_the_keyboard_is_active() {
    let (mut stage, _) = two();
    stage.find(Role::Row, "c.txt").focus();
    stage.settle();
    let (mut seen, mut active) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        stage.key(Key::F6);
        stand(&mut stage);
        let at = focused(&stage).expect("something has the focus");
        let area = ["First page", "Second page"].into_iter().find(|name| page(&stage, name).rect().contains(at));
        seen.push(area);
        active.extend(area.map(|name| is_active(&stage, name)));
    }
    assert!(
        seen.contains(&Some("First page")) && seen.contains(&Some("Second page")) && seen.contains(&None),
        "{seen:?}"
    );
    assert_eq!(active, [true, true]);
    // The sidebar is entered at the panel that is shown, wherever the keyboard was in it.
    let is_entered = |stage: &Stage| stage.find(Role::Tab, "Assets").accesskit_node().is_focused();
    while !is_entered(&stage) {
        stage.key(Key::F6);
        stand(&mut stage);
        assert!(!stage.find(Role::Tab, "Applications").accesskit_node().is_focused());
    }
    stage.harness.key_press_modifiers(Modifiers::SHIFT, Key::F6);
    stage.settle();
    assert!(focused(&stage).is_some());
}

#[test]
fn what_is_typed_on_one_page_never_reaches_the_other() {
    let (mut stage, assets) = two();
    type_on(&mut stage, "First page", "one ");
    type_on(&mut stage, "Second page", "two ");
    let typed = |stage: &Stage, asset: &AssetId| {
        let draft = stage.state().drafts.typed.get(&DraftKey::Text(asset.clone())).cloned();
        draft.and_then(|draft| draft.typed.text("text").map(str::to_owned))
    };
    assert_eq!(typed(&stage, &assets[0]).as_deref(), Some("one text of a.txt"));
    assert_eq!(typed(&stage, &assets[1]).as_deref(), Some("two text of b.txt"));
    // The key saves what has the keyboard, and nothing else.
    stage.ctrl(Key::Enter);
    settle(&mut stage, &assets[1]);
    assert_eq!(text_at_service(&stage, &assets[1]), "two text of b.txt");
    assert_eq!(text_at_service(&stage, &assets[0]), "text of a.txt");
    assert_eq!(writes(&stage), 1);
}

#[test]
fn drafts_stay_when_the_second_page_closes_and_the_window_becomes_narrow_and_wide_again() {
    let (mut stage, assets) = two();
    type_on(&mut stage, "First page", "one ");
    type_on(&mut stage, "Second page", "two ");
    resize(&mut stage, NARROW);
    assert_eq!(editor_text(&stage), "two text of b.txt");
    stage.find(Role::Tab, "a.txt").click();
    stage.settle();
    stand(&mut stage);
    assert_eq!(editor_text(&stage), "one text of a.txt");
    resize(&mut stage, WIDE);
    page(&stage, "First page").get_by_role_and_label(Role::Button, "Close the asset").click();
    stage.until("one is open", |state| !state.assets.pages.are_two());
    stand(&mut stage);
    assert_eq!(
        editor_text(&stage),
        "two text of b.txt",
        "the page that stays keeps its editor, at the first place now"
    );
    stage.perform(AssetsAction::OpenBeside(assets[0].clone()));
    until_read(&mut stage, &assets[0]);
    assert_eq!(writes(&stage), 0);
    assert_eq!(stage.state().drafts.typed.len(), 2, "nothing that was typed is lost");
}

#[test]
fn an_unsaved_name_goes_with_its_asset_to_the_other_page() {
    let (mut stage, assets) = two();
    stage.key(Key::F2);
    stand(&mut stage);
    stage.find(Role::TextInput, "Name").type_text("mine");
    stage.settle();
    let typed = stage.value_of("Name");
    // It leaves its page, and comes back in the other one.
    open(&mut stage, &assets[2]);
    stage.perform(AssetsAction::Activate(Place::First));
    open(&mut stage, &assets[1]);
    until_read(&mut stage, &assets[1]);
    assert_eq!(stage.value_of("Name"), typed);
}

#[test]
fn a_tag_is_dragged_from_one_page_to_the_other() {
    let mut stage = Stage::embedded();
    stage.harness.set_size(WIDE);
    let assets = ["a.txt", "b.txt"].map(|name| stage.asset(name, name));
    let red = tag(&stage, "red");
    stage.call(AssetAssociateTag { asset: assets[0].clone(), tag: red }).expect("linked");
    stage.until("they are listed", |state| state.assets.list.count() == 2 && !state.assets.list.rows.loading());
    open(&mut stage, &assets[0]);
    stage.perform(AssetsAction::OpenBeside(assets[1].clone()));
    until_read(&mut stage, &assets[1]);
    let first = page(&stage, "First page").get_by_role_and_label(Role::Button, "red").rect().center();
    let onto = page(&stage, "Second page").rect().center();
    take(&mut stage, first);
    release(&mut stage, onto);
    stage.until("it is linked", |state| state.work.is_empty() && state.history.last().is_some());
    assert_eq!((tags(&stage, &assets[1]), writes(&stage)), (vec!["red".to_owned()], 1));
    // Onto the page that has it already, nothing is dropped.
    stand(&mut stage);
    let within = page(&stage, "First page").rect().center();
    let first = page(&stage, "First page").get_by_role_and_label(Role::Button, "red").rect().center();
    take(&mut stage, first);
    release(&mut stage, within);
    stage.ctrl(Key::Z);
    stage.until("it is undone", |state| state.history.entries.len() == 2 && state.work.is_empty());
    assert_eq!((tags(&stage, &assets[1]), writes(&stage)), (Vec::new(), 2));
}

#[test]
fn a_website_and_a_summary_are_dragged_from_one_page_to_the_other() {
    let mut stage = Stage::embedded();
    stage.harness.set_size(WIDE);
    let assets = ["a.txt", "b.txt"].map(|name| stage.asset(name, name));
    let website = record(json!({ "name": "Moon", "url": "https://moon.example/" }));
    let call = WebsitesCreateNewWebsite { transferables: None, website: Some(website) };
    let website = stage.call(call).expect("a website").view().id().parse().expect("an id");
    let workstream_summary = stage.summary("Landing");
    let asset = || assets[0].clone();
    stage.call(AssetAssociateWebsite { asset: asset(), website }).expect("linked");
    stage.call(AssetAssociateWorkstreamSummary { asset: asset(), workstream_summary }).expect("linked");
    stage.until("they are listed", |state| state.assets.list.count() == 2 && !state.assets.list.rows.loading());
    open(&mut stage, &assets[0]);
    stage.perform(AssetsAction::OpenBeside(assets[1].clone()));
    until_read(&mut stage, &assets[1]);
    for (count, (name, kind)) in [("Moon", LinkKind::Website), ("Landing", LinkKind::Summary)].into_iter().enumerate() {
        stand(&mut stage);
        let from = page(&stage, "First page").get_by_role_and_label(Role::Button, name).rect().center();
        let onto = page(&stage, "Second page").rect().center();
        take(&mut stage, from);
        release(&mut stage, onto);
        stage.until("it is linked", move |state| state.work.is_empty() && state.history.entries.len() == count + 1);
        let call = AssetSnapshot { asset: assets[1].clone(), transferables: Some(false) };
        let asset = stage.call(call).expect("an asset");
        let names: Vec<_> = linked(asset.view(), kind).into_iter().map(|item| item.name().to_owned()).collect();
        assert_eq!((names.as_slice(), writes(&stage)), ([name.to_owned()].as_slice(), count + 1));
    }
}

#[test]
fn a_row_that_is_dropped_on_another_asks_what_to_do_with_the_two() {
    let (mut stage, assets) = two();
    let (from, onto) = (row(&stage, "c.txt"), row(&stage, "b.txt"));
    take(&mut stage, from);
    release(&mut stage, onto);
    stage.until_label("Compare the two");
    stage.find(Role::MenuItem, "Open beside each other").click_accesskit();
    stage.settle();
    stage.until("both are open", |state| state.assets.pages.are_two() && state.work.is_empty());
    let open = shown(&stage).0;
    assert!(open.contains(&assets[1]) && open.contains(&assets[2]), "{open:?}");
    let (from, onto) = (row(&stage, "c.txt"), row(&stage, "a.txt"));
    take(&mut stage, from);
    release(&mut stage, onto);
    stage.until_label("Compare the two");
    stage.find(Role::MenuItem, "Compare the two").click_accesskit();
    stage.until("they are compared", |state| {
        state.navigation.panel == Panel::Compare && state.compare.tab().is_some_and(|tab| tab.shown.value().is_some())
    });
    assert_eq!(
        stage.state().compare.tab().map(lunette_inspector::compare::Tab::title).as_deref(),
        Some("a.txt ↔ c.txt")
    );
    assert_eq!(writes(&stage), 0);
}

#[test]
fn a_narrow_window_shows_two_pages_as_tabs() {
    let (mut stage, assets) = two();
    resize(&mut stage, NARROW);
    let tabs = stage.harness.get_by_role_and_label(Role::TabList, "Pages");
    assert_eq!(tabs.query_all_by_role(Role::Tab).count(), 2);
    stage.find(Role::Tab, "a.txt").click();
    stage.settle();
    assert_eq!(stage.state().assets.pages.open.as_ref(), Some(&assets[0]));
    resize(&mut stage, WIDE);
    assert!(is_active(&stage, "First page"), "both are beside each other again");
    assert!(!stage.draws(Role::TabList, "Pages"));
}

#[test]
fn back_shows_both_pages_again_and_another_panel_leaves_them_open() {
    let (mut stage, assets) = two();
    page(&stage, "Second page").get_by_role_and_label(Role::Button, "Close the asset").click();
    stage.until("one is open", |state| !state.assets.pages.are_two());
    stage.perform(NavigationAction::Back);
    stage.until("both are open", |state| state.assets.pages.are_two());
    assert_eq!(shown(&stage).0, assets[..2]);
    stage.ctrl(Key::Num4);
    stage.until("another panel is shown", |state| state.navigation.panel == Panel::Links);
    stage.ctrl(Key::Num3);
    stage.until("the assets are shown", |state| state.navigation.panel == Panel::Assets);
    assert_eq!(shown(&stage).0, assets[..2]);
}

#[test]
fn each_page_has_tabs_of_its_own() {
    let (mut stage, assets) = two();
    let look = Look { opened: OpenedAssets::Tabs, ..stage.state().preferences.settings.look.clone() };
    stage.perform(SettingsAction::Look(look));
    stage.perform(AssetsAction::Activate(Place::First));
    for asset in [&assets[0], &assets[2]] {
        open(&mut stage, asset);
    }
    stage.perform(AssetsAction::Activate(Place::Second));
    open(&mut stage, &assets[1]);
    stand(&mut stage);
    let count = |name: &str| {
        let page = page(&stage, name);
        let list = page.query_by_role_and_label(Role::TabList, "Opened assets");
        list.map_or(0, |list| list.query_all_by_role(Role::Tab).count())
    };
    assert_eq!((count("First page"), count("Second page")), (2, 1));
    // A tab of the page that is not active is opened there.
    page(&stage, "First page").get_by_role_and_label(Role::Tab, "a.txt").click();
    stage.until("it is open", |state| state.assets.pages.place == Place::First);
    assert_eq!(shown(&stage).0, assets[..2]);
}

#[test]
fn the_widths_of_two_pages_are_remembered_also_after_a_restart() {
    let (mut stage, assets) = two();
    let edges = |stage: &Stage| {
        let splitters = stage.harness.query_all_by_role_and_label(Role::Splitter, "Resize panel");
        let mut edges: Vec<f32> = splitters.map(|splitter| splitter.rect().center().x).collect();
        edges.sort_by(f32::total_cmp);
        edges
    };
    let before = edges(&stage);
    let [first, second] = before[..] else { panic!("two edges: {before:?}") };
    drag_edge(&mut stage, second, second + 80.0);
    let between = edges(&stage);
    assert!((between[1] - second - 80.0).abs() < 4.0 && (between[0] - first - 80.0).abs() < 4.0, "{between:?}");
    drag_edge(&mut stage, between[0], between[0] - 120.0);
    let moved = edges(&stage);
    assert!((moved[0] - between[0] + 120.0).abs() < 4.0 && (moved[1] - between[1]).abs() < 4.0, "{moved:?}");
    let mut stage = stage.reopened();
    stage.harness.set_size(WIDE);
    open(&mut stage, &assets[0]);
    stage.perform(AssetsAction::OpenBeside(assets[1].clone()));
    until_read(&mut stage, &assets[1]);
    let after = edges(&stage);
    assert!(after.iter().zip(&moved).all(|(one, other)| (one - other).abs() < 4.0), "{moved:?} {after:?}");
}

fn drag_edge(stage: &mut Stage, from: f32, to: f32) {
    let (from, to) = (egui::pos2(from, 500.0), egui::pos2(to, 500.0));
    let button = |pos, pressed| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    for event in [
        egui::Event::PointerMoved(from),
        button(from, true),
        egui::Event::PointerMoved(from.lerp(to, 0.5)),
        egui::Event::PointerMoved(to),
        button(to, false),
    ] {
        stage.harness.event(event);
        stage.harness.step();
    }
    stage.settle();
}

#[test]
fn changes_elsewhere_reach_both_pages() {
    let (mut stage, assets) = two();
    for asset in &assets[..2] {
        crate::dialogs::record::rename(&stage, asset, "renamed");
    }
    stage.until("both are read again", |state| {
        let mut names = state
            .assets
            .pages
            .shown()
            .map(|(_, page)| page.record.value().map(|asset| asset.view().name() == Some("renamed")));
        names.all(|renamed| renamed == Some(true))
    });
}

#[test]
fn why_an_asset_is_not_opened_beside_is_said_until_another_is_opened() {
    let mut stage = Stage::embedded();
    stage.harness.set_size(WIDE);
    let assets = ["a.txt", "b.txt"].map(|name| stage.asset(name, name));
    stage.until("they are listed", |state| state.assets.list.count() == 2 && !state.assets.list.rows.loading());
    open(&mut stage, &assets[0]);
    stage.perform(AssetsAction::OpenBeside(assets[0].clone()));
    stage.until_said("This is the only open asset");
    stage.perform(AssetsAction::OpenBeside(assets[1].clone()));
    until_read(&mut stage, &assets[1]);
    assert!(stage.state().assets.pages.are_two() && !stage.says("This is the only open asset"));
}

#[test]
fn an_asset_among_the_recent_ones_is_dragged_onto_the_row_of_another() {
    let (mut stage, _) = two();
    stage.until_drawn("it is a recent one", |harness| harness.query_by_role_and_label(Role::Link, "a.txt").is_some());
    stand(&mut stage);
    let from = stage.find(Role::Link, "a.txt").rect().center();
    let onto = row(&stage, "c.txt");
    take(&mut stage, from);
    release(&mut stage, onto);
    stage.until_label("Compare the two");
}
