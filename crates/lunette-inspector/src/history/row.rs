//! A step in the list of the history, as the window and the command line show it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::mem::discriminant;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::History;
use crate::Remote;
use crate::filter::{Field, Filterable, Flag, List};
use crate::journal::{Entry, EntryId, EntryKind, EntryRelation, Outcome};
use crate::listing::{Column, Columns, Moment, Row, Value};
use crate::run::{Run, RunStatus, Runs, sentence};
use lunette_client::model::id::AssetId;
use lunette_client::model::size::{grouped, plural};
use lunette_client::operation::OperationInfo;

/// The names of the opened assets.
pub type AssetNames<'a> = BTreeMap<&'a AssetId, &'a str>;

/// The status of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryStatus {
    /// In progress.
    Sending,
    /// In progress in another window.
    Elsewhere,
    /// A paused run.
    Paused,
    /// An interrupted run.
    Interrupted,
    /// The outcome is unknown.
    Unknown,
    /// Not done.
    Failed,
    /// Some rows of the run were not done.
    NotAll,
    /// It was done.
    Done,
    /// Partly undone since.
    PartlyUndone,
    /// Done, and undone since.
    Undone,
}

impl EntryStatus {
    /// Returns the status of a step; that of its run if it is one of these.
    pub fn of(entry: &Entry, history: &History, runs: &Runs) -> Self {
        let run = match entry.kind {
            EntryKind::Batch { run, .. } => runs.get(&run),
            EntryKind::Change(_) | EntryKind::Call { .. } => None,
        };
        if history.is_in_another_window(entry) {
            return if history.is_sent_here(entry) { Self::Sending } else { Self::Elsewhere };
        }
        match (run.map(|run| &run.status), &entry.outcome) {
            (Some(RunStatus::Running), _) => Self::Sending,
            (Some(RunStatus::Paused(_)), _) => Self::Paused,
            (Some(RunStatus::Interrupted), _) => Self::Interrupted,
            (Some(RunStatus::Cancelled | RunStatus::Ended) | None, outcome) => match outcome {
                Outcome::Sending => Self::Sending,
                _ if entry.undone => Self::Undone,
                _ if entry.partly.is_some_and(|partly| partly.undone > 0) => Self::PartlyUndone,
                Outcome::Done => Self::Done,
                Outcome::Partly { .. } => Self::NotAll,
                Outcome::Failed(_) => Self::Failed,
                Outcome::Unknown(_) => Self::Unknown,
            },
        }
    }

    /// Returns its display text.
    pub fn label(self) -> &'static str {
        self.words().0
    }

    /// Its display text, and its stable name for programs.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Sending => ("Under way", "pending"),
            Self::Elsewhere => ("In another window", "pending"),
            Self::Done => ("Done", "done"),
            Self::Undone => ("Undone", "undone"),
            Self::PartlyUndone => ("Partly undone", "partly undone"),
            Self::Failed => ("Failed", "failed"),
            Self::Unknown => ("Unknown", "unknown"),
            Self::NotAll => ("Partly done", "partly done"),
            Self::Paused => ("Paused", "paused"),
            Self::Interrupted => ("Interrupted", "interrupted"),
        }
    }
}

/// A step in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryRow {
    /// The step; the newest of a group.
    pub entry: Arc<Entry>,
    /// Its status.
    pub status: EntryStatus,
    /// What it changed: see [`asset_name`].
    pub asset: String,
    /// How many other steps of its group it stands for.
    others: usize,
    /// Why one of them failed.
    failed: Option<String>,
    /// What its run does, if that has not ended as planned.
    run: Option<String>,
}

impl HistoryRow {
    /// A row of one step.
    pub fn of(entry: &Arc<Entry>, history: &History, runs: &Runs, names: &AssetNames<'_>) -> Self {
        let asset = asset_name(entry, history, names).into_owned();
        let status = EntryStatus::of(entry, history, runs);
        Self { entry: Arc::clone(entry), status, asset, others: 0, failed: None, run: run_sentence(entry, runs) }
    }

    /// Adds an older step of its group.
    pub(crate) fn add(&mut self, other: &Self) {
        self.others += 1;
        if self.status != other.status {
            self.status = EntryStatus::NotAll;
            self.failed = self.failed.take().or_else(|| other.reason().or(self.reason()).map(str::to_owned));
        }
    }

