//! Libraries of other programs: recognised by content, mapped to assets, and compared with what was imported before.
//!
//! Our choice: one fragment becomes one asset, and several become assets named `NAME / LABEL` that share the tag
//! `NAME`; a folder becomes a tag such as `parent/child`; triggers, dates and the origin are in the description, since
//! other services do not take dates.
//!
//! What must hold: an item has the same id each time its library is read; imported items are recorded by source and id,
//! so that a second run adds nothing and reports changes. An item whose asset was deleted is new again.

mod identity;
mod mapped;
mod mapping;
mod plan;
mod update;
mod updated;

use std::path::{Path, PathBuf};

use lunette_sources::{Cancelled, Files, Limits, OpenError, Source, nested_libraries, read, recognise};

use crate::import::mapping::Mapping;
use crate::tasks::CancelFlag;

pub use mapping::Item;
pub(crate) use plan::ID_IS_TAKEN;
pub use plan::{Difference, ImportedItems, Planned, SourcePlan, Status};
pub use update::{ItemUpdate, Updates};
pub use updated::{Reason, Updated};

/// What a path was read as.
#[derive(Clone, Debug)]
pub enum Opened {
    /// A library of a program, or an archive.
    Library(SourcePlan),
    /// Plain files, among which there may be libraries.
    Files(Vec<LibraryAmongFiles>),
}

impl Opened {
    /// Returns the library, if it is one.
    pub fn library(self) -> Option<SourcePlan> {
        match self {
            Self::Library(plan) => Some(plan),
            Self::Files(_) => None,
        }
    }
}

/// A library in a folder that also has other files, so that the folder is imported as files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryAmongFiles {
    /// Its program.
    pub source: Source,
    /// Its folder.
    pub path: PathBuf,
}

/// Reads a path as a library of a program, unless it is plain files. `forced` reads it as a library of that program.
/// Blocks.
pub fn open(path: &Path, forced: Option<Source>, mapping: Mapping, cancel: &CancelFlag) -> Result<Opened, OpenError> {
    let files = Files::open(path, Limits::default(), Cancelled(Some(cancel.flag())))?;
    let Some(source) = forced.or_else(|| recognise(&files)) else {
        let of_path = |found: lunette_sources::NestedLibrary| LibraryAmongFiles {
            source: found.source,
            path: found
                .folder
                .split('/')
                .filter(|part| !part.is_empty())
                .fold(path.to_owned(), |path, part| path.join(part)),
        };
        return Ok(Opened::Files(nested_libraries(&files).into_iter().map(of_path).collect()));
    };
    Ok(Opened::Library(SourcePlan::of(path, files.name(), read(&files, source), mapping)))
}

#[cfg(test)]
mod tests;
