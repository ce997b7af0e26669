//! The data folder: who owns it, and how its files are named.
//!
//! What must hold: a folder has one owner, for as long as the owner holds the lock file; nothing is written to a lock
//! file that is a link or has another name, since it may be another program's.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use lunette_storage::owner_only;

use crate::store::StoreError;

/// The timestamp in file names, in UTC, followed by six digits of microseconds and a Z.
const STAMP_FORMAT: &str = "%Y%m%dT%H%M%S";

/// The database file of a data folder.
pub(in crate::store) fn database(data: &Path) -> PathBuf {
    data.join("lunette.sqlite3")
}

/// A data folder that this process owns until this is dropped.
pub(in crate::store) struct Folder {
    path: PathBuf,
    lock: File,
    /// What the lock file contained before.
    had_database: bool,
}

/// A line in the lock file, after the process id, once there has been a database in the folder.
pub(in crate::store) const HAD_DATABASE: &str = "had a database";

/// How often to reopen the lock file if another process replaced it meanwhile.
const ATTEMPTS: usize = 8;

impl Folder {
    /// Creates the folder if needed and locks it. Fails with the owner if another instance has it.
    pub(in crate::store) fn take(path: &Path) -> Result<Self, StoreError> {
        owner_only::create_folder(path).map_err(|error| StoreError::of_file("create the data folder", path, &error))?;
        let (lock, content) = lock(path)?;
        let had_database = content.is_some_and(|text| text.lines().nth(1) == Some(HAD_DATABASE));
        let folder = Self { path: path.to_owned(), lock, had_database };
        folder.write_lock_file(had_database);
        Ok(folder)
    }

    /// Records that there is a database in the folder, so that its loss is reported.
    pub(in crate::store) fn mark(&self) {
        self.write_lock_file(true);
    }

    /// Whether there had been a database before this process locked the folder.
    pub(in crate::store) fn had_database(&self) -> bool {
        self.had_database
    }

    pub(in crate::store) fn path(&self) -> &Path {
        &self.path
    }

    /// The database file.
    pub(in crate::store) fn database(&self) -> PathBuf {
        database(&self.path)
    }

    fn write_lock_file(&self, had_database: bool) {
        // Overwritten in place with the same length, so that a crash leaves it whole. The process id is only for the
        // message of a second instance; the lock works without it.
        let mark = if had_database { HAD_DATABASE } else { "" };
        let mut lock = &self.lock;
        lock.rewind().and_then(|()| write!(lock, "{:<10}\n{mark}\n", std::process::id())).ok();
    }
}

/// Locks the lock file of this folder; returns it with its content.
fn lock(folder: &Path) -> Result<(File, Option<String>), StoreError> {
    let path = folder.join("lunette.lock");
    let failed = |error: io::Error| StoreError::of_file("open the lock file of the data folder", &path, &error);
    // Keep the lock on a replaced file until the new one is locked, so that no other process comes between.
    let mut replaced = None;
    for _ in 0..ATTEMPTS {
        let mut file = owner_only::open_shared(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let pid = written(&mut file).and_then(|text| text.lines().next()?.trim().parse().ok());
                return Err(StoreError::Locked { folder: folder.to_owned(), pid });
            }
            Err(TryLockError::Error(error)) => return Err(StoreError::unusable("lock the data folder", folder, error)),
        }
        if !owner_only::is_named(&file, &path).unwrap_or(false) {
            continue; // Another process replaced it between opening and locking.
        }
        let content = written(&mut file);
        if !owner_only::has_other_names(&file).map_err(failed)? {
            return Ok((file, replaced.map_or(content, |(_, before)| before)));
        }
        drop(owner_only::replace(&path).map_err(failed)?);
        replaced = Some((file, content));
    }
    Err(failed(io::Error::other("other processes keep replacing it")))
}

fn written(lock: &mut File) -> Option<String> {
    let mut text = String::new();
    lock.rewind().ok()?;
    lock.take(100).read_to_string(&mut text).ok()?;
    Some(text)
}

/// A timestamp for file names, of a moment in microseconds since 1970 UTC.
pub(in crate::store) fn stamp(moment: i64) -> String {
    let moment = jiff::Timestamp::from_microsecond(moment).unwrap_or_default();
    format!("{}{:06}Z", moment.strftime(STAMP_FORMAT), moment.subsec_microsecond())
}

/// The moment of such a timestamp, in microseconds since 1970 UTC; None for any other text.
pub(in crate::store) fn read_stamp(stamp: &str) -> Option<i64> {
    let digits = stamp.strip_suffix('Z')?;
    let (seconds, micros) = digits.split_at_checked(digits.len().checked_sub(6)?)?;
    let seconds = jiff::civil::DateTime::strptime(STAMP_FORMAT, seconds).ok()?;
    let micros: i64 = micros.parse().ok().filter(|micros| *micros >= 0)?;
    let whole = jiff::tz::Offset::UTC.to_timestamp(seconds).ok()?;
    Some(whole.as_microsecond() + micros)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_hard_link_in_place_of_the_lock_file_is_replaced_and_the_linked_file_keeps_its_bytes() {
        let around = tempfile::tempdir().expect("a folder");
        let (theirs, data) = (around.path().join("theirs"), around.path().join("data"));
        fs::write(&theirs, "a file of the user").and_then(|()| fs::create_dir(&data)).expect("made");
        fs::hard_link(&theirs, data.join("lunette.lock")).expect("linked");
        let owner = Folder::take(&data).expect("the folder is taken");
        assert_eq!(fs::read_to_string(&theirs).expect("it is there"), "a file of the user");
        assert!(!owner.had_database());
        assert!(matches!(Folder::take(&data), Err(StoreError::Locked { pid: Some(_), .. })));
    }

    #[test]
    fn a_hard_link_copy_keeps_the_lock_and_its_content() {
        let around = tempfile::tempdir().expect("a folder");
        let (data, copy) = (around.path().join("data"), around.path().join("copy"));
        let owner = Folder::take(&data).expect("taken");
        owner.mark();
        fs::hard_link(data.join("lunette.lock"), &copy).expect("linked");
        assert!(matches!(Folder::take(&data), Err(StoreError::Locked { .. })), "it is locked under both names");
        drop(owner);
        assert!(Folder::take(&data).expect("taken again").had_database());
    }

    #[test]
    fn a_folder_in_place_of_the_lock_file_is_rejected_with_a_reason() {
        let around = tempfile::tempdir().expect("a folder");
        fs::create_dir(around.path().join("lunette.lock")).expect("made");
        let refused = Folder::take(around.path()).err().expect("a refusal").to_string();
        assert!(refused.contains("not a regular file") && refused.contains("lunette.lock"), "{refused}");
    }
}
