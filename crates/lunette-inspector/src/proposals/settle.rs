//! Finds out what became of proposals that were being sent when their program ended, and of changes of unknown outcome.
//!
//! What must hold: nothing that was not begun is sent; a change that may have been made is read again, and never
//! repeated; a proposal that another program still sends is left alone.

use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::target::{NotSent, Target, executed};
use super::{Applied, Proposal, ProposalStore, Status};
use crate::bulk::headless::HeadlessRun;
use crate::db::lock::NamedLock;
use crate::journal::{Entry, EntryId, EntryKind, EntryRelation, Outcome, RunId};
use crate::runs::{RowSelection, RowStatus, Run, RunStatus};
use crate::tasks::blocking;
use crate::undo::HeadlessHistory;
use crate::write::headless::HeadlessWriter;
use crate::write::plan::Reconciled;

/// What is said of a change that was not begun.
const NOT_BEGUN: &str = "it was not sent: the program ended before";

/// What is said of a new asset of which the history has only the title.
const LOOK_FOR_IT: &str = "the program ended before its answer arrived; look for it in the list of assets";

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

/// The proposals that were being sent when their program ended, and those with changes of unknown outcome that were not
/// read again yet, oldest first. Fails if they cannot be read. Blocks.
pub fn cut_off(folder: &Path, connection: &str, store: &ProposalStore) -> Result<Vec<Proposal>, NotSent> {
    let all = store.list().map_err(NotSent::of)?;
    let unsettled = all.into_iter().filter(|proposal| proposal.status.is_unsettled());
    Ok(unsettled.filter(|proposal| lock(folder, connection, proposal.number).is_some()).collect())
}

/// Reads again what became of these proposals, records it, and returns those of which something was found. Their
/// changes that were not begun are not sent, and what was sent is not sent again. Fails if the service or the history
/// cannot be read; what was found until then is recorded.
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
    let Some((lock, proposal)) = locked.filter(|(_, proposal)| proposal.status.is_unsettled()) else {
        return Ok(None);
    };
    let (applied, is_news) = match (&proposal.status, proposal.undoes) {
        (Status::Applied(before), _) => {
            let now = read_again(target, &proposal, before.clone()).await?;
            (now.clone(), now.unknown < before.unknown)
        }
        (_, Some(undoes)) => (undone(target, &proposal, undoes).await?, true),
        (_, None) => (applied(target, &proposal).await?, true),
    };
    let settled = Proposal { status: Status::Applied(applied), ..proposal };
    let (recording, status) = (store.clone(), settled.status.clone());
    blocking(move || recording.record(number, status)).await.map_err(NotSent::of)?.map_err(NotSent::of)?;
    drop(lock);
    Ok(is_news.then_some(settled))
}

/// Reads the steps of a proposal again whose outcome is unknown, and counts what was found.
async fn read_again(target: &Target<'_>, proposal: &Proposal, before: Applied) -> Result<Applied, NotSent> {
    let (history, asked_by) = (history(target).await?, proposal.asked_by());
    let is_unclear = |entry: &Entry| {
        let is_own = entry.asked_by.as_ref() == Some(&asked_by) && entry.answers == EntryRelation::None;
        is_own && matches!(entry.outcome, Outcome::Unknown(_))
    };
    let mut steps = StepReader::of(target);
    let Applied { failed, problems, .. } = before.clone();
    let mut now = Applied { read_again: true, problems: Vec::new(), ..before };
    for entry in history.entries().iter().filter(|entry| is_unclear(entry)) {
        let found = match entry.kind {
            EntryKind::Batch { run, .. } => rows_again(target, &history, run).await?,
            EntryKind::Change(_) | EntryKind::Call { .. } => vec![(entry.title.clone(), steps.outcome(entry).await?)],
        };
        for (name, found) in found.iter().filter(|(_, found)| !matches!(found, RowStatus::Unknown(_))) {
            now.unknown = now.unknown.saturating_sub(1);
            now.count_row(name, found);
        }
    }
    // Why others failed, or are unknown, is still so.
    if now.unknown > 0 || failed > 0 {
        now.problems.splice(0..0, problems);
    }
    Ok(now)
}

