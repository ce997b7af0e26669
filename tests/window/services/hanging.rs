//! Writes that are not answered: the wait is shown and can be cancelled, and no input is lost.

use std::sync::Arc;

use egui::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_inspector::WritePolicy;
use lunette_inspector::action::{SessionAction, SettingsAction};
use lunette_inspector::session::Status;

use crate::dialogs::forms::type_lines;
use crate::dialogs::plan::stand;
use crate::panels::asset_page::open;
use crate::stage::Stage;
use crate::support::fault::{Fault, FaultKind};
use crate::support::gate::{Gate, held};
use crate::support::mutating_proxy::MutatingProxy;

/// A window on a service whose first response for a path waits for the gate, and the service itself.
struct Held {
    stage: Stage,
    inside: Stage,
    gate: Arc<Gate>,
    _wall: MutatingProxy,
}

fn holding(path: &str) -> Held {
    holding_of(Stage::embedded(), path)
}

/// The same for a service that is running already.
fn holding_of(inside: Stage, path: &str) -> Held {
    let (wall, gate) = held(inside.port(), path.to_owned());
    let mut stage = Stage::patient(&wall.url());
    stage.until("it is connected", |state| state.connection.status == Status::Up);
    Held { stage, inside, gate, _wall: wall }
}

/// Opens the edit form of an asset, types a name and saves it.
fn save_a_name(held: &mut Held, name: &str) -> AssetId {
    let id = held.inside.asset("a.txt", "text");
    open(&mut held.stage, &id);
    held.stage.press("Edit");
    held.stage.press("Clear Name");
    held.stage.type_into("Name", name);
    held.stage.press("Save");
    id
}

#[test]
fn a_form_shows_its_saving_time_and_keeps_the_input_when_cancelled() {
    let mut held = holding("/asset/update");
    let id = save_a_name(&mut held, "b.txt");
    let stage = &mut held.stage;
    stage.until_said("Saving… 1 s");
    stage.press("Cancel");
    stage.until("it is no longer awaited", |state| !state.write.of(&id).writing);
    assert_eq!(stage.value_of("Name"), "b.txt", "the form is open with what was typed");
    // The service had saved it: reading the asset again shows that.
    stage.until("it is known", |state| !state.write.of(&id).unsure && state.write.of(&id).refused.is_none());
    stage.until_said("The change was made");
    assert_eq!(stage.value_of("Name"), "b.txt");
    held.gate.open();
}

#[test]
fn the_status_bar_cancels_a_write_that_hangs_and_says_that_it_may_have_been_saved() {
    let mut held = holding("/asset/update");
    let id = held.inside.asset("a.txt", "text");
    let stage = &mut held.stage;
    open(stage, &id);
    stage.press("Favourite");
    stage.until_said("Saving a.txt… 1 s");
    stage.press("Cancel: Saving a.txt");
    stage.until("it is no longer awaited", |state| !state.write.of(&id).writing);
    let steps = &stage.state().history.entries;
    assert_eq!(steps.len(), 1, "the step is in the history, whatever came of it");
    stage.until_said("The change was made");
    held.gate.open();
}

#[test]
fn the_dialog_of_a_plan_that_is_being_applied_shows_its_progress_and_cancels_it() {
    let inside = Stage::embedded();
    let id = inside.asset("a.txt", "text");
    let mut held = holding_of(inside, &format!("/assets/{id}/delete"));
    let stage = &mut held.stage;
    open(stage, &id);
    stage.perform(SettingsAction::PlanDetails(true));
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    stage.press("More");
    stage.press("Delete…");
    stage.until_said("/delete");
    stand(stage);
    stage.press("Delete");
    stage.until_said("Sending… 1 s");
    assert!(stage.draws(Role::ProgressIndicator, "Sending the change"));
    stage.press("Cancel");
    stage.until("it is no longer awaited", |state| state.write.planned.is_none());
    assert!(!stage.draws(Role::Dialog, "Delete “a.txt”?"));
    assert_eq!(stage.state().history.entries.len(), 1, "the step is in the history, whatever came of it");
    held.gate.open();
}

#[test]
fn cancelling_the_creation_of_an_asset_keeps_the_text() {
    let mut held = holding("/assets/create");
    let stage = &mut held.stage;
    stage.until_label("New from text…");
    stage.press("New from text…");
    stage.type_into("Name", "notes.md");
    type_lines(stage, "Text", "# Notes");
    stage.press("Create");
    stage.until_said("Saving… 1 s");
    stage.press("Cancel");
    stage.until("it is no longer awaited", |state| state.import.creating.is_none());
    stage.until_said("It is unknown whether the asset was created");
    assert_eq!(stage.value_of("Name"), "notes.md");
    assert!(!stage.find(Role::Button, "Create").accesskit_node().is_disabled());
    held.gate.open();
}

#[test]
fn input_is_kept_when_it_is_unknown_whether_it_was_saved() {
    let inside = Stage::embedded();
    let wall = Fault::start(inside.port(), |_| FaultKind::Disconnected);
    let mut stage = Stage::at(&wall.url());
    stage.until("it is connected", |state| state.connection.status == Status::Up);
    let id = inside.asset("a.txt", "text");
    open(&mut stage, &id);
    stage.press("Edit");
    stage.press("Clear Name");
    stage.type_into("Name", "b.txt");
    stage.press("Save");
    stage.until("it was given up", |state| state.write.of(&id).refused.is_some());
    assert_eq!(stage.value_of("Name"), "b.txt");
    assert!(stage.harness.query_by_role_and_label(Role::Dialog, "Edit asset").is_some());
}
