//! The results of background work on tracked and external applications, and what they change.

use crate::CallError;
use crate::applications::read::External;
use crate::applications::{Applications, ListResult};
use crate::context::Context;
use crate::event::Event;
use crate::listing::RowList;
use crate::listing::rows::ApplicationRow;
use crate::output::{TaskOutput, TaskResult};
use lunette_client::model::application::Application;
use std::sync::Arc;

/// The result of a task on tracked and external applications.
pub(crate) enum Output {
    Listed(Result<Vec<Arc<ApplicationRow>>, CallError>),
    Read(String, Result<Arc<Application>, CallError>),
    ExternalListed(External),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Applications(self)
    }
}

impl Applications {
    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Listed(rows) => {
                let rows = rows.map(RowList::from);
                cx.emit(Event::ApplicationsRead(ListResult::Tracked(rows.clone())));
                self.list.resolve(rows);
            }
            Output::Read(id, record) => {
                self.take(&id, record);
            }
            Output::ExternalListed(answer) => {
                let any_read = answer.any_read();
                let rows = RowList::from(answer.rows);
                let rows_read = any_read.then(|| rows.clone());
                cx.emit(Event::ApplicationsRead(ListResult::External(rows_read, answer.failed.clone())));
                self.external_answers = answer.answers;
                // A service that has only one of the two still fills the list.
                let error = answer.failed.into_iter().map(|(_, error)| error).next().filter(|_| !any_read);
                self.external.resolve(error.map_or(Ok(rows), Err));
            }
        }
    }
}
