//! Editing the text of an asset in place of its preview.

use std::sync::Arc;

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::asset::Format;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetSnapshot, AssetUpdate, FormatUpdateValue};
use lunette_inspector::action::{DraftsAction, HistoryAction, SessionAction, WriteAction};
use lunette_inspector::assets::page::Content;
use lunette_inspector::change::{Change, Edit, Field, LinkKind};
use lunette_inspector::drafts::{Draft, DraftKey, Typed};
use lunette_inspector::{Action, WritePolicy};
use serde_json::Value;

use crate::dialogs::conflict::until_contested;
use crate::dialogs::plan::writes;
use crate::panels::asset_page::{at_service, looking_at, open, settle};
use crate::stage::Stage;
use crate::support::assets::record;

const FIELD: &str = "Text of the asset";

/// Returns the text of an asset as the service holds it.
pub fn text_at_service(stage: &Stage, id: &AssetId) -> String {
    let asset = stage.call(AssetSnapshot { asset: id.clone(), transferables: Some(true) }).expect("the asset");
    let text = asset.tree().pointer("/original/reference/fragment/string/raw");
    text.and_then(|text| text.as_str()).expect("a text").to_owned()
}

/// Opens the editor, and replaces its text.
pub fn type_text(stage: &mut Stage, text: &str) {
    if !stage.draws(Role::MultilineTextInput, FIELD) {
        stage.key(Key::F4);
        stage.until_label(FIELD);
    }
    stage.find(Role::MultilineTextInput, FIELD).focus();
    stage.settle();
    stage.ctrl(Key::A);
    stage.find(Role::MultilineTextInput, FIELD).type_text(text);
    stage.settle();
}

fn shown(stage: &Stage, id: &AssetId) -> Option<String> {
    match stage.state().assets.pages.of.get(id)?.content.value()? {
        Content::Text(text) => Some(text.to_string()),
        _ => None,
    }
}

/// Returns the text in the editor.
fn typed(stage: &Stage) -> String {
    stage.find(Role::MultilineTextInput, FIELD).accesskit_node().value().unwrap_or_default()
}

/// Changes the text as another client.
pub fn change_elsewhere(stage: &Stage, id: &AssetId, text: &str) {
    let asset = stage.call(AssetSnapshot { asset: id.clone(), transferables: Some(true) }).expect("the asset");
    let mut format = asset.tree().pointer("/formats/iterable/0").expect("a format").clone();
    format["fragment"]["string"]["raw"] = text.into();
    let format = Format::from_tree(format).expect("a format");
    stage.call(FormatUpdateValue { transferable: Some(false), format: Some(format) }).expect("updated");
}

#[test]
fn a_text_can_be_edited_saved_undone_and_redone() {
    let (mut stage, id) = looking_at("a.rs", "fn one() {}\n");
    stage.press("Edit the text…");
    stage.until_label(FIELD);
    assert!(stage.find(Role::MultilineTextInput, FIELD).accesskit_node().is_focused());
    assert!(stage.find(Role::Button, "Save").accesskit_node().is_disabled(), "nothing has changed yet");
    type_text(&mut stage, "fn two() {}\n");
    stage.press("Save");
    stage.until_drawn("the editor is closed", |harness| {
        harness.query_by_role_and_label(Role::MultilineTextInput, FIELD).is_none()
    });
    settle(&mut stage, &id);
    assert_eq!(text_at_service(&stage, &id), "fn two() {}\n");
    assert_eq!(shown(&stage, &id).as_deref(), Some("fn two() {}\n"));
    assert_eq!(writes(&stage), 1);
    assert!(stage.state().drafts.typed.is_empty());
    for (action, text) in [
        (Action::History(HistoryAction::Undo), "fn one() {}\n"),
        (Action::History(HistoryAction::Redo), "fn two() {}\n"),
    ] {
        let steps = stage.state().history.entries.len();
        stage.perform(action);
        stage.until("the step has ended", |state| {
            state.history.entries.len() > steps && state.write.planned.is_none() && !state.write.is_writing()
        });
        assert_eq!(text_at_service(&stage, &id), text);
        assert_eq!(shown(&stage, &id).as_deref(), Some(text));
    }
}

