//! Spools large responses to temporary files.
//!
//! What must hold: what a client does not read costs no memory. So a response above [`CHUNK_BYTES`] is written to a
//! file as it is produced, and sent from there; of a streamed response, what its client was too slow for. The file is
//! unlinked, private, and gone when its last handle is closed. Large ones do not fill the disk, however many clients ask
//! for everything and read slowly: they end where little is left free.
//! It is created beside the data; if that disk is full, in the system's temporary folder; if that is full too,
//! responses of usual size are kept in memory.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use super::response_stream::{self, ChunkSender, Sent};
use crate::{RequestContext, Service, ServiceError};

/// How much of a response is in memory while it is produced.
pub(crate) const CHUNK_BYTES: usize = 1 << 20;
/// The largest response kept in memory if it cannot be written to a file.
const MAX_IN_MEMORY: usize = 32 << 20;
/// How often the free space of the disk is looked at: before each so many bytes of a file, but for the first ones.
const CHECKED_EVERY: u64 = 64 << 20;
/// What large files leave free. Our choice: enough for the writes of this service and of other programs for a while.
const LEFT_FREE: u64 = 512 << 20;
/// The most that is moved from a file on a full disk to another one.
const MAX_READ_BACK: u64 = 64 << 20;

/// Where the files are created.
#[derive(Clone, Debug)]
pub(crate) struct Spool {
    /// The first that has room is used.
    folders: [Arc<Path>; 2],
    /// How many bytes of their disk large files leave free.
    left_free: u64,
}

/// A response.
#[derive(Debug)]
pub(crate) enum ResponseText {
    Memory(Vec<u8>),
    File(Spooled),
}

/// A response in a file, positioned at its beginning.
#[derive(Debug)]
pub(crate) struct Spooled {
    pub(crate) file: File,
    pub(crate) length: u64,
}

impl From<Vec<u8>> for ResponseText {
    fn from(text: Vec<u8>) -> Self {
        Self::Memory(text)
    }
}

impl ResponseText {
    /// Calls `each` with the text piece by piece.
    pub(crate) fn each_piece(self, mut each: impl FnMut(&[u8])) -> io::Result<()> {
        let mut spooled = match self {
            Self::Memory(text) => {
                each(&text);
                return Ok(());
            }
            Self::File(spooled) => spooled,
        };
        let mut piece = vec![0; response_stream::CHUNK_BYTES];
        loop {
            match spooled.file.read(&mut piece)? {
                0 => return Ok(()),
                length => each(&piece[..length]),
            }
        }
    }

    /// All of it, in memory.
    #[cfg(any(test, feature = "bench"))]
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
    /// Files in this folder, and in the system's folder for temporary files where its disk is full.
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folders: [folder.into(), std::env::temp_dir().into()], left_free: LEFT_FREE }
    }

    /// A response that is being written.
    pub(crate) fn writer(&self) -> SpoolWriter {
        SpoolWriter { spool: Some(self.clone()), ..SpoolWriter::default() }
    }

    /// Copies a text to a file; None if that fails.
    pub(crate) fn keep(&self, text: &[u8]) -> Option<Spooled> {
        let written = |folder: &Path| -> io::Result<Spooled> {
            let mut file = file_in(folder)?;
            file.write_all(text)?;
            file.rewind()?;
            Ok(Spooled { file, length: text.len() as u64 })
        };
        self.folders.iter().find_map(|folder| written(folder).ok())
    }
}

