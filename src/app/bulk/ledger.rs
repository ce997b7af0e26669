//! The ledger of a run on disk: what is to be done to each row, what was sent, how it ended. One file a run, one JSON
//! object a line, in the folder that [`crate::app::journal::Journal::runs`] names.
//!
//! What must hold: lines are only added; the first one is synced before anything is sent; the line that a row is sent is
//! written before its call leaves, so that a program that is killed knows on resuming what to settle. Where a write
//! must not be made twice (a score, a new item, a deletion) that line is synced too, so that the same holds after a
//! power cut. A link, an edit and a reclassification need no sync: each row is read afresh before it is written, and
//! making one that was made already changes nothing. A file that ends within a line has lost that line and no other.
//! One program at a time goes on with a ledger.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::app::bulk::{Kept, Line, RowStatus, RunId, RunStatus};
use crate::app::change::Change;
use crate::app::files::{make_folder, private, sync_folder};

/// A ledger that cannot be written or read; the sentence says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LedgerError(pub String);

/// Writes the ledger of one run. A copy writes to the same file.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// To the thread that writes; None in memory.
    lines: Option<Sender<Order>>,
    /// Why it could not be written, once it could not.
    broken: Arc<OnceLock<LedgerError>>,
}

/// A line on its way to the file.
#[derive(Debug)]
struct Order {
    line: String,
    synced: bool,
    /// Told when it is written.
    written: Option<oneshot::Sender<Result<(), LedgerError>>>,
}

impl Ledger {
    /// One that keeps nothing, for a journal in memory.
    pub fn in_memory() -> Self {
        Self { lines: None, broken: Arc::default() }
    }

    /// Where the ledger of a run lies.
    pub fn path(folder: &Path, run: RunId) -> PathBuf {
        folder.join(format!("{}.jsonl", run.0))
    }

    /// Makes the ledger of a run; its first line is on disk when this returns. None keeps it in memory. Blocks.
    pub fn create(folder: Option<&Path>, kept: &Kept) -> Result<Self, LedgerError> {
        let Some(folder) = folder else { return Ok(Self::in_memory()) };
        let path = Self::path(folder, kept.run.id);
        let made = || {
            make_folder(folder)?;
            let mut file = private(OpenOptions::new().append(true).create_new(true)).open(&path)?;
            file.lock()?;
            file.write_all(text(&kept.header()).as_bytes())?;
            file.sync_all()?;
            sync_folder(folder)?;
            Ok(file)
        };
        made().map(|file| Self::writing(file, path.clone())).map_err(|error| unwritten(&path, &error))
    }

    /// Goes on with the ledger of a run: to write it, and the run as it stands. Read before nobody else could write it,
    /// it might lack what another task of the same program did last. Fails where another program goes on with it. Blocks.
    pub fn resume(folder: &Path, run: RunId) -> Result<(Self, Kept, Option<String>), LedgerError> {
        let ledger = Self::reopen(Some(folder), run)?;
        let (kept, said) = Self::read(&Self::path(folder, run))?;
        Ok((ledger, kept, said))
    }

    /// Goes on writing the ledger of a run. What it holds is to be read after this, not before: see [`Self::resume`].
    pub fn reopen(folder: Option<&Path>, run: RunId) -> Result<Self, LedgerError> {
        let Some(folder) = folder else { return Ok(Self::in_memory()) };
        let path = Self::path(folder, run);
        let failed = |error: io::Error| unwritten(&path, &error);
        let mut file = OpenOptions::new().read(true).append(true).open(&path).map_err(failed)?;
        lock(&file, &path)?;
        if ends_within_a_line(&mut file).map_err(failed)? {
            file.write_all(b"\n").map_err(failed)?;
        }
        Ok(Self::writing(file, path.clone()))
    }

    fn writing(file: File, path: PathBuf) -> Self {
        let (lines, orders) = channel();
        let broken = Arc::default();
        let tell = Arc::clone(&broken);
        std::thread::spawn(move || write_all(file, &path, &orders, &tell));
        Self { lines: Some(lines), broken }
    }

    /// Adds a line, and waits for nothing. That it could not be written is told by the next line that is waited for.
    pub fn note(&self, line: &Line) {
        if let Some(lines) = &self.lines {
            // The thread is gone when the file could not be written; `before` tells.
            lines.send(Order { line: text(line), synced: false, written: None }).ok();
        }
    }

    /// Adds a line and waits until it is written, and where `synced` until it is on disk.
    pub async fn before(&self, line: &Line, synced: bool) -> Result<(), LedgerError> {
        self.order(text(line), synced).await
    }

    /// Whether it could be written so far.
    pub fn sound(&self) -> bool {
        self.broken.get().is_none()
    }

    /// Waits until all lines so far are on disk.
    pub async fn flush(&self) -> Result<(), LedgerError> {
        self.order(String::new(), true).await
    }

    async fn order(&self, line: String, synced: bool) -> Result<(), LedgerError> {
        let Some(lines) = &self.lines else { return Ok(()) };
        let (written, end) = oneshot::channel();
        let sent = lines.send(Order { line, synced, written: Some(written) });
        match (sent, end.await) {
            (Ok(()), Ok(end)) => end,
            _ => Err(self.broken.get().cloned().unwrap_or_else(|| LedgerError("the ledger is closed".to_owned()))),
        }
    }

