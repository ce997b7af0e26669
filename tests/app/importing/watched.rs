//! Watched folders with real files: listed or imported, in one step, and nothing is ever deleted.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetSnapshot, AssetsSnapshot};
use lunette_inspector::WritePolicy;
use lunette_inspector::action::{HistoryAction, WatchAction, WriteAction};
use lunette_inspector::change::Change;
use lunette_inspector::settings::OnChange;
use lunette_inspector::watch::{FolderStatus, Watch};
use tempfile::TempDir;

use crate::inspector::{Environment, Inspector};

struct Scene {
    // Dropped before the runtime, on which it saves the settings.
    inspector: Inspector,
    environment: Environment,
    folder: TempDir,
    path: PathBuf,
}

impl Scene {
    fn new() -> Self {
        let environment = Environment::new();
        let inspector = environment.open_up();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().canonicalize().expect("a path");
        Self { inspector, environment, folder, path }
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("written");
    }

    fn watch(&mut self) {
        self.inspector.perform(WatchAction::Add(self.path.clone()));
        self.until_found(|found| found.is_some());
    }

    /// Waits until the folder is looked at and this is found; `None` while it is not in step.
    fn until_found(&mut self, done: impl Fn(Option<Vec<String>>) -> bool) {
        let path = self.path.clone();
        self.inspector.until("the folder is in step", |state| done(found(&state.watch, &path)));
    }

    fn contents(&self) -> BTreeSet<String> {
        let call =
            AssetsSnapshot { transferables: Some(true), suggested: None, pseudo: None, offset: None, limit: None };
        let assets = self.environment.call(call).expect("the assets");
        assets.view().iterable().iter().map(|asset| asset.name().unwrap_or_default().to_owned()).collect()
    }

    /// The id of the asset of this name.
    fn asset(&self, name: &str) -> AssetId {
        let call =
            AssetsSnapshot { transferables: Some(false), suggested: None, pseudo: None, offset: None, limit: None };
        let assets = self.environment.call(call).expect("the assets");
        let found =
            assets.view().iterable().iter().find(|asset| asset.name() == Some(name)).map(|asset| asset.id().to_owned());
        found.and_then(|id| id.parse().ok()).expect("an asset of this name")
    }

    /// Waits until the service has this text of an asset.
    fn until_text(&mut self, asset: &AssetId, text: &str) {
        let environment = &self.environment;
        self.inspector.until(text, |_| {
            let call = AssetSnapshot { asset: asset.clone(), transferables: Some(true) };
            let found = environment.call(call).expect("the asset");
            found.tree().pointer("/original/reference/fragment/string/raw").is_some_and(|raw| raw == text)
        });
    }

    fn until_assets(&mut self, names: &[&str]) {
        let count = names.len();
        let rows = move |state: &lunette_inspector::State| state.assets.list.rows.value().map_or(0, |rows| rows.len());
        self.inspector.until("the assets are there", |state| rows(state) == count);
        self.inspector.until_idle();
        assert_eq!(self.contents(), names.iter().map(|name| (*name).to_owned()).collect());
    }
}

fn found(watch: &Watch, path: &std::path::Path) -> Option<Vec<String>> {
    let folder = watch.folders.get(path)?;
    (folder.status == FolderStatus::InStep).then(|| folder.found.iter().map(|found| found.item.clone()).collect())
}

#[test]
fn files_of_a_watched_folder_are_only_listed_until_the_user_imports_them() {
    let mut scene = Scene::new();
    scene.write("a.txt", "one");
    scene.watch();
    scene.until_found(|found| found == Some(vec!["a.txt".to_owned()]));
    assert!(scene.contents().is_empty(), "nothing is written by itself");
    scene.write("b.txt", "two");
    scene.until_found(|found| found == Some(vec!["a.txt".to_owned(), "b.txt".to_owned()]));
    scene.inspector.perform(WatchAction::Import(scene.path.clone()));
    scene.until_assets(&["a.txt", "b.txt"]);
    scene.until_found(|found| found == Some(Vec::new()));
}

#[test]
fn new_files_are_imported_automatically_as_a_step_that_undo_reverts() {
    let mut scene = Scene::new();
    scene.watch();
    scene.inspector.perform(WatchAction::How(scene.path.clone(), OnChange::Import));
    scene.write("a.txt", "one");
    scene.write("b.txt", "two");
    scene.until_assets(&["a.txt", "b.txt"]);
    assert_eq!(scene.inspector.state().history.entries.len(), 1, "one step");
    scene.inspector.confirm(HistoryAction::Undo.into());
    scene.until_assets(&[]);
}

#[test]
fn a_deleted_file_deletes_nothing() {
    let mut scene = Scene::new();
    scene.write("a.txt", "one");
    scene.watch();
    scene.inspector.perform(WatchAction::How(scene.path.clone(), OnChange::Import));
    scene.until_assets(&["a.txt"]);
    fs::remove_file(scene.folder.path().join("a.txt")).expect("removed");
    scene.write("b.txt", "two");
    scene.until_assets(&["a.txt", "b.txt"]);
}

