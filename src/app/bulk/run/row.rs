//! One row: settled where it may have been sent, read afresh, noted, written, noted again.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::bulk::export::{ExportSink, NotExported, export_to};
use crate::app::bulk::ledger::synced;
use crate::app::bulk::{Ledger, LedgerEvent, NewItem, Row, Task};
use crate::app::change::{Change, Item};
use crate::app::write::plan::{self, Applied, ApplyError, Plan, Preflight, Reconciled, conflict_message};
use crate::app::write::recovery::DeletedAssets;
use crate::app::{CallError, Transport};
use lunette_client::client::TimeoutPhase;
use lunette_client::model::id::AssetId;

/// A row that is to be done, or is under way.
#[derive(Clone, Debug)]
pub(super) struct Begun {
    pub row: usize,
    /// What was sent for it before, without a known end.
    pub sent: Option<Arc<Change>>,
    /// How often nobody answered.
    pub tries: usize,
    /// The asset's name, for the file of an export.
    pub name: Arc<str>,
}

impl Begun {
    pub fn new(place: usize, row: &Row, sent: Option<Arc<Change>>) -> Self {
        Self { row: place, sent, tries: 0, name: Arc::clone(&row.name) }
    }
}

/// How it went.
pub(super) enum RowResult {
    /// The row has ended, and the service answers.
    Answered,
    /// The row was sent, and nobody knows.
    Unknown,
    /// Nothing was sent: nobody answers.
    Silent(CallError),
    /// Nothing was done, and nothing more can be; why.
    Stopped(String),
}

/// What all rows of a run need.
pub(super) struct RowExecutor<C: Transport> {
    pub caller: C,
    pub own: bool,
    pub strict: bool,
    pub tasks: Arc<Vec<Task>>,
    /// The items that were made for the rows.
    pub made: BTreeMap<NewItem, Item>,
    /// Where exports go.
    pub sink: Option<Arc<ExportSink>>,
    /// How deleted assets come back.
    pub deleted: DeletedAssets,
    pub ledger: Ledger,
    pub tell: Box<dyn Fn(LedgerEvent) + Send + Sync>,
}

impl<C: Transport> RowExecutor<C> {
    pub fn asset(&self, row: usize) -> &AssetId {
        self.tasks[row].asset()
    }

    /// Notes a line in the ledger and tells it.
    pub fn say(&self, line: LedgerEvent) {
        self.ledger.note(&line);
        (self.tell)(line);
    }

    /// Ends a row that nobody answers while others are answered.
    pub fn give_up(&self, begun: &Begun, error: &CallError) {
        let (row, why) = (begun.row, reason(error));
        self.say(if begun.sent.is_some() {
            LedgerEvent::Unknown { row, why }
        } else {
            LedgerEvent::Failed { row, why }
        });
    }

    pub async fn execute(self: Arc<Self>, mut begun: Begun) -> (Begun, RowResult) {
        if let Some(end) = self.reconcile(&mut begun).await {
            return (begun, end);
        }
        let end = match &self.tasks[begun.row] {
            Task::Change(change) => self.write(begun.row, self.with_item(change.clone())).await,
            Task::Export(asset) => self.export(&begun, asset).await,
        };
        (begun, end)
    }

    /// Looks what became of a row that was sent before. None where it was not done and may be sent.
    async fn reconcile(&self, begun: &mut Begun) -> Option<RowResult> {
        let (row, sent) = (begun.row, begun.sent.clone()?);
        let line = match plan::reconcile(&self.caller, &sent, self.own).await {
            Ok(Reconciled::NotApplied) => {
                begun.sent = None;
                return None;
            }
            Ok(Reconciled::Applied) => LedgerEvent::Done { row, change: None, saved: None, message: None },
            Ok(Reconciled::Unclear(why)) => LedgerEvent::Unknown { row, why },
            // It stays unknown, and is settled when the service answers.
            Err(error) if silent(&error) => return Some(RowResult::Silent(error)),
            Err(error) => LedgerEvent::Unknown { row, why: reason(&error) },
        };
        self.say(line);
        Some(RowResult::Answered)
    }

    /// Links the item that was made for all rows, where the row would make one.
    fn with_item(&self, change: Change) -> Change {
        match (NewItem::of(&change).and_then(|new| self.made.get(&new)), change) {
            (Some(item), Change::LinkNew { asset, .. }) => Change::Link { asset, item: item.clone() },
            (_, change) => change,
        }
    }

