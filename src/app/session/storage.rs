//! What is kept of a connection on disk: its journal and its drafts. Opened before the connection is shown as up, so that
//! no write comes before its journal.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::app::drafts::{Draft, DraftKey, DraftStore};
use crate::app::journal::folder::Folder;
use crate::app::journal::{Entry, Journal, JournalError};

/// What is kept of a connection.
#[derive(Default)]
pub(in crate::app) struct ConnectionStorage {
    pub journal: Journal,
    /// The steps of its journal, oldest first.
    pub entries: Vec<Arc<Entry>>,
    /// What is wrong with the journal, for people.
    pub journal_problem: Option<String>,
    pub shelf: DraftStore,
    pub drafts: BTreeMap<DraftKey, Draft>,
    /// What was wrong with it, for people.
    pub said: Vec<String>,
}

impl ConnectionStorage {
    /// Opens what is kept of a connection below a folder; without one it is kept in memory. Blocks.
    pub fn open(below: Option<&Path>, connection: &str) -> Self {
        let Some(below) = below else { return Self::default() };
        let folder = match Folder::open(below, connection) {
            Ok(folder) => Arc::new(folder),
            Err(error) => return Self::closed(error),
        };
        let mut kept = match Journal::in_folder(Arc::clone(&folder)) {
            Err(error) => Self::closed(error),
            Ok(opened) => Self {
                journal: opened.journal,
                said: opened.said.iter().cloned().collect(),
                entries: opened.entries.into_iter().map(Arc::new).collect(),
                journal_problem: opened.said,
                ..Self::default()
            },
        };
        let (shelf, drafts, said) = DraftStore::open(folder);
        (kept.shelf, kept.drafts) = (shelf, drafts);
        kept.said.extend(said);
        kept
    }

    /// What there is when nothing can be kept: what is on the service can be read, and nothing is written.
    pub fn closed(why: JournalError) -> Self {
        let said = format!("Changes are not possible: {why}");
        Self { journal: Journal::closed(why), journal_problem: Some(said.clone()), said: vec![said], ..Self::default() }
    }
}
