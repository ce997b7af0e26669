//! The receipt of an import: what the service has of it, read back, and what it does not have, and why.
//!
//! What must hold: nothing is taken from what was sent. An asset is there only if the service returns it now. Each item
//! and each file has one row, also where nothing was sent of it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::stream::{self, StreamExt as _};
use serde_json::Value;

use super::engine::{FileEntry, ImportReport, Rejected};
use super::sources::{Planned, Reason, SourcePlan, Status, Updated};
use crate::app::tasks::CancelFlag;
use crate::app::{CallError, Transport};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSnapshot;

mod file;

pub use file::ReceiptKind;

/// What became of an item or a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It became an asset.
    Imported,
    /// Its asset was updated, because it has changed.
    Updated,
    /// There is an asset of its name and content, which was there before.
    AlreadyPresent,
    /// It was imported before and has not changed.
    Unchanged,
    /// It was imported before and has changed; its asset stays as it is.
    NotUpdated,
    /// It was left out by a rule, such as what is in the trash of the other program, or is there twice.
    LeftOut,
    /// It was not sent, since it was not chosen, or the import ended before it.
    NotSent,
    /// It was skipped: hidden, ignored, or neither a file nor a folder.
    Skipped,
    /// It could not be imported.
    #[default]
    Failed,
    /// It is unknown whether it was imported.
    Unknown,
    /// The service does not return its asset.
    NotThere,
    /// Its asset was not read back, because the user cancelled.
    NotRead,
}

impl Outcome {
    /// The outcome in a word or two.
    pub fn word(self) -> &'static str {
        match self {
            Self::Imported => "imported",
            Self::Updated => "updated",
            Self::AlreadyPresent => "already present",
            Self::Unchanged => "unchanged",
            Self::NotUpdated => "not updated",
            Self::LeftOut => "left out",
            Self::NotSent => "not sent",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
            Self::NotThere => "not there",
            Self::NotRead => "not read back",
        }
    }

    /// Whether it should be an asset of the service.
    fn is_wanted(self) -> bool {
        !matches!(self, Self::LeftOut | Self::NotSent | Self::Skipped)
    }
}

/// What became of an item or a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReceiptRow {
    /// The path, and the item in it.
    pub origin: String,
    /// What became of it.
    pub outcome: Outcome,
    /// The asset.
    pub asset: Option<AssetId>,
    /// Its name at the service.
    pub name: String,
    /// Its tags at the service.
    pub tags: Vec<String>,
    /// Why it is not there, or is as it is.
    pub reason: String,
}

/// What became of everything that an import was about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// A row for each item and each file.
    pub rows: Vec<ReceiptRow>,
    /// Whether it was cancelled, so that the last rows were not read back.
    pub cancelled: bool,
}

/// How it was chosen what is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// All that is new, as on the command line.
    All,
    /// What the user marked.
    Marked,
}

/// An import that has ended.
#[derive(Clone, Copy, Debug)]
pub struct Imported<'a> {
    /// What came of what was sent.
    pub report: &'a ImportReport,
    /// The libraries.
    pub plans: &'a [SourcePlan],
    /// Plain files that could be chosen.
    pub files: &'a [FileEntry],
    /// What became of assets whose items have changed.
    pub updated: &'a Updated,
    /// How it was chosen what is sent.
    pub chosen: Chosen,
}

/// How many assets are read at once. A service of others gets fewer, as the pace of its client allows.
const IN_FLIGHT: usize = 8;

impl Receipt {
    /// The receipt of an import before anything is read back.
    pub fn of(imported: &Imported<'_>) -> Self {
        let Imported { report, plans, files, .. } = imported;
        let made = |outcome| move |(path, asset): &(PathBuf, AssetId)| row(path, outcome).about(asset);
        let taken = report.taken.iter().map(made(Outcome::Imported));
        let mut rows: Vec<_> = taken.chain(report.existing.iter().map(made(Outcome::AlreadyPresent))).collect();
        let sent: HashSet<&Path> =
            report.taken.iter().chain(&report.existing).map(|(path, _)| path.as_path()).collect();
        let not_taken = report.refused.iter().chain(&report.unknown).map(|rejected| rejected.path.as_path());
        let dealt_with: HashSet<&Path> = sent.into_iter().chain(not_taken).collect();
        let fates = Fates::of(imported);
        for plan in *plans {
            let items = plan.items.iter().map(|planned| (plan.path_of(&planned.item), planned));
            let rest = items.filter(|(path, _)| !dealt_with.contains(path.as_path()));
            rows.extend(rest.map(|(path, planned)| fates.of_item(&path, planned)));
        }
        let rest = files.iter().filter(|file| !dealt_with.contains(file.path.as_path()));
        rows.extend(rest.map(|file| row(&file.path, Outcome::NotSent).since(fates.not_sent)));
        let lists = [(&report.refused, Outcome::Failed), (&report.unknown, Outcome::Unknown)];
        let skipped = [(&report.skipped, Outcome::Skipped), (&report.hidden, Outcome::Skipped)];
        for (list, outcome) in lists.into_iter().chain(skipped) {
            rows.extend(list.iter().map(|Rejected { path, reason }| row(path, outcome).since(reason)));
        }
        Self { rows, cancelled: false }
    }

