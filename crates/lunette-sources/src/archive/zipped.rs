//! The files of a zip archive, each unpacked when it is read.
//!
//! What must hold: the name of a file is read as the program that made the archive wrote it.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};

use zip::{System, ZipArchive};

use super::{Room, Separator, Unreadable, inside};
use crate::files::{Entry, Files, OpenError};
use crate::limits::{Cancelled, Limits};

/// A zip archive, whose files are unpacked when they are read.
#[derive(Debug)]
pub(crate) struct Zip {
    archive: ZipArchive<BufReader<File>>,
    room: Room,
}

impl Zip {
    /// Opens an archive and adds its files.
    pub(super) fn open(file: File, files: &mut Files, room: Room, cancelled: Cancelled<'_>) -> Result<Self, OpenError> {
        let damaged = |error: zip::result::ZipError| OpenError::Archive(error.to_string());
        let again = file.try_clone()?;
        let mut archive = ZipArchive::new(BufReader::new(file)).map_err(damaged)?;
        if archive.has_duplicate_names() {
            warn_of_dropped(&archive, &mut BufReader::new(again), files);
        }
        let separator = separator(&archive);
        for number in 0..archive.len() {
            if cancelled.is_set() {
                return Err(OpenError::Cancelled);
            }
            if let Some(path) = listed(&mut archive, number, separator, files)
                && !files.insert(path, Entry::Zipped(number))
            {
                break;
            }
        }
        Ok(Self { archive, room })
    }

    /// The bytes of an entry. Fails if it is beyond the limits or cannot be read.
    pub(crate) fn read(&mut self, number: usize, limits: &Limits) -> Result<Vec<u8>, Unreadable> {
        let entry = self.archive.by_index(number);
        let entry = entry.map_err(|error| ("unreadable", format!("cannot be unpacked: {error}")))?;
        // The limit on an entry is that of its own packed size, so that one bomb leaves room for the others. The work on
        // many bombs, or on one that is read again and again, is limited all the same.
        let work = limits.unpacked_bytes.saturating_sub(self.room.unpacked);
        let most = self.room.left.min(work).min(limits.unpacked(entry.compressed_size()));
        let mut own = Room::new(most);
        let read = own.read(entry, limits);
        self.room.left -= most - own.left;
        self.room.unpacked += own.unpacked;
        read
    }

    /// The first bytes of an entry; fewer if it is shorter or cannot be read.
    pub(crate) fn start(&mut self, number: usize, count: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let read = self.archive.by_index(number).map(|entry| entry.take(count as u64).read_to_end(&mut bytes));
        if matches!(read, Ok(Ok(_))) { bytes } else { Vec::new() }
    }
}

/// Returns whether the entry was made on a system where `\` separates folders. Others keep it as a letter.
fn is_of_windows(system: System) -> bool {
    matches!(system, System::Dos | System::Os2 | System::WindowsNTFS | System::MVS | System::VFAT)
}

/// Returns what separates the folders in the names of entries that were made on Windows.
///
/// Our choice: this is decided for the whole archive, since a program writes all its names in one way: where one has a
/// `/`, as the format requires, `\` is a letter. Some programs name Windows wherever they run.
fn separator(archive: &ZipArchive<BufReader<File>>) -> Separator {
    let entries = (0..archive.len()).filter_map(|number| archive.by_index_data(number).ok());
    let mut of_windows = entries.filter(|entry| is_of_windows(entry.system()));
    if of_windows.any(|entry| entry.name_raw().contains(&b'/')) { Separator::Slash } else { Separator::Both }
}

/// The path of an entry that is a file; `None`, with a warning unless it is a folder, for every other.
fn listed(
    archive: &mut ZipArchive<BufReader<File>>,
    number: usize,
    of_windows: Separator,
    files: &mut Files,
) -> Option<String> {
    let entry = match archive.by_index(number) {
        Ok(entry) => entry,
        Err(error) => {
            files.warn("unreadable", &format!("entry {number}"), format!("cannot be unpacked: {error}"));
            return None;
        }
    };
    let Ok(name) = entry.name().map(|name| name.into_owned()) else {
        files.warn("encoding", &format!("entry {number}"), "has a name that cannot be read and was left out");
        return None;
    };
    let separator = if is_of_windows(entry.system()) { of_windows } else { Separator::Slash };
    if name.ends_with('/') || name.ends_with('\\') && separator == Separator::Both {
        return None;
    }
    let path = inside(&name, separator, files)?;
    if entry.is_symlink() {
        files.warn("link", &path, "is a symbolic link and was left out");
        return None;
    }
    Some(path)
}

/// The size of the header of a file in the directory of an archive, and where in it the sizes of the name and of two
/// other fields behind it are.
const HEADER: usize = 46;
const SIZES: std::ops::Range<usize> = 28..34;

/// Warns of the files that have the name of another one, whose last one alone is in the archive as it was read.
fn warn_of_dropped(archive: &ZipArchive<BufReader<File>>, source: &mut BufReader<File>, files: &mut Files) {
    let kept = (0..archive.len()).filter_map(|number| archive.by_index_data(number).ok());
    let kept: HashSet<u64> = kept.map(|entry| entry.central_header_start()).collect();
    let mut at = archive.central_directory_start();
    let mut header = [0; HEADER];
    while source.seek(SeekFrom::Start(at)).and_then(|_| source.read_exact(&mut header)).is_ok()
        && header.starts_with(b"PK\x01\x02")
    {
        let sizes: Vec<u64> =
            header[SIZES].chunks(2).map(|size| u64::from(size[0]) | u64::from(size[1]) << 8).collect();
        if !kept.contains(&at) {
            let mut name = Vec::new();
            let read = source.take(sizes[0]).read_to_end(&mut name);
            let name = if read.is_ok() { String::from_utf8_lossy(&name) } else { "".into() };
            files.warn("archive.twice", &name, "is there again, and only the last one can be read");
        }
        at += HEADER as u64 + sizes.iter().sum::<u64>();
    }
}
