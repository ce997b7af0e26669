//! `lunette resume` and `lunette cancel`: continues what was interrupted, or ends it.
//!
//! What must hold: no write is repeated that may have been applied, and none is left that was applied in part; after either
//! command `lunette undo` can undo what was done. Runs of the window are continued as well, unless it is still at work on
//! them.

use std::path::Path;

use anyhow::anyhow;

use lunette_client::client::CallError;
use lunette_inspector::bulk::ReportKind;
use lunette_inspector::bulk::report::report;
use lunette_inspector::change::Change;
use lunette_inspector::journal::{Entry, EntryId, RunId};
use lunette_inspector::runs::{Counts, RowSelection, Run};
use lunette_inspector::undo::{Continuation, HeadlessHistory};
use lunette_inspector::write::headless::recovery;
use lunette_inspector::write::plan::Reconciled;

use super::changes::{self, print_line, shown};
use super::connect::{self, Service};
use super::target::WriteTarget;
use super::{Failure, data_dir, history};

/// What `resume` and `cancel` take.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Step to continue or to end: its id in `lunette history`, or the beginning or the end of it. Default: the last one
    /// that was interrupted.
    #[arg(value_name = "STEP")]
    step: Option<String>,
    #[command(flatten)]
    target: WriteTarget,
}

/// What is done with the rows that are not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Resume,
    Cancel,
}

/// Continues the step.
pub fn resume(arguments: &Arguments) -> Result<(), Failure> {
    run(arguments, Mode::Resume)
}

/// Ends the step without doing the rest.
pub fn cancel(arguments: &Arguments) -> Result<(), Failure> {
    run(arguments, Mode::Cancel)
}

fn run(arguments: &Arguments, mode: Mode) -> Result<(), Failure> {
    let target = &arguments.target;
    if connect::run(target.to_change().is_empty())? && arguments.step.is_none() {
        super::print_message("nothing was interrupted");
        return Ok(());
    }
    let run =
        connect::run(target.to_change().with(async |service: &Service| continue_step(arguments, service, mode).await))?;
    let Some(run) = run else { return Ok(()) };
    match target.json() {
        true => super::print_json(&report(&run, ReportKind::Json))?,
        false => super::print(&run.rows.iter().map(changes::line).collect::<String>())?,
    }
    match mode {
        Mode::Resume => changes::finish(&run, false, changes::RESUME),
        Mode::Cancel => {
            print_line(&format!("{}; `lunette undo` undoes what was done", counted(&run)));
            Ok(())
        }
    }
}

fn counted(run: &Run) -> String {
    let counts = run.counts();
    let (unknown, left) = (counts.unknown, counts.pending + counts.failed);
    let unknown = if unknown == 0 { String::new() } else { format!(", {unknown} unknown") };
    format!("cancelled: {} done{unknown}, {left} not done", counts.done + counts.unchanged)
}

/// Continues or cancels the step. Returns its run; `None` if it is not a run, or for a dry run.
async fn continue_step(arguments: &Arguments, service: &Service, mode: Mode) -> Result<Option<Run>, Failure> {
    let (target, folder) = (&arguments.target, data_dir::folder(arguments.target.data())?);
    let mut history = history::open(&folder, &service.connection)?;
    let step = arguments.step.as_deref().map(|text| history::find(history.entries(), text)).transpose()?;
    let Some(entry) = history.interrupted(step).cloned() else { return nothing_to_continue() };
    let title = shown(&entry.title);
    let Some(continuation) = history.continuation(&entry) else {
        return Err(Failure::failed(anyhow!("there is nothing to continue in “{}”", entry.title)));
    };
    let (run, selection) = match (continuation, mode) {
        (Continuation::Reconcile(change), _) => {
            match target.dry_run() {
                true => super::print(&format!("would read again whether this was done: {}\n", shown(&change.done())))?,
                false => reconcile(service, &folder, &entry, &change).await?,
            }
            return Ok(None);
        }
        (Continuation::LookForCreated, _) => {
            match target.dry_run() {
                true => super::print(&format!("would look for the asset again: {title}\n"))?,
                false => look_for_created(service, &folder, &entry).await?,
            }
            return Ok(None);
        }
        (Continuation::Run(run), Mode::Resume) => (run, RowSelection::Open),
        (Continuation::Run(run), Mode::Cancel) => (run, RowSelection::Sent),
        (Continuation::Retry(run), Mode::Resume) => (run, RowSelection::Failed),
        (Continuation::Retry(_), Mode::Cancel) => {
            return Err(Failure::failed(anyhow!("“{}” has ended; `lunette undo` undoes it", entry.title)));
        }
    };
    if target.dry_run() {
        print_would(mode, &title, history.run(run).map(Run::counts).unwrap_or_default())?;
        return Ok(None);
    }
    print_line(&title);
    continue_run(&folder, service, run, selection).await.map(Some)
}

