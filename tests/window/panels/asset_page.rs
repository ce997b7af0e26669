//! The page of an asset: preview, tabs, renaming in place, links.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    AssetAssociateTag, AssetAssociateWorkstreamSummary, AssetScoresIncrement, AssetSnapshot, AssetsCreateNewAsset,
    AssetsDeleteAsset, TagsCreateNewTag,
};
use lunette_inspector::action::AssetsAction;
use lunette_inspector::assets::page::{AssetPage, Content};
use lunette_inspector::state::State;
use serde_json::{Value, json};

use crate::stage::Stage;
use crate::support::assets::record;
use crate::support::fault::{Fault, FaultKind};

/// A stage with an open text asset, in a window high enough to show all of its page.
pub fn looking_at(name: &str, text: &str) -> (Stage, AssetId) {
    let mut stage = Stage::embedded();
    stage.harness.set_size(egui::vec2(1280.0, 1400.0));
    let id = stage.asset(name, text);
    open(&mut stage, &id);
    // What is below the content moves once the content is loaded.
    let wanted = id.clone();
    stage.until("its content is there", move |state| {
        page(state, &wanted).is_some_and(|page| page.content.value().is_some())
    });
    stage.until_drawn("it is drawn", |harness| harness.query_by_label("Loading the content").is_none());
    (stage, id)
}

/// Opens an asset and waits for its record.
pub fn open(stage: &mut Stage, id: &AssetId) {
    stage.perform(AssetsAction::Open(id.clone()));
    let wanted = id.clone();
    stage.until("its record is there", move |state| page(state, &wanted).is_some_and(|p| p.record.value().is_some()));
}

fn page<'a>(state: &'a State, id: &AssetId) -> Option<&'a AssetPage> {
    state.assets.pages.of.get(id)
}

/// Waits until no write is in progress.
pub fn settle(stage: &mut Stage, id: &AssetId) {
    let wanted = id.clone();
    stage.until("the write has ended", move |state| {
        !state.write.of(&wanted).writing && page(state, &wanted).is_none_or(|page| !page.record.loading())
    });
}

/// Returns the asset as the service holds it.
pub fn at_service(stage: &Stage, id: &AssetId) -> Value {
    let call = AssetSnapshot { asset: id.clone(), transferables: Some(false) };
    stage.call(call).expect("the asset").into_tree()
}

fn tags(stage: &Stage, id: &AssetId) -> Vec<String> {
    texts(&at_service(stage, id), "tags", "text")
}

fn texts(tree: &Value, list: &str, field: &str) -> Vec<String> {
    let items = tree[list]["iterable"].as_array().cloned().unwrap_or_default();
    items.iter().filter_map(|item| item[field].as_str().map(str::to_owned)).collect()
}

#[test]
fn code_is_shown_with_its_lines() {
    let (mut stage, _) = looking_at("main.rs", "fn main() {\n    println!(\"hello\");\n}\n");
    stage.until_drawn("the code is drawn", |harness| {
        harness.query_all_by_label("    println!(\"hello\");").next().is_some()
    });
    assert!(stage.says("Rust"));
}

#[test]
fn markdown_is_shown_rendered_and_as_source() {
    let (mut stage, _) = looking_at("notes.md", "# A heading\n\nSome *text*.\n");
    stage.until_label("A heading");
    stage.harness.query_all_by_label("Source").next().expect("the switch").click();
    stage.until_label("# A heading");
}

#[test]
fn a_name_is_edited_in_place() {
    let (mut stage, id) = looking_at("old.txt", "text");
    stage.key(Key::F2);
    stage.until_drawn("the field is there", |harness| {
        harness.query_by_role_and_label(Role::TextInput, "Name").is_some()
    });
    stage.ctrl(Key::A);
    stage.find(Role::TextInput, "Name").type_text("new.txt");
    stage.harness.run_steps(2);
    stage.key(Key::Enter);
    stage.until_label("Rename new.txt");
    assert_eq!(at_service(&stage, &id)["name"], "new.txt");
    stage.press("Rename new.txt");
    stage.until_drawn("the field is there", |harness| {
        harness.query_by_role_and_label(Role::TextInput, "Name").is_some()
    });
    stage.ctrl(Key::A);
    stage.find(Role::TextInput, "Name").type_text("   ");
    stage.harness.run_steps(2);
    assert!(stage.says("Enter a name"));
    stage.key(Key::Escape);
    stage.until_label("Rename new.txt");
    assert_eq!(at_service(&stage, &id)["name"], "new.txt");
}

