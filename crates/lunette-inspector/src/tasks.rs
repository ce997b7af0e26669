//! Background work: tokio runs it, a promise carries its result, the window is woken once the result is available.
//!
//! What must hold: this is the one way to start background work. A result is sent before the window wakes, or the wake
//! would find nothing. A task that panics ends in an event like any other, never in a dropped sender, because polling such
//! a promise panics in turn; detached work passes the message of a panic on.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{AbortHandle as Abort, Aborted, BoxFuture, abortable};
use lunette_client::client::CallError;
use lunette_storage::freed_memory;
use poll_promise::Promise;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinHandle};

/// The runtime of the program, with threads for blocking work that end soon after it.
pub fn runtime_builder() -> tokio::runtime::Builder {
    configured(tokio::runtime::Builder::new_multi_thread())
}

/// A runtime that runs tasks on the thread that waits for it, with threads for blocking work that end soon after it. It
/// does less for work that is one step after the other, since no thread is woken for the next step.
pub fn current_thread_builder() -> tokio::runtime::Builder {
    configured(tokio::runtime::Builder::new_current_thread())
}

fn configured(mut builder: tokio::runtime::Builder) -> tokio::runtime::Builder {
    builder.enable_all().thread_keep_alive(freed_memory::THREADS_IDLE);
    builder
}

/// Wakes the window so that it handles results.
pub type RepaintSignal = Arc<dyn Fn() + Send + Sync>;

/// Names a task while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(u64);

/// Asks work to stop after its current step. Clones share one flag.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Asks the work to stop; steps in progress are completed.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked.
    pub fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for a scan of files.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

/// A task that one owner waits for. It is asked to stop when this is dropped.
#[derive(Debug)]
pub struct OwnedTask {
    id: TaskId,
    cancel: CancelFlag,
}

impl OwnedTask {
    /// The task that this flag asks to stop.
    pub fn new(id: TaskId, cancel: CancelFlag) -> Self {
        Self { id, cancel }
    }

    /// Names the task.
    pub fn id(&self) -> TaskId {
        self.id
    }

    /// Asks the task to stop after its current step.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Whether it was asked.
    pub fn cancelled(&self) -> bool {
        self.cancel.cancelled()
    }
}

impl Drop for OwnedTask {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// The longest time for which work is held: a hidden window draws no frame.
const HELD_AT_MOST: Duration = Duration::from_millis(300);

/// Holds work until the other end is dropped.
#[derive(Clone, Debug)]
pub struct StartGate(watch::Receiver<()>);

/// Releases held work when it is dropped.
#[derive(Debug)]
pub struct GateGuard(#[allow(dead_code, reason = "dropping it is what it is for")] watch::Sender<()>);

impl StartGate {
    /// A hold, and what releases it.
    pub fn new() -> (Self, GateGuard) {
        let (guard, hold) = watch::channel(());
        (Self(hold), GateGuard(guard))
    }

    /// Waits until it is released, for a limited time.
    pub async fn released(mut self) {
        // The other end sends nothing, so this ends in an error: of the dropped sender, or of the timeout.
        tokio::time::timeout(HELD_AT_MOST, self.0.changed()).await.ok();
    }
}

/// How work ended without a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Ended {
    /// It was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// It panicked; the text is the panic's.
    #[error("a background task panicked: {0}")]
    Panicked(String),
}

impl From<Ended> for CallError {
    fn from(ended: Ended) -> Self {
        Self::Internal { target: None, problem: ended.to_string() }
    }
}

/// Waits for this long.
pub async fn wait(time: Duration) -> Result<(), Ended> {
    tokio::time::sleep(time).await;
    Ok(())
}

/// Runs work that blocks or keeps a processor busy on a thread of its own, within a task. Fails if it panics.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Ended> {
    tokio::task::spawn_blocking(work).await.map_err(|error| match error.try_into_panic() {
        Ok(panic) => Ended::Panicked(panic_text(panic.as_ref())),
        Err(_) => Ended::Cancelled,
    })
}

/// Runs work that blocks for no longer than a row takes in a database. A runtime with one thread runs it there, since that
/// is sooner done than handed to another; others as [`blocking`] does. Fails if it panics on a thread of its own.
pub async fn briefly<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Ended> {
    match Handle::current().runtime_flavor() {
        RuntimeFlavor::CurrentThread => Ok(work()),
        _ => blocking(work).await,
    }
}

