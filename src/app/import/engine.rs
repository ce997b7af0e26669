//! Import: files and folders become assets, eight in flight.
//!
//! What must hold: every path that is not taken is named with its reason; a file is read whole or not at all; nothing
//! is sent after a cancel; and no more than 64 MiB of content is in memory at a time, whatever is imported.

use std::collections::HashMap;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::app::broken;
use crate::app::tasks::CancelFlag;
use lunette_client::client::{CallError, Client};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetsCreateNewAsset;

mod decode;
mod scan;
mod seed;

pub use scan::{FileEntry, ScanResult, scan};
pub use seed::{LARGEST_FILE, LARGEST_FOREIGN_BINARY, seed, seed_of};

/// How many files are on their way at a time.
const IN_FLIGHT: usize = 8;

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

/// Imports files and folders through this client. `own_service` says that the service is Lunette's own, which takes
/// content in a compact form.
pub async fn import(
    client: Client,
    paths: Vec<PathBuf>,
    own_service: bool,
    progress: impl FnMut(Progress),
    cancel: CancelFlag,
) -> ImportReport {
    let send = move |create| {
        let client = client.clone();
        async move { client.call(create).await }
    };
    import_through(send, paths, own_service, progress, cancel).await
}

/// The same with any transport.
pub async fn import_through<S, F>(
    send: S,
    paths: Vec<PathBuf>,
    own_service: bool,
    progress: impl FnMut(Progress),
    cancel: CancelFlag,
) -> ImportReport
where
    S: Fn(AssetsCreateNewAsset) -> F + Clone + Send + 'static,
    F: Future<Output = Result<Asset, CallError>> + Send + 'static,
{
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
    Run { send, own_service, cancel, memory: Arc::new(Semaphore::new(MEMORY_MIB as usize)) }
        .all(files, report, progress)
        .await
}

/// The content that may be in memory at a time, in MiB.
const MEMORY_MIB: u32 = 64;

/// The prefix of the reason if a file may have been imported although there was no response.
const UNKNOWN: &str = "it is unknown whether it was imported; check before importing it again";

/// What became of one file.
enum Outcome {
    Taken(AssetId),
    Existing(AssetId),
    Rejected(String),
    Unknown(String),
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
            Outcome::Stopped(_) => {}
        }
    }
}

struct Run<S> {
    send: S,
    own_service: bool,
    cancel: CancelFlag,
    memory: Arc<Semaphore>,
}

impl<S, F> Run<S>
where
    S: Fn(AssetsCreateNewAsset) -> F + Clone + Send + 'static,
    F: Future<Output = Result<Asset, CallError>> + Send + 'static,
{
    async fn all(
        self,
        files: Vec<FileEntry>,
        mut report: ImportReport,
        mut progress: impl FnMut(Progress),
    ) -> ImportReport {
        let total = files.len();
        let mut waiting = files.into_iter().enumerate();
        let mut under_way = JoinSet::new();
        let mut outcomes = Vec::with_capacity(total);
        // The file of each task, for tasks that end without a result.
        let mut begun = HashMap::new();
        progress(Progress { done: 0, total, last: None });
        loop {
            while under_way.len() < IN_FLIGHT && report.stopped.is_none() && !self.cancel.cancelled() {
                let Some((place, file)) = waiting.next() else { break };
                let task = under_way.spawn(self.one(file.clone()));
                begun.insert(task.id(), (place, file));
            }
            let Some(ended) = under_way.join_next_with_id().await else { break };
            let (id, outcome) = match ended {
                Ok(ended) => ended,
                Err(panic) => {
                    (panic.id(), Outcome::Unknown(format!("{UNKNOWN}: the request was interrupted: {panic}")))
                }
            };
            let Some((place, file)) = begun.remove(&id) else { continue };
            match outcome {
                Outcome::Stopped(error) => report.stopped = Some(error),
                outcome => outcomes.push((place, file.path, outcome)),
            }
            progress(Progress { done: outcomes.len(), total, last: Some(file.shown_as) });
        }
        report.cancelled = self.cancel.cancelled() && outcomes.len() < total;
        outcomes.sort_by_key(|(place, ..)| *place);
        outcomes.into_iter().for_each(|(_, path, outcome)| report.add(path, outcome));
        report
    }

    fn one(&self, file: FileEntry) -> impl Future<Output = Outcome> + use<S, F> {
        let (send, own_service, memory) = (self.send.clone(), self.own_service, self.memory.clone());
        async move {
            let mib = u32::try_from(file.size / (1024 * 1024)).unwrap_or(MEMORY_MIB).clamp(1, MEMORY_MIB);
            let _held = memory.acquire_many_owned(mib).await;
            let read = tokio::task::spawn_blocking(move || seed(&file.path, &file.shown_as, own_service));
            match read.await {
                Ok(Ok(seed)) => {
                    let create = AssetsCreateNewAsset {
                        transferables: Some(false),
                        once: own_service.then_some(true),
                        seed: Some(seed),
                    };
                    outcome(send(create).await)
                }
                Ok(Err(refused)) => Outcome::Rejected(refused.reason),
                Err(panic) => Outcome::Rejected(format!("could not read it: {panic}")),
            }
        }
    }
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
