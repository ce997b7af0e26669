//! Limits on the memory that a JSON text may take once it is parsed.
//!
//! A tree of [`Value`] takes 12 times the bytes of an ordinary record and 50 times those of a list of small numbers. What
//! must hold: the memory of a tree is estimated from the text before anything is built, and a text over its budget is
//! refused at no cost. The estimate follows how `serde_json` grows its arrays and maps; it is never far below the truth.
//!
//! Nothing here is generic, so that the parser is compiled once, with this crate, which is compiled for speed.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use crate::token::{Token, Tokens};

/// What every parse may take, whatever the size of its text.
pub const BASE: usize = 96 * 1024 * 1024;
/// What a parse may take beside that, for each byte of its text.
pub const PER_BYTE: usize = 3;

/// The bytes of a value in an array.
const SLOT: usize = size_of::<Value>();
/// The bytes of a field in an object: its hash, its key and its value.
const FIELD: usize = SLOT + size_of::<String>() + size_of::<u64>();
/// No text takes more than this for each of its bytes; arrays of one array of one array come closest.
const WORST: usize = 160;
/// How deep `serde_json` reads; it refuses what is deeper.
const DEPTH: usize = 128;

/// The most memory that the tree of one text may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    bytes: usize,
}

impl Budget {
    /// A budget in bytes.
    pub const fn new(bytes: usize) -> Self {
        Self { bytes }
    }

    /// The usual budget of a text of this length.
    pub const fn of(length: usize) -> Self {
        Self::new(BASE.saturating_add(length.saturating_mul(PER_BYTE)))
    }

    /// The budget in bytes.
    pub const fn bytes(self) -> usize {
        self.bytes
    }
}

/// What the tree of a text takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// How many values it has: objects, arrays, strings, numbers and literals.
    pub values: usize,
    /// How many bytes of memory they take.
    pub bytes: usize,
    /// How many bytes more the parser has allocated for a moment: while an array grows, its half is still beside it.
    pub growing: usize,
}

/// A text whose tree would take more memory than its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than {values} values, which need more than {} MiB of memory", bytes / (1024 * 1024))]
pub struct OverBudget {
    /// How many values were counted before the budget was spent.
    pub values: usize,
    /// The budget, in bytes.
    pub bytes: usize,
}

