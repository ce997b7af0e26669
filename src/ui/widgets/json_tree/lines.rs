//! A record flattened to the lines that are unfolded.
//!
//! Large arrays and objects are shown in groups of a thousand, so that no step ever makes more lines than that;
//! texts are cut before they are looked at, so that one of ten megabytes costs nothing.

use crate::ui::theme::TokenClass;
use crate::ui::widgets::{grouped, shown_short};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Entries of one group.
pub(super) const GROUP: usize = 1_000;
/// Lines beyond this many are not unfolded by "unfold all" or shown by a search.
pub(super) const MOST_LINES: usize = 20_000;
/// Entries a search looks at before it stops.
const MOST_SEARCHED: usize = 300_000;
/// Bytes of a text a search looks into.
const MOST_SEARCHED_TEXT: usize = 64 * 1024;
/// Characters of a text that are shown.
const LONGEST: usize = 200;

/// Bytes of a key beyond which an entry goes by its place: a way is kept and compared for every line below it.
const LONGEST_KEY: usize = 256;

/// How one comes from an entry to the one below it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Step {
    /// Into an object.
    Key(Arc<str>),
    /// Into an object, by the place of a key that is too long to be kept.
    Long(usize),
    /// Into an array.
    Index(usize),
    /// Into a part of a large array or object; it holds the same value.
    Group(usize),
}

impl Step {
    fn of(key: &str, place: usize) -> Self {
        if key.len() > LONGEST_KEY { Self::Long(place) } else { Self::Key(key.into()) }
    }
}

/// The way from the record to an entry.
pub(super) type Way = Vec<Step>;

/// One line of the tree.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub way: Way,
    /// Its name: a key, an index or a range.
    pub name: String,
    /// Its value in short.
    pub preview: String,
    pub class: TokenClass,
    /// Whether it can be unfolded, and is.
    pub open: Option<bool>,
    /// Whether a search found it.
    pub hit: bool,
}

/// Lines of a record, and whether some were left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    pub lines: Vec<Line>,
    pub cut: bool,
}

/// The lines that are seen when `open` entries are unfolded; the record itself has none.
pub(super) fn flatten(value: &Value, open: &BTreeSet<Way>) -> Lines {
    let mut lines = Lines::default();
    let mut way = Vec::new();
    push_children(value, None, open, &mut way, &mut lines);
    lines
}

fn push_children(value: &Value, part: Option<Range<usize>>, open: &BTreeSet<Way>, way: &mut Way, lines: &mut Lines) {
    let count = length(value);
    if part.is_none() && count > GROUP {
        for first in (0..count).step_by(GROUP) {
            let range = first..(first + GROUP).min(count);
            way.push(Step::Group(first));
            let opened = open.contains(way);
            let name = format!("{} … {}", grouped(first as u64), grouped(range.end as u64 - 1));
            lines.push(way, name, String::new(), TokenClass::Comment, Some(opened));
            if opened {
                push_children(value, Some(range), open, way, lines);
            }
            way.pop();
        }
        return;
    }
    for (step, name, child) in children(value, part) {
        way.push(step);
        let opened = (length(child) > 0).then(|| open.contains(way));
        let (preview, class) = preview(child);
        lines.push(way, name, preview, class, opened);
        if opened == Some(true) {
            push_children(child, None, open, way, lines);
        }
        way.pop();
    }
}

impl Lines {
    fn push(&mut self, way: &Way, name: String, preview: String, class: TokenClass, open: Option<bool>) {
        self.lines.push(Line { way: way.clone(), name, preview, class, open, hit: false });
    }
}

/// How many entries a value holds.
pub(super) fn length(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

fn children(value: &Value, part: Option<Range<usize>>) -> Box<dyn Iterator<Item = (Step, String, &Value)> + '_> {
    let range = part.unwrap_or(0..length(value));
    match value {
        Value::Array(items) => {
            let first = range.start;
            let items = items.get(range).unwrap_or_default();
            Box::new(items.iter().enumerate().map(move |(place, item)| {
                let index = first + place;
                (Step::Index(index), index.to_string(), item)
            }))
        }
        Value::Object(fields) => {
            let fields = fields.iter().zip(0..).skip(range.start).take(range.len());
            Box::new(
                fields
                    .map(|((key, child), place)| (Step::of(key, place), shown_short(key, LONGEST).into_owned(), child)),
            )
        }
        _ => Box::new(std::iter::empty()),
    }
}

