//! The journal, intact, and after a crash, a full disk or with a second window.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

use super::folder::Folder;
use super::replay::Retention;
use super::*;
use crate::change::{Edit, Field, Item, LinkKind};
use crate::db::journal::StepStore;
use crate::db::{self, Database};
use lunette_client::model::diff::{FieldChange, Path, Step};
use lunette_client::model::id::AssetId;

/// A journal in a temporary data folder.
pub(super) struct Fixture {
    below: TempDir,
}

impl Fixture {
    pub fn new() -> Self {
        Self { below: tempfile::tempdir().expect("a folder") }
    }

    pub fn open(&self) -> Opened {
        Journal::open(self.below.path(), "embedded").expect("the journal opens")
    }

    /// Opens the journal with another limit of entries in memory.
    pub fn open_with(&self, retention: Retention) -> Opened {
        Journal::open_in(self.folder(), self.database(), "embedded", retention).expect("the journal opens")
    }

    pub fn data(&self) -> &std::path::Path {
        self.below.path()
    }

    fn folder(&self) -> Arc<Folder> {
        Arc::new(Folder::open(&self.below.path().join("journal"), "embedded").expect("a folder"))
    }

    fn database(&self) -> Arc<Database> {
        Database::open(self.below.path()).expect("the database").database
    }

    pub fn steps(&self) -> StepStore {
        StepStore::of(self.database(), "embedded")
    }

    fn file(&self) -> PathBuf {
        self.below.path().join(db::FILE)
    }
}

pub(super) fn entry(title: &str) -> Entry {
    let asset = AssetId::random();
    let item = Item::new(LinkKind::Tag, "1", title, None);
    Entry {
        id: EntryId::random(),
        at: Timestamp::now(),
        title: title.to_owned(),
        kind: EntryKind::Change(Change::Link { asset, item }),
        requests: vec![Sent {
            operation: "asset_associate_tag".to_owned(),
            method: "POST".to_owned(),
            target: "/?a=1".to_owned(),
            body: None,
            shortened: false,
        }],
        fields: Vec::new(),
        before: None,
        outcome: Outcome::Sending,
        answers: EntryRelation::None,
        undone: false,
        partly: None,
        ended: None,
        was_unknown: None,
        group: None,
        asked_by: None,
    }
}

fn begin_all(journal: &Journal, entries: &[Entry]) {
    entries.iter().for_each(|entry| journal.begin(entry).expect("noted"));
}

pub(super) fn titles(opened: &Opened) -> Vec<&str> {
    opened.entries.iter().map(|entry| entry.title.as_str()).collect()
}

#[test]
fn a_step_without_a_result_is_unknown() {
    let fixture = Fixture::new();
    fixture.open().journal.begin(&entry("a")).expect("noted");
    let opened = fixture.open();
    assert_eq!(opened.entries[0].outcome, Outcome::Unknown("the program ended before the response arrived".to_owned()));
    assert_eq!(opened.message, None);
}

#[test]
fn the_last_result_counts_updates_the_change_and_says_why_it_was_unknown() {
    let (fixture, mut step) = (Fixture::new(), entry("a"));
    let journal = fixture.open().journal;
    journal.begin(&step).expect("noted");
    journal.end(step.id, &Outcome::Unknown("timed out".to_owned()), None).expect("noted");
    let done = Change::Delete { asset: AssetId::random(), name: "b".to_owned(), made: None };
    journal.end(step.id, &Outcome::Done, Some(&done)).expect("noted");
    (step.outcome, step.kind) = (Outcome::Done, EntryKind::Change(done));
    step.was_unknown = Some("timed out".to_owned());
    let entries = fixture.open().entries;
    step.ended = entries[0].ended.filter(|ended| *ended >= step.at);
    assert!(step.ended.is_some());
    assert_eq!(entries, [step]);
}

#[test]
fn an_undone_step_stays_undone_until_it_is_redone() {
    let (fixture, first) = (Fixture::new(), entry("a"));
    let journal = fixture.open().journal;
    let undone = |fixture: &Fixture| fixture.open().entries[0].undone;
    let answer = |answers, outcome| {
        let step = Entry { answers, ..entry("b") };
        journal.begin(&step).expect("noted");
        journal.end(step.id, &outcome, None).expect("noted");
    };
    begin_all(&journal, std::slice::from_ref(&first));
    journal.end(first.id, &Outcome::Done, None).expect("noted");
    answer(EntryRelation::Undoes(first.id), Outcome::Failed("refused".to_owned()));
    assert!(!undone(&fixture));
    answer(EntryRelation::Undoes(first.id), Outcome::Done);
    assert!(undone(&fixture));
    answer(EntryRelation::Redoes(first.id), Outcome::Done);
    assert!(!undone(&fixture));
}

