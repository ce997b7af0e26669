//! Reads tags and text into blocks.
//!
//! There is no tree: an element changes a counter or a small stack of bounded height, and an end tag reverts what a
//! start tag did. An end tag without a start tag is ignored, and an element that is never closed extends to the end.

mod links;
pub(super) mod lists;
mod tables;

use std::borrow::Cow;
use std::rc::Rc;

use html5gum::{DefaultEmitter, HtmlString, StartTag, State, Token, Tokenizer};
use lunette_syntax::Budget;

use self::links::PlainLink;
use self::lists::{List, Term};
use super::block::{Block, Item, Kind, Line, OutputBudget, Run, Style, plain};
use super::element::{Element, Emphasis};
use super::preformatted::Preformatted;
use super::table::OpenTable;

/// Lists and tables nested deeper than this are merged with the ones around them.
const MAX_NESTING: usize = 8;

/// A start tag, with its place in the text.
pub(super) type Tag = StartTag<usize>;

/// Returns the blocks of a document, and whether it was truncated.
pub(super) fn blocks(html: &str, most_bytes: usize, budget: &mut Budget) -> (Vec<Block>, bool) {
    let mut reader = Reader::new(most_bytes);
    let mut tokens = Tokenizer::new_with_emitter(html, DefaultEmitter::<usize>::new_with_span());
    let mut read = 0;
    while let Some(Ok(token)) = tokens.next() {
        let end = match token {
            Token::StartTag(tag) => {
                if let Some((state, _)) = text_content(&tag.name) {
                    tokens.set_state(state);
                }
                reader.start(&tag);
                tag.span.end
            }
            Token::EndTag(tag) => {
                reader.end_tag(&tag.name);
                tag.span.end
            }
            Token::String(text) => {
                reader.text(&String::from_utf8_lossy(&text));
                text.span.end
            }
            Token::Comment(comment) => comment.span.end,
            Token::Doctype(doctype) => doctype.span.end,
            Token::Error(error) => error.span.end,
        };
        reader.room.cut |= budget.charge(end.saturating_sub(read)).is_err();
        if reader.room.cut {
            break;
        }
        read = read.max(end);
    }
    reader.finish()
}

/// Returns how the content of an element is read that is text up to its end tag, and whether it is shown.
fn text_content(name: &[u8]) -> Option<(State, bool)> {
    match name {
        b"script" => Some((State::ScriptData, false)),
        b"style" | b"iframe" | b"noembed" | b"noframes" => Some((State::RawText, false)),
        b"xmp" => Some((State::RawText, true)),
        b"title" | b"textarea" => Some((State::RcData, true)),
        _ => None,
    }
}

/// Returns the value of an attribute; empty for one without a value.
pub(super) fn attribute<'a>(tag: &'a Tag, name: &str) -> Option<Cow<'a, str>> {
    tag.attributes.get(name.as_bytes()).map(|value| String::from_utf8_lossy(value))
}

/// How many styling elements are open.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Styles {
    strong: usize,
    stress: usize,
    deleted: usize,
    code: usize,
}

impl Styles {
    fn count(&mut self, emphasis: Emphasis) -> &mut usize {
        match emphasis {
            Emphasis::Strong => &mut self.strong,
            Emphasis::Stress => &mut self.stress,
            Emphasis::Deleted => &mut self.deleted,
            Emphasis::Code => &mut self.code,
        }
    }

    fn open(&mut self, emphasis: Emphasis) {
        *self.count(emphasis) += 1;
    }

    fn close(&mut self, emphasis: Emphasis) {
        let count = self.count(emphasis);
        *count = count.saturating_sub(1);
    }

    fn style(self) -> Style {
        let Self { strong, stress, deleted, code } = self;
        Style { strong: strong > 0, stress: stress > 0, deleted: deleted > 0, code: code > 0 }
    }
}

/// An element that is not shown, and how many of its name are open.
#[derive(Debug)]
struct Hidden {
    name: HtmlString,
    depth: usize,
}

