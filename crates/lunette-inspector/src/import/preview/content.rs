//! The content of a preview: a row for each item, with its status, the reason, and possible secrets.
//!
//! What must hold: every item that was found has a row; skipped items have a reason.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use lunette_sources::Source;
pub use lunette_sources::Warning;

use super::row::{Origin, file_row, item_row, rejected_row};
pub use super::row::{PreviewRow, PreviewStatus};
use crate::import::engine::{FileEntry, Rejected};
use crate::import::sources::{Item, LibraryAmongFiles, SourcePlan};
use crate::listing::RowList;
use lunette_client::model::size::plural;

/// The content of a preview.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content {
    /// The libraries.
    pub plans: Vec<SourcePlan>,
    /// A row for each item and each file.
    pub rows: RowList<PreviewRow>,
    /// The number of hidden and ignored files, which are skipped.
    pub hidden: usize,
    /// How many items have an id that is taken.
    pub taken: usize,
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
        let rejected = rejected.iter().enumerate().map(|(number, rejected)| rejected_row(rejected, number));
        let rows = items.chain(plain).chain(rejected).map(Arc::new).collect();
        Self { plans, rows, hidden, taken: 0, offered: Vec::new(), files }
    }

    /// Searches a row for possible secrets. Blocks, since a plain file is read.
    pub(super) fn find_secrets(&mut self, row: usize) {
        let Some(known) = self.rows.get(row) else { return };
        let secrets = match known.origin {
            Origin::Item(..) => self.item(row).map(|item| lunette_secrets::find_in_bytes(&item.new.content)),
            Origin::File(file) => self.files.get(file).and_then(|file| {
                // Our choice: only this much of an asset is searched, so a larger file is not read.
                let small = usize::try_from(file.size).is_ok_and(|size| size <= lunette_secrets::MAX_BYTES);
                let bytes = small.then(|| std::fs::read(&file.path).ok()).flatten()?;
                Some(lunette_secrets::find_in_bytes(&bytes))
            }),
            Origin::Rejected(_) => None,
        };
        if let Some(secrets) = secrets.filter(|secrets| !secrets.is_empty()) {
            let found = PreviewRow { secrets, ..PreviewRow::clone(known) };
            self.rows.replace(row, Arc::new(found));
        }
    }

    /// Returns the item of a row.
    fn item(&self, row: usize) -> Option<&Item> {
        match self.rows.get(row)?.origin {
            Origin::Item(library, item) => Some(&self.plans.get(library)?.items.get(item)?.item),
            Origin::File(_) | Origin::Rejected(_) => None,
        }
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
        let is_default = |row: &Arc<PreviewRow>| {
            row.obstacle.is_none() && matches!(row.status, PreviewStatus::New | PreviewStatus::Doubtful)
        };
        self.rows.iter().map(is_default).collect()
    }

    /// Returns the entries of the marked rows, without changed ones, which update their assets.
    pub fn entries(&self, marks: &[bool]) -> Vec<FileEntry> {
        let marked = self.rows.iter().zip(marks).filter(|(row, marked)| **marked && row.is_sent());
        let entry = |(row, _): (&Arc<PreviewRow>, &bool)| match row.origin {
            Origin::Item(library, item) => {
                let plan = self.plans.get(library)?;
                Some(plan.entry(&plan.items.get(item)?.item))
            }
            Origin::File(file) => self.files.get(file).cloned(),
            Origin::Rejected(_) => None,
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
                Origin::Item(..) | Origin::File(_) | Origin::Rejected(_) => {}
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
            (plans, files) => {
                let libraries = if plans.len() == 1 { "library" } else { "libraries" };
                format!("{} {libraries} and {}", plans.len(), plural(files.len(), "file"))
            }
        }
    }
}
