//! The table: exact at ten million rows, by mouse and by keyboard.

use super::{scaled, window};
use egui::{Key, Modifiers, Ui, accesskit::Role};
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable as _},
};
use lunette::ui::theme::Tokens;
use lunette::ui::widgets::table::{Column, Selection, Sort, Table, TableResponse, TableState, columns_menu};

const COLUMNS: [Column; 3] = [
    Column::text("name", "Name", 200.0).growing(),
    Column::text("tags", "Tags", 120.0).unsorted(),
    Column::figures("size", "Size", 90.0),
];

/// A table of `rows` rows and everything that happened in it.
struct Shown {
    rows: usize,
    table: TableState,
    last: TableResponse,
    sorted: Vec<Sort>,
    focused: Vec<usize>,
    opened: Vec<usize>,
    pressed: Vec<usize>,
}

fn shown(rows: usize) -> Shown {
    let last = TableResponse::default();
    Shown { rows, table: TableState::default(), last, sorted: vec![], focused: vec![], opened: vec![], pressed: vec![] }
}

fn draw(ui: &mut Ui, shown: &mut Shown) {
    let Shown { rows, table, last, sorted, focused, opened, pressed } = shown;
    let key = |row: usize| format!("asset {row}");
    *last = Table::new("Assets", &COLUMNS, *rows, &key).show(ui, table, |ui, row, column| match column {
        0 => drop(ui.label(format!("row {row}"))),
        1 => {
            if ui.button("open").accessible_name(format!("Open {row}")).clicked() {
                pressed.push(row);
            }
        }
        _ => drop(ui.label(format!("{row} B"))),
    });
    sorted.extend(last.sorted.clone());
    focused.extend(last.focused);
    opened.extend(last.opened);
}

fn table(rows: usize) -> Harness<'static, Shown> {
    let mut harness = window(draw, shown(rows));
    harness.run();
    harness
}

/// Draws until the focused row is opened.
fn rest(harness: &mut Harness<'_, Shown>) {
    harness.run_steps(10);
}

/// Clicks a row near its left end, where its name is.
fn click(harness: &mut Harness<'_, Shown>, row: &str, modifiers: Modifiers) {
    harness.get_by_role_and_label(Role::Row, row).click_modifiers(modifiers);
    harness.run();
}

#[test]
fn between_two_rows_one_is_drawn_as_hovered() {
    let mut harness = table(100);
    let hovered_row = Tokens::of_context(&harness.ctx).hovered_row;
    let row = harness.get_by_role_and_label(Role::Row, "asset 3").rect();
    for y in [row.top(), row.center().y, row.bottom()] {
        harness.hover_at(egui::pos2(row.center().x, y));
        harness.run();
        let is_hovered = |shape: &egui::Shape| matches!(shape, egui::Shape::Rect(rect) if rect.fill == hovered_row);
        let hovered = harness.output().shapes.iter().filter(|clipped| is_hovered(&clipped.shape)).count();
        let checkboxes = harness.query_all_by_role(Role::CheckBox).count();
        assert_eq!((hovered, checkboxes), (1, 1), "{y}");
    }
}

#[test]
fn a_table_has_rows_and_cells_with_names() {
    let harness = table(1_000_000);
    let table = harness.get_by_role_and_label(Role::Table, "Assets");
    assert_eq!(table.accesskit_node().data().row_count(), Some(1_000_000));
    let row = table.get_by_role_and_label(Role::Row, "asset 3");
    let cells: Vec<_> = row.children().filter_map(|cell| cell.accesskit_node().label()).collect();
    assert_eq!(cells, ["Name", "Tags", "Size"]);
    row.get_by_role_and_label(Role::Label, "3 B");
    harness.get_by_role_and_label(Role::ColumnHeader, "Size");
}

#[test]
fn only_visible_rows_are_drawn() {
    let harness = table(10_000_000);
    let visible = harness.state().last.visible.clone();
    assert!(visible.start == 0 && visible.end < 25, "{visible:?}");
    assert_eq!(harness.query_all_by_role(Role::Row).count(), visible.len());
}

