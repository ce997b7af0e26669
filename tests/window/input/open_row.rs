//! The marks of rows in lists: which one is open, which are selected, which has the focus; and the first arrow key after
//! the focus comes back to a list.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_inspector::action::{InventoryAction, NavigationAction};
use lunette_inspector::inventory::Shown;
use lunette_inspector::panel::Panel;

use crate::input::selection::{click, four, marked};
use crate::panels::links::with_tags;
use crate::stage::Stage;

/// Returns the names of the rows that are marked as open.
fn open(stage: &Stage) -> Vec<String> {
    let rows = stage.harness.query_all_by_role(Role::Row).map(|row| row.accesskit_node());
    rows.filter(|row| row.description().as_deref() == Some("Open")).filter_map(|row| row.label()).collect()
}

/// Returns the name of the row that has the keyboard.
fn current(stage: &Stage) -> Option<String> {
    let rows = stage.harness.query_all_by_role(Role::Row).map(|row| row.accesskit_node());
    rows.filter(|row| row.is_focused()).filter_map(|row| row.label()).next()
}

/// A list with the name of its filter, and a stage that shows it with its first row at the top.
struct Case {
    name: &'static str,
    filter: &'static str,
    stage: Stage,
}

/// Every list that has a page beside it.
fn lists() -> Vec<Case> {
    let mut cases = Vec::new();
    cases.push(Case { name: "assets", filter: "Filter assets", stage: four().0 });
    cases.push(Case { name: "links", filter: "Filter links", stage: with_tags() });
    for (name, panel, filter) in [
        ("tracked", Panel::Applications, "Filter applications"),
        ("external", Panel::External, "Filter external applications"),
        ("log", Panel::Log, "Filter calls"),
    ] {
        let mut stage = Stage::embedded();
        stage.perform(NavigationAction::Show(panel));
        cases.push(Case { name, filter, stage });
    }
    let mut stage = Stage::embedded();
    stage.perform(NavigationAction::Show(Panel::Applications));
    stage.perform(InventoryAction::Show(Shown::All));
    stage.until("the lists are joined", |state| state.inventory.list.count() > 1);
    cases.push(Case { name: "inventory", filter: "Filter applications", stage });
    let mut stage = Stage::embedded();
    stage.perform(lunette_inspector::action::ImportAction::Create {
        name: "made.txt".to_owned(),
        text: "text".to_owned(),
    });
    stage.until("it is made", |state| state.import.creation.value().is_some());
    stage.perform(NavigationAction::Show(Panel::History));
    cases.push(Case { name: "history", filter: "Filter steps", stage });
    for Case { name, stage, .. } in &mut cases {
        stage.until_drawn(name, |harness| {
            !harness.state().is_busy() && harness.query_all_by_role(Role::Row).next().is_some()
        });
        stage.settle();
    }
    cases
}

/// Returns the names of the rows from the top.
fn names(stage: &Stage) -> Vec<String> {
    let mut rows: Vec<_> = stage.harness.query_all_by_role(Role::Row).map(|row| row.accesskit_node()).collect();
    rows.sort_by_key(|row| row.data().row_index());
    rows.into_iter().filter_map(|row| row.label()).collect()
}

#[test]
fn the_row_opened_with_enter_is_marked_in_every_list() {
    for Case { name, filter, mut stage } in lists() {
        assert_eq!(open(&stage), [""; 0], "{name}");
        stage.find(Role::TextInput, filter).focus();
        stage.settle();
        stage.key(Key::Enter);
        stage.harness.run_steps(2);
        let row = current(&stage).unwrap_or_else(|| panic!("{name}: a row has the keyboard"));
        assert_eq!((open(&stage), marked(&stage)), (Vec::new(), Vec::new()), "{name}: focused is neither of both");
        stage.key(Key::Enter);
        stage.until_drawn(name, |harness| !harness.state().is_busy());
        stage.settle();
        assert_eq!((open(&stage), marked(&stage)), (vec![row.clone()], vec![row]), "{name}");
    }
}

#[test]
fn the_open_row_is_marked_among_several_selected_ones_and_beside_them() {
    let (mut stage, _) = four();
    click(&mut stage, "a.txt", Modifiers::NONE);
    click(&mut stage, "c.txt", Modifiers::SHIFT);
    assert_eq!((open(&stage), marked(&stage).len()), (vec!["a.txt".to_owned()], 3));
    for _ in 0..2 {
        stage.harness.key_press_modifiers(Modifiers::COMMAND, Key::ArrowUp);
        stage.settle();
    }
    stage.harness.key_press_modifiers(Modifiers::COMMAND, Key::ArrowDown);
    stage.settle();
    stage.key(Key::Enter);
    stage.until("it is open", |state| state.page().is_some());
    stage.settle();
    assert_eq!((open(&stage), marked(&stage).len()), (vec!["b.md".to_owned()], 3), "the selection stays");
    click(&mut stage, "b.md", Modifiers::COMMAND);
    assert_eq!((open(&stage), marked(&stage)), (vec!["b.md".to_owned()], vec!["a.txt".to_owned(), "c.txt".to_owned()]));
}

