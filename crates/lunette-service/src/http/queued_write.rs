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
    otherwise: Option<BlockingWork>,
}

impl QueuedWrite {
    /// A write with nothing left to do after it.
    pub(crate) fn new(change: PendingChange) -> Self {
        Self { change: Some(change), otherwise: None }
    }

    /// The same; if the record must be measured before it can be changed, this is done instead.
    pub(crate) fn or_measure(
        change: PendingChange,
        otherwise: impl FnOnce(&Service) -> Result<(), ServiceError> + Send + 'static,
    ) -> Self {
        Self { change: Some(change), otherwise: Some(Box::new(otherwise)) }
    }

    /// Nothing to write, but something to do that may block.
    pub(crate) fn none(work: impl FnOnce(&Service) -> Result<(), ServiceError> + Send + 'static) -> Self {
        Self { change: None, otherwise: Some(Box::new(work)) }
    }

    /// Awaits the writer. Gives what is left to do, on a thread that may block.
    pub(crate) async fn done(self) -> Result<Option<BlockingWork>, ServiceError> {
        match self.change {
            Some(change) => left(change.await, self.otherwise),
            None => Ok(self.otherwise),
        }
    }

    /// Waits for the writer and does what is left, on a thread that may block.
    pub(crate) fn wait(self, service: &Service) -> Result<(), ServiceError> {
        let left = match self.change {
            Some(change) => left(change.wait(), self.otherwise)?,
            None => self.otherwise,
        };
        left.map_or(Ok(()), |work| work(service))
    }
}

fn left(
    outcome: Result<LinkOutcome, StoreError>,
    otherwise: Option<BlockingWork>,
) -> Result<Option<BlockingWork>, ServiceError> {
    Ok(match outcome? {
        LinkOutcome::Done => None,
        LinkOutcome::MeasureFirst => otherwise,
    })
}
