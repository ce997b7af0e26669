//! Several windows with one journal: each sees the steps of the others, and no step is undone twice.

use super::tests::{Fixture, entry};
use super::*;

/// The events of other windows, as words.
fn seen(journal: &Journal) -> Vec<String> {
    let word = |event: JournalEvent| match event {
        JournalEvent::Started(entry) => format!("begun {}", entry.title),
        JournalEvent::Ended(end) => format!("ended {:?}", end.outcome),
    };
    journal.new_events().expect("it can be read").into_iter().map(word).collect()
}

fn undo(target: &Entry) -> Entry {
    Entry { answers: EntryRelation::Undoes(target.id), ..entry("undo") }
}

fn redo(target: &Entry) -> Entry {
    Entry { answers: EntryRelation::Redoes(target.id), ..entry("redo") }
}

#[test]
fn steps_of_other_windows_are_reported_at_start_and_end_and_our_own_are_not() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.open().journal, fixture.open().journal);
    let step = entry("a");
    two.begin(&step).expect("noted");
    assert_eq!(seen(&one), ["begun a"]);
    two.end(step.id, &Outcome::Done, None).expect("noted");
    assert_eq!(seen(&one), ["ended Done"]);
    assert_eq!((seen(&one), seen(&two)), (vec![], vec![]));
}

#[test]
fn changes_of_other_clients_are_seen_between_our_own_writes() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.open().journal, fixture.open().journal);
    for (journal, title) in [(&two, "a"), (&one, "own"), (&two, "b"), (&one, "own")] {
        journal.begin(&entry(title)).expect("noted");
    }
    assert_eq!(seen(&one), ["begun a", "begun b"]);
    assert_eq!(seen(&two), ["begun own", "begun own"]);
}

#[test]
fn a_step_pending_in_another_window_is_shown_as_such_until_that_window_closes() {
    let fixture = Fixture::new();
    let one = fixture.open().journal;
    one.begin(&entry("a")).expect("noted");
    let two = fixture.open();
    assert_eq!(two.entries[0].outcome, Outcome::Sending);
    assert_eq!(seen(&two.journal), [""; 0]);
    drop(one);
    assert_eq!(seen(&two.journal), [format!("ended {:?}", Outcome::Unknown(NO_ANSWER.to_owned()))]);
    assert_eq!(fixture.open().entries[0].outcome, Outcome::Unknown(NO_ANSWER.to_owned()));
}

#[test]
fn a_step_is_undone_once_even_if_several_windows_try() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.open().journal, fixture.open().journal);
    let step = entry("a");
    one.begin(&step).expect("noted");
    one.end(step.id, &Outcome::Done, None).expect("noted");
    let (first, second) = (undo(&step), undo(&step));
    one.begin(&first).expect("noted");
    let refused = two.begin(&second).expect_err("the first has it under way");
    assert_eq!(refused.to_string(), "another window is undoing or redoing this step");
    one.end(first.id, &Outcome::Done, None).expect("noted");
    let refused = two.begin(&second).expect_err("it is undone");
    assert_eq!(refused.to_string(), "this step was already undone");
    let again = redo(&step);
    two.begin(&again).expect("noted");
    two.end(again.id, &Outcome::Done, None).expect("noted");
    assert!(one.begin(&redo(&step)).is_err(), "it was redone");
    one.begin(&undo(&step)).expect("it can be undone again");
}

#[test]
fn an_undo_that_failed_in_one_window_can_be_retried_in_another() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.open().journal, fixture.open().journal);
    let (step, first) = (entry("a"), undo(&entry("a")));
    let first = Entry { answers: EntryRelation::Undoes(step.id), ..first };
    one.begin(&step).expect("noted");
    one.begin(&first).expect("noted");
    one.end(first.id, &Outcome::Failed("no".to_owned()), None).expect("noted");
    two.begin(&undo(&step)).expect("it can be tried");
}

#[test]
fn a_damaged_line_hides_no_other() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.open().journal, fixture.open().journal);
    fixture.steps().add("of another program", 0, |_| None).expect("written").expect("added");
    assert_eq!(seen(&one), [""; 0]);
    two.begin(&entry("a")).expect("noted");
    assert_eq!(seen(&one), ["begun a"]);
}

#[test]
fn files_of_closed_windows_are_removed() {
    let fixture = Fixture::new();
    let one = fixture.open().journal;
    let locks = fixture.data().join("locks");
    let windows = || {
        let names = std::fs::read_dir(&locks).expect("a folder").flatten();
        names.filter(|entry| entry.file_name().to_string_lossy().starts_with("window-")).count()
    };
    std::fs::write(locks.join("window-of-a-crash.lock"), "").expect("written");
    let two = fixture.open().journal;
    assert_eq!(windows(), 2);
    drop((one, two));
    assert_eq!(windows(), 0);
}
