//! The file that a zip archive is written to, and errors of archives as errors of files.

use std::fs::File;
use std::io::{self, BufWriter, SeekFrom};

use zip::result::ZipError;

/// A file that fails once. An aborted archive still writes its end when it is dropped, and prints to stderr if that
/// fails; so after the first failure all writes seem to succeed.
pub(crate) struct ZipFile {
    file: BufWriter<File>,
    /// The position that the archive expects.
    at: u64,
    failed: bool,
}

impl ZipFile {
    /// Writes to this file.
    pub fn new(file: File) -> Self {
        Self { file: BufWriter::new(file), at: 0, failed: false }
    }

    /// Whether anything could not be written.
    pub fn failed(&self) -> bool {
        self.failed
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
