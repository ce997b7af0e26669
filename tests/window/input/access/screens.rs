//! Every screen of the window, one after the other.

use super::*;
use egui::{Key, Modifiers};
use lunette_inspector::action::{
    ExportAction, InventoryAction, NavigationAction, PreviewAction, SessionAction, TrashAction,
};
use lunette_inspector::import::known_libraries::{Machine, System};
use lunette_inspector::inventory::Shown;

/// The name of a screen in a failure message.
pub type Screen<'a> = &'a str;

/// A window with three assets in the list, showing the assets panel.
pub fn full() -> Stage {
    let mut stage = Stage::embedded();
    for (name, text) in [("one.txt", "text"), ("two.rs", "fn main() {}\n"), ("three.md", "# Title\n\ntext")] {
        stage.asset(name, text);
    }
    stage.until("they are listed", |state| state.assets.list.count() == 3 && !state.assets.list.rows.loading());
    stage.ctrl(Key::Num3);
    stage.settle();
    stage
}

/// The same with the first asset open.
pub fn looking() -> Stage {
    let mut stage = full();
    stage.find(Role::Row, "two.rs").click();
    stage.until("it is read", |state| {
        state.page().is_some_and(|(_, page)| page.record.value().is_some() && page.content.value().is_some())
    });
    stage.until_label("Rename two.rs");
    stage.until_counted();
    stage.harness.run_steps(4);
    stage
}

/// Shows a panel, once what it reads on being shown was read.
pub fn show(stage: &mut Stage, panel: Panel) {
    stage.perform(NavigationAction::Show(panel));
    stage.until("the panel is read", |state| {
        let links = &state.links.shown().rows;
        (panel != Panel::Links || links.value().is_some()) && !links.loading() && !state.graph.shown.loading()
    });
    stage.settle();
    stage.harness.run_steps(4);
}

