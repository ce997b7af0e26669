//! Keys that come faster than frames: each goes to what had the focus when it came, with its own modifiers.
//!
//! Programs that type (password managers, text expanders, remote desktops) send words, Tab and Enter within one frame.

use egui::{Event, Key, Modifiers, Role, ViewportCommand, ViewportEvent, ViewportId};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette::app::State;
use lunette::app::action::{LinksAction, NavigationAction, SessionAction};
use lunette::app::change::{Item, LinkKind};
use lunette::app::navigation::Panel;
use lunette::app::settings::Named;
use lunette::ui::command::Command;
use lunette_client::model::linked::{SeededTag, SeededWebsite};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{TagsCreateNewTag, WebsitesCreateNewWebsite};

use crate::asset_page::{at_service, looking_at};
use crate::edit_text::text_at_service;
use crate::forms::{open, until_closed};
use crate::plan::writes;
use crate::stage::Stage;

/// What a program types.
#[derive(Clone, Copy)]
pub enum Typed<'a> {
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
pub fn type_at_once(stage: &mut Stage, typed: &[Typed<'_>]) {
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
fn a_new_asset_is_typed_within_one_frame() {
    for end in [Typed::Ctrl(Key::Enter), Typed::Command(Command::NewText)] {
        let mut stage = Stage::embedded();
        let text = [Typed::Text("two words"), Typed::Key(Key::Enter), Typed::Key(Key::Tab), Typed::Text("and more")];
        let name = [Typed::Command(Command::NewText), Typed::Text("notes.md"), Typed::Key(Key::Tab)];
        type_at_once(&mut stage, &[&name[..], &text[..], &[end]].concat());
        if matches!(end, Typed::Command(_)) {
            assert_eq!(stage.value_of("Name"), "notes.md");
            assert_eq!(lines_in(&stage, "Text"), "two words\n\tand more");
            continue;
        }
        assert_eq!(created(&mut stage), ("notes.md".to_owned(), "two words\n\tand more".to_owned()));
    }
}

#[test]
fn both_fields_of_an_asset_are_edited_within_one_frame() {
    let (mut stage, id) = looking_at("old.txt", "text");
    type_at_once(
        &mut stage,
        &[
            Typed::Command(Command::EditAsset),
            Typed::Ctrl(Key::A),
            Typed::Text("new.txt"),
            Typed::Key(Key::Tab),
            Typed::Text("what it is"),
            Typed::Ctrl(Key::Enter),
        ],
    );
    until_closed(&mut stage, "Edit asset");
    crate::asset_page::settle(&mut stage, &id);
    let asset = at_service(&stage, &id);
    assert_eq!(asset["name"], "new.txt");
    assert_eq!(asset["annotations"]["iterable"][0]["text"], "what it is");
}

#[test]
fn both_fields_of_a_website_are_typed_within_one_frame() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.ctrl(Key::Num3);
    let command = Command::Website;
    crate::commands::press_keys(&mut stage, command);
    stage.until_label("Add a website");
    type_at_once(
        &mut stage,
        &[Typed::Text("docs"), Typed::Key(Key::Enter), Typed::Text("example.org/a"), Typed::Key(Key::Tab)],
    );
    type_at_once(&mut stage, &[Typed::Ctrl(Key::A), Typed::Text("the docs"), Typed::Key(Key::Enter)]);
    stage.until("it is linked", |state| {
        state.notifications.outcome.as_ref().is_some_and(|outcome| outcome.undo.is_some())
    });
    let website = &at_service(&stage, &id)["websites"]["iterable"][0];
    assert_eq!((&website["name"], &website["url"]), (&"the docs".into(), &"https://example.org/a".into()));
}

#[test]
fn both_fields_of_a_saved_connection_are_typed_within_one_frame() {
    let mut stage = Stage::embedded();
    let url = stage.url();
    stage.perform(SessionAction::Save { url: url.clone(), named: Named { name: "Old".to_owned(), url: url.clone() } });
    stage.harness.get_by_label_contains("Connection: ").click();
    stage.settle();
    stage.until_label("Edit Old");
    stage.find(Role::Button, "Edit Old").click_accesskit();
    stage.settle();
    let other = "http://127.0.0.1:39301";
    let typed = [Typed::Ctrl(Key::A), Typed::Text("Work"), Typed::Key(Key::Tab), Typed::Ctrl(Key::A)];
    type_at_once(&mut stage, &[&typed[..], &[Typed::Text(other), Typed::Key(Key::Enter)]].concat());
    let saved = &stage.state().preferences.settings.connections;
    assert_eq!(saved[..], [Named { name: "Work".to_owned(), url: other.to_owned() }]);
}

#[test]
fn both_fields_of_a_linked_website_are_typed_within_one_frame() {
    let mut stage = Stage::embedded();
    let website = serde_json::json!({ "name": "old", "url": "https://example.org/" });
    let website = Some(SeededWebsite::from_tree(website).expect("a website"));
    stage.call(WebsitesCreateNewWebsite { transferables: None, website }).expect("made");
    stage.ctrl(Key::Num4);
    stage.find(Role::RadioButton, "Websites").click();
    stage.until("it is listed", |state| state.links.kind == LinkKind::Website && state.links.shown().count() == 1);
    let item = stage.state().links.shown().iter().next().expect("a row").item.clone();
    stage.perform(LinksAction::Open(item));
    stage.press_once_enabled("Rename");
    let typed = [Typed::Ctrl(Key::A), Typed::Text("new"), Typed::Key(Key::Tab), Typed::Ctrl(Key::A)];
    type_at_once(&mut stage, &[&typed[..], &[Typed::Text("https://example.org/b"), Typed::Key(Key::Enter)]].concat());
    let renamed = |item: &Item| item.text == "new" && item.url.as_deref() == Some("https://example.org/b");
    stage.until("it is renamed", |state| state.links.shown().iter().any(|row| renamed(&row.item)));
}

#[test]
fn both_fields_of_an_operation_are_typed_within_one_frame() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num5);
    type_at_once(&mut stage, &[Typed::Text("/assetsSnapshot"), Typed::Key(Key::Enter)]);
    assert_eq!(stage.value_of("Find an operation"), "assetsSnapshot");
    stage.find(Role::TreeItem, "assetsSnapshot").click();
    stage.settle();
    let fields = ["offset", "limit"].map(|name| {
        let fields = stage.harness.query_all_by_role(Role::TextInput).filter_map(|node| node.accesskit_node().label());
        fields.into_iter().find(|label| label.starts_with(name)).unwrap_or_else(|| panic!("no field {name}"))
    });
    stage.find(Role::TextInput, &fields[0]).focus();
    stage.settle();
    type_at_once(&mut stage, &[Typed::Text("12"), Typed::Key(Key::Tab), Typed::Text("34")]);
    assert_eq!(fields.each_ref().map(|field| stage.value_of(field)), ["12", "34"]);
}