    /// Returns what it did, or does now.
    pub fn title(&self) -> Cow<'_, str> {
        self.run.as_deref().map_or_else(|| self.lasting_title(), Cow::Borrowed)
    }

    /// The title without how far its run is, for programs.
    fn lasting_title(&self) -> Cow<'_, str> {
        match self.others {
            0 => Cow::Borrowed(&self.entry.title),
            others => Cow::Owned(format!("{} and {others} more", self.entry.title)),
        }
    }

    /// Why it was not done.
    fn reason(&self) -> Option<&str> {
        match &self.entry.outcome {
            Outcome::Sending | Outcome::Done => self.failed.as_deref(),
            Outcome::Failed(why) | Outcome::Unknown(why) | Outcome::Partly { why, .. } => {
                Some(self.failed.as_deref().unwrap_or(why))
            }
        }
    }

    /// Returns the status in a few words: "Partly undone: 19 of 20".
    pub fn status_text(&self) -> Cow<'static, str> {
        status_text(&self.entry, self.status)
    }

    fn is_of(&self, entry: &Arc<Entry>, history: &History, runs: &Runs, names: &AssetNames<'_>) -> bool {
        Arc::ptr_eq(&self.entry, entry)
            && self.status == EntryStatus::of(entry, history, runs)
            && self.asset == asset_name(entry, history, names)
            && self.run == run_sentence(entry, runs)
    }
}

/// Returns what the run of a step does, or how far it came; `None` if it has ended, or its rows are not known.
fn run_sentence(entry: &Entry, runs: &Runs) -> Option<String> {
    let EntryKind::Batch { run, .. } = entry.kind else { return None };
    let run = runs.get(&run).filter(|run| run.status != RunStatus::Ended)?;
    Some(sentence(run, &entry.title))
}

impl History {
    /// Makes the rows of the list if a step, a run or the name of an asset changed; unchanged rows stay the same.
    pub(crate) fn update_rows(&mut self, runs: &Runs, names: &AssetNames<'_>) {
        let made_of = self.fingerprint(runs, names);
        if self.list.rows.value().is_some() && self.made_of == made_of {
            return;
        }
        self.made_of = made_of;
        let before = self.list.rows.value().cloned().unwrap_or_default();
        let row = |(index, entry): (usize, &Arc<Entry>)| match before.get(index) {
            Some(known) if known.is_of(entry, self, runs, names) => Arc::clone(known),
            _ => Arc::new(HistoryRow::of(entry, self, runs, names)),
        };
        let rows = self.entries.iter().enumerate().map(row).collect();
        self.list.set_rows(Remote::Known(rows));
    }

    /// A number that changes when what the rows are made of does.
    fn fingerprint(&self, runs: &Runs, names: &AssetNames<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.revision, self.entries.len(), self.here.len(), names).hash(&mut hasher);
        let known = |run: &Run| (discriminant(&run.status), run.counts().ended());
        runs.iter().for_each(|(id, run)| (id, known(run)).hash(&mut hasher));
        hasher.finish()
    }
}

impl Columns for HistoryRow {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::id(|row: &Self| Value::text(row.entry.id.0.to_string())),
        Column::text("when", "When", |row: &Self| Value::Moment(Moment::At(row.entry.at)))
            .named("time")
            .wide(92.0)
            .from(465.0)
            .field(Field::At)
            .fixed()
            .printed(),
        Column::text("what", "What", |row: &Self| Value::Text(row.title()))
            .named("title")
            .wide(240.0)
            .growing(3.0)
            .field(Field::Title)
            .printed(),
        Column::text("asset", "Asset", |row: &Self| Value::text(&row.asset))
            .wide(120.0)
            .growing(1.0)
            .from(610.0)
            .field(Field::Asset),
        Column::text("ended", "Result", |row: &Self| {
            let (text, token) = row.status.words();
            Value::Named { text, token }
        })
        .named("status")
        .sorted_by(|row: &Self| Value::Rank(row.status as i128))
        .wide(120.0)
        .field(Field::Outcome)
        .fixed()
        .printed(),
        Column::text("reason", "Reason", |row: &Self| row.reason().map_or(Value::NotTold, Value::text)),
    ];

    fn record(&self) -> Json {
        let (undoes, redoes) = match self.entry.answers {
            EntryRelation::None => (None, None),
            EntryRelation::Undoes(step) => (Some(step), None),
            EntryRelation::Redoes(step) => (None, Some(step)),
        };
        let (asset, count) = match &self.entry.kind {
            EntryKind::Change(change) => (Some(change.asset().as_str()), 1),
            EntryKind::Batch { count, .. } => (None, *count),
            EntryKind::Call { .. } => (None, 0),
        };
        let mut record = self.columns_record();
        // The list shows the name of an asset, programs want its id.
        record["asset"] = json!(asset);
        record["title"] = json!(self.lasting_title());
        (record["assets"], record["undoes"], record["redoes"]) = (json!(count), json!(undoes), json!(redoes));
        record
    }
}

