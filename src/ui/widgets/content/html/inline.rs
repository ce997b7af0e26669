//! Writes the text of a block as Markdown: escaped where necessary, styled where Markdown can express it.
//!
//! What must hold: whatever the runs, the Markdown reads back as their text, with no emphasis, code or link of its own.
//! Where CommonMark would not recognize emphasis (<https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis>),
//! as in `foo**(bar)**`, the interfering characters are moved outside it, or it is dropped.
//!
//! Nothing is escaped unnecessarily: a renderer may draw the text after an escape as a separate piece.

use std::rc::Rc;

use super::block::{Run, Style};

/// The context of a text.
#[derive(Clone, Copy, Debug)]
pub(super) enum Context<'a> {
    /// In a paragraph or an item; each further line begins with the prefix.
    Line { prefix: &'a str },
    /// In a heading.
    Heading,
    /// In a cell of a table.
    Cell,
}

/// A stretch of text in one style; only its parts may be code.
#[derive(Clone, Debug)]
struct Group<'a> {
    parts: Vec<Part>,
    style: Style,
    link: Option<&'a Rc<str>>,
}

#[derive(Clone, Debug)]
struct Part {
    text: String,
    code: bool,
}

/// Appends the text of a block.
pub(super) fn write(to: &mut String, runs: &[Run], context: Context<'_>) {
    let groups = trim_group_edges(groups(runs, context));
    let start = to.len();
    let mut link: Option<&Rc<str>> = None;
    for group in &groups {
        if group.link != link {
            end_link(to, link);
            if group.link.is_some() {
                to.push('[');
            }
            link = group.link;
        }
        let delimiters = delimiters(group.style);
        to.extend(delimiters.iter().copied());
        for part in &group.parts {
            match part.code {
                true => push_code(to, &part.text),
                false => {
                    let at_start = to.len() == start;
                    push_text(to, &part.text, context, at_start, link.is_some());
                }
            }
        }
        to.extend(delimiters.iter().rev().copied());
    }
    end_link(to, link);
}

fn end_link(to: &mut String, link: Option<&Rc<str>>) {
    let Some(address) = link else { return };
    to.extend(["](<", address, ">)"]);
}

/// Returns the delimiters that begin a style, and in reverse end it.
fn delimiters(style: Style) -> Vec<&'static str> {
    let Style { strong, stress, deleted, code: _ } = style;
    [(deleted, "~~"), (strong, "**"), (stress, "*")].into_iter().filter(|(on, _)| *on).map(|(_, sign)| sign).collect()
}

/// Returns the runs as groups: no styled group begins or ends with white space, and no two styled groups touch.
fn groups<'a>(runs: &'a [Run], context: Context<'_>) -> Vec<Group<'a>> {
    let mut groups = Vec::new();
    for run in runs {
        let core = run.text.trim();
        let lead = &run.text[..run.text.len() - run.text.trim_start().len()];
        let trail = &run.text[lead.len() + core.len()..];
        let mut code = run.style.code;
        if matches!(context, Context::Cell) && core.contains(['|', '\\']) {
            // The end of a cell is found before code is parsed.
            code = false;
        }
        let link = run.link.as_ref();
        push_group(&mut groups, lead, false, Style::default(), link);
        push_group(&mut groups, core, code, Style { code: false, ..run.style }, link);
        push_group(&mut groups, trail, false, Style::default(), link);
    }
    groups
}

fn push_group<'a>(groups: &mut Vec<Group<'a>>, text: &str, code: bool, mut style: Style, link: Option<&'a Rc<str>>) {
    if text.is_empty() {
        return;
    }
    let plain = Style::default();
    if let Some(last) = groups.last_mut().filter(|last| last.link == link) {
        if last.style != plain && style != plain && last.style != style {
            // Their delimiters would be read together. Strong text stays strong.
            last.style = Style { strong: last.style.strong, ..plain };
            style = Style { strong: style.strong, ..plain };
        }
        if last.style == style {
            match last.parts.last_mut().filter(|part| part.code == code) {
                Some(part) => part.text.push_str(text),
                None => last.parts.push(Part { text: text.to_owned(), code }),
            }
            return;
        }
    }
    groups.push(Group { parts: vec![Part { text: text.to_owned(), code }], style, link });
}

