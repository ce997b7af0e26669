//! What reading a foreign database may cost, and which statements may do what.
//!
//! What must hold: the work and the memory are bounded, whatever is in the file. Instructions are counted from the first
//! statement on, which reads the schema. No single instruction is costly: no function of the schema is ever called, none
//! walks a whole table, and no value is longer than the limit on one. The wall clock is the last bound, above these.
//!
//! Our choice: no limit on the heap of SQLite. It would be one for the whole process, in which the service has its database
//! open, and it needs statistics that this program is built without. The limits here bound the memory instead.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Connection, Result};

/// How many instructions a step has.
const STEP: i32 = 1_000;
/// How many steps reading the schema may take. A table takes fewer than ten instructions.
const SCHEMA_STEPS: u32 = 20;
/// How many steps all databases of a library may take together. The largest library within the limits needs a fourth of it.
const LIBRARY_STEPS: u32 = 200_000;
/// What opening a database counts, in steps.
const OPENING: u32 = 50;
/// How long a database may be read. A library within the limits takes a second.
const LONGEST: Duration = Duration::from_secs(30);

/// Limits on the schema and on our own statements. A library that is read here has at most 30 tables of 15 columns, each
/// with fewer than 1,000 bytes of SQL.
const LIMITS: [(Limit, i32); 11] = [
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 4_096),
    (Limit::SQLITE_LIMIT_COLUMN, 64),
    (Limit::SQLITE_LIMIT_SCHEMA, 500),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 50),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 4),
    (Limit::SQLITE_LIMIT_VDBE_OP, 10_000),
    (Limit::SQLITE_LIMIT_FUNCTION_ARG, 8),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
    (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 8),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// What a schema may not do.
const CONFIG: [(DbConfig, bool); 4] = [
    (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
    (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
];

/// The work that reading the databases of a library has taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work(Arc<AtomicU32>);

impl Work {
    /// Adds steps; returns whether these are too many.
    fn add(&self, steps: u32) -> bool {
        self.0.fetch_add(steps, Relaxed).saturating_add(steps) > LIBRARY_STEPS
    }
}

/// Sets the limits of a connection that has not read anything, and reads the schema.
pub(super) fn guard(connection: &mut Connection, longest_value: i32, work: &Work) -> Result<()> {
    for (limit, most) in LIMITS {
        connection.set_limit(limit, most)?;
    }
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, longest_value)?;
    for (config, enabled) in CONFIG {
        connection.set_db_config(config, enabled)?;
    }
    connection.pragma_update(None, "query_only", true)?;
    connection.authorizer(Some(authorize))?;
    let (mut steps, library) = (0, work.clone());
    let of_schema = move || {
        steps += 1;
        steps > SCHEMA_STEPS || library.add(1)
    };
    connection.progress_handler(STEP, Some(of_schema))?;
    let is_over = work.add(OPENING);
    connection.prepare("SELECT name FROM sqlite_schema")?;
    // The file itself says how many pages are to be kept in memory.
    connection.pragma_update(None, "cache_size", -2_000)?;
    let (until, library) = (Instant::now() + LONGEST, work.clone());
    let of_rows = move || is_over || library.add(1) || Instant::now() > until;
    connection.progress_handler(STEP, Some(of_rows))
}

/// Allows what is done here: reading tables, the length of a value, and the columns of a table. The statistics of tables,
/// which SQLite reads by itself, are not allowed: their columns might be computed.
fn authorize(context: AuthContext<'_>) -> Authorization {
    let allowed = match context.action {
        AuthAction::Select => true,
        AuthAction::Read { table_name, .. } => {
            !table_name.starts_with("sqlite_") || matches!(table_name, "sqlite_master" | "sqlite_schema")
        }
        AuthAction::Function { function_name } => function_name == "octet_length",
        AuthAction::Pragma { pragma_name, .. } => matches!(pragma_name, "table_xinfo" | "cache_size"),
        _ => false,
    };
    if allowed { Authorization::Allow } else { Authorization::Deny }
}