#[derive(Debug)]
struct Reader {
    blocks: Vec<Block>,
    room: OutputBudget,
    line: Line,
    styles: Styles,
    link: Option<Rc<str>>,
    plain_link: Option<PlainLink>,
    heading: Option<u8>,
    quotes: usize,
    lists: Vec<List>,
    /// How many lists are open inside the last one that is distinguished.
    deeper_lists: usize,
    lists_begun: usize,
    term: Term,
    tables: Vec<OpenTable>,
    deeper_tables: usize,
    preformatted: Option<Preformatted>,
    in_head: bool,
    in_title: bool,
    title: Line,
    hidden: Option<Hidden>,
}

impl Reader {
    fn new(most_bytes: usize) -> Self {
        Reader {
            blocks: Vec::new(),
            room: OutputBudget::new(most_bytes),
            line: Line::default(),
            styles: Styles::default(),
            link: None,
            plain_link: None,
            heading: None,
            quotes: 0,
            lists: Vec::new(),
            deeper_lists: 0,
            lists_begun: 0,
            term: Term::None,
            tables: Vec::new(),
            deeper_tables: 0,
            preformatted: None,
            in_head: false,
            in_title: false,
            title: Line::default(),
            hidden: None,
        }
    }

    fn text(&mut self, text: &str) {
        if self.hidden.is_some() {
            // Neither is its text.
        } else if self.in_title {
            // The first one counts.
            if self.title.is_empty() {
                self.title.push_text(text, Style::default(), None, &mut self.room);
            }
        } else if self.in_head {
            // Nothing else of the head is shown.
        } else if let Some(preformatted) = &mut self.preformatted {
            preformatted.push_text(text, &mut self.room);
        } else {
            self.push_text(text);
        }
    }

    fn push_text(&mut self, text: &str) {
        self.line.push_text(text, self.styles.style(), self.link.as_ref(), &mut self.room);
    }

    fn start(&mut self, tag: &Tag) {
        if let Some(hidden) = &mut self.hidden {
            hidden.depth += usize::from(tag.name == hidden.name);
            return;
        }
        let element = Element::of(&String::from_utf8_lossy(&tag.name));
        self.in_head &= matches!(element, Element::Head | Element::Title | Element::Metadata | Element::Hidden);
        let is_script = text_content(&tag.name).is_some_and(|(_, shown)| !shown);
        if element == Element::Hidden || is_script {
            if is_script || !tag.self_closing {
                self.hidden = Some(Hidden { name: tag.name.clone(), depth: 1 });
            }
            return;
        }
        match &mut self.preformatted {
            Some(preformatted) => preformatted.start(element, tag, &mut self.room),
            None => self.start_element(element, tag),
        }
    }

    fn start_element(&mut self, element: Element, tag: &Tag) {
        match element {
            Element::Block => self.end_block(),
            Element::Break => self.line_break(),
            Element::Rule => {
                self.end_block();
                self.push_block(Kind::Rule);
            }
            Element::Heading(level) => {
                self.end_block();
                self.heading = Some(level);
            }
            Element::List { numbered } => self.start_list(numbered, tag),
            Element::Item => self.start_item(),
            Element::Term => self.start_term(),
            Element::Description => self.start_description(),
            Element::Quote => {
                self.end_block();
                self.quotes += 1;
            }
            Element::Preformatted => {
                self.end_block();
                self.preformatted = Some(Preformatted::new(tag));
            }
            Element::Table => self.start_table(),
            Element::Row => self.start_row(),
            Element::Cell { heads } => self.start_cell(heads, tag),
            Element::Styled(emphasis) => self.styles.open(emphasis),
            Element::Quotation => self.push_text("“"),
            Element::Raised => self.push_text("^"),
            Element::Link => self.start_link(tag),
            Element::Picture => self.picture(tag),
            Element::Head => self.in_head = true,
            Element::Title => self.in_title = true,
            Element::Hidden | Element::Metadata | Element::Body | Element::Inline => {}
        }
    }

