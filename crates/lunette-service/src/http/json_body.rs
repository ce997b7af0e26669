//! Parses the body of a request using little more memory than its text.
//!
//! The content of an asset is one long string, or one long array of numbers. Both are extracted from the text before
//! the rest is parsed, since a tree of numbers takes fifty times its text. What must hold: the tree equals the one from
//! parsing the whole text, except that bytes as numbers become `string.base64`, which means the same; a text that is
//! not JSON is rejected; the number of values is known before a tree is built.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::ServiceError;
use lunette_json::token::{Token, Tokens};

/// The most values that a body may have beside the bytes of a content.
pub(super) const MAX_VALUES: usize = 250_000;
/// What a value takes in a tree, at most, and on average for the worst of texts.
const VALUE_BYTES: usize = 200;
/// Longer values are extracted.
const EXTRACT_BYTES: usize = 256 * 1024;

/// A scanned text.
pub(super) struct ScannedJson {
    text: Vec<u8>,
    extracts: Vec<Extract>,
    values: usize,
}

/// A part of a text that is extracted.
#[derive(Debug, PartialEq)]
enum Extract {
    /// A string, with its quotes.
    Text(Range<usize>),
    /// An array of numbers, with its brackets, under `bytes.raw`.
    Numbers(Range<usize>),
}

impl Extract {
    fn range(&self) -> Range<usize> {
        match self {
            Self::Text(range) | Self::Numbers(range) => range.clone(),
        }
    }
}

/// An extracted value.
enum Extracted {
    Text(String),
    Bytes(Vec<u8>),
}

impl ScannedJson {
    /// Scans a text. Fails with 413 if it has too many values.
    pub(super) fn new(text: Vec<u8>) -> Result<Self, ServiceError> {
        let mut scanner = Scanner::default();
        for token in Tokens::new(&text) {
            scanner.scan(token, &text);
            if scanner.values > MAX_VALUES {
                return Err(ServiceError::too_many_values(MAX_VALUES));
            }
        }
        let Scanner { extracts, values, .. } = scanner;
        Ok(Self { text, extracts, values })
    }

    /// The memory that the tree needs beside the text.
    pub(super) fn tree_bytes(&self) -> usize {
        self.values * VALUE_BYTES
    }

    /// The tree. Fails with 400 on a text that is not JSON.
    pub(super) fn into_tree(self) -> Result<Value, ServiceError> {
        let Self { text, extracts, .. } = self;
        let not_json =
            |problem: &dyn std::fmt::Display| ServiceError::bad_request(format!("the body is not JSON: {problem}"));
        if extracts.is_empty() {
            return serde_json::from_slice(&text).map_err(|error| not_json(&error));
        }
        let marker = uuid::Uuid::new_v4().to_string();
        let rest = without_extracts(&text, &extracts, &marker);
        let mut tree: Value = serde_json::from_slice(&rest).map_err(|error| not_json(&error))?;
        let mut extracted = extract(text, &extracts).map_err(|problem| not_json(&problem))?;
        restore(&mut tree, &marker, &mut extracted);
        Ok(tree)
    }
}

/// The state of a scan.
#[derive(Default)]
struct Scanner {
    /// The last key of each object or array that is being read.
    open: Vec<Range<usize>>,
    /// The array under `bytes.raw` being read: its start, and how many numbers it has so far.
    numbers: Option<(usize, usize)>,
    extracts: Vec<Extract>,
    values: usize,
}

impl Scanner {
    fn scan(&mut self, token: Token, text: &[u8]) {
        if let Some((_, count)) = &mut self.numbers {
            match &token {
                Token::Comma { .. } => return,
                Token::Other(range) if text[range.clone()].iter().all(u8::is_ascii_digit) => {
                    *count += 1;
                    return;
                }
                Token::Close { at } => self.end_of_numbers(*at + 1),
                _ => self.end_of_numbers(0),
            }
        }
        match token {
            Token::Open { object, at } => {
                self.values += 1;
                if !object && self.is_content(text) {
                    self.numbers = Some((at, 0));
                }
                self.open.push(0..0);
            }
            Token::Close { .. } => drop(self.open.pop()),
            Token::Key(range) => self.open.last_mut().into_iter().for_each(|key| *key = range.clone()),
            Token::Text(range) => {
                self.values += 1;
                if range.len() > EXTRACT_BYTES {
                    self.extracts.push(Extract::Text(range));
                }
            }
            Token::Other(_) => self.values += 1,
            Token::Comma { .. } | Token::Comment(_) => {}
        }
    }

    /// Whether what begins here is under `bytes.raw`.
    fn is_content(&self, text: &[u8]) -> bool {
        let mut keys = self.open.iter().rev().map(|key| &text[key.clone()]);
        keys.next() == Some(b"\"raw\"") && keys.next() == Some(b"\"bytes\"")
    }

    /// The numbers end here, at the end of their array or, 0, before something that is not a number.
    fn end_of_numbers(&mut self, end: usize) {
        let Some((begin, count)) = self.numbers.take() else { return };
        if end.saturating_sub(begin) > EXTRACT_BYTES {
            self.extracts.push(Extract::Numbers(begin..end));
        } else {
            self.values += count;
        }
    }
}

