//! A tracked application in the list.

use std::borrow::Cow;
use std::cmp::Ordering;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::filter::{Field, Filterable, Flag, List, compare_versions};
use crate::listing::rows::readable_word;
use crate::listing::{Column, Row};
use lunette_client::model::View;
use lunette_client::model::application::Application;
use lunette_client::model::time::moment;

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
    fn of(engagement: &Value) -> Self {
        let count = |name: &str| engagement.get(name).and_then(Value::as_u64).unwrap_or_default();
        Self {
            sessions: count("sessions"),
            interactions: count("interactions"),
            keyboard: count("keyboard"),
            open_seconds: count("open_seconds"),
        }
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

/// A column of the applications.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the field of its name")]
pub enum ApplicationColumn {
    Name,
    Version,
    Platform,
    Status,
    Privacy,
    Capabilities,
    Sessions,
    Events,
    LastActive,
}

impl ApplicationRow {
    /// Reads a record.
    pub fn of(application: View<'_, Application>) -> Self {
        let tree = application.tree();
        let engagement = tree.get("engagement");
        let count = |name: &str| engagement.and_then(|given| given.get(name)).and_then(Value::as_i64);
        let status = tree.get("status").and_then(Value::as_str);
        let descriptor = tree.get("descriptor").and_then(Value::as_str).filter(|name| !name.is_empty());
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
                .and_then(Value::as_str)
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
    /// says `Open` or `Idle` in the place of whether it is onboarded.
    pub fn lasting_status(&self) -> &str {
        match self.status.as_str() {
            "Open" | "Idle" if self.onboarded => "Onboarded",
            "Open" | "Idle" => "Not onboarded",
            status => status,
        }
    }
}

impl Row for ApplicationRow {
    type Column = ApplicationColumn;

    fn compare(&self, other: &Self, column: ApplicationColumn) -> Ordering {
        match column {
            ApplicationColumn::Name => self.name.cmp(&other.name),
            ApplicationColumn::Version => compare_versions(&self.version, &other.version),
            ApplicationColumn::Platform => self.platform.cmp(&other.platform),
            ApplicationColumn::Status => self.status.cmp(&other.status),
            ApplicationColumn::Privacy => self.privacy.cmp(&other.privacy),
            ApplicationColumn::Capabilities => self.capabilities.cmp(&other.capabilities),
            ApplicationColumn::Sessions => self.sessions.cmp(&other.sessions),
            ApplicationColumn::Events => self.events.cmp(&other.events),
            ApplicationColumn::LastActive => {
                let last = |row: &Self| row.last_active.as_deref().and_then(moment);
                last(self).cmp(&last(other))
            }
        }
    }
}

impl Filterable for ApplicationRow {
    const LIST: List = List::Applications;

    fn haystack(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.haystack)
    }

    fn any_text(&self, field: Field, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        // The interface's words are written with underscores, and shown without.
        let mut word = |text: &str| !text.is_empty() && (wanted(text) || wanted(&text.replace('_', " ")));
        match field {
            Field::Name => word(&self.name) || word(&readable_word(&self.name)),
            Field::Id => word(&self.id),
            Field::Version => word(&self.version),
            Field::Platform => word(&self.platform),
            Field::Status => word(&self.status),
            Field::Privacy => word(&self.privacy),
            Field::Capabilities => word(&self.capabilities),
            _ => false,
        }
    }

    fn number(&self, field: Field) -> Option<i64> {
        match field {
            Field::Sessions => self.sessions,
            Field::Events => self.events,
            _ => None,
        }
    }

    fn moment(&self, field: Field) -> Option<Timestamp> {
        match field {
            Field::Active => self.last_active.as_deref().and_then(moment),
            _ => None,
        }
    }

    fn is(&self, flag: Flag) -> bool {
        flag == Flag::Onboarded && self.onboarded
    }
}

impl Column for ApplicationColumn {
    const ALL: &'static [Self] = &[
        Self::Name,
        Self::Version,
        Self::Platform,
        Self::Status,
        Self::Privacy,
        Self::Capabilities,
        Self::Sessions,
        Self::Events,
        Self::LastActive,
    ];

    fn key(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Version => "version",
            Self::Platform => "platform",
            Self::Status => "status",
            Self::Privacy => "privacy",
            Self::Capabilities => "capabilities",
            Self::Sessions => "sessions",
            Self::Events => "events",
            Self::LastActive => "active",
        }
    }
}
