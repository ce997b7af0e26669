//! What a document is made of, and the line that is being read.
//!
//! What must hold: blocks are flat. How deep an item stands is a number, so that no input makes anything recursive.

use std::borrow::Cow;
use std::rc::Rc;

use lunette_client::model::display::{Breaks, display_text};

/// A block of a document.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    /// Whether it is part of a quotation.
    pub quoted: bool,
    pub kind: Kind,
}

/// What a block is.
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
    /// How many lists it is in, from 1 on.
    pub depth: usize,
    /// Which list of the document it is in.
    pub list: usize,
    /// None in a list with bullets.
    pub number: Option<u64>,
    pub runs: Vec<Run>,
}

/// Text that looks the same from its beginning to its end. A `\n` in it is a line break.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    pub text: String,
    pub style: Style,
    /// An address of the web, as it stands in Markdown.
    pub link: Option<Rc<str>>,
}

/// How text is set off from what is around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub strong: bool,
    pub stress: bool,
    pub deleted: bool,
    pub code: bool,
}

/// How much may still be made.
#[derive(Debug)]
pub(super) struct Room {
    left: usize,
    /// Whether something did not fit.
    pub cut: bool,
}

/// What a block, a cell or another style costs beside its text, in bytes.
const MARKUP: usize = 8;

impl Room {
    pub fn new(bytes: usize) -> Self {
        Room { left: bytes, cut: false }
    }

    /// Takes so many bytes.
    pub fn charge(&mut self, bytes: usize) {
        self.cut |= self.left < bytes;
        self.left = self.left.saturating_sub(bytes);
    }

    /// Takes the cost of the markup of so many blocks, cells or styles.
    pub fn charge_markup(&mut self, times: usize) {
        self.charge(times * MARKUP);
    }

    /// Takes the cost of a text; gives as much of it as fits, with its hidden characters written out.
    pub fn show<'a>(&mut self, text: &'a str, breaks: Breaks) -> Cow<'a, str> {
        let near = &text[..text.floor_char_boundary(self.left)];
        let mut shown = display_text(near, breaks);
        let end = self.end_of(&shown, breaks == Breaks::Kept);
        self.cut |= near.len() < text.len() || end < shown.len();
        if end < shown.len() {
            shown = Cow::Owned(shown[..end].to_owned());
        }
        shown
    }

    /// Takes the cost of a text up to where there is no room; gives that place.
    fn end_of(&mut self, text: &str, is_code: bool) -> usize {
        for (at, c) in text.char_indices() {
            // Outside code Markdown may need a backslash before it.
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

/// The text of the block that is being read.
#[derive(Debug, Default)]
pub(super) struct Line {
    runs: Vec<Run>,
}

impl Line {
    /// Adds text of a page: white space counts once, hidden characters are written out.
    pub fn push_text(&mut self, text: &str, style: Style, link: Option<&Rc<str>>, room: &mut Room) {
        for piece in text.split_inclusive(|c: char| c.is_ascii_whitespace()) {
            let word = piece.trim_ascii_end();
            if !word.is_empty() {
                let shown = room.show(word, Breaks::Escaped);
                self.push(&shown, style, link, room);
            }
            if word.len() < piece.len() && !self.runs.is_empty() && !self.ends_with(" ") && !self.ends_with("\n") {
                self.push(&room.show(" ", Breaks::Escaped), style, link, room);
            }
            if room.cut {
                return;
            }
        }
    }

    fn push(&mut self, text: &str, style: Style, link: Option<&Rc<str>>, room: &mut Room) {
        match self.runs.last_mut() {
            Some(last) if last.style == style && last.link.as_ref() == link => last.text.push_str(text),
            _ => {
                room.charge_markup(1);
                room.charge(link.map_or(0, |link| link.len()));
                self.runs.push(Run { text: text.to_owned(), style, link: link.cloned() });
            }
        }
    }

    /// Begins a new line; false where one was begun already.
    pub fn push_break(&mut self, room: &mut Room) -> bool {
        if self.runs.is_empty() || self.ends_with("\n") {
            return false;
        }
        if self.ends_with(" ") {
            self.runs.last_mut().and_then(|last| last.text.pop());
        }
        self.push("\n", Style::default(), None, room);
        true
    }

    /// Whether its text ends with these, all in one style.
    pub fn ends_with(&self, end: &str) -> bool {
        self.runs.last().is_some_and(|last| last.text.ends_with(end))
    }

    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// How many bytes of text there are.
    pub fn len(&self) -> usize {
        self.runs.iter().map(|run| run.text.len()).sum()
    }

    /// Takes the text, without white space around it.
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

/// The text of some runs, without their styles.
pub(super) fn plain(runs: &[Run]) -> String {
    runs.iter().map(|run| run.text.as_str()).collect()
}