#[test]
fn the_card_of_the_open_application_is_marked() {
    let mut stage = Stage::embedded();
    stage.perform(NavigationAction::Show(Panel::Applications));
    stage.perform(InventoryAction::Show(Shown::Board));
    stage.until("the lists are joined", |state| {
        let lists = &state.applications;
        let read = lists.list.rows.value().is_some() && lists.external.rows.value().is_some();
        read && !lists.list.rows.loading() && !lists.external.rows.loading() && state.inventory.list.count() > 1
    });
    stage.settle();
    let open = |stage: &Stage| {
        let cards = stage.harness.query_all_by_role(Role::ListBoxOption).map(|card| card.accesskit_node());
        cards.filter(|card| card.description().as_deref() == Some("Open")).count()
    };
    assert_eq!(open(&stage), 0);
    stage.key(Key::Enter);
    stage.until("a page is open", |state| state.inventory.open.is_some());
    stage.settle();
    assert_eq!(open(&stage), 1);
}

#[test]
fn the_first_arrow_key_after_escape_moves_from_the_row_with_the_ring_in_every_list() {
    for Case { name, filter, mut stage } in lists() {
        stage.find(Role::TextInput, filter).focus();
        stage.settle();
        stage.key(Key::Escape);
        stage.harness.run_steps(3);
        let ringed = current(&stage).unwrap_or_else(|| panic!("{name}: the ring is around a row"));
        let names = names(&stage);
        let at = names.iter().position(|row| *row == ringed).expect("its row");
        stage.key(Key::ArrowDown);
        stage.harness.run_steps(3);
        let below = names[(at + 1).min(names.len() - 1)].clone();
        assert_eq!((marked(&stage), current(&stage)), (vec![below.clone()], Some(below)), "{name}: from {ringed}");
    }
}

#[test]
fn the_down_arrow_in_a_filter_selects_the_first_row_and_later_the_next_one() {
    for Case { name, filter, mut stage } in lists() {
        let top = names(&stage)[0].clone();
        stage.find(Role::TextInput, filter).focus();
        stage.settle();
        stage.key(Key::ArrowDown);
        stage.harness.run_steps(3);
        assert_eq!(marked(&stage), vec![top.clone()], "{name}");
        if stage.harness.query_all_by_role(Role::Row).count() < 2 {
            continue;
        }
        stage.find(Role::TextInput, filter).focus();
        stage.settle();
        stage.key(Key::ArrowDown);
        stage.harness.run_steps(3);
        assert_eq!((marked(&stage).len(), marked(&stage)[0] != top), (1, true), "{name}: the key is not lost");
    }
}

#[test]
fn after_escape_from_a_list_to_its_filter_the_down_arrow_moves_to_the_next_row() {
    let (mut stage, _) = four();
    stage.type_into("Filter assets", "name:.md ");
    stage.until("it is filtered", |state| state.assets.list.order.len() == 2);
    stage.key(Key::Enter);
    stage.key(Key::Space);
    assert_eq!(marked(&stage), ["b.md"]);
    stage.key(Key::Escape);
    assert!(stage.find(Role::TextInput, "Filter assets").accesskit_node().is_focused());
    stage.key(Key::ArrowDown);
    stage.harness.run_steps(3);
    assert_eq!((marked(&stage), current(&stage)), (vec!["d.md".to_owned()], Some("d.md".to_owned())));
}

#[test]
fn after_escape_from_a_page_a_menu_or_the_palette_the_first_arrow_key_moves() {
    type Leave = fn(&mut Stage);
    let ways: [(&str, Leave); 3] = [
        ("page", |stage| stage.key(Key::Enter)),
        ("menu", |stage| {
            stage.harness.key_press_modifiers(Modifiers::SHIFT, Key::F10);
            stage.settle();
        }),
        ("palette", |stage| stage.ctrl(Key::K)),
    ];
    for (way, leave) in ways {
        let (mut stage, _) = four();
        click(&mut stage, "b.md", Modifiers::NONE);
        stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
        stage.settle();
        leave(&mut stage);
        stage.harness.run_steps(3);
        stage.key(Key::Escape);
        stage.harness.run_steps(3);
        stage.key(Key::ArrowDown);
        stage.harness.run_steps(3);
        assert_eq!(marked(&stage), ["c.txt"], "{way}");
    }
}

#[test]
fn a_new_filter_puts_the_focus_on_its_first_row_unless_the_focused_one_is_still_there() {
    let (mut stage, _) = four();
    click(&mut stage, "c.txt", Modifiers::NONE);
    stage.type_into("Filter assets", "name:.md ");
    stage.until("it is filtered", |state| state.assets.list.order.len() == 2);
    stage.key(Key::Enter);
    stage.harness.run_steps(3);
    assert_eq!(current(&stage).as_deref(), Some("b.md"));
    stage.press("Clear Filter assets");
    stage.until("all are shown", |state| state.assets.list.order.len() == 4);
    click(&mut stage, "d.md", Modifiers::NONE);
    stage.type_into("Filter assets", "name:.md ");
    stage.until("it is filtered", |state| state.assets.list.order.len() == 2);
    stage.key(Key::Enter);
    stage.harness.run_steps(3);
    assert_eq!(current(&stage).as_deref(), Some("d.md"));
}
