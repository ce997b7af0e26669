//! What every format does: it adds one asset after the other to a target, and ends.

use std::io;

use super::item::ExportItem;
use super::report::{ExportOptions, ExportReport};
use super::target::Target;

/// Writes assets in one format.
pub(super) trait LibraryWriter: Send {
    /// Adds an asset.
    fn add(&mut self, item: &ExportItem, target: &mut Target) -> io::Result<Added>;

    /// Adds what comes after the last asset.
    fn end(self: Box<Self>, end: &Ending<'_>, target: &mut Target) -> io::Result<()>;
}

/// What became of an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Added {
    /// It was written, to a file of this name where it has one of its own.
    Written(Option<String>),
    /// The format has no place for it; why.
    LeftOut(&'static str),
}

/// Why an asset that is no text is not in a format.
pub(super) const NO_TEXT: Added = Added::LeftOut("it is not text, which the format has no place for");

/// What is known at the end.
pub(super) struct Ending<'a> {
    pub options: &'a ExportOptions,
    /// What was written so far.
    pub report: &'a ExportReport,
}
