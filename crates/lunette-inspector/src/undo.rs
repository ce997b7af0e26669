//! Undo without a window: the steps of the history, and how to undo and continue them.
//!
//! What must hold: the same steps can be undone, in the same order, as in a window with the same journal; a run that
//! was interrupted can be continued and cancelled here, wherever it was begun.

use std::path::Path;
use std::sync::Arc;

use crate::change::{Change, Recovery};
use crate::db::Database;
use crate::history::{AssetNames, EntryStatus, History, HistoryRow, ItemWrite};
use crate::journal::{
    Entry, EntryId, EntryKind, EntryRelation, Journal, JournalError, JournalEvent, NO_ANSWER, Outcome,
};
use crate::run::{Run, RunStatus, Runs};
use crate::runs::answer::{BatchHistory, FEW_DELETIONS};
use crate::runs::{AnswerRow, BackupFirst, BatchAnswer, Ledger, LedgerError, RunId, RunRecord};
use crate::session::{Connection, Status};
use crate::versions::{RunChanges, VersionRow, read_runs, writers};
use crate::write::headless::undo_title;
use crate::write::recovery::{Copies, DeletedAssets};
use lunette_client::client::WritePolicy;
use lunette_client::model::id::AssetId;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsTrashSnapshot;

/// The history of one connection.
#[derive(Default)]
pub struct HeadlessHistory {
    history: History,
    /// The runs that were read.
    runs: Runs,
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
    /// By continuing the run that began to undo it, and was interrupted.
    Continue(RunId),
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
    /// A step changed nothing.
    #[error("“{title}” cannot be undone: it changed nothing")]
    Unchanged {
        /// Its title.
        title: String,
    },
    /// A step is a run that has not ended.
    #[error("“{title}” was interrupted and has not ended")]
    Unfinished {
        /// Its title.
        title: String,
        /// The step.
        step: EntryId,
    },
    /// The outcome of a row of its undo is unknown.
    #[error("the outcome of the undo of “{title}” is unknown")]
    Unclear {
        /// Its title.
        title: String,
        /// The undo.
        step: EntryId,
    },
}

/// How a step can be continued.
#[derive(Clone, Debug, PartialEq)]
pub enum Continuation {
    /// Its run has not ended.
    Run(RunId),
    /// Its run has ended, with rows that failed or whose outcome is unknown.
    Retry(RunId),
    /// It is a change of unknown outcome: its asset is read again.
    Reconcile(Change),
    /// It created an asset, with unknown outcome: that is looked for.
    LookForCreated,
}

impl HeadlessHistory {
    /// Reads the journal of a connection; a folder without one has an empty history, and nothing is created in it.
    /// Blocks.
    pub fn open(data: &Path, connection: &str) -> Result<Self, JournalError> {
        if !Database::exists(data) {
            return Ok(Self::default());
        }
        let opened = Journal::open(data, connection)?;
        let mut history = History::default();
        history.reload(opened.entries.into_iter().map(Arc::new).collect(), None);
        let messages = opened.message.into_iter().collect();
        let mut opened = Self { history, runs: Runs::new(), journal: opened.journal, messages };
        opened.read_unfinished();
        Ok(opened)
    }

    /// Takes in what others recorded since it was opened, or since the last call. Blocks.
    pub(crate) fn catch_up(&mut self) -> Result<(), JournalError> {
        for event in self.journal.new_events()? {
            match event {
                JournalEvent::Started(entry) => self.history.add_of_another_window(*entry),
                JournalEvent::Ended(end) => drop(self.history.end_of_another_window(*end)),
            }
        }
        self.read_unfinished();
        Ok(())
    }

    /// Reads the runs of steps whose end is not in the journal.
    fn read_unfinished(&mut self) {
        let Some(store) = self.journal.runs() else { return };
        let open = self.history.entries.iter().filter(|entry| matches!(entry.outcome, Outcome::Unknown(_)));
        for run in open.filter_map(|entry| run_of(entry)).collect::<Vec<_>>() {
            // A run without a ledger was not begun, or is too old to be kept.
            if let Ok((record, _)) = Ledger::read(&store, run) {
                self.runs.insert(record.run.id, record.run);
            }
        }
    }

