//! The blocks of a document, and the line being read.
//!
//! What must hold: blocks are flat. The depth of an item is a number, so that no input causes recursion.

use std::borrow::Cow;
use std::rc::Rc;

use lunette_client::model::display::{Breaks, display_text};

/// A block of a document.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    /// Whether it is part of a block quote.
    pub quoted: bool,
    pub kind: Kind,
}

/// The kind of a block.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Paragraph(Vec<Run>),
    /// A heading, from 1 to 6.
    Heading(u8, Vec<Run>),
    Item(Item),
    /// Code, and the name of its language; may be empty.
    Code {
        language: String,
        text: String,
    },
    /// Rows of cells. The first row is the longest.
    Table(Vec<Vec<Vec<Run>>>),
    Rule,
}

/// An item of a list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    /// The number of lists it is in, starting at 1.
    pub depth: usize,
    /// The list of the document it is in.
    pub list: usize,
    /// `None` in a bulleted list.
    pub number: Option<u64>,
    pub runs: Vec<Run>,
}

/// Text in one style. A `\n` in it is a line break.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    pub text: String,
    pub style: Style,
    /// A web address, as written in Markdown.
    pub link: Option<Rc<str>>,
}

/// The style of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub strong: bool,
    pub stress: bool,
    pub deleted: bool,
    pub code: bool,
}

/// How much may still be written.
#[derive(Debug)]
pub(super) struct OutputBudget {
    left: usize,
    /// Whether something did not fit.
    pub cut: bool,
}

/// The cost of a block, a cell or a style besides its text, in bytes.
const MARKUP: usize = 8;

impl OutputBudget {
    pub fn new(bytes: usize) -> Self {
        OutputBudget { left: bytes, cut: false }
    }

    /// Charges this many bytes.
    pub fn charge(&mut self, bytes: usize) {
        self.cut |= self.left < bytes;
        self.left = self.left.saturating_sub(bytes);
    }

    /// Charges the markup of this many blocks, cells or styles.
    pub fn charge_markup(&mut self, times: usize) {
        self.charge(times * MARKUP);
    }

    /// Charges a text; returns as much of it as fits, with hidden characters escaped.
    pub fn escape<'a>(&mut self, text: &'a str, breaks: Breaks) -> Cow<'a, str> {
        let near = &text[..text.floor_char_boundary(self.left)];
        let mut shown = display_text(near, breaks);
        let end = self.fitting_end(&shown, breaks == Breaks::Kept);
        self.cut |= near.len() < text.len() || end < shown.len();
        if end < shown.len() {
            shown = Cow::Owned(shown[..end].to_owned());
        }
        shown
    }

    /// Charges a text up to the limit; returns where that is.
    fn fitting_end(&mut self, text: &str, is_code: bool) -> usize {
        for (at, c) in text.char_indices() {
            // Outside code, Markdown may need a backslash before it.
            let cost = c.len_utf8() + usize::from(c.is_ascii_punctuation() && !is_code);
            if cost > self.left {
                self.left = 0;
                return at;
            }
            self.left -= cost;
        }
        text.len()
    }
}

/// The text of the block being read.
#[derive(Debug, Default)]
pub(super) struct Line {
    runs: Vec<Run>,
}

impl Line {
    /// Adds text: white space is collapsed, hidden characters are escaped.
    pub fn push_text(&mut self, text: &str, style: Style, link: Option<&Rc<str>>, budget: &mut OutputBudget) {
        for piece in text.split_inclusive(|c: char| c.is_ascii_whitespace()) {
            let word = piece.trim_ascii_end();
            if !word.is_empty() {
                let shown = budget.escape(word, Breaks::Escaped);
                self.push(&shown, style, link, budget);
            }
            if word.len() < piece.len() && !self.runs.is_empty() && !self.ends_with(" ") && !self.ends_with("\n") {
                self.push(&budget.escape(" ", Breaks::Escaped), style, link, budget);
            }
            if budget.cut {
                return;
            }
        }
    }

    fn push(&mut self, text: &str, style: Style, link: Option<&Rc<str>>, budget: &mut OutputBudget) {
        match self.runs.last_mut() {
            Some(last) if last.style == style && last.link.as_ref() == link => last.text.push_str(text),
            _ => {
                budget.charge_markup(1);
                budget.charge(link.map_or(0, |link| link.len()));
                self.runs.push(Run { text: text.to_owned(), style, link: link.cloned() });
            }
        }
    }

    /// Adds a line break; returns false after another one.
    pub fn push_break(&mut self, budget: &mut OutputBudget) -> bool {
        if self.runs.is_empty() || self.ends_with("\n") {
            return false;
        }
        if self.ends_with(" ") {
            self.runs.last_mut().and_then(|last| last.text.pop());
        }
        self.push("\n", Style::default(), None, budget);
        true
    }

    /// Returns whether its text ends with `end`, in one style.
    pub fn ends_with(&self, end: &str) -> bool {
        self.runs.last().is_some_and(|last| last.text.ends_with(end))
    }

    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Returns the length of the text in bytes.
    pub fn len(&self) -> usize {
        self.runs.iter().map(|run| run.text.len()).sum()
    }

    /// Takes the text, trimmed.
    pub fn take(&mut self) -> Vec<Run> {
        let mut runs = std::mem::take(&mut self.runs);
        let space = |c: char| matches!(c, ' ' | '\n');
        while let Some(last) = runs.last_mut() {
            last.text.truncate(last.text.trim_end_matches(space).len());
            if !last.text.is_empty() {
                break;
            }
            runs.pop();
        }
        runs
    }
}

/// Returns the text of some runs, without their styles.
pub(super) fn plain(runs: &[Run]) -> String {
    runs.iter().map(|run| run.text.as_str()).collect()
}
