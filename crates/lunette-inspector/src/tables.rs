//! Tables as text: CSV for spreadsheets, and Markdown.
//!
//! What must hold: no text of a user or a service becomes a formula in a spreadsheet, a second row, markup, or an invisible
//! character in Markdown. Nothing else in the program writes CSV.

use std::io;

use lunette_client::model::display::{Breaks, is_hidden};
use lunette_client::model::escape::markdown_within;
use serde_json::Value;

/// Writes CSV by RFC 4180, in UTF-8 without a byte order mark: a line for each row, CR LF, cells quoted if needed.
pub struct CsvWriter<W: io::Write>(csv::Writer<W>);

impl<W: io::Write> CsvWriter<W> {
    /// Writes the names of the columns. Fails if the output cannot be written.
    pub fn new<'a>(output: W, columns: impl IntoIterator<Item = &'a str>) -> io::Result<Self> {
        let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(output);
        writer.write_record(columns)?;
        Ok(Self(writer))
    }

    /// Writes a row with a value for each column. A number is written as it is; a text that a spreadsheet could take for a
    /// formula gets an apostrophe in front. Fails if the output cannot be written, or if there are more or fewer values
    /// than columns.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Value>) -> io::Result<()> {
        let cell = |value: Value| if value.is_number() { value.to_string() } else { safe_cell(&plain_text(&value)) };
        Ok(self.0.write_record(cells.into_iter().map(cell))?)
    }

    /// Returns the output, flushed. Fails if it cannot be written.
    pub fn finish(self) -> io::Result<W> {
        self.0.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

/// Returns CSV with these rows, each with a value for each column.
pub fn csv<R: IntoIterator<Item = Value>>(columns: &[&str], rows: impl IntoIterator<Item = R>) -> String {
    let write = || {
        let mut writer = CsvWriter::new(Vec::new(), columns.iter().copied())?;
        rows.into_iter().try_for_each(|row| writer.row(row))?;
        writer.finish()
    };
    // Writing to memory does not fail.
    String::from_utf8(write().unwrap_or_default()).unwrap_or_default()
}

/// Returns a Markdown table with these rows, each on one line.
pub fn markdown<R: IntoIterator<Item = Value>>(columns: &[&str], rows: impl IntoIterator<Item = R>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(columns.iter().map(|name| in_markdown(name)).collect());
    text += &line(columns.iter().map(|_| "---".to_owned()).collect());
    for row in rows {
        text += &line(row.into_iter().map(|value| in_markdown(&plain_text(&value))).collect());
    }
    text
}

/// Returns a value as plain text; several texts are separated by commas.
pub fn plain_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain_text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// A cell that no spreadsheet takes for a formula: an apostrophe is added before a character that could start one, also
/// after spaces and invisible characters (<https://owasp.org/www-community/attacks/CSV_Injection>). The same is done
/// for every part of the text after a semicolon, a tab or a line break, since a spreadsheet that separates cells by
/// these splits the cell there. An apostrophe is also added before a text that begins with one, so that removing the
/// first apostrophe of each part restores the text.
fn safe_cell(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 1);
    for (index, part) in text.split_inclusive(SEPARATORS).enumerate() {
        if is_guarded(part, index == 0) {
            safe.push('\'');
        }
        safe.push_str(part);
    }
    safe
}

/// Separators of cells or rows in some spreadsheets, except the comma, which the quotes handle.
const SEPARATORS: [char; 4] = [';', '\t', '\n', '\r'];

/// Whether a part of a cell needs an apostrophe. A spreadsheet that splits the cell ignores its quotes, so a quote
/// before a part protects nothing.
fn is_guarded(part: &str, first: bool) -> bool {
    let part = part.trim_start_matches('\'');
    first && could_start_a_formula(part)
        || could_start_a_formula(part.trim_start_matches(|c: char| matches!(c, '"' | '\'') || is_blank(c)))
}

fn could_start_a_formula(text: &str) -> bool {
    let starts = |c: char| matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠');
    text.starts_with(['\t', '\r', '\n', '\0']) || text.trim_start_matches(is_blank).starts_with(starts)
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || is_hidden(c)
}

/// A text as Markdown on one line, with markup and invisible characters escaped.
pub fn in_markdown(text: &str) -> String {
    markdown_within(text, Breaks::Escaped)
}

#[cfg(test)]
mod tests;