/// Calls `look` for every screen.
pub fn each(look: &mut dyn FnMut(&mut Stage, Screen<'_>)) {
    let mut stage = Stage::embedded();
    for panel in Panel::ALL {
        show(&mut stage, panel);
        look(&mut stage, &format!("{}, empty", panel.name()));
    }
    let mut stage = looking();
    look(&mut stage, "an asset");
    for tab in ["Formats", "Activity", "Conversations", "Record"] {
        stage.find(Role::Tab, tab).click_accesskit();
        stage.harness.run_steps(3);
        stage.until("it is read", |state| state.work.is_empty());
        stage.harness.run_steps(3);
        look(&mut stage, &format!("the asset's {tab}"));
    }
    stage.press("Edit record…");
    stage.harness.run_steps(3);
    look(&mut stage, "the editor of the record");
    for panel in Panel::ALL {
        show(&mut stage, panel);
        look(&mut stage, panel.name());
    }
    menus(look);
    forms(look);
    dialogs(look);
    trash(look);
    imports(look);
    pages(look);
    pictures(look);
}

/// The graph drawn, and the applications of all lists as a table and as cards.
fn pictures(look: &mut dyn FnMut(&mut Stage, Screen<'_>)) {
    let (mut stage, ..) = crate::panels::graph::drawn();
    stage.harness.run_steps(4);
    look(&mut stage, "a graph");
    stage.press("Mark");
    stage.harness.run_steps(4);
    look(&mut stage, "a graph with a marked node");
    show(&mut stage, Panel::Applications);
    for (shown, name) in [(Shown::All, "the table of all applications"), (Shown::Board, "the board")] {
        stage.perform(InventoryAction::Show(shown));
        stage.until("the lists are joined", |state| state.inventory.list.count() > 0);
        stage.harness.run_steps(4);
        look(&mut stage, name);
    }
}

fn menus(look: &mut dyn FnMut(&mut Stage, Screen<'_>)) {
    let mut stage = looking();
    for menu in ["Import", "More for the list", "More"] {
        stage.press(menu);
        stage.harness.run_steps(3);
        look(&mut stage, &format!("the menu {menu}"));
        stage.key(Key::Escape);
    }
    for picker in ["Add a tag", "Add a website", "Add a summary"] {
        let Some(button) = stage.harness.query_by_role_and_label(Role::Button, picker) else { continue };
        button.click_accesskit();
        stage.harness.run_steps(4);
        look(&mut stage, &format!("the picker {picker}"));
        stage.key(Key::Escape);
        stage.harness.run_steps(2);
    }
    stage.find(Role::Row, "one.txt").click_modifiers(Modifiers::COMMAND);
    stage.harness.run_steps(3);
    look(&mut stage, "two assets marked");
}

fn forms(look: &mut dyn FnMut(&mut Stage, Screen<'_>)) {
    let mut stage = looking();
    for form in ["Edit", "Reclassify", "Score 0 +", "Export"] {
        stage.find(Role::Button, form).click_accesskit();
        stage.harness.run_steps(4);
        stage.until("it is read", |state| state.work.is_empty());
        look(&mut stage, &format!("the form {form}"));
        stage.key(Key::Escape);
        stage.harness.run_steps(2);
    }
    for item in ["New from text…", "From a path…"] {
        stage.press("Import");
        stage.press(item);
        stage.harness.run_steps(3);
        look(&mut stage, item);
        stage.key(Key::Escape);
        stage.harness.run_steps(2);
    }
}

fn dialogs(look: &mut dyn FnMut(&mut Stage, Screen<'_>)) {
    let mut stage = looking();
    stage.harness.get_by_label_contains("Connection: ").click_accesskit();
    stage.until("the machine was searched", |state| {
        !matches!(state.connection.probes, lunette_inspector::Remote::NotRequested)
            && !state.connection.probes.loading()
    });
    stage.harness.run_steps(3);
    look(&mut stage, "the connection");
    stage.key(Key::Escape);
    stage.press("Preferences");
    stage.harness.run_steps(3);
    look(&mut stage, "the preferences");
    stage.key(Key::Escape);
    stage.ctrl(Key::K);
    look(&mut stage, "the palette");
    stage.key(Key::Escape);
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    stage.harness.run_steps(3);
    look(&mut stage, "a write policy");
    for details in [false, true] {
        stage.perform(SettingsAction::PlanDetails(details));
        stage.press("More");
        stage.press("Delete…");
        stage.until_drawn("the plan is shown", |harness| harness.query_by_label("Details of the plan").is_some());
        stage.harness.run_steps(6);
        look(&mut stage, "a plan");
        stage.key(Key::Escape);
        stage.harness.run_steps(3);
    }
    stage.press("Favourite");
    stage.until("it is asked about", |state| {
        state.notifications.confirmation.is_some() || state.write.planned.is_some()
    });
    stage.harness.run_steps(4);
    look(&mut stage, "a write that is asked about");
    stage.key(Key::Escape);
    stage.lose_service();
    look(&mut stage, "without a service");
}

fn trash(look: &mut dyn FnMut(&mut Stage, Screen<'_>)) {
    let mut stage = full();
    stage.perform(TrashAction::Show(true));
    stage.until_label("Trash is empty");
    stage.harness.run_steps(3);
    look(&mut stage, "an empty Trash");
    let asset = stage.asset("old.txt", "text");
    stage.call(lunette_client::operation::table::AssetsDeleteAsset { asset }).expect("deleted");
    stage.press("Refresh the Trash");
    stage.until("it is read", |state| state.trash.listing.count() == 1);
    stage.find(Role::Row, "old.txt").click();
    stage.harness.run_steps(3);
    look(&mut stage, "the Trash");
}

fn imports(look: &mut dyn FnMut(&mut Stage, Screen<'_>)) {
    let mut stage = full();
    let home = stage.folder.path().join("home");
    let snippets = home.join(".config/Code/User/snippets");
    std::fs::create_dir_all(&snippets).expect("made");
    let library = r#"{
        "Card": {"body": "4111 1111 1111 1111", "description": "A card"},
        "Print": {"body": "print!()", "prefix": "p"}
    }"#;
    std::fs::write(snippets.join("rust.json"), library).expect("written");
    let machine = Machine { system: System::Linux, config: home.join(".config"), home };
    stage.perform(PreviewAction::ShowPage(Some(machine)));
    stage.until_said("VS Code snippets");
    stage.harness.run_steps(4);
    look(&mut stage, "the page of what can be imported");
    stage.perform(PreviewAction::Show(vec![snippets.join("missing")]));
    stage.until_said("cannot be read");
    stage.harness.run_steps(4);
    look(&mut stage, "a preview of nothing");
    stage.perform(PreviewAction::Show(vec![snippets]));
    stage.until_said("1 marked item may contain a secret");
    stage.harness.run_steps(4);
    stage.find(Role::Row, "Card").click();
    stage.harness.run_steps(4);
    look(&mut stage, "a preview");
    stage.press("Import 2 items");
    stage.until_said("2 of 2 are in the service");
    stage.until("it is read", |state| state.work.is_empty());
    stage.harness.run_steps(4);
    look(&mut stage, "a receipt");
}

fn pages(look: &mut dyn FnMut(&mut Stage, Screen<'_>)) {
    let mut stage = looking();
    let id = stage.state().assets.pages.open.clone().expect("an asset");
    stage.perform(ExportAction::Export(id.clone(), ExportType::Md));
    stage.press("Favourite");
    stage.until("it is done", |state| state.work.is_empty() && !state.history.entries.is_empty());
    stage.ctrl(Key::Num7);
    stage.key(Key::Home);
    stage.key(Key::Enter);
    stage.harness.run_steps(6);
    look(&mut stage, "a step of the history");
    stage.ctrl(Key::Num6);
    stage.key(Key::Home);
    stage.key(Key::Enter);
    stage.harness.run_steps(6);
    look(&mut stage, "a call of the log");
    stage.ctrl(Key::Num1);
    stage.key(Key::Home);
    stage.key(Key::Enter);
    stage.harness.run_steps(6);
    stage.until("it is read", |state| state.work.is_empty());
    look(&mut stage, "an application");
}
