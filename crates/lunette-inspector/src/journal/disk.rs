//! The journal on disk.
//!
//! What must hold: a line is on disk when the call that writes it returns; a failed write leaves no partial line.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use lunette_storage::system::error_text;

use crate::change::Change;
use crate::db::journal::StepStore;
use crate::db::{Database, DatabaseError, RunStore};
use crate::journal::folder::Folder;
use crate::journal::line::{Begin, End, JournalLine};
use crate::journal::presence::Presence;
use crate::journal::replay::{LONGEST_LINE, Replay, Retention};
use crate::journal::tail::{JournalEvent, Tail, folded};
use crate::journal::{Entry, EntryId, EntryRelation, Outcome};

/// The journal of one connection. Clones write to the same journal.
#[derive(Clone, Debug, Default)]
pub struct Journal(Kind);

#[derive(Clone, Debug, Default)]
enum Kind {
    #[default]
    Memory,
    Disk(Arc<Disk>),
    /// It could not be opened: nothing can be recorded, so nothing may be sent.
    Closed(JournalError),
}

/// A journal, and the lines that other windows add to it.
#[derive(Debug)]
struct Disk {
    folder: Arc<Folder>,
    runs: RunStore,
    steps: StepStore,
    presence: Presence,
    tail: Mutex<Tail>,
}

/// An opened journal with its entries.
#[derive(Debug)]
pub struct Opened {
    /// The journal.
    pub journal: Journal,
    /// Its entries, oldest first. A step without an end is in progress if the window that began it is open; otherwise
    /// its outcome is unknown.
    pub entries: Vec<Entry>,
    /// A message if it was damaged.
    pub message: Option<String>,
}

/// The journal cannot be written or read; the message includes advice.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct JournalError(pub String);

impl JournalError {
    /// An error of the database, which includes advice.
    pub(crate) fn in_database(what: &str, error: &DatabaseError) -> Self {
        Self(format!("{what}: {error}"))
    }

    /// An error with its reason, advice and path.
    pub(crate) fn of(what: &str, error: &io::Error, path: &Path) -> Self {
        let advice = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space and try again",
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "allow this program to write there, or start it with another --data folder"
            }
            _ => "fix this and reconnect",
        };
        Self(format!("{what}: {}; {advice}: {}", error_text(error), path.display()))
    }
}

