//! Tracks what a connection is doing by its reads and writes: which time limit applies, and whether it can be evicted.
//!
//! What must hold: the head of a request has a few seconds once it has begun, while a connection between two requests
//! may stay open for longer (hyper has one timer for both, and a new one for each request); a client that does not read its answer loses the
//! connection; a connection that makes progress is never evicted while there is one that makes none; and a connection
//! whose request is not complete can be evicted from its first moment on, so that thousands of them are passed by in a
//! fraction of a second.

use std::cmp::Reverse;
use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until};

use crate::HttpLimits;

/// A connection without a byte for this long is stalled. A client may pause for longer; it is evicted only if all
/// connections are in use.
const STALL_TIME: Duration = Duration::from_millis(100);
/// A body arriving more slowly than this on average makes no progress worth waiting for.
pub(super) const MIN_BYTES_PER_SECOND: u64 = 1024;
/// A request that began less than this ago may be about to be completed.
const GRACE: Duration = Duration::from_millis(50);

/// The progress of one connection, shared by all that works on it.
#[derive(Clone, Debug)]
pub(super) struct Progress(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// When the connection was last polled: the time of all that it does before the next poll.
    now: Instant,
    phase: Phase,
    /// Whether it was ever tried to read from it: until then it is not known what has arrived.
    polled: bool,
    /// When bytes were last transferred in either direction.
    last_activity: Instant,
    /// Since when a write has been blocked by the client.
    stalled: Option<Instant>,
    running: usize,
    responses: usize,
    draining: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// Between two requests.
    Idle,
    /// The head of a request is due since this moment.
    Head(Instant),
    /// The body of a request is awaited since this moment, and this much of it has arrived.
    Body { since: Instant, received: u64 },
    /// A request is complete, and is being answered.
    Request,
}

/// Why a connection can be evicted, the first to go first; of one kind the one that has waited longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Evictable {
    /// Its request is not complete, and makes no progress.
    Unfinished(Reverse<Duration>),
    /// It is between two requests.
    Idle(Reverse<Duration>),
    /// It neither sends the rest of its body nor takes its answer.
    Stalled(Reverse<Duration>),
    /// Its request began a moment ago.
    New(Reverse<Duration>),
}

impl Evictable {
    /// A request that is not complete, this long after it began.
    fn unfinished(age: Duration) -> Self {
        if age < GRACE { Self::New(Reverse(age)) } else { Self::Unfinished(Reverse(age)) }
    }
}

/// Counts while it lives.
#[derive(Debug)]
pub(super) struct CountGuard(Progress, fn(&mut State) -> &mut usize);

impl Drop for CountGuard {
    fn drop(&mut self) {
        *(self.1)(&mut self.0.lock()) -= 1;
    }
}

impl Progress {
    /// A new connection: its first request head is due.
    pub(super) fn new() -> Self {
        let now = Instant::now();
        let state = State {
            now,
            phase: Phase::Head(now),
            polled: false,
            last_activity: now,
            stalled: None,
            running: 0,
            responses: 0,
            draining: 0,
        };
        Self(Arc::new(Mutex::new(state)))
    }

    /// Runs the connection, and notes the time of each poll.
    pub(super) async fn track<T>(&self, mut connection: Pin<&mut impl Future<Output = T>>) -> T {
        poll_fn(|cx| {
            self.lock().now = Instant::now();
            connection.as_mut().poll(cx)
        })
        .await
    }

    /// A head is complete. Returns the time.
    pub(super) fn head_complete(&self) -> Instant {
        let mut state = self.lock();
        state.phase = Phase::Request;
        state.now
    }

    /// The body of a request is awaited, until [`Self::body_complete`].
    pub(super) fn awaits_body(&self) {
        let mut state = self.lock();
        state.phase = Phase::Body { since: state.now, received: 0 };
    }

    /// All of a body has arrived.
    pub(super) fn body_complete(&self) {
        self.lock().phase = Phase::Request;
    }

    /// The response of a request is ready to be sent.
    pub(super) fn answered(&self) -> CountGuard {
        let mut state = self.lock();
        state.phase = Phase::Idle;
        state.last_activity = state.now;
        drop(state);
        self.count_while(|state| &mut state.responses)
    }