    /// Whether a step is a run that was interrupted and has not ended.
    pub fn is_unfinished(&self, entry: &Entry) -> bool {
        let run = run_of(entry).and_then(|run| self.runs.get(&run));
        let unfinished = |run: &Run| match run.status {
            RunStatus::Interrupted | RunStatus::Paused(_) | RunStatus::Running => true,
            // It has ended, but the program was killed before the journal said so.
            RunStatus::Ended | RunStatus::Cancelled => entry.outcome == Outcome::Unknown(NO_ANSWER.to_owned()),
        };
        matches!(entry.outcome, Outcome::Unknown(_)) && run.is_some_and(unfinished)
    }

    /// The step with this id, or else the newest one that was interrupted; `None` if there is none.
    pub fn interrupted(&self, step: Option<EntryId>) -> Option<&Arc<Entry>> {
        match step {
            Some(step) => self.history.entry(step),
            None => self.history.entries.iter().rev().find(|entry| self.is_unfinished(entry)),
        }
    }

    /// How a step can be continued; `None` if there is nothing to continue. Blocks.
    pub fn continuation(&mut self, entry: &Entry) -> Option<Continuation> {
        match (&entry.kind, &entry.outcome) {
            _ if self.history.is_in_another_window(entry) => None,
            (EntryKind::Change(change), Outcome::Unknown(_)) => Some(Continuation::Reconcile(change.clone())),
            (EntryKind::Call { .. }, Outcome::Unknown(_)) if entry.creates_asset() => {
                Some(Continuation::LookForCreated)
            }
            (EntryKind::Change(_) | EntryKind::Call { .. }, _) => None,
            (EntryKind::Batch { run, .. }, _) if self.is_unfinished(entry) => Some(Continuation::Run(*run)),
            (EntryKind::Batch { run, .. }, _) => {
                self.read_runs(entry);
                let counts = self.runs.get(run)?.counts();
                (counts.failed + counts.unknown > 0).then_some(Continuation::Retry(*run))
            }
        }
    }

    /// The changes of unknown outcome that keep a step, or else the last one, from being undone: itself or its undo.
    pub fn unclear(&self, step: Option<EntryId>) -> Vec<(Arc<Entry>, Change)> {
        let unclear = |entry: &Arc<Entry>| match (&entry.kind, &entry.outcome) {
            (EntryKind::Change(change), Outcome::Unknown(_)) => Some((Arc::clone(entry), change.clone())),
            _ => None,
        };
        self.with_answers(step).filter_map(unclear).collect()
    }

    /// The unfinished runs of these steps whose rows have all ended, such as imports: only their end is missing.
    pub fn without_rest(&self, step: Option<EntryId>) -> Vec<RunId> {
        let unfinished = self.with_answers(step).filter(|entry| self.is_unfinished(entry));
        let runs = unfinished.filter_map(|entry| self.runs.get(&run_of(entry)?));
        runs.filter(|run| run.counts().unknown == 0 && run.counts().ended() == run.counts().all())
            .map(|run| run.id)
            .collect()
    }

    /// A step, or else the last one, and what undid and redid it.
    fn with_answers(&self, step: Option<EntryId>) -> impl Iterator<Item = &Arc<Entry>> {
        let target = match step {
            Some(step) => self.history.entry(step),
            None => self.history.last(),
        };
        target.into_iter().flat_map(|target| std::iter::once(target).chain(self.history.answers(target.id)))
    }

    /// A run with what is needed to continue it. Blocks.
    pub fn record(&self, run: RunId) -> Result<RunRecord, LedgerError> {
        let store = self.journal.runs().ok_or(LedgerError::NotStored)?;
        Ledger::read(&store, run).map(|(record, _)| record)
    }

    /// The run of a step.
    pub fn run(&self, run: RunId) -> Option<&Run> {
        self.runs.get(&run)
    }

    /// Names the steps that wrote these versions of an asset; `is_local` is whether this program keeps the versions. Blocks.
    pub fn name_steps(&self, rows: &mut [VersionRow], asset: &AssetId, is_local: bool) {
        let entries = || self.history.entries.iter().map(|entry| &**entry);
        let mut runs = RunChanges::default();
        if let Some(store) = self.journal.runs() {
            let unread = runs.unread(asset, rows, is_local, entries());
            runs.insert(asset, read_runs(&store, asset, &unread));
        }
        let steps = writers(rows, asset, is_local, entries(), &runs);
        VersionRow::mark_steps(rows, &steps);
    }

