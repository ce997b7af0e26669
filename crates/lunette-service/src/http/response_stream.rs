//! Sends a large response to its client while the handler is still writing it.
//!
//! What must hold: how long a reader of the store is held depends on the store, not on the client. So a handler waits
//! for its client for [`PATIENCE`] in all; a client that is slower gets the rest from a file, as it can take it
//! (`spool`). A handler whose client is gone stops at its next chunk. An answer takes the same few chunks of memory
//! whatever its size, and the chunks of all answers together come out of the pool for responses.

use std::time::{Duration, Instant};

use lunette_storage::freed_memory;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::{SendTimeoutError, TrySendError};

use super::memory::{Memory, MemoryPermit};

/// How much is sent at a time. A response that is smaller is finished before it is sent, and so has its length.
pub(crate) const CHUNK_BYTES: usize = 64 << 10;
/// After a response of this size, the memory that it needed is given back.
const LARGE_BYTES: usize = 1 << 20;
/// How many chunks wait for the client.
const WAITING: usize = 2;
/// Those that wait, one that is being written and one that is being sent.
const BUFFER_BYTES: usize = (WAITING + 2) * CHUNK_BYTES;
/// How long a handler waits for its client in all: enough for one that reads but is busy now and then.
const PATIENCE: Duration = Duration::from_secs(1);

/// The end of the handler.
#[derive(Debug)]
pub(crate) struct ChunkSender {
    chunks: mpsc::Sender<Vec<u8>>,
    runtime: Handle,
    /// How long it will still wait. Zero: the client fell behind, and gets nothing more through here.
    patience: Duration,
    /// How many bytes were sent.
    sent: usize,
}

impl Drop for ChunkSender {
    fn drop(&mut self) {
        if self.sent >= LARGE_BYTES {
            freed_memory::schedule_trim();
        }
    }
}

/// The end of the client.
#[derive(Debug)]
pub(crate) struct Chunks {
    pub(crate) receiver: mpsc::Receiver<Vec<u8>>,
    _buffer: MemoryPermit,
}

/// What became of a chunk.
pub(crate) enum Sent {
    Taken,
    /// The client is too slow: this and the rest must be kept for it.
    Behind(Vec<u8>),
    /// Nobody reads the response any more.
    Gone,
}

/// A stream from a handler to its client. None if there is no memory for its chunks: then the response is spooled.
pub(crate) fn open(memory: &Memory) -> Option<(ChunkSender, Chunks)> {
    let buffer = memory.try_acquire_for_response(BUFFER_BYTES)?;
    let (chunks, receiver) = mpsc::channel(WAITING);
    let sender = ChunkSender { chunks, runtime: Handle::current(), patience: PATIENCE, sent: 0 };
    Some((sender, Chunks { receiver, _buffer: buffer }))
}

impl ChunkSender {
    /// Sends a chunk from a blocking thread.
    pub(crate) fn send(&mut self, chunk: Vec<u8>) -> Sent {
        self.sent += chunk.len();
        if self.patience.is_zero() {
            return if self.chunks.is_closed() { Sent::Gone } else { Sent::Behind(chunk) };
        }
        let chunk = match self.chunks.try_send(chunk) {
            Ok(()) => return Sent::Taken,
            Err(TrySendError::Closed(_)) => return Sent::Gone,
            Err(TrySendError::Full(chunk)) => chunk,
        };
        let began = Instant::now();
        let sent = self.runtime.block_on(self.chunks.send_timeout(chunk, self.patience));
        self.patience = self.patience.saturating_sub(began.elapsed());
        match sent {
            Ok(()) => Sent::Taken,
            Err(SendTimeoutError::Closed(_)) => Sent::Gone,
            Err(SendTimeoutError::Timeout(chunk)) => {
                self.patience = Duration::ZERO;
                Sent::Behind(chunk)
            }
        }
    }
}
