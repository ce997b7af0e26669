//! Parses YAML as a JSON value: one document, with limits on depth and on the expansion of aliases.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError};
use serde_json::{Map, Value};

/// The maximum depth of nesting.
const DEPTH: usize = 64;
/// The maximum number of values of a document, including expanded aliases.
const VALUES: usize = 500_000;
/// The maximum size of texts of a document in bytes, including expanded aliases.
const BYTES: usize = 64 << 20;

/// The maximum size of a text in bytes.
const MOST_TEXT: usize = 4 << 20;
/// The maximum number of signs of lists and objects in brackets. The parser keeps one as up to four hundred bytes for each
/// of them before the first value can be counted.
const MOST_SIGNS: usize = 300_000;

/// Why a document cannot be read, and the line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct YamlError {
    pub line: usize,
    pub message: String,
}

/// The first document of a text, and what of the text is not in it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Document {
    /// Its value; null if there is no document.
    pub value: Value,
    /// The keys that an object has again, of which the last one counts.
    pub repeated_keys: Vec<String>,
    /// Whether there are other documents behind it.
    pub has_more: bool,
}

/// Parses the first document of a text. Dates and numbers other than integers remain texts.
pub(crate) fn parse(text: &str) -> Result<Document, YamlError> {
    parse_within(text, MOST_TEXT)
}

/// Parses the first document of a text that has no more than these bytes.
pub(crate) fn parse_within(text: &str, most: usize) -> Result<Document, YamlError> {
    if text.len() > most {
        return Err(YamlError { line: 1, message: format!("it is larger than {} KiB", most >> 10) });
    }
    if text.bytes().filter(|byte| matches!(byte, b'[' | b'{' | b',' | b':' | b'?')).count() > MOST_SIGNS {
        return Err(YamlError { line: 1, message: format!("it has more than {MOST_SIGNS} lists, objects and values") });
    }
    let mut builder = Builder::default();
    let mut events = Parser::new_from_str(text);
    for event in events.by_ref() {
        let (event, span) = event.map_err(|error| scan_error(&error))?;
        let line = span.start.line();
        if builder.take(event).map_err(|message| YamlError { line, message: message.to_owned() })? {
            break;
        }
    }
    let has_more = events.next().is_some_and(|event| !matches!(event, Ok((Event::StreamEnd, _))));
    let Builder { document, repeated_keys, .. } = builder;
    Ok(Document { value: document.unwrap_or(Value::Null), repeated_keys, has_more })
}

fn scan_error(error: &ScanError) -> YamlError {
    YamlError { line: error.marker().line(), message: error.info().to_owned() }
}

/// A list or an object that is not closed yet.
enum Open {
    List(Vec<Value>),
    /// The key waits for its value.
    Object(Map<String, Value>, Option<String>),
}

#[derive(Default)]
struct Builder {
    open: Vec<(Open, usize)>,
    anchors: HashMap<usize, (Value, Size)>,
    size: Size,
    document: Option<Value>,
    repeated_keys: Vec<String>,
}

/// How many values there are, how many bytes their texts have, and how deep they are nested.
#[derive(Clone, Copy, Default)]
struct Size {
    values: usize,
    bytes: usize,
    depth: usize,
}

impl Builder {
    /// Handles an event; returns true at the end of the document.
    fn take(&mut self, event: Event<'_>) -> Result<bool, &'static str> {
        match event {
            Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => {}
            Event::StreamEnd | Event::DocumentEnd => return Ok(true),
            Event::Alias(anchor) => {
                // Counted before it is copied, since a few nested aliases could fill the memory.
                let Some((value, size)) = self.anchors.get(&anchor) else { return Err("an alias has no anchor") };
                let (size, total) = (*size, self.size);
                if total.values + size.values > VALUES || total.bytes + size.bytes > BYTES {
                    return Err("its aliases repeat too much");
                }
                if self.open.len() + size.depth > DEPTH {
                    return Err("it is nested too deep");
                }
                let value = value.clone();
                self.count(size)?;
                self.put(value, 0)?;
            }
            Event::Scalar(text, style, anchor, tag) => {
                self.count(Size { values: 1, bytes: text.len(), depth: 0 })?;
                let plain = style == ScalarStyle::Plain && tag.is_none();
                self.put(if plain { plain_value(&text) } else { text.into_owned().into() }, anchor)?;
            }
            Event::SequenceStart(anchor, _) => self.begin(Open::List(Vec::new()), anchor)?,
            Event::MappingStart(anchor, _) => self.begin(Open::Object(Map::new(), None), anchor)?,
            Event::SequenceEnd | Event::MappingEnd => {
                let Some((open, anchor)) = self.open.pop() else { return Err("a list or object is closed twice") };
                let value = match open {
                    Open::List(list) => Value::Array(list),
                    Open::Object(object, _) => Value::Object(object),
                };
                self.put(value, anchor)?;
            }
        }
        Ok(false)
    }

    fn begin(&mut self, open: Open, anchor: usize) -> Result<(), &'static str> {
        if self.open.len() >= DEPTH {
            return Err("it is nested too deep");
        }
        self.count(Size { values: 1, bytes: 0, depth: 0 })?;
        self.open.push((open, anchor));
        Ok(())
    }