#[test]
fn a_failed_rename_says_why_and_keeps_the_input() {
    let behind = Stage::embedded();
    let id = behind.asset("old.txt", "text");
    let port = behind.url().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    let fault = Fault::start(port, |_| FaultKind::Failed);
    let mut stage = Stage::at(&fault.url());
    stage.until("it is connected", |state| state.assets.list.rows.value().is_some());
    open(&mut stage, &id);
    stage.until_label("Rename old.txt");
    stage.press("Rename old.txt");
    stage.ctrl(Key::A);
    stage.find(Role::TextInput, "Name").type_text("new.txt");
    stage.harness.run_steps(2);
    stage.key(Key::Enter);
    let wanted = id.clone();
    stage.until("it is refused", move |state| state.write.of(&wanted).refused.is_some());
    stage.until_said("The last change was not made");
    assert_eq!(stage.find(Role::TextInput, "Name").accesskit_node().value().as_deref(), Some("new.txt"));
    stage.press("Dismiss the refusal");
    assert!(!stage.says("The last change was not made"));
}

#[test]
fn the_star_is_a_switch() {
    let (mut stage, id) = looking_at("a.txt", "text");
    for on in [true, false] {
        stage.press("Favourite");
        settle(&mut stage, &id);
        assert_eq!(at_service(&stage, &id)["favorited"], on);
    }
}

#[test]
fn a_large_text_draws_only_visible_lines() {
    let text = "a line of a large text\n".repeat(450_000);
    let (mut stage, id) = looking_at("large.txt", &text);
    stage.press("Show all");
    let wanted = id.clone();
    stage.until("it is there", move |state| {
        page(state, &wanted).is_some_and(|page| matches!(page.content.value(), Some(Content::Text(_))))
    });
    stage.until_drawn("its first lines are drawn", |harness| {
        harness.query_all_by_label("a line of a large text").next().is_some()
    });
    let drawn = stage.harness.query_all_by_label("a line of a large text").count();
    assert!(drawn < 100, "{drawn} lines are drawn, not only those in sight");
}

#[test]
fn content_is_not_loaded_if_it_is_turned_off() {
    let (mut stage, id) = looking_at("a.txt", "a text to load");
    stage.until_label("a text to load");
    stage.press("Preview options");
    stage.find(Role::CheckBox, "Load content").click();
    stage.harness.run_steps(2);
    stage.until("it is not wanted", |state| !state.preferences.settings.transferables);
    let other = stage.asset("b.txt", "another text");
    open(&mut stage, &other);
    stage.until_label("Content is not loaded with assets.");
    stage.key(Key::Escape);
    stage.press("Load content");
    stage.until_label("another text");
    let calls = stage.state().session.log.iter().filter(|line| line.url.contains(id.as_str())).count();
    assert!(calls > 0);
}

#[test]
fn tabs_are_loaded_when_they_are_opened() {
    let (mut stage, id) = looking_at("a.txt", "text");
    let unread = page(stage.state(), &id).expect("a page");
    assert!(unread.formats.value().is_none() && unread.conversations.value().is_none());
    stage.find(Role::Tab, "Formats").click();
    stage.harness.run_steps(2);
    stage.until_said("· text");
    stage.find(Role::Tab, "Activity").click();
    stage.harness.run_steps(2);
    stage.until_label("Created");
    stage.find(Role::Tab, "Conversations").click();
    stage.harness.run_steps(2);
    stage.until_label("No conversations yet");
    stage.find(Role::Tab, "Record").click();
    stage.harness.run_steps(2);
    stage.until_drawn("the record is drawn", |harness| harness.query_by_role(Role::Tree).is_some());
}

