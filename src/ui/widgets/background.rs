//! A small job on another thread, such as highlighting code or decoding a picture.
//!
//! What must hold: drawing never waits for it; a panic in it becomes an error; the window is repainted once when it
//! ends. One job runs at a time, so that moving through a list does not start a job for every row. A job whose result
//! is no longer needed is cancelled, and its result is dropped.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use lunette_syntax::CancelToken;

/// Lists up to this long are prepared at once: that takes less than a frame, and shows no gap.
pub const PREPARED_AT_ONCE: usize = 2_000;

/// Shared data as a key: compared by identity rather than by content. As long as a key is kept, so is its data, whose
/// address therefore stands for nothing else.
#[derive(Debug)]
pub struct Identity<T: ?Sized>(pub Arc<T>);

impl<T: ?Sized> Clone for Identity<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> PartialEq for Identity<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The result of a job, or why there is none.
type Outcome<T> = Result<T, JobError>;

/// Why a job has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    /// It panicked.
    #[error("it failed unexpectedly")]
    Panicked,
    /// Its thread ended without a result.
    #[error("its thread ended early")]
    Ended,
    /// The system has no thread for it, and why.
    #[error("no thread for it: {0}")]
    NoThread(String),
}

/// The result of a job for the last requested key.
#[derive(Debug)]
pub struct Background<K, T> {
    running: Option<Running<K, T>>,
    done: Option<(K, Outcome<T>)>,
}

/// The running job.
#[derive(Debug)]
struct Running<K, T> {
    key: K,
    outcome: Receiver<Outcome<T>>,
    cancel: CancelToken,
}

impl<K, T> Default for Background<K, T> {
    fn default() -> Self {
        Self { running: None, done: None }
    }
}

