//! Text whose line breaks count, usually code.

use lunette_client::model::display::Breaks;

use super::block::{Kind, OutputBudget, Run, Style};
use super::element::{Element, Emphasis};
use super::reader::{Tag, attribute};

/// The prefixes of classes that name the language of code.
const LANGUAGE_CLASSES: &[&str] = &["language-", "lang-", "highlight-source-"];
/// Maximum length of a language name, in bytes.
const MAX_LANGUAGE: usize = 32;

/// Maximum indentation of lines of wrapped text, in characters.
const MAX_INDENT: usize = 16;

/// Preformatted text being read.
#[derive(Debug)]
pub(super) struct Preformatted {
    text: String,
    language: String,
    /// Whether our own service exported it as text to be wrapped, according to a class of its page.
    prose: bool,
    /// How many such elements are open.
    depth: usize,
    /// Whether any of its text was read.
    begun: bool,
}

impl Preformatted {
    pub fn new(tag: &Tag) -> Self {
        let classes = attribute(tag, "class").unwrap_or_default();
        let prose = classes.split_ascii_whitespace().any(|class| class == "prose");
        Preformatted { text: String::new(), language: language(tag), prose, depth: 1, begun: false }
    }

    pub fn push_text(&mut self, text: &str, room: &mut OutputBudget) {
        let begun = std::mem::replace(&mut self.begun, true);
        let text = match text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')) {
            Some(rest) if !begun => rest,
            _ => text,
        };
        self.text.push_str(&room.escape(text, Breaks::Kept));
    }

    pub fn start(&mut self, element: Element, tag: &Tag, room: &mut OutputBudget) {
        match element {
            Element::Preformatted => self.depth += 1,
            Element::Styled(Emphasis::Code) if self.language.is_empty() => self.language = language(tag),
            Element::Break => self.text.push_str(&room.escape("\n", Breaks::Kept)),
            element => self.begin_line(element, room),
        }
    }

    /// Reads an end tag; returns whether it ends this element.
    pub fn end(&mut self, element: Element, room: &mut OutputBudget) -> bool {
        match element {
            Element::Preformatted => self.depth -= 1,
            element => self.begin_line(element, room),
        }
        self.depth == 0
    }

    /// Begins a new line for a block element.
    fn begin_line(&mut self, element: Element, room: &mut OutputBudget) {
        let own_lines = matches!(element, Element::Block | Element::Row | Element::Item | Element::Heading(_));
        if own_lines && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push_str(&room.escape("\n", Breaks::Kept));
        }
    }

    /// Returns its blocks. If it was truncated, the last line is dropped.
    pub fn blocks(mut self, cut: bool) -> Vec<Kind> {
        if cut {
            self.text.truncate(self.text.rfind('\n').map_or(self.text.len(), |end| end + 1));
        }
        if self.text.trim().is_empty() {
            Vec::new()
        } else if self.prose {
            paragraphs(&self.text)
        } else {
            vec![Kind::Code { language: self.language, text: self.text }]
        }
    }
}

/// Returns the lines of a text as paragraphs.
fn paragraphs(text: &str) -> Vec<Kind> {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut follows = false;
    for line in text.lines() {
        let line = line.replace('\t', "    ");
        let words = line.trim_matches(' ');
        if words.is_empty() {
            follows = false;
            continue;
        }
        let spaces = line.len() - line.trim_start_matches(' ').len();
        let indent = "\u{a0}".repeat(spaces.min(MAX_INDENT));
        match paragraphs.last_mut().filter(|_| follows) {
            Some(paragraph) => paragraph.extend(["\n", &indent, words]),
            None => paragraphs.push(indent + words),
        }
        follows = true;
    }
    let run = |text| Run { text, style: Style::default(), link: None };
    paragraphs.into_iter().map(|text| Kind::Paragraph(vec![run(text)])).collect()
}

/// Returns the language that an element declares for its code; empty if none.
fn language(tag: &Tag) -> String {
    let named = |class: &str| LANGUAGE_CLASSES.iter().find_map(|start| class.strip_prefix(start).map(str::to_owned));
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-' | '_' | '.');
    attribute(tag, "class")
        .unwrap_or_default()
        .split_ascii_whitespace()
        .find_map(named)
        .filter(|name| name.len() <= MAX_LANGUAGE && name.chars().all(is_name))
        .unwrap_or_default()
}
