//! Keys that come faster than frames: each goes to what had the focus when it came, with its own modifiers.
//!
//! Programs that type (password managers, text expanders, remote desktops) send words, Tab and Enter within one frame.

use egui::{Event, Key, Modifiers, Role, ViewportCommand, ViewportEvent, ViewportId};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette::ui::command::Command;
use lunette_client::model::linked::SeededTag;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::TagsCreateNewTag;
use lunette_inspector::State;
use lunette_inspector::action::NavigationAction;
use lunette_inspector::panel::Panel;

use crate::dialogs::edit_text::text_at_service;
use crate::dialogs::plan::writes;
use crate::panels::asset_page::looking_at;
use crate::stage::Stage;

mod dialogs;

/// What a program types.
#[derive(Clone, Copy)]
enum Typed<'a> {
    /// A text, each letter by its key.
    Text(&'a str),
    /// A key, pressed and released.
    Key(Key),
    /// A key with Ctrl, both pressed and released.
    Ctrl(Key),
    /// The default keys of a command.
    Command(Command),
}

/// Returns the events of a key as the desktop reports them: the modifiers, the press, the text that it types, the
/// release.
fn key_events(modifiers: Modifiers, key: Key, text: Option<&str>) -> Vec<Event> {
    let press = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
    let mut events = vec![press(true)];
    events.extend(text.map(|text| Event::Text(text.to_owned())));
    events.push(press(false));
    if !modifiers.is_none() {
        events.insert(0, Event::ModifiersChanged(modifiers));
        events.push(Event::ModifiersChanged(Modifiers::NONE));
    }
    events
}

fn letter_events(letter: char) -> Vec<Event> {
    let text = letter.to_string();
    let name = if letter == ' ' { "Space".to_owned() } else { letter.to_ascii_uppercase().to_string() };
    match Key::from_name(&name) {
        Some(key) => key_events(Modifiers::NONE, key, Some(&text)),
        None => vec![Event::Text(text)],
    }
}

fn events(typed: &[Typed<'_>]) -> Vec<Event> {
    let events_of = |typed: &Typed<'_>| match *typed {
        Typed::Text(text) => text.chars().flat_map(letter_events).collect(),
        Typed::Key(key) => key_events(Modifiers::NONE, key, (key == Key::Space).then_some(" ")),
        Typed::Ctrl(key) => key_events(Modifiers::COMMAND, key, None),
        Typed::Command(command) => {
            let (modifiers, key) = command.row().keys[0].parts();
            key_events(modifiers, key, None)
        }
    };
    typed.iter().flat_map(events_of).collect()
}

/// Types all of this within one frame.
fn type_at_once(stage: &mut Stage, typed: &[Typed<'_>]) {
    stage.harness.input_mut().events.extend(events(typed));
    stage.settle();
}

/// Returns the text of the field of several lines with this name.
fn lines_in(stage: &Stage, field: &str) -> String {
    stage.find(Role::MultilineTextInput, field).accesskit_node().value().unwrap_or_default()
}

fn has_focus(stage: &Stage, role: Role, name: &str) -> bool {
    stage.harness.query_by_role_and_label(role, name).is_some_and(|node| node.accesskit_node().is_focused())
}

/// Presses Tab until a field of several lines has the focus.
fn tab_to(stage: &mut Stage, field: &str) {
    for _ in 0..60 {
        if has_focus(stage, Role::MultilineTextInput, field) {
            return;
        }
        stage.key(Key::Tab);
    }
    panic!("Tab does not lead to {field:?}");
}

/// Waits until the service has one asset, and returns its name and text.
fn created(stage: &mut Stage) -> (String, String) {
    stage.until("an asset is there", |state| state.assets.list.count() == 1);
    let row = stage.state().assets.list.shown(0).expect("a row");
    let (name, id) = (row.name().to_owned(), row.id());
    (name, text_at_service(stage, &id))
}

/// Creates a tag on the service.
fn create_tag(stage: &Stage, text: &str) {
    let tag = Some(SeededTag::from_tree(serde_json::json!({ "text": text })).expect("a tag"));
    stage.call(TagsCreateNewTag { transferables: None, tag }).expect("made");
}

#[test]
fn tab_into_a_field_that_keeps_tab_types_nothing_there() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::N);
    stage.type_into("Name", "n");
    stage.key(Key::Tab);
    assert!(has_focus(&stage, Role::MultilineTextInput, "Text"));
    assert_eq!(lines_in(&stage, "Text"), "");
    stage.key(Key::Tab);
    assert_eq!(lines_in(&stage, "Text"), "\t", "in the field, Tab indents");

    let (mut stage, _) = looking_at("a.txt", "text");
    stage.key(Key::F4);
    stage.until_label("Text of the asset");
    stage.find(Role::Button, "Rename a.txt").focus();
    stage.settle();
    tab_to(&mut stage, "Text of the asset");
    assert_eq!(lines_in(&stage, "Text of the asset"), "text");
    stage.key(Key::Tab);
    assert_eq!(lines_in(&stage, "Text of the asset").matches('\t').count(), 1);
}

