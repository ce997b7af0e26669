//! The dialog on conflicts built by hand: its texts, its choices, and the action of each button.

use egui::{Key as Keyboard, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use serde_json::json;

use super::*;
use lunette_client::model::id::AssetId;
use lunette_inspector::action::WriteAction;
use lunette_inspector::change::{Edit, Field};

struct Scene {
    dialog: ConflictDialog,
    state: State,
    actions: Vec<Action>,
}

impl Scene {
    /// Applies the decisions, as the inspector does.
    fn decide(&mut self) {
        let Some(conflict) = &mut self.state.write.conflict else { return };
        self.actions.retain(|action| match action {
            Action::Write(WriteAction::Decide(index, choice)) => {
                conflict.decide(*index, *choice);
                false
            }
            _ => true,
        });
    }
}

fn scene(conflict: Conflict, size: [f32; 2]) -> Harness<'static, Scene> {
    let mut state = State::default();
    state.write.conflict = Some(conflict);
    let scene = Scene { dialog: ConflictDialog::default(), state, actions: Vec::new() };
    let draw = |ui: &mut Ui, scene: &mut Scene| {
        scene.dialog.ui(ui.ctx(), &scene.state, &mut scene.actions);
        scene.decide();
    };
    let mut harness =
        Harness::builder().with_size(size).with_context_setup(crate::ui::theme::install).build_ui_state(draw, scene);
    harness.run_steps(3);
    harness
}

fn record(yours: Value, theirs: Value) -> Conflict {
    let from = json!({ "name": "a.rs", "one": 1, "two": 2 });
    let change = Change::Record { asset: AssetId::random(), from: from.clone(), to: yours };
    Conflict::of(&change, &from, Arc::new(theirs)).expect("a conflict")
}

/// Both changed `one`; you added `mine`, the service changed `two`.
fn overlapping() -> Conflict {
    let yours = json!({ "name": "a.rs", "one": 10, "two": 2, "mine": true });
    record(yours, json!({ "name": "a.rs", "one": 11, "two": 22 }))
}

fn press(harness: &mut Harness<'static, Scene>, role: Role, name: &str) {
    harness.get_by_role_and_label(role, name).click();
    harness.run_steps(3);
}

fn chosen(harness: &Harness<'static, Scene>, name: &str) -> bool {
    let radio = harness.get_by_role_and_label(Role::RadioButton, name);
    radio.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
}

#[test]
fn the_three_versions_of_every_place_are_shown_with_who_changed_it() {
    let harness = scene(overlapping(), [1280.0, 800.0]);
    harness.get_by_role_and_label(Role::Dialog, "“a.rs” was changed meanwhile");
    harness.get_by_label_contains("Nothing was sent");
    harness.get_by_label_contains("One field was changed by both");
    for row in [
        "One: began with 1, yours 10, theirs 11; both: choose one",
        "Two: began with 2, yours 2, theirs 22; only the service",
        "Mine: began with absent, yours true, theirs absent; only you",
    ] {
        harness.get_by_label(row);
    }
}

#[test]
fn an_overlap_is_decided_before_it_is_merged() {
    let mut harness = scene(overlapping(), [1280.0, 800.0]);
    press(&mut harness, Role::Button, "Merge");
    assert_eq!(harness.state().actions, [], "it waits");
    harness.get_by_label("one field to choose");
    press(&mut harness, Role::RadioButton, "Take theirs: One");
    assert!(chosen(&harness, "Take theirs: One") && !chosen(&harness, "Take yours: One"));
    press(&mut harness, Role::RadioButton, "Take yours: One");
    assert!(chosen(&harness, "Take yours: One") && !chosen(&harness, "Take theirs: One"));
    press(&mut harness, Role::Button, "Merge");
    assert_eq!(harness.state().actions, [Action::Write(WriteAction::MergeConflict)]);
}

