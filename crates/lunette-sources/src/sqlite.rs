//! Libraries that are SQLite databases: Dash, massCode 4, and the cache of a client of Pieces.
//!
//! What must hold: neither a database nor its folder is changed. A database that its program has open is opened
//! read-only, with its log, and never as immutable. A closed one with a log, or one in an archive, is copied together with
//! the log, and the copy is read, since SQLite would leave files beside it otherwise. Only columns of ordinary tables are
//! read, by queries that read each row once: no view, no virtual table, nothing that is computed. `guard` bounds what they
//! cost. SQL occurs only here. Unexpected rows are skipped.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use lunette_storage::system::error_text;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, params};
use serde_json::Value;
use tempfile::TempDir;

use crate::candidate::Library;
use crate::files::Files;
use crate::limits::Limits;
use crate::warning::{Warning, Warnings};

mod guard;

pub(crate) use guard::Work;

/// The signature of SQLite files.
pub(crate) const MARK: &[u8] = b"SQLite format 3\0";

/// The tables of Dash: <https://kapeli.com/dash>.
const DASH_TABLES: [&str; 3] = ["snippets", "tags", "tagsIndex"];
const MASSCODE_TABLES: [&str; 5] = ["folders", "snippets", "snippet_contents", "tags", "snippet_tags"];

/// How the statement of an ordinary table begins.
const START: &str = "CREATE TABLE ";
/// How many tables of a client of Pieces are counted.
const MOST_TABLES: usize = 200;
/// The memory that the rows of a database may take beside four times the size of the file, in bytes. Rows of a library
/// take less than twice their size, and a damaged file may have the same page many times.
const MEMORY: u64 = 96 << 20;
/// What a value takes beside its text, in bytes.
const OF_VALUE: u64 = (size_of::<Option<String>>() + 16) as u64;
/// The least limit on a value, in bytes.
const SHORTEST_LIMIT: u64 = 64 << 10;
/// How much of a value a warning about its row shows, in bytes.
const MOST_SHOWN: usize = 80;
/// The value that a query returns instead of one that is too long.
const TOO_LONG: &[u8] = b"\xfftoo long";

/// A database that is being read.
pub(crate) struct Database {
    connection: Connection,
    limits: Limits,
    /// The names of its tables, without views and virtual tables.
    tables: Vec<String>,
    /// The memory that its rows may still take, in bytes.
    memory: Cell<u64>,
    /// The maximum size of a value in bytes.
    longest: u64,
    /// The values that are left out, and the location in their warnings.
    left_out: RefCell<Warnings>,
    location: String,
    /// The folder of the copy, which is removed after the connection is closed.
    _copy: Option<TempDir>,
}

/// A row with each value as text; `None` for null, for binary values, and beyond the limit on a value.
pub(crate) type Texts = Vec<Option<String>>;

/// Returns whether a file has one of these extensions, unless it is the only one, and the signature of a database.
pub(crate) fn is_database(files: &Files, path: &str, extensions: &[&str]) -> bool {
    files.may_be(path, extensions) && files.start(path, MARK.len()) == MARK
}

/// Why a database of a library is not read, as what it is or has.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DatabaseError {
    /// The file in its archive cannot be read; why.
    #[error("{0}")]
    File(String),
    /// It has a log and cannot be copied.
    #[error("cannot be copied to be read: {}", error_text(.0))]
    NotCopied(io::Error),
    /// It is larger than this many bytes.
    #[error("is larger than the limit of {0} bytes")]
    FileTooLarge(u64),
    /// SQLite cannot open it.
    #[error("cannot be read as a database: {0}")]
    NoDatabase(rusqlite::Error),
    /// Its schema takes too many steps.
    #[error("has a schema that takes too many steps to be read")]
    SchemaTakesTooLong,
    /// Its rows take too many steps.
    #[error("takes too many steps to be read")]
    TakesTooLong,
    /// Its rows cannot be read.
    #[error("cannot be read whole: {0}")]
    Unreadable(rusqlite::Error),
    /// SQLite would calculate a column for each row.
    #[error("has a computed column, {column:?} of {table:?}, which is not read")]
    ComputedColumn {
        /// Its name.
        column: String,
        /// Its table.
        table: String,
    },
    /// A table is missing, or some of its columns are.
    #[error("has no table {table:?} with the columns {columns}")]
    NoTable {
        /// Its name.
        table: String,
        /// The wanted columns.
        columns: String,
    },
    /// It has other tables than a library of this program.
    #[error("does not have the tables of {0}")]
    NotOf(&'static str),
    /// Its rows are larger than the limit.
    #[error("has more than the limit on an import")]
    TooLarge,
}

