//! The results of background tasks of the inventory, and how they are applied.

use std::sync::Arc;

use super::icon::AppIcon;
use super::observed::Change;
use super::state::Inventory;
use super::store::InventoryHistory;
use crate::action::ApplicationsAction;
use crate::applications::Source;
use crate::context::Context;
use crate::listing::RowList;
use crate::listing::rows::{InventoryRow, plain_name};
use crate::output::{TaskOutput, TaskResult};
use crate::tasks::{self, Ended};

/// The result of a background task of the inventory.
pub(crate) enum Output {
    /// Responses were compared with the stored state.
    ObservationResult(Result<Box<ObservationResult>, Ended>),
    /// Icons were loaded, or not found.
    Icons(Vec<(String, Option<Arc<AppIcon>>)>),
    /// A missing application may be back, or is gone.
    ReloadList(Source),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Inventory(self)
    }
}

/// The result of a comparison.
#[derive(Default)]
pub(crate) struct ObservationResult {
    /// The version of the lists that were compared.
    pub version: u64,
    /// The applications of all lists.
    pub rows: RowList<InventoryRow>,
    /// The changes that were not recorded before.
    pub new: Vec<Change>,
    /// The lists with a missing application that may come back.
    pub unsettled: Vec<Source>,
    /// The stored history.
    pub history: Arc<InventoryHistory>,
    /// Why storing failed.
    pub problem: Option<String>,
}

impl Inventory {
    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::ObservationResult(Ok(observed)) => self.observed(*observed, cx),
            Output::ObservationResult(Err(ended)) => self.problem = Some(ended.to_string()),
            Output::Icons(icons) => self.icons.extend(icons),
            Output::ReloadList(source) => {
                self.scheduled_reloads.remove(&source);
                cx.request(match source {
                    Source::Tracked => ApplicationsAction::LoadList,
                    Source::Detected | Source::Related => ApplicationsAction::LoadExternal,
                });
            }
        }
    }

    fn observed(&mut self, observed: ObservationResult, cx: &mut Context<'_>) {
        let ObservationResult { version, rows, new, unsettled, history, problem } = observed;
        let scope = self.scope(cx);
        let counted = new.iter().filter(|change| scope.includes(change));
        self.add_unseen(counted.map(|change| (plain_name(&change.name), change.at)));
        for source in unsettled {
            self.schedule_reload(source, cx);
        }
        // A later comparison is running; it reads the changes of this one from disk.
        if version != self.version {
            return;
        }
        (self.history, self.problem) = (history, problem);
        self.list.resolve(Ok(rows));
        self.forget_unshown();
    }

    /// Schedules a read of a list for when a missing application counts as gone.
    fn schedule_reload(&mut self, source: Source, cx: &mut Context<'_>) {
        if !self.scheduled_reloads.insert(source) {
            return;
        }
        let wait = cx.setup().pace.settled;
        cx.run(tasks::wait(wait), move |_| Output::ReloadList(source));
    }
}
