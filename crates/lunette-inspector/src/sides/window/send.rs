//! Copying to a side whose service is not the connected one: a run in the history of the connection to it.
//!
//! What must hold: nothing is written to a side but by a plan that names it and that the user confirmed; the run is on
//! the disk before its first write, and is undone as any other.

use std::path::PathBuf;
use std::sync::Arc;

use super::work::Environment;
use super::{Output, SidesPage};
use crate::bulk::headless::{HeadlessRun, RunError};
use crate::compare::Position;
use crate::context::Context;
use crate::journal::JournalError;
use crate::output::ProgressEvent;
use crate::run::Run;
use crate::runs::{BackupFirst, Control, RowStatus, RunRecord, StopMode};
use crate::sides::copy::{CopyPlan, CopyPlanError, LostScores, mapping};
use crate::tasks::{CancelFlag, Ended, blocking};
use crate::undo::{HeadlessHistory, NotUndone, Undo};
use crate::write::headless::recovery;
use crate::{Address, CallError, Limits, Vendor, WritePolicy};
use lunette_client::client::Client;
use lunette_client::model::id::AssetId;

/// Where something is copied to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// The connected service.
    Connected,
    /// Another one, by what the connection to it is stored under.
    Other(String),
}

/// Why a side cannot be written to, in a sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct NotWritable(String);

/// What was copied.
#[derive(Clone, Debug)]
pub struct Sent {
    /// The side that was written to.
    pub to: Position,
    /// Its name.
    pub name: String,
    /// The run as it ended.
    pub run: Arc<Run>,
    /// Whether it was undone.
    pub undone: bool,
    /// The scores that were not copied.
    pub lost_scores: Option<LostScores>,
    /// The assets that were created under other ids: what each is known by at the other side, and its new id.
    pub(super) created: Vec<(Arc<str>, AssetId)>,
    key: String,
    client: Client,
    vendor: Vendor,
}

impl Sent {
    /// The new ids of assets that the service created under others than they had: the old and the new.
    pub fn mapping(&self) -> Vec<(AssetId, AssetId)> {
        mapping(&self.run)
    }

    /// What was not copied, and why, in sentences.
    pub fn failures(&self) -> impl Iterator<Item = String> + '_ {
        self.run.rows.iter().filter_map(|row| match &row.status {
            RowStatus::Failed(why) | RowStatus::Unknown(why) => Some(format!("{}: {why}", row.name)),
            _ => None,
        })
    }
}