#[test]
fn independent_changes_merge_in_one_click_without_choices() {
    let theirs = json!({ "name": "a.rs", "one": 1, "two": 22 });
    let mut harness = scene(record(json!({ "name": "b.rs", "one": 1, "two": 2 }), theirs), [1280.0, 800.0]);
    harness.get_by_label_contains("both can be kept");
    assert!(harness.query_by_role(Role::RadioButton).is_none());
    assert!(harness.query_by_label("Take all of yours").is_none());
    press(&mut harness, Role::Button, "Merge");
    assert_eq!(harness.state().actions, [Action::Write(WriteAction::MergeConflict)]);
}

#[test]
fn one_click_takes_one_side_everywhere() {
    let mut harness = scene(overlapping(), [1280.0, 800.0]);
    press(&mut harness, Role::Button, "Take all of yours");
    assert!(chosen(&harness, "Take yours: One"));
    press(&mut harness, Role::Button, "Take all of theirs");
    assert!(chosen(&harness, "Take theirs: One"));
    // A field that only the user changed is still sent.
    harness.get_by_role_and_label(Role::Button, "Merge");
}

#[test]
fn a_button_says_when_none_of_your_changes_are_left() {
    let edits = vec![Edit { field: Field::Name, from: Some("a.rs".into()), to: "b.rs".into() }];
    let change = Change::Edit { asset: AssetId::random(), edits };
    let conflict = Conflict::of(&change, &Value::Null, Arc::new(json!({ "name": "c.rs" }))).expect("a conflict");
    let mut harness = scene(conflict, [1280.0, 800.0]);
    press(&mut harness, Role::Button, "Take all of theirs");
    press(&mut harness, Role::Button, "Keep theirs");
    assert_eq!(harness.state().actions, [Action::Write(WriteAction::MergeConflict)]);
}

#[test]
fn enter_at_the_start_and_escape_close_it() {
    for key in [Keyboard::Enter, Keyboard::Escape] {
        let mut harness = scene(overlapping(), [1280.0, 800.0]);
        harness.key_press(key);
        harness.run_steps(2);
        assert_eq!(harness.state().actions.first(), Some(&Action::Write(WriteAction::DismissConflict)), "{key:?}");
        assert!(!harness.state().actions.contains(&Action::Write(WriteAction::MergeConflict)));
    }
}

#[test]
fn a_choice_is_made_by_keyboard() {
    let mut harness = scene(overlapping(), [1280.0, 800.0]);
    harness.get_by_role_and_label(Role::RadioButton, "Take theirs: One").focus();
    harness.run_steps(2);
    harness.key_press(Keyboard::Space);
    harness.run_steps(3);
    assert!(chosen(&harness, "Take theirs: One"));
}

#[test]
fn a_thousand_fields_with_long_values_fit_a_small_window_in_both_themes() {
    let fields = |from: usize, text: &str| {
        let field = |index: usize| (format!("a long name of field {index}"), text.repeat(200).into());
        Value::Object((from..1_000).map(field).collect())
    };
    let change = Change::Record { asset: AssetId::random(), from: fields(0, "a"), to: fields(0, "b") };
    let conflict = Conflict::of(&change, &Value::Null, Arc::new(fields(0, "c"))).expect("a conflict");
    for theme in [egui::ThemePreference::Dark, egui::ThemePreference::Light] {
        let mut harness = scene(conflict.clone(), [900.0, 600.0]);
        crate::ui::theme::set_preference(&harness.ctx, theme);
        harness.run_steps(3);
        harness.get_by_label_contains("1,000 fields were changed by both");
        harness.get_by_label_contains(" · 1,000 fields");
        for name in ["Merge", "Close, keep my draft", "Take all of yours", "Take all of theirs"] {
            let rect = harness.get_by_role_and_label(Role::Button, name).rect();
            assert!(
                rect.top() > 0.0 && rect.bottom() < 600.0 && rect.left() > 0.0 && rect.right() < 900.0,
                "{name}: {rect:?}"
            );
        }
        let drawn = harness.query_all_by_label_contains(": began with ").count();
        assert!((3..12).contains(&drawn), "{drawn} fields are drawn, not only those in sight");
    }
}
