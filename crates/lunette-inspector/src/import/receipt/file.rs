//! Writes a receipt as a CSV, JSON or Markdown file.

use serde_json::{Value, json};

use super::{Receipt, ReceiptRow};
use crate::tables;

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
    pub fn file(&self, kind: ReceiptKind) -> String {
        match kind {
            ReceiptKind::Csv => tables::csv(&COLUMNS, self.rows.iter().map(cells)),
            ReceiptKind::Json => format!("{:#}\n", self.rows.iter().map(ReceiptRow::json).collect::<Value>()),
            ReceiptKind::Markdown => tables::markdown(&COLUMNS, self.rows.iter().map(cells)),
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
fn cells(row: &ReceiptRow) -> [Value; 6] {
    let ReceiptRow { origin, outcome, asset: _, name, tags, reason } = row;
    [origin, outcome.word(), row.asset_text(), name, &tags.join(", "), reason].map(Value::from)
}
