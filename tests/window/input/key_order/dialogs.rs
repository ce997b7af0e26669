//! Dialogs and forms that are filled within one frame, and the keys that open them.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette::ui::command::Command;
use lunette_client::model::linked::SeededWebsite;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::WebsitesCreateNewWebsite;
use lunette_inspector::action::{LinksAction, SessionAction};
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::settings::Named;

use super::{Typed, create_tag, created, lines_in, type_at_once};
use crate::dialogs::forms::{open, until_closed};
use crate::dialogs::plan::writes;
use crate::panels::asset_page::{at_service, looking_at};
use crate::stage::Stage;

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
    crate::panels::asset_page::settle(&mut stage, &id);
    let asset = at_service(&stage, &id);
    assert_eq!(asset["name"], "new.txt");
    assert_eq!(asset["annotations"]["iterable"][0]["text"], "what it is");
}

#[test]
fn both_fields_of_a_website_are_typed_within_one_frame() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.ctrl(Key::Num3);
    let command = Command::Website;
    crate::input::commands::press_keys(&mut stage, command);
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
    stage.until("its page is open", |state| state.links.open.is_some());
    crate::panels::links::show_record(&mut stage);
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
    create_tag(&stage, "first");
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
