//! The receipt of an import: what the service has of it, read back, and what is missing, with the reason.
//!
//! What must hold: an asset counts as existing only if the service returns it now. Each item and each file has one row,
//! even if nothing was sent for it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::stream::{self, StreamExt as _};
use serde_json::Value;

use super::engine::{FileEntry, ImportReport, Rejected};
use super::sources::{Planned, Reason, SourcePlan, Status, Updated};
use crate::tasks::CancelFlag;
use crate::{CallError, Transport};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSnapshot;

mod file;

pub use file::ReceiptKind;

/// The outcome of an item or a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It became an asset.
    Imported,
    /// It changed, and its asset was updated.
    Updated,
    /// An asset with its name and content existed before.
    AlreadyPresent,
    /// It was imported before and is unchanged.
    Unchanged,
    /// It was imported before and changed, but its asset was not updated.
    NotUpdated,
    /// It was excluded by a rule, such as items in the trash of the other program, or duplicates.
    LeftOut,
    /// It was not sent, because it was not chosen, or because the import ended early.
    NotSent,
    /// It was skipped: hidden, ignored, or neither a file nor a folder.
    Skipped,
    /// It could not be imported.
    #[default]
    Failed,
    /// It is unknown whether it was imported.
    Unknown,
    /// The service does not return its asset.
    NotReturned,
    /// Its asset was not read back, because the user cancelled.
    NotRead,
}

impl Outcome {
    /// Returns its name.
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
            Self::NotReturned => "not there",
            Self::NotRead => "not read back",
        }
    }

    /// Returns whether it should be an asset of the service.
    fn expects_asset(self) -> bool {
        !matches!(self, Self::LeftOut | Self::NotSent | Self::Skipped)
    }
}

/// The outcome of an item or a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReceiptRow {
    /// The path, and the item in it.
    pub origin: String,
    /// What became of it.
    pub outcome: Outcome,
    /// The asset.
    pub asset: Option<AssetId>,
    /// Its name on the service.
    pub name: String,
    /// Its tags on the service.
    pub tags: Vec<String>,
    /// The reason for the outcome.
    pub reason: String,
}

/// The outcomes of all items and files of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// A row for each item and each file.
    pub rows: Vec<ReceiptRow>,
    /// Whether reading back was cancelled.
    pub cancelled: bool,
}

/// How the items to send were chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All new items, as on the command line.
    All,
    /// The items that the user marked.
    Marked,
}

/// A finished import.
#[derive(Clone, Copy, Debug)]
pub struct Imported<'a> {
    /// The report of the import.
    pub report: &'a ImportReport,
    /// The libraries.
    pub plans: &'a [SourcePlan],
    /// The plain files that could be chosen.
    pub files: &'a [FileEntry],
    /// The results of updates.
    pub updated: &'a Updated,
    /// How the items to send were chosen.
    pub selection: Selection,
}

/// The maximum number of concurrent reads. Other services get fewer, as the pacing of the client allows.
const IN_FLIGHT: usize = 8;

impl Receipt {
    /// Returns the receipt of an import before reading back.
    pub fn of(imported: &Imported<'_>) -> Self {
        let Imported { report, plans, files, .. } = imported;
        let made = |outcome| move |(path, asset): &(PathBuf, AssetId)| row(path, outcome).about(asset);
        let new_assets = report.imported.iter().map(made(Outcome::Imported));
        let mut rows: Vec<_> = new_assets.chain(report.existing.iter().map(made(Outcome::AlreadyPresent))).collect();
        let sent: HashSet<&Path> =
            report.imported.iter().chain(&report.existing).map(|(path, _)| path.as_path()).collect();
        let not_imported = report.rejected.iter().chain(&report.unknown).map(|rejected| rejected.path.as_path());
        let processed: HashSet<&Path> = sent.into_iter().chain(not_imported).collect();
        let unsent = UnsentOutcomes::of(imported);
        for plan in *plans {
            let items = plan.items.iter().map(|planned| (plan.path_of(&planned.item), planned));
            let rest = items.filter(|(path, _)| !processed.contains(path.as_path()));
            rows.extend(rest.map(|(path, planned)| unsent.of_item(&path, planned)));
        }
        let rest = files.iter().filter(|file| !processed.contains(file.path.as_path()));
        rows.extend(rest.map(|file| row(&file.path, Outcome::NotSent).since(unsent.not_sent)));
        let lists = [(&report.rejected, Outcome::Failed), (&report.unknown, Outcome::Unknown)];
        let skipped = [(&report.skipped, Outcome::Skipped), (&report.hidden, Outcome::Skipped)];
        for (list, outcome) in lists.into_iter().chain(skipped) {
            rows.extend(list.iter().map(|Rejected { path, reason }| row(path, outcome).since(reason)));
        }
        Self { rows, cancelled: false }
    }

