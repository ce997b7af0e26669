//! The panel of tracked applications.

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;
use lunette_client::operation::table::{ApplicationsRegister, ApplicationsSessionOpen};
use lunette_inspector::listing::rows::ApplicationRow;
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, Remote, State};
use serde_json::json;

use crate::stage::Stage;
use crate::support::assets::record;

fn register(stage: &Stage, id: u32, name: &str, version: &str) {
    let tree = json!({
        "id": format!("00000000-0000-4000-8000-{id:012}"), "name": name, "version": version, "platform": "LINUX",
        "onboarded": true, "privacy": "OPEN", "capabilities": "BLENDED",
    });
    stage.call(ApplicationsRegister { application: Some(record(tree)) }).expect("registered");
}

/// A stage with two applications besides Lunette itself, showing the panel.
fn full() -> Stage {
    let mut stage = Stage::embedded();
    register(&stage, 1, "VS_CODE", "1.105.1");
    stage.call(ApplicationsSessionOpen {}).expect("opened");
    register(&stage, 2, "OBSIDIAN", "1.9.4");
    stage.ctrl(Key::Num1);
    stage.perform(Action::Refresh(Panel::Applications));
    stage.until_label("VS Code");
    stage
}

#[test]
fn applications_are_listed_with_readable_names_and_their_status() {
    let stage = full();
    for message in ["VS Code", "Obsidian", "1.105.1", "Open", "Blended"] {
        assert!(stage.says(message), "{message} is drawn");
    }
}

#[test]
fn opening_an_application_reloads_it_and_shows_its_engagement_and_record() {
    let mut stage = full();
    stage.find(Role::Row, "VS Code").click();
    stage.until("its record is there", |state| {
        state.applications.open.as_ref().is_some_and(|page| matches!(page.record, Remote::Known(_)))
    });
    stage.until_said("Activity, last 30 days");
    assert!(stage.says("open time"));
    assert!(stage.says("Record"));
    stage.press("Copy the UUID");
    assert!(stage.says("Copied the UUID"));
}

#[test]
fn the_filter_shows_matches_and_can_be_cleared_if_there_are_none() {
    let mut stage = full();
    stage.type_into("Filter applications", "obsi");
    assert_eq!(stage.state().applications.list.order.len(), 1);
    assert!(!stage.says("VS Code"));
    stage.type_into("Filter applications", " nothing like that");
    stage.until_label("Nothing matches");
    stage.press("Clear the filter");
    stage.until_label("VS Code");
}

#[test]
fn a_header_sorts_and_reverses() {
    let mut stage = full();
    let names = |stage: &Stage| {
        let listing = &stage.state().applications.list;
        (0..listing.order.len())
            .filter_map(|index| listing.shown(index))
            .map(|row| row.name.clone())
            .collect::<Vec<_>>()
    };
    stage.harness.get_by_role_and_label(Role::ColumnHeader, "Name").click();
    stage.harness.run_steps(2);
    let up = names(&stage);
    stage.harness.get_by_role_and_label(Role::ColumnHeader, "Name").click();
    stage.harness.run_steps(2);
    let down: Vec<_> = names(&stage).into_iter().rev().collect();
    assert!(up.is_sorted());
    assert_eq!(up, down);
}

#[test]
fn a_failing_service_is_reported_with_what_to_do() {
    let url = crate::services::faulty::start(500, "the disk is full");
    let mut stage = Stage::at(&url);
    stage.ctrl(Key::Num1);
    stage.until_said("The applications could not be read");
    assert!(stage.says("the disk is full"));
    assert!(stage.says("/applications"));
    stage.press("Try again");
    stage.until("it was asked again", |state| {
        state.session.log.iter().filter(|line| line.info.name == "applicationsSnapshot").count() >= 2
    });
}

/// Returns the row of Lunette itself.
fn lunette(state: &State) -> Option<&ApplicationRow> {
    let rows = state.applications.list.rows.value()?;
    rows.iter().find(|row| row.name == "Lunette").map(|row| &**row)
}

#[test]
fn lunette_is_registered_as_open_while_its_window_is_and_each_window_is_one_session() {
    let data = tempfile::tempdir().expect("a folder");
    let mut settings = None;
    for sessions in 1..=2 {
        let mut stage = match settings.take() {
            None => Stage::on_folder(data.path(), &[]),
            Some(folder) => Stage::on_folder_with(folder, data.path(), &[]),
        };
        stage.until("it is listed", |state| lunette(state).is_some());
        let row = lunette(stage.state()).expect("its row").clone();
        assert_eq!((row.status.as_str(), row.sessions), ("Open", Some(sessions)));
        stage.ctrl(Key::Num1);
        stage.until_label("now");
        settings = Some(stage.closed());
    }
}

#[test]
fn a_conformance_check_leaves_no_trace_in_lunettes_own_entry() {
    let mut stage = Stage::embedded();
    let before = lunette(stage.state()).expect("its row").clone();
    stage.perform(Action::Check(false));
    stage.until("it has ended", |state| state.check.report.value().is_some());
    stage.perform(Action::Refresh(Panel::Applications));
    stage.until("they are read again", |state| !state.applications.list.rows.loading());
    assert_eq!(lunette(stage.state()), Some(&before));
    assert_eq!(stage.state().applications.list.count(), 1, "the scratch application is gone");
}

#[test]
fn in_a_narrow_window_the_page_of_an_application_replaces_the_list() {
    let mut stage = full();
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stage.find(Role::Row, "VS Code").click();
    stage.until_said("Activity, last 30 days");
    assert!(stage.harness.query_by_label("Filter applications").is_none());
    stage.press("Back to the list");
    stage.until_label("Filter applications");
    assert_eq!(stage.state().applications.open, None);
}
