//! The body of an answer, and what it costs while a client reads it.
//!
//! What must hold: an answer that a client does not read, or reads slowly, takes its share of a small pool of memory, or
//! waits in a file; it never takes more.

use std::fs::File;
use std::io::{self, Read as _};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::task::JoinHandle;

use crate::spool::{Spooled, Text};
use crate::{Service, ServiceError};

/// An answer up to this size is not counted.
const SMALL: usize = 16 * 1024;
/// How much of a file is read at a time.
const PIECE: u64 = 64 * 1024;

/// The body of an answer. Fails with 503 where there is no room for it, neither in memory nor on the disk.
pub(super) async fn body_of(service: &Service, text: Text) -> Result<Body, ServiceError> {
    let text = match text {
        Text::File(spooled) => return Ok(Body::new(FileBody::new(spooled))),
        Text::Memory(text) if text.is_empty() => return Ok(Body::empty()),
        Text::Memory(text) if text.len() <= SMALL => return Ok(Body::from(text)),
        Text::Memory(text) => text,
    };
    if let Some(taken) = service.memory.try_take_for_answer(text.len()) {
        return Ok(Body::new(Holding { body: Body::from(text), _held: taken }));
    }
    let spool = service.spool.clone();
    let moved = tokio::task::spawn_blocking(move || spool.keep(text)).await.map_err(ServiceError::internal)?;
    match moved {
        Ok(spooled) => Ok(Body::new(FileBody::new(spooled))),
        Err(text) => {
            let taken = service.memory.take(text.len()).await?;
            Ok(Body::new(Holding { body: Body::from(text), _held: taken }))
        }
    }
}

/// A body that keeps something for as long as it is being sent.
pub(super) struct Holding<T> {
    pub(super) body: Body,
    pub(super) _held: T,
}

impl<T: Unpin> HttpBody for Holding<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A file that is sent piece by piece.
struct FileBody {
    state: State,
    left: u64,
}

enum State {
    Waiting(File),
    Reading(JoinHandle<io::Result<(File, Vec<u8>)>>),
    Ended,
}

impl FileBody {
    fn new(spooled: Spooled) -> Self {
        Self { state: State::Waiting(spooled.file), left: spooled.length }
    }
}

impl HttpBody for FileBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        loop {
            match &mut self.state {
                State::Ended => return Poll::Ready(None),
                State::Reading(task) => {
                    let read = ready!(Pin::new(task).poll(cx));
                    self.state = State::Ended;
                    return Poll::Ready(Some(match read.map_err(io::Error::other).flatten() {
                        Ok((file, piece)) => {
                            self.left = self.left.saturating_sub(piece.len() as u64);
                            if self.left > 0 {
                                self.state = State::Waiting(file);
                            }
                            Ok(Frame::data(piece.into()))
                        }
                        Err(problem) => {
                            tracing::error!(%problem, "could not read a response back from its file");
                            Err(problem)
                        }
                    }));
                }
                State::Waiting(_) => {
                    let length = self.left.min(PIECE);
                    let State::Waiting(file) = std::mem::replace(&mut self.state, State::Ended) else { continue };
                    self.state = State::Reading(tokio::task::spawn_blocking(move || read(file, length)));
                }
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

fn read(mut file: File, length: u64) -> io::Result<(File, Vec<u8>)> {
    let mut piece = vec![0; usize::try_from(length).unwrap_or_default()];
    file.read_exact(&mut piece)?;
    Ok((file, piece))
}
