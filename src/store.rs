//! The store: everything the service keeps, in one SQLite file of one folder.
//!
//! What must hold: a write is acknowledged only after its COMMIT has reached the disk (WAL, `synchronous=FULL`); all
//! writes go through one thread, which commits those that wait together; readers have connections of their own and see
//! one moment; one folder has one owner; a file that is damaged, foreign or of a later version is never changed.
//! SQL stands in this module and below it, and nowhere else.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rusqlite::{Connection, Transaction};

pub(crate) mod activity;
pub(crate) mod annotation;
pub(crate) mod application;
pub(crate) mod aside;
pub(crate) mod asset;
pub(crate) mod conversation;
pub(crate) mod create;
mod error;
pub(crate) mod feed;
mod file;
pub(crate) mod format;
pub(crate) mod item;
mod link;
mod migration;
mod readers;
pub(crate) mod search;
pub(crate) mod session;
pub(crate) mod usage;
mod writer;

pub use conversation::NewConversation;
pub use error::StoreError;

use feed::Feed;
use file::Folder;
use readers::Readers;
use writer::Writer;

#[cfg(test)]
mod tests;

/// An open store. Cheap to share behind an `Arc`; closing it checkpoints and gives the folder free.
pub struct Store {
    // The order is the order of closing: the writer's connection is the last, and checkpoints.
    readers: Readers,
    writer: Writer,
    folder: Option<Folder>,
    identity: Identity,
    /// Who follows what is committed.
    feed: Arc<Feed>,
}

/// Who a store is: made once with it, and never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The data folder's own id, told by the health of the service.
    pub(crate) folder: String,
    /// The id of its one user, the `creator` of assets and formats.
    pub(crate) user: String,
}

impl Store {
    /// Opens the store in this folder, making both where they are not there. Fails when another instance owns the
    /// folder, and when the file is damaged, foreign or of a later version; none of these changes the file.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        file::require_version(rusqlite::version_number())?;
        let folder = Folder::take(folder)?;
        let path = folder.database();
        let connection = file::open_checked(&folder)?;
        let identity = Identity::read(&connection)?;
        let feed = Arc::<Feed>::default();
        let writer = Writer::start(Arc::new(Mutex::new(connection)), Some(path.clone()), Arc::clone(&feed))?;
        Ok(Self { readers: Readers::of_file(path), writer, folder: Some(folder), identity, feed })
    }

    /// A store that lives as long as the process and leaves nothing behind.
    pub fn in_memory() -> Result<Self, StoreError> {
        file::require_version(rusqlite::version_number())?;
        let mut connection = Connection::open_in_memory()?;
        file::prepare_writer(&connection)?;
        migration::run(&mut connection)?;
        let identity = Identity::read(&connection)?;
        let shared = Arc::new(Mutex::new(connection));
        let readers = Readers::of_memory(shared.clone());
        let feed = Arc::<Feed>::default();
        let writer = Writer::start(shared, None, Arc::clone(&feed))?;
        Ok(Self { readers, writer, folder: None, identity, feed })
    }

    /// The folder of the store; None in memory.
    pub fn folder(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.path().to_owned())
    }

    /// Who this store is.
    pub(crate) fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Runs a change on the writer thread, in a savepoint of its own; gives its result back once it is durable. An
    /// error or a panic inside undoes this change alone. Never to be called from inside another change.
    pub(crate) fn write<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.writer.write(change)
    }

    /// Runs queries that all see the same moment.
    pub(crate) fn read<T>(&self, queries: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.readers.read(queries)
    }
}

impl Identity {
    fn read(connection: &Connection) -> Result<Self, StoreError> {
        Ok(connection.query_row("SELECT folder, user FROM identity", [], |row| {
            Ok(Self { folder: row.get(0)?, user: row.get(1)? })
        })?)
    }
}

/// This moment, in microseconds since 1970 UTC.
pub(crate) fn now() -> i64 {
    jiff::Timestamp::now().as_microsecond()
}
