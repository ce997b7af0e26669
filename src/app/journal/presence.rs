//! Which windows of a data folder are open now: each holds the lock of a file of its own for as long as it writes to the
//! journal.
//!
//! What must hold: the lock goes with the program however it ends, so that a step of a program that is gone never reads
//! as in progress. Files of programs that are gone are removed by the next one that opens the journal.

use std::fs::{self, File, TryLockError};
use std::io;

use serde::{Deserialize, Serialize};

use crate::app::journal::folder::Folder;

/// Names a window, or any other program that writes to a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(in crate::app) struct WindowId(uuid::Uuid);

/// This window, as the others see it; dropped, it is gone.
#[derive(Debug)]
pub(super) struct Presence {
    pub id: WindowId,
    path: std::path::PathBuf,
    /// None where the file system has no locks: then other windows take this one for gone.
    _locked: Option<File>,
}

const PREFIX: &str = "window-";
const SUFFIX: &str = ".lock";

impl WindowId {
    fn file(self) -> String {
        format!("{PREFIX}{}{SUFFIX}", self.0)
    }

    /// Whether its program still runs.
    pub fn is_open(self, folder: &Folder) -> bool {
        fs::symlink_metadata(folder.path(&self.file())).is_ok_and(|found| found.is_file())
            && folder.file(&self.file()).is_ok_and(|(file, _)| is_held(&file))
    }
}

impl Presence {
    /// Makes this window known. The folder's lock is held by the caller.
    pub fn announce(folder: &Folder) -> io::Result<Self> {
        remove_gone(folder);
        let id = WindowId(uuid::Uuid::new_v4());
        let file = folder.new_file(&id.file())?;
        let locked = match file.try_lock() {
            Ok(()) => Some(file),
            Err(_) => None,
        };
        Ok(Self { id, path: folder.path(&id.file()), _locked: locked })
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        // Where it stays, the next window removes it.
        fs::remove_file(&self.path).ok();
    }
}

/// Whether somebody holds the lock of a file. A shared lock, so that two windows that ask at once do not see each other.
fn is_held(file: &File) -> bool {
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// Removes the files of windows that are gone; what cannot be removed does no harm.
fn remove_gone(folder: &Folder) {
    for entry in fs::read_dir(folder.path("")).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX)) else {
            continue;
        };
        if folder.file(name).is_ok_and(|(file, _)| !is_held(&file)) {
            fs::remove_file(entry.path()).ok();
        }
    }
}
