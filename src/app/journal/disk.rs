//! The journal's file.
//!
//! What must hold: a line is on disk when the call that writes it returns, and is added at once, under the folder's
//! lock; a line that could not be written leaves nothing behind.

use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::app::change::Change;
use crate::app::db::{Database, RunStore};
use crate::app::journal::folder::Folder;
use crate::app::journal::line::{Begin, End, Line};
use crate::app::journal::presence::Presence;
use crate::app::journal::replay::{Kept, LONGEST_LINE, Replay};
use crate::app::journal::rotate::rotate;
use crate::app::journal::tail::{JournalEvent, Tail, folded};
use crate::app::journal::{Entry, EntryId, EntryRelation, Outcome};

/// The journal of one connection. A copy writes to the same file.
#[derive(Clone, Debug, Default)]
pub struct Journal(Kind);

#[derive(Clone, Debug, Default)]
enum Kind {
    #[default]
    Memory,
    Disk(Arc<Disk>),
    /// It could not be opened: nothing can be noted, so nothing may be sent.
    Closed(JournalError),
}

/// A journal's file, and what is known of what others add to it.
#[derive(Debug)]
struct Disk {
    folder: Arc<Folder>,
    runs: RunStore,
    presence: Presence,
    /// Taken only with the folder's lock held, so that nobody waits for it.
    tail: Mutex<Tail>,
}

/// A journal, and what it held.
#[derive(Debug)]
pub struct Opened {
    /// To go on writing.
    pub journal: Journal,
    /// What was in it, oldest first; a step without an end is in progress where the window that began it is open, else
    /// its outcome is unknown.
    pub entries: Vec<Entry>,
    /// What was wrong with it, for people.
    pub said: Option<String>,
}

/// A journal that cannot be written or read; the sentence says what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct JournalError(pub String);

impl JournalError {
    /// What failed, why, what to do about it, and where.
    pub(in crate::app) fn of(what: &str, error: &io::Error, path: &Path) -> Self {
        let advice = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space and try again",
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "allow this program to write there, or start it with another --data folder"
            }
            _ => "fix this and reconnect",
        };
        Self(format!("{what}: {error}; {advice}: {}", path.display()))
    }
}

