//! Writing files for the user, and messages about failures.

use std::io::{self, ErrorKind};

pub use lunette_storage::atomic::{write as write_whole, write_new};
pub use lunette_storage::owner_only::{create_folder as make_folder, private};
pub use lunette_storage::system::{STANDARD_EDITOR, editor_command};

pub(crate) use lunette_storage::atomic::{TempFile, UNFINISHED};
pub(crate) use lunette_storage::owner_only::{create_new_folder as make_new_folder, folder_of};

/// Why a file could not be written, and what to do, in one sentence without its path.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::StorageFull => "the disk is full; free some space, or choose another folder".to_owned(),
        ErrorKind::QuotaExceeded => "your disk quota is exceeded; free some space, or choose another folder".to_owned(),
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => {
            format!("no permission to write there ({error}); choose another folder")
        }
        ErrorKind::NotFound => "the folder does not exist; create it, or choose another folder".to_owned(),
        ErrorKind::AlreadyExists => "a file of that name already exists".to_owned(),
        _ => error.to_string(),
    }
}

pub mod binary;
pub mod delimited;
#[cfg(all(test, unix))]
mod disk;
pub mod json_path;
pub mod json_text;
pub mod picture;
pub mod scaled;
#[cfg(feature = "svg")]
pub mod svg;
pub(crate) mod zip_file;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_folder_is_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = write_new(&folder.path().join("none/export.md"), b"x").expect_err("refused");
        assert_eq!(reason(&error), "the folder does not exist; create it, or choose another folder");
    }
}
