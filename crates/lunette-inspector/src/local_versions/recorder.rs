//! Keeps versions of what a client reads and writes: an observer of its calls queues what each shows, and background
//! work stores it.
//!
//! What must hold: a call waits for nothing here; what cannot be kept, because too much waits or the database cannot be
//! used, counts as not watched.

use std::any::Any;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use lunette_client::client::{Client, Exchange, Observer};
use lunette_client::model::id::{AssetId, CompactId};
use tokio::runtime::Handle;
use tokio::sync::Notify;

use super::LocalVersions;
use super::append::{Appended, DELETED, Incoming, append};
use super::facts::Who;
use super::prune::{prune, prune_asset};
use super::sighting::{Seen, Shown, Sighting};
use super::state::Extent;
use crate::change::{Item, LinkKind};
use crate::db::DatabaseError;
use crate::db::versions::StoredCheckpoint;
use crate::tasks::spawn_blocking_supervised;

/// Our choice: how many bytes of responses wait at most. One list of 100,000 assets is about 200 MB.
const MAX_QUEUED: usize = 384 << 20;
/// How many states one transaction stores.
const AT_ONCE: usize = 64;
/// What an id takes while it waits, in bytes.
const ID_BYTES: usize = 64;
/// After how many new versions the bounds are looked at again.
const PRUNE_EVERY: usize = 10_000;

/// Keeps versions for the clients of a connection. Clones share the queue. It does nothing until it is attached.
#[derive(Clone, Default)]
pub struct Recorder(Arc<Inner>);

#[derive(Default)]
struct Inner {
    queue: Mutex<Queue>,
    worker: Mutex<Worker>,
    done: Notify,
}

#[derive(Default)]
struct Queue {
    store: Option<(LocalVersions, Handle)>,
    jobs: VecDeque<Job>,
    bytes: usize,
    is_working: bool,
}

impl Queue {
    /// Whether everything is stored.
    fn is_empty(&self) -> bool {
        !self.is_working && self.jobs.is_empty()
    }
}

/// Something to be stored, and when it happened, in microseconds.
struct Job {
    at: i64,
    work: Work,
}

enum Work {
    Shown(Shown),
    Watching(bool),
    Gone(Vec<String>),
    Present(HashSet<String>),
    /// The name of a checkpoint, and the ids of its assets as JSON.
    Checkpoint(String, String),
    /// Something was not kept.
    Lost,
    Prune,
}

impl Job {
    fn size(&self) -> usize {
        size_of::<Self>()
            + match &self.work {
                Work::Shown(shown) => shown.size(),
                Work::Gone(ids) => ids.len() * ID_BYTES,
                Work::Present(ids) => ids.len() * ID_BYTES,
                Work::Checkpoint(name, ids) => name.len() + ids.len(),
                Work::Watching(_) | Work::Lost | Work::Prune => 0,
            }
    }
}

/// An observer of calls with a recorder before it.
pub struct Recorded<O> {
    /// Who else sees the calls.
    pub observer: O,
    /// Who keeps what they show.
    pub recorder: Recorder,
}

impl<O: Observer> Observer for Recorded<O> {
    fn slow(&self, operation: &'static str, since: Timestamp) -> Box<dyn Send> {
        self.observer.slow(operation, since)
    }

    fn marked(&self, name: &str, assets: Option<&[String]>) {
        self.recorder.marked(name, assets);
        self.observer.marked(name, assets);
    }

    fn ended(&self, client: &Client, exchange: &Exchange<Box<dyn Any + Send>>) -> u64 {
        self.recorder.ended(client, exchange);
        self.observer.ended(client, exchange)
    }
}

impl Observer for Recorder {
    fn marked(&self, name: &str, assets: Option<&[String]>) {
        let ids = assets.map(|assets| serde_json::json!(assets).to_string()).unwrap_or_default();
        self.push(Work::Checkpoint(name.to_owned(), ids));
    }

    fn ended(&self, _: &Client, exchange: &Exchange<Box<dyn Any + Send>>) -> u64 {
        if self.is_attached()
            && let Some(shown) = Shown::of(exchange)
        {
            self.push(Work::Shown(shown));
        }
        0
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_attached() { "recording" } else { "not recording" })
    }
}

impl Recorder {
    /// Begins to keep versions, or goes on with other bounds; None ends it. The work is done on this runtime.
    pub fn attach(&self, store: Option<(LocalVersions, Handle)>) {
        let attached = store.is_some();
        if !attached {
            self.push(Work::Watching(false));
        }
        self.0.queue().store = store;
        if attached {
            self.push(Work::Prune);
        }
    }

    /// Whether it keeps versions.
    pub fn is_attached(&self) -> bool {
        self.0.queue().store.is_some()
    }

    /// Says that every change of an asset is seen from now on, or no longer.
    pub fn watch(&self, watching: bool) {
        self.push(Work::Watching(watching));
    }

    /// Says that assets were deleted.
    pub fn gone(&self, ids: impl IntoIterator<Item = AssetId>) {
        self.push(Work::Gone(ids.into_iter().map(|id| id.to_string()).collect()));
    }