/// The text with a marker in place of each extract.
fn without_extracts(text: &[u8], extracts: &[Extract], marker: &str) -> Vec<u8> {
    let (mut rest, mut from) = (Vec::new(), 0);
    for (index, extract) in extracts.iter().enumerate() {
        let Range { start, end } = extract.range();
        rest.extend_from_slice(&text[from..start]);
        rest.extend_from_slice(format!("\"{marker}{index}\"").as_bytes());
        from = end;
    }
    rest.extend_from_slice(&text[from..]);
    rest
}

/// Extracts the values; the longest string reuses the memory of the text.
fn extract(mut text: Vec<u8>, extracts: &[Extract]) -> Result<Vec<Option<Extracted>>, &'static str> {
    let of_text = |extract: &Extract| if matches!(extract, Extract::Text(_)) { extract.range().len() } else { 0 };
    let longest = extracts.iter().enumerate().max_by_key(|(_, extract)| of_text(extract)).map(|(index, _)| index);
    let mut extracted = Vec::with_capacity(extracts.len());
    for (index, extract) in extracts.iter().enumerate() {
        extracted.push(match extract {
            Extract::Numbers(range) => Some(Extracted::Bytes(numbers(&text[range.start + 1..range.end - 1])?)),
            Extract::Text(range) if Some(index) != longest => {
                let mut copy = text[range.start + 1..range.end - 1].to_vec();
                let length = unescape(&mut copy)?;
                copy.truncate(length);
                Some(Extracted::Text(String::from_utf8(copy).map_err(|_| "a string is not UTF-8")?))
            }
            Extract::Text(_) => None,
        });
    }
    if let Some((index, Extract::Text(range))) = longest.and_then(|index| Some((index, extracts.get(index)?))) {
        let length = unescape(&mut text[range.start + 1..range.end - 1])?;
        text.copy_within(range.start + 1..range.start + 1 + length, 0);
        text.truncate(length);
        extracted[index] = Some(Extracted::Text(String::from_utf8(text).map_err(|_| "a string is not UTF-8")?));
    }
    Ok(extracted)
}

/// Numbers from 0 to 255, between commas.
fn numbers(list: &[u8]) -> Result<Vec<u8>, &'static str> {
    const WRONG: &str = "the bytes of a content must be whole numbers from 0 to 255";
    let mut bytes = Vec::with_capacity(list.len() / 4);
    for digits in list.split(|&byte| byte == b',') {
        let digits = digits.trim_ascii();
        let plain = matches!(digits, [b'0'] | [b'1'..=b'9'] | [b'1'..=b'9', _] | [b'1'..=b'2', _, _]);
        let text = std::str::from_utf8(digits).ok().filter(|_| plain).ok_or(WRONG)?;
        bytes.push(text.parse().map_err(|_| WRONG)?);
    }
    bytes.shrink_to_fit();
    Ok(bytes)
}

/// Takes the escapes out of the inside of a JSON string, in place (RFC 8259, section 7). Gives the new length.
fn unescape(bytes: &mut [u8]) -> Result<usize, &'static str> {
    if bytes.iter().any(|byte| *byte < 0x20) {
        return Err("a string contains a control character");
    }
    let (mut read, mut write) = (0, 0);
    while let Some(run) = memchr::memchr(b'\\', &bytes[read..]) {
        bytes.copy_within(read..read + run, write);
        (read, write) = (read + run + 2, write + run);
        let plain = match bytes.get(read - 1) {
            Some(same @ (b'"' | b'\\' | b'/')) => *same,
            Some(b'b') => 0x08,
            Some(b'f') => 0x0c,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                let (letter, length) = letter(&bytes[read..])?;
                write += letter.encode_utf8(&mut bytes[write..]).len();
                read += length;
                continue;
            }
            _ => return Err("a string contains an invalid escape"),
        };
        bytes[write] = plain;
        write += 1;
    }
    bytes.copy_within(read.., write);
    Ok(bytes.len() - read + write)
}

/// The letter behind `\u`, and how many bytes it takes there.
fn letter(text: &[u8]) -> Result<(char, usize), &'static str> {
    const WRONG: &str = "a string contains an unpaired surrogate escape";
    let first = unit(text)?;
    if let Some(letter) = char::from_u32(first) {
        return Ok((letter, 4));
    }
    let second = text.get(4..).and_then(|rest| rest.strip_prefix(b"\\u")).ok_or(WRONG)?;
    let second = unit(second)?;
    let whole = (0xd800..0xdc00).contains(&first) && (0xdc00..0xe000).contains(&second);
    let code = 0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff);
    char::from_u32(code).filter(|_| whole).map(|letter| (letter, 10)).ok_or(WRONG)
}

/// Four hexadecimal digits.
fn unit(text: &[u8]) -> Result<u32, &'static str> {
    let digits = text.get(..4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
    let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
    digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).ok_or("a string contains an incomplete escape")
}

