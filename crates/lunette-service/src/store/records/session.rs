//! Sessions: periods of use of an application.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::application;
use super::usage::{self, UsageKind};
use crate::store::{Store, StoreError};

/// One session. Times are microseconds since 1970 UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionRow {
    pub(crate) id: String,
    pub(crate) opened: i64,
    /// None while it is open.
    pub(crate) closed: Option<i64>,
}

impl Store {
    /// Opens a session of the application that last registered with this User-Agent, if any.
    pub(crate) fn open_session(&self, user_agent: Option<String>, at: i64) -> Result<SessionRow, StoreError> {
        self.write(move |db| {
            let application = application::of_user_agent(db, user_agent.as_deref())?;
            let id = uuid::Uuid::new_v4().to_string();
            let sql = "INSERT INTO session (id, application, opened) VALUES (?1, ?2, ?3)";
            db.prepare_cached(sql)?.execute(params![id, application, at])?;
            if let Some(application) = application {
                usage::count(db, &application, UsageKind::Session, at)?;
            }
            Ok(SessionRow { id, opened: at, closed: None })
        })
    }

    /// Opens a session of the service's own application. One that a crashed run left open is closed with the last known
    /// time of that run.
    pub(crate) fn open_own_session(&self, at: i64) -> Result<SessionRow, StoreError> {
        self.write(move |db| {
            let sql = "SELECT id FROM application WHERE own = 1";
            let application: String = db.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
            let sql = "UPDATE session SET closed = max(opened, coalesce(
                    (SELECT max(last) FROM usage_day WHERE application = ?1 AND last <= ?2), opened))
                WHERE application = ?1 AND closed IS NULL";
            db.prepare_cached(sql)?.execute(params![application, at])?;
            let id = uuid::Uuid::new_v4().to_string();
            let sql = "INSERT INTO session (id, application, opened) VALUES (?1, ?2, ?3)";
            db.prepare_cached(sql)?.execute(params![id, application, at])?;
            usage::count(db, &application, UsageKind::Session, at)?;
            Ok(SessionRow { id, opened: at, closed: None })
        })
    }

    /// Closes a session; without an id, the open one that was opened last, the service's own left out. A closed one is
    /// unchanged. Fails with [`StoreError::NotFound`], and with [`StoreError::Invalid`] when none is named and none is
    /// open.
    pub(crate) fn close_session(&self, id: Option<String>, at: i64) -> Result<SessionRow, StoreError> {
        self.write(move |db| {
            let found = match &id {
                Some(id) => find(db, id)?.ok_or_else(|| StoreError::not_found("session", id))?,
                None => {
                    latest_open(db)?.ok_or_else(|| StoreError::invalid("no session is open, and no id was given"))?
                }
            };
            if found.closed.is_some() {
                return Ok(found);
            }
            // A clock set back must not make a session end before it began.
            let closed = at.max(found.opened);
            let sql = "UPDATE session SET closed = ?2 WHERE id = ?1";
            db.prepare_cached(sql)?.execute(params![found.id, closed])?;
            Ok(SessionRow { closed: Some(closed), ..found })
        })
    }

    /// The id of the session that was opened last.
    pub(crate) fn latest_session(&self) -> Result<Option<String>, StoreError> {
        self.read(|db| {
            let mut statement = db.prepare_cached("SELECT id FROM session ORDER BY row DESC LIMIT 1")?;
            Ok(statement.query_row([], |row| row.get(0)).optional()?)
        })
    }

    /// One session. Fails with [`StoreError::NotFound`].
    pub(crate) fn session(&self, id: &str) -> Result<SessionRow, StoreError> {
        self.read(|db| find(db, id)?.ok_or_else(|| StoreError::not_found("session", id)))
    }
}

fn session(row: &Row) -> rusqlite::Result<SessionRow> {
    Ok(SessionRow { id: row.get("id")?, opened: row.get("opened")?, closed: row.get("closed")? })
}

fn find(db: &Connection, id: &str) -> Result<Option<SessionRow>, StoreError> {
    let sql = "SELECT id, opened, closed FROM session WHERE id = ?1";
    Ok(db.prepare_cached(sql)?.query_row([id], session).optional()?)
}

fn latest_open(db: &Connection) -> Result<Option<SessionRow>, StoreError> {
    let sql = "SELECT id, opened, closed FROM session WHERE closed IS NULL
        AND (application IS NULL OR application NOT IN (SELECT id FROM application WHERE own = 1))
        ORDER BY row DESC LIMIT 1";
    Ok(db.prepare_cached(sql)?.query_row([], session).optional()?)
}
