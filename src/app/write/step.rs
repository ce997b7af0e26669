//! One step: noted, sent, and its end noted.
//!
//! What must hold: a step is on disk before its first call leaves, and nothing is sent where it cannot be; a step that is
//! broken off, by a cancel or a fault, ends as unknown and never as though it had not been.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::app::change::Change;
use crate::app::change::fingerprint::lasting;
use crate::app::journal::{Entry, EntryId, EntryKind, EntryRelation, Journal, JournalError, Outcome, Sent};
use crate::app::output::{ProgressEvent, WriteResult};
use crate::app::session::capability::Reason;
use crate::app::session::log::{LogEntry, LoggedClient};
use crate::app::write::plan::{ApplyError, Plan, Preflight, UndoKind, execute, not_done};
use crate::app::write::recovery::DeletedAssets;
use lunette_client::client::{CallError, Exchange};
use lunette_client::model::record::Record as _;
use lunette_client::operation::{Call, Reply};

/// What a write needs beside itself.
#[derive(Clone)]
pub(in crate::app) struct WriteContext {
    pub(in crate::app) client: LoggedClient,
    pub(in crate::app) journal: Journal,
    /// Whether the service is one of ours.
    pub(in crate::app) own: bool,
    /// How deleted assets come back.
    pub(in crate::app) deleted: DeletedAssets,
    /// Whether a call may have left.
    pub(in crate::app) left: MaybeSent,
}

/// Whether a request may have been sent. Clones share it, so that it is known after the work is aborted.
#[derive(Clone, Debug, Default)]
pub(in crate::app) struct MaybeSent(Arc<AtomicBool>);

impl MaybeSent {
    fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// The result of an aborted write: unknown if its request may have been sent.
    pub(in crate::app) fn ended(&self, error: CallError) -> WriteResult {
        match self.0.load(Ordering::SeqCst) {
            true => WriteResult::NotApplied(ApplyError { error, unknown: true, made: None }),
            false => WriteResult::Unsent(why(&error)),
        }
    }

    /// The same for writes that do not change an asset.
    pub(in crate::app) fn failed(&self, error: &CallError) -> Failed {
        Failed { why: why(error), unknown: self.0.load(Ordering::SeqCst) }
    }
}

/// Why a write was not applied, as far as is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app) struct Failed {
    pub why: String,
    /// Whether it may have been made all the same.
    pub unknown: bool,
}

impl Failed {
    /// The message: what failed or is unknown, and why.
    pub(in crate::app) fn message(&self, failed: &str, unknown: &str) -> String {
        match self.unknown {
            true => format!("{unknown}; check before trying again: {}", self.why),
            false => format!("{failed}: {}", self.why),
        }
    }
}

/// What was not sent at all.
impl From<String> for Failed {
    fn from(why: String) -> Self {
        Self { why, unknown: false }
    }
}

impl From<CallError> for Failed {
    fn from(error: CallError) -> Self {
        Self { why: error.to_string(), unknown: not_done(error).unknown }
    }
}

/// A step that is under way.
pub(in crate::app) struct PendingEntry {
    /// None once its end was noted.
    entry: Option<Entry>,
    journal: Journal,
    client: LoggedClient,
}

impl PendingEntry {
    /// Notes the step; where that fails nothing may be sent. A step that the write policy would hold back is not even
    /// noted.
    pub(in crate::app) async fn begin(context: &WriteContext, entry: Entry) -> Result<Self, String> {
        if !context.client.write_policy().allows_writes() {
            return Err(Reason::ReadOnly.to_string());
        }
        let (journal, noted) = (context.journal.clone(), entry.clone());
        let begun = tokio::task::spawn_blocking(move || journal.begin(&noted)).await;
        match begun {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(error.to_string()),
            Err(error) => return Err(format!("a change must be recorded before it is sent: {error}")),
        }
        // From here on an aborted step is recorded as unknown.
        let step =
            Self { entry: Some(entry.clone()), journal: context.journal.clone(), client: context.client.clone() };
        context.left.set();
        report(&context.client, entry, None);
        Ok(step)
    }

