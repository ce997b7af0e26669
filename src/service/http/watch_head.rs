//! A connection whose requests must be said in one go: the head of a request has a few seconds once it has begun,
//! while a connection between two requests may stay open for longer. (hyper has one timer for both.)

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::Instant;

/// When the head that is being read began.
#[derive(Debug)]
pub(super) struct HeadClock {
    state: Mutex<Head>,
    begun: Notify,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Head {
    /// Nothing of a request has come.
    Awaited,
    /// Its first bytes came at this moment.
    Begun(Instant),
    /// It is whole, and its request is being answered.
    Complete,
}

impl HeadClock {
    /// A new connection owes a head from its first moment.
    pub(super) fn new() -> Self {
        Self { state: Mutex::new(Head::Begun(Instant::now())), begun: Notify::new() }
    }

    /// A head is whole.
    pub(super) fn complete(&self) {
        self.set(Head::Complete);
    }

    /// A request has been answered.
    pub(super) fn answered(&self) {
        self.set(Head::Awaited);
    }

    /// Ends when a head takes longer than this.
    pub(super) async fn overdue(&self, limit: Duration) {
        loop {
            match self.head() {
                Head::Begun(moment) if moment.elapsed() >= limit => return,
                Head::Begun(moment) => tokio::time::sleep_until(moment + limit).await,
                Head::Awaited | Head::Complete => self.begun.notified().await,
            }
        }
    }

    fn bytes_came(&self) {
        if self.head() == Head::Awaited {
            self.set(Head::Begun(Instant::now()));
            self.begun.notify_one();
        }
    }

    fn head(&self) -> Head {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, head: Head) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = head;
    }
}

/// A stream that tells the clock of what it reads.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) stream: TcpStream,
    pub(super) clock: Arc<HeadClock>,
}

impl AsyncRead for Watched {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
        if buf.filled().len() > before {
            self.clock.bytes_came();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
