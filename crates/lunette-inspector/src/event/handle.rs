//! Hands events to the features that they concern.

use std::sync::Arc;

use super::{AssetEvent, ConnectionEvent, Event, RunEvent, SettingsEvent, StepEvent};
use crate::App;
use crate::bulk::window::ChangedByRun;
use crate::context::{of_feature, of_reader};
use crate::history::Answer;
use crate::journal::EntryKind;
use crate::panel::Panel;
use crate::runs::BulkOperation;
use crate::tasks::CancelFlag;
use lunette_client::model::id::AssetId;

/// How many names of assets are looked up at once; more would delay a frame.
const MOST_NAMED: usize = 10_000;

impl App {
    /// Handles what features reported, in order.
    pub(crate) fn handle_events(&mut self) {
        loop {
            // Before a later event removes a page whose name is needed.
            let assets = &self.state.assets;
            self.state.notifications.name_assets(&assets.pages, |id| assets.name_in_list(id));
            let Some(event) = self.runtime.pending.pop_front() else { return };
            self.handle_event(event);
        }
    }

    fn handle_event(&mut self, event: Event) {
        match event {
            Event::Action(action) => self.dispatch(*action),
            Event::Ask(asked) => self.context().ask_first(asked),
            Event::Show(panel) => of_feature!(self, navigation.show(panel)),
            Event::Shown(panel) => self.shown(panel),
            Event::ReadAll => self.read_all(),
            Event::ReadGraph => {
                let rows = self.state.assets.list.rows.value().cloned().unwrap_or_default();
                of_feature!(self, graph.read_with(rows, &assets.pages), with assets);
            }
            Event::ReadItemActivity => {
                let rows = self.state.assets.list.rows.value().cloned().unwrap_or_default();
                of_feature!(self, links.read_activity_with(rows, &assets.pages), with assets);
            }
            Event::ApplicationsRead(result) => of_feature!(self, inventory.list_read(result)),
            Event::FolderImported(folder) => of_feature!(self, watch.imported(&folder)),
            Event::Connection(event) => self.handle_connection(event),
            Event::Settings(event) => self.handle_settings(event),
            Event::Asset(event) => self.handle_asset(event),
            Event::Step(event) => self.handle_step(event),
            Event::Run(event) => self.handle_run(event),
        }
    }

    fn handle_connection(&mut self, event: ConnectionEvent) {
        match event {
            ConnectionEvent::Chosen(target) => self.connect(target),
            ConnectionEvent::Tried => of_feature!(self, embedded.look_inside()),
            ConnectionEvent::Reached { again } => self.reached(again),
            ConnectionEvent::Lost => self.state.sync.stop(),
            ConnectionEvent::Journal(entries, problem) => self.state.history.reload(entries, problem),
            ConnectionEvent::Drafts(store, drafts) => of_feature!(self, drafts.add_drafts(store, drafts)),
            ConnectionEvent::Database(database) => {
                self.watch_database(database.as_ref());
                self.open_versions(database.as_ref());
                of_feature!(self, proposals.follow(database.as_ref()));
                of_feature!(self, assistants.follow(database.as_ref()));
                self.state.inventory.set_store(database);
            }
            ConnectionEvent::Usage(usage) => self.state.assets.set_usage(usage),
            ConnectionEvent::WritesHeld => self.hold_writes(),
        }
    }

    fn handle_settings(&mut self, event: SettingsEvent) {
        match event {
            SettingsEvent::Transferables => of_feature!(self, assets.transferables_set()),
            SettingsEvent::Origins => of_feature!(self, embedded.hold_origins()),
            SettingsEvent::WritePolicies => self.context().apply_write_policy(),
            SettingsEvent::LayoutReset => self.reset_layout(),
            SettingsEvent::Versions => self.keep_versions(),
            SettingsEvent::Synonyms => of_feature!(self, assets.search_again()),
        }
    }

    fn handle_asset(&mut self, event: AssetEvent) {
        match event {
            AssetEvent::ListRead => self.state.sync.rows_are_read(),
            AssetEvent::PagesLoaded => {
                let dropped = self.state.assets.drop_old_pages(|id| self.state.write.of(id).writing);
                self.state.write.forget(&dropped);
            }
            AssetEvent::Created(id) => self.asset_created(id),
            AssetEvent::Opened(id) => {
                of_feature!(self, navigation.show(Panel::Assets));
                self.state.export.drop_documents_but(&id);
            }
            AssetEvent::Found(id) => self.state.navigation.visits.find(&id),
            AssetEvent::Lost(id) => self.state.navigation.visits.lose(&id),
            AssetEvent::Written(id) => {
                of_feature!(self, graph.written(&id));
                of_feature!(self, compare.written(&id));
            }
            AssetEvent::TrashChanged => of_feature!(self, trash.trash_changed()),
        }
    }

    fn handle_step(&mut self, event: StepEvent) {
        match event {
            StepEvent::Recorded(step) => self.state.history.insert(step),
            StepEvent::Unchanged(step) => self.state.history.mark_unchanged(step),
            StepEvent::Irreversible(step) => self.state.history.mark_irreversible(step),
            StepEvent::Answered(answer) => self.answer_step(answer),
            StepEvent::SendingBegan(sent) => self.state.history.begin_sending(sent),
            StepEvent::SendingEnded => self.state.history.end_sending(),
            StepEvent::Doubted(step) => of_reader!(self, write.reconcile(step)),
        }
    }

    fn handle_run(&mut self, event: RunEvent) {
        match event {
            RunEvent::Wanted(operation, assets) => self.plan_run(operation, &assets),
            RunEvent::Began(step) => self.state.history.begin(step),
            RunEvent::RowsWritten(writes) => self.state.write.record_rows(writes, &self.state.assets.pages),
            RunEvent::Stopped(changed) => self.run_stopped(changed),
            RunEvent::Recorded(runs) => self.state.bulk.add_runs(runs),
            RunEvent::Needed(run) => of_reader!(self, bulk.open_run(run)),
            RunEvent::EndedElsewhere(step, run) => of_reader!(self, bulk.forget_run(step, run)),
            RunEvent::BackupNeeded(answer) => of_feature!(self, embedded.back_up_first(answer)),
            RunEvent::BackedUp(answer, end, generation) => {
                of_reader!(self, bulk.backed_up_first(end, &answer, generation));
            }
        }
    }

    /// Shows the plan of an operation on these assets, without a name for those that are not in the list.
    fn plan_run(&mut self, operation: BulkOperation, assets: &[AssetId]) {
        let name = |asset| self.state.assets.name_in_list(asset).filter(|_| assets.len() <= MOST_NAMED);
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
            Answer::Change(back) => of_reader!(self, write.change_back(*back)),
            Answer::UndoBatch(step, if_unchanged) => of_reader!(self, bulk.undo_batch(step, if_unchanged)),
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
        for open in open {
            of_feature!(self, assets.load_asset(&open));
        }
        of_feature!(self, assets.load_assets());
        of_feature!(self, trash.trash_changed());
        of_feature!(self, links.reload());
        if let Some(kind) = made {
            of_feature!(self, assets.load_linkable(kind));
        }
        let moved = self.state.history.replacements(&self.state.bulk.runs);
        of_feature!(self, sides.run_stopped(&bulk.runs, &moved), with bulk);
    }

    fn hold_writes(&mut self) {
        self.state.bulk.pause_all();
        // An import ends with the assets created so far; the rest would be blocked file by file.
        self.runtime.cancels.values().for_each(CancelFlag::cancel);
        self.context().decline();
    }
}
