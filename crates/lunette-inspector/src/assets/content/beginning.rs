//! Reads the beginning of a text or of a file from the beginning of a response.
//!
//! What must hold: any bytes are processed in one pass; a text that ends within them is distinguished from one that
//! continues; the result has complete lines if it has any.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A text, or its beginning.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// All of it.
    Whole(String),
    /// Its beginning.
    Cut(String),
}

/// The first content in the beginning of a record or of an export, up to about `most` bytes of it; `None` if no text
/// begins there.
///
/// Our choice: the text of any format is used, since the service determines the order of the fields of a record, and
/// the rest of the response is not read.
pub(super) fn of_text(body: &[u8], most: usize) -> Option<Text> {
    let (text, is_whole) = first(body, "raw", most)?;
    Some(if is_whole { Text::Whole(text) } else { Text::Cut(whole_lines(text)) })
}

/// The first bytes of the first content in the beginning of an export, at most `most`; `None` if no bytes begin there.
pub(super) fn of_bytes(body: &[u8], most: usize) -> Option<Vec<u8>> {
    // Four characters are three bytes; what is left of a cut group of them is dropped.
    let (mut text, _) = first(body, "base64", most.div_ceil(3) * 4)?;
    text.truncate(text.len() / 4 * 4);
    let mut bytes = STANDARD.decode(text).ok()?;
    bytes.truncate(most);
    Some(bytes)
}

/// The first string of a content with this key, up to about `most` bytes of it, and whether it is complete.
fn first(body: &[u8], wanted: &str, most: usize) -> Option<(String, bool)> {
    let mut scan = Scan { body, at: 0 };
    let mut path: Vec<Option<String>> = Vec::new();
    let mut key: Option<String> = None;
    while let Some(byte) = scan.next() {
        match byte {
            b'{' | b'[' => path.push(key.take()),
            b'}' | b']' => drop(path.pop()),
            b'"' => {
                // Keys are short; other strings are skipped.
                if key.as_deref() == Some(wanted) && is_content(&path) {
                    return Some(scan.string(most, true));
                }
                let (text, _) = scan.string(64, false);
                key = scan.is_key().then_some(text);
            }
            b',' => key = None,
            _ => {}
        }
    }
    None
}

/// Whether these fields lead to a `raw` that is the text of a content: `…fragment.string`, `…file.string`, or the
/// `raw.string` of an export.
fn is_content(path: &[Option<String>]) -> bool {
    let names = |index: usize| path.len().checked_sub(index).and_then(|index| path.get(index)?.as_deref());
    names(1) == Some("string") && matches!(names(2), Some("fragment" | "file" | "raw"))
}

/// A text up to the end of its last complete line, if it has one.
fn whole_lines(mut text: String) -> String {
    if let Some(end) = text.rfind('\n') {
        text.truncate(end + 1);
    }
    text
}

