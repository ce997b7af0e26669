//! Letters and Return in one frame, as from fast typing, from a paste and on a busy machine.

use egui::{Event, Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::Record as _;
use lunette_client::operation::table::AssetsSnapshot;
use lunette_inspector::action::NavigationAction;
use lunette_inspector::panel::Panel;
use lunette_inspector::settings::Target;

use crate::panels::asset_page::looking_at;
use crate::stage::Stage;

/// Types a text and presses Return in one frame, in the focused control.
fn type_and_return(stage: &mut Stage, text: &str) {
    let key = |pressed| Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    stage.harness.input_mut().events.extend([Event::Text(text.to_owned()), key(true), key(false)]);
    stage.settle();
}

#[test]
fn a_path_is_used_as_it_was_typed() {
    let (mut stage, _) = looking_at("a.txt", "text");
    let saved = stage.folder.path().join("saved.md");
    stage.press("Export");
    stage.find(Role::RadioButton, "MD").click();
    stage.until_label("a.txt.md");
    stage.press("Save to a path…");
    type_and_return(&mut stage, &saved.display().to_string());
    stage.until_drawn("it is saved", |_| saved.exists());
}

#[test]
fn an_address_is_used_as_typed() {
    let mut stage = Stage::embedded();
    let other = Stage::embedded();
    let chip = stage.harness.get_by_label_contains("Connection: ").accesskit_node().label().unwrap_or_default();
    stage.press(&chip);
    stage.until_label("Scan again");
    stage.find(Role::TextInput, "Address").focus();
    stage.harness.step();
    type_and_return(&mut stage, &other.url());
    let wanted = other.url();
    stage.until(
        "it is connected to",
        |state| matches!(&state.connection.target, Target::Url(url) if url.trim_end_matches('/') == wanted),
    );
}

#[test]
fn the_palette_runs_the_typed_command() {
    let mut stage = Stage::embedded();
    stage.perform(NavigationAction::Show(Panel::Assets));
    stage.ctrl(Key::K);
    type_and_return(&mut stage, "go to history");
    stage.until("the history is in front", |state| state.navigation.panel == Panel::History);
}

#[test]
fn a_new_name_is_sent_as_typed() {
    let (mut stage, id) = looking_at("old.txt", "text");
    stage.press("Rename old.txt");
    stage.ctrl(Key::A);
    type_and_return(&mut stage, "new.txt");
    stage.until_label("Rename new.txt");
    assert_eq!(crate::panels::asset_page::at_service(&stage, &id)["name"], "new.txt");
}

#[test]
fn typing_into_a_rename_replaces_the_name_and_keeps_the_extension() {
    for (name, renamed) in [("old.tar.gz", "new.gz"), ("größe.txt", "new.txt"), ("Makefile", "new"), (".env", "new")]
    {
        let (mut stage, _) = looking_at(name, "text");
        stage.press(&format!("Rename {name}"));
        stage.harness.input_mut().events.push(Event::Text("new".to_owned()));
        stage.settle();
        assert_eq!(stage.value_of("Name"), renamed, "{name}");
    }
}

/// A form for a new text that is filled in, with the pointer on its button for creating.
struct FilledForm {
    stage: Stage,
    create: egui::Pos2,
}

impl FilledForm {
    fn new() -> Self {
        let mut stage = Stage::embedded();
        stage.ctrl(Key::Num3);
        stage.press("New from text…");
        stage.type_into("Name", "once.md");
        stage.find(Role::MultilineTextInput, "Text").focus();
        stage.harness.step();
        stage.find(Role::MultilineTextInput, "Text").type_text("once");
        stage.harness.step();
        let create = stage.find(Role::Button, "Create").rect().center();
        stage.harness.input_mut().events.push(Event::PointerMoved(create));
        Self { stage, create }
    }

    /// Adds a click to the input of the next frame.
    fn click(&mut self) {
        let (pos, button, modifiers) = (self.create, egui::PointerButton::Primary, Modifiers::NONE);
        let event = |pressed| Event::PointerButton { pos, button, pressed, modifiers };
        self.stage.harness.input_mut().events.extend([event(true), event(false)]);
    }

    fn assert_one_asset(mut self) {
        self.stage.until_label("Rename once.md");
        assert_eq!(number_of_assets(&self.stage), 1);
    }
}

#[test]
fn clicks_before_the_answer_create_one_asset() {
    let mut form = FilledForm::new();
    // Two clicks in one frame, as on a busy machine, and one in each of the next two, before anything is answered.
    form.click();
    for _ in 0..3 {
        form.click();
        form.stage.harness.step();
    }
    form.assert_one_asset();
}

#[test]
fn a_click_that_arrives_with_the_answer_creates_no_second_asset() {
    let mut form = FilledForm::new();
    form.click();
    form.stage.harness.step();
    // No frame is drawn until the service has the asset.
    while number_of_assets(&form.stage) == 0 {}
    form.click();
    form.assert_one_asset();
}

/// Returns how many assets the service has.
fn number_of_assets(stage: &Stage) -> usize {
    let all = AssetsSnapshot { transferables: None, suggested: None, pseudo: None, offset: None, limit: None };
    stage.call(all).expect("the assets").view().iterable().len()
}

#[test]
fn tab_and_space_go_to_the_next_field_and_clear_none() {
    let (mut stage, _) = looking_at("kept.txt", "text");
    stage.press("Edit");
    stage.find(Role::TextInput, "Name").focus();
    stage.harness.step();
    stage.key(Key::Tab);
    stage.harness.input_mut().events.push(Event::Text(" two words".to_owned()));
    stage.settle();
    assert_eq!(stage.value_of("Name"), "kept.txt");
    let description = stage.find(Role::MultilineTextInput, "Description").accesskit_node().value();
    assert_eq!(description.as_deref(), Some(" two words"));
}

#[test]
fn the_path_of_a_failed_save_stays_for_the_next_attempt() {
    let (mut stage, _) = looking_at("a.txt", "text");
    let folder = stage.folder.path().to_owned();
    let missing = folder.join("missing").join("a.md").display().to_string();
    stage.press("Export");
    stage.press_once_enabled("Save to a path…");
    type_and_return(&mut stage, &missing);
    stage.until_said("Could not save");
    assert_eq!(stage.value_of("Path to save to"), missing);
    std::fs::create_dir(folder.join("missing")).expect("made");
    stage.press("Save");
    stage.until_drawn("it is saved", |_| folder.join("missing").join("a.md").exists());
    stage.until_drawn("the field is closed", |harness| {
        harness.query_by_role_and_label(Role::TextInput, "Path to save to").is_none()
    });
}
