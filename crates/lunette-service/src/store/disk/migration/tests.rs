//! A file of any version becomes one of the latest, and keeps what it has.

use super::*;

fn run_list(connection: &mut Connection, migrations: &[&str]) -> Result<(), StoreError> {
    Ok(migration::run(connection, migrations)?)
}

/// What a store of version 2 holds: two assets and a summary with their texts, history and a conversation.
const OF_VERSION_2: &str = "
    INSERT INTO origin (row, document) VALUES (1, '{\"id\":\"a\"}');
    INSERT INTO asset (row, id, name, mechanism, created, updated, document) VALUES
      (3, 'kept', 'k', 'MANUAL', 10, 20, '{\"of_tomorrow\":[1]}'), (5, 'pseudo', 'p', 'MANUAL', 11, 21, '{\"pseudo\":true}');
    INSERT INTO format (row, id, asset, place, role, generic, specific, origin, binary, size, sha256, created, updated)
      VALUES (7, 'f', 3, 0, 'BOTH', 'TEXT', 'txt', 1, 0, 1, x'00', 10, 20);
    INSERT INTO content (format, text) VALUES (7, 'x');
    INSERT INTO item (row, kind, id, name, folded_name, created, updated) VALUES (2, 'summary', 's', 'S', 's', 1, 2);
    INSERT INTO annotation (row, id, asset, item, kind, text, folded_text, created, updated) VALUES
      (4, 'of asset', 3, NULL, 'DESCRIPTION', 'Text', 'text', 12, 13), (9, 'of item', NULL, 2, 'SUMMARY', 'We', 'we', 14, 15);
    INSERT INTO activity (row, id, asset, created, event, mechanism, rank, origin, metadata) VALUES
      (6, 'first', 3, 16, 'asset_created', 'MANUAL', 0, 1, NULL),
      (8, 'second', 3, 17, 'asset_tag_added', 'AUTOMATIC', 2, 1, '{\"tag\":{\"id\":\"t\"}}');
    INSERT INTO conversation (row, id, name, created, updated) VALUES (1, 'c', 'talk', 18, 19);
    INSERT INTO conversation_asset (conversation, asset) VALUES (1, 3);
    INSERT INTO conversation_message (row, id, conversation, created, role, text) VALUES (1, 'm', 1, 18, 'USER', 'hello');
";

fn texts(db: &Connection, query: &str) -> Vec<String> {
    let mut statement = db.prepare(query).expect("a query");
    let rows = statement.query_map([], |row| row.get(0)).expect("rows");
    rows.collect::<Result<_, _>>().expect("texts")
}

#[test]
fn a_file_of_version_2_keeps_every_row_id_index_and_reference() {
    let mut db = Connection::open_in_memory().expect("a database");
    db.pragma_update(None, "foreign_keys", true).expect("foreign keys");
    run_list(&mut db, &MIGRATIONS[..2]).expect("version 2");
    let fresh_indices = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name";
    let before = texts(&db, fresh_indices);
    db.execute_batch(OF_VERSION_2).expect("what was there");
    run(&mut db).expect("the latest");
    assert_eq!(version(&db), Ok(known()));
    let annotations = "SELECT json_array(row, id, asset, item, kind, text, folded_text, created, updated, document)
         FROM annotation ORDER BY row";
    assert_eq!(
        texts(&db, annotations),
        [
            r#"[4,"of asset",3,null,"DESCRIPTION","Text","text",12,13,"{}"]"#,
            r#"[9,"of item",null,2,"SUMMARY","We","we",14,15,"{}"]"#
        ]
    );
    let activities =
        "SELECT json_array(row, id, asset, created, updated, event, told, mechanism, rank, origin, metadata)
         FROM activity ORDER BY row";
    assert_eq!(
        texts(&db, activities),
        [
            r#"[6,"first",3,16,16,"asset_created",null,"MANUAL",0,1,null]"#,
            r#"[8,"second",3,17,17,"asset_tag_added",null,"AUTOMATIC",2,1,"{\"tag\":{\"id\":\"t\"}}"]"#
        ]
    );
    let conversations = "SELECT json_array(c.row, c.id, name, c.created, c.updated, c.document, asset, m.id, m.text)
         FROM conversation c JOIN conversation_asset ON conversation = c.row JOIN conversation_message m USING (conversation)";
    assert_eq!(texts(&db, conversations), [r#"[1,"c","talk",18,19,"{}",3,"m","hello"]"#]);
    assert_eq!(texts(&db, "SELECT id FROM asset WHERE pseudo = 1"), ["pseudo"]);
    let after = texts(&db, fresh_indices);
    assert!(before.iter().all(|index| after.contains(index)), "{before:?} {after:?}");
    assert_eq!(texts(&db, "SELECT \"table\" FROM pragma_foreign_key_check"), [""; 0]);
    // The rebuilt tables still go with what they are about, and still refuse a second row of one id.
    db.execute_batch("DELETE FROM asset WHERE id = 'kept'").expect("deleted");
    assert_eq!(texts(&db, "SELECT id FROM annotation UNION ALL SELECT id FROM activity"), ["of item"]);
    assert!(db.execute("INSERT INTO annotation SELECT * FROM annotation", []).is_err());
    let twice =
        "INSERT INTO annotation (id, kind, text, folded_text, created, updated) VALUES ('of item', '', '', '', 1, 1)";
    assert!(db.execute(twice, []).is_err());
}

/// Databases of older versions, as the programs of those versions made and filled them. Frozen.
pub(in crate::store) const OLDER: [&str; 9] = [
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/0001.sql")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/0002.sql")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/0003.sql")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/0004.sql")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/0005.sql")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/0006.sql")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/0007.sql")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/0008.sql")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/0009.sql")),
];

