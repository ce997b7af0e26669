//! What a command acts on in the window: what is seen and focused, and nothing that another panel or page hides.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette::ui::command::Command;
use lunette_client::model::id::AssetId;
use lunette_inspector::action::{
    AssetsAction, BulkAction, GraphAction, ImportAction, NavigationAction, SessionAction, WriteAction,
};
use lunette_inspector::panel::Panel;
use lunette_inspector::{State, WritePolicy};

use crate::dialogs::plan::writes;
use crate::input::commands::press_keys;
use crate::input::selection::{click, four, marked};
use crate::panels::links::with_tags;
use crate::stage::Stage;

/// The commands that act on an asset, apart from the one that closes its page.
const OF_ASSET: [Command; 13] = [
    Command::Rename,
    Command::EditAsset,
    Command::EditText,
    Command::Reclassify,
    Command::Tag,
    Command::Website,
    Command::Summary,
    Command::Score,
    Command::Favourite,
    Command::Export,
    Command::ShowGraph,
    Command::CopyId,
    Command::Delete,
];

/// Returns whether any form, plan or question is drawn or prepared.
fn asks(stage: &Stage) -> bool {
    let State { bulk, write, notifications, .. } = stage.state();
    stage.harness.query_all_by_role(Role::Dialog).next().is_some()
        || bulk.draft.is_some()
        || write.planned.is_some()
        || notifications.confirmation.is_some()
}

/// Four assets of which two are open and selected in their list; then another panel is shown.
fn selected_and_hidden(panel: Panel) -> Stage {
    let (mut stage, _) = four();
    click(&mut stage, "a.txt", Modifiers::NONE);
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    click(&mut stage, "b.md", Modifiers::COMMAND);
    assert_eq!(marked(&stage), ["a.txt", "b.md"]);
    match Command::of_panel(panel) {
        // Some panels have no keys until a user gives them some.
        command if command.row().keys.is_empty() => stage.perform(NavigationAction::Show(panel)),
        command => press_keys(&mut stage, command),
    }
    stage.until_drawn("nothing is under way", |harness| !harness.state().is_busy());
    stage
}

#[test]
fn no_key_acts_on_what_is_selected_or_open_in_another_panel() {
    for panel in Panel::ALL.into_iter().filter(|panel| *panel != Panel::Assets) {
        let mut stage = selected_and_hidden(panel);
        let start = stage.state().graph.start.clone();
        // The row that the first key puts the focus ring on is an application, which has a graph.
        let row = |command| panel == Panel::Applications && command == Command::ShowGraph;
        for command in OF_ASSET.into_iter().chain([Command::CloseAsset]).filter(|command| !row(*command)) {
            press_keys(&mut stage, command);
            let state = stage.state();
            assert_eq!((state.navigation.panel, state.assets.selected.count), (panel, 2), "{command:?}");
            assert!(!asks(&stage) && state.assets.pages.open.is_some(), "{command:?} in {panel:?}");
            assert_eq!(stage.state().graph.start, start, "{command:?} in {panel:?}");
        }
        assert_eq!(writes(&stage), 0);
    }
}

#[test]
fn a_key_without_a_target_says_what_to_do() {
    let mut stage = selected_and_hidden(Panel::Log);
    for command in OF_ASSET {
        press_keys(&mut stage, command);
        stage.until_said(&format!("{}: Open or select an asset first", command.title()));
    }
}

#[test]
fn the_hint_of_a_key_without_a_target_ends_when_the_selection_changes() {
    let mut stage = with_tags();
    stage.ctrl(Key::Num4);
    stage.find(Role::Row, "spare").click();
    stage.until("its page is open", |state| state.links.open.is_some());
    let hint = "Open or select an asset first";
    press_keys(&mut stage, Command::Tag);
    stage.until_said(hint);
    for row in ["spare", "to do"] {
        click(&mut stage, row, Modifiers::COMMAND);
    }
    stage.harness.run_steps(4);
    assert!(!stage.says(hint));
}