    async fn write(&self, row: usize, change: Change) -> RowResult {
        match self.deleted.prepare(&self.caller, change, self.own).await {
            Ok(Preflight::Ready(plan)) => self.send(row, &plan).await,
            Ok(Preflight::NoOp(how)) if self.strict => self.failed(row, how),
            Ok(Preflight::NoOp(how)) => {
                self.say(LedgerEvent::Unchanged { row, how });
                RowResult::Answered
            }
            Ok(Preflight::Conflict(conflict)) => self.failed(row, conflict_message(&conflict.change, &conflict.theirs)),
            Err(error) if silent(&error) => RowResult::Silent(error),
            Err(error) => self.failed(row, reason(&error)),
        }
    }

    async fn send(&self, row: usize, plan: &Plan) -> RowResult {
        if let Err(why) = self.deleted.keep_copy(&self.caller, plan).await {
            let why = format!("not deleted because no copy of the asset could be saved: {why}; delete it on its own");
            return self.failed(row, why);
        }
        let sending = LedgerEvent::Sending { row, change: Some(Box::new(plan.change.clone())) };
        if let Err(error) = self.ledger.before(&sending, synced(&plan.change)).await {
            return RowResult::Stopped(error.to_string());
        }
        (self.tell)(sending);
        match plan::execute(&self.caller, plan).await {
            Ok(Applied { change, message, .. }) => {
                let change = (change != plan.change).then(|| Box::new(change));
                self.say(LedgerEvent::Done { row, change, saved: None, message });
                RowResult::Answered
            }
            Err(ApplyError { error, unknown: true, .. }) => {
                self.say(LedgerEvent::Unknown { row, why: reason(&error) });
                // Who answers with a status is there.
                if matches!(error, CallError::Status { .. }) { RowResult::Answered } else { RowResult::Unknown }
            }
            Err(ApplyError { error, .. }) if unsent(&error) => {
                self.say(LedgerEvent::Pending { row });
                RowResult::Silent(error)
            }
            // What holds this write back holds back all that follow.
            Err(ApplyError { error: error @ CallError::ReadOnly { .. }, .. }) => {
                self.say(LedgerEvent::Pending { row });
                RowResult::Stopped(error.reason())
            }
            Err(ApplyError { error, .. }) => self.failed(row, reason(&error)),
        }
    }

    /// Reads a document and saves it. It changes nothing at the service, so what was cut off is simply done again.
    async fn export(&self, begun: &Begun, asset: &AssetId) -> RowResult {
        let row = begun.row;
        let Some(sink) = &self.sink else { return self.failed(row, "the plan has no export location".to_owned()) };
        let sending = LedgerEvent::Sending { row, change: None };
        if let Err(error) = self.ledger.before(&sending, false).await {
            return RowResult::Stopped(error.to_string());
        }
        (self.tell)(sending);
        match export_to(&self.caller, sink, asset, &begun.name).await {
            Ok(saved) => {
                self.say(LedgerEvent::Done { row, change: None, saved: Some(saved), message: None });
                RowResult::Answered
            }
            Err(NotExported::Call(error)) if silent(&error) => {
                self.say(LedgerEvent::Pending { row });
                RowResult::Silent(error)
            }
            Err(NotExported::Call(error)) => self.failed(row, reason(&error)),
            Err(NotExported::File(failure)) if failure.fatal => {
                self.say(LedgerEvent::Pending { row });
                RowResult::Stopped(failure.reason)
            }
            Err(NotExported::File(failure)) => self.failed(row, failure.reason),
        }
    }

    fn failed(&self, row: usize, why: String) -> RowResult {
        self.say(LedgerEvent::Failed { row, why });
        RowResult::Answered
    }
}

/// Why a call of a row failed, for people who see the asset beside it.
fn reason(error: &CallError) -> String {
    match error {
        CallError::Status { status: 404 | 410, sentence, .. } => format!("asset not found: {sentence}"),
        error => error.reason(),
    }
}

/// Whether nobody answered a read, or somebody who is not the service.
pub(super) fn silent(error: &CallError) -> bool {
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

/// Whether a write did not even leave.
fn unsent(error: &CallError) -> bool {
    let refused = matches!(error, CallError::Refused { .. } | CallError::Disconnected { .. });
    refused || matches!(error, CallError::TimedOut { waiting: TimeoutPhase::Connect, .. })
}
