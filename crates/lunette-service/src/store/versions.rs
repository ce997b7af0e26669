//! In which version of the data each record last changed, so that a response can be kept until one of its records
//! changes.
//!
//! What must hold: every commit makes a new version before its write is acknowledged. What was read after
//! [`Versions::current`] was called is at least of that version. Memory is bounded.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

/// For how many records the version is kept; with more, all count as changed.
const MAX_RECORDS: usize = 65_536;

/// The versions of the data of a store, counted from 0 when it is opened.
#[derive(Debug, Default)]
pub(crate) struct Versions {
    current: AtomicU64,
    changed: Mutex<ChangedRecords>,
}

#[derive(Debug, Default)]
struct ChangedRecords {
    /// When everything last changed, or may have.
    all: u64,
    /// When these records last changed since.
    records: HashMap<Uuid, u64>,
}

impl Versions {
    /// Returns the current version.
    pub(crate) fn current(&self) -> u64 {
        self.current.load(Ordering::SeqCst)
    }

    /// Returns the current version, in which none of these records has changed after the given one; `None` if one has.
    pub(crate) fn unchanged_since(&self, version: u64, records: &[Uuid]) -> Option<u64> {
        if self.current() == version {
            return Some(version);
        }
        let changed = self.lock();
        let is_newer = |id| changed.records.get(id).is_some_and(|last| *last > version);
        (changed.all <= version && !records.iter().any(is_newer)).then(|| self.current())
    }

    /// Makes a new version, in which these records changed.
    pub(crate) fn advance<'a>(&self, records: impl ExactSizeIterator<Item = &'a str>) {
        let mut changed = self.lock();
        let version = self.current() + 1;
        if changed.records.len() + records.len() > MAX_RECORDS {
            *changed = ChangedRecords { all: version, records: HashMap::new() };
        } else {
            for id in records {
                match id.parse() {
                    Ok(id) => _ = changed.records.insert(id, version),
                    // An id that no response can be searched for.
                    Err(_) => changed.all = version,
                }
            }
        }
        self.current.store(version, Ordering::SeqCst);
    }

    /// Makes a new version, in which everything may have changed.
    pub(crate) fn advance_all(&self) {
        let mut changed = self.lock();
        let version = self.current() + 1;
        *changed = ChangedRecords { all: version, records: HashMap::new() };
        self.current.store(version, Ordering::SeqCst);
    }

    fn lock(&self) -> MutexGuard<'_, ChangedRecords> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(numbers: std::ops::Range<u128>) -> Vec<String> {
        numbers.map(|number| Uuid::from_u128(number).to_string()).collect()
    }

    fn change(versions: &Versions, ids: &[String]) {
        versions.advance(ids.iter().map(String::as_str));
    }

    #[test]
    fn only_the_changed_records_count_as_changed() {
        let versions = Versions::default();
        let before = versions.current();
        change(&versions, &ids(1..2));
        let (changed, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        assert_eq!(versions.unchanged_since(before, &[other, changed]), None);
        assert_eq!(versions.unchanged_since(before, &[other]), Some(versions.current()));
        assert_eq!(versions.unchanged_since(versions.current(), &[other, changed]), Some(versions.current()));
    }

    #[test]
    fn after_a_failed_commit_everything_counts_as_changed() {
        let versions = Versions::default();
        let before = versions.current();
        versions.advance_all();
        assert_eq!(versions.unchanged_since(before, &[]), None);
        assert_eq!(versions.unchanged_since(versions.current(), &[]), Some(versions.current()));
    }

    #[test]
    fn memory_is_bounded_and_evicted_entries_count_as_changed() {
        let versions = Versions::default();
        let before = versions.current();
        for number in 0..3 {
            change(&versions, &ids(number * 40_000..(number + 1) * 40_000));
            assert!(versions.lock().records.len() <= MAX_RECORDS);
        }
        assert_eq!(versions.unchanged_since(before, &[Uuid::from_u128(1)]), None);
        change(&versions, &["no UUID".to_owned()]);
        assert_eq!(versions.unchanged_since(versions.current() - 1, &[Uuid::from_u128(200_000)]), None);
    }
}
