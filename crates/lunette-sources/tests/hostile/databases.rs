//! Databases with computed columns, views, virtual tables, statistics, and pages that occur many times.

use std::fs;

use lunette_sources::Source;
use rusqlite::Connection;

use crate::{Entries, Hostile};

/// Expressions that take hours or gigabytes in a single instruction.
const COSTLY: [&str; 6] = [
    "instr(hex(zeroblob(5000000)), hex(zeroblob(2000000)) || '1')",
    "replace(replace(hex(zeroblob(120000000)), '0', '00'), '0', 'x')",
    "hex(zeroblob(250000000))",
    "zeroblob(900000000)",
    "printf('%900000000d', 1)",
    "hex(zeroblob(5000000)) LIKE hex(zeroblob(2000000)) || '%1'",
];

const DASH: &str = "CREATE TABLE snippets (sid, title, body, syntax); CREATE TABLE tags (tid, tag);
    CREATE TABLE tagsIndex (tid, sid); INSERT INTO snippets VALUES (1, 'a', 'b', 'Java');
    INSERT INTO tags VALUES (1, 't'); INSERT INTO tagsIndex VALUES (1, 1);";
const MASSCODE: &str = "CREATE TABLE folders (id, name, parentId); CREATE TABLE tags (id, name);
    CREATE TABLE snippets (id, name, description, folderId, isDeleted, isFavorites, createdAt, updatedAt);
    CREATE TABLE snippet_contents (id, snippetId, label, value, language);
    CREATE TABLE snippet_tags (snippetId, tagId);
    INSERT INTO folders VALUES (1, 'f', 1); INSERT INTO tags VALUES (1, 't'); INSERT INTO snippet_tags VALUES (1, 1);
    INSERT INTO snippets VALUES (1, 'good', NULL, 1, 0, 0, 1, 1);
    INSERT INTO snippet_contents VALUES (1, 1, '', 'text', 'sql');";
const PIECES: &str =
    "CREATE TABLE assets (key, json, expireAt, destroyKey); CREATE TABLE formats (key, json, expireAt, destroyKey);
    INSERT INTO assets VALUES ('1', '{\"id\": \"1\", \"name\": \"a\", \"original\": {\"id\": \"2\"}}', 1, NULL);
    INSERT INTO formats VALUES ('2', '{\"id\": \"2\", \"fragment\": {\"string\": {\"raw\": \"b\"}}}', 1, NULL);";

/// The name of the file, the tables, and which tables with which columns are read.
type Shape = (&'static str, &'static str, &'static [(&'static str, &'static [&'static str])]);

fn shape(source: Source) -> Option<Shape> {
    match source.name() {
        "dash" => Some((
            "library.dash",
            DASH,
            &[("snippets", &["sid", "title", "body", "syntax"]), ("tags", &["tid", "tag"])],
        )),
        "masscode" => Some((
            "massCode.db",
            MASSCODE,
            &[
                ("snippet_contents", &["id", "snippetId", "label", "value", "language"]),
                ("folders", &["id", "name", "parentId"]),
            ],
        )),
        "pieces-cache" => Some(("cache.db", PIECES, &[("assets", &["key", "json", "expireAt", "destroyKey"])])),
        _ => None,
    }
}

/// A database that is changed.
pub fn samples(source: Source) -> Vec<Entries> {
    shape(source).map(|(path, tables, _)| vec![(path.to_owned(), database(tables))]).into_iter().collect()
}

