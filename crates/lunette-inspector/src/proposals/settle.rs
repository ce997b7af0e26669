//! Finds out what became of proposals that were being sent when their program ended.
//!
//! What must hold: nothing that was not begun is sent; a change that may have been made is read again, and never repeated;
//! a proposal that another program still sends is left alone.

use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::target::{NotSent, Target, executed};
use super::{Applied, Proposal, ProposalStore, Status};
use crate::bulk::headless::HeadlessRun;
use crate::db::lock::NamedLock;
use crate::journal::{Entry, EntryId, EntryKind, EntryRelation, Outcome, RunId};
use crate::runs::{RowSelection, RowStatus, Run};
use crate::tasks::blocking;
use crate::undo::HeadlessHistory;
use crate::write::plan::Reconciled;

/// What is said of a change that was not begun.
const NOT_BEGUN: &str = "it was not sent: the program ended before";

/// How often a lock is tried: another program may be removing its file as a leftover at this moment.
const ATTEMPTS: usize = 50;

/// Takes the lock of a proposal, which is held while it is sent; `None` if another program holds it. Blocks.
pub(super) fn lock(folder: &Path, connection: &str, number: u64) -> Option<NamedLock> {
    let digest = Sha256::digest(connection.as_bytes());
    let connection: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let name = format!("proposal-{connection}-{number}");
    for _ in 0..ATTEMPTS {
        if let Some(lock) = NamedLock::try_take(folder, &name).ok().flatten() {
            return Some(lock);
        }
        std::thread::yield_now();
    }
    None
}

/// The proposals that were being sent when their program ended, oldest first. Fails if they cannot be read. Blocks.
pub fn cut_off(folder: &Path, connection: &str, store: &ProposalStore) -> Result<Vec<Proposal>, NotSent> {
    let all = store.list().map_err(NotSent::of)?;
    let sending = all.into_iter().filter(|proposal| proposal.status == Status::Sending);
    Ok(sending.filter(|proposal| lock(folder, connection, proposal.number).is_some()).collect())
}

/// Reads again what became of the proposals that were being sent when their program ended, records it, and returns them.
/// Their changes that were not begun are not sent. Fails if the service or the history cannot be read; what was found until
/// then is recorded.
pub async fn settle(target: &Target<'_>, store: &ProposalStore) -> Result<Vec<Proposal>, NotSent> {
    let ((folder, connection), reading) = (target.place(), store.clone());
    let found = blocking(move || cut_off(&folder, &connection, &reading)).await.map_err(NotSent::of)??;
    let mut settled = Vec::new();
    for proposal in found {
        settled.extend(settle_one(target, store, proposal.number).await?);
    }
    Ok(settled)
}

/// Does this for one proposal; `None` if another program did it meanwhile.
async fn settle_one(target: &Target<'_>, store: &ProposalStore, number: u64) -> Result<Option<Proposal>, NotSent> {
    let ((folder, connection), reading) = (target.place(), store.clone());
    let locked = move || match lock(&folder, &connection, number) {
        None => Ok(None),
        Some(lock) => reading.get(number).map(|proposal| proposal.map(|proposal| (lock, proposal))),
    };
    let locked = blocking(locked).await.map_err(NotSent::of)?.map_err(NotSent::of)?;
    let Some((lock, proposal)) = locked.filter(|(_, proposal)| proposal.status == Status::Sending) else {
        return Ok(None);
    };
    let applied = match proposal.undoes {
        Some(undoes) => undone(target, &proposal, undoes).await?,
        None => applied(target, &proposal).await?,
    };
    let settled = Proposal { status: Status::Applied(applied), ..proposal };
    let (recording, status) = (store.clone(), settled.status.clone());
    blocking(move || recording.record(number, status)).await.map_err(NotSent::of)?.map_err(NotSent::of)?;
    drop(lock);
    Ok(Some(settled))
}

async fn history(target: &Target<'_>) -> Result<HeadlessHistory, NotSent> {
    let (folder, connection) = target.place();
    let opened = blocking(move || HeadlessHistory::open(&folder, &connection)).await;
    opened.map_err(NotSent::of)?.map_err(NotSent::of)
}

