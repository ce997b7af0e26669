//! The history without a window: the steps, and how to undo them.
//!
//! What must hold: the same steps can be undone, in the same order, as in a window with the same journal.

use std::path::Path;
use std::sync::Arc;

use crate::app::bulk::answer::{BatchHistory, FEW_DELETIONS};
use crate::app::bulk::{AnswerRow, BackupFirst, BatchAnswer, Ledger, RunId};
use crate::app::change::{Change, Recovery};
use crate::app::db::Database;
use crate::app::history::History;
use crate::app::journal::{Entry, EntryId, EntryKind, EntryRelation, Journal};
use crate::app::links::ItemWrite;
use crate::app::session::{Connection, Status};
use crate::app::write::headless::undo_title;
use crate::app::write::recovery::{Copies, DeletedAssets};
use lunette_client::client::WritePolicy;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsTrashSnapshot;

/// The history of one connection.
#[derive(Default)]
pub struct HeadlessHistory {
    history: History,
    journal: Journal,
    /// A message if something on disk was damaged.
    pub messages: Vec<String>,
}

/// How to undo a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Undo {
    /// By one change.
    Change {
        /// The change to send.
        change: Box<Change>,
        /// The step that it undoes.
        answers: EntryRelation,
        /// The title of the undo.
        title: String,
    },
    /// By a run.
    Batch(BatchAnswer),
    /// Changes of tags, websites or workstream summaries, each with the step that it undoes.
    Items(Vec<(ItemWrite, EntryRelation)>),
}

/// Why nothing is undone.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotUndone {
    /// There is no step to undo.
    #[error("nothing to undo")]
    Nothing,
    /// A step cannot be undone.
    #[error("“{title}” cannot be undone: {why}")]
    Obstacle {
        /// Its title.
        title: String,
        /// Why.
        why: String,
    },
}

impl HeadlessHistory {
    /// Reads the journal of a connection; a folder without one has an empty history, and nothing is created in it.
    /// Blocks.
    pub fn open(data: &Path, connection: &str) -> Result<Self, String> {
        if !Database::exists(data) {
            return Ok(Self::default());
        }
        let opened = Journal::open(data, connection).map_err(|error| error.to_string())?;
        let mut history = History::default();
        history.reload(opened.entries.into_iter().map(Arc::new).collect(), None);
        Ok(Self { history, journal: opened.journal, messages: opened.message.into_iter().collect() })
    }

    /// The steps, oldest first.
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.history.entries
    }

    /// How deleted assets are restored, with their saved copies.
    pub fn deleted(&self, recovery: Recovery) -> DeletedAssets {
        DeletedAssets { recovery, copies: Copies::in_folder(self.journal.deleted()) }
    }

    /// How to undo a step, or the last one in force. Blocks.
    pub fn undo(&mut self, step: Option<EntryId>, recovery: Recovery) -> Result<Undo, NotUndone> {
        loop {
            let entry = match step {
                Some(step) => self.history.entry(step),
                None => self.history.last(),
            };
            let entry = Arc::clone(entry.ok_or(NotUndone::Nothing)?);
            match self.undo_entry(&entry, recovery)? {
                Some(undo) => return Ok(undo),
                // A run that changed nothing is skipped, unless it was named.
                None if step.is_none() => self.history.mark_unchanged(entry.id),
                None => return Err(obstacle(&entry, "it changed nothing")),
            }
        }
    }

    /// How to undo this step; `None` if it changed nothing.
    fn undo_entry(&mut self, entry: &Entry, recovery: Recovery) -> Result<Option<Undo>, NotUndone> {
        if let EntryKind::Batch { .. } = entry.kind {
            self.read_runs(entry);
        }
        let connection = connection(recovery);
        if let Some(why) = self.history.undo_obstacle(entry, &connection) {
            return Err(obstacle(entry, &why));
        }
        let answers = EntryRelation::Undoes(entry.id);
        match entry.kind {
            EntryKind::Batch { run, .. } => Ok(self.undo_run(entry, run, recovery)?.map(Undo::Batch)),
            EntryKind::Call { .. } => {
                let back = |entry: &Arc<Entry>| {
                    let write = entry.item_step()?.done.inverse()?;
                    Some((write, EntryRelation::Undoes(entry.id)))
                };
                let back: Vec<_> = self.history.group(entry).iter().filter_map(back).collect();
                match back.is_empty() {
                    true => Err(obstacle(entry, "only the window can undo it")),
                    false => Ok(Some(Undo::Items(back))),
                }
            }
            EntryKind::Change(_) => {
                let back = self.history.back(entry.id, recovery);
                let back = back.ok_or_else(|| obstacle(entry, "what it changed is not known"))?;
                let change = Box::new(self.history.replacements().apply(back));
                Ok(Some(Undo::Change { change, answers, title: undo_title(&entry.title) }))
            }
        }
    }

    fn undo_run(&self, entry: &Entry, run: RunId, recovery: Recovery) -> Result<Option<BatchAnswer>, NotUndone> {
        let known = |run: &RunId| self.history.runs.get(run);
        let run = known(&run).ok_or_else(|| obstacle(entry, "its rows are no longer known"))?;
        let answers = self.history.answers(entry.id).filter_map(|answer| match &answer.kind {
            EntryKind::Batch { run, .. } => Some((answer.answers, known(run)?.clone())),
            EntryKind::Change(_) | EntryKind::Call { .. } => None,
        });
        let rows = BatchHistory::of(run, &answers.collect::<Vec<_>>());
        let (now, undo) = (self.history.replacements(), rows.undo(recovery));
        if undo.is_empty() {
            return if rows.changed_nothing() {
                Ok(None)
            } else {
                Err(obstacle(entry, "none of its changes can be undone"))
            };
        }
        let rows: Vec<_> = undo.into_iter().map(|row| AnswerRow { change: now.apply(row.change), ..row }).collect();
        let deletions = rows.iter().filter(|row| row.change.deletes()).count();
        Ok(Some(BatchAnswer {
            title: undo_title(&entry.title),
            features: rows.iter().map(|row| row.change.feature()).collect(),
            rows,
            answers: EntryRelation::Undoes(entry.id),
            in_flight: run.in_flight,
            backup: if deletions > FEW_DELETIONS { BackupFirst::Made } else { BackupFirst::NotNeeded },
        }))
    }

    /// Reads the rows of a batch, and of the runs that undid or redid it.
    fn read_runs(&mut self, entry: &Entry) {
        let Some(store) = self.journal.runs() else { return };
        let of = |entry: &Entry| match entry.kind {
            EntryKind::Batch { run, .. } => Some(run),
            EntryKind::Change(_) | EntryKind::Call { .. } => None,
        };
        let answers = self.history.answers(entry.id).filter_map(|answer| of(answer));
        let wanted: Vec<RunId> = of(entry).into_iter().chain(answers).collect();
        for run in wanted {
            match Ledger::read(&store, run) {
                Ok((record, message)) => {
                    self.messages.extend(message);
                    self.history.add_run(record.run);
                }
                Err(error) => self.messages.push(error.to_string()),
            }
        }
    }
}

fn obstacle(entry: &Entry, why: &str) -> NotUndone {
    NotUndone::Obstacle { title: entry.title.clone(), why: why.to_owned() }
}

/// A connection to a service that restores deleted assets in this way.
fn connection(recovery: Recovery) -> Connection {
    let mut connection = Connection { status: Status::Up, write_policy: WritePolicy::Allow, ..Connection::default() };
    if recovery == Recovery::Trash {
        connection.capabilities.offered(AssetsTrashSnapshot::INFO.name);
    }
    connection
}