    fn end_tag(&mut self, name: &HtmlString) {
        match &mut self.hidden {
            Some(hidden) => {
                hidden.depth -= usize::from(*name == hidden.name);
                if hidden.depth == 0 {
                    self.hidden = None;
                }
            }
            None => self.end(Element::of(&String::from_utf8_lossy(name))),
        }
    }

    fn end(&mut self, element: Element) {
        if let Some(preformatted) = &mut self.preformatted {
            if preformatted.end(element, &mut self.room) {
                self.end_preformatted();
            }
            return;
        }
        match element {
            Element::Block | Element::Item | Element::Description | Element::Row => self.end_block(),
            Element::Heading(_) => {
                self.end_block();
                self.heading = None;
            }
            Element::List { .. } => self.end_list(),
            Element::Term => self.end_term(),
            Element::Quote => {
                self.end_block();
                self.quotes = self.quotes.saturating_sub(1);
            }
            Element::Table => self.end_table(),
            Element::Cell { .. } => self.end_cell(),
            Element::Styled(emphasis) => self.styles.close(emphasis),
            Element::Quotation => self.push_text("”"),
            Element::Link => self.end_link(),
            Element::Head => self.in_head = false,
            Element::Title => self.in_title = false,
            Element::Break
            | Element::Rule
            | Element::Preformatted
            | Element::Raised
            | Element::Picture
            | Element::Metadata
            | Element::Body
            | Element::Hidden
            | Element::Inline => {}
        }
    }

    fn end_preformatted(&mut self) {
        let Some(preformatted) = self.preformatted.take() else { return };
        for kind in preformatted.blocks(self.room.cut) {
            self.push_block(kind);
        }
    }

    fn line_break(&mut self) {
        // Each line of an item is indented.
        self.room.charge_markup(self.lists.len());
        if !self.line.push_break(&mut self.room) {
            // Two of them end a paragraph.
            self.end_block();
        }
    }

    fn push_block(&mut self, kind: Kind) {
        self.room.charge_markup(1 + self.lists.len());
        self.blocks.push(Block { quoted: self.quotes > 0, kind });
    }

    /// Ends the paragraph, heading or item being read, if it has text.
    fn end_block(&mut self) {
        let mut runs = self.line.take();
        if runs.is_empty() {
            return;
        }
        let depth = self.lists.len();
        if let Some(list) = self.lists.last_mut() {
            for run in &mut runs {
                run.style.strong |= self.heading.is_some();
            }
            let (id, begun) = (list.id, list.begun.take());
            return self.push_item(Item { depth, list: id, number: begun.flatten(), runs }, begun.is_some());
        }
        self.push_block(match self.heading {
            Some(level) => Kind::Heading(level, runs),
            None => Kind::Paragraph(runs),
        });
    }

    /// Adds an item, or continues the last one.
    fn push_item(&mut self, item: Item, begins: bool) {
        let quoted = self.quotes > 0;
        match self.blocks.last_mut() {
            _ if begins => self.push_block(Kind::Item(item)),
            Some(Block { kind: Kind::Item(last), quoted: same }) if last.list == item.list && *same == quoted => {
                last.runs.push(Run { text: "\n".to_owned(), style: Style::default(), link: None });
                last.runs.extend(item.runs);
            }
            Some(_) | None => self.push_block(Kind::Paragraph(item.runs)),
        }
    }

    fn finish(mut self) -> (Vec<Block>, bool) {
        self.end_preformatted();
        self.end_term();
        self.end_block();
        while !self.tables.is_empty() {
            self.deeper_tables = 0;
            self.end_table();
        }
        let Self { mut blocks, room, mut title, .. } = self;
        let title = title.take();
        let is_title = |block: &Block| matches!(&block.kind, Kind::Heading(_, runs) if plain(runs) == plain(&title));
        if !title.is_empty() && !blocks.iter().any(is_title) {
            blocks.insert(0, Block { quoted: false, kind: Kind::Heading(1, title) });
        }
        (blocks, room.cut)
    }
}
