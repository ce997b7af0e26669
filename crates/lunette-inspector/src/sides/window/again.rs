//! Reading rows again that were copied, so that the list says how they compare now.
//!
//! What must hold: only what was copied is read, and only at the side that was written to.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::rows::Arranged;
use super::work::{Environment, remember};
use super::{Output, SidesPage};
use crate::change::Replacements;
use crate::compare::Position;
use crate::context::Context;
use crate::listing::Query;
use crate::run::Runs;
use crate::sides::copy::{Known, LostScores};
use crate::sides::{Comparison, RowKey, SideError, Sides};
use crate::tasks::{CancelFlag, blocking};
use lunette_client::model::id::AssetId;

/// What was copied since two sides were chosen.
#[derive(Clone, Debug, Default)]
pub(super) struct Copied {
    /// The ids at each side of what was written there.
    written: [BTreeSet<Arc<str>>; 2],
    /// By the side that they were created at: the ids of assets that were created under another id, by what they are
    /// known by at the other side.
    new_ids: [BTreeMap<Arc<str>, Arc<str>>; 2],
    /// What was copied to the connected service, where it can be undone and redone.
    here: Vec<Copying>,
    /// Whether something was written since the rows were read again.
    pub due: bool,
}

/// What is being copied.
#[derive(Clone, Debug)]
pub(super) struct Copying {
    /// These rows.
    pub keys: Arc<Vec<RowKey>>,
    /// To this side.
    pub to: Position,
    /// What the assets that are created are known by at the other one.
    pub known: Known,
}

/// What is copied to the connected service by a run.
#[derive(Clone, Debug)]
pub(super) struct CopiedHere {
    /// The title of the run.
    pub title: String,
    /// When the user was asked.
    pub asked: jiff::Timestamp,
    /// What it is, until the run was seen.
    pub copying: Option<Copying>,
    /// The scores that are not copied.
    pub lost_scores: Option<LostScores>,
}

impl Copied {
    /// Adds rows that were copied; `created` has the new ids of assets by what they are known by at the other side.
    fn add(&mut self, copying: &Copying, created: impl IntoIterator<Item = (Arc<str>, AssetId)>) {
        let created: HashMap<Arc<str>, Arc<str>> =
            created.into_iter().map(|(from, to)| (from, Arc::from(to.as_str().to_lowercase()))).collect();
        let to = copying.to;
        for key in copying.keys.iter() {
            let from = key.at(to.other());
            let new = from.and_then(|from| created.get(from));
            if let (None, Some(from), Some(new)) = (key.at(to), from, new) {
                self.new_ids[to.index()].insert(Arc::clone(from), Arc::clone(new));
            }
            self.written[to.index()].extend(key.at(to).or(new).or(from).cloned());
        }
        self.due = true;
    }

    /// Adds what the assets at the connected service are now that were created there: one that was deleted and created
    /// again may have another id than before.
    fn add_here(&mut self, moved: &Replacements) {
        for copying in std::mem::take(&mut self.here) {
            let seeds = copying.keys.iter().filter(|key| key.at(copying.to).is_none());
            let seeds: Vec<Arc<str>> = seeds.filter_map(|key| key.at(copying.to.other()).cloned()).collect();
            let now = copying.known.ids(&seeds).map(|(from, seed)| (from, moved.now(&seed).clone()));
            let created: Vec<_> = now.collect();
            self.add(&copying, created);
            self.here.push(copying);
        }
    }

    /// The ids on the left and on the right of assets that were created under another id.
    fn new_ids(&self) -> Vec<(Arc<str>, Arc<str>)> {
        let [on_left, on_right] = &self.new_ids;
        let on_left = on_left.iter().map(|(right, left)| (Arc::clone(left), Arc::clone(right)));
        on_left.chain(on_right.iter().map(|(left, right)| (Arc::clone(left), Arc::clone(right)))).collect()
    }
}

impl SidesPage {
    /// A run at the connected service has stopped, which may have copied something, undone it or redone it.
    /// `moved` has the new ids of assets that were created there under others.
    pub(crate) fn run_stopped(&mut self, runs: &Runs, moved: &Replacements, cx: &mut Context<'_>) {
        let begun = self.copied_here(runs).map(|run| run.at);
        if let Some(here) = &mut self.here
            && begun.is_some_and(|at| at >= here.asked)
        {
            self.copied.here.extend(here.copying.take());
        }
        if !self.copied.here.is_empty() {
            self.copied.add_here(moved);
            self.read_again(cx);
        }
    }

    /// Reads again what was written to a side.
    pub(super) fn written(&mut self, copying: &Copying, created: Vec<(Arc<str>, AssetId)>, cx: &mut Context<'_>) {
        self.copied.add(copying, created);
        self.read_again(cx);
    }

    /// What was copied was undone.
    pub(super) fn sent_undone(&mut self, cx: &mut Context<'_>) {
        self.copied.due = true;
        self.read_again(cx);
    }

    /// Reads the rows again that were copied, if that is due and nothing else is under way.
    pub(super) fn read_again(&mut self, cx: &mut Context<'_>) {
        let Some(comparison) = self.comparison.clone().filter(|_| self.copied.due && self.work.is_none()) else {
            return;
        };
        self.copied.due = false;
        let (number, query, cancel) = (self.number, self.list.query.clone(), CancelFlag::default());
        let environment = Environment::of(number, cancel.clone(), cx);
        let read = again(comparison, self.copied.clone(), query, environment);
        let task = cx.run(read, move |end| Output::ReadAgain(number, end));
        self.work = Some(cx.show_owned(task, "Reading again what was copied", cancel));
    }
}

/// Reads assets again and compares them.
async fn again(
    comparison: Arc<Comparison>,
    copied: Copied,
    query: Query,
    environment: Environment,
) -> Result<(Box<Comparison>, Arranged), SideError> {
    let new_ids = copied.new_ids();
    let [on_left, on_right] = &copied.written;
    let left = comparison.sides.left.read_again(on_left, environment.cancel()).await?;
    let right = comparison.sides.right.read_again(on_right, environment.cancel()).await?;
    let data = environment.data().map(ToOwned::to_owned);
    let compared = move || {
        let comparison = comparison.with_sides(Sides { left, right }, new_ids);
        if let Some(data) = data {
            remember(&comparison.base, &comparison, &data);
        }
        let arranged = Arranged::of(&comparison.rows, query);
        (Box::new(comparison), arranged)
    };
    Ok(blocking(compared).await?)
}
