//! Requests rejected by the browser guard of the built-in service: reported, allowed with one click, and revoked.

use std::path::Path;

use egui::Role;
use egui_kittest::kittest::Queryable as _;
use lunette_inspector::action::EmbeddedAction;
use lunette_inspector::embedded::Ownership;
use lunette_inspector::settings::Settings;
use tempfile::TempDir;

use crate::dialogs::plan::stand;
use crate::stage::Stage;
use crate::support::raw;

const PAGE: &str = "http://localhost:8888";
const BESIDE: &str = "http://localhost:8889";

fn opened(data: &Path) -> Stage {
    let mut stage = Stage::on_folder(data, &[]);
    stage.until_idle();
    stage
}

/// Opens the connection dialog, in a window that is high enough for all of it.
fn by_connection(stage: &mut Stage) {
    stage.harness.set_size(egui::vec2(1280.0, 1400.0));
    stage.ctrl(egui::Key::J);
    stage.until_label("Web pages");
    stand(stage);
}

/// Returns the status of a request sent by a page of this origin, and the origin that the response allows.
fn asks_as(stage: &Stage, origin: &str) -> (u16, Option<String>) {
    let headers = [("Origin", origin), ("Sec-Fetch-Site", "cross-site")];
    let answer = stage.raw(&raw::request("GET", "/.well-known/health", stage.port(), &headers, None));
    (answer.status, answer.header("access-control-allow-origin").map(str::to_owned))
}

/// Returns whether a page can be allowed.
fn offers(stage: &Stage) -> bool {
    stage.harness.query_all_by_label_contains("Allow ").next().is_some()
}

#[test]
fn a_rejected_page_is_reported_and_allowed_by_its_exact_origin_permanently() {
    let data = tempfile::tempdir().expect("a folder");
    let mut stage = opened(data.path());
    for _ in 0..3 {
        assert_eq!(asks_as(&stage, PAGE), (403, None));
    }
    stage.until_said("Blocked 3 requests from web pages, the last one from http://localhost:8888");
    stage.press("Allow http://localhost:8888");
    stage.until_drawn("the bar is gone", |harness| harness.query_by_label("Not now").is_none());
    until_let_in(&mut stage);
    let others =
        [BESIDE, "null", "https://localhost:8888", "http://localhost:88888", "http://localhost:8888.evil.test"];
    for other in others {
        assert_eq!(asks_as(&stage, other), (403, None), "{other}");
    }
    let kept = stage.folder.path().to_owned();
    stage.until_drawn("it is on disk", move |_| {
        Settings::peek(&kept).allowed_origins.iter().any(|origin| origin == PAGE)
    });

    let folder = stage.closed();
    let mut stage = Stage::on_folder_with(folder, data.path(), &[]);
    stage.until_idle();
    assert_eq!(asks_as(&stage, PAGE).0, 200, "from the start of the next one");
    by_connection(&mut stage);
    stage.until_said("Only these web pages may use");
    stage.press("Remove http://localhost:8888");
    stage.until_drawn("it is refused again", |harness| {
        harness.state().state().preferences.settings.allowed_origins.is_empty()
    });
    until(&mut stage, "it is refused again", |stage| asks_as(stage, PAGE) == (403, None));
}

fn until_let_in(stage: &mut Stage) {
    until(stage, "it is let in", |stage| asks_as(stage, PAGE) == (200, Some(PAGE.to_owned())));
}

fn until(stage: &mut Stage, what: &str, done: impl Fn(&Stage) -> bool) {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !done(stage) {
        assert!(std::time::Instant::now() < end, "waited in vain until {what}");
        stage.settle();
    }
}

#[test]
fn an_origin_of_several_pages_is_reported_and_never_offered() {
    let data = tempfile::tempdir().expect("a folder");
    let mut stage = opened(data.path());
    assert_eq!(asks_as(&stage, "null").0, 403);
    stage.until_said("web page: a page without an origin");
    assert!(!offers(&stage));
    let rebound =
        "GET /assets HTTP/1.1\r\nHost: rebind.test:1\r\nOrigin: http://rebind.test:1\r\nConnection: close\r\n\r\n";
    assert_eq!(stage.raw(rebound.as_bytes()).status, 403);
    stage.until_said("http://rebind.test:1 as rebind.test:1");
    assert!(!offers(&stage));
    for none in ["null", "*", "http://localhost:8888/", "http://*"] {
        stage.perform(EmbeddedAction::AllowOrigin(none.to_owned()));
    }
    assert!(stage.state().preferences.settings.allowed_origins.is_empty());
    stage.ctrl(egui::Key::J);
    stage.until_said("No web page may use the built-in service");
    assert!(!offers(&stage));
}

#[test]
fn a_dismissed_page_is_not_reported_again_and_is_listed_in_the_connection_dialog() {
    let data = tempfile::tempdir().expect("a folder");
    let mut stage = opened(data.path());
    asks_as(&stage, PAGE);
    stage.until_said("Blocked 1 request from a web page: http://localhost:8888");
    stage.press("Not now");
    asks_as(&stage, PAGE);
    stage.until("it was heard of", |state| state.embedded.guard.refused == 2);
    assert!(!stage.says("from web pages"), "it does not nag");
    asks_as(&stage, BESIDE);
    stage.until_said("Blocked 3 requests from web pages, the last one from http://localhost:8889");
    stage.press("Web pages…");
    stage.until_label("Web pages");
    stage.find(Role::Dialog, "Connection");
    stage.key(egui::Key::Escape);
    assert!(!stage.draws(Role::Dialog, "Connection"));
}

#[test]
fn pages_from_the_command_line_are_allowed_and_listed() {
    let data = tempfile::tempdir().expect("a folder");
    let mut stage = Stage::on_folder(data.path(), &[PAGE]);
    stage.until_idle();
    assert_eq!(asks_as(&stage, PAGE).0, 200);
    stage.perform(EmbeddedAction::AllowOrigin(BESIDE.to_owned()));
    until(&mut stage, "it is let in", |stage| asks_as(stage, BESIDE).0 == 200);
    by_connection(&mut stage);
    stage.until_label("allowed by --allow-origin");
    assert!(!stage.draws(Role::Button, "Remove http://localhost:8888"));
    stage.press("Remove http://localhost:8889");
    until(&mut stage, "it is refused again", |stage| asks_as(stage, BESIDE).0 == 403);
    assert_eq!(asks_as(&stage, PAGE).0, 200, "those of the command line stay");
}

#[test]
fn a_window_using_the_service_of_another_says_where_to_allow_pages() {
    let data = tempfile::tempdir().expect("a folder");
    let first = opened(data.path());
    let mut second = opened(data.path());
    assert_eq!(second.state().embedded.seen.whose, Ownership::Another);
    assert_eq!(asks_as(&first, PAGE).0, 403);
    second.ctrl(egui::Key::J);
    second.until_said("allow web pages there");
    assert!(!second.says("Blocked 1 request") && !offers(&second));
    drop::<(Stage, TempDir)>((first, data));
}