/// The bytes of a response, read from the beginning.
struct Scan<'a> {
    body: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn next(&mut self) -> Option<u8> {
        let byte = *self.body.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// The rest of a string after its opening quote, up to about `most` bytes of it, and whether it is complete. The
    /// rest of a longer string is skipped, unless it `ends` the search.
    fn string(&mut self, most: usize, ends: bool) -> (String, bool) {
        let start = self.at;
        // The end of the returned part, and its length without JSON escapes.
        let (mut end, mut kept) = (start, 0);
        let whole = loop {
            match self.next() {
                None => break false,
                Some(b'"') => break end + 1 == self.at,
                Some(b'\\') => self.at += if self.body.get(self.at) == Some(&b'u') { 5 } else { 1 },
                Some(_) => {}
            }
            if kept < most {
                (end, kept) = (self.at.min(self.body.len()), kept + 1);
            } else if ends {
                break false;
            }
        };
        (decoded(&self.body[start..end]), whole)
    }

    /// Whether the string was a key: a colon follows, which is read too.
    fn is_key(&mut self) -> bool {
        let blank =
            self.body.get(self.at..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let colon = self.body.get(self.at + blank) == Some(&b':');
        if colon {
            self.at += blank + 1;
        }
        colon
    }
}

/// The content of a JSON string; one that was truncated within a character or an escape ends before it.
fn decoded(escaped: &[u8]) -> String {
    let valid = match std::str::from_utf8(escaped) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&escaped[..error.valid_up_to()]).unwrap_or_default(),
    };
    // The longest escape is a pair of surrogates.
    (0..=12)
        .filter_map(|less| valid.get(..valid.len().checked_sub(less)?))
        .find_map(|text| serde_json::from_str(&format!("\"{text}\"")).ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn cut(text: &str) -> Option<Text> {
        Some(Text::Cut(text.to_owned()))
    }

    #[test]
    fn a_short_text_is_complete_and_a_longer_one_ends_at_a_line() {
        let export = json!({ "name": "raw", "raw": { "string": { "raw": "one\ntwo\nthree" } } }).to_string();
        assert_eq!(of_text(export.as_bytes(), 1_000), Some(Text::Whole("one\ntwo\nthree".to_owned())));
        assert_eq!(of_text(&export.as_bytes()[..export.len() - 6], 1_000), cut("one\ntwo\n"));
        let long = json!({ "raw": { "string": { "raw": "line\n".repeat(100) } } }).to_string();
        let Some(Text::Cut(text)) = of_text(long.as_bytes(), 100) else { panic!("cut") };
        assert!(text.ends_with("line\n") && (50..200).contains(&text.len()), "{text}");
    }

    #[test]
    fn the_text_of_a_record_is_found_behind_any_field() {
        let format = |text: &str| json!({ "id": "raw", "fragment": { "string": { "raw": text } } });
        let record = json!({
            "name": "a \"raw\": {", "raw": "not this", "list": [{ "raw": "nor this" }, "raw"],
            "formats": { "iterable": [{ "id": "x" }, { "reference": format("the\ntext") }] },
        });
        assert_eq!(of_text(record.to_string().as_bytes(), 1_000), Some(Text::Whole("the\ntext".to_owned())));
        assert_eq!(of_text(b"{\"name\": \"a\"}", 1_000), None);
        let bytes = json!({ "file": { "bytes": { "raw": [1, 2] } } }).to_string();
        assert_eq!(of_text(bytes.as_bytes(), 1_000), None);
    }

    #[test]
    fn the_first_bytes_of_a_file_are_read_however_it_is_cut() {
        let bytes: Vec<u8> = (0..=255).collect();
        let export = json!({ "name": "raw", "raw": { "string": { "base64": STANDARD.encode(&bytes) } } }).to_string();
        assert_eq!(of_bytes(export.as_bytes(), 1_000).as_deref(), Some(&bytes[..]));
        assert_eq!(of_bytes(export.as_bytes(), 16).as_deref(), Some(&bytes[..16]));
        for end in 60..export.len() - 8 {
            let read = of_bytes(&export.as_bytes()[..end], 1_000).expect("some bytes");
            assert!(bytes.starts_with(&read) && read.len() + 12 > (end - 60) / 4 * 3, "{end}: {}", read.len());
        }
        assert_eq!(of_bytes(b"{\"raw\": {\"string\": {\"raw\": \"text\"}}}", 9), None);
    }

    #[test]
    fn an_endless_line_is_split_between_characters() {
        let export = json!({ "raw": { "string": { "raw": "é😀\u{1}".repeat(50) } } }).to_string();
        for end in 20..export.len() {
            if let Some(Text::Cut(text)) = of_text(&export.as_bytes()[..end], 1_000) {
                assert!("é😀\u{1}".repeat(50).starts_with(&text), "{text}");
            }
        }
    }

    proptest! {
        #[test]
        fn no_bytes_cause_a_panic(body in prop::collection::vec(any::<u8>(), 0..200), most in 0_usize..300) {
            of_text(&body, most);
            of_bytes(&body, most);
        }

        #[test]
        fn any_text_round_trips(text in "\\PC{0,40}") {
            let export = json!({ "raw": { "string": { "raw": text } } }).to_string();
            prop_assert_eq!(of_text(export.as_bytes(), 10_000), Some(Text::Whole(text)));
        }
    }
}
