//! An application of the inventory: what is tracked, detected and known to integrate, as one row.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;

use super::{ApplicationRow, ExternalRow, ExternalState, Usage};
use crate::app::filter::{Field, Filterable, Flag, List, compare_versions};
use crate::app::listing::{Column, Row};

/// An application of the inventory.
#[derive(Clone, Debug, PartialEq)]
pub struct InventoryRow {
    /// Names the row.
    pub key: String,
    /// Its name: that of the machine, else the service's.
    pub name: String,
    /// Its version, the tracked one first; empty where nobody says.
    pub version: String,
    /// Its platform; empty where nobody says.
    pub platform: String,
    /// Whether it is there.
    pub standing: Standing,
    /// As it is tracked.
    pub tracked: Option<Arc<ApplicationRow>>,
    /// As it was detected, or as it integrates.
    pub external: Option<Arc<ExternalRow>>,
    /// Its newest change since the chosen day.
    pub change: Option<RowChange>,
    /// All its changes that are kept, newest first.
    pub history: Vec<RowChange>,
    /// How much it was used since the chosen day, where that is known.
    pub used: Option<Usage>,
    /// What its use by day is found by, where it is tracked.
    pub usage_key: Option<String>,
    haystack: String,
}

/// A change of the application of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowChange {
    /// When it was noticed.
    pub at: Timestamp,
    /// What it was, in a few words.
    pub words: String,
}

/// Whether an application of the inventory is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// The service tracks it.
    Tracked,
    /// Found on the machine, and not tracked.
    Installed,
    /// Known to integrate with the service, not found.
    NotInstalled,
    /// Expected to integrate later.
    Anticipated,
    /// Known to integrate; whether it is there is not known.
    NotTold,
    /// No longer there.
    Gone,
}

impl Standing {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Tracked, Self::Installed, Self::NotInstalled, Self::Anticipated, Self::NotTold, Self::Gone];

    /// The standing in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tracked => "Tracked",
            Self::Installed => "Installed",
            Self::NotInstalled => "Not installed",
            Self::Anticipated => "Anticipated",
            Self::NotTold => "Not told",
            Self::Gone => "Removed",
        }
    }

    /// The standing for programs, which does not change with the wording.
    pub fn token(self) -> &'static str {
        match self {
            Self::Tracked => "tracked",
            Self::Installed => "installed",
            Self::NotInstalled => "not_installed",
            Self::Anticipated => "anticipated",
            Self::NotTold => "not_told",
            Self::Gone => "removed",
        }
    }
}

/// A column of the inventory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the field of its name")]
pub enum InventoryColumn {
    Name,
    Version,
    Platform,
    State,
    Integration,
    Change,
    Used,
}

impl InventoryRow {
    /// The row of an application that is tracked, found or known to integrate.
    pub fn new(key: String, tracked: Option<Arc<ApplicationRow>>, external: Option<Arc<ExternalRow>>) -> Self {
        let of_tracked = |field: fn(&ApplicationRow) -> &String| tracked.as_deref().map(field).cloned();
        let of_external = |field: fn(&ExternalRow) -> &String| external.as_deref().map(field).cloned();
        let name = of_external(|row| &row.name).or_else(|| of_tracked(|row| &row.name)).unwrap_or_default();
        let version = of_tracked(|row| &row.version).filter(|version| !version.is_empty());
        let version = version.or_else(|| of_external(|row| &row.version)).unwrap_or_default();
        let standing = match (&tracked, external.as_ref().map(|row| row.state)) {
            (Some(_), _) => Standing::Tracked,
            (None, Some(ExternalState::Installed)) => Standing::Installed,
            (None, Some(ExternalState::Anticipated)) => Standing::Anticipated,
            (None, Some(ExternalState::NotInstalled)) => Standing::NotInstalled,
            (None, Some(ExternalState::NotTold)) => Standing::NotTold,
            (None, None) => Standing::Gone,
        };
        let platform = of_tracked(|row| &row.platform).unwrap_or_default();
        let row = Self { key, name, version, platform, standing, tracked, external, ..Self::empty() };
        row.searchable()
    }

