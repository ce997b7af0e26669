//! What runs changed of an asset, as their ledgers tell.

use std::collections::HashMap;

use jiff::Timestamp;
use lunette_client::model::id::AssetId;

use super::credit::end_of;
use super::{Output, VersionRow, Versions};
use crate::change::Change;
use crate::context::Context;
use crate::db::RunStore;
use crate::journal::{Entry, EntryId, EntryKind, Outcome, RunId};
use crate::runs::{Ledger, RowStatus};
use crate::tasks::Ended;

/// A run that may have written versions of an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RunStep {
    /// Its step.
    pub entry: EntryId,
    /// Its ledger.
    pub run: RunId,
    /// When it ended: one that was continued ends again, with more rows.
    ended: Option<Timestamp>,
}

impl RunStep {
    fn of(entry: &Entry) -> Option<Self> {
        match (&entry.kind, &entry.outcome) {
            // Its rows are read once it has ended.
            (_, Outcome::Sending) | (EntryKind::Change(_) | EntryKind::Call { .. }, _) => None,
            (EntryKind::Batch { run, .. }, _) => Some(Self { entry: entry.id, run: *run, ended: entry.ended }),
        }
    }
}

/// The changes that runs made of assets, as far as they were read.
#[derive(Clone, Debug, Default)]
pub struct RunChanges(HashMap<(AssetId, RunStep), Vec<Change>>);

impl RunChanges {
    /// The runs that were read for at most so many assets at once.
    const MOST: usize = 1_000;

    /// The changes of an asset by the step of a run, in the order of the rows.
    pub(super) fn of_step<'a>(&'a self, asset: &AssetId, entry: &Entry) -> impl Iterator<Item = &'a Change> {
        let step = RunStep::of(entry).map(|step| (asset.clone(), step));
        step.and_then(|key| self.0.get(&key)).into_iter().flatten()
    }

    /// The runs that may have written one of these versions, and were not read yet.
    pub fn unread<'e>(
        &self,
        asset: &AssetId,
        rows: &[VersionRow],
        is_local: bool,
        entries: impl Iterator<Item = &'e Entry>,
    ) -> Vec<RunStep> {
        let steps = entries.filter_map(|entry| Some((entry, RunStep::of(entry)?)));
        let mut unread = steps.filter(|(_, step)| !self.0.contains_key(&(asset.clone(), *step))).peekable();
        if unread.peek().is_none() {
            return Vec::new();
        }
        let times: Vec<Timestamp> = rows.iter().filter_map(|row| row.at.parse().ok()).collect();
        let wrote = |entry: &Entry| {
            let until = end_of(entry, is_local, None);
            times.iter().any(|at| entry.at <= *at && *at <= until)
        };
        unread.filter(|(entry, _)| wrote(entry)).map(|(_, step)| step).collect()
    }

    /// Takes in what runs changed of an asset.
    pub fn insert(&mut self, asset: &AssetId, read: Vec<(RunStep, Vec<Change>)>) {
        if self.0.len() > Self::MOST {
            self.0.clear();
        }
        self.0.extend(read.into_iter().map(|(step, changes)| ((asset.clone(), step), changes)));
    }
}

/// Reads what these runs changed of an asset; nothing of one that cannot be read. Blocks.
pub fn read_runs(store: &RunStore, asset: &AssetId, runs: &[RunStep]) -> Vec<(RunStep, Vec<Change>)> {
    let changes = |step: &RunStep| {
        let record = Ledger::read(store, step.run).ok().map(|(record, _)| record);
        let rows = record.iter().flat_map(|record| record.run.rows.iter());
        let done = rows.filter(|row| row.status == RowStatus::Done).filter_map(|row| row.done.as_deref());
        done.filter(|change| change.asset() == asset).cloned().collect()
    };
    runs.iter().map(|step| (*step, changes(step))).collect()
}

impl Versions {
    /// Reads what runs changed of an asset.
    pub(super) fn load_runs(&mut self, asset: AssetId, runs: Vec<RunStep>, cx: &mut Context<'_>) {
        // Each is asked for once, also if it cannot be read.
        self.runs.insert(&asset, runs.iter().map(|step| (*step, Vec::new())).collect());
        let Some(store) = cx.journal().runs() else { return };
        let of = asset.clone();
        let read = move || Ok::<_, Ended>(read_runs(&store, &asset, &runs));
        cx.run_blocking(read, move |read| Output::RunsRead(of, read.unwrap_or_default()));
    }
}
