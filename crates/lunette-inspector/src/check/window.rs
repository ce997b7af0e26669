//! The check in the window: starting, progress, cancelling, and its last report.

use crate::context::Request;
use std::sync::Arc;

use super::{Options, Report, check};
use crate::context::Context;
use crate::notifications::Topic;
use crate::output::{ProgressEvent, TaskOutput};
use crate::tasks::CancelFlag;
use crate::tasks::TaskId;
use crate::{Remote, WritePolicy};

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

impl Checked {
    /// Calls all operations of the interface, or only those that read if writes are blocked or need confirmation.
    pub(crate) fn check(&mut self, read_only: bool, cx: &mut Context<'_>) {
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
        let asset = cx.pages.open.clone();
        let options = Options { read_only, asset, ..Options::default() };
        let (cancel, number) = (CancelFlag::default(), cx.next_work());
        let (flag, reporter) = (cancel.clone(), cx.reporter());
        let run = async move {
            let on_progress = |done, all| reporter.report(ProgressEvent::Progress { work: number, done, all });
            TaskOutput::Checked(Ok(Arc::new(check(&client, &options, &flag, &on_progress).await)))
        };
        let task = cx.start(run, |error| TaskOutput::Checked(Err(error.to_string())));
        self.read_only = read_only;
        self.report.ask();
        self.task = Some(task);
        cx.show_work(number, task, "Checking the service".to_owned(), Some(cancel));
    }

    pub(crate) fn checked(&mut self, end: Result<Arc<Report>, String>, cx: &mut Context<'_>) {
        self.task = None;
        if let Ok(report) = &end {
            cx.show_success(format!("Checked the service: {}", report.summary()));
            // The created and deleted records may have changed the lists.
            cx.request_later(Request::ReadAll);
        }
        self.report.answer(end);
    }
}
