//! What an assistant proposed, in the window: seen while it is open, applied, applied in part, declined with a word,
//! undone; and approvals that write nothing.

use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::client::{Limits, WritePolicy};
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::AssetUpdate;
use lunette_inspector::Vendor;
use lunette_inspector::action::{AssistantsAction, HistoryAction, NavigationAction, ProposalsAction, SessionAction};
use lunette_inspector::journal::Outcome;
use lunette_inspector::panel::Panel;
use lunette_inspector::proposals::{Draft, NewText, ProposalStore, ProposedChange, Selection, Status, title};
use lunette_mcp::{Backend, Permission, call};
use serde_json::{Value, json};

use crate::stage::Stage;
use crate::support;

/// An assistant of the window's service and folder.
pub struct Assistant {
    backend: Arc<Backend>,
    name: String,
}

impl Assistant {
    pub fn of(stage: &Stage, name: &str) -> Self {
        let folder = stage.folder.path().to_owned();
        let client = support::client_at(&stage.url(), Limits::default());
        let backend = Backend::open(client, Vendor::Lunette, "embedded", folder, Permission::TakeBack).expect("opened");
        Self { backend: Arc::new(backend), name: name.to_owned() }
    }

    /// Calls a tool; fails with what the assistant is told.
    pub fn call(&self, stage: &Stage, tool: &str, arguments: &Value) -> Result<Value, String> {
        let called = stage.runtime.block_on(call(&self.backend, &self.name, tool, arguments));
        called.map(|answer| answer["data"].clone()).map_err(|error| error.to_string())
    }

    /// Proposes changes; returns the number.
    pub fn propose(&self, stage: &Stage, changes: Value) -> u64 {
        let arguments = json!({ "reason": "to be tidy \u{202e}", "changes": changes });
        let proposed = self.call(stage, "propose", &arguments).expect("proposed");
        proposed["proposal"]["number"].as_u64().unwrap_or_else(|| panic!("a number: {proposed}"))
    }

    fn state_of(&self, stage: &Stage, number: u64) -> Value {
        self.call(stage, "proposal", &json!({ "number": number })).expect("told")["proposal"].clone()
    }
}

pub fn name_of(stage: &Stage, asset: &AssetId) -> String {
    let tree = stage.runtime.block_on(support::assets::tree(&stage.client(), asset));
    tree["name"].as_str().expect("a name").to_owned()
}

pub fn rename(asset: &AssetId, to: &str) -> Value {
    json!({ "do": "rename", "asset": asset.as_str(), "to": to })
}

/// A window with assets of these names, and an assistant.
fn with_assets(names: &[&str]) -> (Stage, Assistant, Vec<AssetId>) {
    let stage = Stage::embedded();
    let assets = names.iter().map(|name| stage.asset(name, &format!("text of {name}\n"))).collect();
    let assistant = Assistant::of(&stage, "Helper \u{202e}one");
    (stage, assistant, assets)
}

pub fn open(stage: &mut Stage, number: u64) {
    stage.until("it is listed", |state| state.proposals.row(number).is_some());
    stage.perform(ProposalsAction::Open(Some(number)));
    stage.until("it is read", |state| state.proposals.shown().is_some());
    // Close has the focus in the first frames.
    stage.settle();
}

pub fn until_status(stage: &mut Stage, number: u64, word: &str) {
    let wanted = word.to_owned();
    stage.until(&format!("proposal {number} is {word}"), move |state| {
        !state.proposals.is_busy() && state.proposals.row(number).is_some_and(|row| row.status.as_str() == wanted)
    });
}

#[test]
fn a_proposal_is_seen_while_the_window_is_open_applied_and_undone() {
    let (mut stage, assistant, assets) = with_assets(&["a.txt"]);
    stage.perform(NavigationAction::Show(Panel::Proposals));
    stage.until_said("changes nothing by itself");
    let number = assistant.propose(&stage, json!([rename(&assets[0], "b.txt")]));
    stage.until("it waits", |state| state.proposals.waiting == 1);
    stage.until_said("asked by Helper <U+202E>one, waiting");
    open(&mut stage, number);
    stage.until_said("to be tidy <U+202E>");
    stage.until_label("Apply");
    assert_eq!(name_of(&stage, &assets[0]), "a.txt", "nothing was sent");
    stage.press_once_enabled("Apply");
    until_status(&mut stage, number, "applied");
    assert_eq!(name_of(&stage, &assets[0]), "b.txt");
    assert_eq!(assistant.state_of(&stage, number)["state"], "applied");
    stage.until("the step names the assistant", |state| {
        state.history.entries.iter().any(|entry| entry.asked_by.as_ref().is_some_and(|by| by.proposal == number))
    });
    stage.press_once_enabled("Undo");
    until_status(&mut stage, number, "undone");
    assert_eq!(name_of(&stage, &assets[0]), "a.txt");
}

