//! The check in the window: started, drawn while it runs, cancelled, kept until another one.

use crate::app::context::Request;
use std::sync::Arc;

use super::{Options, Report, check};
use crate::app::context::Context;
use crate::app::notifications::Grade;
use crate::app::output::{ProgressEvent, TaskOutput};
use crate::app::tasks::CancelFlag;
use crate::app::tasks::TaskId;
use crate::app::{Remote, WritePolicy};

/// A check that runs, or ran last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// Whether it sends no write.
    pub read_only: bool,
    /// What it found; the report before stays on screen while the next one is made.
    pub report: Remote<Arc<Report>, String>,
    /// Its task while it runs.
    pub task: Option<TaskId>,
}

impl Checked {
    /// Asks the service all operations of the interface; where writes are held back or asked about, those that read.
    pub(in crate::app) fn check(&mut self, read_only: bool, cx: &mut Context<'_>) {
        let read_only = read_only || cx.connection.write_policy != WritePolicy::Allow;
        if self.task.is_some() {
            return;
        }
        let client = match cx.client() {
            Ok(client) => client,
            Err(error) => return cx.notify(Grade::Failed, format!("Cannot check the service: {error}")),
        };
        let asset = cx.pages.open.clone();
        let options = Options { read_only, asset, ..Options::default() };
        let (cancel, number) = (CancelFlag::default(), cx.next_work());
        let (flag, reporter) = (cancel.clone(), client.clone());
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

    pub(in crate::app) fn checked(&mut self, end: Result<Arc<Report>, String>, cx: &mut Context<'_>) {
        self.task = None;
        if let Ok(report) = &end {
            cx.show_success(format!("Checked the service: {}", report.summary()));
            // What was made and deleted has come and gone in the lists as well.
            cx.request_later(Request::ReadAll);
        }
        self.report.answer(end);
    }
}