#[test]
fn end_shows_the_last_of_ten_million_rows_whole() {
    for (rows, pixels) in [(1_000_000, 1.0), (10_000_000, 1.0), (10_000_000, 1.5)] {
        let mut harness = scaled(pixels, draw, shown(rows));
        harness.run();
        click(&mut harness, "asset 1", Modifiers::NONE);
        harness.key_press(Key::End);
        harness.run();
        let last = format!("asset {}", rows - 1);
        let row = harness.get_by_role_and_label(Role::Row, &last).rect();
        assert!((row.height() - 30.0).abs() < 0.1 && row.bottom() <= 600.0, "{row:?}");
        assert_eq!(harness.state().table.focus, Some(rows - 1));
        assert_eq!(harness.state().table.selection, Selection::one(rows as u32 - 1));
    }
}

#[test]
fn rows_are_exactly_one_height_apart_deep_in_ten_million() {
    let mut state = shown(10_000_000);
    state.table.scroll.top = 7_654_321.25;
    let mut harness = scaled(1.5, draw, state);
    harness.run();
    let tops: Vec<f32> = (7_654_322..7_654_336)
        .map(|row| harness.get_by_role_and_label(Role::Row, &format!("asset {row}")).rect().top())
        .collect();
    for pair in tops.windows(2) {
        assert!((pair[1] - pair[0] - 30.0).abs() < 0.01, "{tops:?}");
    }
}

#[test]
fn scrolling_by_one_point_moves_one_point_at_ten_million_rows() {
    let mut state = shown(10_000_000);
    state.table.scroll.top = 9_000_000.0;
    let mut harness = window(draw, state);
    harness.run();
    harness.hover_at(egui::pos2(300.0, 300.0));
    harness.run();
    let before = harness.state().table.scroll.top;
    for _ in 0..40 {
        harness.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: egui::vec2(0.0, -1.0),
            phase: egui::TouchPhase::Move,
            modifiers: Modifiers::NONE,
            source: egui::MouseWheelSource::Trackpad,
        });
        harness.run_ok();
    }
    harness.run_ok();
    let moved = (harness.state().table.scroll.top - before) * 30.0;
    assert!((moved - 40.0).abs() < 0.01, "{moved}");
}

#[test]
fn clicking_a_column_title_sorts_and_reverses() {
    let mut harness = table(10);
    for title in ["Size", "Size", "Name", "Tags"] {
        harness.get_by_role_and_label(Role::ColumnHeader, title).click();
        harness.run();
    }
    let wanted = [Sort::descending("size"), Sort::ascending("size"), Sort::ascending("name")];
    assert_eq!(harness.state().sorted, wanted);
    let header = harness.get_by_role_and_label(Role::ColumnHeader, "Name");
    let direction = header.accesskit_node().data().sort_direction();
    assert_eq!(direction, Some(egui::accesskit::SortDirection::Ascending));
}

#[test]
fn arrows_page_and_end_keys_move_and_select() {
    let mut harness = table(100);
    click(&mut harness, "asset 2", Modifiers::NONE);
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowUp, Key::PageDown, Key::PageUp, Key::Home] {
        harness.key_press(key);
        rest(&mut harness);
    }
    let focused = &harness.state().focused;
    assert_eq!(focused[..4], [2, 3, 4, 3]);
    assert!(focused[4] > 15 && focused[5] == 3, "{focused:?}");
    assert_eq!(focused[6], 0);
    let row = harness.get_by_role_and_label(Role::Row, "asset 0");
    assert_eq!(row.accesskit_node().is_selected(), Some(true));
}

#[test]
fn enter_and_a_double_click_open_a_row() {
    let mut harness = table(100);
    click(&mut harness, "asset 2", Modifiers::NONE);
    harness.key_press(Key::Enter);
    // Long enough for the first click not to count with the next two.
    harness.run_steps(20);
    let row = harness.get_by_role_and_label(Role::Row, "asset 5");
    row.click();
    row.click();
    harness.run();
    assert_eq!(harness.state().opened, [2, 5]);
}

/// Returns the numbers of the selected rows.
fn marked(harness: &Harness<'_, Shown>) -> Vec<u32> {
    harness.state().table.selection.iter().collect()
}

