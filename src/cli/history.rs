//! `lunette history`: the changes that were made at a service, newest first, as the window shows them.
//!
//! What must hold: nothing is created, and no service is started, to read it.

use std::sync::Arc;

use anyhow::anyhow;
use serde_json::{Value as Json, json};

use lunette_inspector::journal::{Entry, EntryId, EntryKind, EntryRelation, Outcome};
use lunette_inspector::listing::{Column, Columns, Moment, Value};
use lunette_inspector::undo::HeadlessHistory;

use lunette_service::maintenance;

use super::list::Extent;
use super::number::number;
use super::progress::escaped;
use super::target::ReadTarget;
use super::{Failure, connect, data_dir, list, short_id};

/// What `history` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print at most N steps.
    #[arg(short = 'n', long, value_name = "N", value_parser = number::<usize>)]
    limit: Option<usize>,
    #[command(flatten)]
    target: ReadTarget,
    /// Print a JSON array with one object per step.
    #[arg(long)]
    json: bool,
}

/// A step that can be printed: what one command changed.
struct Step {
    /// Its entry of the journal, or the newest of them.
    entry: Arc<Entry>,
    status: &'static str,
    /// How many other entries it has.
    others: usize,
    /// Why one of them failed.
    failed: Option<String>,
}

impl Step {
    /// Adds an older entry of the same command.
    fn add(&mut self, entry: &Entry, status: &'static str) {
        self.others += 1;
        if self.status != status {
            self.status = "partly done";
            self.failed = self.failed.take().or_else(|| reason(entry).or(reason(&self.entry)).map(str::to_owned));
        }
    }

    fn title(&self) -> String {
        match self.others {
            0 => self.entry.title.clone(),
            others => format!("{} and {others} more", self.entry.title),
        }
    }
}

/// Prints the steps.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let wanted = arguments.target.wanted();
    let folder = data_dir::folder(wanted.data)?;
    if wanted.data.is_some() && maintenance::never_used(&folder) {
        return Err(connect::no_data(&folder));
    }
    let connection = connect::run(wanted.connection())?;
    let history = open(&folder, &connection)?;
    let mut steps: Vec<Step> = Vec::new();
    for entry in history.entries().iter().rev() {
        let status = if history.is_unfinished(entry) { "interrupted" } else { status(entry) };
        let full = steps.len() == arguments.limit.unwrap_or(usize::MAX);
        match steps.last_mut() {
            Some(last) if entry.group.is_some() && last.entry.group == entry.group => last.add(entry, status),
            _ if full => break,
            _ => steps.push(Step { entry: Arc::clone(entry), status, others: 0, failed: None }),
        }
    }
    list::print(&steps.iter().collect::<Vec<_>>(), arguments.json, Extent::of(arguments.limit.is_none()))
}

/// Opens the history of a connection and reports what is wrong with it.
pub(super) fn open(folder: &std::path::Path, connection: &str) -> Result<HeadlessHistory, Failure> {
    let history = HeadlessHistory::open(folder, connection).map_err(|error| Failure::failed(anyhow!(error)))?;
    history.messages.iter().for_each(|message| super::print_message(message));
    Ok(history)
}

/// Returns the step that a text names: its id, or the unique beginning or end of it.
pub(super) fn find(entries: &[Arc<Entry>], text: &str) -> Result<EntryId, Failure> {
    let found: Vec<_> = entries.iter().filter(|entry| short_id::names(text, &entry.id.0.to_string())).collect();
    match found.as_slice() {
        [entry] => Ok(entry.id),
        [] => Err(Failure::usage(anyhow!("no step has the id {text:?}; `lunette history` lists the steps"))),
        several => {
            let lines = several.iter().map(|entry| format!("\n  {}  {}", entry.id.0, escaped(&entry.title)));
            let lines: String = lines.collect();
            Err(Failure::usage(anyhow!("{text:?} matches {} steps; give the id of one of them:{lines}", several.len())))
        }
    }
}

/// Returns how a step ended, in the words of a report.
fn status(entry: &Entry) -> &'static str {
    match &entry.outcome {
        Outcome::Sending => "pending",
        Outcome::Done if entry.undone => "undone",
        Outcome::Partly { .. } if entry.undone => "undone",
        Outcome::Done => "done",
        Outcome::Partly { .. } => "partly done",
        Outcome::Failed(_) => "failed",
        Outcome::Unknown(_) => "unknown",
    }
}

fn reason(entry: &Entry) -> Option<&str> {
    match &entry.outcome {
        Outcome::Sending | Outcome::Done => None,
        Outcome::Failed(why) | Outcome::Unknown(why) | Outcome::Partly { why, .. } => Some(why),
    }
}

impl Columns for Step {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("time", "Time", |step: &Self| Value::Moment(Moment::At(step.entry.at))).fixed().printed(),
        Column::text("status", "Status", |step: &Self| Value::text(step.status)).fixed().printed(),
        Column::text("title", "Title", |step: &Self| Value::text(step.title())).printed(),
        Column::id(|step: &Self| Value::text(step.entry.id.0.to_string())),
    ];

    fn record(&self) -> Json {
        let Self { entry, status, failed, .. } = self;
        let (undoes, redoes) = match entry.answers {
            EntryRelation::None => (None, None),
            EntryRelation::Undoes(step) => (Some(step), None),
            EntryRelation::Redoes(step) => (None, Some(step)),
        };
        let (asset, count) = match &entry.kind {
            EntryKind::Change(change) => (Some(change.asset().as_str()), 1),
            EntryKind::Batch { count, .. } => (None, *count),
            EntryKind::Call { .. } => (None, 0),
        };
        json!({
            "id": entry.id, "time": entry.at.to_string(), "status": status,
            "reason": failed.as_deref().or(reason(entry)), "title": self.title(), "asset": asset, "assets": count, "undoes": undoes, "redoes": redoes,
        })
    }
}
