//! The events of a ledger, and the run that they result in. The window, the command line and the reader of a ledger
//! apply the same events in the same order, so all of them show the same run.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::change::{Change, Item, LinkKind, with_name};
use crate::journal::{AskedBy, EntryId, EntryRelation};
use crate::runs::{BatchAnswer, BulkOperation, RowStatus, Run, RunId, RunRow, RunStatus, SavedFile, Task};
use lunette_client::model::id::AssetId;

/// One line of a ledger, which is append-only. The last event of a row determines its status.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LedgerEvent {
    /// The plan: the first line.
    Run(Box<Header>),
    /// An item is about to be created for the rows that link it.
    Making(NewItem),
    /// It was created.
    Made(NewItem, Item),
    /// A row is about to be sent.
    Sending {
        /// Its index.
        row: usize,
        /// Including values from the fresh read; `None` for an export.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        change: Option<Box<Change>>,
    },
    /// A row is done.
    Done {
        /// Its index.
        row: usize,
        /// The applied change, if it differs from the sent one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        change: Option<Box<Change>>,
        /// The file of an export.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        saved: Option<SavedFile>,
        /// A message if the service did not apply the change exactly as requested.
        #[serde(rename = "said", default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// Nothing was sent for a row.
    Unchanged {
        /// Its index.
        row: usize,
        /// How the asset is already.
        how: String,
    },
    /// A row has failed.
    Failed {
        /// Its index.
        row: usize,
        /// Why.
        why: String,
    },
    /// The outcome of a row is unknown.
    Unknown {
        /// Its index.
        row: usize,
        /// Why.
        why: String,
    },
    /// A row is pending again: it was not sent, or is to be retried.
    Pending {
        /// Its index.
        row: usize,
    },
    /// A row that was done without a plan, as by an import.
    Added {
        /// The asset's name.
        name: String,
        /// The applied change.
        change: Box<Change>,
    },
    /// Files are about to be sent as new assets, in one request.
    Adding {
        /// The number of the request in the run.
        batch: u64,
        /// The names of the files.
        names: Vec<String>,
    },
    /// That request has ended; each asset that it created has a line of its own.
    AddingEnded {
        /// Its index.
        batch: u64,
        /// The names of the files for which it is unknown whether it created an asset.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unknown: Vec<String>,
    },
    /// The number of rows in flight was changed.
    InFlight(usize),
    /// The run is active.
    #[serde(rename = "going")]
    Running,
    /// It was paused, or stopped itself with a reason.
    Paused(Option<String>),
    /// The user cancelled it.
    Cancelled,
    /// Every row has ended.
    Ended,
}

/// The first line of a ledger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The id of the run.
    pub run: RunId,
    /// The title.
    pub title: String,
    /// When it began.
    #[serde(with = "moment")]
    pub at: jiff::Timestamp,
    /// How many rows are in flight at once.
    pub in_flight: usize,
    /// Its step in the history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<EntryId>,
    /// Which step it undoes or redoes.
    pub answers: EntryRelation,
    /// The assistant whose proposal it carries out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_by: Option<AskedBy>,
    /// The operation on all rows, if there is a single one.
    #[serde(rename = "wish", default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<BulkOperation>,
    /// The rows: ids and names of the assets.
    pub rows: Vec<(AssetId, String)>,
    /// The task of each row; empty if the operation determines it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<Task>,
    /// For undo and redo of a batch, the row of the batch that each row is about; otherwise empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<usize>,
}

/// An item that is created once for all rows that link it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NewItem {
    /// Its kind.
    pub kind: LinkKind,
    /// Its text or name.
    pub text: String,
    /// A website's address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// All data of a run: what is drawn, and what is needed to resume it.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRecord {
    /// The displayed run.
    pub run: Run,
    /// What is needed to resume it.
    pub rest: RunContext,
}

/// What is needed to resume a run, apart from its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct RunContext {
    /// The operation on all rows, if there is a single one.
    pub operation: Option<BulkOperation>,
    /// The task of each row.
    pub tasks: Arc<Vec<Task>>,
    /// Which step it undoes or redoes.
    pub answers: EntryRelation,
    /// The last request of each unfinished or unknown row, for reconciling it.
    pub sent: BTreeMap<usize, Arc<Change>>,
    /// Items created for the rows; `None` if only the attempt is known.
    pub made: BTreeMap<NewItem, Option<Item>>,
    /// The names of the files of each request that creates assets and has not ended.
    pub adding: BTreeMap<u64, Vec<String>>,
    /// The assistant whose proposal it carries out.
    pub asked_by: Option<AskedBy>,
    /// Whether it begins with a checkpoint, however few assets it changes. Not in the ledger: what is resumed has
    /// begun.
    pub checkpoint: bool,
}

