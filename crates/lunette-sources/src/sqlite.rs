//! Libraries that are SQLite databases: Dash, massCode 4, and the cache of a client of Pieces.
//!
//! What must hold: neither a database nor its folder is changed. A database that its program has open is opened
//! read-only, with its log, and never as immutable. A closed one with a log, or one in an archive, is copied together with
//! the log, and the copy is read, since SQLite would leave files beside it otherwise. Only queries are run. SQL occurs
//! only here. Unexpected rows are skipped.

use std::cmp::Ordering;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row};
use tempfile::TempDir;

use crate::candidate::Library;
use crate::files::Files;
use crate::limits::Limits;

/// The signature of SQLite files.
pub(crate) const MARK: &[u8] = b"SQLite format 3\0";

/// The tables of Dash: <https://kapeli.com/dash>.
const DASH_TABLES: [&str; 3] = ["snippets", "tags", "tagsIndex"];
const MASSCODE_TABLES: [&str; 5] = ["folders", "snippets", "snippet_contents", "tags", "snippet_tags"];

/// How many steps of 100,000 instructions a statement may take. The largest library within the limits needs a fifth of
/// it; a view of a damaged database may be endless.
const MOST_STEPS: u32 = 1_000;
const STEP: i32 = 100_000;
/// How many times the limit on a library is read of a table, with the values that are too large and are left out.
const MOST_READ: u64 = 8;

/// A database that is being read.
pub(crate) struct Database {
    connection: Connection,
    limits: Limits,
    /// How many steps the statement may still take.
    steps: Arc<AtomicU32>,
    /// The folder of the copy, which is removed after the connection is closed.
    _copy: Option<TempDir>,
}

/// A row with each value as text; `None` for null, for binary values, and beyond the limit on a file.
pub(crate) type Texts = Vec<Option<String>>;

/// Returns whether a file has one of these extensions, unless it is the only one, and the signature of a database.
pub(crate) fn is_database(files: &Files, path: &str, extensions: &[&str]) -> bool {
    files.may_be(path, extensions) && files.start(path, MARK.len()) == MARK
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
        let mut connection =
            Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX).map_err(sentence)?;
        connection.busy_timeout(std::time::Duration::from_secs(5)).map_err(sentence)?;
        connection.pragma_update(None, "query_only", true).map_err(sentence)?;
        // A foreign database may have views and triggers that call functions.
        connection.pragma_update(None, "trusted_schema", false).map_err(sentence)?;
        let most = i32::try_from(limits.total_bytes).unwrap_or(i32::MAX);
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, most).map_err(sentence)?;
        let steps = Arc::new(AtomicU32::new(MOST_STEPS));
        let left = Arc::clone(&steps);
        let is_over = move || left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err();
        connection.progress_handler(STEP, Some(is_over)).map_err(sentence)?;
        Ok(Self { connection, limits: *limits, steps, _copy: None })
    }

    /// Returns whether it has the tables of Dash.
    pub fn is_of_dash(&self) -> bool {
        self.has(&DASH_TABLES)
    }

    /// Returns whether it has the tables of massCode 4.
    pub fn is_of_masscode(&self) -> bool {
        self.has(&MASSCODE_TABLES)
    }

    /// Returns whether these are tables: a view of the same name could be endless.
    fn has(&self, tables: &[&str]) -> bool {
        let query = "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name = ?1";
        let one = |table: &&str| self.connection.query_row(query, [table], |row| row.get::<_, i64>(0));
        tables.iter().all(|table| one(table).is_ok_and(|count| count == 1))
    }

    /// The snippets of Dash: id, title, body, syntax.
    pub fn dash_snippets(&self) -> Result<Vec<Texts>, String> {
        self.sorted("SELECT sid, title, body, syntax FROM snippets", &[0], None)
    }

    /// The tags of Dash: id of the snippet, tag.
    pub fn dash_tags(&self) -> Result<Vec<Texts>, String> {
        self.sorted("SELECT tagsIndex.sid, tags.tag FROM tagsIndex JOIN tags USING (tid)", &[0], Some(1))
    }

    /// The folders of massCode: id, name, id of the folder above.
    pub fn masscode_folders(&self) -> Result<Vec<Texts>, String> {
        self.sorted("SELECT id, name, parentId FROM folders", &[0], None)
    }

    /// The snippets of massCode: id, name, description, folder, deleted, favourite, created, updated.
    pub fn masscode_snippets(&self) -> Result<Vec<Texts>, String> {
        self.sorted(
            "SELECT id, name, description, folderId, isDeleted, isFavorites, createdAt, updatedAt FROM snippets",
            &[0],
            None,
        )
    }

    /// The fragments of massCode: id of the snippet, label, value, language, id.
    pub fn masscode_contents(&self) -> Result<Vec<Texts>, String> {
        self.sorted("SELECT snippetId, label, value, language, id FROM snippet_contents", &[0, 4], None)
    }

    /// The tags of massCode: id of the snippet, tag.
    pub fn masscode_tags(&self) -> Result<Vec<Texts>, String> {
        self.sorted("SELECT snippetId, tags.name FROM snippet_tags JOIN tags ON tags.id = tagId", &[0], Some(1))
    }

    /// The tables of a client of Pieces, by their columns, and how many rows each has.
    pub fn pieces_tables(&self) -> Result<Vec<(String, i64)>, String> {
        let names = self.rows(
            "SELECT name FROM pragma_table_list AS one WHERE schema = 'main' AND type = 'table' AND 4 = (
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
        let rows = self.sorted(&format!("SELECT key, json FROM {}", quoted(table)), &[], Some(0))?;
        Ok(rows.into_iter().map(|row| row.into_iter().nth(1).flatten()).collect())
    }

    /// Returns the rows of a query in the order of the columns of ids, then of a column of text. Sorted here, since SQLite
    /// would sort all of them, on the disk, before the first one is counted: in a damaged database one row may join with
    /// every other.
    fn sorted(&self, query: &str, ids: &[usize], text: Option<usize>) -> Result<Vec<Texts>, String> {
        let mut rows = self.rows(query)?;
        let by_columns = |one: &Texts, other: &Texts| {
            let ids = ids.iter().map(|column| id_key(one[*column].as_deref()).cmp(&id_key(other[*column].as_deref())));
            let texts = text.map(|column| one[column].cmp(&other[column]));
            ids.chain(texts).fold(Ordering::Equal, Ordering::then)
        };
        rows.sort_by(by_columns);
        Ok(rows)
    }

    fn rows(&self, query: &str) -> Result<Vec<Texts>, String> {
        let sentence = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => "takes too many steps to be read".to_owned(),
            _ => format!("cannot be read whole: {error}"),
        };
        self.steps.store(MOST_STEPS, Relaxed);
        let mut statement = self.connection.prepare(query).map_err(sentence)?;
        let columns = statement.column_count();
        let mut rows = statement.query([]).map_err(sentence)?;
        let (mut found, mut bytes, mut read): (Vec<Texts>, u64, u64) = (Vec::new(), 0, 0);
        let limits = &self.limits;
        while let Some(row) = rows.next().map_err(sentence)? {
            let texts: Texts = (0..columns).map(|column| text(row, column, limits.file_bytes, &mut read)).collect();
            bytes += texts.iter().flatten().map(|text| text.len() as u64).sum::<u64>();
            let too_many = found.len() > limits.entries.saturating_mul(4);
            if too_many || bytes > limits.total_bytes || read > limits.total_bytes.saturating_mul(MOST_READ) {
                return Err("has more than the limit on an import".to_owned());
            }
            found.push(texts);
        }
        Ok(found)
    }
}

