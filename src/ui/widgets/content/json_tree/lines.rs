//! A record flattened to its expanded lines.
//!
//! Large arrays and objects are shown in groups of a thousand, so that no step adds more lines than that; texts are
//! truncated before they are processed, so that one of ten megabytes costs nothing.

use crate::ui::theme::TokenClass;
use crate::ui::widgets::{grouped, shown_short};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Number of entries in a group.
pub(super) const GROUP: usize = 1_000;
/// Maximum number of lines expanded by "expand all" or shown by a search.
pub(super) const MAX_LINES: usize = 20_000;
/// Maximum number of characters shown of a text.
const MAX_LENGTH: usize = 200;

/// Entries with longer keys, in bytes, are identified by index: a path is stored and compared for every line below it.
const MAX_KEY: usize = 256;

/// A step from an entry to one below it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum PathStep {
    /// Into an object.
    Key(Arc<str>),
    /// Into an object, by the index of a key that is too long to be stored.
    Long(usize),
    /// Into an array.
    Index(usize),
    /// Into a group of a large array or object; it has the same value.
    Group(usize),
}

impl PathStep {
    fn of(key: &str, index: usize) -> Self {
        if key.len() > MAX_KEY { Self::Long(index) } else { Self::Key(key.into()) }
    }
}

/// The path from the record to an entry.
pub(super) type JsonPath = Vec<PathStep>;

/// One line of the tree.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub path: JsonPath,
    /// Its name: a key, an index or a range.
    pub name: String,
    /// Its value in short.
    pub preview: String,
    pub class: TokenClass,
    /// Whether it can be expanded, and is.
    pub open: Option<bool>,
    /// Whether it matches the search.
    pub hit: bool,
}

/// The lines of a record, and whether some were left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    pub lines: Vec<Line>,
    pub cut: bool,
}

/// Returns the visible lines when the entries in `open` are expanded; the record itself has none.
pub(super) fn flatten(value: &Value, open: &BTreeSet<JsonPath>) -> Lines {
    let mut lines = Lines::default();
    let mut path = Vec::new();
    push_children(value, None, open, &mut path, &mut lines);
    lines
}

fn push_children(
    value: &Value,
    part: Option<Range<usize>>,
    open: &BTreeSet<JsonPath>,
    path: &mut JsonPath,
    lines: &mut Lines,
) {
    let count = length(value);
    if part.is_none() && count > GROUP {
        for first in (0..count).step_by(GROUP) {
            let range = first..(first + GROUP).min(count);
            path.push(PathStep::Group(first));
            let opened = open.contains(path);
            let name = format!("{} … {}", grouped(first as u64), grouped(range.end as u64 - 1));
            lines.push(path, name, String::new(), TokenClass::Comment, Some(opened));
            if opened {
                push_children(value, Some(range), open, path, lines);
            }
            path.pop();
        }
        return;
    }
    for (step, name, child) in children(value, part) {
        path.push(step);
        let opened = (length(child) > 0).then(|| open.contains(path));
        let (preview, class) = preview(child);
        lines.push(path, name, preview, class, opened);
        if opened == Some(true) {
            push_children(child, None, open, path, lines);
        }
        path.pop();
    }
}

impl Lines {
    pub fn push(&mut self, path: &JsonPath, name: String, preview: String, class: TokenClass, open: Option<bool>) {
        self.lines.push(Line { path: path.clone(), name, preview, class, open, hit: false });
    }
}

/// Returns how many entries a value has.
pub(super) fn length(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

pub(super) fn children(
    value: &Value,
    part: Option<Range<usize>>,
) -> Box<dyn Iterator<Item = (PathStep, String, &Value)> + '_> {
    let range = part.unwrap_or(0..length(value));
    match value {
        Value::Array(items) => {
            let first = range.start;
            let items = items.get(range).unwrap_or_default();
            Box::new(items.iter().enumerate().map(move |(index, item)| {
                let index = first + index;
                (PathStep::Index(index), index.to_string(), item)
            }))
        }
        Value::Object(fields) => {
            let fields = fields.iter().zip(0..).skip(range.start).take(range.len());
            Box::new(fields.map(|((key, child), index)| {
                (PathStep::of(key, index), shown_short(key, MAX_LENGTH).into_owned(), child)
            }))
        }
        _ => Box::new(std::iter::empty()),
    }
}