#[test]
fn a_proposal_whose_step_is_undone_and_redone_in_the_history_says_so() {
    let (mut stage, assistant, assets) = with_assets(&["a.txt"]);
    let number = assistant.propose(&stage, json!([rename(&assets[0], "b.txt")]));
    open(&mut stage, number);
    stage.press_once_enabled("Apply");
    until_status(&mut stage, number, "applied");
    stage.perform(ProposalsAction::Open(None));
    stage.until("the step is in the history", |state| {
        state.history.entries.iter().any(|entry| entry.asked_by.is_some() && entry.outcome == Outcome::Done)
    });
    stage.perform(HistoryAction::Undo);
    stage.press_once_enabled("Undo on 1 asset");
    until_status(&mut stage, number, "undone");
    assert_eq!(name_of(&stage, &assets[0]), "a.txt");
    assert_eq!(assistant.state_of(&stage, number)["state"], "undone");
    stage.perform(HistoryAction::Redo);
    until_status(&mut stage, number, "applied");
    assert_eq!(assistant.state_of(&stage, number)["state"], "applied");
}

#[test]
fn a_change_that_is_left_out_is_not_sent() {
    let (mut stage, assistant, assets) = with_assets(&["a.txt", "b.txt", "c.txt"]);
    let changes: Vec<Value> = assets.iter().map(|asset| rename(asset, "new.txt")).collect();
    let number = assistant.propose(&stage, json!(changes));
    open(&mut stage, number);
    stage.until_label("Apply 3 changes");
    stage.find(Role::CheckBox, "Apply change 2").click_accesskit();
    stage.until_label("Apply 2 of 3 changes");
    stage.press_once_enabled("Apply 2 of 3 changes");
    until_status(&mut stage, number, "applied");
    stage.until_said("2 done, 1 left out");
    let names: Vec<String> = assets.iter().map(|asset| name_of(&stage, asset)).collect();
    assert_eq!(names, ["new.txt", "b.txt", "new.txt"]);
    assert_eq!(assistant.state_of(&stage, number)["result"]["left_out"], 1);
}

#[test]
fn the_assistant_reads_the_reply_with_which_its_proposal_was_declined() {
    let (mut stage, assistant, assets) = with_assets(&["a.txt"]);
    let number = assistant.propose(&stage, json!([rename(&assets[0], "b.txt")]));
    open(&mut stage, number);
    stage.type_into("Reply to the assistant", "not now");
    assert!(stage.says("Undo restores the previous values"));
    stage.press("Decline");
    until_status(&mut stage, number, "declined");
    let told = assistant.state_of(&stage, number);
    assert_eq!(told["state"], "declined");
    assert!(told.to_string().contains("not now"), "{told}");
    assert_eq!(name_of(&stage, &assets[0]), "a.txt");
    assert!(!stage.draws(Role::Button, "Apply"), "what was declined is not applied");
    assert!(!stage.says("Undo restores"), "there is nothing to undo");
}

#[test]
fn what_changed_meanwhile_is_left_as_it_is_and_named() {
    let (mut stage, assistant, assets) = with_assets(&["a.txt"]);
    let number = assistant.propose(&stage, json!([rename(&assets[0], "b.txt")]));
    open(&mut stage, number);
    let mut tree = stage.runtime.block_on(support::assets::tree(&stage.client(), &assets[0]));
    tree["name"] = json!("mine.txt");
    stage.call(AssetUpdate { transferables: None, asset: Some(support::assets::record(tree)) }).expect("renamed");
    stage.press_once_enabled("Apply");
    until_status(&mut stage, number, "failed");
    stage.until_said("1 failed");
    assert!(!stage.says("Undo restores"), "there is nothing to undo");
    assert_eq!(name_of(&stage, &assets[0]), "mine.txt");
}

#[test]
fn what_was_decided_elsewhere_is_not_applied_and_shows_it() {
    let (mut stage, assistant, assets) = with_assets(&["a.txt"]);
    let number = assistant.propose(&stage, json!([rename(&assets[0], "b.txt")]));
    open(&mut stage, number);
    let shown = stage.state().proposals.shown().expect("read").clone();
    let store = ProposalStore::open(stage.folder.path(), "embedded").expect("opened");
    store.decline(number, "elsewhere").expect("declined");
    stage.perform(ProposalsAction::Apply(shown, Selection::All));
    until_status(&mut stage, number, "declined");
    stage.until_said("no longer waiting");
    assert_eq!(name_of(&stage, &assets[0]), "a.txt");
}