/// Why a step could not be begun; nothing may be sent for it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BeginError {
    /// It could not be recorded.
    #[error("a change must be recorded before it is sent: {0}")]
    Unnoted(#[from] JournalError),
    /// Another window has undone or redone its target already.
    #[error("{0}")]
    Answered(&'static str),
}

/// How many entries are kept in memory.
pub(super) const KEPT: Retention = Retention { entries: 5_000, bytes: 64 * 1024 * 1024 };

impl Journal {
    /// A journal in memory only.
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// A journal that could not be opened and rejects every step.
    pub fn closed(why: JournalError) -> Self {
        Self(Kind::Closed(why))
    }

    /// Opens the journal of a connection in a data folder, and creates it if it does not exist. Blocks.
    pub fn open(data: &Path, connection: &str) -> Result<Opened, JournalError> {
        let folder = Arc::new(Folder::open(&data.join("journal"), connection)?);
        let database =
            Database::open(data).map_err(|error| JournalError::in_database("cannot read the history", &error))?;
        let mut opened = Self::in_database(folder, database.database, connection)?;
        opened.message =
            database.problem.into_iter().chain(opened.message).reduce(|all, message| format!("{all}. {message}"));
        Ok(opened)
    }

    /// Opens the journal in an open folder and database.
    pub(crate) fn in_database(
        folder: Arc<Folder>,
        database: Arc<Database>,
        connection: &str,
    ) -> Result<Opened, JournalError> {
        Self::open_in(folder, database, connection, KEPT)
    }

    pub(super) fn open_in(
        folder: Arc<Folder>,
        database: Arc<Database>,
        connection: &str,
        retention: Retention,
    ) -> Result<Opened, JournalError> {
        let data = database.folder().to_owned();
        let presence = Presence::announce(&data)
            .map_err(|error| JournalError::of("cannot announce this window in the data folder", &error, &data))?;
        let unread = |error| JournalError::in_database("cannot read the history", &error);
        let runs = RunStore::of(Arc::clone(&database), connection);
        let steps = StepStore::of(database, connection);
        // A step has two lines, and a third if its outcome was unknown at first.
        let read = steps.newest(retention.entries.saturating_mul(3), retention.bytes).map_err(unread)?;
        let replay = Replay::of(&read, retention);
        let message = damage(replay.damaged, &steps.database.path());
        let (open, at) = (replay.open(|window| window.is_open(&data)), replay.last);
        let entries = replay.entries(&open);
        let tail = Tail::behind(at, presence.id, &entries, open);
        let disk = Disk { folder, runs, steps, presence, tail: Mutex::new(tail) };
        Ok(Opened { entries, message, journal: Self(Kind::Disk(Arc::new(disk))) })
    }

    /// Records a step before its first call is sent; it is on disk when this returns. An undo or redo is rejected if
    /// another window has undone or redone the same step already. Blocks.
    pub fn begin(&self, entry: &Entry) -> Result<(), BeginError> {
        let disk = match &self.0 {
            Kind::Disk(disk) => disk,
            Kind::Memory => return Ok(()),
            Kind::Closed(why) => return Err(why.clone().into()),
        };
        let line = JournalLine::Begin(Box::new(Begin::of(entry, disk.presence.id)));
        match disk.add(&line, entry.answers)? {
            None => Ok(()),
            Some(refused) => Err(BeginError::Answered(refused)),
        }
    }

    /// Records the outcome of a step that ended now. Blocks.
    pub fn end(&self, id: EntryId, outcome: &Outcome, done: Option<&Change>) -> Result<(), JournalError> {
        self.end_at(id, outcome, done, Timestamp::now())
    }

    /// Records the outcome of a step, when it ended, and the applied change if only the service knew it. Blocks.
    pub(crate) fn end_at(
        &self,
        id: EntryId,
        outcome: &Outcome,
        done: Option<&Change>,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let disk = match &self.0 {
            Kind::Disk(disk) => disk,
            Kind::Memory => return Ok(()),
            Kind::Closed(why) => return Err(why.clone()),
        };
        let at = Some(at.to_string());
        let line = JournalLine::End(Box::new(End { id, outcome: outcome.clone(), done: done.cloned(), at }));
        disk.add(&line, EntryRelation::None).map(drop)
    }

    /// The entries of other windows since the last call. If nothing was written, only one number is read from the
    /// database. Blocks.
    pub(crate) fn new_events(&self) -> Result<Vec<JournalEvent>, JournalError> {
        match &self.0 {
            Kind::Disk(disk) => {
                disk.new_events().map_err(|error| JournalError::in_database("cannot read the history", &error))
            }
            Kind::Memory | Kind::Closed(_) => Ok(Vec::new()),
        }
    }

    /// Whether a step of another window is in progress, which ends without a line if that window is closed. Blocks.
    pub(crate) fn awaits_others(&self) -> bool {
        match &self.0 {
            Kind::Disk(disk) => disk.tail().awaits(),
            Kind::Memory | Kind::Closed(_) => false,
        }
    }

    /// The folder of the copies of deleted assets of this connection; `None` in memory.
    pub fn deleted(&self) -> Option<PathBuf> {
        match &self.0 {
            Kind::Disk(disk) => Some(disk.folder.path("deleted")),
            Kind::Memory | Kind::Closed(_) => None,
        }
    }

    /// The ledgers of this connection's runs; `None` in memory.
    pub fn runs(&self) -> Option<RunStore> {
        match &self.0 {
            Kind::Disk(disk) => Some(disk.runs.clone()),
            Kind::Memory | Kind::Closed(_) => None,
        }
    }
}

impl Disk {
    /// Adds a line after reading all lines of other windows; returns why it was not added if another window was first.
    fn add(&self, line: &JournalLine, answers: EntryRelation) -> Result<Option<&'static str>, JournalError> {
        let failed = |why: &dyn std::fmt::Display| JournalError(format!("cannot write the history: {why}"));
        let text = serde_json::to_string(line).map_err(|error| failed(&error))?;
        if text.len() > LONGEST_LINE {
            return Err(failed(&"the step is too large to record"));
        }
        let mut tail = self.tail();
        let at = tail.at();
        let added = self.steps.add(&text, at, |read| {
            tail.catch_up(&read);
            tail.refuses(answers)
        });
        Ok(match added.map_err(|error| failed(&error))? {
            Ok(number) => {
                tail.passed(line, number);
                None
            }
            Err(refused) => Some(refused),
        })
    }

    fn new_events(&self) -> Result<Vec<JournalEvent>, DatabaseError> {
        let mut tail = self.tail();
        // Read first: lines that are written after this are read by the next call.
        let version = self.steps.database.version()?;
        if tail.is_at(version) && !tail.awaits() {
            return Ok(Vec::new());
        }
        let gone = tail.orphaned(self.steps.database.folder());
        let read = self.steps.after(tail.at())?;
        tail.catch_up(&read);
        tail.reached(version);
        tail.give_up(gone);
        Ok(folded(tail.take_events()))
    }

    fn tail(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn damage(lines: usize, path: &Path) -> Option<String> {
    let path = path.display();
    match lines {
        0 => None,
        1 => Some(format!("Skipped 1 unreadable line of the history; it is still in the database: {path}")),
        lines => {
            Some(format!("Skipped {lines} unreadable lines of the history; they are still in the database: {path}"))
        }
    }
}
