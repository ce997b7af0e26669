//! The database, intact, damaged, of a later version, and with a second window.

use std::fs;

use proptest::prelude::*;
use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::drafts::{Draft, DraftKey};
use lunette_client::model::id::AssetId;

fn change(key: &DraftKey, draft: &Draft) -> (String, Option<String>) {
    let text = |value: serde_json::Result<String>| value.expect("JSON");
    (text(serde_json::to_string(key)), Some(text(serde_json::to_string(draft))))
}

/// A data folder.
struct Fixture(TempDir);

impl Fixture {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn open(&self) -> Opened {
        Database::open(self.0.path()).expect("it opens")
    }

    fn path(&self) -> PathBuf {
        self.0.path().join(FILE)
    }

    /// This many drafts of one connection, some of which take several pages.
    fn filled(count: usize) -> Self {
        let fixture = Self::new();
        let database = fixture.open().database;
        for number in 0..count {
            let typed = json!("text ".repeat(if number % 5 == 4 { 2_000 } else { 20 }));
            let draft = Draft {
                base: Arc::new(json!(null)),
                typed: typed.into(),
                at: format!("2026-01-01T00:00:{number:02}Z"),
            };
            let key = DraftKey::Fields(AssetId::random());
            database.change_drafts("embedded", &[change(&key, &draft)], 100).expect("written");
        }
        fixture
    }

    fn drafts(&self) -> usize {
        self.open().database.drafts("embedded").expect("read").0.len()
    }
}

#[cfg(unix)]
#[test]
fn all_files_are_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let fixture = Fixture::new();
    let data = fixture.0.path().join("deep");
    let database = Database::open(&data).expect("it opens").database;
    database.change_settings(|_| json!({ "zoom": 1 })).expect("written");
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&data), 0o700);
    let files: Vec<_> = fs::read_dir(&data).expect("the folder").flatten().map(|entry| entry.path()).collect();
    assert!(files.len() >= 3, "{files:?}");
    assert!(files.iter().all(|file| mode(file) == 0o600), "{files:?}");
}

#[cfg(unix)]
#[test]
fn a_symlink_in_its_place_is_not_followed() {
    let fixture = Fixture::new();
    let theirs = fixture.0.path().join("theirs");
    std::os::unix::fs::symlink(&theirs, fixture.path()).expect("a link");
    let problem = Database::open(fixture.0.path()).expect_err("refused").to_string();
    assert!(problem.contains("a link or not a file"), "{problem}");
    assert!(!theirs.exists());
}

#[test]
fn a_database_of_a_later_version_or_one_before_the_first_release_is_refused_with_a_reason_and_left_unchanged() {
    for (version, advice) in [(9, "use the newer program"), (2, "`lunette export` of that build")] {
        let fixture = Fixture::filled(1);
        let connection = Connection::open(fixture.path()).expect("opened");
        let other = format!("CREATE TABLE other (text); PRAGMA user_version = {version}");
        connection.execute_batch(&other).expect("changed");
        drop(connection);
        let before = fs::read(fixture.path()).expect("read");
        let problem = Database::open(fixture.0.path()).expect_err("refused").to_string();
        assert!(problem.contains(&format!("has version {version}")) && problem.contains(advice), "{problem}");
        assert_eq!(fs::read(fixture.path()).expect("read"), before);
    }
}

#[test]
fn a_damaged_database_is_quarantined_and_its_readable_rows_recovered() {
    let fixture = Fixture::filled(30);
    let mut bytes = fs::read(fixture.path()).expect("read");
    // The root page of the drafts, and all pages before it.
    bytes[..4096].fill(0);
    fs::write(fixture.path(), &bytes).expect("damaged");
    let Opened { database, problem } = fixture.open();
    let problem = problem.expect("a problem");
    assert!(problem.contains("was damaged; 30 entries"), "{problem}");
    let (_, aside) = problem.split_once("are now in ").expect("where");
    assert_eq!(fs::read(Path::new(aside).join(FILE)).expect("kept"), bytes);
    assert_eq!(database.drafts("embedded").expect("read").0.len(), 30);
    drop(database);
    assert_eq!((fixture.drafts(), fixture.open().problem), (30, None));
}

#[test]
fn an_empty_database_file_is_damaged() {
    let fixture = Fixture::filled(3);
    fs::write(fixture.path(), "").expect("emptied");
    assert!(fixture.open().problem.is_some_and(|problem| problem.contains("was damaged; 0 entries")));
    assert_eq!(fixture.drafts(), 0);
}

#[test]
fn a_log_file_without_its_database_is_not_used_by_the_next_one() {
    let fixture = Fixture::filled(0);
    let held = fixture.open().database;
    let draft = Draft { base: Arc::new(json!(null)), typed: json!("a").into(), at: "2026-01-01T00:00:00Z".to_owned() };
    held.change_drafts("embedded", &[change(&DraftKey::NewText, &draft)], 100).expect("written");
    let other = Fixture::new();
    let log = "inspector.sqlite3-wal";
    fs::copy(fixture.0.path().join(log), other.0.path().join(log)).expect("copied");
    let Opened { database, problem } = other.open();
    assert!(problem.is_some_and(|problem| problem.contains("was damaged; 1 entries")));
    assert_eq!(database.drafts("embedded").expect("read").0.len(), 1);
    assert!(!other.0.path().join(log).exists() || database.path().exists());
}

