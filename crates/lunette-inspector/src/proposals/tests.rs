//! Proposals on disk: who may decide about which, and how often.

use lunette_client::model::id::AssetId;
use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::change::{Edit, Field};

fn change(to: &str) -> ProposedChange {
    let edit = Edit { field: Field::Name, from: Some(json!("a")), to: json!(to) };
    let change = Change::Edit { asset: AssetId::random(), edits: vec![edit] };
    ProposedChange {
        title: change.title("“a”"),
        name: "a".to_owned(),
        action: Action::Change(Box::new(change)),
        fields: Vec::new(),
        calls: vec!["POST /asset/update".to_owned()],
        undo: Undo::By("Undo restores the previous values".to_owned()),
    }
}

fn draft(client: &str) -> Draft {
    let changes = vec![change("b")];
    Draft { client: client.to_owned(), reason: "why".to_owned(), title: title(&changes), changes, undoes: None }
}

fn store() -> (TempDir, ProposalStore) {
    let folder = TempDir::new().expect("a folder");
    let store = ProposalStore::open(folder.path(), "embedded").expect("opened");
    (folder, store)
}

#[test]
fn a_proposal_waits_until_it_is_decided_once() {
    let (_folder, store) = store();
    let one = store.add(draft("a")).expect("kept");
    let two = store.add(draft("a")).expect("kept");
    assert_eq!((one.number, two.number), (1, 2));
    assert_eq!(store.claim(&one).expect("claimed").status, Status::Sending);
    let decided = NotDecided::Decided { number: 1, status: "sending" };
    assert_eq!(store.claim(&one), Err(decided.clone()), "an approval that is replayed");
    assert_eq!(store.decline(1, "no"), Err(decided));
    assert_eq!(store.decline(2, " no ").expect("declined").status, Status::Declined("no".to_owned()));
    let declined = NotDecided::Decided { number: 2, status: "declined" };
    assert_eq!(store.claim(&two), Err(declined), "an approval of what was declined");
    assert_eq!(store.decline(3, ""), Err(NotDecided::Unknown(3)));
}

#[test]
fn what_was_altered_since_it_was_shown_is_not_claimed() {
    let (_folder, store) = store();
    let shown = store.add(draft("a")).expect("kept");
    let altered = Proposal { changes: vec![change("c")], ..shown.clone() };
    assert_eq!(store.claim(&altered), Err(NotDecided::Altered(1)));
    let of_another = Proposal { client: "b".to_owned(), ..shown.clone() };
    assert_eq!(store.claim(&of_another), Err(NotDecided::Altered(1)));
    assert!(store.claim(&shown).is_ok(), "still waiting");
}

#[test]
fn a_client_withdraws_its_own_proposals_alone() {
    let (_folder, store) = store();
    store.add(draft("a")).expect("kept");
    assert_eq!(store.withdraw(1, "b"), Err(NotDecided::NotOwn(1)));
    assert_eq!(store.withdraw(1, "a").expect("withdrawn").status, Status::Withdrawn);
    assert!(store.withdraw(1, "a").is_err());
}

#[test]
fn proposals_stay_after_a_restart_and_belong_to_their_connection() {
    let (folder, store) = store();
    let shown = store.add(draft("a")).expect("kept");
    drop(store);
    let again = ProposalStore::open(folder.path(), "embedded").expect("opened");
    assert_eq!(again.list().expect("read"), std::slice::from_ref(&shown));
    let other = ProposalStore::open(folder.path(), "http://127.0.0.1:1").expect("opened");
    assert_eq!(other.claim(&shown), Err(NotDecided::Unknown(1)), "of another connection");
}

#[test]
fn no_more_than_so_many_wait() {
    let (_folder, store) = store();
    for _ in 0..MOST_WAITING {
        store.add(draft("a")).expect("kept");
    }
    assert_eq!(store.add(draft("b")), Err(StoreError::Full));
    store.decline(1, "").expect("declined");
    assert_eq!(store.add(draft("b")).expect("room").number, MOST_WAITING as u64 + 1);
}

#[test]
fn a_proposal_that_waits_is_not_dropped_however_many_others_were_decided() {
    let (_folder, store) = store();
    let first = store.add(draft("a")).expect("kept");
    for _ in 0..1_010 {
        let added = store.add(draft("b")).expect("kept");
        store.decline(added.number, "").expect("it waited");
    }
    let listed = store.list().expect("read");
    assert_eq!((listed.len(), &listed[0]), (1_001, &first));
}

#[test]
fn the_title_of_several_changes_names_the_first() {
    let mut other = change("c");
    other.title = "Change something else".to_owned();
    assert_eq!(title(&[change("b")]), "Rename “a” to “b”");
    assert_eq!(title(&[change("b"), other.clone(), other]), "Rename “a” to “b” and 2 more changes");
}

#[test]
fn a_client_is_known_by_one_line_without_hidden_characters() {
    assert_eq!(client_name(" Some\u{202e}\nclient "), "Some<U+202E><U+000A>client");
    assert_eq!(client_name(""), "an assistant without a name");
    assert_eq!(client_name(&"x".repeat(500)).chars().count(), LONGEST_NAME + 1);
}

#[test]
fn what_became_of_a_proposal_names_no_outcome_that_no_change_had() {
    let applied = Applied { done: 1_200, failed: 1, ..Applied::default() };
    assert_eq!(applied.summary(), "1,200 done, 1 failed");
    assert_eq!(Applied::default().summary(), "there was nothing to do");
}
