//! Background work of the inspector: starting it, showing its progress, and handling cancellation and panics.
//!
//! What must hold: all work reports its end. A panic becomes an event like any other result, and that event reports it
//! on screen.

use std::future::Future;

use crate::context::Context;
use crate::output::{Event, TaskOutput};
use crate::tasks::{CancelFlag, Ended, TaskId};
use crate::{BoxFuture, CallError, broken};
use lunette_client::operation::Operation;

/// Background work that is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// Its number.
    pub number: u64,
    /// Its task.
    pub task: TaskId,
    /// The run that it executes, if it does.
    pub run: Option<crate::journal::RunId>,
    /// The title.
    pub title: String,
    /// The progress: done and total; `None` while unknown.
    pub progress: Option<(usize, usize)>,
    /// Whether it is being cancelled.
    pub cancelling: bool,
    /// When it began.
    pub since: jiff::Timestamp,
    /// Whether it is a single write, which usually ends before it could be read about.
    pub saves: bool,
}

/// A write to an asset that is in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saving {
    /// Its task.
    pub task: TaskId,
    /// When it began.
    pub since: jiff::Timestamp,
    /// Whether the user cancelled it.
    pub cancelled: bool,
}

/// Whether a value is being saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SaveState {
    #[default]
    No,
    Writing,
    /// It changed since the write began.
    Again,
}

/// Creates the output of failed work.
type Failed = Box<dyn FnOnce(CallError) -> TaskOutput + Send>;

impl Context<'_> {
    /// Starts background work; `failed` creates the output if it panics or is cancelled.
    pub(crate) fn start(
        &mut self,
        work: impl Future<Output = TaskOutput> + Send + 'static,
        failed: impl FnOnce(CallError) -> TaskOutput + Send + 'static,
    ) -> TaskId {
        self.start_boxed(Box::pin(work), Box::new(failed))
    }

    /// Starts work that blocks or keeps a processor busy, on a thread of its own.
    pub(crate) fn start_blocking(
        &mut self,
        work: impl FnOnce() -> TaskOutput + Send + 'static,
        failed: impl FnOnce(CallError) -> TaskOutput + Send + 'static,
    ) -> TaskId {
        self.start_boxed_blocking(Box::new(work), Box::new(failed))
    }

    /// Calls an operation in the background and processes its response there.
    pub(crate) fn ask<O: Operation, T: Send + 'static>(
        &mut self,
        operation: O,
        read: impl FnOnce(O::Output) -> T + Send + 'static,
        what: impl FnOnce(Result<T, CallError>) -> TaskOutput + Clone + Send + 'static,
    ) -> TaskId {
        let client = self.client();
        let failed = what.clone();
        let ask = async move {
            let client = match client {
                Ok(client) => client,
                Err(error) => return what(Err(error)),
            };
            what(client.call(operation).await.map(read))
        };
        self.start(ask, |error| failed(Err(error)))
    }

    // Boxed, so that the runtime's code for a task is compiled once and not for each kind of work.
    fn start_boxed(&mut self, work: BoxFuture<TaskOutput>, failed: Failed) -> TaskId {
        let generation = self.runtime.generation;
        self.runtime.tasks.start(async move { Event { generation, what: work.await } }, move |ended| Event {
            generation,
            what: failed(ended_as(ended)),
        })
    }

    fn start_boxed_blocking(&mut self, work: Box<dyn FnOnce() -> TaskOutput + Send>, failed: Failed) -> TaskId {
        let generation = self.runtime.generation;
        self.runtime.tasks.start_blocking(
            move || Event { generation, what: work() },
            move |ended| Event { generation, what: failed(ended_as(ended)) },
        )
    }

    pub(crate) fn next_work(&mut self) -> u64 {
        self.runtime.works += 1;
        self.runtime.works
    }

    /// Shows work in the status bar until its task ends.
    pub(crate) fn show_work(&mut self, number: u64, task: TaskId, title: String, cancel: Option<CancelFlag>) {
        self.runtime.cancels.extend(cancel.map(|flag| (task, flag)));
        self.push_work(number, task, title, false);
    }

    /// Shows a write in the status bar if it takes long, so that it can be cancelled.
    pub(crate) fn show_saving(&mut self, task: TaskId, title: String) {
        let number = self.next_work();
        self.push_work(number, task, title, true);
    }

    fn push_work(&mut self, number: u64, task: TaskId, title: String, saves: bool) {
        let since = jiff::Timestamp::now();
        let work = Work { number, task, run: None, title, progress: None, cancelling: false, since, saves };
        self.work.push(work);
    }
}

/// For work whose result cannot carry a failure: the failure is reported, and `then` is handled instead.
pub(crate) fn report_failure(
    failure: &'static str,
    then: impl FnOnce(CallError) -> TaskOutput + Send + 'static,
) -> impl FnOnce(CallError) -> TaskOutput + Send + 'static {
    move |error| TaskOutput::Failed { message: format!("{failure}: {}", error.reason()), then: Box::new(then(error)) }
}

fn ended_as(ended: Ended) -> CallError {
    match ended {
        Ended::Cancelled => broken("cancelled"),
        Ended::Panicked(text) => broken(format!("a background task panicked: {text}")),
    }
}
