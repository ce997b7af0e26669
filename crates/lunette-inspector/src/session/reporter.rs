//! Reports the progress of background work to the window.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use crate::ProgressEvent;
use crate::journal::Entry;
use crate::output::Report;
use crate::tasks::RepaintSignal;

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

    fn entry_event(&self, entry: Entry, problem: Option<String>) -> ProgressEvent {
        let title = &entry.title;
        let problem = problem.map(|why| format!("“{title}” has ended, but its result could not be recorded: {why}"));
        ProgressEvent::Step { entry: Arc::new(entry), problem }
    }
}
