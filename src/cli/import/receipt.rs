//! The receipt of an import: what the service has of it, read back, and what it does not have, and why.
//!
//! What must hold: nothing is taken from what was sent. An asset is there only if the service returns it now.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Error, anyhow};
use serde_json::{Value, json};

use crate::app::files::{reason, write_new};
use crate::app::import::engine::{ImportReport, Rejected};
use crate::cli::Failure;
use crate::cli::connect::Service;
use lunette_client::client::CallError;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSnapshot;

/// The kinds of files.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Csv,
    Json,
    Markdown,
}

/// A receipt that is to be written.
#[derive(Debug)]
pub(super) struct Receipt {
    path: PathBuf,
    kind: Kind,
}

/// What became of a path.
#[derive(Debug, Default)]
struct Row {
    origin: String,
    outcome: &'static str,
    asset: String,
    name: String,
    tags: Vec<String>,
    reason: String,
}

const COLUMNS: [&str; 6] = ["origin", "outcome", "asset", "name", "tags", "reason"];

impl Receipt {
    /// A receipt at this path, whose extension says the kind. Fails if it could not be written.
    pub fn of(path: &Path) -> Result<Self, Failure> {
        let kind = match path.extension().and_then(OsStr::to_str).map(str::to_lowercase).as_deref() {
            Some("csv") => Kind::Csv,
            Some("json") => Kind::Json,
            Some("md" | "markdown") => Kind::Markdown,
            Some(_) | None => {
                return Err(Failure::usage(anyhow!("{}: a receipt is a .csv, .json or .md file", path.display())));
            }
        };
        if path.exists() {
            return Err(Failure::usage(anyhow!("{} exists; choose another file for the receipt", path.display())));
        }
        Ok(Self { path: path.to_owned(), kind })
    }

    /// Reads back what was imported, and writes the receipt.
    pub async fn write(&self, service: &Service, report: &ImportReport) -> Result<(), Failure> {
        let mut rows = Vec::new();
        for (list, outcome) in [(&report.taken, "imported"), (&report.existing, "already present")] {
            for (path, asset) in list {
                rows.push(read_back(service, path, asset, outcome).await);
            }
        }
        let lists = [(&report.refused, "failed"), (&report.unknown, "unknown"), (&report.skipped, "skipped")];
        for (list, outcome) in lists.into_iter().chain([(&report.hidden, "skipped")]) {
            rows.extend(list.iter().map(|rejected| left_out(rejected, outcome)));
        }
        let text = match self.kind {
            Kind::Csv => csv(&rows).map_err(|error| Failure::failed(Error::new(error)))?,
            Kind::Json => format!("{:#}\n", rows.iter().map(json_of).collect::<Value>()).into_bytes(),
            Kind::Markdown => markdown(&rows).into_bytes(),
        };
        write_new(&self.path, &text).map_err(|error| {
            let why = reason(&error);
            Failure::failed(anyhow!(
                "the import is done, but the receipt was not written: {}: {why}",
                self.path.display()
            ))
        })
    }
}

async fn read_back(service: &Service, path: &Path, asset: &AssetId, outcome: &'static str) -> Row {
    let row = Row { origin: path.to_string_lossy().into_owned(), asset: asset.as_str().to_owned(), ..Row::default() };
    let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    match service.client.call(call).await {
        Ok(found) => {
            let tags = found.tree().pointer("/tags/iterable").and_then(Value::as_array).cloned().unwrap_or_default();
            let text = |tag: &Value| {
                tag.get("text").or_else(|| tag.pointer("/reference/text")).and_then(Value::as_str).map(str::to_owned)
            };
            let name = found.view().name().unwrap_or_default().to_owned();
            Row { outcome, name, tags: tags.iter().filter_map(text).collect(), ..row }
        }
        Err(error) => Row { outcome: "not there", reason: not_there(&error), ..row },
    }
}

fn not_there(error: &CallError) -> String {
    format!("the service did not return it: {}", error.reason())
}

fn left_out(rejected: &Rejected, outcome: &'static str) -> Row {
    let origin = rejected.path.to_string_lossy().into_owned();
    Row { origin, outcome, reason: rejected.reason.clone(), ..Row::default() }
}

fn json_of(row: &Row) -> Value {
    let Row { origin, outcome, asset, name, tags, reason } = row;
    json!({ "origin": origin, "outcome": outcome, "asset": asset, "name": name, "tags": tags, "reason": reason })
}

fn csv(rows: &[Row]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for Row { origin, outcome, asset, name, tags, reason } in rows {
        writer.write_record([origin, *outcome, asset, name, &tags.join(", "), reason])?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

fn markdown(rows: &[Row]) -> String {
    // A bar would end the cell, and a line break the row.
    let cell = |text: &str| text.replace('\\', "\\\\").replace('|', "\\|").replace(['\n', '\r'], " ");
    let mut text = format!("| {} |\n|{}\n", COLUMNS.join(" | "), "---|".repeat(COLUMNS.len()));
    for Row { origin, outcome, asset, name, tags, reason } in rows {
        let cells = [origin, *outcome, asset, name, &tags.join(", "), reason].map(cell);
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    text
}