#[test]
fn an_approval_that_is_altered_replayed_of_another_client_or_from_before_a_restart_writes_nothing() {
    let (mut stage, assistant, assets) = with_assets(&["a.txt"]);
    let number = assistant.propose(&stage, json!([rename(&assets[0], "b.txt")]));
    open(&mut stage, number);
    let shown = stage.state().proposals.shown().expect("read").clone();
    let mut altered = (*shown).clone();
    altered.changes.clear();
    let mut of_another = (*shown).clone();
    of_another.client = "another".to_owned();
    for wrong in [altered, of_another] {
        stage.perform(ProposalsAction::Apply(Arc::new(wrong), Selection::All));
        stage.until("it is refused", |state| {
            let problem = state.proposals.open.as_ref().and_then(|open| open.problem.as_deref());
            !state.proposals.is_busy() && problem.is_some_and(|problem| problem.contains("not what was shown"))
        });
        assert_eq!(name_of(&stage, &assets[0]), "a.txt");
    }
    assistant.call(&stage, "withdraw", &json!({ "number": number })).expect("withdrawn");
    let mut stage = stage.reopened();
    stage.until("it is listed", |state| state.proposals.row(number).is_some());
    stage.perform(ProposalsAction::Apply(Arc::clone(&shown), Selection::All));
    stage.until_said("no longer waiting");
    assert_eq!(name_of(&stage, &assets[0]), "a.txt", "from before the restart");
    let assistant = Assistant::of(&stage, "Helper \u{202e}one");
    let next = assistant.propose(&stage, json!([rename(&assets[0], "b.txt")]));
    open(&mut stage, next);
    let shown = stage.state().proposals.shown().expect("read").clone();
    stage.perform(ProposalsAction::Apply(Arc::clone(&shown), Selection::All));
    until_status(&mut stage, next, "applied");
    stage.perform(ProposalsAction::Undo(next));
    until_status(&mut stage, next, "undone");
    stage.perform(ProposalsAction::Apply(shown, Selection::All));
    stage.until("the replay is refused", |state| {
        state.proposals.open.as_ref().is_some_and(|open| open.problem.is_some()) && !state.proposals.is_busy()
    });
    assert_eq!(name_of(&stage, &assets[0]), "a.txt", "replayed");
}

#[test]
fn a_proposal_whose_program_was_killed_before_anything_was_sent_is_read_again_when_the_window_opens() {
    let (stage, assistant, assets) = with_assets(&["a.txt"]);
    let number = assistant.propose(&stage, json!([rename(&assets[0], "b.txt")]));
    let store = ProposalStore::open(stage.folder.path(), "embedded").expect("opened");
    let shown = store.get(number).expect("read").expect("there");
    store.claim(&shown).expect("it waits");
    let mut stage = stage.reopened();
    until_status(&mut stage, number, "failed");
    assert_eq!(name_of(&stage, &assets[0]), "a.txt", "what was not begun is not sent");
}

#[test]
fn a_proposal_whose_end_was_not_recorded_is_read_again_when_the_window_opens() {
    let (mut stage, assistant, assets) = with_assets(&["a.txt"]);
    let number = assistant.propose(&stage, json!([rename(&assets[0], "b.txt")]));
    open(&mut stage, number);
    stage.press_once_enabled("Apply");
    until_status(&mut stage, number, "applied");
    let store = ProposalStore::open(stage.folder.path(), "embedded").expect("opened");
    store.record(number, Status::Sending).expect("recorded");
    let mut stage = stage.reopened();
    until_status(&mut stage, number, "applied");
    assert_eq!(name_of(&stage, &assets[0]), "b.txt");
}

#[test]
fn a_list_that_is_read_again_is_not_loading_for_ever_if_nothing_changed() {
    let (mut stage, assistant, assets) = with_assets(&["a.txt"]);
    let number = assistant.propose(&stage, json!([rename(&assets[0], "b.txt")]));
    stage.until("it is listed", |state| state.proposals.row(number).is_some());
    stage.perform(ProposalsAction::Reload);
    stage.until("it was read", |state| !state.proposals.list.rows.loading());
    stage.perform(AssistantsAction::Show(true));
    stage.until("they were read", |state| !state.assistants.list.rows.loading());
    stage.perform(AssistantsAction::Reload);
    stage.until("they were read again", |state| !state.assistants.list.rows.loading());
}

#[test]
fn a_proposal_that_cannot_be_read_says_why() {
    let mut stage = Stage::embedded();
    stage.perform(ProposalsAction::Open(Some(99)));
    stage.until_said("there is no proposal 99");
}

/// Adds so many proposals that were declined.
fn add_declined(store: &ProposalStore, count: usize) {
    for _ in 0..count {
        let changes = vec![ProposedChange::new(NewText { name: "x".to_owned(), ..NewText::default() })];
        let (client, reason, title) = ("a".to_owned(), String::new(), title(&changes));
        let added = store.add(Draft { client, reason, title, changes, undoes: None }).expect("kept");
        store.decline(added.number, "").expect("it waited");
    }
}