/// Opens a file of a library and reads it. A database that cannot be opened or read is a warning.
pub(crate) fn read_database(
    files: &Files,
    path: &str,
    library: &mut Library,
    read: impl FnOnce(&Database, &str, &mut Library) -> Result<(), DatabaseError>,
) {
    let location = files.location(path);
    for file in ["", "-wal", "-shm"] {
        files.set_read(&format!("{path}{file}"), true);
    }
    let result = Database::open(files, path).and_then(|database| {
        let result = read(&database, &location, library);
        library.report(database.left_out.take().finish(&location));
        result
    });
    if let Err(error) = result {
        library.warn("sqlite.unreadable", location, error.to_string());
    }
}

impl Database {
    /// Opens a database of a library. Fails if it cannot be.
    pub fn open(files: &Files, path: &str) -> Result<Self, DatabaseError> {
        match files.on_disk(path) {
            Some(file) => match copy_at_rest(file, files.limits())? {
                Some(copy) => Self::of_copy(copy, files),
                None => Self::connect(file, OpenFlags::SQLITE_OPEN_READ_ONLY, files),
            },
            None => Self::of_copy(unpacked(files, path)?, files),
        }
        .map(|database| Self { location: files.location(path), ..database })
    }

    /// Opens the copy in a folder, which is removed with the database. The log of a copy must be applied.
    fn of_copy(copy: TempDir, files: &Files) -> Result<Self, DatabaseError> {
        let database = Self::connect(&copy.path().join(COPY), OpenFlags::SQLITE_OPEN_READ_WRITE, files)?;
        Ok(Self { _copy: Some(copy), ..database })
    }

