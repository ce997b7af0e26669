//! The assistants in the window: what they read, turning one off at once, what it is shown, and the token.

use egui::{OutputCommand, Role};
use lunette_inspector::Remote;
use lunette_inspector::action::{AssistantsAction, NavigationAction, ProposalsAction};
use lunette_inspector::assistants::{Assistants, TokenFile};
use lunette_inspector::panel::Panel;
use serde_json::json;

use super::proposals::{Assistant, name_of, open, rename, until_status};
use crate::stage::Stage;

fn shown(stage: &mut Stage) {
    stage.perform(AssistantsAction::Show(true));
    stage.until("the token was looked for", |state| matches!(state.assistants.token, Remote::Known(_)));
}

#[test]
fn an_assistant_that_is_turned_off_is_refused_at_its_next_call() {
    let mut stage = Stage::embedded();
    let assistant = Assistant::of(&stage, "Some\u{202e}one");
    assistant.call(&stage, "find", &json!({})).expect("it reads");
    shown(&mut stage);
    stage.until_said("Some<U+202E>one, on");
    let row = stage.state().assistants.row("Someone").is_none();
    assert!(row, "it is known by its name as data");
    stage.find(Role::CheckBox, "Turned on").click_accesskit();
    stage.until_said("Some<U+202E>one, off");
    let refused = assistant.call(&stage, "find", &json!({})).expect_err("refused");
    assert!(refused.contains("turned"), "{refused}");
    stage.find(Role::CheckBox, "Turned on").click_accesskit();
    stage.until_said("Some<U+202E>one, on");
    assistant.call(&stage, "find", &json!({})).expect("it reads again");
}

#[test]
fn what_an_assistant_may_is_written_and_its_calls_are_counted_while_the_window_is_open() {
    let mut stage = Stage::embedded();
    let assistant = Assistant::of(&stage, "one");
    shown(&mut stage);
    stage.until_said("No assistant has called yet");
    assistant.call(&stage, "find", &json!({})).expect("it reads");
    stage.until("its call is counted", |state| state.assistants.row("one").is_some_and(|row| row.assistant.calls == 1));
    stage.until_label("Apply small changes at once");
    stage.find(Role::CheckBox, "Apply small changes at once").click_accesskit();
    stage.until("it is written", |state| state.assistants.row("one").is_some_and(|row| row.assistant.applies_small));
    stage.find(Role::CheckBox, "Show secrets").click_accesskit();
    stage.until("it is written", |state| state.assistants.row("one").is_some_and(|row| row.assistant.shown_secrets));
    let kept = Assistants::open(stage.folder.path()).expect("opened").get("one").expect("read");
    assert!(kept.applies_small && kept.shown_secrets && !kept.off);
    stage.press("Show its proposals");
    assert_eq!(stage.state().navigation.panel, Panel::Proposals);
    assert_eq!(stage.value_of("Filter proposals"), "client:=one");
}

#[test]
fn everything_that_an_assistant_changed_is_undone_after_a_question() {
    let mut stage = Stage::embedded();
    let asset = stage.asset("a.txt", "text\n");
    let assistant = Assistant::of(&stage, "one");
    for name in ["b.txt", "c.txt"] {
        let number = assistant.propose(&stage, json!([rename(&asset, name)]));
        open(&mut stage, number);
        stage.press_once_enabled("Apply");
        until_status(&mut stage, number, "applied");
        stage.perform(ProposalsAction::Open(None));
    }
    shown(&mut stage);
    stage.until_said("one, on");
    stage.press_once_enabled("Undo everything it changed…");
    assert_eq!(name_of(&stage, &asset), "c.txt", "it asks first");
    stage.press_once_enabled("Undo everything");
    until_status(&mut stage, 1, "undone");
    until_status(&mut stage, 2, "undone");
    assert_eq!(name_of(&stage, &asset), "a.txt");
}

#[test]
fn the_token_is_copied_without_being_drawn_and_a_new_one_revokes_the_old() {
    let mut stage = Stage::embedded();
    let file = TokenFile::of(stage.folder.path());
    let kept = || file.known().map(|token| token.text().to_owned());
    shown(&mut stage);
    stage.until_said("There is no token");
    assert_eq!(kept(), None, "none is made unasked");
    stage.press("Make a token");
    stage.until("there is one", |state| state.assistants.token.value().is_some_and(Option::is_some));
    let first = kept().expect("made");
    stage.settle();
    assert!(!stage.says(&first), "it is not drawn");
    stage.find(Role::Button, "Copy the token").click_accesskit();
    stage.harness.step();
    let commands = &stage.harness.output().platform_output.commands;
    assert!(commands.contains(&OutputCommand::CopyText(first.clone())), "{commands:?}");
    stage.press("Show the token");
    assert!(stage.says(&first), "it was asked for");
    stage.press("Make a new token…");
    stage.press("Make a new token");
    stage.until("it is another one", |state| {
        state.assistants.token.value().is_some_and(|token| token.as_ref().is_some_and(|token| token.text() != first))
    });
    let verifier = file.verifier();
    assert!(!verifier.accepts(&first) && kept().is_some_and(|token| verifier.accepts(&token)));
    stage.perform(NavigationAction::Show(Panel::Assets));
    stage.press("Delete the token");
    stage.until_said("There is no token");
    assert_eq!(kept(), None);
}
