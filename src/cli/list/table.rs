//! Rows as lines: fitted to a terminal, or complete with tabs between the fields.
//!
//! What must hold: no field moves the cursor, reorders text or ends its line, whatever its record contains.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::rows::{Head, Listed};
use crate::cli::progress::escaped;

/// The space between two columns.
const GAP: &str = "  ";
/// Minimum width of a column, in characters.
const MIN_WIDTH: usize = 8;

/// Returns lines with tabs between the fields, all of them complete.
pub(in crate::cli) fn whole<R: Listed>(rows: &[&R]) -> String {
    let line = |row: &&R| row.cells().iter().map(|cell| escaped(&cell.whole)).collect::<Vec<_>>().join("\t") + "\n";
    rows.iter().map(line).collect()
}

/// Returns lines below a header, in columns, none longer than `width` characters unless a column must not be truncated.
pub(in crate::cli) fn fitted<R: Listed>(rows: &[&R], width: usize) -> String {
    let display = |row: &&R| -> Vec<String> {
        row.cells().into_iter().map(|cell| escaped(&cell.display.unwrap_or(cell.whole))).collect()
    };
    let heads = R::COLUMNS.iter().map(|head| head.title.to_owned()).collect();
    let lines: Vec<Vec<String>> = std::iter::once(heads).chain(rows.iter().map(display)).collect();
    let widths = widths(R::COLUMNS, &lines, width);
    lines.iter().map(|line| line_of(R::COLUMNS, line, &widths)).collect()
}

/// Returns the width of each column: that of its widest cell if there is room; otherwise the widest columns that may be
/// truncated shrink.
fn widths(heads: &[Head], lines: &[Vec<String>], width: usize) -> Vec<usize> {
    let widest = |column: usize| lines.iter().map(|line| line[column].width()).max().unwrap_or(0);
    let mut widths: Vec<usize> = (0..heads.len()).map(widest).collect();
    let gaps = GAP.len() * heads.len().saturating_sub(1);
    let mut over = (widths.iter().sum::<usize>() + gaps).saturating_sub(width);
    while over > 0 {
        let cut = (0..heads.len()).filter(|column| heads[*column].cut && widths[*column] > MIN_WIDTH);
        let Some(column) = cut.max_by_key(|column| widths[*column]) else { break };
        // Down to the next widest, so that a few steps are enough.
        let next = (0..heads.len()).filter(|other| *other != column && heads[*other].cut).map(|other| widths[other]);
        let least = next.max().unwrap_or(0).min(widths[column] - 1).max(MIN_WIDTH);
        let less = over.min(widths[column] - least).max(1);
        widths[column] -= less;
        over -= less;
    }
    widths
}

fn line_of(heads: &[Head], cells: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for ((head, cell), width) in heads.iter().zip(cells).zip(widths) {
        if !line.is_empty() {
            line.push_str(GAP);
        }
        let cell = shortened(cell, *width);
        let pad = " ".repeat(width.saturating_sub(cell.width()));
        match head.figures {
            true => line.extend([pad, cell]),
            false => line.extend([cell, pad]),
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
    use crate::app::listing::rows::AssetRow;

    #[test]
    fn lines_fit_the_terminal_and_ids_are_not_cut() {
        let long = AssetRow::sample(1).renamed(&"ünïcode 名前 ".repeat(20));
        let rows = [&AssetRow::sample(0), &long];
        for width in [100, 120, 200] {
            let text = fitted(&rows, width);
            assert!(text.lines().all(|line| line.width() <= width), "{text}");
            assert!(text.lines().skip(1).all(|line| line.contains("00000000-0000-4000-8000-00000000000")), "{text}");
        }
        assert!(fitted(&rows, 1).contains("00000000-0000-4000-8000-000000000001"));
        assert_eq!(whole(&rows).lines().map(|line| line.matches('\t').count()).collect::<Vec<_>>(), [6, 6]);
    }

    #[test]
    fn overlong_text_ends_with_an_ellipsis() {
        assert_eq!((shortened("abc", 3), shortened("abcd", 3)), ("abc".into(), "ab…".into()));
        assert_eq!(shortened("名前が", 4), "名…");
    }
}
