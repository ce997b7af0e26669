//! Memory limits of all requests and responses together.
//!
//! What must hold: whatever clients send and request, memory in use stays below 300 MB (freed memory goes back to
//! the system soon after). So a body, a tree, a content or a response reserves its size from a pool first; if the pool
//! is empty, the request waits a little and then fails. Small requests have their own pool, so that a large upload does
//! not block them; and bodies that are still arriving have another, so that one that never ends does not.

use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use lunette_storage::freed_memory;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{HttpLimits, RequestContext, Service, ServiceError};

/// Larger requests use the pool for large ones.
const SMALL: usize = 1 << 20;
/// Pool for small bodies that are complete, and for trees.
const SMALL_POOL: usize = 12 << 20;
/// Pool for bodies that are still arriving, and are not large.
const ARRIVING_POOL: usize = 12 << 20;
/// Pool for responses that wait to be sent.
const ANSWER_POOL: usize = 16 << 20;
/// A content up to this size is read without a reservation: few requests read at a time.
const UNCOUNTED_BYTES: usize = 256 << 10;
/// The unit of reservations: a semaphore has a limited number of permits.
const UNIT: usize = 1 << 10;

/// The pools.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    small: Pool,
    arriving: Pool,
    large: Pool,
    answers: Pool,
    wait: Duration,
}

/// A memory reservation, released on drop.
#[derive(Debug, Default)]
pub(crate) struct MemoryPermit {
    permits: Vec<OwnedSemaphorePermit>,
    /// Whether some of it is from the pool for large requests.
    large: bool,
}

impl MemoryPermit {
    /// Merges another reservation into this one.
    pub(crate) fn add(&mut self, mut other: Self) {
        self.permits.append(&mut other.permits);
        self.large |= mem::take(&mut other.large);
    }

    fn release(&mut self) {
        self.permits.clear();
        if mem::take(&mut self.large) {
            freed_memory::schedule_trim();
        }
    }
}

impl Drop for MemoryPermit {
    fn drop(&mut self) {
        self.release();
    }
}

#[derive(Clone, Debug)]
struct Pool {
    permits: Arc<Semaphore>,
    units: u32,
    /// How many requests wait for it.
    waiting: Arc<AtomicUsize>,
}

impl Pool {
    fn new(bytes: usize) -> Self {
        let units = units(bytes);
        Self { permits: Arc::new(Semaphore::new(units as usize)), units, waiting: Arc::default() }
    }

    /// Takes this many bytes, or fails with 503 after `wait`.
    async fn acquire(&self, bytes: usize, wait: Duration) -> Result<OwnedSemaphorePermit, ServiceError> {
        let count = self.permits_for(bytes);
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_many_owned(count) {
            return Ok(permit);
        }
        let _waits = Waiting::new(&self.waiting);
        match tokio::time::timeout(wait, Arc::clone(&self.permits).acquire_many_owned(count)).await {
            Ok(Ok(permit)) => Ok(permit),
            // A pool is never closed.
            Ok(Err(_)) | Err(_) => Err(ServiceError::busy()),
        }
    }

    /// A request larger than the pool takes all of it.
    fn permits_for(&self, bytes: usize) -> u32 {
        units(bytes).min(self.units)
    }
}