impl Task {
    /// The asset that it is for.
    pub fn asset(&self) -> &AssetId {
        match self {
            Self::Change(change) => change.asset(),
            Self::Export(asset) => asset,
        }
    }
}

impl RunRecord {
    /// Creates a run of one operation on many assets, starting now.
    pub fn of_operation(
        title: String,
        operation: BulkOperation,
        assets: &[(AssetId, String)],
        in_flight: usize,
    ) -> Self {
        let tasks = assets.iter().map(|(asset, name)| (operation.task(asset, name), name.clone())).collect();
        let mut record = Self::of_tasks(title, tasks, in_flight);
        record.run.target = operation.target();
        record.rest.operation = Some(operation);
        record
    }

    /// Creates a run with a task and a name for each row, starting now.
    pub fn of_tasks(title: String, tasks: Vec<(Task, String)>, in_flight: usize) -> Self {
        let rows = tasks.iter().map(|(task, name)| RunRow::new(task.asset().clone(), name)).collect();
        let tasks = Arc::new(tasks.into_iter().map(|(task, _)| task).collect());
        let (sent, made, adding) = Default::default();
        let (operation, answers, asked_by) = (None, EntryRelation::None, None);
        let rest = RunContext { operation, tasks, answers, sent, made, adding, asked_by, checkpoint: false };
        Self { run: Run::new(title, rows, in_flight), rest }
    }

    /// Begins it with a checkpoint, however few assets it changes.
    #[must_use]
    pub fn after_checkpoint(mut self) -> Self {
        self.rest.checkpoint = true;
        self
    }

    /// The assets of the rows that have no name.
    pub fn unnamed(&self) -> Vec<AssetId> {
        self.run.rows.iter().filter(|row| row.name.is_empty()).map(|row| row.asset.clone()).collect()
    }

    /// Sets the names of rows that have none.
    pub fn name_rows(&mut self, names: &BTreeMap<AssetId, String>) {
        for (index, task) in Arc::make_mut(&mut self.rest.tasks).iter_mut().enumerate() {
            let Some(named) = names.get(task.asset()) else { continue };
            if let Task::Change(Change::Delete { name, .. }) = task
                && name.is_empty()
            {
                name.clone_from(named);
            }
            self.run.change(index, |row| {
                if row.name.is_empty() {
                    row.name = named.as_str().into();
                }
            });
        }
    }

    /// Creates a run that undoes or redoes a batch, starting now.
    pub fn of_answer(answer: &BatchAnswer) -> Self {
        let tasks = answer.rows.iter().map(|row| (Task::Change(row.change.clone()), row.name.clone())).collect();
        let targets: Vec<_> = answer.rows.iter().map(|row| row.target).collect();
        let mut record = Self::of_tasks(answer.title.clone(), tasks, answer.in_flight).with_targets(&targets);
        record.rest.answers = answer.answers;
        record
    }

    fn with_targets(mut self, targets: &[usize]) -> Self {
        for (row, target) in targets.iter().enumerate() {
            self.run.change(row, |row| row.target = Some(*target));
        }
        self
    }

    /// Whether any of its rows changes something at the service.
    pub fn writes(&self) -> bool {
        self.rest.writes()
    }

    /// The first line of its ledger.
    pub fn header(&self) -> LedgerEvent {
        let Self { run, rest } = self;
        LedgerEvent::Run(Box::new(Header {
            run: run.id,
            title: run.title.clone(),
            at: run.at,
            in_flight: run.in_flight,
            entry: run.entry,
            answers: rest.answers,
            asked_by: rest.asked_by.clone(),
            operation: rest.operation.clone(),
            rows: run.rows.iter().map(|row| (row.asset.clone(), row.name.to_string())).collect(),
            tasks: if rest.operation.is_some() { Vec::new() } else { rest.tasks.to_vec() },
            targets: run.rows.iter().filter_map(|row| row.target).collect(),
        }))
    }

    /// Creates a run from its first line; `None` if rows and tasks do not match.
    pub(super) fn of_header(header: Header) -> Option<Self> {
        let Header { run, title, at, in_flight, entry, answers, asked_by, operation, rows, tasks, targets } = header;
        let mut record = match operation {
            Some(operation) => Self::of_operation(title, operation, &rows, in_flight),
            None if rows.len() == tasks.len() => Self::of_tasks(
                title,
                tasks.into_iter().zip(rows.into_iter().map(|(_, name)| name)).collect(),
                in_flight,
            ),
            None => return None,
        };
        (record.run.id, record.run.at, record.run.entry) = (run, at, entry);
        (record.rest.answers, record.rest.asked_by) = (answers, asked_by);
        Some(record.with_targets(&targets))
    }

