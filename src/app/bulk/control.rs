//! How a run is steered while it goes on: how many in flight, halted, ended. Copies steer the same run.

use tokio::sync::watch;

/// Whether new rows are begun. Rows that were begun end in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopMode {
    /// They are.
    #[default]
    No,
    /// Not until it is resumed.
    Pause,
    /// Never again.
    Cancel,
}

/// What the user wants of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) struct Wanted {
    pub in_flight: usize,
    pub halt: StopMode,
}

/// Steers a run.
#[derive(Clone, Debug)]
pub struct Control(watch::Sender<Wanted>);

impl Control {
    /// For a run with so many in flight, 1 to 8.
    pub fn new(in_flight: usize) -> Self {
        Self(watch::Sender::new(Wanted { in_flight: in_flight.clamp(1, 8), halt: StopMode::No }))
    }

    /// Changes how many are in flight, 1 to 8. Of those that are too many each ends what it began.
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

    /// How the run is steered now, and a wake when that changes.
    pub(in crate::app) fn listen(&self) -> watch::Receiver<Wanted> {
        self.0.subscribe()
    }
}
