//! Fields, pickers, tabs, toasts, dialogs and placeholders.

use super::{copied, window};
use egui::{Key, Ui, accesskit::Role};
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable as _},
};
use lunette::ui::theme::{self, Icon, UiExt as _};
use lunette::ui::widgets::picker::{Picked, Picker, PickerEntry, PickerState};
use lunette::ui::widgets::placeholder::{Failure, empty, failed, skeleton};
use lunette::ui::widgets::text_field::TextField;
use lunette::ui::widgets::toast::{ToastKind, Toasts};
use lunette::ui::widgets::{Stat, dialog, nav_item, progress, stats, tabs};

#[test]
fn a_field_is_labeled_and_cleared_by_its_button() {
    let draw = |ui: &mut Ui, (text, submitted): &mut (String, usize)| {
        let error = text.is_empty().then_some("a name is needed");
        *submitted += usize::from(TextField::new("Name").error(error).show(ui, text).submitted);
    };
    let mut harness = window(draw, ("old".to_owned(), 0));
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Clear Name").click();
    harness.run();
    harness.get_by_label("a name is needed");
    harness.get_by_role_and_label(Role::TextInput, "Name").type_text("http");
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state(), &("http".to_owned(), 1));
    assert!(harness.query_by_label("a name is needed").is_none());
}

/// A button that opens a picker of `entries` tags, and what was picked.
struct Picking {
    entries: usize,
    picker: PickerState,
    picked: Vec<Picked>,
}

fn pick(entries: usize) -> Harness<'static, Picking> {
    let draw = |ui: &mut Ui, state: &mut Picking| {
        let button = ui.button("Add");
        let entry = |index: usize| PickerEntry { name: format!("tag {index}").into(), detail: "Tag".into() };
        let picker = Picker::new("Add a tag", state.entries, &entry).offer_new("tag");
        state.picked.extend(picker.popup(&button, &mut state.picker));
    };
    let mut harness = window(draw, Picking { entries, picker: PickerState::default(), picked: vec![] });
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Add").click();
    harness.run();
    harness
}

fn type_into_picker(harness: &mut Harness<'_, Picking>, text: &str) {
    harness.get_by_role_and_label(Role::TextInput, "Add a tag").type_text(text);
    harness.run_ok();
    for _ in 0..20 {
        harness.step();
    }
}

#[test]
fn a_picker_finds_one_of_a_hundred_thousand_by_typing() {
    let mut harness = pick(100_000);
    assert!(harness.get_by_role_and_label(Role::TextInput, "Add a tag").is_focused());
    type_into_picker(&mut harness, "99999");
    harness.get_by_role_and_label(Role::ListBoxOption, "tag 99999");
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().picked, [Picked::Entry(99_999)]);
    assert!(harness.query_by_role(Role::ListBox).is_none());
}

#[test]
fn a_picker_is_navigated_by_arrows_and_mouse() {
    let mut harness = pick(30);
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowUp, Key::Enter] {
        harness.key_press(key);
        harness.run();
    }
    harness.get_by_role_and_label(Role::Button, "Add").click();
    harness.run();
    harness.get_by_role_and_label(Role::ListBoxOption, "tag 4").click();
    harness.run();
    assert_eq!(harness.state().picked, [Picked::Entry(1), Picked::Entry(4)]);
}

#[test]
fn a_picker_offers_to_create_a_missing_item() {
    let mut harness = pick(30);
    type_into_picker(&mut harness, "Tag 4");
    assert!(harness.query_by_label("Create tag “Tag 4”").is_none());
    type_into_picker(&mut harness, "x");
    harness.get_by_role_and_label(Role::ListBoxOption, "Create tag “Tag 4x”").click();
    harness.run();
    assert_eq!(harness.state().picked, [Picked::New("Tag 4x".to_owned())]);
}

#[test]
fn enter_in_a_picker_waits_for_its_entries_and_creates_no_duplicate() {
    let draw = |ui: &mut Ui, (loading, picker, picked): &mut (bool, PickerState, Vec<Picked>)| {
        let entry = |_: usize| PickerEntry { name: "todo".into(), detail: "".into() };
        let entries = usize::from(!*loading);
        let drawn =
            Picker::new("Add a tag", entries, &entry).offer_new("tag").loading(*loading).revision(entries as u64);
        picked.extend(drawn.show(ui, picker));
    };
    let mut harness = window(draw, (true, PickerState::default(), vec![]));
    harness.run_ok();
    harness.get_by_role_and_label(Role::TextInput, "Add a tag").type_text("todo");
    harness.run_ok();
    harness.key_press(Key::Enter);
    harness.run_ok();
    assert_eq!(harness.state().2, []);
    harness.state_mut().0 = false;
    harness.run_ok();
    assert_eq!(harness.state().2, [Picked::Entry(0)]);
}

