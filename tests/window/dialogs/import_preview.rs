//! Importing with a preview: what is recognised, the rows and their marks, the mapping, the receipt, the page of known
//! libraries, and each of their states.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetSnapshot, AssetsSnapshot};
use lunette_inspector::action::{BulkAction, HistoryAction, ImportAction, PreviewAction, SessionAction};
use lunette_inspector::import::known_libraries::{Machine, System};
use lunette_inspector::import::preview::Preview;
use lunette_inspector::import::preview::content::{Content, PreviewStatus};
use lunette_inspector::journal::Outcome;
use lunette_inspector::{Action, Remote, WritePolicy};
use serde_json::{Value, json};

use crate::dialogs::export_many::open as open_export;
use crate::dialogs::plan::{stand, writes};
use crate::stage::Stage;

/// A library of massCode with these snippets: the name, and the label and the text of each fragment.
pub fn library(stage: &Stage, name: &str, snippets: &[(&str, &[(&str, &str)])]) -> PathBuf {
    let folder = stage.folder.path().join(name);
    fs::create_dir_all(&folder).expect("made");
    let snippets: Value = snippets
        .iter()
        .enumerate()
        .map(|(number, (name, parts))| {
            let part = |(label, text): &(&str, &str)| json!({ "label": label, "language": "sql", "value": text });
            json!({
                "id": format!("s{number}"), "name": name, "folderId": "f1", "tagsIds": [],
                "content": parts.iter().map(part).collect::<Value>(),
                "createdAt": 1_704_164_645_000_i64, "updatedAt": 1_704_164_645_000_i64,
            })
        })
        .collect();
    let folders = json!([{ "id": "f1", "name": "Work", "parentId": null }]);
    let tree = json!({ "folders": folders, "snippets": snippets, "tags": [] });
    fs::write(folder.join("db.json"), tree.to_string()).expect("written");
    folder
}

/// The usual library: two snippets, one with two parts.
pub fn usual(stage: &Stage) -> PathBuf {
    library(stage, "massCode", &[("Totals", &[("", "SELECT 1;")]), ("Two", &[("a", "x"), ("b", "y")])])
}

pub fn preview(stage: &Stage) -> &Preview {
    stage.state().import.previews.open.as_deref().expect("a preview")
}

fn content(stage: &Stage) -> &Content {
    preview(stage).content.value().expect("what was read")
}

/// Imports a path as if it had been dropped, and waits for its preview.
pub fn drop_library(stage: &mut Stage, path: &Path) {
    stage.perform(ImportAction::Import(vec![path.to_owned()]));
    until_read(stage);
}

fn until_read(stage: &mut Stage) {
    stage.until("the preview is read", |state| {
        state.import.previews.open.as_deref().is_some_and(|preview| matches!(preview.content, Remote::Known(_)))
    });
    stand(stage);
}

/// Imports what is marked, and waits for the receipt.
pub fn import_marked(stage: &mut Stage, button: &str) {
    stage.press(button);
    stage.until("the receipt is read", |state| {
        let sent = state.import.previews.open.as_deref().and_then(|preview| preview.sent.as_ref());
        sent.is_some_and(|sent| sent.receipt.value().is_some())
    });
    stage.until("the list is read again", |state| !state.assets.list.rows.loading());
    stand(stage);
}

/// The name and the tags of every asset.
fn assets(stage: &Stage) -> BTreeMap<String, Vec<String>> {
    let call = AssetsSnapshot { transferables: Some(false), suggested: None, pseudo: None, offset: None, limit: None };
    let all = stage.call(call).expect("the assets");
    let ids: Vec<_> = all.view().iterable().iter().map(|asset| asset.id().parse().expect("an id")).collect();
    ids.into_iter()
        .map(|asset| {
            let asset = stage.call(AssetSnapshot { asset, transferables: Some(false) }).expect("the asset");
            let tags = asset.tree().pointer("/tags/iterable").and_then(Value::as_array).cloned().unwrap_or_default();
            let text = |tag: &Value| tag.pointer("/reference/text").or_else(|| tag.get("text")).cloned();
            let mut tags: Vec<String> =
                tags.iter().filter_map(text).map(|text| text.as_str().unwrap_or_default().to_owned()).collect();
            tags.sort();
            (asset.view().name().unwrap_or_default().to_owned(), tags)
        })
        .collect()
}

