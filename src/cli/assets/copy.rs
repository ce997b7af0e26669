//! `lunette copy`: makes one side say what another one says, as one step that can be undone.
//!
//! What must hold: nothing is written but to the side named with `--to`, and nothing there is deleted; a dry run writes
//! nothing anywhere; the new id of an asset that is created under another one is printed and remembered.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Error, anyhow};
use serde_json::{Value, json};

use lunette_client::model::id::AssetId;
use lunette_inspector::bulk::headless::HeadlessRun;
use lunette_inspector::bulk::report::tree;
use lunette_inspector::compare::Position;
use lunette_inspector::listing::{Query, apply_query};
use lunette_inspector::runs::{Run, Task};
use lunette_inspector::sides::copy::{self, CopyPlan, CopyPlanError};
use lunette_inspector::sides::{Base, Comparison, Location, Matches, RowState, SideRow, Sides};
use lunette_inspector::tasks::CancelFlag;

use crate::cli::bulk::carry_out;
use crate::cli::changes::{RESUME, finish, line};
use crate::cli::connect::{self, Access, Service};
use crate::cli::list;
use crate::cli::progress::escaped;
use crate::cli::sides::{self, Named, Reached};
use crate::cli::target::ReadTarget;
use crate::cli::{Failure, data_dir, print, print_json, print_message};

/// What `copy` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Side to copy from: own for your service, a URL, @DAY or @CHECKPOINT, a data folder, a backup, an archive or a
    /// folder.
    #[arg(long, value_name = "SIDE")]
    from: String,
    /// Side to copy to: own for your service, a URL, or a data folder, which may be new.
    #[arg(long, value_name = "SIDE")]
    to: String,
    /// Copy only rows of the comparison that match, such as 'state:only-left language:rust'.
    #[arg(long, value_name = "FILTER", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    filter: String,
    /// Also copy assets that changed on both sides since they were last the same.
    #[arg(long)]
    conflicts: bool,
    /// Allow writes to a service on another machine, which are sent unencrypted.
    #[arg(long)]
    allow_writes: bool,
    /// Print what would change without changing anything.
    #[arg(long)]
    dry_run: bool,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    target: ReadTarget,
}

/// Copies, and fails if a change failed.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let filter = list::filter::<SideRow>(&arguments.filter)?;
    let (from, to) = (Named::to_read(&arguments.from)?, written(arguments)?);
    let memory = sides::memory(arguments.target.data());
    let work = async |reached: [Reached<'_>; 2]| {
        let read = sides::read([&from, &to], reached, memory.as_deref()).await?;
        sides::print_left_out(&read);
        let base = memory.as_deref().map(|memory| Base::load(memory, read.names())).unwrap_or_default();
        let comparison = Comparison::of(Arc::new(read), Matches::default(), Arc::new(base));
        let shown = apply_query(&comparison.rows, &Query { filter: filter.clone(), ..Query::default() });
        let rows = shown.iter().filter_map(|index| comparison.rows.get(*index as usize)).cloned().collect();
        let copy = plan(&comparison.sides, &wanted(arguments, rows)).await?;
        copy.omissions().for_each(print_message);
        let Some(service) = reached[1].filter(|_| !arguments.dry_run && !copy.is_empty()) else {
            return print_plan(arguments, &copy).map(|()| None);
        };
        let run = send(arguments, &to.location, service, &copy).await?;
        let copied = copy.mapping(&run);
        if let Some(memory) = sides::memory(arguments.target.data()) {
            let ids = copied.iter().map(|(from, to)| (Arc::clone(from), to.as_str().to_lowercase().into()));
            sides::remember(&memory, &comparison, ids);
        }
        Ok(Some((run, copied)))
    };
    match connect::run(sides::with([&from, &to], arguments.target.wanted(), work))? {
        Some((run, copied)) => print_run(arguments, &run, &copied),
        None => Ok(()),
    }
}

