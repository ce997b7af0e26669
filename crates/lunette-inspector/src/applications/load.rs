//! Reads applications: tracked, external, and a single one.

use crate::listing::rows::ApplicationRow;
use std::sync::Arc;

use crate::action::InventoryAction;
use crate::applications::ApplicationPage;
use crate::applications::Applications;
use crate::applications::Output;
use crate::applications::read::{External, applications, external};
use crate::context::Context;
use crate::filter::List;
use crate::inventory::ListResult;
use crate::listing::rows::{ApplicationColumn, ExternalColumn};
use crate::listing::{Query, RowList};
use crate::request_versions::ResourceKey;
use crate::{CallError, Remote};
use lunette_client::model::application::Application;
use lunette_client::model::id::ApplicationId;
use lunette_client::operation::table::ApplicationsSpecificApplicationSnapshot;

impl Applications {
    /// Shows the current tracked applications, unless they are being read.
    pub(crate) fn apply_rows(&mut self, rows: RowList<ApplicationRow>, cx: &mut Context<'_>) {
        if !self.list.rows.loading() {
            cx.request(InventoryAction::ListResult(ListResult::Tracked(Ok(rows.clone()))));
            self.list.rows = Remote::Known(rows);
            self.apply_query(self.list.query.clone(), cx);
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
            page.record.answer(record);
        }
    }

    pub(crate) fn load_applications(&mut self, cx: &mut Context<'_>) {
        self.list.rows.ask();
        let client = cx.client();
        cx.read(ResourceKey::Applications, async move { applications(&client?).await }, Output::Listed);
    }

    pub(crate) fn open_application(&mut self, id: String, cx: &mut Context<'_>) {
        let previous = self.open.take().filter(|page| page.id == id);
        let mut page = previous.unwrap_or(ApplicationPage { id: id.clone(), record: Remote::Unasked });
        page.record.ask();
        self.open = Some(page);
        match id.parse::<ApplicationId>() {
            Ok(application) => {
                let call = ApplicationsSpecificApplicationSnapshot { application };
                cx.ask(ResourceKey::Application, call, Arc::new, move |record| Output::Read(id, record));
            }
            Err(problem) => {
                let error = crate::broken(format!("this application has no usable id: {problem}"));
                self.take(&id, Err(error));
            }
        }
    }

    pub(crate) fn load_external(&mut self, cx: &mut Context<'_>) {
        self.external.rows.ask();
        let (client, answers, kept) = (cx.client(), self.external_answers.clone(), self.external_answers.clone());
        let load = async move { Ok::<_, CallError>(external(&client?, answers).await) };
        cx.read(ResourceKey::External, load, |answer| {
            Output::ExternalListed(answer.unwrap_or_else(|error| External::failed(&error, kept)))
        });
    }

    pub(crate) fn apply_query(&mut self, query: Query<ApplicationColumn>, cx: &mut Context<'_>) {
        cx.keep_sort(List::Applications, &query);
        self.list.set_query(query);
    }

    pub(crate) fn apply_external_query(&mut self, query: Query<ExternalColumn>, cx: &mut Context<'_>) {
        cx.keep_sort(List::External, &query);
        self.external.set_query(query);
    }
}