    fn connect(path: &Path, access: OpenFlags, files: &Files) -> Result<Self, DatabaseError> {
        let failed = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => DatabaseError::SchemaTakesTooLong,
            _ => DatabaseError::NoDatabase(error),
        };
        let limits = *files.limits();
        let length = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
        let size = length(path) + length(&beside(path, "-wal"));
        let longest = limits.file_bytes.min(size.max(SHORTEST_LIMIT));
        let mut connection =
            Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX).map_err(failed)?;
        connection.busy_timeout(std::time::Duration::from_secs(5)).map_err(failed)?;
        guard::guard(&mut connection, i32::try_from(longest).unwrap_or(i32::MAX), files.database_work())
            .map_err(failed)?;
        let memory = Cell::new(limits.total_bytes.min(size.saturating_mul(4)).saturating_add(MEMORY));
        let (tables, left_out, location) = Default::default();
        let mut database = Self { connection, limits, tables, memory, longest, left_out, location, _copy: None };
        database.tables = database.tables_of_schema()?;
        Ok(database)
    }

    /// Returns whether it has the tables of Dash.
    pub fn is_of_dash(&self) -> bool {
        self.has(&DASH_TABLES)
    }

    /// Returns whether it has the tables of massCode 4.
    pub fn is_of_masscode(&self) -> bool {
        self.has(&MASSCODE_TABLES)
    }

    fn has(&self, tables: &[&str]) -> bool {
        tables.iter().all(|table| self.tables.iter().any(|name| name == table))
    }

    /// The snippets of Dash: id, title, body, syntax.
    pub fn dash_snippets(&self) -> Result<Vec<Texts>, DatabaseError> {
        self.sorted("snippets", &["sid", "title", "body", "syntax"], &[0])
    }

    /// Which snippets of Dash have which tags: id of the snippet, id of the tag.
    pub fn dash_links(&self) -> Result<Vec<Texts>, DatabaseError> {
        self.sorted("tagsIndex", &["sid", "tid"], &[0])
    }

    /// The tags of Dash: id, name.
    pub fn dash_tags(&self) -> Result<Vec<Texts>, DatabaseError> {
        self.sorted("tags", &["tid", "tag"], &[0])
    }

    /// The folders of massCode: id, name, id of the folder above.
    pub fn masscode_folders(&self) -> Result<Vec<Texts>, DatabaseError> {
        self.sorted("folders", &["id", "name", "parentId"], &[0])
    }

    /// The snippets of massCode: id, name, description, folder, deleted, favourite, created, updated.
    pub fn masscode_snippets(&self) -> Result<Vec<Texts>, DatabaseError> {
        const COLUMNS: [&str; 8] =
            ["id", "name", "description", "folderId", "isDeleted", "isFavorites", "createdAt", "updatedAt"];
        self.sorted("snippets", &COLUMNS, &[0])
    }

    /// The fragments of massCode: id of the snippet, label, value, language, id.
    pub fn masscode_contents(&self) -> Result<Vec<Texts>, DatabaseError> {
        self.sorted("snippet_contents", &["snippetId", "label", "value", "language", "id"], &[0, 4])
    }

    /// Which snippets of massCode have which tags: id of the snippet, id of the tag.
    pub fn masscode_links(&self) -> Result<Vec<Texts>, DatabaseError> {
        self.sorted("snippet_tags", &["snippetId", "tagId"], &[0])
    }

    /// The tags of massCode: id, name.
    pub fn masscode_tags(&self) -> Result<Vec<Texts>, DatabaseError> {
        self.sorted("tags", &["id", "name"], &[0])
    }

    /// The tables of a client of Pieces, by their columns, and how many rows each has.
    pub fn pieces_tables(&self) -> Result<Vec<(String, usize)>, DatabaseError> {
        const COLUMNS: [&str; 4] = ["key", "json", "expireAt", "destroyKey"];
        let has_columns = |name: &&String| self.plain_columns(name).is_ok_and(|found| contains_all(&found, &COLUMNS));
        let mut names: Vec<_> = self.tables.iter().filter(has_columns).take(MOST_TABLES).cloned().collect();
        names.sort();
        let counted = |name: String| Ok((self.count(&name)?, name));
        names.into_iter().map(counted).map(|row| row.map(|(count, name)| (name, count))).collect()
    }

    /// The records of a table of a client of Pieces, each as JSON.
    pub fn pieces_records(&self, table: &str) -> Result<Vec<Option<String>>, DatabaseError> {
        let mut rows = self.rows(table, &["key", "json"])?;
        rows.sort_by(|one, other| one[0].cmp(&other[0]));
        Ok(rows.into_iter().map(|row| row.into_iter().nth(1).flatten()).collect())
    }

    /// Returns the rows of a table in the order of the columns of ids. Sorted here, since SQLite would sort all of them, on
    /// the disk, before the first one is counted.
    fn sorted(&self, table: &str, columns: &[&str], ids: &[usize]) -> Result<Vec<Texts>, DatabaseError> {
        let mut rows = self.rows(table, columns)?;
        rows.sort_by(|one, other| {
            let ids = ids.iter().map(|column| id_key(one[*column].as_deref()).cmp(&id_key(other[*column].as_deref())));
            ids.fold(Ordering::Equal, Ordering::then)
        });
        Ok(rows)
    }

    /// Returns the names of the tables. SQLite checks that the name and the type of a row are those in its statement.
    fn tables_of_schema(&self) -> Result<Vec<String>, DatabaseError> {
        let mut statement =
            self.connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").map_err(unreadable)?;
        let mut rows = statement.query([]).map_err(unreadable)?;
        let mut tables = Vec::new();
        while let Some(row) = rows.next().map_err(unreadable)? {
            let is_plain = row.get_ref(1).ok().and_then(|sql| sql.as_str().ok()).is_some_and(creates_table);
            if let (true, Ok(name)) = (is_plain, row.get(0)) {
                tables.push(name);
            }
        }
        Ok(tables)
    }

    /// Returns the columns of a table. Fails if one of them is computed: SQLite would calculate it for each row.
    fn plain_columns(&self, table: &str) -> Result<Vec<String>, DatabaseError> {
        let query = format!("PRAGMA table_xinfo({})", identifier(table));
        let mut statement = self.connection.prepare(&query).map_err(unreadable)?;
        let column = |row: &Row<'_>| Ok((row.get("name")?, row.get::<_, i64>("hidden")?));
        let columns = statement.query_map([], column).map_err(unreadable)?;
        let columns: Vec<(String, i64)> = columns.collect::<Result<_, _>>().map_err(unreadable)?;
        match columns.iter().find(|(_, hidden)| *hidden != 0) {
            Some((name, _)) => Err(DatabaseError::ComputedColumn { column: name.clone(), table: table.to_owned() }),
            None => Ok(columns.into_iter().map(|(name, _)| name).collect()),
        }
    }

    /// Returns how many rows a table has, one by one: a single instruction counts a table that has no end.
    fn count(&self, table: &str) -> Result<usize, DatabaseError> {
        self.plain_columns(table)?;
        let mut statement =
            self.connection.prepare(&format!("SELECT NULL FROM {}", identifier(table))).map_err(unreadable)?;
        let mut rows = statement.query([]).map_err(unreadable)?;
        let mut count = 0;
        while count < self.most_rows() && rows.next().map_err(unreadable)?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    fn most_rows(&self) -> usize {
        self.limits.entries.saturating_mul(4)
    }

    /// Returns the rows of a table. A value that is too long is not read.
    fn rows(&self, table: &str, columns: &[&str]) -> Result<Vec<Texts>, DatabaseError> {
        if !self.has(&[table]) || !contains_all(&self.plain_columns(table)?, columns) {
            let columns = columns.join(", ");
            return Err(DatabaseError::NoTable { table: table.to_owned(), columns });
        }
        let value = |column: &&str| format!("CASE WHEN octet_length({column}) > ?1 THEN ?2 ELSE {column} END");
        let values: Vec<String> = columns.iter().map(value).collect();
        let query = format!("SELECT {} FROM {}", values.join(", "), identifier(table));
        let mut statement = self.connection.prepare(&query).map_err(unreadable)?;
        // All values of a row are in memory at once.
        let most = self.longest.min(self.limits.file_bytes / columns.len().max(1) as u64);
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let mut rows = statement.query(params![most, TOO_LONG]).map_err(unreadable)?;
        let mut found: Vec<Texts> = Vec::new();
        while let Some(row) = rows.next().map_err(unreadable)? {
            let texts: Texts = (0..columns.len()).map(|column| text_of(row, column)).collect();
            self.tell_left_out(row, (table, columns), &texts);
            let size: u64 = texts.iter().flatten().map(|text| text.len() as u64).sum();
            let size = size + size_of::<Texts>() as u64 + OF_VALUE * columns.len() as u64;
            let left = self.memory.get().checked_sub(size).filter(|_| found.len() < self.most_rows());
            self.memory.set(left.ok_or(DatabaseError::TooLarge)?);
            found.push(texts);
        }
        Ok(found)
    }

    /// Notes the values of a row that are not text.
    fn tell_left_out(&self, row: &Row<'_>, (table, columns): (&str, &[&str]), texts: &Texts) {
        for (column, name) in columns.iter().enumerate().filter(|(column, _)| texts[*column].is_none()) {
            let value = row.get_ref(column);
            if matches!(value, Ok(ValueRef::Null)) {
                continue;
            }
            let what = || match value {
                Ok(ValueRef::Blob(TOO_LONG)) => "a value that is longer than the limit".to_owned(),
                Ok(ValueRef::Text([_]) | ValueRef::Blob([_])) => "a byte that is not text".to_owned(),
                Ok(ValueRef::Text(bytes) | ValueRef::Blob(bytes)) => format!("{} bytes that are not text", bytes.len()),
                Ok(_) | Err(_) => "a value that cannot be read".to_owned(),
            };
            let known = columns.iter().zip(texts).find_map(|(name, text)| Some((name, text.as_deref()?)));
            let (key, value) = known.unwrap_or((&"row", "without a text"));
            let value = &value[..value.floor_char_boundary(MOST_SHOWN)];
            self.left_out.borrow_mut().add_with(|| {
                let what = what();
                let message = format!("{name:?} of the row with {key} {value:?} has {what}, which was left out");
                Warning::new("sqlite.values", format!("{}:{table}", self.location), message)
            });
        }
    }
}

