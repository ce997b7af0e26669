//! Passes requests to the features that perform them.

use std::sync::Arc;

use crate::bulk::BulkOperation;
use crate::context::{Request, of_feature};
use crate::tasks::CancelFlag;
use crate::{Action, App};
use lunette_client::model::id::AssetId;

/// How many names of assets are looked up at once; more would delay a frame.
const MOST_NAMED: usize = 10_000;

impl App {
    /// Performs an action of the user.
    pub fn perform(&mut self, action: impl Into<Action>) {
        self.dispatch(action.into());
        self.carry_out_requests();
        self.state.update_rows();
        self.record_visit();
        // Concurrent reads must know of a starting write before it is sent.
        self.publish_view();
    }

    /// Performs the requests of features.
    pub(crate) fn carry_out_requests(&mut self) {
        while let Some(request) = self.runtime.requests.pop_front() {
            self.carry_out(request);
        }
    }

    fn carry_out(&mut self, request: Request) {
        match request {
            Request::Action(action) => self.dispatch(*action),
            Request::Connect(target) => self.connect(target),
            Request::Reached { again } => self.reached(again),
            Request::Ask(asked) => self.context().ask_first(asked),
            Request::Lost => self.state.sync.stop(),
            Request::Drafts(store, drafts) => of_feature!(self, drafts.add_drafts(store, drafts)),
            Request::Inventory(store) => self.state.inventory.set_store(store),
            Request::ReadAll => self.read_all(),
            Request::ListRead => self.state.sync.rows_are_read(),
            Request::ResetLayout => self.reset_layout(),
            Request::HoldWrites => self.hold_writes(),
            Request::PlanRun(operation, assets) => self.plan_run(operation, &assets),
            Request::ReadGraph => {
                let rows = self.state.assets.list.rows.value().cloned().unwrap_or_default();
                of_feature!(self, graph.read_with(rows));
            }
            Request::ReadItemActivity => {
                let rows = self.state.assets.list.rows.value().cloned().unwrap_or_default();
                of_feature!(self, links.read_activity_with(rows));
            }
        }
    }

    fn dispatch(&mut self, action: Action) {
        match action {
            Action::Check(read_only) => of_feature!(self, check.check(read_only)),
            Action::Refresh(panel) => self.refresh(panel),
            Action::List(list, change) => self.change_list(list, change),
            Action::Confirm(yes) => self.context().answer(yes),
            Action::Cancel(task) => self.cancel(task),
            Action::Dismiss(number) => self.state.notifications.dismiss(number),
            Action::Notify(text) => self.context().show_success(text),
            Action::Session(action) => of_feature!(self, session.perform(action)),
            Action::Navigation(action) => of_feature!(self, navigation.perform(action)),
            Action::Applications(action) => of_feature!(self, applications.perform(action)),
            Action::Inventory(action) => of_feature!(self, inventory.perform(action)),
            Action::Assets(action) => of_feature!(self, assets.perform(action)),
            Action::Links(action) => of_feature!(self, links.perform(action)),
            Action::Graph(action) => of_feature!(self, graph.perform(action)),
            Action::Overview(action) => of_feature!(self, overview.perform(action)),
            Action::Trash(action) => of_feature!(self, trash.perform(action)),
            Action::Write(action) => of_feature!(self, write.perform(action)),
            Action::Drafts(action) => of_feature!(self, drafts.perform(action)),
            Action::History(action) => of_feature!(self, write.perform_step(action)),
            Action::Bulk(action) => of_feature!(self, bulk.perform(action)),
            Action::Import(action) => of_feature!(self, import.perform(action)),
            Action::Watch(action) => of_feature!(self, watch.perform(action)),
            Action::Export(action) => of_feature!(self, export.perform(action)),
            Action::Embedded(action) => of_feature!(self, embedded.perform(action)),
            Action::Settings(action) => self.context().perform_settings(action),
        }
    }

    /// Publishes what is in view if it changed.
    pub(crate) fn record_visit(&mut self) {
        let here = self.state.location();
        let left = self.state.navigation.visits.current_asset();
        let record = left.and_then(|asset| self.state.pages.of.get(asset)).map(|page| &page.record);
        let passed = record.is_some_and(|record| record.never_read());
        self.state.navigation.visits.record(here, passed);
    }

    /// Shows the plan of an operation on these assets, without a name for those that are not in the list.
    fn plan_run(&mut self, operation: BulkOperation, assets: &[AssetId]) {
        let rows = self.state.assets.list.rows.value();
        let name = |asset: &AssetId| {
            let rows = rows.filter(|_| assets.len() <= MOST_NAMED)?;
            Some(rows.get(rows.index_of_compact(asset.into())?)?.name().to_owned())
        };
        let named = assets.iter().map(|asset| (asset.clone(), name(asset).unwrap_or_default())).collect();
        of_feature!(self, bulk.plan_bulk(operation, Arc::new(named)));
    }

    fn hold_writes(&mut self) {
        self.state.bulk.pause_all();
        // An import ends with the assets created so far; the rest would be blocked file by file.
        self.runtime.cancels.values().for_each(CancelFlag::cancel);
        self.context().answer(false);
    }
}
