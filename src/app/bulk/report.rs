//! The report of a run: what became of each asset, as CSV, JSON or a Markdown table.
//!
//! What must hold: a report says what the table of the run says, in its order; no name of an asset becomes a formula in
//! a spreadsheet, a second row, markup, or a character that nobody sees.

use serde_json::{Value, json};

use crate::app::bulk::{ReportKind, Row, RowStatus, Run, RunStatus};
use crate::app::change::Change;
use crate::model::diff::diff;
use crate::model::display::{Breaks, display_text};

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
    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Markdown => "md",
        }
    }
}

impl RowStatus {
    /// The word for it.
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

    /// Why it stands so, where that is said.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Pending | Self::Sending | Self::Done => None,
            Self::Unchanged(reason) | Self::Failed(reason) | Self::Unknown(reason) => Some(reason),
        }
    }
}

/// Why a row stands as it does, or what the service did otherwise than asked.
fn reason(row: &Row) -> Option<&str> {
    row.status.reason().or(row.said.as_deref())
}

/// What a change did to one field; None where there was or is nothing.
struct Shown {
    field: String,
    before: Option<Value>,
    after: Option<Value>,
}

/// The fields a change was about, before and after.
fn fields(change: &Change) -> Vec<Shown> {
    let one = |field: &str, before: Option<Value>, after: Option<Value>| {
        vec![Shown { field: field.to_owned(), before, after }]
    };
    match change {
        Change::Link { item, .. } => one(item.kind.one(), None, Some(item.text.as_str().into())),
        Change::Unlink { item, .. } => one(item.kind.one(), Some(item.text.as_str().into()), None),
        Change::LinkNew { kind, text, .. } => one(kind.one(), None, Some(text.as_str().into())),
        Change::Edit { edits, .. } => {
            edits.iter().flat_map(|edit| one(edit.field.as_str(), edit.from.clone(), Some(edit.to.clone()))).collect()
        }
        Change::Record { from, to, .. } => diff(from, to)
            .into_iter()
            .map(|change| Shown { field: change.path.to_string(), before: change.before, after: change.after })
            .collect(),
        Change::Reclassify { from, to, .. } => {
            one("language", from.as_deref().map(Value::from), Some(to.as_str().into()))
        }
        Change::Increment { counter, from, .. } => {
            one(counter.as_str(), from.map(Value::from), from.and_then(|from| from.checked_add(1)).map(Value::from))
        }
        Change::Create { name, .. } => one("asset", None, Some(name.as_str().into())),
        Change::Delete { name, .. } => one("asset", Some(name.as_str().into()), None),
    }
}

fn fields_of(row: &Row) -> Vec<Shown> {
    row.done.as_deref().map(fields).unwrap_or_default()
}

