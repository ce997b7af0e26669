//! What a preview shows: a row for each item, what would become of it and why, and what looks like a secret in it.
//!
//! What must hold: nothing that was found is missing from the rows; what is left out says why.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use lunette_client::model::id::AssetId;
use lunette_secrets::Finding;
pub use lunette_sources::Warning;
use serde_json::{Value, json};

use crate::app::import::engine::{FileEntry, Rejected};
use crate::app::import::sources::{Difference, Item, Planned, SourcePlan, Status};

/// What would become of an item, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It becomes an asset.
    New,
    /// It becomes an asset that should be looked at.
    Doubtful,
    /// It was imported before and has changed since.
    Changed,
    /// It was imported before and is the same.
    Same,
    /// It is left out.
    LeftOut,
}

impl Fate {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 5] = [Self::New, Self::Doubtful, Self::Changed, Self::Same, Self::LeftOut];

    /// Its word.
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

/// Where a row comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// An item of a library: the places of both.
    Item(usize, usize),
    /// A file.
    File(usize),
    /// Something that cannot become an asset.
    Nowhere,
}

/// A row of the preview.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What would become of it.
    pub fate: Fate,
    /// Why; empty where the word says all.
    pub reason: String,
    /// The name of the asset that it becomes; empty where the service names it.
    pub name: String,
    /// The tags of that asset, with commas between them.
    pub tags: String,
    /// Its language, as far as it is known before the service has seen it.
    pub language: String,
    /// The size of its content in bytes.
    pub size: i64,
    /// The file, and the item in it.
    pub place: String,
    /// What looks like a secret in it.
    pub secrets: Vec<Finding>,
    /// Why it cannot be imported; None if it can.
    pub obstacle: Option<&'static str>,
    /// The asset that it became in an earlier import.
    pub asset: Option<AssetId>,
    origin: Origin,
}

impl Row {
    /// The row as JSON, with the words of the table.
    pub fn json(&self) -> Value {
        let Self { fate, reason, name, tags, language, size, place, secrets, obstacle, asset, origin: _ } = self;
        let secrets: Vec<_> = secrets.iter().map(|found| json!({ "rule": found.rule, "line": found.line })).collect();
        json!({
            "from": place, "becomes": fate.word(), "reason": reason, "obstacle": obstacle, "name": name, "tags": tags,
            "language": language, "size": size, "secrets": secrets, "asset": asset.as_ref().map(AssetId::as_str),
        })
    }

    /// Whether a new asset is made of it if it is marked.
    fn is_sent(&self) -> bool {
        self.obstacle.is_none() && self.fate != Fate::Changed
    }
}

/// Everything that a preview shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// The libraries.
    pub plans: Vec<SourcePlan>,
    /// A row for each item and each file.
    pub rows: Vec<Row>,
    /// How many files are left out because they are hidden or ignored.
    pub hidden: usize,
    /// The plain files.
    pub(super) files: Vec<FileEntry>,
}

impl Content {
    /// The content of libraries that were compared with what was imported before, and of plain files.
    pub fn of(plans: Vec<SourcePlan>, files: Vec<FileEntry>, rejected: &[Rejected], hidden: usize) -> Self {
        let items = plans.iter().enumerate().flat_map(|(library, plan)| {
            let row = move |(number, planned)| item_row(plan, planned, Origin::Item(library, number));
            plan.items.iter().enumerate().map(row)
        });
        let plain = files.iter().enumerate().map(|(number, file)| file_row(file, number));
        let rows = items.chain(plain).chain(rejected.iter().map(rejected_row)).collect();
        Self { plans, rows, hidden, files }
    }

    /// Searches a row for what looks like a secret. Blocks: a plain file is read.
    pub(super) fn find_secrets(&mut self, row: usize) {
        let Some(Row { origin, .. }) = self.rows.get(row) else { return };
        let secrets = match *origin {
            Origin::Item(..) => self.item(row).map(|item| lunette_secrets::find_in_bytes(&item.new.content)),
            Origin::File(file) => self.files.get(file).and_then(|file| {
                // Our choice: what is searched of an asset is so much; a larger file is not read for it.
                let small = usize::try_from(file.size).is_ok_and(|size| size <= lunette_secrets::MOST_BYTES);
                let bytes = small.then(|| std::fs::read(&file.path).ok()).flatten()?;
                Some(lunette_secrets::find_in_bytes(&bytes))
            }),
            Origin::Nowhere => None,
        };
        self.rows[row].secrets = secrets.unwrap_or_default();
    }

    /// The item of a row.
    fn item(&self, row: usize) -> Option<&Item> {
        match self.rows.get(row)?.origin {
            Origin::Item(library, item) => Some(&self.plans.get(library)?.items.get(item)?.item),
            Origin::File(_) | Origin::Nowhere => None,
        }
    }

    /// What does not survive of a row, or may be wrong, and where.
    pub fn warnings_of(&self, row: usize) -> &[Warning] {
        self.item(row).map_or(&[], |item| &item.warnings)
    }