#[test]
fn the_activity_says_which_summary_was_linked_and_which_score_was_incremented() {
    let (mut stage, asset) = looking_at("a.txt", "text");
    let workstream_summary = stage.summary("Morning");
    stage.call(AssetAssociateWorkstreamSummary { asset: asset.clone(), workstream_summary }).expect("linked");
    let increment = Some(record(json!({ "asset": { "reuse": true } })));
    stage.call(AssetScoresIncrement { asset, increment }).expect("incremented");
    stage.find(Role::Tab, "Activity").click();
    stage.until_label("Summary “Morning” linked");
    stage.until_label("Score: reuse incremented");
}

#[test]
fn a_tab_that_cannot_be_read_says_why() {
    let (mut stage, _) = looking_at("a.txt", "text");
    stage.lose_service();
    stage.find(Role::Tab, "Formats").click();
    stage.harness.run_steps(2);
    stage.until_label("The formats could not be loaded");
    stage.find(Role::Button, "Try again");
}

#[test]
fn an_asset_deleted_in_the_meantime_says_so() {
    let mut stage = Stage::embedded();
    let id = stage.asset("a.txt", "text");
    stage.call(AssetsDeleteAsset { asset: id.clone() }).expect("deleted");
    stage.perform(AssetsAction::Open(id));
    stage.until_label("This asset could not be read");
    stage.until_said("Refresh the list");
}

#[test]
fn a_tag_is_created_linked_and_removed() {
    let (mut stage, id) = looking_at("a.txt", "text");
    let tag = Some(record(json!({ "text": "known" })));
    stage.call(TagsCreateNewTag { transferables: None, tag }).expect("a tag");
    stage.press("Add a tag");
    stage.until_drawn("it can be picked", |harness| {
        harness.query_by_role_and_label(Role::ListBoxOption, "known").is_some()
    });
    stage.key(Key::Enter);
    settle(&mut stage, &id);
    stage.until_label("Remove tag known");
    assert_eq!(tags(&stage, &id), ["known"]);
    stage.press("Add a tag");
    stage.find(Role::TextInput, "Add a tag").type_text("brand new");
    stage.until_drawn("it can be made", |harness| {
        harness.query_by_role_and_label(Role::ListBoxOption, "Create tag “brand new”").is_some()
    });
    stage.key(Key::Enter);
    settle(&mut stage, &id);
    stage.until_label("Remove tag brand new");
    stage.press("Remove tag known");
    settle(&mut stage, &id);
    stage.until_drawn("its chip is gone", |harness| harness.query_by_label("Remove tag known").is_none());
    assert_eq!(tags(&stage, &id), ["brand new"]);
}

#[test]
fn a_website_needs_an_address_and_a_name() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.press("Add a website");
    stage.find(Role::TextInput, "Add a website").type_text("javascript://x");
    stage
        .until_drawn("it is offered", |harness| harness.query_all_by_label_contains("Create website").next().is_some());
    stage.key(Key::Enter);
    stage.until_said("only http and https are opened");
    stage.press("Add website");
    assert!(texts(&at_service(&stage, &id), "websites", "url").is_empty());
    stage.find(Role::TextInput, "Address of the website").focus();
    stage.harness.step();
    stage.ctrl(Key::A);
    stage.find(Role::TextInput, "Address of the website").type_text("https://docs.rs/tokio");
    stage.harness.run_steps(2);
    stage.press("Add website");
    settle(&mut stage, &id);
    stage.until_said("Remove website");
    assert_eq!(texts(&at_service(&stage, &id), "websites", "url"), ["https://docs.rs/tokio"]);
}

#[test]
fn a_summary_is_created_and_linked() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.press("Add a workstream summary");
    stage.find(Role::TextInput, "Add a workstream summary").type_text("Retry work");
    stage.until_drawn("it is offered", |harness| {
        harness.query_all_by_label_contains("Create workstream summary").next().is_some()
    });
    stage.key(Key::Enter);
    settle(&mut stage, &id);
    stage.until_label("Remove workstream summary Retry work");
    assert_eq!(texts(&at_service(&stage, &id), "summaries", "name"), ["Retry work"]);
}

