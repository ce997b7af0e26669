//! The files of a tar archive, unpacked one behind the other into a temporary file, which has no name and ends with the
//! process.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;

/// Contents that are kept on the disk.
#[derive(Debug)]
pub(crate) struct Spool {
    file: RefCell<File>,
    end: u64,
}

impl Spool {
    /// Returns an empty one.
    ///
    /// # Errors
    ///
    /// Fails if no temporary file can be created.
    pub(super) fn create() -> io::Result<Self> {
        Ok(Self { file: RefCell::new(tempfile::tempfile()?), end: 0 })
    }

    /// Adds a content and returns where it is.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written, such as to a full disk.
    pub(super) fn add(&mut self, content: &[u8]) -> io::Result<Range<u64>> {
        self.file.get_mut().write_all(content)?;
        let start = self.end;
        self.end += content.len() as u64;
        Ok(start..self.end)
    }

    /// Returns the content that is here, or its first bytes if that is more than `most`.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read.
    pub(crate) fn read(&self, at: &Range<u64>, most: u64) -> io::Result<Vec<u8>> {
        let mut file = self.file.borrow_mut();
        file.seek(SeekFrom::Start(at.start))?;
        let mut content = Vec::new();
        (&*file).take(most.min(at.end - at.start)).read_to_end(&mut content)?;
        Ok(content)
    }
}
