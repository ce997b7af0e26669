//! Libraries that are SQLite databases: Dash, massCode 4, and the cache of a client of Pieces.
//!
//! What must hold: neither a database nor its folder is changed. A database that its program has open is opened
//! read-only, with its log, and never as immutable. A closed one with a log, or one in an archive, is copied together with
//! the log, and the copy is read, since SQLite would leave files beside it otherwise. Only queries are run. SQL occurs
//! only here. Unexpected rows are skipped.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};
use tempfile::TempDir;

use crate::candidate::Library;
use crate::files::{Files, extension};
use crate::limits::Limits;

/// The signature of SQLite files.
pub(crate) const MARK: &[u8] = b"SQLite format 3\0";

/// The tables of Dash: <https://kapeli.com/dash>.
const DASH_TABLES: [&str; 3] = ["snippets", "tags", "tagsIndex"];
const MASSCODE_TABLES: [&str; 5] = ["folders", "snippets", "snippet_contents", "tags", "snippet_tags"];

/// A database that is being read.
pub(crate) struct Database {
    connection: Connection,
    limits: Limits,
    /// The folder of the copy, which is removed after the connection is closed.
    _copy: Option<TempDir>,
}

/// A row with each value as text; `None` for null, for binary values, and beyond the limit on a file.
pub(crate) type Texts = Vec<Option<String>>;

/// Returns whether a file has one of these extensions and the signature of a database.
pub(crate) fn is_database(files: &Files, path: &str, extensions: &[&str]) -> bool {
    extensions.contains(&extension(path).as_str()) && files.start(path, MARK.len()) == MARK
}

/// Opens a file of a library and reads it. A database that cannot be opened or read is a warning.
pub(crate) fn read_database(
    files: &Files,
    path: &str,
    library: &mut Library,
    read: impl FnOnce(&Database, &str, &mut Library) -> Result<(), String>,
) {
    let location = files.location(path);
    let read = Database::open(files, path).and_then(|database| read(&database, &location, library));
    if let Err(message) = read {
        library.warn("sqlite.unreadable", location, message);
    }
}

impl Database {
    /// Opens a database of a library. Fails with a sentence.
    pub fn open(files: &Files, path: &str) -> Result<Self, String> {
        match files.on_disk(path) {
            Some(file) => match copy_at_rest(file, files.limits())? {
                Some(copy) => Self::of_copy(copy, files.limits()),
                None => Self::connect(file, OpenFlags::SQLITE_OPEN_READ_ONLY, files.limits()),
            },
            None => Self::of_copy(unpacked(files, path)?, files.limits()),
        }
    }

    /// Opens the copy in a folder, which is removed with the database. The log of a copy must be applied.
    fn of_copy(copy: TempDir, limits: &Limits) -> Result<Self, String> {
        let database = Self::connect(&copy.path().join(COPY), OpenFlags::SQLITE_OPEN_READ_WRITE, limits)?;
        Ok(Self { _copy: Some(copy), ..database })
    }

