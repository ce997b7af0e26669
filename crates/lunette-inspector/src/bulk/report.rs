//! The report of a run: the result for each asset, as CSV, JSON or a Markdown table.
//!
//! What must hold: a report has the same content as the table of the run, in its order.

use serde_json::{Value, json};

use crate::bulk::ReportKind;
use crate::change::{Change, ChangedField};
use crate::runs::{RowStatus, Run, RunRow, RunStatus};
use crate::tables::{self, in_markdown};

/// The columns of a report as CSV.
const COLUMNS: [&str; 9] = ["id", "name", "status", "reason", "field", "before", "after", "file", "sha256"];

/// The report of a run, as text.
pub fn report(run: &Run, kind: ReportKind) -> String {
    match kind {
        ReportKind::Csv => csv(run),
        ReportKind::Json => format!("{:#}\n", tree(run)),
        ReportKind::Markdown => markdown(run),
    }
}

impl ReportKind {
    /// The file extension.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Markdown => "md",
        }
    }
}

impl RowStatus {
    /// The word for a status.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Sending => "sending",
            Self::Done => "done",
            Self::Unchanged(_) => "unchanged",
            Self::Failed(_) => "failed",
            Self::Unknown(_) => "unknown",
        }
    }

    /// The reason for a status, if there is one.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Pending | Self::Sending | Self::Done => None,
            Self::Unchanged(reason) | Self::Failed(reason) | Self::Unknown(reason) => Some(reason),
        }
    }
}

/// The reason for the status of a row, or how the service deviated from the request.
fn reason(row: &RunRow) -> Option<&str> {
    row.status.reason().or(row.message.as_deref())
}

fn fields_of(row: &RunRow) -> Vec<ChangedField> {
    row.done.as_deref().map(Change::changed_fields).unwrap_or_default()
}

/// The display form of a value: a text as it is, null as an empty text, anything else as JSON.
fn plain(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// The fields in one cell.
fn joined(fields: &[ChangedField], text: impl Fn(&ChangedField) -> String) -> String {
    fields.iter().map(text).collect::<Vec<_>>().join("; ")
}

/// A row for each row of the run.
fn csv(run: &Run) -> String {
    let cells = |row: &RunRow| {
        let fields = fields_of(row);
        let file = row.saved.as_deref();
        let cells = [
            row.asset.as_str().to_owned(),
            row.name.to_string(),
            row.status.as_str().to_owned(),
            reason(row).unwrap_or_default().to_owned(),
            joined(&fields, |shown| shown.field.clone()),
            joined(&fields, |shown| plain(shown.before.as_ref())),
            joined(&fields, |shown| plain(shown.after.as_ref())),
            file.map(|file| file.name.clone()).unwrap_or_default(),
            file.map(|file| file.sha256.clone()).unwrap_or_default(),
        ];
        cells.map(Value::from)
    };
    tables::csv(&COLUMNS, run.rows.iter().map(cells))
}

/// The report as JSON: the run, its counts, and its rows.
pub fn tree(run: &Run) -> Value {
    let Run { id, title, rows, status, in_flight, target, at, .. } = run;
    json!({
        "run": id,
        "title": title,
        "at": at.to_string(),
        "status": status_word(status),
        "in_flight": in_flight,
        "place": target.as_ref().map(|target| target.to_string_lossy()),
        "counts": run.counts(),
        "rows": rows.iter().map(row_tree).collect::<Vec<_>>(),
    })
}

fn row_tree(row: &RunRow) -> Value {
    let change = |shown: ChangedField| json!({ "field": shown.field, "before": shown.before, "after": shown.after });
    json!({
        "id": row.asset.as_str(),
        "name": &*row.name,
        "status": row.status.as_str(),
        "reason": reason(row),
        "changes": fields_of(row).into_iter().map(change).collect::<Vec<_>>(),
        "file": row.saved.as_deref(),
    })
}

fn status_word(status: &RunStatus) -> &'static str {
    match status {
        RunStatus::Running => "running",
        RunStatus::Paused(_) => "paused",
        RunStatus::Interrupted => "interrupted",
        RunStatus::Cancelled => "cancelled",
        RunStatus::Ended => "ended",
    }
}

/// A heading, the counts, and a table.
fn markdown(run: &Run) -> String {
    let counts = run.counts();
    let counts = [
        ("done", counts.done),
        ("unchanged", counts.unchanged),
        ("failed", counts.failed),
        ("unknown", counts.unknown),
        ("sending", counts.sending),
        ("pending", counts.pending),
    ];
    let counts: Vec<_> = counts.iter().filter(|(_, n)| *n > 0).map(|(word, n)| format!("{n} {word}")).collect();
    let mut text = format!("# {}\n\n", in_markdown(&run.title));
    text += &format!("{}, {} assets: {}.\n", run.at, run.rows.len(), counts.join(", "));
    if let Some(target) = &run.target {
        text += &format!("Exports: {}\n", in_markdown(&target.to_string_lossy()));
    }
    text += "\n| Asset | Id | Status | Reason | Change | File |\n| --- | --- | --- | --- | --- | --- |\n";
    for row in run.rows.iter() {
        let change = joined(&fields_of(row), |ChangedField { field, before, after }| {
            format!("{field}: {} → {}", plain_or_none(before.as_ref()), plain_or_none(after.as_ref()))
        });
        let file = row.saved.as_deref().map_or("", |file| &file.name);
        let why = reason(row).unwrap_or_default();
        let cells = [&*row.name, row.asset.as_str(), row.status.as_str(), why, &change, file];
        text += &format!("| {} |\n", cells.map(in_markdown).join(" | "));
    }
    text
}

fn plain_or_none(value: Option<&Value>) -> String {
    if value.is_some() { plain(value) } else { "(nothing)".to_owned() }
}

#[cfg(test)]
mod tests;