    /// Says which assets there are: all others that are known were deleted.
    pub fn present(&self, ids: impl IntoIterator<Item = AssetId>) {
        self.push(Work::Present(ids.into_iter().map(|id| id.to_string()).collect()));
    }

    /// Whether everything that was seen so far is stored.
    pub fn is_idle(&self) -> bool {
        self.0.queue().is_empty()
    }

    /// Waits until everything that was seen so far is stored.
    pub async fn flush(&self) {
        loop {
            let mut done = pin!(self.0.done.notified());
            done.as_mut().enable();
            if self.is_idle() {
                return;
            }
            done.await;
        }
    }

    fn push(&self, work: Work) {
        let job = Job { at: Timestamp::now().as_microsecond(), work };
        let mut queue = self.0.queue();
        let Some((_, runtime)) = &queue.store else { return };
        let runtime = runtime.clone();
        let size = job.size();
        match queue.bytes.saturating_add(size) > MAX_QUEUED {
            true => queue.jobs.push_back(Job { work: Work::Lost, ..job }),
            false => {
                queue.bytes += size;
                queue.jobs.push_back(job);
            }
        }
        if std::mem::replace(&mut queue.is_working, true) {
            return;
        }
        drop(queue);
        let (inner, failed) = (Arc::clone(&self.0), Arc::clone(&self.0));
        let on_panic = move |panic: String| {
            tracing::error!("keeping versions: {panic}");
            failed.queue().is_working = false;
            failed.done.notify_waiters();
        };
        spawn_blocking_supervised(&runtime, move || inner.drain(), on_panic);
    }
}

impl Inner {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores what waits until nothing does. Blocks.
    fn drain(&self) {
        let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let mut queue = self.queue();
            let (job, store) = (queue.jobs.pop_front(), queue.store.as_ref().map(|(store, _)| store.clone()));
            let Some(job) = job else {
                queue.is_working = false;
                drop(queue);
                return self.done.notify_waiters();
            };
            queue.bytes = queue.bytes.saturating_sub(job.size());
            drop(queue);
            if let Some(store) = store.or(worker.store.take()) {
                if let Err(error) = worker.handle(&store, job) {
                    tracing::error!("versions are not kept: {error}");
                    worker.lose();
                }
                worker.store = Some(store);
            }
        }
    }
}

/// What is known of an asset.
#[derive(Clone, Copy, Default)]
struct Known {
    /// The fingerprint of its newest record.
    print: i64,
    /// When it was last seen by this program, in microseconds.
    seen: i64,
}

/// What the background work knows.
#[derive(Default)]
struct Worker {
    /// The store that was used last, for what was seen before it was left.
    store: Option<LocalVersions>,
    /// The newest records; None before they were loaded.
    known: Option<HashMap<CompactId, Known>>,
    /// When this program last wrote to an asset whose record was not read since.
    ours: HashMap<String, i64>,
    /// When it last wrote to something that assets may be linked to.
    wrote_items: i64,
    items: HashMap<(LinkKind, String), Item>,
    /// The row of the time in which it watches, and when that began.
    watch: Option<(i64, i64)>,
    added: usize,
}

impl Worker {
    fn handle(&mut self, store: &LocalVersions, Job { at, work }: Job) -> Result<(), DatabaseError> {
        match work {
            Work::Shown(shown) => {
                let (mut batch, mut end) = (Vec::with_capacity(AT_ONCE), Ok(()));
                shown.each(&mut |sighting| {
                    batch.push(sighting);
                    if batch.len() == AT_ONCE && end.is_ok() {
                        end = self.store(store, at, std::mem::take(&mut batch));
                    }
                });
                end?;
                self.store(store, at, batch)
            }
            Work::Watching(watching) => self.set_watching(store, at, watching),
            Work::Gone(ids) => {
                let gone = ids.into_iter().map(|asset| Sighting::Asset { asset, seen: Seen::Deleted });
                self.store(store, at, gone.collect())
            }
            Work::Present(ids) => self.keep_present(store, at, &ids),
            Work::Lost => {
                self.lose();
                let watching = self.watch.is_some();
                self.set_watching(store, at, watching)
            }
            Work::Checkpoint(name, ids) => {
                let checkpoint = StoredCheckpoint { id: 0, name, at, assets: ids, is_automatic: true };
                store.database.change_versions(&store.connection, |rows| rows.add_checkpoint(&checkpoint)).map(drop)
            }
            Work::Prune => prune(&store.database, &store.connection, store.bounds, at),
        }
    }

    /// Something was not seen: what is known of assets is no longer what they were a moment ago.
    fn lose(&mut self) {
        self.known = None;
    }

    fn set_watching(&mut self, store: &LocalVersions, at: i64, watching: bool) -> Result<(), DatabaseError> {
        let before = self.watch.take();
        self.watch = store.database.change_versions(&store.connection, |rows| {
            if let Some((row, began)) = before {
                rows.put_watch(Some(row), began, at)?;
            }
            watching.then(|| Ok((rows.begin_watch(at)?, at))).transpose()
        })?;
        Ok(())
    }

