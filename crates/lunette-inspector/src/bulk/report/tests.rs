//! Reports of rows with hostile names, read back.

use std::sync::Arc;

use super::*;
use crate::change::{Edit, Field};
use crate::runs::SavedFile;
use lunette_client::model::id::AssetId;

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

fn row(name: &str, status: RowStatus) -> RunRow {
    RunRow { status, ..RunRow::new(AssetId::random(), name) }
}

fn run(rows: Vec<RunRow>) -> Run {
    Run::new("Link tag “a|b” to some".to_owned(), rows, 4)
}

fn records(text: &str) -> Vec<csv::StringRecord> {
    csv::Reader::from_reader(text.as_bytes()).into_records().collect::<Result<_, _>>().expect("CSV")
}

#[test]
fn no_name_is_a_formula_in_a_spreadsheet() {
    let rows = HOSTILE.map(|name| row(name, RowStatus::Failed(name.to_owned()))).to_vec();
    for record in records(&report(&run(rows), ReportKind::Csv)) {
        for cell in &record {
            let first = cell.trim_start_matches(['\u{feff}', '\u{200b}', ' ']).chars().next();
            assert!(!first.is_some_and(|first| "=+-@＝\t\r\n".contains(first)), "{cell:?}");
        }
    }
}

#[test]
fn a_name_with_newlines_and_quotes_is_one_csv_cell() {
    let text = report(&run(vec![row(HOSTILE[9], RowStatus::Done)]), ReportKind::Csv);
    assert!(text.starts_with("id,name,status,reason,field,before,after,file,sha256\r\n"), "{text}");
    assert!(text.contains("\"a,b\"\"c\"\"\r\nd\""), "{text}");
    assert_eq!(&records(&text)[0][1], HOSTILE[9]);
}

#[test]
fn a_markdown_row_has_one_line_and_six_cells_for_any_name() {
    let rows = HOSTILE.map(|name| row(name, RowStatus::Unknown(name.to_owned()))).to_vec();
    let text = report(&run(rows), ReportKind::Markdown);
    let lines: Vec<_> = text.lines().skip_while(|line| !line.starts_with("| ---")).skip(1).collect();
    assert_eq!(lines.len(), HOSTILE.len(), "{text}");
    for line in lines {
        let bars = line.replace("\\\\", "").replace("\\|", "").matches('|').count();
        assert_eq!(bars, 7, "{line}");
        assert!(!line.chars().any(lunette_client::model::display::is_hidden), "{line:?}");
    }
    assert!(text.contains("evil&lt;U+202E&gt;gpj.exe&lt;U+001B&gt;\\[2J"), "{text}");
}

#[test]
fn every_export_format_has_the_values_before_and_after_and_the_file() {
    let asset = AssetId::random();
    let edits = vec![Edit { field: Field::Name, from: Some("old".into()), to: "new".into() }];
    let saved = SavedFile { name: "new.md".to_owned(), bytes: 3, sha256: "ab".repeat(32) };
    let row = RunRow {
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
    assert!(report(&run, ReportKind::Markdown).contains("| name: old → new | new\\.md |"));
}

#[test]
fn a_status_and_its_reason_are_separate() {
    let rows = vec![row("a", RowStatus::Unchanged("it is so already".to_owned())), row("b", RowStatus::Pending)];
    let tree: Value = serde_json::from_str(&report(&run(rows), ReportKind::Json)).expect("JSON");
    assert_eq!(
        (&tree["rows"][0]["status"], &tree["rows"][0]["reason"]),
        (&"unchanged".into(), &"it is so already".into())
    );
    assert_eq!((&tree["rows"][1]["status"], &tree["rows"][1]["reason"]), (&"pending".into(), &Value::Null));
}
