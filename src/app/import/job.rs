//! An import as one step of the history.
//!
//! What must hold: the step is on disk before its first asset is made; its ledger has a row for each that was made, and
//! none for what was there before, so that Undo deletes what it made and nothing else. A row costs no sync.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use crate::app::bulk::{Ledger, LedgerEvent, Run, RunRecord};
use crate::app::import::{created, existed};
use crate::app::journal::{EntryId, EntryKind, EntryRelation, Outcome};
use crate::app::tasks::CancelFlag;
use crate::app::write::plan::not_done;
use crate::app::write::step::{PendingEntry, WriteContext, entry};
use crate::app::{CallError, away};
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetsCreateNewAsset;

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
        let (count, begun, problem, unknown) = Default::default();
        Self(Arc::new(Inner { context, title, count, cancel, begun, problem, unknown }))
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
        let begun = match self.0.begun.get_or_init(|| self.begin()).await {
            Some(begun) if self.problem().is_none() => begun,
            Some(_) | None => return Err(away(self.problem().unwrap_or_default())),
        };
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
        let Some(change) = created(asset) else { return };
        let name = asset.view().name().unwrap_or_default().to_owned();
        let line = LedgerEvent::Added { name, change: Box::new(change) };
        let noted = begun.ledger.before(&line, false).await;
        lock(&begun.record).take(line);
        if let Err(error) = noted {
            self.halt(error.to_string());
        }
    }

    /// Ends what makes the assets: what cannot be noted is not made.
    fn halt(&self, why: String) {
        self.0.problem.get_or_init(|| why);
        self.0.cancel.cancel();
    }

    /// Notes how it ended; None when nothing was sent.
    pub async fn end(&self) -> Option<Made> {
        let Begun { entry, step, ledger, record } = self.0.begun.get()?.as_ref()?;
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

/// Nothing that holds these can panic half-way through a change.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
