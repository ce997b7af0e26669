//! Rows as lines: fitted to a terminal, or complete with tabs between the fields.
//!
//! What must hold: no field moves the cursor, reorders text or ends its line, whatever its record contains.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::Extent;
use crate::cli::progress::{self, escaped};
use crate::cli::short_id;
use lunette_client::model::{size, time};
use lunette_inspector::listing::{Column, ColumnKind, Columns, Value};
use lunette_inspector::tables::plain_text;

/// The space between two columns.
const GAP: &str = "  ";
/// Minimum width of a column, in characters.
const MIN_WIDTH: usize = 8;

/// Returns lines with tabs between the fields, all of them complete.
pub(in crate::cli) fn whole<R: Columns>(rows: &[&R]) -> String {
    let line =
        |row: &&R| heads::<R>().map(|head| progress::whole(&complete(head, *row))).collect::<Vec<_>>().join("\t");
    rows.iter().map(|row| line(row) + "\n").collect()
}

/// The printed columns: those that are never cut first, the id last.
fn heads<R: Columns>() -> impl Iterator<Item = &'static Column<R>> {
    let place = |kind: ColumnKind| match kind {
        ColumnKind::Fixed => 0,
        ColumnKind::Text | ColumnKind::Figures => 1,
        ColumnKind::Id => 2,
    };
    let printed = move |at: u8| R::COLUMNS.iter().filter(move |head| head.printed && place(head.kind) == at);
    (0..=2).flat_map(printed)
}

/// Returns the complete text of a cell, for other programs.
fn complete<R>(head: &Column<R>, row: &R) -> String {
    match (head.value)(row) {
        Value::Flag(is_so) => {
            if is_so {
                head.name()
            } else {
                String::new()
            }
        }
        value => plain_text(&value.json()),
    }
}

/// Returns the text of a cell for people.
fn display<R>(head: &Column<R>, row: &R) -> String {
    match (head.value)(row) {
        Value::Named { text, .. } => text.to_owned(),
        Value::Bytes(bytes) => size::size(bytes),
        Value::Moment(moment) => time::ago(&moment.text(), Timestamp::now(), &TimeZone::system()),
        _ => complete(head, row),
    }
}

/// Returns lines below a header, in columns, none longer than `width` characters if there is room for the first text
/// and the id. Other columns that have no room are left out.
pub(in crate::cli) fn fitted<R: Columns>(rows: &[&R], width: usize, extent: Extent) -> String {
    let heads: Vec<&Column<R>> = heads().collect();
    let titles = heads.iter().map(|head| head.name().to_uppercase()).collect();
    let cells = |row: &&R| heads.iter().map(|head| escaped(&display(head, *row))).collect::<Vec<_>>();
    let mut lines: Vec<Vec<String>> = rows.iter().map(cells).collect();
    if let Some(column) = heads.iter().position(|head| head.kind == ColumnKind::Id) {
        let length = short_id::length(lines.iter().map(|line| line[column].as_str()), extent);
        lines.iter_mut().for_each(|line| line[column] = short_id::end(&line[column], length).to_owned());
    }
    lines.insert(0, titles);
    let kinds: Vec<ColumnKind> = heads.iter().map(|head| head.kind).collect();
    let widest: Vec<usize> =
        (0..kinds.len()).map(|column| lines.iter().map(|line| line[column].width()).max().unwrap_or(0)).collect();
    let columns = columns_with_room(&kinds, &widest, width);
    let kinds: Vec<ColumnKind> = columns.iter().map(|column| kinds[*column]).collect();
    let widths = widths(&kinds, columns.iter().map(|column| widest[*column]).collect(), width);
    let cells = |line: &Vec<String>| columns.iter().map(|column| line[*column].clone()).collect::<Vec<_>>();
    lines.iter().map(|line| line_of(&kinds, &cells(line), &widths)).collect()
}