/// Runs work that waits and also blocks, such as for files, on a thread of its own, within a task. Fails if it panics.
pub async fn blocking_and_waiting<T: Send + 'static, F: Future<Output = T>>(
    work: impl FnOnce() -> F + Send + 'static,
) -> Result<T, Ended> {
    let runtime = Handle::current();
    blocking(move || runtime.block_on(work())).await
}

/// The tasks that run, in the order they were started.
pub struct Tasks<E: Send + 'static> {
    runtime: Handle,
    repaint: RepaintSignal,
    running: Vec<Running<E>>,
    started: u64,
    hold: Option<StartGate>,
}

struct Running<E: Send + 'static> {
    id: TaskId,
    promise: Promise<E>,
    abort: Abort,
}

impl<E: Send + 'static> Tasks<E> {
    /// Tasks that run on this runtime and wake this window.
    pub fn new(runtime: Handle, repaint: RepaintSignal) -> Self {
        Self { runtime, repaint, running: Vec::new(), started: 0, hold: None }
    }

    /// Holds the work that is started from now on.
    pub fn hold(&mut self, hold: Option<StartGate>) {
        self.hold = hold;
    }

    /// The window's repaint, for work that reports on its way.
    pub fn repaint(&self) -> RepaintSignal {
        Arc::clone(&self.repaint)
    }

    /// Starts a task. `into` makes the event of its result; that of a task that is cancelled or panics is this error.
    pub fn start<T, F: From<Ended> + 'static>(
        &mut self,
        work: impl Future<Output = Result<T, F>> + Send + 'static,
        into: impl FnOnce(Result<T, F>) -> E + Send + 'static,
    ) -> TaskId {
        self.started += 1;
        let id = TaskId(self.started);
        let (sender, promise) = Promise::new();
        let hold = self.hold.clone();
        let held = async move {
            if let Some(hold) = hold {
                hold.released().await;
            }
            work.await
        };
        let (work, abort) = abortable(AssertUnwindSafe(held).catch_unwind());
        let repaint = self.repaint();
        // Boxed, so that the runtime's code for a task is compiled once and not for each kind of work.
        let supervised: BoxFuture<'static, ()> = Box::pin(async move {
            // What the work owns is dropped before its event is made.
            let result = work.await;
            sender.send(into(match result {
                Ok(Ok(result)) => result,
                Ok(Err(panic)) => Err(Ended::Panicked(panic_text(panic.as_ref())).into()),
                Err(Aborted) => Err(Ended::Cancelled.into()),
            }));
            repaint();
        });
        self.runtime.spawn(supervised);
        self.running.push(Running { id, promise, abort });
        id
    }

    /// Cancels a task; its event is still delivered.
    pub fn cancel(&self, id: TaskId) {
        if let Some(running) = self.running.iter().find(|running| running.id == id) {
            running.abort.abort();
        }
    }

    /// The events of the tasks that ended, in the order they were started.
    pub fn finished(&mut self) -> Vec<(TaskId, E)> {
        let mut events = Vec::new();
        let mut running = Vec::with_capacity(self.running.len());
        for Running { id, promise, abort } in self.running.drain(..) {
            match promise.try_take() {
                Ok(event) => events.push((id, event)),
                Err(promise) => running.push(Running { id, promise, abort }),
            }
        }
        self.running = running;
        events
    }

    /// How many run.
    pub fn count(&self) -> usize {
        self.running.len()
    }
}

/// Runs detached work until it is aborted; `on_panic` receives the message of a panic.
pub fn spawn_supervised(
    runtime: &Handle,
    work: impl Future<Output = ()> + Send + 'static,
    on_panic: impl FnOnce(String) + Send + 'static,
) -> AbortHandle {
    supervise(runtime, runtime.spawn(work), on_panic)
}

/// Runs detached work that blocks, on a thread of its own; `on_panic` receives the message of a panic.
pub fn spawn_blocking_supervised(
    runtime: &Handle,
    work: impl FnOnce() + Send + 'static,
    on_panic: impl FnOnce(String) + Send + 'static,
) {
    supervise(runtime, runtime.spawn_blocking(work), on_panic);
}

