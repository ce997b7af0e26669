//! Applies a proposal: its changes as one run, its new assets one after another, each a step of the history.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{
    Action, Applied, NewText, NotDecided, Proposal, ProposalStore, ProposedChange, Selection, Status, take_back,
};
use crate::Vendor;
use crate::bulk::headless::HeadlessRun;
use crate::change::{Change, Recovery};
use crate::import::engine::NewAsset;
use crate::import::headless::create;
use crate::proposals::undo::TakenBack;
use crate::runs::{Control, RowStatus, Run, RunRecord, Task};
use crate::tasks::blocking;
use crate::write::headless::{HeadlessService, HeadlessWriter, Written};
use lunette_client::client::Client;

/// How many changes are sent at a time, if each is of another asset.
const IN_FLIGHT: usize = 4;

/// The most problems that are recorded.
const MOST_PROBLEMS: usize = 20;

/// Where proposals are applied.
pub struct Target<'a> {
    /// The client, which sends writes.
    pub client: Client,
    /// Whether the service is one of ours.
    pub vendor: Vendor,
    /// How it restores deleted assets.
    pub recovery: Recovery,
    /// The name of its journal.
    pub connection: &'a str,
    /// The data folder with the history.
    pub folder: &'a Path,
    /// Backs up the service before many assets are deleted; fails with the reason.
    pub back_up: &'a (dyn Fn() -> Result<(), String> + Send + Sync),
}

impl Target<'_> {
    pub(super) async fn writer(&self) -> Result<HeadlessWriter, String> {
        let service = HeadlessService { client: self.client.clone(), vendor: self.vendor, recovery: self.recovery };
        let (folder, connection) = self.place();
        let opened = blocking(move || HeadlessWriter::open(&folder, &connection, service)).await;
        opened.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
    }

    pub(super) fn place(&self) -> (PathBuf, String) {
        (self.folder.to_owned(), self.connection.to_owned())
    }
}

/// Applies the selected changes of a proposal that a person was shown. Fails without sending anything unless it waits
/// and is as it was shown. What came of it is recorded with it and returned.
pub async fn apply(
    target: &Target<'_>,
    store: &ProposalStore,
    shown: &Proposal,
    selection: &Selection,
) -> Result<Proposal, NotDecided> {
    let (claiming, seen) = (store.clone(), shown.clone());
    let claimed = blocking(move || claiming.claim(&seen)).await;
    let claimed = claimed.unwrap_or(Err(NotDecided::Unknown(shown.number)))?;
    let status = match claimed.undoes {
        Some(undoes) => undone(target, store, &claimed, undoes).await,
        None => Status::Applied(applied(target, &claimed, selection).await),
    };
    let (recording, ended) = (store.clone(), Proposal { status, ..claimed });
    let recorded = ended.clone();
    let recorded = blocking(move || recording.record(recorded.number, recorded.status)).await;
    recorded.unwrap_or(Ok(()))?;
    Ok(ended)
}

async fn undone(target: &Target<'_>, store: &ProposalStore, proposal: &Proposal, undoes: u64) -> Status {
    let who = (proposal.client.as_str(), Some(undoes));
    let taken = take_back(target, Some(store), who).await;
    let mut applied = Applied::default();
    match taken {
        Ok(TakenBack { undone, left, .. }) => {
            (applied.done, applied.failed, applied.problems) = (undone, left.len(), left);
        }
        Err(error) => (applied.failed, applied.problems) = (1, vec![error.to_string()]),
    }
    Status::Applied(applied)
}