/// Why something was not copied, or not undone.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// What is copied cannot be kept.
    #[error(transparent)]
    CopyPlan(#[from] CopyPlanError),
    /// The history cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The run did not begin, or its end could not be recorded.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Its service has no address.
    #[error(transparent)]
    Call(#[from] CallError),
    /// Nothing is stored on the disk, so that there is no history.
    #[error("this window stores nothing on the disk, and without a history nothing is written")]
    NotStored,
    /// It cannot be undone.
    #[error(transparent)]
    NotUndone(#[from] NotUndone),
    /// It is undone where a backup is made first.
    #[error("a backup is made first: connect to {0} and undo it there")]
    BackupFirst(String),
    /// The work panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

impl SidesPage {
    /// Where a side is written to. Fails with the reason, in a sentence.
    pub(super) fn destination(&self, to: Position, cx: &Context<'_>) -> Result<Destination, NotWritable> {
        if let Some(why) = self.copy_obstacle(to) {
            return Err(NotWritable(why.to_owned()));
        }
        let text = self.texts[to.index()].trim();
        let (key, address) = match (text, cx.connection.target.copy()) {
            ("own", _) => return Ok(Destination::Connected),
            ("original", Some(copy)) => (copy.of.key.clone(), None),
            (text, _) => {
                let address: Address = text.parse().map_err(|error: CallError| NotWritable(error.to_string()))?;
                if cx.connection.address.as_deref().and_then(|own| own.parse().ok()).as_ref() == Some(&address) {
                    return Ok(Destination::Connected);
                }
                (address.to_string(), Some(address))
            }
        };
        let saved = cx.preferences.settings.write_policies.get(&key).copied();
        let policy = saved.unwrap_or_else(|| address.as_ref().map_or(WritePolicy::Allow, WritePolicy::of));
        match policy.allows_writes() {
            true => Ok(Destination::Other(key)),
            false => {
                let why = format!("{} is read-only here: connect to it and allow changes first", self.name(to));
                Err(NotWritable(why))
            }
        }
    }

    /// Sends the plan that was confirmed.
    pub(super) fn send(&mut self, number: u64, cx: &mut Context<'_>) {
        let Some((plan, key)) = self.pending.take().filter(|_| number == self.number && self.work.is_none()) else {
            return;
        };
        let Some(comparison) = self.comparison.clone() else { return };
        let side = comparison.sides.at(plan.to);
        let Some((client, vendor)) = side.client().map(|(client, vendor)| (client.address().clone(), vendor)) else {
            return;
        };
        let job = Job { data: cx.setup().data.clone(), name: side.name.clone(), key, address: client, vendor };
        self.sent = None;
        self.sending = Some((0, plan.record.run.rows.len()));
        let cancel = CancelFlag::default();
        let environment = Environment::of(self.number, cancel.clone(), cx);
        let number = self.number;
        let task = cx.run(job.send(plan, environment), move |end| Output::Sent(number, end));
        self.work = Some(cx.show_owned(task, "Copying", cancel));
    }

    /// Undoes what was copied last.
    pub(super) fn undo_sent(&mut self, cx: &mut Context<'_>) {
        let Some(sent) = self.sent.clone().filter(|sent| !sent.undone && self.work.is_none()) else { return };
        let cancel = CancelFlag::default();
        let environment = Environment::of(self.number, cancel.clone(), cx);
        self.sending = Some((0, sent.run.rows.len()));
        let (data, number) = (cx.setup().data.clone(), self.number);
        let task = cx.run(undo(data, sent, environment), move |end| Output::SentUndone(number, end));
        self.work = Some(cx.show_owned(task, "Undoing what was copied", cancel));
    }
}

/// What is written to, and where its history is.
struct Job {
    data: Option<PathBuf>,
    name: String,
    key: String,
    address: Address,
    vendor: Vendor,
}

impl Job {
    async fn send(self, plan: Box<CopyPlan>, environment: Environment) -> Result<Box<Sent>, SendError> {
        let Self { data, name, key, address, vendor } = self;
        let data = data.ok_or(SendError::NotStored)?;
        let client = Client::new(address, Limits::default())?.for_run();
        let (folder, connection, record) = (data, key.clone(), plan.record.clone());
        let alone = blocking(move || HeadlessRun::open(&folder, &connection, record, true)).await??;
        plan.keep(&alone.copies()).await?;
        let alone = alone.with_recovery(recovery(&client, vendor).await);
        let run = carried_out(alone, &client, vendor, environment).await?;
        let created = plan.mapping(&run);
        let (to, lost_scores, run) = (plan.to, plan.lost_scores, Arc::new(run));
        Ok(Box::new(Sent { to, name, run, undone: false, lost_scores, created, key, client, vendor }))
    }
}

/// Carries a run out. Once it is cancelled, no more rows begin.
async fn carried_out(
    alone: HeadlessRun,
    client: &Client,
    vendor: Vendor,
    environment: Environment,
) -> Result<Run, RunError> {
    let control = Control::new(alone.run().in_flight);
    let (halted, address) = (control.clone(), client.address().to_string());
    let notify = move |run: &Run| {
        if environment.cancel().cancelled() {
            halted.halt(StopMode::Cancel);
        }
        let counts = run.counts();
        environment.report(ProgressEvent::SideSent(environment.number(), counts.ended(), counts.all()));
    };
    Ok(alone.carry_out(client.clone(), &address, vendor, control, notify).await?.run)
}

/// Undoes what was copied; returns what is left of it, in a sentence.
async fn undo(data: Option<PathBuf>, sent: Sent, environment: Environment) -> Result<Option<String>, SendError> {
    let data = data.ok_or(SendError::NotStored)?;
    let (folder, key, entry) = (data.clone(), sent.key.clone(), sent.run.entry);
    let back = recovery(&sent.client, sent.vendor).await;
    let plan = move || Ok::<_, SendError>(HeadlessHistory::open(&folder, &key)?.undo(entry, back)?);
    let answer = match blocking(plan).await?? {
        Undo::Batch(answer) if answer.backup == BackupFirst::Made => return Err(SendError::BackupFirst(sent.name)),
        Undo::Batch(answer) => answer,
        Undo::Change { .. } | Undo::Continue(_) | Undo::Items(_) => return Err(NotUndone::Nothing.into()),
    };
    let (folder, key, record) = (data, sent.key.clone(), RunRecord::of_answer(&answer));
    let alone = blocking(move || HeadlessRun::open(&folder, &key, record, true)).await??;
    let run = carried_out(alone.with_recovery(back), &sent.client, sent.vendor, environment).await?;
    let counts = run.counts();
    let left = counts.all() - counts.done - counts.unchanged;
    Ok((left > 0).then(|| format!("{left} of {} changes were not undone", counts.all())))
}
