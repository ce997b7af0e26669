//! The icons of applications: read in the background, and drawn wherever an application is named.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_inspector::action::{GraphAction, InventoryAction, NavigationAction};
use lunette_inspector::graph::Start;
use lunette_inspector::inventory::Shown;
use lunette_inspector::listing::rows::InventoryRow;
use lunette_inspector::panel::Panel;
use lunette_service::detect::{Detected, Evidence};

use crate::panels::graph::until_read;
use crate::panels::inventory::{register, row};
use crate::stage::Stage;
use crate::support::Planted;

/// Creates a desktop entry whose icon is this file of a theme, and returns its path.
fn entry(data: &Path, file: &str, bytes: &[u8]) -> PathBuf {
    let name = Path::new(file).file_stem().expect("a name").to_str().expect("UTF-8");
    let entry = data.join("applications").join(name).with_extension("desktop");
    let file = data.join("icons/hicolor").join(file);
    for path in [&entry, &file] {
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    }
    fs::write(&entry, format!("[Desktop Entry]\nType=Application\nIcon={name}\n")).expect("written");
    fs::write(&file, bytes).expect("written");
    entry
}

/// A window on a machine with this application installed, with an icon; and the path where it was detected.
fn with_installed(name: &str, data: &Path) -> (Stage, String) {
    let entry = entry(data, "64x64/apps/editor.png", include_bytes!("../../../assets/samples/moon.png"));
    let path = entry.to_str().expect("UTF-8").to_owned();
    let detected =
        Detected { found_by: Some(Evidence::DesktopEntry), path: Some(entry), ..Detected::named(name, Some("5.2")) };
    let stage = Stage::inside_with(|settings| settings.detector = Arc::new(Planted(vec![detected])));
    (stage, path)
}

/// Whether the last frame has the icon of an application that was detected at a path.
fn is_drawn(stage: &Stage, path: &str) -> bool {
    let textures = stage.harness.ctx.tex_manager();
    let textures = textures.read();
    let icons: Vec<_> = textures.allocated().filter(|(_, texture)| texture.name == path).map(|(id, _)| *id).collect();
    stage.harness.output().shapes.iter().any(|clipped| icons.contains(&clipped.shape.texture_id()))
}

#[test]
fn palette_graph_and_pages_show_the_icon_of_a_tracked_application() {
    let data = tempfile::tempdir().expect("a folder");
    let (mut stage, path) = with_installed("Visual Studio Code", data.path());
    register(&stage, "1.0");
    stage.ctrl(Key::Num1);
    let joined =
        |row: &Arc<InventoryRow>| row.tracked.is_some() && row.external.as_ref().is_some_and(|one| one.path.is_some());
    stage.until("the lists are joined", |state| state.inventory.list.iter().any(joined));
    stage.until_drawn("the list has it", |harness| harness.query_by_role_and_label(Role::Row, "VS Code").is_some());
    stage.until("its icon was read", |state| state.inventory.icons.get(&path).is_some_and(Option::is_some));
    stage.settle();
    assert!(is_drawn(&stage, &path), "the list");
    stage.find(Role::Row, "VS Code").click();
    stage.until_said("Activity, last 30 days");
    assert!(is_drawn(&stage, &path), "the page");
    stage.perform(NavigationAction::Show(Panel::History));
    stage.settle();
    assert!(!is_drawn(&stage, &path), "the history names no application");
    stage.ctrl(Key::K);
    stage.type_into("Search or run a command", "@vs code");
    stage.until_drawn("it is found", |harness| {
        harness
            .query_all_by_role(Role::ListBoxOption)
            .any(|node| node.accesskit_node().label().is_some_and(|label| label.starts_with("VS Code")))
    });
    assert!(is_drawn(&stage, &path), "the palette");
    stage.key(Key::Escape);
    let row = stage.state().inventory.list.iter().find(|row| joined(row)).expect("the row");
    let id = row.tracked.as_ref().expect("a tracked application").id.clone();
    stage.perform(GraphAction::Start(vec![Start::application(&id, "VS Code")]));
    until_read(&mut stage);
    assert!(is_drawn(&stage, &path), "the graph");
}

#[test]
fn an_installed_application_has_its_own_icon() {
    let data = tempfile::tempdir().expect("a folder");
    let (mut stage, entry) = with_installed("Krita", data.path());
    stage.ctrl(Key::Num1);
    stage.until("all lists are joined", |state| row(state, "Krita").is_some());
    stage.perform(InventoryAction::Show(Shown::Board));
    stage.type_into("Filter applications", "krita");
    stage.until("its icon was read", |state| state.inventory.icons.get(&entry).is_some_and(Option::is_some));
    stage.perform(InventoryAction::Show(Shown::All));
    stage.until_drawn("the table is drawn with it", |harness| {
        harness.query_by_role_and_label(Role::Row, "Krita").is_some()
    });
    // One picture serves the card, the table, the list of what is installed, and its page.
    let pictures = |stage: &Stage| {
        let textures = stage.harness.ctx.tex_manager();
        let textures = textures.read();
        textures.allocated().filter(|(_, texture)| texture.name == entry).count()
    };
    stage.ctrl(Key::Num2);
    stage.type_into("Filter external applications", "krita");
    stage.settle();
    assert_eq!(pictures(&stage), 1);
}

#[test]
fn a_slow_or_missing_icon_delays_no_frame_and_a_letter_is_drawn() {
    let data = tempfile::tempdir().expect("a folder");
    let dots = "<circle cx='50' cy='50' r='40' fill='red' opacity='0.5'/>".repeat(2_000);
    let svg = format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>{dots}</svg>");
    let entry = entry(data.path(), "scalable/apps/slow.svg", svg.as_bytes());
    let mut stage = Stage::embedded();
    let missing = data.path().join("applications/missing.desktop");
    let [slow, missing] = [entry, missing].map(|path| path.to_str().expect("UTF-8").to_owned());
    stage.harness.state_mut().perform(InventoryAction::LoadIcons(vec![slow.clone(), missing.clone()]));
    let icons = &stage.state().inventory.icons;
    assert_eq!((icons.get(&slow), icons.get(&missing)), (Some(&None), Some(&None)), "a letter until they are read");
    stage.until("the slow one is read", |state| state.inventory.icons.get(&slow).is_some_and(Option::is_some));
    assert_eq!(stage.state().inventory.icons.get(&missing), Some(&None), "it stays a letter");
}