    fn connect(path: &Path, access: OpenFlags, limits: &Limits) -> Result<Self, String> {
        let sentence = |error: rusqlite::Error| format!("cannot be read as a database: {error}");
        let connection =
            Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX).map_err(sentence)?;
        connection.busy_timeout(std::time::Duration::from_secs(5)).map_err(sentence)?;
        connection.pragma_update(None, "query_only", true).map_err(sentence)?;
        // A foreign database may have views and triggers that call functions.
        connection.pragma_update(None, "trusted_schema", false).map_err(sentence)?;
        Ok(Self { connection, limits: *limits, _copy: None })
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
        let query = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1";
        let one = |table: &&str| self.connection.query_row(query, [table], |row| row.get::<_, i64>(0));
        tables.iter().all(|table| one(table).is_ok_and(|count| count == 1))
    }

    /// The snippets of Dash: id, title, body, syntax.
    pub fn dash_snippets(&self) -> Result<Vec<Texts>, String> {
        self.rows("SELECT sid, title, body, syntax FROM snippets ORDER BY sid")
    }

    /// The tags of Dash: id of the snippet, tag.
    pub fn dash_tags(&self) -> Result<Vec<Texts>, String> {
        self.rows(
            "SELECT tagsIndex.sid, tags.tag FROM tagsIndex JOIN tags USING (tid) ORDER BY tagsIndex.sid, tags.tag",
        )
    }

    /// The folders of massCode: id, name, id of the folder above.
    pub fn masscode_folders(&self) -> Result<Vec<Texts>, String> {
        self.rows("SELECT id, name, parentId FROM folders ORDER BY id")
    }

    /// The snippets of massCode: id, name, description, folder, deleted, favourite, created, updated.
    pub fn masscode_snippets(&self) -> Result<Vec<Texts>, String> {
        self.rows(
            "SELECT id, name, description, folderId, isDeleted, isFavorites, createdAt, updatedAt FROM snippets ORDER BY id",
        )
    }

    /// The fragments of massCode: id of the snippet, label, value, language.
    pub fn masscode_contents(&self) -> Result<Vec<Texts>, String> {
        self.rows("SELECT snippetId, label, value, language FROM snippet_contents ORDER BY snippetId, id")
    }

    /// The tags of massCode: id of the snippet, tag.
    pub fn masscode_tags(&self) -> Result<Vec<Texts>, String> {
        self.rows(
            "SELECT snippetId, tags.name FROM snippet_tags JOIN tags ON tags.id = tagId ORDER BY snippetId, tags.name",
        )
    }

    /// The tables of a client of Pieces, by their columns, and how many rows each has.
    pub fn pieces_tables(&self) -> Result<Vec<(String, i64)>, String> {
        let names = self.rows(
            "SELECT name FROM sqlite_schema AS one WHERE type = 'table' AND 4 = (
                SELECT count(*) FROM pragma_table_info(one.name) AS field
                WHERE field.name IN ('key', 'json', 'expireAt', 'destroyKey')
            ) ORDER BY name LIMIT 200",
        )?;
        let mut tables = Vec::new();
        for name in names.into_iter().flatten().flatten() {
            let counted = self.rows(&format!("SELECT count(*) FROM {}", quoted(&name)))?;
            let count = counted.first().and_then(|row| row.first()?.as_ref()?.parse().ok());
            tables.push((name, count.unwrap_or_default()));
        }
        Ok(tables)
    }

    /// The records of a table of a client of Pieces, each as JSON.
    pub fn pieces_records(&self, table: &str) -> Result<Vec<Option<String>>, String> {
        let rows = self.rows(&format!("SELECT json FROM {} ORDER BY key", quoted(table)))?;
        Ok(rows.into_iter().map(|row| row.into_iter().next().flatten()).collect())
    }

    fn rows(&self, query: &str) -> Result<Vec<Texts>, String> {
        let sentence = |error: rusqlite::Error| format!("cannot be read whole: {error}");
        let mut statement = self.connection.prepare(query).map_err(sentence)?;
        let columns = statement.column_count();
        let mut rows = statement.query([]).map_err(sentence)?;
        let (mut found, mut bytes): (Vec<Texts>, u64) = (Vec::new(), 0);
        while let Some(row) = rows.next().map_err(sentence)? {
            let texts: Texts = (0..columns).map(|column| text(row, column, self.limits.file_bytes)).collect();
            bytes += texts.iter().flatten().map(|text| text.len() as u64).sum::<u64>();
            if bytes > self.limits.total_bytes || found.len() > self.limits.entries.saturating_mul(4) {
                return Err("has more than the limit on an import".to_owned());
            }
            found.push(texts);
        }
        Ok(found)
    }
}

/// Returns a name as SQL writes it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The name of a copy.
const COPY: &str = "library";

/// Copies a database in an archive, with its log if it has one. Fails with a sentence.
fn unpacked(files: &Files, path: &str) -> Result<TempDir, String> {
    let failed = |error: io::Error| format!("cannot be copied to be read: {error}");
    let folder = tempfile::tempdir().map_err(failed)?;
    for end in ["", "-wal"] {
        let from = format!("{path}{end}");
        if end.is_empty() || files.contains(&from) {
            let bytes = files.bytes(&from).map_err(|warning| warning.message)?;
            fs::write(folder.path().join(format!("{COPY}{end}")), bytes).map_err(failed)?;
        }
    }
    Ok(folder)
}

/// Copies a database with a log that no program has open. Returns `None` if a program has it open, or if it has no log,
/// so that reading leaves no files. Fails with a sentence.
fn copy_at_rest(path: &Path, limits: &Limits) -> Result<Option<TempDir>, String> {
    let beside = |end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    // The index of the log exists while a program has a database with a log open.
    let open = || beside("-shm").exists();
    if open() || !has_log(path) {
        return Ok(None);
    }
    let failed = |error: io::Error| format!("cannot be copied to be read: {error}");
    let folder = tempfile::tempdir().map_err(failed)?;
    for end in ["", "-wal"] {
        let from = beside(end);
        if !end.is_empty() && !from.exists() {
            continue;
        }
        let mut to = File::create_new(folder.path().join(format!("{COPY}{end}"))).map_err(failed)?;
        let most = limits.total_bytes;
        let copied = io::copy(&mut File::open(from).map_err(failed)?.take(most + 1), &mut to).map_err(failed)?;
        if copied > most {
            return Err(format!("is larger than the limit of {most} bytes"));
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

fn text(row: &Row<'_>, column: usize, most: u64) -> Option<String> {
    match row.get_ref(column).ok()? {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) if bytes.len() as u64 > most => None,
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => std::str::from_utf8(bytes).ok().map(str::to_owned),
    }
}
