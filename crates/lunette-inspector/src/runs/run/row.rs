//! One row of a run: reconciled if it may have been sent before, then read, planned and sent with its record in the
//! ledger.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::Vendor;
use crate::change::{Change, Item, Replacements, replaced};
use crate::db::Durability;
use crate::runs::export::{ExportSink, NotExported, SavedExport, export_to};
use crate::runs::{Ledger, LedgerError, LedgerEvent, NewItem, RunRow, Task};
use crate::write::engine::{NotSent, WriteLog, send_plan, send_recorded};
use crate::write::own_writes::RowWrite;
use crate::write::plan::{self, Applied, ApplyError, Plan, PlanError, Preflight, Reconciled, conflict_message};
use crate::write::recovery::DeletedAssets;
use crate::{CallError, Refusal, Transport};
use lunette_client::client::TimeoutPhase;
use lunette_client::model::id::AssetId;

/// A row that is waiting or in flight.
#[derive(Clone, Debug)]
pub(super) struct RowAttempt {
    pub row: usize,
    /// What was sent for it before, with an unknown outcome.
    pub sent: Option<Arc<Change>>,
    /// What was sent for it, if that may have been applied in part.
    pub begun: Option<Arc<Change>>,
    /// How often the service did not respond.
    pub tries: usize,
    /// The asset's name, for the file of an export.
    pub name: Arc<str>,
}

impl RowAttempt {
    pub fn new(index: usize, row: &RunRow, sent: Option<Arc<Change>>) -> Self {
        Self { row: index, sent, begun: None, tries: 0, name: Arc::clone(&row.name) }
    }
}

/// The result of an attempt.
pub(super) enum RowResult {
    /// The row has ended, and the service responds.
    Answered,
    /// The row was sent; its outcome is unknown.
    Unknown,
    /// Nothing was sent because the service does not respond.
    Silent(CallError),
    /// Nothing was sent, and the run cannot continue; why.
    Stopped(String),
}

/// Receives writes that were applied.
pub(crate) type OnWritten = Box<dyn Fn(RowWrite) + Send + Sync>;

/// What all rows of a run share.
pub(super) struct RowExecutor<C: Transport> {
    pub caller: C,
    pub vendor: Vendor,
    pub strict: bool,
    /// Whether rows that were not applied stay as they are, unless they may have been applied in part.
    pub only_reconciles: bool,
    pub tasks: Arc<Vec<Task>>,
    /// The items that were created for the rows.
    pub made: BTreeMap<NewItem, Item>,
    /// The new ids of assets that rows created.
    pub moved: Mutex<Replacements>,
    /// Where exports are saved.
    pub sink: Option<Arc<ExportSink>>,
    /// How deleted assets are restored.
    pub deleted: DeletedAssets,
    /// Receives each write that was applied, before its row is done.
    pub written: Option<OnWritten>,
    pub ledger: Ledger,
    /// Receives each event after the ledger has it.
    pub notify: Box<dyn Fn(LedgerEvent) + Send + Sync>,
}

impl<C: Transport> RowExecutor<C> {
    pub fn asset(&self, row: usize) -> &AssetId {
        self.tasks[row].asset()
    }

    /// Records an event in the ledger and reports it.
    pub fn record(&self, event: LedgerEvent) {
        if let LedgerEvent::Done { change: Some(made), .. } = &event
            && let Some((from, to)) = replaced(made)
        {
            self.moved.lock().unwrap_or_else(PoisonError::into_inner).0.insert(from, to);
        }
        self.ledger.append(&event);
        (self.notify)(event);
    }

    /// Ends a row for which the service does not respond while it does for others.
    pub fn give_up(&self, attempt: &RowAttempt, error: &CallError) {
        let (row, why) = (attempt.row, reason(error));
        self.record(if attempt.sent.is_some() {
            LedgerEvent::Unknown { row, why }
        } else {
            LedgerEvent::Failed { row, why }
        });
    }

    pub async fn execute(self: Arc<Self>, mut attempt: RowAttempt) -> (RowAttempt, RowResult) {
        if let Some(end) = self.reconcile(&mut attempt).await {
            return (attempt, end);
        }
        if self.only_reconciles && attempt.begun.is_none() {
            self.record(LedgerEvent::Pending { row: attempt.row });
            return (attempt, RowResult::Answered);
        }
        let end = match &self.tasks[attempt.row] {
            Task::Change(change) => self.write(&attempt, self.with_item(self.moved(change.clone()))).await,
            Task::Export(asset) => self.export(&attempt, asset).await,
        };
        (attempt, end)
    }

