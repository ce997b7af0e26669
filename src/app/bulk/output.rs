//! What background work about operations on many assets returns, and what it changes.

use crate::app::bulk::Bulk;
use crate::app::bulk::BulkOperation;
use crate::app::bulk::NamedAssets;
use crate::app::bulk::Sample;
use crate::app::bulk::window::AfterLoad;
use crate::app::bulk::window::ReadRuns;
use crate::app::bulk::window::RunStopped;
use crate::app::context::Context;
use crate::app::notifications::Grade;

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
}

impl Bulk {
    /// Handles the output of a task.
    pub(in crate::app) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Sampled(sample) => self.bulk_sampled(sample),
            Output::Stopped(halted) => self.run_halted(halted, cx),
            Output::Read(read, then) => self.runs_read(read, then, cx),
            Output::StepRecorded(end) => self.step_noted(end, cx),
            Output::PlacePicked(Ok(picked)) => {
                picked.into_iter().for_each(|(operation, assets)| self.plan_bulk(operation, assets, cx))
            }
            Output::PlacePicked(Err(problem)) => cx.notify(Grade::Failed, format!("Cannot plan this: {problem}")),
        }
    }
}