/// The hostile databases of a source.
pub fn of(source: Source) -> Vec<Hostile> {
    let Some((path, tables, read)) = shape(source) else { return Vec::new() };
    let mut found = Vec::new();
    for (table, columns) in read {
        for column in *columns {
            for (number, costly) in COSTLY.iter().enumerate() {
                let others: Vec<&str> = columns.iter().filter(|name| *name != column).copied().collect();
                // Added after its row, for which it would be calculated.
                let more = format!(
                    "DROP TABLE {table}; CREATE TABLE {table} (x, {}); INSERT INTO {table} (x) VALUES (1);
                     ALTER TABLE {table} ADD COLUMN {column} AS ({costly});",
                    others.join(", ")
                );
                found.push(Hostile::file(path, &format!("{table}.{column} computed {number}"), move || {
                    database(&format!("{tables} {more}"))
                }));
            }
        }
        for (name, more) in replacements(table, columns) {
            found.push(Hostile::file(path, &format!("{table}: {name}"), move || database(&format!("{tables} {more}"))));
        }
        for levels in 1..=4 {
            let table = (*table).to_owned();
            found.push(Hostile::file(path, &format!("{levels} levels of the same pages"), move || {
                let bytes = database(tables);
                let root = root(&bytes, &table);
                repeated(bytes, root, levels)
            }));
        }
        let (table, columns) = ((*table).to_owned(), columns.join(", "));
        found.push(Hostile::file(path, "long values that occur many times", move || {
            let text = "CAST(zeroblob(500000) AS TEXT)";
            let values = columns.split(", ").map(|_| text).collect::<Vec<_>>().join(", ");
            let bytes = database(&format!("{tables} INSERT INTO {table} VALUES ({values})"));
            let root = root(&bytes, &table);
            repeated(bytes, root, 2)
        }));
    }
    for (name, more) in schemas() {
        found.push(Hostile::file(path, name, move || database(&format!("{tables} {more}"))));
    }
    found.push(Hostile::file(path, "a schema without end", move || repeated(database(tables), 1, 4)));
    found.push(Hostile::file(path, "statistics that are computed", move || with_statistics(tables)));
    found
}

/// What a table is replaced with, by its columns.
fn replacements(table: &str, columns: &[&str]) -> Vec<(&'static str, String)> {
    let list = columns.join(", ");
    let values = |value: &str| columns.iter().map(|_| value).collect::<Vec<_>>().join(", ");
    let drop = format!("DROP TABLE {table};");
    let doubled: String = (1..40).map(|n| format!("CREATE VIEW v{n} AS SELECT * FROM v{0}, v{0};", n - 1)).collect();
    let rows = "WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM n WHERE x < 120000)";
    vec![
        (
            "a view without end",
            format!(
                "{drop} CREATE VIEW {table} ({list}) AS WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM n) SELECT {} FROM n",
                values("x")
            ),
        ),
        (
            "views of views",
            format!(
                "{drop} CREATE VIEW v0 AS SELECT 1 AS a; {doubled} CREATE VIEW {table} ({list}) AS SELECT {} FROM v39",
                values("1")
            ),
        ),
        ("full text", format!("{drop} CREATE VIRTUAL TABLE {table} USING fts5({list})")),
        ("pages", format!("{drop} CREATE VIRTUAL TABLE {table} USING dbstat")),
        ("a range", format!("{drop} CREATE VIRTUAL TABLE {table} USING rtree(a, b, c)")),
        (
            "many rows of nothing",
            format!(
                "{drop} CREATE TABLE {table} ({list}); {rows} INSERT INTO {table} SELECT {} FROM n",
                values("NULL")
            ),
        ),
        (
            "many rows of one id",
            format!("{drop} CREATE TABLE {table} ({list}); {rows} INSERT INTO {table} SELECT {} FROM n", values("1")),
        ),
        (
            "many rows of texts",
            format!(
                "{drop} CREATE TABLE {table} ({list}); {rows} INSERT INTO {table} SELECT {} FROM n",
                values("'x' || x")
            ),
        ),
    ]
}

