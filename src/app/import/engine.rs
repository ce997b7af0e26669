//! Import: files and folders become assets, in batches at a service that takes them.
//!
//! What must hold: every path that is not taken is named with its reason; a file is read whole or not at all; nothing
//! is sent after a cancel; and no more than 64 MiB of content is in memory at a time, whatever is imported.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tokio::task::{Id, JoinError, JoinSet};

use crate::app::broken;
use crate::app::tasks::CancelFlag;
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
pub(in crate::app) use batch::{seeds_of, send_batch};
pub(in crate::app) use new::FAVOURITE_TAG;
pub use new::{ContentKind, NewAsset, NewWebsite};
pub use scan::{FileEntry, ScanResult, scan};
pub(in crate::app) use seed::content_of;
pub use seed::{LARGEST_FILE, LARGEST_FOREIGN_BINARY, seed, seed_of};

use sender::Sender;

/// A path that was not taken, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The path.
    pub path: PathBuf,
    /// Why, in lower case, with what to do where something can be done.
    pub reason: String,
}

impl Rejected {
    fn new(path: &Path, reason: impl Into<String>) -> Self {
        Self { path: path.to_owned(), reason: reason.into() }
    }
}

/// How far an import is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Files dealt with, taken or not.
    pub done: usize,
    /// Files found.
    pub total: usize,
    /// The file dealt with last; None before the first.
    pub last: Option<String>,
}

/// What came of an import. Every list is in the order of the survey.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportReport {
    /// Files that became assets.
    pub taken: Vec<(PathBuf, AssetId)>,
    /// Files that are already assets with the same name and content.
    pub existing: Vec<(PathBuf, AssetId)>,
    /// Files that could not be taken.
    pub refused: Vec<Rejected>,
    /// Files that may have been imported: they were sent, but the outcome is unknown.
    pub unknown: Vec<Rejected>,
    /// Skipped entries of a folder: symbolic links, and anything that is neither file nor folder.
    pub skipped: Vec<Rejected>,
    /// Skipped hidden and ignored files and folders; the content of such a folder is not counted.
    pub hidden: Vec<Rejected>,
    /// Whether it was cancelled; files not started by then are in no list.
    pub cancelled: bool,
    /// Why it ended early: the service is lost or refuses to create assets. Files not started by then are in no list.
    pub stopped: Option<CallError>,
}

/// How assets are sent to a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    /// One asset a request, bytes as numbers: any service.
    Single,
    /// One asset a request, in the compact form that Lunette's own service takes.
    Compact,
    /// Many assets a request, in that form; one a request if the service turns out not to offer that.
    Batches,
}

impl Sending {
    fn own_service(self) -> bool {
        match self {
            Self::Single => false,
            Self::Compact | Self::Batches => true,
        }
    }
}

/// Imports files and folders through this client. `own_service` says that the service is Lunette's own, which takes
/// content in a compact form, and many assets in one request.
pub async fn import(
    client: Client,
    paths: Vec<PathBuf>,
    own_service: bool,
    progress: impl FnMut(Progress),
    cancel: CancelFlag,
) -> ImportReport {
    let sending = if own_service { Sending::Batches } else { Sending::Single };
    import_through(client, paths, sending, progress, cancel).await
}

/// The same with anything that creates assets.
pub async fn import_through<C: CreateAssets>(
    create: C,
    paths: Vec<PathBuf>,
    sending: Sending,
    progress: impl FnMut(Progress),
    cancel: CancelFlag,
) -> ImportReport {
    let flag = cancel.clone();
    let surveyed = tokio::task::spawn_blocking(move || scan(&paths, flag.flag())).await;
    let ScanResult { files, refused, skipped, hidden } = match surveyed {
        Ok(plan) => plan,
        Err(panic) => {
            let stopped = broken(format!("could not search for files: {panic}"));
            return ImportReport { stopped: Some(stopped), ..ImportReport::default() };
        }
    };
    let report = ImportReport { refused, skipped, hidden, ..ImportReport::default() };
    let sender = Sender::new(create, sending, cancel.clone());
    send_all(sender, files, report, cancel, progress).await
}