fn fates(stage: &Stage) -> Vec<PreviewStatus> {
    content(stage).rows.iter().map(|row| row.status).collect()
}

#[test]
fn a_library_that_is_dropped_opens_its_preview_and_sends_nothing() {
    let mut stage = Stage::embedded();
    let path = usual(&stage);
    drop_library(&mut stage, &path);
    assert!(stage.draws(Role::Dialog, "Import preview"));
    for words in ["massCode", "All (3)", "New (3)", "3 of 3 marked", "Two / b", "Work"] {
        assert!(stage.says(words), "{words}");
    }
    let chosen = stage.find(Role::ComboBox, "Folders become").accesskit_node().value();
    assert_eq!(chosen.as_deref(), Some("a tag with the path (default)"));
    assert_eq!(writes(&stage), 0);
    stage.key(Key::Escape);
    stage.until("it is closed", |state| state.import.previews.open.is_none());
    assert!(assets(&stage).is_empty());
}

#[test]
fn the_marked_items_become_assets_in_one_step_that_undo_removes_and_a_second_run_adds_nothing() {
    let mut stage = Stage::embedded();
    let own = stage.asset("own.txt", "kept");
    let path = usual(&stage);
    drop_library(&mut stage, &path);
    stage.find(Role::CheckBox, "Import Totals").click();
    stand(&mut stage);
    assert!(stage.says("2 of 3 marked"));
    import_marked(&mut stage, "Import 2 items");
    assert!(stage.says("Imported 2 items") && stage.says("2 of 2 are in the service"));
    let made: Vec<_> = assets(&stage).into_iter().filter(|(name, _)| name != "own.txt").collect();
    let tags = vec!["Two".to_owned(), "Work".to_owned()];
    assert_eq!(made, [("Two / a".to_owned(), tags.clone()), ("Two / b".to_owned(), tags)]);
    let step = stage.state().history.last().expect("a step");
    assert_eq!((step.title.as_str(), &step.outcome), ("Imported massCode from massCode", &Outcome::Done));
    stage.press("Close");

    drop_library(&mut stage, &path);
    assert_eq!(fates(&stage), [PreviewStatus::New, PreviewStatus::Same, PreviewStatus::Same]);
    stage.press("Unmark all shown");
    stage.press("Mark all shown");
    assert_eq!(preview(&stage).marked, 1, "what is there already cannot be marked");
    stage.press("Close");

    stage.perform(HistoryAction::Undo);
    stage.until("its plan is there", |state| {
        state.bulk.draft.as_ref().is_some_and(|draft| draft.sample.value().is_some() && !draft.sample.loading())
    });
    stage.perform(BulkAction::Start);
    stage.until("they are gone", |state| state.assets.list.count() == 1 && state.work.is_empty());
    assert_eq!(assets(&stage).into_keys().collect::<Vec<_>>(), ["own.txt"]);
    assert!(stage.call(AssetSnapshot { asset: own, transferables: Some(false) }).is_ok());

    drop_library(&mut stage, &path);
    assert_eq!(fates(&stage), [PreviewStatus::New; 3], "what was deleted since is new again");
}

#[test]
fn an_item_that_has_changed_says_so_and_updates_its_asset_only_if_it_is_marked() {
    let mut stage = Stage::embedded();
    let path = usual(&stage);
    drop_library(&mut stage, &path);
    import_marked(&mut stage, "Import 3 items");
    stage.press("Close");
    library(&stage, "massCode", &[("Sum", &[("", "SELECT 2;")]), ("Two", &[("a", "x"), ("b", "y")])]);
    drop_library(&mut stage, &path);
    assert_eq!(fates(&stage), [PreviewStatus::Changed, PreviewStatus::Same, PreviewStatus::Same]);
    assert_eq!(preview(&stage).marked, 0);
    let button = stage.find(Role::Button, "Import items").accesskit_node();
    assert!(button.is_disabled() && button.description().is_some_and(|why| why.contains("No item is marked")));
    stage.find(Role::CheckBox, "Import Sum").click();
    stand(&mut stage);
    import_marked(&mut stage, "Import 1 item");
    assert!(stage.says("Updated 1 asset") && stage.says("3 of 3 are in the service"));
    assert!(["updated", "unchanged"].iter().all(|word| stage.says(word)));
    let made: Vec<_> = assets(&stage).into_keys().collect();
    assert_eq!(made, ["Sum", "Two / a", "Two / b"]);
    assert_eq!(stage.state().assets.list.count(), 3, "no asset is made twice");
    stage.press("Close");
    drop_library(&mut stage, &path);
    assert_eq!(fates(&stage), [PreviewStatus::Same; 3]);
}

