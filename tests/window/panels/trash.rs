//! The Trash in the window: opening, listing, restoring, deleting permanently, emptying; and each of its states.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::NodeT as _;
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::{AssetSnapshot, AssetsDeleteAsset, AssetsTrashRestore, AssetsTrashSnapshot};
use lunette_client::operation::{Operation as _, OperationInfo};
use lunette_inspector::Action;
use lunette_inspector::action::{SessionAction, TrashAction, WriteAction};
use lunette_inspector::journal::{EntryKind, Outcome};
use lunette_inspector::panel::Panel;

use crate::dialogs::plan::{stand, writes};
use crate::input::row_menu::{choose, entries, right_click};
use crate::stage::Stage;
use crate::support::unsupported_proxy::UnsupportedProxy;

/// A stage with two deleted assets and one that is not, showing the assets panel.
fn with_two_deleted() -> (Stage, Vec<AssetId>) {
    let mut stage = Stage::embedded();
    let ids: Vec<_> = [("a.txt", "text"), ("b.rs", "fn main() {}"), ("kept.md", "# Kept")]
        .into_iter()
        .map(|(name, text)| stage.asset(name, text))
        .collect();
    for asset in &ids[..2] {
        stage.call(AssetsDeleteAsset { asset: asset.clone() }).expect("deleted");
    }
    stage.ctrl(Key::Num3);
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("one is listed", |state| state.assets.list.count() == 1 && !state.assets.list.rows.loading());
    (stage, ids)
}

/// Opens the Trash by its button in the panel of assets.
fn open(stage: &mut Stage) {
    stage.press("Show Trash");
    stage.until("it is read", |state| state.trash.open && state.trash.listing.rows.value().is_some());
    stand(stage);
}

fn listed(stage: &Stage) -> usize {
    stage.state().trash.listing.count()
}

fn asset_exists(stage: &Stage, asset: &AssetId) -> bool {
    stage.call(AssetSnapshot { asset: asset.clone(), transferables: Some(false) }).is_ok()
}

fn can_be_restored(stage: &Stage, asset: &AssetId) -> bool {
    stage.call(AssetsTrashRestore { asset: asset.clone(), transferables: Some(false) }).is_ok()
}

fn select(stage: &mut Stage, rows: &[&str]) {
    for row in rows {
        stage.find(Role::Row, row).click_modifiers(Modifiers::COMMAND);
        stage.settle();
    }
}

#[test]
fn the_palette_shows_the_trash_and_an_empty_one_says_how_long_it_keeps() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::K);
    stage.type_into("Search or run a command", "Show Trash");
    stage.until_drawn("it is found", |harness| {
        egui_kittest::kittest::Queryable::query_by_role_and_label(harness, Role::ListBoxOption, "Show Trash").is_some()
    });
    stage.find(Role::ListBoxOption, "Show Trash").click();
    stage.settle();
    stage.until_label("Trash is empty");
    assert!(stage.says("Deleted assets are kept here for 30 days."));
    stand(&mut stage);
    let button = stage.find(Role::Button, "Empty Trash…").accesskit_node();
    assert!(button.is_disabled() && button.description().is_some_and(|message| message.contains("empty")));
    stage.key(Key::Escape);
    stage.until("it is closed", |state| !state.trash.open);
}

#[test]
fn deleted_assets_are_listed_with_when_they_were_and_will_be_deleted() {
    let (mut stage, _) = with_two_deleted();
    open(&mut stage);
    let names: Vec<_> = (0..2).map(|index| stage.state().trash.listing.shown(index).expect("a row").name()).collect();
    assert_eq!(names, ["b.rs", "a.txt"], "deleted last first");
    let row = stage.state().trash.listing.shown(0).expect("a row").clone();
    let days = |text: &str| text.parse::<jiff::Timestamp>().expect("a moment");
    assert_eq!(days(&row.expires).duration_since(days(&row.deleted)).as_hours(), 30 * 24);
    for message in ["2 assets", "Permanently deleted on", "just now", "Rust", "12 B"] {
        assert!(stage.says(message), "{message}");
    }
    for name in ["Restore", "Delete permanently…"] {
        let button = stage.find(Role::Button, name).accesskit_node();
        assert!(
            button.is_disabled() && button.description().is_some_and(|message| message.contains("Select")),
            "{name}"
        );
    }
    for _ in 0..2 {
        stage.find(Role::ColumnHeader, "Deleted").click();
        stage.settle();
    }
    assert_eq!(stage.state().trash.listing.shown(0).expect("a row").name(), "a.txt");
}

