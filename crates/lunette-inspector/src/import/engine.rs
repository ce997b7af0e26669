//! The import engine: files and folders become assets, in batches if the service supports them.
//!
//! What must hold: every path that is not imported is reported with the reason; a file is read whole or not at all;
//! nothing is sent after a cancellation; at most 64 MiB of content is in memory at a time.

use std::collections::HashMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use tokio::task::{Id, JoinError, JoinSet};

use crate::Vendor;
use crate::internal_error;
use crate::tasks::{CancelFlag, blocking};
use lunette_client::client::{CallError, Client};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;

mod batch;
mod decode;
mod new;
mod scan;
mod seed;
mod sender;

pub use batch::CreateAssets;
pub(crate) use batch::{seeds_of, send_batch};
pub(crate) use new::FAVOURITE_TAG;
pub use new::{ContentKind, NewAsset, NewWebsite, TakenIds};
pub use scan::{FileEntry, ScanResult, scan};
pub(crate) use seed::content_of;
pub use seed::{MAX_FILE_SIZE, MAX_FOREIGN_BINARY_SIZE, SeedError, seed, seed_of};

use sender::Sender;

/// A path that was not imported, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The path.
    pub path: PathBuf,
    /// The reason in lower case, with advice if there is any.
    pub reason: String,
}

impl Rejected {
    fn new(path: &Path, reason: impl Display) -> Self {
        Self { path: path.to_owned(), reason: reason.to_string() }
    }
}

/// The progress of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of processed files, imported or not.
    pub done: usize,
    /// The number of files found.
    pub total: usize,
    /// The last processed file; `None` before the first.
    pub last: Option<String>,
}

/// The result of an import. Every list is in the order of the scan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportReport {
    /// Files that became assets.
    pub imported: Vec<(PathBuf, AssetId)>,
    /// Files that are already assets with the same name and content.
    pub existing: Vec<(PathBuf, AssetId)>,
    /// Files that could not be imported.
    pub rejected: Vec<Rejected>,
    /// Files that may have been imported: they were sent, but the outcome is unknown.
    pub unknown: Vec<Rejected>,
    /// Skipped entries of a folder: symbolic links, and anything that is neither file nor folder.
    pub skipped: Vec<Rejected>,
    /// Skipped hidden and ignored files and folders; the content of such a folder is not counted.
    pub hidden: Vec<Rejected>,
    /// Whether it was cancelled; files that were not started are in no list.
    pub cancelled: bool,
    /// Why it ended early: the service is lost or refuses to create assets. Files that were not started are in no list.
    pub stopped: Option<CallError>,
}

/// How assets are sent to a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendMode {
    /// One asset per request, with bytes as numbers, for any service.
    Single,
    /// One asset per request, in the compact form of Lunette's own service.
    Compact,
    /// Many assets per request, in that form; one per request if the service does not support batches.
    Batches,
}

impl SendMode {
    /// The service that it is for.
    fn vendor(self) -> Vendor {
        match self {
            Self::Single => Vendor::Other,
            Self::Compact | Self::Batches => Vendor::Lunette,
        }
    }
}

/// Imports files and folders through this client. Lunette's own service takes content
/// in a compact form and many assets in one request.
pub async fn import(
    client: Client,
    paths: Vec<PathBuf>,
    vendor: Vendor,
    progress: impl FnMut(Progress),
    cancel: CancelFlag,
) -> ImportReport {
    let sending = if vendor.is_lunette() { SendMode::Batches } else { SendMode::Single };
    import_through(client, paths, sending, progress, cancel).await
}

/// Does the same with anything that creates assets.
pub async fn import_through<C: CreateAssets>(
    create: C,
    paths: Vec<PathBuf>,
    sending: SendMode,
    progress: impl FnMut(Progress),
    cancel: CancelFlag,
) -> ImportReport {
    let flag = cancel.clone();
    let scanned = blocking(move || scan(&paths, flag.flag())).await;
    let ScanResult { files, rejected, skipped, hidden } = match scanned {
        Ok(plan) => plan,
        Err(panic) => {
            let stopped = internal_error(format!("could not search for files: {panic}"));
            return ImportReport { stopped: Some(stopped), ..ImportReport::default() };
        }
    };
    let report = ImportReport { rejected, skipped, hidden, ..ImportReport::default() };
    let sender = Sender::new(create, sending, cancel.clone());
    send_all(sender, files, report, cancel, progress).await
}

/// Does the same with these entries, such as those of a library of another program.
pub async fn import_entries<C: CreateAssets>(
    create: C,
    entries: Vec<FileEntry>,
    sending: SendMode,
    progress: impl FnMut(Progress),
    cancel: CancelFlag,
) -> ImportReport {
    let sender = Sender::new(create, sending, cancel.clone());
    send_all(sender, entries, ImportReport::default(), cancel, progress).await
}

