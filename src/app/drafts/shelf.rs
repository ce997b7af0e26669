//! The drafts of a connection on disk.
//!
//! What must hold: the file is written whole or not at all; one that is damaged is moved aside, never overwritten; what
//! another window keeps in it stays.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::app::drafts::{Draft, DraftKey};
use crate::app::journal::folder::Folder;

/// Where drafts are kept. Copies share it.
#[derive(Clone, Default)]
pub(in crate::app) struct DraftStore(Arc<Inner>);

#[derive(Default)]
struct Inner {
    /// None while they are kept in memory.
    folder: Option<Arc<Folder>>,
    /// What is not on disk yet; None forgets a draft.
    changed: Mutex<BTreeMap<DraftKey, Option<Draft>>>,
    /// Held while the file is written, with the drafts that were said to be too large for it.
    writing: Mutex<BTreeSet<DraftKey>>,
}

/// The file of the drafts.
const FILE: &str = "drafts.json";

/// How many drafts are kept on disk, the newest.
const KEPT: usize = 100;

/// The largest draft that is kept on disk.
const LARGEST: usize = 4 * 1024 * 1024;

/// The drafts as they stand in the file.
#[derive(Serialize)]
struct File<'a> {
    drafts: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct Line<'a> {
    key: &'a DraftKey,
    draft: &'a Draft,
}

/// A draft as it is read from the file.
#[derive(Deserialize)]
struct Read {
    key: DraftKey,
    draft: Draft,
}

impl DraftStore {
    /// Reads the drafts of a folder, and what was wrong with them, for people. Blocks.
    pub fn open(folder: Arc<Folder>) -> (Self, BTreeMap<DraftKey, Draft>, Option<String>) {
        let read = folder.lock().and_then(|_locked| read(&folder));
        let shelf = Self(Arc::new(Inner { folder: Some(Arc::clone(&folder)), ..Inner::default() }));
        match read {
            Ok((drafts, said)) => (shelf, drafts, said),
            Err(error) => (shelf, BTreeMap::new(), Some(sentence("read", &error, &folder))),
        }
    }

    /// Whether drafts are kept on disk.
    pub fn on_disk(&self) -> bool {
        self.0.folder.is_some()
    }

    /// Notes what was typed, to be written by the next write.
    pub fn note(&self, key: DraftKey, draft: Option<Draft>) {
        held(&self.0.changed).insert(key, draft);
    }

    /// Takes what is not on disk yet.
    pub fn unwritten(&self) -> BTreeMap<DraftKey, Option<Draft>> {
        std::mem::take(&mut held(&self.0.changed))
    }

    /// Writes what was noted; gives what there is to tell the user, or why it failed. What could not be written is
    /// written by the next. Blocks.
    pub fn write(&self) -> Result<Vec<String>, String> {
        let Some(folder) = &self.0.folder else { return Ok(Vec::new()) };
        let mut told = held(&self.0.writing);
        let changed = self.unwritten();
        if changed.is_empty() {
            return Ok(Vec::new());
        }
        put(folder, &changed, &mut told).map_err(|error| {
            let mut newer = held(&self.0.changed);
            for (key, draft) in changed {
                newer.entry(key).or_insert(draft);
            }
            sentence("written", &error, folder)
        })
    }
}

/// Makes the changes in the file.
fn put(
    folder: &Folder,
    changed: &BTreeMap<DraftKey, Option<Draft>>,
    told: &mut BTreeSet<DraftKey>,
) -> io::Result<Vec<String>> {
    let _locked = folder.lock()?;
    let (mut drafts, damaged) = read(folder)?;
    let mut said: Vec<_> = damaged.into_iter().collect();
    for (key, draft) in changed {
        match draft {
            None => drafts.remove(key),
            Some(draft) if serde_json::to_vec(draft)?.len() <= LARGEST => {
                told.remove(key);
                drafts.insert(key.clone(), draft.clone())
            }
            Some(_) => {
                if told.insert(key.clone()) {
                    said.push(TOO_LARGE.to_owned());
                }
                None
            }
        };
    }
    save(folder, &drafts)?;
    Ok(said)
}

/// Writes the newest drafts.
fn save(folder: &Folder, drafts: &BTreeMap<DraftKey, Draft>) -> io::Result<()> {
    let newest_first = |draft: &(&DraftKey, &Draft)| std::cmp::Reverse(draft.1.at.parse::<Timestamp>().ok());
    let mut all: Vec<_> = drafts.iter().collect();
    all.sort_by_key(newest_first);
    all.truncate(KEPT);
    let file = File { drafts: all.into_iter().map(|(key, draft)| Line { key, draft }).collect() };
    folder.write(FILE, &serde_json::to_vec(&file)?)
}

/// What is said of a draft that is not written.
const TOO_LARGE: &str = "This draft is larger than 4 MiB, so it is lost when the window closes. Apply it or copy it \
                         to a file";

/// Reads the file. A damaged one is moved aside and said, beside the drafts in it that can be read. The folder's lock is
/// held by the caller.
fn read(folder: &Folder) -> io::Result<(BTreeMap<DraftKey, Draft>, Option<String>)> {
    let Some(bytes) = folder.read(FILE)? else { return Ok((BTreeMap::new(), None)) };
    let file = serde_json::from_slice::<Value>(&bytes).ok();
    let lines = file.as_ref().and_then(|file| file.get("drafts")?.as_array());
    let mut drafts = BTreeMap::new();
    for line in lines.into_iter().flatten() {
        if let Ok(Read { key, draft }) = Read::deserialize(line) {
            drafts.insert(key, draft);
        }
    }
    if lines.is_some_and(|lines| lines.len() == drafts.len()) {
        return Ok((drafts, None));
    }
    let aside = folder.aside(FILE)?;
    save(folder, &drafts)?;
    let saved = match drafts.len() {
        0 => "no drafts could be read".to_owned(),
        count => format!("{count} drafts could be read"),
    };
    Ok((drafts, Some(format!("The drafts file was damaged; {saved}. The damaged file is now {}", aside.display()))))
}

