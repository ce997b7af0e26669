//! Background work of the inspector: starting it, showing its progress, and handling cancellation and panics.
//!
//! What must hold: all work reports its end. A panic becomes an event like any other result, and that event reports it
//! on screen.

use std::future::Future;

use crate::CallError;
use crate::context::Context;
use crate::output::{Completion, Numbered, Reported, TaskResult};
use crate::request_versions::ResourceKey;
use crate::tasks::{CancelFlag, Ended, OwnedTask, TaskId, blocking};
use crate::write::journaled::{Failed, WriteContext};
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

impl Context<'_> {
    /// Starts background work. `into` makes the output of its result, which is an error if it panics or is cancelled.
    pub(crate) fn run<T, E: From<Ended> + 'static, O: TaskResult>(
        &mut self,
        work: impl Future<Output = Result<T, E>> + Send + 'static,
        into: impl FnOnce(Result<T, E>) -> O + Send + 'static,
    ) -> TaskId {
        let generation = self.generation();
        // What is started is moved several times, and the work of a whole import is large.
        self.start(Box::pin(work), move |result| Completion::new(generation, into(result)))
    }

    /// Starts work that blocks or keeps a processor busy, on a thread of its own.
    pub(crate) fn run_blocking<T: Send + 'static, E: From<Ended> + Send + 'static, O: TaskResult>(
        &mut self,
        work: impl FnOnce() -> Result<T, E> + Send + 'static,
        into: impl FnOnce(Result<T, E>) -> O + Send + 'static,
    ) -> TaskId {
        self.run(async move { blocking(work).await? }, into)
    }

    /// Starts a read of a resource; its result is dropped if a later read of it was begun.
    pub(crate) fn read<T, E: From<Ended> + 'static, O: TaskResult>(
        &mut self,
        key: ResourceKey,
        work: impl Future<Output = Result<T, E>> + Send + 'static,
        into: impl FnOnce(Result<T, E>) -> O + Send + 'static,
    ) -> TaskId {
        let number = self.begin_read(key.clone());
        self.run(work, move |result| Numbered { key, number, output: into(result) })
    }

    /// Reads a resource by calling an operation, whose response is processed in the background.
    pub(crate) fn ask<P: Operation, T: Send + 'static, O: TaskResult>(
        &mut self,
        key: ResourceKey,
        operation: P,
        process: impl FnOnce(P::Output) -> T + Send + 'static,
        into: impl FnOnce(Result<T, CallError>) -> O + Send + 'static,
    ) -> TaskId {
        let client = self.client();
        self.read(key, async move { client?.call(operation).await.map(process) }, into)
    }

    /// Starts work whose output cannot carry a failure: it is reported with this message before `into` gets it.
    pub(crate) fn run_reporting<T, O: TaskResult>(
        &mut self,
        failure: &'static str,
        work: impl Future<Output = Result<T, Ended>> + Send + 'static,
        into: impl FnOnce(Result<T, Ended>) -> O + Send + 'static,
    ) -> TaskId {
        self.run(work, move |result| {
            let problem = result.as_ref().err().map(|ended| format!("{failure}: {ended}"));
            Reported { problem, output: into(result) }
        })
    }

    /// Starts a write. One that panics or is cancelled has an unknown outcome if its request may have been sent.
    pub(crate) fn run_write<T, F, O: TaskResult>(
        &mut self,
        work: impl FnOnce(WriteContext) -> F,
        into: impl FnOnce(Result<T, Failed>) -> O + Send + 'static,
    ) -> TaskId
    where
        F: Future<Output = Result<T, Failed>> + Send + 'static,
    {
        let (context, sent) = self.write_context_and_sent();
        let work = context.map(work);
        let work = async move {
            Ok::<_, Ended>(match work {
                Ok(work) => work.await,
                Err(error) => Err(Failed::from(error)),
            })
        };
        self.run(work, move |result| into(result.unwrap_or_else(|ended| Err(sent.failed(&ended.into())))))
    }

    /// Shows work in the status bar until its task ends.
    pub(crate) fn show_work(&mut self, number: u64, task: TaskId, title: String, cancel: Option<CancelFlag>) {
        if let Some(cancel) = cancel {
            self.on_cancel(task, cancel);
        }
        self.push_work(number, task, title);
    }

    /// Shows work in the status bar that its feature waits for, until its task ends.
    pub(crate) fn show_owned(&mut self, task: TaskId, title: &str, cancel: CancelFlag) -> OwnedTask {
        let number = self.next_work();
        self.show_work(number, task, title.to_owned(), Some(cancel.clone()));
        OwnedTask::new(task, cancel)
    }

    /// Shows a write in the status bar if it takes long, so that it can be cancelled.
    pub(crate) fn show_saving(&mut self, task: TaskId, title: String) {
        let number = self.next_work();
        self.push_work(number, task, title).saves = true;
    }

    fn push_work(&mut self, number: u64, task: TaskId, title: String) -> &mut Work {
        let since = jiff::Timestamp::now();
        let work = Work { number, task, run: None, title, progress: None, cancelling: false, since, saves: false };
        self.work.push_mut(work)
    }
}
