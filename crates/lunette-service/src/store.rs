//! The store: everything the service keeps, in one SQLite file of one folder.
//!
//! What must hold: a write is acknowledged only after its COMMIT has reached the disk (WAL, `synchronous=FULL`); all
//! writes go through one thread, which commits those that wait together; readers have connections of their own and see
//! one moment; one folder has one owner; a file that is damaged, foreign or of a later version is never changed. SQL is
//! in this module and below it, and nowhere else.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use lunette_storage::owner_only;
use rusqlite::{Connection, Rows, Transaction};

mod checksum;
mod disk;
mod error;
pub(crate) mod feed;
mod health;
pub(crate) mod interrupt;
mod item_kind;
mod link_change;
pub(crate) mod past;
mod readers;
pub(crate) mod records;
pub(crate) mod search;
mod upkeep;
mod versions;
mod writer;

pub use disk::backup::{Backup, Cause, back_up, backups, copy};
pub use disk::quarantine::{never_used, quarantine};
pub use disk::restore::{Restored, restore};
pub use error::StoreError;
pub use health::Health;
pub(crate) use link_change::LinkOutcome;
pub use past::PastBounds;
pub use records::conversation::NewConversation;
pub(crate) use versions::Versions;
pub(crate) use writer::PendingChange;

use disk::ballast::Ballast;
use disk::file::{self, LogLimits};
use disk::folder::{self, Folder};
use disk::{backup, migration, opening, quarantine, replacement};
use feed::ChangeFeed;
use health::HealthStatus;
use interrupt::InterruptToken;
use past::CurrentBounds;
use readers::Readers;
use records::format::LargestContent;
use search::UserSynonyms;
use upkeep::Upkeep;
use writer::{Space, Writer};

#[cfg(test)]
mod tests;

/// An open store. Share it in an `Arc`; closing it checkpoints and releases the folder.
pub struct Store {
    // Fields are dropped in this order: the writer's connection closes last and checkpoints.
    _upkeep: Option<Upkeep>,
    readers: Readers,
    writer: Writer,
    folder: Option<Folder>,
    /// How much of the past is kept.
    bounds: Arc<CurrentBounds>,
    identity: Identity,
    synonyms: UserSynonyms,
    largest_content: LargestContent,
    /// Publishes committed changes.
    feed: Arc<ChangeFeed>,
    status: Arc<HealthStatus>,
}

/// The identity of a store: created with it, and never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The data folder's own id, reported in the health text of the service.
    pub(crate) folder: String,
    /// The id of its one user, the `creator` of assets and formats.
    pub(crate) user: String,
}

impl Store {
    /// Returns when each record last changed.
    pub(crate) fn versions(&self) -> &Versions {
        self.feed.versions()
    }

    /// Opens the store in this data folder, creating both if missing. Fails when another instance owns the folder, and when
    /// the file is damaged, foreign or of a later version; none of these changes the file.
    pub fn open(data: &Path) -> Result<Self, StoreError> {
        Self::open_keeping(data, None)
    }

    /// Opens the store as [`Self::open`] does, with these bounds on the earlier versions of assets in place of those that were
    /// set in it, if any are given.
    pub fn open_keeping(data: &Path, bounds: impl Into<Option<PastBounds>>) -> Result<Self, StoreError> {
        file::require_version(rusqlite::version_number())?;
        let folder = Folder::take(data)?;
        warn_of_other_writers(data);
        replacement::finish(data)?;
        let opened = with_room(&Ballast::of(data), || opening::open_checked(&folder));
        let (connection, whole_check) = opened.map_err(|error| quarantine::with_backup_advice(error, data))?;
        // Opens a first reader now: on a failing disk none could be opened later, since the shared-memory file of the
        // log has to be written.
        let readers = Readers::of_file(folder.database());
        let identity = with_room(&Ballast::of(data), || readers.read(Identity::read));
        let identity = identity.map_err(|error| match error {
            StoreError::Disk(problem) => StoreError::unusable("read the database", &folder::database(data), problem),
            other => other,
        })?;
        let (feed, status) = (Arc::<ChangeFeed>::default(), Arc::<HealthStatus>::default());
        if !Ballast::of(data).take(0) {
            status.set(Health::Full);
        }
        let shared = Arc::new(Mutex::new(connection));
        let bounds = Arc::new(CurrentBounds::of(Some(data), bounds.into()));
        let (space, keeps) = (Some(Space::of(data)), bounds.get().keeps());
        let writer = Writer::start(shared, space, keeps, Arc::clone(&feed), Arc::clone(&status))?;
        let writes = writer.queue().map(|queue| (queue, Arc::clone(&bounds)));
        let upkeep = Some(Upkeep::start(data.to_owned(), Arc::clone(&status), writes, whole_check));
        let synonyms = UserSynonyms::of(data);
        Ok(Self {
            _upkeep: upkeep,
            readers,
            writer,
            folder: Some(folder),
            bounds,
            identity,
            synonyms,
            largest_content: LargestContent::default(),
            feed,
            status,
        })
    }