#[test]
fn unreadable_lines_are_counted_and_kept() {
    let fixture = Fixture::new();
    begin_all(&fixture.open().journal, &[entry("a"), entry("b")]);
    fixture.steps().add("of another program", 0, |_| None).expect("written").expect("added");
    fixture.steps().change("\"title\":\"b\"", "\"title\":\"cut");
    let opened = fixture.open();
    let message = opened.message.clone().expect("a message");
    assert!(message.starts_with("Skipped 2 unreadable lines of the history"), "{message}");
    assert!(message.ends_with(&fixture.file().display().to_string()), "{message}");
    assert_eq!(titles(&opened), ["a"]);
    opened.journal.begin(&entry("c")).expect("noted");
    assert_eq!((fixture.steps().count(), titles(&fixture.open())), (4, vec!["a", "c"]));
}

#[test]
fn a_manually_edited_line_is_skipped() {
    let fixture = Fixture::new();
    begin_all(&fixture.open().journal, &[entry("a"), entry("b")]);
    fixture.steps().change("\"title\":\"a\"", "\"title\":\"c\"");
    assert_eq!(titles(&fixture.open()), ["b"]);
}

#[test]
fn two_windows_on_one_journal_lose_no_line() {
    let fixture = Fixture::new();
    let journals = [fixture.open().journal, fixture.open().journal];
    std::thread::scope(|scope| {
        for journal in &journals {
            scope.spawn(move || {
                for number in 0..50 {
                    let step = entry(&number.to_string());
                    journal.begin(&step).expect("noted");
                    journal.end(step.id, &Outcome::Done, None).expect("noted");
                }
            });
        }
    });
    let opened = fixture.open();
    assert_eq!((opened.entries.len(), &opened.message), (100, &None));
    assert!(opened.entries.iter().all(|entry| entry.outcome == Outcome::Done));
}

#[test]
fn only_the_newest_steps_of_a_large_journal_are_loaded() {
    let fixture = Fixture::new();
    let journal = fixture.open().journal;
    let steps: Vec<_> = (0..10).map(|number| entry(&number.to_string())).collect();
    for step in &steps {
        journal.begin(step).expect("noted");
        journal.end(step.id, &Outcome::Done, None).expect("noted");
    }
    let few = Retention { entries: 3, bytes: u64::MAX };
    let opened = fixture.open_with(few);
    assert_eq!((titles(&opened), &opened.message), (vec!["7", "8", "9"], &None));
    assert!(opened.entries.iter().all(|entry| entry.outcome == Outcome::Done));
    journal.begin(&entry("10")).expect("noted");
    assert_eq!(titles(&fixture.open_with(few)), ["8", "9", "10"]);
    assert_eq!((fixture.open().entries.len(), fixture.steps().count()), (11, 21));
}

#[test]
fn the_number_of_loaded_steps_is_limited_and_includes_the_newest() {
    let fixture = Fixture::new();
    begin_all(&fixture.open().journal, &[entry("a"), entry("b")]);
    assert_eq!(titles(&fixture.open_with(Retention { entries: 9, bytes: 1 })), ["b"]);
}

#[test]
fn a_failed_journal_write_says_what_to_do() {
    let fixture = Fixture::new();
    let journal = fixture.open().journal;
    fixture.steps().refuse_writes();
    let refused = journal.begin(&entry("a")).expect_err("it is refused").to_string();
    assert!(refused.contains("cannot write the history: writes are refused; fix this and reconnect"), "{refused}");
    assert!(refused.ends_with(db::FILE), "{refused}");
    let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
    let sentence = JournalError::of("cannot write the history", &full, std::path::Path::new("/a")).to_string();
    assert!(sentence.contains("free some space"), "{sentence}");
}

