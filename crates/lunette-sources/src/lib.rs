//! Readers of the libraries of other programs: their snippets, notes and templates become candidates for an import.
//!
//! [`Files`] are the files of a library: a folder, one file, or an archive. [`recognise`]
//! finds the [`Source`] by content, and [`read`] reads its candidates, with a warning for everything that is skipped.
//!
//! What must hold, whatever the bytes: no panic, no endless loop, and memory, depth and work within [`Limits`]. Nothing
//! is written: files are only read, links are not followed, and no path leads out of the library. One item that cannot
//! be read does not affect the others. The crate does not know how candidates are used.

mod archive;
mod candidate;
mod cson;
mod date;
mod files;
mod folder;
mod front_matter;
mod json;
mod keyed_archive;
mod limits;
mod markdown;
mod nested;
mod path;
mod place;
mod readers;
mod sha256;
mod shape;
mod shared_names;
mod source;
mod sqlite;
mod warning;
mod yaml;

pub use candidate::{Candidate, Fragment, Library, Native};
pub use files::{Files, OpenError};
pub use front_matter::{FrontMatter, FrontMatterError};
pub use limits::{Cancelled, Limits};
pub use nested::{NestedLibrary, nested_libraries};
pub use place::{Base, Place, System};
pub use source::{Source, UnknownSource};
pub use warning::Warning;

/// A reader of the libraries of one program.
pub trait Reader: Sync {
    /// Whether there is a library of the program among these files, judged by content.
    fn detects(&self, files: &Files) -> bool;

    /// Returns the visible files that do not belong to the detected library, such as the source code beside it. The
    /// default is for readers whose `detects` accepts no other files.
    fn foreign<'a>(&self, _files: &'a Files) -> Vec<&'a str> {
        Vec::new()
    }

    /// Returns the folders that hold a library by the names of their files, each empty or with `/` at its end. Only for
    /// libraries that are folders.
    fn roots(&self, _files: &Files) -> Vec<String> {
        Vec::new()
    }

    /// Adds what it can read to the library, and a warning for everything else.
    fn read(&self, files: &Files, library: &mut Library);
}

/// Returns the program whose library these files are; `None` if they are ordinary files. An archive of ordinary files is
/// [`Source::ARCHIVE`]. Files with a library among others, such as a project with a folder of snippets, are ordinary
/// files; see [`nested_libraries`].
pub fn recognise(files: &Files) -> Option<Source> {
    if files.truncated() {
        return None;
    }
    let is_whole = |source: &Source| source.reader().detects(files) && source.reader().foreign(files).is_empty();
    Source::all().find(is_whole)
}

/// Reads these files as a library of this program, even if they were not recognised as one. Candidates are in the order
/// of the library, and no two of them have the same id.
pub fn read(files: &Files, source: Source) -> Library {
    let mut library = Library::new(source, files);
    files.begin_reading();
    source.reader().read(files, &mut library);
    library.finish(files);
    files.forget_parsed();
    library
}
