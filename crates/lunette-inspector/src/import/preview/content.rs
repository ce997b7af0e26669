//! The content of a preview: a row for each item, with its status, the reason, and possible secrets.
//!
//! What must hold: every item that was found has a row; skipped items have a reason.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use lunette_client::model::id::AssetId;
use lunette_secrets::Finding;
use lunette_sources::Source;
pub use lunette_sources::Warning;
use serde_json::{Value as Json, json};

use crate::import::engine::{FileEntry, Rejected};
use crate::import::sources::{Difference, Item, LibraryAmongFiles, Planned, SourcePlan, Status};
use crate::listing::{Column, Columns, Value};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// An item of a library: the indices of both.
    Item(usize, usize),
    /// A file.
    File(usize),
    /// A path that cannot become an asset.
    Nowhere,
}

/// A row of the preview.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
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
    /// The possible secrets in it.
    pub secrets: Vec<Finding>,
    /// Why it cannot be imported.
    pub obstacle: Option<&'static str>,
    /// Its asset from an earlier import.
    pub asset: Option<AssetId>,
    origin: Origin,
}

impl Row {
    /// Returns the row as JSON, with the words of the table.
    pub fn json(&self) -> Json {
        let Self { status, reason, name, tags, language, size, path, secrets, obstacle, asset, origin: _ } = self;
        let secrets: Vec<_> = secrets.iter().map(|found| json!({ "rule": found.rule, "line": found.line })).collect();
        json!({
            "from": path, "becomes": status.word(), "reason": reason, "obstacle": obstacle, "name": name, "tags": tags,
            "language": language, "size": size, "secrets": secrets, "asset": asset.as_ref().map(AssetId::as_str),
        })
    }

    /// Returns whether it becomes a new asset if it is marked.
    fn is_sent(&self) -> bool {
        self.obstacle.is_none() && self.status != PreviewStatus::Changed
    }
}

impl Columns for Row {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("fate", "Becomes", |row: &Self| Value::text(row.status.word()))
            .sorted_by(|row| Value::Rank(row.status as i128))
            .wide(90.0),
        Column::text("name", "Name", |row: &Self| Value::text(&row.name))
            .sorted_by(|row| Value::Text(row.name.to_lowercase().into()))
            .wide(220.0)
            .growing(1.0),
        Column::text("tags", "Tags", |row: &Self| Value::text(&row.tags)).wide(180.0).growing(1.0),
        Column::text("reason", "Why", |row: &Self| Value::text(&row.reason)).wide(220.0).growing(1.0),
        Column::text("language", "Language", |row: &Self| Value::text(&row.language)).wide(80.0),
        Column::figures("size", "Size", |row: &Self| Value::Bytes(row.size)).wide(76.0),
    ];
}

/// The content of a preview.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// The libraries.
    pub plans: Vec<SourcePlan>,
    /// A row for each item and each file.
    pub rows: Vec<Row>,
    /// The number of hidden and ignored files, which are skipped.
    pub hidden: usize,
    /// The libraries in folders that are imported as plain files.
    pub offered: Vec<LibraryAmongFiles>,
    /// The plain files.
    pub(super) files: Vec<FileEntry>,
}

impl Content {
    /// Whether a mapping can be chosen. Files of an archive have no parts or triggers, and their folders become no tags,
    /// as those of a folder on disk.
    pub fn has_mapping(&self) -> bool {
        self.plans.iter().any(|plan| plan.source != Source::ARCHIVE)
    }

    /// Creates the content from libraries, compared with previous imports, and plain files.
    pub fn of(plans: Vec<SourcePlan>, files: Vec<FileEntry>, rejected: &[Rejected], hidden: usize) -> Self {
        let items = plans.iter().enumerate().flat_map(|(library, plan)| {
            let row = move |(number, planned)| item_row(plan, planned, Origin::Item(library, number));
            plan.items.iter().enumerate().map(row)
        });
        let plain = files.iter().enumerate().map(|(number, file)| file_row(file, number));
        let rows = items.chain(plain).chain(rejected.iter().map(rejected_row)).collect();
        Self { plans, rows, hidden, offered: Vec::new(), files }
    }

    /// Searches a row for possible secrets. Blocks, since a plain file is read.
    pub(super) fn find_secrets(&mut self, row: usize) {
        let Some(Row { origin, .. }) = self.rows.get(row) else { return };
        let secrets = match *origin {
            Origin::Item(..) => self.item(row).map(|item| lunette_secrets::find_in_bytes(&item.new.content)),
            Origin::File(file) => self.files.get(file).and_then(|file| {
                // Our choice: only this much of an asset is searched, so a larger file is not read.
                let small = usize::try_from(file.size).is_ok_and(|size| size <= lunette_secrets::MAX_BYTES);
                let bytes = small.then(|| std::fs::read(&file.path).ok()).flatten()?;
                Some(lunette_secrets::find_in_bytes(&bytes))
            }),
            Origin::Nowhere => None,
        };
        self.rows[row].secrets = secrets.unwrap_or_default();
    }

    /// Returns the item of a row.
    fn item(&self, row: usize) -> Option<&Item> {
        match self.rows.get(row)?.origin {
            Origin::Item(library, item) => Some(&self.plans.get(library)?.items.get(item)?.item),
            Origin::File(_) | Origin::Nowhere => None,
        }
    }