#[test]
fn an_unopened_journal_refuses_every_step() {
    let why = JournalError("no room".to_owned());
    assert_eq!(Journal::closed(why.clone()).begin(&entry("a")), Err(BeginError::Unnoted(why)));
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}|[\\n\\r\"\\\\]{0,6}|\\{\"sum\":\"[0-9a-f]{16}\",\"line\":".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("sum|line|[a-z]{1,4}", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// The value of a field: a text or a boolean, never null.
fn seen() -> impl Strategy<Value = Value> {
    json_value().prop_filter("it is there", |value| !value.is_null())
}

prop_compose! {
    fn any_entry()(
        title in "\\PC{0,20}",
        (before, from, to) in (prop::option::of(json_value()), seen(), json_value()),
        kind in 0..3usize,
        outcome in 0..3usize,
        seconds in 0..4_000_000_000_i64,
    ) -> Entry {
        let edit = Edit { field: Field::Name, from: Some(from.clone()), to: to.clone() };
        Entry {
            kind: match kind {
                0 => EntryKind::Change(Change::Edit { asset: AssetId::random(), edits: vec![edit] }),
                1 => EntryKind::Batch { run: RunId::random(), count: 3 },
                _ => EntryKind::Call { operation: title.clone() },
            },
            at: Timestamp::from_second(seconds).expect("a time"),
            fields: vec![FieldChange { path: Path(vec![Step::Key(title.clone()), Step::Place(1)]), before: Some(from), after: Some(to) }],
            before,
            outcome: [Outcome::Done, Outcome::Failed(title.clone()), Outcome::Unknown(title.clone())][outcome].clone(),
            ..entry(&title)
        }
    }
}

fn write(fixture: &Fixture, entries: &[Entry]) {
    let journal = fixture.open().journal;
    for entry in entries {
        journal.begin(entry).expect("noted");
        journal.end(entry.id, &entry.outcome, None).expect("noted");
    }
}

/// A step without when its end was recorded.
fn without_end(entry: &Entry) -> Entry {
    Entry { ended: None, ..entry.clone() }
}

/// The titles of the lost steps.
fn lost(entries: &[Entry], opened: &Opened) -> usize {
    entries.iter().filter(|entry| opened.entries.iter().all(|found| found.id != entry.id)).count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_steps_are_read_back(entries in prop::collection::vec(any_entry(), 0..5)) {
        let fixture = Fixture::new();
        write(&fixture, &entries);
        let opened = fixture.open();
        prop_assert!(opened.entries.iter().all(|entry| entry.ended.is_some()));
        prop_assert_eq!(opened.entries.iter().map(without_end).collect::<Vec<_>>(), entries);
        prop_assert_eq!(opened.message, None);
    }

    #[test]
    fn a_truncated_file_loses_only_its_last_lines(entries in prop::collection::vec(any_entry(), 1..4), at in any::<prop::sample::Index>()) {
        let fixture = Fixture::new();
        // Held open, so that the writes stay in the log, as after a power cut.
        let (held, log) = (fixture.database(), fixture.below.path().join("inspector.sqlite3-wal"));
        held.checkpoint();
        write(&fixture, &entries);
        let crashed = Fixture::new();
        for file in [fixture.file(), log] {
            fs::copy(&file, crashed.below.path().join(file.file_name().expect("a name"))).expect("copied");
        }
        let log = crashed.below.path().join("inspector.sqlite3-wal");
        let all = fs::read(&log).expect("the log");
        let cut = at.index(all.len());
        fs::write(&log, &all[..cut]).expect("cut");
        let opened = crashed.open();
        // The file has the beginning of the written lines, up to the outcome of the last step.
        prop_assert!(opened.entries.len() <= entries.len());
        let ended = opened.entries.len().saturating_sub(1);
        prop_assert!(opened.entries.iter().zip(&entries).all(|(read, written)| read.id == written.id));
        prop_assert!(opened.entries.iter().zip(&entries).take(ended).all(|(read, written)| without_end(read) == *written));
        let next = entry("next");
        opened.journal.begin(&next).expect("noted");
        let again = crashed.open();
        prop_assert_eq!(again.entries.len(), opened.entries.len() + 1);
        prop_assert_eq!(again.entries.last().map(|entry| entry.id), Some(next.id));
    }

    #[test]
    fn a_flipped_byte_loses_only_its_line(
        entries in prop::collection::vec(any_entry(), 2..4),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let fixture = Fixture::new();
        write(&fixture, &entries);
        let mut all = fs::read(fixture.file()).expect("the database");
        let at = at.index(all.len());
        all[at] = byte;
        fs::write(fixture.file(), &all).expect("changed");
        let opened = fixture.open();
        prop_assert!(lost(&entries, &opened) <= 1);
        let changed = |entry: &&Entry| entries.iter().any(|written| written.id == entry.id && written.outcome != entry.outcome);
        prop_assert!(lost(&entries, &opened) + opened.entries.iter().filter(changed).count() <= 1);
    }
}
