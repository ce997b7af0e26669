//! A row of a preview: what an item or a file becomes, and why.

use std::borrow::Cow;
use std::path::PathBuf;

use lunette_client::model::id::AssetId;
use lunette_client::model::language::language_name;
use lunette_secrets::Finding;
use lunette_sources::Warning;
use serde_json::{Value as Json, json};

use crate::filter::{Field, Filterable, Flag, List};
use crate::import::engine::{FileEntry, Rejected};
use crate::import::sources::{Difference, ID_IS_TAKEN, Planned, SourcePlan, Status};
use crate::listing::{Column, Columns, Row, Value};

/// The status of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PreviewStatus {
    /// It becomes an asset.
    New,
    /// It becomes an asset that needs review.
    Doubtful,
    /// It was imported before and changed.
    Changed,
    /// It was imported before and is unchanged.
    Same,
    /// It is skipped.
    LeftOut,
}

impl PreviewStatus {
    /// All of them, in the order of the list.
    pub const ALL: [Self; 5] = [Self::New, Self::Doubtful, Self::Changed, Self::Same, Self::LeftOut];

    /// Its display text.
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "New",
            Self::Doubtful => "Doubtful",
            Self::Changed => "Changed",
            Self::Same => "Same",
            Self::LeftOut => "Left out",
        }
    }
}

/// The source of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// An item of a library: the indices of both.
    Item(usize, usize),
    /// A file.
    File(usize),
    /// A path that cannot become an asset: its number.
    Rejected(usize),
}

/// A row of the preview.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviewRow {
    /// Its status.
    pub status: PreviewStatus,
    /// The reason, if any.
    pub reason: String,
    /// The name of the new asset; empty if the service chooses it.
    pub name: String,
    /// The tags of the new asset, separated by commas.
    pub tags: String,
    /// Its language, if it is known before the import.
    pub language: String,
    /// The size of its content in bytes.
    pub size: i64,
    /// The file, and the item in it.
    pub path: String,
    /// The warnings about it.
    pub warnings: Vec<Warning>,
    /// The possible secrets in it.
    pub secrets: Vec<Finding>,
    /// Why it cannot be imported.
    pub obstacle: Option<&'static str>,
    /// Its asset from an earlier import.
    pub asset: Option<AssetId>,
    pub(super) origin: Origin,
    /// Its name, path and tags in lower case, each on its line.
    pub(super) haystack: String,
}

impl PreviewRow {
    /// Returns whether it becomes a new asset if it is marked.
    pub(super) fn is_sent(&self) -> bool {
        self.obstacle.is_none() && self.status != PreviewStatus::Changed
    }
}

impl Columns for PreviewRow {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("fate", "Becomes", |row: &Self| Value::text(row.status.word()))
            .sorted_by(|row| Value::Rank(row.status as i128))
            .wide(90.0)
            .field(Field::Outcome),
        Column::text("name", "Name", |row: &Self| Value::text(&row.name))
            .sorted_by(|row| Value::Text(row.haystack.lines().next().unwrap_or_default().into()))
            .wide(220.0)
            .growing(1.0)
            .field(Field::Name),
        Column::text("tags", "Tags", |row: &Self| Value::text(&row.tags)).wide(180.0).growing(1.0),
        Column::text("reason", "Why", |row: &Self| Value::text(&row.reason)).named("reason").wide(220.0).growing(1.0),
        Column::text("language", "Language", |row: &Self| Value::text(language_name(&row.language)))
            .wide(80.0)
            .field(Field::Language),
        Column::filtered("classification", Field::Language, |row: &Self| Value::word(&row.language)),
        Column::figures("size", "Size", |row: &Self| Value::Bytes(row.size)).wide(76.0).field(Field::Size),
        Column::text("path", "From", |row: &Self| Value::text(&row.path)).field(Field::Address),
        Column::text("obstacle", "Obstacle", |row: &Self| row.obstacle.map_or(Value::NotTold, Value::text)),
        Column::text("asset", "Asset", |row: &Self| {
            row.asset.as_ref().map_or(Value::NotTold, |asset| Value::text(asset.as_str()))
        }),
    ];

    fn record(&self) -> Json {
        let mut record = self.columns_record();
        record["secrets"] =
            self.secrets.iter().map(|found| json!({ "rule": found.rule, "line": found.line })).collect();
        record
    }
}

