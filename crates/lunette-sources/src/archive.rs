//! The files of zip and tar archives: those of a zip archive are unpacked one at a time, when they are read, and those
//! of a tar archive all at once, into memory.
//!
//! What must hold: no path leads out of the archive, no link is followed, and unpacked data stays within the limits: an
//! entry is read up to its limit, and its declared size is not trusted.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::rc::Rc;

use flate2::read::MultiGzDecoder;
use zip::ZipArchive;

use crate::files::{Entry, Files, OpenError};
use crate::limits::{Cancelled, Limits};

/// The signatures of archives; that of a tar archive is at an offset.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
const GZIP: &[u8] = &[0x1f, 0x8b];

/// The maximum size of the path of a file in an archive, in bytes, as in file systems.
const MOST_PATH: usize = 4_096;
/// How much of a tar archive is read for the header of an entry, in bytes: a long path, attributes, and the parts of a
/// sparse file are kept in memory before the entry is.
const MOST_HEADER: u64 = 8 << 20;

/// Whether a file is an archive by its name and its first bytes. Other files that are zip archives inside, such as
/// documents, are not.
pub(crate) fn is_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let mut start = [0; 4];
    let begins = |marks: &[&[u8]]| {
        let mut start = start;
        File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
            && marks.iter().any(|mark| start.starts_with(mark))
    };
    match () {
        () if name.ends_with(".zip") || name.ends_with(".alfredsnippets") => begins(&ZIP),
        () if name.ends_with(".tar.gz") || name.ends_with(".tgz") => begins(&[GZIP]),
        () if name.ends_with(".tar") => {
            let mut header = [0; 262];
            start.fill(0);
            File::open(path).and_then(|mut file| file.read_exact(&mut header)).is_ok() && &header[257..262] == b"ustar"
        }
        () => false,
    }
}

/// Adds the files of an archive: those of a tar archive are unpacked, those of a zip archive when they are read.
pub(crate) fn open(path: &Path, files: &mut Files, cancelled: Cancelled<'_>) -> Result<Option<Zip>, OpenError> {
    let file = File::open(path)?;
    let room = files.limits().unpacked(file.metadata()?.len());
    let mut mark = [0; 2];
    File::open(path)?.read_exact(&mut mark)?;
    if &mark == b"PK" {
        let room = Room::new(room.min(files.limits().unpacked_bytes));
        return Zip::open(file, files, room, cancelled).map(Some);
    }
    let room = Room::new(room.min(files.limits().total_bytes));
    match mark.as_slice() == GZIP {
        // Also names and padding are read from the limited stream.
        true => untar(MultiGzDecoder::new(BufReader::new(file)).take(room.left), files, room, cancelled)?,
        false => untar(BufReader::new(file), files, room, cancelled)?,
    }
    Ok(None)
}

/// How much may still be unpacked.
#[derive(Debug)]
struct Room {
    left: u64,
    /// What was unpacked, including entries that were too large and left out.
    unpacked: u64,
}

