//! The editor of code: typing, lines, finding, the mouse, input methods, assistive technology.

use egui::accesskit::{Action as AccessAction, ActionData, ActionRequest, TreeId};
use egui::{Event, ImeEvent, Key, Modifiers, OutputCommand, PointerButton, Pos2, Role, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;

use super::edit_text::text_at_service;
use crate::dialogs::plan::writes;
use crate::panels::asset_page::{looking_at, settle};
use crate::stage::Stage;

const FIELD: &str = "Text of the asset";

fn text(stage: &Stage) -> String {
    stage.find(Role::MultilineTextInput, FIELD).accesskit_node().value().unwrap_or_default()
}

fn has_focus(stage: &Stage) -> bool {
    stage.find(Role::MultilineTextInput, FIELD).accesskit_node().is_focused()
}

/// Opens the editor of a text.
fn editing(name: &str, text: &str) -> (Stage, AssetId) {
    let (mut stage, id) = looking_at(name, text);
    stage.key(Key::F4);
    stage.until_label(FIELD);
    stage.settle();
    (stage, id)
}

/// Types characters one after the other, as a keyboard does, without a pause.
fn type_keys(stage: &mut Stage, keys: &str) {
    let events = keys.chars().map(|key| match key {
        '\n' => {
            Event::Key { key: Key::Enter, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE }
        }
        key => Event::Text(key.to_string()),
    });
    stage.harness.input_mut().events.extend(events);
    stage.settle();
}

fn alt(stage: &mut Stage, key: Key) {
    stage.harness.key_press_modifiers(Modifiers::ALT, key);
    stage.settle();
}

/// Clicks so many times at a point, in one frame: frames of a test are further apart than the clicks of a double click.
fn click(stage: &mut Stage, pos: Pos2, count: usize) {
    let button =
        |pressed| Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE };
    let presses = (0..count).flat_map(|_| [button(true), button(false)]);
    let events = std::iter::once(Event::PointerMoved(pos)).chain(presses);
    stage.harness.input_mut().events.extend(events);
    stage.settle();
}

/// Returns what was copied in the last frames.
fn copied(stage: &mut Stage, key: Event) -> Option<String> {
    stage.harness.event(key);
    stage.harness.step();
    let commands = stage.harness.output().platform_output.commands.clone();
    commands.into_iter().find_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text),
        _ => None,
    })
}

#[test]
fn brackets_are_closed_and_a_new_line_is_indented() {
    let (mut stage, _) = editing("a.rs", "");
    type_keys(&mut stage, "fn a() {\nb(\"c\")");
    assert_eq!(text(&stage), "fn a() {\n\tb(\"c\")\n}");
    stage.ctrl(Key::Slash);
    assert_eq!(text(&stage), "fn a() {\n\t// b(\"c\")\n}");
}

#[test]
fn alt_with_arrows_moves_and_duplicates_lines_and_opens_no_other_asset() {
    let (mut stage, id) = editing("a.txt", "one\ntwo\nthree");
    stage.asset("b.txt", "another");
    alt(&mut stage, Key::ArrowDown);
    assert_eq!(text(&stage), "two\none\nthree");
    stage.harness.key_press_modifiers(Modifiers::ALT | Modifiers::SHIFT, Key::ArrowDown);
    stage.settle();
    assert_eq!(text(&stage), "two\none\none\nthree");
    assert_eq!(stage.state().assets.pages.open.as_ref(), Some(&id));
}

#[test]
fn undo_in_the_editor_takes_back_typing_and_no_change_of_the_service() {
    let (mut stage, _) = editing("a.txt", "");
    type_keys(&mut stage, "one two");
    stage.ctrl(Key::Z);
    assert_eq!(text(&stage), "one ");
    for _ in 0..3 {
        stage.ctrl(Key::Z);
    }
    assert_eq!((text(&stage).as_str(), writes(&stage)), ("", 0));
    stage.harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    stage.settle();
    stage.ctrl(Key::Y);
    assert_eq!(text(&stage), "one two");
}

#[test]
fn tab_shifts_several_lines_and_ctrl_tab_leaves() {
    let (mut stage, _) = editing("a.rs", "a\n  b\n");
    stage.ctrl(Key::A);
    stage.key(Key::Tab);
    assert_eq!(text(&stage), "  a\n    b\n");
    stage.harness.key_press_modifiers(Modifiers::SHIFT, Key::Tab);
    stage.settle();
    assert_eq!(text(&stage), "a\n  b\n");
    stage.harness.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::Tab);
    stage.settle();
    assert!(!has_focus(&stage) && stage.draws(Role::MultilineTextInput, FIELD));
}

