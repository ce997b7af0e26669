//! Copying selected rows: as ids, CSV, JSON or a Markdown table.
//!
//! What must hold: text from a service never becomes a spreadsheet formula, a second row, or markup; ids and JSON are
//! copied unchanged.

use egui::Ui;
use serde_json::{Map, Value};

use lunette_inspector::Action;
use lunette_inspector::listing::{self, Column, Columns};
use lunette_inspector::tables::{self, plain_text};

use crate::ui::theme::Icon;
use crate::ui::widgets::context_menu::entry;
use crate::ui::widgets::grouped;

/// A format for copied rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum CopyAs {
    /// The ids, one per line.
    Ids,
    /// Comma-separated values with a header line.
    Csv,
    /// An array of objects.
    Json,
    /// A table.
    Markdown,
}

impl CopyAs {
    /// All formats, in the order of the menu.
    pub const ALL: [Self; 4] = [Self::Ids, Self::Csv, Self::Json, Self::Markdown];

    fn name(self) -> &'static str {
        match self {
            Self::Ids => "Copy ids",
            Self::Csv => "Copy as CSV",
            Self::Json => "Copy as JSON",
            Self::Markdown => "Copy as Markdown",
        }
    }
}

/// Rows to be copied; the first cell of each is its id.
struct Copied {
    /// The names of the columns.
    columns: Vec<String>,
    /// One cell per column.
    rows: Vec<Vec<Value>>,
}

impl Copied {
    fn of<R: Columns>(rows: &[&R]) -> Self {
        let columns = || R::COLUMNS.iter().filter(|column| column.copied);
        let cell = |row: &R, column: &Column<R>| match (column.value)(row) {
            // Copies are for people.
            listing::Value::Named { text, .. } => Value::from(text),
            value => value.json(),
        };
        let cells = |row: &&R| columns().map(|column| cell(row, column)).collect();
        Self { columns: columns().map(Column::name).collect(), rows: rows.iter().map(cells).collect() }
    }

    /// Returns the rows as text.
    fn text(&self, kind: CopyAs) -> String {
        let Self { columns, rows } = self;
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        match kind {
            CopyAs::Ids => {
                let ids = rows.iter().filter_map(|row| row.first()).map(plain_text);
                ids.collect::<Vec<_>>().join("\n")
            }
            CopyAs::Csv => tables::csv(&columns, rows.iter().cloned()),
            CopyAs::Json => {
                let object = |row: &Vec<Value>| {
                    let names = columns.iter().map(|name| (*name).to_owned());
                    Value::Object(names.zip(row.iter().cloned()).collect::<Map<_, _>>())
                };
                format!("{:#}\n", Value::Array(rows.iter().map(object).collect()))
            }
            CopyAs::Markdown => tables::markdown(&columns, rows.iter().cloned()),
        }
    }
}

/// Draws the formats as entries of a menu; returns the one that was chosen.
pub(in crate::ui) fn entries_ui(ui: &mut Ui) -> Option<CopyAs> {
    let mut chosen = None;
    for kind in CopyAs::ALL {
        if entry(ui, Icon::COPY, kind.name()) {
            chosen = Some(kind);
        }
    }
    chosen
}

/// Copies rows to the clipboard and reports it.
pub(in crate::ui) fn copy<R: Columns>(ui: &Ui, kind: CopyAs, rows: &[&R], things: &str, actions: &mut Vec<Action>) {
    ui.ctx().copy_text(Copied::of(rows).text(kind));
    let what = match kind {
        CopyAs::Ids => "the ids of ",
        CopyAs::Csv | CopyAs::Json | CopyAs::Markdown => "",
    };
    let format = match kind {
        CopyAs::Ids => "",
        CopyAs::Csv => " as CSV",
        CopyAs::Json => " as JSON",
        CopyAs::Markdown => " as Markdown",
    };
    actions.push(Action::Notify(format!("Copied {what}{} {things}{format}", grouped(rows.len() as u64))));
}

/// Draws a context menu entry that copies a text called `what`; draws nothing without a text.
pub fn entry_ui(ui: &mut Ui, what: &str, text: Option<&String>, actions: &mut Vec<Action>) {
    let Some(text) = text else { return };
    if entry(ui, Icon::COPY, &format!("Copy {what}")) {
        ui.ctx().copy_text(text.clone());
        actions.push(Action::Notify(format!("Copied the {what}")));
    }
}

/// Draws a context menu entry that copies a thing called `what` as JSON.
pub fn json_entry_ui(ui: &mut Ui, what: &str, json: impl FnOnce() -> Value, actions: &mut Vec<Action>) {
    if entry(ui, Icon::COPY, CopyAs::Json.name()) {
        ui.ctx().copy_text(format!("{:#}\n", json()));
        actions.push(Action::Notify(format!("Copied the {what} as JSON")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lunette_inspector::listing::rows::AssetRow;
    use serde_json::json;

    fn copied() -> Copied {
        let rows = vec![
            vec![json!("5f0c"), json!("=1+1|\r\nx"), json!(["a", "b"]), json!(-3)],
            vec![json!("9a51"), json!("b.rs"), json!([]), Value::Null],
        ];
        Copied { columns: ["id", "name", "tags", "score"].map(str::to_owned).to_vec(), rows }
    }

    #[test]
    fn a_name_is_one_cell_and_no_formula_and_a_number_stays_one() {
        let text = copied().text(CopyAs::Csv);
        assert_eq!(text, "id,name,tags,score\r\n5f0c,\"'=1+1|\r\nx\",\"a, b\",-3\r\n9a51,b.rs,,\r\n");
    }

    #[test]
    fn json_keeps_values_unchanged_and_ids_are_one_per_line() {
        let tree: Value = serde_json::from_str(&copied().text(CopyAs::Json)).expect("JSON");
        assert_eq!(tree[0], json!({ "id": "5f0c", "name": "=1+1|\r\nx", "tags": ["a", "b"], "score": -3 }));
        assert_eq!(copied().text(CopyAs::Ids), "5f0c\n9a51");
    }

    #[test]
    fn a_size_that_is_not_told_is_copied_as_nothing() {
        let row = AssetRow::recent("00000000-0000-4000-8000-000000000001", "a.rs").expect("a row");
        let text = Copied::of(&[&row]).text(CopyAs::Csv);
        assert_eq!(
            text,
            "id,name,folder,language,tags,score,size,created,updated\r\n00000000-0000-4000-8000-000000000001,a.rs,,,,,,,\r\n"
        );
    }

    #[test]
    fn a_row_is_one_line_of_a_markdown_table() {
        let text = copied().text(CopyAs::Markdown);
        assert_eq!(text.lines().count(), 4, "{text}");
        assert!(text.lines().nth(2).is_some_and(|line| line.contains("\\|")), "{text}");
    }
}
