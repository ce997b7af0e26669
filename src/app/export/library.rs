//! Many assets written out: as an archive of Lunette, as plain files, or in the form that another program reads.
//!
//! `docs/export.md` describes the formats. What must hold: contents pass through one at a time, so that a store of any size
//! can be written; what is written has its name only once all of it is on the disk; nothing that is there is replaced; what
//! could not be written is named with its reason.

mod archive;
mod bundle;
mod code;
mod document;
mod files;
mod format;
mod item;
mod names;
mod report;
mod run;
mod table;
mod target;
mod writer;

pub use format::Format;
pub use item::ExportItem;
pub use report::{ExportOptions, ExportReport, LeftOut, Suspect};
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

/// The writer of a format.
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
