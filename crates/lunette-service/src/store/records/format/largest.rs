//! The size of the largest content of all.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use super::read::bytes;
use crate::store::{Store, StoreError, Versions};

/// The size of the largest content of a store, kept until a record of it changes: to find it, SQLite reads every format.
#[derive(Debug, Default)]
pub(in crate::store) struct LargestContent(Mutex<Option<KnownSize>>);

/// A size, and the version of the store it was read in.
#[derive(Clone, Copy, Debug)]
struct KnownSize {
    version: u64,
    bytes: u64,
}

impl LargestContent {
    /// The size in the current version of the store; `read` is called if it is not known.
    fn get(&self, versions: &Versions, read: impl FnOnce() -> Result<u64, StoreError>) -> Result<u64, StoreError> {
        // Before the query: what is written during it makes the size unknown again.
        let version = versions.current();
        if let Some(known) = self.lock().filter(|known| known.version == version) {
            return Ok(known.bytes);
        }
        let bytes = read()?;
        *self.lock() = Some(KnownSize { version, bytes });
        Ok(bytes)
    }

    fn lock(&self) -> MutexGuard<'_, Option<KnownSize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read(db: &Connection) -> Result<u64, StoreError> {
    Ok(bytes(db.query_row("SELECT max(size) FROM format", [], |row| row.get(0))?))
}

impl Store {
    /// The size of the largest content of all.
    pub(crate) fn largest_content(&self) -> Result<u64, StoreError> {
        self.largest_content.get(self.versions(), || self.read(read))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::store::records::create::OnDuplicate;
    use crate::store::records::format::Content;
    use crate::store::tests::assets::{new_asset, store};

    #[test]
    fn the_largest_content_is_that_of_the_last_write() {
        let store = store();
        let create = |bytes| {
            let new = new_asset("one", Content::Text("x".repeat(bytes)));
            store.create_asset(new, OnDuplicate::Create).expect("created").id
        };
        assert_eq!(store.largest_content().expect("read"), 0, "of an empty store");
        create(10);
        assert_eq!(store.largest_content().expect("read"), 10);
        let large = create(1_000);
        create(20);
        assert_eq!(store.largest_content().expect("read"), 1_000);
        store.delete_asset(&large).expect("deleted");
        let kept = store.largest_content().expect("read");
        assert!(kept >= 20, "never smaller than what can be listed: {kept}");
    }

    #[test]
    fn formats_are_read_for_the_largest_content_once_until_a_record_changes() {
        let (largest, versions, reads) = (LargestContent::default(), Versions::default(), Cell::new(0));
        let get = || {
            largest.get(&versions, || {
                reads.set(reads.get() + 1);
                Ok(7)
            })
        };
        for _ in 0..3 {
            assert_eq!(get().expect("read"), 7);
        }
        assert_eq!(reads.get(), 1);
        versions.advance_all();
        get().expect("read");
        assert_eq!(reads.get(), 2);
    }

    #[test]
    fn a_size_that_was_read_while_a_record_changed_is_read_again() {
        let (largest, versions) = (LargestContent::default(), Versions::default());
        let during = || {
            versions.advance_all();
            Ok(7)
        };
        assert_eq!(largest.get(&versions, during).expect("read"), 7);
        assert_eq!(largest.get(&versions, || Ok(8)).expect("read"), 8);
    }

    #[test]
    fn a_size_that_could_not_be_read_is_not_kept() {
        let (largest, versions) = (LargestContent::default(), Versions::default());
        let refused = || Err(StoreError::Full);
        assert!(largest.get(&versions, refused).is_err());
        assert_eq!(largest.get(&versions, || Ok(8)).expect("read"), 8);
    }
}
