//! The layout of the window, saved for each connection.

use std::collections::BTreeSet;

use egui::{Key, Role};
use lunette_inspector::Remote;
use lunette_inspector::action::{
    AssistantsAction, InventoryAction, LinksAction, NavigationAction, PreviewAction, ProposalsAction, RescueAction,
    SessionAction, SettingsAction, SidesAction, TrashAction,
};
use lunette_inspector::assistants::{Assistants, ToolCall};
use lunette_inspector::filter::List;
use lunette_inspector::inventory::Shown as InventoryShown;
use lunette_inspector::listing::Sort;
use lunette_inspector::panel::Panel;
use lunette_inspector::proposals::{Draft, NewText, ProposalStore, ProposedChange};
use lunette_inspector::rescue::window::{Shown, Stage as RescueStage};
use lunette_inspector::session::Status;
use lunette_inspector::settings::Settings;
use lunette_inspector::settings::Target;
use lunette_inspector::sides::window::Stage as SidesStage;

use lunette_client::operation::table::{AssetsDeleteAsset, TagsCreateNewTag};

use crate::stage::Stage;
use crate::support;

/// Waits until the layout is saved.
pub fn until_kept(stage: &mut Stage) {
    let folder = stage.folder.path().to_owned();
    stage.until("the settings are kept", |state| {
        let kept = Settings::peek(&folder);
        (kept.views, kept.zoom) == (state.preferences.settings.views.clone(), state.preferences.settings.zoom)
    });
}

fn connect(stage: &mut Stage, target: &Target) {
    stage.perform(SessionAction::Connect(target.clone()));
    stage.until("it is connected", |state| {
        state.connection.target == *target
            && state.connection.status == Status::Up
            && state.applications.external.rows.value().is_some()
            && !state.applications.external.rows.loading()
    });
    stage.settle();
}

/// A window with one layout for the built-in service, and another for the same service by its address.
fn two_layouts() -> (Stage, Target) {
    let mut stage = Stage::embedded();
    let other = Target::Url(stage.url());
    stage.ctrl(Key::Num2);
    stage.press("Columns");
    stage.find(Role::CheckBox, "State").click();
    stage.settle();
    stage.key(Key::Escape);
    stage.find(Role::ColumnHeader, "Name").click();
    stage.settle();
    stage.find(Role::ColumnHeader, "Version").click_modifiers(egui::Modifiers::SHIFT);
    stage.settle();
    stage.type_into("Filter external applications", "is:integration");
    connect(&mut stage, &other);
    stage.type_into("Filter external applications", "-is:installed");
    stage.ctrl(Key::Num6);
    stage.perform(SettingsAction::Zoom(1.1));
    until_kept(&mut stage);
    (stage, other)
}

fn layout_of_the_first(stage: &mut Stage) {
    let state = stage.state();
    assert_eq!((state.navigation.panel, state.preferences.settings.zoom), (Panel::External, 1.0));
    assert_eq!(state.applications.external.query.filter.to_string(), "is:integration");
    assert_eq!(state.applications.external.query.sort, Some(Sort::up("name")));
    assert_eq!(state.applications.external.query.then, Some(Sort::up("version")));
    stage.find(Role::ColumnHeader, "Version");
    assert!(!stage.draws(Role::ColumnHeader, "State"));
    let field = stage.value_of("Filter external applications");
    assert_eq!(field, "is:integration");
}

fn layout_of_the_second(stage: &mut Stage) {
    let state = stage.state();
    assert_eq!((state.navigation.panel, state.preferences.settings.zoom), (Panel::Log, 1.1));
    stage.ctrl(Key::Num2);
    assert_eq!(stage.value_of("Filter external applications"), "-is:installed");
    stage.find(Role::ColumnHeader, "State");
    assert_eq!(stage.state().applications.external.query.sort, None);
    stage.ctrl(Key::Num6);
}

#[test]
fn layouts_of_two_connections_are_restored_after_a_restart() {
    let (stage, other) = two_layouts();
    let mut stage = stage.reopened();
    layout_of_the_first(&mut stage);
    connect(&mut stage, &other);
    layout_of_the_second(&mut stage);
    connect(&mut stage, &Target::Embedded);
    layout_of_the_first(&mut stage);
}

