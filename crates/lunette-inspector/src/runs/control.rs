//! Controls a run while it is active: the number of rows in flight, pause, cancel. Clones control the same run.

use tokio::sync::watch;

/// Whether new rows are begun. Rows in flight are always completed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopMode {
    /// New rows are begun.
    #[default]
    No,
    /// No rows are begun until the run is resumed.
    Pause,
    /// No more rows are begun.
    Cancel,
}

/// The user's settings of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub in_flight: usize,
    pub halt: StopMode,
}

/// Controls a run.
#[derive(Clone, Debug)]
pub struct Control(watch::Sender<Wanted>);

impl Control {
    /// For a run with this many rows in flight, 1 to 8.
    pub fn new(in_flight: usize) -> Self {
        Self(watch::Sender::new(Wanted { in_flight: in_flight.clamp(1, 8), halt: StopMode::No }))
    }

    /// Sets the number of rows in flight, 1 to 8. Rows that exceed it are completed.
    pub fn in_flight(&self, count: usize) {
        self.0.send_modify(|wanted| wanted.in_flight = count.clamp(1, 8));
    }

    /// Begins no more rows.
    pub fn halt(&self, halt: StopMode) {
        self.0.send_modify(|wanted| wanted.halt = halt);
    }

    /// Whether new rows are begun.
    pub fn halted(&self) -> StopMode {
        self.0.borrow().halt
    }

    /// Receives the current settings and their changes.
    pub(crate) fn listen(&self) -> watch::Receiver<Wanted> {
        self.0.subscribe()
    }
}