async fn applied(target: &Target<'_>, proposal: &Proposal, selection: &Selection) -> Applied {
    let is_selected = |index: usize| match selection {
        Selection::All => true,
        Selection::Some(selected) => selected.contains(&index),
    };
    let selected = proposal.changes.iter().enumerate().filter(|(index, _)| is_selected(*index));
    let selected: Vec<&ProposedChange> = selected.map(|(_, change)| change).collect();
    let mut applied = Applied { left_out: proposal.changes.len() - selected.len(), ..Applied::default() };
    let changes: Vec<(Change, String)> = selected
        .iter()
        .filter_map(|proposed| match &proposed.action {
            Action::Change(change) => Some(((**change).clone(), proposed.name.clone())),
            Action::Create(_) => None,
        })
        .collect();
    for new in selected.iter().filter_map(|proposed| match &proposed.action {
        Action::Create(new) => Some(new),
        Action::Change(_) => None,
    }) {
        let result = made(target, proposal, new).await;
        applied.count(&new.name, result);
    }
    if !changes.is_empty() {
        let count = changes.len();
        match run(target, proposal, changes).await {
            Ok(run) => run.rows.iter().for_each(|row| applied.count_row(&row.name, &row.status)),
            Err(why) => {
                applied.failed += count;
                applied.problems.push(why);
            }
        }
    }
    applied
}

async fn made(target: &Target<'_>, proposal: &Proposal, new: &NewText) -> Result<(), Written> {
    let writer = target.writer().await.map_err(Written::Failed)?.asked_by(proposal.asked_by());
    let size = new.text.len();
    let seed = NewAsset::from(new.clone()).seed(target.vendor);
    let seed = seed.map_err(|error| Written::Failed(error.to_string()))?;
    create(&writer, seed, size).await.map(drop)
}

async fn run(target: &Target<'_>, proposal: &Proposal, changes: Vec<(Change, String)>) -> Result<Run, String> {
    let mut assets = HashSet::new();
    let each_once = changes.iter().all(|(change, _)| assets.insert(change.asset().clone()));
    let title = match changes.as_slice() {
        [(change, name)] => change.title(&format!("“{name}”")),
        changes => format!("{} changes", changes.len()),
    };
    let tasks = changes.into_iter().map(|(change, name)| (Task::Change(change), name)).collect();
    let mut record = RunRecord::of_tasks(title, tasks, if each_once { IN_FLIGHT } else { 1 });
    record.rest.asked_by = Some(proposal.asked_by());
    carried_out(target, record).await
}

/// Sends a run and returns it as it ended. Fails if nothing was sent, or if its end could not be recorded.
pub(super) async fn carried_out(target: &Target<'_>, record: RunRecord) -> Result<Run, String> {
    let (folder, connection) = target.place();
    let opened = blocking(move || HeadlessRun::open(&folder, &connection, record, true)).await;
    let alone = opened.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
    executed(target, alone).await
}

/// Executes a run that was opened.
pub(super) async fn executed(target: &Target<'_>, alone: HeadlessRun) -> Result<Run, String> {
    let alone = alone.with_recovery(target.recovery);
    let control = Control::new(alone.run().in_flight);
    let address = target.client.address().to_string();
    let carried = alone.carry_out(target.client.clone(), &address, target.vendor, control, |_| {}).await;
    carried.map(|carried| carried.run).map_err(|error| error.to_string())
}

impl Applied {
    fn count_row(&mut self, name: &str, status: &RowStatus) {
        match status {
            RowStatus::Done => self.done += 1,
            RowStatus::Unchanged(_) => self.unchanged += 1,
            RowStatus::Failed(why) => {
                self.failed += 1;
                self.add_problem(name, why);
            }
            RowStatus::Unknown(why) => {
                self.unknown += 1;
                self.add_problem(name, why);
            }
            RowStatus::Pending | RowStatus::Sending => {
                self.failed += 1;
                self.add_problem(name, "it was not sent");
            }
        }
    }

    fn count(&mut self, name: &str, result: Result<(), Written>) {
        let status = match result {
            Ok(()) | Err(Written::Done(..)) => RowStatus::Done,
            Err(Written::Unchanged(how)) => RowStatus::Unchanged(how),
            Err(Written::Failed(why)) => RowStatus::Failed(why),
            Err(Written::Unknown(why)) => RowStatus::Unknown(why),
        };
        self.count_row(name, &status);
    }

    fn add_problem(&mut self, name: &str, why: &str) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(format!("“{name}”: {why}"));
        }
    }
}