    /// The description of the asset that a row becomes.
    pub fn description_of(&self, row: usize) -> Option<&str> {
        self.item(row)?.new.annotations.first().map(|(_, text)| text.as_str())
    }

    /// What was left out of the libraries as a whole, and why.
    pub fn warnings(&self) -> impl Iterator<Item = &Warning> {
        self.plans.iter().flat_map(|plan| &plan.warnings)
    }

    /// How many rows have this fate.
    pub fn count(&self, fate: Fate) -> usize {
        self.rows.iter().filter(|row| row.fate == fate).count()
    }

    /// Which rows are imported unless the user chooses otherwise: new and doubtful ones.
    pub fn default_marks(&self) -> Vec<bool> {
        let wanted = |row: &Row| row.obstacle.is_none() && matches!(row.fate, Fate::New | Fate::Doubtful);
        self.rows.iter().map(wanted).collect()
    }

    /// What is sent of the marked rows. Those that have changed are updates of their assets.
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

    /// The libraries with those marked items that have changed, without libraries that have none.
    pub fn changed(&self, marks: &[bool]) -> Vec<SourcePlan> {
        let mut chosen: BTreeMap<usize, HashSet<usize>> = BTreeMap::new();
        for (row, marked) in self.rows.iter().zip(marks) {
            match row.origin {
                Origin::Item(library, item) if *marked && row.fate == Fate::Changed => {
                    chosen.entry(library).or_default().insert(item);
                }
                Origin::Item(..) | Origin::File(_) | Origin::Nowhere => {}
            }
        }
        chosen.into_iter().filter_map(|(library, items)| Some(self.plans.get(library)?.only(&items))).collect()
    }

    /// What is imported, within a sentence.
    pub fn what(&self) -> String {
        match (self.plans.as_slice(), self.files.as_slice()) {
            ([plan], []) => {
                let name = plan.path.file_name().unwrap_or(plan.path.as_os_str()).to_string_lossy();
                format!("{name} from {}", plan.source.name())
            }
            ([], [file]) => file.shown_as.clone(),
            ([], files) => format!("{} files", files.len()),
            (plans, []) => format!("{} libraries", plans.len()),
            (plans, files) => format!("{} libraries and {} files", plans.len(), files.len()),
        }
    }
}

/// The word, the reason and the obstacle of an item.
fn fate(planned: &Planned) -> (Fate, String, Option<&'static str>) {
    match &planned.status {
        Status::New => (Fate::New, String::new(), None),
        Status::Doubtful(reason) => (Fate::Doubtful, reason.clone(), None),
        Status::Same(asset) => (Fate::Same, format!("it is {asset}"), Some("It is an asset already")),
        Status::Changed(asset, Difference::Content) => {
            (Fate::Changed, format!("it became {asset}, which it updates if it is marked"), None)
        }
        Status::Changed(asset, Difference::Details) => {
            let what = "only its tags, description, websites or language differ";
            (Fate::Changed, format!("it became {asset}, which it updates if it is marked; {what}"), None)
        }
        Status::LeftOut(reason) if planned.item.trashed => (Fate::LeftOut, reason.clone(), None),
        Status::LeftOut(reason) => (Fate::LeftOut, reason.clone(), Some("The same content is imported already")),
    }
}

fn item_row(plan: &SourcePlan, planned: &Planned, origin: Origin) -> Row {
    let (fate, reason, obstacle) = fate(planned);
    let new = &planned.item.new;
    let asset = match &planned.status {
        Status::Same(asset) | Status::Changed(asset, _) => Some(asset.clone()),
        Status::New | Status::Doubtful(_) | Status::LeftOut(_) => None,
    };
    Row {
        fate,
        reason,
        name: new.name.clone().unwrap_or_default(),
        tags: new.tags.join(", "),
        language: new.language.clone().unwrap_or_default(),
        size: i64::try_from(new.content.len()).unwrap_or(i64::MAX),
        place: plan.path_of(&planned.item).display().to_string(),
        secrets: Vec::new(),
        obstacle,
        asset,
        origin,
    }
}

fn file_row(file: &FileEntry, number: usize) -> Row {
    let name = file.path.file_name().unwrap_or(file.path.as_os_str()).to_string_lossy().into_owned();
    Row {
        fate: Fate::New,
        reason: String::new(),
        name,
        tags: String::new(),
        language: String::new(),
        size: i64::try_from(file.size).unwrap_or(i64::MAX),
        place: file.path.display().to_string(),
        secrets: Vec::new(),
        obstacle: None,
        asset: None,
        origin: Origin::File(number),
    }
}

fn rejected_row(rejected: &Rejected) -> Row {
    let path: &PathBuf = &rejected.path;
    Row {
        fate: Fate::LeftOut,
        reason: rejected.reason.clone(),
        name: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        tags: String::new(),
        language: String::new(),
        size: 0,
        place: path.display().to_string(),
        secrets: Vec::new(),
        obstacle: Some("It cannot become an asset"),
        asset: None,
        origin: Origin::Nowhere,
    }
}
