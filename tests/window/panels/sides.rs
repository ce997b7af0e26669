//! Comparing two sides of many assets: the rows by how they compare, a row side by side, carrying over, and failures.

use std::sync::Arc;

use egui_kittest::kittest::Queryable as _;
use lunette_inspector::action::{NavigationAction, SidesAction};
use lunette_inspector::compare::Position;
use lunette_inspector::journal::Outcome;
use lunette_inspector::listing::Row as _;
use lunette_inspector::panel::Panel;
use lunette_inspector::sides::RowState;
use lunette_inspector::sides::window::Stage as Compared;
use lunette_service::{Data, Running, start};

use crate::stage::Stage;
use crate::support;

/// A window on a service of its own and another service, each with an asset that the other one does not have, one that is the
/// same, and one that differs.
fn two_services() -> (Stage, Running) {
    let stage = Stage::embedded();
    let other = stage.runtime.block_on(start(support::settings(Data::Memory))).expect("it starts");
    let client = support::client(&other);
    for (name, here, there) in [
        ("same.txt", Some("the same"), Some("the same")),
        ("mine.txt", Some("only here"), None),
        ("theirs.txt", None, Some("only there")),
        ("both.txt", Some("one"), Some("two")),
    ] {
        if let Some(text) = here {
            stage.asset(name, text);
        }
        if let Some(text) = there {
            stage.runtime.block_on(support::assets::text_asset(&client, name, text));
        }
    }
    (stage, other)
}

fn compare(stage: &mut Stage, other: &str) {
    stage.perform(NavigationAction::Show(Panel::Sides));
    stage.type_into("Right side", other);
    stage.press("Compare");
    stage.until("they are compared", |state| state.sides.stage == Compared::Ready);
}

fn counts(stage: &Stage) -> Vec<(RowState, usize)> {
    let comparison = stage.state().sides.comparison.as_ref().expect("a comparison");
    let counts = RowState::ALL.into_iter().map(|state| (state, comparison.counts.of(state)));
    counts.filter(|(_, count)| *count > 0).collect()
}

#[test]
fn two_services_are_compared_filtered_by_state_and_shown_side_by_side() {
    let (mut stage, other) = two_services();
    compare(&mut stage, &other.url());
    let expected = [(RowState::OnlyLeft, 1), (RowState::OnlyRight, 1), (RowState::Different, 1), (RowState::Same, 1)];
    assert_eq!(counts(&stage), expected);
    assert!(stage.says("mine.txt, only left") && stage.says("both.txt, different"));
    stage.harness.get_by_label("different (1)").click();
    stage.until("only these are shown", |state| state.sides.list.order.len() == 1);
    let key = stage.state().sides.list.shown(0).expect("a row").key();
    stage.perform(SidesAction::Open(key));
    stage.until("they are beside each other", |state| {
        state.navigation.panel == Panel::Compare && state.compare.tab().is_some_and(|tab| tab.shown.value().is_some())
    });
    stage.perform(NavigationAction::Show(Panel::Sides));
    stage.harness.get_by_label("different (1)").click();
    stage.until("all are shown again", |state| state.sides.list.order.len() == 4);
}

#[test]
fn marked_rows_are_carried_over_after_a_question_and_a_second_comparison_finds_no_more_of_them() {
    let (mut stage, other) = two_services();
    compare(&mut stage, &other.url());
    let wanted = [RowState::OnlyRight, RowState::Different];
    let rows = stage.state().sides.list.iter().filter(|row| wanted.contains(&row.state)).map(|row| row.key());
    let keys = Arc::new(rows.collect::<Vec<_>>());
    stage.perform(SidesAction::Carry(Arc::clone(&keys), Position::Right));
    assert!(stage.state().sides.planned.is_none(), "only the connected service is written to");
    stage.perform(SidesAction::Carry(keys, Position::Left));
    stage.until_said("Carry 2 changes over?");
    assert!(stage.state().assets.list.count() < 4, "nothing is written before");
    stage.press("Carry over");
    stage.until("they are here", |state| state.assets.list.count() == 4);
    stage.until("the run has ended", |state| {
        let ended = |outcome: &Outcome| matches!(outcome, Outcome::Done);
        state.history.entries.iter().any(|entry| entry.title.starts_with("Carry over") && ended(&entry.outcome))
    });
    stage.press("Compare");
    stage.until("they are compared again", |state| {
        state.sides.stage == Compared::Ready
            && state.sides.comparison.as_ref().is_some_and(|now| now.counts.of(RowState::Same) == 3)
    });
    assert_eq!(counts(&stage), [(RowState::OnlyLeft, 1), (RowState::Same, 3)]);
}

#[test]
fn a_side_that_cannot_be_read_is_named_and_can_be_tried_again() {
    let (mut stage, other) = two_services();
    let url = other.url();
    stage.runtime.block_on(other.stop());
    stage.perform(NavigationAction::Show(Panel::Sides));
    stage.until_label("Compare two sides");
    stage.type_into("Right side", &url);
    stage.press("Compare");
    stage.until_said("The two sides were not compared");
    stage.press("Clear Right side");
    stage.type_into("Right side", "/nonexistent/file");
    stage.press("Compare");
    stage.until_said("cannot be read");
    stage.press("Close");
    stage.until_label("Compare two sides");
}
