//! Writing a zip archive as an atomic file, and errors of archives as errors of files.

use std::fs::File;
use std::io::{self, BufWriter, Read, SeekFrom, Write as _};
use std::path::Path;

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::TempFile;

/// An archive that gets its name only once it is complete; until then it is a temporary file beside it.
///
/// It has no timestamps, so that the same files give the same archive.
pub(crate) struct NewArchive {
    file: TempFile,
    archive: Box<ZipWriter<ZipFile>>,
}

impl NewArchive {
    /// Starts an archive that will have this path.
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut file = TempFile::beside(path, "")?;
        let archive = Box::new(ZipWriter::new(ZipFile::new(file.file().try_clone()?)));
        Ok(Self { file, archive })
    }

    /// Adds a file; its path uses `/` as separator.
    pub fn add(&mut self, path: &str, content: &mut impl Read) -> io::Result<()> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        self.archive.start_file(path, options.unix_permissions(0o644)).map_err(plain)?;
        io::copy(content, &mut self.archive).map(drop)
    }

    /// Completes the archive, and returns its file, which has no name yet. Fails if anything could not be written.
    pub fn finish(self) -> io::Result<TempFile> {
        let mut written = self.archive.finish().map_err(plain)?;
        written.flush()?;
        match written.failed {
            true => Err(io::Error::other("the archive is incomplete")),
            false => Ok(self.file),
        }
    }
}

/// A file that fails once. An aborted archive still writes its end when it is dropped, and prints to stderr if that
/// fails; so after the first failure all writes seem to succeed.
struct ZipFile {
    file: BufWriter<File>,
    /// The position that the archive expects.
    at: u64,
    failed: bool,
}

impl ZipFile {
    fn new(file: File) -> Self {
        Self { file: BufWriter::new(file), at: 0, failed: false }
    }

    fn once<T>(&mut self, ended: io::Result<T>) -> io::Result<T> {
        self.failed |= ended.is_err();
        ended
    }
}

impl io::Write for ZipFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let ended = if self.failed { Ok(bytes.len()) } else { self.file.write(bytes) };
        let written = self.once(ended)?;
        self.at += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let ended = if self.failed { Ok(()) } else { self.file.flush() };
        self.once(ended)
    }
}

impl io::Seek for ZipFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let ended = match to {
            to if !self.failed => self.file.seek(to),
            SeekFrom::Start(at) => Ok(at),
            SeekFrom::Current(by) | SeekFrom::End(by) => Ok(self.at.saturating_add_signed(by)),
        };
        self.at = self.once(ended)?;
        Ok(self.at)
    }
}

/// An error of an archive as an error of a file.
pub(crate) fn plain(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        error => io::Error::other(error.to_string()),
    }
}
