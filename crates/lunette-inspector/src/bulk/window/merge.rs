//! Merges of near duplicates in the window: planning them, and showing the plan.

use std::sync::Arc;

use super::{IN_FLIGHT, SAMPLED};
use crate::bulk::merge::{Groups, MergePlan, merge_plan};
use crate::bulk::{Bulk, BulkDraft, BulkJob, Output};
use crate::capability::Capability;
use crate::context::WideContext;
use crate::notifications::Severity;
use crate::request_versions::ResourceKey;
use crate::runs::Task;
use crate::{CallError, Remote};

impl Bulk {
    /// Reads the assets of groups, and shows the plan that merges each group into its first asset.
    pub(crate) fn plan_merge(&mut self, groups: Groups, cx: &mut WideContext<'_>) {
        if cx.blocks_write(Capability::Delete, "Cannot merge these") {
            return;
        }
        self.planning_merge = true;
        let client = cx.client();
        let plan = async move { merge_plan(&client?, groups).await.map(Arc::new) };
        cx.read(ResourceKey::Merge, plan, Output::MergePlanned);
    }

    /// Shows the plan of a merge.
    pub(crate) fn merge_planned(&mut self, plan: Result<Arc<MergePlan>, CallError>, cx: &mut WideContext<'_>) {
        self.planning_merge = false;
        match plan {
            Ok(plan) if plan.changes.is_empty() => {
                cx.show_success("Nothing is left to merge: the others were deleted".to_owned());
            }
            Ok(plan) => self.show_merge(plan, cx),
            Err(error) => cx.notify(Severity::Failed, format!("Cannot merge these: {error}")),
        }
    }

    fn show_merge(&mut self, plan: Arc<MergePlan>, cx: &mut WideContext<'_>) {
        let (title, undo) = (plan.title(), MergePlan::undo(cx.connection.recovery()));
        let assets = plan.changes.iter().map(|(change, name)| (change.asset().clone(), name.clone())).collect();
        let first = plan.changes.iter().take(SAMPLED).map(|(change, _)| Task::Change(change.clone())).collect();
        let (sample, job) = (Remote::Loading { previous: None }, BulkJob::Merge(plan));
        self.draft = Some(BulkDraft { title, job, assets: Arc::new(assets), sample, undo, in_flight: IN_FLIGHT });
        self.sample(first, cx);
    }
}
