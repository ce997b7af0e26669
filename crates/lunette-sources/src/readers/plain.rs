//! The files of an archive, each an item.

use crate::candidate::{Candidate, Fragment, Library};
use crate::files::{Files, file_name, folders};
use crate::{Reader, Source};

/// Reads archives whose files belong to no program.
pub(crate) struct Archive;

impl Reader for Archive {
    fn source(&self) -> Source {
        Source::Archive
    }

    fn detects(&self, files: &Files) -> bool {
        files.is_named_archive()
    }

    fn read(&self, files: &Files, library: &mut Library) {
        // As in a folder, hidden files and folders are skipped.
        for path in files.visible_paths() {
            match files.bytes(path) {
                Ok(bytes) => {
                    let candidate = Candidate {
                        source_id: path.to_owned(),
                        name: file_name(path).to_owned(),
                        fragments: vec![Fragment { bytes, ..Fragment::default() }],
                        folder: folders(path),
                        ..Candidate::default()
                    };
                    library.add(candidate, &files.location(path));
                }
                Err(warning) => library.report([warning]),
            }
        }
    }
}
