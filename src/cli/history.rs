//! `lunette history`: the changes that were made at a service, newest first, as the window shows them.
//!
//! What must hold: nothing is created, and no service is started, to read it.

use std::sync::Arc;

use anyhow::anyhow;
use serde_json::{Value, json};

use crate::app::history::headless::HeadlessHistory;
use crate::app::journal::{Entry, EntryId, EntryKind, EntryRelation, Outcome};

use super::list::rows::{Cell, Head, Listed, moment, plain, text};
use super::number::number;
use super::target::ReadTarget;
use super::{Failure, connect, data_dir, list};

/// The fewest characters of an id that name a step.
const SHORTEST: usize = 4;

/// What `history` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print at most N steps.
    #[arg(long, value_name = "N", value_parser = number::<usize>)]
    limit: Option<usize>,
    #[command(flatten)]
    target: ReadTarget,
    /// Print a JSON array with one object per step.
    #[arg(long)]
    json: bool,
}

/// A step that can be printed.
struct Step(Arc<Entry>);

/// Prints the steps.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let wanted = arguments.target.wanted();
    let folder = data_dir::folder(wanted.data)?;
    let connection = connect::run(wanted.connection())?;
    let history = open(&folder, &connection)?;
    let newest = history.entries().iter().rev().take(arguments.limit.unwrap_or(usize::MAX));
    let steps: Vec<_> = newest.map(|entry| Step(Arc::clone(entry))).collect();
    list::print(&steps.iter().collect::<Vec<_>>(), arguments.json)
}

/// Opens the history of a connection and reports what is wrong with it.
pub(super) fn open(folder: &std::path::Path, connection: &str) -> Result<HeadlessHistory, Failure> {
    let history = HeadlessHistory::open(folder, connection).map_err(|error| Failure::failed(anyhow!(error)))?;
    history.messages.iter().for_each(|message| super::print_message(message));
    Ok(history)
}

/// Returns the step that a text names: its id, or the unique beginning of it.
pub(super) fn find(entries: &[Arc<Entry>], text: &str) -> Result<EntryId, Failure> {
    let beginning = text.to_lowercase();
    let named = |entry: &&Arc<Entry>| text.len() >= SHORTEST && entry.id.0.to_string().starts_with(&beginning);
    let found: Vec<_> = entries.iter().filter(named).collect();
    match found.as_slice() {
        [entry] => Ok(entry.id),
        [] => Err(Failure::usage(anyhow!("no step has the id {text:?}; `lunette history` lists the steps"))),
        several => {
            let lines = several.iter().map(|entry| format!("\n  {}  {}", entry.id.0, entry.title));
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

impl Listed for Step {
    const COLUMNS: &'static [Head] = &[
        Head { title: "TIME", figures: false, cut: false },
        Head { title: "STATUS", figures: false, cut: false },
        text("TITLE"),
        Head { title: "ID", figures: false, cut: false },
    ];

    fn cells(&self) -> Vec<Cell> {
        let Self(entry) = self;
        vec![moment(&entry.at.to_string()), plain(status(entry)), plain(&entry.title), plain(&entry.id.0.to_string())]
    }

    fn json(&self) -> Value {
        let Self(entry) = self;
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
            "id": entry.id, "time": entry.at.to_string(), "status": status(entry), "reason": reason(entry),
            "title": entry.title, "asset": asset, "assets": count, "undoes": undoes, "redoes": redoes,
        })
    }
}