/// What is added to a schema.
fn schemas() -> Vec<(&'static str, String)> {
    let list = |count: usize, part: fn(usize) -> String| (0..count).map(part).collect::<Vec<_>>().join(", ");
    vec![
        ("many tables", (0..5_000).map(|n| format!("CREATE TABLE t{n} (a);")).collect()),
        ("many columns", format!("CREATE TABLE t ({})", list(2_000, |n| format!("c{n}")))),
        ("many indexes", format!("CREATE TABLE t ({})", list(400, |n| format!("c{n} UNIQUE")))),
        ("a long default", format!("CREATE TABLE t (a DEFAULT '{}')", "x".repeat(900_000))),
        ("a long check", format!("CREATE TABLE t (a CHECK (a IN ({})))", list(100_000, |_| "1".to_owned()))),
        ("deep", format!("CREATE TABLE t (a CHECK ({}1{}))", "(".repeat(80), ")".repeat(80))),
        ("a large cache", "PRAGMA default_cache_size = 2000000000".to_owned()),
        (
            "triggers",
            (0..500)
                .map(|n| format!("CREATE TRIGGER t{n} AFTER INSERT ON tags BEGIN SELECT hex(zeroblob(99999999)); END;"))
                .collect::<String>()
                .replace("ON tags", "ON x")
                .replacen("CREATE", "CREATE TABLE x (a); CREATE", 1),
        ),
        (
            "tables like those of Pieces",
            (0..180).map(|n| format!("CREATE TABLE p{n} (key, json, expireAt, destroyKey);")).collect(),
        ),
    ]
}

fn with_statistics(tables: &str) -> Vec<u8> {
    let costly = COSTLY[0];
    let schema = format!("CREATE TABLE sqlite_stat1(tbl, idx, stat AS ({costly}))");
    database(&format!(
        "{tables} CREATE TABLE o (a); CREATE INDEX i ON o (a); INSERT INTO o VALUES (1); ANALYZE; PRAGMA writable_schema = 1;
         UPDATE sqlite_schema SET sql = '{}' WHERE name = 'sqlite_stat1'",
        schema.replace('\'', "''")
    ))
}

fn database(statements: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("made.db");
    let writer = Connection::open(&path).expect("a database");
    writer.execute_batch("PRAGMA synchronous = OFF; BEGIN").expect("a transaction");
    writer.execute_batch(statements).expect("its tables");
    writer.execute_batch("COMMIT").expect("its end");
    drop(writer);
    fs::read(&path).expect("bytes")
}

/// The number of the first page of a table.
fn root(bytes: &[u8], table: &str) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("made.db");
    fs::write(&path, bytes).expect("written");
    let reader = Connection::open(&path).expect("a database");
    let query = "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    reader.query_row(query, [table], |row| row.get::<_, i64>(0)).expect("a table") as usize
}

/// Replaces a page of rows by pages of references, each of which names the next one hundreds of times. The last one names
/// the page of rows: <https://www.sqlite.org/fileformat2.html#b_tree_pages>.
fn repeated(mut bytes: Vec<u8>, root: usize, levels: usize) -> Vec<u8> {
    let size = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
    let start = (root - 1) * size;
    let head = if root == 1 { 100 } else { 0 };
    let mut rows = bytes[start..start + size].to_vec();
    // The page of rows has no header of the file.
    let count = usize::from(u16::from_be_bytes([rows[head + 3], rows[head + 4]]));
    rows.copy_within(head..head + 8 + 2 * count, 0);
    let mut child = bytes.len() / size + 1;
    bytes.extend(rows);
    for _ in 1..levels {
        bytes.extend(references(size, 0, child));
        child += 1;
    }
    let page = references(size, head, child);
    bytes[start + head..start + size].copy_from_slice(&page[head..]);
    let pages = (bytes.len() / size) as u32;
    bytes[28..32].copy_from_slice(&pages.to_be_bytes());
    bytes
}

/// A page that names another one as often as it can.
fn references(size: usize, head: usize, child: usize) -> Vec<u8> {
    let mut page = vec![0; size];
    let count = (size - head - 12) / 7;
    let child = (child as u32).to_be_bytes();
    page[head] = 5;
    page[head + 3..head + 5].copy_from_slice(&(count as u16).to_be_bytes());
    page[head + 5..head + 7].copy_from_slice(&((size - 5 * count) as u16).to_be_bytes());
    page[head + 8..head + 12].copy_from_slice(&child);
    for number in 0..count {
        let cell = size - 5 * (number + 1);
        page[cell..cell + 4].copy_from_slice(&child);
        page[cell + 4] = 1;
        let pointer = head + 12 + 2 * number;
        page[pointer..pointer + 2].copy_from_slice(&(cell as u16).to_be_bytes());
    }
    page
}
