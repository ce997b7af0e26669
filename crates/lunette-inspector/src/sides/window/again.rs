//! Reading rows again that were carried over, so that the list says how they compare now.
//!
//! What must hold: only what was carried over is read, and only at the side that was written to.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::rows::Arranged;
use super::work::{Environment, remember};
use super::{Output, SidesPage};
use crate::compare::Position;
use crate::context::Context;
use crate::listing::Query;
use crate::run::Runs;
use crate::sides::carry::Known;
use crate::sides::{Comparison, RowKey, SideError, Sides};
use crate::tasks::{CancelFlag, blocking};
use lunette_client::model::id::AssetId;

/// What was carried over since two sides were chosen.
#[derive(Clone, Debug, Default)]
pub(super) struct Carried {
    /// The ids at each side of what was written there.
    written: [BTreeSet<Arc<str>>; 2],
    /// The ids on the left and on the right of assets that were created under another id.
    copied: BTreeSet<(Arc<str>, Arc<str>)>,
    /// Whether something was written since the rows were read again.
    pub due: bool,
}

/// What is being carried over.
#[derive(Clone, Debug)]
pub(super) struct Carrying {
    /// These rows.
    pub keys: Arc<Vec<RowKey>>,
    /// To this side.
    pub to: Position,
    /// What the assets that are created are known by at the other one.
    pub known: Known,
}

impl Carried {
    /// Adds rows that were carried over; `created` has the new ids of assets by what they are known by at the other side.
    fn add(&mut self, carrying: &Carrying, created: Vec<(Arc<str>, AssetId)>) {
        let created: HashMap<Arc<str>, Arc<str>> =
            created.into_iter().map(|(from, to)| (from, Arc::from(to.as_str().to_lowercase()))).collect();
        let to = carrying.to;
        for key in carrying.keys.iter() {
            let from = key.at(to.other());
            let new = from.and_then(|from| created.get(from));
            if let (None, Some(from), Some(new)) = (key.at(to), from, new) {
                let (from, new) = (Arc::clone(from), Arc::clone(new));
                self.copied.insert(if to == Position::Left { (new, from) } else { (from, new) });
            }
            self.written[to.index()].extend(key.at(to).or(new).or(from).cloned());
        }
        self.due = true;
    }
}

impl SidesPage {
    /// A run at the connected service has stopped, which may have carried something over or taken it back.
    pub(crate) fn run_stopped(&mut self, runs: &Runs, cx: &mut Context<'_>) {
        let Some((_, carrying)) = self.here.clone() else { return };
        let created = self.carried_here(runs).map(|run| carrying.known.mapping(run)).unwrap_or_default();
        self.written(&carrying, created, cx);
    }

    /// Reads again what was written to a side.
    pub(super) fn written(&mut self, carrying: &Carrying, created: Vec<(Arc<str>, AssetId)>, cx: &mut Context<'_>) {
        self.carried.add(carrying, created);
        self.read_again(cx);
    }

    /// What was carried over was taken back.
    pub(super) fn taken_back(&mut self, cx: &mut Context<'_>) {
        self.carried.due = true;
        self.read_again(cx);
    }

    /// Reads the rows again that were carried over, if that is due and nothing else is under way.
    pub(super) fn read_again(&mut self, cx: &mut Context<'_>) {
        let Some(comparison) = self.comparison.clone().filter(|_| self.carried.due && self.work.is_none()) else {
            return;
        };
        self.carried.due = false;
        let (number, query, cancel) = (self.number, self.list.query.clone(), CancelFlag::default());
        let environment = Environment::of(number, cancel.clone(), cx);
        let read = again(comparison, self.carried.clone(), query, environment);
        let task = cx.run(read, move |end| Output::ReadAgain(number, end));
        self.work = Some(cx.show_owned(task, "Reading again what was carried over", cancel));
    }
}

/// Reads assets again and compares them.
async fn again(
    comparison: Arc<Comparison>,
    carried: Carried,
    query: Query,
    environment: Environment,
) -> Result<(Box<Comparison>, Arranged), SideError> {
    let Carried { written: [on_left, on_right], copied, .. } = carried;
    let left = comparison.sides.left.read_again(&on_left, environment.cancel()).await?;
    let right = comparison.sides.right.read_again(&on_right, environment.cancel()).await?;
    let data = environment.data().map(ToOwned::to_owned);
    let compared = move || {
        let comparison = comparison.with_sides(Sides { left, right }, copied.into_iter().collect());
        if let Some(data) = data {
            remember(&comparison.base, &comparison, &data);
        }
        let arranged = Arranged::of(&comparison.rows, query);
        (Box::new(comparison), arranged)
    };
    Ok(blocking(compared).await?)
}