#[test]
fn a_command_is_typed_into_the_palette_and_its_dialog_filled_within_one_frame() {
    let mut stage = Stage::embedded();
    type_at_once(
        &mut stage,
        &[
            Typed::Command(Command::Palette),
            Typed::Text("new asset from text"),
            Typed::Key(Key::Enter),
            Typed::Text("a.md"),
            Typed::Key(Key::Tab),
            Typed::Text("b"),
            Typed::Ctrl(Key::Enter),
        ],
    );
    assert_eq!(created(&mut stage), ("a.md".to_owned(), "b".to_owned()));
}

#[test]
fn a_list_is_filtered_and_a_row_opened_within_one_frame() {
    let open_name = |state: &State| {
        let id = state.pages.open.clone()?;
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
    stage.until("it is open", |state| state.pages.open.as_ref() == Some(&row));
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
fn the_key_that_opens_a_dialog_from_its_button_neither_types_nor_presses_anything_there() {
    let buttons = [("Edit", "Edit asset"), ("Reclassify", "Reclassify"), ("Export", "Export")];
    for (button, dialog) in buttons {
        let (mut stage, _) = looking_at("a.txt", "text");
        let texts = |stage: &Stage| {
            let fields = [Role::TextInput, Role::MultilineTextInput].into_iter();
            let nodes = fields.flat_map(|role| stage.harness.query_all_by_role(role).collect::<Vec<_>>());
            nodes.map(|node| node.accesskit_node().value().unwrap_or_default()).collect::<Vec<_>>()
        };
        stage.press(button);
        assert!(open(&stage, dialog), "{dialog}");
        let by_mouse = texts(&stage);
        stage.key(Key::Escape);
        until_closed(&mut stage, dialog);
        for key in [Key::Enter, Key::Space] {
            stage.find(Role::Button, button).focus();
            stage.settle();
            type_at_once(&mut stage, &[Typed::Key(key)]);
            assert!(open(&stage, dialog), "{key:?} opens {dialog}");
            assert_eq!(texts(&stage), by_mouse, "{key:?} on {button}");
            stage.key(Key::Escape);
            until_closed(&mut stage, dialog);
        }
        assert_eq!(writes(&stage), 0, "{button}");
    }
}

#[test]
fn the_key_that_opens_a_picker_from_its_button_chooses_nothing() {
    let (mut stage, id) = looking_at("a.txt", "text");
    let tag = Some(SeededTag::from_tree(serde_json::json!({ "text": "first" })).expect("a tag"));
    stage.call(TagsCreateNewTag { transferables: None, tag }).expect("made");
    for key in [Key::Enter, Key::Space, Key::Enter] {
        stage.find(Role::Button, "Add a tag").focus();
        stage.settle();
        type_at_once(&mut stage, &[Typed::Key(key)]);
        stage.until_label("first");
        assert_eq!(stage.value_of("Add a tag"), "", "{key:?}");
        stage.key(Key::Escape);
    }
    assert_eq!(writes(&stage), 0);
    stage.find(Role::Button, "Add a tag").focus();
    stage.settle();
    type_at_once(&mut stage, &[Typed::Key(Key::Enter), Typed::Text("fir"), Typed::Key(Key::Enter)]);
    stage.until("it is linked", |state| state.notifications.outcome.is_some());
    assert_eq!(at_service(&stage, &id)["tags"]["iterable"][0]["text"], "first");
}

#[test]
fn a_key_that_is_held_down_acts_on_nothing_that_it_opened() {
    let (mut stage, _) = looking_at("a.txt", "text");
    let tag = Some(SeededTag::from_tree(serde_json::json!({ "text": "first" })).expect("a tag"));
    stage.call(TagsCreateNewTag { transferables: None, tag }).expect("made");
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
