//! Tracked applications: registered ones, and the service's own.

use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::{Map, Value};

use super::usage::{self, Engagement};
use crate::store::{Store, StoreError};

/// The most bytes of the record of an application, as JSON. Our choice: the interface names no sizes.
const DOCUMENT_BYTES: usize = 256 << 10;

/// One tracked application with its usage.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tracked {
    /// As it was registered.
    pub(crate) document: Map<String, Value>,
    pub(crate) engagement: Engagement,
}

/// A registration request.
#[derive(Clone, Debug)]
pub(crate) struct Registration {
    /// The application's record; `id` is its id.
    pub(crate) document: Map<String, Value>,
    /// Usage with this User-Agent is attributed to this application from now on.
    pub(crate) user_agent: Option<String>,
    /// Microseconds since 1970 UTC.
    pub(crate) at: i64,
}

/// An application that connects without an id.
#[derive(Clone, Debug)]
pub(crate) struct Connecting {
    /// Its record, without an id.
    pub(crate) document: Map<String, Value>,
    /// Whether it sent a privacy setting; else the stored one is kept.
    pub(crate) privacy_told: bool,
    /// Usage with this User-Agent is attributed to this application from now on.
    pub(crate) user_agent: Option<String>,
    /// Microseconds since 1970 UTC.
    pub(crate) at: i64,
}

impl Store {
    /// Every tracked application, in the order they were first registered, the service's own first.
    pub(crate) fn applications(&self, now: i64) -> Result<Vec<Tracked>, StoreError> {
        self.read(move |db| {
            let mut statement = db.prepare_cached("SELECT id, document FROM application ORDER BY own DESC, row")?;
            let rows = statement.query_map([], stored)?;
            rows.map(|row| tracked(db, row?, now)).collect()
        })
    }

    /// One tracked application. Fails with [`StoreError::NotFound`].
    pub(crate) fn application(&self, id: &str, now: i64) -> Result<Tracked, StoreError> {
        self.read(|db| match find(db, id)? {
            Some((_, found)) => tracked(db, found, now),
            None => Err(StoreError::not_found("application", id)),
        })
    }

    /// Tracks an application, or merges what is given into the one of this id: fields that are absent or null are kept.
    /// A new version is recorded as a change of version.
    pub(crate) fn register(&self, registration: Registration) -> Result<Tracked, StoreError> {
        self.write(move |db| {
            let Registration { document, user_agent, at } = registration;
            let (row, found) = upsert(db, document, Role::Client, at)?;
            attribute(db, user_agent.as_deref(), row)?;
            tracked(db, found, at)
        })
    }

    /// Tracks the application that connects: the one of this name and platform that last registered with the same
    /// User-Agent, else the oldest of this name and platform, else a new one.
    pub(crate) fn connect(&self, connecting: Connecting) -> Result<Tracked, StoreError> {
        self.write(move |db| {
            let Connecting { mut document, privacy_told, user_agent, at } = connecting;
            let known = same_application(db, &document, user_agent.as_deref())?;
            if known.is_some() && !privacy_told {
                document.shift_remove("privacy");
            }
            let id = known.unwrap_or_else(|| uuid::Uuid::new_v4().to_string());
            document.insert("id".to_owned(), id.into());
            let (row, found) = upsert(db, document, Role::Client, at)?;
            attribute(db, user_agent.as_deref(), row)?;
            tracked(db, found, at)
        })
    }

    /// Merges what is given into the tracked application of its id. Fails with [`StoreError::NotFound`].
    pub(crate) fn update_application(&self, document: Map<String, Value>, at: i64) -> Result<Tracked, StoreError> {
        self.write(move |db| {
            let id = document.get("id").and_then(Value::as_str).unwrap_or_default();
            if find(db, id)?.is_none() {
                return Err(StoreError::not_found("application", id));
            }
            let (_, found) = upsert(db, document, Role::Client, at)?;
            tracked(db, found, at)
        })
    }

