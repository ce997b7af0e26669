//! Input methods: composed text is shown while it is composed, and committed afterwards, in every field.

use egui::accesskit::Role as Node;
use egui::{Event, ImeEvent};
use egui_kittest::kittest::{By, NodeT as _, Queryable as _};
use lunette_inspector::action::NavigationAction;
use lunette_inspector::panel::Panel;

use crate::panels::asset_page::looking_at;
use crate::stage::Stage;

/// The fields behind a dialog.
const BEHIND: [&str; 1] = ["Filter assets"];

/// Returns the names of the editable fields.
fn fields(stage: &Stage) -> Vec<(Node, String)> {
    let found = stage.harness.query_all(By::new().predicate(|node| {
        matches!(node.role(), Node::TextInput | Node::SearchInput | Node::MultilineTextInput)
            && !node.is_disabled()
            && !node.is_read_only()
    }));
    let named = found.map(|node| (node.accesskit_node().role(), node.accesskit_node().label().unwrap_or_default()));
    // Fields behind a dialog are not editable.
    let dialog = stage.harness.query_all_by_role(Node::Dialog).next().is_some();
    named.filter(|(_, name)| !dialog || !BEHIND.contains(&name.as_str())).collect()
}

fn value(stage: &Stage, (role, name): &(Node, String)) -> String {
    let field = stage.harness.get_by_role_and_label(*role, name);
    field.accesskit_node().value().unwrap_or_default()
}

/// Composes 日本 in each field like a Japanese input method: kana first, then the chosen word.
fn compose_into_all(stage: &mut Stage, where_: &str) {
    let fields = fields(stage);
    assert!(!fields.is_empty(), "there is a field in {where_}");
    for field in fields {
        let before = value(stage, &field);
        stage.harness.get_by_role_and_label(field.0, &field.1).focus();
        stage.harness.step();
        let kana = ImeEvent::Preedit { text: "にほ".to_owned(), active_range_chars: Some(0..2) };
        stage.harness.event(Event::Ime(kana));
        stage.harness.step();
        assert!(value(stage, &field).contains("にほ"), "{field:?} in {where_}");
        stage.harness.event(Event::Ime(ImeEvent::Commit("日本".to_owned())));
        stage.harness.step();
        let after = value(stage, &field);
        assert!(after.contains("日本") && !after.contains("にほ"), "{field:?} in {where_}: {after:?}, was {before:?}");
        for _ in 0..2 {
            stage.harness.key_press(egui::Key::Backspace);
            stage.harness.step();
        }
        assert_eq!(value(stage, &field), before, "{field:?} in {where_}: taken back by two strokes");
    }
}

#[test]
fn the_fields_of_every_panel_take_composed_text() {
    let mut stage = Stage::embedded();
    stage.asset("a.txt", "text");
    stage.until("the asset is listed", |state| state.assets.list.count() == 1);
    for panel in [Panel::Applications, Panel::External, Panel::Assets, Panel::Operations, Panel::Log, Panel::History] {
        stage.perform(NavigationAction::Show(panel));
        stage.settle();
        if !fields(&stage).is_empty() {
            compose_into_all(&mut stage, panel.name());
        }
    }
}

#[test]
fn the_forms_of_an_asset_take_composed_text() {
    let (mut stage, _) = looking_at("a.txt", "text");
    for (button, form) in [("Edit", "the form to edit"), ("Reclassify", "the list of languages")] {
        stage.press(button);
        compose_into_all(&mut stage, form);
        stage.key(egui::Key::Escape);
    }
}

#[test]
fn the_palette_finds_text_composed_with_an_input_method() {
    let mut stage = Stage::embedded();
    stage.asset("日本語.txt", "text");
    stage.until("the asset is listed", |state| state.assets.list.count() == 1);
    stage.ctrl(egui::Key::K);
    stage.harness.event(Event::Ime(ImeEvent::Commit("日本".to_owned())));
    stage.until_said("日本語.txt");
}
