//! Tables, built from the paragraphs of their cells once they end.
//!
//! A table with more than short texts is usually a layout table: its contents are then shown as if there were no table,
//! one block below the other.

use super::block::{Block, Kind, Run, Style};
use super::reader::Styles;
use super::reader::lists::List;

/// Tables with more columns are treated as layout tables.
const MAX_COLUMNS: usize = 32;
/// Maximum number of cells of a table, including those that its shorter rows lack.
const MAX_CELLS: usize = 8_192;
/// Cells are drawn on one line: a table with more text than this in a cell, in bytes, is treated as a layout table.
const MAX_TEXT: usize = 400;

/// A table being read.
#[derive(Debug)]
pub(super) struct OpenTable {
    /// The number of rows so far.
    pub rows: usize,
    cells: Vec<Cell>,
    /// The lists around it.
    pub lists: Vec<List>,
    /// The styles around it.
    pub styles: Styles,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    row: usize,
    /// The first of its blocks.
    first: usize,
    /// Its width in columns.
    columns: usize,
}

impl OpenTable {
    pub fn new(lists: Vec<List>, styles: Styles) -> Self {
        OpenTable { rows: 0, cells: Vec::new(), lists, styles }
    }

    /// Begins a cell whose blocks follow; returns its width in columns.
    pub fn begin_cell(&mut self, first: usize, columns: usize) -> usize {
        let columns = columns.clamp(1, MAX_COLUMNS);
        self.rows = self.rows.max(1);
        self.cells.push(Cell { row: self.rows, first, columns });
        columns
    }

    /// Makes a table of the blocks in its cells, if it is not a layout table.
    pub fn end(&self, blocks: &mut Vec<Block>) {
        let Some(first) = self.cells.first().map(|cell| cell.first) else { return };
        let Some(rows) = self.rows(blocks) else { return };
        blocks.truncate(first);
        blocks.push(Block { quoted: false, kind: Kind::Table(rows) });
    }

    /// Returns the rows that have text, the first as long as the longest; `None` if this is a layout table.
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
        if !(2..=MAX_COLUMNS).contains(&columns) || columns * rows.len() > MAX_CELLS {
            return None;
        }
        rows.first_mut()?.resize(columns, Vec::new());
        Some(rows)
    }
}

/// Returns the text of a cell on one line; `None` if it is more than that.
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
    (length <= MAX_TEXT).then_some(text)
}
