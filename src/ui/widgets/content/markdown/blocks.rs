//! What of a text is drawn in its own way: top-level blocks of code, and paragraphs of pictures.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use super::options;
use super::pictures::Named;

/// A part of a text that is drawn in its own way.
pub(super) enum Block {
    /// Code, and its language.
    Code { language: String, lines: String },
    /// The pictures of a paragraph that has nothing else.
    Pictures(Vec<Named>),
}

/// What is being read.
enum Reading {
    Code(Range<usize>, Block),
    Paragraph(Range<usize>, Paragraph),
}

/// A paragraph that may have nothing but pictures.
#[derive(Default)]
struct Paragraph {
    pictures: Vec<Named>,
    has_more: bool,
    in_picture: bool,
}

/// Returns the blocks in order, each with its range.
pub(super) fn blocks(text: &str) -> Vec<(Range<usize>, Block)> {
    let mut blocks = Vec::new();
    let mut depth = 0;
    let mut reading: Option<Reading> = None;
    for (event, bytes) in Parser::new_ext(text, options()).into_offset_iter() {
        match (event, &mut reading) {
            (Event::Start(Tag::CodeBlock(kind)), None) if depth == 0 => {
                let block = Block::Code { language: language(&kind), lines: String::new() };
                reading = Some(Reading::Code(bytes, block));
            }
            (Event::Start(Tag::Paragraph), None) if depth == 0 => {
                reading = Some(Reading::Paragraph(bytes, Paragraph::default()));
            }
            (Event::End(TagEnd::CodeBlock | TagEnd::Paragraph), Some(_)) => {
                blocks.extend(reading.take().and_then(Reading::block));
            }
            (Event::Text(added), Some(Reading::Code(_, Block::Code { lines, .. }))) => lines.push_str(&added),
            (event, Some(Reading::Paragraph(_, paragraph))) => paragraph.add(event),
            (Event::Start(_), None) => depth += 1,
            (Event::End(_), None) => depth -= 1,
            _ => {}
        }
    }
    blocks
}

fn language(kind: &CodeBlockKind<'_>) -> String {
    match kind {
        CodeBlockKind::Fenced(words) => words.split([' ', ',']).next().unwrap_or_default().to_owned(),
        CodeBlockKind::Indented => String::new(),
    }
}

impl Reading {
    /// Returns the block that was read, if it is one.
    fn block(self) -> Option<(Range<usize>, Block)> {
        match self {
            Self::Code(bytes, block) => Some((bytes, block)),
            Self::Paragraph(bytes, Paragraph { pictures, has_more: false, .. }) if !pictures.is_empty() => {
                Some((bytes, Block::Pictures(pictures)))
            }
            Self::Paragraph(..) => None,
        }
    }
}

impl Paragraph {
    fn add(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::Image { dest_url, .. }) if !self.in_picture => match Named::of(&dest_url) {
                Some(named) => {
                    self.in_picture = true;
                    self.pictures.push(named);
                }
                None => self.has_more = true,
            },
            Event::End(TagEnd::Image) => self.in_picture = false,
            Event::Text(words) | Event::Code(words) if self.in_picture => {
                if let Some(named) = self.pictures.last_mut() {
                    named.description.push_str(&words);
                }
            }
            Event::Text(words) if words.trim().is_empty() => {}
            Event::SoftBreak | Event::HardBreak => {}
            _ => self.has_more = true,
        }
    }
}