#[test]
fn changing_the_mapping_reads_the_library_again_and_applies_to_its_assets() {
    let mut stage = Stage::embedded();
    let path = usual(&stage);
    drop_library(&mut stage, &path);
    let mut mapping = preview(&stage).mapping;
    mapping.folders = lunette_inspector::import::mapping::Folders::Nothing;
    mapping.fragments = lunette_inspector::import::mapping::Fragments::OneText;
    stage.perform(PreviewAction::Map(mapping));
    until_read(&mut stage);
    let chosen = stage.find(Role::ComboBox, "Several parts become").accesskit_node().value();
    assert!(chosen.as_deref() == Some("one text") && !stage.says("Two / b"), "{chosen:?}");
    import_marked(&mut stage, "Import 2 items");
    assert_eq!(assets(&stage), BTreeMap::from([("Totals".to_owned(), vec![]), ("Two".to_owned(), vec![])]));
}

#[test]
fn an_archive_is_previewed_and_a_damaged_one_can_be_imported_as_it_is() {
    let mut stage = Stage::embedded();
    let path = stage.folder.path().join("notes.zip");
    let mut archive = zip::ZipWriter::new(fs::File::create(&path).expect("a file"));
    archive.start_file("notes/a.txt", zip::write::SimpleFileOptions::default()).expect("begun");
    archive.write_all(b"text").expect("written");
    archive.finish().expect("finished");
    drop_library(&mut stage, &path);
    assert!(stage.says("a.txt") && stage.says("New (1)"));
    stage.press("Close");
    fs::write(&path, b"PK\x03\x04 no archive").expect("written");
    stage.perform(ImportAction::Import(vec![path]));
    stage.until_said("This could not be read");
    stand(&mut stage);
    stage.press("Import as plain files");
    until_read(&mut stage);
    import_marked(&mut stage, "Import 1 item");
    assert_eq!(assets(&stage).into_keys().collect::<Vec<_>>(), ["notes.zip"]);
}

#[test]
fn ids_of_an_archive_that_are_taken_are_asked_about_before_it_is_imported() {
    let mut stage = Stage::embedded();
    for name in ["a.txt", "b.txt"] {
        stage.asset(name, name);
    }
    stage.until("both are listed", |state| state.assets.list.order.len() == 2);
    let path = stage.folder.path().join("all.zip");
    open_export(&mut stage, &path.display().to_string());
    stage.until_label("All (2)");
    stage.press("Export");
    stage.until_said("Exported 2 assets");
    drop_library(&mut stage, &path);
    assert!(stage.says("The ids of 2 items are taken by assets here:"));
    let import = stage.find(Role::Button, "Import 2 items");
    assert!(import.accesskit_node().is_disabled(), "nothing is imported without an answer");
    stage.find(Role::RadioButton, "Leave the items out").click();
    stage.until("they are left out", |state| {
        let preview = state.import.previews.open.as_deref().expect("a preview");
        preview.content.value().is_some_and(|content| content.count(PreviewStatus::LeftOut) == 2)
    });
    assert_eq!(preview(&stage).marked, 0);
    stage.find(Role::RadioButton, "Keep the existing assets").click();
    stage.until("they are not left out", |state| {
        state.import.previews.open.as_deref().is_some_and(|preview| preview.marked == 2)
    });
    until_read(&mut stage);
    import_marked(&mut stage, "Import 2 items");
    assert_eq!(assets(&stage).into_keys().collect::<Vec<_>>(), ["a.txt", "b.txt"]);
}