#[test]
fn restoring_one_asset_is_a_step_and_relists_it() {
    let (mut stage, ids) = with_two_deleted();
    open(&mut stage);
    select(&mut stage, &["a.txt"]);
    stage.press("Restore");
    stage.until("it is restored", |state| state.assets.list.count() == 2 && state.trash.listing.count() == 1);
    assert!(asset_exists(&stage, &ids[0]) && !asset_exists(&stage, &ids[1]));
    let step = stage.state().history.entries.last().expect("a step");
    assert_eq!((step.title.as_str(), &step.outcome), ("Restored “a.txt”", &Outcome::Done));
    assert!(matches!(&step.kind, EntryKind::Change(change) if change.asset() == &ids[0]));
    assert!(stage.says("Restored “a.txt”"));
}

#[test]
fn restoring_several_assets_asks_before_sending() {
    let (mut stage, ids) = with_two_deleted();
    open(&mut stage);
    select(&mut stage, &["a.txt", "b.rs"]);
    stage.press("Restore");
    stage.until_label("Restore 2 assets?");
    stand(&mut stage);
    assert_eq!(writes(&stage), 0);
    stage.press("Cancel");
    stage.until("it is put away", |state| state.notifications.confirmation.is_none());
    assert_eq!(listed(&stage), 2);
    stage.press("Restore");
    stage.until_label("Restore 2 assets?");
    stand(&mut stage);
    stage.press("Restore 2 assets");
    stage.until("they are restored", |state| state.assets.list.count() == 3 && state.trash.listing.count() == 0);
    assert!(asset_exists(&stage, &ids[0]) && asset_exists(&stage, &ids[1]));
    stage.until_label("Trash is empty");
}

#[test]
fn deleting_permanently_shows_the_plan_first_and_states_that_it_is_final() {
    let (mut stage, ids) = with_two_deleted();
    open(&mut stage);
    select(&mut stage, &["a.txt"]);
    for answer in ["Cancel", "Delete permanently"] {
        assert_eq!(writes(&stage), 0);
        stage.press("Delete permanently…");
        stage.until_label("Delete “a.txt” permanently?");
        stage.until_said("This cannot be undone: the asset and its content are deleted permanently");
        stand(&mut stage);
        stage.press(answer);
        stage.until("it is put away", |state| state.write.planned.is_none());
        stand(&mut stage);
    }
    stage.until("one is left", |state| state.trash.listing.count() == 1);
    assert!(!can_be_restored(&stage, &ids[0]) && can_be_restored(&stage, &ids[1]));
}

#[test]
fn deleting_several_permanently_asks_with_their_number() {
    let (mut stage, ids) = with_two_deleted();
    open(&mut stage);
    select(&mut stage, &["a.txt", "b.rs"]);
    stage.press("Delete permanently…");
    stage.until_label("Delete 2 assets permanently?");
    assert!(stage.says("This cannot be undone."));
    stand(&mut stage);
    stage.press("Delete 2 assets permanently");
    stage.until("they are deleted", |state| state.trash.listing.count() == 0 && !state.trash.listing.rows.loading());
    assert!(ids[..2].iter().all(|id| !can_be_restored(&stage, id)));
    assert!(asset_exists(&stage, &ids[2]));
}

#[test]
fn the_trash_is_emptied_after_asking_with_the_number_of_assets() {
    let (mut stage, ids) = with_two_deleted();
    open(&mut stage);
    for answer in ["Cancel", "Empty Trash"] {
        assert_eq!(writes(&stage), 0);
        stage.press("Empty Trash…");
        stage.until_said("2 assets and their content are deleted permanently. This cannot be undone.");
        stand(&mut stage);
        stage.press(answer);
        stage.until("it is put away", |state| state.notifications.confirmation.is_none());
        stand(&mut stage);
    }
    stage.until_label("Trash is empty");
    stage.until_said("Emptied the Trash: deleted 2 assets permanently");
    assert!(ids[..2].iter().all(|id| !can_be_restored(&stage, id)));
    assert!(asset_exists(&stage, &ids[2]));
    let step = stage.state().history.entries.last().expect("a step");
    assert_eq!((step.title.as_str(), &step.outcome), ("Emptied the Trash", &Outcome::Done));
}

#[test]
fn emptying_the_trash_deletes_nothing_if_it_changed_since_the_number_was_shown() {
    let (mut stage, ids) = with_two_deleted();
    open(&mut stage);
    stage.press("Empty Trash…");
    stage.until_said("2 assets and their content are deleted permanently. This cannot be undone.");
    stage.call(AssetsDeleteAsset { asset: ids[2].clone() }).expect("deleted elsewhere");
    stand(&mut stage);
    stage.press("Empty Trash");
    stage.until("it is read again", |state| state.trash.listing.count() == 3);
    assert!(ids.iter().all(|id| can_be_restored(&stage, id)));
}

#[test]
fn an_asset_deleted_while_the_trash_is_shown_appears_in_it() {
    let (mut stage, ids) = with_two_deleted();
    open(&mut stage);
    let delete =
        lunette_inspector::change::Change::Delete { asset: ids[2].clone(), name: "kept.md".to_owned(), made: None };
    stage.perform(WriteAction::Change(delete));
    stage.until("it is in the Trash", |state| state.trash.listing.count() == 3);
}

