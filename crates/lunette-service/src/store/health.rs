//! How the store stands, as its last commits went: what a window or a health check tells.
//!
//! What must hold: the writer alone says that all is well, at a commit that reached the disk; whoever meets a failure
//! says so at once.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use super::StoreError;

/// How the store stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Health {
    /// What was written last is on the disk.
    #[default]
    Healthy,
    /// The disk is full: what is there can be read and deleted, nothing is added.
    Full,
    /// The folder or the file may not be written: what is there can be read.
    ReadOnly,
    /// The disk failed, or the file is damaged: what can be read is read, every write is refused until it is sound.
    Failed,
}

/// So many damaged records are remembered.
const DAMAGED_KEPT: usize = 1_000;

/// What the writer and the readers know of the store's health, for all who ask.
#[derive(Debug, Default)]
pub(super) struct HealthStatus {
    health: AtomicU8,
    /// A reader met a failure: the writer is to look at the file before it goes on.
    suspect: AtomicBool,
    /// How many times the writer has judged the store or used an idle moment, for who waits for what comes of it.
    checks: Mutex<u64>,
    checked: Condvar,
    /// The damaged records that were met, in words, each once.
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

    /// Says that the writer has judged the store, or has used an idle moment.
    pub(super) fn record_check(&self) {
        *self.checks.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.checked.notify_all();
    }

    /// Waits until this holds, and looks after each turn of the writer. False where it does not within a minute.
    #[cfg(test)]
    pub(super) fn wait_until(&self, mut holds: impl FnMut() -> bool) -> bool {
        let checks = self.checks.lock().expect("turns");
        let longest = std::time::Duration::from_secs(60);
        let (_turns, waited) = self.checked.wait_timeout_while(checks, longest, |_| !holds()).expect("turns");
        !waited.timed_out()
    }

    /// Notes what a reader met.
    pub(super) fn record_failure(&self, error: &StoreError) {
        if error.is_of_the_disk() {
            self.suspect.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a reader met a failure since this was asked last.
    pub(super) fn take_suspicion(&self) -> bool {
        self.suspect.swap(false, Ordering::Relaxed)
    }
}

impl HealthStatus {
    /// Whether the writer is to look at the file; stays so until that is taken.
    pub(super) fn is_suspect(&self) -> bool {
        self.suspect.load(Ordering::Relaxed)
    }

    /// Notes records that are damaged; each is told in the log once.
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

    /// Notes how the daily backup went.
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
    fn what_was_set_is_told() {
        let status = HealthStatus::default();
        for health in [Health::Healthy, Health::Full, Health::ReadOnly, Health::Failed] {
            status.set(health);
            assert_eq!(status.health(), health);
        }
    }

    #[test]
    fn only_a_failure_of_the_disk_raises_a_doubt_and_once() {
        let status = HealthStatus::default();
        status.record_failure(&StoreError::invalid("no"));
        assert!(!status.take_suspicion());
        status.record_failure(&StoreError::Disk("disk I/O error".to_owned()));
        assert!(status.take_suspicion());
        assert!(!status.take_suspicion());
    }
}
