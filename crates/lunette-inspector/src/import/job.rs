//! An import as one step of the history.
//!
//! What must hold: the step is on disk before its first asset is created; its ledger has a row for each created asset,
//! and none for existing ones, so that Undo deletes exactly what was created. Adding a row does not sync. The names of
//! the files of a batch are on disk before it is sent, so that after a restart it is known which ones may have become
//! assets.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::OnceCell;

use crate::db::Durability;
use crate::import::engine::{CreateAssets, Progress, seeds_of, send_batch};
use crate::import::{created, existed};
use crate::journal::{EntryId, EntryKind, EntryRelation, Outcome};
use crate::runs::{Ledger, LedgerError, LedgerEvent, Run, RunRecord, checkpoint_before};
use crate::tasks::{CancelFlag, Ended, blocking};
use crate::write::engine::{WriteLog, send_recorded};
use crate::write::journaled::{NotRecorded, PendingEntry, WriteContext, entry};
use crate::write::plan::not_done;
use crate::{CallError, Refusal, not_connected};
use lunette_client::client::CallGroup;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::{Record as _, View};
use lunette_client::model::seed::{CreatedAsset, CreatedAssets};
use lunette_client::operation::Call;
use lunette_client::operation::table::{AssetSnapshot, AssetsCreateNewAsset};
use serde_json::Value;

/// A running import. Clones share it.
#[derive(Clone)]
pub(super) struct ImportJob(Arc<Inner>);

struct Inner {
    context: WriteContext,
    title: String,
    /// The number of assets, once known.
    count: AtomicUsize,
    /// Cancels the import when recording fails.
    cancel: CancelFlag,
    begun: OnceCell<Option<StartedImport>>,
    /// Why recording failed.
    problem: OnceLock<RecordError>,
    /// The number of assets whose outcome is unknown.
    unknown: AtomicUsize,
    /// The number of sent batches.
    batches: AtomicU64,
    rows: ImportRows,
    /// The number of created assets.
    created: AtomicUsize,
}

/// Why an import cannot be recorded; what is not recorded is not sent.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum RecordError {
    /// The journal does not have its step.
    #[error(transparent)]
    Step(#[from] NotRecorded),
    /// Its ledger cannot be written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Writing it panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// What an import keeps in memory of the assets that it creates. The ledger has all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImportRows {
    /// A row for each, which the window shows.
    Kept,
    /// Their number.
    Counted,
}

/// An import whose entry is in the journal.
struct StartedImport {
    entry: EntryId,
    step: Mutex<Option<PendingEntry>>,
    ledger: Ledger,
    record: Mutex<RunRecord>,
}

/// A finished import that created assets.
pub(crate) struct Made {
    pub entry: EntryId,
    pub run: Run,
}

/// Returns the step to undo an import; `None` if nothing was created, or if several steps would have to be undone.
pub(super) fn undo_of(made: &[Made]) -> Option<EntryId> {
    let mut undo = made.iter().filter(|made| made.run.counts().done > 0).map(|made| made.entry);
    undo.next().filter(|_| undo.next().is_none())
}

impl ImportJob {
    /// Creates an import with this title, which is written to disk before its first asset is created.
    pub fn new(context: WriteContext, title: String, cancel: CancelFlag, rows: ImportRows) -> Self {
        let group = CallGroup { id: uuid::Uuid::new_v4().as_u128(), title: title.clone() };
        let context = WriteContext { client: context.client.for_run().grouped(group), ..context };
        let (count, begun, problem, unknown, batches, created) = Default::default();
        Self(Arc::new(Inner { context, title, count, cancel, begun, problem, unknown, batches, rows, created }))
    }

    /// Sets the number of assets.
    pub fn expect(&self, count: usize) {
        self.0.count.store(count, Ordering::Relaxed);
    }

    /// Forwards progress, and sets the number of assets from it.
    pub fn counting<P: FnMut(Progress)>(&self, mut progress: P) -> impl FnMut(Progress) + use<P> {
        let step = self.clone();
        move |now: Progress| {
            step.expect(now.total);
            progress(now);
        }
    }

    /// Returns the context of its writes, for other steps of the same import.
    pub fn context(&self) -> &WriteContext {
        &self.0.context
    }

    /// Returns why it stopped, if recording failed.
    pub fn problem(&self) -> Option<&RecordError> {
        self.0.problem.get()
    }

    /// Creates an asset and records it.
    pub async fn make(&self, create: AssetsCreateNewAsset) -> Result<Asset, CallError> {
        let sent = send_recorded(AssetLog(self), self.0.context.client.call(create)).await;
        sent.unwrap_or_else(|why| Err(not_connected(why.to_string())))
    }

