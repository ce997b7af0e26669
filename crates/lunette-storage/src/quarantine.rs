//! Quarantines a database that cannot be used, or that another one replaces.
//!
//! What must hold: nothing is deleted; the database and its log are moved together, and an interrupted move is finished
//! by the next one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::atomic;
use crate::owner_only::{create_folder, sync_folder};

/// A database, and the reasons for moving its files.
#[derive(Clone, Copy, Debug)]
pub struct Quarantine {
    /// The names of its files. The database is first: without it, the others never count as complete.
    pub pieces: &'static [&'static str],
    /// The reasons for a move. The folder that the files go to is named after one.
    pub reasons: &'static [&'static str],
}

impl Quarantine {
    /// Returns whether `data` has any of its files.
    pub fn exists_in(&self, data: &Path) -> bool {
        self.pieces.iter().any(|piece| data.join(piece).symlink_metadata().is_ok())
    }

    /// Moves the files of the database in `data` into a folder beside it, `REASON-STAMP`, and returns that folder, or
    /// `None` if there was nothing to move.
    pub fn move_aside(&self, data: &Path, reason: &str, stamp: &str) -> io::Result<Option<PathBuf>> {
        let exists = |folder: &Path, piece: &&str| folder.join(piece).symlink_metadata().is_ok();
        let present: Vec<_> = self.pieces.iter().copied().filter(|piece| exists(data, piece)).collect();
        // An interrupted move left some of the files there, whatever its reason.
        let mut target = unfinished(data, reason);
        for begun in self.reasons.iter().map(|reason| unfinished(data, reason)).filter(|begun| begun.is_dir()) {
            match present.iter().any(|piece| exists(&begun, piece)) {
                // Another database was created since: the moved files belong only to the first one.
                true => drop(finish(&begun, data, reason, stamp)?),
                false => target = begun,
            }
        }
        if present.is_empty() && !target.is_dir() {
            return Ok(None);
        }
        create_folder(&target)?;
        for piece in present {
            fs::rename(data.join(piece), target.join(piece))?;
        }
        sync_folder(&target)?;
        finish(&target, data, reason, stamp).map(Some)
    }
}

/// The temporary folder until all files are moved.
fn unfinished(data: &Path, reason: &str) -> PathBuf {
    data.join(format!("{reason}.unfinished"))
}

/// Renames a folder to its final name, with a number if it exists.
fn finish(unfinished: &Path, data: &Path, reason: &str, stamp: &str) -> io::Result<PathBuf> {
    let numbered = |number: u32| match number {
        1 => data.join(format!("{reason}-{stamp}")),
        _ => data.join(format!("{reason}-{stamp}-{number}")),
    };
    let aside = (1..).map(numbered).find(|aside| aside.symlink_metadata().is_err()).unwrap_or_else(|| numbered(1));
    atomic::rename(unfinished, &aside)?;
    Ok(aside)
}