impl<K: PartialEq + Clone, T: Send + 'static> Background<K, T> {
    /// Returns the result for a key; `None` while it is being computed. The first call for a key starts the job once
    /// the previous one has ended; an error says that it panicked or that no thread was available.
    pub fn get(
        &mut self,
        ctx: &egui::Context,
        key: &K,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<Result<&T, &JobError>> {
        self.get_cancellable(ctx, key, |_| work())
    }

    /// Like [`Background::get`], for a job that ends early when its token is cancelled: when another key is requested,
    /// by [`Background::cancel`], and when this is dropped.
    pub fn get_cancellable(
        &mut self,
        ctx: &egui::Context,
        key: &K,
        work: impl FnOnce(CancelToken) -> T + Send + 'static,
    ) -> Option<Result<&T, &JobError>> {
        self.receive();
        if self.running.as_ref().is_some_and(|running| running.key != *key) {
            self.cancel();
        }
        let known = self.done.as_ref().is_some_and(|(done, _)| done == key);
        if !known && self.running.is_none() {
            self.start(ctx, key, work);
        }
        let (done, outcome) = self.done.as_ref()?;
        (done == key).then_some(outcome.as_ref())
    }

    /// Like [`Background::get`], but computes the result of `count` items here and now if they are as few as
    /// [`PREPARED_AT_ONCE`].
    pub fn get_prepared(
        &mut self,
        ctx: &egui::Context,
        key: &K,
        count: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<Result<&T, &JobError>> {
        if count > PREPARED_AT_ONCE {
            return self.get(ctx, key, work);
        }
        if self.done.as_ref().is_none_or(|(done, _)| done != key) {
            self.cancel();
            self.done = Some((key.clone(), Ok(work())));
        }
        let (_, outcome) = self.done.as_ref()?;
        Some(outcome.as_ref())
    }

    /// Returns the result for a key if it is available.
    pub fn known(&self, key: &K) -> Option<&T> {
        let (done, outcome) = self.done.as_ref()?;
        outcome.as_ref().ok().filter(|_| done == key)
    }

    /// Returns the last result if its key is like the requested one, for showing it until the new one is available.
    pub fn last(&self, like: impl FnOnce(&K) -> bool) -> Option<&T> {
        let (done, outcome) = self.done.as_ref()?;
        outcome.as_ref().ok().filter(|_| like(done))
    }

    /// Returns whether the job for a key is running, so that what it needs is not copied for it again.
    pub fn is_running(&mut self, key: &K) -> bool {
        self.receive();
        self.running.as_ref().is_some_and(|running| running.key == *key)
    }

    /// Cancels the running job, if any.
    pub fn cancel(&self) {
        if let Some(running) = &self.running {
            running.cancel.cancel();
        }
    }

    fn receive(&mut self) {
        let Some(running) = self.running.take() else { return };
        let outcome = match running.outcome.try_recv() {
            Ok(outcome) => outcome,
            Err(TryRecvError::Empty) => {
                self.running = Some(running);
                return;
            }
            Err(TryRecvError::Disconnected) => Err(JobError::Ended),
        };
        // The result of a cancelled job may be incomplete.
        if !running.cancel.is_cancelled() {
            self.done = Some((running.key, outcome));
        }
    }

    fn start(&mut self, ctx: &egui::Context, key: &K, work: impl FnOnce(CancelToken) -> T + Send + 'static) {
        let (sender, receiver) = channel();
        let ctx = ctx.clone();
        let cancel = CancelToken::default();
        let token = cancel.clone();
        let job = move || {
            let outcome = catch_unwind(AssertUnwindSafe(|| work(token))).map_err(|_| JobError::Panicked);
            // The receiver is gone once the panel is; the window is repainted either way.
            sender.send(outcome).ok();
            ctx.request_repaint();
        };
        match std::thread::Builder::new().name("background".to_owned()).spawn(job) {
            Ok(_) => self.running = Some(Running { key: key.clone(), outcome: receiver, cancel }),
            Err(error) => self.done = Some((key.clone(), Err(JobError::NoThread(error.to_string())))),
        }
    }
}

impl<K, T> Drop for Background<K, T> {
    fn drop(&mut self) {
        if let Some(running) = &self.running {
            running.cancel.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end_of<T: Clone + Send + 'static>(
        background: &mut Background<u8, T>,
        key: u8,
        work: impl Fn() -> T + Clone + Send + 'static,
    ) -> Outcome<T> {
        let ctx = egui::Context::default();
        loop {
            if let Some(outcome) = background.get(&ctx, &key, work.clone()) {
                return outcome.cloned().map_err(Clone::clone);
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_result_is_cached_for_its_key_and_recomputed_for_another() {
        let mut background = Background::default();
        assert_eq!(end_of(&mut background, 1, || "one"), Ok("one"));
        assert_eq!(end_of(&mut background, 1, || "not run"), Ok("one"));
        assert_eq!(end_of(&mut background, 2, || "two"), Ok("two"));
    }

    #[test]
    fn a_panic_becomes_an_error() {
        let mut background = Background::<u8, ()>::default();
        assert_eq!(end_of(&mut background, 1, || panic!("no")), Err(JobError::Panicked));
    }

    #[test]
    fn few_items_are_prepared_at_once_and_many_in_the_background() {
        let (ctx, mut background) = (egui::Context::default(), Background::default());
        let thread = || std::thread::current().id();
        let here = thread();
        let prepared = background.get_prepared(&ctx, &1, PREPARED_AT_ONCE, thread).and_then(Result::ok).copied();
        assert_eq!(prepared, Some(here));
        assert!(background.get_prepared(&ctx, &2, PREPARED_AT_ONCE + 1, thread).is_none());
        assert_ne!(end_of(&mut background, 2, thread), Ok(here));
    }

    /// A job that ends only when it is cancelled, and reports it.
    fn endless(notify: std::sync::mpsc::Sender<()>) -> impl FnOnce(CancelToken) -> &'static str + Send + 'static {
        move |cancel| {
            while !cancel.is_cancelled() {
                std::thread::yield_now();
            }
            notify.send(()).ok();
            "half"
        }
    }

    #[test]
    fn a_job_is_cancelled_when_another_key_is_asked_for_and_its_result_is_dropped() {
        let (notify, heard) = channel();
        let mut background = Background::default();
        let ctx = egui::Context::default();
        assert!(background.get_cancellable(&ctx, &1, endless(notify)).is_none());
        assert_eq!(end_of(&mut background, 2, || "two"), Ok("two"));
        heard.recv().expect("the first job ended");
        assert_eq!(background.known(&1), None, "a half result is not kept");
        assert_eq!(end_of(&mut background, 1, || "whole"), Ok("whole"));
    }

    #[test]
    fn a_job_is_cancelled_together_with_its_waiters() {
        let (notify, heard) = channel();
        let mut background = Background::default();
        let ctx = egui::Context::default();
        assert!(background.get_cancellable(&ctx, &1, endless(notify)).is_none());
        drop(background);
        heard.recv().expect("the job ended");
    }
}
