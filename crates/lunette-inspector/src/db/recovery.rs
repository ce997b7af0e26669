//! Recovery of a damaged database: it is quarantined, and its readable rows are copied to a new one.
//!
//! What must hold: nothing is deleted; a database gets its name only once it is complete, so that an empty file counts
//! as damaged; the new database is complete before the old one is moved, and the next start completes an interrupted
//! recovery; a database of a later version is not damaged.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lunette_storage::database::{CHECKED_BYTES, Header, integrity_problem};
use lunette_storage::migration::{self, Migrations};
use lunette_storage::quarantine::Quarantine;
use lunette_storage::salvage::{self, Row};
use lunette_storage::schema::{self, Schema};
use lunette_storage::{atomic, owner_only};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::db::rows::TABLES;
use crate::db::{APPLICATION, DatabaseError, FILE, MIGRATIONS, open, require_known};

/// The database and its files.
const QUARANTINE: Quarantine = Quarantine {
    pieces: &[FILE, "inspector.sqlite3-wal", "inspector.sqlite3-shm", "inspector.sqlite3-journal"],
    reasons: &[REASON],
};

/// The digest of the schema of the latest version.
const LATEST: &str = "ff312b0471672506e37018c7bc76c150cc71f6d8413e8a19853cda4cf1406950";

const REASON: &str = "inspector-damaged";

/// A database after its check.
#[derive(Default)]
pub(super) struct Checked {
    /// A message about its recovery, if it was damaged.
    pub problem: Option<String>,
    /// The connection that read all of it, if it did; opening another one takes as long as the check of a small one.
    pub connection: Option<Connection>,
}

impl Checked {
    fn recovered(problem: String) -> Self {
        Self { problem: Some(problem), connection: None }
    }
}

/// What the check of an existing file found.
enum Condition {
    Damaged,
    Usable(Option<Connection>),
}

/// Checks a database that no process has open: creates it if it does not exist, and recovers it if it is damaged.
pub(super) fn check(folder: &Path) -> Result<Checked, DatabaseError> {
    let (path, fresh) = (folder.join(FILE), fresh(folder));
    if fresh.exists() {
        match path.exists() {
            // It was not finished, and the old database is still in place.
            true => remove(&fresh)?,
            false => atomic::rename(&fresh, &path)?,
        }
    }
    match fs::symlink_metadata(&path) {
        Ok(found) if !found.is_file() => Err(DatabaseError::new("it is a link or not a file").at(&path)),
        Ok(found) => match condition(&path, found.len())? {
            Condition::Damaged => replace(folder).map(Checked::recovered),
            Condition::Usable(connection) => Ok(Checked { problem: None, connection }),
        },
        // SQLite would use a log without its database for the new one.
        Err(error) if error.kind() == io::ErrorKind::NotFound && QUARANTINE.exists_in(folder) => {
            replace(folder).map(Checked::recovered)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            copy_rows(&fresh, BTreeMap::new())?;
            atomic::rename(&fresh, &path)?;
            Ok(Checked::default())
        }
        Err(error) => Err(DatabaseError::from(error).at(&path)),
    }
}

fn fresh(folder: &Path) -> PathBuf {
    folder.join("inspector.sqlite3.new")
}

fn remove(fresh: &Path) -> Result<(), DatabaseError> {
    fs::remove_file(fresh.with_extension("new-journal")).ok();
    Ok(fs::remove_file(fresh)?)
}

