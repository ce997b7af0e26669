//! Compares the schema of a database file with the one that its program creates, before any of its SQL can run.
//!
//! A trigger, a view, a generated column or an indexed expression in a file is SQL that its author chose. What must hold:
//! [`verify`] comes before every other statement on a file that somebody else may have written; it reads the schema
//! within limits on length, instructions and memory, and runs nothing of it.

use std::fs;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags, Result};
use sha2::{Digest as _, Sha256};

/// The longest statement of a schema, in bytes. Ours are shorter than a tenth of it.
const STATEMENT_BYTES: i32 = 64 << 10;
/// How many instructions SQLite may run to read a schema: more than a thousand objects. Ours has about a hundred.
const SCHEMA_STEPS: i32 = 20_000;
/// The unit of the limit on the instructions for a whole file.
const STEP: i32 = 10_000;
/// How many instructions a file may take for each of its bytes. A row of a few dozen bytes takes some hundred.
const STEPS_A_BYTE: u64 = 100;
/// How many steps a file may take whatever its size: ten million instructions.
const LEAST_STEPS: u64 = 1_000;
/// What SQLite says before the name of an object that it cannot parse, and its reason.
const MALFORMED: &str = "malformed database schema ";
/// The most characters of a name in a message.
const NAME_CHARS: usize = 60;

/// Tables of SQLite's own that `ANALYZE` creates, with their statements. They are data for its planner.
const STATISTICS: [(&str, &str); 2] = [
    ("sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    ("sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
];

/// The objects of a database: tables, indices, views and triggers, in the order of their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema(Vec<Object>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Object {
    name: String,
    /// `table`, `index`, `view` or `trigger`.
    kind: String,
    table: String,
    /// Its statement without comments and needless white space; None for an index that SQLite makes itself.
    sql: Option<String>,
}

impl Schema {
    /// Reads the schema of a database that is trusted.
    pub fn read(connection: &Connection) -> Result<Self> {
        // Not `sqlite_schema`, which a file can define itself.
        let mut statement = connection.prepare("SELECT name, type, tbl_name, sql FROM main.sqlite_master")?;
        let objects = statement.query_map([], |row| {
            let sql = row.get::<_, Option<String>>(3)?;
            Ok(Object { name: row.get(0)?, kind: row.get(1)?, table: row.get(2)?, sql: sql.as_deref().map(normalized) })
        })?;
        let objects = objects.filter(|object| !object.as_ref().is_ok_and(Object::is_of_statistics));
        let mut objects: Vec<_> = objects.collect::<Result<_>>()?;
        objects.sort();
        Ok(Self(objects))
    }

    /// A digest of it, which is another one for every other schema.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for Object { name, kind, table, sql } in &self.0 {
            for part in [name, kind, table, sql.as_deref().unwrap_or_default()] {
                hash.update((part.len() as u64).to_le_bytes());
                hash.update(part);
            }
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// How `found` differs, as a phrase that names the object, such as "it has an unknown trigger \"evil\"".
    pub fn difference(&self, found: &Self) -> Option<String> {
        let named = |schema: &'_ Self, name: &str| schema.0.iter().any(|object| object.name == name);
        let missing = || self.0.iter().find(|object| !named(found, &object.name));
        let unknown = || found.0.iter().find(|object| !named(self, &object.name));
        let other_kind = || {
            found.0.iter().find_map(|object| {
                let own = self.0.iter().find(|own| own.name == object.name && own.kind != object.kind)?;
                Some(format!("{} is a {} instead of a {}", shown_name(&own.name), object.shown_kind(), own.kind))
            })
        };
        let changed = || found.0.iter().find(|object| !self.0.contains(object));
        if self == found {
            return None;
        }
        other_kind()
            .or_else(|| {
                unknown().map(|object| format!("it has an unknown {} (drop it if you added it)", object.described()))
            })
            .or_else(|| missing().map(|object| format!("its {} is missing", object.described())))
            .or_else(|| changed().map(|object| format!("its {} differs", object.described())))
            .or_else(|| Some("it has an object twice".to_owned()))
    }
}

impl Object {
    fn is_of_statistics(&self) -> bool {
        let own = |(name, sql): &(&str, &str)| self.name == *name && self.sql.as_deref() == Some(&normalized(sql));
        self.kind == "table" && STATISTICS.iter().any(own)
    }