    /// A handler runs for this connection, or a stream.
    pub(super) fn work(&self) -> CountGuard {
        self.count_while(|state| &mut state.running)
    }

    /// The rest of a rejected body is drained.
    pub(super) fn drain(&self) -> CountGuard {
        self.count_while(|state| &mut state.draining)
    }

    fn count_while(&self, count: fn(&mut State) -> &mut usize) -> CountGuard {
        *count(&mut self.lock()) += 1;
        CountGuard(self.clone(), count)
    }

    /// Completes when a head takes too long, when no request follows the last one, or when the client reads nothing of a
    /// response. It must be polled after each poll of the connection, since only that brings a time limit forward.
    pub(super) async fn overdue(&self, limits: &HttpLimits) {
        let mut timer = pin!(sleep_until(self.lock().now + limits.idle));
        poll_fn(|cx| {
            loop {
                let Some(deadline) = self.lock().deadline(limits) else { return Poll::Pending };
                if deadline < timer.deadline() {
                    timer.as_mut().reset(deadline);
                }
                ready!(timer.as_mut().poll(cx));
                if deadline <= Instant::now() {
                    return Poll::Ready(());
                }
                // It was put off since the timer was set.
                timer.as_mut().reset(deadline);
            }
        })
        .await;
    }

    /// Whether and why this connection can be evicted.
    pub(super) fn evictable(&self) -> Option<Evictable> {
        self.lock().evictable(Instant::now())
    }

    /// It was tried to read from the connection; this much has arrived.
    fn received(&self, bytes: usize) {
        let mut state = self.lock();
        state.polled = true;
        if bytes == 0 {
            return;
        }
        state.last_activity = state.now;
        match state.phase {
            Phase::Idle if state.draining == 0 => state.phase = Phase::Head(state.now),
            Phase::Body { since, received } => {
                state.phase = Phase::Body { since, received: received + bytes as u64 };
            }
            Phase::Idle | Phase::Head(_) | Phase::Request => {}
        }
    }

    fn sent(&self) {
        let mut state = self.lock();
        state.last_activity = state.now;
        state.stalled = None;
    }

    fn waits_to_send(&self) {
        let mut state = self.lock();
        state.stalled = state.stalled.or(Some(state.now));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn deadline(&self, limits: &HttpLimits) -> Option<Instant> {
        let phase = match self.phase {
            Phase::Head(since) => Some(since + limits.head),
            Phase::Idle if self.responses == 0 => Some(self.last_activity + limits.idle),
            // A body has its own limit, and a handler none.
            Phase::Idle | Phase::Body { .. } | Phase::Request => None,
        };
        let write = self.stalled.map(|since| since + limits.write);
        phase.into_iter().chain(write).min()
    }

    fn evictable(&self, now: Instant) -> Option<Evictable> {
        if self.running > 0 || !self.polled {
            return None;
        }
        let still = now - self.last_activity;
        let stalled = (still >= STALL_TIME).then_some(Evictable::Stalled(Reverse(still)));
        if self.stalled.is_some() || self.responses > 0 || self.draining > 0 {
            return stalled;
        }
        match self.phase {
            Phase::Idle => Some(Evictable::Idle(Reverse(still))),
            Phase::Head(since) => Some(Evictable::unfinished(now - since)),
            Phase::Body { since, received } => {
                let rate = received / (now - since).as_secs().max(1);
                if rate < MIN_BYTES_PER_SECOND { Some(Evictable::unfinished(now - since)) } else { stalled }
            }
            // It waits for this program.
            Phase::Request => None,
        }
    }
}

/// A TCP stream that records its progress.
#[derive(Debug)]
pub(super) struct ProgressStream {
    pub(super) stream: TcpStream,
    pub(super) progress: Progress,
}

impl ProgressStream {
    fn written(&self, result: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &result {
            Poll::Ready(Ok(1..)) => self.progress.sent(),
            Poll::Ready(_) => {}
            Poll::Pending => self.progress.waits_to_send(),
        }
        result
    }
}

impl AsyncRead for ProgressStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(cx, buf);
        self.progress.received(buf.filled().len() - before);
        result
    }
}

