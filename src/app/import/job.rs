//! An import as one step of the history.
//!
//! What must hold: the step is on disk before its first asset is made; its ledger has a row for each that was made, and
//! none for what was there before, so that Undo deletes what it made and nothing else. A row costs no sync. The names of
//! the files of a batch are on disk before it is sent, so that a restart knows which ones may have become assets.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use crate::app::bulk::{Ledger, LedgerEvent, Run, RunRecord};
use crate::app::import::engine::{CreateAssets, seeds_of, send_batch};
use crate::app::import::{created, existed};
use crate::app::journal::{EntryId, EntryKind, EntryRelation, Outcome};
use crate::app::tasks::CancelFlag;
use crate::app::write::plan::not_done;
use crate::app::write::step::{PendingEntry, WriteContext, entry};
use crate::app::{CallError, away};
use lunette_client::model::asset::Asset;
use lunette_client::model::record::{Record as _, View};
use lunette_client::model::seed::{CreatedAsset, CreatedAssets};
use lunette_client::operation::Call;
use lunette_client::operation::table::{AssetSnapshot, AssetsCreateNewAsset};
use serde_json::Value;

/// A step that makes assets, under way. Copies share it.
#[derive(Clone)]
pub(super) struct Step(Arc<Inner>);

struct Inner {
    context: WriteContext,
    title: String,
    /// How many assets it is about, once that is known.
    count: AtomicUsize,
    /// Ends what makes the assets when nothing can be noted any more.
    cancel: CancelFlag,
    begun: OnceCell<Option<Begun>>,
    /// Why nothing can be noted any more.
    problem: OnceLock<String>,
    /// How many may have been made, for all that is known.
    unknown: AtomicUsize,
    /// How many batches were sent.
    batches: AtomicU64,
}

/// What there is once it is on disk.
struct Begun {
    entry: EntryId,
    step: Mutex<Option<PendingEntry>>,
    ledger: Ledger,
    record: Mutex<RunRecord>,
}

/// A step that has made assets.
pub(in crate::app) struct Made {
    pub entry: EntryId,
    pub run: Run,
}

impl Step {
    /// A step with this title, on disk once it makes its first asset.
    pub fn new(context: WriteContext, title: String, cancel: CancelFlag) -> Self {
        let context = WriteContext { client: context.client.in_run(), ..context };
        let (count, begun, problem, unknown, batches) = Default::default();
        Self(Arc::new(Inner { context, title, count, cancel, begun, problem, unknown, batches }))
    }

    /// Says how many assets it is about.
    pub fn expect(&self, count: usize) {
        self.0.count.store(count, Ordering::Relaxed);
    }

    /// Why it came to a halt, if nothing could be noted.
    pub fn problem(&self) -> Option<&str> {
        self.0.problem.get().map(String::as_str)
    }

    /// Makes an asset, and notes it.
    pub async fn make(&self, create: AssetsCreateNewAsset) -> Result<Asset, CallError> {
        let begun = self.begun().await?;
        // Counted before it leaves, and taken back where more is known: it may break off.
        self.0.unknown.fetch_add(1, Ordering::Relaxed);
        let answer = self.0.context.client.call(create).await;
        let known = match &answer {
            Ok(asset) if existed(asset) => true,
            Ok(asset) => {
                self.note(begun, asset).await;
                true
            }
            Err(error) => !not_done(error.clone()).unknown,
        };
        self.0.unknown.fetch_sub(usize::from(known), Ordering::Relaxed);
        answer
    }

    /// Makes the assets of a batch, and notes them.
    pub async fn make_batch(&self, call: &Call) -> Result<CreatedAssets, CallError> {
        let begun = self.begun().await?;
        let names: Vec<String> = seeds_of(call).map(name_of_seed).collect();
        let batch = self.0.batches.fetch_add(1, Ordering::Relaxed);
        if !self.write(begun, vec![LedgerEvent::Adding { batch, names: names.clone() }], true).await {
            return Err(away(self.problem().unwrap_or_default()));
        }
        self.0.unknown.fetch_add(names.len(), Ordering::Relaxed);
        let answer = send_batch(&self.0.context.client, call).await;
        let (mut lines, unknown) = match &answer {
            Ok(created) => self.made(created, &names).await,
            Err(error) if not_done(error.clone()).unknown => (Vec::new(), names.clone()),
            Err(_) => Default::default(),
        };
        self.0.unknown.fetch_sub(names.len() - unknown.len(), Ordering::Relaxed);
        lines.push(LedgerEvent::AddingEnded { batch, unknown });
        self.write(begun, lines, false).await;
        answer
    }

