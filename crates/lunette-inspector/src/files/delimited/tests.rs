//! Tables that people and other programs write, and hostile ones.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Delimited {
    Delimited::read(text.into(), false, &CancelToken::default())
}

fn rows(table: &Delimited) -> Vec<Vec<String>> {
    (0..table.record_count()).map(|record| table.drawn_cells(record).cells).collect()
}

fn titles(table: &Delimited) -> Vec<&str> {
    table.columns().iter().map(|column| column.title.as_str()).collect()
}

fn column(table: &Delimited, order: &[u32], column: usize) -> Vec<String> {
    order.iter().map(|record| table.cell(*record as usize, column)).collect()
}

#[test]
fn quoted_cells_may_have_delimiters_quotes_and_line_breaks() {
    let table = read("name,note\r\n\"a, b\",\"said \"\"hi\"\"\"\r\nc,\"two\r\nlines\"\r\n");
    assert_eq!(rows(&table), [vec!["name", "note"], vec!["a, b", "said \"hi\""], vec!["c", "two\r\nlines"]]);
    assert!(table.has_header());
    assert_eq!((table.cell(2, 1).as_str(), table.record(1)), ("two\r\nlines", "\"a, b\",\"said \"\"hi\"\"\""));
}

#[test]
fn delimiters_are_told_by_what_divides_the_rows_alike() {
    for (text, name) in [
        ("a,b\n1,2\n", "commas"),
        ("a;b\n1,5;2,5\n3,5;4,5\n", "semicolons"),
        ("a\tb\nx, y\tz\n", "tabs"),
        ("a|b|c\n1|2|3\n", "vertical bars"),
        ("one\ntwo\n", "commas"),
        ("", "commas"),
    ] {
        assert_eq!(read(text).delimiter_name(), name, "{text:?}");
    }
    assert_eq!(Delimited::read("one\ntwo".into(), true, &CancelToken::default()).delimiter_name(), "tabs");
}

#[test]
fn a_first_row_of_distinct_words_is_the_header() {
    assert!(read("id,name\n1,a\n").has_header());
    assert!(!read("1,a\n2,b\n").has_header());
    assert!(!read("a,a\n1,2\n").has_header());
    assert!(!read("a,\n1,2\n").has_header());
    assert!(!read("a,b\n").has_header(), "a single row is data");
    assert_eq!(titles(&read("id,name\n1,a\n")), ["id", "name"]);
}

#[test]
fn columns_of_numbers_are_told_from_text() {
    let figures = |text: &str| read(text).columns().iter().map(|column| column.is_figures).collect::<Vec<_>>();
    assert_eq!(figures("a,b,c,d\n1,x,-2.5e3,\"1,000\"\n,2,.5,12\n"), [true, false, true, true]);
    assert_eq!(figures("a;b\n1,5;01.02.2026\n"), [true, false]);
}

#[test]
fn rows_are_sorted_by_numbers_then_text_then_empty_cells() {
    let table = read("n\n10\n9\nb\n\"A\"\n-1\n\"\"\n");
    let sorted = |descending| {
        let order = table.sorted(SortBy { column: 0, descending }, 1, &CancelToken::default());
        column(&table, &order, 0)
    };
    assert_eq!(sorted(false), ["-1", "9", "10", "A", "b", ""]);
    assert_eq!(sorted(true), ["b", "A", "10", "9", "-1", ""]);
}

#[test]
fn equal_rows_keep_their_order_and_short_rows_count_as_empty() {
    let table = read("a,b\nx,1\ny\nx,1\nz,0\n");
    let order = table.sorted(SortBy { column: 1, descending: false }, 1, &CancelToken::default());
    assert_eq!(order, [4, 1, 3, 2]);
}

#[test]
fn ragged_rows_have_the_cells_that_they_have() {
    let table = read("a,b\n1\n1,2,3,4\n");
    assert_eq!(table.widest(), 4);
    assert_eq!(rows(&table), [vec!["a", "b"], vec!["1"], vec!["1", "2", "3", "4"]]);
    assert_eq!(table.cell(1, 3), "");
}

#[test]
fn a_byte_order_mark_and_all_kinds_of_line_breaks_are_read() {
    let table = read("\u{feff}id,name\r\n1,a\n\n2,b\r3,c");
    assert_eq!(titles(&table), ["id", "name"]);
    assert_eq!(rows(&table), [["id", "name"], ["1", "a"], ["2", "b"], ["3", "c"]]);
    assert_eq!((table.record(0), table.record(2)), ("id,name", "2,b"));
}

#[test]
fn null_characters_and_an_open_quote_are_cells() {
    let table = read("a,b\n\0,\"never closed\n1,2\n");
    assert_eq!(table.record_count(), 2);
    assert_eq!(table.drawn_cells(1).cells, ["\0", "never closed\n1,2\n"]);
}

#[test]
fn a_million_rows_are_indexed_and_sorted_with_little_memory() {
    let mut text = String::from("id,word\n");
    for row in 0..1_000_000_u32 {
        text.push_str(&format!("{},word {}\n", row.wrapping_mul(2_654_435_761) % 1_000_003, row % 97));
    }
    let started = Instant::now();
    let table = read(&text);
    assert_eq!((table.record_count(), table.starts.len() * size_of::<u32>()), (1_000_001, 4_000_008));
    let order = table.sorted(SortBy { column: 0, descending: false }, 1, &CancelToken::default());
    let ids: Vec<u64> = column(&table, &order[..1_000], 0).iter().map(|id| id.parse().expect("a number")).collect();
    assert!(order.len() == 1_000_000 && ids.is_sorted());
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

#[test]
fn a_line_of_200_mb_is_drawn_by_its_beginning() {
    let table = read(&format!("a,b\n{},2\n", "x".repeat(200 << 20)));
    let started = Instant::now();
    let drawn = table.drawn_cells(1);
    assert!(drawn.is_cut && drawn.cells[0].ends_with("x…") && drawn.cells[0].len() < 1_100, "{}", drawn.cells.len());
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
    assert_eq!((table.cell(1, 1).as_str(), table.cell(1, 0).len()), ("2", 200 << 20));
}

#[test]
fn of_a_row_of_a_million_cells_the_first_columns_are_shown() {
    let table = read(&format!("{}1\n", "1,".repeat(1_000_000)));
    assert_eq!((table.widest(), table.columns().len()), (1_000_001, MAX_COLUMNS));
    assert_eq!(table.drawn_cells(0).cells.len(), MAX_COLUMNS);
}

#[test]
fn more_rows_than_are_listed_are_left_out() {
    let index = Index::of(b"1\n2\n3\n", b',', 2, &CancelToken::default());
    assert!(index.is_truncated && index.starts == [0, 2, 4]);
    let whole = Index::of(b"1\n2\n", b',', 2, &CancelToken::default());
    assert!(!whole.is_truncated);
}

proptest! {
    #[test]
    fn any_text_is_read_as_the_reference_reads_it(text in "[ab\",;\n\r\t \u{e9}]{0,80}") {
        let table = read(&text);
        let mut reference = csv::ReaderBuilder::new();
        let mut reference = reference.has_headers(false).flexible(true).delimiter(table.delimiter).from_reader(text.as_bytes());
        let expected: Vec<Vec<String>> =
            reference.records().map(|record| record.expect("text").iter().map(str::to_owned).collect()).collect();
        prop_assert_eq!(rows(&table), expected);
        for column in 0..table.widest() {
            let order = table.sorted(SortBy { column, descending: true }, 0, &CancelToken::default());
            prop_assert_eq!(order.len(), table.record_count());
        }
    }
}