/// The same with entries that are known, such as those of a library of another program.
pub async fn import_entries<C: CreateAssets>(
    create: C,
    entries: Vec<FileEntry>,
    sending: Sending,
    progress: impl FnMut(Progress),
    cancel: CancelFlag,
) -> ImportReport {
    let sender = Sender::new(create, sending, cancel.clone());
    send_all(sender, entries, ImportReport::default(), cancel, progress).await
}

/// The prefix of the reason if a file may have been imported although there was no response.
const UNKNOWN: &str = "it is unknown whether it was imported; check before importing it again";

/// What became of one file.
#[derive(Clone, Debug)]
enum Outcome {
    Taken(AssetId),
    Existing(AssetId),
    Rejected(String),
    Unknown(String),
    /// It was cancelled before it was sent.
    NotSent,
    /// Nothing more can be taken.
    Stopped(CallError),
}

impl ImportReport {
    fn add(&mut self, path: PathBuf, outcome: Outcome) {
        match outcome {
            Outcome::Taken(id) => self.taken.push((path, id)),
            Outcome::Existing(id) => self.existing.push((path, id)),
            Outcome::Rejected(reason) => self.refused.push(Rejected { path, reason }),
            Outcome::Unknown(reason) => self.unknown.push(Rejected { path, reason }),
            Outcome::NotSent | Outcome::Stopped(_) => {}
        }
    }
}

/// Sends all files, several requests at a time.
async fn send_all<C: CreateAssets>(
    sender: Sender<C>,
    files: Vec<FileEntry>,
    mut report: ImportReport,
    cancel: CancelFlag,
    mut progress: impl FnMut(Progress),
) -> ImportReport {
    let total = files.len();
    let mut waiting = files.into_iter().enumerate().peekable();
    let mut under_way = JoinSet::new();
    let mut outcomes = Vec::with_capacity(total);
    // The files of each task, for tasks that end without a result.
    let mut begun = HashMap::new();
    progress(Progress { done: 0, total, last: None });
    loop {
        while under_way.len() < sender.in_flight() && report.stopped.is_none() && !cancel.cancelled() {
            // A duplicate waits until what it is a duplicate of was made.
            if !under_way.is_empty() && waiting.peek().is_some_and(|(_, file)| file.is_duplicate()) {
                break;
            }
            let files = batch::next_files(&mut waiting, sender.batches());
            if files.is_empty() {
                break;
            }
            let sent = files.iter().map(|(_, file)| file.clone()).collect();
            let task = under_way.spawn(sender.clone().send(sent));
            begun.insert(task.id(), files);
        }
        let Some(ended) = under_way.join_next_with_id().await else { break };
        let (id, ended) = outcomes_of(ended);
        for (number, (place, file)) in begun.remove(&id).into_iter().flatten().enumerate() {
            match ended(number) {
                Outcome::NotSent => continue,
                Outcome::Stopped(error) => _ = report.stopped.get_or_insert(error),
                outcome => outcomes.push((place, file.path, outcome)),
            }
            progress(Progress { done: outcomes.len(), total, last: Some(file.shown_as) });
        }
    }
    report.cancelled = cancel.cancelled() && outcomes.len() < total;
    outcomes.sort_by_key(|(place, ..)| *place);
    outcomes.into_iter().for_each(|(_, path, outcome)| report.add(path, outcome));
    report
}

/// The outcomes of a task by the number of its file; unknown ones if it ended without a result.
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
            Ok(id) => Outcome::Taken(id),
            Err(problem) => Outcome::Rejected(format!("the service created an asset without a usable id: {problem}")),
        },
        // Nothing more can be sent: the files that were not sent have no fault.
        Err(error)
            if error.missing() || matches!(error, CallError::Refused { .. } | CallError::Disconnected { .. }) =>
        {
            Outcome::Stopped(error)
        }
        Err(error) if error.outcome_unknown() => Outcome::Unknown(not_taken(&error)),
        Err(error) => Outcome::Rejected(not_taken(&error)),
    }
}

/// Why a file was not imported, or that the outcome is unknown.
pub(in crate::app) fn not_taken(error: &CallError) -> String {
    match error.outcome_unknown() {
        true => format!("{UNKNOWN}: {}", error.reason()),
        false => error.reason(),
    }
}

#[cfg(test)]
mod tests;
