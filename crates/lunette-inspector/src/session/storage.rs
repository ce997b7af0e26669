//! The storage of a connection: its journal and its drafts. It is opened before the connection is shown as up, so that
//! no write is possible without a journal.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::db::Database;
use crate::drafts::{Draft, DraftKey, DraftStore};
use crate::journal::folder::Folder;
use crate::journal::{Entry, Journal, JournalError};
use crate::usage::Usage;

/// The storage of a connection.
#[derive(Default)]
pub(crate) struct ConnectionStorage {
    pub journal: Journal,
    /// The steps of its journal, oldest first.
    pub entries: Vec<Arc<Entry>>,
    /// A message if the journal is damaged.
    pub journal_problem: Option<String>,
    pub store: DraftStore,
    pub drafts: BTreeMap<DraftKey, Draft>,
    /// The database, and the name of the connection in it.
    pub database: Option<(Arc<Database>, String)>,
    /// How often assets were used.
    pub usage: Usage,
    /// Messages about damaged data.
    pub messages: Vec<String>,
}

impl ConnectionStorage {
    /// Opens the storage of a connection in a data folder, or in memory without one. Blocks.
    pub fn open(data: Option<&Path>, connection: &str) -> Self {
        let Some(data) = data else { return Self::default() };
        let folder = match Folder::open(&data.join("journal"), connection) {
            Ok(folder) => Arc::new(folder),
            Err(error) => return Self::closed(error),
        };
        let database = match Database::open(data) {
            Ok(database) => database,
            Err(error) => return Self::closed(JournalError(error.to_string())),
        };
        let journal = Journal::in_database(folder, Arc::clone(&database.database), connection);
        let mut storage = match journal {
            Err(error) => Self::closed(error),
            Ok(opened) => Self {
                journal: opened.journal,
                messages: opened.message.iter().cloned().collect(),
                entries: opened.entries.into_iter().map(Arc::new).collect(),
                journal_problem: opened.message,
                ..Self::default()
            },
        };
        storage.database = Some((Arc::clone(&database.database), connection.to_owned()));
        let (usage, unread) = Usage::open(Arc::clone(&database.database), connection);
        let (store, drafts, message) = DraftStore::open(database.database, connection);
        (storage.store, storage.drafts, storage.usage) = (store, drafts, usage);
        storage.messages.extend(database.problem.into_iter().chain(message).chain(unread));
        storage
    }

    /// The storage if nothing can be saved: the service can be read, and nothing is written.
    pub fn closed(why: JournalError) -> Self {
        let message = format!("Changes are not possible: {why}");
        Self {
            journal: Journal::closed(why),
            journal_problem: Some(message.clone()),
            messages: vec![message],
            ..Self::default()
        }
    }
}
