//! Comparing two sides in the window: reading them in the background, the rows that are shown, a row side by side, and
//! copying the marked rows to either of them.
//!
//! What must hold: nothing is written but by a run that names its side and that the user confirmed; what was read
//! belongs to the connection.

mod actions;
mod again;
mod decide;
mod output;
mod rows;
mod send;
mod sources;
mod work;

pub use actions::Action;
pub use decide::{Chosen, Deciding};
pub(crate) use output::Output;
pub use send::{SendError, Sent};
pub use sources::{Pick, Sources};

use std::sync::Arc;

use self::again::{Copied, CopiedHere, Copying};
use self::rows::Arranged;
use self::work::CompareError;
use super::copy::{CopyPlan, LostScores};
use super::{Comparison, Decisions, Progress, RowKey, Scratch, SideRow};
use crate::change::Replacements;
use crate::compare::Position;
use crate::context::Context;
use crate::listing::{Listing, RowList};
use crate::run::{Run, Runs};
use crate::tasks::OwnedTask;

/// How far a comparison is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Nothing is compared.
    #[default]
    Idle,
    /// A side is read.
    Reading(Position, Progress),
    /// Both were compared.
    Ready,
    /// A side cannot be read, and why.
    Failed(String),
}

/// The comparison that is shown.
#[derive(Default)]
pub struct SidesPage {
    /// How far it is.
    pub stage: Stage,
    /// What is typed or picked for the sides.
    pub sources: Sources,
    /// The sides that are or were compared, as they were typed.
    pub texts: [String; 2],
    /// The comparison; the last one until another is read.
    pub comparison: Option<Arc<Comparison>>,
    /// Its rows.
    pub list: Listing<SideRow>,
    /// What was decided of rows that both sides changed.
    pub decisions: Decisions,
    /// The row that is being decided.
    pub deciding: Option<Deciding>,
    /// How many rows were planned of those that are copied, while that is being planned.
    pub planned: Option<usize>,
    /// How many changes were sent to a side, and how many there are, while they are.
    pub sending: Option<(usize, usize)>,
    /// What was copied last to a side that is not connected.
    pub sent: Option<Sent>,
    /// What was copied last to the connected service.
    here: Option<CopiedHere>,
    /// What is copied once the user has confirmed it, and what the connection to its side is stored under.
    pending: Option<(Box<CopyPlan>, String)>,
    /// What is being copied, until it was.
    copying: Option<Copying>,
    /// What was copied.
    copied: Copied,
    /// The new ids of assets that were created at the connected service under others, by these.
    moved: Replacements,
    work: Option<OwnedTask>,
    /// What was started for a side, and ends with the comparison.
    started: Vec<Box<dyn Scratch>>,
    /// Counts the lists of rows that were shown.
    shown: u64,
    /// Counts what was begun; results of what was begun earlier are outdated.
    number: u64,
}

impl SidesPage {
    /// Whether there is anything to be seen.
    pub fn is_begun(&self) -> bool {
        self.stage != Stage::Idle
    }

    /// Whether work is under way.
    pub fn is_busy(&self) -> bool {
        self.work.is_some()
    }

    /// The name of a side.
    pub fn name(&self, at: Position) -> &str {
        match &self.comparison {
            Some(comparison) => &comparison.sides.at(at).name,
            None => &self.texts[at.index()],
        }
    }

    /// Why nothing can be copied to a side; `None` if it can.
    pub fn copy_obstacle(&self, to: Position) -> Option<&'static str> {
        let text = self.texts[to.index()].trim();
        let is_service =
            matches!(text, "own" | "original") || text.starts_with("http://") || text.starts_with("https://");
        (!is_service).then_some("Only a service as it is now can be written to")
    }

    /// The run that copied something last to the connected service.
    pub fn copied_here<'a>(&self, runs: &'a Runs) -> Option<&'a Run> {
        let title = &self.here.as_ref()?.title;
        runs.values().filter(|run| run.title == *title).max_by_key(|run| run.at)
    }

    /// The scores that were not copied last to the connected service.
    pub fn lost_scores_here(&self) -> Option<&LostScores> {
        self.here.as_ref()?.lost_scores.as_ref()
    }

    /// Sets which assets were created at the connected service under other ids.
    pub(crate) fn set_moved(&mut self, moved: Replacements) {
        self.moved = moved;
    }

    /// Forgets what belongs to the connection.
    pub(crate) fn leave(&mut self) {
        let query = std::mem::take(&mut self.list.query);
        let (texts, sources) = (std::mem::take(&mut self.texts), std::mem::take(&mut self.sources));
        *self = Self { number: self.number + 1, shown: self.shown + 1, texts, sources, ..Self::default() };
        self.list.query = query;
    }

    /// Takes in how far it is.
    pub(crate) fn progressed(&mut self, number: u64, at: Position, progress: Progress) {
        if number == self.number && self.work.is_some() {
            self.stage = Stage::Reading(at, progress);
        }
    }

    /// Takes in how many rows were planned.
    pub(crate) fn planned(&mut self, number: u64, done: usize) {
        if number == self.number && self.planned.is_some() {
            self.planned = Some(done);
        }
    }

    /// Takes in how many changes were sent.
    pub(crate) fn sent(&mut self, number: u64, done: usize, all: usize) {
        if number == self.number && self.sending.is_some() {
            self.sending = Some((done, all));
        }
    }

    /// Shows a comparison, whose rows were arranged for this query.
    fn show(&mut self, comparison: Comparison, arranged: Arranged, cx: &mut Context<'_>) {
        self.shown += 1;
        self.list.rows = crate::Remote::Known(RowList::clone(&comparison.rows));
        self.arranged(arranged, cx);
        if let Some(before) = self.comparison.replace(Arc::new(comparison)) {
            cx.discard(before);
        }
    }

    fn row(&self, key: &RowKey) -> Option<&Arc<SideRow>> {
        use crate::listing::Row as _;
        self.list.iter().find(|row| row.has_key(key))
    }
}