/// What became of the changes of a proposal, by its steps in the history.
async fn applied(target: &Target<'_>, proposal: &Proposal) -> Result<Applied, NotSent> {
    let (history, asked_by, mut applied) = (history(target).await?, proposal.asked_by(), Applied::default());
    let is_own = |entry: &Entry| entry.asked_by.as_ref() == Some(&asked_by) && entry.answers == EntryRelation::None;
    for entry in history.entries().iter().filter(|entry| is_own(entry)) {
        match entry.kind {
            EntryKind::Batch { run, .. } => {
                let run = rows(target, &history, entry, run).await?;
                run.rows.iter().for_each(|row| applied.count_row(&row.name, &row.status));
            }
            EntryKind::Change(_) | EntryKind::Call { .. } => {
                applied.count_row(&entry.title, &outcome(target, entry).await?);
            }
        }
    }
    let Applied { done, unchanged, failed, unknown, .. } = applied;
    let missing = proposal.changes.len().saturating_sub(done + unchanged + failed + unknown);
    if missing > 0 {
        applied.failed += missing;
        applied.problems.push(format!("{missing} changes were left out, or not sent: the program ended before"));
    }
    Ok(applied)
}

/// The rows of a run. One that did not end is ended: rows that may have been sent are read again, and no others are sent.
async fn rows(target: &Target<'_>, history: &HeadlessHistory, entry: &Entry, run: RunId) -> Result<Run, NotSent> {
    if !history.is_unfinished(entry) {
        return history.record(run).map(|record| record.run).map_err(NotSent::of);
    }
    let (folder, connection) = target.place();
    let resumed = blocking(move || HeadlessRun::resume(&folder, &connection, run, RowSelection::Sent)).await;
    let mut run = executed(target, resumed.map_err(NotSent::of)?.map_err(NotSent::of)?).await?;
    for index in 0..run.rows.len() {
        run.change(index, |row| {
            if row.status == RowStatus::Pending {
                row.status = RowStatus::Failed(NOT_BEGUN.to_owned());
            }
        });
    }
    Ok(run)
}

/// The outcome of a single step, which is read again if it is unknown.
async fn outcome(target: &Target<'_>, entry: &Entry) -> Result<RowStatus, NotSent> {
    Ok(match (&entry.outcome, &entry.kind) {
        (Outcome::Done | Outcome::Partly { .. }, _) => RowStatus::Done,
        (Outcome::Failed(why), _) => RowStatus::Failed(why.clone()),
        (Outcome::Unknown(_), EntryKind::Change(change)) => {
            let read = target.writer().await?.reconcile(entry, change).await.map_err(NotSent::of)?;
            match read {
                Reconciled::Applied => RowStatus::Done,
                Reconciled::NotApplied => RowStatus::Failed("it was not made".to_owned()),
                Reconciled::Unclear(why) => RowStatus::Unknown(why),
            }
        }
        (Outcome::Unknown(why), _) => RowStatus::Unknown(why.clone()),
        (Outcome::Sending, _) => RowStatus::Unknown("it is in progress in another window".to_owned()),
    })
}

/// What became of a proposal that takes another one back: each step of that one that is undone counts as done.
async fn undone(target: &Target<'_>, proposal: &Proposal, undoes: u64) -> Result<Applied, NotSent> {
    let is_own = |entry: &Entry| {
        let asked = entry.asked_by.as_ref();
        let is_asked = asked.is_some_and(|asked| asked.client == proposal.client && asked.proposal == undoes);
        is_asked && entry.answers == EntryRelation::None && !matches!(entry.outcome, Outcome::Failed(_))
    };
    let before = history(target).await?;
    let steps: Vec<EntryId> = before.entries().iter().filter(|entry| is_own(entry)).map(|entry| entry.id).collect();
    for step in steps {
        for (entry, _) in before.unclear(Some(step)) {
            outcome(target, &entry).await?;
        }
    }
    let mut applied = Applied::default();
    for entry in history(target).await?.entries().iter().filter(|entry| is_own(entry)) {
        let status = match entry.undone {
            true => RowStatus::Done,
            false => RowStatus::Failed("it is not undone, or not wholly: the program ended before".to_owned()),
        };
        applied.count_row(&entry.title, &status);
    }
    Ok(applied)
}
