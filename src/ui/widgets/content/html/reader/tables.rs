//! The parts of tables, as they are read.

use super::super::element::Emphasis;
use super::super::table::OpenTable;
use super::{MAX_NESTING, Reader, Tag, attribute};

impl Reader {
    pub(super) fn start_table(&mut self) {
        self.end_term();
        self.end_block();
        if self.tables.len() >= MAX_NESTING {
            self.deeper_tables += 1;
            return;
        }
        // The contents of a cell do not end a list around the table.
        self.tables.push(OpenTable::new(std::mem::take(&mut self.lists), self.styles));
    }

    pub(super) fn start_row(&mut self) {
        self.end_cell();
        if let Some(table) = self.tables.last_mut().filter(|_| self.deeper_tables == 0) {
            table.rows += 1;
        }
    }

    pub(super) fn start_cell(&mut self, heads: bool, tag: &Tag) {
        self.end_cell();
        let Some(table) = self.tables.last_mut().filter(|_| self.deeper_tables == 0) else { return };
        let columns = attribute(tag, "colspan").and_then(|columns| columns.trim().parse().ok()).unwrap_or(1);
        self.room.charge_markup(table.begin_cell(self.blocks.len(), columns));
        if heads {
            self.styles.open(Emphasis::Strong);
        }
    }

    pub(super) fn end_cell(&mut self) {
        self.end_term();
        self.end_block();
        // Styles that were not closed end with their cell, and so do its lists.
        if let Some(table) = self.tables.last().filter(|_| self.deeper_tables == 0) {
            self.styles = table.styles;
            self.lists.clear();
        }
    }

    pub(super) fn end_table(&mut self) {
        self.end_cell();
        if self.deeper_tables > 0 {
            self.deeper_tables -= 1;
        } else if let Some(table) = self.tables.pop() {
            // Within a block quote or another list, a table cannot be drawn.
            if self.quotes == 0 && table.lists.is_empty() {
                table.end(&mut self.blocks);
            }
            self.lists = table.lists;
        }
    }
}
