//! Daily tasks take few clicks and keys: counted here, with the real pointer and the real keys.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Event, Key, Modifiers, PointerButton, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette::ui::command::Command;
use lunette_client::model::id::AssetId;
use lunette_inspector::journal::{Entry, Outcome};
use lunette_inspector::panel::Panel;
use lunette_inspector::runs::RunStatus;
use serde_json::Value;

use crate::panels::asset_page::at_service;
use crate::stage::Stage;

/// A user at the window, and the number of clicks and keys so far.
struct User {
    stage: Stage,
    clicks: usize,
    keys: usize,
}

impl User {
    /// At an empty window.
    fn new() -> Self {
        Self { stage: Stage::embedded(), clicks: 0, keys: 0 }
    }

    /// At a window with this many assets, `file 0.txt` the last of them, showing the assets panel.
    fn with_assets(count: usize) -> (Self, Vec<AssetId>) {
        let mut user = Self::new();
        let ids = (0..count).map(|number| user.stage.asset(&format!("file {number}.txt"), "text")).collect();
        user.stage
            .until("they are listed", |state| state.assets.list.count() == count && !state.assets.list.rows.loading());
        user.stage.ctrl(Key::Num3);
        (user, ids)
    }

    /// At a window with one open asset.
    fn looking() -> (Self, AssetId) {
        let (mut user, ids) = Self::with_assets(1);
        user.open("file 0.txt");
        let id = ids.into_iter().next().expect("one");
        (Self { clicks: 0, ..user }, id)
    }

    /// Waits for a control and clicks it with the pointer.
    fn click(&mut self, role: Role, name: &str) {
        self.until_usable(role, name);
        self.stage.harness.run_steps(3);
        let pos = self.stage.find(role, name).rect().center();
        let button =
            |pressed| Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE };
        for event in [Event::PointerMoved(pos), button(true), button(false)] {
            self.stage.harness.event(event);
            self.stage.harness.step();
        }
        self.clicks += 1;
        self.stage.settle();
    }

    /// Waits until a control is enabled.
    fn until_usable(&mut self, role: Role, name: &str) {
        let wanted = name.to_owned();
        self.stage.until_drawn(&format!("{name:?} can be used"), move |harness| {
            harness.query_all_by_role_and_label(role, &wanted).any(|node| !node.accesskit_node().is_disabled())
        });
    }

    /// Opens an asset of the list.
    fn open(&mut self, name: &str) {
        self.click(Role::Row, name);
        let rename = format!("Rename {name}");
        self.stage.until_label(&rename);
        self.stage.until("it is read", |state| state.work.is_empty());
    }

    /// Presses the keys of a command, which count as one.
    fn command(&mut self, command: Command) {
        let (modifiers, key) = command.row().keys[0].parts();
        self.press(modifiers, key);
    }

    fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.stage.harness.key_press_modifiers(modifiers, key);
        self.keys += 1;
        self.stage.settle();
        self.stage.harness.run_steps(3);
    }

    /// Types into whatever has the focus; each letter counts.
    fn type_text(&mut self, text: &str) {
        for letter in text.chars() {
            self.stage.harness.event(Event::Text(letter.to_string()));
            self.stage.harness.step();
            self.keys += 1;
        }
        self.stage.settle();
    }

    /// Waits until the requested changes have been made.
    fn until_done(&mut self) {
        self.stage.until("everything is sent", |state| {
            let sent = |entry: &Arc<Entry>| entry.outcome == Outcome::Done;
            let runs = state.bulk.runs.values().all(|run| run.status == RunStatus::Ended);
            runs && !state.write.is_writing()
                && !state.history.entries.is_empty()
                && state.history.entries.iter().all(sent)
        });
    }

    #[track_caller]
    fn took_at_most(&self, clicks: usize, keys: usize) {
        let took = (self.clicks, self.keys);
        assert!(took.0 <= clicks && took.1 <= keys, "{took:?} clicks and keys, at most {:?} wanted", (clicks, keys));
    }
}

fn tags(stage: &Stage, id: &AssetId) -> BTreeSet<String> {
    let asset = at_service(stage, id);
    let tags = asset["tags"]["iterable"].as_array().cloned().unwrap_or_default();
    tags.iter().filter_map(|tag| tag["text"].as_str().map(str::to_owned)).collect()
}

#[test]
fn a_folder_is_imported_with_two_clicks() {
    let mut user = User::new();
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..3 {
        std::fs::write(folder.path().join(format!("{number}.txt")), "text").expect("a file");
    }
    user.stage.picked.set(vec![folder.path().to_owned()]);
    user.stage.ctrl(Key::Num3);
    user.click(Role::Button, "Import a folder…");
    user.stage.until("they are listed", |state| state.assets.list.count() == 3);
    user.took_at_most(2, 0);
}