#[test]
fn with_a_tag_open_the_keys_act_on_the_tag_and_not_on_assets_selected_elsewhere() {
    let mut stage = with_tags();
    stage.ctrl(Key::Num3);
    stage.until("the assets are listed", |state| state.assets.list.order.len() == 2);
    for row in ["a.txt", "b.txt"] {
        click(&mut stage, row, Modifiers::COMMAND);
    }
    stage.until("both are selected", |state| state.assets.selected.count == 2);
    stage.ctrl(Key::Num4);
    stage.find(Role::Row, "spare").click();
    stage.until("its page is open", |state| state.links.open.is_some());
    press_keys(&mut stage, Command::Delete);
    stage.until_said("Delete tag “spare”?");
    assert_eq!((stage.state().navigation.panel, stage.state().bulk.draft.is_some()), (Panel::Links, false));
    stage.key(Key::Escape);
    press_keys(&mut stage, Command::Tag);
    stage.until_said("Open or select an asset first");
    press_keys(&mut stage, Command::Rename);
    stage
        .until_drawn("its name is typed", |harness| harness.query_by_role_and_label(Role::TextInput, "Name").is_some());
    assert_eq!(stage.value_of("Name"), "spare");
    stage.key(Key::Escape);
    press_keys(&mut stage, Command::ShowGraph);
    stage.until("the graph begins", |state| !state.graph.start.is_empty());
    let start: Vec<&str> = stage.state().graph.start.iter().map(|start| start.name.as_str()).collect();
    assert_eq!(start, ["spare"]);
}

#[test]
fn a_tag_that_assets_have_is_not_deleted_by_its_key_and_several_are_asked_about_together() {
    let mut stage = with_tags();
    stage.find(Role::Row, "to do").click();
    stage.until("its page is open", |state| state.links.open.is_some());
    press_keys(&mut stage, Command::Delete);
    stage.until_said("Assets are linked to it; remove it from them first");
    stage.ctrl(Key::A);
    press_keys(&mut stage, Command::Delete);
    stage.until_said("Delete 1 unused tag?");
    stage.key(Key::Escape);
    press_keys(&mut stage, Command::Rename);
    stage.until_said("Several tags are selected, and this is for one");
    press_keys(&mut stage, Command::ShowGraph);
    stage.until("the graph begins", |state| state.graph.start.len() == 3);
}

/// Four assets; the focus ring is on the first of those that a filter shows, and nothing is open or selected.
fn ringed() -> (Stage, AssetId) {
    let (mut stage, ids) = four();
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    stage.type_into("Filter assets", "language:Markdown");
    stage.until("it is filtered", |state| state.assets.list.order.len() == 2);
    stage.key(Key::Escape);
    stage.type_into("Filter assets", " ");
    stage.key(Key::Enter);
    stage.harness.run_steps(3);
    assert_eq!((marked(&stage), stage.state().assets.pages.open.clone()), (Vec::new(), None));
    assert!(stage.find(Role::Row, "b.md").accesskit_node().is_focused());
    (stage, ids[1].clone())
}

#[test]
fn keys_act_on_the_row_with_the_focus_ring() {
    let (mut stage, id) = ringed();
    press_keys(&mut stage, Command::Delete);
    stage.until("it is planned", |state| state.write.planned.is_some());
    assert_eq!(stage.state().write.planned.as_ref().map(|planned| planned.change.asset().clone()), Some(id.clone()));
    stage.perform(WriteAction::DismissPlan);
    stage.settle();
    press_keys(&mut stage, Command::ShowGraph);
    stage.until("the graph begins", |state| state.graph.start.len() == 1);
    assert_eq!(stage.state().graph.start[0].name, "b.md");
    stage.perform(GraphAction::Start(Vec::new()));
    for (command, role, opened) in [
        (Command::Tag, Role::TextInput, "Add a tag"),
        (Command::Rename, Role::TextInput, "Name"),
        (Command::EditAsset, Role::Dialog, "Edit asset"),
        (Command::Export, Role::Dialog, "Export"),
        (Command::Reclassify, Role::Dialog, "Reclassify"),
    ] {
        let (mut stage, id) = ringed();
        press_keys(&mut stage, command);
        stage.until_drawn(opened, |harness| harness.query_by_role_and_label(role, opened).is_some());
        assert_eq!((stage.state().assets.pages.open.as_ref(), writes(&stage)), (Some(&id), 0), "{command:?}");
    }
}