impl Row for PreviewRow {
    type Key = Origin;

    fn key(&self) -> Origin {
        self.origin
    }
}

impl Filterable for PreviewRow {
    const LIST: List = List::Import;

    fn haystack(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.haystack)
    }

    fn is(&self, flag: Flag) -> bool {
        match flag {
            Flag::Secret => !self.secrets.is_empty(),
            Flag::Warned => !self.warnings.is_empty(),
            _ => false,
        }
    }
}

/// Returns the status of an item, the reason, and why it cannot be imported.
fn status(planned: &Planned) -> (PreviewStatus, String, Option<&'static str>) {
    match &planned.status {
        Status::New => (PreviewStatus::New, String::new(), None),
        Status::Doubtful(reason) => (PreviewStatus::Doubtful, reason.clone(), None),
        Status::Same(asset) => (PreviewStatus::Same, format!("imported as {asset}"), Some("It is already an asset")),
        Status::Changed(asset, Difference::Content) => {
            (PreviewStatus::Changed, format!("imported as {asset}, which it updates if marked"), None)
        }
        Status::Changed(asset, Difference::Details) => {
            let what = "only its tags, description, websites or language differ";
            (PreviewStatus::Changed, format!("imported as {asset}, which it updates if marked; {what}"), None)
        }
        Status::LeftOut(reason) if reason == ID_IS_TAKEN => {
            (PreviewStatus::LeftOut, reason.clone(), Some("Items whose ids are taken are left out"))
        }
        Status::LeftOut(reason) if planned.item.trashed => (PreviewStatus::LeftOut, reason.clone(), None),
        Status::LeftOut(reason) => {
            (PreviewStatus::LeftOut, reason.clone(), Some("The same content is imported already"))
        }
    }
}

pub(super) fn item_row(plan: &SourcePlan, planned: &Planned, origin: Origin) -> PreviewRow {
    let (status, reason, obstacle) = status(planned);
    let new = &planned.item.new;
    let asset = match &planned.status {
        Status::Same(asset) | Status::Changed(asset, _) => Some(asset.clone()),
        Status::New | Status::Doubtful(_) | Status::LeftOut(_) => None,
    };
    searchable(PreviewRow {
        status,
        reason,
        name: new.name.clone().unwrap_or_default(),
        tags: new.tags.join(", "),
        language: new.language.clone().unwrap_or_default(),
        size: i64::try_from(new.content.len()).unwrap_or(i64::MAX),
        path: plan.path_of(&planned.item).display().to_string(),
        warnings: planned.item.warnings.clone(),
        secrets: Vec::new(),
        obstacle,
        asset,
        origin,
        haystack: String::new(),
    })
}

pub(super) fn file_row(file: &FileEntry, number: usize) -> PreviewRow {
    let name = file.path.file_name().unwrap_or(file.path.as_os_str()).to_string_lossy().into_owned();
    searchable(PreviewRow {
        status: PreviewStatus::New,
        reason: String::new(),
        name,
        tags: String::new(),
        language: String::new(),
        size: i64::try_from(file.size).unwrap_or(i64::MAX),
        path: file.path.display().to_string(),
        warnings: Vec::new(),
        secrets: Vec::new(),
        obstacle: None,
        asset: None,
        origin: Origin::File(number),
        haystack: String::new(),
    })
}

pub(super) fn rejected_row(rejected: &Rejected, number: usize) -> PreviewRow {
    let path: &PathBuf = &rejected.path;
    searchable(PreviewRow {
        status: PreviewStatus::LeftOut,
        reason: rejected.reason.clone(),
        name: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        tags: String::new(),
        language: String::new(),
        size: 0,
        path: path.display().to_string(),
        warnings: Vec::new(),
        secrets: Vec::new(),
        obstacle: Some("It cannot become an asset"),
        asset: None,
        origin: Origin::Rejected(number),
        haystack: String::new(),
    })
}

fn searchable(row: PreviewRow) -> PreviewRow {
    let haystack = [&row.name, &row.path, &row.tags].map(|text| text.to_lowercase().replace('\n', " ")).join("\n");
    PreviewRow { haystack, ..row }
}
