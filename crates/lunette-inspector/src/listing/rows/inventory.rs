//! An application of the inventory: its tracked, detected and related records as one row.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;

use super::{ApplicationRow, ExternalRow, ExternalState, Usage};
use crate::filter::{Field, Filterable, Flag, List};
use crate::listing::{Column, Columns, Moment, Row, Value};

/// An application of the inventory.
#[derive(Clone, Debug, PartialEq)]
pub struct InventoryRow {
    /// The key of the row.
    pub key: String,
    /// Its name on the machine, or else in the service.
    pub name: String,
    /// Its version, preferably the tracked one; empty if unknown.
    pub version: String,
    /// Its platform; empty if unknown.
    pub platform: String,
    /// Its state.
    pub state: InventoryState,
    /// Its tracked record.
    pub tracked: Option<Arc<ApplicationRow>>,
    /// Its detected or related record.
    pub external: Option<Arc<ExternalRow>>,
    /// Its newest change since the chosen day.
    pub change: Option<RowChange>,
    /// All its stored changes, newest first.
    pub history: Arc<[RowChange]>,
    /// Its usage since the chosen day, if known.
    pub used: Option<Usage>,
    /// The key of its usage by day, if it is tracked.
    pub usage_key: Option<String>,
    haystack: String,
}

/// A change of the application of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowChange {
    /// When it was detected.
    pub at: Timestamp,
    /// A short description.
    pub description: String,
}

/// The state of an application of the inventory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InventoryState {
    /// The service tracks it.
    Tracked,
    /// Found on the machine, but not tracked.
    Installed,
    /// Has an integration, but was not found on the machine.
    NotInstalled,
    /// Its integration is planned.
    Anticipated,
    /// Has an integration; whether it is installed is unknown.
    Unknown,
    /// No longer in any list.
    Gone,
}

impl InventoryState {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Tracked, Self::Installed, Self::NotInstalled, Self::Anticipated, Self::Unknown, Self::Gone];

    /// Its display text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tracked => "Tracked",
            Self::Installed => "Installed",
            Self::NotInstalled => "Not installed",
            Self::Anticipated => "Planned",
            Self::Unknown => "Unknown",
            Self::Gone => "Removed",
        }
    }

    /// Its stable name for programs.
    pub fn token(self) -> &'static str {
        match self {
            Self::Tracked => "tracked",
            Self::Installed => "installed",
            Self::NotInstalled => "not_installed",
            Self::Anticipated => "anticipated",
            Self::Unknown => "not_told",
            Self::Gone => "removed",
        }
    }
}

impl InventoryRow {
    /// Creates the row of an application in one of the lists.
    pub fn new(key: String, tracked: Option<Arc<ApplicationRow>>, external: Option<Arc<ExternalRow>>) -> Self {
        let of_tracked = |field: fn(&ApplicationRow) -> &String| tracked.as_deref().map(field).cloned();
        let of_external = |field: fn(&ExternalRow) -> &String| external.as_deref().map(field).cloned();
        let name = of_external(|row| &row.name).or_else(|| of_tracked(|row| &row.name)).unwrap_or_default();
        let version = of_tracked(|row| &row.version).filter(|version| !version.is_empty());
        let version = version.or_else(|| of_external(|row| &row.version)).unwrap_or_default();
        let state = match (&tracked, external.as_ref().map(|row| row.state)) {
            (Some(_), _) => InventoryState::Tracked,
            (None, Some(ExternalState::Installed)) => InventoryState::Installed,
            (None, Some(ExternalState::Anticipated)) => InventoryState::Anticipated,
            (None, Some(ExternalState::NotInstalled)) => InventoryState::NotInstalled,
            (None, Some(ExternalState::Unknown)) => InventoryState::Unknown,
            (None, None) => InventoryState::Gone,
        };
        let platform = of_tracked(|row| &row.platform).unwrap_or_default();
        let row = Self { key, name, version, platform, state, tracked, external, ..Self::empty() };
        row.searchable()
    }

    /// Creates the row of an application that is no longer in any list.
    pub fn removed(key: String, name: String, version: String) -> Self {
        Self { key, name, version, ..Self::empty() }.searchable()
    }

