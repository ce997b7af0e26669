//! Usage of applications: events as reported, and their counts.

use rusqlite::{Connection, Transaction, params};

use super::application;
use crate::store::{Store, StoreError};

/// How many days with events an engagement includes.
const DAYS: i64 = 30;
/// How many changes of version it includes.
const VERSIONS: i64 = 100;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UsageKind {
    Session,
    Interaction,
    Keyboard,
    Install,
    Update,
}

impl UsageKind {
    fn stored(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Interaction => "interaction",
            Self::Keyboard => "keyboard",
            Self::Install => "install",
            Self::Update => "update",
        }
    }
}

/// Whose event it is.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// The application with this id, tracked or not.
    Application(String),
    /// The application that last registered with this User-Agent, if any.
    UserAgent(Option<String>),
}

/// A reported change of version.
#[derive(Clone, Debug)]
pub(crate) struct ReportedVersion {
    pub(crate) previous: Option<String>,
    pub(crate) current: String,
}

/// One usage event.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) kind: UsageKind,
    pub(crate) source: Source,
    pub(crate) version: Option<ReportedVersion>,
    /// The body, as it came.
    pub(crate) document: String,
    /// Microseconds since 1970 UTC.
    pub(crate) at: i64,
}

/// The use of one application so far. Times are microseconds since 1970 UTC.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Engagement {
    pub(crate) sessions: i64,
    /// Sessions that are open now.
    pub(crate) open: i64,
    /// Open ones are counted up to now.
    pub(crate) open_micros: i64,
    pub(crate) interactions: i64,
    pub(crate) keyboard: i64,
    pub(crate) installs: i64,
    pub(crate) updates: i64,
    /// None when nothing was ever counted.
    pub(crate) last_active: Option<i64>,
    /// UTC days with events, oldest first, at most the last 30 of them.
    pub(crate) days: Vec<(String, i64)>,
    /// Changes of version, oldest first, at most the last 100 of them.
    pub(crate) versions: Vec<VersionChange>,
}

/// One change of version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VersionChange {
    pub(crate) at: i64,
    pub(crate) previous: Option<String>,
    pub(crate) current: String,
}

impl Store {
    /// Stores an event, and counts it if it has an application.
    pub(crate) fn record_usage(&self, event: Event) -> Result<(), StoreError> {
        self.write(move |db| {
            let Event { kind, source, version, document, at } = event;
            let id = match source {
                Source::Application(id) => Some(id),
                Source::UserAgent(user_agent) => application::of_user_agent(db, user_agent.as_deref())?,
            };
            let sql = "INSERT INTO usage (kind, application, at, document) VALUES (?1, ?2, ?3, ?4)";
            db.prepare_cached(sql)?.execute(params![kind.stored(), id, at, document])?;
            let Some(id) = id else { return Ok(()) };
            count(db, &id, kind, at)?;
            match version {
                Some(ReportedVersion { previous, current }) => {
                    application::update_version(db, &id, previous.as_deref(), &current, at)
                }
                None => Ok(()),
            }
        })
    }
}

/// Counts one event of an application on its UTC day.
pub(in crate::store) fn count(db: &Transaction, application: &str, kind: UsageKind, at: i64) -> Result<(), StoreError> {
    let sql = "INSERT INTO usage_day (application, day, kind, events, last)
        VALUES (?1, date(?3 / 1000000, 'unixepoch'), ?2, 1, ?3)
        ON CONFLICT (application, day, kind) DO UPDATE SET events = events + 1, last = max(last, excluded.last)";
    db.prepare_cached(sql)?.execute(params![application, kind.stored(), at])?;
    Ok(())
}

/// Everything counted of one application.
pub(in crate::store) fn engagement(db: &Connection, application: &str, now: i64) -> Result<Engagement, StoreError> {
    let mut found = Engagement::default();
    let sql = "SELECT count(*), count(*) - count(closed), coalesce(sum(max(coalesce(closed, ?2) - opened, 0)), 0),
        max(closed) FROM session WHERE application = ?1";
    let last_closed: Option<i64> = db.prepare_cached(sql)?.query_row(params![application, now], |row| {
        (found.sessions, found.open, found.open_micros) = (row.get(0)?, row.get(1)?, row.get(2)?);
        row.get(3)
    })?;
    let mut kinds =
        db.prepare_cached("SELECT kind, sum(events), max(last) FROM usage_day WHERE application = ?1 GROUP BY kind")?;
    let mut rows = kinds.query([application])?;
    found.last_active = last_closed;
    while let Some(row) = rows.next()? {
        let events = row.get(1)?;
        match row.get_ref(0)?.as_str().unwrap_or_default() {
            "interaction" => found.interactions = events,
            "keyboard" => found.keyboard = events,
            "install" => found.installs = events,
            "update" => found.updates = events,
            _ => {}
        }
        found.last_active = found.last_active.max(Some(row.get(2)?));
    }
    found.days = days(db, application)?;
    found.versions = versions(db, application)?;
    Ok(found)
}

fn days(db: &Connection, application: &str) -> Result<Vec<(String, i64)>, StoreError> {
    let sql = "SELECT day, sum(events) FROM usage_day WHERE application = ?1 GROUP BY day ORDER BY day DESC LIMIT ?2";
    let mut statement = db.prepare_cached(sql)?;
    let rows = statement.query_map(params![application, DAYS], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut days = rows.collect::<Result<Vec<_>, _>>()?;
    days.reverse();
    Ok(days)
}

fn versions(db: &Connection, application: &str) -> Result<Vec<VersionChange>, StoreError> {
    let sql = "SELECT at, previous, current FROM application_version WHERE application = ?1
        ORDER BY row DESC LIMIT ?2";
    let mut statement = db.prepare_cached(sql)?;
    let rows = statement.query_map(params![application, VERSIONS], |row| {
        Ok(VersionChange { at: row.get(0)?, previous: row.get(1)?, current: row.get(2)? })
    })?;
    let mut versions = rows.collect::<Result<Vec<_>, _>>()?;
    versions.reverse();
    Ok(versions)
}
