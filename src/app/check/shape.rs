//! An answer laid beside its record: every place where it differs, and every field that is not the interface's.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::model::record::kind_name;

use super::Difference;

/// What a look at an answer found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub differences: Vec<Difference>,
    /// JSON paths, `[*]` for every place of a list and `.*` for every key of a keyed object.
    pub unknown: BTreeSet<String>,
}

/// Looks at the answer that should be this record.
pub(super) fn look(_record: &str, _tree: &Value) -> Found {
    Found::default()
}

/// What is wrong where another text was expected at a place, by JSON pointer; None where nothing is, or where there is
/// no answer.
pub(super) fn other(answer: Option<&Value>, pointer: &str, wanted: Option<&str>) -> Option<String> {
    let (answer, wanted) = (answer?, wanted?);
    match answer.pointer(pointer) {
        Some(Value::String(text)) if text == wanted => None,
        Some(found) => Some(format!("{wanted:?} was expected, {} came", short(found))),
        None => Some(format!("{wanted:?} was expected, nothing came")),
    }
}

/// The beginning of a value, to show.
pub(super) fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{} {}…", kind_name(value), &text[..end]),
        None => text,
    }
}
