//! New assets without a window, each a step of the history that the window shows and can undo.

use std::path::{Path, PathBuf};

use crate::app::import::engine::{self, FileEntry, ImportReport, Progress, Sending, import_through};
use crate::app::import::job::Step;
use crate::app::import::made;
use crate::app::tasks::CancelFlag;
use crate::app::write::headless::{HeadlessWriter, Written};
use crate::app::write::plan::not_done;
use crate::app::write::step;
use crate::app::{CallError, broken};
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
    progress: impl FnMut(Progress),
    cancel: CancelFlag,
) -> ImportReport {
    let step = begin(writer, format!("Imported {}", what(&paths)), &cancel);
    let report = import_through(step.clone(), paths, sending(writer), step.counting(progress), cancel).await;
    end(step, report).await
}

/// Imports entries that are known as one step of this title, in the same way.
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

fn begin(writer: &HeadlessWriter, title: String, cancel: &CancelFlag) -> Step {
    Step::new(writer.context.clone(), title, cancel.clone())
}

fn sending(writer: &HeadlessWriter) -> Sending {
    if writer.context.own { Sending::Batches } else { Sending::Single }
}

async fn end(step: Step, report: ImportReport) -> ImportReport {
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

/// Content of more bytes is not kept in the history. Our choice: the history has room for some large steps only.
const LARGE: usize = 1024 * 1024;

/// Makes an asset of a seed with so many bytes of content; fails with what became of it.
pub async fn create(writer: &HeadlessWriter, seed: Seed, size: usize) -> Result<Asset, Written> {
    let name = seed.tree().pointer("/asset/metadata/name").and_then(serde_json::Value::as_str);
    let title = name.map_or_else(|| "Created an asset".to_owned(), |name| format!("Created “{name}”"));
    let call = AssetsCreateNewAsset { transferables: Some(false), once: None, seed: Some(seed) };
    if size > LARGE {
        return create_large(writer, call, title).await;
    }
    let call = call.into();
    let (exchange, _) = step::call(&writer.context, &call, title, made).await.map_err(Written::Failed)?;
    let reply = exchange.outcome.map_err(failed)?;
    AssetsCreateNewAsset::output(reply).ok_or_else(|| Written::Unknown("the response is of no asset".to_owned()))
}

/// The same as a step that has a row for the asset and nothing of its content, as an import.
async fn create_large(writer: &HeadlessWriter, call: AssetsCreateNewAsset, title: String) -> Result<Asset, Written> {
    let step = Step::new(writer.context.clone(), title, CancelFlag::default());
    step.expect(1);
    let made = step.make(call).await;
    step.end().await;
    made.map_err(|error| match step.problem() {
        Some(problem) => Written::Failed(problem.to_owned()),
        None => failed(error),
    })
}

fn failed(error: CallError) -> Written {
    let end = not_done(error);
    if end.unknown { Written::Unknown(end.reason()) } else { Written::Failed(end.reason()) }
}
