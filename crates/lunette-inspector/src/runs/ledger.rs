//! The ledger of a run on disk: the task of each row, what was sent, and the result. Its lines are JSON objects in the
//! database, in the store that [`crate::journal::Journal::runs`] returns.
//!
//! What must hold: a ledger is append-only; the first line is synced before anything is sent; the line that a row is
//! being sent is written before its call, so that a resumed run knows which rows to reconcile after the program was
//! killed. If a write must not be repeated (a score, a new item, a deletion) that line is synced too, so that the same
//! holds after a power cut. A link, an edit and a reclassification need no sync: each row is read again before it is
//! written, and repeating one that was applied changes nothing. One program at a time writes to a ledger.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::db::lock::NamedLock;
use crate::db::{DatabaseError, Durability, RunStore};
use crate::runs::{LedgerEvent, RowStatus, RunId, RunRecord, RunStatus};

/// Why a ledger cannot be written or read; the message includes advice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// Nothing is stored on disk.
    #[error("the run has no ledger")]
    NotStored,
    /// There is none of this run, or it is damaged.
    #[error("cannot read the ledger of the run: {0}")]
    Unreadable(String),
    /// A write failed.
    #[error("the run stopped because its ledger cannot be written: {0}")]
    Unwritten(DatabaseError),
    /// Another program writes to it.
    #[error("this run continues in another window or in “lunette bulk”")]
    InUse,
    /// The thread that writes it has ended.
    #[error("the ledger is closed")]
    Closed,
}

/// Writes the ledger of one run. Clones write to the same ledger.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// The channel to the writing thread; `None` in memory.
    lines: Option<Sender<WriteRequest>>,
    /// The first error of a write.
    broken: Arc<OnceLock<LedgerError>>,
}

/// Lines for the writing thread.
#[derive(Debug)]
struct WriteRequest {
    /// Written in one transaction; empty if only the previous lines are to be synced.
    lines: Vec<String>,
    durability: Durability,
    /// Receives the result of the write.
    written: Option<oneshot::Sender<Result<(), LedgerError>>>,
}

impl Ledger {
    /// A ledger that stores nothing, for a journal in memory.
    pub fn in_memory() -> Self {
        Self { lines: None, broken: Arc::default() }
    }

    /// Creates the ledger of a run; its first line is on disk when this returns. Without a store it is in memory.
    /// Blocks.
    pub fn create(store: Option<&RunStore>, record: &RunRecord) -> Result<Self, LedgerError> {
        let Some(store) = store else { return Ok(Self::in_memory()) };
        let run = record.run.id;
        let run_lock = lock(store, run)?;
        store.add(run.0, &[text(&record.header())], Durability::Synced).map_err(LedgerError::Unwritten)?;
        Ok(Self::writing(store.clone(), run, run_lock))
    }

    /// Reopens the ledger of a run and reads the run. The ledger is locked before it is read, so that it has all lines
    /// of another task of this program. Fails if another program writes to it. Blocks.
    pub fn resume(store: &RunStore, run: RunId) -> Result<(Self, RunRecord, Option<String>), LedgerError> {
        let run_lock = lock(store, run)?;
        let (record, message) = Self::read(store, run)?;
        Ok((Self::writing(store.clone(), run, run_lock), record, message))
    }

    fn writing(store: RunStore, run: RunId, run_lock: NamedLock) -> Self {
        let (lines, orders) = channel();
        let broken = Arc::default();
        let first_error = Arc::clone(&broken);
        std::thread::spawn(move || write_all(&store, run, run_lock, &orders, &first_error));
        Self { lines: Some(lines), broken }
    }

    /// Adds a line without waiting. If it cannot be written, the next line that is waited for returns the error.
    pub fn append(&self, line: &LedgerEvent) {
        if let Some(lines) = &self.lines {
            // The thread ends after a failed write; `append_and_wait` returns the error.
            lines.send(WriteRequest { lines: vec![text(line)], durability: Durability::Written, written: None }).ok();
        }
    }

    /// Adds a line and waits until it is as durable as this.
    pub async fn append_and_wait(&self, line: &LedgerEvent, durability: Durability) -> Result<(), LedgerError> {
        self.order(vec![text(line)], durability).await
    }

    /// Adds lines in one transaction and waits as [`Self::append_and_wait`] does.
    pub async fn append_all(&self, lines: &[LedgerEvent], durability: Durability) -> Result<(), LedgerError> {
        self.order(lines.iter().map(text).collect(), durability).await
    }

    /// Whether all writes so far succeeded.
    pub fn has_no_error(&self) -> bool {
        self.broken.get().is_none()
    }

    /// Waits until all lines so far are on disk.
    pub async fn flush(&self) -> Result<(), LedgerError> {
        self.order(Vec::new(), Durability::Synced).await
    }

    async fn order(&self, added: Vec<String>, durability: Durability) -> Result<(), LedgerError> {
        let Some(lines) = &self.lines else { return Ok(()) };
        let (written, end) = oneshot::channel();
        // The error would keep `written` alive, and `end` would wait forever.
        let sent = lines.send(WriteRequest { lines: added, durability, written: Some(written) }).map_err(drop);
        match (sent, end.await) {
            (Ok(()), Ok(end)) => end,
            _ => Err(self.broken.get().cloned().unwrap_or(LedgerError::Closed)),
        }
    }

