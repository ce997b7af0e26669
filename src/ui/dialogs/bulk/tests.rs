//! The dialog in every state, built by hand, and the action of each button.

use egui::{Key as Keyboard, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use serde_json::json;

use super::*;
use lunette_client::model::diff::{FieldChange, Path, Step};
use lunette_client::operation::Call;
use lunette_client::operation::table::{AssetSnapshot, AssetsDeleteAsset};
use lunette_inspector::Remote;
use lunette_inspector::action::BulkAction;
use lunette_inspector::change::Change;

struct Scene {
    dialog: BulkDialog,
    state: State,
    actions: Vec<Action>,
}

fn scene(draft: BulkDraft, size: [f32; 2]) -> Harness<'static, Scene> {
    let mut state = State::default();
    state.bulk.draft = Some(draft);
    state.connection.address = Some("http://127.0.0.1:39300".to_owned());
    state.preferences.settings.plan_details = true;
    let scene = Scene { dialog: BulkDialog::default(), state, actions: Vec::new() };
    let mut harness = Harness::builder()
        .with_size(size)
        .with_context_setup(crate::ui::theme::install)
        .build_ui_state(|ui, scene: &mut Scene| scene.dialog.ui(ui.ctx(), &scene.state, &mut scene.actions), scene);
    harness.run_steps(3);
    harness
}

fn until_label(harness: &mut Harness<'static, Scene>, label: &str) {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while harness.query_all_by_label_contains(label).next().is_none() {
        assert!(std::time::Instant::now() < end, "{label:?} was waited for in vain");
        std::thread::yield_now();
        harness.step();
    }
    harness.run_steps(2);
}

fn press(harness: &mut Harness<'static, Scene>, name: &str) -> Vec<Action> {
    harness.get_by_role_and_label(Role::Button, name).click();
    harness.run_steps(2);
    std::mem::take(&mut harness.state_mut().actions)
}

/// A run over this many assets, the first three of which are in the sample.
fn draft(operation: BulkOperation, count: usize) -> BulkDraft {
    let assets: Vec<_> = (0..count).map(|index| (AssetId::random(), format!("file_{index}.txt"))).collect();
    let sample = assets.iter().take(3).map(|(id, name)| (id.clone(), Ok(plan(id, name, &operation)))).collect();
    BulkDraft {
        title: format!("Reclassify {count} assets to Rust"),
        job: BulkJob::Operation(operation),
        assets: Arc::new(assets),
        sample: Remote::Known(Arc::new(sample)),
        undo: UndoKind::By("It can be undone in one step.".to_owned()),
        in_flight: 4,
    }
}

fn plan(id: &AssetId, name: &str, operation: &BulkOperation) -> Plan {
    let path = Path(vec![Step::Key("language".to_owned())]);
    let field = FieldChange { path, before: Some(json!("txt")), after: Some(json!("rs")) };
    let (change, call): (Change, Call) = match operation {
        BulkOperation::Delete => (
            Change::Delete { asset: id.clone(), name: name.to_owned(), made: None },
            AssetsDeleteAsset { asset: id.clone() }.into(),
        ),
        _ => (
            Change::Reclassify { asset: id.clone(), from: Some("txt".to_owned()), to: "rs".to_owned() },
            AssetSnapshot { asset: id.clone(), transferables: Some(false) }.into(),
        ),
    };
    let undo = UndoKind::By("By the language it had".to_owned());
    Plan { change, calls: vec![call], before: None, fields: vec![field], undo }
}

fn rust() -> BulkOperation {
    BulkOperation::Reclassify("rs".to_owned())
}

#[test]
fn the_first_assets_the_rest_and_the_request_are_shown() {
    let mut harness = scene(draft(rust(), 1_200), [900.0, 600.0]);
    until_label(&mut harness, "file_0.txt, Language: \"txt\" becomes \"rs\"");
    harness.get_by_label("file_2.txt, Language: \"txt\" becomes \"rs\"");
    harness.get_by_label_contains("and 1,197 more; each");
    harness.get_by_label_contains("1,200 × GET /asset/{asset}");
    harness.get_by_label_contains("GET http://127.0.0.1:39300/asset/");
    harness.get_by_label("It can be undone in one step.");
    for name in ["Copy as curl", "Save as plan…", "Copy as command", "Cancel", "Apply to 1,200 assets"] {
        let rect = harness.get_by_role_and_label(Role::Button, name).rect();
        assert!(rect.left() > 0.0 && rect.right() < 900.0 && rect.bottom() < 600.0, "{name} stands at {rect:?}");
    }
}

#[test]
fn each_button_asks_for_its_own_and_enter_at_the_start_for_nothing() {
    let mut harness = scene(draft(rust(), 3), [900.0, 600.0]);
    until_label(&mut harness, "file_0.txt, ");
    assert!(harness.query_by_label_contains("more; each").is_none());
    assert_eq!(press(&mut harness, "Apply to 3 assets"), [Action::Bulk(BulkAction::Start)]);
    assert_eq!(press(&mut harness, "Save as plan…"), [Action::Bulk(BulkAction::SavePlan)]);
    assert!(matches!(press(&mut harness, "Copy as curl")[..], [Action::Notify(_)]));
    let mut harness = scene(draft(rust(), 3), [900.0, 600.0]);
    harness.key_press(Keyboard::Enter);
    harness.run_steps(2);
    assert_eq!(harness.state().actions, [Action::Bulk(BulkAction::Dismiss)], "Cancel has the focus");
}

