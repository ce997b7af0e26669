//! Finds duplicate keys in a JSON text. A tree keeps only the last of them, so that a change made from the tree would
//! lose the others.
//!
//! What must hold: a text without duplicates costs one pass over its bytes.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// Returns the path of the first duplicate key of the text, as `$.name`; `tree` is the parsed text.
pub fn duplicate_key(text: &[u8], tree: &Value) -> Option<String> {
    // Every key of a text has its colon, and every key of the tree was one of them.
    if colons(text) == keys(tree) {
        return None;
    }
    let mut search = Search { way: vec!["$".to_owned()], found: None };
    // An error here means a duplicate was found: the text itself has been parsed before.
    let read = search.deserialize(&mut serde_json::Deserializer::from_slice(text));
    read.err().and(search.found)
}

/// Counts the colons of a JSON text outside strings.
fn colons(text: &[u8]) -> usize {
    let (mut count, mut quoted) = (0, false);
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => quoted = !quoted,
            // What follows is part of the string.
            b'\\' if quoted => drop(bytes.next()),
            b':' if !quoted => count += 1,
            _ => {}
        }
    }
    count
}

fn keys(tree: &Value) -> usize {
    match tree {
        Value::Object(fields) => fields.len() + fields.values().map(keys).sum::<usize>(),
        Value::Array(items) => items.iter().map(keys).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

struct Search {
    way: Vec<String>,
    found: Option<String>,
}

impl<'de> DeserializeSeed<'de> for &mut Search {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Search {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        for index in 0.. {
            self.way.push(format!("[{index}]"));
            if items.next_element_seed(&mut *self)?.is_none() {
                break;
            }
            self.way.pop();
        }
        self.way.pop();
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let mut seen = HashSet::new();
        while let Some(key) = fields.next_key::<String>()? {
            self.way.push(format!(".{key}"));
            if seen.contains(&key) {
                self.found = Some(self.way.concat());
                return Err(serde::de::Error::custom("a key that was there already"));
            }
            fields.next_value_seed(&mut *self)?;
            self.way.pop();
            seen.insert(key);
        }
        Ok(())
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
}