pub(super) fn preview(value: &Value) -> (String, TokenClass) {
    match value {
        Value::Null => ("null".to_owned(), TokenClass::Keyword),
        Value::Bool(flag) => (flag.to_string(), TokenClass::Keyword),
        Value::Number(number) => (shown_short(&number.to_string(), MAX_LENGTH).into_owned(), TokenClass::Literal),
        Value::String(text) => {
            (format!("\"{}\"{}", shown_short(text, MAX_LENGTH), length_text(text)), TokenClass::Literal)
        }
        Value::Array(items) => (counted(items.len(), "item", "items", "[]"), TokenClass::Comment),
        Value::Object(fields) => (counted(fields.len(), "field", "fields", "{}"), TokenClass::Comment),
    }
}

/// Returns the size of a text that was truncated.
fn length_text(text: &str) -> String {
    if text.len() <= MAX_LENGTH * 4 { String::new() } else { format!(" ({} bytes)", grouped(text.len() as u64)) }
}

fn counted(count: usize, one: &str, many: &str, none: &str) -> String {
    match count {
        0 => none.to_owned(),
        1 => format!("1 {one}"),
        _ => format!("{} {many}", grouped(count as u64)),
    }
}

/// Returns every entry that can be expanded, from the top, up to [`MAX_LINES`] lines.
pub(super) fn all_expandable(value: &Value) -> BTreeSet<JsonPath> {
    let mut open = BTreeSet::new();
    let mut seen = 0;
    let mut ahead = std::collections::VecDeque::from([(Vec::new(), value)]);
    while let Some((path, value)) = ahead.pop_front() {
        for (index, (step, _, child)) in children(value, None).enumerate() {
            seen += 1;
            if seen > MAX_LINES {
                return open;
            }
            let mut below = path.clone();
            if length(value) > GROUP {
                below.push(PathStep::Group(group_of(&step, index)));
                open.insert(below.clone());
            }
            below.push(step);
            if length(child) > 0 {
                open.insert(below.clone());
                ahead.push_back((below, child));
            }
        }
    }
    open
}

/// Returns the group of an index; fields of a large object are grouped in order.
fn group_of(step: &PathStep, index: usize) -> usize {
    let index = match step {
        PathStep::Index(index) | PathStep::Long(index) => *index,
        PathStep::Key(_) | PathStep::Group(_) => index,
    };
    index / GROUP * GROUP
}

/// Returns the value at the end of a path, if it still exists.
pub(super) fn resolve<'a>(value: &'a Value, path: &[PathStep]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, step| child_at(value, step))
}

fn child_at<'a>(value: &'a Value, step: &PathStep) -> Option<&'a Value> {
    match step {
        PathStep::Key(key) => value.get(&**key),
        PathStep::Long(index) => value.as_object()?.values().nth(*index),
        PathStep::Index(index) => value.get(index),
        PathStep::Group(_) => Some(value),
    }
}

/// Returns the path in JavaScript notation: `tags.iterable[3].text`, with keys that are not plain words in brackets and
/// quotes.
pub(super) fn display_path(value: &Value, path: &[PathStep]) -> String {
    let mut display_path = String::new();
    let mut at = Some(value);
    for step in path {
        match step {
            PathStep::Key(key) if is_word(key) => {
                if !display_path.is_empty() {
                    display_path.push('.');
                }
                display_path.push_str(key);
            }
            PathStep::Key(key) => display_path.push_str(&format!("[{}]", Value::from(&**key))),
            PathStep::Long(index) => {
                let key = at.and_then(Value::as_object).and_then(|fields| fields.keys().nth(*index));
                display_path.extend(key.map(|key| format!("[{}]", Value::from(key.as_str()))));
            }
            PathStep::Index(index) => display_path.push_str(&format!("[{index}]")),
            PathStep::Group(_) => {}
        }
        at = at.and_then(|value| child_at(value, step));
    }
    display_path
}

