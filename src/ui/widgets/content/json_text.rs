//! Highlights JSON: fast enough for every key press, and for invalid JSON.

use crate::ui::theme::TokenClass;
use std::ops::Range;

/// Returns the runs of a text in order, covering all of it. An unclosed string ends with its line.
pub fn json_runs(text: &str) -> Vec<(Range<usize>, TokenClass)> {
    let bytes = text.as_bytes();
    let mut runs: Vec<(Range<usize>, TokenClass)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (end, class) = match bytes[at] {
            b'"' => {
                let end = string_end(bytes, at);
                (end, if is_key(bytes, end) { TokenClass::Function } else { TokenClass::Literal })
            }
            b'-' | b'0'..=b'9' => (while_in(bytes, at, |byte| b"+-.eE0123456789".contains(&byte)), TokenClass::Literal),
            byte if byte.is_ascii_alphabetic() => {
                let end = while_in(bytes, at, |byte| byte.is_ascii_alphanumeric());
                let known = matches!(&bytes[at..end], b"true" | b"false" | b"null");
                (end, if known { TokenClass::Keyword } else { TokenClass::Plain })
            }
            _ => (while_in(bytes, at, |byte| !starts_word(byte)), TokenClass::Plain),
        };
        match runs.last_mut() {
            Some((last, known)) if *known == class => last.end = end,
            _ => runs.push((at..end, class)),
        }
        at = end;
    }
    runs
}

fn starts_word(byte: u8) -> bool {
    byte == b'"' || byte == b'-' || byte.is_ascii_alphanumeric()
}

/// Returns where the wanted bytes end; at least one is taken.
fn while_in(bytes: &[u8], from: usize, wanted: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from + 1..).unwrap_or_default();
    from + 1 + rest.iter().take_while(|byte| wanted(**byte)).count()
}

/// Returns the end of the string that begins here: after its closing quote, or the end of its line.
fn string_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\n' => return at,
            // An escaped quote does not end the string; the end of a line is never escaped.
            b'\\' if bytes.get(at + 1).is_some_and(|next| next.is_ascii() && *next != b'\n') => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn is_key(bytes: &[u8], from: usize) -> bool {
    bytes[from..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(&str, TokenClass)> {
        json_runs(text).into_iter().map(|(bytes, class)| (&text[bytes], class)).collect()
    }

    #[test]
    fn keys_strings_numbers_and_words_are_distinguished() {
        let wanted = [
            ("{", TokenClass::Plain),
            ("\"k\\\"é\"", TokenClass::Function),
            (" : [", TokenClass::Plain),
            ("-1.50e+3", TokenClass::Literal),
            (", ", TokenClass::Plain),
            ("null", TokenClass::Keyword),
            (", ", TokenClass::Plain),
            ("\"s\"", TokenClass::Literal),
            ("]}", TokenClass::Plain),
        ];
        assert_eq!(words("{\"k\\\"é\" : [-1.50e+3, null, \"s\"]}"), wanted);
    }

    #[test]
    fn runs_cover_any_text_and_a_broken_string_ends_with_its_line() {
        for text in ["", "\"open\n{\"a\":1}", "\"\\", "ü\"é\\é", "\"a\\\n1", "é😀 tru", "{{}}::--"] {
            let joined: String = words(text).into_iter().map(|(word, _)| word).collect();
            assert_eq!(joined, text);
        }
        assert!(words("\"open\n{\"a\":1}").contains(&("\"a\"", TokenClass::Function)));
    }
}
