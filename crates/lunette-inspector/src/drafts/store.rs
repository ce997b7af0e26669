//! The drafts of a connection on disk.
//!
//! What must hold: a write is atomic; a damaged draft does not affect others; the drafts of another window are kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use crate::db::drafts::DraftTexts;
use crate::db::{Database, DatabaseError};
use crate::drafts::{Draft, DraftKey};

/// The store of the drafts. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct DraftStore(Arc<Inner>);

#[derive(Default)]
struct Inner {
    /// The database, and the connection in it; `None` if drafts are kept in memory.
    database: Option<(Arc<Database>, String)>,
    /// Changes that are not on disk yet; `None` deletes a draft.
    changed: Mutex<BTreeMap<DraftKey, Option<Draft>>>,
    /// Held during a write, with the drafts that were reported as too large.
    writing: Mutex<BTreeSet<DraftKey>>,
}

/// How many drafts are stored; the oldest are deleted.
const KEPT: usize = 100;

/// The largest draft that is stored, in bytes.
const LARGEST: usize = 4 * 1024 * 1024;

impl DraftStore {
    /// Reads the drafts of a connection, and returns a message if some could not be read. Blocks.
    pub fn open(database: Arc<Database>, connection: &str) -> (Self, BTreeMap<DraftKey, Draft>, Option<String>) {
        let read = database.drafts(connection).map(|(texts, damaged)| {
            let drafts: BTreeMap<_, _> = texts.iter().filter_map(parsed).collect();
            let damaged = damaged + texts.len() - drafts.len();
            (drafts, (damaged > 0).then(|| format!("Skipped {damaged} damaged drafts")))
        });
        let store = Self(Arc::new(Inner { database: Some((database, connection.to_owned())), ..Inner::default() }));
        match read {
            Ok((drafts, problem)) => (store, drafts, problem),
            Err(error) => (store, BTreeMap::new(), Some(sentence("read", &error))),
        }
    }

    /// Whether drafts are stored on disk.
    pub fn on_disk(&self) -> bool {
        self.0.database.is_some()
    }

    /// Sets or removes a draft; it is saved by the next write.
    pub fn set(&self, key: DraftKey, draft: Option<Draft>) {
        lock(&self.0.changed).insert(key, draft);
    }

    /// Returns the changes that are not on disk yet, and forgets them.
    pub fn unwritten(&self) -> BTreeMap<DraftKey, Option<Draft>> {
        std::mem::take(&mut lock(&self.0.changed))
    }

    /// Writes the changes; returns messages for the user, or why it failed. Changes that could not be written are
    /// written the next time. Blocks.
    pub fn write(&self) -> Result<Vec<String>, DatabaseError> {
        let Some((database, connection)) = &self.0.database else { return Ok(Vec::new()) };
        let mut reported = lock(&self.0.writing);
        let changed = self.unwritten();
        if changed.is_empty() {
            return Ok(Vec::new());
        }
        let (fitting, problem) = fitting(&changed, &mut reported);
        match database.change_drafts(connection, &fitting, KEPT) {
            Ok(()) => Ok(problem.into_iter().collect()),
            Err(error) => {
                let mut newer = lock(&self.0.changed);
                for (key, draft) in changed {
                    newer.entry(key).or_insert(draft);
                }
                Err(error)
            }
        }
    }
}

/// The changes without drafts that are too large, and a message about those.
fn fitting(
    changed: &BTreeMap<DraftKey, Option<Draft>>,
    reported: &mut BTreeSet<DraftKey>,
) -> (Vec<(String, Option<String>)>, Option<String>) {
    let mut problem = None;
    let mut fit = |key: &DraftKey, draft: &str| {
        if draft.len() <= LARGEST {
            reported.remove(key);
            return true;
        }
        if reported.insert(key.clone()) {
            problem = Some(TOO_LARGE.to_owned());
        }
        false
    };
    let mut changes = Vec::new();
    for (key, draft) in changed {
        changes.push((text(key), draft.as_ref().map(text).filter(|draft| fit(key, draft))));
    }
    (changes, problem)
}

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("it holds nothing that JSON cannot")
}

