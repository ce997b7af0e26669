//! A small job on a thread of its own: colours of code, a decoded picture.
//!
//! What must hold: drawing never waits for it; a panic in it becomes a sentence; the window wakes once when it ends. One
//! job runs at a time, so that leafing through a list does not start one for every row passed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// How a job ended: its result, or why there is none.
type End<T> = Result<T, String>;

/// The result of a job for the last key asked for.
#[derive(Debug)]
pub struct Background<K, T> {
    running: Option<(K, Receiver<End<T>>)>,
    done: Option<(K, End<T>)>,
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
        self.receive();
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

    fn receive(&mut self) {
        let Some((key, end)) = self.running.take() else { return };
        match end.try_recv() {
            Ok(end) => self.done = Some((key, end)),
            Err(TryRecvError::Empty) => self.running = Some((key, end)),
            Err(TryRecvError::Disconnected) => self.done = Some((key, Err("its thread ended early".to_owned()))),
        }
    }

    fn start(&mut self, ctx: &egui::Context, key: &K, work: impl FnOnce() -> T + Send + 'static) {
        let (sender, receiver) = channel();
        let ctx = ctx.clone();
        let job = move || {
            let end = catch_unwind(AssertUnwindSafe(work)).map_err(|_| "it failed unexpectedly".to_owned());
            // Nobody listens once the panel is gone; the window is told either way.
            sender.send(end).ok();
            ctx.request_repaint();
        };
        match std::thread::Builder::new().name("background".to_owned()).spawn(job) {
            Ok(_) => self.running = Some((key.clone(), receiver)),
            Err(error) => self.done = Some((key.clone(), Err(format!("no thread for it: {error}")))),
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
}