    fn count(&mut self, size: Size) -> Result<(), &'static str> {
        self.size.values += size.values;
        self.size.bytes += size.bytes;
        if self.size.values > VALUES || self.size.bytes > BYTES { Err("it has too many values") } else { Ok(()) }
    }

    /// Inserts a value at the current position.
    fn put(&mut self, value: Value, anchor: usize) -> Result<(), &'static str> {
        if anchor > 0 {
            let size = size_of(&value);
            // The copy for aliases takes memory too.
            self.count(size)?;
            self.anchors.insert(anchor, (value.clone(), size));
        }
        match self.open.last_mut() {
            None => self.document = Some(value),
            Some((Open::List(list), _)) => list.push(value),
            Some((Open::Object(object, key), _)) => match key.take() {
                // Keys that exist already are not merged.
                Some(key) if key == "<<" && value.is_object() => {
                    if let Value::Object(merged) = value {
                        merged.into_iter().for_each(|(key, value)| _ = object.entry(key).or_insert(value));
                    }
                }
                Some(key) => {
                    if object.contains_key(&key) {
                        self.repeated_keys.push(key.clone());
                    }
                    object.insert(key, value);
                }
                None => *key = Some(crate::json::scalar(&value).unwrap_or_else(|| value.to_string())),
            },
        }
        Ok(())
    }
}

fn size_of(value: &Value) -> Size {
    let own = |bytes, depth| Size { values: 1, bytes, depth };
    // The list or object around a value is one deeper than the value.
    let sum = |whole: Size, part: Size| Size {
        values: whole.values + part.values,
        bytes: whole.bytes + part.bytes,
        depth: whole.depth.max(part.depth + 1),
    };
    match value {
        Value::Array(list) => list.iter().map(size_of).fold(own(0, 1), sum),
        Value::Object(object) => {
            object.iter().fold(own(0, 1), |size, (key, value)| sum(sum(size, own(key.len(), 0)), size_of(value)))
        }
        Value::String(text) => own(text.len(), 0),
        Value::Null | Value::Bool(_) | Value::Number(_) => own(0, 0),
    }
}

/// Resolves an unquoted scalar. A number in a non-canonical form, such as `007`, is a text.
fn plain_value(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        text => match text.parse::<i64>() {
            Ok(number) if number.to_string() == text => number.into(),
            Ok(_) | Err(_) => text.into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_becomes_a_value() {
        let value = parse("a: 1\nb: [x, 007, true]\nc:\n  - d: |\n      line\n    e: ~\n").expect("it is read").value;
        assert_eq!(value, serde_json::json!({"a": 1, "b": ["x", "007", true], "c": [{"d": "line\n", "e": null}]}));
    }

    #[test]
    fn keys_that_are_there_again_and_other_documents_are_told() {
        let document = parse("a: 1\nb: {a: 1, c: 1, c: 2}\na: 2\n---\nd: 1\n").expect("it is read");
        assert_eq!(document.value, serde_json::json!({"a": 2, "b": {"a": 1, "c": 2}}));
        assert_eq!((document.repeated_keys, document.has_more), (vec!["c".to_owned(), "a".to_owned()], true));
        assert!(!parse("a: 1\n...\n").expect("it is read").has_more);
    }

    #[test]
    fn aliases_that_grow_without_end_are_refused() {
        let mut text = String::from("a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
        for (name, before) in ('b'..='j').zip('a'..) {
            let aliases = vec![format!("*{before}"); 9].join(", ");
            text.push_str(&format!("{name}: &{name} [{aliases}]\n"));
        }
        assert!(parse(&text).is_err_and(|error| error.line > 1));
    }

    #[test]
    fn deep_nesting_is_refused_and_names_its_line() {
        let error = parse(&"[".repeat(10_000)).expect_err("it is too deep");
        assert_eq!(error.line, 1, "{error:?}");
    }
}
