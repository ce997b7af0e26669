//! The fenced code blocks of a text.
//!
//! What must hold: the text of a block is that of its lines byte by byte, without what the containers around it and the
//! indentation of its fence take away. The parser replaces `\r\n` by `\n`.

use std::ops::Range;
use std::rc::Rc;

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use super::{TooComplex, elements};

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

/// The fenced code blocks of a text, in order.
///
/// Our choice: a fence within a list item counts even if it is indented by four columns or more from the text of the
/// item. CommonMark calls it indented code then, but people mean a fence.
pub(crate) fn blocks(text: &str) -> Result<Vec<Block>, TooComplex> {
    let mut found = Found { heading: Rc::from(""), blocks: Vec::new() };
    found.add(text, Inner::Parsed)?;
    Ok(found.blocks)
}

/// What is done with the indented code of list items.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inner {
    Parsed,
    Ignored,
}

struct Found {
    heading: Rc<str>,
    blocks: Vec<Block>,
}

impl Found {
    fn add(&mut self, text: &str, inner: Inner) -> Result<(), TooComplex> {
        let mut items = 0_usize;
        let mut open: Option<Open<'_>> = None;
        // What a heading has between its marks.
        let mut title: Option<Range<usize>> = None;
        for (event, range) in elements(text)? {
            match event {
                Event::Start(Tag::Item) => items += 1,
                Event::End(TagEnd::Item) => items = items.saturating_sub(1),
                Event::Start(Tag::Heading { .. }) => title = Some(range.end..range.end),
                Event::End(TagEnd::Heading(_)) => {
                    let inside = title.take().filter(|inside| inside.start < inside.end);
                    let inside = inside.and_then(|inside| text.get(inside)).unwrap_or_default();
                    // What looks like a heading in code is none.
                    if inner == Inner::Parsed {
                        self.heading = Rc::from(inside.trim());
                    }
                }
                Event::Start(Tag::CodeBlock(kind)) => open = Some(Open::new(text, &range, &kind)),
                Event::End(TagEnd::CodeBlock) => match open.take() {
                    Some(Open { info: Some(info), code, end, .. }) => {
                        let rest = text.get(end..range.end).unwrap_or_default();
                        let closed = rest.trim_end().ends_with(['`', '~']);
                        self.push(&info, code, closed);
                    }
                    Some(Open { code, .. }) if items > 0 && inner == Inner::Parsed => {
                        self.add(&code, Inner::Ignored)?;
                    }
                    Some(_) | None => {}
                },
                event => match (&mut open, &mut title) {
                    (Some(open), _) => open.add(&event, range),
                    (None, Some(title)) => *title = title.start.min(range.start)..range.end,
                    (None, None) => {}
                },
            }
        }
        Ok(())
    }

    fn push(&mut self, info: &str, mut code: String, closed: bool) {
        if code.ends_with('\n') {
            code.pop();
        }
        let language = info.split([' ', ',', '{']).next().map(str::to_owned).filter(|word| !word.is_empty());
        self.blocks.push(Block { heading: Rc::clone(&self.heading), language, code, closed });
    }
}

/// A code block that is being read.
struct Open<'a> {
    text: &'a str,
    /// What follows the fence; `None` for indented code.
    info: Option<String>,
    /// Whether lines end in `\r\n`; where they do not, a `\r` belongs to the code.
    carriage_returns: bool,
    code: String,
    /// The position behind the last part of the code.
    end: usize,
}

impl<'a> Open<'a> {
    fn new(text: &'a str, range: &Range<usize>, kind: &CodeBlockKind<'_>) -> Self {
        let info = match kind {
            CodeBlockKind::Fenced(info) => Some(info.to_string()),
            CodeBlockKind::Indented => None,
        };
        let block = text.get(range.clone()).unwrap_or_default();
        let line = block.split_inclusive('\n').next().unwrap_or_default();
        let end = range.start + if info.is_some() { line.len() } else { 0 };
        Self { text, info, carriage_returns: line.ends_with("\r\n"), code: String::new(), end }
    }

