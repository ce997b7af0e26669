//! Search filters, as SQL conditions on assets.

use rusqlite::types::Value;

use super::expression::words_expression;
use crate::store::records::item::ItemKind;
use lunette_client::model::search_terms::SearchTerms;

/// A condition on an asset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Filter {
    /// Each of them; all of none hold.
    All(Vec<Filter>),
    /// At least one of them; none of none holds.
    Any(Vec<Filter>),
    /// Its original is of this language.
    Language(String),
    /// It is linked to the item of this kind with this id, text or address.
    Item(ItemKind, String),
    /// This is a part of its name.
    Title(String),
    /// This is a part of one of its annotations, of one type or of any.
    Annotation { text: String, kind: Option<String> },
    /// Its content has words that begin with these.
    Content(String),
    /// It was made in this span.
    Created(Span),
    /// It was last changed in this span.
    Updated(Span),
    /// It is one of these.
    Among(Vec<String>),
    /// A user saved it (not a pseudo asset).
    Saved,
    /// Its metadata or content contains this text, case-sensitive.
    Written(String),
}

/// A span of time in microseconds since 1970 UTC, both ends within it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: Option<i64>,
    pub(crate) to: Option<i64>,
}

impl Filter {
    /// Writes the condition, and the values of its question marks in their order.
    pub(super) fn write(&self, out: &mut String, values: &mut Vec<Value>) {
        match self {
            Self::All(filters) => join(filters, " AND ", "1", out, values),
            Self::Any(filters) => join(filters, " OR ", "0", out, values),
            Self::Language(specific) => {
                out.push_str(
                    "EXISTS (SELECT 1 FROM format WHERE format.asset = asset.row AND place = 0 AND specific = ?)",
                );
                values.push(specific.clone().into());
            }
            Self::Item(kind, named) => write_item(*kind, named, out, values),
            Self::Title(text) => {
                out.push_str("instr(asset.folded_name, ?)");
                values.push(text.to_lowercase().into());
            }
            Self::Annotation { text, kind } => {
                out.push_str(
                    "EXISTS (SELECT 1 FROM annotation WHERE annotation.asset = asset.row AND instr(folded_text, ?)
                       AND (? IS NULL OR kind = ?))",
                );
                let kind = kind.clone().map_or(Value::Null, Value::from);
                values.extend([text.to_lowercase().into(), kind.clone(), kind]);
            }
            Self::Content(text) => write_content(text, out, values),
            Self::Created(span) => write_span("created", *span, out, values),
            Self::Updated(span) => write_span("updated", *span, out, values),
            Self::Among(ids) => {
                out.push_str("asset.id IN (SELECT value FROM json_each(?))");
                values.push(serde_json::Value::from(ids.clone()).to_string().into());
            }
            Self::Saved => out.push_str("(asset.document ->> '$.pseudo') IS NOT 1"),
            Self::Written(text) => {
                out.push_str(
                    "(EXISTS (SELECT 1 FROM search_text WHERE search_text.row = asset.row AND (instr(name, ?)
                       OR instr(tag, ?) OR instr(website, ?) OR instr(description, ?)))
                     OR EXISTS (SELECT 1 FROM format JOIN content ON content.format = format.row
                       WHERE format.asset = asset.row AND instr(text, ?)))",
                );
                values.extend(std::iter::repeat_n(Value::from(text.clone()), 5));
            }
        }
    }
}

fn join(filters: &[Filter], word: &str, none: &str, out: &mut String, values: &mut Vec<Value>) {
    out.push('(');
    for (index, filter) in filters.iter().enumerate() {
        if index > 0 {
            out.push_str(word);
        }
        filter.write(out, values);
    }
    if filters.is_empty() {
        out.push_str(none);
    }
    out.push(')');
}

fn write_item(kind: ItemKind, named: &str, out: &mut String, values: &mut Vec<Value>) {
    out.push_str(
        "EXISTS (SELECT 1 FROM link JOIN item ON item.row = link.item WHERE link.asset = asset.row AND item.kind = ?
           AND (item.id = ? OR item.key = ? OR lower(item.name) = lower(?) OR lower(item.key) = lower(?)))",
    );
    values.push(kind.stored().to_owned().into());
    values.extend(std::iter::repeat_n(Value::from(named.to_owned()), 4));
}

fn write_content(text: &str, out: &mut String, values: &mut Vec<Value>) {
    match words_expression(SearchTerms::of(text).iter()) {
        Some(wanted) => {
            out.push_str(
                "asset.row IN (SELECT format.asset FROM search_word CROSS JOIN format ON format.row = search_word.rowid
                   WHERE search_word MATCH ?)",
            );
            values.push(wanted.into());
        }
        None => out.push('0'),
    }
}

fn write_span(column: &str, span: Span, out: &mut String, values: &mut Vec<Value>) {
    let Span { from, to } = span;
    out.push_str(&format!("asset.{column} BETWEEN ? AND ?"));
    values.extend([from.unwrap_or(i64::MIN).into(), to.unwrap_or(i64::MAX).into()]);
}
