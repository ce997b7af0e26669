//! What background work about the inventory returns, and what it changes.

use std::sync::Arc;

use super::icon::AppIcon;
use super::observed::{Change, Source};
use super::state::Inventory;
use super::store::Watched;
use crate::app::action::ApplicationsAction;
use crate::app::context::Context;
use crate::app::listing::RowList;
use crate::app::listing::rows::InventoryRow;
use crate::app::output::TaskOutput;

/// What a task about the inventory ended with.
pub(in crate::app) enum Output {
    /// Answers were compared with what was known.
    Observed(Box<Observed>),
    /// Icons were looked for.
    Icons(Vec<(String, Option<Arc<AppIcon>>)>),
    /// They could not be compared.
    Failed(String),
    /// An application that was missing may be back, or is gone.
    LookAgain(Source),
}

/// What answers brought.
#[derive(Default)]
pub(in crate::app) struct Observed {
    /// Which answers it was made of.
    pub version: u64,
    /// The applications of all lists.
    pub rows: RowList<InventoryRow>,
    /// The changes that nobody noticed before.
    pub new: Vec<Change>,
    /// Lists of which an application is missing that may come back.
    pub unsettled: Vec<Source>,
    /// What is kept.
    pub watched: Arc<Watched>,
    /// Why nothing could be kept.
    pub problem: Option<String>,
}

impl Inventory {
    /// Handles the output of a task.
    pub(in crate::app) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Observed(observed) => self.observed(*observed, cx),
            Output::Icons(icons) => self.icons.extend(icons),
            Output::Failed(problem) => self.problem = Some(problem),
            Output::LookAgain(source) => {
                self.looking_again.remove(&source);
                cx.request(match source {
                    Source::Tracked => ApplicationsAction::LoadList,
                    Source::Detected | Source::Related => ApplicationsAction::LoadExternal,
                });
            }
        }
    }

    fn observed(&mut self, observed: Observed, cx: &mut Context<'_>) {
        let Observed { version, rows, new, unsettled, watched, problem } = observed;
        let scope = self.scope(cx);
        self.unseen += new.iter().filter(|change| scope.takes(change)).count();
        for source in unsettled {
            self.look_again(source, cx);
        }
        // Later answers are on their way; what this one brought is part of what they find on disk.
        if version != self.version {
            return;
        }
        (self.watched, self.problem) = (watched, problem);
        self.list.rows.answer(Ok(rows));
        self.list.set_query(self.list.query.clone());
    }

    /// Reads a list again once it is known whether what it misses is gone.
    fn look_again(&mut self, source: Source, cx: &mut Context<'_>) {
        if !self.looking_again.insert(source) {
            return;
        }
        let wait = cx.runtime.setup.pace.settled;
        cx.start(
            async move {
                tokio::time::sleep(wait).await;
                TaskOutput::Inventory(Output::LookAgain(source))
            },
            move |_| TaskOutput::Inventory(Output::LookAgain(source)),
        );
    }
}
