//! The lists of proposals and of assistants while they are loading, empty, failed, and as full as they get.

use egui::Role;
use egui_kittest::kittest::Queryable as _;
use lunette_inspector::action::{AssistantsAction, NavigationAction, ProposalsAction};
use lunette_inspector::assistants::Assistants;
use lunette_inspector::panel::Panel;
use lunette_inspector::proposals::{Draft, MOST_WAITING, NewText, ProposalStore, ProposedChange, title};
use serde_json::json;

use super::proposals::{Assistant, rename};
use crate::stage::Stage;
use crate::support::hostile::{Behaviour, Hostile};

fn add(store: &ProposalStore) {
    let changes = vec![ProposedChange::new(NewText { name: "x".to_owned(), ..NewText::default() })];
    let (client, reason, title) = ("a".to_owned(), String::new(), title(&changes));
    store.add(Draft { client, reason, title, changes, undoes: None }).expect("kept");
}

/// Changes the database as no program of ours does.
fn change(stage: &Stage, statement: &str) {
    let path = stage.folder.path().join(lunette_inspector::db::FILE);
    rusqlite::Connection::open(path).and_then(|db| db.execute_batch(statement)).expect("changed");
}

#[test]
fn before_a_service_responds_both_lists_are_drawn_as_loading() {
    let silent = Hostile::start(Behaviour::Never);
    let mut stage = Stage::patient(&silent.url());
    stage.perform(NavigationAction::Show(Panel::Proposals));
    assert!(stage.draws(Role::ProgressIndicator, "Loading proposals"));
    stage.perform(AssistantsAction::Show(true));
    stage.settle();
    assert!(stage.draws(Role::ProgressIndicator, "Loading assistants"));
}

#[test]
fn an_empty_list_of_proposals_says_how_to_connect_an_assistant_and_leads_to_the_empty_list_of_them() {
    let mut stage = Stage::embedded();
    stage.perform(NavigationAction::Show(Panel::Proposals));
    stage.until_said("lunette mcp --install claude");
    stage.until_label("No proposals");
    let buttons = stage.harness.query_all_by_role_and_label(Role::Button, "Assistants…").count();
    assert_eq!(buttons, 2, "above the list and in its place");
    stage.harness.query_all_by_role_and_label(Role::Button, "Assistants…").last().expect("there").click_accesskit();
    stage.until_label("No assistant has called yet");
}

#[test]
fn a_list_that_cannot_be_read_again_keeps_its_rows_says_why_and_recovers_by_itself() {
    let mut stage = Stage::embedded();
    let asset = stage.asset("a.txt", "text\n");
    let assistant = Assistant::of(&stage, "one");
    let number = assistant.propose(&stage, json!([rename(&asset, "b.txt")]));
    stage.perform(NavigationAction::Show(Panel::Proposals));
    stage.until("it is listed", |state| state.proposals.row(number).is_some());
    change(&stage, "ALTER TABLE proposal RENAME TO away");
    stage.until_said("The list could not be refreshed");
    assert!(stage.says("asked by one, waiting"), "its rows stay");
    change(&stage, "ALTER TABLE away RENAME TO proposal");
    stage.until_drawn("it is read again", |harness| {
        harness.query_all_by_label_contains("could not be refreshed").next().is_none()
    });
    assert!(stage.says("asked by one, waiting"));

    stage.perform(AssistantsAction::Show(true));
    stage.until_said("one, on");
    change(&stage, "ALTER TABLE assistant RENAME TO away");
    stage.until_said("The list could not be refreshed");
    assert!(stage.says("one, on"), "its rows stay");
    change(&stage, "ALTER TABLE away RENAME TO assistant");
    stage.until("it is read again", |state| state.assistants.list.rows.error().is_none());
}

#[test]
fn a_list_that_cannot_be_read_at_first_says_why_and_is_tried_again() {
    let stage = Stage::embedded();
    // As long as another program has the database open, it is not checked.
    let other = ProposalStore::open(stage.folder.path(), "embedded").expect("opened");
    change(&stage, "ALTER TABLE proposal RENAME TO away; ALTER TABLE assistant RENAME TO gone");
    let mut stage = stage.reopened();
    stage.perform(NavigationAction::Show(Panel::Proposals));
    stage.until_said("The proposals could not be read");
    stage.perform(AssistantsAction::Show(true));
    stage.until_said("The assistants could not be read");
    stage.perform(AssistantsAction::Show(false));
    stage.press("Try again");
    stage.until_said("The proposals could not be read");
    change(&stage, "ALTER TABLE away RENAME TO proposal; ALTER TABLE gone RENAME TO assistant");
    stage.until_label("No proposals");
    stage.perform(AssistantsAction::Show(true));
    stage.until_label("No assistant has called yet");
    drop(other);
}

#[test]
fn when_as_many_proposals_wait_as_may_the_next_is_refused_until_one_is_decided() {
    let mut stage = Stage::embedded();
    let asset = stage.asset("a.txt", "text\n");
    let (store, assistant) =
        (ProposalStore::open(stage.folder.path(), "embedded").expect("opened"), Assistant::of(&stage, "one"));
    (0..MOST_WAITING).for_each(|_| add(&store));
    stage.perform(NavigationAction::Show(Panel::Proposals));
    stage.until("all wait", |state| state.proposals.waiting == MOST_WAITING);
    let asked = json!({ "reason": "x", "changes": [rename(&asset, "b.txt")] });
    let refused = assistant.call(&stage, "propose", &asked).expect_err("refused");
    assert!(refused.contains("100 proposals are waiting"), "{refused}");
    stage.perform(ProposalsAction::Decline(1, String::new()));
    stage.until("one is decided", |state| state.proposals.waiting == MOST_WAITING - 1);
    assistant.call(&stage, "propose", &asked).expect("there is room");
    stage.until("it is listed", |state| state.proposals.waiting == MOST_WAITING);
}

#[test]
fn of_three_hundred_assistants_those_in_view_alone_are_drawn_and_the_buttons_stay_in_the_window() {
    let mut stage = Stage::embedded();
    let assistants = Assistants::open(stage.folder.path()).expect("opened");
    for number in 0..300 {
        assistants.decide(&format!("client {number:03}"), |_| {}).expect("written");
    }
    stage.perform(AssistantsAction::Show(true));
    stage.until("all are listed", |state| state.assistants.list.count() == 300);
    stage.until_said("client 000, on");
    let drawn = stage.harness.query_all_by_role(Role::Row).count();
    assert!((1..60).contains(&drawn), "{drawn} rows");
    let close = stage.find(Role::Button, "Close").rect();
    assert!(close.bottom() < 800.0, "{close:?}");
    stage.type_into("Filter assistants", "client 299");
    stage.until_said("client 299, on");
}
