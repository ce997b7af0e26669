//! An external application in the list.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::app::filter::{Field, Filterable, Flag, List, compare_versions};
use crate::app::listing::{Column, Row};
use lunette_client::model::View;
use lunette_client::model::application::DetectedExternalApplication;

/// An external application in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalRow {
    /// Its name.
    pub name: String,
    /// Its version, if known.
    pub version: String,
    /// Whether it is there.
    pub state: ExternalState,
    /// Whether it is among those that were detected on the machine.
    pub detected: bool,
    /// Whether it is one of those that integrate with the service.
    pub related: bool,
    /// The interface's word for it, where the service gives one.
    pub identifier: Option<String>,
    /// What tells that it is there, in the service's word, where it says.
    pub found_by: Option<String>,
    /// The file or folder that was detected, if the service reports it.
    pub path: Option<String>,
    haystack: String,
}

/// Tells an external application from the others of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalKey {
    /// Its name.
    pub name: String,
    /// Its version, if known.
    pub version: String,
}

/// Whether an external application is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExternalState {
    /// Found on the machine.
    Installed,
    /// Known, not found.
    NotInstalled,
    /// Expected to be supported later.
    Anticipated,
}

impl ExternalState {
    /// What the state means, in a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Installed => "It was found on this machine.",
            Self::NotInstalled => "There is an integration for it, but it was not found on this machine.",
            Self::Anticipated => "An integration for it is planned, but does not exist yet.",
        }
    }

    /// The state in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Installed => "Installed",
            Self::NotInstalled => "Not installed",
            Self::Anticipated => "Anticipated",
        }
    }

    /// The state for programs, which does not change with the wording.
    pub fn token(self) -> &'static str {
        match self {
            Self::Installed => "installed",
            Self::NotInstalled => "not_installed",
            Self::Anticipated => "anticipated",
        }
    }
}

/// A column of the external applications.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the field of its name")]
pub enum ExternalColumn {
    Name,
    Version,
    State,
    Related,
}

impl ExternalRow {
    /// The key that identifies it.
    pub fn key(&self) -> ExternalKey {
        ExternalKey { name: self.name.clone(), version: self.version.clone() }
    }

    /// A description of its integration.
    pub fn integration(&self) -> &'static str {
        match (self.related, self.state) {
            (false, _) => "None",
            (true, ExternalState::Anticipated) => "Planned",
            (true, ExternalState::Installed | ExternalState::NotInstalled) => "Available",
        }
    }

    /// A description of how it was detected; `None` if the service does not report it.
    pub fn found_by_words(&self) -> Option<&str> {
        Some(match self.found_by.as_deref()? {
            "desktop_entry" => "Desktop entry",
            "flatpak" => "Flatpak",
            "snap" => "Snap",
            "appimage" => "AppImage",
            "bundle" => "Application bundle",
            "uninstall_key" => "Windows registry",
            "start_menu" => "Start menu",
            other => other,
        })
    }

    /// Why it cannot be tracked, in a sentence; None where it can. Our choice: what is not on the machine is not used
    /// there, so there is nothing to track. One whose integration is only planned tells its version once it is installed.
    pub fn track_obstacle(&self) -> Option<&'static str> {
        match self.state {
            ExternalState::Installed => None,
            ExternalState::Anticipated if !self.version.is_empty() => None,
            ExternalState::NotInstalled => Some("It is not installed on this machine"),
            ExternalState::Anticipated => {
                Some("It is not installed on this machine, and its integration is only planned")
            }
        }
    }

    fn new(record: View<'_, DetectedExternalApplication>, state: ExternalState, related: bool) -> Self {
        let text = |field: &str| record.tree().get(field).and_then(serde_json::Value::as_str).map(str::to_owned);
        let mut row = Self {
            name: record.name().to_owned(),
            version: record.version().unwrap_or_default().to_owned(),
            state,
            detected: !related,
            related,
            identifier: text("identifier"),
            found_by: text("found_by"),
            path: text("path"),
            haystack: String::new(),
        };
        let integration = if related { "integration" } else { "" };
        row.haystack = [&row.name, &row.version, state.as_str(), integration].join("\n").to_lowercase();
        row
    }

    /// Detected and related applications as one list, by name. Where the service does not say what a related one is
    /// (the record has no field for it), one that was detected is installed and any other is not.
    pub fn merged<'a>(
        detected: impl Iterator<Item = View<'a, DetectedExternalApplication>>,
        related: impl Iterator<Item = View<'a, DetectedExternalApplication>>,
    ) -> Vec<Self> {
        let mut rows: Vec<Self> = detected.map(|record| Self::new(record, ExternalState::Installed, false)).collect();
        for record in related {
            let place = rows.iter().position(|row| row.name.eq_ignore_ascii_case(record.name()));
            let state = match record.tree().get("state").and_then(serde_json::Value::as_str) {
                Some("installed") => ExternalState::Installed,
                Some("anticipated") => ExternalState::Anticipated,
                Some(_) => ExternalState::NotInstalled,
                None if place.is_some() => ExternalState::Installed,
                None => ExternalState::NotInstalled,
            };
            let row = Self::new(record, state, true);
            match place {
                Some(place) => {
                    // What the list of integrations does not say, the machine may.
                    let found = &mut rows[place];
                    let version = if row.version.is_empty() { std::mem::take(&mut found.version) } else { row.version };
                    let found_by = row.found_by.or_else(|| found.found_by.take());
                    let path = row.path.or_else(|| found.path.take());
                    *found = Self { version, found_by, path, detected: found.detected, ..row };
                }
                None => rows.push(row),
            }
        }
        rows.sort_by_cached_key(|row| row.name.to_lowercase());
        rows
    }
}