    /// Creates the assets of a batch and records them.
    pub async fn make_batch(&self, call: &Call) -> Result<CreatedAssets, CallError> {
        let names: Vec<String> = seeds_of(call).map(name_of_seed).collect();
        let batch = self.0.batches.fetch_add(1, Ordering::Relaxed);
        let log = BatchLog { step: self, batch, names };
        let sent = send_recorded(log, send_batch(&self.0.context.client, call)).await;
        sent.unwrap_or_else(|why| Err(not_connected(why.to_string())))
    }

    /// Counts assets that are about to be sent: their outcome is unknown until there is a response.
    fn add_unknown(&self, count: usize) {
        self.0.unknown.fetch_add(count, Ordering::Relaxed);
    }

    /// Counts assets whose outcome is known.
    fn remove_unknown(&self, count: usize) {
        self.0.unknown.fetch_sub(count, Ordering::Relaxed);
    }

    /// Returns the ledger events of the assets that a batch created, and the names of the files with unknown outcome.
    async fn created_events(&self, batch: &CreatedAssets, names: &[String]) -> (Vec<LedgerEvent>, Vec<String>) {
        let (mut lines, mut unknown) = (Vec::new(), Vec::new());
        for (outcome, name) in batch.view().iterable().iter().zip(names) {
            match (outcome.existing(), outcome.id()) {
                (Some(true), _) | (_, None) => {}
                (_, Some(id)) => match self.record(outcome, id).await.and_then(|tree| created(&tree)) {
                    Some(change) => lines.push(LedgerEvent::Added { name: name.clone(), change: Box::new(change) }),
                    None => unknown.push(name.clone()),
                },
            }
        }
        (lines, unknown)
    }

    /// Returns the record of an asset that a batch created: from the response, or else read again.
    async fn record<'a>(&self, outcome: View<'a, CreatedAsset>, id: &str) -> Option<Cow<'a, Value>> {
        if let Some(asset) = outcome.asset() {
            return Some(Cow::Borrowed(asset.tree()));
        }
        let call = AssetSnapshot { asset: id.parse().ok()?, transferables: Some(false) };
        self.0.context.client.call(call).await.ok().map(|asset| Cow::Owned(asset.into_tree()))
    }

    /// Returns the started import; records its entry if that has not been done.
    async fn begun(&self) -> Result<&StartedImport, RecordError> {
        match self.0.begun.get_or_init(|| self.begin()).await {
            Some(begun) if self.problem().is_none() => Ok(begun),
            Some(_) | None => Err(self.record_error()),
        }
    }

    /// Why recording failed. Without a reason it was cut off.
    fn record_error(&self) -> RecordError {
        self.problem().cloned().unwrap_or(RecordError::Ended(Ended::Cancelled))
    }

    /// Records the entry in the journal; `None` if that fails.
    async fn begin(&self) -> Option<StartedImport> {
        let Inner { context, title, count, .. } = &*self.0;
        let mut record = RunRecord::of_tasks(title.clone(), Vec::new(), 8);
        let kind = EntryKind::Batch { run: record.run.id, count: count.load(Ordering::Relaxed) };
        let entry = entry(title.clone(), kind, &[], EntryRelation::None);
        let id = entry.id;
        record.run.entry = Some(id);
        let step = PendingEntry::begin(context, entry).await.map_err(|why| self.stop(why.into())).ok()?;
        let (runs, first) = (context.journal.runs(), record.clone());
        let ledger = blocking(move || Ledger::create(runs.as_ref(), &first).map_err(RecordError::from));
        match ledger.await.unwrap_or_else(|error| Err(error.into())) {
            Ok(ledger) => {
                Box::pin(checkpoint_before(&context.client, context.vendor, title, None)).await;
                Some(StartedImport { entry: id, step: Mutex::new(Some(step)), ledger, record: Mutex::new(record) })
            }
            Err(why) => {
                step.end(Outcome::Failed(why.to_string()), None).await;
                self.stop(why);
                None
            }
        }
    }

    /// Returns the import if its entry was recorded.
    fn started(&self) -> Option<&StartedImport> {
        self.0.begun.get()?.as_ref()
    }

    /// Records a created asset, even after a problem.
    async fn note(&self, asset: &Asset) {
        // An asset without an id cannot be deleted by Undo; the import reports it as failed.
        let (Some(begun), Some(change)) = (self.started(), created(asset.tree())) else { return };
        let name = asset.view().name().unwrap_or_default().to_owned();
        self.write(begun, vec![LedgerEvent::Added { name, change: Box::new(change) }], Durability::Written).await;
    }

    /// Adds events to the ledger in one transaction; returns false and stops the import if that fails.
    async fn write(&self, begun: &StartedImport, lines: Vec<LedgerEvent>, durability: Durability) -> bool {
        let noted = begun.ledger.append_all(&lines, durability).await;
        {
            let mut record = lock(&begun.record);
            for line in lines {
                let is_row = matches!(line, LedgerEvent::Added { .. });
                self.0.created.fetch_add(usize::from(is_row), Ordering::Relaxed);
                if !is_row || self.0.rows == ImportRows::Kept {
                    record.take(line);
                }
            }
            // The tasks of an import repeat its rows, and there may be many: the ledger has them.
            record.rest.tasks = Arc::default();
        }
        noted.map_err(|error| self.stop(error.into())).is_ok()
    }

    /// Stops the import: an asset that cannot be recorded is not created.
    fn stop(&self, why: RecordError) {
        self.0.problem.get_or_init(|| why);
        self.0.cancel.cancel();
    }

    /// Records the end; returns `None` if nothing was sent.
    pub async fn end(&self) -> Option<Made> {
        let begun = self.started()?;
        let cut_off = lock(&begun.record).rest.adding.clone();
        let cut_off = cut_off.into_iter().map(|(batch, unknown)| LedgerEvent::AddingEnded { batch, unknown });
        self.write(begun, cut_off.collect(), Durability::Written).await;
        let StartedImport { entry, step, ledger, record } = begun;
        let line = if self.0.cancel.cancelled() { LedgerEvent::Cancelled } else { LedgerEvent::Ended };
        ledger.append(&line);
        if let Err(error) = ledger.flush().await {
            self.0.problem.get_or_init(|| error.into());
        }
        let run = {
            let mut record = lock(record);
            record.take(line);
            record.run.clone()
        };
        let outcome = match (self.0.created.load(Ordering::Relaxed), self.0.unknown.load(Ordering::Relaxed)) {
            (0, 0) => Outcome::Failed("nothing new was imported".to_owned()),
            (made, unknown) if unknown > 0 => {
                Outcome::Unknown(format!("{made} created, {unknown} with unknown outcome"))
            }
            _ => Outcome::Done,
        };
        let step = lock(step).take();
        if let Some(step) = step {
            step.end(outcome, None).await;
        }
        Some(Made { entry: *entry, run })
    }
}

