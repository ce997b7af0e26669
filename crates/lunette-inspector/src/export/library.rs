//! Exports many assets: as a Lunette archive, as plain files, or in the format of another program.
//!
//! `docs/export.md` describes the formats. What must hold: contents are processed one at a time, so that a store of any
//! size can be written; the export gets its final name only once all of it is on disk; existing files are never
//! replaced; assets that could not be written are reported with the reason, and what the format has no place for
//! is counted.

mod archive;
mod bundle;
mod code;
mod document;
mod files;
mod format;
mod history;
mod item;
mod left_out;
mod report;
mod run;
mod table;
mod target;
mod writer;

pub use format::Format;
pub use item::ExportItem;
pub use left_out::{AssetPart, LeftOut, LeftOutAsset};
pub use report::{ExportOptions, ExportReport, Suspect};
pub use run::{ExportError, PreparedExport, Progress, export_library, prepare_library};

use std::io;

use archive::Archive;
use bundle::{SnippetsLab, VsCode};
use code::{MassCode, Obsidian};
use document::Sqlite;
use files::{Files, Gists};
use table::{Csv, Json};
use target::Target;
use writer::LibraryWriter;

/// Returns the writer of a format.
fn writer(options: &ExportOptions, target: &Target) -> io::Result<Box<dyn LibraryWriter>> {
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