    /// A store that lives as long as the process and leaves nothing behind.
    pub fn in_memory() -> Result<Self, StoreError> {
        Self::in_memory_keeping(None)
    }

    /// A store in memory, with bounds on the earlier versions of assets.
    pub fn in_memory_keeping(bounds: impl Into<Option<PastBounds>>) -> Result<Self, StoreError> {
        file::require_version(rusqlite::version_number())?;
        let mut connection = Connection::open_in_memory()?;
        file::prepare_writer(&connection, LogLimits::of_memory())?;
        migration::create(&mut connection)?;
        let identity = Identity::read(&connection)?;
        let shared = Arc::new(Mutex::new(connection));
        let readers = Readers::of_memory(shared.clone());
        let (feed, status) = (Arc::<ChangeFeed>::default(), Arc::<HealthStatus>::default());
        let bounds = Arc::new(CurrentBounds::of(None, bounds.into()));
        let writer = Writer::start(shared, None, bounds.get().keeps(), Arc::clone(&feed), Arc::clone(&status))?;
        let synonyms = UserSynonyms::default();
        Ok(Self {
            _upkeep: None,
            readers,
            writer,
            folder: None,
            bounds,
            identity,
            synonyms,
            largest_content: LargestContent::default(),
            feed,
            status,
        })
    }

    /// The health of the store, by its last commits.
    pub fn health(&self) -> Health {
        self.status.health()
    }

    /// Why the last daily backup failed; None where none did.
    pub fn daily_failure(&self) -> Option<String> {
        self.status.daily_failure()
    }

    /// How many records were found damaged since the start.
    pub fn damaged_records(&self) -> usize {
        self.status.damaged_records()
    }

