//! An external application in the list.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::filter::{Field, Filterable, Flag, List};
use crate::listing::{Column, Columns, Row, Value};
use lunette_client::model::View;
use lunette_client::model::application::DetectedExternalApplication;

/// An external application in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalRow {
    /// Its name.
    pub name: String,
    /// Its version, if known.
    pub version: String,
    /// Its state.
    pub state: ExternalState,
    /// Whether it was detected on the machine.
    pub detected: bool,
    /// Whether it integrates with the service.
    pub related: bool,
    /// Whether the list of integrations was read.
    related_known: bool,
    /// Its enum value in the interface, if the service sends one.
    pub identifier: Option<String>,
    /// How the service detected it, if reported.
    pub found_by: Option<String>,
    /// The file or folder that was detected, if the service reports it.
    pub path: Option<String>,
    haystack: String,
}

/// The key of an external application in the list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExternalKey {
    /// Its name.
    pub name: String,
    /// Its version, if known.
    pub version: String,
}

/// The state of an external application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExternalState {
    /// Found on the machine.
    Installed,
    /// Known, but not found.
    NotInstalled,
    /// Its integration is planned.
    Anticipated,
    /// Has an integration; whether it is installed is unknown, since the list of detected applications could not be
    /// read.
    Unknown,
}

impl ExternalState {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Installed, Self::NotInstalled, Self::Anticipated, Self::Unknown];

    /// Returns a sentence that explains the state.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Installed => "Installed here.",
            Self::NotInstalled => "Supported, not installed.",
            Self::Anticipated => "Support is planned.",
            Self::Unknown => {
                "Supported. Whether it is installed is unknown: the list of installed applications could not be read."
            }
        }
    }

    /// Returns its display text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Installed => "Installed",
            Self::NotInstalled => "Not installed",
            Self::Anticipated => "Planned",
            Self::Unknown => "Unknown",
        }
    }

    fn value(self) -> Value<'static> {
        Value::Named { text: self.as_str(), token: self.token() }
    }

    /// Returns its stable name for programs.
    pub fn token(self) -> &'static str {
        match self {
            Self::Installed => "installed",
            Self::NotInstalled => "not_installed",
            Self::Anticipated => "anticipated",
            Self::Unknown => "not_told",
        }
    }
}

impl ExternalRow {
    /// A description of its integration.
    pub fn integration(&self) -> &'static str {
        match (self.related, self.state) {
            (false, _) if !self.related_known => "Unknown",
            (false, _) => "None",
            (true, ExternalState::Anticipated) => "Planned",
            (true, ExternalState::Installed | ExternalState::NotInstalled | ExternalState::Unknown) => "Available",
        }
    }

    /// A description of how it was detected; `None` if the service does not report it.
    pub fn found_by_text(&self) -> Option<&str> {
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

    /// Returns the platform on which it was found, as an enum value of the interface, or `None` if unknown.
    pub fn platform(&self) -> Option<&'static str> {
        match self.found_by.as_deref()? {
            "desktop_entry" | "flatpak" | "snap" | "appimage" => Some("LINUX"),
            "bundle" => Some("MACOS"),
            "uninstall_key" | "start_menu" => Some("WINDOWS"),
            _ => None,
        }
    }

    /// Returns its bundle name: that of an application bundle, or the last part of the reverse-DNS name of a desktop
    /// entry (`org.kde.krita.desktop` is "krita").
    pub fn bundle(&self) -> Option<&str> {
        let file = self.path.as_deref()?.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next()?;
        let name = match self.found_by.as_deref()? {
            "bundle" => file.strip_suffix(".app")?,
            "desktop_entry" | "flatpak" | "snap" => file.strip_suffix(".desktop")?.rsplit(['.', '_']).next()?,
            _ => return None,
        };
        (!name.is_empty()).then_some(name)
    }

    /// Returns why it cannot be tracked, in a sentence. Our choice: an application that is not installed is not used,
    /// so there is nothing to track. One whose integration is only planned has a version once it is installed.
    pub fn why_not_trackable(&self) -> Option<&'static str> {
        match self.state {
            ExternalState::Installed => None,
            ExternalState::Anticipated if !self.version.is_empty() => None,
            ExternalState::NotInstalled => Some("It is not installed on this machine"),
            ExternalState::Anticipated => {
                Some("It is not installed on this machine, and its integration is only planned")
            }
            ExternalState::Unknown => Some("It is not known whether it is installed on this machine"),
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
            related_known: true,
            identifier: text("identifier"),
            found_by: text("found_by"),
            path: text("path"),
            haystack: String::new(),
        };
        let integration = if related { "integration" } else { "" };
        row.haystack = [&row.name, &row.version, state.as_str(), integration].join("\n").to_lowercase();
        row
    }

    /// Merges detected and related applications into one list, by name. If the service does not send the state of a
    /// related one (the record of the interface has no field for it), it is installed if it was detected. A list that
    /// was never read is `None`.
    pub fn merged(
        detected: Option<Vec<View<'_, DetectedExternalApplication>>>,
        related: Option<Vec<View<'_, DetectedExternalApplication>>>,
    ) -> Vec<Self> {
        let (detected_known, related_known) = (detected.is_some(), related.is_some());
        let found = detected.into_iter().flatten();
        let mut rows: Vec<Self> =
            found.map(|record| Self { related_known, ..Self::new(record, ExternalState::Installed, false) }).collect();
        let mut indices: HashMap<String, usize> = HashMap::new();
        for (index, row) in rows.iter().enumerate() {
            indices.entry(row.name.to_ascii_lowercase()).or_insert(index);
        }
        for record in related.into_iter().flatten() {
            let name = record.name().to_ascii_lowercase();
            let index = indices.get(&name).copied();
            let state = match record.tree().get("state").and_then(serde_json::Value::as_str) {
                Some("installed") => ExternalState::Installed,
                Some("anticipated") => ExternalState::Anticipated,
                Some(_) => ExternalState::NotInstalled,
                None if index.is_some_and(|index| rows[index].detected) => ExternalState::Installed,
                None if detected_known => ExternalState::NotInstalled,
                None => ExternalState::Unknown,
            };
            let row = Self::new(record, state, true);
            match index {
                Some(index) => {
                    // The detected record may have what the related one lacks.
                    let found = &mut rows[index];
                    let version = if row.version.is_empty() { std::mem::take(&mut found.version) } else { row.version };
                    let found_by = row.found_by.or_else(|| found.found_by.take());
                    let path = row.path.or_else(|| found.path.take());
                    *found = Self { version, found_by, path, detected: found.detected, ..row };
                }
                None => {
                    indices.insert(name, rows.len());
                    rows.push(row);
                }
            }
        }
        rows.sort_by_cached_key(|row| row.name.to_lowercase());
        rows
    }
}

