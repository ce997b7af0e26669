//! The interface of a format: it adds one asset after another to a target, and finishes.

use std::io;

use super::item::ExportItem;
use super::report::{ExportOptions, ExportReport};
use super::target::Target;

/// Writes assets in one format.
pub(super) trait LibraryWriter: Send {
    /// Adds an asset.
    fn add(&mut self, item: &ExportItem, target: &mut Target) -> io::Result<Added>;

    /// Adds what follows the last asset.
    fn end(self: Box<Self>, end: &Ending<'_>, target: &mut Target) -> io::Result<()>;
}

/// The result of adding an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Added {
    /// It was written, with the name of its file if it has its own.
    Written(Option<String>),
    /// The format does not support it, with the reason.
    LeftOut(&'static str),
}

/// The reason why a binary asset is missing from a format.
pub(super) const NO_TEXT: Added = Added::LeftOut("it is not text, which the format does not support");

/// The data available at the end.
pub(super) struct Ending<'a> {
    pub options: &'a ExportOptions,
    /// What was written so far.
    pub report: &'a ExportReport,
}
