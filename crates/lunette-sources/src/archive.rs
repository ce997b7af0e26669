//! Unpacks zip and tar archives into memory.
//!
//! What must hold: no path leads out of the archive, no link is followed, and unpacked data stays within the limits: an
//! entry is read up to its limit, and its declared size is not trusted.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use zip::ZipArchive;

use crate::files::{Entry, Files, OpenError, file_name};
use crate::limits::Cancelled;
use crate::readers::lunette::{MANIFEST, SUMS};

/// The signatures of archives; that of a tar archive is at an offset.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
const GZIP: &[u8] = &[0x1f, 0x8b];

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

/// Adds the files of an archive.
pub(crate) fn unpack(path: &Path, files: &mut Files, cancelled: Cancelled<'_>) -> Result<(), OpenError> {
    let file = File::open(path)?;
    let packed = file.metadata()?.len();
    let mut mark = [0; 2];
    File::open(path)?.read_exact(&mut mark)?;
    let room = Room { left: files.limits().total_bytes.min(files.limits().unpacked(packed)) };
    match &mark {
        b"PK" => unzip(file, files, room, cancelled),
        mark if mark.as_slice() == GZIP => {
            // Also names and padding are read from the limited stream.
            let limited = MultiGzDecoder::new(BufReader::new(file)).take(room.left);
            untar(limited, files, room, cancelled)
        }
        _ => untar(BufReader::new(file), files, room, cancelled),
    }
}

/// How much may still be unpacked.
struct Room {
    left: u64,
}

impl Room {
    /// Reads a whole entry. Returns `None` with a warning if it is beyond the limits or cannot be read.
    fn read(&mut self, entry: impl Read, path: &str, files: &mut Files) -> Option<Vec<u8>> {
        let most = files.limits().file_bytes.min(self.left);
        let mut bytes = Vec::new();
        if let Err(error) = entry.take(most + 1).read_to_end(&mut bytes) {
            files.warn("unreadable", path, format!("cannot be unpacked: {error}"));
            return None;
        }
        if bytes.len() as u64 > most {
            let message = if most == files.limits().file_bytes {
                format!("larger than the limit of {most} bytes")
            } else {
                "the archive unpacks to more than its limit".to_owned()
            };
            files.warn("limit.unpacked", path, message);
            return None;
        }
        self.left -= bytes.len() as u64;
        Some(bytes)
    }
}

fn unzip(file: File, files: &mut Files, mut room: Room, cancelled: Cancelled<'_>) -> Result<(), OpenError> {
    let damaged = |error: zip::result::ZipError| OpenError::Archive(error.to_string());
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(damaged)?;
    // What describes an archive of Lunette comes last in it, and is read first: a part of a large one must not be taken
    // for an archive of plain files.
    let describes = |name: &str| matches!(file_name(name), MANIFEST | SUMS) && name.matches('/').count() <= 1;
    let (first, rest): (Vec<usize>, Vec<usize>) = (0..archive.len()).partition(|number| {
        archive.name_for_index(*number).is_some_and(|name| name.is_ok_and(|name| describes(&name)))
    });
    for number in first.into_iter().chain(rest) {
        if cancelled.is_set() {
            return Err(OpenError::Cancelled);
        }
        let entry = match archive.by_index(number) {
            Ok(entry) => entry,
            Err(error) => {
                files.warn("unreadable", &format!("entry {number}"), format!("cannot be unpacked: {error}"));
                continue;
            }
        };
        let Ok(name) = entry.name().map(|name| name.into_owned()) else {
            files.warn("encoding", &format!("entry {number}"), "has a name that cannot be read and was left out");
            continue;
        };
        if entry.is_dir() {
            continue;
        }
        let Some(path) = inside(&name, files) else { continue };
        if entry.is_symlink() {
            files.warn("link", &path, "is a symbolic link and was left out");
            continue;
        }
        // The limit on an entry is that of its own packed size, so that one bomb leaves room for the others.
        let mut own = Room { left: room.left.min(files.limits().unpacked(entry.compressed_size())) };
        let before = own.left;
        let Some(bytes) = own.read(entry, &path, files) else { continue };
        room.left -= before - own.left;
        if !files.insert(path, Entry::Memory(bytes)) {
            break;
        }
    }
    Ok(())
}

fn untar(source: impl Read, files: &mut Files, mut room: Room, cancelled: Cancelled<'_>) -> Result<(), OpenError> {
    let mut archive = tar::Archive::new(source);
    let entries = archive.entries().map_err(|error| OpenError::Archive(error.to_string()))?;
    for entry in entries {
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
        let kind = entry.header().entry_type();
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if kind.is_dir() || kind.is_pax_global_extensions() {
            continue;
        }
        let Some(path) = inside(&name, files) else { continue };
        if !(kind.is_file() || kind.is_contiguous()) {
            files.warn("link", &path, "is a link or a special file and was left out");
            continue;
        }
        let size = entry.size();
        let Some(bytes) = room.read(entry, &path, files) else { continue };
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

/// Returns the path of an entry within the archive, or `None` with a warning if it leads out of it.
fn inside(name: &str, files: &mut Files) -> Option<String> {
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
        add(MANIFEST, &format!(r#"{{"format": "lunette-archive", "version": 1, "counts": {counts}}}"#));
        zip.finish().expect("finished");
    }

    #[test]
    fn an_archive_of_lunette_beyond_the_limit_is_recognised_and_its_beginning_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.zip");
        archive_of(&path, 100);
        let limits = Limits { total_bytes: 2_000, ..Limits::default() };
        let files = Files::open(&path, limits, Cancelled(None)).expect("opened");
        assert_eq!(recognise(&files), Some(Source::Lunette));
        let library = read(&files, Source::Lunette);
        assert!((10..50).contains(&library.candidates.len()), "{}", library.candidates.len());
        assert!(files.warnings().iter().any(|warning| warning.code == "limit.unpacked"));
        let first = library.warnings.first().map(ToString::to_string).unwrap_or_default();
        assert!(first.contains("of its 100 assets can be imported"), "{first}");
    }
}
