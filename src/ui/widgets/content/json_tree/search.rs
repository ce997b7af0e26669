//! The lines of a record that contain a text.
//!
//! What must hold: a frame searches only a little; a longer search runs on another thread, ends when its result is no
//! longer needed, and visits and reads a limited amount, however large the record is.

use super::lines::{JsonPath, Lines, MAX_LINES, children, length, preview};
use lunette_syntax::CancelToken;
use serde_json::Value;

/// Maximum number of entries that a search visits.
const MAX_SEARCHED: usize = 300_000;
/// Maximum number of bytes of texts that a search reads.
const MAX_SEARCHED_BYTES: usize = 64 * 1024 * 1024;
/// Maximum number of bytes of one text that a search reads.
const MAX_SEARCHED_TEXT: usize = 64 * 1024;
/// How many entries and bytes a search within a frame visits: about 2 ms.
const QUICK_ENTRIES: usize = 2_000;
const QUICK_BYTES: usize = 256 * 1024;

/// How much a search may still visit and read.
#[derive(Debug, Default)]
pub(super) struct Effort {
    entries: usize,
    bytes: usize,
    cancel: CancelToken,
    exhausted: bool,
}

impl Effort {
    /// As much as a frame has time for.
    pub fn quick() -> Self {
        Self { entries: QUICK_ENTRIES, bytes: QUICK_BYTES, ..Self::default() }
    }

    /// As much as a search may take at all, until it is cancelled.
    pub fn whole(cancel: CancelToken) -> Self {
        Self { entries: MAX_SEARCHED, bytes: MAX_SEARCHED_BYTES, cancel, exhausted: false }
    }

    /// Returns whether something was left out because it would have been too much.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Takes the cost of an entry; returns whether it can be afforded.
    fn charge(&mut self, value: &Value) -> bool {
        let bytes = value.as_str().map_or(0, |text| text.len().min(MAX_SEARCHED_TEXT));
        let left = self.entries.checked_sub(1).zip(self.bytes.checked_sub(bytes));
        match left.filter(|_| !self.cancel.is_cancelled()) {
            Some(left) => (self.entries, self.bytes) = left,
            None => self.exhausted = true,
        }
        !self.exhausted
    }
}

/// Returns the lines that contain `words` in their key or value, with their parents; `cut` if it stopped before the
/// end.
pub(super) fn search(value: &Value, words: &str, effort: &mut Effort) -> Lines {
    let words = words.to_lowercase();
    let mut lines = Lines::default();
    search_below(value, &words, &mut Vec::new(), &mut lines, effort);
    lines
}

/// Adds the matches below an entry; returns whether there were any.
fn search_below(value: &Value, words: &str, path: &mut JsonPath, lines: &mut Lines, effort: &mut Effort) -> bool {
    let mut found = false;
    for (step, name, child) in children(value, None) {
        if lines.lines.len() >= MAX_LINES || !effort.charge(child) {
            lines.cut = true;
            break;
        }
        path.push(step);
        let at = lines.lines.len();
        let (preview, class) = preview(child);
        let hit = name.to_lowercase().contains(words) || leaf_contains(child, words);
        lines.push(path, name, preview, class, (length(child) > 0).then_some(true));
        lines.lines[at].hit = hit;
        let below = search_below(child, words, path, lines, effort);
        path.pop();
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
            let end = text.floor_char_boundary(MAX_SEARCHED_TEXT);
            text[..end].to_lowercase().contains(words)
        }
        Value::Number(number) => number.to_string().contains(words),
        Value::Bool(flag) => flag.to_string().contains(words),
        Value::Null => "null".contains(words),
        Value::Array(_) | Value::Object(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_search_shows_its_matches_with_their_ancestors() {
        let value = json!({"tags": [{"text": "http"}, {"text": "tokio"}], "name": "retry"});
        let mut effort = Effort::quick();
        let lines = search(&value, "TOKIO", &mut effort);
        let names: Vec<&str> = lines.lines.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names, ["tags", "1", "text"]);
        let hits: Vec<_> = lines.lines.iter().map(|line| line.hit).collect();
        assert_eq!(hits, [false, false, true]);
        assert!(!lines.cut && !effort.is_exhausted());
    }

    #[test]
    fn a_frame_searches_few_entries_and_little_text() {
        let entries = json!((0..QUICK_ENTRIES + 1).collect::<Vec<_>>());
        let texts = json!(vec!["x".repeat(10 * MAX_SEARCHED_TEXT); QUICK_BYTES / MAX_SEARCHED_TEXT + 1]);
        for value in [entries, texts] {
            let mut effort = Effort::quick();
            assert!(search(&value, "not there", &mut effort).cut && effort.is_exhausted());
            let mut effort = Effort::whole(CancelToken::default());
            assert!(!search(&value, "not there", &mut effort).cut && !effort.is_exhausted());
        }
    }

    #[test]
    fn a_cancelled_search_ends() {
        let cancel = CancelToken::default();
        cancel.cancel();
        assert!(search(&json!([1, 2]), "1", &mut Effort::whole(cancel)).lines.is_empty());
    }
}
