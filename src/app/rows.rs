//! What the lists show of a record: a few small fields, read once off the window's thread.

use std::cmp::Ordering;

use crate::app::listing::Row;
use crate::model::View;
use crate::model::application::{Application, DetectedExternalApplication};
use crate::model::asset::Asset;
use crate::model::id::AssetId;
use crate::model::language::language;

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
    /// Its status, where the service gives one; else whether it is onboarded.
    pub status: String,
    /// Its privacy.
    pub privacy: String,
    /// Its capabilities, if given.
    pub capabilities: String,
    /// Sessions, where the service counts them.
    pub sessions: Option<i64>,
    /// Interactions and keyboard events together, where the service counts them.
    pub events: Option<i64>,
    /// When it was last active (RFC 3339), where the service says so.
    pub last_active: Option<String>,
    haystack: String,
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
        let count = |name: &str| engagement.and_then(|given| given.get(name)).and_then(serde_json::Value::as_i64);
        let status = tree.get("status").and_then(serde_json::Value::as_str);
        let descriptor = tree.get("descriptor").and_then(serde_json::Value::as_str).filter(|name| !name.is_empty());
        let onboarded = if application.onboarded() { "Onboarded" } else { "Not onboarded" };
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
            status: status.unwrap_or(onboarded).to_owned(),
            privacy: application.privacy().to_owned(),
            capabilities: application.capabilities().unwrap_or_default().to_owned(),
            sessions: count("sessions"),
            events,
            last_active: engagement
                .and_then(|given| given.get("last_active"))
                .and_then(serde_json::Value::as_str)
                .map(str::to_owned),
            haystack: String::new(),
        };
        let words = [&row.name, &row.version, &row.platform, &row.status, &row.privacy, &row.capabilities, &row.id];
        row.haystack = words.map(|word| word.to_lowercase().replace('_', " ")).join("\n");
        row
    }
}

impl Row for ApplicationRow {
    type Column = ApplicationColumn;

    fn haystack(&self) -> &str {
        &self.haystack
    }

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
            ApplicationColumn::LastActive => self.last_active.cmp(&other.last_active),
        }
    }
}

/// Compares the numbers in two versions as numbers: 1.10 comes after 1.9.
fn compare_versions(one: &str, other: &str) -> Ordering {
    let numbers = |version: &str| -> Vec<u64> {
        version.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
    };
    numbers(one).cmp(&numbers(other)).then_with(|| one.cmp(other))
}

/// An external application in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalRow {
    /// Its name.
    pub name: String,
    /// Its version, where known.
    pub version: String,
    /// Whether it is there.
    pub state: ExternalState,
    /// Whether it is one of those that integrate with the service.
    pub related: bool,
    /// The interface's word for it, where the service gives one.
    pub identifier: Option<String>,
    haystack: String,
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
    /// The state in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Installed => "Installed",
            Self::NotInstalled => "Not installed",
            Self::Anticipated => "Anticipated",
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
    fn new(record: View<'_, DetectedExternalApplication>, state: ExternalState, related: bool) -> Self {
        let identifier = record.tree().get("identifier").and_then(serde_json::Value::as_str).map(str::to_owned);
        let mut row = Self {
            name: record.name().to_owned(),
            version: record.version().unwrap_or_default().to_owned(),
            state,
            related,
            identifier,
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
                Some(place) if row.version.is_empty() => {
                    let version = std::mem::take(&mut rows[place].version);
                    rows[place] = Self { version, ..row };
                }
                Some(place) => rows[place] = row,
                None => rows.push(row),
            }
        }
        rows.sort_by_cached_key(|row| row.name.to_lowercase());
        rows
    }
}

impl Row for ExternalRow {
    type Column = ExternalColumn;

    fn haystack(&self) -> &str {
        &self.haystack
    }

    fn compare(&self, other: &Self, column: ExternalColumn) -> Ordering {
        match column {
            ExternalColumn::Name => self.name.to_lowercase().cmp(&other.name.to_lowercase()),
            ExternalColumn::Version => compare_versions(&self.version, &other.version),
            ExternalColumn::State => self.state.cmp(&other.state),
            ExternalColumn::Related => other.related.cmp(&self.related),
        }
    }
}