/// Why an entry cannot be read: the code and the message of a warning.
pub(crate) type Unreadable = (&'static str, String);

impl Room {
    fn new(left: u64) -> Self {
        Self { left, unpacked: 0 }
    }

    /// Reads a whole entry. Fails if it is beyond the limits or cannot be read.
    fn read(&mut self, entry: impl Read, limits: &Limits) -> Result<Vec<u8>, Unreadable> {
        let most = limits.file_bytes.min(self.left);
        let mut bytes = Vec::new();
        let read = entry.take(most + 1).read_to_end(&mut bytes);
        self.unpacked += bytes.len() as u64;
        read.map_err(|error| ("unreadable", format!("cannot be unpacked: {error}")))?;
        if bytes.len() as u64 > most {
            let message = if most == limits.file_bytes {
                format!("larger than the limit of {most} bytes")
            } else {
                "the archive unpacks to more than its limit".to_owned()
            };
            return Err(("limit.unpacked", message));
        }
        self.left -= bytes.len() as u64;
        Ok(bytes)
    }
}

/// A zip archive, whose files are unpacked when they are read.
#[derive(Debug)]
pub(crate) struct Zip {
    archive: ZipArchive<BufReader<File>>,
    room: Room,
}

impl Zip {
    /// Opens an archive and adds its files.
    fn open(file: File, files: &mut Files, room: Room, cancelled: Cancelled<'_>) -> Result<Self, OpenError> {
        let damaged = |error: zip::result::ZipError| OpenError::Archive(error.to_string());
        let mut archive = ZipArchive::new(BufReader::new(file)).map_err(damaged)?;
        for number in 0..archive.len() {
            if cancelled.is_set() {
                return Err(OpenError::Cancelled);
            }
            if let Some(path) = listed_in_zip(&mut archive, number, files)
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

/// The path of an entry that is a file; `None`, with a warning unless it is a folder, for every other.
fn listed_in_zip(archive: &mut ZipArchive<BufReader<File>>, number: usize, files: &mut Files) -> Option<String> {
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
    if entry.is_dir() {
        return None;
    }
    let path = inside(&name, files)?;
    if entry.is_symlink() {
        files.warn("link", &path, "is a symbolic link and was left out");
        return None;
    }
    Some(path)
}

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

fn untar(source: impl Read, files: &mut Files, mut room: Room, cancelled: Cancelled<'_>) -> Result<(), OpenError> {
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
                return Ok(());
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
            return Ok(());
        }
        if !files.insert(path, Entry::Memory(bytes)) {
            break;
        }
    }
    Ok(())
}

/// The path of an entry that is a file; `None`, with a warning unless it is a folder, for every other.
fn listed_in_tar(entry: &tar::Entry<'_, impl Read>, files: &mut Files) -> Option<String> {
    let kind = entry.header().entry_type();
    if kind.is_dir() || kind.is_pax_global_extensions() {
        return None;
    }
    let path = inside(&String::from_utf8_lossy(&entry.path_bytes()), files)?;
    if !(kind.is_file() || kind.is_contiguous()) {
        files.warn("link", &path, "is a link or a special file and was left out");
        return None;
    }
    Some(path)
}

/// Returns the path of an entry within the archive, or `None` with a warning if it leads out of it.
fn inside(name: &str, files: &mut Files) -> Option<String> {
    if name.len() > MOST_PATH {
        files.warn("archive.name", name, format!("has a path of more than {MOST_PATH} bytes and was left out"));
        return None;
    }
    let name = name.replace('\\', "/");
    let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let drive = parts.first().is_some_and(|part| part.len() == 2 && part.ends_with(':'));
    if name.starts_with('/') || drive || name.contains('\0') || parts.contains(&"..") || parts.is_empty() {
        files.warn("archive.outside", &name, "has a path that leads out of the archive and was left out");
        return None;
    }
    if parts.len() > files.limits().depth {
        files.warn("limit.depth", &name, "is nested too deep and was left out");
        return None;
    }
    // Copies of attributes that macOS adds to archives.
    (parts[0] != "__MACOSX").then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::{Limits, Source, read, recognise};

    /// An archive as it is written: contents and records, and the manifest behind them.
    fn archive_of(path: &Path, assets: usize) {
        let mut zip = ZipWriter::new(File::create(path).expect("a file"));
        let mut add = |name: &str, text: &str| {
            zip.start_file(name, SimpleFileOptions::default()).expect("begun");
            zip.write_all(text.as_bytes()).expect("written");
        };
        for number in 0..assets {
            add(&format!("content/{number}"), "text");
            let record = format!(r#"{{"id": "{number}", "name": "a", "file": "content/{number}", "content": "text"}}"#);
            add(&format!("records/{number}.json"), &record);
        }
        let counts = format!(r#"{{"exported": {assets}}}"#);
        add("manifest.json", &format!(r#"{{"format": "lunette-archive", "version": 1, "counts": {counts}}}"#));
        zip.finish().expect("finished");
    }

    fn opened(path: &Path, limits: Limits) -> Files {
        Files::open(path, limits, Cancelled(None)).expect("opened")
    }

    #[test]
    fn an_archive_of_lunette_larger_than_memory_allows_is_read_in_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.zip");
        archive_of(&path, 100);
        // What is kept of each asset is its content, four bytes, and what is restored beside it, which is `{"record":{}}`.
        let files = opened(&path, Limits { total_bytes: 100 * 32, ..Limits::default() });
        assert_eq!(recognise(&files), Some(Source::Lunette));
        let library = read(&files, Source::Lunette);
        assert_eq!((library.candidates.len(), files.warnings()), (100, &[][..]));
    }

    #[test]
    fn an_archive_of_lunette_beyond_the_limit_is_recognised_and_its_beginning_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.zip");
        archive_of(&path, 100);
        let files = opened(&path, Limits { unpacked_bytes: 2_000, ..Limits::default() });
        assert_eq!(recognise(&files), Some(Source::Lunette));
        let library = read(&files, Source::Lunette);
        assert!((10..50).contains(&library.candidates.len()), "{}", library.candidates.len());
        assert!(library.warnings.iter().any(|warning| warning.code == "limit.unpacked"));
        let first = library.warnings.first().map(ToString::to_string).unwrap_or_default();
        assert!(first.contains("of its 100 assets can be imported"), "{first}");
    }

    #[test]
    fn reading_the_same_file_of_a_zip_archive_again_and_again_ends_at_the_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.zip");
        archive_of(&path, 1);
        let files = opened(&path, Limits { unpacked_bytes: 40, ..Limits::default() });
        let read: Vec<bool> = (0..20).map(|_| files.bytes("content/0").is_ok()).collect();
        assert_eq!(read.iter().filter(|read| **read).count(), 10);
        assert!(files.bytes("content/0").is_err_and(|warning| warning.code == "limit.unpacked"));
    }

    #[test]
    fn reading_a_file_that_is_too_large_again_and_again_ends_at_the_limit_too() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.zip");
        archive_of(&path, 1);
        let files = opened(&path, Limits { unpacked_bytes: 100, file_bytes: 10, ..Limits::default() });
        assert!(files.bytes("content/0").is_ok());
        assert!((0..20).all(|_| files.bytes("records/0.json").is_err()), "a record has more than 10 bytes");
        assert!(files.bytes("content/0").is_err_and(|warning| warning.code == "limit.unpacked"));
    }
}
