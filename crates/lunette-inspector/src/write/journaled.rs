//! A single write, recorded as an entry of the journal.
//!
//! What must hold: a write is in the journal before its first call leaves, and nothing is sent if it cannot be recorded; a
//! write that is aborted, by a cancel or a panic, ends as unknown.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::Vendor;
use crate::change::Change;
use crate::change::fingerprint::lasting;
use crate::journal::{AskedBy, BeginError, Entry, EntryId, EntryKind, EntryRelation, Journal, Outcome, Sent};

use crate::session::reporter::Reporter;
use crate::session::support::Reason;
use crate::tasks::Ended;
use crate::write::conflict::Conflict;
use crate::write::created::created;
use crate::write::engine::{NotSent, send_plan, send_recorded};
use crate::write::plan::{Applied, ApplyError, Plan, Preflight, Reconciled, UndoKind, not_done, prepare, reconciled};
use crate::write::recovery::DeletedAssets;
use lunette_client::client::Client;
use lunette_client::client::{CallError, Exchange};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::{Call, Reply};

mod journal_log;

use journal_log::JournalLog;
pub(crate) use journal_log::{PendingEntry, held};

/// How a write ended.
pub(crate) enum WriteResult {
    /// It was applied, in this entry of the journal.
    Applied(EntryId, Box<Applied>),
    /// It was sent and not applied.
    NotApplied(ApplyError),
    /// It was sent, and may have been applied.
    Unknown(ApplyError),
    /// It was sent; its outcome was unknown until reading the asset again showed that it was not applied. Why it failed.
    NotMade(String),
    /// Nothing was sent; why.
    Unsent(String),
    /// Nothing was sent because there is nothing to change; the sentence says how the asset is.
    NoOp(String),
    /// Nothing was sent because the asset changed in the meantime.
    Conflict(Box<Conflict>),
    /// Nothing was sent because the plan is outdated; the updated plan, and the reason.
    PlanChanged(Box<Plan>, String),
    /// Nothing was sent because the plan says that Undo cannot take the change back, and nobody has seen it.
    Irreversible(Box<Plan>),
}

/// Whether the user has seen what a write does before it is planned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Reviewed {
    /// No: its plan is shown.
    #[default]
    No,
    /// No, but Undo takes it back: its plan is shown only if that says otherwise.
    IfIrreversible,
    /// Yes, in a dialog or as the step that it undoes.
    Yes,
}

/// What a write is in the history.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    /// The step that it undoes or redoes.
    pub relation: EntryRelation,
    /// Its title, if it is not that of the change.
    pub title: Option<String>,
    /// Whether the user has seen what it does.
    pub reviewed: Reviewed,
}

