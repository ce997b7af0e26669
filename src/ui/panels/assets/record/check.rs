//! Checks the text of a record: what is wrong with it, or how it differs from the original.

use std::sync::Arc;

use serde_json::Value;

use lunette_client::model::asset::Asset;
use lunette_client::model::diff::diff;
use lunette_client::model::record::Record as _;

/// Maximum number of differences that are listed; the rest is counted.
const MAX_NAMED: usize = 200;

/// The result of parsing a text as a record.
#[derive(Debug, PartialEq)]
pub enum Checked {
    /// It is not JSON.
    NotJson {
        /// The line, starting at 1.
        line: usize,
        /// The character in it, starting at 1.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// It is JSON, but not a record of this asset.
    SchemaError(String),
    /// It is unchanged.
    Same,
    /// It is a changed record.
    Differs {
        /// The record.
        to: Arc<Value>,
        /// The number of differences.
        count: usize,
        /// Where they are; only the first ones if there are very many.
        paths: Vec<String>,
    },
}

/// Parses a text as a record that started from `base`.
pub fn check(text: &str, base: &Value) -> Checked {
    let tree: Value = match serde_json::from_str(text) {
        Ok(tree) => tree,
        Err(error) => return not_json(text, &error),
    };
    let asset = match Asset::from_edit(base, tree) {
        Ok(asset) => asset,
        Err(wrong) => return Checked::SchemaError(wrong.to_string()),
    };
    let tree = asset.into_tree();
    if tree.get("id") != base.get("id") {
        return Checked::SchemaError("the id names the asset and cannot be changed at $.id".to_owned());
    }
    let changes = diff(base, &tree);
    match changes.len() {
        0 => Checked::Same,
        count => {
            let paths = changes.iter().take(MAX_NAMED).map(|change| change.path.to_string()).collect();
            Checked::Differs { to: Arc::new(tree), count, paths }
        }
    }
}

fn not_json(text: &str, error: &serde_json::Error) -> Checked {
    let (line, bytes) = (error.line().max(1), error.column().max(1) - 1);
    let read = text.lines().nth(line - 1).map_or("", |line| line.get(..bytes.min(line.len())).unwrap_or(line));
    let position = format!(" at line {} column {}", error.line(), error.column());
    let message = error.to_string();
    let problem =
        if error.is_eof() { "the text ends too early" } else { message.strip_suffix(&position).unwrap_or(&message) };
    Checked::NotJson { line, column: read.chars().count() + 1, problem: problem.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn record() -> Value {
        let text = r#"{"id":"5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159","creator":"c","created":{"value":"x"},
            "updated":{"value":"x"},"formats":{"iterable":[]},"preview":{"base":{"id":"f"}},
            "original":{"id":"f"},"mechanism":"MANUAL","name":"old","unknown":{"digits":1.10}}"#;
        serde_json::from_str(text).expect("JSON")
    }

    fn parse(change: impl FnOnce(&mut Value)) -> Checked {
        let mut tree = record();
        change(&mut tree);
        check(&serde_json::to_string_pretty(&tree).expect("JSON"), &record())
    }

    #[test]
    fn a_json_error_is_reported_with_line_and_character() {
        let checked = check("{\n  \"é\": 1,\n  \"é\" 2\n}", &record());
        let Checked::NotJson { line, column, problem } = checked else { panic!("{checked:?}") };
        assert_eq!((line, column, problem.as_str()), (3, 7, "expected `:`"));
        assert!(
            matches!(check("{", &record()), Checked::NotJson { line: 1, problem, .. } if problem.contains("early"))
        );
        assert!(matches!(check("", &record()), Checked::NotJson { line: 1, column: 1, .. }));
    }

    #[test]
    fn a_schema_error_is_reported_with_its_path() {
        let wrong = parse(|tree| tree["formats"] = json!({ "iterable": [{}] }));
        assert!(
            matches!(&wrong, Checked::SchemaError(message) if message.contains("$.formats.iterable[0]")),
            "{wrong:?}"
        );
        let other = parse(|tree| tree["id"] = json!("00000004-0000-4000-8000-000000000004"));
        assert!(matches!(&other, Checked::SchemaError(message) if message.contains("$.id")), "{other:?}");
    }

    #[test]
    fn only_what_was_changed_is_checked_in_a_record_of_another_service() {
        let base = json!({ "id": "1", "name": 5, "original": "f" });
        let check = |tree: Value| check(&tree.to_string(), &base);
        let checked = check(json!({ "id": "1", "name": 5, "original": "f", "favorited": true }));
        assert!(matches!(checked, Checked::Differs { count: 1, .. }), "{checked:?}");
        let wrong = check(json!({ "id": "1", "name": 5, "original": "f", "favorited": "yes" }));
        assert!(matches!(&wrong, Checked::SchemaError(message) if message.contains("$.favorited")), "{wrong:?}");
        let removed = check(json!({ "id": "1", "name": 5 }));
        assert!(matches!(&removed, Checked::SchemaError(message) if message.contains("$.original")), "{removed:?}");
    }

    #[test]
    fn differences_are_counted_and_digits_and_unknown_fields_are_kept() {
        assert_eq!(parse(|_| ()), Checked::Same);
        let checked = parse(|tree| tree["name"] = json!("new"));
        let Checked::Differs { to, count: 1, paths } = checked else { panic!("{checked:?}") };
        assert_eq!(paths, ["$.name"]);
        assert_eq!(to["unknown"].to_string(), r#"{"digits":1.10}"#);
    }
}
