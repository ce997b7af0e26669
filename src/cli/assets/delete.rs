//! `lunette delete` and `lunette undelete`: moves assets to the Trash, and restores them.
//!
//! What must hold: a deletion can be undone as in the window: from the Trash of the service, or from a copy that was
//! kept.

use std::sync::Arc;

use anyhow::anyhow;

use lunette_client::model::id::AssetId;
use lunette_inspector::change::Change;
use lunette_inspector::listing::rows::TrashRow;
use lunette_inspector::runs::{BulkOperation, RunRecord, Task, trash_title};
use lunette_inspector::trash;

use crate::cli::asset_id::Selection;
use crate::cli::changes::{self, IN_FLIGHT};
use crate::cli::connect::{self, Access, Service, Wanted};
use crate::cli::target::WriteTarget;
use crate::cli::{Failure, asset_id, list};

/// What `delete` takes.
#[derive(Debug, clap::Args)]
pub struct DeleteArguments {
    #[command(flatten)]
    assets: Selection,
    #[command(flatten)]
    target: WriteTarget,
}

/// What `undelete` takes.
#[derive(Debug, clap::Args)]
pub struct UndeleteArguments {
    /// Deleted assets: their ids, the beginnings or ends of them, or their names; - reads them from standard input.
    /// Without any, the Trash is listed.
    #[arg(value_name = "ID")]
    assets: Vec<String>,
    #[command(flatten)]
    target: WriteTarget,
}

/// Deletes the assets.
pub fn delete(arguments: &DeleteArguments) -> Result<(), Failure> {
    let selected = arguments.assets.read()?;
    changes::run(&arguments.target, async |service: &Service| {
        let assets = selected.find(service).await?;
        if assets.is_empty() {
            return Ok(None);
        }
        let title = BulkOperation::Delete.title(assets.len());
        Ok(Some(RunRecord::of_operation(title, BulkOperation::Delete, &assets, IN_FLIGHT).into()))
    })
}

/// Restores the assets, or lists the Trash.
pub fn undelete(arguments: &UndeleteArguments) -> Result<(), Failure> {
    if arguments.assets.is_empty() {
        let wanted = Wanted { access: Access::Read, ..arguments.target.wanted() };
        let rows = connect::run(wanted.with(async |service: &Service| deleted(service).await))?;
        return list::print(
            &rows.iter().map(Arc::as_ref).collect::<Vec<_>>(),
            arguments.target.json(),
            list::Extent::All,
        );
    }
    let wanted = asset_id::with_standard_input(&arguments.assets)?;
    changes::run(&arguments.target, async |service: &Service| {
        let rows = deleted(service).await?;
        if wanted.is_empty() {
            crate::cli::print_message("there are no such assets, so nothing was done");
            return Ok(None);
        }
        let found = wanted.iter().map(|text| matching(&rows, text)).collect::<Result<Vec<_>, _>>()?;
        let tasks: Vec<_> = found
            .into_iter()
            .map(|(asset, name)| (Task::Change(Change::Restore { asset, name: name.clone() }), name))
            .collect();
        let title = match tasks.first() {
            Some((Task::Change(change), _)) => trash_title(change, tasks.len()),
            _ => None,
        };
        Ok(Some(RunRecord::of_tasks(title.unwrap_or_default(), tasks, IN_FLIGHT).into()))
    })
}

/// Returns the Trash, last deleted first.
async fn deleted(service: &Service) -> Result<Vec<Arc<TrashRow>>, Failure> {
    match trash::list(&service.client).await {
        Ok(rows) => Ok(rows),
        // A service without a Trash may take the path for that of an asset.
        Err(error) if error.missing() || !service.vendor.is_lunette() => Err(Failure::failed(anyhow!(
            "this service has no Trash ({error}); if Lunette deleted the asset, `lunette undo` creates it again from a \
             copy"
        ))),
        Err(error) => Err(connect::failure(error)),
    }
}

fn matching(rows: &[Arc<TrashRow>], text: &str) -> Result<(AssetId, String), Failure> {
    let assets = rows.iter().map(|row| &row.asset);
    asset_id::among(assets, text, "`lunette undelete` lists the Trash")
}
