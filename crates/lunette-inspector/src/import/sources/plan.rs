//! The plan of an import of a library, and its records.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lunette_client::model::id::AssetId;
use lunette_sources::{Library, Source, Warning};

use super::identity::{LibraryKey, PreviousItem, PreviousItems};
use super::mapped::mapped_items;
use super::mapping::Item;
use crate::db::source_items::SourceItem;
use crate::db::{Database, DatabaseError};
use crate::import::engine::{FileEntry, ImportReport, TakenIds};
use crate::import::mapping::Mapping;

/// The status of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It becomes an asset.
    New,
    /// It was imported before and has not changed since.
    Same(AssetId),
    /// It was imported before, and has changed in its library since.
    Changed(AssetId, Difference),
    /// It becomes an asset that needs review, with the reason.
    Doubtful(String),
    /// It is skipped, with the reason.
    LeftOut(String),
}

/// What changed in an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Its name or its content.
    Content,
    /// Only its tags, description, websites or language. A new asset would be a duplicate.
    Details,
}

/// An item with its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The item.
    pub item: Item,
    /// Its status.
    pub status: Status,
    /// Its recorded hash, if it was imported before.
    pub(super) before: Option<String>,
}

impl Planned {
    /// Whether it would become an asset that keeps its id, and another one has that.
    fn is_taken(&self, present: Option<&HashSet<String>>) -> bool {
        let sent = matches!(self.status, Status::New | Status::Doubtful(_));
        sent && self.item.new.ids.is_some() && present.is_some_and(|present| present.contains(&self.item.id))
    }
}

/// Why an item is left out whose id is taken.
pub(crate) const ID_IS_TAKEN: &str = "an asset here has its id";

/// The previously imported items of a source: asset and hash, by recorded id.
pub type ImportedItems = HashMap<String, (AssetId, String)>;

/// What an import of a library would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlan {
    /// The path of the library.
    pub path: PathBuf,
    /// The program that it belongs to.
    pub source: Source,
    /// Its items, in their order.
    pub items: Vec<Planned>,
    /// What was skipped, with the reason.
    pub warnings: Vec<Warning>,
    key: LibraryKey,
    /// Records of this library at another path, to be saved for this path too.
    adopted: Vec<SourceItem>,
}

/// Warnings that the content may not be what its author meant.
const DOUBTFUL: [&str; 5] =
    ["masscode.fragments", "markdown.fence", "lunette.checksum", "pieces.checksum", "pieces.redacted"];

impl SourcePlan {
    /// Creates the plan of a library that was not imported before.
    pub(super) fn of(path: &Path, name: &str, library: Library, mapping: Mapping) -> Self {
        let Library { source, candidates, warnings, .. } = library;
        let mut seen = HashSet::new();
        let all = candidates.into_iter().flat_map(|candidate| mapped_items(mapping, source, name, candidate));
        let planned = all.map(|mut item| {
            // An archive contains the assets of a service, which may have duplicates.
            let is_asset = item.new.archived.is_some();
            if is_asset && seen.contains(&item.hash.content) {
                Arc::make_mut(&mut item.new).duplicate = true;
            }
            let doubt = item.warnings.iter().find(|warning| DOUBTFUL.contains(&warning.code));
            let status = if item.trashed {
                Status::LeftOut("it is in the program's trash".to_owned())
            } else if !seen.insert(item.hash.content) && !is_asset {
                Status::LeftOut("an earlier item has the same name and content".to_owned())
            } else if let Some(doubt) = doubt {
                Status::Doubtful(doubt.message.clone())
            } else {
                Status::New
            };
            Planned { item, status, before: None }
        });
        let (items, key) = (planned.collect(), LibraryKey::of(path));
        Self { path: path.to_owned(), source, items, warnings, key, adopted: Vec::new() }
    }

    /// Includes items in the program's trash.
    pub fn with_trash(&mut self) {
        for planned in self.items.iter_mut().filter(|planned| planned.item.trashed) {
            planned.status = Status::New;
        }
    }

    /// Sets what happens to assets of an archive of Lunette whose ids are taken. `present` are the ids of all assets; `None`
    /// if that is unknown.
    pub fn set_taken_ids(&mut self, taken: TakenIds, present: Option<&HashSet<String>>) {
        for planned in self.items.iter_mut().filter(|planned| planned.item.new.ids.is_some()) {
            if taken == TakenIds::Skip && planned.is_taken(present) {
                planned.status = Status::LeftOut(ID_IS_TAKEN.to_owned());
            } else {
                Arc::make_mut(&mut planned.item.new).ids = Some(taken);
            }
        }
    }