    /// Reads a ledger: the run with its context, and a message if lines are damaged. A run that had not ended is read
    /// as interrupted, and a row that was being sent as unknown. Blocks.
    pub fn read(store: &RunStore, run: RunId) -> Result<(RunRecord, Option<String>), LedgerError> {
        let failed = |why: &str| LedgerError::Unreadable(why.to_owned());
        let found = store.lines(run.0).map_err(|error| failed(&error.to_string()))?;
        let mut lines = found.lines.iter().map(|line| serde_json::from_str(line));
        let header = match lines.next() {
            None if found.damaged == 0 => return Err(failed("there is none")),
            Some(Ok(LedgerEvent::Run(header))) => *header,
            _ => return Err(failed("its first line is damaged")),
        };
        let mut record = RunRecord::of_header(header).ok_or_else(|| failed("its rows and tasks do not match"))?;
        let mut damaged = found.damaged;
        for line in lines {
            match line {
                Ok(line) => record.take(line),
                Err(_) => damaged += 1,
            }
        }
        let message = (damaged > 0)
            .then(|| format!("{damaged} lines of the ledger of the run “{}” are damaged", record.run.title));
        interrupt(&mut record);
        Ok((record, message))
    }

    /// The runs of a store that have not ended, oldest first, and messages about unreadable ones. Blocks.
    pub fn interrupted(store: &RunStore) -> (Vec<RunRecord>, Vec<String>) {
        let (mut runs, mut message) = (Vec::new(), Vec::new());
        let known = store.last_lines().unwrap_or_else(|error| {
            message.push(format!("cannot read the ledgers of runs: {error}"));
            Vec::new()
        });
        for run in known.into_iter().filter(|(_, last)| !has_ended(last.as_deref())).map(|(run, _)| RunId(run)) {
            match Self::read(store, run) {
                Ok((record, damage)) => {
                    message.extend(damage);
                    runs.extend((record.run.status == RunStatus::Interrupted).then_some(record));
                }
                Err(error) => message.push(error.to_string()),
            }
        }
        runs.sort_by_key(|record| record.run.at);
        (runs, message)
    }
}

/// The writing thread: all waiting lines are written together, with one sync.
fn write_all(
    store: &RunStore,
    run: RunId,
    run_lock: NamedLock,
    orders: &Receiver<WriteRequest>,
    broken: &OnceLock<LedgerError>,
) {
    while let Ok(first) = orders.recv() {
        let mut waiting: Vec<_> = std::iter::once(first).chain(orders.try_iter()).collect();
        let lines: Vec<_> = waiting.iter_mut().flat_map(|order| std::mem::take(&mut order.lines)).collect();
        let durability = waiting.iter().map(|order| order.durability).max().unwrap_or(Durability::Written);
        let end = store.add(run.0, &lines, durability).map_err(LedgerError::Unwritten);
        if let Err(error) = &end {
            broken.get_or_init(|| error.clone());
        }
        for reply in waiting.into_iter().filter_map(|order| order.written) {
            // It fails if the sender no longer waits for it.
            reply.send(end.clone()).ok();
        }
        if end.is_err() {
            break;
        }
    }
    drop(run_lock);
}

fn text(line: &LedgerEvent) -> String {
    serde_json::to_string(line).expect("a line holds nothing that JSON cannot")
}

/// How long to wait for the lock of a ledger: another task of this program may be about to release it.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

fn lock(store: &RunStore, run: RunId) -> Result<NamedLock, LedgerError> {
    let end = Instant::now() + LOCK_TIMEOUT;
    loop {
        match store.lock(run.0).map_err(LedgerError::Unwritten)? {
            Some(run_lock) => return Ok(run_lock),
            None if Instant::now() < end => std::thread::sleep(Duration::from_millis(5)),
            None => return Err(LedgerError::InUse),
        }
    }
}

/// Marks the run of an ended program as interrupted.
fn interrupt(record: &mut RunRecord) {
    match record.run.status {
        RunStatus::Running | RunStatus::Paused(_) | RunStatus::Interrupted => {
            record.run.status = RunStatus::Interrupted
        }
        RunStatus::Cancelled | RunStatus::Ended => {}
    }
    let sending = |(_, row): &(usize, &crate::runs::RunRow)| row.status == RowStatus::Sending;
    let rows: Vec<usize> = record.run.rows.iter().enumerate().filter(sending).map(|(row, _)| row).collect();
    for row in rows {
        let status = match record.rest.sent.contains_key(&row) {
            true => RowStatus::Unknown("the program ended during the request".to_owned()),
            false => RowStatus::Pending,
        };
        record.run.change(row, |row| row.status = status);
    }
    for names in std::mem::take(&mut record.rest.adding).into_values() {
        record.run.add_unconfirmed(names);
    }
}

/// Whether the last line ends the run.
fn has_ended(last: Option<&str>) -> bool {
    let last = last.and_then(|line| serde_json::from_str(line).ok());
    matches!(last, Some(LedgerEvent::Ended | LedgerEvent::Cancelled))
}
