//! Writes a receipt as a CSV, JSON or Markdown file.

use serde_json::{Value, json};

use super::{Receipt, ReceiptRow};

/// The file formats of a receipt.
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

    /// Returns the kind of a file with this extension.
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

const COLUMNS: [&str; 6] = ["origin", "outcome", "asset", "name", "tags", "reason"];

impl Receipt {
    /// Returns the receipt as a file of this kind.
    pub fn file(&self, kind: ReceiptKind) -> Result<Vec<u8>, String> {
        match kind {
            ReceiptKind::Csv => csv(&self.rows).map_err(|error| error.to_string()),
            ReceiptKind::Json => {
                Ok(format!("{:#}\n", self.rows.iter().map(ReceiptRow::json).collect::<Value>()).into_bytes())
            }
            ReceiptKind::Markdown => Ok(markdown(&self.rows).into_bytes()),
        }
    }
}

impl ReceiptRow {
    /// The row as JSON, as in the file.
    pub fn json(&self) -> Value {
        let Self { origin, outcome, asset: _, name, tags, reason } = self;
        let (outcome, asset) = (outcome.word(), self.asset_text());
        json!({ "origin": origin, "outcome": outcome, "asset": asset, "name": name, "tags": tags, "reason": reason })
    }

    fn asset_text(&self) -> &str {
        self.asset.as_ref().map_or("", |asset| asset.as_str())
    }
}

/// Returns the cells of a row, in the order of the columns.
fn cells(row: &ReceiptRow) -> [String; 6] {
    let ReceiptRow { origin, outcome, asset: _, name, tags, reason } = row;
    [origin, outcome.word(), row.asset_text(), name, &tags.join(", "), reason].map(str::to_owned)
}

fn csv(rows: &[ReceiptRow]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    rows.iter().try_for_each(|row| writer.write_record(cells(row)))?;
    writer.into_inner().map_err(|error| error.into_error().into())
}

fn markdown(rows: &[ReceiptRow]) -> String {
    // A vertical bar would end the cell, and a line break the row.
    let cell = |text: String| text.replace('\\', "\\\\").replace('|', "\\|").replace(['\n', '\r'], " ");
    let mut text = format!("| {} |\n|{}\n", COLUMNS.join(" | "), "---|".repeat(COLUMNS.len()));
    for row in rows {
        text.push_str(&format!("| {} |\n", cells(row).map(cell).join(" | ")));
    }
    text
}
