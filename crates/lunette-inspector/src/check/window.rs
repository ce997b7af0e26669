//! The check in the window: starting, progress, cancelling, and its last report.

use crate::event::Event;
use std::sync::Arc;

use super::{Options, Report, check};
use crate::context::Context;
use crate::notifications::Topic;
use crate::output::{ProgressEvent, TaskOutput, TaskResult};
use crate::tasks::TaskId;
use crate::tasks::{CancelFlag, Ended};
use crate::{Remote, WritePolicy};
use lunette_client::model::id::AssetId;

/// The current or last check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// Whether it sends no write.
    pub read_only: bool,
    /// Its report; the previous report is shown while the next check runs.
    pub report: Remote<Arc<Report>, String>,
    /// Its task while it runs.
    pub task: Option<TaskId>,
}

/// The end of a check.
pub(crate) struct Output(Result<Arc<Report>, Ended>);

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Check(self)
    }
}

impl Checked {
    /// Calls all operations of the interface, with this asset, or only those that read if writes are blocked or need
    /// confirmation.
    pub(crate) fn check(&mut self, read_only: bool, asset: Option<AssetId>, cx: &mut Context<'_>) {
        let read_only = read_only || cx.connection.write_policy != WritePolicy::Allow;
        if self.task.is_some() {
            return;
        }
        let client = match cx.client() {
            Ok(client) => client,
            Err(error) => {
                let text = format!("Cannot check the service: {error}");
                return cx.notify_failed(Topic::Connection, text, Vec::new());
            }
        };
        let options = Options { read_only, asset, ..Options::default() };
        let (cancel, number) = (CancelFlag::default(), cx.next_work());
        let (flag, reporter) = (cancel.clone(), cx.reporter());
        let run = async move {
            let on_progress = |done, all| reporter.report(ProgressEvent::Progress { work: number, done, all });
            Ok::<_, Ended>(Arc::new(check(&client, &options, &flag, &on_progress).await))
        };
        let task = cx.run(run, Output);
        self.read_only = read_only;
        self.report.start_loading();
        self.task = Some(task);
        cx.show_work(number, task, "Checking the service".to_owned(), Some(cancel));
    }

    /// Handles the end of a check.
    pub(crate) fn apply(&mut self, Output(end): Output, cx: &mut Context<'_>) {
        self.task = None;
        if let Ok(report) = &end {
            cx.show_success(format!("Checked the service: {}", report.summary()));
            // The created and deleted records may have changed the lists.
            cx.emit(Event::ReadAll);
        }
        self.report.resolve(end.map_err(|ended| ended.to_string()));
    }
}
