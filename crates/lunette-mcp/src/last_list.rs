//! The list of assets that was read last, for the pages that follow its first one.
//!
//! What must hold: while a list is kept, its pages are of one reading, so that none misses a row or repeats one, and all
//! of them cost as much as the first; only the assistant that read it gets it; a list that nobody reads on is forgotten.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use lunette_inspector::listing::RowList;
use lunette_inspector::listing::rows::AssetRow;

use crate::backend::Backend;

/// Our choice: how long a list is kept after a page of it was read.
const KEPT_FOR: Duration = Duration::from_secs(60);

/// Which list it is: the name of the assistant, and the filter and the sorting as it wrote them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    pub client: String,
    pub filter: String,
    pub sort: String,
}

/// Assets, and the order in which they are listed.
#[derive(Debug)]
pub(crate) struct AssetList {
    pub rows: RowList<AssetRow>,
    /// Indices of rows.
    pub order: Vec<u32>,
}

/// The list that was read last, if it is kept.
#[derive(Debug, Default)]
pub(crate) struct LastList(Mutex<Option<Kept>>);

#[derive(Debug)]
struct Kept {
    asked: Asked,
    list: Arc<AssetList>,
    read: Instant,
}

impl LastList {
    /// The list, if it is the one that is kept; it is kept longer then.
    pub fn get(&self, asked: &Asked) -> Option<Arc<AssetList>> {
        let mut kept = self.lock();
        let kept = kept.as_mut().filter(|kept| kept.asked == *asked)?;
        kept.read = Instant::now();
        Some(Arc::clone(&kept.list))
    }

    /// Keeps a list in place of the one before.
    pub fn keep(backend: &Arc<Backend>, asked: Asked, list: Arc<AssetList>) {
        let before = backend.last_list.lock().replace(Kept { asked, list, read: Instant::now() });
        // The work that forgets the one before forgets this one.
        if before.is_none() {
            tokio::spawn(forget(Arc::downgrade(backend)));
        }
    }

    /// Forgets the list if it was not read for so long; returns after which time to look again, if it is still kept.
    fn forget_unread(&self, most: Duration) -> Option<Duration> {
        let mut kept = self.lock();
        let left = most.checked_sub(kept.as_ref()?.read.elapsed()).filter(|left| !left.is_zero());
        if left.is_none() {
            *kept = None;
        }
        left
    }

    fn lock(&self) -> MutexGuard<'_, Option<Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets the list of a backend when nobody reads it on.
async fn forget(backend: Weak<Backend>) {
    let mut left = KEPT_FOR;
    loop {
        tokio::time::sleep(left).await;
        let Some(backend) = backend.upgrade() else { return };
        match backend.last_list.forget_unread(KEPT_FOR) {
            Some(still) => left = still,
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(filter: &str) -> Asked {
        Asked { filter: filter.to_owned(), ..Asked::default() }
    }

    #[test]
    fn a_list_is_found_as_it_was_asked_for_until_nobody_reads_it_on() {
        let last = LastList::default();
        assert!(last.get(&asked("tag:a")).is_none() && last.forget_unread(KEPT_FOR).is_none());
        let list = Arc::new(AssetList { rows: RowList::from(Vec::new()), order: Vec::new() });
        *last.lock() = Some(Kept { asked: asked("tag:a"), list, read: Instant::now() });
        assert!(last.get(&asked("tag:a")).is_some() && last.get(&asked("tag:b")).is_none());
        assert!(last.get(&Asked { client: "other".to_owned(), ..asked("tag:a") }).is_none());
        assert!(last.forget_unread(KEPT_FOR).is_some_and(|left| left <= KEPT_FOR));
        assert!(last.get(&asked("tag:a")).is_some(), "it is read within that time");
        assert_eq!(last.forget_unread(Duration::ZERO), None);
        assert!(last.get(&asked("tag:a")).is_none());
    }
}