/// The shortest time of a frame of many, so that nothing else of the machine is in it.
fn frame_time(stage: &mut Stage) -> Duration {
    let frame = |_| {
        let begun = Instant::now();
        stage.harness.step();
        begun.elapsed()
    };
    (0..40).map(frame).min().unwrap_or_default()
}

#[test]
fn of_a_thousand_proposals_those_in_view_alone_are_drawn_and_cost_time() {
    let mut stage = Stage::embedded();
    let store = ProposalStore::open(stage.folder.path(), "embedded").expect("opened");
    add_declined(&store, 50);
    stage.perform(NavigationAction::Show(Panel::Proposals));
    stage.until("all are listed", |state| state.proposals.list.count() == 50);
    stage.until_said("asked by a, declined");
    let few = frame_time(&mut stage);
    add_declined(&store, 950);
    stage.until("all are listed", |state| state.proposals.list.count() == 1_000);
    stage.until_said("asked by a, declined");
    let drawn = stage.harness.query_all_by_role(Role::Row).count();
    assert!((1..100).contains(&drawn), "{drawn} rows");
    let many = frame_time(&mut stage);
    assert!(many < few * 2, "{many:?} for a frame of a thousand, {few:?} of fifty");
}

#[test]
fn a_read_only_connection_applies_nothing_and_says_so() {
    let (mut stage, assistant, assets) = with_assets(&["a.txt"]);
    let number = assistant.propose(&stage, json!([rename(&assets[0], "b.txt")]));
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::ReadOnly));
    open(&mut stage, number);
    stage.until_label("Apply");
    assert!(stage.find(Role::Button, "Apply").accesskit_node().is_disabled());
    let shown = stage.state().proposals.shown().expect("read").clone();
    stage.perform(ProposalsAction::Apply(shown, Selection::All));
    assert!(!stage.state().proposals.is_busy());
    stage.press("Decline");
    until_status(&mut stage, number, "declined");
    assert_eq!(name_of(&stage, &assets[0]), "a.txt");
}

#[test]
fn a_proposal_of_another_connection_is_named_and_not_listed() {
    let mut stage = Stage::embedded();
    let store = ProposalStore::open(stage.folder.path(), "http://127.0.0.1:1").expect("opened");
    let changes = vec![ProposedChange::new(NewText { name: "x".to_owned(), ..NewText::default() })];
    let (client, reason, title) = ("a".to_owned(), String::new(), title(&changes));
    store.add(Draft { client, reason, title, changes, undoes: None }).expect("kept");
    stage.perform(NavigationAction::Show(Panel::Proposals));
    stage.until_said("1 proposal is waiting at http://127.0.0.1:1");
    assert_eq!((stage.state().proposals.list.count(), stage.state().proposals.waiting), (0, 0));
}

#[test]
fn a_long_new_value_is_drawn_in_full_and_the_words_of_the_assistant_keep_their_lines() {
    let (mut stage, assistant, assets) = with_assets(&["a.txt"]);
    let name = format!("{} the end", "a long name ".repeat(20));
    let asked = json!({ "reason": "first\nsecond", "changes": [rename(&assets[0], &name), rename(&assets[0], "b")] });
    let proposed = assistant.call(&stage, "propose", &asked).expect("proposed");
    let number = proposed["proposal"]["number"].as_u64().expect("a number");
    open(&mut stage, number);
    stage.until_label("first\nsecond");
    stage.until_label("Name in full");
    stage.until_label(&format!("\"{name}\""));
    stage.until_said("Rename “a.txt” to “a long name a long name");
}

#[test]
fn a_list_with_room_for_its_names_is_not_drawn_in_full() {
    let (mut stage, assistant, assets) = with_assets(&["a.txt"]);
    for (name, is_long) in
        [("a name with fewer than 32 signs", false), ("a name that has more than 32 signs in it", true)]
    {
        let link = json!({ "do": "link", "asset": assets[0], "kind": "tag", "name": name });
        let asked = json!({ "reason": "x", "changes": [link] });
        let proposal = assistant.call(&stage, "propose", &asked).expect("proposed");
        open(&mut stage, proposal["proposal"]["number"].as_u64().expect("a number"));
        stage.until_said(&format!("Create and link tag “{name}”"));
        assert_eq!(stage.says("Tags in full"), is_long, "{name}");
    }
}

#[test]
fn the_change_of_a_text_is_shown_side_by_side() {
    let (mut stage, assistant, assets) = with_assets(&["a.txt"]);
    let change = json!({ "do": "edit", "asset": assets[0].as_str(), "text": "another text\n" });
    let number = assistant.propose(&stage, json!([change]));
    open(&mut stage, number);
    stage.until_label("Change of the text");
    stage.until_said("+1 −1 lines");
    stage.press_once_enabled("Apply");
    until_status(&mut stage, number, "applied");
}