/// Why the journal does not have a write; nothing was sent.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotRecorded {
    /// The write policy blocks it.
    #[error(transparent)]
    Blocked(#[from] Reason),
    /// The journal cannot be written, or another window was faster.
    #[error(transparent)]
    Step(#[from] BeginError),
    /// Writing it panicked or was cancelled.
    #[error("a change must be recorded before it is sent: {0}")]
    Ended(#[from] Ended),
}

/// What a write needs beside the change itself.
#[derive(Clone)]
pub(crate) struct WriteContext {
    pub(crate) client: Client,
    pub(crate) reporter: Reporter,
    pub(crate) journal: Journal,
    /// Whether the service is one of ours.
    pub(crate) vendor: Vendor,
    /// How deleted assets are restored.
    pub(crate) deleted: DeletedAssets,
    /// Whether a request may have been sent.
    pub(crate) sent: MaybeSent,
    /// The assistant whose proposal is carried out.
    pub(crate) asked_by: Option<AskedBy>,
}

/// Whether a request may have been sent. Clones share it, so that it is known after the work is aborted.
#[derive(Clone, Debug, Default)]
pub(crate) struct MaybeSent(Arc<AtomicBool>);

impl MaybeSent {
    fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// The result of an aborted write: unknown if its request may have been sent.
    pub(crate) fn ended(&self, error: CallError) -> WriteResult {
        match self.0.load(Ordering::SeqCst) {
            true => WriteResult::Unknown(ApplyError { error, unknown: true, made: None }),
            false => WriteResult::Unsent(why(&error)),
        }
    }

    /// Describes the failure of a write that does not change an asset.
    pub(crate) fn failed(&self, error: &CallError) -> Failed {
        Failed { why: why(error), unknown: self.0.load(Ordering::SeqCst) }
    }
}

/// Why a write failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failed {
    pub why: String,
    /// Whether it may have been applied nevertheless.
    pub unknown: bool,
}

impl Failed {
    /// The message: what failed or is unknown, and why.
    pub(crate) fn message(&self, failed: &str, unknown: &str) -> String {
        match self.unknown {
            true => format!("{unknown}; check before trying again: {}", self.why),
            false => format!("{failed}: {}", self.why),
        }
    }
}

/// The write was not sent.
impl From<String> for Failed {
    fn from(why: String) -> Self {
        Self { why, unknown: false }
    }
}

/// The work ended before it sent anything.
impl From<Ended> for Failed {
    fn from(ended: Ended) -> Self {
        ended.to_string().into()
    }
}

impl From<NotRecorded> for Failed {
    fn from(error: NotRecorded) -> Self {
        error.to_string().into()
    }
}

impl From<CallError> for Failed {
    fn from(error: CallError) -> Self {
        Self { why: error.to_string(), unknown: not_done(error).unknown }
    }
}

/// The outcome of a write that failed, for the journal.
fn outcome(end: &ApplyError) -> Outcome {
    let reason = end.reason();
    if end.unknown { Outcome::Unknown(reason) } else { Outcome::Failed(reason) }
}

/// A call as the journal stores it.
pub(crate) fn sent(call: &Call) -> Sent {
    let (info, parts) = (call.info(), call.parts());
    Sent {
        operation: info.name.to_owned(),
        method: info.method.to_string(),
        target: parts.target(info),
        body: parts.body.map(|body| String::from_utf8_lossy(&body).into_owned()),
        shortened: false,
    }
}

/// An entry that begins now.
pub(crate) fn entry(title: String, kind: EntryKind, calls: &[Call], relation: EntryRelation) -> Entry {
    Entry {
        id: EntryId::random(),
        at: jiff::Timestamp::now(),
        title,
        kind,
        requests: calls.iter().map(sent).collect(),
        fields: Vec::new(),
        before: None,
        outcome: Outcome::Sending,
        answers: relation,
        undone: false,
        partly: None,
        ended: None,
        was_unknown: None,
        group: None,
        asked_by: None,
    }
}

/// Why a change could not be planned, for people.
pub(crate) fn why(error: &CallError) -> String {
    match error {
        // A failed plan has sent no write.
        CallError::Internal { target: None, problem } => problem.clone(),
        error => error.to_string(),
    }
}

/// Reads the asset, plans the change and sends it.
pub(crate) async fn write(context: &WriteContext, change: Change, step: Step) -> WriteResult {
    let Step { relation, title, reviewed } = step;
    match prepare(&context.client, &context.deleted, change, context.vendor).await {
        Ok(Preflight::Ready(plan)) if reviewed != Reviewed::Yes && matches!(plan.undo, UndoKind::Never(_)) => {
            WriteResult::Irreversible(plan)
        }
        Ok(Preflight::Ready(plan)) => send(context, &plan, relation, title).await,
        Ok(Preflight::NoOp(how)) => WriteResult::NoOp(how),
        Ok(Preflight::Conflict(conflict)) => WriteResult::Conflict(conflict),
        Err(error) => WriteResult::Unsent(error.to_string()),
    }
}

/// Sends a plan that the user reviewed, if the asset is still as the plan showed it. Otherwise returns the plan for what
/// the asset is now.
pub(crate) async fn apply(
    context: &WriteContext,
    plan: &Plan,
    relation: EntryRelation,
    title: Option<String>,
) -> WriteResult {
    let again = match &plan.change {
        Change::Increment { .. } | Change::Delete { .. } => unseen(plan.change.clone()),
        change => change.clone(),
    };
    match prepare(&context.client, &context.deleted, again, context.vendor).await {
        Ok(Preflight::Ready(now)) if shows_the_same(plan, &now) => send(context, plan, relation, title).await,
        Ok(Preflight::Ready(now)) => WriteResult::PlanChanged(now, "the asset changed in the meantime".to_owned()),
        Ok(Preflight::NoOp(how)) => WriteResult::NoOp(how),
        Ok(Preflight::Conflict(conflict)) => WriteResult::Conflict(conflict),
        Err(error) => WriteResult::Unsent(error.to_string()),
    }
}

/// Removes the values that the change was planned on.
fn unseen(change: Change) -> Change {
    match change {
        Change::Increment { asset, counter, from: _ } => Change::Increment { asset, counter, from: None },
        Change::Delete { asset, name, made: _ } => Change::Delete { asset, name, made: None },
        other => other,
    }
}

fn shows_the_same(shown: &Plan, now: &Plan) -> bool {
    let record = |plan: &Plan| plan.before.as_ref().map(|asset| lasting(asset.tree()));
    let counted = matches!(shown.change, Change::Increment { .. });
    if counted { shown.change == now.change } else { record(shown) == record(now) }
}

async fn send(context: &WriteContext, plan: &Plan, relation: EntryRelation, title: Option<String>) -> WriteResult {
    let title = title.unwrap_or_else(|| plan.change.done());
    let mut entry = entry(title, EntryKind::Change(plan.change.clone()), &plan.calls, relation);
    entry.fields = plan.fields.clone();
    entry.before = plan.before.as_ref().map(|asset| asset.tree().clone());
    let (id, recorded) = (entry.id, entry.clone());
    let log = JournalLog::new(context, entry, |result: &Result<Applied, ApplyError>| match result {
        Ok(done) => (Outcome::Done, Some(done.change.clone())),
        Err(error) => (outcome(error), None),
    });
    match send_plan(&context.client, &context.deleted, plan, log).await {
        Ok(Ok(done)) => WriteResult::Applied(id, Box::new(done)),
        Ok(Err(error)) if error.unknown => find_out(context, recorded, plan, error).await,
        Ok(Err(error)) => WriteResult::NotApplied(error),
        Err(NotSent::NotRecorded(problem)) => WriteResult::Unsent(problem.to_string()),
        Err(NotSent::NoCopy(why)) => {
            let why = format!("no copy of the asset could be saved: {why}");
            let undo = UndoKind::Never(why.clone());
            WriteResult::PlanChanged(Box::new(Plan { undo, ..plan.clone() }), why)
        }
    }
}

/// Sends an operation that is no [`Change`], as an entry that cannot be undone, unless `done` returns a change for the
/// reply. Fails if the entry could not be recorded; then nothing was sent.
pub(crate) async fn call(
    context: &WriteContext,
    call: &Call,
    title: String,
    done: impl FnOnce(&Reply) -> Option<Change> + Send,
) -> Result<Exchange, NotRecorded> {
    let entry = call_entry(call, title, EntryRelation::None);
    call_as(context, call, entry, done).await
}

/// Sends the creation of an asset whose content is too large for the history, as an entry with this body in its place.
pub(crate) async fn call_shortened(
    context: &WriteContext,
    call: &Call,
    title: String,
    body: String,
    done: impl FnOnce(&Reply) -> Option<Change> + Send,
) -> Result<Exchange, NotRecorded> {
    let mut entry = call_entry(call, title, EntryRelation::None);
    for sent in &mut entry.requests {
        (sent.body, sent.shortened) = (Some(body.clone()), true);
    }
    call_as(context, call, entry, done).await
}

/// Sends a call that may undo or redo an entry, and returns the id of its own entry with the response.
pub(crate) async fn answering(
    context: &WriteContext,
    call: &Call,
    title: String,
    relation: EntryRelation,
) -> Result<(EntryId, Exchange), NotRecorded> {
    let entry = call_entry(call, title, relation);
    let id = entry.id;
    let exchange = call_as(context, call, entry, |_| None).await?;
    Ok((id, exchange))
}

/// Sends a call that changes a tag, a website or a workstream summary, as an entry with the record before the change,
/// alone or in a group of steps; also returns the id of the entry.
pub(crate) async fn item_call(
    context: &WriteContext,
    call: &Call,
    title: String,
    before: Value,
    relation: EntryRelation,
    group: Option<EntryId>,
) -> Result<(EntryId, Exchange), NotRecorded> {
    let entry = Entry { before: Some(before), group, ..call_entry(call, title, relation) };
    let id = entry.id;
    let exchange = call_as(context, call, entry, |_| None).await?;
    Ok((id, exchange))
}

fn call_entry(call: &Call, title: String, relation: EntryRelation) -> Entry {
    let kind = EntryKind::Call { operation: call.info().name.to_owned() };
    entry(title, kind, std::slice::from_ref(call), relation)
}

async fn call_as(
    context: &WriteContext,
    call: &Call,
    entry: Entry,
    done: impl FnOnce(&Reply) -> Option<Change> + Send,
) -> Result<Exchange, NotRecorded> {
    let log = JournalLog::new(context, entry, |exchange: &Exchange| match &exchange.outcome {
        Ok(reply) => (Outcome::Done, done(reply)),
        Err(error) => (outcome(&not_done(error.clone())), None),
    });
    send_recorded(log, context.client.exchange(call)).await
}

/// Reads the asset of a write of unknown outcome once, and records what that shows.
async fn find_out(context: &WriteContext, mut entry: Entry, plan: &Plan, error: ApplyError) -> WriteResult {
    entry.outcome = outcome(&error);
    let reading = if may_still_be_made(&error.error) { Reading::AtOnce } else { Reading::Settled };
    match read_again(context, &entry, &plan.change, reading).await {
        Ok((Reconciled::Applied, done)) => {
            let change = done.unwrap_or_else(|| plan.change.clone());
            WriteResult::Applied(entry.id, Box::new(Applied { change, asset: None, message: None }))
        }
        Ok((Reconciled::NotApplied, _)) => WriteResult::NotMade(format!("{}; {NOT_MADE}", error.reason())),
        Ok((Reconciled::Unclear(_), _)) | Err(_) => WriteResult::Unknown(error),
    }
}

/// Whether a change without a usable response may still be made by the service, or by one behind it.
fn may_still_be_made(error: &CallError) -> bool {
    match error {
        CallError::Status { status, .. } | CallError::NotThisService { status: Some(status), .. } => {
            matches!(status, 502..=504)
        }
        CallError::NotJson { .. } | CallError::SchemaError { .. } | CallError::UnexpectedBody { .. } => false,
        _ => true,
    }
}

/// When an asset is read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// After the change was made or not.
    Settled,
    /// At once, while the change may still be made: an asset without it decides nothing.
    AtOnce,
}