    /// Returns the warnings of a row.
    pub fn warnings_of(&self, row: usize) -> &[Warning] {
        self.item(row).map_or(&[], |item| &item.warnings)
    }

    /// Returns the description of the asset that a row becomes.
    pub fn description_of(&self, row: usize) -> Option<&str> {
        self.item(row)?.new.annotations.first().map(|(_, text)| text.as_str())
    }

    /// Returns the warnings about whole libraries.
    pub fn warnings(&self) -> impl Iterator<Item = &Warning> {
        self.plans.iter().flat_map(|plan| &plan.warnings)
    }

    /// Returns the number of rows with this status.
    pub fn count(&self, status: PreviewStatus) -> usize {
        self.rows.iter().filter(|row| row.status == status).count()
    }

    /// Returns which rows are marked by default: new and doubtful ones.
    pub fn default_marks(&self) -> Vec<bool> {
        let is_default =
            |row: &Row| row.obstacle.is_none() && matches!(row.status, PreviewStatus::New | PreviewStatus::Doubtful);
        self.rows.iter().map(is_default).collect()
    }

    /// Returns the entries of the marked rows, without changed ones, which update their assets.
    pub fn entries(&self, marks: &[bool]) -> Vec<FileEntry> {
        let marked = self.rows.iter().zip(marks).filter(|(row, marked)| **marked && row.is_sent());
        let entry = |(row, _): (&Row, &bool)| match row.origin {
            Origin::Item(library, item) => {
                let plan = self.plans.get(library)?;
                Some(plan.entry(&plan.items.get(item)?.item))
            }
            Origin::File(file) => self.files.get(file).cloned(),
            Origin::Nowhere => None,
        };
        marked.filter_map(entry).collect()
    }

    /// Returns the plans with only their marked changed items, without empty plans.
    pub fn changed(&self, marks: &[bool]) -> Vec<SourcePlan> {
        let mut changed: BTreeMap<usize, HashSet<usize>> = BTreeMap::new();
        for (row, marked) in self.rows.iter().zip(marks) {
            match row.origin {
                Origin::Item(library, item) if *marked && row.status == PreviewStatus::Changed => {
                    changed.entry(library).or_default().insert(item);
                }
                Origin::Item(..) | Origin::File(_) | Origin::Nowhere => {}
            }
        }
        changed.into_iter().filter_map(|(library, items)| Some(self.plans.get(library)?.only(&items))).collect()
    }

    /// Returns what is imported, for use in a sentence.
    pub fn what(&self) -> String {
        match (self.plans.as_slice(), self.files.as_slice()) {
            ([plan], []) => {
                let name = plan.path.file_name().unwrap_or(plan.path.as_os_str()).to_string_lossy();
                format!("{name} from {}", plan.source.program())
            }
            ([], [file]) => file.display_path.clone(),
            ([], files) => format!("{} files", files.len()),
            (plans, []) => format!("{} libraries", plans.len()),
            (plans, files) => format!("{} libraries and {} files", plans.len(), files.len()),
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
        Status::LeftOut(reason) if planned.item.trashed => (PreviewStatus::LeftOut, reason.clone(), None),
        Status::LeftOut(reason) => {
            (PreviewStatus::LeftOut, reason.clone(), Some("The same content is imported already"))
        }
    }
}

fn item_row(plan: &SourcePlan, planned: &Planned, origin: Origin) -> Row {
    let (status, reason, obstacle) = status(planned);
    let new = &planned.item.new;
    let asset = match &planned.status {
        Status::Same(asset) | Status::Changed(asset, _) => Some(asset.clone()),
        Status::New | Status::Doubtful(_) | Status::LeftOut(_) => None,
    };
    Row {
        status,
        reason,
        name: new.name.clone().unwrap_or_default(),
        tags: new.tags.join(", "),
        language: new.language.clone().unwrap_or_default(),
        size: i64::try_from(new.content.len()).unwrap_or(i64::MAX),
        path: plan.path_of(&planned.item).display().to_string(),
        secrets: Vec::new(),
        obstacle,
        asset,
        origin,
    }
}

fn file_row(file: &FileEntry, number: usize) -> Row {
    let name = file.path.file_name().unwrap_or(file.path.as_os_str()).to_string_lossy().into_owned();
    Row {
        status: PreviewStatus::New,
        reason: String::new(),
        name,
        tags: String::new(),
        language: String::new(),
        size: i64::try_from(file.size).unwrap_or(i64::MAX),
        path: file.path.display().to_string(),
        secrets: Vec::new(),
        obstacle: None,
        asset: None,
        origin: Origin::File(number),
    }
}

fn rejected_row(rejected: &Rejected) -> Row {
    let path: &PathBuf = &rejected.path;
    Row {
        status: PreviewStatus::LeftOut,
        reason: rejected.reason.clone(),
        name: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        tags: String::new(),
        language: String::new(),
        size: 0,
        path: path.display().to_string(),
        secrets: Vec::new(),
        obstacle: Some("It cannot become an asset"),
        asset: None,
        origin: Origin::Nowhere,
    }
}
