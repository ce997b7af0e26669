//! Databases that take more than they have: views, computed columns, rows and pages without end.

use super::*;
use crate::{Cancelled, Source, read};

/// The files of a database with these tables.
fn files(statements: &str) -> (TempDir, Files) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("library.dash");
    Connection::open(&path).expect("a database").execute_batch(statements).expect("its tables");
    let files = Files::open(&path, Limits { entries: 1_000, ..Limits::default() }, Cancelled(None));
    (folder, files.expect("opened"))
}

#[test]
fn a_table_with_more_rows_than_the_limit_is_not_read() {
    let (_folder, files) = files(
        "CREATE TABLE snippets (sid, title, body, syntax); CREATE TABLE tags (tid, tag);
         CREATE TABLE tagsIndex (tid, sid);
         WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM n WHERE x < 50000)
         INSERT INTO tags SELECT 1, x FROM n;",
    );
    let library = read(&files, Source::DASH);
    assert!(library.warnings[0].message.contains("the limit on an import"), "{:?}", library.warnings);
}

#[test]
fn statements_other_than_reading_tables_are_refused() {
    let (_folder, files) = files("CREATE TABLE a (b)");
    let database = Database::open(&files, "library.dash").expect("opened");
    for query in
        ["SELECT hex(zeroblob(9))", "SELECT stat FROM sqlite_stat1", "CREATE TEMP TABLE c (d)", "PRAGMA table_list"]
    {
        assert!(database.connection.prepare(query).is_err(), "{query}");
    }
    let over = "-".repeat(4_096);
    assert!(database.connection.prepare(&format!("SELECT b FROM a {over}")).is_err());
}

#[test]
fn a_value_that_is_too_long_is_left_out_with_a_warning() {
    let (_folder, files) = files(
        "CREATE TABLE snippets (sid, title, body, syntax); CREATE TABLE tags (tid, tag);
         CREATE TABLE tagsIndex (tid, sid);
         INSERT INTO snippets VALUES (1, 'a', 'text', 'SQL'), (2, 'b', 'text', CAST(zeroblob(300000) AS TEXT)),
         (3, 'c', x'ff', 'SQL');",
    );
    let limits = Limits { file_bytes: 1_000_000, ..Limits::default() };
    let files = Files::open(files.on_disk("library.dash").expect("a file"), limits, Cancelled(None)).expect("opened");
    let library = read(&files, Source::DASH);
    let names: Vec<_> = library.candidates.iter().map(|candidate| candidate.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    let warnings: Vec<_> = library.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(warnings, ["empty", "sqlite.values", "sqlite.values"]);
    let messages: Vec<_> = library.warnings[1..].iter().map(|warning| warning.message.as_str()).collect();
    let expected = [
        r#""syntax" of the row with sid "2" has a value that is longer than the limit, which was left out"#,
        r#""body" of the row with sid "3" has a byte that is not text, which was left out"#,
    ];
    assert_eq!(messages, expected);
}

#[test]
fn views_are_not_read_as_tables() {
    let (_folder, files) = files(
        "CREATE TABLE tags (tid, tag); CREATE TABLE tagsIndex (tid, sid);
         CREATE VIEW snippets (sid, title, body, syntax) AS SELECT 1, 'a', zeroblob(1000000000), 'b';
         PRAGMA writable_schema = 1; UPDATE sqlite_schema SET type = 'table' WHERE name = 'snippets';",
    );
    let library = read(&files, Source::DASH);
    assert!(library.warnings[0].message.contains("malformed"), "{:?}", library.warnings);
}

#[test]
fn a_view_a_virtual_table_and_a_computed_column_are_named() {
    for (snippets, expected) in [
        ("CREATE VIEW snippets (sid, title, body, syntax) AS SELECT 1, 'a', 'b', 'c'", "tables of Dash"),
        ("CREATE VIRTUAL TABLE snippets USING fts5(sid, title, body, syntax)", "tables of Dash"),
        ("CREATE TABLE snippets (sid, title, body AS (hex(title)), syntax)", "computed column, \"body\""),
        ("CREATE TABLE snippets (sid, title, body, syntax AS (hex(title)) STORED)", "computed column, \"syntax\""),
        ("CREATE TABLE snippets (sid, title, syntax)", "no table \"snippets\" with"),
    ] {
        let (_folder, files) =
            files(&format!("CREATE TABLE tags (tid, tag); CREATE TABLE tagsIndex (tid, sid); {snippets}"));
        let library = read(&files, Source::DASH);
        assert!(library.warnings[0].message.contains(expected), "{snippets}: {:?}", library.warnings);
    }
}

#[test]
fn rows_are_in_the_order_of_their_ids() {
    let (_folder, files) = files("CREATE TABLE a (b); INSERT INTO a VALUES ('b'), (10), ('a'), (NULL), (9)");
    let database = Database::open(&files, "library.dash").expect("opened");
    let rows = database.sorted("a", &["b"], &[0]).expect("rows");
    let order: Vec<_> = rows.into_iter().flatten().map(|value| value.unwrap_or_else(|| "null".to_owned())).collect();
    assert_eq!(order, ["null", "9", "10", "a", "b"]);
}

proptest::proptest! {
    #[test]
    fn any_name_is_one_identifier(name in "([\"'`\\[\\];. -]|[^\0]){1,12}") {
        let connection = Connection::open_in_memory().expect("a database");
        connection.execute_batch(&format!("CREATE TABLE {} (a)", identifier(&name))).expect("created");
        let read: String =
            connection.query_row("SELECT name FROM sqlite_schema", [], |row| row.get(0)).expect("a name");
        proptest::prop_assert_eq!(read, name);
    }
}