    /// The lines for the assets that a batch made, and the names of the files for which it is unknown.
    async fn made(&self, batch: &CreatedAssets, names: &[String]) -> (Vec<LedgerEvent>, Vec<String>) {
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

    /// The record of an asset that a batch made: as it came with the response, or else as it is now.
    async fn record(&self, outcome: View<'_, CreatedAsset>, id: &str) -> Option<Value> {
        if let Some(asset) = outcome.asset() {
            return Some(asset.tree().clone());
        }
        let call = AssetSnapshot { asset: id.parse().ok()?, transferables: Some(false) };
        self.0.context.client.call(call).await.ok().map(Asset::into_tree)
    }

    async fn begun(&self) -> Result<&Begun, CallError> {
        match self.0.begun.get_or_init(|| self.begin()).await {
            Some(begun) if self.problem().is_none() => Ok(begun),
            Some(_) | None => Err(away(self.problem().unwrap_or_default())),
        }
    }

    /// Puts the step on disk; None where that fails.
    async fn begin(&self) -> Option<Begun> {
        let Inner { context, title, count, .. } = &*self.0;
        let mut record = RunRecord::of_tasks(title.clone(), Vec::new(), 8);
        let kind = EntryKind::Batch { run: record.run.id, count: count.load(Ordering::Relaxed) };
        let entry = entry(title.clone(), kind, &[], EntryRelation::None);
        let id = entry.id;
        record.run.entry = Some(id);
        let step = PendingEntry::begin(context, entry).await.map_err(|why| self.halt(why)).ok()?;
        let (runs, first) = (context.journal.runs(), record.clone());
        let ledger = spawn_blocking(move || Ledger::create(runs.as_ref(), &first).map_err(|error| error.to_string()));
        match ledger.await.unwrap_or_else(|error| Err(error.to_string())) {
            Ok(ledger) => Some(Begun { entry: id, step: Mutex::new(Some(step)), ledger, record: Mutex::new(record) }),
            Err(why) => {
                step.end(Outcome::Failed(why.clone()), None).await;
                self.halt(why);
                None
            }
        }
    }

    async fn note(&self, begun: &Begun, asset: &Asset) {
        // Who has no id cannot be deleted; the import says that it is of no use.
        let Some(change) = created(asset.tree()) else { return };
        let name = asset.view().name().unwrap_or_default().to_owned();
        self.write(begun, vec![LedgerEvent::Added { name, change: Box::new(change) }], false).await;
    }

    /// Adds lines to the ledger in one transaction; false where that fails, which ends the import.
    async fn write(&self, begun: &Begun, lines: Vec<LedgerEvent>, synced: bool) -> bool {
        let noted = begun.ledger.before_all(&lines, synced).await;
        {
            let mut record = lock(&begun.record);
            lines.into_iter().for_each(|line| record.take(line));
        }
        noted.map_err(|error| self.halt(error.to_string())).is_ok()
    }

    /// Ends what makes the assets: what cannot be noted is not made.
    fn halt(&self, why: String) {
        self.0.problem.get_or_init(|| why);
        self.0.cancel.cancel();
    }

    /// Notes how it ended; None when nothing was sent.
    pub async fn end(&self) -> Option<Made> {
        let begun = self.0.begun.get()?.as_ref()?;
        let cut_off = lock(&begun.record).rest.adding.clone();
        let cut_off = cut_off.into_iter().map(|(batch, unknown)| LedgerEvent::AddingEnded { batch, unknown });
        self.write(begun, cut_off.collect(), false).await;
        let Begun { entry, step, ledger, record } = begun;
        let line = if self.0.cancel.cancelled() { LedgerEvent::Cancelled } else { LedgerEvent::Ended };
        ledger.note(&line);
        if let Err(error) = ledger.flush().await {
            self.0.problem.get_or_init(|| error.to_string());
        }
        let run = {
            let mut record = lock(record);
            record.take(line);
            record.run.clone()
        };
        let outcome = match (run.rows.len(), self.0.unknown.load(Ordering::Relaxed)) {
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

impl CreateAssets for Step {
    /// They are what Undo compares with.
    const RECORDS: bool = true;

    fn at_once(&self) -> Option<usize> {
        self.0.context.client.pace().map(|pace| pace.limit)
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

/// Nothing that holds these can panic half-way through a change.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
