//! The report of a check: as lines of text, as JSON, and as a Markdown table.
//!
//! What must hold: texts of the service are shown completely and escaped, so that they cannot control a terminal or a
//! table.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use super::{CheckRow, Difference, Report, Verdict};
use crate::tables::in_markdown;
use lunette_client::model::display::{Breaks, display_text};
use lunette_client::model::size::plural;

impl Verdict {
    /// The word for a verdict.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::Differs(_) => "differs",
            Self::Missing(_) => "missing",
            Self::Failed(_) => "failed",
            Self::NotAsked(_) => "not asked",
        }
    }

    /// The details of a verdict, one on each line.
    pub fn details(&self) -> Vec<String> {
        match self {
            Self::Works => Vec::new(),
            Self::Differs(differences) => differences.iter().map(Difference::line).collect(),
            Self::Missing(status) => vec![format!("not supported by this service (status {status})")],
            Self::Failed(reason) | Self::NotAsked(reason) => vec![reason.clone()],
        }
    }
}

impl Difference {
    fn line(&self) -> String {
        format!("{}: {}", self.path, self.problem)
    }
}

impl Report {
    /// The result in words: `27 operations: 25 work, 1 differ, 1 missing`, or `All 27 operations work`.
    pub fn summary(&self) -> String {
        let words = [
            ("works", "work"),
            ("differs", "differ"),
            ("missing", "missing"),
            ("failed", "failed"),
            ("not asked", "not asked"),
        ];
        let count = |word: &str| self.rows.iter().filter(|row| row.verdict.as_str() == word).count();
        let counted = words.into_iter().map(|(word, message)| (count(word), message)).filter(|(count, _)| *count > 0);
        let parts: Vec<String> = counted.map(|(count, message)| format!("{count} {message}")).collect();
        let ended = match (self.cancelled, self.stopped) {
            (true, _) => "; the check was cancelled",
            (false, true) => "; the check stopped because 3 calls in a row got no response",
            (false, false) => "",
        };
        if count("works") == self.rows.len() {
            return format!("All {} operations work{ended}", self.rows.len());
        }
        format!("{} operations: {}{ended}", self.rows.len(), parts.join(", "))
    }

    /// Further findings, one on each line.
    pub fn remarks(&self) -> Vec<String> {
        let locations = |locations: &[&str]| match locations {
            [] => "ignored wherever it was tried".to_owned(),
            locations => locations.join(", "),
        };
        let mut lines = vec![
            format!("exportType: {}", locations(&self.export_type)),
            format!("transferables: {}", locations(&self.transferables)),
        ];
        lines.extend(self.left.iter().map(|left| format!("could not delete: {left}")));
        lines
    }

    /// The report as lines of text.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.title());
        for row in &self.rows {
            let times = row.times().map(|times| format!("  {times}")).unwrap_or_default();
            let word = row.verdict.as_str();
            writeln!(
                text,
                "{word:<10}{:<43}{:<5}{:<70}{times}",
                row.info.name,
                row.info.method.as_str(),
                row.info.path
            )
            .ok();
            for line in row.lines() {
                writeln!(text, "{:10}{}", "", shown(&line)).ok(); // Writing to a String cannot fail.
            }
        }
        self.remarks().iter().for_each(|line| text.push_str(&format!("{}\n", shown(line))));
        text.push_str(&format!("{}\n", self.summary()));
        text
    }

    /// The report as JSON.
    pub fn json(&self) -> Value {
        json!({
            "address": self.address,
            "version": self.version,
            "server": self.server,
            "passed": self.passed(),
            "cancelled": self.cancelled,
            "stopped": self.stopped,
            "operations": self.rows.iter().map(CheckRow::json).collect::<Vec<_>>(),
            "export_type": self.export_type,
            "transferables": self.transferables,
            "left": self.left,
        })
    }

    /// The report as a Markdown table.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n\n", in_markdown(&self.title()), in_markdown(&self.summary()));
        text.push_str("| Operation | Method and path | Result | p50 | p95 | Findings |\n|---|---|---|---|---|---|\n");
        for row in &self.rows {
            let time = |time: Option<Duration>| time.map(milliseconds).unwrap_or_default();
            let lines: Vec<String> = row.lines().iter().map(|line| in_markdown(line)).collect();
            let [name, path] = [row.info.name, row.info.path];
            let (method, word, found) = (row.info.method, row.verdict.as_str(), lines.join("<br>"));
            let (p50, p95) = (time(row.p50), time(row.p95));
            writeln!(text, "| `{name}` | `{method} {path}` | {word} | {p50} | {p95} | {found} |").ok();
        }
        text.push('\n');
        self.remarks().iter().for_each(|line| text.push_str(&format!("- {}\n", in_markdown(line))));
        text
    }

    /// The checked service.
    pub fn title(&self) -> String {
        let mut title = self.address.clone();
        for more in
            [&self.server, &self.version.as_ref().map(|version| format!("version {version}"))].into_iter().flatten()
        {
            title.push_str(" · ");
            title.push_str(more);
        }
        shown(&title)
    }
}

impl CheckRow {
    /// The findings, one on each line: differences, and fields that the interface does not have.
    pub fn lines(&self) -> Vec<String> {
        let unknown = (!self.unknown.is_empty()).then(|| format!("unknown fields: {}", self.unknown.join(", ")));
        self.verdict.details().into_iter().chain(unknown).collect()
    }

    /// The durations of its calls as text; `None` if none was sent.
    pub fn times(&self) -> Option<String> {
        let (p50, p95) = (milliseconds(self.p50?), milliseconds(self.p95?));
        Some(format!("{}, p50 {p50}, p95 {p95}", plural(self.calls, "call")))
    }

    /// The findings as JSON.
    pub fn json(&self) -> Value {
        let differences = match &self.verdict {
            Verdict::Differs(differences) => differences
                .iter()
                .map(|difference| json!({ "path": difference.path, "problem": difference.problem }))
                .collect(),
            _ => Vec::new(),
        };
        let reason = match &self.verdict {
            Verdict::Failed(reason) | Verdict::NotAsked(reason) => Some(reason),
            Verdict::Works | Verdict::Differs(_) | Verdict::Missing(_) => None,
        };
        let status = match self.verdict {
            Verdict::Missing(status) => Some(status),
            _ => None,
        };
        json!({
            "operation": self.info.name,
            "method": self.info.method.as_str(),
            "path": self.info.path,
            "result": self.verdict.as_str(),
            "status": status,
            "reason": reason,
            "differences": differences,
            "unknown_fields": self.unknown,
            "calls": self.calls,
            "p50_ms": self.p50.map(in_milliseconds),
            "p95_ms": self.p95.map(in_milliseconds),
        })
    }
}

/// A duration to a tenth of a millisecond.
fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", in_milliseconds(time))
}

fn in_milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 10_000.0).round() / 10.0
}

fn shown(text: &str) -> String {
    display_text(text, Breaks::Escaped).into_owned()
}
