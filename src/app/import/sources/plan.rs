//! What an import of a library would do, and what is kept of it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lunette_client::model::id::AssetId;
use lunette_sources::{Library, Source, Warning};

use super::identity::{Before, Found, LibraryKey};
use super::mapped::mapped_items;
use super::mapping::Item;
use crate::app::db::source_items::SourceItem;
use crate::app::db::{Database, DatabaseError};
use crate::app::import::engine::{FileEntry, ImportReport};
use crate::app::import::mapping::Mapping;

/// What would become of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It becomes an asset.
    New,
    /// It was imported before and has not changed since.
    Same(AssetId),
    /// It was imported before, and has changed in its library since.
    Changed(AssetId, Difference),
    /// It becomes an asset that should be looked at; why.
    Doubtful(String),
    /// It is left out; why.
    LeftOut(String),
}

/// What has changed of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Its name or its content.
    Content,
    /// Nothing but its tags, description, websites or language. A new asset would be the same one twice.
    Details,
}

/// An item, and what would become of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The item.
    pub item: Item,
    /// What would become of it.
    pub status: Status,
    /// What was kept of it when it was imported.
    pub(super) before: Option<String>,
}

/// What was imported from a source before: the asset and the hash, by the id under which the item is kept.
pub type Known = HashMap<String, (AssetId, String)>;

/// What an import of a library would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlan {
    /// The path of the library.
    pub path: PathBuf,
    /// The program that it belongs to.
    pub source: Source,
    /// Its items, in their order.
    pub items: Vec<Planned>,
    /// What was left out of it, and why.
    pub warnings: Vec<Warning>,
    key: LibraryKey,
    /// Items that are known by what is kept elsewhere, to be kept for this library too.
    adopted: Vec<SourceItem>,
}

/// Warnings that say that a content may not be what its author meant.
const DOUBTFUL: [&str; 3] = ["masscode.fragments", "markdown.fence", "lunette.checksum"];

impl SourcePlan {
    /// The plan for a library of which nothing was imported before.
    pub(super) fn of(path: &Path, name: &str, library: Library, mapping: Mapping) -> Self {
        let Library { source, candidates, warnings } = library;
        let mut seen = HashSet::new();
        let all = candidates.into_iter().flat_map(|candidate| mapped_items(mapping, source, name, candidate));
        let planned = all.map(|mut item| {
            // An archive has the assets of a service, of which two may be the same.
            if source == Source::Lunette && seen.contains(&item.hash.content) {
                Arc::make_mut(&mut item.new).duplicate = true;
            }
            let doubt = item.warnings.iter().find(|warning| DOUBTFUL.contains(&warning.code));
            let status = if item.trashed {
                Status::LeftOut("it is in the program's trash".to_owned())
            } else if !seen.insert(item.hash.content.clone()) && source != Source::Lunette {
                Status::LeftOut("an item before it has the same name and content".to_owned())
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

    /// Also imports what is in the program's trash.
    pub fn with_trash(&mut self) {
        for planned in self.items.iter_mut().filter(|planned| planned.item.trashed) {
            planned.status = Status::New;
        }
    }

    /// Compares with what was imported before. Of that, what is not in `present` was deleted since; None if that is unknown.
    pub fn compare(&mut self, known: &Known, present: Option<&HashSet<String>>) {
        let items: Vec<&Item> = self.items.iter().map(|planned| &planned.item).collect();
        let before = Before::of(&self.key, &items, known, present);
        self.adopted.clear();
        for planned in &mut self.items {
            let Some(Found { asset, hash, elsewhere }) = before.find(&planned.item) else { continue };
            if matches!(planned.status, Status::LeftOut(_)) {
                continue;
            }
            if elsewhere {
                let item = self.key.kept_id(&planned.item);
                self.adopted.push(SourceItem { item, asset: asset.as_str().to_owned(), hash: hash.to_owned() });
            }
            let now = &planned.item.hash;
            planned.before = Some(hash.to_owned());
            planned.status = match now.is_kept_as(hash) {
                true => Status::Same(asset.clone()),
                false if hash.starts_with(&now.content) => Status::Changed(asset.clone(), Difference::Details),
                false => Status::Changed(asset.clone(), Difference::Content),
            };
        }
    }

    /// The same with these items only, by their places.
    #[must_use]
    pub fn only(&self, places: &HashSet<usize>) -> Self {
        let chosen = self.items.iter().enumerate().filter(|(place, _)| places.contains(place));
        let items = chosen.map(|(_, planned)| planned.clone()).collect();
        Self { items, warnings: Vec::new(), adopted: Vec::new(), ..self.clone() }
    }

    /// What is sent: new and doubtful items.
    pub fn entries(&self) -> Vec<FileEntry> {
        let sent = self.items.iter().filter(|planned| planned.is_sent());
        let mut entries: Vec<FileEntry> = sent.map(|planned| self.entry(&planned.item)).collect();
        // A second asset of the same name and content is made once the first one is there.
        entries.sort_by_key(FileEntry::is_duplicate);
        entries
    }

    /// What is sent of an item.
    pub fn entry(&self, item: &Item) -> FileEntry {
        let path = self.path_of(item);
        FileEntry {
            shown_as: item.new.name.clone().unwrap_or_else(|| item.id.clone()),
            path,
            size: item.new.content.len() as u64,
            made: Some(item.new.clone()),
        }
    }

    /// How an item is named where files are: the path of its library, `#` and its id.
    pub fn path_of(&self, item: &Item) -> PathBuf {
        let mut path = self.path.clone().into_os_string();
        path.push("#");
        path.push(&item.id);
        path.into()
    }

    /// The id under which an item is kept.
    pub(super) fn kept_id(&self, item: &Item) -> String {
        self.key.kept_id(item)
    }

    /// What was imported from this source before, of this connection. Blocks.
    pub fn known(&self, database: &Database, connection: &str) -> Result<Known, DatabaseError> {
        let items = database.source_items(connection, self.source.name())?;
        let known = |SourceItem { item, asset, hash }| Some((item, (asset.parse().ok()?, hash)));
        Ok(items.into_iter().filter_map(known).collect())
    }

    /// Keeps which assets the items became, for the next time. Blocks.
    pub fn keep(&self, database: &Database, connection: &str, report: &ImportReport) -> Result<(), DatabaseError> {
        let made: HashMap<&Path, &AssetId> =
            report.taken.iter().chain(&report.existing).map(|(path, asset)| (path.as_path(), asset)).collect();
        let kept = self.items.iter().filter_map(|planned| {
            let asset = made.get(self.path_of(&planned.item).as_path())?;
            let (item, hash) = (self.kept_id(&planned.item), planned.item.hash.to_string());
            Some(SourceItem { item, asset: asset.as_str().to_owned(), hash })
        });
        // What was made now comes last, and counts.
        let kept: Vec<_> = self.adopted.iter().cloned().chain(kept).collect();
        if kept.is_empty() { Ok(()) } else { database.keep_source_items(connection, self.source.name(), &kept) }
    }
}

impl Planned {
    /// Whether it is sent.
    pub fn is_sent(&self) -> bool {
        matches!(self.status, Status::New | Status::Doubtful(_))
    }
}