#[test]
fn the_palette_names_the_row_with_the_focus_ring_and_acts_on_it() {
    let (mut stage, id) = ringed();
    stage.ctrl(Key::K);
    stage.harness.run_steps(2);
    stage.find(Role::TextInput, Command::Palette.title()).type_text("delete the asset");
    stage.until_said("Delete “b.md”…");
    stage.key(Key::Enter);
    stage.until("it is planned", |state| state.write.planned.is_some());
    assert_eq!(stage.state().write.planned.as_ref().map(|planned| planned.change.asset()), Some(&id));
}

#[test]
fn a_name_typed_into_the_palette_finds_the_asset_and_not_what_can_be_done_with_it() {
    let (mut stage, _) = four();
    click(&mut stage, "b.md", Modifiers::NONE);
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    stage.ctrl(Key::K);
    stage.harness.run_steps(2);
    stage.find(Role::TextInput, Command::Palette.title()).type_text("b.md");
    stage.until_drawn("it is found", |harness| harness.query_all_by_role(Role::ListBoxOption).next().is_some());
    stage.harness.run_steps(4);
    assert!(!stage.says("Delete “b.md”…"));
}

#[test]
fn with_the_focus_outside_of_the_selection_commands_act_on_the_selection() {
    let (mut stage, ids) = four();
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    click(&mut stage, "a.txt", Modifiers::NONE);
    click(&mut stage, "b.md", Modifiers::SHIFT);
    for _ in 0..2 {
        stage.harness.key_press_modifiers(Modifiers::COMMAND, Key::ArrowDown);
        stage.settle();
    }
    assert!(stage.find(Role::Row, "d.md").accesskit_node().is_focused());
    press_keys(&mut stage, Command::Delete);
    stage.until("there is a plan", |state| state.bulk.draft.is_some());
    let planned = stage
        .state()
        .bulk
        .draft
        .as_ref()
        .map(|draft| draft.assets.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>());
    assert_eq!(planned, Some(ids[..2].to_vec()));
    stage.perform(BulkAction::Dismiss);
    click(&mut stage, "a.txt", Modifiers::COMMAND);
    click(&mut stage, "b.md", Modifiers::COMMAND);
    assert_eq!(marked(&stage), [""; 0]);
    stage.harness.key_press_modifiers(Modifiers::COMMAND, Key::ArrowDown);
    stage.settle();
    press_keys(&mut stage, Command::Delete);
    stage.until("it is planned", |state| state.write.planned.is_some());
    assert_eq!(
        stage.state().write.planned.as_ref().map(|planned| planned.change.asset()),
        Some(&ids[2]),
        "with nothing selected, the row with the ring"
    );
}

#[test]
fn a_single_selected_row_is_acted_on_although_another_asset_is_open() {
    let (mut stage, ids) = four();
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    click(&mut stage, "a.txt", Modifiers::NONE);
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    click(&mut stage, "a.txt", Modifiers::COMMAND);
    click(&mut stage, "c.txt", Modifiers::COMMAND);
    assert_eq!((marked(&stage), stage.state().assets.pages.open.as_ref()), (vec!["c.txt".to_owned()], Some(&ids[0])));
    press_keys(&mut stage, Command::Delete);
    stage.until("it is planned", |state| state.write.planned.is_some());
    assert_eq!(stage.state().write.planned.as_ref().map(|planned| planned.change.asset()), Some(&ids[2]));
}

