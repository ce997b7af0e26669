//! A new asset of what is on the clipboard, by one key.

use std::sync::Arc;

use egui::{Color32, ColorImage, Event, OutputCommand};
use lunette::ui::command::Command;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSnapshot;
use lunette_inspector::action::HistoryAction;

use crate::dialogs::plan::writes;
use crate::stage::Stage;

/// Presses the key; the toolkit answers with what is on the clipboard.
fn capture(stage: &mut Stage, clipboard: Option<Event>) {
    let (modifiers, key) = Command::NewFromClipboard.row().keys[0].parts();
    stage.harness.key_press_modifiers(modifiers, key);
    stage.harness.step();
    if let Some(event) = clipboard {
        stage.harness.event(event);
    }
    stage.settle();
}

#[test]
fn a_text_on_the_clipboard_becomes_an_asset_by_one_key_and_undo_removes_it() {
    let mut stage = Stage::embedded();
    capture(&mut stage, Some(Event::Paste("SELECT 1;\nSELECT 2;".to_owned())));
    stage.until("it is an asset", |state| state.assets.list.count() == 1);
    let asset = stage.state().assets.list.shown(0).expect("a row").id();
    let read = AssetSnapshot { asset: asset.clone(), transferables: Some(true) };
    let record = stage.call(read).expect("the asset");
    assert_eq!(record.view().name(), Some("SELECT 1;"));
    assert!(record.tree().to_string().contains(r"SELECT 1;\nSELECT 2;"));
    stage.until("it is opened", |state| state.assets.pages.open.as_ref() == Some(&asset) && state.work.is_empty());
    stage.perform(HistoryAction::Undo);
    stage.until("it is gone", |state| state.assets.list.count() == 0);
}

#[test]
fn a_picture_on_the_clipboard_becomes_a_png_file() {
    let mut stage = Stage::embedded();
    let image = ColorImage::filled([3, 2], Color32::RED);
    capture(&mut stage, Some(Event::PasteImage(Arc::new(image))));
    stage.until("it is an asset", |state| state.assets.list.count() == 1);
    let row = stage.state().assets.list.shown(0).expect("a row");
    assert!(row.name().starts_with("Clipboard ") && row.name().ends_with(".png"), "{}", row.name());
    let undoable = |state: &lunette_inspector::State| state.history.last().is_some();
    stage.until("it can be undone", undoable);
}

#[test]
fn an_empty_clipboard_says_so_and_makes_nothing() {
    let mut stage = Stage::embedded();
    capture(&mut stage, None);
    stage.until_said("The clipboard has neither text nor a picture");
    assert_eq!(writes(&stage), 0);
    let copied = |command: &OutputCommand| matches!(command, OutputCommand::CopyText(_));
    assert!(!stage.harness.output().platform_output.commands.iter().any(copied));
}
