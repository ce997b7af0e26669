//! Finds duplicate keys in a JSON text. A tree keeps only the last of them, so that a change made from the tree would
//! lose the others.

use std::collections::HashSet;

use serde_json::Value;

use crate::token::{Token, Tokens};

/// Returns the path of the first duplicate key of the text, as `$.name`; `tree` is the parsed text. A text without
/// duplicates costs one pass over its bytes.
pub fn duplicate_key(text: &[u8], tree: &Value) -> Option<String> {
    // Every key of the tree is one of the text.
    if Tokens::new(text).filter(|token| matches!(token, Token::Key(_))).count() == keys(tree) {
        return None;
    }
    Duplicates::new(text).next().map(|duplicate| duplicate.path)
}

fn keys(tree: &Value) -> usize {
    match tree {
        Value::Object(fields) => fields.len() + fields.values().map(keys).sum::<usize>(),
        Value::Array(items) => items.iter().map(keys).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// A key that its object has already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The path of the field, as `$.name[0].name`.
    pub path: String,
    /// The key.
    pub key: String,
}

/// The duplicate keys of a text, which may have comments, in their order. Keys are compared however they are written.
#[derive(Clone, Debug)]
pub struct Duplicates<'a> {
    text: &'a [u8],
    tokens: Tokens<'a>,
    open: Vec<Container>,
}

/// An object or array that is being read.
#[derive(Clone, Debug)]
struct Container {
    object: bool,
    keys: HashSet<String>,
    /// The last key of an object.
    key: String,
    /// How many elements of an array were read.
    index: usize,
}

impl<'a> Duplicates<'a> {
    /// Looks for the duplicate keys of this text.
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, tokens: Tokens::with_comments(text), open: Vec::new() }
    }

    fn path(&self) -> String {
        let part = |container: &Container| match container.object {
            true => format!(".{}", container.key),
            false => format!("[{}]", container.index),
        };
        std::iter::once("$".to_owned()).chain(self.open.iter().map(part)).collect()
    }
}

impl Iterator for Duplicates<'_> {
    type Item = Duplicate;

    fn next(&mut self) -> Option<Duplicate> {
        loop {
            match self.tokens.next()? {
                Token::Open { object, .. } => {
                    self.open.push(Container { object, keys: HashSet::new(), key: String::new(), index: 0 });
                }
                Token::Close { .. } => drop(self.open.pop()),
                Token::Comma { .. } => self.open.last_mut().into_iter().for_each(|container| container.index += 1),
                Token::Key(range) => {
                    let written = &self.text[range];
                    let key: String = serde_json::from_slice(written)
                        .unwrap_or_else(|_| String::from_utf8_lossy(written).into_owned());
                    let Some(container) = self.open.last_mut() else { continue };
                    container.key.clone_from(&key);
                    if !container.keys.insert(key.clone()) {
                        return Some(Duplicate { path: self.path(), key });
                    }
                }
                Token::Text(_) | Token::Other(_) | Token::Comment(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<String> {
        duplicate_key(text.as_bytes(), &serde_json::from_str(text).expect("JSON"))
    }

    #[test]
    fn a_duplicate_key_is_found_with_its_path() {
        assert_eq!(found(r#"{"a": 1, "a": 2}"#).as_deref(), Some("$.a"));
        assert_eq!(found(r#"{"x": [1, {"b": {"c": null, "c": 1.50}}]}"#).as_deref(), Some("$.x[1].b.c"));
        assert_eq!(found(r#"[[], {"\u0061": 1, "a": 1e400}]"#).as_deref(), Some("$[1].a"), "however it is written");
    }

    #[test]
    fn text_without_duplicates_is_accepted_regardless_of_its_strings() {
        for text in [
            "null",
            r#"{"a": {"a": {"a": ":"}}, "b": [{"a": 1}, {"a": 1}]}"#,
            r#"{"\":": "\\", "::": "{\"a\":1,\"a\":2}"}"#,
            r#"{"n": 123456789012345678901234567890.10, "": ""}"#,
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn every_duplicate_of_a_text_with_comments_is_found_in_order() {
        let text = r#"{ "a": {"b": "a", "c": "b:"}, /* "a": */ "b": [{"a": 1}, {"a": 2}], "a" : "\"a\":", "c": {"b": {}, "b": 1,}, }"#;
        let found: Vec<_> = Duplicates::new(text.as_bytes()).map(|duplicate| (duplicate.path, duplicate.key)).collect();
        assert_eq!(found, [("$.a".to_owned(), "a".to_owned()), ("$.c.b".to_owned(), "b".to_owned())]);
    }
}
