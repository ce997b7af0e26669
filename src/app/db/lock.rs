//! Locks by name, in a folder of the data folder: who holds one is told by the system, also after a crash.
//!
//! What must hold: two programs never hold one lock; a lock file that was left behind is in nobody's way.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use lunette_storage::owner_only;

/// A lock that is held until this is dropped.
#[derive(Debug)]
pub(in crate::app) struct NamedLock {
    path: PathBuf,
    _file: File,
}

/// The folder of the lock files, and how their names end.
const FOLDER: &str = "locks";
const ENDING: &str = ".lock";

/// How often a lock file is opened again that its holder deleted meanwhile.
const ATTEMPTS: usize = 8;

impl NamedLock {
    /// Takes the lock of this name; None where somebody holds it.
    pub fn try_take(data: &Path, name: &str) -> io::Result<Option<Self>> {
        let path = path(data, name);
        owner_only::create_folder(owner_only::folder_of(&path))?;
        for _ in 0..ATTEMPTS {
            let file = owner_only::open(&path)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Ok(None),
                // A file system without locks is used without.
                Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => return Err(error),
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            if owner_only::is_named(&file, &path).unwrap_or(false) {
                return Ok(Some(Self { path, _file: file }));
            }
        }
        Err(io::Error::other("other programs keep replacing the lock file"))
    }

    /// Whether somebody holds the lock of this name.
    pub fn is_held(data: &Path, name: &str) -> bool {
        // A shared lock, so that two who ask at once do not take each other for the holder.
        File::open(path(data, name)).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Removes the files of locks whose holders are gone; what cannot be removed does no harm.
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
        // Deleted while it is still locked, so that nobody else's is. Where it stays it is unlocked.
        fs::remove_file(&self.path).ok();
    }
}

fn path(data: &Path, name: &str) -> PathBuf {
    data.join(FOLDER).join(format!("{name}{ENDING}"))
}
