//! What comes back from background work, and what it changes on screen.

use crate::app::App;
use crate::app::journal::EntryId;
use crate::app::notifications::{Grade, Outcome};
use crate::app::output::{BulkOutput, ExportOutput, ImportOutput, ProgressEvent, SessionOutput, TaskOutput};
use crate::app::request_versions::ResourceKey;
use crate::app::session::Status;

impl TaskOutput {
    /// Whether the event matters although the connection changed meanwhile.
    pub(in crate::app) fn outlives_its_connection(&self) -> bool {
        match self {
            Self::Failed { then: what, .. } | Self::Read(_, _, what) => what.outlives_its_connection(),
            Self::SettingsSaved(_)
            | Self::DraftsSaved(..)
            | Self::Embedded(_)
            | Self::Session(SessionOutput::Probed(_))
            | Self::Import(ImportOutput::Picked(_))
            | Self::Export(ExportOutput::Saved(_) | ExportOutput::Dragged(_))
            | Self::Bulk(BulkOutput::BackedUpFirst(..)) => true,
            Self::Checked(_)
            | Self::Session(_)
            | Self::Applications(_)
            | Self::Assets(_)
            | Self::Trash(_)
            | Self::Write(_)
            | Self::Bulk(_)
            | Self::Import(_)
            | Self::Export(_) => false,
        }
    }
}

impl App {
    pub(in crate::app) fn handle_progress(&mut self, note: ProgressEvent) {
        match note {
            ProgressEvent::Called { line, own, generation } => {
                if generation == self.runtime.generation {
                    self.record_call_status(&line, own);
                    self.record_storage(&line, own);
                }
                self.keep_line(line);
            }
            ProgressEvent::Waiting { call, generation } if generation == self.runtime.generation => {
                self.state.connection.calls.begin_waiting(call);
            }
            ProgressEvent::Waited { call, generation } if generation == self.runtime.generation => {
                self.state.connection.calls.end_waiting(&call);
            }
            ProgressEvent::Waiting { .. } | ProgressEvent::Waited { .. } => {}
            ProgressEvent::Inside(seen) => self.take_inside(*seen),
            ProgressEvent::Unwatched(why) => self.unwatched(&why),
            ProgressEvent::Probed(probe) => self.probed(*probe),
            ProgressEvent::RetryDue { generation } if generation == self.runtime.generation => self.retry_due(),
            ProgressEvent::RetryDue { .. } => {}
            ProgressEvent::Rows { rows, number, generation } if generation == self.runtime.generation => {
                if self.runtime.reads.is_latest(&ResourceKey::Assets, number) {
                    self.take_rows(rows);
                }
            }
            ProgressEvent::Rows { .. } => {}
            ProgressEvent::Step { entry, problem, generation } => {
                if generation >= self.state.session.same_since {
                    self.record_step(entry);
                }
                if let Some(problem) = problem {
                    self.notify(Grade::Failed, problem);
                }
            }
            ProgressEvent::OtherWindows { news, generation } if generation == self.runtime.generation => {
                self.take_windows_news(news)
            }
            ProgressEvent::OtherWindows { .. } => {}
            ProgressEvent::Lines { run, inbox, generation } if generation == self.runtime.generation => {
                self.take_lines(run, &inbox)
            }
            ProgressEvent::Lines { .. } => {}
            ProgressEvent::Live { news, generation } if generation == self.runtime.generation => self.take_news(news),
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
                if self.runtime.reads.is_latest(&read, number) {
                    self.handle_output(*what);
                }
            }
            TaskOutput::Checked(end) => self.checked(end),
            TaskOutput::SettingsSaved(end) => self.settings_kept(end),
            TaskOutput::DraftsSaved(generation, end) => self.drafts_kept(generation, end),
            TaskOutput::Session(output) => self.handle_session(output),
            TaskOutput::Applications(output) => self.handle_applications(output),
            TaskOutput::Assets(output) => self.handle_assets(output),
            TaskOutput::Trash(output) => self.handle_trash(output),
            TaskOutput::Write(output) => self.handle_write(output),
            TaskOutput::Bulk(output) => self.handle_bulk(output),
            TaskOutput::Import(output) => self.handle_import(output),
            TaskOutput::Export(output) => self.handle_export(output),
            TaskOutput::Embedded(output) => self.handle_embedded(output),
        }
    }

    pub(in crate::app) fn outcome(&mut self, text: String, undo: Option<EntryId>) {
        self.state.notifications.outcome = Some(Outcome { text, undo });
    }

    /// Whether the service answers.
    pub fn up(&self) -> bool {
        self.state.connection.status == Status::Up
    }
}