    fn described(&self) -> String {
        format!("{} {}", self.shown_kind(), shown_name(&self.name))
    }

    /// Its kind, as a message may show it.
    fn shown_kind(&self) -> String {
        match self.kind.as_str() {
            known @ ("table" | "index" | "view" | "trigger") => known.to_owned(),
            other => shown_name(other),
        }
    }
}

/// Compares the schema of a file that nothing was read from yet with the expected one, which has this digest. Returns the
/// difference as a phrase; None if there is none, and then all SQL of the file is the program's own. The expected one is
/// created only for a file with another digest: that takes longer than to read a schema.
pub fn verify(
    connection: &mut Connection,
    digest: Option<&str>,
    expected: impl FnOnce() -> Result<Schema>,
) -> Result<Option<String>> {
    set_trusted(connection, false)?;
    let length = connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, STATEMENT_BYTES)?;
    connection.progress_handler(SCHEMA_STEPS, Some(|| true))?;
    let found = Schema::read(connection);
    connection.progress_handler(0, None::<fn() -> bool>)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, length)?;
    match found {
        Ok(found) => {
            let known = digest.is_some_and(|digest| found.digest() == digest);
            let difference = if known { None } else { expected()?.difference(&found) };
            set_trusted(connection, difference.is_none())?;
            Ok(difference)
        }
        Err(error) => match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => Ok(Some("its schema has too many objects".to_owned())),
            Some(ErrorCode::TooBig) => Ok(Some("a statement of its schema is too long".to_owned())),
            Some(ErrorCode::DatabaseCorrupt) if error.to_string().starts_with(MALFORMED) => {
                Ok(Some(format!("its schema is malformed: {:?}", cut(&error.to_string()[MALFORMED.len()..]))))
            }
            // A value of another type.
            None => Ok(Some("its schema is damaged".to_owned())),
            Some(_) => Err(error),
        },
    }
}

/// Opens a file that may be any database, for a query or two of columns with short values: it runs nothing of the schema,
/// and neither long nor for ever.
pub fn open_foreign(path: &Path) -> Result<Connection> {
    let mut connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    set_trusted(&connection, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, STATEMENT_BYTES)?;
    limit_steps(&mut connection, path)?;
    Ok(connection)
}

/// Limits how many instructions all further statements may take together, by the size of the file and its log. Every row of
/// a database can be read and compared with its indices within the limit; a loop that a file leads to ends at it.
pub fn limit_steps(connection: &mut Connection, path: &Path) -> Result<()> {
    let size = |path: &Path| fs::metadata(path).map_or(0, |found| found.len());
    let bytes = size(path).saturating_add(size(&path.with_extension("sqlite3-wal")));
    let mut left = (bytes / STEP.unsigned_abs() as u64).saturating_mul(STEPS_A_BYTE).saturating_add(LEAST_STEPS);
    connection.progress_handler(
        STEP,
        Some(move || {
            left = left.saturating_sub(1);
            left == 0
        }),
    )
}

/// Whether the connection runs what the schema defines.
fn set_trusted(connection: &Connection, trusted: bool) -> Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, !trusted)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, trusted)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, trusted)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, trusted)?;
    Ok(())
}

/// A name for a message.
fn shown_name(name: &str) -> String {
    format!("{:?}", cut(name))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(NAME_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A statement without comments, with one space where words would run together and none elsewhere. Files that were
/// written on another system may have other line breaks.
fn normalized(sql: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(sql.len()), sql);
    let mut gap = false;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            _ if first.is_whitespace() => first.len_utf8(),
            '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            '\'' | '"' | '`' => rest[1..].find(first).map_or(rest.len(), |at| at + 2),
            '[' => rest.find(']').map_or(rest.len(), |at| at + 1),
            _ => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(end);
        rest = behind;
        if first.is_whitespace() || token.starts_with("--") || token.starts_with("/*") {
            gap = true;
            continue;
        }
        let joins = |side: Option<char>| side.is_some_and(is_of_word);
        if gap && joins(out.chars().next_back()) && joins(Some(first)) {
            out.push(' ');
        }
        gap = false;
        out.push_str(token);
    }
    out
}

/// Whether two of these beside each other are one token: letters, digits, quotes, and the characters of operators.
fn is_of_word(char: char) -> bool {
    !matches!(char, '(' | ')' | ',' | ';')
}

#[cfg(test)]
mod tests;
