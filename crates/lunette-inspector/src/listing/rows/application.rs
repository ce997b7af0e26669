//! A tracked application in the list.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::filter::{Field, Filterable, Flag, List};
use crate::listing::{Column, Columns, Row, Value};
use lunette_client::model::View;
use lunette_client::model::application::Application;

/// A tracked application in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct ApplicationRow {
    /// Its id as the service gave it; not every service gives UUIDs.
    pub id: String,
    /// Its name, one of the interface's words.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its platform.
    pub platform: String,
    /// Its status, where the service gives one; else whether it is onboarded, if that is told.
    pub status: String,
    /// Its privacy.
    pub privacy: String,
    /// Its capabilities, if given.
    pub capabilities: String,
    /// Sessions, where the service counts them.
    pub sessions: Option<i64>,
    /// Interactions and keyboard events together, where the service counts them.
    pub events: Option<i64>,
    /// How much it was used in all, where the service counts it.
    pub usage: Option<Usage>,
    /// When it was last active (RFC 3339), where the service says so.
    pub last_active: Option<String>,
    onboarded: bool,
    haystack: String,
}

/// How much an application was used, counted since it is tracked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Sessions.
    pub sessions: u64,
    /// Interactions.
    pub interactions: u64,
    /// Keyboard events.
    pub keyboard: u64,
    /// How long it was open, in seconds.
    pub open_seconds: u64,
}

impl Usage {
    /// Reads the engagement of a record; what it does not count is 0.
    fn of(engagement: &Json) -> Self {
        let count = |name: &str| engagement.get(name).and_then(Json::as_u64).unwrap_or_default();
        Self {
            sessions: count("sessions"),
            interactions: count("interactions"),
            keyboard: count("keyboard"),
            open_seconds: count("open_seconds"),
        }
    }

    /// Interactions and keyboard events together.
    pub fn events(self) -> u64 {
        self.interactions.saturating_add(self.keyboard)
    }

    /// A number that has the order of events, and where they are equal of sessions.
    pub(super) fn rank(self) -> i128 {
        i128::from(self.events().min(i64::MAX as u64)) << 64 | i128::from(self.sessions)
    }

    /// What came on top of `before`; nothing where a counter went back, which a service that begins anew does.
    pub fn since(self, before: Self) -> Self {
        Self {
            sessions: self.sessions.saturating_sub(before.sessions),
            interactions: self.interactions.saturating_sub(before.interactions),
            keyboard: self.keyboard.saturating_sub(before.keyboard),
            open_seconds: self.open_seconds.saturating_sub(before.open_seconds),
        }
    }
}

impl ApplicationRow {
    /// Reads a record.
    pub fn of(application: View<'_, Application>) -> Self {
        let tree = application.tree();
        let engagement = tree.get("engagement");
        let count = |name: &str| engagement.and_then(|given| given.get(name)).and_then(Json::as_i64);
        let status = tree.get("status").and_then(Json::as_str);
        let descriptor = tree.get("descriptor").and_then(Json::as_str).filter(|name| !name.is_empty());
        let onboarded = application.onboarded();
        let events = match (count("interactions"), count("keyboard")) {
            (None, None) => None,
            (clicks, keys) => Some(clicks.unwrap_or_default() + keys.unwrap_or_default()),
        };
        let mut row = Self {
            id: application.id().to_owned(),
            // A name the interface has no word for travels as `descriptor`, a field of later clients (records, 2.1).
            name: descriptor.unwrap_or(application.name()).to_owned(),
            version: application.version().to_owned(),
            platform: application.platform().to_owned(),
            status: status.unwrap_or_else(|| onboarding(application)).to_owned(),
            privacy: application.privacy().to_owned(),
            capabilities: application.capabilities().unwrap_or_default().to_owned(),
            sessions: count("sessions"),
            events,
            usage: engagement.map(Usage::of),
            last_active: engagement
                .and_then(|given| given.get("last_active"))
                .and_then(Json::as_str)
                .map(str::to_owned),
            onboarded,
            haystack: String::new(),
        };
        let words = [&row.name, &row.version, &row.platform, &row.status, &row.privacy, &row.capabilities, &row.id];
        row.haystack = words.map(|word| word.to_lowercase().replace('_', " ")).join("\n");
        row
    }
}

/// Whether an application is onboarded, in words; empty if its record does not tell that.
pub fn onboarding(application: View<'_, Application>) -> &'static str {
    match (application.tells("onboarded"), application.onboarded()) {
        (false, _) => "",
        (true, true) => "Onboarded",
        (true, false) => "Not onboarded",
    }
}

impl ApplicationRow {
    /// Its status without whether it is used now: an application that is opened or closed is the same one. Our own service
    /// says `Open` or `Idle` in place of whether it is onboarded.
    pub fn lasting_status(&self) -> &str {
        match self.status.as_str() {
            "Open" | "Idle" if self.onboarded => "Onboarded",
            "Open" | "Idle" => "Not onboarded",
            status => status,
        }
    }
}

impl Columns for ApplicationRow {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::id(|row: &Self| Value::text(&row.id)).field(Field::Id),
        Column::text("name", "Name", |row: &Self| Value::word(&row.name))
            .wide(150.0)
            .growing(1.0)
            .field(Field::Name)
            .printed(),
        Column::text("version", "Version", |row: &Self| Value::version(&row.version))
            .wide(72.0)
            .from(400.0)
            .field(Field::Version)
            .printed(),
        Column::text("platform", "Platform", |row: &Self| Value::word(&row.platform))
            .wide(84.0)
            .from(780.0)
            .field(Field::Platform)
            .printed(),
        Column::text("status", "Status", |row: &Self| Value::word(&row.status))
            .wide(108.0)
            .field(Field::Status)
            .printed(),
        Column::text("privacy", "Privacy", |row: &Self| Value::word(&row.privacy))
            .wide(84.0)
            .from(860.0)
            .field(Field::Privacy),
        Column::text("capabilities", "Capabilities", |row: &Self| Value::word(&row.capabilities))
            .wide(100.0)
            .from(660.0)
            .field(Field::Capabilities),
        Column::figures("sessions", "Sessions", |row: &Self| row.sessions.into())
            .wide(74.0)
            .from(430.0)
            .field(Field::Sessions)
            .printed(),
        Column::figures("events", "Events", |row: &Self| row.events.into())
            .wide(66.0)
            .from(500.0)
            .field(Field::Events)
            .printed(),
        Column::figures("active", "Last active", |row: &Self| {
            row.last_active.as_deref().map_or(Value::NotTold, Value::moment)
        })
        .wide(96.0)
        .from(380.0)
        .field(Field::Active)
        .printed(),
    ];
}

impl Row for ApplicationRow {
    type Key = String;

    fn key(&self) -> String {
        self.id.clone()
    }
}

impl Filterable for ApplicationRow {
    const LIST: List = List::Applications;

    fn haystack(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.haystack)
    }

    fn is(&self, flag: Flag) -> bool {
        flag == Flag::Onboarded && self.onboarded
    }
}