/// The prefix of the reason if a file may have been imported although there was no response.
const UNKNOWN: &str = "it is unknown whether it was imported; check before importing it again";

/// The outcome of one file.
#[derive(Clone, Debug)]
enum Outcome {
    Imported(AssetId),
    Existing(AssetId),
    Rejected(String),
    Unknown(String),
    /// It was not sent, since the import was cancelled.
    NotSent,
    /// No more files can be imported.
    Stopped(Box<CallError>),
}

impl ImportReport {
    fn add(&mut self, path: PathBuf, outcome: Outcome) {
        match outcome {
            Outcome::Imported(id) => self.imported.push((path, id)),
            Outcome::Existing(id) => self.existing.push((path, id)),
            Outcome::Rejected(reason) => self.rejected.push(Rejected { path, reason }),
            Outcome::Unknown(reason) => self.unknown.push(Rejected { path, reason }),
            Outcome::NotSent | Outcome::Stopped(_) => {}
        }
    }
}

/// Sends all files, with several concurrent requests.
async fn send_all<C: CreateAssets>(
    sender: Sender<C>,
    files: Vec<FileEntry>,
    mut report: ImportReport,
    cancel: CancelFlag,
    mut progress: impl FnMut(Progress),
) -> ImportReport {
    let total = files.len();
    let mut waiting = files.into_iter().enumerate().peekable();
    let mut in_flight = JoinSet::new();
    let mut outcomes = Vec::with_capacity(total);
    // The files of each task, for tasks that end without a result.
    let mut begun = HashMap::new();
    progress(Progress { done: 0, total, last: None });
    loop {
        while in_flight.len() < sender.in_flight() && report.stopped.is_none() && !cancel.cancelled() {
            // A duplicate waits until its original was created.
            if !in_flight.is_empty() && waiting.peek().is_some_and(|(_, file)| file.is_duplicate()) {
                break;
            }
            let files = batch::next_files(&mut waiting, sender.batches());
            if files.is_empty() {
                break;
            }
            let sent = files.iter().map(|(_, file)| file.clone()).collect();
            let task = in_flight.spawn(sender.clone().send(sent));
            begun.insert(task.id(), files);
        }
        let Some(ended) = in_flight.join_next_with_id().await else { break };
        let (id, ended) = outcomes_of(ended);
        for (number, (index, file)) in begun.remove(&id).into_iter().flatten().enumerate() {
            match ended(number) {
                Outcome::NotSent => continue,
                Outcome::Stopped(error) => _ = report.stopped.get_or_insert(*error),
                outcome => outcomes.push((index, file.path, outcome)),
            }
            progress(Progress { done: outcomes.len(), total, last: Some(file.display_path) });
        }
    }
    report.cancelled = cancel.cancelled() && outcomes.len() < total;
    outcomes.sort_by_key(|(index, ..)| *index);
    outcomes.into_iter().for_each(|(_, path, outcome)| report.add(path, outcome));
    report
}

/// Returns the outcomes of a task by file index; they are unknown if it ended without a result.
fn outcomes_of(ended: Result<(Id, Vec<Outcome>), JoinError>) -> (Id, impl Fn(usize) -> Outcome) {
    let (id, ended) = match ended {
        Ok((id, ended)) => (id, Ok(ended)),
        Err(panic) => (panic.id(), Err(format!("{UNKNOWN}: the request was interrupted: {panic}"))),
    };
    let outcome = move |number: usize| match &ended {
        Ok(ended) => ended.get(number).cloned().unwrap_or(Outcome::NotSent),
        Err(panic) => Outcome::Unknown(panic.clone()),
    };
    (id, outcome)
}

fn outcome(answer: Result<Asset, CallError>) -> Outcome {
    match answer {
        Ok(asset) => match asset.view().id().parse() {
            Ok(id) if asset.tree().get("existing").is_some_and(|existing| existing == true) => Outcome::Existing(id),
            Ok(id) => Outcome::Imported(id),
            Err(_) if !asset.view().tells("id") => Outcome::Unknown(format!("{UNKNOWN}: the response does not say")),
            Err(problem) => Outcome::Rejected(format!("the service created an asset without a usable id: {problem}")),
        },
        // No more can be sent; unsent files are not reported as failed.
        Err(error)
            if error.missing() || matches!(error, CallError::Refused { .. } | CallError::Disconnected { .. }) =>
        {
            Outcome::Stopped(Box::new(error))
        }
        Err(error) if error.outcome_unknown() => Outcome::Unknown(failure_reason(&error)),
        Err(error) => Outcome::Rejected(failure_reason(&error)),
    }
}

/// Returns why a file was not imported, or that the outcome is unknown.
pub(crate) fn failure_reason(error: &CallError) -> String {
    match error.outcome_unknown() {
        true => format!("{UNKNOWN}: {}", error.reason()),
        false => error.reason(),
    }
}

#[cfg(test)]
mod tests;