/// A value for people: a text as it is, anything else as JSON, nothing as nothing.
fn plain(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// What the fields say, in one cell.
fn joined(fields: &[Shown], text: impl Fn(&Shown) -> String) -> String {
    fields.iter().map(text).collect::<Vec<_>>().join("; ")
}

/// RFC 4180, in UTF-8 without a mark: a line a row, ended by CR LF, cells quoted where that is needed.
fn csv(run: &Run) -> String {
    let mut lines = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    // Writing to memory does not fail, and every record has the columns of the first.
    lines.write_record(COLUMNS).ok();
    for row in run.rows.iter() {
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
        lines.write_record(cells.map(safe_cell)).ok();
    }
    String::from_utf8(lines.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// A cell that no spreadsheet takes for a formula: an apostrophe stands before what one could start with, also behind
/// spaces and characters that are not seen (<https://owasp.org/www-community/attacks/CSV_Injection>).
pub(crate) fn safe_cell(text: String) -> String {
    let starts = |c: char| matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠');
    let blank = |c: char| c.is_whitespace() || crate::model::display::is_hidden(c);
    let formula = text.starts_with(['\t', '\r', '\n']) || text.trim_start_matches(blank).starts_with(starts);
    if formula { format!("'{text}") } else { text }
}

/// The report as JSON: the run, its counts, and its rows.
fn tree(run: &Run) -> Value {
    let Run { id, title, rows, status, in_flight, place, at, .. } = run;
    json!({
        "run": id,
        "title": title,
        "at": at.to_string(),
        "status": status_word(status),
        "in_flight": in_flight,
        "place": place.as_ref().map(|place| place.to_string_lossy()),
        "counts": run.counts(),
        "rows": rows.iter().map(row_tree).collect::<Vec<_>>(),
    })
}

fn row_tree(row: &Row) -> Value {
    let change = |shown: Shown| json!({ "field": shown.field, "before": shown.before, "after": shown.after });
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
    if let Some(place) = &run.place {
        text += &format!("Exports: {}\n", in_markdown(&place.to_string_lossy()));
    }
    text += "\n| Asset | Id | Status | Reason | Change | File |\n| --- | --- | --- | --- | --- | --- |\n";
    for row in run.rows.iter() {
        let change = joined(&fields_of(row), |Shown { field, before, after }| {
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

/// A text as Markdown that says just that, on one line: hidden characters written out, markup escaped.
pub(crate) fn in_markdown(text: &str) -> String {
    let shown = display_text(text, Breaks::Escaped);
    let mut safe = String::with_capacity(shown.len() + 8);
    for c in shown.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '#' | '!') {
            safe.push('\\');
        }
        safe.push(c);
    }
    safe
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::app::bulk::SavedFile;
    use crate::app::change::{Edit, Field};
    use crate::model::id::AssetId;

    const HOSTILE: [&str; 12] = [
        "=cmd|'/c calc'!A1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "   =1",
        "\u{feff}\u{200b}=1",
        "＝1",
        "a,b\"c\"\r\nd",
        "| x | \\| <script>`[a](http://b)",
        "evil\u{202e}gpj.exe\u{1b}[2J",
    ];

    fn row(name: &str, status: RowStatus) -> Row {
        Row { status, ..Row::new(AssetId::random(), name) }
    }

    fn run(rows: Vec<Row>) -> Run {
        Run::new("Link tag “a|b” to some".to_owned(), rows, 4)
    }

    fn records(text: &str) -> Vec<csv::StringRecord> {
        csv::Reader::from_reader(text.as_bytes()).into_records().collect::<Result<_, _>>().expect("CSV")
    }

    #[test]
    fn no_name_starts_a_formula_in_a_spreadsheet() {
        let rows = HOSTILE.map(|name| row(name, RowStatus::Failed(name.to_owned()))).to_vec();
        for record in records(&report(&run(rows), ReportKind::Csv)) {
            for cell in &record {
                let first = cell.trim_start_matches(['\u{feff}', '\u{200b}', ' ']).chars().next();
                assert!(!first.is_some_and(|first| "=+-@＝\t\r\n".contains(first)), "{cell:?}");
            }
        }
    }

    #[test]
    fn a_name_of_many_lines_and_quotes_is_one_cell_of_the_csv() {
        let text = report(&run(vec![row(HOSTILE[9], RowStatus::Done)]), ReportKind::Csv);
        assert!(text.starts_with("id,name,status,reason,field,before,after,file,sha256\r\n"), "{text}");
        assert!(text.contains("\"a,b\"\"c\"\"\r\nd\""), "{text}");
        assert_eq!(&records(&text)[0][1], HOSTILE[9]);
    }

    #[test]
    fn a_markdown_row_is_one_line_of_six_cells_whatever_the_name() {
        let rows = HOSTILE.map(|name| row(name, RowStatus::Unknown(name.to_owned()))).to_vec();
        let text = report(&run(rows), ReportKind::Markdown);
        let lines: Vec<_> = text.lines().skip_while(|line| !line.starts_with("| ---")).skip(1).collect();
        assert_eq!(lines.len(), HOSTILE.len(), "{text}");
        for line in lines {
            let bars = line.replace("\\\\", "").replace("\\|", "").matches('|').count();
            assert_eq!(bars, 7, "{line}");
            assert!(!line.chars().any(crate::model::display::is_hidden), "{line:?}");
        }
        assert!(text.contains("evil\\<U+202E\\>gpj.exe\\<U+001B\\>\\[2J"), "{text}");
    }

    #[test]
    fn every_format_says_what_was_before_and_after_and_which_file() {
        let asset = AssetId::random();
        let edits = vec![Edit { field: Field::Name, from: Some("old".into()), to: "new".into() }];
        let saved = SavedFile { name: "new.md".to_owned(), bytes: 3, sha256: "ab".repeat(32) };
        let row = Row {
            done: Some(Arc::new(Change::Edit { asset, edits })),
            saved: Some(Arc::new(saved)),
            ..row("old", RowStatus::Done)
        };
        let run = run(vec![row]);
        let cells = &records(&report(&run, ReportKind::Csv))[0];
        assert_eq!((&cells[4], &cells[5], &cells[6], &cells[7]), ("name", "old", "new", "new.md"));
        let tree: Value = serde_json::from_str(&report(&run, ReportKind::Json)).expect("JSON");
        assert_eq!(tree["rows"][0]["changes"][0], json!({ "field": "name", "before": "old", "after": "new" }));
        assert_eq!((&tree["counts"]["done"], &tree["rows"][0]["file"]["bytes"]), (&1.into(), &3.into()));
        assert!(report(&run, ReportKind::Markdown).contains("| name: old → new | new.md |"));
    }

    #[test]
    fn a_status_and_its_reason_stand_apart() {
        let rows = vec![row("a", RowStatus::Unchanged("it is so already".to_owned())), row("b", RowStatus::Pending)];
        let tree: Value = serde_json::from_str(&report(&run(rows), ReportKind::Json)).expect("JSON");
        assert_eq!(
            (&tree["rows"][0]["status"], &tree["rows"][0]["reason"]),
            (&"unchanged".into(), &"it is so already".into())
        );
        assert_eq!((&tree["rows"][1]["status"], &tree["rows"][1]["reason"]), (&"pending".into(), &Value::Null));
    }

    proptest! {
        #[test]
        fn any_text_comes_back_from_the_csv(name in "(?s).{0,40}") {
            let text = report(&run(vec![row(&name, RowStatus::Done)]), ReportKind::Csv);
            let cells = &records(&text)[0];
            prop_assert_eq!(cells.len(), COLUMNS.len());
            prop_assert_eq!(cells[1].strip_prefix('\'').filter(|text| *text == name).unwrap_or(&cells[1]), name);
        }
    }
}