#[test]
fn a_key_copies_neither_the_record_nor_the_original_text() {
    let (mut stage, id) = looking_at("a.txt", "one");
    type_text(&mut stage, "two");
    let draft = |stage: &Stage| stage.state().drafts.typed[&DraftKey::Text(id.clone())].clone();
    let from = |draft: &Draft| match &draft.typed {
        Typed::Texts(texts) => Arc::clone(&texts["from"]),
        other => panic!("two texts are kept, not {other:?}"),
    };
    let before = draft(&stage);
    stage.find(Role::MultilineTextInput, FIELD).type_text(" and more");
    stage.settle();
    let after = draft(&stage);
    assert_eq!(after.typed.text("text"), Some("two and more"));
    assert!(Arc::ptr_eq(&before.base, &after.base) && Arc::ptr_eq(&from(&before), &from(&after)));
}

#[test]
fn keys_open_and_save_the_editor_and_tab_is_typed_into_it() {
    let (mut stage, id) = looking_at("a.txt", "one");
    type_text(&mut stage, "two");
    stage.key(Key::Tab);
    stage.harness.key_press_modifiers(Modifiers::COMMAND, Key::Enter);
    stage.until("it is saved", |state| state.notifications.outcome.is_some());
    settle(&mut stage, &id);
    assert_eq!(text_at_service(&stage, &id), "two\t");
}

#[test]
fn input_survives_a_restart_and_cancel_discards_it() {
    let (mut stage, id) = looking_at("a.txt", "one");
    type_text(&mut stage, "two");
    let mut stage = stage.reopened();
    open(&mut stage, &id);
    stage.until_label("Continue editing the text of this asset");
    stage.press("Continue editing the text of this asset");
    stage.until_label(FIELD);
    assert_eq!(typed(&stage), "two");
    stage.press("Cancel");
    stage.until("the draft is gone", |state| state.drafts.typed.is_empty());
    assert!(!stage.draws(Role::MultilineTextInput, FIELD));
    assert_eq!((text_at_service(&stage, &id).as_str(), writes(&stage)), ("one", 0));
}

#[test]
fn a_text_changed_elsewhere_is_not_overwritten() {
    let (mut stage, id) = looking_at("a.txt", "one");
    type_text(&mut stage, "mine");
    change_elsewhere(&stage, &id, "theirs");
    stage.press("Save");
    until_contested(&mut stage, &["Text: began with \"one\", yours \"mine\", theirs \"theirs\""]);
    assert_eq!((text_at_service(&stage, &id).as_str(), writes(&stage)), ("theirs", 0));
    stage.press("Close, keep my draft");
    stage.until("the conflict is over", |state| state.write.conflict.is_none());
    assert_eq!(typed(&stage), "mine");
    stage.press_once_enabled("Save");
    stage.until("it is contested again", |state| state.write.conflict.is_some());
    stage.until_label("Take all of yours");
    stage.press("Take all of yours");
    stage.press_once_enabled("Merge");
    stage.until("it is saved", |state| state.notifications.outcome.is_some());
    settle(&mut stage, &id);
    assert_eq!(text_at_service(&stage, &id), "mine");
}

#[test]
fn the_report_of_a_remote_change_does_not_intercept_clicks_on_the_editor() {
    let (mut stage, id) = looking_at("a.txt", "one");
    type_text(&mut stage, "mine");
    let save = |stage: &Stage| stage.find(Role::Button, "Save").accesskit_node().id();
    let before = save(&stage);
    change_elsewhere(&stage, &id, "theirs");
    stage.until_said("Changed elsewhere");
    // A click belongs to a control by its id: it is lost if that changes between press and release.
    assert_eq!(save(&stage), before);
}