#[test]
fn a_remote_deletion_or_restore_is_reported_while_the_trash_is_shown() {
    let (mut stage, ids) = with_two_deleted();
    open(&mut stage);
    stage.call(AssetsDeleteAsset { asset: ids[2].clone() }).expect("deleted");
    stage.until("it is in the Trash", |state| state.trash.listing.count() == 3);
    assert!(can_be_restored(&stage, &ids[0]));
    stage.until("it is there no more", |state| state.trash.listing.count() == 2);
}

#[test]
fn a_service_without_a_trash_says_so_and_its_button_is_disabled_with_the_reason() {
    let behind = Stage::embedded();
    for status in [404, 410, 405] {
        let wire = UnsupportedProxy::start(behind.port());
        wire.reject(AssetsTrashSnapshot::INFO, status);
        let mut stage = Stage::at(&wire.url());
        stage.until_idle();
        stage.ctrl(Key::Num3);
        stage.perform(TrashAction::Show(true));
        stage.until_label("Not offered by this service");
        stand(&mut stage);
        stage.key(Key::Escape);
        stage.until("it is closed", |state| !state.trash.open);
        stand(&mut stage);
        let button = stage.find(Role::Button, "Show Trash").accesskit_node();
        assert!(button.is_disabled(), "{status}");
        assert!(button.description().is_some_and(|message| message.contains("assetsTrashSnapshot")), "{status}");
    }
}

#[test]
fn a_trash_that_cannot_be_read_says_why_and_can_be_reloaded() {
    let behind = Stage::embedded();
    let wire = UnsupportedProxy::start(behind.port());
    let info: &OperationInfo = AssetsTrashSnapshot::INFO;
    wire.reject(info, 500);
    let mut stage = Stage::at(&wire.url());
    stage.until_idle();
    stage.perform(TrashAction::Show(true));
    stage.until_label("The deleted assets could not be read");
    stand(&mut stage);
    wire.accept_all();
    stage.press("Try again");
    stage.until_label("Trash is empty");
}

#[test]
fn a_row_of_the_trash_is_restored_and_deleted_permanently_by_its_menu() {
    let (mut stage, ids) = with_two_deleted();
    open(&mut stage);
    right_click(&mut stage, Role::Row, "a.txt");
    let both = ["Restore", "Delete permanently…"].map(|name| (name.to_owned(), true));
    assert_eq!(entries(&stage), both);
    stage.key(Key::Escape);
    assert!(entries(&stage).is_empty() && stage.state().trash.open, "Escape closes the menu alone");
    assert!(stage.says("2 assets, 1 selected"));
    right_click(&mut stage, Role::Row, "a.txt");
    choose(&mut stage, "Restore");
    stage.until("it is restored", |state| state.assets.list.count() == 2 && state.trash.listing.count() == 1);
    assert!(asset_exists(&stage, &ids[0]) && !asset_exists(&stage, &ids[1]));
    stand(&mut stage);
    right_click(&mut stage, Role::Row, "b.rs");
    choose(&mut stage, "Delete permanently…");
    stage.until_label("Delete “b.rs” permanently?");
    stage.until_said("This cannot be undone: the asset and its content are deleted permanently");
    stand(&mut stage);
    stage.press("Delete permanently");
    stage.until("it is deleted", |state| state.trash.listing.count() == 0);
    assert!(!can_be_restored(&stage, &ids[1]));
}

#[test]
fn the_trash_menu_acts_on_the_selection_and_opens_by_key() {
    let (mut stage, ids) = with_two_deleted();
    open(&mut stage);
    select(&mut stage, &["a.txt", "b.rs"]);
    stage.key(Key::Menu);
    assert!(stage.find(Role::MenuItem, "Restore").accesskit_node().is_focused(), "the menu has the keyboard");
    stage.key(Key::Escape);
    assert!(entries(&stage).is_empty() && stage.state().trash.open, "Escape closes the menu alone");
    right_click(&mut stage, Role::Row, "b.rs");
    choose(&mut stage, "Restore");
    stage.until_label("Restore 2 assets?");
    stand(&mut stage);
    stage.press("Restore 2 assets");
    stage.until("they are restored", |state| state.assets.list.count() == 3 && state.trash.listing.count() == 0);
    assert!(asset_exists(&stage, &ids[0]) && asset_exists(&stage, &ids[1]));
}

#[test]
fn the_trash_menu_of_a_read_only_connection_says_why_it_is_disabled() {
    let (mut stage, _) = with_two_deleted();
    stage.perform(SessionAction::SetWritePolicy(lunette_inspector::WritePolicy::ReadOnly));
    open(&mut stage);
    right_click(&mut stage, Role::Row, "a.txt");
    for name in ["Restore", "Delete permanently…"] {
        let item = stage.find(Role::MenuItem, name).accesskit_node();
        assert!(item.is_disabled() && item.description().is_some_and(|why| why.contains("read-only")), "{name}");
    }
}
