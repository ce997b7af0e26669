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
mod run;
mod table;
mod target;
mod writer;

pub use format::Format;
pub use item::ExportItem;
pub use run::{
    ExportError, ExportOptions, ExportReport, LeftOut, PreparedExport, Progress, Suspect, export_library,
    prepare_library,
};