#[test]
fn the_layout_is_reset_for_every_connection_with_a_message() {
    let (mut stage, other) = two_layouts();
    stage.perform(SettingsAction::ResetLayout);
    stage.settle();
    assert!(stage.says("Reset the layout of 2 connections"));
    assert_eq!(stage.state().preferences.settings.zoom, 1.0);
    stage.ctrl(Key::Num2);
    assert_eq!(stage.value_of("Filter external applications"), "");
    connect(&mut stage, &Target::Embedded);
    assert_eq!(stage.value_of("Filter external applications"), "");
    assert!(
        stage.state().applications.external.query.filter.is_empty()
            && stage.state().applications.external.query.sort.is_none()
    );
    stage.find(Role::ColumnHeader, "State");
    until_kept(&mut stage);
    connect(&mut stage, &other);
    assert_eq!(stage.state().preferences.view.list("external").filter, "");
}

/// Opens the panel or the dialog of a list; returns the name of its filter field.
fn open_list(stage: &mut Stage, list: List) -> &'static str {
    let (panel, name) = match list {
        List::Applications | List::Inventory => (Panel::Applications, "Filter applications"),
        List::External => (Panel::External, "Filter external applications"),
        List::Assets => (Panel::Assets, "Filter assets"),
        List::Links => (Panel::Links, "Filter links"),
        List::Linked => (Panel::Links, "Filter the assets of the link"),
        List::Log => (Panel::Log, "Filter calls"),
        List::History => (Panel::History, "Filter steps"),
        List::Trash => (Panel::Assets, "Filter deleted assets"),
        List::Import => (Panel::Assets, "Filter items"),
        List::Rescue => (Panel::Rescue, "Filter records"),
        List::Sides => (Panel::Sides, "Filter the assets of both sides"),
        List::Proposals => (Panel::Proposals, "Filter proposals"),
        List::ProposedChanges => (Panel::Proposals, "Filter changes"),
        List::Assistants => (Panel::Proposals, "Filter assistants"),
    };
    stage.perform(NavigationAction::Show(panel));
    let shown = if list == List::Inventory { InventoryShown::All } else { InventoryShown::Tracked };
    stage.perform(InventoryAction::Show(shown));
    if list == List::Trash {
        stage.perform(TrashAction::Show(true));
        stage.until("the Trash is read", |state| state.trash.listing.rows.value().is_some());
    }
    if list == List::Linked {
        stage.until("the tags are listed", |state| state.links.shown().iter().next().is_some());
        let item = stage.state().links.shown().iter().find(|row| row.item.text == "alpha").expect("a tag").item.clone();
        stage.perform(LinksAction::Open(item));
        stage.until("its assets are listed", |state| matches!(state.links.assets.list.rows, Remote::Known(_)));
    }
    if list == List::Rescue {
        if stage.state().rescue.stage == RescueStage::Idle {
            // This window has no service of its own to store anything in.
            stage.perform(RescueAction::Count(stage.url().parse().expect("an address")));
            stage.until("it was interrupted", |state| matches!(state.rescue.stage, RescueStage::Interrupted(_)));
        }
        stage.perform(RescueAction::Show(Some(Shown::Missing)));
    }
    if list == List::Sides && stage.state().sides.comparison.is_none() {
        stage.perform(SidesAction::Compare(["own".to_owned(), "own".to_owned()]));
        stage.until("both sides are read", |state| state.sides.stage == SidesStage::Ready);
    }
    if list == List::ProposedChanges {
        let number = proposed(stage);
        stage.perform(ProposalsAction::Open(Some(number)));
        stage.until("its changes are listed", |state| state.proposals.changes.count() == 2);
    }
    if list == List::Assistants {
        let assistants = Assistants::open(stage.folder.path()).expect("opened");
        assistants.record("embedded", &ToolCall::begun("alpha", "find")).expect("recorded");
        stage.perform(AssistantsAction::Show(true));
        stage.until("they are listed", |state| state.assistants.list.count() > 0);
    }
    if list == List::Import && stage.state().import.previews.open.is_none() {
        let files = stage.folder.path().join("files");
        std::fs::create_dir_all(&files).expect("a folder");
        for name in ["alpha.txt", "beta.txt"] {
            std::fs::write(files.join(name), name).expect("a file");
        }
        stage.perform(PreviewAction::Show(vec![files]));
        stage.until("the preview is read", |state| state.import.previews.list.count() == 2);
    }
    stage.settle();
    name
}