/// Why a step could not be begun; nothing may be sent for it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BeginError {
    /// It could not be noted.
    #[error("a change must be recorded before it is sent: {0}")]
    Unnoted(#[from] JournalError),
    /// The step that it undoes or redoes was undone or redone by another window.
    #[error("{0}")]
    Answered(&'static str),
}

/// The journal's name in its folder.
pub(super) const FILE: &str = "journal.jsonl";

/// How much is kept in memory, and stays in the file when it has grown large.
const KEPT: Kept = Kept { entries: 5_000, bytes: ROTATED_AT };

/// How large the file may be when it is opened; older steps move to a file beside it then.
const ROTATED_AT: u64 = 64 * 1024 * 1024;

impl Journal {
    /// One that is kept in memory only.
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// One that refuses every step, since it could not be opened.
    pub fn closed(why: JournalError) -> Self {
        Self(Kind::Closed(why))
    }

    /// Opens the journal of a connection in a data folder, and makes it where there is none. Blocks.
    pub fn open(data: &Path, connection: &str) -> Result<Opened, JournalError> {
        let folder = Arc::new(Folder::open(&data.join("journal"), connection)?);
        let database = Database::open(data).map_err(|error| JournalError(error.to_string()))?;
        let mut opened = Self::in_database(folder, database.database, connection)?;
        opened.said = database.problem.into_iter().chain(opened.said).reduce(|all, said| format!("{all}. {said}"));
        Ok(opened)
    }

    /// The same where folder and database are open.
    pub(in crate::app) fn in_database(
        folder: Arc<Folder>,
        database: Arc<Database>,
        connection: &str,
    ) -> Result<Opened, JournalError> {
        let runs = RunStore::of(database, connection);
        Self::open_in(folder, runs, KEPT, ROTATED_AT)
    }

    pub(super) fn open_in(
        folder: Arc<Folder>,
        runs: RunStore,
        kept: Kept,
        rotated_at: u64,
    ) -> Result<Opened, JournalError> {
        let path = folder.path(FILE);
        let failed = |error| JournalError::of("cannot read the history", &error, &path);
        let _locked = folder.lock().map_err(failed)?;
        let (file, made) = folder.file(FILE).map_err(failed)?;
        if made {
            folder.sync().map_err(failed)?;
        }
        let replay = Replay::of(BufReader::new(&file), kept).map_err(failed)?;
        let imported = runs.import(&folder.path("runs")).map_err(|error| JournalError(error.to_string()))?;
        let (mut said, mut damaged_in) = (imported, path.clone());
        if replay.older > 0 && file.metadata().map_err(failed)?.len() > rotated_at {
            match rotate(&folder, &file, &replay) {
                Ok(older) => damaged_in = folder.path(&older),
                Err(error) => said.push(
                    JournalError::of("cannot move older steps out of the large history file", &error, &path)
                        .to_string(),
                ),
            }
        }
        said.extend(damage(replay.damaged, &damaged_in));
        let said = (!said.is_empty()).then(|| said.join(". "));
        let open = replay.open(|window| window.is_open(&folder));
        let entries = replay.entries(&open);
        let presence = Presence::announce(&folder).map_err(failed)?;
        let (file, _) = folder.file(FILE).map_err(failed)?;
        let tail = Tail::behind(&file, presence.id, &entries, open).map_err(failed)?;
        let disk = Disk { folder, runs, presence, tail: Mutex::new(tail) };
        Ok(Opened { entries, said, journal: Self(Kind::Disk(Arc::new(disk))) })
    }

    /// Notes a step before its first call leaves; it is on disk when this returns. One that undoes or redoes a step for
    /// which another window has done so already is refused. Blocks.
    pub fn begin(&self, entry: &Entry) -> Result<(), BeginError> {
        let disk = match &self.0 {
            Kind::Disk(disk) => disk,
            Kind::Memory => return Ok(()),
            Kind::Closed(why) => return Err(why.clone().into()),
        };
        let line = Line::Begin(Box::new(Begin::of(entry, disk.presence.id)));
        match disk.add(&line, entry.answers).map_err(|error| disk.unwritten(&error))? {
            None => Ok(()),
            Some(refused) => Err(BeginError::Answered(refused)),
        }
    }

    /// Notes how a step ended, with what only the service could say filled into the change. Blocks.
    pub fn end(&self, id: EntryId, outcome: &Outcome, done: Option<&Change>) -> Result<(), JournalError> {
        let disk = match &self.0 {
            Kind::Disk(disk) => disk,
            Kind::Memory => return Ok(()),
            Kind::Closed(why) => return Err(why.clone()),
        };
        let line = Line::End(Box::new(End { id, outcome: outcome.clone(), done: done.cloned() }));
        disk.add(&line, EntryRelation::Nothing).map(|_| ()).map_err(|error| disk.unwritten(&error))
    }

    /// What other windows noted since this was asked last. Where nothing was written this costs one look at the file's
    /// length and time. Blocks.
    pub(in crate::app) fn news(&self) -> Result<Vec<JournalEvent>, JournalError> {
        match &self.0 {
            Kind::Disk(disk) => disk.news().map_err(|error| disk.unread(&error)),
            Kind::Memory | Kind::Closed(_) => Ok(Vec::new()),
        }
    }

    /// The folder of the copies of deleted assets of this connection; None in memory.
    pub fn deleted(&self) -> Option<PathBuf> {
        match &self.0 {
            Kind::Disk(disk) => Some(disk.folder.path("deleted")),
            Kind::Memory | Kind::Closed(_) => None,
        }
    }

    /// The ledgers of this connection's runs; None in memory.
    pub fn runs(&self) -> Option<RunStore> {
        match &self.0 {
            Kind::Disk(disk) => Some(disk.runs.clone()),
            Kind::Memory | Kind::Closed(_) => None,
        }
    }
}

impl Disk {
    /// Adds a line, after all that others wrote was read; gives why it was not added, where another window was first.
    fn add(&self, line: &Line, answers: EntryRelation) -> io::Result<Option<&'static str>> {
        let bytes = line.bytes()?;
        if bytes.len() as u64 > LONGEST_LINE {
            return Err(io::Error::other("the step is too large to record"));
        }
        let _locked = self.folder.lock()?;
        let (file, made) = self.folder.file(FILE)?;
        let mut tail = self.tail();
        tail.catch_up(&file)?;
        if let Some(refused) = tail.refuses(answers) {
            return Ok(Some(refused));
        }
        append(&file, bytes)?;
        if made {
            self.folder.sync()?;
        }
        tail.passed(line, &file)?;
        Ok(None)
    }

    fn news(&self) -> io::Result<Vec<JournalEvent>> {
        let is_same = || {
            let now = std::fs::symlink_metadata(self.folder.path(FILE)).ok()?;
            let tail = self.tail();
            (tail.is_seen(&now) && !tail.awaits()).then_some(())
        };
        if is_same().is_some() {
            return Ok(Vec::new());
        }
        let _locked = self.folder.lock()?;
        let (file, _) = self.folder.file(FILE)?;
        let mut tail = self.tail();
        tail.catch_up(&file)?;
        tail.give_up_gone(&self.folder);
        Ok(folded(tail.take_news()))
    }

    fn tail(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unwritten(&self, error: &io::Error) -> JournalError {
        JournalError::of("cannot write the history", error, &self.folder.path(FILE))
    }

    fn unread(&self, error: &io::Error) -> JournalError {
        JournalError::of("cannot read the history", error, &self.folder.path(FILE))
    }
}

/// Adds a line to the file, in one write; what is there stays as it is.
fn append(mut file: &File, mut line: Vec<u8>) -> io::Result<()> {
    let length = file.seek(SeekFrom::End(0))?;
    if length > 0 {
        // A line that was cut short stays so; this one begins behind it.
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            line.insert(0, b'\n');
        }
    }
    let written = file.write_all(&line).and_then(|()| file.sync_all());
    if written.is_err() {
        // Where this fails too, the next line begins on a line of its own, and the reader leaves the piece out.
        file.set_len(length).ok();
    }
    written
}

fn damage(lines: usize, path: &Path) -> Option<String> {
    let path = path.display();
    match lines {
        0 => None,
        1 => Some(format!("Skipped 1 unreadable line of the history; the file is unchanged: {path}")),
        lines => Some(format!("Skipped {lines} unreadable lines of the history; the file is unchanged: {path}")),
    }
}
