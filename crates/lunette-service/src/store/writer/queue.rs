//! The queue of the writer thread: changes on their way in, and their results on the way back.
//!
//! What must hold: a caller waits until its change is finished, or until the writer thread has ended; it never waits for
//! ever. A change that was sent runs, whether or not its caller still waits.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use rusqlite::Transaction;

use crate::store::link_change::{LinkChange, LinkOutcome};
use crate::store::{StoreError, past};

/// Sends changes to the writer thread. All clones must be dropped before the writer, which waits until its queue closes.
#[derive(Clone)]
pub(in crate::store) struct Queue(mpsc::Sender<Change>);

impl Queue {
    /// A queue, and the end that the writer thread reads.
    pub(super) fn new() -> (Self, Waiting) {
        let (queue, changes) = mpsc::channel();
        (Self(queue), Waiting { changes, held: None })
    }

    /// Lets the writer check the file, without waiting for the result.
    pub(in crate::store) fn wake(&self) {
        self.send(Frees::No, Shares::Commit, Work::Run(Box::new(super::recovery::probe_write))).ok(); // A thread that has ended cannot check.
    }

    /// Runs a change that adds on the writer thread and waits until it is durable.
    pub(in crate::store) fn write<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.run(Frees::No, Shares::Commit, run_once(change))
    }

    /// Runs a change that adds, in a commit of its own, and waits until it is durable.
    pub(super) fn write_alone<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.run(Frees::No, Shares::Nothing, run_once(change))
    }

    /// Runs a change that frees space on the writer thread and waits until it is durable.
    pub(in crate::store) fn write_freeing<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.run(Frees::Yes, Shares::Commit, change)
    }

    /// Runs a change that frees space, in a commit of its own, and waits until it is durable: no other change waits for it
    /// but those that come while it runs.
    pub(in crate::store) fn write_freeing_alone<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.run(Frees::Yes, Shares::Nothing, change)
    }

    /// Sends a change that adds, without waiting for it.
    pub(super) fn queue<F>(&self, change: F) -> Result<PendingChange, StoreError>
    where
        F: FnOnce(&Transaction) -> Result<(), StoreError> + Send + 'static,
    {
        self.send(Frees::No, Shares::Commit, Work::Run(Box::new(run_once(change))))
    }

    /// Sends a change of a link, without waiting for it. Removing one frees space.
    pub(super) fn queue_link(&self, change: LinkChange) -> Result<PendingChange, StoreError> {
        let frees = if change.adds() { Frees::No } else { Frees::Yes };
        self.send(frees, Shares::Commit, Work::Link(change))
    }

    /// A thin typed shell: the value of the change waits in a slot, and everything else is compiled once.
    fn run<T, F>(&self, frees: Frees, shares: Shares, mut change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        let value = Arc::new(Mutex::new(None));
        let slot = Arc::clone(&value);
        let run = Box::new(move |transaction: &Transaction| {
            let value = change(transaction)?;
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
            Ok(())
        });
        self.send(frees, shares, Work::Run(run))?.wait()?;
        value.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(not_run)
    }

    pub(super) fn send(&self, frees: Frees, shares: Shares, work: Work) -> Result<PendingChange, StoreError> {
        let (change, pending) = Change::new(frees, shares, work);
        self.0.send(change).map_err(|_| closed())?;
        Ok(pending)
    }
}

/// The end of a queue that the writer thread reads.
pub(super) struct Waiting {
    changes: Receiver<Change>,
    /// A change that was taken from the queue and shares no commit with the ones before it.
    held: Option<Change>,
}

impl Waiting {
    /// Waits for the next change, at most so long.
    pub(super) fn next(&mut self, wait: Option<Duration>) -> Result<Change, RecvTimeoutError> {
        match (self.held.take(), wait) {
            (Some(change), _) => Ok(change),
            (None, Some(wait)) => self.changes.recv_timeout(wait),
            (None, None) => self.changes.recv().map_err(RecvTimeoutError::from),
        }
    }

    /// The next change, if there is one that shares its commit.
    pub(super) fn next_sharing(&mut self) -> Option<Change> {
        if self.held.is_some() {
            return None;
        }
        let next = self.changes.try_recv().ok()?;
        match next.shares {
            Shares::Commit => Some(next),
            Shares::Nothing => {
                self.held = Some(next);
                None
            }
        }
    }
}

/// A change that runs at most once.
fn run_once<T, F>(change: F) -> impl FnMut(&Transaction) -> Result<T, StoreError>
where
    F: FnOnce(&Transaction) -> Result<T, StoreError>,
{
    let mut change = Some(change);
    move |transaction| match change.take() {
        Some(change) => change(transaction),
        None => Err(StoreError::Broken("a change ran twice".to_owned())),
    }
}

/// Whether a change frees space, and is therefore allowed on a full disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frees {
    Yes,
    No,
}

/// Whether a change is committed together with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shares {
    Commit,
    Nothing,
}

/// Runs a change; fails if it must be rolled back.
pub(super) type Run = Box<dyn FnMut(&Transaction) -> Result<(), StoreError> + Send>;

/// What a change does.
pub(super) enum Work {
    Run(Run),
    /// Links that follow one another are made together.
    Link(LinkChange),
    /// Writes the file anew, in no transaction.
    Rebuild,
}

/// A queued change.
pub(super) struct Change {
    pub(super) work: Work,
    /// Only a change that frees space may be retried.
    pub(super) frees: Frees,
    pub(super) shares: Shares,
    /// Who asked for it.
    pub(super) client: Option<Arc<str>>,
    pub(super) result: Option<Result<LinkOutcome, StoreError>>,
    reply: ReplySender,
}