/// Whether SQLite can use the file. Fails if it is a file of another version.
fn condition(path: &Path, bytes: u64) -> Result<Condition, DatabaseError> {
    match Header::read(path) {
        None => return Ok(Condition::Damaged),
        Some(header) if header.application != APPLICATION => return Ok(Condition::Damaged),
        Some(header) if i64::from(header.version) != MIGRATIONS.latest() => {
            if has_own_schema(path) {
                return Ok(Condition::Damaged);
            }
            // A log may have a later version than the file, but none has an earlier one.
            if !(0..MIGRATIONS.latest()).contains(&header.version.into()) {
                return Err(DatabaseError::newer(header.version.into()).at(path));
            }
        }
        Some(_) => {}
    }
    let mut connection = open(path)?;
    if let Ok(version) = migration::version(&connection) {
        require_known(version).map_err(|error| error.at(path))?;
    }
    let broken = |error: &rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => true,
        // There is no error code for a schema that is not valid SQL.
        Some(ErrorCode::Unknown) => true,
        Some(_) | None => false,
    };
    let sound = match is_own(&mut connection) {
        Ok(true) => match path.with_extension("sqlite3-wal").exists() || bytes <= CHECKED_BYTES {
            true => schema::limit_steps(&mut connection, path).and_then(|()| integrity_problem(&connection)),
            false => return Ok(Condition::Usable(None)),
        },
        Ok(false) => return Ok(Condition::Damaged),
        Err(error) => Err(error),
    };
    match sound {
        Ok(None) => {
            connection.progress_handler(0, None::<fn() -> bool>)?;
            Ok(Condition::Usable(Some(connection)))
        }
        Ok(Some(_)) => Ok(Condition::Damaged),
        Err(error) if broken(&error) => Ok(Condition::Damaged),
        Err(error) => Err(DatabaseError::from(error).at(path)),
    }
}

/// Whether a file has exactly the tables, indices, triggers and views of its version. SQLite is asked for the version, as
/// a newer one may still be in the log. What a file defines runs with every later statement, so that this comes first.
fn is_own(connection: &mut Connection) -> rusqlite::Result<bool> {
    let version = migration::version(connection)?;
    let Some(migrations) = MIGRATIONS.up_to(version) else { return Ok(false) };
    let digest = (version == MIGRATIONS.latest()).then_some(LATEST);
    Ok(schema::verify(connection, digest, || schema_of(migrations))?.is_none())
}

/// Whether a file with another version number has exactly the tables of this version: then its version number is damaged,
/// since every version changes the schema.
fn has_own_schema(path: &Path) -> bool {
    let own = || {
        let mut connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let differs = migration::version(&connection)? != MIGRATIONS.latest();
        let found = schema::verify(&mut connection, Some(LATEST), || schema_of(MIGRATIONS))?;
        Ok::<_, rusqlite::Error>(differs && found.is_none())
    };
    own().unwrap_or(false)
}

fn schema_of(migrations: Migrations<'_>) -> rusqlite::Result<Schema> {
    let mut connection = Connection::open_in_memory()?;
    migrations.run(&mut connection)?;
    Schema::read(&connection)
}

fn replace(folder: &Path) -> Result<String, DatabaseError> {
    let (path, fresh) = (folder.join(FILE), fresh(folder));
    let tables = TABLES.map(|table| (table.name, table.columns.len() + 1));
    let found = salvage::rows(&path, &tables)?;
    let count = copy_rows(&fresh, found)?;
    let stamp = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
    let aside = QUARANTINE.move_aside(folder, REASON, &stamp)?.unwrap_or_default();
    atomic::rename(&fresh, &path)?;
    Ok(format!(
        "The database of history, drafts and settings was damaged; {count} entries of it could be read. The damaged \
         files are now in {}",
        aside.display()
    ))
}

/// Creates a database with these rows. Returns their number.
fn copy_rows(fresh: &Path, found: BTreeMap<&'static str, Vec<Row>>) -> Result<usize, DatabaseError> {
    drop(owner_only::replace(fresh)?);
    let mut connection = Connection::open(fresh)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    MIGRATIONS.run(&mut connection)?;
    // Set now and not when it is opened: a crash during that would leave a journal to be rolled back.
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    let transaction = connection.transaction()?;
    let mut count = 0;
    for table in TABLES {
        let mut rows: Vec<_> = found.get(table.name).into_iter().flatten().collect();
        // Of several versions of a row the latest has the highest number, or comes last.
        rows.sort_by_key(|(id, _)| *id);
        for (id, columns) in rows {
            // The first column is the rowid.
            let columns = columns.get(1..).unwrap_or_default().to_vec();
            table.insert_values(&transaction, Some(*id), columns)?;
        }
        count += transaction
            .query_row(&format!("SELECT count(*) FROM {}", table.name), [], |row| row.get(0))
            .map(|count: i64| count as usize)?;
    }
    transaction.commit()?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_of_the_latest_version_has_the_digest_that_files_are_compared_with() {
        assert_eq!(schema_of(MIGRATIONS).expect("a schema").digest(), LATEST);
    }
}
