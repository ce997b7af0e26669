//! The fields of a record by the names that the window uses: `$.tags.iterable` is *Tags*.
//!
//! What must hold: places that are told apart by their paths are told apart by their names in one list.

use serde_json::Value;

use crate::model::diff::{Path, Step};
use crate::ui::widget::shown_short;

/// Steps that say how a record is built, and nothing about what it is of.
const STRUCTURE: [&str; 5] = ["iterable", "reference", "value", "string", "raw"];

/// More characters of a name are cut.
const MOST: usize = 400;

/// The name of each place of a list; where two would have the same, each has its path behind it.
pub fn names<'a>(paths: impl Iterator<Item = &'a Path> + Clone) -> Vec<String> {
    let mut plain: Vec<String> = paths.clone().map(field_name).collect();
    let mut sorted: Vec<&String> = plain.iter().collect();
    sorted.sort();
    let twice: Vec<String> = sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone()).collect();
    for (name, path) in plain.iter_mut().zip(paths) {
        if twice.binary_search(name).is_ok() {
            *name = format!("{name} ({path})");
        }
        *name = shown_short(name, MOST).into_owned();
    }
    plain
}

/// The name of a place of a record.
pub fn field_name(path: &Path) -> String {
    let keys: Vec<&str> = path.0.iter().filter_map(key).filter(|key| !STRUCTURE.contains(key)).collect();
    let of = match keys.first() {
        Some(&"preview") => " of the preview",
        Some(&"formats") => " of a format",
        _ => "",
    };
    match keys.as_slice() {
        [] => "The whole record".to_owned(),
        [.., "classification", "specific"] => format!("Language{of}"),
        [.., "fragment"] => format!("Text{of}"),
        [first, rest @ ..] => {
            let rest: Vec<String> = rest.iter().map(|key| key.replace('_', " ")).collect();
            let first = first_name(first);
            if rest.is_empty() { first } else { format!("{first}: {}", rest.join(", ")) }
        }
    }
}

/// A value as a person reads it: items by their names, an empty list as "none"; `None` if it has to be read as JSON.
pub fn value_in_words(value: &Value) -> Option<String> {
    let name = |value: &Value| {
        let known = ["text", "name", "url"].iter().find_map(|key| value.get(key)?.as_str());
        known.filter(|name| !name.trim().is_empty()).map(str::to_owned)
    };
    match value {
        Value::Array(items) if items.is_empty() => Some("none".to_owned()),
        Value::Array(items) => items.iter().map(name).collect::<Option<Vec<_>>>().map(|names| names.join(", ")),
        Value::Object(_) => name(value),
        _ => None,
    }
}

fn key(step: &Step) -> Option<&str> {
    match step {
        Step::Key(key) => Some(key),
        Step::Place(_) | Step::Id(_) | Step::IdAt(..) => None,
    }
}

/// What a field of the record itself is called.
fn first_name(key: &str) -> String {
    match key {
        "favorited" => "Favourite".to_owned(),
        "interacted" => "Used".to_owned(),
        "summaries" | "workstream_summaries" => "Workstream summaries".to_owned(),
        _ => {
            let spaced = key.replace('_', " ");
            let mut letters = spaced.chars();
            let first: String = letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
            first + letters.as_str()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn path(keys: &[&str]) -> Path {
        Path(keys.iter().map(|key| Step::Key((*key).to_owned())).collect())
    }

    #[test]
    fn items_are_read_by_their_names_and_all_else_as_json() {
        let words = |value: Value| value_in_words(&value);
        assert_eq!(words(json!([])).as_deref(), Some("none"));
        assert_eq!(words(json!([{ "id": "1", "text": "a" }, { "name": "b" }])).as_deref(), Some("a, b"));
        assert_eq!(words(json!({ "id": "1", "url": "http://x" })).as_deref(), Some("http://x"));
        assert_eq!(words(json!({ "id": "1", "name": " " })), None);
        assert_eq!((words(json!([1])), words(json!("text")), words(json!({}))), (None, None, None));
    }

    #[test]
    fn fields_are_called_as_the_window_calls_them() {
        for (keys, name) in [
            (&["tags", "iterable"][..], "Tags"),
            (&["favorited"], "Favourite"),
            (&["score", "reuse"], "Score: reuse"),
            (&["original", "reference", "classification", "specific"], "Language"),
            (&["preview", "base", "reference", "classification", "specific"], "Language of the preview"),
            (&["a_field_of_others"], "A field of others"),
            (&[], "The whole record"),
        ] {
            assert_eq!(field_name(&path(keys)), name);
        }
    }

    #[test]
    fn two_places_of_one_name_are_told_apart_by_their_paths() {
        let annotation = |id: &str| {
            let key = |key: &str| Step::Key(key.to_owned());
            Path(vec![key("annotations"), key("iterable"), Step::Id(id.to_owned()), key("text")])
        };
        let names = names([annotation("1"), annotation("2"), path(&["name"])].iter());
        assert_eq!(names[2], "Name");
        assert!(names[0] != names[1] && names[0].contains("id=1"), "{names:?}");
    }
}