#[test]
fn escape_closes_a_picker_without_a_choice() {
    let mut harness = pick(30);
    harness.key_press(Key::Escape);
    harness.run();
    assert!(harness.query_by_role(Role::ListBox).is_none());
    assert!(harness.state().picked.is_empty());
}

/// Toasts, and which of their actions were pressed.
type Pressed = (Toasts, Vec<(u64, usize)>);

fn toasts(state: Pressed) -> Harness<'static, Pressed> {
    let draw = |ui: &mut Ui, (toasts, pressed): &mut Pressed| {
        toasts.expire(ui.ctx());
        pressed.extend(toasts.show(ui));
    };
    Harness::builder()
        .with_size([800.0, 600.0])
        .with_step_dt(0.25)
        .with_context_setup(lunette::ui::theme::install)
        .build_ui_state(draw, state)
}

#[test]
fn hovering_keeps_every_message_visible() {
    let mut shown = Toasts::default();
    shown.push(ToastKind::Done, "Linked", None);
    let mut harness = toasts((shown, vec![]));
    harness.run_steps(2);
    harness.hover_at(egui::pos2(100.0, 20.0));
    harness.run_steps(60);
    harness.get_by_role_and_label(Role::Alert, "Done: Linked");
    harness.hover_at(egui::pos2(400.0, 590.0));
    harness.run_steps(16);
    assert!(harness.query_by_role_and_label(Role::Alert, "Done: Linked").is_none());
}

#[test]
fn messages_expire_and_failures_stay_longer() {
    let mut shown = Toasts::default();
    shown.push(ToastKind::Done, "Linked", None);
    shown.push(ToastKind::Error, "Refused", None);
    let mut harness = toasts((shown, vec![]));
    harness.run_steps(2);
    harness.get_by_role_and_label(Role::Alert, "Done: Linked");
    harness.run_steps(26);
    assert!(harness.query_by_role_and_label(Role::Alert, "Done: Linked").is_none());
    harness.get_by_role_and_label(Role::Alert, "Error: Refused");
    harness.run_steps(100);
    assert!(harness.state().0.is_empty(), "no failure stays for ever");
    harness.state_mut().0.push(ToastKind::Error, "Refused", None);
    harness.run_steps(2);
    harness.get_by_role_and_label(Role::Button, "Dismiss").click();
    harness.run_steps(3);
    assert!(harness.state().0.is_empty());
}

#[test]
fn messages_are_shortened_to_a_limit() {
    let mut shown = Toasts::default();
    shown.push(ToastKind::Error, "x".repeat(1_000_000), None);
    let mut harness = toasts((shown, vec![]));
    harness.run_steps(2);
    let label = harness.get_by_role(Role::Alert).accesskit_node().label().unwrap_or_default();
    assert!((500..2_000).contains(&label.len()), "{} bytes", label.len());
}

#[test]
fn the_action_of_a_toast_is_returned_once() {
    let mut shown = Toasts::default();
    let number = shown.push(ToastKind::Done, "Linked", Some("Undo"));
    let mut harness = toasts((shown, vec![]));
    harness.run_steps(2);
    harness.get_by_role_and_label(Role::Button, "Undo").click();
    harness.run_steps(3);
    assert_eq!(harness.state(), &(harness.state().0.clone(), vec![(number, 0)]));
    assert!(harness.state().0.is_empty());
}

#[test]
fn a_toast_can_offer_several_actions() {
    let mut shown = Toasts::default();
    let number = shown.push_offering(ToastKind::Error, "A run was interrupted", &["Resume", "Look"]);
    let mut harness = toasts((shown, vec![]));
    harness.run_steps(2);
    harness.get_by_role_and_label(Role::Button, "Resume");
    harness.get_by_role_and_label(Role::Button, "Look").click();
    harness.run_steps(3);
    assert_eq!(harness.state().1, [(number, 1)]);
    assert!(harness.state().0.is_empty());
}

#[test]
fn tabs_are_chosen_by_mouse_and_by_arrows() {
    let draw = |ui: &mut Ui, (chosen, changes): &mut (usize, usize)| {
        *changes +=
            usize::from(tabs(ui, "Asset", &[("Preview", None), ("Formats", Some(2)), ("Record", None)], chosen));
    };
    let mut harness = window(draw, (0, 0));
    harness.run();
    harness.get_by_role_and_label(Role::Tab, "Formats").click();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    assert_eq!(harness.state(), &(2, 2));
    let record = harness.get_by_role_and_label(Role::Tab, "Record");
    assert_eq!(record.accesskit_node().is_selected(), Some(true));
    harness.get_by_role_and_label(Role::TabList, "Asset");
}