#[test]
fn rows_are_selected_singly_in_ranges_and_all_at_once() {
    let mut harness = table(100);
    click(&mut harness, "asset 2", Modifiers::NONE);
    click(&mut harness, "asset 4", Modifiers::COMMAND);
    assert_eq!(marked(&harness), [2, 4]);
    click(&mut harness, "asset 7", Modifiers::SHIFT);
    assert_eq!(marked(&harness), [4, 5, 6, 7]);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowUp);
    harness.run();
    assert_eq!(marked(&harness), [4, 5, 6]);
    harness.key_press(Key::Space);
    harness.run();
    assert_eq!(marked(&harness), [4, 5]);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run();
    assert_eq!(harness.state().table.selection.count(), 100);
    let row = harness.get_by_role_and_label(Role::Row, "asset 9");
    assert_eq!(row.accesskit_node().is_selected(), Some(true));
}

#[test]
fn extending_the_selection_opens_no_row() {
    let mut harness = table(100);
    click(&mut harness, "asset 2", Modifiers::NONE);
    click(&mut harness, "asset 4", Modifiers::COMMAND);
    click(&mut harness, "asset 7", Modifiers::SHIFT);
    click(&mut harness, "asset 9", Modifiers::COMMAND | Modifiers::SHIFT);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::ArrowDown);
    harness.key_press(Key::Space);
    harness.run();
    assert_eq!(harness.state().focused, [2]);
}

#[test]
fn ctrl_adds_a_range_to_the_selection() {
    let mut harness = table(100);
    click(&mut harness, "asset 1", Modifiers::NONE);
    click(&mut harness, "asset 5", Modifiers::COMMAND);
    click(&mut harness, "asset 7", Modifiers::COMMAND | Modifiers::SHIFT);
    assert_eq!(marked(&harness), [1, 5, 6, 7]);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::ArrowDown);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::ArrowDown);
    harness.key_press(Key::Space);
    harness.run();
    assert_eq!(marked(&harness), [1, 5, 6, 7, 9]);
}

#[test]
fn escape_keeps_the_current_row_and_the_focus() {
    let mut harness = table(100);
    click(&mut harness, "asset 2", Modifiers::NONE);
    click(&mut harness, "asset 6", Modifiers::SHIFT);
    harness.key_press(Key::Escape);
    harness.run();
    assert_eq!((marked(&harness), harness.state().table.focus), (vec![6], Some(6)));
    harness.key_press(Key::ArrowDown);
    harness.run();
    assert_eq!(marked(&harness), [7]);
}

#[test]
fn rows_added_after_select_all_are_not_selected() {
    let mut harness = table(10);
    click(&mut harness, "asset 2", Modifiers::NONE);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run();
    harness.state_mut().rows = 12;
    harness.run();
    let states = ["asset 9", "asset 10"].map(|row| {
        let row = harness.get_by_role_and_label(Role::Row, row);
        row.accesskit_node().is_selected()
    });
    assert_eq!(states, [Some(true), Some(false)]);
}

#[test]
fn selection_and_current_row_follow_their_rows_when_the_order_changes() {
    let draw = |ui: &mut Ui, (numbers, state): &mut (Vec<u32>, TableState)| {
        let key = |row: usize| format!("asset {}", numbers[row]);
        let number = |row: usize| numbers[row];
        let cell = |ui: &mut Ui, row: usize, _| drop(ui.label(numbers[row].to_string()));
        Table::new("Assets", &COLUMNS, numbers.len(), &key).number(&number).show(ui, state, cell);
    };
    let mut harness = window(draw, ((0..8).collect(), TableState::default()));
    for (row, modifiers) in [("asset 1", Modifiers::NONE), ("asset 3", Modifiers::COMMAND)] {
        harness.get_by_role_and_label(Role::Row, row).click_modifiers(modifiers);
        harness.run();
    }
    harness.state_mut().0.reverse();
    harness.run();
    let (_, state) = harness.state();
    assert_eq!((state.selection.iter().collect::<Vec<_>>(), state.focus), (vec![1, 3], Some(4)));
    // A filter hides one of the two; a range beside it leaves it selected.
    harness.state_mut().0.retain(|number| *number != 1);
    harness.run();
    harness.get_by_role_and_label(Role::Row, "asset 5").click_modifiers(Modifiers::COMMAND | Modifiers::SHIFT);
    harness.run();
    assert_eq!(harness.state().1.selection.iter().collect::<Vec<_>>(), [1, 3, 4, 5]);
}