#[test]
fn a_database_open_in_another_window_is_not_moved() {
    let fixture = Fixture::filled(30);
    let first = fixture.open().database;
    let second = fixture.open();
    assert_eq!(second.problem, None);
    drop(first);
    assert!(second.database.drafts("embedded").is_ok());
}

#[test]
fn an_interrupted_recovery_is_completed() {
    let fixture = Fixture::filled(10);
    let fresh = fixture.0.path().join("inspector.sqlite3.new");
    // Interrupted before the new one was finished, and before it got its name.
    fs::write(&fresh, "unfinished").expect("written");
    assert_eq!(fixture.drafts(), 10);
    assert!(!fresh.exists());
    fs::rename(fixture.path(), &fresh).expect("renamed");
    assert_eq!(fixture.drafts(), 10);
}

#[test]
fn a_database_of_the_first_version_is_migrated_with_all_its_rows() {
    let fixture = Fixture::filled(3);
    let connection = Connection::open(fixture.path()).expect("opened");
    let table = "CREATE TABLE imported (
      id INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL UNIQUE, seal BLOB NOT NULL
    ); DROP TABLE asset_use; DROP TABLE proposal; DROP TABLE assistant; DROP TABLE assistant_call;
      DROP TABLE version_asset; DROP TABLE version_past; DROP TABLE version_watch; DROP TABLE version_checkpoint;
      PRAGMA user_version = 3";
    connection.execute_batch(table).expect("changed");
    drop(connection);
    let opened = fixture.open();
    assert_eq!(opened.problem, None);
    assert_eq!(opened.database.drafts("embedded").expect("read").0.len(), 3);
    let connection = Connection::open(fixture.path()).expect("opened");
    assert_eq!(migration::version(&connection).expect("a version"), 8);
    assert!(connection.prepare("SELECT 1 FROM imported").is_err(), "the table is gone");
}

#[test]
fn a_changed_page_size_version_or_encoding_in_the_header_is_damage_and_loses_nothing() {
    let whole = fs::read(Fixture::filled(3).path()).expect("read");
    // SQLite takes an encoding that is a multiple of four for UTF-8 at first.
    let encodings = [0, 2, 3, 4, 12, 255].map(|byte| (59, byte));
    let page_sizes = [2, 4, 8, 64, 128].map(|byte| (16, byte));
    let versions = [0, 1, 2, 255].map(|byte| (63, byte));
    for (at, byte) in encodings.into_iter().chain(page_sizes).chain(versions) {
        let fixture = Fixture::new();
        let mut bytes = whole.clone();
        bytes[at] = byte;
        fs::write(fixture.path(), &bytes).expect("changed");
        assert_eq!(fixture.drafts(), 3, "byte {at} is {byte}");
        assert!(fixture.open().database.change_settings(|_| json!({ "zoom": 1 })).is_ok(), "byte {at} is {byte}");
    }
}

/// So does a program leave it that is killed right after it brought an older database up to date.
#[test]
fn a_version_that_is_newer_in_the_log_than_in_the_file_is_no_damage() {
    let whole = Fixture::filled(3);
    let connection = rusqlite::Connection::open(whole.path()).expect("opened");
    let version = migration::version(&connection).expect("a version");
    connection.pragma_update(None, "user_version", version).expect("written to the log");
    let fixture = Fixture::new();
    let log = |path: PathBuf| path.with_extension("sqlite3-wal");
    fs::copy(log(whole.path()), log(fixture.path())).expect("the log");
    let mut bytes = fs::read(whole.path()).expect("read");
    bytes[63] = 1;
    fs::write(fixture.path(), &bytes).expect("an older file");
    let opened = fixture.open();
    assert_eq!(opened.problem, None);
    assert_eq!(opened.database.drafts("embedded").expect("read").0.len(), 3);
}

#[test]
fn a_foreign_trigger_view_or_index_is_damage_that_never_runs_and_loses_nothing() {
    let endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) AS id FROM n";
    for change in [
        "CREATE TRIGGER evil AFTER INSERT ON setting BEGIN DELETE FROM draft; END".to_owned(),
        "CREATE INDEX slow ON draft (length(hex(zeroblob(10000000))))".to_owned(),
        format!("DROP TABLE draft; CREATE VIEW draft AS {endless}"),
        "ALTER TABLE draft ADD COLUMN more TEXT".to_owned(),
        "CREATE TABLE more (text)".to_owned(),
    ] {
        let fixture = Fixture::filled(3);
        Connection::open(fixture.path()).and_then(|db| db.execute_batch(&change)).expect("changed");
        let opened = fixture.open();
        assert!(opened.problem.is_some_and(|problem| problem.contains("was damaged")), "{change}");
        opened.database.change_settings(|_| json!({ "zoom": 1 })).expect("written");
        assert_eq!(opened.database.drafts("embedded").expect("read").0.len(), 3, "{change}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_flipped_byte_loses_at_most_one_row(at in any::<prop::sample::Index>(), header in any::<bool>(), byte in any::<u8>()) {
        let fixture = Fixture::filled(12);
        let mut bytes = fs::read(fixture.path()).expect("read");
        let at = at.index(if header { 100 } else { bytes.len() });
        bytes[at] = byte;
        fs::write(fixture.path(), &bytes).expect("changed");
        prop_assert!(fixture.drafts() >= 11, "byte {} of {}", at, bytes.len());
        // It can still be used.
        let settings = json!({ "zoom": 1 });
        prop_assert!(fixture.open().database.change_settings(|_| settings.clone()).is_ok());
    }
}
