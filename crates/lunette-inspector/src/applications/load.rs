//! Reads applications: tracked, external, and a single one.

use crate::listing::rows::ApplicationRow;
use std::sync::Arc;

use crate::applications::ApplicationPage;
use crate::applications::Output;
use crate::applications::read::{External, applications, external};
use crate::applications::{Applications, ListResult};
use crate::context::Context;
use crate::event::Event;
use crate::listing::RowList;
use crate::request_versions::ResourceKey;
use crate::{CallError, Remote};
use lunette_client::model::application::Application;
use lunette_client::model::id::ApplicationId;
use lunette_client::operation::table::ApplicationsSpecificApplicationSnapshot;

impl Applications {
    /// Shows the current tracked applications, unless they are being read.
    pub(crate) fn apply_rows(&mut self, rows: RowList<ApplicationRow>, cx: &mut Context<'_>) {
        if !self.list.rows.loading() {
            cx.emit(Event::ApplicationsRead(ListResult::Tracked(Ok(rows.clone()))));
            self.list.set_rows(Remote::Known(rows));
        }
    }

    /// Shows the current record of the open application: responses to earlier reads are older.
    pub(crate) fn apply_remote(&mut self, id: &str, record: Arc<Application>, cx: &mut Context<'_>) {
        if let Some(page) = self.open.as_mut().filter(|page| page.id == id) {
            cx.begin_read(ResourceKey::Application);
            page.record = Remote::Known(record);
        }
    }

    /// Shows the record of the open application.
    pub(crate) fn take(&mut self, id: &str, record: Result<Arc<Application>, CallError>) {
        if let Some(page) = self.open.as_mut().filter(|page| page.id == id) {
            page.record.resolve(record);
        }
    }

    pub(crate) fn load_applications(&mut self, cx: &mut Context<'_>) {
        self.list.rows.start_loading();
        let client = cx.client();
        cx.read(ResourceKey::Applications, async move { applications(&client?).await }, Output::Listed);
    }

    pub(crate) fn open_application(&mut self, id: String, cx: &mut Context<'_>) {
        let previous = self.open.take().filter(|page| page.id == id);
        let mut page = previous.unwrap_or(ApplicationPage { id: id.clone(), record: Remote::NotRequested });
        page.record.start_loading();
        self.open = Some(page);
        match id.parse::<ApplicationId>() {
            Ok(application) => {
                let call = ApplicationsSpecificApplicationSnapshot { application };
                cx.ask(ResourceKey::Application, call, Arc::new, move |record| Output::Read(id, record));
            }
            Err(problem) => {
                let error = crate::internal_error(format!("this application has no usable id: {problem}"));
                self.take(&id, Err(error));
            }
        }
    }

    pub(crate) fn load_external(&mut self, cx: &mut Context<'_>) {
        self.external.rows.start_loading();
        let (client, answers, kept) = (cx.client(), self.external_answers.clone(), self.external_answers.clone());
        let load = async move { Ok::<_, CallError>(external(&client?, answers).await) };
        cx.read(ResourceKey::External, load, |answer| {
            Output::ExternalListed(answer.unwrap_or_else(|error| External::failed(&error, kept)))
        });
    }
}
