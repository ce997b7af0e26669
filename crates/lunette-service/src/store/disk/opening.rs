//! Opens the database of a folder at the start of a store.
//!
//! What must hold: nothing is written before the file was checked, and no migration begins before there is a backup.

use lunette_storage::migration::Migrations;
use rusqlite::Connection;

use super::ballast::Ballast;
use super::file::{self, Depth, LogLimits, WholeCheck};
use super::folder::Folder;
use super::{backup, migration, quarantine};
use crate::store::interrupt::InterruptToken;
use crate::store::{StoreError, checksum};

/// Opens the folder's database for writing: checks it, creates it if there never was one, backs it up and migrates it
/// if it is old.
pub(in crate::store) fn open_checked(folder: &Folder) -> Result<(Connection, WholeCheck), StoreError> {
    let path = folder.database();
    let whole_check = quarantine::check(folder, Depth::AtStart)?;
    file::mark_unchecked(&path, whole_check)?;
    if !path.try_exists().map_err(|error| StoreError::unusable("find the database", &path, error))? {
        file::make(folder)?;
    }
    let mut connection = file::open_writer(&path).map_err(|error| StoreError::at(&path, error))?;
    file::prepare_writer(&connection, LogLimits::within(&Ballast::of(folder.path()))).map_err(|error| match error {
        // SQLite parses the schema only now.
        StoreError::Broken(problem) | StoreError::Disk(problem) if problem.contains("malformed") => {
            StoreError::corrupt(&path, format!("it is damaged ({problem})"))
        }
        StoreError::Broken(problem) | StoreError::Disk(problem) => {
            StoreError::unusable("open the database for writing", &path, problem)
        }
        other => other,
    })?;
    if migration::version(&connection)? < migration::known() {
        migrate(folder, &mut connection, migration::MIGRATIONS)?;
    }
    folder.mark();
    Ok((connection, whole_check))
}

/// Migrates a database to the latest of these versions, after a backup. The backup is deleted if the migration fails, or
/// each start would leave one.
pub(in crate::store) fn migrate(
    folder: &Folder,
    connection: &mut Connection,
    migrations: Migrations<'_>,
) -> Result<(), StoreError> {
    let before = migration::version(connection)?;
    let copy = backup::take(connection, folder.path(), backup::Cause::Migration, &InterruptToken::default())?;
    checksum::register(connection)?;
    migrations.run(connection).map_err(StoreError::from).map_err(|error| {
        if migration::version(connection) == Ok(before) {
            backup::discard(&copy);
        }
        match error {
            StoreError::Broken(problem) => {
                StoreError::corrupt(&folder.database(), format!("its tables do not match its version ({problem})"))
            }
            other => other,
        }
    })
}