fn preview(value: &Value) -> (String, TokenClass) {
    match value {
        Value::Null => ("null".to_owned(), TokenClass::Keyword),
        Value::Bool(flag) => (flag.to_string(), TokenClass::Keyword),
        Value::Number(number) => (shown_short(&number.to_string(), LONGEST).into_owned(), TokenClass::Literal),
        Value::String(text) => (format!("\"{}\"{}", shown_short(text, LONGEST), size_of(text)), TokenClass::Literal),
        Value::Array(items) => (counted(items.len(), "item", "items", "[]"), TokenClass::Comment),
        Value::Object(fields) => (counted(fields.len(), "field", "fields", "{}"), TokenClass::Comment),
    }
}

/// How long a text is, where it was cut.
fn size_of(text: &str) -> String {
    if text.len() <= LONGEST * 4 { String::new() } else { format!(" ({} bytes)", grouped(text.len() as u64)) }
}

fn counted(count: usize, one: &str, many: &str, none: &str) -> String {
    match count {
        0 => none.to_owned(),
        1 => format!("1 {one}"),
        _ => format!("{} {many}", grouped(count as u64)),
    }
}

/// Every entry that can be unfolded, from the top, until there would be [`MOST_LINES`].
pub(super) fn everything(value: &Value) -> BTreeSet<Way> {
    let mut open = BTreeSet::new();
    let mut seen = 0;
    let mut ahead = std::collections::VecDeque::from([(Vec::new(), value)]);
    while let Some((way, value)) = ahead.pop_front() {
        for (step, _, child) in children(value, None) {
            seen += 1;
            if seen > MOST_LINES {
                return open;
            }
            let mut below = way.clone();
            if length(value) > GROUP {
                below.push(Step::Group(group_of(&step, seen)));
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

/// The group an index belongs to; fields of a large object are grouped as they come.
fn group_of(step: &Step, place: usize) -> usize {
    let place = match step {
        Step::Index(index) | Step::Long(index) => *index,
        Step::Key(_) | Step::Group(_) => place - 1,
    };
    place / GROUP * GROUP
}

/// The lines that contain `words` in their key or value, with those above them; `cut` when it stopped before the end.
pub(super) fn search(value: &Value, words: &str) -> Lines {
    let words = words.to_lowercase();
    let mut lines = Lines::default();
    let mut left = MOST_SEARCHED;
    search_below(value, &words, &mut Vec::new(), &mut lines, &mut left);
    lines
}

/// Adds what is found below an entry; true when anything was.
fn search_below(value: &Value, words: &str, way: &mut Way, lines: &mut Lines, left: &mut usize) -> bool {
    let mut found = false;
    for (step, name, child) in children(value, None) {
        if *left == 0 || lines.lines.len() >= MOST_LINES {
            lines.cut = true;
            break;
        }
        *left -= 1;
        way.push(step);
        let at = lines.lines.len();
        let (preview, class) = preview(child);
        let hit = name.to_lowercase().contains(words) || leaf_contains(child, words);
        lines.push(way, name, preview, class, (length(child) > 0).then_some(true));
        lines.lines[at].hit = hit;
        let below = search_below(child, words, way, lines, left);
        way.pop();
        if hit || below {
            found = true;
        } else {
            lines.lines.truncate(at);
        }
    }
    found
}

fn leaf_contains(value: &Value, words: &str) -> bool {
    match value {
        Value::String(text) => {
            let end = text.floor_char_boundary(MOST_SEARCHED_TEXT);
            text[..end].to_lowercase().contains(words)
        }
        Value::Number(number) => number.to_string().contains(words),
        Value::Bool(flag) => flag.to_string().contains(words),
        Value::Null => "null".contains(words),
        Value::Array(_) | Value::Object(_) => false,
    }
}

/// The value at the end of a way, if it is still there.
pub(super) fn resolve<'a>(value: &'a Value, way: &[Step]) -> Option<&'a Value> {
    way.iter().try_fold(value, |value, step| below(value, step))
}

fn below<'a>(value: &'a Value, step: &Step) -> Option<&'a Value> {
    match step {
        Step::Key(key) => value.get(&**key),
        Step::Long(place) => value.as_object()?.values().nth(*place),
        Step::Index(index) => value.get(index),
        Step::Group(_) => Some(value),
    }
}