#[test]
fn plain_files_are_imported_at_once_and_previewed_on_request() {
    let mut stage = Stage::embedded();
    let path = stage.folder.path().join("a.txt");
    fs::write(&path, "text").expect("written");
    stage.perform(ImportAction::Import(vec![path.clone()]));
    stage.until("it is an asset", |state| state.assets.list.count() == 1);
    assert!(stage.state().import.previews.open.is_none());
    stage.perform(ImportAction::AskForPath);
    stand(&mut stage);
    stage.type_into("Path to import", path.to_str().expect("a path"));
    stage.press("Preview…");
    until_read(&mut stage);
    assert!(stage.says("Plain files") && stage.says("New (1)"));
    import_marked(&mut stage, "Import 1 item");
    assert!(stage.says("already there"), "the same file is not a second asset");
    assert_eq!(assets(&stage).len(), 1);
}

#[test]
fn items_with_possible_secrets_are_marked_with_the_rule_and_still_imported() {
    let mut stage = Stage::embedded();
    let path = library(&stage, "massCode", &[("Card", &[("", "4111 1111 1111 1111")]), ("Totals", &[("", "x")])]);
    drop_library(&mut stage, &path);
    for words in ["Looks like a secret (1)", "card-number in line 1", "1 marked item may contain a secret."] {
        assert!(stage.says(words), "{words}");
    }
    stage.find(Role::Row, "Card").click();
    stand(&mut stage);
    assert!(stage.says("(card-number)"));
    import_marked(&mut stage, "Import 2 items");
    assert_eq!(assets(&stage).len(), 2);
}

#[test]
fn rows_are_marked_by_keyboard_and_ctrl_enter_imports() {
    let mut stage = Stage::embedded();
    let path = usual(&stage);
    drop_library(&mut stage, &path);
    stage.find(Role::Table, "Items to import").focus();
    stand(&mut stage);
    stage.key(Key::Home);
    stage.key(Key::Space);
    assert_eq!(*preview(&stage).marks, [false, true, true]);
    stage.key(Key::Space);
    stage.key(Key::ArrowDown);
    stage.key(Key::Space);
    assert_eq!(*preview(&stage).marks, [true, false, true]);
    stage.ctrl(Key::Enter);
    stage.until("they are assets", |state| state.assets.list.count() == 2);
}

#[test]
fn ten_thousand_items_are_previewed_and_only_the_rows_in_sight_are_drawn() {
    let mut stage = Stage::embedded();
    let names: Vec<String> = (0..10_000).map(|number| format!("Snippet {number:05}")).collect();
    let texts: Vec<[(&str, &str); 1]> = names.iter().map(|name| [("", name.as_str())]).collect();
    let snippets: Vec<_> = names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_slice())).collect();
    let path = library(&stage, "massCode", &snippets);
    drop_library(&mut stage, &path);
    stage.until_said("10,000 of 10,000 marked");
    stage.until_drawn("the rows are there", |harness| harness.query_by_role(Role::Table).is_some());
    let rows = |stage: &Stage| stage.find(Role::Table, "Items to import").query_all_by_role(Role::Row).count();
    assert!((4..40).contains(&rows(&stage)), "{}", rows(&stage));
    stage.find(Role::ColumnHeader, "Name").click();
    stage.settle();
    stage.find(Role::ColumnHeader, "Name").click();
    stage.until_said("Snippet 09999");
    assert!(rows(&stage) < 40);
}

#[test]
fn a_read_only_connection_is_previewed_and_its_import_is_disabled_with_the_reason() {
    let mut stage = Stage::embedded();
    let path = usual(&stage);
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::ReadOnly));
    stage.perform(PreviewAction::Show(vec![path]));
    until_read(&mut stage);
    let button = stage.find(Role::Button, "Import 3 items").accesskit_node();
    assert!(button.is_disabled() && button.description().is_some_and(|why| why.contains("read-only")));
}

#[test]
fn an_empty_folder_is_reported() {
    let mut stage = Stage::embedded();
    let path = stage.folder.path().join("empty");
    fs::create_dir(&path).expect("made");
    stage.perform(PreviewAction::Show(vec![path]));
    until_read(&mut stage);
    assert!(stage.says("Nothing to import"));
}