#[test]
fn a_page_in_place_of_its_list_is_acted_on_and_not_what_is_selected_below_it() {
    let (mut stage, ids) = four();
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stage.harness.run_steps(3);
    for row in ["a.txt", "b.md"] {
        click(&mut stage, row, Modifiers::COMMAND);
    }
    stage.perform(AssetsAction::Open(ids[2].clone()));
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    stage.settle();
    press_keys(&mut stage, Command::Delete);
    stage.until("it is planned", |state| state.write.planned.is_some());
    assert_eq!(stage.state().write.planned.as_ref().map(|planned| planned.change.asset()), Some(&ids[2]));
    assert_eq!(stage.state().bulk.draft, None);
}

#[test]
fn while_a_dialog_is_open_no_key_acts_on_what_is_behind_it() {
    let (mut stage, _) = four();
    click(&mut stage, "a.txt", Modifiers::NONE);
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    stage.ctrl(Key::Comma);
    stage.until_drawn("the preferences", |harness| harness.query_by_role(Role::Dialog).is_some());
    let open = stage.state().assets.pages.open.clone();
    for command in OF_ASSET.into_iter().chain([Command::CloseAsset]) {
        press_keys(&mut stage, command);
        let State { bulk, write, assets, .. } = stage.state();
        assert!(bulk.draft.is_none() && write.planned.is_none() && assets.pages.open == open, "{command:?}");
        assert_eq!(stage.harness.query_all_by_role(Role::Dialog).count(), 1, "{command:?}");
    }
    assert_eq!(writes(&stage), 0);
}

#[test]
fn a_tracked_application_with_the_focus_ring_is_what_its_graph_begins_with() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num1);
    stage.until_drawn("it is listed", |harness| harness.query_by_role_and_label(Role::Row, "Lunette").is_some());
    stage.key(Key::ArrowDown);
    press_keys(&mut stage, Command::Tag);
    stage.until_said("Open or select an asset first");
    press_keys(&mut stage, Command::ShowGraph);
    stage.until("the graph begins", |state| state.graph.start.len() == 1);
    assert_eq!(stage.state().graph.start[0].name, "Lunette");
}

#[test]
fn an_export_of_many_begins_with_the_selection_only_where_that_is_seen() {
    let mut stage = selected_and_hidden(Panel::Links);
    press_keys(&mut stage, Command::ExportMany);
    let chosen = |stage: &Stage, choice: &str| {
        let nodes = stage.harness.query_all_by_role(Role::RadioButton).map(|node| node.accesskit_node());
        let mut of = nodes.filter(|node| node.label().is_some_and(|label| label.starts_with(choice)));
        of.next().map(|node| node.toggled())
    };
    let on = Some(Some(egui::accesskit::Toggled::True));
    stage.until_drawn("the dialog", |harness| harness.query_by_role(Role::Dialog).is_some());
    assert_eq!(chosen(&stage, "All ("), on);
    stage.key(Key::Escape);
    stage.ctrl(Key::Num3);
    press_keys(&mut stage, Command::ExportMany);
    stage.until_drawn("the dialog", |harness| harness.query_by_role(Role::Dialog).is_some());
    assert_eq!(chosen(&stage, "Selected ("), on);
}

#[test]
fn commands_act_on_an_asset_that_was_just_created_although_the_focus_was_on_another_row() {
    let (mut stage, _) = ringed();
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Allow));
    let name = "new.md".to_owned();
    stage.perform(ImportAction::Create { name, text: "# New".to_owned() });
    stage.until_label("Rename new.md");
    stage.until("it has a row", |state| state.assets.list.count() == 5);
    stage.settle();
    stage.ctrl(Key::K);
    stage.harness.run_steps(2);
    stage.find(Role::TextInput, Command::Palette.title()).type_text("delete the asset");
    stage.until_said("Delete “new.md”");
}