#[test]
fn an_item_of_the_sidebar_is_a_tab_with_its_count() {
    let draw = |ui: &mut Ui, clicks: &mut usize| {
        *clicks += usize::from(nav_item(ui, Some(Icon::ASSETS), "Assets", Some(12_408), true).clicked());
    };
    let mut harness = window(draw, 0);
    harness.run();
    let item = harness.get_by_role_and_label(Role::Tab, "Assets");
    assert_eq!(item.accesskit_node().data().description(), Some("12,408"));
    item.click();
    harness.run();
    assert_eq!(*harness.state(), 1);
}

#[test]
fn an_empty_list_suggests_an_action_and_performs_it() {
    let draw = |ui: &mut Ui, pressed: &mut Vec<usize>| {
        let actions = ["Import files", "Add samples"];
        pressed.extend(empty(ui, Icon::ASSETS, "No assets yet", "Import some files.", &actions));
    };
    let mut harness = window(draw, vec![]);
    harness.run();
    harness.get_by_label("No assets yet");
    harness.get_by_role_and_label(Role::Button, "Add samples").click();
    harness.run();
    assert_eq!(harness.state(), &[1]);
}

#[test]
fn a_failure_shows_its_details_and_can_be_copied_or_retried() {
    let failure = Failure {
        title: "Assets could not be loaded",
        method: "GET",
        address: "http://127.0.0.1:39300/assets",
        phase: "refused",
        reason: "nothing listens there",
        advice: "Start the service.",
    };
    let draw = move |ui: &mut Ui, again: &mut usize| *again += usize::from(failed(ui, &failure));
    let mut harness = window(draw, 0);
    harness.run();
    harness.get_by_role_and_label(Role::Alert, "Assets could not be loaded");
    harness.get_by_label("nothing listens there");
    harness.get_by_role_and_label(Role::Button, "Try again").click();
    harness.run();
    assert_eq!(*harness.state(), 1);
    harness.get_by_role_and_label(Role::Button, "Copy details").click();
    let report = copied(&mut harness).unwrap_or_default();
    assert!(report.contains("GET http://127.0.0.1:39300/assets\nnothing listens there"), "{report}");
}

#[test]
fn progress_is_named_and_measured() {
    let draw = |ui: &mut Ui, (): &mut ()| {
        skeleton(ui, "assets", 3);
        progress(ui, "Importing", Some(0.5), 120.0);
        stats(ui, &[Stat { value: "63 h", caption: "open time" }]);
    };
    let mut harness = window(draw, ());
    harness.run();
    harness.get_by_role_and_label(Role::ProgressIndicator, "Loading assets");
    let line = harness.get_by_role_and_label(Role::ProgressIndicator, "Importing");
    assert_eq!(line.accesskit_node().data().numeric_value(), Some(0.5));
    harness.get_by_role_and_label(Role::Figure, "63 h open time");
}

#[test]
fn indeterminate_progress_is_static_with_reduced_motion() {
    for still in [false, true] {
        let draw = move |ui: &mut Ui, (): &mut ()| {
            theme::apply_appearance(ui.ctx(), theme::Appearance { still, ..theme::Appearance::default() });
            progress(ui, "Importing", None, 120.0);
        };
        let mut harness = window(draw, ());
        harness.run_steps(4);
        let moves = harness.output().viewport_output.values().any(|output| output.repaint_delay.as_secs() < 60);
        assert_eq!(moves, !still);
    }
}

#[test]
fn a_dialog_is_named_and_closed_by_escape() {
    let draw = |ui: &mut Ui, open: &mut bool| {
        if *open {
            let (_, close) = dialog(ui.ctx(), "plan", "Reclassify 3 assets", 400.0, |ui| ui.primary_button("Apply"));
            *open = !close;
        }
    };
    let mut harness = window(draw, true);
    harness.run();
    harness.get_by_role_and_label(Role::Dialog, "Reclassify 3 assets");
    harness.get_by_role_and_label(Role::Button, "Apply");
    harness.key_press(Key::Escape);
    harness.run();
    assert!(!harness.state());
}

#[test]
fn every_message_is_shown_without_hidden_characters() {
    let draw = |ui: &mut Ui, (): &mut ()| {
        ui.title("evil\u{202e}gpj.exe");
        ui.key_value("Name\u{7}", "a\u{200b}b");
        ui.error_text("bad\n\u{1b}[0m");
        ui.chip("http\u{feff}");
    };
    let mut harness = window(draw, ());
    harness.run();
    for text in ["evil<U+202E>gpj.exe", "Name<U+0007>", "a<U+200B>b", "bad<U+000A><U+001B>[0m", "http<U+FEFF>"] {
        harness.get_by_label(text);
    }
}