/// Changes the record as another client.
pub fn change_record_elsewhere(stage: &Stage, id: &AssetId, change: impl FnOnce(&mut Value)) {
    let mut tree = at_service(stage, id);
    change(&mut tree);
    stage.call(AssetUpdate { transferables: Some(false), asset: Some(record(tree)) }).expect("updated");
}

#[test]
fn own_changes_of_other_fields_are_not_reported_as_made_elsewhere_while_the_text_is_edited() {
    let (mut stage, id) = looking_at("a.txt", "one");
    type_text(&mut stage, "mine");
    let edits = vec![Edit { field: Field::Name, from: None, to: "own.txt".into() }];
    let tag = LinkKind::Tag;
    let link = Change::LinkNew { asset: id.clone(), kind: tag, text: "own".to_owned(), url: None, unlink: Vec::new() };
    for change in [Change::Edit { asset: id.clone(), edits }, link] {
        stage.perform(WriteAction::Change(change.clone()));
        stage.until("it is written", |state| {
            state
                .notifications
                .outcome
                .as_ref()
                .is_some_and(|outcome| change.done().starts_with("Renamed") == outcome.text.starts_with("Renamed"))
        });
        settle(&mut stage, &id);
        stage.harness.run_steps(8);
        assert!(!stage.says("Changed elsewhere"));
    }
    // What others change is still reported, alone.
    change_record_elsewhere(&stage, &id, |tree| tree["favorited"] = true.into());
    stage.until_said("Changed elsewhere");
    stage.press("Show the difference");
    stage.until_said("Favourite: ");
    assert!(!stage.says("Name: ") && !stage.says(" is added"), "own changes are not listed");
    change_record_elsewhere(&stage, &id, |tree| tree["name"] = "theirs.txt".into());
    stage.until_said("Name: \"own.txt\" becomes \"theirs.txt\"");
    assert_eq!(typed(&stage), "mine");
}

#[test]
fn a_change_made_elsewhere_before_an_own_one_is_reported_while_the_text_is_edited() {
    let (mut stage, id) = looking_at("a.txt", "one");
    type_text(&mut stage, "mine");
    change_record_elsewhere(&stage, &id, |tree| tree["favorited"] = true.into());
    let edits = vec![Edit { field: Field::Name, from: None, to: "own.txt".into() }];
    stage.perform(WriteAction::Change(Change::Edit { asset: id.clone(), edits }));
    stage.until("it is written", |state| state.notifications.outcome.is_some());
    stage.until_said("Changed elsewhere");
    stage.press("Show the difference");
    stage.until_said("Favourite: ");
    assert!(!stage.says("Name: "));
}

#[test]
fn line_endings_are_kept() {
    let (mut stage, id) = looking_at("a.txt", "one\r\ntwo\r\n");
    type_text(&mut stage, "one\nthree\n");
    stage.press("Save");
    stage.until("it is saved", |state| state.notifications.outcome.is_some());
    settle(&mut stage, &id);
    assert_eq!(text_at_service(&stage, &id), "one\r\nthree\r\n");
}

#[test]
fn input_is_neither_sent_nor_lost_when_the_service_is_gone() {
    let (mut stage, id) = looking_at("a.txt", "one");
    type_text(&mut stage, "two");
    stage.lose_service();
    stage.until_drawn("it cannot be saved", |harness| {
        harness.query_by_role_and_label(Role::Button, "Save").is_some_and(|save| save.accesskit_node().is_disabled())
    });
    assert_eq!((typed(&stage).as_str(), writes(&stage)), ("two", 0));
    assert!(stage.state().assets.pages.of.contains_key(&id));
}

