//! The header of a table: the order it shows, and the scroll position after sorting.

use egui::{Modifiers, Ui, accesskit::Role, accesskit::SortDirection};
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable as _},
};
use lunette::ui::widgets::table::{Column, Sort, Table, TableState};

use super::window;

const COLUMNS: [Column; 3] = [
    Column::text("name", "Name", 200.0).growing(),
    Column::text("kind", "Kind", 120.0),
    Column::figures("size", "Size", 90.0),
];

/// A thousand numbers, and their order.
struct Sorted {
    table: TableState,
    descending: bool,
}

fn draw(ui: &mut Ui, sorted: &mut Sorted) {
    let Sorted { table, descending } = sorted;
    let number = |row: usize| u32::try_from(if *descending { 999 - row } else { row }).expect("small");
    let key = |row: usize| number(row).to_string();
    let response =
        Table::new("Numbers", &COLUMNS, 1_000, &key)
            .number(&number)
            .secondary_sort()
            .show(ui, table, |ui, row, _| drop(ui.label(key(row))));
    if let Some(sort) = response.sorted {
        *descending = sort.descending;
    }
}

fn table() -> Harness<'static, Sorted> {
    let mut harness = window(draw, Sorted { table: TableState::default(), descending: false });
    harness.run();
    harness
}

fn header(harness: &mut Harness<'_, Sorted>, title: &str, modifiers: Modifiers) {
    harness.get_by_role_and_label(Role::ColumnHeader, title).click_modifiers(modifiers);
    harness.run();
}

fn direction(harness: &Harness<'_, Sorted>, title: &str) -> Option<SortDirection> {
    harness.get_by_role_and_label(Role::ColumnHeader, title).accesskit_node().data().sort_direction()
}

#[test]
fn a_second_sort_key_is_added_with_shift_and_removed_with_the_first() {
    let mut harness = table();
    header(&mut harness, "Kind", Modifiers::NONE);
    header(&mut harness, "Size", Modifiers::SHIFT);
    let sorts = |harness: &Harness<'_, Sorted>| {
        (harness.state().table.sort.clone(), harness.state().table.secondary_sort.clone())
    };
    assert_eq!(sorts(&harness), (Some(Sort::ascending("kind")), Some(Sort::descending("size"))));
    let second = harness.get_by_role_and_label(Role::ColumnHeader, "Size").accesskit_node().description();
    assert_eq!(second.as_deref(), Some("Second sort key"));
    header(&mut harness, "Size", Modifiers::SHIFT);
    assert_eq!(sorts(&harness).1, Some(Sort::ascending("size")));
    header(&mut harness, "Kind", Modifiers::NONE);
    assert_eq!(sorts(&harness), (Some(Sort::descending("kind")), Some(Sort::ascending("size"))));
    header(&mut harness, "Name", Modifiers::NONE);
    assert_eq!(sorts(&harness), (Some(Sort::ascending("name")), None));
}

#[test]
fn the_column_menu_adds_a_second_sort_key() {
    let mut harness = table();
    header(&mut harness, "Kind", Modifiers::NONE);
    harness.get_by_role_and_label(Role::ColumnHeader, "Size").click_secondary();
    harness.run();
    harness.get_by_role_and_label(Role::MenuItem, "Add as second key").click();
    harness.run();
    assert_eq!(harness.state().table.secondary_sort, Some(Sort::descending("size")));
}

#[test]
fn the_initial_sort_order_is_shown_and_reversed_by_the_first_click() {
    let mut harness = table();
    harness.state_mut().table.default_sort = Some(Sort::descending("size"));
    harness.run();
    assert_eq!(direction(&harness, "Size"), Some(SortDirection::Descending));
    header(&mut harness, "Size", Modifiers::NONE);
    assert_eq!(harness.state().table.sort, Some(Sort::ascending("size")));
    header(&mut harness, "Name", Modifiers::NONE);
    assert_eq!((direction(&harness, "Size"), direction(&harness, "Name")), (None, Some(SortDirection::Ascending)));
}

#[test]
fn sorting_scrolls_to_the_top() {
    let mut harness = table();
    harness.state_mut().table.scroll.top = 600.0;
    harness.run();
    header(&mut harness, "Name", Modifiers::NONE);
    assert_eq!(harness.state().table.scroll.top, 0.0);
}

#[test]
fn sorting_keeps_the_selected_row_in_view() {
    let mut harness = table();
    harness.get_by_role_and_label(Role::Row, "3").click();
    harness.run();
    header(&mut harness, "Size", Modifiers::NONE);
    assert!(harness.state().descending);
    let row = harness.get_by_role_and_label(Role::Row, "3");
    assert!(row.accesskit_node().is_selected() == Some(true) && row.rect().bottom() <= 600.0);
    assert_eq!(harness.state().table.focus, Some(996));
}

#[test]
fn the_column_menu_is_as_narrow_as_its_checkboxes() {
    let mut harness = window(
        |ui, table: &mut TableState| lunette::ui::widgets::table::columns_button(ui, &COLUMNS, table),
        TableState::default(),
    );
    harness.get_by_role_and_label(Role::Button, "Columns").click();
    harness.run();
    for name in ["Kind", "Size"] {
        harness.get_by_role_and_label(Role::CheckBox, name).click();
        harness.run();
    }
    assert_eq!(harness.state().visible.len(), 2, "the menu stays open");
    let reset = harness.get_by_role_and_label(Role::Button, "Reset columns").rect();
    assert!(reset.width() < 180.0, "{reset:?}");
}
