//! Creates assets without a window, each as a step of the history that the window can undo.

use std::path::{Path, PathBuf};

use futures_util::future::BoxFuture;

use crate::import::engine::{self, FileEntry, ImportReport, Progress, SendMode, import_through};
use crate::import::job::{ImportJob, ImportRows};
use crate::import::undoable_change;
use crate::tasks::CancelFlag;
use crate::write::created::shortened;
use crate::write::headless::{HeadlessWriter, Written};
use crate::write::journaled;
use crate::write::plan::not_done;
use crate::{CallError, internal_error};
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::Seed;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsCreateNewAsset;

/// Imports files and folders as one step, which is on disk before the first file is sent. Our own service takes many
/// files in one request.
pub async fn import(
    writer: &HeadlessWriter,
    paths: Vec<PathBuf>,
    progress: impl FnMut(Progress),
    cancel: CancelFlag,
) -> ImportReport {
    let step = begin(writer, format!("Imported {}", what(&paths)), &cancel);
    let report = import_through(step.clone(), paths, sending(writer), step.counting(progress), cancel).await;
    end(step, report).await
}

/// Imports these entries as one step with this title, in the same way.
pub async fn import_entries(
    writer: &HeadlessWriter,
    title: String,
    entries: Vec<FileEntry>,
    progress: impl FnMut(Progress),
    cancel: CancelFlag,
) -> ImportReport {
    let step = begin(writer, title, &cancel);
    let report = engine::import_entries(step.clone(), entries, sending(writer), step.counting(progress), cancel).await;
    end(step, report).await
}

fn begin(writer: &HeadlessWriter, title: String, cancel: &CancelFlag) -> ImportJob {
    ImportJob::new(writer.context.clone(), title, cancel.clone(), ImportRows::Counted)
}

fn sending(writer: &HeadlessWriter) -> SendMode {
    if writer.context.vendor.is_lunette() { SendMode::Batches } else { SendMode::Single }
}

async fn end(step: ImportJob, report: ImportReport) -> ImportReport {
    step.end().await;
    match step.problem() {
        Some(problem) => {
            ImportReport { cancelled: false, stopped: Some(internal_error(problem.to_string())), ..report }
        }
        None => report,
    }
}

/// Returns what is imported, for use in a sentence.
pub(super) fn what(paths: &[PathBuf]) -> String {
    match paths {
        [path] => name(path),
        paths => format!("{} files and folders", paths.len()),
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Larger content is not stored in the history, in bytes. Our choice: the history has room for few large steps.
const MAX_RECORDED_SIZE: usize = 1024 * 1024;

/// Creates an asset from a seed with content of this size. The history has large content by its digest, so that the asset
/// can be looked for if the response is lost.
///
/// The future is boxed, so that its code is compiled here and not again in each crate that awaits it.
pub fn create(writer: &HeadlessWriter, seed: Seed, size: usize) -> BoxFuture<'_, Result<Asset, Written>> {
    Box::pin(async move {
        let name = seed.tree().pointer("/asset/metadata/name").and_then(serde_json::Value::as_str);
        let title = name.map_or_else(|| "Created an asset".to_owned(), |name| format!("Created “{name}”"));
        let call = AssetsCreateNewAsset { transferables: Some(false), once: None, seed: Some(seed) };
        let body =
            call.seed.as_ref().filter(|_| size > MAX_RECORDED_SIZE).map(|seed| shortened(seed.tree()).to_string());
        let call = call.into();
        let sent = match body {
            Some(body) => journaled::call_shortened(&writer.context, &call, title, body, undoable_change).await,
            None => journaled::call(&writer.context, &call, title, undoable_change).await,
        };
        let reply = sent.map_err(|error| Written::Failed(error.to_string()))?.outcome.map_err(failed)?;
        AssetsCreateNewAsset::output(reply).ok_or_else(|| Written::Unknown("the response contains no asset".to_owned()))
    })
}

fn failed(error: CallError) -> Written {
    let end = not_done(error);
    if end.unknown { Written::Unknown(end.reason()) } else { Written::Failed(end.reason()) }
}
