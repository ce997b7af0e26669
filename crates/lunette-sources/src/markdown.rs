//! Markdown: the front matter of a note, and its fenced code blocks.

use std::rc::Rc;

use serde_json::Value;

use crate::yaml::{self, YamlError};

/// The maximum size of front matter, in bytes.
const MOST_FRONT_MATTER: usize = 256 << 10;

/// A note: its front matter, and the text after it.
#[derive(Debug)]
pub(crate) struct Note<'a> {
    /// The properties; `None` if there is no front matter.
    pub properties: Option<Result<Value, YamlError>>,
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

/// A fenced code block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The nearest heading above it, without its marks; empty if there is none. The blocks below a heading share it.
    pub heading: Rc<str>,
    /// The first word after the fence.
    pub language: Option<String>,
    /// The text between the fences, without the last line break.
    pub code: String,
    /// Whether its closing fence exists.
    pub closed: bool,
}

/// A block whose closing fence was not found yet.
struct Open {
    mark: char,
    count: usize,
    indent: usize,
    /// Whether lines end in `\r\n`; where they do not, a `\r` belongs to the code.
    carriage_returns: bool,
    block: Block,
}

/// The fenced code blocks of a text, in order. The indentation of the opening fence is removed from all lines.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut heading: Rc<str> = Rc::from("");
    let mut open: Option<Open> = None;
    for whole in text.split('\n') {
        let line = whole.strip_suffix('\r').unwrap_or(whole);
        let trimmed = line.trim_start_matches(' ');
        let indent = line.len() - trimmed.len();
        match &mut open {
            Some(Open { mark, count, .. }) if is_closing(trimmed, *mark, *count) && indent < 4 => {
                if let Some(Open { mut block, .. }) = open.take() {
                    block.closed = true;
                    blocks.push(finished(block));
                }
            }
            Some(Open { indent: less, carriage_returns, block, .. }) => {
                let kept = if *carriage_returns { line } else { whole };
                block.code.push_str(&kept[indent.min(*less)..]);
                block.code.push('\n');
            }
            None => match opening(trimmed).filter(|_| indent < 4) {
                Some((mark, count, info)) => {
                    let language =
                        info.split([' ', ',', '{']).next().map(str::to_owned).filter(|word| !word.is_empty());
                    let block = Block { heading: Rc::clone(&heading), language, code: String::new(), closed: false };
                    open = Some(Open { mark, count, indent, carriage_returns: whole != line, block });
                }
                None if trimmed.starts_with('#') => {
                    let title = trimmed.trim_start_matches('#');
                    if title.starts_with(' ') {
                        heading = Rc::from(title.trim().trim_end_matches('#').trim());
                    }
                }
                None => {}
            },
        }
    }
    blocks.extend(open.map(|open| finished(open.block)));
    blocks
}

fn finished(mut block: Block) -> Block {
    if block.code.ends_with('\n') {
        block.code.pop();
    }
    block
}

/// The mark, the length and the rest of an opening fence.
fn opening(line: &str) -> Option<(char, usize, &str)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let count = line.len() - rest.len();
    (count >= 3 && !(mark == '`' && rest.contains('`'))).then(|| (mark, count, rest.trim()))
}

fn is_closing(line: &str, mark: char, count: usize) -> bool {
    let rest = line.trim_start_matches(mark);
    line.len() - rest.len() >= count && rest.trim().is_empty()
}

/// The tags of a text: a hash sign and letters, digits, `_`, `-` or `/`, not digits alone, and not in code.
pub(crate) fn hash_tags(text: &str) -> Vec<String> {
    let mut tags = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    for line in text.lines() {
        let trimmed = line.trim_start();
        match fence {
            Some((mark, count)) if is_closing(trimmed, mark, count) => fence = None,
            Some(_) => {}
            None => match opening(trimmed) {
                Some((mark, count, _)) => fence = Some((mark, count)),
                // Every second part is between back-ticks.
                None => line.split('`').step_by(2).for_each(|part| tags_of_line(part, &mut tags)),
            },
        }
    }
    tags
}

fn tags_of_line(line: &str, tags: &mut Vec<String>) {
    let is_part = |letter: char| letter.is_alphanumeric() || "_-/".contains(letter);
    for (at, _) in line.match_indices('#') {
        let starts =
            line[..at].chars().next_back().is_none_or(|before| before.is_whitespace() || "(,[".contains(before));
        let rest = &line[at + 1..];
        let tag = &rest[..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())];
        if starts && tag.chars().any(|letter| !letter.is_numeric() && letter.is_alphanumeric()) {
            tags.push(tag.trim_end_matches('/').to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_split_from_the_body() {
        let note = note("---\ntags: [a, b]\n---\n# x\n");
        assert_eq!(note.body, "# x\n");
        assert_eq!(note.properties, Some(Ok(serde_json::json!({"tags": ["a", "b"]}))));
        assert!(super::note("text\n---\n").properties.is_none());
    }

    #[test]
    fn blocks_have_their_heading_and_language() {
        let found = blocks("# One #\n```rust ignore\nfn a() {}\n```\n## Two\n  ~~~~\n  x\n~~~\n  ~~~~\n");
        let expected = [("One", Some("rust"), "fn a() {}"), ("Two", None, "x\n~~~")];
        let found: Vec<_> =
            found.iter().map(|block| (&*block.heading, block.language.as_deref(), block.code.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn carriage_returns_belong_to_the_code_only_where_the_note_has_none() {
        let code = |text| blocks(text).remove(0).code;
        assert_eq!(code("```\na\r\nb\n```\n"), "a\r\nb");
        assert_eq!(code("```\r\na\r\nb\r\n```\r\n"), "a\nb");
    }

    #[test]
    fn hash_tags_are_words_outside_of_code() {
        let text = "#one a#no #12 (#two/three) `#code`\n```\n#no\n```\n# heading #four";
        assert_eq!(hash_tags(text), ["one", "two/three", "four"]);
    }
}
