//! Handling of the results of background work.

use crate::Vendor;
use crate::context::{of_feature, of_reader};
use std::sync::Arc;

use crate::App;
use crate::journal::Entry;
use crate::notifications::Severity;
use crate::output::{ProgressEvent, Report, TaskOutput};
use crate::request_versions::ResourceKey;
use crate::session::log::LogEntry;

impl App {
    /// Handles a progress event. Events of an earlier connection are dropped.
    pub(crate) fn handle_progress(&mut self, report: Report) {
        let Report { generation, event } = report;
        if event.outlives_its_connection() || self.is_now(generation) {
            self.apply_progress(event, generation);
        }
        self.handle_events();
    }

    fn apply_progress(&mut self, event: ProgressEvent, generation: u64) {
        match event {
            ProgressEvent::Called { line, vendor, pace } => {
                if let Some(pace) = pace.filter(|_| self.is_now(generation)) {
                    self.state.connection.pace = Some(pace);
                }
                self.handle_call(line, vendor, generation);
            }
            ProgressEvent::Waiting(call) => self.state.connection.calls.begin_waiting(call),
            ProgressEvent::Waited(call) => self.state.connection.calls.end_waiting(&call),
            ProgressEvent::Watched { folder, event } => of_feature!(self, watch.handle_event(&folder, event)),
            ProgressEvent::Embedded(seen) => of_feature!(self, embedded.apply_status(*seen)),
            ProgressEvent::Unwatched(why) => of_feature!(self, embedded.unwatched(&why)),
            ProgressEvent::Probed(probe) => of_feature!(self, session.probed(*probe)),
            ProgressEvent::RetryDue => of_feature!(self, session.retry_due()),
            ProgressEvent::Rows { rows, number } if self.runtime.reads.is_latest(&ResourceKey::Assets, number) => {
                of_feature!(self, assets.add_page(rows));
            }
            ProgressEvent::Rows { .. } => {}
            ProgressEvent::Step { entry, problem } => self.record_step(entry, problem, generation),
            ProgressEvent::OtherWindows(changes) => of_feature!(self, history.apply_other_windows(changes)),
            ProgressEvent::Proposals(read) => of_feature!(self, proposals.followed(read)),
            ProgressEvent::Assistants(read) => self.state.assistants.followed(read),
            ProgressEvent::Lines { run, inbox } => of_reader!(self, bulk.apply_lines(run, &inbox)),
            ProgressEvent::RemoteChange(change) => self.apply_remote_change(change),
            ProgressEvent::SideRead(number, at, progress) => self.state.sides.progressed(number, at, progress),
            ProgressEvent::SidePlanned(number, done) => self.state.sides.planned(number, done),
            ProgressEvent::SideSent(number, done, all) => self.state.sides.sent(number, done, all),
            ProgressEvent::Scratch(number, progress) => self.state.scratch.progressed(number, progress),
            ProgressEvent::Rescue(number, progress) => self.state.rescue.progressed(number, progress),
            ProgressEvent::Progress { work: number, done, all } => {
                for work in self.state.work.iter_mut().filter(|work| work.number == number) {
                    work.progress = Some((done, all));
                }
            }
        }
    }

    fn record_step(&mut self, entry: Arc<Entry>, problem: Option<String>, generation: u64) {
        if self.state.session.is_same_as(generation) {
            of_feature!(self, session.record_step(entry));
        }
        if let Some(problem) = problem {
            self.context().notify(Severity::Failed, problem);
        }
    }

    /// Whether this is the number of the current connection.
    fn is_now(&self, generation: u64) -> bool {
        generation == self.runtime.generation
    }

    fn handle_call(&mut self, line: Arc<LogEntry>, vendor: Vendor, generation: u64) {
        if self.is_now(generation) {
            let named = self.state.knows_what_is_named(&line);
            of_feature!(self, session.record_call_status(&line, vendor, named));
            of_feature!(self, embedded.record_storage(&line, vendor));
        }
        self.state.session.keep_line(line);
    }

    /// Handles the output of a task.
    pub(crate) fn handle_output(&mut self, what: TaskOutput) {
        match what {
            TaskOutput::Failed { message, then } => {
                self.context().notify(Severity::Failed, message);
                self.handle_output(*then);
            }
            TaskOutput::Read(read, number, what) => {
                if self.runtime.reads.is_latest(&read, number) {
                    self.handle_output(*what);
                }
            }
            TaskOutput::Check(output) => of_feature!(self, check.apply(output)),
            TaskOutput::Settings(output) => self.context().settings_written(output),
            TaskOutput::Drafts(output) => of_feature!(self, drafts.apply(output)),
            TaskOutput::Session(output) => of_feature!(self, session.apply(output)),
            TaskOutput::Applications(output) => of_feature!(self, applications.apply(output)),
            TaskOutput::Inventory(output) => of_feature!(self, inventory.apply(output)),
            TaskOutput::Assets(output) => of_feature!(self, assets.apply(output)),
            TaskOutput::Links(output) => of_feature!(self, links.apply(output, &assets.pages), with assets),
            TaskOutput::Graph(output) => of_feature!(self, graph.apply(output)),
            TaskOutput::Compare(output) => of_feature!(self, compare.apply(output)),
            TaskOutput::Overview(output) => self.state.overview.apply(output),
            TaskOutput::Sides(output) => of_feature!(self, sides.apply(output)),
            TaskOutput::Rescue(output) => of_feature!(self, rescue.apply(output)),
            TaskOutput::Scratch(output) => of_feature!(self, scratch.apply(output)),
            TaskOutput::Proposals(output) => of_feature!(self, proposals.apply(output)),
            TaskOutput::Assistants(output) => of_feature!(self, assistants.apply(output)),
            TaskOutput::Trash(output) => of_feature!(self, trash.apply(output)),
            TaskOutput::Versions(output) => of_feature!(self, versions.apply(output)),
            TaskOutput::Write(output) => of_reader!(self, write.apply(output)),
            TaskOutput::Bulk(output) => of_reader!(self, bulk.apply(output)),
            TaskOutput::Import(output) => of_feature!(self, import.apply(output)),
            TaskOutput::Watch(output) => of_feature!(self, watch.apply(output)),
            TaskOutput::Export(output) => of_feature!(self, export.apply(output, &assets.pages), with assets),
            TaskOutput::Embedded(output) => of_feature!(self, embedded.apply(output)),
        }
        self.handle_events();
    }
}