    /// Determines the outcome of a row that was sent before. Returns `None` if it was not applied and may be sent.
    async fn reconcile(&self, attempt: &mut RowAttempt) -> Option<RowResult> {
        let (row, sent) = (attempt.row, attempt.sent.clone()?);
        let event = match plan::reconcile(&self.caller, &sent).await {
            Ok(Reconciled::NotApplied) => {
                attempt.sent = None;
                attempt.begun = Some(sent).filter(|sent| sent.info().several_requests);
                return None;
            }
            Ok(Reconciled::Applied) => LedgerEvent::Done { row, change: None, saved: None, message: None },
            Ok(Reconciled::Unclear(why)) => LedgerEvent::Unknown { row, why },
            // It stays unknown, and is reconciled when the service responds.
            Err(error) if silent(&error) => return Some(RowResult::Silent(error)),
            Err(error) => LedgerEvent::Unknown { row, why: reason(&error) },
        };
        self.record(event);
        Some(RowResult::Answered)
    }

    /// The change for the asset that was created in place of its own, if one was.
    fn moved(&self, change: Change) -> Change {
        self.moved.lock().unwrap_or_else(PoisonError::into_inner).apply(change)
    }

    /// Replaces the creation of an item by a link to the item that was created for all rows.
    fn with_item(&self, change: Change) -> Change {
        match (NewItem::of(&change).and_then(|new| self.made.get(&new)), change) {
            (Some(item), Change::LinkNew { asset, unlink, .. }) => Change::linked_new(asset, item.clone(), unlink),
            (_, change) => change,
        }
    }

    async fn write(&self, attempt: &RowAttempt, change: Change) -> RowResult {
        let row = attempt.row;
        match plan::prepare(&self.caller, &self.deleted, change, self.vendor).await {
            Ok(Preflight::Ready(plan)) => self.send(attempt, &plan).await,
            Ok(Preflight::NoOp(how)) if self.strict => self.failed(row, how),
            Ok(Preflight::NoOp(how)) => {
                self.record(LedgerEvent::Unchanged { row, how });
                RowResult::Answered
            }
            Ok(Preflight::Conflict(conflict)) => self.failed(row, conflict_message(&conflict.change, &conflict.theirs)),
            Err(PlanError::Call(error)) if silent(&error) => RowResult::Silent(error),
            Err(PlanError::Call(error)) => self.failed(row, reason(&error)),
            Err(error) => self.failed(row, error.to_string()),
        }
    }

    async fn send(&self, attempt: &RowAttempt, plan: &Plan) -> RowResult {
        let row = attempt.row;
        // Of a relink that was applied in part, what was there before is in the first attempt only.
        let whole = attempt.begun.as_deref().filter(|begun| matches!(begun, Change::Relink { .. }));
        let sending = LedgerEvent::Sending { row, change: Some(Box::new(whole.unwrap_or(&plan.change).clone())) };
        let durability = if plan.change.info().not_repeatable { Durability::Synced } else { Durability::Written };
        let log = LedgerLog::new(self, sending, durability, |result: &_| {
            self.report(plan, result);
            let event = match self.refused(result) {
                Some(_) => LedgerEvent::Pending { row },
                None => event_of(row, plan, result),
            };
            Some(match (event, whole) {
                (LedgerEvent::Done { row, saved, message, .. }, Some(_)) => {
                    LedgerEvent::Done { row, change: None, saved, message }
                }
                (event, _) => event,
            })
        });
        match send_plan(&self.caller, &self.deleted, plan, log).await {
            Ok(result) => match self.refused(&result) {
                Some(refusal) => RowResult::Stopped(refusal.to_string()),
                None => row_result(result),
            },
            Err(NotSent::NotRecorded(why)) => RowResult::Stopped(why.to_string()),
            Err(NotSent::NoCopy(why)) => self.failed(
                row,
                format!("not deleted because no copy of the asset could be saved: {why}; delete it on its own"),
            ),
        }
    }

    /// The refusal of the service, if a write failed because the service accepts none: the row stays as it is.
    fn refused(&self, result: &Result<Applied, ApplyError>) -> Option<Refusal> {
        let error = result.as_ref().err()?;
        self.caller.refusal().filter(|refusal| refusal.explains(&error.error) && error.made.is_none())
    }

    /// Reports a write that was applied.
    fn report(&self, plan: &Plan, result: &Result<Applied, ApplyError>) {
        if let (Some(written), Some(before), Ok(applied)) = (&self.written, &plan.before, result) {
            let (change, after) = (applied.change.clone(), applied.asset.clone());
            written(RowWrite { before: Arc::clone(before), change, after });
        }
    }

    /// Reads a document and saves it. It changes nothing at the service, so an interrupted export is repeated.
    async fn export(&self, attempt: &RowAttempt, asset: &AssetId) -> RowResult {
        let row = attempt.row;
        let Some(sink) = &self.sink else { return self.failed(row, "the plan has no export location".to_owned()) };
        let log =
            LedgerLog::new(self, LedgerEvent::Sending { row, change: None }, Durability::Written, |result: &_| {
                Some(export_event(row, result))
            });
        match send_recorded(log, export_to(&self.caller, sink, asset, &attempt.name)).await {
            Err(why) => RowResult::Stopped(why.to_string()),
            Ok(Err(NotExported::Call(error))) if silent(&error) => RowResult::Silent(error),
            Ok(Err(NotExported::File(failure))) if failure.fatal => RowResult::Stopped(failure.reason),
            Ok(Ok(_) | Err(NotExported::Call(_) | NotExported::File(_))) => RowResult::Answered,
        }
    }

