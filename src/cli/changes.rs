//! The changes of a verb: planned and shown, or noted in the history, sent and reported, in the same words for every
//! verb.
//!
//! What must hold: a change is noted before it is sent, so that the window and `lunette undo` can undo it; a dry run
//! sends no write and creates nothing.

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::anyhow;

use lunette_client::model::display::beginning;
use lunette_inspector::bulk::ReportKind;
use lunette_inspector::bulk::headless::HeadlessRun;
use lunette_inspector::bulk::report::report;
use lunette_inspector::change::Recovery;
use lunette_inspector::journal::{EntryRelation, RunId};
use lunette_inspector::runs::{RowSelection, RowStatus, Run, RunRecord, RunRow, RunStatus, Task};
use lunette_inspector::write::headless::{Written, recovery};
use lunette_inspector::write::recovery::DeletedAssets;

use super::bulk::{carry_out, names, preview};
use super::connect::{self, Service};
use super::progress::{escaped, whole};
use super::target::WriteTarget;
use super::{Failure, data_dir};

/// How many requests of a verb are in progress at a time.
pub(super) const IN_FLIGHT: usize = 4;

/// What a verb is going to do.
pub(super) struct Planned {
    /// The run: its title, and a row per change.
    pub record: RunRecord,
    /// How the deleted assets that it is about come back.
    pub deleted: DeletedAssets,
    /// The run of the history that it continues, with these rows.
    pub continues: Option<(RunId, RowSelection)>,
}

impl From<RunRecord> for Planned {
    fn from(record: RunRecord) -> Self {
        Self { record, deleted: DeletedAssets::default(), continues: None }
    }
}

/// How a run of a command is continued that stopped.
pub(super) const RESUME: &str = "use `lunette resume`";

/// Plans with the service, then carries the plan out, or shows it for a dry run. `None` plans nothing to do. Fails if a
/// change failed.
pub(super) fn run(
    target: &WriteTarget,
    plan: impl AsyncFnOnce(&Service) -> Result<Option<Planned>, Failure>,
) -> Result<(), Failure> {
    let work = async |service: &Service| {
        let Some(mut planned) = plan(service).await? else { return Ok(None) };
        let client = service.reporting();
        names::read(&client, &mut planned.record).await?;
        if target.dry_run() {
            preview::print(service, &planned.deleted, &planned.record, target.json()).await?;
            return Ok(None);
        }
        match planned.continues {
            None => apply(target.data(), service, planned.record).await.map(Some),
            Some(run) => {
                let folder = data_dir::folder(target.data())?;
                let recovery = recovery(&service.client, service.vendor).await;
                continue_run(&folder, service, run, recovery).await.map(Some)
            }
        }
    };
    let Some(run) = connect::run(target.to_change().with(work))? else { return Ok(()) };
    match target.json() {
        true => super::print_json(&report(&run, ReportKind::Json))?,
        false => super::print(&run.rows.iter().map(line).collect::<String>())?,
    }
    finish(&run, false, RESUME)
}

/// Carries out a run: a single change as a step of its own, as the window does; several as one step, and what begins
/// with a checkpoint too.
pub(super) async fn apply(data: Option<&Path>, service: &Service, record: RunRecord) -> Result<Run, Failure> {
    let folder = data_dir::folder(data)?;
    let not_opened = |error| Failure::failed(anyhow!("{error}; nothing was sent"));
    let recovery = match record.rest.tasks.iter().any(needs_recovery) {
        true => recovery(&service.client, service.vendor).await,
        false => Recovery::None,
    };
    if let [Task::Change(change)] = record.rest.tasks.as_slice()
        && record.run.rows.iter().all(|row| row.target.is_none())
        && !record.rest.checkpoint
    {
        let writer = service.writer(&folder, recovery)?;
        let answers = record.rest.answers;
        let title = Some(record.run.title.clone()).filter(|_| answers != EntryRelation::None);
        let written = writer.write(change.clone(), answers, title).await;
        let written = match (written, service.client.refusal()) {
            (Written::Failed(_), Some(refusal)) => {
                Written::Failed(format!("{refusal}; it is read-only: nothing can be changed there"))
            }
            (written, _) => written,
        };
        return Ok(ended(record.run, written));
    }
    // A run that was cut off is continued by `lunette resume`: the same command may mean another one.
    let alone = HeadlessRun::open(&folder, &service.connection, record, true).map_err(not_opened)?;
    alone.messages.iter().for_each(|message| super::print_message(message));
    carry_out(alone.with_recovery(recovery), service, RESUME).await.map(|carried| carried.run)
}

