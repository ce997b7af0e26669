//! The results of background work on bulk operations, and what they change.

use crate::app::bulk::Bulk;
use crate::app::bulk::BulkOperation;
use crate::app::bulk::NamedAssets;
use crate::app::bulk::Sample;
use crate::app::bulk::window::AfterLoad;
use crate::app::bulk::window::ReadRuns;
use crate::app::bulk::window::RunStopped;
use crate::app::context::Context;
use crate::app::notifications::Grade;

/// The result of a task on bulk operations.
pub(in crate::app) enum Output {
    /// The first assets of a run were planned as a sample.
    Sampled(Result<Sample, String>),
    /// A run has ended or stopped.
    Stopped(RunStopped),
    /// Ledgers of runs were read, and what to do next.
    Read(ReadRuns, AfterLoad),
    /// The end of a run's step was recorded.
    StepRecorded(Result<(), String>),
    /// The destination of exports; `None` if the user cancelled.
    TargetPicked(Result<Option<(BulkOperation, NamedAssets)>, String>),
}

impl Bulk {
    /// Handles the output of a task.
    pub(in crate::app) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Sampled(sample) => self.bulk_sampled(sample),
            Output::Stopped(halted) => self.run_halted(halted, cx),
            Output::Read(read, then) => self.runs_read(read, then, cx),
            Output::StepRecorded(end) => self.step_recorded(end, cx),
            Output::TargetPicked(Ok(picked)) => {
                picked.into_iter().for_each(|(operation, assets)| self.plan_bulk(operation, assets, cx))
            }
            Output::TargetPicked(Err(problem)) => cx.notify(Grade::Failed, format!("Cannot plan this: {problem}")),
        }
    }
}
