//! A small job on a thread of its own: colours of code, a decoded picture.
//!
//! What must hold: drawing never waits for it; a panic in it becomes a sentence; the window wakes once when it ends. One
//! job runs at a time, so that leafing through a list does not start one for every row passed. A job whose result is no
//! longer needed is told so, and what it made is dropped.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use lunette_syntax::CancelToken;

/// How a job ended: its result, or why there is none.
type End<T> = Result<T, String>;

/// The result of a job for the last key asked for.
#[derive(Debug)]
pub struct Background<K, T> {
    running: Option<Running<K, T>>,
    done: Option<(K, End<T>)>,
}

/// The job that is running.
#[derive(Debug)]
struct Running<K, T> {
    key: K,
    end: Receiver<End<T>>,
    cancel: CancelToken,
}

impl<K, T> Default for Background<K, T> {
    fn default() -> Self {
        Self { running: None, done: None }
    }
}

impl<K: PartialEq + Clone, T: Send + 'static> Background<K, T> {
    /// The result for a key; None while it is on its way. The first call for a key starts the work, once the job
    /// before it has ended; an error says that the work panicked or found no thread.
    pub fn get(
        &mut self,
        ctx: &egui::Context,
        key: &K,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<Result<&T, &str>> {
        self.get_cancellable(ctx, key, |_| work())
    }

    /// As [`Background::get`], for work that ends early once its token says so: when another key is asked for, after
    /// [`Background::cancel`], and when this is dropped.
    pub fn get_cancellable(
        &mut self,
        ctx: &egui::Context,
        key: &K,
        work: impl FnOnce(CancelToken) -> T + Send + 'static,
    ) -> Option<Result<&T, &str>> {
        self.receive();
        if self.running.as_ref().is_some_and(|running| running.key != *key) {
            self.cancel();
        }
        let known = self.done.as_ref().is_some_and(|(done, _)| done == key);
        if !known && self.running.is_none() {
            self.start(ctx, key, work);
        }
        let (done, end) = self.done.as_ref()?;
        (done == key).then(|| end.as_ref().map_err(String::as_str))
    }

    /// The result for a key, where it is there already.
    pub fn known(&self, key: &K) -> Option<&T> {
        let (done, end) = self.done.as_ref()?;
        end.as_ref().ok().filter(|_| done == key)
    }

    /// The last result there is, where its key is like the one wanted: shown until the one wanted is there.
    pub fn last(&self, like: impl FnOnce(&K) -> bool) -> Option<&T> {
        let (done, end) = self.done.as_ref()?;
        end.as_ref().ok().filter(|_| like(done))
    }

    /// Tells the job that is running, if any, that nobody needs its result.
    pub fn cancel(&self) {
        if let Some(running) = &self.running {
            running.cancel.cancel();
        }
    }

    fn receive(&mut self) {
        let Some(running) = self.running.take() else { return };
        let end = match running.end.try_recv() {
            Ok(end) => end,
            Err(TryRecvError::Empty) => {
                self.running = Some(running);
                return;
            }
            Err(TryRecvError::Disconnected) => Err("its thread ended early".to_owned()),
        };
        // What a cancelled job made may be a part of it.
        if !running.cancel.is_cancelled() {
            self.done = Some((running.key, end));
        }
    }

    fn start(&mut self, ctx: &egui::Context, key: &K, work: impl FnOnce(CancelToken) -> T + Send + 'static) {
        let (sender, receiver) = channel();
        let ctx = ctx.clone();
        let cancel = CancelToken::default();
        let token = cancel.clone();
        let job = move || {
            let end = catch_unwind(AssertUnwindSafe(|| work(token))).map_err(|_| "it failed unexpectedly".to_owned());
            // Nobody listens once the panel is gone; the window is told either way.
            sender.send(end).ok();
            ctx.request_repaint();
        };
        match std::thread::Builder::new().name("background".to_owned()).spawn(job) {
            Ok(_) => self.running = Some(Running { key: key.clone(), end: receiver, cancel }),
            Err(error) => self.done = Some((key.clone(), Err(format!("no thread for it: {error}")))),
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
    ) -> End<T> {
        let ctx = egui::Context::default();
        loop {
            if let Some(end) = background.get(&ctx, &key, work.clone()) {
                return end.cloned().map_err(str::to_owned);
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_result_is_kept_for_its_key_and_made_anew_for_another() {
        let mut background = Background::default();
        assert_eq!(end_of(&mut background, 1, || "one"), Ok("one"));
        assert_eq!(end_of(&mut background, 1, || "not run"), Ok("one"));
        assert_eq!(end_of(&mut background, 2, || "two"), Ok("two"));
    }

    #[test]
    fn a_panic_becomes_a_sentence() {
        let mut background = Background::<u8, ()>::default();
        assert_eq!(end_of(&mut background, 1, || panic!("no")), Err("it failed unexpectedly".to_owned()));
    }

    /// A job that ends only when it is cancelled, and says so.
    fn endless(told: std::sync::mpsc::Sender<()>) -> impl FnOnce(CancelToken) -> &'static str + Send + 'static {
        move |cancel| {
            while !cancel.is_cancelled() {
                std::thread::yield_now();
            }
            told.send(()).ok();
            "half"
        }
    }

    #[test]
    fn a_job_is_cancelled_when_another_key_is_asked_for_and_its_result_is_dropped() {
        let (told, heard) = channel();
        let mut background = Background::default();
        let ctx = egui::Context::default();
        assert!(background.get_cancellable(&ctx, &1, endless(told)).is_none());
        assert_eq!(end_of(&mut background, 2, || "two"), Ok("two"));
        heard.recv().expect("the first job ended");
        assert_eq!(background.known(&1), None, "a half result is not kept");
        assert_eq!(end_of(&mut background, 1, || "whole"), Ok("whole"));
    }

    #[test]
    fn a_job_is_cancelled_with_what_waits_for_it() {
        let (told, heard) = channel();
        let mut background = Background::default();
        let ctx = egui::Context::default();
        assert!(background.get_cancellable(&ctx, &1, endless(told)).is_none());
        drop(background);
        heard.recv().expect("the job ended");
    }
}