#[test]
fn a_changed_file_updates_its_asset_as_a_step_that_undo_reverts() {
    let mut scene = Scene::new();
    // With a mark, so that the file and the text of its asset differ.
    scene.write("a.txt", "\u{feff}one");
    scene.watch();
    scene.inspector.perform(WatchAction::How(scene.path.clone(), OnChange::Import));
    scene.until_assets(&["a.txt"]);
    let asset = scene.asset("a.txt");
    scene.write("a.txt", "two");
    scene.until_text(&asset, "two");
    scene.until_assets(&["a.txt"]);
    let step = scene.inspector.state().history.last().expect("a step").clone();
    assert!(step.title.starts_with("Updated 1 asset from "), "{}", step.title);
    scene.inspector.confirm(HistoryAction::Undo.into());
    scene.until_text(&asset, "one");
}

#[test]
fn an_asset_that_was_edited_here_is_not_replaced_and_its_file_becomes_a_new_asset_only_by_a_click() {
    let mut scene = Scene::new();
    scene.write("a.txt", "one");
    scene.watch();
    scene.inspector.perform(WatchAction::How(scene.path.clone(), OnChange::Import));
    scene.until_assets(&["a.txt"]);
    let asset = scene.asset("a.txt");
    let (from, to) = ("one".to_owned(), "mine".to_owned());
    scene.inspector.confirm(WriteAction::Change(Change::Text { asset: asset.clone(), from, to }).into());
    scene.until_text(&asset, "mine");
    scene.inspector.until_idle();
    scene.write("a.txt", "two");
    let path = scene.path.clone();
    scene.inspector.until("it is doubtful", |state| {
        let folder = state.watch.folders.get(&path);
        folder.is_some_and(|folder| folder.found.iter().any(|found| found.word() == "doubtful"))
    });
    scene.inspector.until_idle();
    let found = Arc::clone(&scene.inspector.state().watch.folders[&scene.path].found);
    assert!(found[0].doubt.as_ref().is_some_and(|why| why.contains("was also edited here")), "{found:?}");
    scene.until_text(&asset, "mine");
    scene.inspector.perform(WatchAction::Import(scene.path.clone()));
    scene.inspector.until("the new asset is there", |state| state.assets.list.count() == 2);
    scene.inspector.until_idle();
    scene.until_text(&asset, "mine");
    scene.write("a.txt", "three");
    scene.inspector.until("the new asset is updated", |state| {
        state.history.last().is_some_and(|step| step.title.starts_with("Updated 1 asset"))
    });
    scene.until_text(&asset, "mine");
    assert_eq!(scene.inspector.state().assets.list.count(), 2);
}

#[test]
fn a_removed_folder_is_reported_and_deletes_nothing() {
    let mut scene = Scene::new();
    scene.write("a.txt", "one");
    scene.watch();
    scene.inspector.perform(WatchAction::How(scene.path.clone(), OnChange::Import));
    scene.until_assets(&["a.txt"]);
    fs::remove_dir_all(scene.folder.path()).expect("removed");
    let path = scene.path.clone();
    scene.inspector.until("it is said", |state| {
        state.watch.folders.get(&path).is_some_and(|folder| matches!(folder.status, FolderStatus::Ended(_)))
    });
    let notified =
        scene.inspector.state().notifications.notices.iter().any(|notice| notice.text.contains("no longer exists"));
    assert!(notified);
    scene.until_assets(&["a.txt"]);
}

#[test]
fn a_connection_that_asks_before_writes_only_lists() {
    let mut scene = Scene::new();
    let ask = lunette_inspector::action::SessionAction::SetWritePolicy(WritePolicy::Confirm);
    scene.inspector.perform(ask);
    scene.watch();
    scene.inspector.perform(WatchAction::How(scene.path.clone(), OnChange::Import));
    scene.write("a.txt", "one");
    scene.until_found(|found| found == Some(vec!["a.txt".to_owned()]));
    scene.inspector.until_idle();
    assert!(scene.contents().is_empty());
}

#[test]
fn a_paused_or_removed_folder_is_followed_no_more() {
    let mut scene = Scene::new();
    scene.watch();
    scene.inspector.perform(WatchAction::Pause(scene.path.clone(), true));
    assert!(scene.inspector.state().watch.folders.is_empty());
    scene.write("a.txt", "one");
    scene.inspector.perform(WatchAction::Pause(scene.path.clone(), false));
    scene.until_found(|found| found == Some(vec!["a.txt".to_owned()]));
    scene.inspector.perform(WatchAction::Remove(scene.path.clone()));
    assert!(scene.inspector.state().watch.folders.is_empty());
    assert!(scene.inspector.state().preferences.settings.watched.is_empty());
}

#[test]
fn a_service_gets_a_folder_once_although_it_is_watched_again() {
    let mut scene = Scene::new();
    scene.write("a.txt", "one");
    scene.watch();
    scene.inspector.perform(WatchAction::Import(scene.path.clone()));
    scene.until_assets(&["a.txt"]);
    scene.inspector.perform(WatchAction::Remove(scene.path.clone()));
    scene.watch();
    scene.until_found(|found| found == Some(Vec::new()));
}