fn sentence(what: &str, error: &io::Error, folder: &Folder) -> String {
    format!(
        "Drafts could not be {what}: {error}; they are lost when the window closes: {}",
        folder.path(FILE).display()
    )
}

/// Nothing that holds these can panic half-way through a change.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;
    use tempfile::TempDir;

    use super::*;
    use lunette_client::model::id::AssetId;

    fn folder() -> (TempDir, Arc<Folder>) {
        let below = tempfile::tempdir().expect("a folder");
        let folder = Folder::open(below.path(), "embedded").expect("a folder");
        (below, Arc::new(folder))
    }

    fn draft(typed: impl Into<Value>, second: i64) -> Draft {
        let at = Timestamp::from_second(second).expect("a time").to_string();
        Draft { base: json!({ "n": 1.50 }), typed: typed.into(), at }
    }

    fn shelf(folder: &Arc<Folder>) -> DraftStore {
        DraftStore::open(Arc::clone(folder)).0
    }

    #[test]
    fn what_was_noted_last_is_read_after_a_restart() {
        let (_below, folder) = folder();
        let key = DraftKey::Record(AssetId::random());
        let first = shelf(&folder);
        first.note(key.clone(), Some(draft("a", 1)));
        first.note(key.clone(), Some(draft("ab", 2)));
        first.note(DraftKey::NewText, Some(draft("c", 2)));
        assert_eq!(first.write(), Ok(Vec::new()));
        first.note(DraftKey::NewText, None);
        assert_eq!(first.write(), Ok(Vec::new()));
        let (_, drafts, said) = DraftStore::open(folder);
        assert_eq!((drafts, said), (BTreeMap::from([(key, draft("ab", 2))]), None));
    }

    #[test]
    fn two_windows_keep_each_others_drafts() {
        let (_below, folder) = folder();
        let (one, two) = (shelf(&folder), shelf(&folder));
        one.note(DraftKey::NewText, Some(draft("a", 1)));
        one.write().expect("written");
        two.note(DraftKey::Fields(AssetId::random()), Some(draft("b", 1)));
        two.write().expect("written");
        assert_eq!(DraftStore::open(folder).1.len(), 2);
    }

    #[test]
    fn a_damaged_file_is_moved_aside_and_what_can_be_read_of_it_stays() {
        let (_below, folder) = folder();
        let shelf = shelf(&folder);
        shelf.note(DraftKey::NewText, Some(draft("a", 1)));
        shelf.write().expect("written");
        let text = fs::read_to_string(folder.path(FILE)).expect("the file");
        let odd = text.replacen('[', r#"[{"key":"of another program","draft":{}},"#, 1);
        for damaged in [odd.as_str(), &text[..text.len() / 2]] {
            fs::write(folder.path(FILE), damaged).expect("damaged");
            let (_, drafts, said) = DraftStore::open(Arc::clone(&folder));
            let said = said.expect("said");
            let (_, aside) = said.split_once("The damaged file is now ").expect("where");
            assert_eq!(fs::read_to_string(aside).expect("kept"), damaged);
            assert_eq!(drafts.len(), usize::from(damaged == odd), "{said}");
        }
    }

    #[test]
    fn a_draft_too_large_is_said_once_and_costs_no_other() {
        let (_below, folder) = folder();
        let shelf = shelf(&folder);
        shelf.note(DraftKey::NewText, Some(draft("x".repeat(LARGEST), 1)));
        assert_eq!(shelf.write(), Ok(vec![TOO_LARGE.to_owned()]));
        shelf.note(DraftKey::NewText, Some(draft("x".repeat(LARGEST + 1), 1)));
        shelf.note(DraftKey::Fields(AssetId::random()), Some(draft("b", 1)));
        assert_eq!(shelf.write(), Ok(Vec::new()));
        assert_eq!(DraftStore::open(folder).1.len(), 1);
    }

    #[test]
    fn the_newest_hundred_are_kept() {
        let (_below, folder) = folder();
        let shelf = shelf(&folder);
        for second in 0..KEPT as i64 + 5 {
            shelf.note(DraftKey::Fields(AssetId::random()), Some(draft(second, second)));
        }
        shelf.write().expect("written");
        let drafts = DraftStore::open(folder).1;
        assert_eq!(drafts.len(), KEPT);
        assert!(drafts.values().all(|draft| draft.typed.as_i64() >= Some(5)));
    }

    #[test]
    fn what_could_not_be_written_is_written_by_the_next() {
        let (_below, folder) = folder();
        let shelf = shelf(&folder);
        fs::create_dir(folder.path(FILE)).expect("in the way");
        shelf.note(DraftKey::NewText, Some(draft("a", 1)));
        let problem = shelf.write().expect_err("a folder is in the way");
        assert!(problem.starts_with("Drafts could not be written"), "{problem}");
        fs::remove_dir(folder.path(FILE)).expect("out of the way");
        assert_eq!(shelf.write(), Ok(Vec::new()));
        assert_eq!(DraftStore::open(folder).1.len(), 1);
    }
}