    /// Stops tracking an application. Its sessions and usage stay, by its id, unless `usage` is true. Fails with
    /// [`StoreError::NotFound`], and with [`StoreError::Conflict`] for the service's own.
    pub(crate) fn delete_application(&self, id: &str, usage: bool) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write_freeing(move |db| {
            let found = db
                .prepare_cached("SELECT row, own FROM application WHERE id = ?1")?
                .query_row([&id], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, bool>(1)?)))
                .optional()?;
            match found {
                None => Err(StoreError::not_found("application", &id)),
                Some((_, true)) => {
                    Err(StoreError::Conflict("Lunette itself is always tracked and cannot be removed".into()))
                }
                Some((row, false)) => {
                    db.prepare_cached("DELETE FROM application WHERE row = ?1")?.execute([row])?;
                    if usage { delete_usage(db, &id) } else { Ok(()) }
                }
            }
        })
    }

    /// Tracks the service's own application: made with a new id at the first start, and brought up to date later.
    pub(crate) fn register_own(&self, mut document: Map<String, Value>, at: i64) -> Result<(), StoreError> {
        // It frees nothing, but starting on a full disk needs it, and it replaces what the last start wrote.
        self.write_freeing(move |db| {
            let sql = "SELECT id FROM application WHERE own = 1";
            let id: Option<String> = db.prepare_cached(sql)?.query_row([], |row| row.get(0)).optional()?;
            let id = id.unwrap_or_else(|| uuid::Uuid::new_v4().to_string());
            document.insert("id".to_owned(), id.into());
            upsert(db, document.clone(), Role::Service, at)?;
            Ok(())
        })
    }
}

/// Stores the record of an application that no other has the id of.
pub(in crate::store) fn insert(db: &Transaction, document: Map<String, Value>, at: i64) -> Result<(), StoreError> {
    upsert(db, document, Role::Client, at).map(drop)
}

/// Deletes what is kept of the use of an application by its id.
fn delete_usage(db: &Connection, id: &str) -> Result<(), StoreError> {
    for table in ["session", "usage", "usage_day", "application_version"] {
        db.prepare_cached(&format!("DELETE FROM {table} WHERE application = ?1"))?.execute([id])?;
    }
    Ok(())
}

/// Records a new version of an application, and updates its record if it is tracked.
pub(in crate::store) fn update_version(
    db: &Transaction,
    id: &str,
    reported: Option<&str>,
    current: &str,
    at: i64,
) -> Result<(), StoreError> {
    let found = find(db, id)?;
    let known = found.as_ref().and_then(|(_, (_, document))| version(document).map(str::to_owned));
    record_version(db, id, reported.or(known.as_deref()), current, at)?;
    if let Some((row, (_, mut document))) = found {
        document.insert("version".to_owned(), current.into());
        save(db, row, &document)?;
    }
    Ok(())
}

/// The id of the application that last registered with this User-Agent.
pub(in crate::store) fn of_user_agent(db: &Connection, user_agent: Option<&str>) -> Result<Option<String>, StoreError> {
    let sql = "SELECT application.id FROM registration JOIN application ON application.row = registration.application
        WHERE user_agent = ?1";
    let Some(user_agent) = user_agent else { return Ok(None) };
    Ok(db.prepare_cached(sql)?.query_row([user_agent], |row| row.get(0)).optional()?)
}

/// Attributes usage with this User-Agent to an application from now on.
fn attribute(db: &Transaction, user_agent: Option<&str>, application: i64) -> Result<(), StoreError> {
    let Some(user_agent) = user_agent else { return Ok(()) };
    let sql = "INSERT INTO registration (user_agent, application) VALUES (?1, ?2)
        ON CONFLICT (user_agent) DO UPDATE SET application = excluded.application";
    db.prepare_cached(sql)?.execute(params![user_agent, application])?;
    Ok(())
}

/// The id of the tracked application of the same name and platform; never the service's own.
fn same_application(
    db: &Transaction,
    document: &Map<String, Value>,
    user_agent: Option<&str>,
) -> Result<Option<String>, StoreError> {
    let word = |field: &str| document.get(field).and_then(Value::as_str).unwrap_or_default();
    let sql = "SELECT id FROM application
        WHERE own = 0 AND document ->> '$.name' = ?1 AND document ->> '$.platform' = ?2
        ORDER BY row IN (SELECT application FROM registration WHERE user_agent = ?3) DESC, row LIMIT 1";
    let found =
        db.prepare_cached(sql)?.query_row(params![word("name"), word("platform"), user_agent], |row| row.get(0));
    Ok(found.optional()?)
}

