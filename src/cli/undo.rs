//! `lunette undo`: undoes the last change, or a step of the history, as the window does.
//!
//! What must hold: an asset that has changed since is left as it is; the undo is a step of the history itself.

use anyhow::anyhow;

use crate::app::bulk::{RunRecord, Task};
use crate::app::history::headless::{NotUndone, Undo};
use crate::app::write::headless::recovery;

use super::changes::{self, Planned};
use super::connect::Service;
use super::target::WriteTarget;
use super::{Failure, data_dir, history};

/// What `undo` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Step to undo: its id in `lunette history`, or the beginning of it. Default: the last one.
    #[arg(value_name = "STEP")]
    step: Option<String>,
    #[command(flatten)]
    target: WriteTarget,
}

/// Undoes the step; having nothing to undo is no failure.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    changes::run(&arguments.target, async |service| plan(arguments, service).await)
}

async fn plan(arguments: &Arguments, service: &Service) -> Result<Option<Planned>, Failure> {
    let folder = data_dir::folder(arguments.target.data())?;
    let mut history = history::open(&folder, &service.connection)?;
    let step = arguments.step.as_deref().map(|text| history::find(history.entries(), text)).transpose()?;
    let recovery = recovery(&service.client, service.own).await;
    let undo = match history.undo(step, recovery) {
        Ok(undo) => undo,
        Err(NotUndone::Nothing) => {
            super::print_message("nothing to undo");
            return Ok(None);
        }
        Err(error @ NotUndone::Obstacle { .. }) => return Err(Failure::failed(anyhow!(error))),
    };
    let record = match undo {
        Undo::Change { change, answers, title } => {
            let name = change.name().unwrap_or_default().to_owned();
            let mut record = RunRecord::of_tasks(title, vec![(Task::Change(*change), name)], 1);
            record.rest.answers = answers;
            record
        }
        Undo::Batch(answer) => RunRecord::of_answer(&answer),
    };
    if !arguments.target.dry_run() {
        changes::print_line(&changes::shown(&record.run.title));
    }
    Ok(Some(Planned { record, deleted: history.deleted(recovery) }))
}