/// Its tables, and the rows of those that hold what was given, by the columns of that time.
fn kept(db: &Connection, columns: &[(String, Vec<String>)]) -> Vec<String> {
    let mut lines = Vec::new();
    for (table, columns) in columns {
        let columns: Vec<_> = columns.iter().map(|column| format!("quote(\"{column}\")")).collect();
        let rows =
            format!("SELECT concat_ws('|', '{table}', {}) AS line FROM \"{table}\" ORDER BY line", columns.join(", "));
        lines.extend(texts(db, &rows));
    }
    lines
}

fn columns(db: &Connection) -> Vec<(String, Vec<String>)> {
    let ours = "SELECT name FROM sqlite_schema
        WHERE type = 'table' AND sql LIKE '%STRICT%' AND name NOT LIKE 'search_%' ORDER BY name";
    let of = |table: &String| texts(db, &format!("SELECT name FROM pragma_table_info('{table}')"));
    texts(db, ours).into_iter().map(|table| (table.clone(), of(&table))).collect()
}

#[test]
fn every_older_version_is_backed_up_and_migrated_without_loss() {
    assert_eq!(OLDER.len() as i64, known() - 1, "a version was added: freeze the one before it in tests/schemas");
    for (index, statements) in OLDER.iter().enumerate() {
        let around = tempfile::tempdir().expect("a folder");
        let (data, file) = (around.path().join("data"), around.path().join("data/lunette.sqlite3"));
        std::fs::create_dir(&data).expect("made");
        let db = Connection::open(&file).expect("a database");
        db.execute_batch(statements).expect("an older version");
        assert_eq!(version(&db), Ok(index as i64 + 1));
        let columns = columns(&db);
        let before = kept(&db, &columns);
        assert!(before.len() >= 20 && columns.len() >= 12, "{} rows, {} tables", before.len(), columns.len());
        drop(db);

        let store = crate::store::Store::open(&data).expect("it is brought to the latest");
        let after = store.read(|db| Ok((version(db)?, kept(db, &columns)))).expect("all of it");
        assert_eq!(after, (known(), before.clone()), "version {}", index + 1);
        let found = store.format("script", crate::store::records::asset::Transfer::Full).expect("a format");
        assert_eq!(found.format.content, Some(crate::store::records::format::Content::Text("検索できる文".to_owned())));

        let [backup] = crate::store::backups(&data).try_into().expect("one backup");
        assert_eq!(backup.cause, crate::store::Cause::Migration);
        let copy = Connection::open(&backup.path).expect("it opens");
        assert_eq!((version(&copy), kept(&copy, &columns)), (Ok(index as i64 + 1), before));
    }
}

#[test]
fn the_schema_of_the_latest_version_has_the_digest_that_files_are_compared_with() {
    assert_eq!(schema_of(MIGRATIONS.len()).expect("a schema").digest(), LATEST);
}