/// Returns a name as SQL writes it.
/// The key that sorts ids as SQLite does where they are numbers: null, numbers, texts.
fn id_key(id: Option<&str>) -> Option<(bool, i64, &str)> {
    id.map(|id| id.parse().map_or((true, 0, id), |number| (false, number, "")))
}

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

/// Returns a value as text, unless it is larger than the limit, and adds the size of the value to what was read.
fn text(row: &Row<'_>, column: usize, most: u64, read: &mut u64) -> Option<String> {
    let value = row.get_ref(column).ok()?;
    if let ValueRef::Text(bytes) | ValueRef::Blob(bytes) = value {
        *read += bytes.len() as u64;
    }
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) if bytes.len() as u64 > most => None,
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => std::str::from_utf8(bytes).ok().map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
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
    fn rows_that_join_with_all_others_end_at_the_limit() {
        let (_folder, files) = files(
            "CREATE TABLE snippets (sid, title, body, syntax); CREATE TABLE tags (tid, tag);
             CREATE TABLE tagsIndex (tid, sid);
             WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM n WHERE x < 50000)
             INSERT INTO tags SELECT 1, x FROM n;
             INSERT INTO tagsIndex SELECT 1, tag FROM tags;",
        );
        let library = read(&files, Source::Dash);
        assert!(library.warnings[0].message.contains("the limit on an import"), "{:?}", library.warnings);
    }

    #[test]
    fn a_statement_without_end_is_ended() {
        let (_folder, files) = files("CREATE TABLE a (b)");
        let database = Database::open(&files, "library.dash").expect("opened");
        let endless = "WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM n) SELECT x FROM n WHERE x < 0";
        let error = database.rows(endless).expect_err("it has no end");
        assert!(error.contains("too many steps"), "{error}");
        assert!(database.rows("SELECT 1").is_ok());
    }

    #[test]
    fn views_are_not_read_as_tables() {
        let (_folder, files) = files(
            "CREATE TABLE tags (tid, tag); CREATE TABLE tagsIndex (tid, sid);
             CREATE VIEW snippets (sid, title, body, syntax) AS SELECT 1, 'a', zeroblob(1000000000), 'b';
             PRAGMA writable_schema = 1; UPDATE sqlite_schema SET type = 'table' WHERE name = 'snippets';",
        );
        let library = read(&files, Source::Dash);
        assert!(library.warnings[0].message.contains("tables of Dash"), "{:?}", library.warnings);
    }

    #[test]
    fn rows_are_in_the_order_of_their_ids_and_then_of_a_text() {
        let (_folder, files) = files("CREATE TABLE a (b); INSERT INTO a VALUES ('b'), (10), ('a'), (NULL), (9)");
        let database = Database::open(&files, "library.dash").expect("opened");
        let order = |ids: &[usize], text: Option<usize>| -> Vec<String> {
            let rows = database.sorted("SELECT b FROM a", ids, text).expect("rows");
            rows.into_iter().flatten().map(|value| value.unwrap_or_else(|| "null".to_owned())).collect()
        };
        assert_eq!(order(&[0], None), ["null", "9", "10", "a", "b"]);
        assert_eq!(order(&[], Some(0)), ["null", "10", "9", "a", "b"]);
    }
}