/// Returns the columns for which there is room, if texts are cut. Those on the right are left out first; the first text
/// and the id stay.
fn columns_with_room(kinds: &[ColumnKind], widest: &[usize], width: usize) -> Vec<usize> {
    let main = kinds.iter().position(|kind| *kind == ColumnKind::Text);
    let least = |column: usize| match kinds[column] {
        ColumnKind::Text => widest[column].min(MIN_WIDTH),
        ColumnKind::Fixed | ColumnKind::Figures | ColumnKind::Id => widest[column],
    };
    let mut columns: Vec<usize> = (0..kinds.len()).collect();
    loop {
        let needed: usize = columns.iter().map(|column| least(*column) + GAP.len()).sum();
        let spare = |column: &usize| Some(*column) != main && kinds[*column] != ColumnKind::Id;
        match columns.iter().rposition(spare) {
            Some(index) if needed > width + GAP.len() => drop(columns.remove(index)),
            _ => return columns,
        }
    }
}

/// Returns the width of each column: that of its widest cell if there is room; otherwise the widest texts shrink.
fn widths(kinds: &[ColumnKind], mut widths: Vec<usize>, width: usize) -> Vec<usize> {
    let is_cut = |column: usize| kinds[column] == ColumnKind::Text;
    let gaps = GAP.len() * kinds.len().saturating_sub(1);
    let mut over = (widths.iter().sum::<usize>() + gaps).saturating_sub(width);
    while over > 0 {
        let cut = (0..kinds.len()).filter(|column| is_cut(*column) && widths[*column] > MIN_WIDTH);
        let Some(column) = cut.max_by_key(|column| widths[*column]) else { break };
        // Down to the next widest, so that a few steps are enough.
        let next = (0..kinds.len()).filter(|other| *other != column && is_cut(*other)).map(|other| widths[other]);
        let least = next.max().unwrap_or(0).min(widths[column] - 1).max(MIN_WIDTH);
        let less = over.min(widths[column] - least).max(1);
        widths[column] -= less;
        over -= less;
    }
    widths
}

fn line_of(kinds: &[ColumnKind], cells: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for ((kind, cell), width) in kinds.iter().zip(cells).zip(widths) {
        if !line.is_empty() {
            line.push_str(GAP);
        }
        let cell = shortened(cell, *width);
        let pad = " ".repeat(width.saturating_sub(cell.width()));
        match kind {
            ColumnKind::Figures => line.extend([pad, cell]),
            ColumnKind::Text | ColumnKind::Fixed | ColumnKind::Id => line.extend([cell, pad]),
        }
    }
    format!("{}\n", line.trim_end())
}

/// Returns a text of at most this many characters; a longer one ends in an ellipsis.
fn shortened(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut room = width.saturating_sub(1);
    let fits = text.chars().take_while(|letter| {
        let wide = letter.width().unwrap_or(0);
        let fits = wide <= room;
        room = room.saturating_sub(wide);
        fits
    });
    fits.chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lunette_inspector::listing::rows::AssetRow;

    #[test]
    fn lines_fit_the_terminal_and_ids_are_as_long_as_they_have_to_be() {
        let long = AssetRow::sample(1).renamed(&"ünïcode 名前 ".repeat(20));
        let rows = [&AssetRow::sample(0), &long];
        for width in 40..=200 {
            let text = fitted(&rows, width, Extent::All);
            assert!(text.lines().all(|line| line.width() <= width), "{width}:\n{text}");
            let ids: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split_whitespace().last()).collect();
            assert_eq!(ids, ["000000", "000001"], "{text}");
            assert!(text.starts_with("NAME"), "{text}");
        }
        assert!(fitted(&rows, 40, Extent::Part).contains(" 00000001\n"));
        assert_eq!(whole(&rows).lines().map(|line| line.matches('\t').count()).collect::<Vec<_>>(), [6, 6]);
        assert!(whole(&rows).contains("00000000-0000-4000-8000-000000000001"));
    }

    #[test]
    fn overlong_text_ends_with_an_ellipsis() {
        assert_eq!((shortened("abc", 3), shortened("abcd", 3)), ("abc".into(), "ab…".into()));
        assert_eq!(shortened("名前が", 4), "名…");
    }
}
