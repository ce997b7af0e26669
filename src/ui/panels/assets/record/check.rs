//! What is wrong with a record that is being typed, or how it differs from what it was.

use std::sync::Arc;

use serde_json::Value;

use lunette_client::model::asset::Asset;
use lunette_client::model::diff::diff;
use lunette_client::model::record::Record as _;

/// So many places of a difference are named; the rest is counted.
const NAMED: usize = 200;

/// What came of reading a text as a record.
#[derive(Debug, PartialEq)]
pub enum Checked {
    /// It is no JSON.
    NotJson {
        /// The line, counted from one.
        line: usize,
        /// The character in it, counted from one.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// It is JSON, and no record of this asset.
    SchemaError(String),
    /// It is what it was.
    Same,
    /// It is another record.
    Differs {
        /// The record.
        to: Arc<Value>,
        /// How many places differ.
        count: usize,
        /// Where; the first of them where they are very many.
        places: Vec<String>,
    },
}

/// Reads a text as a record that was begun with `base`.
pub fn check(text: &str, base: &Value) -> Checked {
    let tree: Value = match serde_json::from_str(text) {
        Ok(tree) => tree,
        Err(error) => return not_json(text, &error),
    };
    let asset = match Asset::from_tree(tree) {
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
            let places = changes.iter().take(NAMED).map(|change| change.path.to_string()).collect();
            Checked::Differs { to: Arc::new(tree), count, places }
        }
    }
}

fn not_json(text: &str, error: &serde_json::Error) -> Checked {
    let (line, bytes) = (error.line().max(1), error.column().max(1) - 1);
    let read = text.lines().nth(line - 1).map_or("", |line| line.get(..bytes.min(line.len())).unwrap_or(line));
    let place = format!(" at line {} column {}", error.line(), error.column());
    let said = error.to_string();
    let problem = if error.is_eof() { "the text ends too early" } else { said.strip_suffix(&place).unwrap_or(&said) };
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

    fn typed(change: impl FnOnce(&mut Value)) -> Checked {
        let mut tree = record();
        change(&mut tree);
        check(&serde_json::to_string_pretty(&tree).expect("JSON"), &record())
    }

    #[test]
    fn a_fault_of_json_is_told_with_its_line_and_character() {
        let checked = check("{\n  \"é\": 1,\n  \"é\" 2\n}", &record());
        let Checked::NotJson { line, column, problem } = checked else { panic!("{checked:?}") };
        assert_eq!((line, column, problem.as_str()), (3, 7, "expected `:`"));
        assert!(
            matches!(check("{", &record()), Checked::NotJson { line: 1, problem, .. } if problem.contains("early"))
        );
        assert!(matches!(check("", &record()), Checked::NotJson { line: 1, column: 1, .. }));
    }

    #[test]
    fn another_shape_is_told_with_its_path() {
        let wrong = typed(|tree| tree["formats"] = json!({ "iterable": [{}] }));
        assert!(matches!(&wrong, Checked::SchemaError(said) if said.contains("$.formats.iterable[0]")), "{wrong:?}");
        let other = typed(|tree| tree["id"] = json!("00000004-0000-4000-8000-000000000004"));
        assert!(matches!(&other, Checked::SchemaError(said) if said.contains("$.id")), "{other:?}");
    }

    #[test]
    fn what_differs_is_counted_and_digits_and_unknown_fields_are_kept() {
        assert_eq!(typed(|_| ()), Checked::Same);
        let checked = typed(|tree| tree["name"] = json!("new"));
        let Checked::Differs { to, count: 1, places } = checked else { panic!("{checked:?}") };
        assert_eq!(places, ["$.name"]);
        assert_eq!(to["unknown"].to_string(), r#"{"digits":1.10}"#);
    }
}
