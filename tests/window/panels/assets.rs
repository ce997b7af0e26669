//! The list of assets.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_inspector::action::{AssetsAction, SettingsAction};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, Remote};
use lunette_service::Data;

use crate::stage::Stage;
use crate::support::{self, TestService};

/// A stage with these text assets, showing the panel.
fn with_assets(assets: &[(&str, &str)]) -> (Stage, Vec<AssetId>) {
    let mut stage = Stage::embedded();
    let ids = assets.iter().map(|(name, text)| stage.asset(name, text)).collect();
    stage.ctrl(Key::Num3);
    stage.perform(Action::Refresh(Panel::Assets));
    let count = assets.len();
    stage.until("the assets are listed", move |state| {
        state.assets.list.count() == count && matches!(state.assets.list.rows, Remote::Known(_))
    });
    (stage, ids)
}

/// Returns the names of the visible rows, from the top.
fn rows(stage: &Stage) -> Vec<String> {
    let rows = stage.harness.query_all_by_role(Role::Row);
    rows.map(|row| row.accesskit_node().label().unwrap_or_default()).collect()
}

#[test]
fn an_empty_list_suggests_an_action_and_performs_it() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num3);
    stage.until_label("Add your first assets");
    stage.press("New from text…");
    stage.until_label("New asset from text");
    stage.press("Cancel");
    let file = stage.folder.path().join("notes.txt");
    std::fs::write(&file, "some notes").expect("written");
    stage.picked.set(vec![file]);
    stage.press("Import files…");
    stage.until("the file is an asset", |state| state.assets.list.count() == 1);
    stage.until_drawn("its row is drawn", |harness| harness.query_all_by_role(Role::Row).count() == 1);
    assert_eq!(rows(&stage), ["notes.txt"]);
}

#[test]
fn the_samples_are_one_click_away() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num3);
    stage.press("Add samples");
    stage.until("they are listed", |state| state.assets.list.count() >= 8 && !state.assets.list.rows.loading());
    stage.until_label("moon.png");
    stage.until_label("moon_phase.rs");
}

#[test]
fn typing_filters_at_once_and_enter_searches_the_contents() {
    let (mut stage, _) = with_assets(&[("one.txt", "a needle in a haystack"), ("two.txt", "nothing here")]);
    stage.type_into("Filter assets", "two");
    assert_eq!(rows(&stage), ["two.txt"]);
    stage.press("Clear Filter assets");
    stage.harness.run_steps(2);
    assert_eq!(rows(&stage).len(), 2);
    stage.type_into("Filter assets", "what?");
    stage.until_label("Nothing matches “what?”");
    stage.press("Clear Filter assets");
    stage.type_into("Filter assets", "needle");
    stage.until_label("Nothing matches “needle”");
    stage.key(Key::Enter);
    stage.until_said("1 result for");
    assert_eq!(rows(&stage), ["one.txt"]);
    stage.press("Back to all assets");
    stage.until("everything is back", |state| state.assets.list.order.len() == 2 && state.assets.found.is_none());
}

#[test]
fn a_header_sorts_and_the_columns_are_chosen() {
    let (mut stage, _) = with_assets(&[("b.txt", "b"), ("c.txt", "c"), ("a.txt", "a")]);
    stage.find(Role::ColumnHeader, "Name").click();
    stage.harness.run_steps(3);
    assert_eq!(rows(&stage), ["a.txt", "b.txt", "c.txt"]);
    stage.find(Role::ColumnHeader, "Name").click();
    stage.harness.run_steps(3);
    assert_eq!(rows(&stage), ["c.txt", "b.txt", "a.txt"]);
    stage.press("Columns");
    stage.find(Role::CheckBox, "Score").click();
    stage.harness.run_steps(3);
    assert!(stage.harness.query_by_role_and_label(Role::ColumnHeader, "Score").is_none());
}

#[test]
fn an_asset_is_opened_by_its_id_and_an_invalid_id_is_reported() {
    let (mut stage, ids) = with_assets(&[("one.txt", "text"), ("two.txt", "text two")]);
    stage.ctrl(Key::L);
    stage.type_into("UUID of an asset", "5f0c");
    stage.key(Key::Enter);
    stage.until_said("is not a UUID");
    stage.press("Clear UUID of an asset");
    stage.type_into("UUID of an asset", ids[0].as_str());
    stage.press("Open asset");
    let wanted = ids[0].clone();
    stage.until("it is looked at", move |state| state.assets.pages.open.as_ref() == Some(&wanted));
    stage.until_label("Rename one.txt");
    assert!(!stage.draws(Role::Dialog, "Go to UUID"), "the dialog is closed");
}

#[test]
fn a_uuid_typed_as_a_filter_offers_to_open_the_asset() {
    let (mut stage, ids) = with_assets(&[("one.txt", "text"), ("two.txt", "text two")]);
    for by_key in [true, false] {
        stage.type_into("Filter assets", ids[0].as_str());
        stage.until_said("Enter opens the asset with this UUID");
        match by_key {
            true => stage.key(Key::Enter),
            false => stage.press("Open asset"),
        }
        let wanted = ids[0].clone();
        stage.until("it is open", move |state| state.assets.pages.open.as_ref() == Some(&wanted));
        stage.perform(AssetsAction::Close);
        stage.press("Clear Filter assets");
    }
}