#[test]
fn a_checkbox_selects_its_row_and_appears_on_hover_or_with_a_selection() {
    let mut harness = table(100);
    assert!(harness.query_by_role_and_label(Role::CheckBox, "Select asset 3").is_none());
    harness.get_by_role_and_label(Role::Row, "asset 3").hover();
    harness.run();
    harness.get_by_role_and_label(Role::CheckBox, "Select asset 3").click();
    harness.run();
    assert!(harness.query_by_role_and_label(Role::CheckBox, "Select asset 5").is_none());
    click(&mut harness, "asset 5", Modifiers::COMMAND);
    harness.get_by_role_and_label(Role::CheckBox, "Select asset 8").click();
    harness.run();
    assert_eq!((marked(&harness), harness.state().focused.len()), (vec![3, 5, 8], 0));
}

#[test]
fn a_million_rows_are_selected_by_one_key_and_deselected_one_by_one() {
    let mut harness = table(1_000_000);
    click(&mut harness, "asset 2", Modifiers::NONE);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run();
    click(&mut harness, "asset 4", Modifiers::COMMAND);
    let selection = &harness.state().table.selection;
    assert!(selection.count() == 999_999 && selection.contains(999_999) && !selection.contains(4));
}

#[test]
fn a_button_in_a_cell_does_not_select_the_row() {
    let mut harness = table(100);
    harness.get_by_role_and_label(Role::Button, "Open 3").click();
    harness.run();
    assert_eq!(harness.state().pressed, [3]);
    assert_eq!(harness.state().table.selection.count(), 0);
}

#[test]
fn a_row_is_clicked_through_the_accessibility_tree() {
    let mut harness = table(100);
    harness.get_by_role_and_label(Role::Row, "asset 6").click_accesskit();
    harness.run();
    assert_eq!(harness.state().focused, [6]);
}

#[test]
fn a_table_without_rows_is_drawn_and_takes_keys() {
    let mut harness = table(0);
    harness.get_by_role_and_label(Role::Table, "Assets").focus();
    harness.run();
    harness.key_press(Key::End);
    harness.run();
    assert_eq!(harness.state().last.visible, 0..0);
}

#[test]
fn a_shrinking_list_stays_scrolled_within_its_rows() {
    let mut harness = table(1_000);
    click(&mut harness, "asset 1", Modifiers::NONE);
    harness.key_press(Key::End);
    harness.run();
    harness.state_mut().rows = 3;
    harness.run();
    assert_eq!(harness.state().table.focus, Some(2));
    assert_eq!(harness.state().table.scroll.top, 0.0);
    harness.get_by_role_and_label(Role::Row, "asset 0");
}

#[test]
fn columns_can_be_hidden_and_shown_except_the_last() {
    let draw = |ui: &mut Ui, state: &mut TableState| columns_menu(ui, &COLUMNS, state);
    let mut harness = window(draw, TableState::default());
    for title in ["Name", "Size", "Tags"] {
        harness.get_by_role_and_label(Role::CheckBox, title).click();
        harness.run();
    }
    let shows: Vec<_> = COLUMNS.iter().map(|column| harness.state().shows(column)).collect();
    assert_eq!(shows, [false, true, false]);
    harness.get_by_role_and_label(Role::Button, "Reset columns").click();
    harness.run();
    assert!(COLUMNS.iter().all(|column| harness.state().shows(column)));
}

#[test]
fn a_column_is_resized_by_its_edge() {
    let mut harness = table(10);
    let header = harness.get_by_role_and_label(Role::ColumnHeader, "Tags").rect();
    harness.drag_at(egui::pos2(header.right() - 1.0, header.center().y));
    harness.run();
    harness.hover_at(egui::pos2(header.right() + 50.0, header.center().y));
    harness.run();
    harness.drop_at(egui::pos2(header.right() + 50.0, header.center().y));
    harness.run();
    assert_eq!(harness.state().table.widths.get("tags"), Some(&171.0));
}
