//! The results of background work on bulk operations, and what they change.

use crate::CallError;
use crate::bulk::Bulk;
use crate::bulk::NamedAssets;
use crate::bulk::Sample;
use crate::bulk::merge::MergePlan;
use crate::bulk::window::AfterLoad;
use crate::bulk::window::ReadRuns;
use crate::bulk::window::{NotEnded, RunStopped};
use crate::context::WideContext;
use crate::notifications::Severity;
use crate::output::{TaskOutput, TaskResult};
use crate::runs::BulkOperation;
use crate::setup::NotPicked;
use std::sync::Arc;

/// The result of a task on bulk operations.
pub(crate) enum Output {
    /// The first assets of a run were planned as a sample.
    Sampled(Result<Sample, CallError>),
    /// A merge of near duplicates was planned.
    MergePlanned(Result<Arc<MergePlan>, CallError>),
    /// A run has ended or stopped.
    Stopped(RunStopped),
    /// Ledgers of runs were read, and what to do next.
    Read(ReadRuns, AfterLoad),
    /// The end of a run's step was recorded.
    StepRecorded(Result<(), NotEnded>),
    /// The destination of exports; `None` if the user cancelled.
    TargetPicked(Result<Option<(BulkOperation, NamedAssets)>, NotPicked>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Bulk(self)
    }
}

impl Bulk {
    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut WideContext<'_>) {
        match output {
            Output::Sampled(sample) => self.bulk_sampled(sample),
            Output::MergePlanned(plan) => self.merge_planned(plan, cx),
            Output::Stopped(halted) => self.run_halted(halted, cx),
            Output::Read(read, then) => self.runs_read(read, then, cx),
            Output::StepRecorded(end) => self.step_recorded(end, cx),
            Output::TargetPicked(Ok(picked)) => {
                picked.into_iter().for_each(|(operation, assets)| self.plan_bulk(operation, assets, cx))
            }
            Output::TargetPicked(Err(problem)) => cx.notify(Severity::Failed, format!("Cannot plan this: {problem}")),
        }
    }
}
