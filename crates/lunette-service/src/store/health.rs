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
    Well,
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
pub(super) struct Standing {
    health: AtomicU8,
    /// A reader met a failure: the writer is to look at the file before it goes on.
    doubt: AtomicBool,
    /// How many times the writer has judged the store or used an idle moment, for who waits for what comes of it.
    turns: Mutex<u64>,
    turned: Condvar,
    /// The damaged records that were met, in words, each once.
    damaged: Mutex<BTreeSet<String>>,
    /// Why the last daily backup failed.
    daily: Mutex<Option<String>>,
}

impl Standing {
    pub(super) fn health(&self) -> Health {
        match self.health.load(Ordering::Relaxed) {
            0 => Health::Well,
            1 => Health::Full,
            2 => Health::ReadOnly,
            _ => Health::Failed,
        }
    }

    pub(super) fn set(&self, health: Health) {
        let before = self.health.swap(health as u8, Ordering::Relaxed);
        match health {
            _ if before == health as u8 => {}
            Health::Well => tracing::warn!("the store accepts changes again"),
            Health::Full => tracing::warn!("the disk is full; the store accepts no changes until there is space"),
            Health::ReadOnly => tracing::warn!("cannot write to the data folder; the store is read-only"),
            Health::Failed => tracing::error!("the disk failed or the database is damaged; the store rejects changes"),
        }
    }

    /// Says that the writer has judged the store, or has used an idle moment.
    pub(super) fn turn(&self) {
        *self.turns.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.turned.notify_all();
    }

    /// Waits until this holds, and looks after each turn of the writer. False where it does not within a minute.
    #[cfg(test)]
    pub(super) fn wait_until(&self, mut holds: impl FnMut() -> bool) -> bool {
        let turns = self.turns.lock().expect("turns");
        let longest = std::time::Duration::from_secs(60);
        let (_turns, waited) = self.turned.wait_timeout_while(turns, longest, |_| !holds()).expect("turns");
        !waited.timed_out()
    }

    /// Notes what a reader met.
    pub(super) fn met(&self, error: &StoreError) {
        if error.is_of_the_disk() {
            self.doubt.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a reader met a failure since this was asked last.
    pub(super) fn take_doubt(&self) -> bool {
        self.doubt.swap(false, Ordering::Relaxed)
    }
}

impl Standing {
    /// Whether the writer is to look at the file; stays so until that is taken.
    pub(super) fn has_doubt(&self) -> bool {
        self.doubt.load(Ordering::Relaxed)
    }

    /// Notes records that are damaged; each is told in the log once.
    pub(super) fn note_damaged(&self, found: Vec<StoreError>) {
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
    pub(super) fn note_daily(&self, failure: Option<String>) {
        *self.daily.lock().unwrap_or_else(PoisonError::into_inner) = failure;
    }

    /// Why the last daily backup failed, if it did.
    pub(super) fn daily_failure(&self) -> Option<String> {
        self.daily.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_set_is_told() {
        let standing = Standing::default();
        for health in [Health::Well, Health::Full, Health::ReadOnly, Health::Failed] {
            standing.set(health);
            assert_eq!(standing.health(), health);
        }
    }

    #[test]
    fn only_a_failure_of_the_disk_raises_a_doubt_and_once() {
        let standing = Standing::default();
        standing.met(&StoreError::invalid("no"));
        assert!(!standing.take_doubt());
        standing.met(&StoreError::Disk("disk I/O error".to_owned()));
        assert!(standing.take_doubt());
        assert!(!standing.take_doubt());
    }
}
