//! Reads applications: tracked, external, and a single one.

use std::sync::Arc;

use crate::app::applications::ApplicationPage;
use crate::app::applications::read::{application_rows, external};
use crate::app::filter::List;
use crate::app::listing::Query;
use crate::app::listing::rows::{ApplicationColumn, ExternalColumn};
use crate::app::output::{ApplicationsOutput, TaskOutput};
use crate::app::request_versions::ResourceKey;
use crate::app::{App, Remote};
use lunette_client::model::id::ApplicationId;
use lunette_client::operation::table::{ApplicationsSnapshot, ApplicationsSpecificApplicationSnapshot};

impl App {
    pub(in crate::app) fn load_applications(&mut self) {
        self.state.applications.list.rows.ask();
        let what = self
            .numbered(ResourceKey::Applications, |value| TaskOutput::Applications(ApplicationsOutput::Listed(value)));
        self.ask(ApplicationsSnapshot {}, application_rows, what);
    }

    pub(in crate::app) fn open_application(&mut self, id: String) {
        let previous = self.state.applications.open.take().filter(|page| page.id == id);
        let mut page = previous.unwrap_or(ApplicationPage { id: id.clone(), record: Remote::Unasked });
        page.record.ask();
        self.state.applications.open = Some(page);
        match id.parse::<ApplicationId>() {
            Ok(application) => {
                let what = self.numbered(ResourceKey::Application, move |record| {
                    TaskOutput::Applications(ApplicationsOutput::Read(id, record))
                });
                self.ask(ApplicationsSpecificApplicationSnapshot { application }, Arc::new, what);
            }
            Err(problem) => {
                let error = crate::app::broken(format!("this application has no usable id: {problem}"));
                self.handle_output(TaskOutput::Applications(ApplicationsOutput::Read(id, Err(error))));
            }
        }
    }

    pub(in crate::app) fn load_external(&mut self) {
        self.state.applications.external.rows.ask();
        let what = self.numbered(ResourceKey::External, |value| {
            TaskOutput::Applications(ApplicationsOutput::ExternalListed(value))
        });
        let (client, failed) = (self.client(), what.clone());
        let load = async move {
            what(match client {
                Ok(client) => external(&client).await,
                Err(error) => Err(error),
            })
        };
        self.start(load, |error| failed(Err(error)));
    }

    pub(in crate::app) fn arrange_applications(&mut self, query: Query<ApplicationColumn>) {
        self.keep_sort(List::Applications, &query);
        self.state.applications.list.arrange(query);
    }

    pub(in crate::app) fn arrange_external(&mut self, query: Query<ExternalColumn>) {
        self.keep_sort(List::External, &query);
        self.state.applications.external.arrange(query);
    }
}
