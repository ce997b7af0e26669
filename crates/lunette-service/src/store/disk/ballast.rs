//! A ballast file: reserved disk space, so that data can be deleted on a full disk.
//!
//! What must hold: the ballast is large enough to checkpoint the log, with a third of it left for deletions. It is
//! released for those two only, and taken again right afterwards, as far as there is space.

use std::fs::{self, File};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use fs4::FileExt as _;
use lunette_storage::owner_only;

use crate::store::StoreError;

/// The size of the ballast on an ordinary disk.
const MAX_BYTES: u64 = 24 << 20;
/// The size of the ballast on the smallest disk.
const MIN_BYTES: u64 = 2 << 20;
/// Our choice: the ballast takes at most this fraction of the disk.
const DISK_FRACTION: u64 = 4;
/// The ballast is allocated in this many steps. If there is no space for all of it, the steps that fit are kept.
const STEPS: u64 = 16;
const PAGE: u64 = 4096;
/// How much is written to find out whether a disk is full: more than SQLite adds to a file at once.
const PROBE_BYTES: u64 = 64 << 10;

/// The file that occupies the space.
#[derive(Clone, Debug)]
pub(in crate::store) struct Ballast {
    path: PathBuf,
    /// Its size on this disk.
    bytes: u64,
    /// The target size: the full size, or less while the database has free pages.
    target: u64,
}

impl Ballast {
    /// The ballast of a data folder, sized by its disk. Writes nothing yet.
    pub(in crate::store) fn of(folder: &Path) -> Self {
        let disk = fs4::total_space(folder).unwrap_or(u64::MAX);
        let bytes = size_on(disk);
        Self { path: folder.join("lunette.reserve"), bytes, target: bytes }
    }

    /// The full size of the ballast on this disk.
    pub(in crate::store) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How large the log may grow before a checkpoint: two thirds of the ballast.
    pub(in crate::store) fn log_bytes(&self) -> u64 {
        self.bytes / 3 * 2
    }

    /// Whether it is to be smaller than this disk allows.
    pub(in crate::store) fn is_reduced(&self) -> bool {
        self.target < self.bytes
    }

    /// Sets the target size and releases any excess.
    pub(in crate::store) fn resize(&mut self, target: u64) {
        self.target = target.min(self.bytes);
        if self.allocated() > self.target {
            // If it cannot be truncated, it is only larger than necessary.
            owner_only::open(&self.path).and_then(|file| file.set_len(self.target)).ok();
        }
    }

    /// Whether all of the space is allocated.
    pub(in crate::store) fn is_whole(&self) -> bool {
        self.allocated() >= self.target
    }

    /// Allocates the missing space. Returns false if the disk has no space for all of it and `beside` more bytes; what
    /// fits is kept.
    pub(in crate::store) fn take(&self, beside: u64) -> bool {
        if self.is_whole() && beside == 0 {
            return true;
        }
        match self.extend(self.target + beside) {
            Ok(()) => true,
            // Any other write error says nothing about disk space.
            Err(error) => !is_of_space(&error),
        }
    }

    /// Tells a full disk from one that failed: SQLite reports the second one also where there was no space for the index of
    /// its log, or where a quota is used up.
    pub(in crate::store) fn explain(&self, error: StoreError) -> StoreError {
        let untold = matches!(error, StoreError::Disk(_) | StoreError::Unusable { .. });
        if untold && self.extend(self.allocated() + PROBE_BYTES).is_err_and(|error| is_of_space(&error)) {
            return StoreError::Full;
        }
        error
    }

    /// Whether a quota does not let the reserve and `beside` bytes more be written.
    pub(in crate::store) fn is_over_quota(&self, beside: u64) -> bool {
        self.extend(self.target + beside).is_err_and(|error| error.kind() == io::ErrorKind::QuotaExceeded)
    }

    /// Releases the space. Returns true if there was some.
    pub(in crate::store) fn release(&self) -> bool {
        let allocated = self.allocated();
        fs::remove_file(&self.path).is_ok() && allocated > 0
    }

    fn allocated(&self) -> u64 {
        fs::symlink_metadata(&self.path).map_or(0, |found| if found.is_file() { found.len() } else { 0 })
    }