/// A draft from its texts.
fn parsed((key, draft): &DraftTexts) -> Option<(DraftKey, Draft)> {
    Some((serde_json::from_str(key).ok()?, serde_json::from_str(draft).ok()?))
}

/// The message about a draft that is too large to be stored.
const TOO_LARGE: &str = "This draft is larger than 4 MiB, so it is lost when the window closes. Apply it or copy it \
                         to a file";

pub(super) fn sentence(what: &str, error: &DatabaseError) -> String {
    format!("Drafts could not be {what}: {error}; they are lost when the window closes")
}

/// No holder of these locks can panic in the middle of a change.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use serde_json::{Value, json};
    use tempfile::TempDir;

    use super::*;
    use lunette_client::model::id::AssetId;

    struct Fixture(TempDir);

    impl Fixture {
        fn new() -> Self {
            Self(tempfile::tempdir().expect("a folder"))
        }

        fn open(&self) -> (DraftStore, BTreeMap<DraftKey, Draft>, Option<String>) {
            let database = Database::open(self.0.path()).expect("a database").database;
            DraftStore::open(database, "embedded")
        }

        fn store(&self) -> DraftStore {
            self.open().0
        }
    }

    fn draft(typed: impl Into<Value>, second: i64) -> Draft {
        let at = Timestamp::from_second(second).expect("a time").to_string();
        Draft { base: Arc::new(json!({ "n": 1.50 })), typed: typed.into().into(), at }
    }

    #[test]
    fn the_latest_drafts_are_read_after_a_restart() {
        let fixture = Fixture::new();
        let key = DraftKey::Record(AssetId::random());
        let first = fixture.store();
        first.set(key.clone(), Some(draft("a", 1)));
        first.set(key.clone(), Some(draft("ab", 2)));
        first.set(DraftKey::NewText, Some(draft("c", 2)));
        assert_eq!(first.write(), Ok(Vec::new()));
        first.set(DraftKey::NewText, None);
        assert_eq!(first.write(), Ok(Vec::new()));
        let (_, drafts, message) = fixture.open();
        assert_eq!((drafts, message), (BTreeMap::from([(key, draft("ab", 2))]), None));
    }

    #[test]
    fn two_windows_preserve_each_others_drafts() {
        let fixture = Fixture::new();
        let (one, two) = (fixture.store(), fixture.store());
        one.set(DraftKey::NewText, Some(draft("a", 1)));
        one.write().expect("written");
        two.set(DraftKey::Fields(AssetId::random()), Some(draft("b", 1)));
        two.write().expect("written");
        assert_eq!(fixture.open().1.len(), 2);
    }

    #[test]
    fn an_oversized_draft_is_reported_once_and_does_not_affect_others() {
        let fixture = Fixture::new();
        let store = fixture.store();
        store.set(DraftKey::NewText, Some(draft("x".repeat(LARGEST), 1)));
        assert_eq!(store.write(), Ok(vec![TOO_LARGE.to_owned()]));
        store.set(DraftKey::NewText, Some(draft("x".repeat(LARGEST + 1), 1)));
        store.set(DraftKey::Fields(AssetId::random()), Some(draft("b", 1)));
        assert_eq!(store.write(), Ok(Vec::new()));
        assert_eq!(fixture.open().1.len(), 1);
    }

    #[test]
    fn the_newest_hundred_are_kept() {
        let fixture = Fixture::new();
        let store = fixture.store();
        for second in 0..KEPT as i64 + 5 {
            store.set(DraftKey::Fields(AssetId::random()), Some(draft(second, second)));
        }
        store.write().expect("written");
        let drafts = fixture.open().1;
        assert_eq!(drafts.len(), KEPT);
        let number = |draft: &Draft| serde_json::to_value(&draft.typed).expect("JSON").as_i64();
        assert!(drafts.values().all(|draft| number(draft) >= Some(5)));
    }
}