/// Puts the extracted values into the tree in place of their markers.
fn restore(tree: &mut Value, marker: &str, extracted: &mut [Option<Extracted>]) {
    match tree {
        Value::Object(fields) => {
            let bytes = fields.get("bytes").and_then(|bytes| take_extracted(bytes.get("raw")?, marker, extracted));
            if let Some(Extracted::Bytes(bytes)) = bytes {
                // Two contents are rejected later by the reader of the body, so keep both.
                if !fields.contains_key("string") {
                    fields.shift_remove("bytes");
                }
                fields.insert("string".to_owned(), json!({ "base64": STANDARD.encode(bytes) }));
            }
            fields.values_mut().for_each(|value| restore(value, marker, extracted));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| restore(item, marker, extracted)),
        Value::String(_) => {
            if let Some(Extracted::Text(text)) = take_extracted(tree, marker, extracted) {
                *tree = Value::String(text);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn take_extracted(mark: &Value, marker: &str, extracted: &mut [Option<Extracted>]) -> Option<Extracted> {
    let index: usize = mark.as_str()?.strip_prefix(marker)?.parse().ok()?;
    extracted.get_mut(index)?.take()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Result<Value, ServiceError> {
        ScannedJson::new(text.as_bytes().to_vec())?.into_tree()
    }

    #[test]
    fn long_strings_are_read_as_by_the_parser() {
        let long = |piece: &str| piece.repeat(EXTRACT_BYTES / piece.len() + 1);
        for piece in ["x", "a\\nb", "\\\"\\\\\\/\\b\\f\\r\\t", "\\u0041\\u00e9", "\\ud83d\\ude00-", "ü😀", "\\u0000"]
        {
            let long = long(piece);
            for text in [
                format!("\"{long}\""),
                format!("{{\"a\": [1, \"{long}\", {{\"b\": \"{long}y\", \"short\": \"z\"}}], \"{long}\": null}}"),
            ] {
                assert_eq!(tree(&text).ok(), serde_json::from_str(&text).ok(), "{piece}");
            }
        }
    }

    #[test]
    fn malformed_long_strings_are_rejected() {
        let long = "x".repeat(EXTRACT_BYTES);
        for wrong in ["\\x", "\\u12", "\\u12g4", "\\ud800", "\\ud800\\u0041", "\\udc00", "\n", "\u{1}"] {
            let text = format!("{{\"a\": \"{long}{wrong}\"}}");
            assert!(serde_json::from_str::<Value>(&text).is_err(), "{wrong:?}");
            let refused = tree(&text).expect_err("not JSON");
            assert!(refused.status() == 400 && refused.sentence().contains("not JSON"), "{wrong:?}: {refused}");
        }
        let broken = [b"\"".as_slice(), long.as_bytes(), b"\xff\""].concat();
        assert!(ScannedJson::new(broken).expect("few values").into_tree().is_err());
        assert!(tree(&format!("{{\"a\": \"{long}")).is_err());
    }

    #[test]
    fn bytes_as_numbers_become_base64_and_short_ones_stay() {
        let bytes: Vec<u8> = (0..200_000_u32).map(|number| (number % 256) as u8).collect();
        let list = |bytes: &[u8]| bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(" ,");
        let file = |list: &str| format!("{{\"file\": {{\"bytes\": {{\"raw\": [{list}]}}, \"size\": 1}}}}");
        let long = tree(&file(&list(&bytes))).expect("a tree");
        assert_eq!(long, json!({ "file": { "size": 1, "string": { "base64": STANDARD.encode(&bytes) } } }));
        let short = tree(&file(&list(&bytes[..300]))).expect("a tree");
        assert_eq!(short["file"]["bytes"]["raw"][255], 255);
        for wrong in ["256", "01", "", "1 2"] {
            assert!(tree(&file(&format!("{},{wrong}", list(&bytes)))).is_err(), "{wrong}");
        }
        // These are JSON: the reader of the content reports what is wrong.
        for odd in ["-1", "1.0", "\"a\"", "null"] {
            let text = file(&format!("{},{odd}", list(&bytes)));
            assert_eq!(tree(&text).ok(), serde_json::from_str(&text).ok(), "{odd}");
        }
    }

    #[test]
    fn more_values_than_are_allowed_are_refused_before_a_tree_is_built() {
        for text in [
            format!("[{}]", vec!["1"; MAX_VALUES].join(",")),
            format!("[{}]", vec!["[]"; MAX_VALUES].join(",")),
            format!("[{}]", vec!["{\"a\":\"\"}"; MAX_VALUES / 2].join(",")),
            format!("{{\"raw\":[{}]}}", vec!["1"; MAX_VALUES].join(",")),
        ] {
            let refused = tree(&text).expect_err("too many");
            assert!(refused.status() == 413 && refused.sentence().contains("250000"), "{refused}");
        }
        assert!(tree(&format!("[{}]", vec!["1"; MAX_VALUES - 1].join(","))).is_ok());
    }
}
