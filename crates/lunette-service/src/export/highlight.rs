//! Code with its colours, as spans of a few classes whose colours the page's style gives for light and dark.
//!
//! What must hold: it costs a bounded time, whatever the code. So only the first megabyte and the first 20,000 lines are
//! coloured, no line over 2,000 bytes, and nothing once the [`Budget`] is used up; the rest is shown plain.

use std::ops::Range;
use std::sync::LazyLock;

use lunette_client::model::escape::push_html;
use lunette_client::model::language::language;
use lunette_syntax::{Budget, Classes, Highlighter, Syntax};

/// How much is coloured, in bytes.
pub(super) const MAX_BYTES: usize = 1_000_000;
/// How much is coloured, in lines.
pub(super) const MAX_LINES: usize = 20_000;
/// A longer line is data rather than code, and can take an expression very long.
const MAX_LINE: usize = 2_000;

/// What the beginnings of scopes look like: the first that fits the innermost scope wins.
static CLASSES: LazyLock<Classes<&'static str>> = LazyLock::new(|| {
    Classes::new(&[
        ("comment", "c"),
        ("string", "s"),
        ("constant.character", "n"),
        ("constant.numeric", "n"),
        ("constant.language", "n"),
        ("constant.other.placeholder", "n"),
        ("keyword.operator.word", "k"),
        ("keyword.operator", ""),
        ("keyword", "k"),
        ("storage.type.function", "k"),
        ("storage", "k"),
        ("entity.name.function", "f"),
        ("support.function", "f"),
        ("variable.function", "f"),
        ("support.macro", "f"),
        ("entity.name.macro", "f"),
        ("entity.name.tag", "k"),
        ("entity.other.attribute-name", "v"),
        ("entity.name.type", "t"),
        ("entity.name.class", "t"),
        ("entity.name.struct", "t"),
        ("entity.name.enum", "t"),
        ("entity.name.trait", "t"),
        ("entity.name.impl", "t"),
        ("entity.name.section", "h"),
        ("entity.name", "t"),
        ("entity.other.inherited-class", "t"),
        ("support.type.property-name", "v"),
        ("support.type", "t"),
        ("support.class", "t"),
        ("variable.parameter", "v"),
        ("variable.language", "n"),
        ("meta.property-name", "v"),
        ("markup.heading", "h"),
        ("markup.bold", "h"),
        ("markup.raw", "s"),
        ("markup.underline.link", "f"),
        ("markup.inserted", "s"),
        ("markup.deleted", "n"),
    ])
});

/// The part that is coloured, as lines of HTML, and the part of the text that is not.
pub(super) struct Coloured<'a> {
    pub(super) html: String,
    pub(super) rest: &'a str,
}

/// The syntax that a language has; None for those without, and for plain text.
fn syntax(specific: &str) -> Option<Syntax> {
    Syntax::find(language(specific)?.syntax?)
}

/// Colours a text whose hidden characters are written out already. Each line becomes `<span class="l">…</span>`.
pub(super) fn colour<'a>(text: &'a str, specific: &str, budget: &mut Budget) -> Coloured<'a> {
    let (shown, rest) = text.split_at(coloured_length(text));
    let mut html = String::with_capacity(shown.len() * 2);
    let mut highlighter = syntax(specific).map(Highlighter::new);
    for line in shown.split_inclusive('\n') {
        html.push_str("<span class=\"l\">");
        let (code, end) = line.strip_suffix('\n').map_or((line, ""), |code| (code, "\n"));
        let tokens = match &mut highlighter {
            Some(running) if line.len() <= MAX_LINE => running.line(code, &CLASSES, budget),
            _ => Ok(Vec::new()),
        };
        match tokens {
            Ok(tokens) if !tokens.is_empty() => push_tokens(&mut html, code, tokens),
            tokens => {
                push_html(&mut html, code);
                if tokens.is_err() {
                    highlighter = None;
                }
            }
        }
        html.push_str(end);
        html.push_str("</span>");
    }
    Coloured { html, rest }
}

/// Where the part to be coloured ends: at the end of a line where there is one.
fn coloured_length(text: &str) -> usize {
    let mut end = text.len();
    if end > MAX_BYTES {
        end = (0..=MAX_BYTES).rev().find(|offset| text.is_char_boundary(*offset)).unwrap_or_default();
        end = text[..end].rfind('\n').map_or(end, |offset| offset + 1);
    }
    text[..end].match_indices('\n').nth(MAX_LINES - 1).map_or(end, |(offset, _)| offset + 1)
}

/// Appends the tokens of one line.
fn push_tokens(html: &mut String, line: &str, tokens: Vec<(Range<usize>, &'static str)>) {
    for (range, class) in tokens {
        let piece = line.get(range).unwrap_or_default();
        if class.is_empty() || piece.trim().is_empty() {
            push_html(html, piece);
        } else {
            html.push_str("<span class=\"");
            html.push_str(class);
            html.push_str("\">");
            push_html(html, piece);
            html.push_str("</span>");
        }
    }
}