/// Closes the dialogs that lists are in.
fn close_dialogs(stage: &mut Stage) {
    stage.perform(TrashAction::Show(false));
    stage.perform(PreviewAction::Close);
    stage.perform(ProposalsAction::Open(None));
    stage.perform(AssistantsAction::Show(false));
    stage.settle();
}

/// Makes a proposal with two changes at the connection; returns its number.
fn proposed(stage: &Stage) -> u64 {
    let store = ProposalStore::open(stage.folder.path(), &stage.state().connection.key()).expect("opened");
    let new = |name: &str| ProposedChange::new(NewText { name: name.to_owned(), ..NewText::default() });
    let changes = vec![new("alpha"), new("beta")];
    let (client, reason, title) = ("alpha".to_owned(), String::new(), "2 changes".to_owned());
    store.add(Draft { client, reason, title, changes, undoes: None }).expect("kept").number
}

/// The lists that the state walks, each once.
fn lists(stage: &Stage) -> Vec<List> {
    let mut lists: Vec<List> = stage.state().lists().iter().map(|list| list.list()).collect();
    lists.dedup();
    lists
}

/// Checks that the field of a list, its query and its rows agree, and that it has this filter.
#[track_caller]
fn agrees(stage: &mut Stage, list: List, filter: &str, when: &str) {
    let name = open_list(stage, list);
    assert_eq!(stage.value_of(name), filter, "the field of {list:?} {when}");
    for viewed in stage.state().lists().into_iter().filter(|viewed| viewed.list() == list) {
        assert_eq!(viewed.query().filter.to_string(), filter, "the query of {list:?} {when}");
        assert!(viewed.is_applied(), "the rows of {list:?} {when}");
    }
    close_dialogs(stage);
}

/// Checks all lists. The filter of an import is for one import.
#[track_caller]
fn all_agree(stage: &mut Stage, filter: &str, when: &str) {
    for list in lists(stage) {
        agrees(stage, list, if list == List::Import { "" } else { filter }, when);
    }
}

#[test]
fn every_list_is_filtered_as_its_field_says_after_a_restart_another_connection_and_a_reset() {
    let mut stage = Stage::embedded();
    let other = Target::Url(stage.url());
    for text in ["alpha", "beta"] {
        let tag = support::assets::record(serde_json::json!({ "text": text }));
        stage.call(TagsCreateNewTag { transferables: None, tag: Some(tag) }).expect("a tag");
        stage.asset(&format!("{text}.txt"), text);
    }
    let trashed = stage.asset("alpha.rs", "alpha");
    stage.call(AssetsDeleteAsset { asset: trashed }).expect("deleted");
    assert_eq!(lists(&stage).iter().copied().collect::<BTreeSet<_>>(), List::ALL.into(), "every list");
    for list in lists(&stage) {
        let name = open_list(&mut stage, list);
        stage.type_into(name, "alpha");
        agrees(&mut stage, list, "alpha", "after it was typed");
    }
    all_agree(&mut stage, "alpha", "after all were typed");
    until_kept(&mut stage);
    let mut stage = stage.reopened();
    all_agree(&mut stage, "alpha", "after a restart");
    connect(&mut stage, &other);
    all_agree(&mut stage, "", "after another connection");
    connect(&mut stage, &Target::Embedded);
    all_agree(&mut stage, "alpha", "after the first connection again");
    stage.perform(SettingsAction::ResetLayout);
    stage.settle();
    all_agree(&mut stage, "", "after the layout was reset");
}