#[test]
fn ctrl_enter_that_comes_and_goes_in_one_frame_creates_an_asset() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::N);
    stage.type_into("Name", "n");
    stage.key(Key::Tab);
    type_at_once(&mut stage, &[Typed::Text("b"), Typed::Ctrl(Key::Enter)]);
    assert_eq!(created(&mut stage), ("n".to_owned(), "b".to_owned()));
}

#[test]
fn a_list_is_filtered_and_a_row_opened_within_one_frame() {
    let open_name = |state: &State| {
        let id = state.assets.pages.open.clone()?;
        state.assets.list.iter().find(|row| row.id() == id).map(|row| row.name().to_owned())
    };
    for find in [Typed::Text("/"), Typed::Ctrl(Key::F)] {
        let mut stage = Stage::embedded();
        for name in ["pear a", "pear b", "pear c", "apple"] {
            stage.asset(name, name);
        }
        stage.perform(NavigationAction::Show(Panel::Assets));
        stage.until("they are listed", |state| state.assets.list.count() == 4);
        stage.settle();
        let typed = [find, Typed::Text("pear"), Typed::Key(Key::Enter)];
        type_at_once(&mut stage, &[&typed[..], &[Typed::Key(Key::ArrowDown), Typed::Key(Key::Enter)]].concat());
        let second = stage.state().assets.list.shown(1).expect("a second row").name().to_owned();
        assert_eq!(stage.value_of("Filter assets"), "pear");
        stage.until("it is open", |state| open_name(state).is_some());
        assert_eq!(open_name(stage.state()), Some(second));
    }
}

/// Returns whether the page of the chosen row is drawn.
type Opened = fn(&Stage) -> bool;

#[test]
fn the_filter_of_every_list_leads_to_its_rows_within_one_frame() {
    let lists: [(Panel, &str, Opened); 3] = [
        (Panel::Links, "tag", |stage| {
            let links = &stage.state().links;
            let second = links.shown().shown(1).map(|row| row.item.id.clone());
            second.is_some() && links.open.as_ref().map(|page| page.item.id.clone()) == second
        }),
        (Panel::Log, "snapshot", |stage| stage.draws(Role::Button, "Close the call")),
        (Panel::Operations, "snapshot", |stage| stage.draws(Role::Button, "Send")),
    ];
    let mut stage = Stage::embedded();
    for text in ["tag a", "tag b", "tag c", "other"] {
        create_tag(&stage, text);
    }
    for (panel, text, opened) in lists {
        stage.perform(NavigationAction::Show(panel));
        stage.settle();
        if panel == Panel::Links {
            stage.until("they are listed", |state| state.links.shown().count() == 4);
            stage.settle();
        }
        let typed = [Typed::Text("/"), Typed::Text(text), Typed::Key(Key::Enter), Typed::Key(Key::ArrowDown)];
        type_at_once(&mut stage, &[&typed[..], &[Typed::Key(Key::Enter)]].concat());
        let field = stage.harness.query_all_by_role(Role::TextInput).find_map(|node| {
            let node = node.accesskit_node();
            node.value().filter(|value| value == text)
        });
        assert_eq!(field.as_deref(), Some(text), "{panel:?}");
        assert!(opened(&stage), "{panel:?}");
    }
}

/// Returns the events of a click at this place.
fn click_events(pos: egui::Pos2, modifiers: Modifiers) -> Vec<Event> {
    let button = egui::PointerButton::Primary;
    let event = |pressed| Event::PointerButton { pos, button, pressed, modifiers };
    vec![Event::PointerMoved(pos), event(true), event(false)]
}

