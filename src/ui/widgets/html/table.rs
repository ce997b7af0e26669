//! Tables, made of the paragraphs of their cells once they end.
//!
//! A table that holds more than short texts was made for a layout, most often: what is in it is then shown as if there
//! were no table, one block below the other.

use super::block::{Block, Kind, Run, Style};
use super::reader::Styles;
use super::reader::lists::List;

/// More columns than this are not shown beside each other.
const MOST_COLUMNS: usize = 32;
/// A table has at most so many cells, with those that its shorter rows lack.
const MOST_CELLS: usize = 8_192;
/// Cells are drawn in one line: with more text than this, in bytes, it is no table to look at.
const MOST_TEXT: usize = 400;

/// A table that is being read.
#[derive(Debug)]
pub(super) struct OpenTable {
    /// How many rows were begun.
    pub rows: usize,
    cells: Vec<Cell>,
    /// The lists that it is in.
    pub lists: Vec<List>,
    /// How text was set off around it.
    pub styles: Styles,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    row: usize,
    /// The first of its blocks.
    first: usize,
    /// How many columns it is wide.
    columns: usize,
}

impl OpenTable {
    pub fn new(lists: Vec<List>, styles: Styles) -> Self {
        OpenTable { rows: 0, cells: Vec::new(), lists, styles }
    }

    /// Begins a cell whose blocks come next; gives how many columns it is wide.
    pub fn begin_cell(&mut self, first: usize, columns: usize) -> usize {
        let columns = columns.clamp(1, MOST_COLUMNS);
        self.rows = self.rows.max(1);
        self.cells.push(Cell { row: self.rows, first, columns });
        columns
    }

    /// Makes a table of the blocks in its cells, if that is what they are.
    pub fn end(&self, blocks: &mut Vec<Block>) {
        let Some(first) = self.cells.first().map(|cell| cell.first) else { return };
        let Some(rows) = self.rows(blocks) else { return };
        blocks.truncate(first);
        blocks.push(Block { quoted: false, kind: Kind::Table(rows) });
    }

    /// The rows that have text, the first as long as the longest; None where this is no table of short texts.
    fn rows(&self, blocks: &[Block]) -> Option<Vec<Vec<Vec<Run>>>> {
        let mut rows: Vec<Vec<Vec<Run>>> = Vec::new();
        let mut row = 0;
        for (at, cell) in self.cells.iter().enumerate() {
            if cell.row != row {
                row = cell.row;
                rows.push(Vec::new());
            }
            let end = self.cells.get(at + 1).map_or(blocks.len(), |next| next.first);
            let cells = rows.last_mut()?;
            cells.push(text(blocks.get(cell.first..end)?)?);
            cells.resize(cells.len() + cell.columns - 1, Vec::new());
        }
        rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
        let columns = rows.iter().map(Vec::len).max()?;
        if !(2..=MOST_COLUMNS).contains(&columns) || columns * rows.len() > MOST_CELLS {
            return None;
        }
        rows.first_mut()?.resize(columns, Vec::new());
        Some(rows)
    }
}

/// The text of a cell on one line; None where it is more than that.
fn text(blocks: &[Block]) -> Option<Vec<Run>> {
    let mut text: Vec<Run> = Vec::new();
    for block in blocks {
        match &block.kind {
            Kind::Paragraph(runs) if !block.quoted => {
                if !text.is_empty() {
                    text.push(Run { text: " ".to_owned(), style: Style::default(), link: None });
                }
                text.extend(runs.iter().cloned());
            }
            Kind::Paragraph(_)
            | Kind::Heading(..)
            | Kind::Item(_)
            | Kind::Code { .. }
            | Kind::Table(_)
            | Kind::Rule => return None,
        }
    }
    let length: usize = text.iter().map(|run| run.text.len()).sum();
    (length <= MOST_TEXT).then_some(text)
}
