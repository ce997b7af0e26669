//! Applies a proposal: its changes as one run, its new assets one after another, each a step of the history.

use std::collections::HashSet;

use super::settle::lock;
use super::target::{NotSent, Target, carried_out};
use super::undo::{TakenBack, take_back};
use super::{
    Action, Applied, NewText, NotDecided, Proposal, ProposalStore, ProposedChange, Selection, Status, title_of,
};
use crate::Vendor;
use crate::change::Change;
use crate::import::engine::NewAsset;
use crate::import::headless::create;
use crate::runs::{RowStatus, Run, RunRecord, Task};
use crate::tasks::blocking;
use crate::write::headless::{HeadlessWriter, Written};

/// How many changes are sent at a time, if each is of another asset.
const IN_FLIGHT: usize = 4;

/// The most problems that are recorded.
const MOST_PROBLEMS: usize = 20;

/// Applies the selected changes of a proposal that a person was shown. Fails without sending anything unless it waits
/// and is as it was shown. What came of it is recorded with it and returned.
pub async fn apply(
    target: &Target<'_>,
    store: &ProposalStore,
    shown: &Proposal,
    selection: &Selection,
) -> Result<Proposal, NotDecided> {
    let ((folder, connection), claiming, seen) = (target.place(), store.clone(), shown.clone());
    let claim = move || {
        let number = seen.number;
        // Held until the end is recorded, so that nobody takes the proposal for cut off.
        let held = lock(&folder, &connection, number);
        let held = held.ok_or(NotDecided::Decided { number, status: Status::Sending.as_str() })?;
        claiming.claim(&seen).map(|claimed| (claimed, held))
    };
    let claimed = blocking(claim).await;
    let (claimed, held) = claimed.unwrap_or(Err(NotDecided::Unknown(shown.number)))?;
    let status = match claimed.undoes {
        Some(undoes) => undone(target, &claimed, undoes).await,
        None => Status::Applied(applied(target, &claimed, selection).await),
    };
    let (recording, ended) = (store.clone(), Proposal { status, ..claimed });
    let recorded = ended.clone();
    let recorded = blocking(move || recording.record(recorded.number, recorded.status)).await;
    recorded.unwrap_or(Ok(()))?;
    drop(held);
    Ok(ended)
}

async fn undone(target: &Target<'_>, proposal: &Proposal, undoes: u64) -> Status {
    let who = (proposal.client.as_str(), Some(undoes));
    let taken = take_back(target, who).await;
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
    let news = selected.iter().filter_map(|proposed| match &proposed.action {
        Action::Create(new) => Some(new),
        Action::Change(_) => None,
    });
    create_all(target, proposal, news.collect(), &mut applied).await;
    if !changes.is_empty() {
        let count = changes.len();
        match run(target, proposal, changes).await {
            Ok(run) => run.rows.iter().for_each(|row| applied.count_row(&row.name, &row.status)),
            Err(why) => {
                applied.failed += count;
                applied.problems.push(why.to_string());
            }
        }
    }
    applied
}

/// Creates assets one after another. The history is opened once for all of them.
async fn create_all(target: &Target<'_>, proposal: &Proposal, news: Vec<&NewText>, applied: &mut Applied) {
    if news.is_empty() {
        return;
    }
    let writer = target.writer().await.map(|writer| writer.asked_by(proposal.asked_by()));
    for new in news {
        let result = match &writer {
            Ok(writer) => made(writer, target.vendor, new).await,
            Err(why) => Err(Written::Failed(why.to_string())),
        };
        applied.count(&new.name, result);
    }
}

async fn made(writer: &HeadlessWriter, vendor: Vendor, new: &NewText) -> Result<(), Written> {
    let size = new.text.len();
    let seed = NewAsset::from(new.clone()).seed(vendor);
    let seed = seed.map_err(|error| Written::Failed(error.to_string()))?;
    create(writer, seed, size).await.map(drop)
}

async fn run(target: &Target<'_>, proposal: &Proposal, changes: Vec<(Change, String)>) -> Result<Run, NotSent> {
    let mut assets = HashSet::new();
    let each_once = changes.iter().all(|(change, _)| assets.insert(change.asset().clone()));
    let first = changes.first().map(|(change, name)| change.title(&format!("“{name}”")));
    let title = title_of(first, changes.len());
    let tasks = changes.into_iter().map(|(change, name)| (Task::Change(change), name)).collect();
    let mut record = RunRecord::of_tasks(title, tasks, if each_once { IN_FLIGHT } else { 1 });
    record.rest.asked_by = Some(proposal.asked_by());
    carried_out(target, record).await
}

impl Applied {
    pub(super) fn count_row(&mut self, name: &str, status: &RowStatus) {
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