    /// Reads a ledger: the run, what takes it on, and what was wrong with the file, for people. A run that had not ended
    /// reads as interrupted, and a row that was being sent as unknown. Blocks.
    pub fn read(path: &Path) -> Result<(Kept, Option<String>), LedgerError> {
        let failed = |why: &str| LedgerError(format!("cannot read the ledger of the run: {why}: {}", path.display()));
        let bytes = fs::read(path).map_err(|error| failed(&error.to_string()))?;
        let mut lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let header = match lines.next().map(serde_json::from_slice) {
            Some(Ok(Line::Run(header))) => *header,
            _ => return Err(failed("its first line is damaged")),
        };
        let mut kept = Kept::of_header(header).ok_or_else(|| failed("its rows and tasks do not match"))?;
        let (mut damaged, mut last_whole) = (0, true);
        for line in lines {
            let line = serde_json::from_slice(line);
            last_whole = line.is_ok();
            match line {
                Ok(line) => kept.take(line),
                Err(_) => damaged += 1,
            }
        }
        // The last line may have been cut by whatever ended the program; that is what ledgers are for.
        let cut = !last_whole && bytes.last() != Some(&b'\n');
        let damaged = damaged - usize::from(cut);
        let said =
            (damaged > 0).then(|| format!("{damaged} lines of the ledger of a run are damaged: {}", path.display()));
        interrupt(&mut kept);
        Ok((kept, said))
    }

    /// The runs in a folder that have not ended, oldest first, and what could not be read. Blocks.
    pub fn interrupted(folder: &Path) -> (Vec<Kept>, Vec<String>) {
        let (mut runs, mut said) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_none_or(|ending| ending != "jsonl") || has_ended(&path) {
                continue;
            }
            match Self::read(&path) {
                Ok((kept, damage)) => {
                    said.extend(damage);
                    runs.extend((kept.run.status == RunStatus::Interrupted).then_some(kept));
                }
                Err(error) => said.push(error.to_string()),
            }
        }
        runs.sort_by_key(|kept| kept.run.at);
        (runs, said)
    }
}

/// Whether a write must never be made twice, not even after a power cut: then its line is synced before it is sent.
pub(super) fn synced(change: &Change) -> bool {
    match change {
        Change::Increment { .. }
        | Change::LinkNew { .. }
        | Change::Create { .. }
        | Change::Delete { .. }
        | Change::Purge { .. }
        | Change::Recreate { .. } => true,
        Change::Link { .. }
        | Change::Unlink { .. }
        | Change::Edit { .. }
        | Change::Record { .. }
        | Change::Text { .. }
        | Change::Reclassify { .. }
        | Change::Restore { .. } => false,
    }
}

/// The thread that writes: all lines that wait go out as one, with one sync for all of them.
fn write_all(mut file: File, path: &Path, orders: &Receiver<Order>, broken: &OnceLock<LedgerError>) {
    while let Ok(first) = orders.recv() {
        let waiting: Vec<_> = std::iter::once(first).chain(orders.try_iter()).collect();
        let lines: String = waiting.iter().map(|order| order.line.as_str()).collect();
        let synced = waiting.iter().any(|order| order.synced);
        let written = file.write_all(lines.as_bytes()).and_then(|()| if synced { file.sync_data() } else { Ok(()) });
        let end = written.map_err(|error| unwritten(path, &error));
        if let Err(error) = &end {
            broken.get_or_init(|| error.clone());
        }
        for told in waiting.into_iter().filter_map(|order| order.written) {
            // Who does not wait any more need not know.
            told.send(end.clone()).ok();
        }
        if end.is_err() {
            return;
        }
    }
}

fn text(line: &Line) -> String {
    let mut text = serde_json::to_string(line).expect("a line holds nothing that JSON cannot");
    text.push('\n');
    text
}

fn unwritten(path: &Path, error: &io::Error) -> LedgerError {
    LedgerError(format!("the run stopped because its ledger cannot be written: {error}: {}", path.display()))
}

/// How long another holder of a ledger is waited for: one of this program may be about to let go.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);

fn lock(file: &File, path: &Path) -> Result<(), LedgerError> {
    let end = Instant::now() + LOCK_PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < end => std::thread::sleep(Duration::from_millis(5)),
            Err(TryLockError::WouldBlock) => {
                let why = "this run continues in another window or in `lunette bulk`";
                return Err(LedgerError(format!("{why}: {}", path.display())));
            }
            Err(TryLockError::Error(error)) => return Err(unwritten(path, &error)),
        }
    }
}

fn ends_within_a_line(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// What stands of a run whose program ended.
fn interrupt(kept: &mut Kept) {
    match kept.run.status {
        RunStatus::Running | RunStatus::Paused(_) | RunStatus::Interrupted => kept.run.status = RunStatus::Interrupted,
        RunStatus::Cancelled | RunStatus::Ended => {}
    }
    let sending = |(_, row): &(usize, &super::Row)| row.status == RowStatus::Sending;
    let rows: Vec<usize> = kept.run.rows.iter().enumerate().filter(sending).map(|(row, _)| row).collect();
    for row in rows {
        let status = match kept.rest.sent.contains_key(&row) {
            true => RowStatus::Unknown("the program ended during the request".to_owned()),
            false => RowStatus::Pending,
        };
        kept.run.change(row, |row| row.status = status);
    }
}

/// Whether the last whole line says that nothing is left to do; reads the end of the file only.
fn has_ended(path: &Path) -> bool {
    let tail = || {
        let mut file = File::open(path)?;
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(length.saturating_sub(256)))?;
        let mut tail = Vec::new();
        file.read_to_end(&mut tail)?;
        io::Result::Ok(tail)
    };
    let tail = tail().unwrap_or_default();
    let last = tail.split(|byte| *byte == b'\n').rfind(|line| !line.is_empty());
    let last = last.and_then(|line| serde_json::from_slice(line).ok());
    matches!(last, Some(Line::Ended | Line::Cancelled))
}