    fn failed(&self, row: usize, why: String) -> RowResult {
        self.record(LedgerEvent::Failed { row, why });
        RowResult::Answered
    }
}

/// Records a write in the ledger of a run; `F` returns the event of a result, if it has one.
pub(super) struct LedgerLog<'a, C: Transport, F> {
    rows: &'a RowExecutor<C>,
    /// None once it was recorded.
    sending: Option<LedgerEvent>,
    durability: Durability,
    event: F,
}

impl<'a, C: Transport, F> LedgerLog<'a, C, F> {
    pub fn new(rows: &'a RowExecutor<C>, sending: LedgerEvent, durability: Durability, event: F) -> Self {
        Self { rows, sending: Some(sending), durability, event }
    }
}

impl<C: Transport, R: Sync, F: FnOnce(&R) -> Option<LedgerEvent> + Send> WriteLog<R> for LedgerLog<'_, C, F> {
    type Refused = LedgerError;

    async fn begin(&mut self) -> Result<(), LedgerError> {
        let Some(sending) = self.sending.take() else { return Ok(()) };
        self.rows.ledger.append_and_wait(&sending, self.durability).await?;
        (self.rows.notify)(sending);
        Ok(())
    }

    async fn end(self, result: &R) {
        if let Some(event) = (self.event)(result) {
            self.rows.record(event);
        }
    }
}

/// The event of a row that was sent.
fn event_of(row: usize, plan: &Plan, result: &Result<Applied, ApplyError>) -> LedgerEvent {
    match result {
        Ok(Applied { change, message, .. }) => {
            let change = (*change != plan.change).then(|| Box::new(change.clone()));
            LedgerEvent::Done { row, change, saved: None, message: message.clone() }
        }
        Err(ApplyError { error, unknown: true, .. }) => LedgerEvent::Unknown { row, why: reason(error) },
        Err(ApplyError { error, .. }) if unsent(error) || read_only(error) => LedgerEvent::Pending { row },
        Err(ApplyError { error, .. }) => LedgerEvent::Failed { row, why: reason(error) },
    }
}

/// What the result of a row that was sent means for the run.
fn row_result(result: Result<Applied, ApplyError>) -> RowResult {
    match result {
        // A status is a response.
        Err(ApplyError { error: CallError::Status { .. }, .. }) | Ok(_) => RowResult::Answered,
        Err(ApplyError { unknown: true, .. }) => RowResult::Unknown,
        Err(ApplyError { error, .. }) if unsent(&error) => RowResult::Silent(error),
        // The write policy blocks the following rows too.
        Err(ApplyError { error, .. }) if read_only(&error) => RowResult::Stopped(error.reason()),
        Err(ApplyError { .. }) => RowResult::Answered,
    }
}

/// The event of a row that was exported.
fn export_event(row: usize, result: &Result<SavedExport, NotExported>) -> LedgerEvent {
    match result {
        Ok(SavedExport { file, secrets }) => {
            LedgerEvent::Done { row, change: None, saved: Some(file.clone()), message: secrets.clone() }
        }
        Err(NotExported::Call(error)) if silent(error) => LedgerEvent::Pending { row },
        Err(NotExported::Call(error)) => LedgerEvent::Failed { row, why: reason(error) },
        Err(NotExported::File(failure)) if failure.fatal => LedgerEvent::Pending { row },
        Err(NotExported::File(failure)) => LedgerEvent::Failed { row, why: failure.reason.clone() },
    }
}

/// Why a call of a row failed, as a text that is shown beside the asset.
fn reason(error: &CallError) -> String {
    match error {
        CallError::Status { status: 404 | 410, sentence, .. } => format!("asset not found: {sentence}"),
        error => error.reason(),
    }
}

/// Whether a read had no response, or one of another program.
pub(crate) fn silent(error: &CallError) -> bool {
    match error {
        CallError::Refused { .. }
        | CallError::Disconnected { .. }
        | CallError::TimedOut { .. }
        | CallError::Reset { .. }
        | CallError::NotThisService { .. } => true,
        CallError::Address { .. }
        | CallError::ReadOnly { .. }
        | CallError::Status { .. }
        | CallError::NotJson { .. }
        | CallError::SchemaError { .. }
        | CallError::TooLarge { .. }
        | CallError::UnexpectedBody { .. }
        | CallError::TooManyValues { .. }
        | CallError::Unpaged { .. }
        | CallError::Cancelled { .. }
        | CallError::Internal { .. } => false,
    }
}

/// Whether a write was certainly not sent.
fn unsent(error: &CallError) -> bool {
    let refused = matches!(error, CallError::Refused { .. } | CallError::Disconnected { .. });
    refused || matches!(error, CallError::TimedOut { waiting: TimeoutPhase::Connect, .. })
}

fn read_only(error: &CallError) -> bool {
    matches!(error, CallError::ReadOnly { .. })
}
