//! Tables of hostile texts, read back.

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// A table with these texts as its first column.
fn table(texts: &[&str]) -> String {
    csv(&["text", "number"], texts.iter().map(|text| [json!(text), json!(-3)]))
}

fn records(text: &str) -> Vec<csv::StringRecord> {
    csv::Reader::from_reader(text.as_bytes()).into_records().collect::<Result<_, _>>().expect("CSV")
}

#[test]
fn a_text_that_could_be_a_formula_is_guarded_and_a_number_is_not() {
    let texts = ["=1+1", "+cmd", "-1", "@SUM(1)", "\t=1", "x;=HYPERLINK(1)", "a\n@b", "\u{200b}=1", "'=1", "plain"];
    let rows = texts.iter().map(|text| [json!(text), json!(-3), json!([text, "b"])]);
    let written = csv(&["name", "score", "tags"], rows);
    let read: Vec<_> =
        csv::Reader::from_reader(written.as_bytes()).into_records().collect::<Result<_, _>>().expect("CSV");
    for (record, text) in read.iter().zip(texts) {
        assert_eq!(&record[1], "-3");
        for cell in [&record[0], &record[2]] {
            for part in cell.split([';', '\t', '\n', '\r']).filter(|part| !part.is_empty()) {
                let start = part.trim_start_matches(is_blank).chars().next();
                assert!(!start.is_some_and(|start| "=+-@".contains(start)), "{text:?}: {cell:?}");
            }
        }
    }
    assert_eq!(&read[9][0], "plain");
}

#[test]
fn a_row_is_one_line_of_a_markdown_table() {
    let text = markdown(&["a", "b|c"], [[json!("x\r\ny|"), Value::Null]]);
    assert_eq!(text.lines().count(), 3, "{text}");
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
    let text = table(&names);
    for cell in [';', '\t'].into_iter().flat_map(|separator| cut_at(&text, separator)) {
        assert!(!is_formula(cell), "{cell:?} in {text}");
    }
    for (record, name) in records(&text).iter().zip(names) {
        assert_eq!(recovered(&record[0]), name);
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

    let text = table(&CELLS);
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
        assert_eq!(cells.len(), 2);
        assert!(!could_start_a_formula(&cells[0]), "{name:?} is {:?}", cells[0]);
        assert_eq!(recovered(&cells[0]), name);
    }
}

proptest! {
    #[test]
    fn any_text_round_trips_through_csv(name in "(?s).{0,40}|['=+@\t\0 \\-]{0,6}.{0,3}|['\";=@\t\r\n -]{0,12}") {
        let text = table(&[&name]);
        let cells = &records(&text)[0];
        prop_assert_eq!(cells.len(), 2);
        prop_assert!(!could_start_a_formula(&cells[0]), "{:?}", &cells[0]);
        for cell in [';', '\t'].into_iter().flat_map(|separator| cut_at(&text, separator)) {
            prop_assert!(!is_formula(cell), "{:?} in {:?}", cell, text);
        }
        prop_assert_eq!(recovered(&cells[0]), name);
    }
}
