//! One row: settled where it may have been sent, read afresh, noted, written, noted again.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::bulk::export::{ExportSink, NotExported, export_to};
use crate::app::bulk::ledger::synced;
use crate::app::bulk::{Ledger, Line, NewItem, Row, Task};
use crate::app::change::{Change, Item};
use crate::app::write::plan::{self, Done, NotDone, Plan, Preflight, Reconciled, moved_on};
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
pub(super) enum End {
    /// The row has ended, and the service answers.
    RawResponse,
    /// The row was sent, and nobody knows.
    Unknown,
    /// Nothing was sent: nobody answers.
    Silent(CallError),
    /// Nothing was done, and nothing more can be; why.
    Halted(String),
}

/// What all rows of a run need.
pub(super) struct Rows<C: Transport> {
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
    pub tell: Box<dyn Fn(Line) + Send + Sync>,
}

impl<C: Transport> Rows<C> {
    pub fn asset(&self, row: usize) -> &AssetId {
        self.tasks[row].asset()
    }

    /// Notes a line in the ledger and tells it.
    pub fn say(&self, line: Line) {
        self.ledger.note(&line);
        (self.tell)(line);
    }

    /// Ends a row that nobody answers while others are answered.
    pub fn give_up(&self, begun: &Begun, error: &CallError) {
        let (row, why) = (begun.row, reason(error));
        self.say(if begun.sent.is_some() { Line::Unknown { row, why } } else { Line::Failed { row, why } });
    }

    pub async fn carry_out(self: Arc<Self>, mut begun: Begun) -> (Begun, End) {
        if let Some(end) = self.settle(&mut begun).await {
            return (begun, end);
        }
        let end = match &self.tasks[begun.row] {
            Task::Change(change) => self.write(begun.row, self.with_item(change.clone())).await,
            Task::Export(asset) => self.export(&begun, asset).await,
        };
        (begun, end)
    }

    /// Looks what became of a row that was sent before. None where it was not done and may be sent.
    async fn settle(&self, begun: &mut Begun) -> Option<End> {
        let (row, sent) = (begun.row, begun.sent.clone()?);
        let line = match plan::settle(&self.caller, &sent, self.own).await {
            Ok(Reconciled::NotDone) => {
                begun.sent = None;
                return None;
            }
            Ok(Reconciled::Done) => Line::Done { row, change: None, saved: None, said: None },
            Ok(Reconciled::Unclear(why)) => Line::Unknown { row, why },
            // It stays unknown, and is settled when the service answers.
            Err(error) if silent(&error) => return Some(End::Silent(error)),
            Err(error) => Line::Unknown { row, why: reason(&error) },
        };
        self.say(line);
        Some(End::RawResponse)
    }

    /// Links the item that was made for all rows, where the row would make one.
    fn with_item(&self, change: Change) -> Change {
        match (NewItem::of(&change).and_then(|new| self.made.get(&new)), change) {
            (Some(item), Change::LinkNew { asset, .. }) => Change::Link { asset, item: item.clone() },
            (_, change) => change,
        }
    }

    async fn write(&self, row: usize, change: Change) -> End {
        match self.deleted.prepare(&self.caller, change, self.own).await {
            Ok(Preflight::Ready(plan)) => self.send(row, &plan).await,
            Ok(Preflight::Unchanged(how)) if self.strict => self.failed(row, how),
            Ok(Preflight::Unchanged(how)) => {
                self.say(Line::Unchanged { row, how });
                End::RawResponse
            }
            Ok(Preflight::Moved(conflict)) => self.failed(row, moved_on(&conflict.change, &conflict.theirs)),
            Err(error) if silent(&error) => End::Silent(error),
            Err(error) => self.failed(row, reason(&error)),
        }
    }

    async fn send(&self, row: usize, plan: &Plan) -> End {
        if let Err(why) = self.deleted.keep_copy(&self.caller, plan).await {
            let why = format!("not deleted because no copy of the asset could be saved: {why}; delete it on its own");
            return self.failed(row, why);
        }
        let sending = Line::Sending { row, change: Some(Box::new(plan.change.clone())) };
        if let Err(error) = self.ledger.before(&sending, synced(&plan.change)).await {
            return End::Halted(error.to_string());
        }
        (self.tell)(sending);
        match plan::carry_out(&self.caller, plan).await {
            Ok(Done { change, said, .. }) => {
                let change = (change != plan.change).then(|| Box::new(change));
                self.say(Line::Done { row, change, saved: None, said });
                End::RawResponse
            }
            Err(NotDone { error, unknown: true, .. }) => {
                self.say(Line::Unknown { row, why: reason(&error) });
                // Who answers with a status is there.
                if matches!(error, CallError::Status { .. }) { End::RawResponse } else { End::Unknown }
            }
            Err(NotDone { error, .. }) if unsent(&error) => {
                self.say(Line::Pending { row });
                End::Silent(error)
            }
            // What holds this write back holds back all that follow.
            Err(NotDone { error: error @ CallError::ReadOnly { .. }, .. }) => {
                self.say(Line::Pending { row });
                End::Halted(error.reason())
            }
            Err(NotDone { error, .. }) => self.failed(row, reason(&error)),
        }
    }

    /// Reads a document and saves it. It changes nothing at the service, so what was cut off is simply done again.
    async fn export(&self, begun: &Begun, asset: &AssetId) -> End {
        let row = begun.row;
        let Some(sink) = &self.sink else { return self.failed(row, "the plan has no export location".to_owned()) };
        let sending = Line::Sending { row, change: None };
        if let Err(error) = self.ledger.before(&sending, false).await {
            return End::Halted(error.to_string());
        }
        (self.tell)(sending);
        match export_to(&self.caller, sink, asset, &begun.name).await {
            Ok(saved) => {
                self.say(Line::Done { row, change: None, saved: Some(saved), said: None });
                End::RawResponse
            }
            Err(NotExported::Call(error)) if silent(&error) => {
                self.say(Line::Pending { row });
                End::Silent(error)
            }
            Err(NotExported::Call(error)) => self.failed(row, reason(&error)),
            Err(NotExported::File(failure)) if failure.fatal => {
                self.say(Line::Pending { row });
                End::Halted(failure.reason)
            }
            Err(NotExported::File(failure)) => self.failed(row, failure.reason),
        }
    }

    fn failed(&self, row: usize, why: String) -> End {
        self.say(Line::Failed { row, why });
        End::RawResponse
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