/// An asset in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct AssetRow {
    /// Its id.
    pub id: AssetId,
    /// Its name; empty when it has none.
    pub name: String,
    /// Its language, as the interface's word.
    pub specific: String,
    /// The language for people.
    pub language: String,
    /// The texts of its tags.
    pub tags: Vec<String>,
    /// All its scores together.
    pub score: i64,
    /// The size of its original format, in bytes.
    pub size: i64,
    /// When it was made (RFC 3339).
    pub created: String,
    /// When it last changed (RFC 3339).
    pub updated: String,
    /// Whether it is a favourite.
    pub favorited: bool,
    haystack: String,
}

/// A column of the assets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the field of its name")]
pub enum AssetColumn {
    Name,
    Language,
    Tags,
    Score,
    Size,
    Created,
    Updated,
}

impl AssetRow {
    /// Reads a record; None when its id is no asset id.
    pub fn of(asset: View<'_, Asset>) -> Option<Self> {
        let format = asset.original().reference();
        let specific = format.map(|format| format.classification().specific()).unwrap_or_default();
        let tags: Vec<String> = asset
            .tags()
            .map(|tags| tags.iterable().iter().map(|tag| tag.text().to_owned()).collect())
            .unwrap_or_default();
        let mut row = Self {
            id: asset.id().parse().ok()?,
            name: asset.name().unwrap_or_default().to_owned(),
            specific: specific.to_owned(),
            language: language(specific).map_or_else(|| specific.to_owned(), |known| known.name.to_owned()),
            tags,
            score: total_score(asset),
            size: format.map(|format| format.bytes().value()).unwrap_or_default(),
            created: asset.created().value().to_owned(),
            updated: asset.updated().value().to_owned(),
            favorited: asset.favorited().unwrap_or_default(),
            haystack: String::new(),
        };
        row.haystack = [row.name.as_str(), &row.language, &row.specific, &row.tags.join("\n"), row.id.as_str()]
            .join("\n")
            .to_lowercase();
        Some(row)
    }

    /// A row of an asset that was looked at before, where the service cannot list them; None when the id is none.
    pub fn recent(id: &str, name: &str) -> Option<Self> {
        Some(Self {
            id: id.parse().ok()?,
            name: name.to_owned(),
            specific: String::new(),
            language: String::new(),
            tags: Vec::new(),
            score: 0,
            size: 0,
            created: String::new(),
            updated: String::new(),
            favorited: false,
            haystack: format!("{name}\n{id}").to_lowercase(),
        })
    }

    /// A row that only search and sorting know of, for measuring lists.
    pub fn sample(place: usize) -> Self {
        let name = format!("asset_{place:07}.rs");
        let haystack = format!("{name}\nrust");
        Self {
            id: format!("00000000-0000-4000-8000-{place:012x}").parse().expect("twelve digits make a UUID"),
            name,
            specific: "rs".to_owned(),
            language: "Rust".to_owned(),
            tags: vec!["http".to_owned()],
            score: (place % 97) as i64,
            size: (place * 37 % 100_000) as i64,
            created: "2026-11-01T12:00:00Z".to_owned(),
            updated: "2026-11-20T12:00:00Z".to_owned(),
            favorited: place.is_multiple_of(11),
            haystack,
        }
    }
}

/// The sum of all counters of an asset's score.
pub fn total_score(asset: View<'_, Asset>) -> i64 {
    let Some(score) = asset.score() else { return 0 };
    let counters = [score.priority(), score.reuse(), score.update(), score.reference(), score.searched()];
    let counted: i64 = counters.into_iter().flatten().fold(0, i64::saturating_add);
    score.manual().saturating_add(score.automatic()).saturating_add(counted)
}

impl Row for AssetRow {
    type Column = AssetColumn;

    fn haystack(&self) -> &str {
        &self.haystack
    }

    fn compare(&self, other: &Self, column: AssetColumn) -> Ordering {
        match column {
            AssetColumn::Name => self.name.to_lowercase().cmp(&other.name.to_lowercase()),
            AssetColumn::Language => self.language.cmp(&other.language),
            AssetColumn::Tags => self.tags.cmp(&other.tags),
            AssetColumn::Score => self.score.cmp(&other.score),
            AssetColumn::Size => self.size.cmp(&other.size),
            AssetColumn::Created => self.created.cmp(&other.created),
            AssetColumn::Updated => self.updated.cmp(&other.updated),
        }
    }
}