    fn add(&mut self, event: &Event<'_>, range: Range<usize>) {
        let Event::Text(shown) = event else { return };
        let Some(part) = self.text.get(range.clone()).filter(|part| !part.is_empty()) else {
            // What is left of a tab whose first columns belong to the container.
            return self.code.push_str(shown);
        };
        let is_after_return = range.start > self.end && self.text.as_bytes()[range.start - 1] == b'\r';
        if is_after_return && !(self.carriage_returns && part.starts_with('\n')) {
            self.code.push('\r');
        }
        self.code.push_str(part);
        self.end = range.end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The heading, the language and the code of each block.
    fn found(text: &str) -> Vec<(String, Option<String>, String)> {
        let blocks = blocks(text).expect("it is parsed");
        blocks.into_iter().map(|block| (block.heading.to_string(), block.language, block.code)).collect()
    }

    fn codes(text: &str) -> Vec<String> {
        found(text).into_iter().map(|(_, _, code)| code).collect()
    }

    #[test]
    fn blocks_have_their_heading_and_language() {
        let expected = [("One", Some("rust"), "fn a() {}"), ("Two `x`", None, "x\n~~~"), ("Three", None, "y")];
        let text =
            "# One #\n```rust ignore\nfn a() {}\n```\n## Two `x`\n  ~~~~\n  x\n~~~\n  ~~~~\nThree\n===\n```\ny\n```\n";
        let expected = expected
            .map(|(heading, language, code)| (heading.to_owned(), language.map(str::to_owned), code.to_owned()));
        assert_eq!(found(text), expected);
    }

    #[test]
    fn carriage_returns_belong_to_the_code_only_where_the_note_has_none() {
        assert_eq!(codes("```\na\r\n\r\nb\n```\n"), ["a\r\n\r\nb"]);
        assert_eq!(codes("```\r\na\r\n\r\nb\r\n```\r\n"), ["a\n\nb"]);
        assert_eq!(codes("> ```\n> a\rb\r\n> c\n> ```\n"), ["a\rb\r\nc"]);
        assert_eq!(codes("```\na\rb"), ["a\rb"]);
    }

    #[test]
    fn blocks_in_lists_and_quotes_are_found_and_their_indentation_counts_from_there() {
        for (text, code) in [
            ("1. a\n\n    ```sh\n    x\n      y\n    ```\n", "x\n  y"),
            ("- a\n\t```\n\tx\n\t\ty\n\t```\n", "x\n\ty"),
            ("- a\n  - b\n\n    ```\n    x\n\n    y\n    ```\n", "x\n\ny"),
            ("10. a\n\n    - b\n\n        ~~~\n        x  \n        ~~~\n", "x  "),
            ("- ```\n  x\n  ```\n", "x"),
            ("> [!note]\n> ```\n> x\n> ```\n", "x"),
            ("- a\n\n\t\t```\n\t\tx\n\t\t```\n", "x"),
            ("- a\n\n      # no heading\n\n      ```\n      x\n      ```\n", "x"),
        ] {
            let blocks = blocks(text).expect("it is parsed");
            let found: Vec<_> =
                blocks.iter().map(|block| (&*block.heading, block.code.as_str(), block.closed)).collect();
            assert_eq!(found, [("", code, true)], "{text:?}");
        }
    }

    #[test]
    fn a_fence_in_code_is_no_block() {
        for text in ["    ```\n    x\n    ```\n", "`` ``` ``\n", "<pre>\n```\nx\n```\n</pre>\n"] {
            assert_eq!(codes(text), [""; 0], "{text:?}");
        }
        assert_eq!(codes("````\n```\nx\n```\n````\n"), ["```\nx\n```"]);
    }

    #[test]
    fn a_block_without_its_closing_fence_says_so() {
        let closed = |text| blocks(text).expect("it is parsed").iter().map(|block| block.closed).collect::<Vec<_>>();
        assert_eq!(closed("```\nx\n"), [false]);
        assert_eq!(closed("```\n~~~\n"), [false]);
        assert_eq!(closed("- ```\n  x\n\ntext\n"), [false]);
        assert_eq!(closed("```\n```"), [true]);
        assert_eq!(closed("> ```\n> x\n> ```"), [true]);
    }
}