/// Continues a run of the history with some of its rows.
pub(super) async fn continue_run(
    folder: &Path,
    service: &Service,
    (run, selection): (RunId, RowSelection),
    recovery: Recovery,
) -> Result<Run, Failure> {
    let alone = HeadlessRun::resume(folder, &service.connection, run, selection);
    let alone = alone.map_err(|error| Failure::failed(anyhow!("{error}; nothing was sent")))?;
    alone.messages.iter().for_each(|message| super::print_message(message));
    carry_out(alone.with_recovery(recovery), service, RESUME).await.map(|carried| carried.run)
}

/// Whether how deleted assets come back matters to a task.
fn needs_recovery(task: &Task) -> bool {
    matches!(task, Task::Change(change) if change.deletes() || change.info().restores)
}

/// Returns the run of one row as its write ended.
fn ended(mut run: Run, written: Written) -> Run {
    run.change(0, |row| match written {
        Written::Done(change, message) => {
            row.status = RowStatus::Done;
            row.done = Some((*change).into());
            row.message = message.map(Into::into);
        }
        Written::Unchanged(how) => row.status = RowStatus::Unchanged(how),
        Written::Failed(why) => row.status = RowStatus::Failed(why),
        Written::Unknown(why) => row.status = RowStatus::Unknown(why),
    });
    run.status = RunStatus::Ended;
    run
}

/// Returns a row as a line of text.
pub(super) fn line(row: &RunRow) -> String {
    let name = escaped(&row.name);
    let file = row.saved.as_ref().map(|saved| format!("  {}", escaped(&saved.name))).unwrap_or_default();
    format!("{}\n", format!("{}  {:9}  {name}{file}", row.asset, row.status.as_str()).trim_end())
}

/// Prints a summary to stderr, and returns the result of the verb. `lost` says that something other than a row failed,
/// `again` what continues one that stopped.
pub(super) fn finish(run: &Run, lost: bool, again: &str) -> Result<(), Failure> {
    for row in run.rows.iter() {
        let note = row.message.as_deref();
        match (&row.status, note) {
            (RowStatus::Failed(why) | RowStatus::Unknown(why), _) => {
                print_error(&format!("lunette: {}: {}: {}", row.status.as_str(), row.asset, shown(why)));
            }
            (_, Some(note)) => print_line(&format!("lunette: {}: {}", row.asset, shown(note))),
            (_, None) => {}
        }
    }
    let counts = run.counts();
    print_line(&format!(
        "{} done, {} unchanged, {} failed, {} unknown, {} pending",
        counts.done, counts.unchanged, counts.failed, counts.unknown, counts.pending
    ));
    match &run.status {
        RunStatus::Paused(Some(why)) => {
            let why = why.trim_end_matches('.');
            Err(Failure::failed(anyhow!("stopped: {why}; {again} to continue")))
        }
        RunStatus::Ended if !lost && counts.done + counts.unchanged == counts.all() => Ok(()),
        RunStatus::Ended => Err(Failure::reported()),
        RunStatus::Paused(None) | RunStatus::Running | RunStatus::Interrupted | RunStatus::Cancelled => {
            Err(Failure::failed(anyhow!("stopped; {again} to continue")))
        }
    }
}

/// Prints a line to stderr, unless the command is to be quiet.
pub(super) fn print_line(text: &str) {
    if !super::is_quiet() {
        print_error(text);
    }
}

/// Prints what went wrong to stderr.
pub(super) fn print_error(text: &str) {
    writeln!(io::stderr(), "{text}").ok(); // A closed stderr leaves only the exit code to tell.
}

/// The most characters of a sentence, which may contain a name.
const LONGEST_SENTENCE: usize = 1000;

/// Returns a sentence with text from a service or a file, escaped for a terminal and cut if it is long.
pub(super) fn shown(text: &str) -> String {
    whole(&beginning(text, LONGEST_SENTENCE))
}
