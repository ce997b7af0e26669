//! The keyboard of lists: type-ahead, delayed opening, Escape, and rows that stay in place when others come and go.

use super::window;
use egui::{Event, Key, Modifiers, Ui, accesskit::Role};
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable as _},
};
use lunette::ui::widgets::table::{Column, Table, TableResponse, TableState};

const COLUMNS: [Column; 1] = [Column::text("name", "Name", 200.0).growing()];

/// A table of names and what happened in it.
#[derive(Default)]
struct Names {
    names: Vec<String>,
    table: TableState,
    done: Vec<TableResponse>,
}

fn draw(ui: &mut Ui, Names { names, table, done }: &mut Names) {
    let key = |row: usize| names[row].clone();
    let number = |row: usize| names[row].bytes().fold(0, |sum: u32, byte| (sum * 31 + u32::from(byte)) % 999_983);
    let cell = |ui: &mut Ui, row: usize, _| drop(ui.label(&names[row]));
    done.push(Table::new("Names", &COLUMNS, names.len(), &key).number(&number).show(ui, table, cell));
}

fn shown(names: impl IntoIterator<Item = impl Into<String>>) -> Harness<'static, Names> {
    let names = names.into_iter().map(Into::into).collect();
    let mut harness = window(draw, Names { names, ..Names::default() });
    harness.run();
    harness.get_by_role_and_label(Role::Table, "Names").focus();
    harness.run();
    harness
}

/// Types a text and draws until the search is complete.
fn typed(harness: &mut Harness<'_, Names>, text: &str) -> Option<String> {
    for letter in text.chars() {
        harness.event(Event::Text(letter.to_string()));
        harness.run_steps(2);
    }
    harness.run();
    standing_on(harness)
}

fn standing_on(harness: &Harness<'_, Names>) -> Option<String> {
    let Names { names, table, .. } = harness.state();
    Some(names[table.focus?].clone())
}

/// Returns the rows opened since the last call.
fn looked_at(harness: &mut Harness<'_, Names>) -> Vec<usize> {
    std::mem::take(&mut harness.state_mut().done).iter().filter_map(|done| done.focused).collect()
}

#[test]
fn typing_letters_jumps_to_the_row_whose_name_starts_with_them() {
    let mut harness = shown(["alpha", "beta", "Gamma", "élan", "great"]);
    assert_eq!(typed(&mut harness, "g").as_deref(), Some("Gamma"));
    harness.run_steps(60);
    assert_eq!(typed(&mut harness, "gr").as_deref(), Some("great"));
    harness.run_steps(60);
    assert_eq!(typed(&mut harness, "el").as_deref(), Some("élan"));
    harness.run_steps(60);
    assert_eq!(typed(&mut harness, "x").as_deref(), Some("élan"), "what is not there moves nothing");
}

#[test]
fn typing_the_same_letter_again_goes_to_the_next_row() {
    let mut harness = shown(["apple", "avocado", "banana", "apricot"]);
    let rows: Vec<_> = (0..4).map(|_| typed(&mut harness, "a").unwrap_or_default()).collect();
    assert_eq!(rows, ["apple", "avocado", "apricot", "apple"]);
}

#[test]
fn space_selects_unless_a_name_is_being_typed() {
    let mut harness = shown(["to be", "to do", "top"]);
    typed(&mut harness, "to");
    harness.key_press(Key::Space);
    assert_eq!(typed(&mut harness, "d").as_deref(), Some("to do"));
    assert_eq!(harness.state().table.selection.count(), 1);
    harness.run_steps(60);
    harness.key_press(Key::Space);
    harness.run();
    assert_eq!(harness.state().table.selection.count(), 1, "the row that was moved to stays selected");
}

#[test]
fn letter_shortcuts_do_not_jump_to_rows() {
    let mut harness = shown(["/etc", "?", "a"]);
    assert_eq!(typed(&mut harness, "/"), None);
    assert_eq!(typed(&mut harness, "?"), None);
}

#[test]
fn rows_passed_quickly_are_not_opened() {
    let mut harness = shown((0..200).map(|row| format!("row {row}")));
    harness.state_mut().done.clear();
    for _ in 0..30 {
        harness.key_press(Key::ArrowDown);
        harness.step();
    }
    assert_eq!(looked_at(&mut harness), [] as [usize; 0]);
    harness.run_steps(10);
    assert_eq!(looked_at(&mut harness), [29]);
    harness.key_press(Key::ArrowDown);
    harness.key_press(Key::Enter);
    harness.run_steps(12);
    let done = std::mem::take(&mut harness.state_mut().done);
    let opened: Vec<usize> = done.iter().filter_map(|done| done.opened).collect();
    let focused: Vec<usize> = done.iter().filter_map(|done| done.focused).collect();
    assert_eq!((opened, focused), (vec![30], vec![]), "Enter does not wait, and opens once");
}

#[test]
fn escape_clears_typed_letters_then_the_selection_then_the_filter() {
    let mut harness = shown(["a", "b", "c"]);
    harness.key_press(Key::Home);
    harness.run();
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    harness.run();
    typed(&mut harness, "/");
    let escaped = |harness: &mut Harness<'_, Names>| {
        harness.key_press(Key::Escape);
        harness.run();
        harness.state().done.iter().any(|done| done.escaped)
    };
    assert!(!escaped(&mut harness));
    assert_eq!(harness.state().table.selection.count(), 1);
    assert!(escaped(&mut harness));
    let row = harness.get_by_role_and_label(Role::Row, "b");
    assert!(row.accesskit_node().is_focused(), "the keyboard stays on its row");
}

/// Returns the row at the upper edge.
fn at_the_top(harness: &Harness<'_, Names>) -> String {
    let Names { names, table, .. } = harness.state();
    names[table.scroll.top.floor() as usize].clone()
}

#[test]
fn rows_inserted_above_keep_the_visible_rows_in_place() {
    let mut harness = shown((0..1_000).map(|row| format!("row {row}")));
    harness.state_mut().table.scroll.top = 500.5;
    harness.run();
    let before = harness.get_by_role_and_label(Role::Row, "row 505").rect();
    for number in 0..3 {
        harness.state_mut().names.insert(0, format!("new {number}"));
        harness.run();
    }
    harness.state_mut().names.splice(10..10, (0..5_000).map(|row| format!("many {row}")));
    harness.run();
    harness.state_mut().names.remove(2);
    harness.run();
    assert_eq!(harness.get_by_role_and_label(Role::Row, "row 505").rect(), before);
    assert_eq!(at_the_top(&harness), "row 500");
}

#[test]
fn a_list_scrolled_to_the_top_shows_new_rows() {
    let mut harness = shown((0..100).map(|row| format!("row {row}")));
    harness.state_mut().names.insert(0, "new".to_owned());
    harness.run();
    assert_eq!(at_the_top(&harness), "new");
}

#[test]
fn reordered_rows_keep_the_scroll_position() {
    let mut harness = shown((0..1_000).map(|row| format!("row {row:04}")));
    harness.state_mut().table.scroll.top = 500.0;
    harness.run();
    harness.state_mut().names.reverse();
    harness.run();
    assert_eq!(harness.state().table.scroll.top, 500.0);
}