    /// The row of an application that no list has any more.
    pub fn gone(key: String, name: String, version: String) -> Self {
        Self { key, name, version, ..Self::empty() }.searchable()
    }

    fn empty() -> Self {
        Self {
            key: String::new(),
            name: String::new(),
            version: String::new(),
            platform: String::new(),
            standing: Standing::Gone,
            tracked: None,
            external: None,
            change: None,
            history: Vec::new(),
            used: None,
            usage_key: None,
            haystack: String::new(),
        }
    }

    fn searchable(mut self) -> Self {
        let word = self.tracked.as_ref().map_or("", |row| row.name.as_str());
        let words = [&self.name, word, &self.version, &self.platform, self.standing.as_str()];
        self.haystack = words.map(|word| word.to_lowercase().replace('_', " ")).join("\n");
        self
    }

    /// The names by which its lists know it, each without what differs between them.
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

/// A name without what differs between the interface's words and the names on a machine: `VS_CODE` is "VS Code".
pub fn plain_name(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Row for InventoryRow {
    type Column = InventoryColumn;

    fn compare(&self, other: &Self, column: InventoryColumn) -> Ordering {
        let name = |row: &Self| row.name.to_lowercase().replace('_', " ");
        match column {
            InventoryColumn::Name => name(self).cmp(&name(other)),
            InventoryColumn::Version => compare_versions(&self.version, &other.version),
            InventoryColumn::Platform => self.platform.cmp(&other.platform),
            InventoryColumn::State => self.standing.cmp(&other.standing),
            InventoryColumn::Integration => self.integration().cmp(other.integration()),
            InventoryColumn::Change => {
                let at = |row: &Self| row.change.as_ref().map(|change| change.at);
                at(self).cmp(&at(other))
            }
            InventoryColumn::Used => {
                let used =
                    |row: &Self| row.used.map(|used| (used.interactions.saturating_add(used.keyboard), used.sessions));
                used(self).cmp(&used(other))
            }
        }
    }
}

impl Filterable for InventoryRow {
    const LIST: List = List::Inventory;

    fn haystack(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.haystack)
    }

    fn any_text(&self, field: Field, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        let mut word = |text: &str| !text.is_empty() && (wanted(text) || wanted(&text.replace('_', " ")));
        match field {
            Field::Name => word(&self.name) || self.tracked.as_ref().is_some_and(|row| word(&row.name)),
            Field::Version => word(&self.version),
            Field::Platform => word(&self.platform),
            Field::State => word(self.standing.as_str()) || word(self.standing.token()),
            _ => false,
        }
    }

    fn number(&self, field: Field) -> Option<i64> {
        let used = self.used?;
        let count = match field {
            Field::Sessions => used.sessions,
            Field::Events => used.interactions.saturating_add(used.keyboard),
            _ => return None,
        };
        i64::try_from(count).ok()
    }

    fn moment(&self, field: Field) -> Option<Timestamp> {
        match field {
            Field::Changed => self.change.as_ref().map(|change| change.at),
            _ => None,
        }
    }

    fn is(&self, flag: Flag) -> bool {
        match flag {
            Flag::Changed => self.change.is_some(),
            Flag::Tracked => self.tracked.is_some(),
            Flag::Installed => self.external.as_ref().is_some_and(|row| row.state == ExternalState::Installed),
            Flag::Missing => self.standing == Standing::NotInstalled,
            Flag::Anticipated => self.standing == Standing::Anticipated,
            Flag::Integration => self.external.as_ref().is_some_and(|row| row.related),
            _ => false,
        }
    }
}

impl Column for InventoryColumn {
    const ALL: &'static [Self] =
        &[Self::Name, Self::Version, Self::Platform, Self::State, Self::Integration, Self::Change, Self::Used];

    fn key(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Version => "version",
            Self::Platform => "platform",
            Self::State => "state",
            Self::Integration => "integration",
            Self::Change => "change",
            Self::Used => "used",
        }
    }
}