#[test]
fn saving_by_key_keeps_the_focus_and_the_caret() {
    let (mut stage, id) = editing("a.txt", "one\r\ntwo\r\n");
    stage.key(Key::ArrowDown);
    type_keys(&mut stage, "\0x");
    stage.ctrl(Key::Enter);
    stage.until("it is saved", |state| state.notifications.outcome.is_some());
    settle(&mut stage, &id);
    stage.until_label("Saved");
    assert!(has_focus(&stage));
    assert_eq!(text_at_service(&stage, &id), "one\r\n\0xtwo\r\n");
    assert!(stage.state().drafts.typed.is_empty());
    type_keys(&mut stage, "y");
    assert_eq!(text(&stage), "one\n\0xytwo\n");
    stage.ctrl(Key::S);
    stage.until("it is saved again", |state| !state.write.is_writing());
    settle(&mut stage, &id);
    stage.until_drawn("the second text is saved", |harness| harness.query_by_label("Saved").is_some());
    assert_eq!(text_at_service(&stage, &id), "one\r\n\0xytwo\r\n");
}

#[test]
fn escape_keeps_the_draft_and_goes_back_to_the_text_where_enter_goes_on() {
    let (mut stage, _) = editing("a.txt", "one\ntwo");
    type_keys(&mut stage, "x");
    stage.key(Key::Escape);
    assert!(!stage.draws(Role::MultilineTextInput, FIELD));
    stage.until_label("Continue editing the text of this asset");
    let preview = stage.find(Role::Document, "Content of a.txt");
    assert!(preview.accesskit_node().is_focused());
    stage.key(Key::Enter);
    stage.until_label(FIELD);
    assert_eq!(text(&stage), "xone\ntwo");
    assert!(has_focus(&stage));
}

#[test]
fn a_click_into_the_preview_begins_editing_there() {
    let (mut stage, _) = looking_at("a.txt", "one\ntwo\nthree");
    let row = stage.find(Role::Label, "two").rect();
    click(&mut stage, row.left_center() + vec2(4_000.0, 0.0).min(vec2(row.width() - 40.0, 0.0)), 1);
    stage.until_label(FIELD);
    stage.settle();
    type_keys(&mut stage, "!");
    assert_eq!(text(&stage), "one\ntwo!\nthree");
}

#[test]
fn all_matches_are_replaced_in_one_step() {
    let (mut stage, _) = editing("a.rs", "let a1 = a2;\n// a3");
    stage.ctrl(Key::H);
    stage.until_label("Replace with");
    stage.press("Regular expression");
    stage.type_into("Find in the text", r"a(\d)");
    stage.until_label("1 of 3");
    stage.type_into("Replace with", "b$1");
    stage.press("Replace all");
    stage.until_label("Replaced 3 matches");
    assert_eq!(text(&stage), "let b1 = b2;\n// b3");
    stage.key(Key::Escape);
    assert!(has_focus(&stage), "closing the bar goes back to the text");
    stage.ctrl(Key::Z);
    assert_eq!(text(&stage), "let a1 = a2;\n// a3");
}

#[test]
fn escape_on_a_button_of_the_bar_goes_back_to_the_text() {
    let (mut stage, _) = editing("a.txt", "one");
    stage.ctrl(Key::F);
    stage.until_label("Find in the text");
    stage.find(Role::Button, "Match case").focus();
    stage.settle();
    stage.key(Key::Escape);
    assert!(has_focus(&stage) && !stage.says("Match case"));
}

#[test]
fn find_goes_from_match_to_match_and_replaces_one() {
    let (mut stage, _) = editing("a.txt", "Cat cat concat");
    stage.ctrl(Key::F);
    stage.until_label("Find in the text");
    stage.settle();
    stage.type_into("Find in the text", "cat");
    stage.until_label("1 of 3");
    stage.key(Key::Enter);
    stage.until_label("2 of 3");
    stage.press("Whole words");
    stage.until_label("2 of 2");
    stage.press("Match case");
    stage.until_label("1 of 1");
    stage.press("Show the replacement");
    stage.type_into("Replace with", "dog");
    stage.press("Replace match");
    stage.until_label("No matches");
    assert_eq!(text(&stage), "Cat dog concat");
}

#[test]
fn a_wrong_expression_is_explained_in_the_bar() {
    let (mut stage, _) = editing("a.txt", "text");
    stage.ctrl(Key::F);
    stage.until_label("Find in the text");
    stage.press("Regular expression");
    stage.type_into("Find in the text", "(a");
    stage.until_said("Not a regular expression");
    assert!(stage.find(Role::Button, "Next match").accesskit_node().is_disabled());
}

#[test]
fn clicks_select_words_and_lines_and_a_drag_selects_text() {
    let (mut stage, _) = editing("a.txt", "one two\nthree");
    let field = stage.find(Role::MultilineTextInput, FIELD).rect();
    // The first line is 20 points high; the numbers take some 44 points, a column 8.
    let at = |column: f32, line: f32| field.min + vec2(44.0 + 8.0 * column, 10.0 + 20.0 * line);
    click(&mut stage, at(5.5, 0.0), 2);
    assert_eq!(copied(&mut stage, Event::Copy).as_deref(), Some("two"));
    click(&mut stage, at(2.5, 1.0), 3);
    assert_eq!(copied(&mut stage, Event::Copy).as_deref(), Some("three"));
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    for event in [
        Event::PointerMoved(at(0.0, 0.0)),
        button(at(0.0, 0.0), true),
        Event::PointerMoved(at(3.0, 0.0)),
        Event::PointerMoved(at(40.0, 1.0)),
        button(at(40.0, 1.0), false),
    ] {
        stage.harness.event(event);
        stage.harness.step();
    }
    assert_eq!(copied(&mut stage, Event::Cut).as_deref(), Some("one two\nthree"));
    stage.settle();
    assert_eq!(text(&stage), "");
    stage.harness.event(Event::Paste("a\r\nb".to_owned()));
    stage.settle();
    assert_eq!(text(&stage), "a\nb");
}