    /// Reads back the assets; tells how many of how many were read.
    #[must_use]
    pub async fn read_back<C: Transport>(
        mut self,
        client: &C,
        progress: impl Fn(usize, usize),
        cancel: &CancelFlag,
    ) -> Self {
        let places = self.rows.iter().enumerate();
        let wanted: Vec<_> = places.filter_map(|(place, row)| Some((place, row.asset.clone()?))).collect();
        let (all, done) = (wanted.len(), AtomicUsize::new(0));
        let read = |(place, asset): (usize, AssetId)| {
            let (client, cancel) = (client.clone(), cancel.clone());
            async move {
                let call = AssetSnapshot { asset, transferables: Some(false) };
                (place, if cancel.cancelled() { None } else { Some(client.call(call).await) })
            }
        };
        let mut answers = stream::iter(wanted.into_iter().map(read)).buffer_unordered(IN_FLIGHT);
        while let Some((place, answer)) = answers.next().await {
            let row = &mut self.rows[place];
            match answer {
                None => (row.outcome, self.cancelled) = (Outcome::NotRead, true),
                Some(Ok(found)) => {
                    row.name = found.view().name().unwrap_or_default().to_owned();
                    row.tags = tags(found.tree());
                }
                Some(Err(error)) => (row.outcome, row.reason) = (Outcome::NotThere, not_there(&error)),
            }
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
        }
        self
    }

    /// How many assets the service returned.
    pub fn there(&self) -> usize {
        self.rows.iter().filter(|row| row.is_there()).count()
    }

    /// How many rows should be assets of the service.
    pub fn wanted(&self) -> usize {
        self.rows.iter().filter(|row| row.outcome.is_wanted()).count()
    }
}

/// What became of items of which nothing new was sent.
struct Fates<'a> {
    updated: HashSet<&'a AssetId>,
    settled: HashSet<&'a AssetId>,
    kept: HashMap<&'a AssetId, &'a str>,
    failed: HashMap<&'a AssetId, &'a str>,
    not_sent: &'static str,
    not_updated: &'static str,
}

impl<'a> Fates<'a> {
    fn of(imported: &Imported<'a>) -> Self {
        let Imported { report, updated, chosen, .. } = imported;
        let reasons = |list: &'a [Reason]| list.iter().map(|(asset, _, why)| (asset, why.as_str())).collect();
        let early = report.cancelled || report.stopped.is_some();
        let (not_sent, not_updated) = match (chosen, early) {
            (Chosen::All, _) => ("the import ended before it", "it has changed since; --changed updates the asset"),
            (Chosen::Marked, false) => ("it was not marked", "it has changed since, and was not marked"),
            (Chosen::Marked, true) => {
                let why = "it was not marked, or the import ended before it";
                (why, why)
            }
        };
        Self {
            updated: updated.updated.iter().map(|(asset, _)| asset).collect(),
            settled: updated.settled.iter().collect(),
            kept: reasons(&updated.kept),
            failed: reasons(&updated.failed),
            not_sent,
            not_updated,
        }
    }

    fn of_item(&self, path: &Path, planned: &Planned) -> ReceiptRow {
        match &planned.status {
            Status::Same(asset) => row(path, Outcome::Unchanged).about(asset),
            Status::Changed(asset, _) if self.settled.contains(asset) => row(path, Outcome::Unchanged).about(asset),
            Status::Changed(asset, _) if self.updated.contains(asset) => row(path, Outcome::Updated).about(asset),
            Status::Changed(asset, _) => {
                let why = self.kept.get(asset).or_else(|| self.failed.get(asset)).copied();
                row(path, Outcome::NotUpdated).about(asset).since(why.unwrap_or(self.not_updated))
            }
            Status::LeftOut(why) => row(path, Outcome::LeftOut).since(why),
            Status::New | Status::Doubtful(_) => row(path, Outcome::NotSent).since(self.not_sent),
        }
    }
}

fn row(path: &Path, outcome: Outcome) -> ReceiptRow {
    ReceiptRow { origin: path.to_string_lossy().into_owned(), outcome, ..ReceiptRow::default() }
}

impl ReceiptRow {
    /// Whether the service returned its asset.
    pub fn is_there(&self) -> bool {
        self.asset.is_some() && !matches!(self.outcome, Outcome::NotThere | Outcome::NotRead)
    }

    fn about(self, asset: &AssetId) -> Self {
        Self { asset: Some(asset.clone()), ..self }
    }

    fn since(self, reason: &str) -> Self {
        Self { reason: reason.to_owned(), ..self }
    }
}

/// The texts of the tags of a record.
fn tags(record: &Value) -> Vec<String> {
    let tags = record.pointer("/tags/iterable").and_then(Value::as_array).into_iter().flatten();
    let text = |tag: &Value| {
        tag.get("text").or_else(|| tag.pointer("/reference/text")).and_then(Value::as_str).map(str::to_owned)
    };
    tags.filter_map(text).collect()
}

fn not_there(error: &CallError) -> String {
    format!("the service did not return it: {}", error.reason())
}