#[test]
fn a_failed_link_is_reported_on_the_page() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.call(AssetsDeleteAsset { asset: id.clone() }).expect("deleted");
    stage.press("Favourite");
    settle(&mut stage, &id);
    stage.until_said("The last change was not made");
}

#[test]
fn links_are_created_by_id_if_the_service_has_no_lists() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = lunette_service::Data::Folder(folder.path().to_owned());
    let first = data.clone();
    let mut before = Stage::inside_with(|settings| settings.data = first);
    let id = before.asset("a.txt", "text");
    let tag = Some(record(json!({ "text": "by id" })));
    let tag = before.call(TagsCreateNewTag { transferables: None, tag }).expect("a tag").view().id().to_owned();
    before.stop_service();
    drop(before);
    let mut stage = Stage::inside_with(|settings| {
        settings.data = data;
        settings.interface_only = true;
    });
    stage.harness.set_size(egui::vec2(1280.0, 1400.0));
    open(&mut stage, &id);
    stage.until_label("text");
    stage.press("Add a tag");
    stage.until_said("This service does not list tags");
    stage.find(Role::TextInput, "Add a tag").type_text(&tag);
    stage.until_said("Link by id");
    stage.key(Key::Enter);
    settle(&mut stage, &id);
    stage.until_label("Remove tag by id");
    assert_eq!(tags(&stage, &id), ["by id"]);
}

/// Creates an asset from bytes on the service.
pub fn of_bytes(stage: &Stage, name: &str, bytes: &[u8]) -> AssetId {
    let seed = json!({ "type": "SEEDED_ASSET", "asset": {
        "application": crate::support::assets::application(),
        "format": { "file": { "bytes": { "raw": bytes } } },
        "metadata": { "name": name },
    } });
    let call = AssetsCreateNewAsset { transferables: None, once: None, seed: Some(record(seed)) };
    stage.call(call).expect("an asset").view().id().parse().expect("an id")
}

#[test]
fn a_picture_is_shown_and_a_damaged_one_says_so() {
    let mut stage = Stage::embedded();
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/samples/moon.png")).expect("a sample");
    let id = of_bytes(&stage, "moon.png", &bytes);
    open(&mut stage, &id);
    stage.until_drawn("it is drawn", |harness| {
        harness.query_by_role_and_label(Role::Image, "Picture moon.png").is_some()
    });
    let id = of_bytes(&stage, "half.png", &bytes[..bytes.len() / 2]);
    open(&mut stage, &id);
    stage.until_said("the picture is damaged");
    stage.find(Role::Button, "Save…");
}

#[test]
fn bytes_that_are_not_a_picture_are_described_and_saved_unchanged() {
    let mut stage = Stage::embedded();
    let bytes: Vec<u8> = (0..=255).cycle().take(4_000).collect();
    let id = of_bytes(&stage, "blob.bin", &bytes);
    open(&mut stage, &id);
    stage.until_label("00000000 00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f ................");
    let file = stage.folder.path().join("saved.bin");
    stage.picked.set(vec![file.clone()]);
    stage.press("Save…");
    stage.until_said(&format!("Saved {}", file.display()));
    assert_eq!(std::fs::read(file).expect("saved"), bytes);
}

#[test]
fn a_picker_stays_open_while_the_page_around_it_changes() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.press("Add a tag");
    stage.until_drawn("it is open", |harness| harness.query_by_role_and_label(Role::TextInput, "Add a tag").is_some());
    stage.find(Role::TextInput, "Add a tag").type_text("later");
    let tag = Some(record(json!({ "text": "elsewhere" })));
    let tag = stage.call(TagsCreateNewTag { transferables: None, tag }).expect("a tag");
    let tag = tag.view().id().parse().expect("an id");
    stage.call(AssetAssociateTag { asset: id, tag }).expect("linked");
    stage.until_drawn("the tag is there", |harness| harness.query_all_by_label_contains("elsewhere").next().is_some());
    assert_eq!(stage.value_of("Add a tag"), "later");
}