    /// Extends the file to `end`, then truncates it to the size of the ballast. After a failure it has the steps that
    /// fit.
    fn extend(&self, end: u64) -> io::Result<()> {
        let mut file = owner_only::open(&self.path).or_else(|_| owner_only::replace(&self.path))?;
        let mut allocated = file.metadata()?.len().min(end);
        let step = (self.bytes / STEPS).max(PAGE);
        let mut extended = Ok(());
        while extended.is_ok() && allocated < end {
            let next = (allocated + step).min(end);
            extended = occupy(&mut file, allocated, next);
            if extended.is_ok() {
                allocated = next;
            }
        }
        file.set_len(allocated.min(self.target))?;
        extended
    }
}

/// Whether the system says that there is no space.
fn is_of_space(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// The size of the ballast on a disk of this size.
fn size_on(disk: u64) -> u64 {
    (disk / DISK_FRACTION / PAGE * PAGE).clamp(MIN_BYTES, MAX_BYTES)
}

/// Extends a file so that it occupies the space, where the file system knows how to do that without writing it.
fn occupy(file: &mut File, from: u64, to: u64) -> io::Result<()> {
    match file.allocate(to) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            file.seek(SeekFrom::Start(from))?;
            io::copy(&mut io::Read::take(io::repeat(0x4C), to - from), file)?;
            file.flush()
        }
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_allocated_released_and_allocated_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let ballast = Ballast::of(folder.path());
        assert!(!ballast.release() && !ballast.is_whole());
        assert!(ballast.take(0) && ballast.take(1 << 20));
        assert!(ballast.is_whole());
        assert!(ballast.release());
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
    }

    #[test]
    fn it_occupies_its_length_on_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let ballast = Ballast::of(folder.path());
        assert!(ballast.take(0));
        let file = File::open(folder.path().join("lunette.reserve")).expect("the reserve");
        assert!(file.allocated_size().expect("a size") >= ballast.bytes());
    }

    #[test]
    fn it_is_resized_to_its_target() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut ballast = Ballast::of(folder.path());
        let length = || fs::metadata(folder.path().join("lunette.reserve")).expect("the reserve").len();
        assert!(ballast.take(0));
        ballast.resize(ballast.bytes() / 2);
        assert!(ballast.is_whole() && ballast.is_reduced() && length() == ballast.bytes() / 2);
        ballast.resize(ballast.bytes());
        assert!(!ballast.is_whole() && !ballast.is_reduced());
        assert!(ballast.take(0) && length() == ballast.bytes());
    }

    #[test]
    fn an_old_smaller_reserve_is_extended() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("lunette.reserve"), vec![0x4C; 1 << 20]).expect("written");
        let ballast = Ballast::of(folder.path());
        assert!(!ballast.is_whole() && ballast.take(0) && ballast.is_whole());
    }

    #[test]
    fn the_ballast_fits_the_disk_and_the_log_fits_the_ballast() {
        let mebibytes = |disk: u64| size_on(disk << 20) >> 20;
        assert_eq!([1, 8, 64, 200, 1 << 20].map(mebibytes), [2, 2, 16, 24, 24]);
        let ballast = Ballast { path: PathBuf::new(), bytes: MAX_BYTES, target: MAX_BYTES };
        assert_eq!(ballast.log_bytes(), 16 << 20);
    }

    #[test]
    fn an_unwritable_path_does_not_count_as_a_full_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let ballast = Ballast::of(&folder.path().join("not there"));
        assert!(ballast.take(0));
        assert!(!ballast.is_whole());
    }

    #[test]
    fn a_failed_disk_with_free_space_is_not_called_full() {
        let folder = tempfile::tempdir().expect("a folder");
        let ballast = Ballast::of(folder.path());
        for error in [StoreError::Disk("disk I/O error".to_owned()), StoreError::invalid("no")] {
            assert_eq!(ballast.explain(error.clone()), error);
        }
        assert_eq!(ballast.allocated(), PROBE_BYTES, "what it tried is kept as a part of it");
    }

    #[cfg(unix)]
    #[test]
    fn a_symlink_at_its_path_is_replaced_and_its_target_unchanged() {
        for hard in [false, true] {
            let around = tempfile::tempdir().expect("a folder");
            let (theirs, data) = (around.path().join("theirs"), around.path().join("data"));
            fs::write(&theirs, "theirs").and_then(|()| fs::create_dir(&data)).expect("made");
            let (ballast, path) = (Ballast::of(&data), data.join("lunette.reserve"));
            match hard {
                true => fs::hard_link(&theirs, &path).expect("linked"),
                false => std::os::unix::fs::symlink(&theirs, &path).expect("linked"),
            }
            assert!(ballast.take(0) && ballast.is_whole());
            assert_eq!(fs::read_to_string(&theirs).expect("it is there"), "theirs");
        }
    }
}
