//! Reports of rows with hostile names, read back.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::app::bulk::SavedFile;
use crate::app::change::{Edit, Field};
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
    assert!(text.contains("evil\\<U+202E\\>gpj.exe\\<U+001B\\>\\[2J"), "{text}");
}

#[test]
fn every_export_format_has_the_values_before_and_after_and_the_file() {
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
fn a_status_and_its_reason_are_separate() {
    let rows = vec![row("a", RowStatus::Unchanged("it is so already".to_owned())), row("b", RowStatus::Pending)];
    let tree: Value = serde_json::from_str(&report(&run(rows), ReportKind::Json)).expect("JSON");
    assert_eq!(
        (&tree["rows"][0]["status"], &tree["rows"][0]["reason"]),
        (&"unchanged".into(), &"it is so already".into())
    );
    assert_eq!((&tree["rows"][1]["status"], &tree["rows"][1]["reason"]), (&"pending".into(), &Value::Null));
}

/// The text of a cell without the added apostrophes.
fn recovered(cell: &str) -> String {
    let part = |(index, part): (usize, &str)| {
        let text = part.strip_prefix('\'').filter(|text| is_guarded(text, index == 0));
        text.unwrap_or(part).to_owned()
    };
    cell.split_inclusive(SEPARATORS).enumerate().map(part).collect()
}

/// The cells of a spreadsheet that splits a text at this letter and ignores quotes.
fn cut_at(text: &str, separator: char) -> impl Iterator<Item = &str> {
    text.split(['\r', '\n']).flat_map(move |line| line.split(separator)).map(|cell| cell.trim_start_matches('"'))
}

/// Whether a spreadsheet that skips spaces and quotes takes a cell for a formula.
fn is_formula(cell: &str) -> bool {
    cell.trim_start_matches(|c: char| c == '"' || is_blank(c)).starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
}

#[test]
fn no_name_is_a_formula_with_semicolon_or_tab_separators() {
    let names =
        ["x;=1+cmd|'/C calc'!A0;", "x\t@SUM(1)", "x; \u{200b}=1", "x;\"\"=1;y", "x\n=1", "x;'=1", ";;-1", "a;b"];
    let text = report(&run(names.map(|name| row(name, RowStatus::Done)).to_vec()), ReportKind::Csv);
    for cell in [';', '\t'].into_iter().flat_map(|separator| cut_at(&text, separator)) {
        assert!(!is_formula(cell), "{cell:?} in {text}");
    }
    for (record, name) in records(&text).iter().zip(names) {
        assert_eq!(recovered(&record[1]), name);
    }
}

/// Texts that become a formula in some spreadsheet, and texts that look like one and are not.
const CELLS: [&str; 34] = [
    "=1+1",
    "=HYPERLINK(\"http://evil.example\",\"x\")",
    "=cmd|'/c calc'!A0",
    "+cmd|'/c calc'!A0",
    "-2+3+cmd|'/c calc'!A0",
    "@SUM(1+1)*cmd|'/c calc'!A0",
    "\0=1+1",
    "\0\0@x",
    "\0plain",
    "\t=1",
    "\r=1",
    "\n=1",
    "\u{b}=1",
    "\u{c}=1",
    "\u{1f}=1",
    "\u{7f}=1",
    "\u{85}=1",
    "\u{a0}=1",
    "\u{2028}=1",
    "\u{3000}=1",
    "\u{feff}=1",
    "\u{200b}\u{2066}-1",
    "'=1",
    "''=1",
    "\"=1",
    "\";=1",
    "a\n=1",
    "a,=1",
    "a\";=1;\"",
    "＝1",
    "＋1",
    "－1",
    "＠x",
    "%0A=1",
];

#[test]
fn csv_cells_round_trip_through_python_and_are_not_formulas() {
    use std::io::Write as _;

    let text = report(&run(CELLS.map(|name| row(name, RowStatus::Failed(name.to_owned()))).to_vec()), ReportKind::Csv);
    let script = "import csv, io, json, sys\n\
                  text = sys.stdin.buffer.read().decode()\n\
                  print(json.dumps(list(csv.reader(io.StringIO(text, newline='')))))";
    let started = std::process::Command::new("python3")
        .args(["-c", script])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn();
    let mut python = started.expect("python3 is installed (Debian: python3)");
    python.stdin.take().expect("its input").write_all(text.as_bytes()).expect("written");
    let read = python.wait_with_output().expect("it ends");
    let rows: Vec<Vec<String>> = serde_json::from_slice(&read.stdout).expect("rows");
    assert_eq!(rows.len(), CELLS.len() + 1, "{rows:?}");
    for (cells, name) in rows.iter().skip(1).zip(CELLS) {
        assert_eq!(cells.len(), COLUMNS.len());
        for cell in [&cells[1], &cells[3]] {
            assert!(!could_start_a_formula(cell), "{name:?} is {cell:?}");
            assert_eq!(recovered(cell), name);
        }
    }
}

proptest! {
    #[test]
    fn any_text_round_trips_through_csv(name in "(?s).{0,40}|['=+@\t\0 \\-]{0,6}.{0,3}|['\";=@\t\r\n -]{0,12}") {
        let text = report(&run(vec![row(&name, RowStatus::Done)]), ReportKind::Csv);
        let cells = &records(&text)[0];
        prop_assert_eq!(cells.len(), COLUMNS.len());
        prop_assert!(!could_start_a_formula(&cells[1]), "{:?}", &cells[1]);
        for cell in [';', '\t'].into_iter().flat_map(|separator| cut_at(&text, separator)) {
            prop_assert!(!is_formula(cell), "{:?} in {:?}", cell, text);
        }
        prop_assert_eq!(recovered(&cells[1]), name);
    }
}
