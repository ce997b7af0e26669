//! Comparing two sides in the window: reading them in the background, the rows that are shown, a row side by side, and
//! carrying the marked rows over into the connected service.
//!
//! What must hold: nothing is written but to the connected service, by a run that the user confirmed; what was read belongs
//! to the connection.

mod actions;
mod output;
mod work;

pub use actions::Action;
pub(crate) use output::Output;

use std::sync::Arc;

use super::{Comparison, Progress, RowKey, Scratch, SideRow};
use crate::change::Replacements;
use crate::compare::Position;
use crate::context::Context;
use crate::listing::{Listing, RowList};
use crate::tasks::CancelFlag;

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
    /// The sides, as they were typed.
    pub texts: [String; 2],
    /// The comparison; the last one until another is read.
    pub comparison: Option<Arc<Comparison>>,
    /// Its rows.
    pub list: Listing<SideRow>,
    /// How many rows were planned of those that are carried over, while that is being planned.
    pub planned: Option<usize>,
    /// The new ids of assets that were created at the connected service under others, by these.
    moved: Replacements,
    work: Option<Running>,
    /// What was started for a side, and ends with the comparison.
    started: Vec<Box<dyn Scratch>>,
    /// Counts what was begun; results of what was begun earlier are outdated.
    number: u64,
}

/// Work under way, which stops when this is dropped.
struct Running(CancelFlag);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.cancel();
    }
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

    /// Why nothing can be carried over to a side; `None` if it can.
    pub fn carry_obstacle(&self, to: Position) -> Option<&'static str> {
        match self.texts[to.index()].trim() {
            "own" => None,
            _ => Some("Only the connected service is written to: connect to that side first"),
        }
    }

    /// Sets which assets were created at the connected service under other ids.
    pub(crate) fn set_moved(&mut self, moved: Replacements) {
        self.moved = moved;
    }

    /// Forgets what belongs to the connection.
    pub(crate) fn leave(&mut self) {
        let query = std::mem::take(&mut self.list.query);
        *self = Self { number: self.number + 1, texts: std::mem::take(&mut self.texts), ..Self::default() };
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

    fn show(&mut self, comparison: Comparison, cx: &mut Context<'_>) {
        self.list.set_rows(crate::Remote::Known(RowList::clone(&comparison.rows)));
        if let Some(before) = self.comparison.replace(Arc::new(comparison)) {
            cx.discard(before);
        }
    }

    fn row(&self, key: &RowKey) -> Option<&Arc<SideRow>> {
        use crate::listing::Row as _;
        self.list.iter().find(|row| row.has_key(key))
    }
}