impl AsyncWrite for ProgressStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.written(result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.written(result)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn state(began: Instant, phase: Phase) -> State {
        State {
            now: began,
            phase,
            polled: true,
            last_activity: began,
            stalled: None,
            running: 0,
            responses: 0,
            draining: 0,
        }
    }

    #[test]
    fn unfinished_requests_are_evicted_first_then_idle_and_stalled_connections_and_active_ones_stay() {
        let began = Instant::now();
        let now = began + Duration::from_secs(20);
        let last_activity = now - Duration::from_millis(10);
        let body = |received| Phase::Body { since: began, received };
        let order = [
            state(began, Phase::Head(began)),
            State { last_activity, ..state(began, body(10_000)) },
            State { last_activity, ..state(began, Phase::Head(began + Duration::from_secs(1))) },
            state(began, Phase::Idle),
            state(last_activity, Phase::Idle),
            State { responses: 1, stalled: Some(began), ..state(began, Phase::Idle) },
            State { last_activity: began + Duration::from_secs(10), ..state(began, body(1_000_000)) },
            state(last_activity, Phase::Head(last_activity)),
            state(last_activity, Phase::Body { since: now, received: 0 }),
        ];
        let ranks: Vec<_> = order.iter().map(|state| state.evictable(now)).collect();
        assert!(ranks.iter().all(Option::is_some) && ranks.is_sorted(), "{ranks:?}");
        for stays in [
            State { last_activity, ..state(began, body(1_000_000)) },
            State { last_activity, responses: 1, stalled: Some(last_activity), ..state(began, Phase::Idle) },
            State { running: 1, ..state(began, body(0)) },
            State { last_activity, draining: 1, ..state(began, Phase::Idle) },
            State { polled: false, ..state(began, Phase::Head(began)) },
            state(began, Phase::Request),
        ] {
            assert_eq!(stays.evictable(now), None, "{stays:?}");
        }
    }

    #[test]
    fn each_time_limit_runs_in_its_own_phase() {
        let (began, limits) = (Instant::now(), HttpLimits::default());
        let stalled = began + Duration::from_secs(1);
        let deadline = |state: State| state.deadline(&limits);
        assert_eq!(deadline(state(began, Phase::Head(began))), Some(began + limits.head));
        assert_eq!(deadline(state(began, Phase::Idle)), Some(began + limits.idle));
        assert_eq!(deadline(State { responses: 1, ..state(began, Phase::Idle) }), None);
        assert_eq!(deadline(state(began, Phase::Body { since: began, received: 0 })), None);
        assert_eq!(deadline(state(began, Phase::Request)), None);
        let unread = State { stalled: Some(stalled), responses: 1, ..state(began, Phase::Idle) };
        assert_eq!(deadline(unread), Some(stalled + limits.write));
    }

    #[tokio::test]
    async fn header_idle_time_and_response_time_out_only_after_their_timers_start() {
        let (soon, never) = (Duration::from_millis(20), Duration::from_secs(3600));
        let limits = |head, idle, write| HttpLimits { head, idle, write, ..HttpLimits::default() };
        let (all, head) = (limits(soon, soon, soon), limits(soon, never, never));
        let (idle, write) = (limits(never, soon, never), limits(never, never, soon));
        let progress = Progress::new();
        progress.received(1);
        progress.head_complete();
        let answer = progress.answered();
        assert!(tokio::time::timeout(soon * 2, progress.overdue(&all)).await.is_err(), "nothing is due");
        tokio::join!(async { progress.waits_to_send() }, progress.overdue(&write));
        progress.sent();
        drop(answer);
        progress.overdue(&idle).await;
        tokio::join!(async { progress.received(1) }, progress.overdue(&head));
    }

    #[tokio::test]
    async fn the_idle_time_begins_anew_with_each_use() {
        let idle = Duration::from_millis(20);
        let (progress, limits) = (Progress::new(), HttpLimits { idle, ..HttpLimits::default() });
        progress.head_complete();
        drop(progress.answered());
        let used_at = |at: Instant| progress.lock().last_activity = at;
        let mut overdue = pin!(progress.overdue(&limits));
        assert!(futures_util::poll!(&mut overdue).is_pending(), "its timer runs");
        used_at(Instant::now() + Duration::from_secs(3600));
        assert!(tokio::time::timeout(idle * 2, &mut overdue).await.is_err(), "it was used since");
        used_at(Instant::now());
        overdue.await;
    }
}
