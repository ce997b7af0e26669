//! Journals of earlier versions, intact and damaged.

use std::fs;

use super::*;
use crate::db::Database;
use crate::db::journal::StepStore;
use crate::journal::{Journal, Outcome};

/// Three steps: one done, one failed, one without an end; written by the version before the database.
const JOURNAL: &str = include_str!("../../../../../../tests/fixtures/legacy/journal.jsonl");

/// A data folder with a connection's folder, and this journal in it.
fn fixture(journal: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let data = tempfile::tempdir().expect("a folder");
    drop(Journal::open(data.path(), "embedded").expect("a journal"));
    let folder = fs::read_dir(data.path().join("journal")).expect("the folder").flatten().next().expect("one").path();
    for file in ["", "-wal", "-shm"] {
        fs::remove_file(data.path().join(format!("{}{file}", crate::db::FILE))).ok();
    }
    fs::write(folder.join(FILE), journal).expect("written");
    (data, folder)
}

fn titles(data: &Path) -> (Vec<String>, Option<String>) {
    let opened = Journal::open(data, "embedded").expect("it opens");
    (opened.entries.into_iter().map(|entry| entry.title).collect(), opened.message)
}

#[test]
fn a_legacy_journal_is_imported_once_with_all_its_steps_and_left_in_place() {
    let (data, folder) = fixture(JOURNAL.as_bytes());
    let opened = Journal::open(data.path(), "embedded").expect("it opens");
    assert_eq!(opened.message, None);
    let outcomes: Vec<_> = opened.entries.iter().map(|entry| (entry.title.as_str(), &entry.outcome)).collect();
    let [("Linked tag “rust”", Outcome::Done), ("Renamed", Outcome::Failed(_)), ("Sent", Outcome::Unknown(_))] =
        outcomes.as_slice()
    else {
        panic!("{outcomes:?}")
    };
    drop(opened);
    assert_eq!(titles(data.path()).0.len(), 3);
    assert_eq!(fs::read_to_string(folder.join(FILE)).expect("kept"), JOURNAL);
}

#[test]
fn two_windows_importing_at_once_import_the_journal_once() {
    let (data, _) = fixture(JOURNAL.as_bytes());
    std::thread::scope(|scope| {
        for opened in [(); 4].map(|()| scope.spawn(|| titles(data.path()))) {
            assert_eq!(opened.join().expect("opened").0.len(), 3);
        }
    });
    let steps = StepStore::of(Database::open(data.path()).expect("a database").database, "embedded");
    assert_eq!(steps.count(), JOURNAL.lines().count() as i64);
}

#[test]
fn legacy_files_with_older_lines_are_imported_first() {
    let (data, folder) = fixture(b"");
    let lines: Vec<&str> = JOURNAL.split_inclusive('\n').collect();
    fs::write(folder.join("journal-20260101T000000Z.jsonl"), lines[..2].concat()).expect("written");
    fs::write(folder.join(FILE), lines[2..].concat()).expect("written");
    assert_eq!(titles(data.path()).0, ["Linked tag “rust”", "Renamed", "Sent"]);
}

#[test]
fn a_flipped_or_missing_byte_loses_only_its_line() {
    for at in (0..JOURNAL.len()).step_by(61) {
        let mut bytes = JOURNAL.as_bytes().to_vec();
        bytes[at] ^= 0x15;
        let (mut whole, mut damaged) = (0, 0);
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (lines, is_damaged) = lines(line.strip_suffix(b"\n").unwrap_or(line));
            (whole, damaged) = (whole + lines.len(), damaged + usize::from(is_damaged));
        }
        assert!(whole >= JOURNAL.lines().count() - 1 && damaged <= 1, "byte {at}");
    }
    let (data, _) = fixture(&JOURNAL.as_bytes()[..JOURNAL.len() - 9]);
    let (titles, message) = titles(data.path());
    assert_eq!(titles.len(), 2);
    assert!(
        message.is_some_and(
            |message| message.starts_with("Skipped 1 unreadable line of the history; the file is unchanged")
        )
    );
}