    /// Applies an event.
    pub fn take(&mut self, line: LedgerEvent) {
        self.rest.take(&mut self.run, line);
    }

    /// Returns the events since an earlier state of the same run.
    pub(crate) fn since(&self, known: &Run) -> Vec<LedgerEvent> {
        let rows = self.run.rows.iter().enumerate();
        let moved = rows.filter(|(index, row)| known.rows.get(*index) != Some(*row));
        let made = self.rest.made.iter().map(|(new, item)| match item {
            Some(item) => LedgerEvent::Made(new.clone(), item.clone()),
            None => LedgerEvent::Making(new.clone()),
        });
        made.chain(moved.flat_map(|(index, row)| self.row_since(index, row))).collect()
    }

    fn row_since(&self, index: usize, row: &RunRow) -> Vec<LedgerEvent> {
        let last = match row.status.clone() {
            RowStatus::Pending | RowStatus::Sending => LedgerEvent::Pending { row: index },
            RowStatus::Done => LedgerEvent::Done {
                row: index,
                change: row.done.as_deref().cloned().map(Box::new),
                saved: row.saved.as_deref().cloned(),
                message: row.message.as_deref().map(str::to_owned),
            },
            RowStatus::Unchanged(how) => LedgerEvent::Unchanged { row: index, how },
            RowStatus::Failed(why) => LedgerEvent::Failed { row: index, why },
            RowStatus::Unknown(why) => LedgerEvent::Unknown { row: index, why },
        };
        let sent = self.rest.sent.get(&index).map(|sent| Some(Box::new(Change::clone(sent))));
        sent.map(|change| LedgerEvent::Sending { row: index, change }).into_iter().chain([last]).collect()
    }
}

impl RunContext {
    /// Whether any of its rows changes something at the service.
    pub fn writes(&self) -> bool {
        self.tasks.iter().any(|task| matches!(task, Task::Change(_)))
    }

    /// Applies an event to its run.
    pub fn take(&mut self, run: &mut Run, line: LedgerEvent) {
        match line {
            LedgerEvent::Run(_) => {}
            LedgerEvent::Making(new) => drop(self.made.entry(new).or_default()),
            LedgerEvent::Made(new, item) => drop(self.made.insert(new, Some(item))),
            LedgerEvent::Sending { row, change } => {
                run.change(row, |row| row.status = RowStatus::Sending);
                self.sent.extend(change.map(|change| (row, Arc::from(change))));
            }
            LedgerEvent::Done { row, change, saved, message } => {
                let sent = self.sent.remove(&row);
                run.change(row, |row| {
                    row.status = RowStatus::Done;
                    row.done = change.map(Arc::from).or(sent);
                    row.saved = saved.map(Arc::new);
                    row.message = message.map(Arc::from);
                });
            }
            LedgerEvent::Unchanged { row, how } => self.end(run, row, RowStatus::Unchanged(how)),
            LedgerEvent::Failed { row, why } => self.end(run, row, RowStatus::Failed(named(run, row, &why))),
            LedgerEvent::Pending { row } => self.end(run, row, RowStatus::Pending),
            // The sent request is kept for the reconciliation.
            LedgerEvent::Unknown { row, why } => run.change(row, |row| row.status = RowStatus::Unknown(why)),
            LedgerEvent::Added { name, change } => {
                let mut row = RunRow::new(change.asset().clone(), &name);
                (row.status, row.done) = (RowStatus::Done, Some(Arc::new(Change::clone(&change))));
                run.add(row);
                Arc::make_mut(&mut self.tasks).push(Task::Change(*change));
            }
            LedgerEvent::Adding { batch, names } => drop(self.adding.insert(batch, names)),
            LedgerEvent::AddingEnded { batch, unknown } => {
                self.adding.remove(&batch);
                run.add_unconfirmed(unknown);
            }
            LedgerEvent::InFlight(count) => run.in_flight = count.clamp(1, 8),
            LedgerEvent::Running => run.status = RunStatus::Running,
            LedgerEvent::Paused(why) => run.status = RunStatus::Paused(why),
            LedgerEvent::Cancelled => run.status = RunStatus::Cancelled,
            LedgerEvent::Ended => run.status = RunStatus::Ended,
        }
    }

    /// Ends a row that needs no reconciliation.
    fn end(&mut self, run: &mut Run, row: usize, status: RowStatus) {
        self.sent.remove(&row);
        run.change(row, |row| row.status = status);
    }
}

/// A timestamp as RFC 3339 text.
mod moment {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(at: &jiff::Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(at)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<jiff::Timestamp, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A reason with the name of the row's asset in place of its id.
fn named(run: &Run, row: usize, why: &str) -> String {
    run.rows.get(row).map_or_else(|| why.to_owned(), |row| with_name(why, &row.asset, &row.name))
}
