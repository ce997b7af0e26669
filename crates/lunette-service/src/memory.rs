//! How much memory all requests and answers together may take.
//!
//! What must hold: whatever clients send and ask for, what is in use stays below 300 MB; the allocator gives back what
//! was freed some time later. So whoever holds a body, a tree, a content or an answer takes its size out of a pool
//! first; where a pool is empty, he waits a little and is refused. Small requests have a pool of their own, so that one
//! large upload holds none of them up.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{HttpLimits, RequestContext, Service, ServiceError};

/// What takes more than this is taken from the pool of large ones.
const SMALL: usize = 1 << 20;
/// All small bodies and their trees together.
const SMALL_POOL: usize = 16 << 20;
/// All answers that wait to be sent.
const ANSWER_POOL: usize = 16 << 20;
/// A content up to this size is read without taking memory: few read at a time.
const UNCOUNTED_BYTES: usize = 256 << 10;
/// The unit in which memory is counted: a semaphore has no more than a few billion places.
const UNIT: usize = 1 << 10;

/// The pools.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    small: Pool,
    large: Pool,
    answers: Pool,
    wait: Duration,
}

/// Memory that is taken for as long as this lives.
#[derive(Debug, Default)]
pub(crate) struct MemoryPermit(Vec<OwnedSemaphorePermit>);

impl MemoryPermit {
    /// Takes what another one holds.
    pub(crate) fn add(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

#[derive(Clone, Debug)]
struct Pool {
    permits: Arc<Semaphore>,
    units: u32,
}

impl Pool {
    fn new(bytes: usize) -> Self {
        let units = units(bytes);
        Self { permits: Arc::new(Semaphore::new(units as usize)), units }
    }

    /// What is larger than the pool takes all of it.
    fn permits_for(&self, bytes: usize) -> u32 {
        units(bytes).min(self.units)
    }
}

fn units(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

impl Service {
    /// Takes the memory that a content of this size needs while it is read.
    pub(super) fn reserve_memory(&self, content: u64) -> Result<MemoryPermit, ServiceError> {
        match usize::try_from(content).unwrap_or(usize::MAX) {
            0..=UNCOUNTED_BYTES => Ok(MemoryPermit::default()),
            large => self.memory.acquire_blocking(large.saturating_mul(2).max(SMALL + 1)),
        }
    }
}

impl RequestContext {
    /// Gives back the memory of the request's body, which is used up.
    pub(super) fn release_body(&self) {
        self.body.lock().unwrap_or_else(PoisonError::into_inner).0.clear();
    }
}

impl Memory {
    /// Pools for a service with these limits.
    pub(crate) fn new(limits: &HttpLimits) -> Self {
        Self {
            small: Pool::new(SMALL_POOL),
            large: Pool::new(limits.memory_bytes),
            answers: Pool::new(ANSWER_POOL),
            wait: limits.wait,
        }
    }

    /// Takes this many bytes. Fails with 503 when they are not free within the time that one waits.
    pub(crate) async fn acquire(&self, bytes: usize) -> Result<MemoryPermit, ServiceError> {
        if bytes == 0 {
            return Ok(MemoryPermit::default());
        }
        let pool = if bytes <= SMALL { &self.small } else { &self.large };
        let permit = Arc::clone(&pool.permits).acquire_many_owned(pool.permits_for(bytes));
        match tokio::time::timeout(self.wait, permit).await {
            Ok(Ok(permit)) => Ok(MemoryPermit(vec![permit])),
            // A pool is never closed.
            Ok(Err(_)) | Err(_) => Err(ServiceError::busy()),
        }
    }

    /// The same on a thread that may block. Without a runtime there is nobody to share with.
    pub(crate) fn acquire_blocking(&self, bytes: usize) -> Result<MemoryPermit, ServiceError> {
        match Handle::try_current() {
            Ok(runtime) => runtime.block_on(self.acquire(bytes)),
            Err(_) => Ok(MemoryPermit::default()),
        }
    }

    /// Takes this many bytes for an answer, if they are free.
    pub(crate) fn try_acquire_for_response(&self, bytes: usize) -> Option<MemoryPermit> {
        let permits = Arc::clone(&self.answers.permits);
        permits.try_acquire_many_owned(units(bytes)).ok().map(|permit| MemoryPermit(vec![permit]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(bytes: usize) -> Memory {
        Memory::new(&HttpLimits { memory_bytes: bytes, wait: Duration::from_millis(20), ..HttpLimits::default() })
    }

    #[tokio::test]
    async fn who_finds_no_memory_waits_a_little_and_is_told_to_come_back() {
        let memory = memory(10 << 20);
        let first = memory.acquire(8 << 20).await.expect("there is room");
        let refused = memory.acquire(4 << 20).await.expect_err("there is not");
        assert_eq!((refused.status(), refused.retry_after()), (503, Some(1)));
        // Small ones are not held up by that.
        assert!(memory.acquire(1000).await.is_ok());
        drop(first);
        assert!(memory.acquire(4 << 20).await.is_ok());
    }

    #[tokio::test]
    async fn what_is_larger_than_all_there_is_has_all_of_it_to_itself() {
        let memory = memory(10 << 20);
        let all = memory.acquire(usize::MAX).await.expect("there is room");
        assert!(memory.acquire(2 << 20).await.is_err());
        drop(all);
        assert!(memory.acquire(10 << 20).await.is_ok());
    }

    #[test]
    fn answers_take_what_is_free_and_never_wait() {
        let memory = memory(1 << 20);
        let half = memory.try_acquire_for_response(ANSWER_POOL / 2).expect("there is room");
        assert!(memory.try_acquire_for_response(ANSWER_POOL).is_none());
        drop(half);
        assert!(memory.try_acquire_for_response(ANSWER_POOL).is_some());
    }
}