/// For work whose result nothing waits for: a panic goes into the program's log.
pub fn log_panic(work: &'static str) -> impl FnOnce(String) + Send + 'static {
    move |panic| tracing::error!("{work}: {panic}")
}

fn supervise(runtime: &Handle, task: JoinHandle<()>, on_panic: impl FnOnce(String) + Send + 'static) -> AbortHandle {
    let abort = task.abort_handle();
    runtime.spawn(async move {
        if let Err(error) = task.await
            && let Ok(payload) = error.try_into_panic()
        {
            on_panic(format!("a background task panicked: {}", panic_text(payload.as_ref())));
        }
    });
    abort
}

fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn tasks_and_wakes() -> (Tasks<String>, mpsc::Receiver<()>, tokio::runtime::Runtime) {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().expect("a runtime");
        let (wake, woken) = mpsc::channel();
        let repaint: RepaintSignal = Arc::new(move || wake.send(()).unwrap_or(()));
        (Tasks::new(runtime.handle().clone(), repaint), woken, runtime)
    }

    #[test]
    fn brief_work_leaves_its_thread_only_where_the_runtime_has_others() {
        let thread_of = |runtime: tokio::runtime::Runtime| {
            runtime.block_on(briefly(|| std::thread::current().id())).unwrap_or_else(|ended| panic!("{ended:?}"))
        };
        let here = std::thread::current().id();
        assert_eq!(thread_of(current_thread_builder().build().expect("a runtime")), here);
        let (_, _, runtime) = tasks_and_wakes();
        assert_ne!(thread_of(runtime), here);
    }

    fn text(result: Result<String, Ended>) -> String {
        result.unwrap_or_else(|ended| format!("{ended:?}"))
    }

    #[test]
    fn the_result_is_available_when_the_window_wakes() {
        let (mut tasks, woken, _runtime) = tasks_and_wakes();
        tasks.start(async { Ok("done".to_owned()) }, text);
        woken.recv().expect("a wake");
        assert_eq!(tasks.finished().into_iter().map(|(_, event)| event).collect::<Vec<_>>(), ["done"]);
        assert_eq!(tasks.count(), 0);
    }

    #[test]
    fn a_panic_becomes_an_event() {
        let (mut tasks, woken, _runtime) = tasks_and_wakes();
        tasks.start(blocking(|| panic!("no such luck")), text);
        woken.recv().expect("a wake");
        assert_eq!(tasks.finished()[0].1, "Panicked(\"no such luck\")");
    }

    #[test]
    fn held_work_begins_when_it_is_released() {
        let (mut tasks, woken, runtime) = tasks_and_wakes();
        let (hold, guard) = StartGate::new();
        tasks.hold(Some(hold));
        tasks.start(async { Ok("held".to_owned()) }, text);
        // Paused or not, nothing runs on it but the work that is held.
        runtime.block_on(tokio::task::yield_now());
        assert!(tasks.finished().is_empty());
        drop(guard);
        woken.recv().expect("a wake");
        assert_eq!(tasks.finished()[0].1, "held");
    }

    #[test]
    fn an_owned_task_is_asked_to_stop_when_its_owner_drops_it() {
        let (mut tasks, _woken, _runtime) = tasks_and_wakes();
        let cancel = CancelFlag::default();
        let owned = OwnedTask::new(tasks.start(std::future::pending(), text), cancel.clone());
        assert!(!owned.cancelled());
        drop(owned);
        assert!(cancel.cancelled());
    }

    #[test]
    fn a_cancelled_task_ends_in_an_event() {
        let (mut tasks, woken, _runtime) = tasks_and_wakes();
        let id = tasks.start(std::future::pending(), text);
        tasks.cancel(id);
        woken.recv().expect("a wake");
        assert_eq!(tasks.finished()[0].1, "Cancelled");
    }

    #[test]
    fn a_panic_of_detached_work_is_reported() {
        let (_tasks, _woken, runtime) = tasks_and_wakes();
        let (report, reports) = mpsc::channel();
        let other = report.clone();
        spawn_supervised(runtime.handle(), async { panic!("one") }, move |why| report.send(why).expect("heard"));
        assert_eq!(reports.recv().expect("a report"), "a background task panicked: one");
        spawn_blocking_supervised(runtime.handle(), || panic!("two"), move |why| other.send(why).expect("heard"));
        assert_eq!(reports.recv().expect("a report"), "a background task panicked: two");
    }
}