/// What reading an asset again shows if a change was not made.
pub(crate) const NOT_MADE: &str = "reading the asset again showed that the change was not made";

/// Reads the asset of a step of unknown outcome again and records the result, with the applied change if only the
/// service knew it. Fails if it cannot be read.
pub(crate) async fn read_again(
    context: &WriteContext,
    entry: &Entry,
    change: &Change,
    reading: Reading,
) -> Result<(Reconciled, Option<Change>), CallError> {
    let (reconciled, done) = match (reconciled(&context.client, change).await?, reading, &entry.outcome) {
        ((Reconciled::NotApplied, done), Reading::AtOnce, Outcome::Unknown(why)) => {
            let why = format!("{why}; reading the asset again did not show the change, which may still be made");
            (Reconciled::Unclear(why), done)
        }
        (read, ..) => read,
    };
    Ok(record_read(context, entry, reconciled, done).await)
}

/// Looks for the asset that a step of unknown outcome was to create, and records the result; `known` are the assets that
/// other steps created. Fails if the service cannot be read.
pub(crate) async fn find_created(
    context: &WriteContext,
    entry: &Entry,
    known: &HashSet<AssetId>,
) -> Result<(Reconciled, Option<Change>), CallError> {
    let (reconciled, done) = created(&context.client, entry, known).await?;
    Ok(record_read(context, entry, reconciled, done).await)
}

/// Records what reading again has shown.
async fn record_read(
    context: &WriteContext,
    entry: &Entry,
    reconciled: Reconciled,
    done: Option<Change>,
) -> (Reconciled, Option<Change>) {
    let outcome = match &reconciled {
        Reconciled::Applied => Outcome::Done,
        Reconciled::NotApplied => Outcome::Failed(NOT_MADE.to_owned()),
        Reconciled::Unclear(why) => Outcome::Unknown(why.clone()),
    };
    PendingEntry::recorded(context, entry.clone()).end(outcome, done.clone()).await;
    (reconciled, done)
}