/// Returns what a warning shows of a row.
pub(crate) fn shown_row(row: &[Option<String>]) -> Value {
    row.iter().map(|text| text.as_deref().map(|text| &text[..text.floor_char_boundary(MOST_SHOWN)])).collect()
}

/// Returns a value as text; `None` for null and if it is none.
fn text_of(row: &Row<'_>, column: usize) -> Option<String> {
    match row.get_ref(column).ok()? {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => std::str::from_utf8(bytes).ok().map(str::to_owned),
    }
}

fn unreadable(error: rusqlite::Error) -> DatabaseError {
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => DatabaseError::TakesTooLong,
        _ => DatabaseError::Unreadable(error),
    }
}

/// Returns whether a statement of a schema creates an ordinary table.
fn creates_table(sql: &str) -> bool {
    sql.get(..START.len()).is_some_and(|start| start.eq_ignore_ascii_case(START))
}

fn contains_all(found: &[String], columns: &[&str]) -> bool {
    columns.iter().all(|column| found.iter().any(|name| name.eq_ignore_ascii_case(column)))
}

/// The key that sorts ids as SQLite does where they are numbers: null, numbers, texts.
fn id_key(id: Option<&str>) -> Option<(bool, i64, &str)> {
    id.map(|id| id.parse().map_or((true, 0, id), |number| (false, number, "")))
}

