//! Reports the progress of background work to the window.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::ProgressEvent;
use crate::journal::Entry;
use crate::output::Report;
use crate::tasks::RepaintSignal;

/// The minimum time between two reports of a [`ThrottledReporter`].
const REPORT_INTERVAL: Duration = Duration::from_millis(50);

/// Reports progress to the window, from any thread.
#[derive(Clone)]
pub(crate) struct Reporter {
    events: Sender<Report>,
    repaint: RepaintSignal,
    /// The number of the connection; what is reported of older ones is not shown.
    pub generation: u64,
}

impl Reporter {
    /// Creates the reporter of a connection.
    pub fn new(events: Sender<Report>, repaint: RepaintSignal, generation: u64) -> Self {
        Self { events, repaint, generation }
    }

    /// Creates a reporter without a window: its events are dropped.
    pub fn unheard() -> Self {
        Self::new(channel().0, Arc::new(|| {}), 0)
    }

    /// Reports an event, and wakes the window.
    pub fn report(&self, event: ProgressEvent) {
        self.report_quietly(event);
        (self.repaint)();
    }

    /// Reports an event without waking the window.
    pub fn report_quietly(&self, event: ProgressEvent) {
        // Without a receiver the window is closed, and the event is dropped.
        self.events.send(Report { generation: self.generation, event }).ok();
    }

    /// Returns a function that reports the progress of shown work: done and total.
    pub fn progress(self, work: u64) -> impl Fn(usize, usize) + Send + 'static {
        move |done, all| self.report(ProgressEvent::Progress { work, done, all })
    }

    /// Reports that an entry of the journal began or ended; `problem` says why its end could not be recorded.
    pub fn report_entry(&self, entry: Entry, problem: Option<String>) {
        self.report(self.entry_event(entry, problem));
    }

    /// Reports that an entry of the journal ended, without waking the window.
    pub fn report_entry_quietly(&self, entry: Entry) {
        self.report_quietly(self.entry_event(entry, None));
    }

    /// Returns a reporter that leaves out what follows too soon.
    pub fn throttled(self) -> ThrottledReporter {
        ThrottledReporter { reporter: self, last: Mutex::default() }
    }

    fn entry_event(&self, entry: Entry, problem: Option<String>) -> ProgressEvent {
        let title = &entry.title;
        let problem = problem.map(|why| format!("“{title}” has ended, but its result could not be recorded: {why}"));
        ProgressEvent::Step { entry: Arc::new(entry), problem }
    }
}

/// Reports the progress of work that would otherwise wake the window after each of many short steps.
pub(crate) struct ThrottledReporter {
    reporter: Reporter,
    last: Mutex<Option<Instant>>,
}

impl ThrottledReporter {
    /// Reports an event, unless the last one was reported a moment ago.
    pub fn report(&self, event: ProgressEvent) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= REPORT_INTERVAL) {
            *last = Some(Instant::now());
            self.reporter.report(event);
        }
    }

    /// Reports an event that must not be left out.
    pub fn report_always(&self, event: ProgressEvent) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.reporter.report(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_throttled_reporter_leaves_out_what_follows_too_soon_but_nothing_that_must_be_reported() {
        let (events, reports) = channel();
        let reporter = Reporter::new(events, Arc::new(|| {}), 0).throttled();
        let progress = |done| ProgressEvent::Progress { work: 1, done, all: 1_000 };
        (0..100).for_each(|done| reporter.report(progress(done)));
        reporter.report_always(progress(1_000));
        let done: Vec<usize> = reports
            .try_iter()
            .map(|report| match report.event {
                ProgressEvent::Progress { done, .. } => done,
                _ => 0,
            })
            .collect();
        assert_eq!((done.first(), done.last()), (Some(&0), Some(&1_000)));
        assert!(done.len() < 50, "{done:?}");
    }
}
