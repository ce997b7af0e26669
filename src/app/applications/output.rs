//! What background work about tracked and external applications returns, and what it changes.

use crate::app::App;
use crate::app::CallError;
use crate::app::journal::EntryId;
use crate::app::listing::rows::ApplicationRow;
use crate::app::listing::rows::ExternalRow;
use crate::app::write::step::Failed;
use crate::app::write::tracking::Tracking;
use lunette_client::model::application::Application;
use std::sync::Arc;

/// What a task about tracked and external applications ended with.
pub(in crate::app) enum Output {
    Listed(Result<Vec<Arc<ApplicationRow>>, CallError>),
    Read(String, Result<Arc<Application>, CallError>),
    ExternalListed(Result<Vec<Arc<ExternalRow>>, CallError>),
    Tracked(Tracking, Result<EntryId, Failed>),
}

impl App {
    /// Takes in what a task ended with.
    pub(in crate::app) fn handle_applications(&mut self, output: Output) {
        match output {
            Output::Listed(rows) => {
                self.state.applications.list.rows.answer(rows.map(Arc::new));
                self.arrange_applications(self.state.applications.list.query.clone());
            }
            Output::Read(id, record) => {
                if let Some(page) = self.state.applications.open.as_mut().filter(|page| page.id == id) {
                    page.record.answer(record);
                }
            }
            Output::ExternalListed(rows) => {
                self.state.applications.external.rows.answer(rows.map(Arc::new));
                self.arrange_external(self.state.applications.external.query.clone());
            }
            Output::Tracked(tracking, end) => self.tracking_ended(tracking, end),
        }
    }
}
