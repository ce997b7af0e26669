//! What background work about operations on many assets returns, and what it changes.

use crate::app::App;
use crate::app::bulk::BatchAnswer;
use crate::app::bulk::BulkOperation;
use crate::app::bulk::NamedAssets;
use crate::app::bulk::Sample;
use crate::app::bulk::window::AfterLoad;
use crate::app::bulk::window::ReadRuns;
use crate::app::bulk::window::RunStopped;
use crate::app::embedded::Backup;
use crate::app::notifications::Grade;
use std::sync::Arc;

/// What a task about operations on many assets ended with.
pub(in crate::app) enum Output {
    /// The first few of many assets were planned, to be looked at.
    Sampled(Result<Sample, String>),
    /// A run has ended, or stands still.
    Stopped(RunStopped),
    /// Ledgers of runs were read, for something.
    Read(ReadRuns, AfterLoad),
    /// The end of a step that is a run was noted.
    StepRecorded(Result<(), String>),
    /// Where many exports go; None when the user changed their mind.
    PlacePicked(Result<Option<(BulkOperation, NamedAssets)>, String>),
    /// The backup before a run that deletes was made, or not; of the connection of this number.
    BackedUpFirst(Result<Backup, String>, Arc<BatchAnswer>, u64),
}

impl App {
    /// Takes in what a task ended with.
    pub(in crate::app) fn handle_bulk(&mut self, output: Output) {
        match output {
            Output::Sampled(sample) => self.bulk_sampled(sample),
            Output::Stopped(halted) => self.run_halted(halted),
            Output::Read(read, then) => self.runs_read(read, then),
            Output::StepRecorded(end) => self.step_noted(end),
            Output::PlacePicked(Ok(picked)) => {
                picked.into_iter().for_each(|(wish, assets)| self.plan_bulk(wish, assets))
            }
            Output::PlacePicked(Err(problem)) => self.notify(Grade::Failed, format!("Cannot plan this: {problem}")),
            Output::BackedUpFirst(end, answer, generation) => self.backed_up_first(end, &answer, generation),
        }
    }
}