    /// Who beside its owner may write into the data folder, as a phrase, if anyone may.
    pub fn other_writers(&self) -> Option<&'static str> {
        owner_only::other_writers(self.folder.as_ref()?.path())
    }

    /// Takes a copy of the database beside what is read and written. Fails in memory, which keeps nothing.
    pub fn back_up(&self) -> Result<Backup, StoreError> {
        let Some(folder) = &self.folder else {
            return Err(StoreError::invalid(
                "there is nothing to back up because this service keeps its data in memory only",
            ));
        };
        let source = file::open_source(&folder.database())?;
        backup::take(&source, folder.path(), Cause::ByHand, &InterruptToken::default())
    }

    /// Whether a daily backup is due. In memory there is nothing to back up.
    pub(crate) fn daily_is_due(&self) -> bool {
        self.folder.as_ref().is_some_and(|folder| backup::is_due(folder.path(), now()))
    }

    /// Takes a daily backup if one is due, and permanently deletes the expired assets in the Trash, as the maintenance
    /// thread does in a service that runs for longer.
    pub(crate) fn run_daily(&self) {
        let (Some(folder), Some(queue)) = (&self.folder, self.writer.queue()) else { return };
        let writes = (queue, Arc::clone(&self.bounds));
        upkeep::run_once(folder.path(), &InterruptToken::default(), &self.status, Some(&writes));
    }

    /// Does at once what waits until the writer has nothing else to do.
    #[cfg(feature = "bench")]
    pub(crate) fn rest(&self) -> Result<(), StoreError> {
        while self.read(search::newest_waiting)?.is_some() {
            self.write(search::index_waiting)?;
        }
        while self.read(past::waiting)?.is_some() {
            self.write(past::arrange)?;
        }
        Ok(())
    }

    /// Writes the whole file anew, without what was deleted.
    pub(crate) fn rebuild(&self) -> Result<(), StoreError> {
        self.writer.rebuild()
    }

    /// The folder of the store; None in memory.
    pub fn folder(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.path().to_owned())
    }

    /// Who this store is.
    pub(crate) fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Runs a change on the writer thread in its own savepoint and returns its result once it is durable. An error or a
    /// panic rolls back this change alone. Rejected on a full disk: deletions use [`Self::write_freeing`]. Must not be
    /// called from inside another change.
    pub(crate) fn write<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.writer.write(change)
    }

    /// Sends a change that adds data without waiting for it, and gives what comes of it.
    pub(crate) fn queue_change<F>(&self, change: F) -> Result<PendingChange, StoreError>
    where
        F: FnOnce(&Transaction) -> Result<(), StoreError> + Send + 'static,
    {
        self.writer.queue_change(change)
    }

    /// Runs a large change on the writer thread, in a commit of its own, and returns its result once it is durable.
    pub(crate) fn write_alone<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.writer.write_alone(change)
    }

    /// Runs a change that frees space, or prepares a deletion. It also works on a full disk, with the space of the
    /// ballast file. It must write little beside what it deletes, and it may run twice: the first run was rolled back.
    pub(crate) fn write_freeing<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.writer.write_freeing(change)
    }

    /// Runs queries on one snapshot.
    pub(crate) fn read<T>(&self, queries: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let read = self.readers.read(queries);
        if let Err(error) = &read
            && error.is_of_the_disk()
        {
            tracing::error!(%error, "a read failed");
            self.status.record_failure(error);
            self.writer.wake();
        }
        self.status.record_damaged(checksum::take_skipped());
        if let Err(damaged @ StoreError::Damaged { .. }) = &read {
            self.status.record_damaged(vec![damaged.clone()]);
        }
        read
    }
}

/// Warns if others than its owner may write into the data folder: they can replace the database.
fn warn_of_other_writers(data: &Path) {
    if let Some(who) = owner_only::other_writers(data) {
        let folder = data.display();
        tracing::warn!("{who} can write to the data folder and replace its files: run `chmod go-w {folder}`");
    }
}

/// Runs the work; on a full disk, retries it after releasing the ballast.
fn with_room<T>(ballast: &Ballast, work: impl Fn() -> Result<T, StoreError>) -> Result<T, StoreError> {
    match work().map_err(|error| ballast.explain(error)) {
        Err(StoreError::Full) if ballast.release() => work().map_err(|error| ballast.explain(error)),
        done => done,
    }
}

impl Identity {
    fn read(connection: &Connection) -> Result<Self, StoreError> {
        Ok(connection.query_row("SELECT folder, user FROM identity", [], |row| {
            Ok(Self { folder: row.get(0)?, user: row.get(1)? })
        })?)
    }
}

/// Calls `each` with the first column of the rows, a text, until it has enough.
fn each_text(mut rows: Rows, mut each: impl FnMut(&str) -> ControlFlow<()>) -> Result<(), StoreError> {
    while let Some(row) = rows.next()? {
        if each(&row.get::<_, String>(0)?).is_break() {
            break;
        }
    }
    Ok(())
}

/// A new id. It begins with the time, so that new ids are side by side in their index: random ones would each change a
/// page of it, and every commit would write as many pages as it has records.
fn new_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

/// This moment, in microseconds since 1970 UTC. Out-of-range clocks are clamped.
pub(crate) fn now() -> i64 {
    let micros = |time: Duration| i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
    let now = match SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => micros(since),
        Err(before) => -micros(before.duration()),
    };
    now.clamp(jiff::Timestamp::MIN.as_microsecond(), jiff::Timestamp::MAX.as_microsecond())
}