    /// The steps, oldest first.
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.history.entries
    }

    /// The steps as rows, newest first: at most so many; what one command changed is one row.
    pub fn rows(&self, most: usize) -> Vec<HistoryRow> {
        let mut rows: Vec<HistoryRow> = Vec::new();
        for entry in self.history.entries.iter().rev() {
            let mut row = HistoryRow::of(entry, &self.history, &self.runs, &AssetNames::new());
            if self.is_unfinished(entry) {
                row.status = EntryStatus::Interrupted;
            }
            let full = rows.len() == most;
            match rows.last_mut() {
                Some(last) if entry.group.is_some() && last.entry.group == entry.group => last.add(&row),
                _ if full => break,
                _ => rows.push(row),
            }
        }
        rows
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
                None => return Err(NotUndone::Unchanged { title: entry.title.clone() }),
            }
        }
    }

    /// How to undo this step; `None` if it changed nothing.
    fn undo_entry(&mut self, entry: &Entry, recovery: Recovery) -> Result<Option<Undo>, NotUndone> {
        if let EntryKind::Batch { .. } = entry.kind {
            self.read_runs(entry);
        }
        let unfinished = |answer: &&Arc<Entry>| self.is_unfinished(answer);
        if let Some(answer) = self.history.answers(entry.id).find(unfinished) {
            return Ok(run_of(answer).map(Undo::Continue));
        }
        if self.is_unfinished(entry) {
            return Err(NotUndone::Unfinished { title: entry.title.clone(), step: entry.id });
        }
        let connection = connection(recovery);
        // Rows of unknown outcome are left out, and keep no others from being undone.
        let known = match entry.kind {
            EntryKind::Batch { .. } => Entry { partly: None, ..entry.clone() },
            EntryKind::Change(_) | EntryKind::Call { .. } => entry.clone(),
        };
        if let Some(why) = self.history.undo_obstacle(&known, &connection, &self.runs) {
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
                let change = Box::new(self.history.replacements(&self.runs).apply(back));
                Ok(Some(Undo::Change { change, answers, title: undo_title(&entry.title) }))
            }
        }
    }

    fn undo_run(&self, entry: &Entry, run: RunId, recovery: Recovery) -> Result<Option<BatchAnswer>, NotUndone> {
        let known = |run: &RunId| self.runs.get(run);
        let run = known(&run).ok_or_else(|| obstacle(entry, "its rows are no longer known"))?;
        let answers = self.history.answers(entry.id).filter_map(|answer| match &answer.kind {
            EntryKind::Batch { run, .. } => Some((answer.answers, known(run)?.clone())),
            EntryKind::Change(_) | EntryKind::Call { .. } => None,
        });
        let rows = BatchHistory::of(run, &answers.collect::<Vec<_>>());
        let (now, undo) = (self.history.replacements(&self.runs), rows.undo(recovery));
        let unclear = |answer: &&Arc<Entry>| matches!(answer.outcome, Outcome::Unknown(_)) && run_of(answer).is_some();
        if let (true, Some(answer)) = (undo.is_empty(), self.history.answers(entry.id).find(unclear)) {
            return Err(NotUndone::Unclear { title: entry.title.clone(), step: answer.id });
        }
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
            capabilities: rows.iter().map(|row| row.change.capability()).collect(),
            rows,
            answers: EntryRelation::Undoes(entry.id),
            in_flight: run.in_flight,
            backup: if deletions > FEW_DELETIONS { BackupFirst::Made } else { BackupFirst::NotNeeded },
        }))
    }

    /// Reads the rows of a batch, and of the runs that undid or redid it.
    fn read_runs(&mut self, entry: &Entry) {
        let Some(store) = self.journal.runs() else { return };
        let answers = self.history.answers(entry.id).filter_map(|answer| run_of(answer));
        let wanted: Vec<RunId> = run_of(entry).into_iter().chain(answers).collect();
        for run in wanted {
            match Ledger::read(&store, run) {
                Ok((record, message)) => {
                    self.messages.extend(message);
                    self.runs.insert(record.run.id, record.run);
                }
                Err(error) => self.messages.push(error.to_string()),
            }
        }
    }
}

fn run_of(entry: &Entry) -> Option<RunId> {
    match entry.kind {
        EntryKind::Batch { run, .. } => Some(run),
        EntryKind::Change(_) | EntryKind::Call { .. } => None,
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
