//! Live updates: the window follows the change streams of the service if it offers them, and polls visible data
//! otherwise.
//!
//! What must hold: all of this happens in the background and arrives as few events, so that 10,000 changes cost a frame
//! no more than one. Only visible data is reloaded, and a list with many changed rows is reloaded in pages. Nothing is
//! read while a write to it is pending. The window is woken only by a difference. Input is never touched.

use crate::session::reporter::Reporter;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::context::Context;
use crate::internal_error;
use crate::inventory::SETTLED;
use crate::local_versions::Recorder;
use crate::output::ProgressEvent;
use crate::session::Identity;
use crate::tasks::spawn_supervised;
use lunette_client::client::StreamKind;
use lunette_client::client::{Client, Purpose};

mod coalescer;
mod follow;
mod ids;
mod lists;
mod page;
mod poll;
mod remote_change;
mod rows;
mod same;
mod snapshot;
mod status;

pub use remote_change::RemoteChange;
pub use status::{StreamStatus, SyncStatus};

use coalescer::Coalescer;
pub(crate) use rows::NewRows;
pub(crate) use snapshot::{PageSight, ViewSnapshot};

/// The intervals and limits of following remote changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncIntervals {
    /// How long changes are collected before they are handled.
    pub gather: Duration,
    /// The wait before a broken stream is reopened; doubled each time, up to `again_most`.
    pub again: Duration,
    /// The upper limit of that.
    pub again_most: Duration,
    /// The polling interval of visible data while it changes; doubled while it does not, up to `poll_most`.
    pub poll: Duration,
    /// The upper limit of that.
    pub poll_most: Duration,
    /// How long a hidden window still polls.
    pub unattended: Duration,
    /// How long an application must be missing from its list before it counts as removed.
    pub settled: Duration,
    /// How often it is looked whether the database was written to.
    pub journal: Duration,
    /// The maximum memory of the ids that the stream of assets reports without a pause, in bytes; for the other streams a
    /// quarter of it. A stream that exceeds it is closed and reopened later, and meanwhile the list is polled.
    pub most_bytes: usize,
}

impl Default for SyncIntervals {
    fn default() -> Self {
        Self {
            gather: Duration::from_millis(100),
            again: Duration::from_millis(500),
            again_most: Duration::from_secs(30),
            poll: Duration::from_secs(2),
            poll_most: Duration::from_secs(30),
            unattended: Duration::from_secs(60),
            settled: SETTLED,
            journal: Duration::from_secs(1),
            // Our choice: about 120,000 UUIDs. All streams together take 40 MiB at most.
            most_bytes: 16 * 1024 * 1024,
        }
    }
}

/// What the sync tasks of a connection share.
pub(crate) struct SyncContext {
    /// The client, for background calls.
    client: Client,
    reporter: Reporter,
    /// The identity of the connected service.
    identity: Identity,
    pace: SyncIntervals,
    /// What is in view.
    view: watch::Receiver<ViewSnapshot>,
    /// The status of each stream.
    following: watch::Sender<SyncStatus>,
    page: Coalescer<page::Invalidation>,
    rows: Coalescer<rows::Invalidation>,
    lists: Coalescer<lists::Invalidation>,
    /// Whether the stream of assets was opened, or is known to be missing.
    assets_followed: watch::Sender<bool>,
    /// The number of differences found.
    differed: AtomicU64,
    /// Learns which assets are gone, and whether any change would be seen.
    recorder: Recorder,
}

/// The sync tasks of a connection; they end when this is dropped.
#[derive(Default)]
pub struct LiveUpdates {
    /// The sync status.
    pub status: SyncStatus,
    running: Option<Running>,
    /// Whether the window is visible.
    unattended: bool,
}

struct Running {
    context: Arc<SyncContext>,
    view: watch::Sender<ViewSnapshot>,
    tasks: Vec<AbortHandle>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

impl SyncContext {
    /// Sends the window a difference from the displayed state.
    fn send(&self, change: RemoteChange) {
        self.differed.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.reporter.report(ProgressEvent::RemoteChange(change));
    }

    /// Records and shows the status of a stream.
    fn set_stream_status(&self, kind: StreamKind, following: StreamStatus) {
        self.following.send_modify(|status| status.set(kind, following));
        if kind == StreamKind::Assets {
            self.recorder.watch(self.following.borrow().follows(kind));
            self.assets_followed.send_replace(true);
        }
        self.reporter.report(self.status());
    }