    /// Records the outcome, and the applied change if only the service knew it.
    pub(in crate::app) async fn end(mut self, outcome: Outcome, done: Option<Change>) {
        let Some(mut entry) = self.entry.take() else { return };
        let (journal, id) = (self.journal.clone(), entry.id);
        entry.outcome = outcome.clone();
        if let Some(done) = done.clone() {
            entry.kind = EntryKind::Change(done);
        }
        let ended = tokio::task::spawn_blocking(move || journal.end(id, &outcome, done.as_ref())).await;
        let ended = ended.unwrap_or_else(|error| Err(JournalError(error.to_string())));
        report(&self.client, entry, ended.err());
    }
}

/// Nobody waited for the end.
impl Drop for PendingEntry {
    fn drop(&mut self) {
        let Some(mut entry) = self.entry.take() else { return };
        let outcome = Outcome::Unknown("interrupted before the response arrived".to_owned());
        entry.outcome = outcome.clone();
        let (journal, id) = (self.journal.clone(), entry.id);
        // The end of its task wakes the window. This may run while a panic unwinds, where another one would end the
        // program.
        self.client.report_quietly(standing(&self.client, entry, None));
        // At the end of the program there is no runtime any more; a step without an end reads as unknown then.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn_blocking(move || journal.end(id, &outcome, None));
        }
    }
}

fn report(client: &LoggedClient, entry: Entry, problem: Option<JournalError>) {
    client.report(standing(client, entry, problem));
}

/// The displayed status of a step.
fn standing(client: &LoggedClient, entry: Entry, problem: Option<JournalError>) -> ProgressEvent {
    let unnoted = |error| format!("“{}” has ended, but its result could not be recorded: {error}", entry.title);
    let problem = problem.map(unnoted);
    ProgressEvent::Step { entry: Arc::new(entry), problem, generation: client.generation }
}

/// How a step reads in the journal.
fn outcome(end: &ApplyError) -> Outcome {
    let reason = end.reason();
    if end.unknown { Outcome::Unknown(reason) } else { Outcome::Failed(reason) }
}

/// A call as the journal keeps it.
pub(in crate::app) fn sent(call: &Call) -> Sent {
    let (info, parts) = (call.info(), call.parts());
    Sent {
        operation: info.name.to_owned(),
        method: info.method.to_string(),
        target: parts.target(info),
        body: parts.body.map(|body| String::from_utf8_lossy(&body).into_owned()),
    }
}

/// A step that begins now.
pub(in crate::app) fn entry(title: String, kind: EntryKind, calls: &[Call], answers: EntryRelation) -> Entry {
    Entry {
        id: EntryId::random(),
        at: jiff::Timestamp::now(),
        title,
        kind,
        requests: calls.iter().map(sent).collect(),
        fields: Vec::new(),
        before: None,
        outcome: Outcome::Sending,
        answers,
        undone: false,
        partly: None,
        group: None,
    }
}

/// Why a change could not be planned, for people.
pub(in crate::app) fn why(error: &CallError) -> String {
    match error {
        // A failed plan has sent no write.
        CallError::Internal { target: None, problem } => problem.clone(),
        error => error.to_string(),
    }
}

/// Plans a change on a fresh read and sends it; `title` names the step, where it is not the change's own name.
pub(in crate::app) async fn write(
    context: &WriteContext,
    change: Change,
    answers: EntryRelation,
    title: Option<String>,
) -> WriteResult {
    match context.deleted.prepare(&context.client, change, context.own).await {
        Ok(Preflight::Ready(plan)) => send(context, &plan, answers, title).await,
        Ok(Preflight::NoOp(how)) => WriteResult::NoOp(how),
        Ok(Preflight::Conflict(conflict)) => WriteResult::Conflict(conflict),
        Err(error) => WriteResult::Unsent(why(&error)),
    }
}

/// Sends a plan that was looked at, if the asset still is as it showed it. One that has nothing to decide, but to look
/// again, is shown as it is now.
pub(in crate::app) async fn apply(
    context: &WriteContext,
    plan: &Plan,
    answers: EntryRelation,
    title: Option<String>,
) -> WriteResult {
    let again = match &plan.change {
        Change::Increment { .. } | Change::Delete { .. } => unseen(plan.change.clone()),
        change => change.clone(),
    };
    match context.deleted.prepare(&context.client, again, context.own).await {
        Ok(Preflight::Ready(now)) if shows_the_same(plan, &now) => send(context, plan, answers, title).await,
        Ok(Preflight::Ready(now)) => WriteResult::PlanChanged(now, "the asset changed in the meantime".to_owned()),
        Ok(Preflight::NoOp(how)) => WriteResult::NoOp(how),
        Ok(Preflight::Conflict(conflict)) => WriteResult::Conflict(conflict),
        Err(error) => WriteResult::Unsent(why(&error)),
    }
}