/// Prints what became of the changes, and the new ids of the assets that were copied under others.
fn print_run(arguments: &Arguments, run: &Run, copied: &[(Arc<str>, AssetId)]) -> Result<(), Failure> {
    if arguments.json {
        let mut printed = tree(run);
        printed["copied_as"] = copied.iter().map(|(from, to)| json!({ "id": **from, "there": to.as_str() })).collect();
        print_json(&format!("{printed:#}\n"))?;
    } else {
        print(&run.rows.iter().map(line).collect::<String>())?;
        copied.iter().for_each(|(from, to)| print_message(&format!("{from} is {to} there")));
    }
    finish(run, false, RESUME)
}

/// The side that is written to. A folder that is not there yet becomes one.
fn written(arguments: &Arguments) -> Result<Named, Failure> {
    let path = Path::new(&arguments.to);
    let is_path = !arguments.to.starts_with('@') && !arguments.to.contains("://") && arguments.to != "own";
    let is_new = || !path.exists() || path.read_dir().is_ok_and(|mut entries| entries.next().is_none());
    let location = match is_path && is_new() {
        true => Location::Data(path.to_owned()),
        false => Location::parse(&arguments.to).map_err(sides::not_a_side)?,
    };
    if !location.can_be_written() {
        return Err(Failure::usage(anyhow!("{} cannot be written to; only a service can", location.name())));
    }
    let access = match arguments.dry_run {
        true => Access::Read,
        false => Access::Write { allowed: arguments.allow_writes },
    };
    Ok(Named { location, access })
}

/// The rows that are copied: what the other side has, without what both changed unless that was asked for.
fn wanted(arguments: &Arguments, rows: Vec<Arc<SideRow>>) -> Vec<Arc<SideRow>> {
    let (kept, conflicts): (Vec<_>, Vec<_>) = rows
        .into_iter()
        .filter(|row| row.state.is_difference())
        .partition(|row| row.state != RowState::Conflict || arguments.conflicts);
    if !conflicts.is_empty() {
        let count = conflicts.len();
        print_message(&format!("{count} assets changed on both sides and are left; --conflicts copies them too"));
    }
    kept
}

async fn plan(sides: &Sides, rows: &[Arc<SideRow>]) -> Result<CopyPlan, Failure> {
    let cancel = CancelFlag::default();
    let progress = |done: usize| sides::show("planned", done);
    let plan = copy::plan(sides, rows, Position::Right, &progress, &cancel);
    sides::until_signal(plan, &cancel).await.map_err(|error| match error {
        CopyPlanError::Side(error) => sides::failure(error),
        other => Failure::usage(Error::new(other)),
    })
}

/// Carries the plan out as a step of the history of the side that is written to.
async fn send(arguments: &Arguments, to: &Location, service: &Service, copy: &CopyPlan) -> Result<Run, Failure> {
    let folder = match to {
        Location::Data(path) => path.clone(),
        _ => data_dir::folder(arguments.target.data())?,
    };
    let alone = HeadlessRun::open(&folder, &service.connection, copy.record.clone(), false);
    let alone = alone.map_err(|error| Failure::failed(anyhow!("{error}; nothing was sent")))?;
    alone.messages.iter().for_each(|message| print_message(message));
    copy.keep(&alone.copies()).await.map_err(|error| Failure::failed(Error::new(error)))?;
    carry_out(alone, service, RESUME).await.map(|ended| ended.run)
}

/// Prints the changes of a plan.
fn print_plan(arguments: &Arguments, copy: &CopyPlan) -> Result<(), Failure> {
    let tasks = copy.record.rest.tasks.iter().zip(copy.record.run.rows.iter());
    let changes = tasks.filter_map(|(task, row)| match task {
        Task::Change(change) => Some((change, row)),
        Task::Export(_) => None,
    });
    if arguments.json {
        let change = |(change, row): (&lunette_inspector::change::Change, &lunette_inspector::runs::RunRow)| json!({ "asset": row.asset, "name": &*row.name, "change": change.info().name, "title": change.title(&row.name) });
        return print_json(&format!("{:#}\n", changes.map(change).collect::<Value>()));
    }
    print(
        &changes
            .map(|(change, row)| format!("{}  {}\n", row.asset, escaped(&change.title(&row.name))))
            .collect::<String>(),
    )
}
