//! Input typed while a write is in progress: it is not part of the write, so it stays in the field and in the draft.

use std::sync::Arc;

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{AssetUpdate, AssetsCreateNewAsset, FormatUpdateValue};
use lunette_inspector::drafts::DraftKey;

use crate::dialogs::edit_text::text_at_service;
use crate::dialogs::forms::type_lines;
use crate::panels::asset_page::{at_service, open, settle};
use crate::stage::Stage;
use crate::support::gate::{Gate, held};
use crate::support::mutating_proxy::MutatingProxy;

/// A window with an open asset, on a service whose first response for a path is held back.
struct Held {
    stage: Stage,
    id: AssetId,
    wall: MutatingProxy,
    gate: Arc<Gate>,
    path: &'static str,
    /// Keeps the service itself running.
    _behind: Stage,
}

impl Held {
    fn at(path: &'static str) -> Self {
        let behind = Stage::embedded();
        let id = behind.asset("a.txt", "text");
        let (wall, gate) = held(behind.port(), path.to_owned());
        let mut stage = Stage::patient(&wall.url());
        stage.harness.set_size(egui::vec2(1280.0, 1400.0));
        stage.until_idle();
        open(&mut stage, &id);
        Self { stage, id, wall, gate, path, _behind: behind }
    }

    fn until_sent(&mut self) {
        let Self { stage, wall, path, .. } = self;
        stage.until("it is on its way", |_| wall.asked().iter().any(|asked| asked.path == *path));
    }
}

fn lines(stage: &Stage, field: &str) -> String {
    stage.find(Role::MultilineTextInput, field).accesskit_node().value().unwrap_or_default()
}

#[test]
fn input_typed_after_save_is_kept_and_saved_by_the_next_save() {
    let mut held = Held::at(AssetUpdate::INFO.path);
    held.stage.press("Edit");
    type_lines(&mut held.stage, "Description", "first");
    held.stage.press("Save");
    held.until_sent();
    type_lines(&mut held.stage, "Description", " second");
    let typed = lines(&held.stage, "Description");
    assert!(typed.contains("first") && typed.contains("second"), "{typed}");
    held.gate.open();
    let Held { mut stage, id, .. } = held;
    stage.until_said("is not saved yet");
    assert_eq!(lines(&stage, "Description"), typed);
    assert_eq!(at_service(&stage, &id)["annotations"]["iterable"][0]["text"], "first");
    let draft = stage.state().drafts.typed.get(&DraftKey::Fields(id.clone())).expect("it is kept on disk");
    assert_eq!(draft.typed.text("description"), Some(typed.as_str()));
    assert_eq!(draft.base["annotations"]["iterable"][0]["text"], "first", "measured by what was saved");
    stage.press("Save");
    stage.until_drawn("the form is closed", |harness| harness.query_by_role(Role::Dialog).is_none());
    settle(&mut stage, &id);
    assert_eq!(at_service(&stage, &id)["annotations"]["iterable"][0]["text"], typed);
    stage.until("the draft is gone", |state| state.drafts.typed.is_empty());
}

#[test]
fn text_typed_after_save_is_a_draft_of_the_saved_text() {
    let mut held = Held::at(FormatUpdateValue::INFO.path);
    held.stage.key(Key::F4);
    held.stage.until_label("Text of the asset");
    type_lines(&mut held.stage, "Text of the asset", "first ");
    held.stage.press("Save");
    held.until_sent();
    type_lines(&mut held.stage, "Text of the asset", "second ");
    let typed = lines(&held.stage, "Text of the asset");
    held.gate.open();
    let Held { mut stage, id, .. } = held;
    stage.until_said("is not saved yet");
    stage.harness.run_steps(2);
    let draft = stage.state().drafts.typed.get(&DraftKey::Text(id.clone())).expect("it is kept on disk");
    assert_eq!((draft.typed.text("from"), draft.typed.text("text")), (Some("first text"), Some(typed.as_str())));
    stage.press_once_enabled("Save");
    stage.until("the draft is gone", |state| state.drafts.typed.is_empty());
    assert!(stage.state().write.conflict.is_none());
    assert_eq!(text_at_service(&stage, &id), typed);
}

#[test]
fn text_typed_after_create_is_kept() {
    let mut held = Held::at(AssetsCreateNewAsset::INFO.path);
    held.stage.ctrl(Key::N);
    held.stage.type_into("Name", "notes.md");
    type_lines(&mut held.stage, "Text", "first");
    held.stage.press("Create");
    held.until_sent();
    type_lines(&mut held.stage, "Text", " second");
    let typed = lines(&held.stage, "Text");
    held.gate.open();
    held.stage.until_said("was created with the text at the time you pressed Create");
    assert!(typed.contains("first") && typed.contains("second"), "{typed}");
    assert_eq!(lines(&held.stage, "Text"), typed);
    let draft = held.stage.state().drafts.typed.get(&DraftKey::NewText).expect("it is kept on disk");
    assert_eq!(draft.typed.text("text"), Some(typed.as_str()));
    let made = held.stage.state().assets.pages.open.clone().expect("the new asset is looked at");
    assert_eq!(at_service(&held.stage, &made)["name"], "notes.md");
}

#[test]
fn a_name_typed_after_enter_is_kept() {
    let mut held = Held::at(AssetUpdate::INFO.path);
    held.stage.press("Rename a.txt");
    held.stage.ctrl(Key::A);
    held.stage.find(Role::TextInput, "Name").type_text("first.txt");
    held.stage.harness.run_steps(2);
    held.stage.key(Key::Enter);
    held.until_sent();
    held.stage.type_into("Name", "-second");
    let typed = held.stage.value_of("Name");
    held.gate.open();
    let Held { mut stage, id, .. } = held;
    settle(&mut stage, &id);
    stage.harness.run_steps(4);
    assert_eq!(at_service(&stage, &id)["name"], "first.txt");
    assert!(typed.contains("second"), "{typed}");
    assert_eq!(stage.value_of("Name"), typed);
}
