//! What comes back from background work, and what it changes on screen.

use std::sync::Arc;

use crate::app::journal::EntryId;
use crate::app::output::{Note, What};
use crate::app::request_versions::Read;
use crate::app::state::{Grade, Outcome, Recent, Status};
use crate::app::{App, CallError, Remote};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record;

impl What {
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
    pub(in crate::app) fn take_note(&mut self, note: Note) {
        match note {
            Note::Called { line, own, generation } => {
                if generation == self.generation {
                    self.note_standing(&line, own);
                    self.note_store(&line, own);
                }
                self.keep_line(line);
            }
            Note::Waiting { call, generation } if generation == self.generation => {
                self.state.connection.calls.begin_waiting(call);
            }
            Note::Waited { call, generation } if generation == self.generation => {
                self.state.connection.calls.end_waiting(&call);
            }
            Note::Waiting { .. } | Note::Waited { .. } => {}
            Note::Inside(seen) => self.take_inside(*seen),
            Note::Unwatched(why) => self.unwatched(&why),
            Note::Probed(probe) => self.probed(*probe),
            Note::RetryDue { generation } if generation == self.generation => self.retry_due(),
            Note::RetryDue { .. } => {}
            Note::Rows { rows, number, generation } if generation == self.generation => {
                if self.reads.is_latest(&Read::Assets, number) {
                    self.take_rows(rows);
                }
            }
            Note::Rows { .. } => {}
            Note::Step { entry, problem, generation } => {
                if generation >= self.same_since {
                    self.put_step(entry);
                }
                if let Some(problem) = problem {
                    self.notify(Grade::Failed, problem);
                }
            }
            Note::OtherWindows { news, generation } if generation == self.generation => self.take_windows_news(news),
            Note::OtherWindows { .. } => {}
            Note::Lines { run, inbox, generation } if generation == self.generation => self.take_lines(run, &inbox),
            Note::Lines { .. } => {}
            Note::Live { news, generation } if generation == self.generation => self.take_news(news),
            Note::Live { .. } => {}
            Note::Progress { work: number, done, all } => {
                for work in self.state.work.iter_mut().filter(|work| work.number == number) {
                    work.progress = Some((done, all));
                }
            }
        }
    }

    pub(in crate::app) fn take(&mut self, what: What) {
        match what {
            What::Failed { said, then } => {
                self.notify(Grade::Failed, said);
                self.take(*then);
            }
            What::Read(read, number, what) => {
                if self.reads.is_latest(&read, number) {
                    self.take(*what);
                }
            }
            What::Connected(greeting) => self.connected(greeting),
            What::Inside(seen) => self.take_inside(seen),
            What::Backups(found) => self.backups_found(found),
            What::BackedUp(end) => self.backed_up(end),
            What::BackedUpFirst(end, answer, generation) => self.backed_up_first(end, &answer, generation),
            What::Restored(end) => self.restored(end),
            What::Chosen(choice) => self.chosen(choice),
            What::Probed(probes) => self.state.connection.probes.answer(Ok(Arc::new(probes))),
            What::Doubted(found) => self.doubted(found),
            What::TrashAsked => {}
            What::NotFoundProbe(line) => self.heard_of_nowhere(line),
            What::Applications(rows) => {
                self.state.applications.rows.answer(rows.map(Arc::new));
                self.arrange_applications(self.state.applications.query.clone());
            }
            What::Application(id, record) => {
                if let Some(page) = self.state.application.as_mut().filter(|page| page.id == id) {
                    page.record.answer(record);
                }
            }
            What::External(rows) => {
                self.state.external.rows.answer(rows.map(Arc::new));
                self.arrange_external(self.state.external.query.clone());
            }
            What::Tracked(tracking, end) => self.tracking_ended(tracking, end),
            What::AssetsListed(end) => self.assets_listed(end),
            What::Trash(rows) => self.trash_read(rows),
            What::TrashEmptied(end) => self.trash_emptied(end),
            What::AssetsArranged { query, hits, rows, order } => {
                self.assets_arranged(&query, hits.as_ref(), &rows, order)
            }
            What::Found(number, found) => self.found(number, found),
            What::Asset(id, record) => self.asset_read(id, record),
            What::Content(id, content) => {
                self.page(id).content.answer(content);
                self.drop_old_pages();
            }
            What::Formats(id, formats) => self.page(id).formats.answer(formats),
            What::Activities(id, activities) => self.page(id).activities.answer(activities),
            What::Conversations(id, conversations) => self.page(id).conversations.answer(conversations),
            What::Linkable(kind, items) => {
                self.state.linkable.entry(kind).or_default().answer(items.map(Arc::new));
                self.state.linkable_revision += 1;
            }
            What::Planned { change, end } => self.planned(change, end),
            What::WriteResult { meant, answers, end } => self.wrote(meant, answers, end),
            What::Reconciled { change, end } => {
                self.settle_page(&change, &end);
                self.settled(&change, end);
            }
            What::Created(end) => self.created(end),
            What::Answered(end) => self.answered(end),
            What::Picked(end) => self.take_picked(end),
            What::Dragged(end) => self.dragged(end),
            What::Imported(summary, made) => self.imported(summary, made),
            What::Exported(id, document) => {
                self.exported(&id, document);
                self.drop_old_pages();
            }
            What::Saved(end) => self.saved(end),
            What::FileOpened(Ok(())) => {}
            What::FileOpened(Err(problem)) => self.notify(Grade::Failed, problem),
            What::PlacePicked(Ok(picked)) => picked.into_iter().for_each(|(wish, assets)| self.plan_bulk(wish, assets)),
            What::PlacePicked(Err(problem)) => self.notify(Grade::Failed, format!("Cannot plan this: {problem}")),
            What::BulkSampled(sample) => self.bulk_sampled(sample),
            What::RunHalted(halted) => self.run_halted(halted),
            What::RunsRead(read, then) => self.runs_read(read, then),
            What::StepNoted(end) => self.step_noted(end),
            What::Checked(end) => self.checked(end),
            What::SettingsKept(end) => self.settings_kept(end),
            What::DraftsKept(generation, end) => self.drafts_kept(generation, end),
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
