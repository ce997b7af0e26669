//! Schemas that differ, and files whose own SQL must not run.

use std::path::PathBuf;

use tempfile::TempDir;

use super::*;

const OWN: &str = "CREATE TABLE item (id TEXT NOT NULL, name TEXT) STRICT; CREATE INDEX item_by_name ON item (name);
    CREATE TRIGGER named AFTER INSERT ON item BEGIN UPDATE item SET name = 'x' WHERE name IS NULL; END;";

fn file(statements: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file.sqlite3");
    let connection = Connection::open(&path).expect("a database");
    connection.execute_batch(statements).expect("made");
    (folder, path)
}

fn own() -> Schema {
    let connection = Connection::open_in_memory().expect("a database");
    connection.execute_batch(OWN).expect("made");
    Schema::read(&connection).expect("a schema")
}

fn difference(statements: &str) -> Option<String> {
    let (_folder, path) = file(statements);
    let mut connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("opened");
    verify(&mut connection, Some(&own().digest()), || Ok(own())).expect("read")
}

#[test]
fn the_own_schema_is_accepted_with_other_white_space_and_comments_and_after_analyze() {
    assert_eq!(difference(OWN), None);
    let other = OWN.replace(' ', "\r\n  ").replace("id\r\n", "-- the id\n id /* of it */ ");
    assert_eq!(difference(&other), None);
    assert_eq!(difference(&format!("{OWN} INSERT INTO item VALUES ('a', 'b'); ANALYZE;")), None);
}

#[test]
fn each_difference_names_its_object() {
    let with = |more: &str| format!("{OWN}{more}");
    let cases = [
        (with("CREATE TRIGGER evil AFTER INSERT ON item BEGIN SELECT 1; END;"), "unknown trigger \"evil\""),
        (with("CREATE VIEW sight AS SELECT * FROM item;"), "unknown view \"sight\""),
        (with("CREATE TABLE more (a);"), "unknown table \"more\""),
        (with("CREATE INDEX slow ON item (hex(zeroblob(100000000)));"), "unknown index \"slow\""),
        (with("DROP TRIGGER named;"), "trigger \"named\" is missing"),
        (with("DROP TABLE item; CREATE VIEW item AS SELECT 1 AS id;"), "\"item\" is a view instead of a table"),
        (OWN.replace("name TEXT)", "name TEXT COLLATE NOCASE)"), "table \"item\" differs"),
        (OWN.replace("name TEXT)", "name TEXT, g TEXT AS (hex(zeroblob(9))))"), "table \"item\" differs"),
        (OWN.replace("ON item (name)", "ON item (name) WHERE hex(id)"), "index \"item_by_name\" differs"),
        (OWN.replace("'x'", "'y'"), "trigger \"named\" differs"),
        (OWN.replace("'x'", "'x  '"), "trigger \"named\" differs"),
    ];
    for (statements, expected) in cases {
        let found = difference(&statements).unwrap_or_else(|| panic!("accepted: {expected}"));
        assert!(found.contains(expected), "{found}, not {expected}");
    }
}

/// Changes rows of the schema table itself, as a program can that does not use SQLite.
fn forged(statements: &str) -> Option<String> {
    let (_folder, path) = file(OWN);
    let connection = Connection::open(&path).expect("opened");
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, true).expect("allowed");
    connection.execute_batch(statements).expect("changed");
    drop(connection);
    let mut connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("opened");
    verify(&mut connection, Some(&own().digest()), || Ok(own())).expect("read")
}

#[test]
fn a_view_in_place_of_the_schema_table_is_not_asked() {
    let endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS name FROM n";
    let view = format!("CREATE VIEW sqlite_schema AS {endless}").replace('\'', "''");
    let insert = format!("INSERT INTO sqlite_master VALUES ('view', 'sqlite_schema', 'sqlite_schema', 0, '{view}')");
    let found = forged(&insert).expect("refused");
    assert!(found.contains("sqlite_schema"), "{found}");
}

#[test]
fn an_object_that_is_no_sql_or_of_another_type_is_named() {
    let broken = "INSERT INTO sqlite_master VALUES ('table', 'broken', 'broken', 0, 'CREATE TABLE broken (')";
    let found = forged(broken).expect("refused");
    assert!(found.contains("malformed") && found.contains("broken"), "{found}");
}

#[test]
fn endless_and_large_schemas_are_refused_at_once() {
    let many: String = (0..3_000).map(|number| format!("CREATE TABLE t{number} (a);")).collect();
    let long = format!("CREATE TABLE long (a{})", (0..60_000).map(|_| " /* */").collect::<String>());
    for (statements, expected) in
        [(format!("BEGIN; {OWN} {many} COMMIT;"), "too many objects"), (format!("{OWN} {long}"), "too long")]
    {
        let found = difference(&statements).expect("refused");
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn no_name_of_a_file_is_shown_whole_or_raw() {
    let name = format!("a\n\u{202e}{}", "b".repeat(1_000));
    let found = difference(&format!("{OWN} CREATE TABLE \"{name}\" (a)")).expect("refused");
    assert!(found.len() < 200 && !found.contains(['\n', '\u{202e}']), "{found}");
}

#[test]
fn a_query_of_a_foreign_file_runs_no_view_and_ends() {
    let endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id FROM n";
    let (_folder, path) = file(&format!("CREATE VIEW item AS {endless};"));
    let ask = |query: &str| open_foreign(&path)?.query_row(query, [], |row| row.get::<_, i64>(0));
    assert!(ask("SELECT count(*) FROM item").is_err());
    let code = ask(&format!("SELECT count(*) FROM ({endless})")).expect_err("it has no end").sqlite_error_code();
    assert_eq!(code, Some(ErrorCode::OperationInterrupted));
}