fn is_word(key: &str) -> bool {
    !key.is_empty()
        && !key.starts_with(|first: char| first.is_ascii_digit())
        && key.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn names(lines: &Lines) -> Vec<&str> {
        lines.lines.iter().map(|line| line.name.as_str()).collect()
    }

    #[test]
    fn only_unfolded_nodes_have_lines() {
        let value = json!({"a": {"b": [1, 2]}, "c": null});
        let mut open = BTreeSet::new();
        assert_eq!(names(&flatten(&value, &open)), ["a", "c"]);
        open.insert(vec![PathStep::Key("a".into())]);
        assert_eq!(names(&flatten(&value, &open)), ["a", "b", "c"]);
        open.extend(all_expandable(&value));
        assert_eq!(names(&flatten(&value, &open)), ["a", "b", "0", "1", "c"]);
    }

    #[test]
    fn all_groups_of_a_large_object_within_another_are_opened() {
        let large: serde_json::Map<String, Value> = (0..1_500).map(|at| (format!("k{at:04}"), at.into())).collect();
        let value = json!({"a": [1, 2, 3], "b": large});
        let lines = flatten(&value, &all_expandable(&value));
        // The two fields, three items, two groups, and 1,500 fields.
        assert_eq!(lines.lines.len(), 2 + 3 + 2 + 1_500);
    }

    #[test]
    fn a_million_items_are_grouped() {
        let value = Value::Array((0..1_000_000).map(Value::from).collect());
        let mut open = BTreeSet::new();
        assert_eq!(flatten(&value, &open).lines.len(), 1_000);
        open.insert(vec![PathStep::Group(999_000)]);
        let lines = flatten(&value, &open);
        assert_eq!(lines.lines.len(), 2_000);
        let last = &lines.lines[1_999];
        assert_eq!((last.name.as_str(), display_path(&value, &last.path).as_str()), ("999999", "[999999]"));
        assert_eq!(resolve(&value, &last.path), Some(&Value::from(999_999)));
    }

    #[test]
    fn a_text_of_ten_megabytes_is_cut_for_sight_and_whole_for_copying() {
        let value = json!({"raw": "x".repeat(10_000_000)});
        let lines = flatten(&value, &BTreeSet::new());
        assert!(lines.lines[0].preview.len() < 250, "{}", lines.lines[0].preview.len());
        let whole = resolve(&value, &lines.lines[0].path).and_then(Value::as_str).map(str::len);
        assert_eq!(whole, Some(10_000_000));
    }

    #[test]
    fn paths_are_displayed_in_javascript_notation() {
        let path = [PathStep::Key("a b".into()), PathStep::Group(0), PathStep::Index(3), PathStep::Key("x".into())];
        assert_eq!(display_path(&Value::Null, &path), "[\"a b\"][3].x");
    }

    #[test]
    fn a_key_of_ten_megabytes_is_copied_whole_and_not_stored_per_line() {
        let child_at: serde_json::Map<_, _> = (0..1_000).map(|index| (format!("k{index}"), json!([index]))).collect();
        let key = "x".repeat(10_000_000);
        let value = json!({ "first": 1, key.clone(): child_at });
        let open = all_expandable(&value);
        assert_eq!(open.len(), 1_001);
        let lines = flatten(&value, &open).lines;
        assert_eq!(lines.len(), 2 + 2_000);
        let bytes = |line: &Line| line.name.len() + format!("{:?}", line.path).len();
        assert!(lines.iter().map(bytes).sum::<usize>() < 2_002 * 300);
        assert_eq!(display_path(&value, &lines[2].path).len(), key.len() + "[\"\"].k0".len());
        assert_eq!(resolve(&value, &lines[2].path), Some(&json!([0])));
    }

    #[test]
    fn numbers_keep_their_digits() {
        let value: Value = serde_json::from_str("[1.10, 123456789012345678901234567890]").expect("valid");
        let lines = flatten(&value, &BTreeSet::new());
        let previews: Vec<_> = lines.lines.iter().map(|line| line.preview.as_str()).collect();
        assert_eq!(previews, ["1.10", "123456789012345678901234567890"]);
    }
}