    fn empty() -> Self {
        Self {
            key: String::new(),
            name: String::new(),
            version: String::new(),
            platform: String::new(),
            state: InventoryState::Gone,
            tracked: None,
            external: None,
            change: None,
            history: Arc::default(),
            used: None,
            usage_key: None,
            haystack: String::new(),
        }
    }

    fn searchable(mut self) -> Self {
        let word = self.tracked.as_ref().map_or("", |row| row.name.as_str());
        let words = [&self.name, word, &self.version, &self.platform, self.state.as_str()];
        self.haystack = words.map(|word| word.to_lowercase().replace('_', " ")).join("\n");
        self
    }

    /// Returns its normalized names in all lists.
    pub fn plain_names(&self) -> BTreeSet<String> {
        let identifier = self.external.iter().filter_map(|row| row.identifier.as_deref());
        let tracked = self.tracked.iter().map(|row| row.name.as_str());
        tracked.chain(identifier).chain([self.name.as_str()]).map(plain_name).collect()
    }

    /// A description of its integration with the service.
    pub fn integration(&self) -> &'static str {
        self.external.as_ref().map_or("", |row| row.integration())
    }
}

/// Normalizes a name, so that enum values of the interface equal names on a machine: `VS_CODE` is "VS Code".
pub fn plain_name(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Columns for InventoryRow {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("name", "Name", |row: &Self| Value::word(&row.name))
            .sorted_by(|row: &Self| Value::Text(row.name.to_lowercase().replace('_', " ").into()))
            .wide(150.0)
            .growing(1.0)
            .field(Field::Name),
        Column::filtered("tracked name", Field::Name, |row: &Self| {
            row.tracked.as_ref().map_or(Value::NotTold, |row| Value::word(&row.name))
        }),
        Column::text("version", "Version", |row: &Self| Value::version(&row.version))
            .wide(80.0)
            .from(480.0)
            .field(Field::Version),
        Column::text("platform", "Platform", |row: &Self| Value::word(&row.platform))
            .wide(84.0)
            .from(860.0)
            .field(Field::Platform),
        Column::text("state", "State", |row: &Self| Value::Named {
            text: row.state.as_str(),
            token: row.state.token(),
        })
        .sorted_by(|row: &Self| Value::Rank(row.state as i128))
        .wide(100.0)
        .field(Field::State),
        Column::text("integration", "Integration", |row: &Self| Value::text(row.integration()))
            .wide(96.0)
            .up_to(120.0)
            .from(700.0),
        Column::text("change", "Change", |row: &Self| match &row.change {
            Some(change) => Value::Moment(Moment::At(change.at)),
            None => Value::NotTold,
        })
        .named("changed")
        .wide(150.0)
        .up_to(300.0)
        .field(Field::Changed),
        Column::text("description", "Change", |row: &Self| {
            row.change.as_ref().map_or(Value::NotTold, |change| Value::text(&change.description))
        }),
        Column::figures("used", "Used", |row: &Self| Value::count(row.used.map(Usage::events)))
            .sorted_by(|row: &Self| row.used.map_or(Value::NotTold, |used| Value::Rank(used.rank())))
            .wide(96.0)
            .from(600.0)
            .field(Field::Events)
            .not_copied(),
        Column::figures("sessions", "Sessions since", |row: &Self| Value::count(row.used.map(|used| used.sessions)))
            .field(Field::Sessions),
    ];
}

impl Row for InventoryRow {
    type Key = String;

    fn key(&self) -> String {
        self.key.clone()
    }
}

impl Filterable for InventoryRow {
    const LIST: List = List::Inventory;

    fn haystack(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.haystack)
    }

    fn is(&self, flag: Flag) -> bool {
        match flag {
            Flag::Changed => self.change.is_some(),
            Flag::Tracked => self.tracked.is_some(),
            Flag::Installed => self.external.as_ref().is_some_and(|row| row.state == ExternalState::Installed),
            Flag::Missing => self.state == InventoryState::NotInstalled,
            Flag::Anticipated => self.state == InventoryState::Anticipated,
            Flag::Integration => self.external.as_ref().is_some_and(|row| row.related),
            _ => false,
        }
    }
}
