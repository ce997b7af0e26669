//! What comes back from background work, and what it changes on screen.

use std::sync::Arc;

use crate::app::journal::EntryId;
use crate::app::output::{ProgressEvent, TaskOutput};
use crate::app::request_versions::ResourceKey;
use crate::app::state::{Grade, Outcome, Recent, Status};
use crate::app::{App, CallError, Remote};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record;

impl TaskOutput {
    /// Whether the event matters although the connection changed meanwhile.
    pub(in crate::app) fn outlives_its_connection(&self) -> bool {
        match self {
            Self::Failed { then: what, .. } | Self::Read(_, _, what) => what.outlives_its_connection(),
            Self::SettingsKept(_)
            | Self::DraftsKept(..)
            | Self::Probed(_)
            | Self::Saved(_)
            | Self::Picked(_)
            | Self::Dragged(_)
            | Self::Inside(_)
            | Self::Backups(_)
            | Self::BackedUp(_)
            | Self::BackedUpFirst(..)
            | Self::Restored(_) => true,
            _ => false,
        }
    }
}

impl App {
    pub(in crate::app) fn handle_progress(&mut self, note: ProgressEvent) {
        match note {
            ProgressEvent::Called { line, own, generation } => {
                if generation == self.generation {
                    self.record_call_status(&line, own);
                    self.record_storage(&line, own);
                }
                self.keep_line(line);
            }
            ProgressEvent::Waiting { call, generation } if generation == self.generation => {
                self.state.connection.calls.begin_waiting(call);
            }
            ProgressEvent::Waited { call, generation } if generation == self.generation => {
                self.state.connection.calls.end_waiting(&call);
            }
            ProgressEvent::Waiting { .. } | ProgressEvent::Waited { .. } => {}
            ProgressEvent::Inside(seen) => self.take_inside(*seen),
            ProgressEvent::Unwatched(why) => self.unwatched(&why),
            ProgressEvent::Probed(probe) => self.probed(*probe),
            ProgressEvent::RetryDue { generation } if generation == self.generation => self.retry_due(),
            ProgressEvent::RetryDue { .. } => {}
            ProgressEvent::Rows { rows, number, generation } if generation == self.generation => {
                if self.reads.is_latest(&ResourceKey::Assets, number) {
                    self.take_rows(rows);
                }
            }
            ProgressEvent::Rows { .. } => {}
            ProgressEvent::Step { entry, problem, generation } => {
                if generation >= self.same_since {
                    self.record_step(entry);
                }
                if let Some(problem) = problem {
                    self.notify(Grade::Failed, problem);
                }
            }
            ProgressEvent::OtherWindows { news, generation } if generation == self.generation => {
                self.take_windows_news(news)
            }
            ProgressEvent::OtherWindows { .. } => {}
            ProgressEvent::Lines { run, inbox, generation } if generation == self.generation => {
                self.take_lines(run, &inbox)
            }
            ProgressEvent::Lines { .. } => {}
            ProgressEvent::Live { news, generation } if generation == self.generation => self.take_news(news),
            ProgressEvent::Live { .. } => {}
            ProgressEvent::Progress { work: number, done, all } => {
                for work in self.state.work.iter_mut().filter(|work| work.number == number) {
                    work.progress = Some((done, all));
                }
            }
        }
    }

