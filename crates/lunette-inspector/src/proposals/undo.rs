//! Takes back what assistants changed, step by step, newest first.
//!
//! What must hold: only steps of that assistant are undone, each once; what changed since is left as it is and
//! reported.

use std::collections::HashSet;

use super::target::{NotSent, Target, executed};
use crate::bulk::headless::HeadlessRun;
use crate::journal::{Entry, EntryId, EntryRelation, Outcome};
use crate::links::headless as items;
use crate::run::Run;
use crate::runs::{BackupFirst, RowSelection, RunRecord};
use crate::tasks::blocking;
use crate::undo::{HeadlessHistory, NotUndone, Undo};
use crate::write::headless::{HeadlessWriter, Written};

/// What was taken back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenBack {
    /// How many steps were undone.
    pub undone: usize,
    /// The steps that were not, or not wholly, and why, in sentences.
    pub left: Vec<String>,
    /// The titles of the undone steps, in the order in which they were undone.
    pub titles: Vec<String>,
}

/// Why nothing is taken back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotTakenBack {
    /// The history cannot be read.
    #[error("{0}; nothing was sent")]
    History(String),
    /// The assistant has no step to undo.
    #[error("there is nothing of this assistant to undo")]
    Nothing,
}

/// Undoes the steps of an assistant: of one proposal, or all of them. The history is opened once, and follows what is
/// undone.
pub async fn take_back(
    target: &Target<'_>,
    (client, proposal): (&str, Option<u64>),
) -> Result<TakenBack, NotTakenBack> {
    let (mut tried, mut taken) = (HashSet::new(), TakenBack::default());
    let failed = |error: NotSent| NotTakenBack::History(error.to_string());
    let mut history = open(target).await?;
    // Its lines are those of another one to the history, which reads them.
    let writer = target.writer().await.map_err(failed)?;
    loop {
        let is_open = |entry: &Entry| is_of(entry, client, proposal) && !tried.contains(&entry.id);
        let Some(entry) = history.entries().iter().rev().find(|entry| is_open(entry)).cloned() else { break };
        tried.insert(entry.id);
        let undone = undo(target, &writer, &mut history, &entry).await;
        history = caught_up(history).await?;
        match undone {
            Ok(End::Undone) => {
                taken.undone += 1;
                taken.titles.push(entry.title.clone());
            }
            Ok(End::Nothing) => {}
            Ok(End::Left(rest)) => taken.left.push(format!("“{}”: {rest}", entry.title)),
            Err(why) => taken.left.push(format!("“{}” was not undone: {why}", entry.title)),
        }
    }
    if tried.is_empty() {
        return Err(NotTakenBack::Nothing);
    }
    Ok(taken)
}

/// Whether a step is one that the assistant asked for and that is in force.
fn is_of(entry: &Entry, client: &str, proposal: Option<u64>) -> bool {
    let asked = entry.asked_by.as_ref();
    let is_own = asked.is_some_and(|by| by.client == client && proposal.is_none_or(|number| by.proposal == number));
    is_own && entry.answers == EntryRelation::None && !entry.undone && !matches!(entry.outcome, Outcome::Failed(_))
}

async fn open(target: &Target<'_>) -> Result<HeadlessHistory, NotTakenBack> {
    let (folder, connection) = target.place();
    let opened = blocking(move || HeadlessHistory::open(&folder, &connection)).await;
    let opened = opened.map_err(|error| NotTakenBack::History(error.to_string()))?;
    opened.map_err(|error| NotTakenBack::History(error.to_string()))
}

/// The history with what was recorded since.
async fn caught_up(mut history: HeadlessHistory) -> Result<HeadlessHistory, NotTakenBack> {
    let caught_up = blocking(move || history.catch_up().map(|()| history)).await;
    let caught_up = caught_up.map_err(|error| NotTakenBack::History(error.to_string()))?;
    caught_up.map_err(|error| NotTakenBack::History(error.to_string()))
}

/// How the undo of a step ended.
enum End {
    /// It is undone.
    Undone,
    /// It had changed nothing.
    Nothing,
    /// What remains of it, in a sentence.
    Left(String),
}

/// Undoes a step.
async fn undo(
    target: &Target<'_>,
    writer: &HeadlessWriter,
    history: &mut HeadlessHistory,
    entry: &Entry,
) -> Result<End, NotSent> {
    let undo = match history.undo(Some(entry.id), target.recovery) {
        Ok(undo) => undo,
        Err(NotUndone::Unchanged { .. }) => return Ok(End::Nothing),
        // Whoever reads it names the step.
        Err(NotUndone::Obstacle { why, .. }) => return Err(NotSent::of(why)),
        Err(error) => return Err(NotSent::of(error)),
    };
    match undo {
        Undo::Change { change, answers, title } => match writer.write(*change, answers, Some(title)).await {
            Written::Done(..) | Written::Unchanged(_) => Ok(End::Undone),
            Written::Failed(why) => Err(NotSent::of(why)),
            Written::Unknown(why) => Err(NotSent::of(format!("its outcome is unknown: {why}"))),
        },
        Undo::Batch(answer) => {
            if answer.backup == BackupFirst::Made {
                (target.back_up)()?;
            }
            let run = HeadlessRun::new(writer.context.journal.clone(), RunRecord::of_answer(&answer));
            Ok(rest_of(&executed(target, run).await?))
        }
        Undo::Continue(run) => {
            let (folder, connection) = target.place();
            let resumed = blocking(move || HeadlessRun::resume(&folder, &connection, run, RowSelection::Open)).await;
            let resumed = resumed.map_err(NotSent::of)?.map_err(NotSent::of)?;
            Ok(rest_of(&executed(target, resumed).await?))
        }
        Undo::Items(writes) => {
            let group = (writes.len() > 1).then(EntryId::random);
            for (write, answers) in writes {
                items::write(writer, &write, answers, group).await.map_err(NotSent::of)?;
            }
            Ok(End::Undone)
        }
    }
}

/// What a run did not undo.
fn rest_of(run: &Run) -> End {
    let counts = run.counts();
    let left = counts.all() - counts.done - counts.unchanged;
    let all = counts.all();
    match left {
        0 => End::Undone,
        _ => End::Left(format!("{left} of {all} changes were not undone: the assets changed, or the service failed")),
    }
}
