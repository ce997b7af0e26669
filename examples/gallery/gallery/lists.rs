//! Tables, rows of widgets, tabs and links.

use std::borrow::Cow;

use eframe::egui::{Rect, Ui, vec2};
use lunette::ui::theme::{Icon, UiExt as _};
use lunette::ui::widgets::row_list::{RowList, RowListState};
use lunette::ui::widgets::table::{Column, Table, TableState};
use lunette::ui::widgets::{grouped, nav_counted_link, nav_item, nav_link, tabs};

use super::part;

/// How many rows the table has: only the visible ones cost anything.
const ROWS: usize = 1_000_000;
const COLUMNS: [Column; 3] = [
    Column::text("name", "Name", 260.0).growing(),
    Column::text("kind", "Kind", 140.0),
    Column::figures("size", "Size", 100.0),
];

/// The state of the lists.
#[derive(Default)]
pub struct State {
    table: TableState,
    rows: RowListState,
    tab: usize,
    page: usize,
}

impl State {
    /// Draws the section.
    pub fn ui(&mut self, ui: &mut Ui) {
        part(ui, "Table of a million rows", |ui| {
            let name = |row: usize| format!("asset {row}");
            let table = Table::new("Assets", &COLUMNS, ROWS, &name).secondary_sort().at_most_rows(8);
            table.show(ui, &mut self.table, |ui, row, column| {
                let text = match column {
                    0 => name(row),
                    1 => ["Rust", "Markdown", "Text"][row % 3].to_owned(),
                    _ => grouped(row as u64 * 37 % 90_000),
                };
                ui.label(text);
            });
            ui.caption(&format!("{} selected", self.table.selection.count()));
        });
        part(ui, "Rows of widgets", |ui| {
            let name = |row: usize| Cow::Owned(format!("Format {row}"));
            let rect = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), 150.0));
            let list = RowList { name: "Formats", rect, rows: 40, row_name: &name, drags: false };
            list.show(ui, &mut self.rows, |ui, row| {
                ui.label(name(row));
                ui.caption("Each row holds other widgets.");
            });
        });
        part(ui, "Tabs", |ui| {
            let entries = [("Content", None), ("Links", Some(3)), ("Activity", Some(0)), ("Record", None)];
            tabs(ui, "Page", &entries, &mut self.tab);
            ui.caption(&format!("{} is shown.", entries[self.tab].0));
        });
        part(ui, "Sidebar and links", |ui| {
            ui.set_max_width(240.0);
            let pages =
                [(Icon::ASSETS, "Assets", Some(1_204)), (Icon::LINK, "Links", Some(7)), (Icon::LOG, "Log", None)];
            for (page, (icon, name, count)) in pages.into_iter().enumerate() {
                if nav_item(ui, Some(icon), name, count, page == self.page).clicked() {
                    self.page = page;
                }
            }
            nav_link(ui, "A link to an item", Some("its folder"), false);
            nav_counted_link(ui, "A link to several items", Some(12), false);
        });
    }
}