/// The same change without its seen values.
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

async fn send(context: &WriteContext, plan: &Plan, answers: EntryRelation, title: Option<String>) -> WriteResult {
    if let Err(why) = context.deleted.keep_copy(&context.client, plan).await {
        let why = format!("no copy of the asset could be saved: {why}");
        let undo = UndoKind::Never(why.clone());
        return WriteResult::PlanChanged(Box::new(Plan { undo, ..plan.clone() }), why);
    }
    let title = title.unwrap_or_else(|| plan.change.done());
    let mut entry = entry(title, EntryKind::Change(plan.change.clone()), &plan.calls, answers);
    entry.fields = plan.fields.clone();
    entry.before = plan.before.as_ref().map(|asset| asset.tree().clone());
    let id = entry.id;
    let step = match PendingEntry::begin(context, entry).await {
        Ok(step) => step,
        Err(problem) => return WriteResult::Unsent(problem),
    };
    match execute(&context.client, plan).await {
        Ok(done) => {
            step.end(Outcome::Done, Some(done.change.clone())).await;
            WriteResult::Applied(id, Box::new(done))
        }
        Err(end) => {
            step.end(outcome(&end), None).await;
            WriteResult::NotApplied(end)
        }
    }
}

/// Sends a call that is no change of ours, as a step that nothing undoes, unless `done` says of the answer what was
/// done. Fails, with a sentence, where it could not be noted and so was not sent.
pub(in crate::app) async fn call(
    context: &WriteContext,
    call: &Call,
    title: String,
    done: impl FnOnce(&Reply) -> Option<Change>,
) -> Result<(Exchange, Arc<LogEntry>), String> {
    let entry = call_entry(call, title, EntryRelation::None);
    call_as(context, call, entry, done).await
}

/// The same for a call that may undo or redo a step; gives its own step.
pub(in crate::app) async fn answering(
    context: &WriteContext,
    call: &Call,
    title: String,
    answers: EntryRelation,
) -> Result<(EntryId, Exchange), String> {
    let entry = call_entry(call, title, answers);
    let id = entry.id;
    let (exchange, _) = call_as(context, call, entry, |_| None).await?;
    Ok((id, exchange))
}

/// Sends a call that changes a tag, a website or a workstream summary, as a step that keeps the record of before, by
/// itself or together with others; gives its own step.
pub(in crate::app) async fn item_call(
    context: &WriteContext,
    call: &Call,
    title: String,
    before: Value,
    (answers, group): (EntryRelation, Option<EntryId>),
) -> Result<(EntryId, Exchange), String> {
    let entry = Entry { before: Some(before), group, ..call_entry(call, title, answers) };
    let id = entry.id;
    let (exchange, _) = call_as(context, call, entry, |_| None).await?;
    Ok((id, exchange))
}

fn call_entry(call: &Call, title: String, answers: EntryRelation) -> Entry {
    let kind = EntryKind::Call { operation: call.info().name.to_owned() };
    entry(title, kind, std::slice::from_ref(call), answers)
}

async fn call_as(
    context: &WriteContext,
    call: &Call,
    entry: Entry,
    done: impl FnOnce(&Reply) -> Option<Change>,
) -> Result<(Exchange, Arc<LogEntry>), String> {
    let step = PendingEntry::begin(context, entry).await?;
    let (exchange, line) = context.client.exchange(call).await;
    match &exchange.outcome {
        Ok(reply) => step.end(Outcome::Done, done(reply)).await,
        Err(error) => step.end(outcome(&not_done(error.clone())), None).await,
    }
    Ok((exchange, line))
}

/// Records the reconciled outcome of a step.
pub(in crate::app) async fn record_reconciled(
    context: &WriteContext,
    mut entry: Entry,
    outcome: Outcome,
    done: Option<Change>,
) {
    entry.outcome = Outcome::Sending;
    let step = PendingEntry { entry: Some(entry), journal: context.journal.clone(), client: context.client.clone() };
    step.end(outcome, done).await;
}
