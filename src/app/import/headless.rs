//! New assets without a window, each a step of the history that the window shows and can undo.

use std::path::{Path, PathBuf};

use crate::app::broken;
use crate::app::import::engine::{ImportReport, Progress, Sending, import_through};
use crate::app::import::job::Step;
use crate::app::import::made;
use crate::app::tasks::CancelFlag;
use crate::app::write::headless::{HeadlessWriter, Written};
use crate::app::write::plan::not_done;
use crate::app::write::step;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::Seed;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsCreateNewAsset;

/// Imports files and folders as one step, which is on disk before the first of them is sent. A service of ours takes
/// many in one request.
pub async fn import(
    writer: &HeadlessWriter,
    paths: Vec<PathBuf>,
    mut progress: impl FnMut(Progress),
    cancel: CancelFlag,
) -> ImportReport {
    let step = Step::new(writer.context.clone(), format!("Imported {}", what(&paths)), cancel.clone());
    let (create, counting) = (step.clone(), step.clone());
    let progress = move |now: Progress| {
        counting.expect(now.total);
        progress(now);
    };
    let sending = if writer.context.own { Sending::Batches } else { Sending::Single };
    let report = import_through(create, paths, sending, progress, cancel).await;
    step.end().await;
    match step.problem() {
        Some(problem) => ImportReport { cancelled: false, stopped: Some(broken(problem)), ..report },
        None => report,
    }
}

/// What is imported, within a sentence.
pub(super) fn what(paths: &[PathBuf]) -> String {
    match paths {
        [path] => name(path),
        paths => format!("{} files and folders", paths.len()),
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Makes an asset; fails with what became of it.
pub async fn create(writer: &HeadlessWriter, seed: Seed) -> Result<Asset, Written> {
    let name = seed.tree().pointer("/asset/metadata/name").and_then(serde_json::Value::as_str);
    let title = name.map_or_else(|| "Created an asset".to_owned(), |name| format!("Created “{name}”"));
    let call = AssetsCreateNewAsset { transferables: Some(false), once: None, seed: Some(seed) }.into();
    let (exchange, _) = step::call(&writer.context, &call, title, made).await.map_err(Written::Failed)?;
    let reply = exchange.outcome.map_err(|error| {
        let end = not_done(error);
        if end.unknown { Written::Unknown(end.reason()) } else { Written::Failed(end.reason()) }
    })?;
    AssetsCreateNewAsset::output(reply).ok_or_else(|| Written::Unknown("the response is of no asset".to_owned()))
}