#[test]
fn a_row_is_opened_by_mouse_and_keyboard() {
    let (mut stage, ids) = with_assets(&[("one.txt", "text"), ("two.txt", "text two")]);
    stage.find(Role::Row, "two.txt").click();
    let wanted = ids[1].clone();
    stage.until("it is looked at", move |state| state.assets.pages.open.as_ref() == Some(&wanted));
    stage.key(Key::ArrowDown);
    let wanted = ids[0].clone();
    stage.until("the next one is", move |state| state.assets.pages.open.as_ref() == Some(&wanted));
}

#[test]
fn in_a_narrow_window_the_page_replaces_the_list() {
    let (mut stage, _) = with_assets(&[("one.txt", "text")]);
    stage.harness.set_size(egui::vec2(900.0, 600.0));
    stage.harness.run_steps(3);
    stage.find(Role::Row, "one.txt").click();
    stage.until_label("Rename one.txt");
    assert!(stage.harness.query_by_role(Role::Row).is_none());
    stage.press("Back to the list");
    stage.until_drawn("the list is back", |harness| harness.query_by_role(Role::Row).is_some());
}

#[test]
fn a_list_that_cannot_be_loaded_says_why_and_can_be_retried() {
    let url = crate::services::faulty::start(500, "the disk is on fire");
    let mut stage = Stage::at(&url);
    stage.ctrl(Key::Num3);
    stage.until_label("The assets could not be read");
    stage.until_said("the disk is on fire");
    stage.press("Try again");
    stage.until_label("The assets could not be read");
}

#[test]
fn a_loaded_list_stays_visible_when_the_service_disconnects() {
    let (mut stage, _) = with_assets(&[("one.txt", "text")]);
    stage.lose_service();
    assert_eq!(rows(&stage), ["one.txt"]);
}

#[test]
fn a_service_without_lists_is_used_by_ids() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_owned();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let id = runtime.block_on(async {
        let data = Data::Folder(data.clone());
        let TestService { running, client, folder: _unused } =
            TestService::with(move |settings| settings.data = data).await;
        let id = support::assets::text_asset(&client, "one.txt", "text").await;
        running.stop().await;
        id
    });
    let mut stage = Stage::inside_with(|settings| {
        settings.data = Data::Folder(data);
        settings.interface_only = true;
    });
    stage.ctrl(Key::Num3);
    stage.until_said("This service cannot list assets");
    stage.until_label("No assets opened yet");
    stage.type_into("Filter assets", id.as_str());
    stage.key(Key::Enter);
    stage.until_label("Rename one.txt");
    stage.until_drawn("it is kept in the list", |harness| harness.query_all_by_role(Role::Row).count() == 1);
}

#[test]
fn odd_and_endless_names_are_drawn_escaped_and_cut() {
    let long = "x".repeat(10_000);
    let odd = "a\u{202e}b\u{0}c\u{1b}[31m\u{200b}d";
    let (mut stage, ids) = with_assets(&[(&long, "text"), (odd, "text two"), ("שלום 日本語 😀", "three")]);
    let drawn = rows(&stage);
    assert!(drawn.iter().any(|name| name.starts_with("xxxx") && name.chars().count() < 200), "{drawn:?}");
    assert!(drawn.iter().any(|name| name.contains("a<U+202E>b<U+0000>c<U+001B>")), "{drawn:?}");
    for id in ids {
        let wanted = id.clone();
        stage.perform(AssetsAction::Open(id));
        stage.until("its page is there", move |state| {
            state.assets.pages.of.get(&wanted).is_some_and(|page| page.record.value().is_some())
        });
        stage.until_drawn("it is drawn", |harness| harness.query_all_by_label_contains("Rename ").next().is_some());
        let raw = stage.harness.query_all_by_label_contains("\u{202e}").count();
        assert_eq!(raw, 0, "a direction character is drawn as it is");
    }
}

#[test]
fn the_list_says_that_it_is_loading_while_nothing_answers() {
    // A connection is accepted but never read.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let mut stage = Stage::at(&format!("http://{}", silent.local_addr().expect("its address")));
    stage.ctrl(Key::Num3);
    stage.until_label("Loading assets");
    assert!(stage.harness.query_by_role(Role::Row).is_none());
}

#[test]
fn names_get_the_room_of_a_list_beside_a_page() {
    let mut stage = Stage::embedded();
    let id = stage.asset("a name that is of some length.txt", "text");
    stage.until("it is listed", |state| state.assets.list.order.len() == 1);
    stage.perform(AssetsAction::Open(id));
    stage.until_drawn("the page is beside the list", |harness| {
        harness.query_by_role_and_label(Role::Tab, "Preview").is_some()
    });
    stage.settle();
    let width = stage.find(Role::ColumnHeader, "Name").rect().width();
    assert!(width >= 170.0, "{width}");
}

