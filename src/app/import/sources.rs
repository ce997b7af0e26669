//! Libraries of other programs: recognised by content, mapped to assets, and compared with what was imported before.
//!
//! Our choice: one fragment is one asset, and several are assets named `NAME / LABEL` that share the tag `NAME`; a folder
//! becomes a tag such as `parent/child`; triggers, dates and where an item came from are in the description, since other
//! services than ours take no dates.
//!
//! What must hold: an item has the same id each time its library is read; what was imported is kept by source and id, so
//! that a second run adds nothing and names what changed. An item whose asset was deleted since is new again.

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
pub use plan::{Difference, Known, Planned, SourcePlan, Status};
pub use update::{Prepared, Updates};
pub use updated::{Reason, Updated};

/// Reads a path as a library of a program; None if it is none. `forced` takes it for one of that program. Blocks.
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