impl Row for ExternalRow {
    type Column = ExternalColumn;

    fn compare(&self, other: &Self, column: ExternalColumn) -> Ordering {
        match column {
            ExternalColumn::Name => self.name.to_lowercase().cmp(&other.name.to_lowercase()),
            ExternalColumn::Version => compare_versions(&self.version, &other.version),
            ExternalColumn::State => self.state.cmp(&other.state),
            ExternalColumn::Related => other.related.cmp(&self.related),
        }
    }
}

impl Filterable for ExternalRow {
    const LIST: List = List::External;

    fn haystack(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.haystack)
    }

    fn any_text(&self, field: Field, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        let text = match field {
            Field::Name => &self.name,
            Field::Version => &self.version,
            // As people read it, and as programs are given it.
            Field::State => return wanted(self.state.as_str()) || wanted(self.state.token()),
            _ => "",
        };
        !text.is_empty() && wanted(text)
    }

    fn is(&self, flag: Flag) -> bool {
        match flag {
            Flag::Installed => self.state == ExternalState::Installed,
            Flag::Missing => self.state == ExternalState::NotInstalled,
            Flag::Anticipated => self.state == ExternalState::Anticipated,
            Flag::Integration => self.related,
            _ => false,
        }
    }
}

impl Column for ExternalColumn {
    const ALL: &'static [Self] = &[Self::Name, Self::Version, Self::State, Self::Related];

    fn key(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Version => "version",
            Self::State => "state",
            Self::Related => "integration",
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use jiff::tz::TimeZone;

    use super::*;
    use crate::app::filter::{CompiledFilter, parse};

    #[test]
    fn a_filter_matches_only_the_whole_state() {
        let left = |filter: &str| {
            let filter = parse(filter, List::External).expect("a filter");
            let compiled = CompiledFilter::new(&filter, &Timestamp::UNIX_EPOCH.to_zoned(TimeZone::UTC));
            let row = |state| ExternalRow {
                name: "a".to_owned(),
                version: String::new(),
                state,
                detected: false,
                related: false,
                identifier: None,
                found_by: None,
                path: None,
                haystack: String::new(),
            };
            let all = [ExternalState::Installed, ExternalState::NotInstalled, ExternalState::Anticipated];
            all.into_iter().filter(|state| compiled.takes(&row(*state))).collect::<Vec<_>>()
        };
        assert_eq!(left("state:installed"), [ExternalState::Installed]);
        assert_eq!(left("state:\"not installed\""), [ExternalState::NotInstalled]);
        assert_eq!(left("state:not_installed,anticipated"), [ExternalState::NotInstalled, ExternalState::Anticipated]);
        assert_eq!(left("-state:INSTALLED"), [ExternalState::NotInstalled, ExternalState::Anticipated]);
    }
}
