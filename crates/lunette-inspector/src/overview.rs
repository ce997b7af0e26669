//! What is here, at a glance: the assets by language and by day, the newest and the most used, and how many each saved
//! filter shows.
//!
//! What must hold: it is made from the rows that are loaded, away from the window, and only while something draws it;
//! nothing is asked of the service. A list that changes all the time is counted a part of the time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::ZonedDateTime;

use crate::context::Context;
use crate::filter::Saved;
use crate::listing::RowList;
use crate::listing::rows::AssetRow;
use crate::output::{TaskOutput, TaskResult};
use crate::tasks::Ended;

mod summary;

pub use summary::{DAYS, Folder, Folders, Glance, Groups, Summary};

/// The overview of the assets.
#[derive(Default)]
pub struct Overview {
    /// What was counted last.
    pub summary: Option<Arc<Summary>>,
    /// The rows and the filters that it was counted of.
    of: Option<(RowList<AssetRow>, Vec<Saved>)>,
    counting: bool,
    /// When the last count ended, and how long it took.
    ended: Option<(Instant, Duration)>,
}

/// When the assets should be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// They were, or are being counted.
    No,
    /// Now.
    Now,
    /// After so long.
    In(Duration),
}

/// One request about the overview.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Counts these rows, and what each filter shows of them.
    Count(RowList<AssetRow>, Vec<Saved>),
}

/// The counted assets, and how long it took.
pub(crate) struct Output(Result<(Arc<Summary>, Duration), Ended>);

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Overview(self)
    }
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Overview(action)
    }
}

/// The least time between two counts.
const PAUSE: Duration = Duration::from_secs(1);

impl Overview {
    /// When these rows and filters should be counted.
    pub fn due(&self, rows: &RowList<AssetRow>, filters: &[Saved]) -> Due {
        let counted = self.of.as_ref().is_some_and(|(of, with)| of.same(rows) && with == filters);
        if self.counting || counted {
            return Due::No;
        }
        let Some((at, took)) = self.ended else { return Due::Now };
        match (PAUSE + took * 10).checked_sub(at.elapsed()) {
            Some(left) if !left.is_zero() => Due::In(left),
            Some(_) | None => Due::Now,
        }
    }

    /// Carries out a request.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        let Action::Count(rows, filters) = action;
        if self.due(&rows, &filters) != Due::Now {
            return;
        }
        self.counting = true;
        self.of = Some((rows.clone(), filters.clone()));
        let count = move || {
            let begun = Instant::now();
            let summary = Arc::new(Summary::of(rows.iter().map(Arc::as_ref), &filters, &ZonedDateTime::now()));
            Ok::<_, Ended>((summary, begun.elapsed()))
        };
        cx.run_blocking(count, Output);
    }

    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, Output(counted): Output) {
        self.counting = false;
        match counted {
            Ok((summary, took)) => {
                self.summary = Some(summary);
                self.ended = Some((Instant::now(), took));
            }
            Err(_) => self.ended = Some((Instant::now(), PAUSE)),
        }
    }
}