    /// How many items would become assets whose ids are taken.
    pub fn taken_ids(&self, present: Option<&HashSet<String>>) -> usize {
        self.items.iter().filter(|planned| planned.is_taken(present)).count()
    }

    /// Compares with previous imports. Assets that are not in `present` were deleted; `None` if that is unknown.
    pub fn compare(&mut self, known: &ImportedItems, present: Option<&HashSet<String>>) {
        let items: Vec<&Item> = self.items.iter().map(|planned| &planned.item).collect();
        let before = PreviousItems::of(&self.key, &items, known, present);
        self.adopted.clear();
        for planned in &mut self.items {
            let Some(PreviousItem { asset, hash, elsewhere }) = before.find(&planned.item) else { continue };
            if matches!(planned.status, Status::LeftOut(_)) {
                continue;
            }
            if elsewhere {
                let item = self.key.recorded_id(&planned.item);
                self.adopted.push(SourceItem { item, asset: asset.as_str().to_owned(), hash: hash.to_owned() });
            }
            let now = &planned.item.hash;
            planned.before = Some(hash.to_owned());
            planned.status = match now.equals_recorded(hash) {
                true => Status::Same(asset.clone()),
                false if hash.starts_with(&now.content.to_string()) => {
                    Status::Changed(asset.clone(), Difference::Details)
                }
                false => Status::Changed(asset.clone(), Difference::Content),
            };
        }
    }

    /// Returns the plan with only the items at these indices.
    #[must_use]
    pub fn only(&self, indices: &HashSet<usize>) -> Self {
        let selection = self.items.iter().enumerate().filter(|(index, _)| indices.contains(index));
        let items = selection.map(|(_, planned)| planned.clone()).collect();
        Self { items, warnings: Vec::new(), adopted: Vec::new(), ..self.clone() }
    }

    /// Returns the new and doubtful items to send.
    pub fn entries(&self) -> Vec<FileEntry> {
        let sent = self.items.iter().filter(|planned| planned.is_sent());
        let mut entries: Vec<FileEntry> = sent.map(|planned| self.entry(&planned.item)).collect();
        // A duplicate is created after the first asset.
        entries.sort_by_key(FileEntry::is_duplicate);
        entries
    }

    /// Returns the entry of an item.
    pub fn entry(&self, item: &Item) -> FileEntry {
        let path = self.path_of(item);
        FileEntry {
            display_path: item.new.name.clone().unwrap_or_else(|| item.id.clone()),
            path,
            size: item.new.content.len() as u64,
            new_asset: Some(item.new.clone()),
        }
    }

    /// Returns the path of an item: that of its library, `#` and its id.
    pub fn path_of(&self, item: &Item) -> PathBuf {
        let mut path = self.path.clone().into_os_string();
        path.push("#");
        path.push(&item.id);
        path.into()
    }

    /// Returns the id under which an item is recorded.
    pub(super) fn recorded_id(&self, item: &Item) -> String {
        self.key.recorded_id(item)
    }

    /// Loads the previously imported items of this source for a connection. Blocks.
    pub fn load_imported(&self, database: &Database, connection: &str) -> Result<ImportedItems, DatabaseError> {
        let items = database.source_items(connection, self.source.name())?;
        let known = |SourceItem { item, asset, hash }| Some((item, (asset.parse().ok()?, hash)));
        Ok(items.into_iter().filter_map(known).collect())
    }

    /// Records which assets the items became. Blocks.
    pub fn record_imported(
        &self,
        database: &Database,
        connection: &str,
        report: &ImportReport,
    ) -> Result<(), DatabaseError> {
        let made: HashMap<&Path, &AssetId> =
            report.imported.iter().chain(&report.existing).map(|(path, asset)| (path.as_path(), asset)).collect();
        let kept = self.items.iter().filter_map(|planned| {
            let asset = made.get(self.path_of(&planned.item).as_path())?;
            let (item, hash) = (self.recorded_id(&planned.item), planned.item.hash.to_string());
            Some(SourceItem { item, asset: asset.as_str().to_owned(), hash })
        });
        // New records come last and take precedence.
        let kept: Vec<_> = self.adopted.iter().cloned().chain(kept).collect();
        if kept.is_empty() { Ok(()) } else { database.keep_source_items(connection, self.source.name(), &kept) }
    }
}

impl Planned {
    /// Returns whether it is sent.
    pub fn is_sent(&self) -> bool {
        matches!(self.status, Status::New | Status::Doubtful(_))
    }
}