pub(super) fn closed() -> StoreError {
    StoreError::Broken("the writer thread has ended".to_owned())
}

fn not_run() -> StoreError {
    StoreError::Broken("a change did not run".to_owned())
}

/// Runs work that may panic; a panic is an error.
pub(super) fn catch<T>(work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(StoreError::Broken("a change panicked and was rolled back".to_owned())))
}

impl Change {
    /// A change, and where its result comes.
    pub(super) fn new(frees: Frees, shares: Shares, work: Work) -> (Self, PendingChange) {
        let reply = Arc::default();
        let pending = PendingChange(Arc::clone(&reply));
        (Self { work, frees, shares, client: past::client(), result: None, reply: ReplySender(Some(reply)) }, pending)
    }

    /// Whether it failed because the disk is full.
    pub(super) fn met_a_full_disk(&self) -> bool {
        matches!(self.result, Some(Err(StoreError::Full)))
    }

    /// Sends the result of work in no transaction.
    pub(super) fn finish_alone(mut self, done: Result<(), StoreError>) {
        self.result = Some(done.map(|()| LinkOutcome::Done));
        self.finish(Ok(()));
    }

    /// Sends the result to the waiting caller.
    pub(super) fn finish(mut self, committed: Result<(), StoreError>) {
        let result = match (self.result, committed) {
            (Some(Err(error)), _) | (_, Err(error)) => Err(error),
            (Some(Ok(outcome)), Ok(())) => Ok(outcome),
            (None, Ok(())) => Err(not_run()),
        };
        self.reply.send(result);
    }
}

/// A change on its way to the writer. Its result comes once it is durable, or has failed: a thread that may block waits
/// for it, an asynchronous caller awaits it.
#[must_use]
pub(crate) struct PendingChange(Arc<Reply>);

/// What became of a change.
type Outcome = Result<LinkOutcome, StoreError>;

/// Where the result of a change is put.
#[derive(Default)]
struct Reply {
    state: Mutex<ReplyState>,
    set: Condvar,
}

#[derive(Default)]
enum ReplyState {
    #[default]
    Pending,
    Awaited(Waker),
    Done(Outcome),
}

impl Reply {
    fn lock(&self) -> MutexGuard<'_, ReplyState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReplyState {
    /// The outcome, if it has come.
    fn take(&mut self) -> Option<Outcome> {
        match mem::take(self) {
            Self::Done(outcome) => Some(outcome),
            Self::Pending | Self::Awaited(_) => None,
        }
    }
}

impl PendingChange {
    /// Parks this thread until the result has come, at once: many threads that spin would take the processor from the
    /// writer.
    pub(crate) fn wait(self) -> Outcome {
        let mut state = self.0.lock();
        loop {
            if let Some(outcome) = state.take() {
                return outcome;
            }
            state = self.0.set.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Future for PendingChange {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        let mut state = self.0.lock();
        match state.take() {
            Some(outcome) => Poll::Ready(outcome),
            None => {
                *state = ReplyState::Awaited(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

/// The writer's end of a reply; None once it was sent.
struct ReplySender(Option<Arc<Reply>>);

impl ReplySender {
    fn send(&mut self, outcome: Outcome) {
        let Some(reply) = self.0.take() else { return };
        let before = mem::replace(&mut *reply.lock(), ReplyState::Done(outcome));
        match before {
            ReplyState::Awaited(waker) => waker.wake(),
            ReplyState::Pending | ReplyState::Done(_) => reply.set.notify_one(),
        }
    }
}

/// A change that is dropped without a result: the thread has ended.
impl Drop for ReplySender {
    fn drop(&mut self) {
        self.send(Err(closed()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing(queue: &Queue) -> PendingChange {
        queue.queue(|_| Ok(())).expect("queued")
    }

    #[tokio::test]
    async fn an_awaited_change_ends_with_the_result_that_the_writer_sends() {
        let (queue, mut waiting) = Queue::new();
        let pending = [nothing(&queue), nothing(&queue)];
        let writer = std::thread::spawn(move || {
            for committed in [Ok(()), Err(StoreError::Full)] {
                let mut change = waiting.next(None).expect("a change");
                change.result = Some(Ok(LinkOutcome::Done));
                change.finish(committed);
            }
        });
        let [done, failed] = pending;
        assert_eq!(done.await, Ok(LinkOutcome::Done));
        assert_eq!(failed.await, Err(StoreError::Full));
        writer.join().expect("no panic");
    }

    #[tokio::test]
    async fn an_awaited_change_fails_when_the_writer_ends() {
        let (queue, waiting) = Queue::new();
        let pending = nothing(&queue);
        let ended = std::thread::spawn(move || drop(waiting));
        assert_eq!(pending.await, Err(closed()));
        ended.join().expect("no panic");
        assert_eq!(queue.queue(|_| Ok(())).err(), Some(closed()));
    }

    #[test]
    fn a_change_whose_caller_is_gone_stays_in_the_queue() {
        let (queue, mut waiting) = Queue::new();
        let mut pending = nothing(&queue);
        let context = &mut Context::from_waker(Waker::noop());
        assert!(Pin::new(&mut pending).poll(context).is_pending());
        drop(pending);
        let mut change = waiting.next(None).expect("a change");
        change.result = Some(Ok(LinkOutcome::Done));
        change.finish(Ok(()));
    }
}