/// The way as one writes it: `tags.iterable[3].text`, with keys that are no plain words in brackets and quotes.
pub(super) fn path(value: &Value, way: &[Step]) -> String {
    let mut path = String::new();
    let mut at = Some(value);
    for step in way {
        match step {
            Step::Key(key) if is_word(key) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
            }
            Step::Key(key) => path.push_str(&format!("[{}]", Value::from(&**key))),
            Step::Long(place) => {
                let key = at.and_then(Value::as_object).and_then(|fields| fields.keys().nth(*place));
                path.extend(key.map(|key| format!("[{}]", Value::from(key.as_str()))));
            }
            Step::Index(index) => path.push_str(&format!("[{index}]")),
            Step::Group(_) => {}
        }
        at = at.and_then(|value| below(value, step));
    }
    path
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
    fn only_what_is_unfolded_is_lined_up() {
        let value = json!({"a": {"b": [1, 2]}, "c": null});
        let mut open = BTreeSet::new();
        assert_eq!(names(&flatten(&value, &open)), ["a", "c"]);
        open.insert(vec![Step::Key("a".into())]);
        assert_eq!(names(&flatten(&value, &open)), ["a", "b", "c"]);
        open.extend(everything(&value));
        assert_eq!(names(&flatten(&value, &open)), ["a", "b", "0", "1", "c"]);
    }

    #[test]
    fn a_million_items_stand_in_groups() {
        let value = Value::Array((0..1_000_000).map(Value::from).collect());
        let mut open = BTreeSet::new();
        assert_eq!(flatten(&value, &open).lines.len(), 1_000);
        open.insert(vec![Step::Group(999_000)]);
        let lines = flatten(&value, &open);
        assert_eq!(lines.lines.len(), 2_000);
        let last = &lines.lines[1_999];
        assert_eq!((last.name.as_str(), path(&value, &last.way).as_str()), ("999999", "[999999]"));
        assert_eq!(resolve(&value, &last.way), Some(&Value::from(999_999)));
    }

    #[test]
    fn a_text_of_ten_megabytes_is_cut_for_sight_and_whole_for_copying() {
        let value = json!({"raw": "x".repeat(10_000_000)});
        let lines = flatten(&value, &BTreeSet::new());
        assert!(lines.lines[0].preview.len() < 250, "{}", lines.lines[0].preview.len());
        let whole = resolve(&value, &lines.lines[0].way).and_then(Value::as_str).map(str::len);
        assert_eq!(whole, Some(10_000_000));
    }

    #[test]
    fn a_search_shows_what_it_found_and_what_stands_above() {
        let value = json!({"tags": [{"text": "http"}, {"text": "tokio"}], "name": "retry"});
        let lines = search(&value, "TOKIO");
        assert_eq!(names(&lines), ["tags", "1", "text"]);
        let hits: Vec<_> = lines.lines.iter().map(|line| line.hit).collect();
        assert_eq!(hits, [false, false, true]);
    }

    #[test]
    fn ways_are_written_as_one_reads_them() {
        let way = [Step::Key("a b".into()), Step::Group(0), Step::Index(3), Step::Key("x".into())];
        assert_eq!(path(&Value::Null, &way), "[\"a b\"][3].x");
    }

    #[test]
    fn a_key_of_ten_megabytes_is_kept_by_no_line_and_copied_whole() {
        let below: serde_json::Map<_, _> = (0..1_000).map(|place| (format!("k{place}"), json!([place]))).collect();
        let key = "x".repeat(10_000_000);
        let value = json!({ "first": 1, key.clone(): below });
        let open = everything(&value);
        assert_eq!(open.len(), 1_001);
        let lines = flatten(&value, &open).lines;
        assert_eq!(lines.len(), 2 + 2_000);
        let bytes = |line: &Line| line.name.len() + format!("{:?}", line.way).len();
        assert!(lines.iter().map(bytes).sum::<usize>() < 2_002 * 300);
        assert_eq!(path(&value, &lines[2].way).len(), key.len() + "[\"\"].k0".len());
        assert_eq!(resolve(&value, &lines[2].way), Some(&json!([0])));
    }

    #[test]
    fn numbers_keep_their_digits() {
        let value: Value = serde_json::from_str("[1.10, 123456789012345678901234567890]").expect("valid");
        let lines = flatten(&value, &BTreeSet::new());
        let previews: Vec<_> = lines.lines.iter().map(|line| line.preview.as_str()).collect();
        assert_eq!(previews, ["1.10", "123456789012345678901234567890"]);
    }
}