/// Records one asset of an import. Its entry in the journal is the record that it is about to be sent.
struct AssetLog<'a>(&'a ImportJob);

impl WriteLog<Result<Asset, CallError>> for AssetLog<'_> {
    type Refused = RecordError;

    async fn begin(&mut self) -> Result<(), RecordError> {
        self.0.begun().await?;
        self.0.add_unknown(1);
        Ok(())
    }

    async fn end(self, result: &Result<Asset, CallError>) {
        let known = match result {
            Ok(asset) if existed(asset) => true,
            Ok(asset) => {
                self.0.note(asset).await;
                true
            }
            Err(error) => !not_done(error.clone()).unknown,
        };
        self.0.remove_unknown(usize::from(known));
    }
}

/// Records the assets of a batch of an import: the names of the files before it is sent, the created assets afterwards.
struct BatchLog<'a> {
    step: &'a ImportJob,
    batch: u64,
    names: Vec<String>,
}

impl WriteLog<Result<CreatedAssets, CallError>> for BatchLog<'_> {
    type Refused = RecordError;

    async fn begin(&mut self) -> Result<(), RecordError> {
        let Self { step, batch, names } = self;
        let begun = step.begun().await?;
        if !step
            .write(begun, vec![LedgerEvent::Adding { batch: *batch, names: names.clone() }], Durability::Synced)
            .await
        {
            return Err(step.record_error());
        }
        step.add_unknown(names.len());
        Ok(())
    }

    async fn end(self, result: &Result<CreatedAssets, CallError>) {
        let Self { step, batch, names } = self;
        let (mut lines, unknown) = match result {
            Ok(created) => step.created_events(created, &names).await,
            Err(error) if not_done(error.clone()).unknown => (Vec::new(), names.clone()),
            Err(_) => Default::default(),
        };
        step.remove_unknown(names.len() - unknown.len());
        lines.push(LedgerEvent::AddingEnded { batch, unknown });
        // Also after a problem: the assets were created.
        if let Some(begun) = step.started() {
            step.write(begun, lines, Durability::Written).await;
        }
    }
}

impl CreateAssets for ImportJob {
    /// Undo compares assets with their records.
    const RECORDS: bool = true;

    fn at_once(&self) -> Option<usize> {
        self.0.context.client.pace().map(|pace| pace.limit)
    }

    fn refusal(&self) -> Option<Refusal> {
        self.0.context.client.refusal()
    }

    async fn create(&self, call: AssetsCreateNewAsset) -> Result<Asset, CallError> {
        self.make(call).await
    }

    async fn create_batch(&self, call: &Call) -> Result<CreatedAssets, CallError> {
        self.make_batch(call).await
    }
}

fn name_of_seed(seed: &Value) -> String {
    seed["asset"]["metadata"]["name"].as_str().unwrap_or_default().to_owned()
}

/// No code can panic while holding these, so poisoning is ignored.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