type Stored = (String, Map<String, Value>);

fn stored(row: &Row) -> rusqlite::Result<Stored> {
    let document: String = row.get("document")?;
    Ok((row.get("id")?, serde_json::from_str(&document).unwrap_or_default()))
}

fn find(db: &Connection, id: &str) -> Result<Option<(i64, Stored)>, StoreError> {
    let sql = "SELECT row, id, document FROM application WHERE id = ?1";
    let found = db.prepare_cached(sql)?.query_row([id], |row| Ok((row.get("row")?, stored(row)?)));
    Ok(found.optional()?)
}

fn tracked(db: &Connection, (id, document): Stored, now: i64) -> Result<Tracked, StoreError> {
    Ok(Tracked { document, engagement: usage::engagement(db, &id, now)? })
}

/// What a tracked application is to this service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// The service itself.
    Service,
    Client,
}

fn upsert(db: &Transaction, document: Map<String, Value>, role: Role, at: i64) -> Result<(i64, Stored), StoreError> {
    let id = document.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let Some((row, (id, mut stored))) = find(db, &id)? else {
        check_size(0, &document)?;
        let sql = "INSERT INTO application (id, own, document) VALUES (?1, ?2, ?3)";
        db.prepare_cached(sql)?.execute(params![id, role == Role::Service, text(&document)])?;
        return Ok((db.last_insert_rowid(), (id, document)));
    };
    let (before, size) = (version(&stored).map(str::to_owned), text(&stored).len());
    merge(&mut stored, document);
    // The id may differ in case.
    stored.insert("id".to_owned(), id.as_str().into());
    check_size(size, &stored)?;
    if let Some(current) = version(&stored)
        && before.as_deref() != Some(current)
    {
        record_version(db, &id, before.as_deref(), current, at)?;
    }
    save(db, row, &stored)?;
    Ok((row, (id, stored)))
}

/// Fails with [`StoreError::Invalid`] if a record has grown over the limit. It is copied into the records of its assets.
fn check_size(before: usize, document: &Map<String, Value>) -> Result<(), StoreError> {
    let after = text(document).len();
    match after > DOCUMENT_BYTES && after > before {
        true => Err(StoreError::invalid(format!(
            "the limit for the record of an application is {DOCUMENT_BYTES} bytes; this is {after} bytes"
        ))),
        false => Ok(()),
    }
}

fn save(db: &Transaction, row: i64, document: &Map<String, Value>) -> Result<(), StoreError> {
    db.prepare_cached("UPDATE application SET document = ?2 WHERE row = ?1")?.execute(params![row, text(document)])?;
    Ok(())
}

/// Adds a change of version, unless it is not a change or a repetition of the last one.
fn record_version(
    db: &Transaction,
    id: &str,
    previous: Option<&str>,
    current: &str,
    at: i64,
) -> Result<(), StoreError> {
    let sql = "SELECT previous, current FROM application_version WHERE application = ?1 ORDER BY row DESC LIMIT 1";
    let last: Option<(Option<String>, String)> =
        db.prepare_cached(sql)?.query_row([id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let known = last.is_some_and(|(before, after)| before.as_deref() == previous && after == current);
    if known || previous == Some(current) {
        return Ok(());
    }
    let sql = "INSERT INTO application_version (application, at, previous, current) VALUES (?1, ?2, ?3, ?4)";
    db.prepare_cached(sql)?.execute(params![id, at, previous, current])?;
    Ok(())
}

/// Merges the given fields: objects recursively, other values as a whole. Absent or null fields are kept.
fn merge(stored: &mut Map<String, Value>, given: Map<String, Value>) {
    for (name, value) in given {
        match (stored.get_mut(&name), value) {
            (_, Value::Null) => {}
            (Some(Value::Object(stored)), Value::Object(given)) => merge(stored, given),
            (_, value) => {
                stored.insert(name, value);
            }
        }
    }
}

fn version(document: &Map<String, Value>) -> Option<&str> {
    document.get("version").and_then(Value::as_str)
}

fn text(document: &Map<String, Value>) -> String {
    // A map with text keys is always valid JSON.
    serde_json::to_string(document).unwrap_or_default()
}
