//! The names of fields and values of a record, in the words of the window.

use serde_json::Value;

use crate::ui::widgets::shown_short;
use lunette_client::model::diff::{Path, labels};

/// Longer names are truncated.
const MAX_LENGTH: usize = 400;
/// Longer lists are shown as JSON.
const MAX_ITEMS: usize = 1_000;

/// Returns the displayed name of each path.
pub fn names<'a>(paths: impl Iterator<Item = &'a Path> + Clone) -> Vec<String> {
    labels(paths).iter().map(|label| shown_short(label, MAX_LENGTH).into_owned()).collect()
}

/// Returns a value as a person reads it: items by their names, an empty list as "none"; `None` if it has to be shown as
/// JSON.
pub fn value_in_words(value: &Value) -> Option<String> {
    let name = |value: &Value| {
        let known = ["text", "name", "url"].iter().find_map(|key| value.get(key)?.as_str());
        known.filter(|name| !name.trim().is_empty()).map(str::to_owned)
    };
    match value {
        Value::Array(items) if items.is_empty() => Some("none".to_owned()),
        Value::Array(items) if items.len() > MAX_ITEMS => None,
        Value::Array(items) => items.iter().map(name).collect::<Option<Vec<_>>>().map(|names| names.join(", ")),
        Value::Object(_) => name(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn items_are_read_by_their_names_and_all_else_as_json() {
        let words = |value: Value| value_in_words(&value);
        assert_eq!(words(json!([])).as_deref(), Some("none"));
        assert_eq!(words(json!([{ "id": "1", "text": "a" }, { "name": "b" }])).as_deref(), Some("a, b"));
        assert_eq!(words(json!({ "id": "1", "url": "http://x" })).as_deref(), Some("http://x"));
        assert_eq!(words(json!({ "id": "1", "name": " " })), None);
        assert_eq!((words(json!([1])), words(json!("text")), words(json!({}))), (None, None, None));
    }
}
