//! `lunette undo`: undoes the last change, or a step of the history, as the window does.
//!
//! What must hold: an asset that has changed since is left as it is; the undo is a step of the history itself.

use std::path::Path;

use anyhow::{Error, anyhow};

use lunette_inspector::change::Recovery;
use lunette_inspector::journal::RunId;
use lunette_inspector::proposals::{NotTakenBack, ProposalStore, take_back};
use lunette_inspector::runs::{BackupFirst, RowSelection, RunRecord, Task};
use lunette_inspector::undo::{HeadlessHistory, NotUndone, Undo};
use lunette_inspector::write::headless::recovery;
use lunette_service::maintenance;

use super::changes::{self, Planned};
use super::connect::{self, Service};
use super::target::WriteTarget;
use super::{Failure, data_dir, history, links, proposals, resume};

/// What `undo` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Step to undo: its id in `lunette history`, or the beginning or the end of it. Default: the last one.
    #[arg(value_name = "STEP")]
    step: Option<String>,
    /// Undo everything that this assistant changed, newest first, except what was changed since.
    #[arg(long, value_name = "NAME", conflicts_with = "step")]
    client: Option<String>,
    #[command(flatten)]
    target: WriteTarget,
}

/// Undoes the step; having nothing to undo is not a failure.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if connect::run(arguments.target.to_change().is_empty())? && arguments.step.is_none() {
        super::print_message("nothing to undo");
        return Ok(());
    }
    if let Some(client) = &arguments.client {
        return undo_client(client, &arguments.target);
    }
    changes::run(&arguments.target, async |service| plan(arguments, service).await)
}

/// Undoes all steps that an assistant had asked for.
fn undo_client(client: &str, target: &WriteTarget) -> Result<(), Failure> {
    if target.dry_run() {
        let advice = "`lunette proposals --all` lists what it proposed, and `lunette history` what was changed";
        return Err(Failure::usage(anyhow!("--dry-run does not go with --client; {advice}")));
    }
    let folder = data_dir::folder(target.data())?;
    let taken = connect::run(target.to_change().with(async |service: &Service| {
        let store =
            ProposalStore::open(&folder, &service.connection).map_err(|error| Failure::failed(anyhow!(error)))?;
        proposals::settle(service, &folder, &store).await;
        let back_up = proposals::backup_of(service, &folder);
        let place = proposals::target(service, &folder, &back_up).await;
        match take_back(&place, (client, None)).await {
            Ok(taken) => Ok(Some(taken)),
            Err(NotTakenBack::Nothing) => Ok(None),
            Err(error) => Err(Failure::failed(anyhow!(error))),
        }
    }))?;
    let Some(taken) = taken else {
        let name = changes::shown(client);
        super::print_message(&format!("nothing of “{name}” to undo; `lunette assistants` lists the names"));
        return Ok(());
    };
    super::print(&taken.titles.iter().map(|title| format!("undone  {}\n", changes::shown(title))).collect::<String>())?;
    taken.left.iter().for_each(|left| changes::print_error(&format!("lunette: {}", changes::shown(left))));
    changes::print_line(&format!("{} undone, {} not undone or only in part", taken.undone, taken.left.len()));
    if taken.left.is_empty() { Ok(()) } else { Err(Failure::reported()) }
}

async fn plan(arguments: &Arguments, service: &Service) -> Result<Option<Planned>, Failure> {
    let folder = data_dir::folder(arguments.target.data())?;
    let mut history = history::open(&folder, &service.connection)?;
    let step = arguments.step.as_deref().map(|text| history::find(history.entries(), text)).transpose()?;
    if !arguments.target.dry_run() {
        history = resume::settle(service, &folder, history, step).await?;
    }
    let recovery = recovery(&service.client, service.vendor).await;
    let undo = match history.undo(step, recovery) {
        Ok(undo) => undo,
        Err(NotUndone::Nothing) => {
            super::print_message("nothing to undo");
            return Ok(None);
        }
        Err(error) => return Err(Failure::failed(anyhow!("{error}. {}", advice(&error)))),
    };
    let record = match undo {
        Undo::Change { change, answers, title } => {
            let name = change.name().unwrap_or_default().to_owned();
            let mut record = RunRecord::of_tasks(title, vec![(Task::Change(*change), name)], 1);
            record.rest.answers = answers;
            record
        }
        Undo::Items(items) => {
            links::undo(&arguments.target, service, items).await?;
            return Ok(None);
        }
        Undo::Batch(answer) => {
            if answer.backup == BackupFirst::Made && !arguments.target.dry_run() {
                back_up(service, &folder)?;
            }
            RunRecord::of_answer(&answer)
        }
        Undo::Continue(run) => return continued(arguments, &history, run).map(Some),
    };
    if !arguments.target.dry_run() {
        changes::print_line(&changes::shown(&record.run.title));
    }
    Ok(Some(Planned { record, deleted: history.deleted(recovery), continues: None }))
}

/// Continues an undo that was interrupted.
fn continued(arguments: &Arguments, history: &HeadlessHistory, run: RunId) -> Result<Planned, Failure> {
    let record = history.record(run).map_err(|error| Failure::failed(anyhow!(error)))?;
    let counts = record.run.counts();
    changes::print_line(&format!(
        "{} the interrupted {}: {} of {} done",
        if arguments.target.dry_run() { "would resume" } else { "resuming" },
        changes::shown(&record.run.title),
        counts.ended() - counts.unknown,
        counts.all()
    ));
    let deleted = history.deleted(Recovery::None);
    Ok(Planned { record, deleted, continues: Some((run, RowSelection::Open)) })
}

/// What to do about a step that is not undone.
fn advice(error: &NotUndone) -> String {
    match error {
        NotUndone::Nothing | NotUndone::Obstacle { .. } | NotUndone::Unchanged { .. } => {
            "`lunette history` lists the steps, and `lunette undo STEP` undoes another one".to_owned()
        }
        NotUndone::Unfinished { step, .. } => {
            let step = step.0;
            format!(
                "`lunette resume {step}` continues it; `lunette cancel {step}` ends it, after which it can be undone"
            )
        }
        NotUndone::Unclear { step, .. } => {
            format!("`lunette resume {}` reads again what was done, and goes on", step.0)
        }
    }
}

/// Makes a backup of the service of the data folder, before many assets are deleted; another service cannot be backed
/// up. Without the backup nothing is undone.
fn back_up(service: &Service, folder: &Path) -> Result<(), Failure> {
    if !service.of_folder() {
        super::print_message("this service cannot be backed up before the undo");
        return Ok(());
    }
    let failed = |error| Failure::failed(Error::new(error).context("nothing was undone: the backup before it failed"));
    let backup = maintenance::back_up(folder, None).map_err(failed)?;
    super::print_message(&format!("made a backup first: {}", backup.path.display()));
    Ok(())
}
