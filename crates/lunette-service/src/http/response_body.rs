//! Response bodies, and their memory while a client reads them.
//!
//! What must hold: a response that a client does not read, or reads slowly, uses its share of a small memory pool or is
//! spooled to a file; never more. A streamed response that cannot be finished breaks the connection: a client never
//! takes it for a short one.

use std::fs::File;
use std::io::{self, Read as _};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use futures_util::future::BoxFuture;
use hyper::body::{Frame, SizeHint};
use tokio::task::JoinHandle;

use crate::{Service, ServiceError};

use super::memory::MemoryPermit;
use super::progress::CountGuard;
use super::response_stream::Chunks;
use super::spool::{ResponseText, Spooled};

/// A response up to this size is not counted.
const SMALL_BYTES: usize = 16 * 1024;
/// How much of a file is read at a time.
const CHUNK_BYTES: u64 = 64 * 1024;

/// What a handler has responded with.
pub(super) enum HandlerOutput {
    /// All of it.
    Finished(ResponseText),
    /// Its beginning, and the rest as the handler writes it.
    Streamed(Body),
}

/// The body of a response as hyper takes it, the counterpart of its `Incoming`.
pub(super) struct Outgoing {
    content: Content,
    /// The share of the memory pool, until the content was taken.
    _memory: MemoryPermit,
    /// Marks the connection as responding, until the content was taken.
    _responding: Option<CountGuard>,
}

enum Content {
    /// All of it, as it is.
    Whole(Bytes),
    Stream(Body),
}

impl Outgoing {
    fn new(content: Content, memory: MemoryPermit) -> Self {
        Self { content, _memory: memory, _responding: None }
    }

    /// Holds the guard until the content was taken, if there is any.
    pub(super) fn responding(mut self, guard: CountGuard) -> Self {
        self._responding = (!self.is_end_stream()).then_some(guard);
        self
    }
}

impl From<Body> for Outgoing {
    fn from(body: Body) -> Self {
        Self::new(Content::Stream(body), MemoryPermit::default())
    }
}

impl HttpBody for Outgoing {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match &mut self.content {
            Content::Whole(content) if content.is_empty() => Poll::Ready(None),
            Content::Whole(content) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(content))))),
            Content::Stream(content) => Pin::new(content).poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.content {
            Content::Whole(content) => content.is_empty(),
            Content::Stream(content) => content.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.content {
            Content::Whole(content) => SizeHint::with_exact(content.len() as u64),
            Content::Stream(content) => content.size_hint(),
        }
    }
}

/// The body of what a handler has responded with. Fails with 503 if it fits neither in memory nor on disk.
pub(super) async fn of_output(service: &Service, output: HandlerOutput) -> Result<Body, ServiceError> {
    match output {
        HandlerOutput::Finished(text) => of_text(service, text).await,
        HandlerOutput::Streamed(body) => Ok(body),
    }
}

/// The body of a response. Fails with 503 if it fits neither in memory nor on disk.
pub(super) async fn of_text(service: &Service, text: ResponseText) -> Result<Body, ServiceError> {
    match text {
        ResponseText::File(spooled) => Ok(Body::new(FileBody::new(spooled))),
        ResponseText::Memory(text) => Ok(Body::new(of_bytes(service, text.into()).await?)),
    }
}

/// The body of a response in memory, which others may share. Fails with 503 if it fits neither there nor on disk.
pub(super) async fn of_bytes(service: &Service, text: Bytes) -> Result<Outgoing, ServiceError> {
    if text.len() <= SMALL_BYTES {
        return Ok(Outgoing::new(Content::Whole(text), MemoryPermit::default()));
    }
    if let Some(permit) = service.memory.try_acquire_for_response(text.len()) {
        return Ok(Outgoing::new(Content::Whole(text), permit));
    }
    let (spool, spooled) = (service.spool.clone(), text.clone());
    let spooled = tokio::task::spawn_blocking(move || spool.keep(&spooled)).await.map_err(ServiceError::internal)?;
    if let Some(spooled) = spooled {
        return Ok(Body::new(FileBody::new(spooled)).into());
    }
    let permit = service.memory.acquire(text.len()).await?;
    Ok(Outgoing::new(Content::Whole(text), permit))
}

/// The answer of a handler that is still writing it. One that is finished before its first chunk is like any other: it
/// has its length, and its error has a status.
pub(super) async fn streamed(
    service: Arc<Service>,
    mut chunks: Chunks,
    handler: impl Future<Output = Result<ResponseText, ServiceError>> + Send + 'static,
) -> Result<HandlerOutput, ServiceError> {
    let Some(first) = chunks.receiver.recv().await else { return Ok(HandlerOutput::Finished(handler.await?)) };
    let rest = async move { of_text(&service, handler.await?).await };
    Ok(HandlerOutput::Streamed(Body::new(StreamedBody { first: Some(first), chunks, rest: Rest::Due(Box::pin(rest)) })))
}

/// A response as its handler writes it: chunks, and then what was left when the handler ended. Dropping it tells the
/// handler that nobody reads on.
struct StreamedBody {
    first: Option<Vec<u8>>,
    chunks: Chunks,
    rest: Rest,
}

/// What follows the chunks.
enum Rest {
    Due(BoxFuture<'static, Result<Body, ServiceError>>),
    Begun(Body),
    Broken,
}

impl HttpBody for StreamedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        if let Some(first) = this.first.take() {
            return Poll::Ready(Some(Ok(Frame::data(first.into()))));
        }
        loop {
            match &mut this.rest {
                Rest::Due(rest) => {
                    if let Some(chunk) = ready!(this.chunks.receiver.poll_recv(cx)) {
                        return Poll::Ready(Some(Ok(Frame::data(chunk.into()))));
                    }
                    match ready!(rest.as_mut().poll(cx)) {
                        Ok(body) => this.rest = Rest::Begun(body),
                        Err(error) => {
                            // The status was sent long ago: breaking the connection is all that can be said.
                            tracing::warn!(%error, "a response was broken off");
                            this.rest = Rest::Broken;
                            return Poll::Ready(Some(Err(axum::Error::new(error))));
                        }
                    }
                }
                Rest::Begun(body) => return Pin::new(body).poll_frame(cx),
                Rest::Broken => return Poll::Ready(None),
            }
        }
    }
}

/// A file that is sent in chunks.
struct FileBody {
    state: State,
    remaining: u64,
}

enum State {
    Waiting(File),
    Reading(JoinHandle<io::Result<(File, Vec<u8>)>>),
    Ended,
}

impl FileBody {
    fn new(spooled: Spooled) -> Self {
        Self { state: State::Waiting(spooled.file), remaining: spooled.length }
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
                            self.remaining = self.remaining.saturating_sub(piece.len() as u64);
                            if self.remaining > 0 {
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
                    let length = self.remaining.min(CHUNK_BYTES);
                    let State::Waiting(file) = std::mem::replace(&mut self.state, State::Ended) else { continue };
                    self.state = State::Reading(tokio::task::spawn_blocking(move || read(file, length)));
                }
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.remaining == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.remaining)
    }
}

fn read(mut file: File, length: u64) -> io::Result<(File, Vec<u8>)> {
    let mut piece = vec![0; usize::try_from(length).unwrap_or_default()];
    file.read_exact(&mut piece)?;
    Ok((file, piece))
}