impl Row for HistoryRow {
    type Key = EntryId;

    const NEWEST_FIRST: bool = true;

    fn key(&self) -> EntryId {
        self.entry.id
    }
}

impl Filterable for HistoryRow {
    const LIST: List = List::History;

    fn haystack(&self) -> Cow<'_, str> {
        format!("{}\n{}", self.entry.title, self.asset).to_lowercase().into()
    }

    fn is(&self, flag: Flag) -> bool {
        match flag {
            Flag::Done => self.status == EntryStatus::Done,
            Flag::Undone => matches!(self.status, EntryStatus::Undone | EntryStatus::PartlyUndone),
            Flag::Failed => matches!(self.status, EntryStatus::Failed | EntryStatus::NotAll),
            Flag::Unknown => self.status == EntryStatus::Unknown,
            _ => false,
        }
    }
}

/// Returns the status of a step in a few words: "Partly undone: 19 of 20".
pub fn status_text(entry: &Entry, status: EntryStatus) -> Cow<'static, str> {
    let of = |done: usize, of: usize| {
        format!("{}: {} of {}", status.label(), grouped(done as u64), grouped(of as u64)).into()
    };
    match (status, entry.partly, &entry.outcome) {
        (EntryStatus::PartlyUndone, Some(partly), _) => of(partly.undone, partly.of),
        (EntryStatus::NotAll, _, Outcome::Partly { done, of: all, .. }) => of(*done, *all),
        _ => status.label().into(),
    }
}

/// Returns the name of the asset that a step changed; the number if there were many; the application that was
/// registered. Empty if a call names no asset.
pub fn asset_name<'a>(entry: &'a Entry, history: &'a History, names: &AssetNames<'a>) -> Cow<'a, str> {
    let change = match &entry.kind {
        EntryKind::Change(change) => change,
        EntryKind::Batch { count, .. } => return plural(*count, "asset").into(),
        EntryKind::Call { .. } => return call_target(entry, history, names),
    };
    let then = || entry.before.as_ref().and_then(|before| before.get("name")).and_then(Json::as_str);
    let name = change.name().or_else(then).filter(|name| !name.trim().is_empty()).map(Cow::Borrowed);
    name.unwrap_or_else(|| opened_name(change.asset(), names).unwrap_or(change.asset().as_str()).into())
}

/// Returns the name of an opened asset, if it has one.
fn opened_name<'a>(asset: &AssetId, names: &AssetNames<'a>) -> Option<&'a str> {
    names.get(asset).copied().filter(|name| !name.trim().is_empty())
}

/// Returns the target of a call from the console: an application by its name, or the asset in its path.
fn call_target<'a>(entry: &'a Entry, history: &'a History, names: &AssetNames<'a>) -> Cow<'a, str> {
    let Some(sent) = entry.requests.first() else { return Cow::default() };
    let registered = entry.registered().or_else(|| match entry.answers {
        EntryRelation::Undoes(target) | EntryRelation::Redoes(target) => history.entry(target)?.registered(),
        EntryRelation::None => None,
    });
    if let Some(application) = registered {
        return application.name.into();
    }
    let Some(info) = OperationInfo::named(&sent.operation) else { return Cow::default() };
    let path = sent.target.split(['?', '#']).next().unwrap_or_default();
    let named = info.path.split('/').zip(path.split('/')).find(|(part, _)| *part == "{asset}");
    let Some((_, id)) = named else { return Cow::default() };
    id.parse::<AssetId>().map_or_else(|_| Cow::default(), |asset| opened_name(&asset, names).unwrap_or(id).into())
}
