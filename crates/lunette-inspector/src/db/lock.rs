//! Named locks in a folder of the data folder. The system releases them also after a crash.
//!
//! What must hold: two programs never hold the same lock; a leftover lock file blocks nothing.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use lunette_storage::owner_only;

/// A lock that is held until this is dropped.
#[derive(Debug)]
pub(crate) struct NamedLock {
    path: PathBuf,
    _file: File,
}

/// The folder of the lock files, and the suffix of their names.
const FOLDER: &str = "locks";
const ENDING: &str = ".lock";

/// How often a lock file is reopened if its holder deleted it meanwhile.
const ATTEMPTS: usize = 8;

impl NamedLock {
    /// Acquires the lock of this name; `None` if it is held.
    pub fn try_take(data: &Path, name: &str) -> io::Result<Option<Self>> {
        let path = path(data, name);
        owner_only::create_folder(owner_only::folder_of(&path))?;
        for _ in 0..ATTEMPTS {
            let file = owner_only::open(&path)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Ok(None),
                // File systems without locks are supported.
                Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => return Err(error),
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            if owner_only::is_named(&file, &path).unwrap_or(false) {
                return Ok(Some(Self { path, _file: file }));
            }
        }
        Err(io::Error::other("other programs keep replacing the lock file"))
    }

    /// Whether the lock of this name is held.
    pub fn is_held(data: &Path, name: &str) -> bool {
        // A shared lock, so that two concurrent checks do not take each other for the holder.
        File::open(path(data, name)).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Removes the files of locks that are not held. A file that cannot be removed does no harm.
    pub fn remove_abandoned(data: &Path) {
        for entry in fs::read_dir(data.join(FOLDER)).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if let Some(name) = name.to_str().and_then(|name| name.strip_suffix(ENDING)) {
                drop(Self::try_take(data, name));
            }
        }
    }
}

impl Drop for NamedLock {
    fn drop(&mut self) {
        // Deleted while it is still locked, so that the file of another holder is not. If it stays, it is unlocked.
        fs::remove_file(&self.path).ok();
    }
}

fn path(data: &Path, name: &str) -> PathBuf {
    data.join(FOLDER).join(format!("{name}{ENDING}"))
}