/// What became of the rows of a run whose outcome is unknown, each with the name of its asset. A run whose rows are not
/// known any more has none.
async fn rows_again(
    target: &Target<'_>,
    history: &HeadlessHistory,
    run: RunId,
) -> Result<Vec<(String, RowStatus)>, NotSent> {
    let Ok(before) = history.record(run) else { return Ok(Vec::new()) };
    let (folder, connection) = target.place();
    let resumed = blocking(move || HeadlessRun::resume(&folder, &connection, run, RowSelection::Sent)).await;
    let resumed = resumed.map_err(NotSent::of)?.map_err(NotSent::of)?;
    let now = resumed.read_again(&target.client).await.map_err(NotSent::of)?;
    let rows = before.run.rows.iter().zip(now.rows.iter());
    let unknown = rows.filter(|(before, _)| matches!(before.status, RowStatus::Unknown(_)));
    Ok(unknown.map(|(_, now)| (now.name.to_string(), now.status.clone())).collect())
}

async fn history(target: &Target<'_>) -> Result<HeadlessHistory, NotSent> {
    let (folder, connection) = target.place();
    let opened = blocking(move || HeadlessHistory::open(&folder, &connection)).await;
    opened.map_err(NotSent::of)?.map_err(NotSent::of)
}

/// What became of the changes of a proposal, by its steps in the history.
async fn applied(target: &Target<'_>, proposal: &Proposal) -> Result<Applied, NotSent> {
    let (history, asked_by, mut applied) = (history(target).await?, proposal.asked_by(), Applied::default());
    let mut steps = StepReader::of(target);
    let is_own = |entry: &Entry| entry.asked_by.as_ref() == Some(&asked_by) && entry.answers == EntryRelation::None;
    for entry in history.entries().iter().filter(|entry| is_own(entry)) {
        match entry.kind {
            EntryKind::Batch { run, count } => {
                let run = rows(target, &history, entry, run).await?;
                run.rows.iter().for_each(|row| applied.count_row(&row.name, &row.status));
                // A new asset of earlier versions has a row only once its creation was answered.
                let missing = if run.status == RunStatus::Ended { 0 } else { count.saturating_sub(run.rows.len()) };
                let unknown = RowStatus::Unknown(LOOK_FOR_IT.to_owned());
                (0..missing).for_each(|_| applied.count_row(&entry.title, &unknown));
            }
            EntryKind::Change(_) | EntryKind::Call { .. } => {
                applied.count_row(&entry.title, &steps.outcome(entry).await?);
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

/// The rows of a run. One that did not end is ended: rows that may have been sent are read again, and no others are
/// sent.
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

/// Reads single steps again. The history is opened once for all that need it.
struct StepReader<'a> {
    target: &'a Target<'a>,
    writer: Option<HeadlessWriter>,
}

impl<'a> StepReader<'a> {
    fn of(target: &'a Target<'a>) -> Self {
        Self { target, writer: None }
    }

    async fn writer(&mut self) -> Result<&mut HeadlessWriter, NotSent> {
        match &mut self.writer {
            Some(writer) => Ok(writer),
            none => Ok(none.insert(self.target.writer().await?)),
        }
    }

    /// The outcome of a single step, which is read again if it is unknown.
    async fn outcome(&mut self, entry: &Entry) -> Result<RowStatus, NotSent> {
        Ok(match (&entry.outcome, &entry.kind) {
            (Outcome::Done | Outcome::Partly { .. }, _) => RowStatus::Done,
            (Outcome::Failed(why), _) => RowStatus::Failed(why.clone()),
            (Outcome::Unknown(_), EntryKind::Change(change)) => {
                found(self.writer().await?.reconcile(entry, change).await.map_err(NotSent::of)?)
            }
            (Outcome::Unknown(_), EntryKind::Call { .. }) if entry.creates_asset() => {
                found(self.writer().await?.find_created(entry).await.map_err(NotSent::of)?)
            }
            (Outcome::Unknown(why), _) => RowStatus::Unknown(why.clone()),
            (Outcome::Sending, _) => RowStatus::Unknown("it is in progress in another window".to_owned()),
        })
    }
}

fn found(read: Reconciled) -> RowStatus {
    match read {
        Reconciled::Applied => RowStatus::Done,
        Reconciled::NotApplied => RowStatus::Failed("it was not made".to_owned()),
        Reconciled::Unclear(why) => RowStatus::Unknown(why),
    }
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
    let mut reader = StepReader::of(target);
    for step in steps {
        for (entry, _) in before.unclear(Some(step)) {
            reader.outcome(&entry).await?;
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
