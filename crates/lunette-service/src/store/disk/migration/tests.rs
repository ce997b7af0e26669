//! A file of an earlier version becomes one of the latest after a backup, and keeps what it has.

use std::fs;

use super::*;
use crate::store::disk::folder::Folder;
use crate::store::disk::{file, opening};
use crate::store::{Cause, Store, backups};

/// The versions of a program to come.
const NEXT: Migrations<'static> = Migrations {
    first: MIGRATIONS.first,
    statements: &[
        MIGRATIONS.statements[0],
        MIGRATIONS.statements[1],
        MIGRATIONS.statements[2],
        MIGRATIONS.statements[3],
        MIGRATIONS.statements[4],
        "ALTER TABLE item ADD COLUMN colour TEXT; UPDATE item SET colour = name;",
    ],
};

/// A folder with a store that has a tag, and its open database.
fn earlier() -> (tempfile::TempDir, Folder, Connection) {
    let around = tempfile::tempdir().expect("a folder");
    let data = around.path().join("data");
    let store = Store::open(&data).expect("a store");
    crate::store::tests::assets::add_tag(&store, "red");
    drop(store);
    let folder = Folder::take(&data).expect("its owner");
    let connection = file::open_writer(&folder.database()).expect("a database");
    (around, folder, connection)
}

fn colour(connection: &Connection) -> Option<String> {
    connection.query_row("SELECT colour FROM item WHERE kind = 'tag'", [], |row| row.get(0)).ok()
}

#[test]
fn a_file_of_an_earlier_version_is_backed_up_and_migrated_without_loss() {
    let (_around, folder, mut connection) = earlier();
    opening::migrate(&folder, &mut connection, NEXT).expect("migrated");
    assert_eq!((version(&connection), colour(&connection)), (Ok(NEXT.latest()), Some("red".to_owned())));
    let [backup] = backups(folder.path()).try_into().expect("one backup");
    assert_eq!(backup.cause, Cause::Migration);
    let copy = Connection::open(&backup.path).expect("it opens");
    assert_eq!((version(&copy), colour(&copy)), (Ok(known()), None));
    check_schema(&mut Connection::open(&backup.path).expect("it opens"), &backup.path).expect("as it was");
}

#[test]
fn a_migration_that_fails_changes_nothing_and_leaves_no_backup() {
    let (_around, folder, mut connection) = earlier();
    let broken = [
        MIGRATIONS.statements[0],
        MIGRATIONS.statements[1],
        MIGRATIONS.statements[2],
        MIGRATIONS.statements[3],
        MIGRATIONS.statements[4],
        "ALTER TABLE item ADD COLUMN colour TEXT; UPDATE item SET id = 1, kind = 2;",
    ];
    let failed = opening::migrate(&folder, &mut connection, Migrations { statements: &broken, ..NEXT });
    assert!(failed.is_err());
    assert_eq!((version(&connection), colour(&connection)), (Ok(known()), None));
    assert_eq!(backups(folder.path()), []);
}

#[test]
fn a_migration_stops_if_its_backup_cannot_be_written() {
    let (around, folder, mut connection) = earlier();
    for in_the_way in [around.path().join("data-backups"), folder.path().join("backups")] {
        fs::write(in_the_way, "").expect("written");
    }
    let stopped = opening::migrate(&folder, &mut connection, NEXT);
    assert!(matches!(stopped, Err(StoreError::Unusable { .. })), "{stopped:?}");
    assert_eq!(version(&connection), Ok(known()));
}

#[test]
fn the_schema_of_the_latest_version_has_the_digest_that_files_are_compared_with() {
    assert_eq!(schema_of(MIGRATIONS).expect("a schema").digest(), LATEST);
}
