//! The health of the store, by its last commits, for the window and health checks.
//!
//! What must hold: only the writer reports recovery, after a commit that reached the disk; any thread reports a failure
//! at once.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use super::StoreError;

/// The health of the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Health {
    /// The last commit is on disk.
    #[default]
    Healthy,
    /// The disk is full: data can be read and deleted, not added.
    Full,
    /// The folder or the file is not writable: data can be read.
    ReadOnly,
    /// The disk failed, or the file is damaged: reads may work, every write is rejected until the file is intact.
    Failed,
}

/// How many damaged records are remembered.
const DAMAGED_KEPT: usize = 1_000;

/// The health shared by the writer and the readers.
#[derive(Debug, Default)]
pub(super) struct HealthStatus {
    health: AtomicU8,
    /// A reader failed: the writer must check the file before it continues.
    suspect: AtomicBool,
    /// How many times the writer has assessed the store, for tests that wait for it.
    checks: Mutex<u64>,
    checked: Condvar,
    /// Messages of damaged records, each once.
    damaged: Mutex<BTreeSet<String>>,
    /// Why the last daily backup failed.
    last_daily_failure: Mutex<Option<String>>,
}

impl HealthStatus {
    pub(super) fn health(&self) -> Health {
        match self.health.load(Ordering::Relaxed) {
            0 => Health::Healthy,
            1 => Health::Full,
            2 => Health::ReadOnly,
            _ => Health::Failed,
        }
    }

    pub(super) fn set(&self, health: Health) {
        let before = self.health.swap(health as u8, Ordering::Relaxed);
        match health {
            _ if before == health as u8 => {}
            Health::Healthy => tracing::warn!("the store accepts changes again"),
            Health::Full => tracing::warn!("the disk is full; the store accepts no changes until there is space"),
            Health::ReadOnly => tracing::warn!("cannot write to the data folder; the store is read-only"),
            Health::Failed => tracing::error!("the disk failed or the database is damaged; the store rejects changes"),
        }
    }

    /// Records that the writer has assessed the store or used idle time.
    pub(super) fn record_check(&self) {
        *self.checks.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.checked.notify_all();
    }

    /// Waits until the condition holds, checking after each turn of the writer. Returns false after a minute. The
    /// condition may read the store, also one in memory, whose connection the writer has during its turn.
    #[cfg(test)]
    pub(super) fn wait_until(&self, mut holds: impl FnMut() -> bool) -> bool {
        let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
        loop {
            let seen = *self.checks.lock().expect("turns");
            if holds() {
                return true;
            }
            let left = end.saturating_duration_since(std::time::Instant::now());
            let checks = self.checks.lock().expect("turns");
            let (_turns, waited) =
                self.checked.wait_timeout_while(checks, left, |checks| *checks == seen).expect("turns");
            if waited.timed_out() {
                return false;
            }
        }
    }

    /// Records the error of a reader.
    pub(super) fn record_failure(&self, error: &StoreError) {
        if error.is_of_the_disk() {
            self.suspect.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a reader failed since the last call.
    pub(super) fn take_suspicion(&self) -> bool {
        self.suspect.swap(false, Ordering::Relaxed)
    }
}

impl HealthStatus {
    /// Whether the writer must check the file; stays set until taken.
    pub(super) fn is_suspect(&self) -> bool {
        self.suspect.load(Ordering::Relaxed)
    }

    /// Records damaged records; logs each once.
    pub(super) fn record_damaged(&self, found: Vec<StoreError>) {
        if found.is_empty() {
            return;
        }
        let mut known = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        for record in found {
            let sentence = record.to_string();
            if known.len() < DAMAGED_KEPT && !known.contains(&sentence) {
                tracing::error!("{sentence}");
                known.insert(sentence);
            }
        }
    }

    /// How many records are known to be damaged.
    pub(super) fn damaged_records(&self) -> usize {
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Records the result of the daily backup.
    pub(super) fn record_daily(&self, failure: Option<String>) {
        *self.last_daily_failure.lock().unwrap_or_else(PoisonError::into_inner) = failure;
    }

    /// Why the last daily backup failed, if it did.
    pub(super) fn daily_failure(&self) -> Option<String> {
        self.last_daily_failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_health_that_was_set_is_reported() {
        let status = HealthStatus::default();
        for health in [Health::Healthy, Health::Full, Health::ReadOnly, Health::Failed] {
            status.set(health);
            assert_eq!(status.health(), health);
        }
    }

    #[test]
    fn only_disk_failures_trigger_a_check_and_only_once() {
        let status = HealthStatus::default();
        status.record_failure(&StoreError::invalid("no"));
        assert!(!status.take_suspicion());
        status.record_failure(&StoreError::Disk("disk I/O error".to_owned()));
        assert!(status.take_suspicion());
        assert!(!status.take_suspicion());
    }
}
