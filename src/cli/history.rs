//! `lunette history`: the changes that were made at a service, newest first, as the window shows them; and the versions
//! of an asset, which the service keeps.
//!
//! What must hold: nothing is created, and no service is started, to read it.

use std::sync::Arc;

use anyhow::anyhow;
use clap::Subcommand;

use lunette_client::model::id::VersionNumber;
use lunette_inspector::journal::{Entry, EntryId};
use lunette_inspector::undo::HeadlessHistory;

use lunette_service::maintenance;

use super::list::Extent;
use super::number::number;
use super::progress::escaped;
use super::target::{ReadTarget, WriteTarget};
use super::{Failure, asset_id, connect, data_dir, list, short_id, versions};

/// What `history` takes.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    /// List the versions of this asset instead: who changed what, when, and in which lines. It is named as in
    /// other commands, a deleted one by its id.
    #[arg(value_name = "ID")]
    asset: Option<String>,
    #[command(subcommand)]
    action: Option<Action>,
    /// List only the versions in which this text was added or removed.
    #[arg(long, value_name = "TEXT", requires = "asset")]
    find: Option<String>,
    /// Print at most N steps or versions.
    #[arg(short = 'n', long, value_name = "N", value_parser = number::<usize>)]
    limit: Option<usize>,
    #[command(flatten)]
    target: ReadTarget,
    /// Print a JSON array with one object per step or version.
    #[arg(long)]
    json: bool,
}

/// What can be done with versions.
#[derive(Debug, Subcommand)]
enum Action {
    /// Restore a version of an asset, as one step that can be undone.
    Restore(RestoreArguments),
    /// Delete all versions of an asset except what it is now, or only the one that is named, with all their bytes; this
    /// cannot be undone.
    Forget(ForgetArguments),
}

#[derive(Debug, clap::Args)]
struct RestoreArguments {
    #[arg(value_name = "ID", help = asset_id::HELP)]
    asset: String,
    /// Number of the version, as `lunette history ID` lists them.
    #[arg(value_name = "N", value_parser = versions::number)]
    version: VersionNumber,
    #[command(flatten)]
    target: WriteTarget,
}

#[derive(Debug, clap::Args)]
struct ForgetArguments {
    #[arg(value_name = "ID", help = "Asset, named as in other commands; `ID@N` is its version N alone")]
    asset: String,
    #[command(flatten)]
    target: WriteTarget,
}

/// Prints the steps, or does what was asked with the versions of an asset.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match (&arguments.action, &arguments.asset) {
        (Some(Action::Restore(restore)), _) => versions::restore(&restore.asset, &restore.version, &restore.target),
        (Some(Action::Forget(forget)), _) => versions::forget(&forget.asset, &forget.target),
        (None, Some(asset)) => {
            let Arguments { find, target, limit, json, .. } = arguments;
            versions::list(asset, find.as_deref(), target, (*limit, *json))
        }
        (None, None) => steps(arguments),
    }
}

/// Prints the steps.
fn steps(arguments: &Arguments) -> Result<(), Failure> {
    let wanted = arguments.target.wanted();
    let folder = data_dir::folder(wanted.data)?;
    if wanted.data.is_some() && maintenance::never_used(&folder) {
        return Err(connect::no_data(&folder));
    }
    let connection = connect::run(wanted.connection())?;
    let history = open(&folder, &connection)?;
    let rows = history.rows(arguments.limit.unwrap_or(usize::MAX));
    list::print(&rows.iter().collect::<Vec<_>>(), arguments.json, Extent::of(arguments.limit.is_none()))
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
