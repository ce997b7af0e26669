//! Drafts: what was typed and not applied is there after a restart, and never sent.

use std::fs;

use lunette::app::action::{DraftsAction, SessionAction};
use lunette::app::drafts::{Draft, DraftKey};
use lunette::app::session::Status;
use lunette_client::model::id::AssetId;
use serde_json::json;

use crate::desk::Ground;

fn draft(text: &str) -> Draft {
    let base = json!({ "name": "a", "size": 1.50 });
    Draft { base, typed: json!({ "name": text }), at: "2026-11-21T10:00:00Z".to_owned() }
}

#[test]
fn drafts_survive_a_restart_and_nothing_is_sent() {
    let ground = Ground::new();
    let key = DraftKey::Fields(AssetId::random());
    let mut desk = ground.open_up();
    let typed = "a text, letter by letter";
    for end in 1..=typed.len() {
        desk.perform(DraftsAction::Keep(key.clone(), Some(draft(&typed[..end]))));
    }
    desk.perform(DraftsAction::Keep(DraftKey::NewText, Some(draft("gone"))));
    desk.perform(DraftsAction::Keep(DraftKey::NewText, None));
    desk.until_idle();
    drop(desk);
    let desk = ground.open_up();
    assert_eq!(desk.state().drafts.typed.iter().collect::<Vec<_>>(), [(&key, &draft(typed))]);
    assert!(desk.state().session.log.iter().all(|line| line.info.method.as_str() == "GET"));
    assert!(desk.state().notifications.notices.is_empty(), "{:?}", desk.state().notifications.notices);
}

#[test]
fn the_last_keystroke_before_closing_is_saved() {
    let ground = Ground::new();
    let mut desk = ground.open_up();
    for text in ["a", "ab", "abc"] {
        desk.perform(DraftsAction::Keep(DraftKey::NewText, Some(draft(text))));
    }
    drop(desk);
    assert_eq!(ground.open_up().state().drafts.typed[&DraftKey::NewText], draft("abc"));
}

#[test]
fn input_typed_while_disconnected_is_kept_after_reconnecting() {
    let ground = Ground::new();
    let mut desk = ground.open();
    assert_eq!(desk.state().connection.status, Status::Connecting);
    desk.perform(DraftsAction::Keep(DraftKey::NewText, Some(draft("early"))));
    desk.perform(SessionAction::Reconnect);
    desk.until("it is up", |state| state.connection.status == Status::Up);
    desk.until_idle();
    assert_eq!(desk.state().drafts.typed[&DraftKey::NewText], draft("early"));
    drop(desk);
    assert_eq!(ground.open_up().state().drafts.typed[&DraftKey::NewText], draft("early"));
}

#[test]
fn a_damaged_legacy_draft_file_is_reported_and_left_in_place() {
    let ground = Ground::new();
    drop(ground.open_up());
    let folder = ground.kept();
    // A data folder that no window of this version has used.
    let ground = Ground::new();
    let folder = ground.journals().join(folder.file_name().expect("a name"));
    fs::create_dir_all(&folder).expect("made");
    let path = folder.join("drafts.json");
    fs::write(&path, "{\"drafts\": [").expect("written");
    let desk = ground.open_up();
    let said = &desk.state().notifications.notices.first().expect("said").text;
    assert!(said.starts_with("The drafts file was damaged; no drafts could be read"), "{said}");
    assert_eq!(fs::read_to_string(path).expect("kept"), "{\"drafts\": [");
}
