//! The tokens of a JSON text, and the elements of a list in it, without building a tree.
//!
//! What must hold: any bytes at all are read without a panic, and at the cost of nothing but the text. Whether the text
//! is JSON is for its parser to say.

use std::ops::Range;

/// A token and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// `[` or `{`.
    Open {
        /// Whether it is `{`.
        object: bool,
        /// Its offset.
        at: usize,
    },
    /// `]` or `}`.
    Close {
        /// Its offset.
        at: usize,
    },
    /// `:`.
    Colon,
    /// `,`.
    Comma,
    /// A string, with its quotes.
    Text(Range<usize>),
    /// A number, `true`, `false`, `null`, or what is none of them.
    Other(Range<usize>),
}

/// The tokens of a text, one by one.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    /// The tokens of this text.
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// The end of a string that begins here; the end of the text where it has no other.
    fn end_of_string(&self) -> Option<usize> {
        let mut at = self.at + 1;
        loop {
            let next = at + memchr::memchr2(b'"', b'\\', self.text.get(at..)?)?;
            if self.text[next] == b'"' {
                return Some(next + 1);
            }
            at = next + 2;
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let rest = self.text.get(self.at..)?;
        self.at += rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let at = self.at;
        let token = match self.text[at] {
            open @ (b'[' | b'{') => Token::Open { object: open == b'{', at },
            b']' | b'}' => Token::Close { at },
            b':' => Token::Colon,
            b',' => Token::Comma,
            b'"' => {
                // A string without an end ends the text.
                self.at = self.end_of_string().unwrap_or(usize::MAX);
                return (self.at != usize::MAX).then_some(Token::Text(at..self.at));
            }
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || b"[]{}:,\"".contains(byte);
                self.at += self.text[at..].iter().position(ends).unwrap_or(self.text.len() - at);
                return Some(Token::Other(at..self.at));
            }
        };
        self.at += 1;
        Some(token)
    }
}

/// The texts of the elements of an array, one by one.
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    text: &'a [u8],
    tokens: Tokens<'a>,
}

/// The elements of the array that the outermost object of a text has under a key, which must be written without
/// escapes. None if there is none. The text must be JSON; of any other text, what comes is of no use.
pub fn elements<'a>(text: &'a [u8], key: &str) -> Option<Elements<'a>> {
    let mut tokens = Tokens::new(text);
    if !matches!(tokens.next(), Some(Token::Open { object: true, .. })) {
        return None;
    }
    let mut depth = 0_usize;
    let mut wanted = false;
    loop {
        match tokens.next()? {
            Token::Text(range) if depth == 0 => wanted = text[range.start + 1..range.end - 1] == *key.as_bytes(),
            Token::Colon if depth == 0 && wanted => {
                let array = matches!(tokens.next()?, Token::Open { object: false, .. });
                return array.then_some(Elements { text, tokens });
            }
            Token::Open { .. } => depth += 1,
            Token::Close { .. } => depth = depth.checked_sub(1)?,
            Token::Text(_) | Token::Other(_) | Token::Colon => {}
            Token::Comma => wanted = false,
        }
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let mut start = None;
        let mut depth = 0_usize;
        loop {
            let (from, to) = match self.tokens.next()? {
                Token::Open { at, .. } => {
                    depth += 1;
                    (at, None)
                }
                Token::Close { at } => {
                    let Some(outer) = depth.checked_sub(1) else {
                        // The end of the array: the rest is ignored.
                        self.tokens.at = usize::MAX;
                        return None;
                    };
                    depth = outer;
                    (at, Some(at + 1))
                }
                Token::Text(range) | Token::Other(range) => (range.start, Some(range.end)),
                Token::Colon | Token::Comma => continue,
            };
            let start = *start.get_or_insert(from);
            if let (0, Some(to)) = (depth, to) {
                return self.text.get(start..to);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, key: &str) -> Option<Vec<String>> {
        let elements = elements(text.as_bytes(), key)?;
        Some(elements.map(|element| String::from_utf8_lossy(element).into_owned()).collect())
    }

    #[test]
    fn the_elements_of_a_list_are_complete_and_ordered() {
        let text =
            r#" {"schema": {"iterable": [9]}, "iterable": [ {"a": [1, "]"]} , "x\"}", 1.50,[],{ } ,null ], "b": 1}"#;
        let expected = [r#"{"a": [1, "]"]}"#, r#""x\"}""#, "1.50", "[]", "{ }", "null"];
        assert_eq!(texts(text, "iterable"), Some(expected.map(str::to_owned).to_vec()));
        assert_eq!(texts(r#"{"iterable": []}"#, "iterable"), Some(Vec::new()));
    }

    #[test]
    fn a_missing_list_yields_none() {
        for text in ["[]", "1", "", r#"{"iterable": {}}"#, r#"{"a": "iterable"}"#, r#"{"a": {"iterable": []}}"#, "{"] {
            assert_eq!(texts(text, "iterable"), None, "{text}");
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic() {
        for text in ["{\"iterable\":[", "{\"iterable\":[}}}]", "{\"iterable\":[\"", "{\"iterable\":[1\\", "}{", "\"\\"]
        {
            drop(texts(text, "iterable"));
            assert!(Tokens::new(text.as_bytes()).count() < 10, "{text}");
        }
    }
}
