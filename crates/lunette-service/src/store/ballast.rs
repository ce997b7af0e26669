//! Disk space that is kept back, so that things can be deleted on a full disk.
//!
//! What must hold: the reserve is large enough to fold the log into the database, with a third of it left for
//! deletions. It is given up for those two alone, and taken again right afterwards, as far as there is room.

use std::fs::{self, File};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use fs4::FileExt as _;
use lunette_storage::owner_only;

/// The size of the reserve on an ordinary disk.
const LARGEST: u64 = 24 << 20;
/// The size of the reserve on the smallest disk.
const SMALLEST: u64 = 2 << 20;
/// Our choice: the reserve takes at most this part of the disk, so that a small disk is not filled by it.
const PART_OF_DISK: u64 = 4;
/// The reserve is taken in this many steps. Where there is no room for all of it, the steps that fit are kept.
const STEPS: u64 = 16;
const PAGE: u64 = 4096;

/// The file that occupies the space.
#[derive(Clone, Debug)]
pub(super) struct Ballast {
    path: PathBuf,
    /// Its size on this disk.
    bytes: u64,
    /// The size it is to have now: that, or less while the database has room within itself.
    target: u64,
}

impl Ballast {
    /// The reserve of a data folder, sized by its disk. Nothing is written yet.
    pub(super) fn of(folder: &Path) -> Self {
        let disk = fs4::total_space(folder).unwrap_or(u64::MAX);
        let bytes = size_on(disk);
        Self { path: folder.join("lunette.reserve"), bytes, target: bytes }
    }

    /// How large the reserve is on this disk.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How large the log may grow before it is folded in: two thirds of the reserve.
    pub(super) fn log_bytes(&self) -> u64 {
        self.bytes / 3 * 2
    }

    /// Whether it is to be smaller than this disk allows.
    pub(super) fn is_reduced(&self) -> bool {
        self.target < self.bytes
    }

    /// Sets the size it is to have. What is held beyond is given up.
    pub(super) fn resize(&mut self, target: u64) {
        self.target = target.min(self.bytes);
        if self.held() > self.target {
            // Where it cannot be cut, it is larger than it has to be.
            owner_only::open(&self.path).and_then(|file| file.set_len(self.target)).ok();
        }
    }

    /// Whether all of the space is kept back.
    pub(super) fn is_whole(&self) -> bool {
        self.held() >= self.target
    }

    /// Takes the space that is missing. False where the disk has no room for all of it and for `beside` bytes more; what
    /// fits is kept nevertheless.
    pub(super) fn take(&self, beside: u64) -> bool {
        if self.is_whole() && beside == 0 {
            return true;
        }
        match self.extend(self.target + beside) {
            Ok(()) => true,
            // A reserve that cannot be written for another reason says nothing about the room on the disk.
            Err(error) => !matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded),
        }
    }

    /// Whether a quota does not let the reserve and `beside` bytes more be written.
    pub(super) fn is_over_quota(&self, beside: u64) -> bool {
        self.extend(self.target + beside).is_err_and(|error| error.kind() == io::ErrorKind::QuotaExceeded)
    }

    /// Gives the space up. True when there was some.
    pub(super) fn release(&self) -> bool {
        let held = self.held();
        fs::remove_file(&self.path).is_ok() && held > 0
    }

    fn held(&self) -> u64 {
        fs::symlink_metadata(&self.path).map_or(0, |found| if found.is_file() { found.len() } else { 0 })
    }

    /// Extends the file to `end`, then cuts it to the size of the reserve. After a failure it has the steps that fit.
    fn extend(&self, end: u64) -> io::Result<()> {
        let mut file = owner_only::open(&self.path).or_else(|_| owner_only::replace(&self.path))?;
        let mut held = file.metadata()?.len().min(end);
        let step = (self.bytes / STEPS).max(PAGE);
        let mut extended = Ok(());
        while extended.is_ok() && held < end {
            let next = (held + step).min(end);
            extended = occupy(&mut file, held, next);
            if extended.is_ok() {
                held = next;
            }
        }
        file.set_len(held.min(self.target))?;
        extended
    }
}

/// The size of the reserve on a disk of this size.
fn size_on(disk: u64) -> u64 {
    (disk / PART_OF_DISK / PAGE * PAGE).clamp(SMALLEST, LARGEST)
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
    fn it_is_taken_given_up_and_taken_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let ballast = Ballast::of(folder.path());
        assert!(!ballast.release() && !ballast.is_whole());
        assert!(ballast.take(0) && ballast.take(1 << 20));
        assert!(ballast.is_whole());
        assert!(ballast.release());
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
    }

    #[test]
    fn it_occupies_what_it_is_long() {
        let folder = tempfile::tempdir().expect("a folder");
        let ballast = Ballast::of(folder.path());
        assert!(ballast.take(0));
        let file = File::open(folder.path().join("lunette.reserve")).expect("the reserve");
        assert!(file.allocated_size().expect("a size") >= ballast.bytes());
    }

    #[test]
    fn it_is_cut_and_extended_to_the_size_it_is_to_have() {
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
    fn a_smaller_one_of_an_earlier_version_is_extended() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("lunette.reserve"), vec![0x4C; 1 << 20]).expect("written");
        let ballast = Ballast::of(folder.path());
        assert!(!ballast.is_whole() && ballast.take(0) && ballast.is_whole());
    }

    #[test]
    fn it_fits_the_disk_and_the_log_fits_into_it() {
        let mebibytes = |disk: u64| size_on(disk << 20) >> 20;
        assert_eq!([1, 8, 64, 200, 1 << 20].map(mebibytes), [2, 2, 16, 24, 24]);
        let ballast = Ballast { path: PathBuf::new(), bytes: LARGEST, target: LARGEST };
        assert_eq!(ballast.log_bytes(), 16 << 20);
    }

    #[test]
    fn something_else_in_its_place_is_no_full_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let ballast = Ballast::of(&folder.path().join("not there"));
        assert!(ballast.take(0));
        assert!(!ballast.is_whole());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_its_place_is_replaced_and_what_it_leads_to_is_left() {
        for hard in [false, true] {
            let around = tempfile::tempdir().expect("a folder");
            let (theirs, data) = (around.path().join("theirs"), around.path().join("data"));
            fs::write(&theirs, "theirs").and_then(|()| fs::create_dir(&data)).expect("made");
            let (ballast, place) = (Ballast::of(&data), data.join("lunette.reserve"));
            match hard {
                true => fs::hard_link(&theirs, &place).expect("linked"),
                false => std::os::unix::fs::symlink(&theirs, &place).expect("linked"),
            }
            assert!(ballast.take(0) && ballast.is_whole());
            assert_eq!(fs::read_to_string(&theirs).expect("it is there"), "theirs");
        }
    }
}
