//! The files of zip and tar archives: those of a zip archive are unpacked one at a time, when they are read, and those
//! of a tar archive all at once, into a temporary file.
//!
//! What must hold: no path leads out of the archive, no link is followed, and unpacked data stays within the limits: an
//! entry is read up to its limit, and its declared size is not trusted.

use std::cell::RefCell;
use std::fs::File;
use std::io::{BufReader, Read};
use std::ops::Range;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::files::{Files, OpenError};
use crate::limits::{Cancelled, Limits};

mod spool;
mod tarred;
mod zipped;

pub(crate) use spool::Spool;
use tarred::untar;
pub(crate) use zipped::Zip;

/// The signatures of archives, and where that of a tar archive is.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
const GZIP: &[u8] = &[0x1f, 0x8b];
const TAR: &[u8] = b"ustar";
const TAR_MARK: Range<usize> = 257..262;

/// The maximum size of the path of a file in an archive, in bytes, as in file systems.
const MOST_PATH: usize = 4_096;

/// What the name of an archive says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// It is an archive.
    Archive,
    /// It is something else, which may be a document that is a zip archive inside, or a library of a program.
    Other,
}

/// Returns what the name of a file says that is an archive by its content; `None` for other files.
pub(crate) fn naming(path: &Path) -> Option<Naming> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_named = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    let mut start = Vec::new();
    File::open(path).and_then(|file| file.take(TAR_MARK.end as u64).read_to_end(&mut start)).ok()?;
    let is_tar = |start: &[u8]| start.get(TAR_MARK) == Some(TAR);
    let is_packed_tar = || {
        let mut unpacked = Vec::new();
        let packed = File::open(path).map(|file| MultiGzDecoder::new(BufReader::new(file)));
        // What can be unpacked of it counts.
        packed.and_then(|packed| packed.take(TAR_MARK.end as u64).read_to_end(&mut unpacked)).ok();
        is_tar(&unpacked)
    };
    let named = is_named(&[".zip", ".alfredsnippets", ".tar.gz", ".tgz", ".tar"]);
    if ZIP.iter().any(|mark| start.starts_with(mark)) {
        return Some(if named { Naming::Archive } else { Naming::Other });
    }
    let is_packed = || start.starts_with(GZIP) && (is_named(&[".tar.gz", ".tgz"]) || is_packed_tar());
    (named && (is_tar(&start) || is_packed())).then_some(Naming::Archive)
}

/// Where the contents of an archive are read from.
#[derive(Debug)]
pub(crate) enum Contents {
    /// The archive itself.
    Zip(RefCell<Zip>),
    /// What was unpacked of it.
    Tar(Spool),
}

/// Adds the files of an archive: those of a tar archive are unpacked, those of a zip archive when they are read.
pub(crate) fn open(path: &Path, files: &mut Files, cancelled: Cancelled<'_>) -> Result<Contents, OpenError> {
    let file = File::open(path)?;
    let room = files.limits().unpacked(file.metadata()?.len());
    let mut mark = [0; 2];
    File::open(path)?.read_exact(&mut mark)?;
    if &mark == b"PK" {
        let room = Room::new(room.min(files.limits().unpacked_bytes));
        return Zip::open(file, files, room, cancelled).map(|zip| Contents::Zip(RefCell::new(zip)));
    }
    let room = Room::new(room.min(files.limits().total_bytes));
    let spool = match mark.as_slice() == GZIP {
        // Also names and padding are read from the limited stream.
        true => untar(MultiGzDecoder::new(BufReader::new(file)).take(room.left), files, room, cancelled)?,
        false => untar(BufReader::new(file), files, room, cancelled)?,
    };
    Ok(Contents::Tar(spool))
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

/// What separates the folders in the name of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    /// `/`; a `\` is a letter.
    Slash,
    /// `/` and `\`.
    Both,
}

/// Returns the path of an entry within the archive, or `None` with a warning if it leads out of it. A step up with `\`
/// leads out on some systems, so that no such name is taken.
fn inside(name: &str, separator: Separator, files: &mut Files) -> Option<String> {
    if name.len() > MOST_PATH {
        files.warn("archive.name", name, format!("has a path of more than {MOST_PATH} bytes and was left out"));
        return None;
    }
    let is_step_up = name.split(['/', '\\']).any(|part| part == "..");
    let name = match separator {
        Separator::Slash => name.to_owned(),
        Separator::Both => name.replace('\\', "/"),
    };
    let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let drive = parts.first().is_some_and(|part| part.len() == 2 && part.ends_with(':'));
    if name.starts_with('/') || drive || name.contains('\0') || is_step_up || parts.is_empty() {
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
        assert_eq!(recognise(&files), Some(Source::LUNETTE));
        let library = read(&files, Source::LUNETTE);
        assert_eq!((library.candidates.len(), files.warnings()), (100, &[][..]));
    }

    #[test]
    fn an_archive_of_lunette_beyond_the_limit_is_recognised_and_its_beginning_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.zip");
        archive_of(&path, 100);
        let files = opened(&path, Limits { unpacked_bytes: 2_000, ..Limits::default() });
        assert_eq!(recognise(&files), Some(Source::LUNETTE));
        let library = read(&files, Source::LUNETTE);
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