#[test]
fn requests_and_parallelism_are_shown_only_with_the_details() {
    let mut harness = scene(draft(rust(), 1_200), [900.0, 600.0]);
    until_label(&mut harness, "file_0.txt, ");
    harness.state_mut().state.preferences.settings.plan_details = false;
    harness.run_steps(2);
    harness.get_by_label("It can be undone in one step.");
    harness.get_by_label_contains("and 1,197 more; each");
    assert!(harness.query_by_label_contains("GET ").is_none());
    assert!(harness.query_by_role(Role::Slider).is_none());
    assert!(harness.query_by_label("Save as plan…").is_none());
    harness.get_by_label("Details of the plan");
}

#[test]
fn a_run_without_changes_cannot_be_started() {
    let mut same = draft(rust(), 2);
    let why = || Err(NotPlanned::Unchanged("the language is Rust already".to_owned()));
    let sample: Vec<_> = same.assets.iter().map(|(id, _)| (id.clone(), why())).collect();
    same.sample = Remote::Known(Arc::new(sample.clone()));
    let mut harness = scene(same.clone(), [900.0, 600.0]);
    until_label(&mut harness, "Nothing is left to change.");
    harness.get_by_label("file_0.txt: nothing to change: the language is Rust already");
    assert_eq!(press(&mut harness, "Apply to 2 assets"), []);
    // Nothing is known of an asset that was not read.
    same.sample = Remote::Known(Arc::new(sample[..1].to_vec()));
    let mut harness = scene(same, [900.0, 600.0]);
    until_label(&mut harness, "and 1 more; each");
    assert_eq!(press(&mut harness, "Apply to 2 assets"), [Action::Bulk(BulkAction::Start)]);
}

#[test]
fn while_the_sample_loads_nothing_can_be_started_and_after_a_failure_it_is_tried_again() {
    let mut loading = draft(rust(), 3);
    loading.sample = Remote::Loading { previous: None };
    let (operation, assets) = (loading.operation().expect("a wish").clone(), Arc::clone(&loading.assets));
    let mut harness = scene(loading.clone(), [900.0, 600.0]);
    harness.get_by_label_contains("Loading the plan");
    assert_eq!(press(&mut harness, "Apply to 3 assets"), []);
    loading.sample = Remote::Failed { error: "no service answers".to_owned(), previous: None };
    harness.state_mut().state.bulk.draft = Some(loading);
    harness.run_steps(2);
    harness.get_by_label("the first assets could not be read: no service answers");
    assert_eq!(press(&mut harness, "Apply to 3 assets"), []);
    assert_eq!(press(&mut harness, "Try again"), [Action::Bulk(BulkAction::Plan(operation, assets))]);
}

#[test]
fn an_asset_that_needs_nothing_says_so_and_none_at_all_starts_nothing() {
    let mut some = draft(rust(), 2);
    let refused = vec![(some.assets[0].0.clone(), Err(NotPlanned::Failed("the language is Rust already".to_owned())))];
    some.sample = Remote::Known(Arc::new(refused));
    let mut harness = scene(some, [900.0, 600.0]);
    until_label(&mut harness, "file_0.txt: the language is Rust already");
    let mut harness = scene(draft(rust(), 0), [900.0, 600.0]);
    harness.get_by_label("There are no assets left to change.");
    assert_eq!(press(&mut harness, "Apply"), []);
}

#[test]
fn deleting_states_the_number_and_that_it_cannot_be_undone() {
    let mut delete = draft(BulkOperation::Delete, 3);
    delete.undo = UndoKind::Never("The interface has no way back".to_owned());
    let mut harness = scene(delete, [800.0, 600.0]);
    until_label(&mut harness, "3 × POST /assets/{asset}/delete");
    harness.get_by_label("This cannot be undone. The interface has no way back.");
    assert_eq!(press(&mut harness, "Delete 3 assets"), [Action::Bulk(BulkAction::Start)]);
}

#[test]
fn a_token_that_is_created_once_is_shown_and_copied_once() {
    let operation = BulkOperation::LinkNew {
        kind: lunette_inspector::change::LinkKind::Tag,
        text: "rust".to_owned(),
        url: None,
        unlink: Vec::new(),
    };
    let mut harness = scene(draft(operation, 3), [900.0, 600.0]);
    until_label(&mut harness, "1 request creates the tag, 3 link it:");
    harness.get_by_role_and_label(Role::Button, "Copy as curl").click();
    harness.step();
    let commands = &harness.output().platform_output.commands;
    let curl = commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.matches("curl").count()),
        _ => None,
    });
    assert_eq!(curl, Some(1));
}

#[test]
fn an_export_names_its_first_assets_and_where_they_go() {
    let to = ExportTarget::Zip("/tmp/a.zip".into());
    let mut export = draft(BulkOperation::Export { kind: lunette_client::model::export::ExportType::Md, to }, 7);
    export.sample = Remote::Known(Arc::default());
    export.undo = UndoKind::Never("What was saved stays".to_owned());
    let mut harness = scene(export, [900.0, 600.0]);
    until_label(&mut harness, "file_4.txt: is read and saved");
    harness.get_by_label_contains("and 2 more; each");
    harness.get_by_label_contains("into the archive /tmp/a.zip");
    harness.get_by_label("What was saved stays");
    assert_eq!(press(&mut harness, "Apply to 7 assets"), [Action::Bulk(BulkAction::Start)]);
}

#[test]
fn how_many_are_in_flight_is_chosen() {
    let mut harness = scene(draft(rust(), 3), [900.0, 600.0]);
    until_label(&mut harness, "file_0.txt, ");
    harness.get_by_role(Role::Slider).focus();
    harness.run_steps(2);
    harness.key_press(Keyboard::ArrowRight);
    harness.run_steps(2);
    assert_eq!(harness.state().actions, [Action::Bulk(BulkAction::SetDraftInFlight(5))]);
}
