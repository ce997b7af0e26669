//! Markdown: the front matter of a note, its fenced code blocks, and the tags in its text.
//!
//! What must hold: what is code, a link, HTML or text is decided by a CommonMark parser. A text that would cost the
//! parser too much is not parsed, and the caller reports it.

use pulldown_cmark::{OffsetIter, Options, Parser};

mod blocks;
mod tags;

pub(crate) use blocks::{Block, blocks};
pub(crate) use tags::hash_tags;

use crate::yaml::{self, Document, YamlError};

/// The maximum size of front matter, in bytes.
const MOST_FRONT_MATTER: usize = 256 << 10;
/// The maximum number of marks of a text: about how many nodes of 64 bytes the parser makes of it.
const MOST_MARKS: usize = 2 << 20;
/// The maximum product of the lines of a text and of the depth of its containers.
const MOST_STEPS: usize = 200_000_000;

/// A note: its front matter, and the text after it.
#[derive(Debug)]
pub(crate) struct Note<'a> {
    /// The properties; `None` if there is no front matter.
    pub properties: Option<Result<Document, YamlError>>,
    /// The text after the front matter.
    pub body: &'a str,
}

/// Splits a text into front matter and body. Front matter begins with `---` in the first line.
pub(crate) fn note(text: &str) -> Note<'_> {
    let none = Note { properties: None, body: text };
    let Some(rest) = text.strip_prefix("---").and_then(|rest| rest.strip_prefix('\n').or(rest.strip_prefix("\r\n")))
    else {
        return none;
    };
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            let properties = yaml::parse_within(&rest[..at], MOST_FRONT_MATTER)
                .map_err(|error| YamlError { line: error.line + 1, ..error });
            return Note { properties: Some(properties), body: &rest[at + line.len()..] };
        }
        at += line.len();
    }
    none
}

/// Returns the elements of a text with their positions. Fails if the text would cost the parser too much.
fn elements(text: &str) -> Result<OffsetIter<'_>, TooComplex> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_WIKILINKS;
    if is_too_complex(text) { Err(TooComplex) } else { Ok(Parser::new_ext(text, options).into_offset_iter()) }
}

/// The text would cost the parser too much memory or time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooComplex;

/// What is said of a text that is too complex.
pub(crate) const TOO_COMPLEX: &str = "has too many marks of Markdown, or too deeply nested lists, to be parsed";

/// Returns whether a text has too many marks, or too many lines for the depth of its lists and quotes, estimated from
/// above. The parser compares each line with all containers that are open.
fn is_too_complex(text: &str) -> bool {
    let marks = text.bytes().filter(|byte| b"*_~`[]!<\\&|$^{}>-+.)\n".contains(byte)).count();
    let (mut lines, mut deepest) = (0_usize, 0);
    for line in text.lines() {
        lines += 1;
        deepest = deepest.max(containers(line));
    }
    marks > MOST_MARKS || lines.saturating_mul(deepest) > MOST_STEPS
}

/// Returns the most containers that a line may begin with or belong to: one for each mark of a list or quote, and
/// for each two columns before the last of them.
fn containers(line: &str) -> usize {
    let (mut marks, mut columns, mut indent) = (0, 0, 0);
    for byte in line.bytes() {
        match byte {
            b'>' | b'-' | b'+' | b'*' | b'.' | b')' => (marks, indent) = (marks + 1, columns),
            b' ' | b'0'..=b'9' => {}
            b'\t' => columns += 3,
            _ => break,
        }
        columns += 1;
    }
    marks + indent / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_split_from_the_body() {
        let note = note("---\ntags: [a, b]\n---\n# x\n");
        assert_eq!(note.body, "# x\n");
        let value = note.properties.and_then(Result::ok).map(|document| document.value);
        assert_eq!(value, Some(serde_json::json!({"tags": ["a", "b"]})));
        assert!(super::note("text\n---\n").properties.is_none());
    }

    #[test]
    fn a_text_that_would_cost_the_parser_too_much_is_not_parsed() {
        let nested = "- ".repeat(5_000);
        for text in ["*".repeat(3 << 20), format!("{nested}```\n{}", "\n".repeat(100_000)), "> ".repeat(3 << 20)] {
            assert_eq!(hash_tags(&text), Err(TooComplex), "{}", &text[..20]);
            assert!(blocks(&text).is_err(), "{}", &text[..20]);
        }
        let usual = "# A heading\n\n- item with `code`\n  - [ ] inner *item*\n\n        deep\n\n".repeat(50_000);
        assert!(!is_too_complex(&usual));
    }
}