/// Why a text was not parsed.
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    /// It is over its budget; nothing of it was built.
    #[error(transparent)]
    OverBudget(#[from] OverBudget),
    /// It is not JSON, or not JSON of this type.
    #[error(transparent)]
    Syntax(#[from] serde_json::Error),
}

/// Parses a text within its usual budget ([`Budget::of`]).
pub fn parse(text: &[u8]) -> Result<Value, JsonError> {
    parse_within(text, Budget::of(text.len()))
}

/// Parses a text within a budget.
pub fn parse_within(text: &[u8], budget: Budget) -> Result<Value, JsonError> {
    check(text, budget)?;
    Ok(serde_json::from_slice(text)?)
}

/// Parses a text within its usual budget ([`Budget::of`]). Of an object it reads these fields alone; the others are
/// checked and skipped.
pub fn parse_fields(text: &[u8], fields: &[&str]) -> Result<Value, JsonError> {
    if !text.trim_ascii_start().starts_with(b"{") {
        return parse(text);
    }
    check(text, Budget::of(text.len()))?;
    let mut parser = serde_json::Deserializer::from_slice(text);
    let tree = Fields(fields).deserialize(&mut parser)?;
    parser.end()?;
    Ok(tree)
}

/// Reads some of the fields of an object.
struct Fields<'a>(&'a [&'a str]);

impl<'de> DeserializeSeed<'de> for Fields<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<Value, D::Error> {
        parser.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut tree = Map::new();
        while let Some(key) = object.next_key::<String>()? {
            if self.0.contains(&key.as_str()) {
                tree.insert(key, object.next_value()?);
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Value::Object(tree))
    }
}

/// Estimates what the tree of a text takes.
pub fn estimate(text: &[u8]) -> Estimate {
    count(text, Budget::new(usize::MAX)).unwrap_or_default()
}

/// Estimates what the tree of a text takes; fails as soon as that is over the budget. A text that is not JSON passes:
/// the parser reports what is wrong.
pub fn check(text: &[u8], budget: Budget) -> Result<Estimate, OverBudget> {
    // A short text cannot exceed the budget, so there is no need to scan it.
    if text.len() < budget.bytes / WORST {
        return Ok(Estimate::default());
    }
    count(text, budget)
}

fn count(text: &[u8], budget: Budget) -> Result<Estimate, OverBudget> {
    let mut total = Estimate { bytes: SLOT, ..Estimate::default() };
    let mut open: Vec<Container> = Vec::new();
    for token in Tokens::new(text) {
        match token {
            Token::Open { object, .. } => {
                total.add(open.last_mut(), 0);
                if open.len() == DEPTH {
                    break;
                }
                open.push(Container::new(object));
            }
            Token::Close { .. } => total.growing += open.pop().map_or(0, |container| container.growing()),
            Token::Key(range) => total.bytes += allocated(range.len() - 2),
            Token::Text(range) => total.add(open.last_mut(), allocated(range.len() - 2)),
            Token::Comma { .. } | Token::Comment(_) => {}
            Token::Other(range) => {
                let number = text.get(range.start).is_some_and(|byte| *byte == b'-' || byte.is_ascii_digit());
                total.add(open.last_mut(), if number { allocated(range.len()) } else { 0 });
            }
        }
        if total.bytes > budget.bytes {
            return Err(OverBudget { values: total.values, bytes: budget.bytes });
        }
    }
    total.growing += open.iter().map(Container::growing).sum::<usize>();
    Ok(total)
}

impl Estimate {
    /// Counts a value and the memory it needs beyond its slot in its container.
    fn add(&mut self, container: Option<&mut Container>, own: usize) {
        self.values += 1;
        self.bytes += own + container.map_or(0, Container::grow);
    }
}

/// The memory of a tree in bytes, without the spare capacity of its containers.
pub fn tree_bytes(tree: &Value) -> usize {
    SLOT + match tree {
        Value::Array(items) => items.iter().map(tree_bytes).sum(),
        Value::Object(fields) => fields.iter().map(|(key, value)| FIELD - SLOT + key.len() + tree_bytes(value)).sum(),
        Value::String(text) => text.len(),
        Value::Number(number) => number.as_str().len(),
        Value::Null | Value::Bool(_) => 0,
    }
}

/// An array or object that is being read.
struct Container {
    object: bool,
    count: usize,
    capacity: usize,
}

impl Container {
    fn new(object: bool) -> Self {
        Self { object, count: 0, capacity: 0 }
    }

    /// What a large array that has just grown still has beside it.
    fn growing(&self) -> usize {
        let has_grown = !self.object && self.count > 1_000 && self.count < self.capacity / 4 * 3;
        if has_grown { self.capacity / 2 * SLOT } else { 0 }
    }

    /// Takes in one value more; gives the bytes that this allocates.
    fn grow(&mut self) -> usize {
        self.count += 1;
        if self.count <= self.capacity {
            return 0;
        }
        let before = self.capacity;
        if self.object {
            // The hash table has room for 3, 7, and then seven eighths of a power of two.
            self.capacity = match before {
                0 => 3,
                3 => 7,
                _ => before * 2,
            };
            let table = |capacity: usize| (capacity + capacity / 4 + 1) * (size_of::<usize>() + 1);
            (self.capacity - before) * FIELD + table(self.capacity) - if before == 0 { 0 } else { table(before) }
        } else {
            self.capacity = (before * 2).max(4);
            (self.capacity - before) * SLOT
        }
    }
}

/// The real size of an allocation of this many bytes.
const fn allocated(bytes: usize) -> usize {
    if bytes == 0 {
        return 0;
    }
    let whole = (bytes + 8).next_multiple_of(16);
    if whole < 32 { 32 } else { whole }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_estimate_is_a_close_upper_bound_of_the_tree_size() {
        let record = json!({ "iterable": vec![json!({ "id": "0123456789", "created": { "value": "x" } }); 500] });
        for text in [
            format!("[{}]", vec!["1"; 5_000].join(",")),
            format!("[{}]", vec!["[]"; 5_000].join(",")),
            format!("[{}]", vec!["[[[[[[[[0]]]]]]]]"; 5_000].join(",")),
            format!("[{}]", vec![r#"{"a":{}}"#; 5_000].join(" ,\n ")),
            format!("[{}]", vec!["\"abc\\\"def\""; 5_000].join(",")),
            record.to_string(),
            format!("{record:#}"),
        ] {
            let tree: Value = serde_json::from_str(&text).expect("JSON");
            let (estimate, tree_bytes) = (estimate(text.as_bytes()).bytes, tree_bytes(&tree));
            assert!(estimate >= tree_bytes && estimate <= tree_bytes * 5, "{estimate} for {tree_bytes}: {:.40}", text);
            assert!(estimate <= text.len() * WORST, "{estimate} for {} bytes: {:.40}", text.len(), text);
        }
    }

    #[test]
    fn values_are_counted_and_keys_are_not() {
        let values = |text: &str| estimate(text.as_bytes()).values;
        assert_eq!(values(r#"{"a": [1, -2.5e3, "x,]\"", true, null], "b": {}}"#), 8);
        assert_eq!((values("7"), values("\"\""), values("[]"), values("")), (1, 1, 1, 0));
    }

    #[test]
    fn a_text_over_its_budget_is_refused_before_it_is_parsed() {
        let text = format!("[{}]", vec!["1"; 100_000].join(","));
        let refused = parse_within(text.as_bytes(), Budget::new(1024 * 1024)).expect_err("over the budget");
        let message = refused.to_string();
        assert!(matches!(refused, JsonError::OverBudget(_)) && message.contains("values"), "{message}");
        assert!(parse_within(text.as_bytes(), Budget::new(32 * 1024 * 1024)).is_ok());
    }

    #[test]
    fn invalid_json_is_left_to_the_parser() {
        for text in ["{", "]]]}", "{\"a\":,,:}", "\"abc", "[1 2 \\ ]", "\u{0}", ":::", &"[".repeat(1_000)] {
            assert!(count(text.as_bytes(), Budget::new(usize::MAX)).is_ok(), "{text}");
            let parsed = parse_within(text.as_bytes(), Budget::new(usize::MAX));
            assert!(matches!(parsed, Err(JsonError::Syntax(_))), "{text}");
        }
    }

    #[test]
    fn fields_that_are_not_asked_for_are_checked_and_left_out() {
        let read = |text: &str| parse_fields(text.as_bytes(), &["a", "b"]).map(|tree| tree.to_string());
        let text = r#" {"x": {"a": 1}, "b": {"x": [1.50]}, "a": 2, "y": [], "\u0061": 3} "#;
        assert_eq!(read(text).expect("JSON"), r#"{"b":{"x":[1.50]},"a":3}"#);
        assert_eq!(read("[1]").expect("JSON"), "[1]");
        for wrong in ["{\"x\": [1,]}", "{\"a\": 1} 2", "{", "", "{\"x\": \"\u{1}\"}"] {
            assert!(matches!(read(wrong), Err(JsonError::Syntax(_))), "{wrong}");
        }
    }

    #[test]
    fn the_usual_budget_grows_with_the_text() {
        assert_eq!(Budget::of(10).bytes(), BASE + 30);
        assert_eq!(Budget::of(usize::MAX).bytes(), usize::MAX);
    }
}