/// Moves characters at the edges of styled text that touch a word outside it: they would prevent the style from being
/// recognized.
fn trim_group_edges(groups: Vec<Group<'_>>) -> Vec<Group<'_>> {
    let mut even: Vec<Group<'_>> = Vec::with_capacity(groups.len());
    let mut rest = groups.into_iter().peekable();
    while let Some(mut group) = rest.next() {
        if group.style == Style::default() {
            even.push(group);
            continue;
        }
        let link = group.link;
        let touches = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace() && !c.is_ascii_punctuation());
        let before = even.last().filter(|before| before.link == link);
        let outside = |text: String| Group { parts: vec![Part { text, code: false }], style: Style::default(), link };
        if touches(before.and_then(last_char)) {
            even.extend(group.trim_edge(Edge::Start).map(outside));
        }
        let after = rest.peek().filter(|after| after.link == link);
        let moved = if touches(after.and_then(first_char)) { group.trim_edge(Edge::End) } else { None };
        if !group.parts.is_empty() {
            even.push(group);
        }
        even.extend(moved.map(outside));
    }
    even
}

fn first_char(group: &Group<'_>) -> Option<char> {
    group.parts.first().and_then(|part| if part.code { Some('`') } else { part.text.chars().next() })
}

fn last_char(group: &Group<'_>) -> Option<char> {
    group.parts.last().and_then(|part| if part.code { Some('`') } else { part.text.chars().next_back() })
}

#[derive(Clone, Copy)]
enum Edge {
    Start,
    End,
}

impl Group<'_> {
    /// Takes the punctuation at an edge, up to the first letter. If code is at the edge, the style is dropped.
    fn trim_edge(&mut self, edge: Edge) -> Option<String> {
        let part = match edge {
            Edge::Start => self.parts.first_mut()?,
            Edge::End => self.parts.last_mut()?,
        };
        if part.code {
            self.style = Style::default();
            return None;
        }
        let taken = match edge {
            Edge::Start => {
                let end = part.text.find(is_letter).unwrap_or(part.text.len());
                part.text.drain(..end).collect::<String>()
            }
            Edge::End => {
                let start = part.text.rfind(is_letter).map_or(0, |at| part.text.ceil_char_boundary(at + 1));
                part.text.split_off(start)
            }
        };
        if part.text.is_empty() {
            // There was only punctuation: its neighbours do not matter.
            self.style = Style::default();
            self.parts.retain(|part| !part.text.is_empty());
        }
        (!taken.is_empty()).then_some(taken)
    }
}

/// Returns whether a character is not punctuation to any Markdown parser.
fn is_letter(c: char) -> bool {
    // Letters in circles and squares are symbols.
    c.is_alphanumeric() && !matches!(c, '\u{2460}'..='\u{24ff}' | '\u{1f100}'..='\u{1f1ff}')
}

/// Appends code between more backticks than it contains.
fn push_code(to: &mut String, code: &str) {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let ticks = "`".repeat(longest + 1);
    let pad = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    to.extend([&ticks, pad, code, pad, &ticks]);
}

/// Appends text with everything escaped that has a meaning in Markdown.
fn push_text(to: &mut String, text: &str, context: Context<'_>, at_start: bool, in_link: bool) {
    let mut line_starts = at_start && matches!(context, Context::Line { .. });
    let mut digits = 0;
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        if c == '\n' {
            match context {
                Context::Line { prefix } => to.extend(["\\\n", prefix]),
                Context::Heading | Context::Cell => to.push(' '),
            }
            (line_starts, digits, before) = (matches!(context, Context::Line { .. }), 0, None);
            continue;
        }
        let within_word = before.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric);
        let special = match c {
            '\\' | '`' | '*' | '[' | '<' | '~' => true,
            '_' => !within_word,
            '&' => next.is_some_and(|next| next.is_ascii_alphanumeric() || next == '#'),
            // Before a link, it would make it a picture.
            '!' => next.is_none(),
            ']' => in_link,
            '^' => in_link && before.is_none(),
            '|' => line_starts || matches!(context, Context::Cell),
            '#' => line_starts || matches!(context, Context::Heading),
            '+' | '-' | '=' | '>' | ':' => line_starts && digits == 0,
            '.' | ')' => line_starts && digits > 0,
            _ => false,
        };
        if special {
            to.push('\\');
        }
        to.push(c);
        line_starts &= c.is_ascii_digit();
        digits += 1;
        before = Some(c);
    }
}
