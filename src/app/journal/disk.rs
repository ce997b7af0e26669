//! The journal's file.
//!
//! What must hold: a line is on disk when the call that writes it returns, and is added at once, under the folder's
//! lock; a line that could not be written leaves nothing behind.

use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::change::Change;
use crate::app::journal::folder::Folder;
use crate::app::journal::line::{Begin, End, Line};
use crate::app::journal::replay::{Kept, LONGEST_LINE, Replay};
use crate::app::journal::rotate::rotate;
use crate::app::journal::{Entry, EntryId, Outcome};

/// The journal of one connection. A copy writes to the same file.
#[derive(Clone, Debug, Default)]
pub struct Journal(Kind);

#[derive(Clone, Debug, Default)]
enum Kind {
    #[default]
    Memory,
    Disk(Arc<Folder>),
    /// It could not be opened: nothing can be noted, so nothing may be sent.
    Closed(JournalError),
}

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

impl JournalError {
    /// What failed, why, what to do about it, and where.
    pub(in crate::app) fn of(what: &str, error: &io::Error, path: &Path) -> Self {
        let advice = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room there and try again",
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "let this program write there, or start it with another --data folder"
            }
            _ => "see to that place, then connect again",
        };
        Self(format!("{what}: {error}; {advice}: {}", path.display()))
    }
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

    /// Opens the journal of a connection, and makes it where there is none. Blocks.
    pub fn open(folder: &Path, connection: &str) -> Result<Opened, JournalError> {
        Self::in_folder(Arc::new(Folder::open(folder, connection)?))
    }

    /// The same in a folder that is open.
    pub(in crate::app) fn in_folder(folder: Arc<Folder>) -> Result<Opened, JournalError> {
        Self::open_in(folder, KEPT, ROTATED_AT)
    }

    pub(super) fn open_in(folder: Arc<Folder>, kept: Kept, rotated_at: u64) -> Result<Opened, JournalError> {
        let path = folder.path(FILE);
        let failed = |error| JournalError::of("the journal could not be read", &error, &path);
        let _locked = folder.lock().map_err(failed)?;
        let (file, made) = folder.file(FILE).map_err(failed)?;
        if made {
            folder.sync().map_err(failed)?;
        }
        let replay = Replay::of(BufReader::new(&file), kept).map_err(failed)?;
        let (mut said, mut damaged_in) = (Vec::new(), path.clone());
        if replay.older > 0 && file.metadata().map_err(failed)?.len() > rotated_at {
            match rotate(&folder, &file, &replay) {
                Ok(older) => damaged_in = folder.path(&older),
                Err(error) => said.push(
                    JournalError::of(
                        "the journal has grown large, and its older steps could not be moved",
                        &error,
                        &path,
                    )
                    .to_string(),
                ),
            }
        }
        said.extend(damage(replay.damaged, &damaged_in));
        let said = (!said.is_empty()).then(|| said.join(". "));
        Ok(Opened { entries: replay.entries(), said, journal: Self(Kind::Disk(Arc::clone(&folder))) })
    }

    /// Notes a step before its first call leaves; it is on disk when this returns. Blocks.
    pub fn begin(&self, entry: &Entry) -> Result<(), JournalError> {
        self.add(|| Line::Begin(Box::new(Begin::of(entry))))
    }

    /// Notes how a step ended, with what only the service could say filled into the change. Blocks.
    pub fn end(&self, id: EntryId, outcome: &Outcome, done: Option<&Change>) -> Result<(), JournalError> {
        self.add(|| Line::End(Box::new(End { id, outcome: outcome.clone(), done: done.cloned() })))
    }

    /// The folder of the ledgers of this connection's runs; None in memory.
    pub fn runs(&self) -> Option<PathBuf> {
        match &self.0 {
            Kind::Disk(folder) => Some(folder.path("runs")),
            Kind::Memory | Kind::Closed(_) => None,
        }
    }

    fn add(&self, line: impl FnOnce() -> Line) -> Result<(), JournalError> {
        let folder = match &self.0 {
            Kind::Disk(folder) => folder,
            Kind::Memory => return Ok(()),
            Kind::Closed(why) => return Err(why.clone()),
        };
        let bytes = line().bytes().map_err(io::Error::from);
        let added = bytes.and_then(|bytes| append(folder, bytes));
        added.map_err(|error| JournalError::of("the journal could not be written", &error, &folder.path(FILE)))
    }
}

/// Adds a line to the file, in one write; what is there stays as it is.
fn append(folder: &Folder, mut line: Vec<u8>) -> io::Result<()> {
    if line.len() as u64 > LONGEST_LINE {
        return Err(io::Error::other("the step is too large to be noted"));
    }
    let _locked = folder.lock()?;
    let (mut file, made) = folder.file(FILE)?;
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
    written?;
    if made { folder.sync() } else { Ok(()) }
}

fn damage(lines: usize, path: &Path) -> Option<String> {
    let path = path.display();
    match lines {
        0 => None,
        1 => {
            Some(format!("1 line of the journal could not be read and was left out; the file is kept as it is: {path}"))
        }
        lines => Some(format!(
            "{lines} lines of the journal could not be read and were left out; the file is kept as it is: {path}"
        )),
    }
}
