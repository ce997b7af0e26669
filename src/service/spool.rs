//! Answers that are too large to wait in memory for a client to read them.
//!
//! What must hold: what a client does not read costs no memory. So an answer above [`PIECE`] is written to a file as it is
//! made, and sent from there. The file has no name, is its owner's alone, and is gone with the last who has it open. Where
//! the disk is full, answers of a usual size are made in memory all the same.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write};
use std::path::Path;
use std::sync::Arc;

use super::ServiceError;

/// How much of an answer is in memory while it is made.
pub(crate) const PIECE: usize = 1 << 20;
/// The most of an answer that is made in memory where it cannot be written to a file.
const WITHOUT_FILE: usize = 32 << 20;

/// Where the files of answers are made.
#[derive(Clone, Debug)]
pub(crate) struct Spool {
    folder: Arc<Path>,
}

/// An answer.
#[derive(Debug)]
pub(crate) enum Text {
    Memory(Vec<u8>),
    File(Spooled),
}

/// An answer in a file, which is read from its beginning.
#[derive(Debug)]
pub(crate) struct Spooled {
    pub(crate) file: File,
    pub(crate) length: u64,
}

impl From<Vec<u8>> for Text {
    fn from(text: Vec<u8>) -> Self {
        Self::Memory(text)
    }
}

impl Text {
    /// All of it, in memory.
    pub(crate) fn into_bytes(self) -> io::Result<Vec<u8>> {
        match self {
            Self::Memory(text) => Ok(text),
            Self::File(mut spooled) => {
                let mut text = Vec::new();
                spooled.file.read_to_end(&mut text)?;
                Ok(text)
            }
        }
    }
}

impl Spool {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.into() }
    }

    /// An answer that is being written.
    pub(crate) fn writer(&self) -> SpoolWriter {
        SpoolWriter { spool: Some(self.clone()), file: None, text: Vec::new(), lost: false }
    }

    /// Moves a text to a file; gives it back where that cannot be done.
    pub(crate) fn keep(&self, text: Vec<u8>) -> Result<Spooled, Vec<u8>> {
        let written = || -> io::Result<Spooled> {
            let mut file = self.file()?;
            file.write_all(&text)?;
            file.rewind()?;
            Ok(Spooled { file, length: text.len() as u64 })
        };
        match written() {
            Ok(spooled) => Ok(spooled),
            Err(_) => Err(text),
        }
    }

    /// A file without a name.
    fn file(&self) -> io::Result<File> {
        let path = self.folder.join(format!("lunette.answer-{}", uuid::Uuid::new_v4()));
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        #[cfg(windows)]
        {
            /// The system removes the file when it is closed.
            const DELETE_ON_CLOSE: u32 = 0x0400_0000;
            std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, DELETE_ON_CLOSE);
        }
        let file = options.open(&path)?;
        #[cfg(not(windows))]
        std::fs::remove_file(&path)?;
        Ok(file)
    }
}

/// An answer that is being written.
#[derive(Debug, Default)]
pub(crate) struct SpoolWriter {
    /// None where an answer is made in memory alone.
    spool: Option<Spool>,
    file: Option<Spooled>,
    text: Vec<u8>,
    /// Whether it became too large to be made in memory.
    lost: bool,
}

impl SpoolWriter {
    /// Adds a piece.
    pub(crate) fn add(&mut self, piece: &[u8]) {
        if self.lost {
            return;
        }
        self.text.extend_from_slice(piece);
        if self.text.len() >= PIECE && self.spool.is_some() && self.spill().is_err() {
            self.lost = self.file.is_some() || self.text.len() > WITHOUT_FILE;
        }
    }

    /// Moves what is in memory to the file.
    fn spill(&mut self) -> io::Result<()> {
        let Some(spool) = &self.spool else { return Ok(()) };
        let spooled = match &mut self.file {
            Some(spooled) => spooled,
            none => none.insert(Spooled { file: spool.file()?, length: 0 }),
        };
        spooled.file.write_all(&self.text)?;
        spooled.length += self.text.len() as u64;
        self.text.clear();
        Ok(())
    }

    /// Gives what was written, which is in memory alone, and begins anew.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.text)
    }

    /// Gives what was written. Fails where it was too large for the memory and the disk had no room for it.
    pub(crate) fn finish(mut self) -> Result<Text, ServiceError> {
        if !self.lost && self.file.is_some() {
            self.lost = self.spill().is_err();
        }
        if self.lost {
            return Err(ServiceError::no_room_for_answer());
        }
        match self.file {
            None => Ok(Text::Memory(self.text)),
            Some(mut spooled) => {
                spooled.file.rewind().map_err(ServiceError::internal)?;
                Ok(Text::File(spooled))
            }
        }
    }
}

impl Write for SpoolWriter {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.add(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(spool: &Spool, pieces: usize) -> Result<Text, ServiceError> {
        let mut writer = spool.writer();
        (0..pieces).for_each(|piece| writer.add(&[piece as u8; 64 * 1024]));
        writer.finish()
    }

    #[test]
    fn a_large_answer_is_in_a_file_without_a_name_and_a_small_one_in_memory() {
        let folder = tempfile::tempdir().expect("a folder");
        let spool = Spool::new(folder.path());
        assert!(matches!(written(&spool, 8), Ok(Text::Memory(text)) if text.len() == 8 * 64 * 1024));
        let Ok(Text::File(large)) = written(&spool, 100) else { panic!("a file") };
        assert_eq!(large.length, 100 * 64 * 1024);
        assert!(cfg!(windows) || std::fs::read_dir(folder.path()).expect("the folder").next().is_none());
        let text = Text::File(large).into_bytes().expect("read");
        assert!(text.chunks(64 * 1024).enumerate().all(|(piece, bytes)| bytes.iter().all(|byte| *byte == piece as u8)));
    }

    #[test]
    fn without_a_disk_usual_answers_are_made_in_memory_and_larger_ones_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let spool = Spool::new(&folder.path().join("gone"));
        assert!(matches!(written(&spool, 100), Ok(Text::Memory(text)) if text.len() == 100 * 64 * 1024));
        assert_eq!(written(&spool, 1_000).expect_err("too large").status(), 507);
    }
}