#[test]
fn an_asset_is_found_and_opened_with_its_name_and_one_click() {
    let (mut user, ids) = User::with_assets(20);
    user.command(Command::Find);
    user.type_text("17.txt");
    user.stage.until("it is found", |state| state.assets.list.order.len() == 1);
    user.open("file 17.txt");
    assert_eq!(user.stage.state().assets.pages.open.as_ref(), Some(&ids[17]));
    user.took_at_most(2, 8);
}

#[test]
fn an_asset_is_tagged_by_the_name_of_the_tag_and_two_keys() {
    let (mut user, id) = User::looking();
    user.command(Command::Tag);
    user.type_text("todo");
    user.press(Modifiers::NONE, Key::Enter);
    user.until_done();
    assert_eq!(tags(&user.stage, &id), ["todo".to_owned()].into());
    user.took_at_most(0, 7);
}

#[test]
fn a_website_is_linked_by_its_address_and_three_keys() {
    let (mut user, id) = User::looking();
    user.command(Command::Website);
    user.type_text("https://example.org/a/page/of/it");
    user.press(Modifiers::NONE, Key::Enter);
    user.stage.until_label("Add website");
    user.press(Modifiers::NONE, Key::Enter);
    user.until_done();
    assert_eq!(at_service(&user.stage, &id)["websites"]["iterable"].as_array().map(Vec::len), Some(1));
    user.took_at_most(0, 42);
}

#[test]
fn an_asset_is_reclassified_by_typing_the_start_of_a_language() {
    let (mut user, id) = User::looking();
    user.command(Command::Reclassify);
    user.type_text("rus");
    user.press(Modifiers::NONE, Key::Enter);
    user.until_done();
    let format = &at_service(&user.stage, &id)["original"]["reference"]["classification"]["specific"];
    assert_eq!(format, &Value::from("rs"));
    user.took_at_most(1, 5);
}

#[test]
fn a_score_is_incremented_with_two_keys_or_two_clicks() {
    let (mut user, id) = User::looking();
    user.command(Command::Score);
    user.until_usable(Role::Button, "Increment reuse");
    user.press(Modifiers::COMMAND, Key::Enter);
    user.until_done();
    assert_eq!(at_service(&user.stage, &id)["score"]["reuse"], 1);
    user.took_at_most(0, 2);
    user.keys = 0;
    user.click(Role::Button, "Score 1 +");
    user.click(Role::Button, "Increment reuse");
    user.until_done();
    user.stage.until("it is counted", |state| state.history.entries.len() == 2);
    assert_eq!(at_service(&user.stage, &id)["score"]["reuse"], 2);
    user.took_at_most(2, 0);
}

#[test]
fn an_asset_is_exported_with_five_clicks() {
    let (mut user, _) = User::looking();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file.md");
    user.stage.picked.set(vec![path.clone()]);
    user.click(Role::Button, "Export");
    user.click(Role::RadioButton, "MD");
    user.stage.until("it is exported", |state| state.work.is_empty());
    user.click(Role::Button, "Save…");
    user.stage.until("it is saved", |_| path.exists());
    user.took_at_most(5, 0);
}

#[test]
fn twenty_assets_are_tagged_with_the_tag_name_and_four_keys() {
    let (mut user, ids) = User::with_assets(20);
    user.press(Modifiers::COMMAND, Key::A);
    user.command(Command::Tag);
    user.type_text("todo");
    user.press(Modifiers::NONE, Key::Enter);
    user.until_usable(Role::Button, "Apply to 20 assets");
    user.press(Modifiers::COMMAND, Key::Enter);
    user.until_done();
    assert!(ids.iter().all(|id| tags(&user.stage, id).contains("todo")));
    user.took_at_most(5, 22);
}

#[test]
fn a_deleted_asset_is_restored_with_four_clicks_and_keys() {
    let (mut user, id) = User::looking();
    user.command(Command::Delete);
    user.stage.until("it is deleted", |state| state.assets.list.count() == 0);
    user.click(Role::Button, "Show Trash");
    user.click(Role::Row, "file 0.txt");
    user.click(Role::Button, "Restore");
    user.stage.until("it is back", |state| state.assets.list.count() == 1);
    assert_eq!(at_service(&user.stage, &id)["name"], "file 0.txt");
    user.took_at_most(3, 1);
}

#[test]
fn the_last_step_is_undone_with_one_key() {
    let (mut user, id) = User::looking();
    user.stage.press("Favourite");
    user.until_done();
    user.command(Command::Undo);
    user.stage.until("it is undone", |state| state.work.is_empty() && state.history.entries.len() == 2);
    assert_eq!(at_service(&user.stage, &id)["favorited"], false);
    user.took_at_most(0, 1);
    assert_eq!(user.stage.state().navigation.panel, Panel::Assets);
}
