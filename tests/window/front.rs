//! Requests of other starts of the program to an open window: a link, files, raising it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use egui::{OutputCommand, Role, ViewportCommand};
use egui_kittest::kittest::Queryable as _;
use lunette_inspector::action::{AssetsAction, ExportAction, ImportAction, SessionAction};
use lunette_inspector::panel::Panel;
use lunette_inspector::settings::Target;
use lunette_inspector::shell::open_requests::{Answer, OpenRequest};

use crate::stage::Stage;

/// The answer, once there is one.
type Answered = Arc<Mutex<Option<Answer>>>;

fn summons(until: Option<Instant>) -> (OpenRequest, Answered) {
    let answered = Answered::default();
    let sink = Arc::clone(&answered);
    let answer = move |answer| *sink.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
    (OpenRequest { target: None, link: None, paths: Vec::new(), answer: Box::new(answer), until }, answered)
}

fn soon() -> Option<Instant> {
    Some(Instant::now() + Duration::from_secs(60))
}

fn answer(answered: &Answered) -> Option<Answer> {
    *answered.lock().unwrap_or_else(PoisonError::into_inner)
}

fn commands(stage: &Stage) -> Vec<ViewportCommand> {
    stage.harness.output().viewport_output.values().flat_map(|viewport| viewport.commands.clone()).collect()
}

#[test]
fn a_second_start_raises_the_window_and_opens_its_link() {
    let mut stage = Stage::embedded();
    let id = stage.asset("linked to", "text");
    let (request, answered) = summons(soon());
    let link = format!("lunette://asset/{id}").parse().expect("a link");
    stage.sender.send(OpenRequest { link: Some(link), ..request });
    stage.harness.step();
    let message = commands(&stage);
    assert!(
        message.contains(&ViewportCommand::Focus) && message.contains(&ViewportCommand::Minimized(false)),
        "{message:?}"
    );
    assert_eq!(answer(&answered), Some(Answer::Shown));
    stage.until("the asset is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    stage.until_label("Rename linked to");
    assert!(!commands(&stage).contains(&ViewportCommand::Focus), "it is not called again");
}

#[test]
fn links_show_applications_and_searches() {
    let mut stage = Stage::embedded();
    let open = |stage: &mut Stage, link: &str| {
        let (request, _) = summons(None);
        stage.sender.send(OpenRequest { link: Some(link.parse().expect("a link")), ..request });
        stage.harness.step();
    };
    open(&mut stage, "lunette://application/5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159");
    assert_eq!(stage.state().navigation.panel, Panel::Applications);
    assert!(stage.state().applications.open.is_some());
    open(&mut stage, "lunette://search?q=night%20sky");
    assert_eq!(stage.state().navigation.panel, Panel::Assets);
    assert_eq!(stage.state().assets.found.as_ref().map(|found| found.text.as_str()), Some("night sky"));
}

#[test]
fn files_from_another_start_are_imported_only_after_confirmation() {
    let mut stage = Stage::embedded();
    let path = stage.folder.path().join("handed.txt");
    std::fs::write(&path, "handed over").expect("written");
    for button in ["Cancel", "Import"] {
        let (request, _) = summons(soon());
        stage.sender.send(OpenRequest { paths: vec![path.clone()], ..request });
        stage.until_said("Another program sent this");
        assert_eq!(stage.state().assets.list.rows.value().map(|rows| rows.len()), Some(0), "nothing is sent before");
        let buttons: Vec<_> = stage.harness.query_all_by_role_and_label(Role::Button, button).collect();
        buttons.last().expect("the button").click_accesskit();
        drop(buttons);
        stage.settle();
        assert!(stage.state().notifications.confirmation.is_none());
    }
    stage.until_label("handed.txt");
}

#[test]
fn a_pending_confirmation_is_not_replaced_from_outside() {
    let mut stage = Stage::embedded();
    for name in ["first", "second"] {
        let (request, _) = summons(soon());
        stage.sender.send(OpenRequest { paths: vec![name.into()], ..request });
        stage.settle();
    }
    assert_eq!(
        stage.state().notifications.confirmation.as_ref().map(|asked| asked.title.as_str()),
        Some("Import first?")
    );
    stage.until_said("“second” was not imported");
}

#[test]
fn a_link_to_another_service_is_reported_and_the_window_stays_connected() {
    let mut stage = Stage::embedded();
    let url = stage.url();
    for (target, expected) in [
        (Target::Url("http://127.0.0.1:9".to_owned()), Answer::Elsewhere),
        (Target::Url(format!("{url}/")), Answer::Shown),
        (Target::Embedded, Answer::Shown),
    ] {
        let (request, answered) = summons(soon());
        stage.sender.send(OpenRequest { target: Some(target), ..request });
        stage.harness.step();
        assert_eq!(answer(&answered), Some(expected));
        assert_eq!(stage.state().connection.address.as_deref(), Some(url.as_str()));
    }
}

#[test]
fn a_request_whose_sender_has_exited_is_not_performed() {
    let mut stage = Stage::embedded();
    let (request, answered) = summons(Instant::now().checked_sub(Duration::from_millis(1)));
    stage.sender.send(OpenRequest { paths: vec!["late".into()], ..request });
    stage.settle();
    assert_eq!(answer(&answered), None);
    assert!(stage.state().notifications.confirmation.is_none());
}

#[test]
fn a_link_waits_until_a_service_answers() {
    let mut stage = Stage::without_service("it does not start");
    let link = "lunette://asset/5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159".parse().expect("a link");
    let (request, _) = summons(None);
    stage.sender.send(OpenRequest { link: Some(link), ..request });
    stage.settle();
    assert_eq!(stage.state().assets.pages.open, None);
    let service = Stage::embedded();
    stage.perform(SessionAction::Connect(Target::Url(service.url())));
    stage.until("the link is open", |state| state.assets.pages.open.is_some());
}

#[test]
fn an_export_is_dragged_as_a_whole_file_that_is_removed_with_the_window() {
    let mut stage = Stage::embedded();
    let id = stage.asset("moon.md", "# Moon");
    stage.perform(AssetsAction::Open(id.clone()));
    stage.perform(ExportAction::Export(id.clone(), "TXT".parse().expect("a kind")));
    let exported = |state: &lunette_inspector::State| {
        let export = state.assets.pages.open.as_ref().and_then(|id| state.export.of.get(id));
        export.is_some_and(|export| export.document.value().is_some())
    };
    stage.until("there is a document", exported);
    let copy = stage.folder.path().join("copy.txt");
    stage.picked.set(vec![copy.clone()]);
    stage.perform(ExportAction::Drag(id));
    stage.until_said("Dragged");
    assert_eq!(std::fs::read_to_string(copy).expect("copied"), "# Moon");
}

#[test]
fn a_desktop_without_file_dialogs_is_reported() {
    let mut stage = Stage::embedded();
    stage.perform(ImportAction::PickFiles);
    stage.until_said("This stage has no dialog");
}

#[test]
fn the_link_of_an_asset_is_copied_from_its_menu() {
    let mut stage = Stage::embedded();
    let id = stage.asset("moon.md", "# Moon");
    stage.perform(AssetsAction::Open(id.clone()));
    stage.until_label("Rename moon.md");
    stage.press("More");
    stage.find(Role::Button, "Copy link").click_accesskit();
    stage.harness.step();
    let copied = stage.harness.output().platform_output.commands.clone();
    let link = OutputCommand::CopyText(format!("lunette://asset/{id}"));
    assert!(copied.contains(&link), "{copied:?}");
}