    /// The sync status, for the window.
    fn status(&self) -> ProgressEvent {
        ProgressEvent::RemoteChange(RemoteChange::Status(self.following.borrow().clone()))
    }

    /// Reloads the visible data covered by a stream, because changes may have been missed.
    fn reload_after_gap(&self, kind: StreamKind) {
        match kind {
            StreamKind::Assets => {
                self.rows.add(|stale| stale.whole = true);
                self.page.add(|stale| stale.record = true);
            }
            StreamKind::Activities => self.page.add(|stale| stale.activities = true),
            StreamKind::Conversations => self.page.add(|stale| stale.conversations = true),
            StreamKind::Tags | StreamKind::Websites | StreamKind::WorkstreamSummaries | StreamKind::Applications => {
                self.lists.add(|stale| {
                    stale.kinds.insert(kind);
                })
            }
        }
    }
}

impl LiveUpdates {
    /// Starts following the service; `now` is what is in view.
    pub(crate) fn start(&mut self, now: ViewSnapshot, cx: &mut Context<'_>) {
        let Ok(client) = cx.client() else { return };
        let (view, seen) = watch::channel(now);
        let (assets_followed, is_followed) = watch::channel(false);
        cx.set_assets_followed(is_followed);
        let context = Arc::new(SyncContext {
            client: client.for_run().for_purpose(Purpose::Background),
            reporter: cx.reporter(),
            identity: cx.connection.identity.clone(),
            pace: cx.setup().pace,
            view: seen,
            following: watch::Sender::new(SyncStatus::default()),
            page: Coalescer::default(),
            rows: Coalescer::default(),
            lists: Coalescer::default(),
            assets_followed,
            differed: AtomicU64::new(0),
            recorder: cx.recorder(),
        });
        let mut tasks = Vec::new();
        let runtime = cx.setup().runtime.clone();
        for kind in SyncStatus::KINDS {
            tasks.push(start(&runtime, &context, follow::follow(kind, Arc::clone(&context))));
        }
        tasks.push(start(&runtime, &context, page::keep(Arc::clone(&context))));
        tasks.push(start(&runtime, &context, rows::keep(Arc::clone(&context))));
        tasks.push(start(&runtime, &context, lists::keep(Arc::clone(&context))));
        tasks.push(start(&runtime, &context, poll::poll(Arc::clone(&context))));
        self.running = Some(Running { context, view, tasks });
    }

    /// Stops following the service.
    pub(crate) fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.context.recorder.watch(false);
        }
        self.status = SyncStatus::default();
    }

    /// Whether every change of an asset is seen.
    pub(crate) fn follows_assets(&self) -> bool {
        let context = self.running.as_ref().map(|running| &running.context);
        context.is_some_and(|context| context.following.borrow().follows(StreamKind::Assets))
    }

    /// Whether the service is being followed.
    pub(crate) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Whether the window is visible: one that is hidden for a while polls nothing.
    pub(crate) fn attended(&self) -> bool {
        !self.unattended
    }

    /// Sets whether the window is visible.
    pub(crate) fn attend(&mut self, attended: bool) {
        self.unattended = !attended;
    }

    /// Publishes what is in view to the tasks.
    pub(crate) fn publish(&self, now: ViewSnapshot) {
        let Some(Running { view, .. }) = &self.running else { return };
        view.send_if_modified(|before| {
            let differs = !before.is(&now);
            if differs {
                *before = now;
            }
            differs
        });
    }

    /// A list is reloaded: rows reported before need no request of their own.
    pub(crate) fn rows_are_read(&self) {
        if let Some(Running { context, .. }) = &self.running {
            context.rows.try_take();
        }
    }

    /// The open asset is reloaded once no read or write of it is pending.
    pub(crate) fn read_page_again(&self) {
        if let Some(running) = &self.running {
            running.context.page.add(|stale| stale.record = true);
        }
    }

    /// Reads these rows again because the list changed while they were read.
    pub(crate) fn read_rows_again(&self, rows: rows::Invalidation) {
        if let Some(running) = &self.running {
            running.context.rows.add(|stale| stale.add(rows));
        }
    }
}

/// Starts a task; a panic of it is reported, because the service is then no longer followed.
fn start(runtime: &Handle, context: &Arc<SyncContext>, work: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
    let context = Arc::clone(context);
    spawn_supervised(runtime, work, move |panic| context.send(RemoteChange::Halted(internal_error(panic))))
}
