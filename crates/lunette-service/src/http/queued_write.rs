//! Writes that a handler only queues: the request awaits the writer, and no thread waits for the disk meanwhile.
//!
//! What must hold: as with every write, success is reported only once it is durable.

use crate::store::{LinkOutcome, PendingChange, StoreError};
use crate::{Service, ServiceError};

/// Work that may block.
pub(crate) type BlockingWork = Box<dyn FnOnce(&Service) -> Result<(), ServiceError> + Send>;

/// A write on its way, and what is left to do after it.
#[must_use]
pub(crate) struct QueuedWrite {
    change: Option<PendingChange>,
    /// What is done instead, unless the change is made.
    fallback: Option<BlockingWork>,
}

impl QueuedWrite {
    /// A write with nothing left to do after it.
    pub(crate) fn new(change: PendingChange) -> Self {
        Self { change: Some(change), fallback: None }
    }

    /// A write with a fallback, which is done instead if the record must be measured before it can be changed.
    pub(crate) fn with_fallback(
        change: PendingChange,
        fallback: impl FnOnce(&Service) -> Result<(), ServiceError> + Send + 'static,
    ) -> Self {
        Self { change: Some(change), fallback: Some(Box::new(fallback)) }
    }

    /// Nothing to write, but something to do that may block.
    pub(crate) fn none(work: impl FnOnce(&Service) -> Result<(), ServiceError> + Send + 'static) -> Self {
        Self { change: None, fallback: Some(Box::new(work)) }
    }

    /// Awaits the writer. Gives what is left to do, on a thread that may block.
    pub(crate) async fn done(self) -> Result<Option<BlockingWork>, ServiceError> {
        match self.change {
            Some(change) => remaining_work(change.await, self.fallback),
            None => Ok(self.fallback),
        }
    }

    /// Waits for the writer and does what is left, on a thread that may block.
    pub(crate) fn wait(self, service: &Service) -> Result<(), ServiceError> {
        let remaining = match self.change {
            Some(change) => remaining_work(change.wait(), self.fallback)?,
            None => self.fallback,
        };
        remaining.map_or(Ok(()), |work| work(service))
    }
}

/// What is left to do after a change: the fallback if it was not made.
fn remaining_work(
    outcome: Result<LinkOutcome, StoreError>,
    fallback: Option<BlockingWork>,
) -> Result<Option<BlockingWork>, ServiceError> {
    Ok(match outcome? {
        LinkOutcome::Done => None,
        LinkOutcome::MeasureFirst => fallback,
    })
}
