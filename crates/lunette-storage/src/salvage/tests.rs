//! Tests of finding rows in databases with changed bytes.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rusqlite::{Connection, params};

use super::*;

const TABLES: &[(&str, usize)] = &[("note", 3), ("other", 3)];

struct Fixture(tempfile::TempDir);

impl Fixture {
    fn path(&self) -> PathBuf {
        self.0.path().join("db")
    }

    /// Creates a database with this many notes, of which every seventh takes several pages.
    fn filled(count: i64) -> (Self, Connection) {
        let fixture = Self(tempfile::tempdir().expect("a folder"));
        let db = Connection::open(fixture.path()).expect("a database");
        db.execute_batch(
            "CREATE TABLE note (id INTEGER PRIMARY KEY, number INTEGER, text TEXT, seal BLOB);
             CREATE TABLE other (id INTEGER PRIMARY KEY, number INTEGER, text TEXT, seal BLOB);",
        )
        .expect("tables");
        for number in 0..count {
            let text = format!("text {number} ").repeat(if number % 7 == 0 { 2_000 } else { 3 });
            insert(&db, "note", number, &text);
        }
        insert(&db, "other", -1, "é");
        (fixture, db)
    }

    fn found(&self) -> BTreeSet<i64> {
        let found = rows(&self.path(), TABLES).expect("read");
        found.get("note").into_iter().flatten().map(|(id, _)| *id).collect()
    }
}

fn insert(db: &Connection, table: &str, number: i64, text: &str) {
    let seal = seal(table, [ValueRef::Null, ValueRef::Integer(number), ValueRef::Text(text.as_bytes())]);
    let statement = format!("INSERT INTO {table} (number, text, seal) VALUES (?1, ?2, ?3)");
    db.execute(&statement, params![number, text, seal]).expect("inserted");
}

#[test]
fn all_rows_of_an_intact_file_are_found_with_their_values() {
    let (fixture, db) = Fixture::filled(300);
    drop(db);
    assert_eq!(fixture.found(), (1..=300).collect());
    let found = rows(&fixture.path(), TABLES).expect("read");
    assert_eq!(found["other"], [(1, vec![Value::Null, Value::Integer(-1), Value::Text("é".to_owned())])]);
}

#[test]
fn a_flipped_byte_loses_at_most_one_row() {
    let (fixture, db) = Fixture::filled(15);
    drop(db);
    let whole = fs::read(fixture.path()).expect("read");
    for at in (0..whole.len()).step_by(101) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        fs::write(fixture.path(), bytes).expect("written");
        let found = fixture.found().len();
        assert!(found >= 14, "byte {at}: {found} rows");
    }
}

#[test]
fn rows_that_are_only_in_the_wal_are_recovered() {
    let (fixture, db) = Fixture::filled(0);
    db.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).expect("a log");
    insert(&db, "note", 7, "short");
    insert(&db, "note", 8, &"long ".repeat(3_000));
    assert_eq!(fixture.found(), BTreeSet::from([1, 2]));
}

#[test]
fn a_file_that_is_not_a_database_has_no_rows() {
    let fixture = Fixture(tempfile::tempdir().expect("a folder"));
    for bytes in [Vec::new(), vec![0xff; 10_000], b"SQLite format 3\0".repeat(1_000)] {
        fs::write(fixture.path(), bytes).expect("written");
        assert_eq!(fixture.found(), BTreeSet::new());
    }
}
