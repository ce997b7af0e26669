//! What every format does: it adds one asset after the other to a target, and ends.

use std::io;

use super::archive::Archive;
use super::bundle::{SnippetsLab, VsCode};
use super::code::{MassCode, Obsidian};
use super::document::Sqlite;
use super::files::{Files, Gists};
use super::format::Format;
use super::item::ExportItem;
use super::run::{ExportOptions, ExportReport};
use super::table::{Csv, Json};
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

/// The writer of a format.
pub(super) fn writer(options: &ExportOptions, target: &Target) -> io::Result<Box<dyn LibraryWriter>> {
    Ok(match options.format {
        Format::Archive => Box::new(Archive::new(target)?),
        Format::Files => Box::new(Files::default()),
        Format::MassCode => Box::new(MassCode::default()),
        Format::VsCode => Box::new(VsCode::new(target)?),
        Format::SnippetsLab => Box::new(SnippetsLab::new(target)?),
        Format::Gist => Box::new(Gists),
        Format::Obsidian => Box::new(Obsidian::default()),
        Format::Csv => Box::new(Csv::new(target, &options.columns)?),
        Format::Json => Box::new(Json::new(target, &options.columns)?),
        Format::Sqlite => Box::new(Sqlite::new(target)?),
    })
}
