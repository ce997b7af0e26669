//! Hands actions and events to the features that they concern.

use std::sync::Arc;

use crate::action::LinksAction;
use crate::bulk::BulkOperation;
use crate::bulk::window::ChangedByRun;
use crate::context::{of_feature, of_reader};
use crate::event::Event;
use crate::history::Answer;
use crate::journal::EntryKind;
use crate::panel::Panel;
use crate::tasks::CancelFlag;
use crate::{Action, App};
use lunette_client::model::id::AssetId;

/// How many names of assets are looked up at once; more would delay a frame.
const MOST_NAMED: usize = 10_000;

impl App {
    /// Performs an action of the user.
    pub fn perform(&mut self, action: impl Into<Action>) {
        self.dispatch(action.into());
        self.handle_events();
        self.record_visit();
        // Concurrent reads must know of a starting write before it is sent.
        self.publish_view();
    }

    /// Handles what features reported, in order.
    pub(crate) fn handle_events(&mut self) {
        loop {
            // Before a later event removes a page whose name is needed.
            self.state.notifications.name_assets(&self.state.assets.pages);
            let Some(event) = self.runtime.pending.pop_front() else { return };
            self.handle_event(event);
        }
    }

    fn handle_event(&mut self, event: Event) {
        match event {
            Event::Action(action) => self.dispatch(*action),
            Event::Connect(target) => self.connect(target),
            Event::Reached { again } => self.reached(again),
            Event::Ask(asked) => self.context().ask_first(asked),
            Event::Lost => self.state.sync.stop(),
            Event::Drafts(store, drafts) => of_feature!(self, drafts.add_drafts(store, drafts)),
            Event::DatabaseOpened(database) => self.state.inventory.set_store(database),
            Event::ReadAll => self.read_all(),
            Event::ListRead => self.state.sync.rows_are_read(),
            Event::ResetLayout => self.reset_layout(),
            Event::HoldWrites => self.hold_writes(),
            Event::PlanRun(operation, assets) => self.plan_run(operation, &assets),
            Event::ReadGraph => {
                let rows = self.state.assets.list.rows.value().cloned().unwrap_or_default();
                of_feature!(self, graph.read_with(rows, &assets.pages), with assets);
            }
            Event::ReadItemActivity => {
                let rows = self.state.assets.list.rows.value().cloned().unwrap_or_default();
                of_feature!(self, links.read_activity_with(rows, &assets.pages), with assets);
            }
            Event::Connected => of_feature!(self, embedded.look_inside()),
            Event::Show(panel) => of_feature!(self, navigation.show(panel)),
            Event::Shown(Panel::Links) => of_feature!(self, links.perform(LinksAction::Enter)),
            Event::Shown(Panel::Graph) => of_feature!(self, graph.changed()),
            Event::Shown(_) => {}
            Event::ApplicationsRead(result) => of_feature!(self, inventory.list_read(result)),
            Event::TransferablesSet => of_feature!(self, assets.transferables_set()),
            Event::WritePoliciesRead => self.context().apply_write_policy(),
            Event::OriginsAllowed => of_feature!(self, embedded.hold_origins()),
            Event::AssetOpened(id) => {
                of_feature!(self, navigation.show(Panel::Assets));
                self.state.export.drop_documents_but(&id);
            }
            Event::AssetFound(id) => self.state.navigation.visits.find(&id),
            Event::AssetLost(id) => self.state.navigation.visits.lose(&id),
            Event::AssetWritten(id) => of_feature!(self, graph.written(&id)),
            Event::TrashChanged => of_feature!(self, trash.trash_changed()),
            Event::FolderImported(folder) => of_feature!(self, watch.imported(&folder)),
            Event::PagesLoaded => {
                let dropped = self.state.assets.drop_old_pages(|id| self.state.write.of(id).writing);
                self.state.write.forget(&dropped);
            }
            Event::AssetCreated(id) => self.asset_created(id),
            Event::JournalRead(entries, problem) => self.state.history.reload(entries, problem),
            Event::Step(step) => self.state.history.insert(step),
            Event::StepUnchanged(step) => self.state.history.mark_unchanged(step),
            Event::StepIrreversible(step) => self.state.history.mark_irreversible(step),
            Event::EndedElsewhere(step, run) => of_reader!(self, bulk.forget_run(step, run)),
            Event::Answer(answer) => self.answer_step(answer),
            Event::Reconcile(step) => of_reader!(self, write.reconcile(step)),
            Event::OpenRun(run) => of_reader!(self, bulk.open_run(run)),
            Event::RunBegan(step) => {
                self.state.history.begin(step);
                of_feature!(self, navigation.show(Panel::History));
            }
            Event::RowsWritten(writes) => self.state.write.record_rows(writes, &self.state.assets.pages),
            Event::RunStopped(changed) => self.run_stopped(changed),
            Event::RunsRecorded(runs) => self.state.bulk.add_runs(runs),
            Event::BackUpFirst(answer) => of_feature!(self, embedded.back_up_first(answer)),
            Event::BackedUp(answer, end, generation) => {
                of_reader!(self, bulk.backed_up_first(end, &answer, generation));
            }
        }
    }