#[test]
fn clicks_in_one_frame_have_their_own_places_and_modifiers_and_keys_after_them_go_where_they_led() {
    let mut stage = Stage::embedded();
    for name in ["one.txt", "two.txt", "three.txt"] {
        stage.asset(name, name);
    }
    stage.perform(NavigationAction::Show(Panel::Assets));
    stage.until("they are listed", |state| state.assets.list.count() == 3);
    stage.settle();
    let place = |stage: &Stage, role: Role, name: &str| stage.find(role, name).rect().center();
    // Where the list still is once the page is open.
    let start = |row: &str| stage.find(Role::Row, row).rect().left_center() + egui::vec2(60.0, 0.0);
    let (one, two) = (start("one.txt"), start("two.txt"));
    let mut events = click_events(one, Modifiers::NONE);
    events.push(Event::ModifiersChanged(Modifiers::COMMAND));
    events.extend(click_events(two, Modifiers::COMMAND));
    events.push(Event::ModifiersChanged(Modifiers::NONE));
    stage.harness.input_mut().events.extend(events);
    stage.settle();
    assert_eq!(stage.state().assets.selected.count, 2);
    let filter = place(&stage, Role::TextInput, "Filter assets");
    let events: Vec<Event> =
        click_events(filter, Modifiers::NONE).into_iter().chain("three".chars().flat_map(letter_events)).collect();
    stage.harness.input_mut().events.extend(events);
    stage.settle();
    assert_eq!(stage.value_of("Filter assets"), "three");
}

#[test]
fn fifty_arrow_keys_in_one_frame_move_by_fifty_rows() {
    let mut stage = Stage::embedded();
    for number in 0..60 {
        stage.asset(&format!("asset {number:02}"), "text");
    }
    stage.perform(NavigationAction::Show(Panel::Assets));
    stage.until("they are listed", |state| state.assets.list.count() == 60);
    stage.find(Role::Table, "Assets").focus();
    stage.settle();
    stage.key(Key::Home);
    let down = [Typed::Key(Key::ArrowDown); 50];
    type_at_once(&mut stage, &[&down[..], &[Typed::Key(Key::Enter)]].concat());
    let row = stage.state().assets.list.shown(50).expect("a row").id();
    stage.until("it is open", |state| state.assets.pages.open.as_ref() == Some(&row));
}

#[test]
fn keys_that_need_many_frames_all_arrive_in_order() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::N);
    let lines: Vec<String> = (0..120).map(|number| format!("line {number}")).collect();
    let mut typed = vec![Typed::Text("long.txt"), Typed::Key(Key::Tab)];
    for line in &lines {
        typed.extend([Typed::Text(line), Typed::Key(Key::Enter)]);
    }
    typed.push(Typed::Ctrl(Key::Enter));
    stage.harness.input_mut().events.extend(events(&typed));
    assert_eq!(created(&mut stage), ("long.txt".to_owned(), lines.join("\n") + "\n"));
}

#[test]
fn a_window_that_is_closed_while_keys_wait_handles_them_first() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::N);
    let lines = [Typed::Text("line"), Typed::Key(Key::Enter)].repeat(60);
    let input = stage.harness.input_mut();
    input.events.extend(events(&[&[Typed::Text("n"), Typed::Key(Key::Tab)], &lines[..]].concat()));
    let viewport = input.viewports.get_mut(&ViewportId::ROOT).expect("the window");
    viewport.events.push(ViewportEvent::Close);
    let commands = |stage: &Stage| stage.harness.output().viewport_output[&ViewportId::ROOT].commands.clone();
    stage.harness.step();
    assert!(commands(&stage).contains(&ViewportCommand::CancelClose));
    for _ in 0..20 {
        if commands(&stage).contains(&ViewportCommand::Close) {
            break;
        }
        stage.harness.step();
    }
    assert!(commands(&stage).contains(&ViewportCommand::Close));
    assert_eq!(lines_in(&stage, "Text"), "line\n".repeat(60));
}

#[test]
fn a_key_that_is_held_down_acts_on_nothing_that_it_opened() {
    let (mut stage, _) = looking_at("a.txt", "text");
    create_tag(&stage, "first");
    stage.find(Role::Button, "Add a tag").focus();
    stage.settle();
    let (key, modifiers) = (Key::Enter, Modifiers::NONE);
    for _ in 0..6 {
        let press = Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        stage.harness.input_mut().events.push(press);
        stage.settle();
        stage.until_label("first");
    }
    assert_eq!(writes(&stage), 0);
    stage.harness.key_up(key);
    stage.key(key);
    stage.until("it is linked", |state| state.notifications.outcome.is_some());
}

#[test]
fn a_command_pressed_three_times_in_one_frame_runs_three_times() {
    let mut stage = Stage::embedded();
    let zoom = stage.state().preferences.settings.zoom;
    type_at_once(&mut stage, &[Typed::Command(Command::ZoomIn)]);
    let once = stage.state().preferences.settings.zoom - zoom;
    type_at_once(&mut stage, &[Typed::Command(Command::ZoomIn); 3]);
    assert!(stage.state().preferences.settings.zoom - zoom > 3.5 * once);
}
