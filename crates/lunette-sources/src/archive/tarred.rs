//! Unpacks a tar archive.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use super::{Room, Separator, Spool, inside};
use crate::files::{Entry, Files, OpenError};
use crate::limits::Cancelled;

/// How much of a tar archive is read for the header of an entry, in bytes: a long path, attributes, and the parts of a
/// sparse file are kept in memory before the entry is.
const MOST_HEADER: u64 = 8 << 20;

/// A stream that is read up to a position, which moves on with the entries.
struct Metered<R> {
    source: R,
    at: u64,
    end: Rc<Cell<u64>>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end.get().saturating_sub(self.at);
        if left == 0 && !buffer.is_empty() {
            return Err(io::Error::other(format!("the header of an entry has more than {MOST_HEADER} bytes")));
        }
        let most = usize::try_from(left).map_or(buffer.len(), |left| buffer.len().min(left));
        let count = self.source.read(&mut buffer[..most])?;
        self.at += count as u64;
        Ok(count)
    }
}

/// Returns the position behind the content of an entry. That of a sparse file has fewer bytes than the file.
fn end_of(entry: &tar::Entry<'_, impl Read>) -> u64 {
    let header = entry.header();
    let stored = header.entry_type().is_gnu_sparse().then(|| header.entry_size().ok()).flatten();
    entry.raw_file_position().saturating_add(stored.unwrap_or(entry.size()))
}

/// Adds the files of an archive, and returns their contents.
pub(super) fn untar(
    source: impl Read,
    files: &mut Files,
    mut room: Room,
    cancelled: Cancelled<'_>,
) -> Result<Spool, OpenError> {
    let mut spool = Spool::create()?;
    let end = Rc::new(Cell::new(MOST_HEADER));
    let mut archive = tar::Archive::new(Metered { source, at: 0, end: Rc::clone(&end) });
    let entries = archive.entries().map_err(|error| OpenError::Archive(error.to_string()))?;
    for entry in entries {
        // The header was read up to here; the content has limits of its own.
        end.set(u64::MAX);
        if cancelled.is_set() {
            return Err(OpenError::Cancelled);
        }
        let entry = match entry {
            Ok(entry) => entry,
            // Data after a damaged header cannot be found.
            Err(error) => {
                let name = files.name().to_owned();
                files.warn("archive.damaged", &name, format!("ends early, and the rest was left out: {error}"));
                break;
            }
        };
        let (next, size) = (end_of(&entry), entry.size());
        let read = listed_in_tar(&entry, files).map(|path| (room.read(entry, files.limits()), path));
        // What is not read of the content is skipped before the next header.
        end.set(next.saturating_add(MOST_HEADER));
        let (bytes, path) = match read {
            Some((Ok(bytes), path)) => (bytes, path),
            Some((Err((code, message)), path)) => {
                files.warn(code, &path, message);
                continue;
            }
            None => continue,
        };
        // The reader does not report the end of a truncated archive, or of the limit, as an error.
        if bytes.len() as u64 != size {
            let message = "the archive ends within it, or unpacks to more than its limit";
            files.warn("limit.unpacked", &path, message);
            break;
        }
        if !files.insert(path, Entry::Spooled(spool.add(&bytes)?)) {
            break;
        }
    }
    Ok(spool)
}

/// The path of an entry that is a file; `None`, with a warning unless it is a folder, for every other.
fn listed_in_tar(entry: &tar::Entry<'_, impl Read>, files: &mut Files) -> Option<String> {
    let kind = entry.header().entry_type();
    if kind.is_dir() || kind.is_pax_global_extensions() {
        return None;
    }
    let path = inside(&String::from_utf8_lossy(&entry.path_bytes()), Separator::Slash, files)?;
    if !(kind.is_file() || kind.is_contiguous()) {
        files.warn("link", &path, "is a link or a special file and was left out");
        return None;
    }
    Some(path)
}