/// Counts a request while it waits.
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn units(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

impl Service {
    /// Reserves the memory to read a content of this size.
    pub(crate) fn reserve_memory(&self, content: u64) -> Result<MemoryPermit, ServiceError> {
        match usize::try_from(content).unwrap_or(usize::MAX) {
            0..=UNCOUNTED_BYTES => Ok(MemoryPermit::default()),
            large => self.memory.acquire_blocking(large.saturating_mul(2).max(SMALL + 1)),
        }
    }
}

impl RequestContext {
    /// Releases the memory of the request's body, which has been consumed.
    pub(crate) fn release_body(&self) {
        self.body.lock().unwrap_or_else(PoisonError::into_inner).release();
    }
}

impl Memory {
    /// Pools for a service with these limits.
    pub(crate) fn new(limits: &HttpLimits) -> Self {
        Self {
            small: Pool::new(SMALL_POOL),
            arriving: Pool::new(ARRIVING_POOL),
            large: Pool::new(limits.memory_bytes),
            answers: Pool::new(ANSWER_POOL),
            wait: limits.wait,
        }
    }

    /// Reserves this many bytes. Fails with 503 if they do not become free within the wait time.
    pub(crate) async fn acquire(&self, bytes: usize) -> Result<MemoryPermit, ServiceError> {
        if bytes == 0 {
            return Ok(MemoryPermit::default());
        }
        let large = bytes > SMALL;
        let pool = if large { &self.large } else { &self.small };
        Ok(MemoryPermit { permits: vec![pool.acquire(bytes, self.wait).await?], large })
    }

    /// Reserves this many bytes for a body that has not arrived whole, from what small requests leave. Fails with 503 if
    /// they do not become free within the wait time.
    pub(crate) async fn acquire_arriving(&self, bytes: usize) -> Result<MemoryPermit, ServiceError> {
        let large = bytes > SMALL;
        let pool = if large { &self.large } else { &self.arriving };
        Ok(MemoryPermit { permits: vec![pool.acquire(bytes, self.wait).await?], large })
    }

    /// Whether others wait for memory such as a body holds that is arriving.
    pub(crate) fn is_wanted(&self, held: &MemoryPermit) -> bool {
        let pool = if held.large { &self.large } else { &self.arriving };
        !held.permits.is_empty() && pool.waiting.load(Ordering::Relaxed) > 0
    }

    /// Waits for memory on a blocking thread. Without a runtime nothing is shared, and no reservation is needed.
    pub(crate) fn acquire_blocking(&self, bytes: usize) -> Result<MemoryPermit, ServiceError> {
        match Handle::try_current() {
            Ok(runtime) => runtime.block_on(self.acquire(bytes)),
            Err(_) => Ok(MemoryPermit::default()),
        }
    }

    /// Reserves this many bytes for a response, if they are free now.
    pub(crate) fn try_acquire_for_response(&self, bytes: usize) -> Option<MemoryPermit> {
        let permits = Arc::clone(&self.answers.permits);
        let permit = permits.try_acquire_many_owned(units(bytes)).ok()?;
        Some(MemoryPermit { permits: vec![permit], large: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(bytes: usize) -> Memory {
        Memory::new(&HttpLimits { memory_bytes: bytes, wait: Duration::from_millis(20), ..HttpLimits::default() })
    }

    #[tokio::test]
    async fn a_request_without_memory_waits_a_little_and_must_retry() {
        let memory = memory(10 << 20);
        let first = memory.acquire(8 << 20).await.expect("there is room");
        let refused = memory.acquire(4 << 20).await.expect_err("there is not");
        assert_eq!((refused.status(), refused.retry_after()), (503, Some(1)));
        // Small ones are not blocked by that.
        assert!(memory.acquire(1000).await.is_ok());
        drop(first);
        assert!(memory.acquire(4 << 20).await.is_ok());
    }

    #[tokio::test]
    async fn a_request_larger_than_the_pool_takes_all_of_it() {
        let memory = memory(10 << 20);
        let all = memory.acquire(usize::MAX).await.expect("there is room");
        assert!(memory.acquire(2 << 20).await.is_err());
        drop(all);
        assert!(memory.acquire(10 << 20).await.is_ok());
    }

    #[test]
    fn responses_take_free_memory_and_never_wait() {
        let memory = memory(1 << 20);
        let half = memory.try_acquire_for_response(ANSWER_POOL / 2).expect("there is room");
        assert!(memory.try_acquire_for_response(ANSWER_POOL).is_none());
        drop(half);
        assert!(memory.try_acquire_for_response(ANSWER_POOL).is_some());
    }
}