fn nothing_to_continue<T>() -> Result<Option<T>, Failure> {
    super::print_message("nothing was interrupted");
    Ok(None)
}

/// Says what would be done with a run of which so many rows have ended.
fn print_would(mode: Mode, title: &str, counts: Counts) -> Result<(), Failure> {
    let verb = if mode == Mode::Resume { "resume" } else { "cancel" };
    super::print(&format!("would {verb} “{title}”: {} of {} done\n", counts.ended(), counts.all()))
}

/// Continues a run with these rows.
pub(super) async fn continue_run(
    folder: &Path,
    service: &Service,
    run: RunId,
    selection: RowSelection,
) -> Result<Run, Failure> {
    let recovery = recovery(&service.client, service.vendor).await;
    changes::continue_run(folder, service, (run, selection), recovery).await
}

/// Reads the asset of a change of unknown outcome again, and says what came of it.
pub(super) async fn reconcile(service: &Service, folder: &Path, entry: &Entry, change: &Change) -> Result<(), Failure> {
    let recovery = recovery(&service.client, service.vendor).await;
    let end = service.writer(folder, recovery)?.reconcile(entry, change).await;
    said(end, &shown(&change.done()))
}

/// Says what reading again has shown.
fn said(end: Result<Reconciled, CallError>, what: &str) -> Result<(), Failure> {
    match end {
        Ok(Reconciled::Applied) => print_line(&format!("it was done: {what}")),
        Ok(Reconciled::NotApplied) => print_line(&format!("it was not done: {what}")),
        Ok(Reconciled::Unclear(why)) => {
            return Err(Failure::failed(anyhow!("it remains unknown whether this was done: {what}: {why}")));
        }
        Err(why) => return Err(Failure::failed(anyhow!("the asset could not be read again: {why}"))),
    }
    Ok(())
}

/// Looks for the asset that a step of unknown outcome was to create, and says what came of it.
async fn look_for_created(service: &Service, folder: &Path, entry: &Entry) -> Result<(), Failure> {
    let recovery = recovery(&service.client, service.vendor).await;
    let end = service.writer(folder, recovery)?.find_created(entry).await;
    said(end, &shown(&entry.title))
}

/// Settles what keeps a step, or else the last one, from being undone: a change of unknown outcome is read again, and a
/// run that has only its end left is ended. Returns the history as it is then.
pub(super) async fn settle(
    service: &Service,
    folder: &Path,
    mut history: HeadlessHistory,
    step: Option<EntryId>,
) -> Result<HeadlessHistory, Failure> {
    let unclear = history.unclear(step);
    for (entry, change) in &unclear {
        reconcile(service, folder, entry, change).await?;
    }
    let over = history.without_rest(step);
    for run in &over {
        continue_run(folder, service, *run, RowSelection::Open).await?;
    }
    if !unclear.is_empty() || !over.is_empty() {
        history = history::open(folder, &service.connection)?;
    }
    Ok(history)
}
