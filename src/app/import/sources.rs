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

use std::path::Path;

use lunette_sources::{Cancelled, Files, Limits, OpenError, Source, read, recognise};

use crate::app::import::mapping::Mapping;
use crate::app::tasks::CancelFlag;

pub use mapping::Item;
pub use plan::{Difference, ImportedItems, Planned, SourcePlan, Status};
pub use update::{ItemUpdate, Updates};
pub use updated::{Reason, Updated};

/// Reads a path as a library of a program, or returns `None` if it is not one. `forced` reads it as one of that
/// program. Blocks.
pub fn open(
    path: &Path,
    forced: Option<Source>,
    mapping: Mapping,
    cancel: &CancelFlag,
) -> Result<Option<SourcePlan>, OpenError> {
    let files = Files::open(path, Limits::default(), Cancelled(Some(cancel.flag())))?;
    let Some(source) = forced.or_else(|| recognise(&files)) else { return Ok(None) };
    Ok(Some(SourcePlan::of(path, files.name(), read(&files, source), mapping)))
}

#[cfg(test)]
mod tests;
