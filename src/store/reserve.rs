//! A megabyte that is kept for a full disk: given up, it lets the log be folded in and things be deleted.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::private;

/// How much is kept.
const BYTES: usize = 1 << 20;

/// The file that keeps the room.
#[derive(Clone, Debug)]
pub(super) struct Reserve(PathBuf);

impl Reserve {
    /// That of a data folder. Nothing is made yet.
    pub(super) fn of(folder: &Path) -> Self {
        Self(folder.join("lunette.reserve"))
    }

    /// Whether the room is kept.
    pub(super) fn is_kept(&self) -> bool {
        fs::metadata(&self.0).is_ok_and(|found| found.len() == BYTES as u64)
    }

    /// Keeps the room, where it is not kept already. False, and nothing is kept, where the disk has not twice as much.
    pub(super) fn keep(&self) -> bool {
        if self.is_kept() {
            return true;
        }
        // Our choice: as much again must stay free, or the room would be taken from the very next write.
        let filled = private::replace(&self.0).and_then(|mut file| {
            let block = vec![0x4C; BYTES];
            file.write_all(&block)?;
            file.write_all(&block)?;
            file.set_len(BYTES as u64)
        });
        let Err(error) = filled else { return true };
        self.give_up();
        // Whatever else is in the way says nothing of the room there is.
        !matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    }

    /// Gives the room up. True when there was some.
    pub(super) fn give_up(&self) -> bool {
        let kept = fs::metadata(&self.0).is_ok_and(|found| found.len() > 0);
        fs::remove_file(&self.0).is_ok() && kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_kept_given_up_and_kept_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let reserve = Reserve::of(folder.path());
        assert!(!reserve.give_up());
        assert!(reserve.keep() && reserve.keep());
        assert!(reserve.is_kept());
        assert!(reserve.give_up());
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
    }

    #[test]
    fn what_is_in_its_way_is_no_full_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let reserve = Reserve::of(&folder.path().join("not there"));
        assert!(reserve.keep());
        assert!(!reserve.is_kept());
    }
}
