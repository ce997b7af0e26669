//! Drafts: what was typed and not applied is there after a restart, and never sent.

use std::fs;
use std::sync::Arc;

use lunette_client::model::id::AssetId;
use lunette_inspector::State;
use lunette_inspector::action::{DraftsAction, SessionAction};
use lunette_inspector::drafts::{Draft, DraftKey};
use lunette_inspector::session::Status;
use serde_json::json;

use crate::inspector::Environment;

fn draft(text: &str) -> Draft {
    let base = Arc::new(json!({ "name": "a", "size": 1.50 }));
    Draft { base, typed: json!({ "name": text }).into(), at: "2026-11-21T10:00:00Z".to_owned() }
}

#[test]
fn drafts_survive_a_restart_and_nothing_is_sent() {
    let environment = Environment::new();
    let key = DraftKey::Fields(AssetId::random());
    let mut inspector = environment.open_up();
    let typed = "a text, letter by letter";
    for end in 1..=typed.len() {
        inspector.perform(DraftsAction::Save(key.clone(), Some(draft(&typed[..end]))));
    }
    inspector.perform(DraftsAction::Save(DraftKey::NewText, Some(draft("gone"))));
    inspector.perform(DraftsAction::Save(DraftKey::NewText, None));
    inspector.until_idle();
    drop(inspector);
    let inspector = environment.open_up();
    assert_eq!(inspector.state().drafts.typed.iter().collect::<Vec<_>>(), [(&key, &draft(typed))]);
    assert!(inspector.state().session.log.iter().all(|line| line.info.method.as_str() == "GET"));
    assert!(inspector.state().notifications.notices.is_empty(), "{:?}", inspector.state().notifications.notices);
}

#[test]
fn the_last_keystroke_before_closing_is_saved() {
    let environment = Environment::new();
    let mut inspector = environment.open_up();
    for text in ["a", "ab", "abc"] {
        inspector.perform(DraftsAction::Save(DraftKey::NewText, Some(draft(text))));
    }
    drop(inspector);
    assert_eq!(environment.open_up().state().drafts.typed[&DraftKey::NewText], draft("abc"));
}

#[test]
fn input_typed_while_disconnected_is_kept_after_reconnecting() {
    let environment = Environment::new();
    let mut inspector = environment.open();
    assert_eq!(inspector.state().connection.status, Status::Connecting);
    inspector.perform(DraftsAction::Save(DraftKey::NewText, Some(draft("early"))));
    inspector.perform(SessionAction::Reconnect);
    inspector.until("it is up", |state| state.connection.status == Status::Up);
    inspector.until_idle();
    assert_eq!(inspector.state().drafts.typed[&DraftKey::NewText], draft("early"));
    drop(inspector);
    assert_eq!(environment.open_up().state().drafts.typed[&DraftKey::NewText], draft("early"));
}

#[test]
fn the_files_of_builds_before_the_database_are_ignored_and_left_in_place() {
    let environment = Environment::new();
    drop(environment.open_up());
    let folder = environment.kept();
    // A data folder that no window of this version has used.
    let environment = Environment::new();
    let folder = environment.journals().join(folder.file_name().expect("a name"));
    fs::create_dir_all(folder.join("runs")).expect("made");
    let draft = json!({ "drafts": [{ "key": "new_text", "draft": draft("old") }] });
    let files = ["drafts.json", "journal.jsonl", "runs/run.jsonl"].map(|name| folder.join(name));
    files.iter().for_each(|path| fs::write(path, draft.to_string()).expect("written"));
    let inspector = environment.open_up();
    let State { drafts, history, notifications, .. } = inspector.state();
    assert!(drafts.typed.is_empty() && history.entries.is_empty() && notifications.notices.is_empty());
    files.iter().for_each(|path| assert_eq!(fs::read_to_string(path).expect("kept"), draft.to_string()));
}