/// A file without a name.
fn file_in(folder: &Path) -> io::Result<File> {
    let path = folder.join(format!("lunette.answer-{}", uuid::Uuid::new_v4()));
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

/// A response that is being written.
#[derive(Debug, Default)]
pub(crate) struct SpoolWriter {
    /// None if the response is kept in memory only.
    spool: Option<Spool>,
    /// The way to the client, if the response is streamed.
    stream: Option<ChunkSender>,
    /// Whether the client of the stream was too slow, and the rest is spooled.
    behind: bool,
    /// Whether the client of the stream is gone.
    gone: bool,
    /// How many folders could not be written to.
    full: usize,
    /// Why the first of them could not.
    problem: Option<io::Error>,
    file: Option<Spooled>,
    text: Vec<u8>,
    /// Whether it became too large for memory.
    lost: bool,
}

impl SpoolWriter {
    /// A text in memory only, with room for so many bytes.
    pub(crate) fn with_room(bytes: usize) -> Self {
        Self { text: Vec::with_capacity(bytes), ..Self::default() }
    }

    /// Sends the response to the client of this stream as it is written; to a file what the client is too slow for.
    pub(crate) fn streaming(self, stream: Option<ChunkSender>) -> Self {
        Self { stream, ..self }
    }

    /// Whether there is any use in writing more: not if nobody reads it, or if there is no room for it.
    pub(crate) fn wanted(&self) -> ControlFlow<()> {
        if self.lost || self.gone { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Adds a piece, which may be all of a large content.
    #[inline(always)] // A record is some hundred pieces, most of them of a length that is known where they are written.
    pub(crate) fn add(&mut self, piece: &[u8]) {
        let full = if self.stream.is_some() { response_stream::CHUNK_BYTES } else { CHUNK_BYTES };
        // Nearly all pieces are a few bytes of a record.
        if self.text.len() + piece.len() < full && !self.lost && !self.gone {
            self.text.extend_from_slice(piece);
        } else {
            self.add_large(piece, full);
        }
    }

    /// Adds a piece that fills the buffer.
    #[cold]
    fn add_large(&mut self, mut piece: &[u8], full: usize) {
        while !piece.is_empty() && self.wanted().is_continue() {
            let room = match full.checked_sub(self.text.len()) {
                Some(room @ 1..) => room.min(piece.len()),
                // Without a disk, the buffer holds more than one chunk.
                Some(0) | None => piece.len(),
            };
            let (part, rest) = piece.split_at(room);
            self.text.extend_from_slice(part);
            piece = rest;
            if self.text.len() >= full {
                self.flush();
            }
        }
    }

    /// Sends the buffer if the response is streamed and its client keeps up; else moves it to a file.
    fn flush(&mut self) {
        if let Some(stream) = &mut self.stream {
            match stream.send(std::mem::take(&mut self.text)) {
                Sent::Taken => {
                    self.text.reserve_exact(response_stream::CHUNK_BYTES);
                    return;
                }
                Sent::Behind(text) => (self.text, self.behind) = (text, true),
                Sent::Gone => self.gone = true,
            }
        }
        if self.spool.is_some() && !self.gone && !self.spill() {
            self.lost = self.text.len() > MAX_IN_MEMORY;
        }
    }

    /// Moves the buffer to a file in the first folder with space; returns false if there is none, and everything is in
    /// memory.
    fn spill(&mut self) -> bool {
        while let Some(folder) = self.spool.as_ref().and_then(|spool| spool.folders.get(self.full).cloned()) {
            match self.append(&folder) {
                Ok(()) => return true,
                Err(error) => self.problem.get_or_insert(error),
            };
            self.full += 1;
            if self.read_back().is_err() {
                self.lost = true;
                return false;
            }
        }
        false
    }

    fn append(&mut self, folder: &Path) -> io::Result<()> {
        let spooled = match &mut self.file {
            Some(spooled) => spooled,
            none => none.insert(Spooled { file: file_in(folder)?, length: 0 }),
        };
        let after = spooled.length + self.text.len() as u64;
        if after / CHECKED_EVERY > spooled.length / CHECKED_EVERY {
            let least = self.spool.as_ref().map_or(0, |spool| spool.left_free);
            // A disk that cannot tell is written to until it is full.
            if fs4::available_space(folder).is_ok_and(|free| free < least) {
                return Err(io::ErrorKind::StorageFull.into());
            }
        }
        spooled.file.write_all(&self.text)?;
        spooled.length += self.text.len() as u64;
        self.text.clear();
        Ok(())
    }

    /// Moves the content of a file on a full disk back to memory, before the buffer.
    fn read_back(&mut self) -> io::Result<()> {
        let Some(Spooled { mut file, length }) = self.file.take() else { return Ok(()) };
        if length + self.text.len() as u64 > MAX_READ_BACK {
            return Err(io::Error::other("too large to move"));
        }
        file.rewind()?;
        let mut text = Vec::new();
        file.take(length).read_to_end(&mut text)?;
        text.append(&mut self.text);
        self.text = text;
        Ok(())
    }

    /// Returns the buffer, which is in memory only, and starts again.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.text)
    }

    /// Returns what was written and not yet sent. Fails if it was too large for memory and could not be written to a disk.
    pub(crate) fn finish(mut self) -> Result<ResponseText, ServiceError> {
        if self.gone {
            return Err(ServiceError::client_gone());
        }
        // A client that fell behind may take long to read even the little that is left.
        if (self.file.is_some() || self.behind) && !self.spill() {
            self.lost |= self.text.len() > MAX_IN_MEMORY;
        }
        if self.lost {
            return Err(ServiceError::no_room_for_answer(self.problem.as_ref()));
        }
        match self.file {
            None => Ok(ResponseText::Memory(self.text)),
            Some(mut spooled) => {
                spooled.file.rewind().map_err(ServiceError::internal)?;
                Ok(ResponseText::File(spooled))
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

impl RequestContext {
    /// Where a handler writes a response that may become large: to the client if the operation is streamed, else to a
    /// file. There is one such response to a request.
    pub(crate) fn writer(&self, service: &Service) -> SpoolWriter {
        let stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner).take();
        service.spool.writer().streaming(stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(spool: &Spool, pieces: usize) -> Result<ResponseText, ServiceError> {
        let mut writer = spool.writer();
        (0..pieces).for_each(|piece| writer.add(&[piece as u8; 64 * 1024]));
        writer.finish()
    }

    #[test]
    fn a_large_response_is_spooled_to_an_unnamed_file_and_a_small_one_kept_in_memory() {
        let folder = tempfile::tempdir().expect("a folder");
        let spool = Spool::new(folder.path());
        assert!(matches!(written(&spool, 8), Ok(ResponseText::Memory(text)) if text.len() == 8 * 64 * 1024));
        let Ok(ResponseText::File(large)) = written(&spool, 100) else { panic!("a file") };
        assert_eq!(large.length, 100 * 64 * 1024);
        assert!(cfg!(windows) || std::fs::read_dir(folder.path()).expect("the folder").next().is_none());
        let text = ResponseText::File(large).into_bytes().expect("read");
        assert!(text.chunks(64 * 1024).enumerate().all(|(piece, bytes)| bytes.iter().all(|byte| *byte == piece as u8)));
    }

    #[test]
    fn without_a_disk_ordinary_responses_are_built_in_memory_and_larger_ones_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let gone = || folder.path().join("gone").into();
        let spool = Spool { folders: [gone(), gone()], left_free: 0 };
        assert!(matches!(written(&spool, 100), Ok(ResponseText::Memory(text)) if text.len() == 100 * 64 * 1024));
        let refused = written(&spool, 1_000).expect_err("too large");
        assert!(refused.status() == 503 && !refused.sentence().contains("full"), "{refused}");
    }

    #[test]
    fn a_large_response_ends_before_the_disk_is_full_and_a_small_one_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let spool = Spool { folders: [folder.path().into(), folder.path().into()], left_free: u64::MAX };
        assert!(
            matches!(written(&spool, 1_000), Ok(ResponseText::File(spooled)) if spooled.length == 1_000 * 64 * 1024)
        );
        assert_eq!(written(&spool, 1_100).expect_err("no room").status(), 507);
    }

    #[test]
    fn temporary_files_use_the_system_folder_if_the_data_disk_is_full() {
        let folder = tempfile::tempdir().expect("a folder");
        let spool = Spool { folders: [folder.path().join("gone").into(), folder.path().into()], left_free: 0 };
        assert!(
            matches!(written(&spool, 1_000), Ok(ResponseText::File(spooled)) if spooled.length == 1_000 * 64 * 1024)
        );
        assert!(spool.keep(&vec![1; CHUNK_BYTES]).is_some());
    }

    #[test]
    fn data_written_before_the_disk_became_full_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let spool = Spool { folders: [folder.path().into(), folder.path().into()], left_free: 0 };
        let mut writer = spool.writer();
        (0..20_u8).for_each(|piece| writer.add(&[piece; 64 * 1024]));
        assert!(writer.file.is_some());
        // What a failing write does.
        writer.full += 1;
        writer.read_back().expect("read back");
        (20..40_u8).for_each(|piece| writer.add(&[piece; 64 * 1024]));
        let text = writer.finish().expect("an answer").into_bytes().expect("read");
        assert_eq!(text.len(), 40 * 64 * 1024);
        assert!(text.chunks(64 * 1024).enumerate().all(|(piece, bytes)| bytes.iter().all(|byte| *byte == piece as u8)));
    }
}