    fn known(&mut self, store: &LocalVersions) -> Result<&mut HashMap<CompactId, Known>, DatabaseError> {
        if self.known.is_none() {
            let prints = store.database.read_versions(&store.connection, |rows| rows.prints())?;
            let known =
                prints.into_iter().filter_map(|(asset, print)| Some((compact(&asset)?, Known { print, seen: 0 })));
            self.known = Some(known.collect());
        }
        Ok(self.known.get_or_insert_default())
    }

    /// Marks the known assets that are not among these as deleted.
    fn keep_present(&mut self, store: &LocalVersions, at: i64, ids: &HashSet<String>) -> Result<(), DatabaseError> {
        let known = store.database.read_versions(&store.connection, |rows| rows.prints())?;
        let missing = known.into_iter().filter(|(asset, print)| *print != DELETED && !ids.contains(asset));
        let gone = missing.map(|(asset, _)| Sighting::Asset { asset, seen: Seen::Deleted });
        self.store(store, at, gone.collect())
    }

    /// Stores what was seen at a time, in one transaction.
    fn store(&mut self, store: &LocalVersions, at: i64, batch: Vec<Sighting>) -> Result<(), DatabaseError> {
        let (mut due, mut created) = (Vec::new(), None);
        for sighting in batch {
            match sighting {
                Sighting::Item(item) => drop(self.items.insert((item.kind, item.id.to_string()), item)),
                Sighting::Wrote(Some(asset)) => drop(self.ours.insert(asset, at)),
                Sighting::Wrote(None) => self.wrote_items = at,
                Sighting::Created(asset) => created = Some(asset),
                Sighting::Asset { asset, seen } => {
                    let created = created.as_ref() == Some(&asset);
                    due.extend(self.due(store, at, asset, seen)?.map(|due| Due { created, ..due }));
                }
            }
        }
        if due.is_empty() {
            return Ok(());
        }
        let stored = append_all(store, self.watch, at, &due)?;
        self.added += stored.iter().filter(|(_, appended)| appended.added).count();
        let known = self.known(store)?;
        for (asset, appended) in stored {
            if let Some(id) = compact(&asset) {
                known.insert(id, Known { print: appended.print, seen: at });
            }
        }
        if self.added >= PRUNE_EVERY {
            self.added = 0;
            prune(&store.database, &store.connection, store.bounds, at)?;
        }
        Ok(())
    }

    /// What is to be stored of an asset that was seen like this; None if that is how it is known.
    fn due(&mut self, store: &LocalVersions, at: i64, asset: String, seen: Seen) -> Result<Option<Due>, DatabaseError> {
        let Some(id) = compact(&asset) else { return Ok(None) };
        let known = self.known(store)?.get(&id).copied();
        let is_ours = match &seen {
            Seen::Record { extent: Extent::Record, .. } => self.ours.remove(&asset).is_some(),
            Seen::Record { .. } | Seen::Linked(..) | Seen::Deleted => self.ours.contains_key(&asset),
        };
        if let (Seen::Record { told, content: None, .. }, Some(before)) = (&seen, known)
            && told.print() == before.print
        {
            self.known(store)?.insert(id, Known { seen: at, ..before });
            return Ok(None);
        }
        let watched = match (self.watch, known) {
            (Some((_, began)), Some(before)) => before.seen >= began && self.wrote_items <= before.seen,
            _ => false,
        };
        let who = match (is_ours, watched) {
            (true, _) => Who::Us,
            (false, true) => Who::Other,
            (false, false) => Who::Unknown,
        };
        let seen = match seen {
            Seen::Linked(item, on) => {
                Seen::Linked(self.items.get(&(item.kind, item.id.to_string())).cloned().unwrap_or(item), on)
            }
            seen => seen,
        };
        Ok(Some(Due { asset, who, created: false, seen }))
    }
}

/// Something to be stored.
struct Due {
    asset: String,
    who: Who,
    created: bool,
    seen: Seen,
}

/// Stores all in one transaction, and that somebody watched until then. Returns what is stored of each asset.
fn append_all(
    store: &LocalVersions,
    watch: Option<(i64, i64)>,
    at: i64,
    due: &[Due],
) -> Result<Vec<(String, Appended)>, DatabaseError> {
    let most = i64::from(store.bounds.versions);
    store.database.change_versions(&store.connection, |rows| {
        let mut stored = Vec::with_capacity(due.len());
        for Due { asset, who, created, seen } in due {
            let incoming = Incoming { asset, at, who: *who, created: *created, seen };
            let Some(appended) = append(rows, incoming)? else { continue };
            if appended.number > most + 1
                && let Some(row) = rows.asset(asset)?
            {
                prune_asset(rows, &row, appended.number - 1 - most, &rows.checkpoints()?)?;
            }
            stored.push((asset.clone(), appended));
        }
        if let Some((row, began)) = watch {
            rows.put_watch(Some(row), began, at)?;
        }
        Ok(stored)
    })
}

fn compact(asset: &str) -> Option<CompactId> {
    asset.parse::<AssetId>().ok().map(|id| CompactId::from(&id))
}