/// Returns a name as SQL writes it.
fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The name of a copy.
const COPY: &str = "library";

/// Copies a database in an archive, with its log if it has one.
fn unpacked(files: &Files, path: &str) -> Result<TempDir, DatabaseError> {
    let failed = DatabaseError::NotCopied;
    let folder = tempfile::tempdir().map_err(failed)?;
    for end in ["", "-wal"] {
        let from = format!("{path}{end}");
        if end.is_empty() || files.contains(&from) {
            let bytes = files.bytes(&from).map_err(|warning| DatabaseError::File(warning.message))?;
            fs::write(folder.path().join(format!("{COPY}{end}")), bytes).map_err(failed)?;
        }
    }
    Ok(folder)
}

/// Returns the path of a file that SQLite keeps beside a database.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// Copies a database with a log that no program has open. Returns `None` if a program has it open, or if it has no log,
/// so that reading leaves no files.
fn copy_at_rest(path: &Path, limits: &Limits) -> Result<Option<TempDir>, DatabaseError> {
    // The index of the log exists while a program has a database with a log open.
    let open = || beside(path, "-shm").exists();
    if open() || !has_log(path) {
        return Ok(None);
    }
    let failed = DatabaseError::NotCopied;
    let folder = tempfile::tempdir().map_err(failed)?;
    for end in ["", "-wal"] {
        let from = beside(path, end);
        if !end.is_empty() && !from.exists() {
            continue;
        }
        let mut to = File::create_new(folder.path().join(format!("{COPY}{end}"))).map_err(failed)?;
        let most = limits.total_bytes;
        let copied = io::copy(&mut File::open(from).map_err(failed)?.take(most + 1), &mut to).map_err(failed)?;
        if copied > most {
            return Err(DatabaseError::FileTooLarge(most));
        }
    }
    // A program that has just opened it may have changed it while it was copied.
    Ok((!open()).then_some(folder))
}

/// Returns whether a database uses a write-ahead log, by its header: <https://www.sqlite.org/fileformat2.html>. SQLite goes by
/// the version for reading alone, which in a damaged file differs from the one for writing before it.
fn has_log(path: &Path) -> bool {
    let mut header = [0; 20];
    File::open(path).and_then(|mut file| file.read_exact(&mut header)).is_ok() && header[18..].contains(&2)
}

#[cfg(test)]
mod tests;
