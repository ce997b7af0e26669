//! What background work about tracked and external applications returns, and what it changes.

use crate::app::CallError;
use crate::app::applications::Applications;
use crate::app::context::Context;
use crate::app::listing::RowList;
use crate::app::listing::rows::ApplicationRow;
use crate::app::listing::rows::ExternalRow;
use lunette_client::model::application::Application;
use std::sync::Arc;

/// What a task about tracked and external applications ended with.
pub(in crate::app) enum Output {
    Listed(Result<Vec<Arc<ApplicationRow>>, CallError>),
    Read(String, Result<Arc<Application>, CallError>),
    ExternalListed(Result<Vec<Arc<ExternalRow>>, CallError>),
}

impl Applications {
    /// Handles the output of a task.
    pub(in crate::app) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Listed(rows) => {
                self.list.rows.answer(rows.map(RowList::from));
                self.arrange_applications(self.list.query.clone(), cx);
            }
            Output::Read(id, record) => {
                self.take(&id, record);
            }
            Output::ExternalListed(rows) => {
                self.external.rows.answer(rows.map(RowList::from));
                self.arrange_external(self.external.query.clone(), cx);
            }
        }
    }
}
