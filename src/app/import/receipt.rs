//! The receipt of an import: what the service has of it, read back, and what it does not have, and why.
//!
//! What must hold: nothing is taken from what was sent. An asset is there only if the service returns it now.

use std::path::Path;

use serde_json::{Value, json};

use super::engine::{ImportReport, Rejected};
use crate::app::tasks::CancelFlag;
use crate::app::{CallError, Transport};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSnapshot;

/// The kinds of files that a receipt is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptKind {
    /// A table for spreadsheets.
    Csv,
    /// For programs.
    Json,
    /// A table for people.
    Markdown,
}

impl ReceiptKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Csv, Self::Json, Self::Markdown];

    /// The kind that a file with this extension has.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            "md" | "markdown" => Some(Self::Markdown),
            _ => None,
        }
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Markdown => "md",
        }
    }
}

/// What became of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReceiptRow {
    /// The path, and the item in it.
    pub origin: String,
    /// What became of it, in a word or two.
    pub outcome: &'static str,
    /// The id of the asset.
    pub asset: String,
    /// Its name at the service.
    pub name: String,
    /// Its tags at the service.
    pub tags: Vec<String>,
    /// Why it is not there.
    pub reason: String,
}

/// What became of everything that was imported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// A row for each path.
    pub rows: Vec<ReceiptRow>,
    /// Whether it was cancelled, so that the last rows were not read back.
    pub cancelled: bool,
}

/// The outcome of an asset that the service does not return.
pub const NOT_THERE: &str = "not there";
/// The outcome of an asset that was not read back, because the user cancelled.
pub const NOT_READ: &str = "not read back";

const COLUMNS: [&str; 6] = ["origin", "outcome", "asset", "name", "tags", "reason"];

impl Receipt {
    /// Reads back what was imported; tells how many of how many were read.
    pub async fn read_back<C: Transport>(
        client: &C,
        report: &ImportReport,
        progress: impl Fn(usize, usize),
        cancel: &CancelFlag,
    ) -> Self {
        let mut receipt = Self::default();
        let all = report.taken.len() + report.existing.len();
        for (list, outcome) in [(&report.taken, "imported"), (&report.existing, "already present")] {
            for (path, asset) in list {
                progress(receipt.rows.len(), all);
                receipt.cancelled |= cancel.cancelled();
                let row = match receipt.cancelled {
                    true => ReceiptRow { outcome: NOT_READ, ..unread(path, asset) },
                    false => read_back(client, path, asset, outcome).await,
                };
                receipt.rows.push(row);
            }
        }
        let lists = [(&report.refused, "failed"), (&report.unknown, "unknown"), (&report.skipped, "skipped")];
        for (list, outcome) in lists.into_iter().chain([(&report.hidden, "skipped")]) {
            receipt.rows.extend(list.iter().map(|rejected| left_out(rejected, outcome)));
        }
        receipt
    }

    /// How many assets the service returned.
    pub fn there(&self) -> usize {
        self.rows.iter().filter(|row| matches!(row.outcome, "imported" | "already present")).count()
    }

    /// The receipt as a file of this kind. Fails with the reason.
    pub fn file(&self, kind: ReceiptKind) -> Result<Vec<u8>, String> {
        match kind {
            ReceiptKind::Csv => csv(&self.rows).map_err(|error| error.to_string()),
            ReceiptKind::Json => Ok(format!("{:#}\n", self.rows.iter().map(json_of).collect::<Value>()).into_bytes()),
            ReceiptKind::Markdown => Ok(markdown(&self.rows).into_bytes()),
        }
    }
}

fn unread(path: &Path, asset: &AssetId) -> ReceiptRow {
    ReceiptRow {
        origin: path.to_string_lossy().into_owned(),
        asset: asset.as_str().to_owned(),
        ..ReceiptRow::default()
    }
}

async fn read_back<C: Transport>(client: &C, path: &Path, asset: &AssetId, outcome: &'static str) -> ReceiptRow {
    let row = unread(path, asset);
    let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    match client.call(call).await {
        Ok(found) => {
            let tags = found.tree().pointer("/tags/iterable").and_then(Value::as_array).cloned().unwrap_or_default();
            let text = |tag: &Value| {
                tag.get("text").or_else(|| tag.pointer("/reference/text")).and_then(Value::as_str).map(str::to_owned)
            };
            let name = found.view().name().unwrap_or_default().to_owned();
            ReceiptRow { outcome, name, tags: tags.iter().filter_map(text).collect(), ..row }
        }
        Err(error) => ReceiptRow { outcome: NOT_THERE, reason: not_there(&error), ..row },
    }
}

fn not_there(error: &CallError) -> String {
    format!("the service did not return it: {}", error.reason())
}

fn left_out(rejected: &Rejected, outcome: &'static str) -> ReceiptRow {
    let origin = rejected.path.to_string_lossy().into_owned();
    ReceiptRow { origin, outcome, reason: rejected.reason.clone(), ..ReceiptRow::default() }
}

fn json_of(row: &ReceiptRow) -> Value {
    let ReceiptRow { origin, outcome, asset, name, tags, reason } = row;
    json!({ "origin": origin, "outcome": outcome, "asset": asset, "name": name, "tags": tags, "reason": reason })
}

fn csv(rows: &[ReceiptRow]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for ReceiptRow { origin, outcome, asset, name, tags, reason } in rows {
        writer.write_record([origin, *outcome, asset, name, &tags.join(", "), reason])?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

fn markdown(rows: &[ReceiptRow]) -> String {
    // A bar would end the cell, and a line break the row.
    let cell = |text: &str| text.replace('\\', "\\\\").replace('|', "\\|").replace(['\n', '\r'], " ");
    let mut text = format!("| {} |\n|{}\n", COLUMNS.join(" | "), "---|".repeat(COLUMNS.len()));
    for ReceiptRow { origin, outcome, asset, name, tags, reason } in rows {
        let cells = [origin, *outcome, asset, name, &tags.join(", "), reason].map(cell);
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    text
}
