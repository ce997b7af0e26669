//! The tokens of a JSON text, and the elements of a list in it, without building a tree.

use std::ops::Range;

/// A token and its place in the text. Colons are left out: a string before one is a key.
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
    /// `,`.
    Comma {
        /// Its offset.
        at: usize,
    },
    /// The key of a field, with its quotes.
    Key(Range<usize>),
    /// Another string, with its quotes.
    Text(Range<usize>),
    /// A number, `true`, `false`, `null`, or what is none of them.
    Other(Range<usize>),
    /// A comment, if the text may have comments.
    Comment(Range<usize>),
}

/// The tokens of a text, one by one.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    comments: bool,
    /// Which of the innermost containers are objects, the lowest bit for the innermost one. Parsers refuse a text that
    /// is deeper than 128, so that its outer containers may be forgotten.
    objects: u128,
    /// Whether the next string is a key.
    key: bool,
}

impl<'a> Tokens<'a> {
    /// The tokens of this text.
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, comments: false, objects: 0, key: false }
    }

    /// The tokens of this text, which may have comments, `// …` up to the end of a line and `/* … */`.
    pub fn with_comments(text: &'a [u8]) -> Self {
        Self { comments: true, ..Self::new(text) }
    }

    /// The end of a string that begins here; `None` if it has no end.
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

    /// The end of a comment that begins at this offset, if one does; without an end it ends with the text.
    fn end_of_comment(&self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?.strip_prefix(b"/")?;
        let length = match rest.first()? {
            b'/' => memchr::memchr(b'\n', rest).map(|length| length + 1),
            b'*' => memchr::memmem::find(&rest[1..], b"*/").map(|length| length + 4),
            _ => return None,
        };
        Some(length.map_or(self.text.len(), |length| at + length))
    }

    /// The end of a number or a word that begins here.
    #[inline]
    fn end_of_word(&self) -> usize {
        let rest = &self.text[self.at..];
        let end =
            rest.iter().position(|byte| ENDS_WORD[usize::from(*byte)]).map_or(self.text.len(), |end| self.at + end);
        match self.comments {
            true => (self.at + 1..end).find(|at| self.end_of_comment(*at).is_some()).unwrap_or(end),
            false => end,
        }
    }
}

/// Which bytes end a number or a word: spaces and punctuation.
const ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let mut bytes: &[u8] = b" \t\n\r\x0c[]{}:,\"";
    while let [first, rest @ ..] = bytes {
        ends[*first as usize] = true;
        bytes = rest;
    }
    ends
};

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let rest = self.text.get(self.at..)?;
        self.at += rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b':'))?;
        let at = self.at;
        let token = match self.text[at] {
            open @ (b'[' | b'{') => {
                self.key = open == b'{';
                self.objects = self.objects << 1 | u128::from(self.key);
                Token::Open { object: self.key, at }
            }
            b']' | b'}' => {
                self.objects >>= 1;
                self.key = false;
                Token::Close { at }
            }
            b',' => {
                self.key = self.objects & 1 == 1;
                Token::Comma { at }
            }
            b'"' => {
                // A string without an end ends the text.
                self.at = self.end_of_string().unwrap_or(usize::MAX);
                if self.at == usize::MAX {
                    return None;
                }
                let is_key = std::mem::take(&mut self.key);
                return Some(if is_key { Token::Key(at..self.at) } else { Token::Text(at..self.at) });
            }
            _ => {
                if self.comments
                    && let Some(end) = self.end_of_comment(at)
                {
                    self.at = end;
                    return Some(Token::Comment(at..end));
                }
                self.at = self.end_of_word();
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
    loop {
        match tokens.next()? {
            Token::Key(range) if depth == 0 && text[range.start + 1..range.end - 1] == *key.as_bytes() => {
                let array = matches!(tokens.next()?, Token::Open { object: false, .. });
                return array.then_some(Elements { text, tokens });
            }
            Token::Open { .. } => depth += 1,
            Token::Close { .. } => depth = depth.checked_sub(1)?,
            _ => {}
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
                Token::Key(_) | Token::Comma { .. } | Token::Comment(_) => continue,
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
    fn keys_are_told_from_other_strings() {
        let text = r#"{"a": "b", "c": ["d", {"e": "f"}, "g"], "h" /* : */ : {}, "i": "j"}"#;
        let keys = Tokens::with_comments(text.as_bytes()).filter_map(|token| match token {
            Token::Key(range) => Some(&text[range.start + 1..range.end - 1]),
            _ => None,
        });
        assert_eq!(keys.collect::<String>(), "acehi");
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
