//! The dialog in every state, built by hand, and the action of each key and button.

use egui::{Key as Keyboard, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use serde_json::json;

use super::*;
use lunette_client::model::diff::{FieldChange, Path, Step};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::model::value::SeededScoreIncrement;
use lunette_client::operation::Call;
use lunette_client::operation::table::{AssetScoresIncrement, AssetsDeleteAsset};
use lunette_inspector::Remote;
use lunette_inspector::action::{SettingsAction, WriteAction};
use lunette_inspector::change::{Counter, LinkKind};

struct Scene {
    dialog: PlanDialog,
    state: State,
    actions: Vec<Action>,
}

fn scene(planned: Planned) -> Harness<'static, Scene> {
    let mut state = State::default();
    state.write.planned = Some(planned);
    state.connection.address = Some("http://127.0.0.1:39300".to_owned());
    state.preferences.settings.plan_details = true;
    let scene = Scene { dialog: PlanDialog::default(), state, actions: Vec::new() };
    let mut harness = Harness::builder()
        .with_size([900.0, 600.0])
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

fn increment() -> (Change, Call) {
    let asset = AssetId::random();
    let body = json!({ "asset": { "reuse": true } });
    let body = SeededScoreIncrement::from_tree(body).expect("an increment");
    let call = AssetScoresIncrement { asset: asset.clone(), increment: Some(body) };
    (Change::Increment { asset, counter: Counter::Reuse, from: Some(1) }, call.into())
}

fn delete() -> (Change, Call) {
    let asset = AssetId::random();
    (Change::Delete { asset: asset.clone(), name: "x.rs".to_owned(), made: None }, AssetsDeleteAsset { asset }.into())
}

fn field(name: &str, before: serde_json::Value, after: serde_json::Value) -> FieldChange {
    FieldChange { path: Path(vec![Step::Key(name.to_owned())]), before: Some(before), after: Some(after) }
}

fn planned((change, call): (Change, Call), fields: Vec<FieldChange>) -> Planned {
    let undo = UndoKind::Never("nothing brings it back".to_owned());
    let plan = Plan { change: change.clone(), calls: vec![call], before: None, fields, undo };
    Planned::of(change, Remote::Known(Arc::new(plan)))
}

#[test]
fn a_plan_shows_its_fields_its_bytes_and_that_it_cannot_be_undone() {
    let mut harness = scene(planned(increment(), vec![field("score", json!(1), json!(2))]));
    until_label(&mut harness, "Score: 1 becomes 2");
    harness.get_by_label("{\"asset\":{\"reuse\":true}}");
    harness.get_by_label_contains("POST http://127.0.0.1:39300/asset/");
    harness.get_by_label("This cannot be undone: nothing brings it back.");
    assert!(harness.query_all_by_role(Role::Dialog).any(|dialog| {
        dialog.accesskit_node().label().is_some_and(|label| label.starts_with("Increment reuse of “"))
    }));
}

#[test]
fn the_undo_of_a_deletion_says_what_it_brings_back_and_what_it_cannot() {
    let (asset, name) = (AssetId::random(), "x.rs".to_owned());
    let call = || AssetsDeleteAsset { asset: AssetId::random() }.into();
    let restore = Change::Restore { asset: asset.clone(), name: name.clone() };
    let mut harness = scene(planned((restore, call()), Vec::new()));
    until_label(&mut harness, "The asset comes back from the Trash as it was: the same id, content, links, activity");
    let unreported = vec![LinkKind::Tag];
    let recreate = Change::Recreate { asset, name, links: Vec::new(), unreported };
    let mut harness = scene(planned((recreate, call()), Vec::new()));
    until_label(&mut harness, "A new asset is created from the saved copy, with its content, name, language");
    harness.get_by_label_contains("It gets a new id. Score, activity and conversations do not come back");
    harness.get_by_label_contains("did not say which tags the asset had");
    assert!(harness.query_all_by_label_contains("known").next().is_none());
}

#[test]
fn enter_at_the_start_sends_nothing_and_the_button_does() {
    let mut harness = scene(planned(increment(), Vec::new()));
    until_label(&mut harness, "POST");
    harness.key_press(Keyboard::Enter);
    harness.run_steps(2);
    assert_eq!(harness.state().actions, [Action::Write(WriteAction::DismissPlan)], "Cancel has the focus");
    harness.state_mut().actions.clear();
    harness.get_by_role_and_label(Role::Button, "Increment reuse").focus();
    harness.run_steps(2);
    harness.key_press(Keyboard::Enter);
    harness.run_steps(2);
    assert_eq!(harness.state().actions, [Action::Write(WriteAction::ApplyPlan)]);
}

#[test]
fn escape_closes_the_plan_but_not_while_it_is_sent() {
    let mut harness = scene(planned(delete(), Vec::new()));
    until_label(&mut harness, "POST");
    harness.key_press(Keyboard::Escape);
    harness.run_steps(2);
    assert!(harness.state().actions.contains(&Action::Write(WriteAction::DismissPlan)));
    harness.state_mut().actions.clear();
    if let Some(planned) = &mut harness.state_mut().state.write.planned {
        planned.applying = true;
    }
    harness.run_steps(2);
    harness.key_press(Keyboard::Escape);
    harness.run_steps(2);
    harness.get_by_role_and_label(Role::Button, "Delete").click();
    harness.run_steps(2);
    assert_eq!(harness.state().actions, []);
    harness.get_by_label("Sending…");
}

#[test]
fn requests_are_shown_only_with_the_details_which_are_remembered() {
    let mut harness = scene(planned(increment(), vec![field("score", json!(1), json!(2))]));
    until_label(&mut harness, "POST");
    harness.state_mut().state.preferences.settings.plan_details = false;
    harness.run_steps(2);
    harness.get_by_label("Score: 1 becomes 2");
    harness.get_by_label("This cannot be undone: nothing brings it back.");
    assert!(harness.query_by_label_contains("POST").is_none());
    let buttons: Vec<_> = harness
        .query_all_by_role(Role::Button)
        .filter_map(|button| button.accesskit_node().label().map(|label| label.to_owned()))
        .collect();
    assert_eq!(buttons, ["Details of the plan", "Increment reuse", "Cancel"], "one button sends it");
    harness.get_by_label("Details of the plan").click();
    harness.run_steps(2);
    assert_eq!(harness.state().actions, [Action::Settings(SettingsAction::PlanDetails(true))]);
}

#[test]
fn a_plan_that_changed_has_the_focus_on_cancel_again() {
    let mut harness = scene(planned(increment(), vec![field("score", json!(1), json!(2))]));
    until_label(&mut harness, "POST");
    harness.run_steps(6);
    harness.get_by_role_and_label(Role::Button, "Increment reuse").focus();
    harness.run_steps(2);
    let mut changed = planned(increment(), vec![field("score", json!(2), json!(3))]);
    changed.change = harness.state().state.write.planned.as_ref().expect("a plan").change.clone();
    harness.state_mut().state.write.planned = Some(changed);
    until_label(&mut harness, "Score: 2 becomes 3");
    harness.run_steps(2);
    assert!(harness.get_by_role_and_label(Role::Button, "Cancel").accesskit_node().is_focused());
}

#[test]
fn a_loading_plan_sends_nothing_and_a_failed_one_can_be_retried() {
    let (change, _) = increment();
    let plan = Remote::Loading { previous: None };
    let mut harness = scene(Planned::of(change.clone(), plan));
    harness.get_by_label_contains("Loading the plan");
    harness.get_by_role_and_label(Role::Button, "Increment reuse").click();
    harness.run_steps(2);
    assert_eq!(harness.state().actions, []);
    let plan = Remote::Failed { error: "the asset is gone".to_owned(), previous: None };
    harness.state_mut().state.write.planned = Some(Planned::of(change.clone(), plan));
    harness.run_steps(2);
    harness.get_by_label("the asset is gone");
    harness.get_by_role_and_label(Role::Button, "Try again").click();
    harness.run_steps(2);
    assert_eq!(harness.state().actions, [Action::Write(WriteAction::Change(change))]);
}

#[test]
fn a_plan_with_many_fields_and_a_long_body_fits_a_small_window() {
    let asset = AssetId::random();
    let names: Vec<_> = (0..300).map(|index| format!("a long name of field {index}")).collect();
    let fields = names.iter().map(|name| field(name, json!("x".repeat(500)), json!(null))).collect();
    let body = json!({ "asset": { "reuse": true }, "more": names });
    let body = SeededScoreIncrement::from_tree(body).expect("an increment");
    let call = AssetScoresIncrement { asset: asset.clone(), increment: Some(body) };
    let change = Change::Increment { asset, counter: Counter::Reuse, from: None };
    let mut harness = scene(planned((change, call.into()), fields));
    until_label(&mut harness, "300 fields change");
    harness.get_by_label_contains("Request body (");
    harness.get_by_label("This cannot be undone: nothing brings it back.");
    for name in ["Cancel", "Increment reuse", "Copy as curl", "Copy as command"] {
        let rect = harness.get_by_role_and_label(Role::Button, name).rect();
        assert!(rect.top() > 0.0 && rect.bottom() < 600.0 && rect.right() < 900.0, "{name} stands at {rect:?}");
    }
    let drawn = harness.query_all_by_label_contains(" becomes ").count();
    assert!((1..20).contains(&drawn), "{drawn} fields are drawn, not only those in sight");
}