impl Columns for ExternalRow {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("name", "Name", |row: &Self| Value::text(&row.name))
            .sorted_by(|row: &Self| Value::Text(row.name.to_lowercase().into()))
            .wide(280.0)
            .growing(1.0)
            .field(Field::Name)
            .printed(),
        Column::text("version", "Version", |row: &Self| Value::version(&row.version))
            .wide(140.0)
            .from(520.0)
            .field(Field::Version)
            .printed(),
        Column::text("state", "State", |row: &Self| row.state.value())
            .sorted_by(|row: &Self| Value::Rank(row.state as i128))
            .wide(130.0)
            .from(300.0)
            .field(Field::State)
            .printed(),
        Column::text("integration", "Integration", |row: &Self| match row.related_known {
            true => Value::Flag(row.related),
            false => Value::NotTold,
        })
        .sorted_by(|row: &Self| Value::Flag(row.related))
        .wide(110.0)
        .hidden()
        .printed(),
        Column::text("identifier", "Identifier", |row: &Self| {
            row.identifier.as_deref().map_or(Value::NotTold, Value::text)
        }),
        Column::text("found_by", "Found by", |row: &Self| row.found_by.as_deref().map_or(Value::NotTold, Value::text))
            .unsorted()
            .wide(130.0)
            .from(640.0)
            .not_recorded(),
        Column::text("path", "Path", |row: &Self| row.path.as_deref().map_or(Value::NotTold, Value::text))
            .not_recorded(),
    ];
}

impl Row for ExternalRow {
    type Key = ExternalKey;

    fn key(&self) -> ExternalKey {
        ExternalKey { name: self.name.clone(), version: self.version.clone() }
    }
}

impl Filterable for ExternalRow {
    const LIST: List = List::External;

    fn haystack(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.haystack)
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

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use jiff::tz::TimeZone;
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::filter::{CompiledFilter, parse};

    fn merged(detected: Option<&[Json]>, related: Option<&[Json]>) -> Vec<(String, ExternalState, &'static str)> {
        let detected = detected.map(|records| records.iter().map(View::of).collect());
        let related = related.map(|records| records.iter().map(View::of).collect());
        let rows = ExternalRow::merged(detected, related);
        rows.iter().map(|row| (row.name.clone(), row.state, row.integration())).collect()
    }

    #[test]
    fn the_content_of_a_list_that_was_never_read_is_unknown() {
        let (zed, code) = ([json!({ "name": "Zed" })], [json!({ "name": "Code" })]);
        let both = [
            ("Code".into(), ExternalState::NotInstalled, "Available"),
            ("Zed".into(), ExternalState::Installed, "None"),
        ];
        assert_eq!(merged(Some(&zed), Some(&code)), both);
        assert_eq!(merged(None, Some(&code)), [("Code".into(), ExternalState::Unknown, "Available")]);
        assert_eq!(merged(Some(&zed), None), [("Zed".into(), ExternalState::Installed, "Unknown")]);
        assert!(merged(None, None).is_empty());
    }

    #[test]
    fn a_filter_matches_only_the_whole_state() {
        let left = |filter: &str| {
            let filter = parse(filter, List::External).expect("a filter");
            let compiled = CompiledFilter::new(&filter, &Timestamp::UNIX_EPOCH.to_zoned_datetime(TimeZone::UTC));
            let row = |state| ExternalRow {
                name: "a".to_owned(),
                version: String::new(),
                state,
                detected: false,
                related: false,
                related_known: true,
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
