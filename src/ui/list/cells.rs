//! Columns and cells of any list, by their declaration.

use std::borrow::Cow;
use std::time::Duration;

use egui::Ui;

use lunette_client::model::time;
use lunette_inspector::listing::rows::readable_word;
use lunette_inspector::listing::{ColumnKind, Columns, Value};

use crate::ui::format;
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::table::{Column, Side};
use crate::ui::widgets::{grouped, shown_short};

/// Maximum number of characters laid out in a cell.
const MOST_SHOWN: usize = 120;

/// Returns the columns of a table this wide, in points; those that need more room are hidden.
pub(in crate::ui) fn columns<R: Columns>(width: f32) -> Vec<Column> {
    let drawn = R::COLUMNS.iter().filter_map(|column| Some((column, column.cell?)));
    let drawn = drawn.map(|(column, cell)| Column {
        key: column.key,
        title: column.title,
        width: cell.width,
        side: if column.kind == ColumnKind::Figures { Side::Right } else { Side::Left },
        sortable: column.is_sortable(),
        full: cell.full,
        grows: cell.grows,
        shown: width >= cell.least,
    });
    drawn.collect()
}

/// Draws the cell of a row in the column with this key as its value.
pub(in crate::ui) fn cell_ui<R: Columns>(ui: &mut Ui, row: &R, key: &str) {
    if let Some(column) = R::column(key) {
        match (column.value)(row) {
            Value::Flag(true) => _ = ui.muted(column.title),
            value => value_ui(ui, &value),
        }
    }
}

/// Draws a value. What is not told draws nothing, which is not zero.
pub(in crate::ui) fn value_ui(ui: &mut Ui, value: &Value<'_>) {
    match value {
        Value::Text(text) => _ = ui.muted(&shown_short(text, MOST_SHOWN)),
        Value::Version(version) => _ = ui.muted(&shown_short(version, 60)),
        Value::Word(words) => _ = ui.muted(&readable(words.split('\n').next().unwrap_or_default())),
        Value::Named { text, .. } => _ = ui.muted(text),
        Value::Texts(texts) | Value::Websites(texts) => _ = ui.muted(&shown_short(&texts.join(", "), MOST_SHOWN)),
        Value::Number(count) => _ = ui.label(grouped(count.unsigned_abs())),
        Value::Bytes(bytes) => _ = ui.muted(&format::size(*bytes)).on_hover_text(format::exact_size(*bytes)),
        Value::Length(length) => _ = ui.muted(&length_text(*length)),
        Value::Moment(moment) => {
            let text = moment.text();
            ui.muted(&format::ago(&text)).on_hover_ui(|ui| _ = ui.label(format::exact(&text)));
        }
        Value::NotTold | Value::Flag(_) | Value::Rank(_) => {}
    }
}

/// Returns a word of the interface made readable: `GOOGLE_CHAT` becomes "Google Chat". Other text is escaped for display.
pub(in crate::ui) fn readable(word: &str) -> String {
    match readable_word(word) {
        Cow::Borrowed(same) => shown_short(same, MOST_SHOWN).into_owned(),
        Cow::Owned(readable) => readable,
    }
}

/// Returns a length of time, to the millisecond or, below ten, to a tenth of one.
pub(in crate::ui) fn length_text(length: Duration) -> String {
    let millis = length.as_secs_f64() * 1_000.0;
    match millis {
        ..10.0 => format!("{millis:.1} ms"),
        10.0..1_000.0 => format!("{millis:.0} ms"),
        _ => time::length(length),
    }
}