#[test]
fn a_language_is_whole_beside_a_page_and_its_icon_says_it_where_there_is_no_room() {
    let mut stage = Stage::embedded();
    let id = stage.imported("a.png", "not read");
    stage.perform(AssetsAction::Open(id));
    stage.until_drawn("the page is beside the list", |harness| {
        harness.query_by_role_and_label(Role::Tab, "Preview").is_some()
    });
    stage.until("it is counted", |state| state.overview.summary.as_ref().is_some_and(|summary| summary.assets == 1));
    stage.settle();
    let language = stage.state().assets.list.shown(0).expect("a row").language().to_owned();
    let text = stage.harness.ctx.fonts_mut(|fonts| {
        let font = egui::FontId::proportional(13.0);
        fonts.layout_no_wrap(language.clone(), font, egui::Color32::WHITE).size().x
    });
    let header = |stage: &Stage| stage.find(Role::ColumnHeader, "Language").rect();
    assert!(header(&stage).width() >= text + 14.0 + 16.0, "{language:?}: {} for {text}", header(&stage).width());
    let name = stage.find(Role::ColumnHeader, "Name").rect().width();
    assert!(name >= 170.0, "{name}");
    let mut view = stage.state().preferences.view.list("assets").clone();
    view.widths.insert("language".to_owned(), 44.0);
    stage.perform(SettingsAction::Layout("assets".to_owned(), Box::new(view)));
    let mut stage = stage.reopened();
    stage.ctrl(Key::Num3);
    stage.settle();
    let column = header(&stage).x_range();
    let cells = stage.harness.query_all_by_label(&language).map(|cell| cell.rect());
    let cell = cells.into_iter().find(|cell| column.contains(cell.center().x)).expect("the cell");
    assert!(cell.width() < 24.0, "{cell:?}");
}

#[test]
fn the_application_that_made_an_asset_is_a_column_once_it_is_chosen() {
    let (mut stage, _) = with_assets(&[("one.txt", "text")]);
    assert!(!stage.draws(Role::ColumnHeader, "Application"));
    stage.press("Columns");
    stage.find(Role::CheckBox, "Application").click();
    stage.settle();
    stage.key(Key::Escape);
    let header = stage.find(Role::ColumnHeader, "Application");
    let (column, name) = (header.rect().x_range(), stage.state().assets.list.shown(0).expect("a row").application());
    let name = name.and_then(|label| label.split('\n').next()).expect("an application").to_owned();
    let cells = stage.harness.query_all_by_label(&name).map(|cell| cell.rect().center().x);
    assert_eq!(cells.filter(|x| column.contains(*x)).count(), 1, "{name}");
}

#[test]
fn assets_of_one_name_are_told_apart_by_the_folder_that_they_were_imported_from() {
    let mut stage = Stage::embedded();
    let first = stage.imported("serde/src/lib.rs", "fn one() {}");
    stage.imported("tokio/src/net/lib.rs", "fn two() {}");
    stage.imported("tokio/src-old/lib.rs", "fn three() {}");
    stage.ctrl(Key::Num3);
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("they are listed", |state| state.assets.list.count() == 3 && !state.assets.list.rows.loading());
    for folder in ["serde/src", "tokio/src/net", "tokio/src-old"] {
        stage.until_label(folder);
    }
    stage.type_into("Filter assets", "folder:tokio/src");
    stage.until("what is below the folder is left", |state| state.assets.list.order.len() == 1);
    assert!(stage.says("tokio/src/net") && !stage.says("serde/src"));
    stage.press("Clear Filter assets");
    stage.ctrl(Key::K);
    stage.type_into("Search or run a command", "lib.rs");
    stage.until_label("Assets");
    stage.harness.run_steps(4);
    let entries = stage.harness.query_all_by_role(Role::ListBoxOption);
    let names: Vec<_> = entries.filter_map(|entry| entry.accesskit_node().label()).collect();
    for name in ["lib.rs, serde/src, Rust", "lib.rs, tokio/src/net, Rust", "lib.rs, tokio/src-old, Rust"] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    stage.key(Key::Escape);
    stage.perform(AssetsAction::Open(first));
    stage.until_drawn("it is in Recent with its folder", |harness| {
        harness.query_by_role_and_label(Role::Link, "lib.rs, serde/src").is_some()
    });
    stage.perform(AssetsAction::Search("lib".to_owned()));
    stage.until("the search is done", |state| {
        state.assets.found.as_ref().is_some_and(|search| search.hits.value().is_some())
    });
    stage.harness.run_steps(4);
    assert!(rows(&stage).iter().any(|name| name == "lib.rs, tokio/src/net"), "{:?}", rows(&stage));
    let shown = |stage: &Stage| stage.harness.query_all_by_label("tokio/src/net").count();
    assert_eq!(shown(&stage), 1, "after the name: beside a page the list has no room for its column");
    stage.press("Close the asset");
    stage.until("the page is closed", |state| state.assets.pages.open.is_none());
    stage.until_drawn("the list has a column for it", |harness| {
        harness.query_by_role_and_label(Role::ColumnHeader, "Folder").is_some()
    });
    stage.harness.run_steps(4);
    assert_eq!(shown(&stage), 1, "in its column");
}