#[test]
fn what_an_input_method_composes_is_inserted_when_it_is_done() {
    let (mut stage, id) = editing("a.txt", "ab");
    stage.key(Key::ArrowRight);
    let preedit = |text: &str| ImeEvent::Preedit { text: text.to_owned(), active_range_chars: None };
    for event in [preedit("に"), preedit("にほ")] {
        stage.harness.event(Event::Ime(event));
        stage.settle();
    }
    assert_eq!(text(&stage), "ab", "what is composed is not part of the text yet");
    assert!(stage.state().drafts.typed.is_empty(), "{id:?}");
    stage.harness.event(Event::Ime(ImeEvent::Commit("日本".to_owned())));
    stage.settle();
    assert_eq!(text(&stage), "a日本b");
    stage.ctrl(Key::Z);
    assert_eq!(text(&stage), "ab");
}

#[test]
fn assistive_technology_reads_the_text_and_the_selection_and_sets_them() {
    let (mut stage, _) = editing("a.txt", "one\ntwo");
    stage.ctrl(Key::A);
    let node = stage.find(Role::MultilineTextInput, FIELD);
    let node = node.accesskit_node();
    assert!(node.supports_text_ranges());
    let selection = node.text_selection().expect("a selection");
    assert_eq!(selection.text(), "one\ntwo");
    let target_node = node.locate().0;
    let data = Some(ActionData::Value("set".into()));
    let request = ActionRequest { action: AccessAction::SetValue, target_tree: TreeId::ROOT, target_node, data };
    stage.harness.event(Event::AccessKitActionRequest(request));
    stage.settle();
    assert_eq!(text(&stage), "set");
}

#[test]
fn a_large_text_is_edited_at_its_end() {
    let lines = "let number = 1; // a line\n".repeat(40_000);
    let (mut stage, id) = editing("a.rs", &lines);
    stage.ctrl(Key::End);
    type_keys(&mut stage, "end");
    stage.ctrl(Key::Enter);
    stage.until("it is saved", |state| state.notifications.outcome.is_some());
    settle(&mut stage, &id);
    assert_eq!(text_at_service(&stage, &id), format!("{lines}end"));
}

#[test]
fn arrows_move_the_caret_as_text_of_both_directions_is_drawn_and_typing_is_beside_it() {
    // The second word is drawn from the right: its first letter is at its right end.
    let (mut stage, _) = editing("a.txt", "ab אבגד ef\nnext");
    for _ in 0..4 {
        stage.key(Key::ArrowRight);
    }
    type_keys(&mut stage, "x");
    assert_eq!(text(&stage), "ab אבגxד ef\nnext");
    stage.key(Key::Backspace);
    // Four steps to the left are the beginning again.
    for _ in 0..4 {
        stage.key(Key::ArrowLeft);
    }
    type_keys(&mut stage, "y");
    assert_eq!(text(&stage), "yab אבגד ef\nnext");
    stage.key(Key::End);
    stage.key(Key::ArrowRight);
    type_keys(&mut stage, "z");
    assert_eq!(text(&stage), "yab אבגד ef\nznext");
}

#[test]
fn a_click_and_a_selection_in_text_from_the_right_are_of_the_characters_below_the_mouse() {
    let (mut stage, _) = editing("a.txt", "مرحبا بالعالم abc\n");
    let field = stage.find(Role::MultilineTextInput, FIELD).rect();
    for x in 0..60_u8 {
        let at = Pos2::new(field.left() + 30.0 + f32::from(x) * 5.0, field.top() + 12.0);
        click(&mut stage, at, 1);
        type_keys(&mut stage, "-");
        assert_eq!(text(&stage).replacen('-', "", 1), "مرحبا بالعالم abc\n");
        stage.key(Key::Backspace);
        assert_eq!(text(&stage), "مرحبا بالعالم abc\n");
    }
    stage.ctrl(Key::Home);
    // Going on in the text is going to the left.
    for _ in 0..3 {
        stage.harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowLeft);
        stage.settle();
    }
    assert_eq!(copied(&mut stage, Event::Copy).as_deref(), Some("مرح"));
}

#[test]
fn the_editor_keeps_the_keyboard_whatever_width_the_window_gets() {
    let (mut stage, _) = editing("a.txt", "");
    let mut wanted = String::new();
    for width in [800.0, 1280.0, 1920.0, 1000.0, 1920.0, 800.0] {
        stage.harness.set_size(vec2(width, 800.0));
        stage.settle();
        assert!(has_focus(&stage), "in a window of {width} points");
        type_keys(&mut stage, "x");
        wanted.push('x');
        assert_eq!(text(&stage), wanted, "in a window of {width} points");
    }
}