#[test]
fn every_change_is_confirmed_if_the_policy_requires_it() {
    let mut stage = Stage::embedded();
    let path = usual(&stage);
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    drop_library(&mut stage, &path);
    stage.press("Import 3 items");
    stage.until_label("Import 3 items?");
    assert_eq!(writes(&stage), 0);
    stage.perform(Action::Confirm);
    stage.until("they are assets", |state| state.assets.list.count() == 3);
}

#[test]
fn the_page_lists_the_libraries_in_a_home_folder_and_reads_one_when_it_is_chosen() {
    let mut stage = Stage::embedded();
    let home = stage.folder.path().join("home");
    let snippets = home.join(".config/VSCodium/User/snippets");
    fs::create_dir_all(&snippets).expect("made");
    fs::write(snippets.join("rust.json"), r#"{"Print": {"prefix": "pr", "body": "println!();"}}"#).expect("written");
    let machine = Machine { system: System::Linux, config: home.join(".config"), home };
    stage.perform(PreviewAction::ShowPage(Some(machine)));
    stage.until_said("VSCodium snippets");
    assert!(stage.says("Nothing is read until you choose a library") && stage.state().import.previews.open.is_none());
    let name = format!("Preview VSCodium snippets in {}", snippets.display());
    stage.press(&name);
    until_read(&mut stage);
    assert!(stage.says("Print"));
    let row = &content(&stage).rows[0];
    assert_eq!((row.status, row.language.as_str()), (PreviewStatus::New, "rs"));
    stage.key(Key::Escape);
    stage.until("it is closed", |state| state.import.previews.open.is_none());
}

#[test]
fn the_page_opens_by_its_key_and_says_if_nothing_was_found() {
    let mut stage = Stage::embedded();
    let home = stage.folder.path().join("empty home");
    stage.perform(PreviewAction::ShowPage(Some(Machine { system: System::Mac, config: home.clone(), home })));
    stage.until_said("No libraries of known programs");
    stage.key(Key::Escape);
    stage.until("it is closed", |state| state.import.previews.page.is_none());
    crate::input::commands::press_keys(&mut stage, lunette::ui::command::Command::ImportPreview);
    stage.until_label("Import with a preview");
}

#[test]
fn the_path_of_a_failed_import_stays_for_the_next_attempt() {
    let mut stage = Stage::embedded();
    stage.asset("own.txt", "kept");
    let path = stage.folder.path().join("later.txt");
    let typed = path.to_str().expect("a path").to_owned();
    stage.perform(ImportAction::AskForPath);
    stand(&mut stage);
    stage.type_into("Path to import", &typed);
    stage.key(Key::Enter);
    stage.until_said("1 not imported");
    stage.perform(ImportAction::AskForPath);
    stand(&mut stage);
    assert_eq!(stage.value_of("Path to import"), typed);
    fs::write(&path, "text").expect("written");
    stage.key(Key::Enter);
    stage.until_said("Imported 1 file");
    stage.perform(ImportAction::AskForPath);
    stand(&mut stage);
    assert_eq!(stage.value_of("Path to import"), "", "a path that was imported is of no use");
}

/// The name of the button with the focus.
fn focused_button(stage: &Stage) -> Option<String> {
    let mut buttons = stage.harness.query_all_by_role(Role::Button);
    buttons.find(|button| button.accesskit_node().is_focused())?.accesskit_node().label()
}

#[test]
fn enter_on_a_preview_or_a_receipt_that_was_just_shown_changes_nothing() {
    let mut stage = Stage::embedded();
    let path = usual(&stage);
    drop_library(&mut stage, &path);
    assert_eq!(focused_button(&stage).as_deref(), Some("Close"));
    stage.key(Key::Enter);
    stage.until("it is closed", |state| state.import.previews.open.is_none());
    assert_eq!(assets(&stage).len(), 0);
    drop_library(&mut stage, &path);
    stage.ctrl(Key::Enter);
    stage.until("the receipt is read", |state| {
        let sent = state.import.previews.open.as_deref().and_then(|preview| preview.sent.as_ref());
        sent.is_some_and(|sent| sent.receipt.value().is_some())
    });
    stand(&mut stage);
    assert_eq!(focused_button(&stage).as_deref(), Some("Close"));
    stage.key(Key::Enter);
    stage.until("the receipt is closed", |state| state.import.previews.open.is_none());
    assert!(!assets(&stage).is_empty());
}