    pub(in crate::app) fn handle_output(&mut self, what: TaskOutput) {
        match what {
            TaskOutput::Failed { said, then } => {
                self.notify(Grade::Failed, said);
                self.handle_output(*then);
            }
            TaskOutput::Read(read, number, what) => {
                if self.reads.is_latest(&read, number) {
                    self.handle_output(*what);
                }
            }
            TaskOutput::Connected(handshake) => self.connected(handshake),
            TaskOutput::Inside(seen) => self.take_inside(seen),
            TaskOutput::Backups(found) => self.backups_found(found),
            TaskOutput::BackedUp(end) => self.backed_up(end),
            TaskOutput::BackedUpFirst(end, answer, generation) => self.backed_up_first(end, &answer, generation),
            TaskOutput::Restored(end) => self.restored(end),
            TaskOutput::Chosen(choice) => self.chosen(choice),
            TaskOutput::Probed(probes) => self.state.connection.probes.answer(Ok(Arc::new(probes))),
            TaskOutput::Doubted(found) => self.liveness_checked(found),
            TaskOutput::TrashAsked => {}
            TaskOutput::NotFoundProbe(line) => self.not_found_probed(line),
            TaskOutput::Applications(rows) => {
                self.state.applications.rows.answer(rows.map(Arc::new));
                self.arrange_applications(self.state.applications.query.clone());
            }
            TaskOutput::Application(id, record) => {
                if let Some(page) = self.state.application.as_mut().filter(|page| page.id == id) {
                    page.record.answer(record);
                }
            }
            TaskOutput::External(rows) => {
                self.state.external.rows.answer(rows.map(Arc::new));
                self.arrange_external(self.state.external.query.clone());
            }
            TaskOutput::Tracked(tracking, end) => self.tracking_ended(tracking, end),
            TaskOutput::AssetsListed(end) => self.assets_listed(end),
            TaskOutput::Trash(rows) => self.trash_read(rows),
            TaskOutput::TrashEmptied(end) => self.trash_emptied(end),
            TaskOutput::AssetsArranged { query, hits, rows, order } => {
                self.assets_arranged(&query, hits.as_ref(), &rows, order)
            }
            TaskOutput::Found(number, found) => self.found(number, found),
            TaskOutput::Asset(id, record) => self.asset_read(id, record),
            TaskOutput::Content(id, content) => {
                self.page(id).content.answer(content);
                self.drop_old_pages();
            }
            TaskOutput::Formats(id, formats) => self.page(id).formats.answer(formats),
            TaskOutput::Activities(id, activities) => self.page(id).activities.answer(activities),
            TaskOutput::Conversations(id, conversations) => self.page(id).conversations.answer(conversations),
            TaskOutput::Linkable(kind, items) => {
                self.state.linkable.entry(kind).or_default().answer(items.map(Arc::new));
                self.state.linkable_revision += 1;
            }
            TaskOutput::Planned { change, end } => self.planned(change, end),
            TaskOutput::WriteResult { meant, answers, end } => self.wrote(meant, answers, end),
            TaskOutput::Reconciled { change, end } => {
                self.reconcile_page(&change, &end);
                self.reconciled(&change, end);
            }
            TaskOutput::Created(end) => self.created(end),
            TaskOutput::Answered(end) => self.answered(end),
            TaskOutput::Picked(end) => self.take_picked(end),
            TaskOutput::Dragged(end) => self.dragged(end),
            TaskOutput::Imported(summary, made) => self.imported(summary, made),
            TaskOutput::Exported(id, document) => {
                self.exported(&id, document);
                self.drop_old_pages();
            }
            TaskOutput::Saved(end) => self.saved(end),
            TaskOutput::FileOpened(Ok(())) => {}
            TaskOutput::FileOpened(Err(problem)) => self.notify(Grade::Failed, problem),
            TaskOutput::PlacePicked(Ok(picked)) => {
                picked.into_iter().for_each(|(wish, assets)| self.plan_bulk(wish, assets))
            }
            TaskOutput::PlacePicked(Err(problem)) => self.notify(Grade::Failed, format!("Cannot plan this: {problem}")),
            TaskOutput::BulkSampled(sample) => self.bulk_sampled(sample),
            TaskOutput::RunHalted(halted) => self.run_halted(halted),
            TaskOutput::RunsRead(read, then) => self.runs_read(read, then),
            TaskOutput::StepNoted(end) => self.step_noted(end),
            TaskOutput::Checked(end) => self.checked(end),
            TaskOutput::SettingsKept(end) => self.settings_kept(end),
            TaskOutput::DraftsKept(generation, end) => self.drafts_kept(generation, end),
        }
    }

    fn page(&mut self, id: AssetId) -> &mut crate::app::state::AssetPage {
        self.state.pages.entry(id).or_default()
    }

    fn asset_read(&mut self, id: AssetId, record: Result<Arc<Asset>, CallError>) {
        let gone = matches!(&record, Err(CallError::Status { status: 404 | 410, .. }));
        let asset = record.as_ref().ok().cloned();
        self.page(id.clone()).record.answer(record);
        if gone {
            self.forget_asset(&id);
        }
        let Some(asset) = asset else { return };
        self.find_visits(&id);
        self.show_record(&asset);
        if self.state.pages.get(&id).is_some_and(|page| page.content == Remote::Unasked) {
            self.load_small_content(&id);
        }
        if self.state.asset.as_ref() == Some(&id) {
            let key = self.state.connection.key();
            let name = asset.view().name().unwrap_or_default().to_owned();
            self.set(|settings| settings.remember(&key, Recent { id: id.to_string(), name }));
        }
        self.drop_old_pages();
    }

    pub(in crate::app) fn outcome(&mut self, text: String, undo: Option<EntryId>) {
        self.state.outcome = Some(Outcome { text, undo });
    }

    /// Whether the service answers.
    pub fn up(&self) -> bool {
        self.state.connection.status == Status::Up
    }
}