    fn dispatch(&mut self, action: Action) {
        match action {
            Action::Check(read_only) => {
                let asset = self.state.assets.pages.open.clone();
                of_feature!(self, check.check(read_only, asset));
            }
            Action::Refresh(panel) => self.refresh(panel),
            Action::List(list, change) => self.change_list(list, change),
            Action::Confirm(yes) => self.context().answer(yes),
            Action::Cancel(task) => self.cancel(task),
            Action::Dismiss(number) => self.state.notifications.dismiss(number),
            Action::Notify(text) => self.context().show_success(text),
            Action::Session(action) => of_feature!(self, session.perform(action)),
            Action::Navigation(action) => of_feature!(self, navigation.perform(action, &assets.pages), with assets),
            Action::Applications(action) => of_feature!(self, applications.perform(action)),
            Action::Inventory(action) => of_feature!(self, inventory.perform(action)),
            Action::Assets(action) => of_feature!(self, assets.perform(action)),
            Action::Links(action) => of_feature!(self, links.perform(action)),
            Action::Graph(action) => of_feature!(self, graph.perform(action)),
            Action::Overview(action) => of_feature!(self, overview.perform(action)),
            Action::Trash(action) => of_feature!(self, trash.perform(action)),
            Action::Write(action) => of_reader!(self, write.perform(action)),
            Action::Drafts(action) => of_feature!(self, drafts.perform(action)),
            Action::History(action) => of_feature!(self, history.perform(action, &bulk.runs), with bulk),
            Action::Bulk(action) => of_reader!(self, bulk.perform(action)),
            Action::Import(action) => of_feature!(self, import.perform(action)),
            Action::Watch(action) => of_feature!(self, watch.perform(action)),
            Action::Export(action) => of_feature!(self, export.perform(action, &assets.pages), with assets),
            Action::Embedded(action) => of_feature!(self, embedded.perform(action)),
            Action::Settings(action) => self.context().perform_settings(action),
        }
    }

    /// Publishes what is in view if it changed.
    pub(crate) fn record_visit(&mut self) {
        let here = self.state.location();
        let left = self.state.navigation.visits.current_asset();
        let record = left.and_then(|asset| self.state.assets.pages.of.get(asset)).map(|page| &page.record);
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
        of_reader!(self, bulk.plan_bulk(operation, Arc::new(named)));
    }

    /// Shows a new asset, and offers to undo the step that created it.
    fn asset_created(&mut self, id: AssetId) {
        let creates = |kind: &EntryKind| matches!(kind, EntryKind::Change(made) if *made.asset() == id);
        let step = self.state.history.entries.iter().rev().find(|entry| creates(&entry.kind));
        let undo = step.map(|entry| entry.id);
        self.context().outcome("Created an asset".to_owned(), undo);
        of_feature!(self, assets.open_asset(id));
    }

    /// Hands a step to be undone or redone to the feature that made it.
    fn answer_step(&mut self, answer: Answer) {
        match answer {
            Answer::Change(back) => of_reader!(self, write.change_back(back)),
            Answer::UndoBatch(step, continue_run) => of_reader!(self, bulk.undo_batch(step, continue_run)),
            Answer::RedoBatch(step) => of_reader!(self, bulk.redo_batch(step)),
            Answer::UndoItems(step) => of_feature!(self, links.undo(step, history), with history),
            Answer::RedoItem(step) => of_feature!(self, links.redo(step, history), with history),
            Answer::Untrack(step) => of_reader!(self, write.untrack_step(&step)),
            Answer::TrackAgain(step) => of_reader!(self, write.track_again(&step)),
        }
    }

    /// Updates once what shows the assets of a run that has stopped.
    fn run_stopped(&mut self, changed: ChangedByRun) {
        let ChangedByRun { deleted, open, made } = changed;
        for asset in &deleted {
            of_feature!(self, assets.forget_deleted(asset));
        }
        self.state.write.forget(&deleted);
        if let Some(open) = open {
            of_feature!(self, assets.load_asset(&open));
        }
        of_feature!(self, assets.load_assets());
        of_feature!(self, trash.trash_changed());
        of_feature!(self, links.reload());
        if let Some(kind) = made {
            of_feature!(self, assets.load_linkable(kind));
        }
    }

    fn hold_writes(&mut self) {
        self.state.bulk.pause_all();
        // An import ends with the assets created so far; the rest would be blocked file by file.
        self.runtime.cancels.values().for_each(CancelFlag::cancel);
        self.context().answer(false);
    }
}