    /// Reads back the assets, with progress.
    #[must_use]
    pub async fn read_back<C: Transport>(
        mut self,
        client: &C,
        progress: impl Fn(usize, usize),
        cancel: &CancelFlag,
    ) -> Self {
        let rows = self.rows.iter().enumerate();
        let to_read: Vec<_> = rows.filter_map(|(index, row)| Some((index, row.asset.clone()?))).collect();
        let (all, done) = (to_read.len(), AtomicUsize::new(0));
        let read = |(index, asset): (usize, AssetId)| {
            let (client, cancel) = (client.clone(), cancel.clone());
            async move {
                let call = AssetSnapshot { asset, transferables: Some(false) };
                (index, if cancel.cancelled() { None } else { Some(client.call(call).await) })
            }
        };
        let mut answers = stream::iter(to_read.into_iter().map(read)).buffer_unordered(IN_FLIGHT);
        while let Some((index, answer)) = answers.next().await {
            let row = &mut self.rows[index];
            match answer {
                None => (row.outcome, self.cancelled) = (Outcome::NotRead, true),
                Some(Ok(found)) => {
                    row.name = found.view().name().unwrap_or_default().to_owned();
                    row.tags = tags(found.tree());
                }
                Some(Err(error)) => (row.outcome, row.reason) = (Outcome::NotReturned, not_returned(&error)),
            }
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
        }
        self
    }

    /// Returns the number of assets that the service returned.
    pub fn returned_count(&self) -> usize {
        self.rows.iter().filter(|row| row.is_returned()).count()
    }

    /// Returns the number of rows that should be assets of the service.
    pub fn expected_count(&self) -> usize {
        self.rows.iter().filter(|row| row.outcome.expects_asset()).count()
    }
}

/// The outcomes of items that were not sent.
struct UnsentOutcomes<'a> {
    updated: HashSet<&'a AssetId>,
    up_to_date: HashSet<&'a AssetId>,
    skipped: HashMap<&'a AssetId, &'a str>,
    failed: HashMap<&'a AssetId, &'a str>,
    not_sent: &'static str,
    not_updated: &'static str,
}

impl<'a> UnsentOutcomes<'a> {
    fn of(imported: &Imported<'a>) -> Self {
        let Imported { report, updated, selection, .. } = imported;
        let reasons = |list: &'a [Reason]| list.iter().map(|(asset, _, why)| (asset, why.as_str())).collect();
        let early = report.cancelled || report.stopped.is_some();
        let (not_sent, not_updated) = match (selection, early) {
            (Selection::All, _) => {
                ("the import ended before it was reached", "it has changed; use --changed to update the asset")
            }
            (Selection::Marked, false) => ("it was not marked", "it has changed, but was not marked"),
            (Selection::Marked, true) => {
                let why = "it was not marked, or the import ended before it was reached";
                (why, why)
            }
        };
        Self {
            updated: updated.updated.iter().map(|(asset, _)| asset).collect(),
            up_to_date: updated.up_to_date.iter().collect(),
            skipped: reasons(&updated.skipped),
            failed: reasons(&updated.failed),
            not_sent,
            not_updated,
        }
    }

    fn of_item(&self, path: &Path, planned: &Planned) -> ReceiptRow {
        match &planned.status {
            Status::Same(asset) => row(path, Outcome::Unchanged).about(asset),
            Status::Changed(asset, _) if self.up_to_date.contains(asset) => row(path, Outcome::Unchanged).about(asset),
            Status::Changed(asset, _) if self.updated.contains(asset) => row(path, Outcome::Updated).about(asset),
            Status::Changed(asset, _) => {
                let why = self.skipped.get(asset).or_else(|| self.failed.get(asset)).copied();
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
    /// Returns whether the service returned its asset.
    pub fn is_returned(&self) -> bool {
        self.asset.is_some() && !matches!(self.outcome, Outcome::NotReturned | Outcome::NotRead)
    }

    fn about(self, asset: &AssetId) -> Self {
        Self { asset: Some(asset.clone()), ..self }
    }

    fn since(self, reason: &str) -> Self {
        Self { reason: reason.to_owned(), ..self }
    }
}

/// Returns the texts of the tags of a record.
fn tags(record: &Value) -> Vec<String> {
    let tags = record.pointer("/tags/iterable").and_then(Value::as_array).into_iter().flatten();
    let text = |tag: &Value| {
        tag.get("text").or_else(|| tag.pointer("/reference/text")).and_then(Value::as_str).map(str::to_owned)
    };
    tags.filter_map(text).collect()
}

fn not_returned(error: &CallError) -> String {
    format!("the service did not return it: {}", error.reason())
}