#[test]
fn a_text_change_from_a_plan_file_or_the_history_has_a_title() {
    let change = Change::Text { asset: AssetId::random(), from: "a".to_owned(), to: "b".to_owned() };
    assert_eq!(change.done(), "Changed the text");
    let written = serde_json::to_string(&change).expect("JSON");
    assert_eq!(serde_json::from_str::<Change>(&written).expect("a change"), change);
}

/// The height of the status bar, in points.
const STATUS_BAR: f32 = 28.0;

#[test]
fn save_stays_visible_in_a_low_window_with_several_banners() {
    let mut stage = Stage::embedded();
    let id = stage.asset("a.txt", &"a line\n".repeat(200));
    open(&mut stage, &id);
    stage.until("its content is there", |state| state.page().is_some_and(|(_, page)| page.content.value().is_some()));
    type_text(&mut stage, "mine");
    let (typed, at) = (serde_json::json!({ "name": "another" }), "2026-01-01T00:00:00Z".to_owned());
    for key in [DraftKey::Fields(id.clone()), DraftKey::Record(id.clone())] {
        let base = Arc::clone(&stage.state().drafts.typed[&DraftKey::Text(id.clone())].base);
        let draft = Draft { base, typed: typed.clone().into(), at: at.clone() };
        stage.perform(DraftsAction::Save(key, Some(draft)));
    }
    change_elsewhere(&stage, &id, "theirs");
    stage.until_said("Changed elsewhere");
    stage.press("Show the difference");
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    for size in [egui::vec2(800.0, 600.0), egui::vec2(1280.0, 600.0)] {
        stage.harness.set_size(size);
        stage.harness.run_steps(4);
        assert!(stage.says("Unsaved changes to this record") && stage.says("Every change is shown"), "both banners");
        for button in ["Save", "Cancel"] {
            let rect = stage.find(Role::Button, button).rect();
            assert!(rect.bottom() <= size.y - STATUS_BAR, "{button} of a window of {size:?} is at {rect:?}");
        }
        let field = stage.find(Role::MultilineTextInput, FIELD).rect();
        assert!(field.top() < stage.find(Role::Button, "Save").rect().top() - 40.0, "a line can be typed: {field:?}");
    }
}

#[test]
fn a_text_that_was_saved_here_is_not_reported_as_changed_elsewhere() {
    let (mut stage, id) = looking_at("a.txt", "one");
    type_text(&mut stage, "a longer text");
    stage.ctrl(Key::Enter);
    // The editor stays open, and is not drawn when the response comes.
    stage.find(Role::Tab, "Versions").click_accesskit();
    stage.until("it is saved", |state| state.notifications.outcome.is_some());
    settle(&mut stage, &id);
    for _ in 0..4 {
        stage.settle();
        assert!(!stage.says("Changed elsewhere"));
    }
    stage.find(Role::Tab, "Preview").click_accesskit();
    stage.settle();
    assert_eq!(typed(&stage), "a longer text");
    // What another client changes then is reported.
    change_elsewhere(&stage, &id, "theirs");
    stage.until_said("Changed elsewhere");
}

#[test]
fn a_report_that_nearly_fits_is_drawn_once_a_frame() {
    let mut stage = Stage::embedded();
    let id = stage.asset("a.txt", &"a line\n".repeat(200));
    open(&mut stage, &id);
    stage.until("its content is there", |state| state.page().is_some_and(|(_, page)| page.content.value().is_some()));
    type_text(&mut stage, "mine");
    change_elsewhere(&stage, &id, "theirs");
    stage.until_said("Changed elsewhere");
    stage.press("Show the difference");
    for height in (560..=1_000).step_by(8) {
        stage.harness.set_size(egui::vec2(1_280.0, height as f32));
        stage.harness.run_steps(6);
        let before = stage.harness.ctx.cumulative_pass_nr();
        stage.harness.run_steps(4);
        let passes = stage.harness.ctx.cumulative_pass_nr() - before;
        assert_eq!(passes, 4, "each frame of a window {height} points high is drawn once");
    }
}
