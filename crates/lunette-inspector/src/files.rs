//! Writing files for the user, and messages about failures.

use std::io::{self, ErrorKind};
use std::path::Path;

pub use lunette_storage::system::error_text;

pub use lunette_storage::atomic::{write as write_whole, write_new};
pub use lunette_storage::owner_only::{create_folder as make_folder, private};
pub use lunette_storage::system::{STANDARD_EDITOR, editor_command};

pub(crate) use lunette_storage::atomic::{TempFile, UNFINISHED};
pub(crate) use lunette_storage::owner_only::{create_new_folder as make_new_folder, folder_of};

/// What happens to a regular file that has the name of a new one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IfExists {
    /// It stays, and nothing is written.
    #[default]
    Refuse,
    /// The new one replaces it once it is complete.
    Replace,
}

/// Gives a complete file its name.
pub(crate) fn persist(file: TempFile, path: &Path, if_exists: IfExists) -> io::Result<()> {
    match if_exists {
        IfExists::Refuse => file.persist_noclobber(path),
        IfExists::Replace => file.persist(path),
    }
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Why a file could not be written, and what to do, in one sentence without its path.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::StorageFull => "the disk is full; free some space, or choose another folder".to_owned(),
        ErrorKind::QuotaExceeded => "your disk quota is exceeded; free some space, or choose another folder".to_owned(),
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => {
            "no permission to write there; choose another folder".to_owned()
        }
        ErrorKind::NotFound => "the folder does not exist; create it, or choose another folder".to_owned(),
        ErrorKind::AlreadyExists => "a file of that name already exists".to_owned(),
        _ => error_text(error),
    }
}

pub mod binary;
pub mod delimited;
#[cfg(all(test, unix))]
mod disk;
pub(crate) mod file_names;
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
