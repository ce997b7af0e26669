//! Code with its colours, as spans of a few classes whose colours the page's style gives for light and dark.
//!
//! What must hold: it costs a bounded time, whatever the code. So only the first megabyte and the first 20,000 lines are
//! coloured, no line over 2,000 bytes, and nothing after [`PATIENCE`]; the rest is shown plain.

use std::ops::Range;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use crate::model::language::language;

use super::escape::push_html;

/// How much is coloured, in bytes.
pub(super) const MAX_BYTES: usize = 1_000_000;
/// How much is coloured, in lines.
pub(super) const MAX_LINES: usize = 20_000;
/// A longer line is data rather than code, and can take an expression very long.
const MAX_LINE: usize = 2_000;
/// How long colouring may take altogether.
const PATIENCE: Duration = Duration::from_secs(8);

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// What the beginnings of scopes look like: the first that fits the innermost scope wins.
static CLASSES: LazyLock<Vec<(Scope, &'static str)>> = LazyLock::new(|| {
    let table = [
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
    ];
    table.into_iter().filter_map(|(prefix, class)| Some((Scope::new(prefix).ok()?, class))).collect()
});

/// The part that is coloured, as lines of HTML, and the part of the text that is not.
pub(super) struct Coloured<'a> {
    pub(super) html: String,
    pub(super) rest: &'a str,
}

/// The syntax that a language has; None for those without, and for plain text.
fn syntax(specific: &str) -> Option<&'static SyntaxReference> {
    let token = language(specific)?.syntax?;
    let found = SYNTAXES.find_syntax_by_token(token)?;
    (found.name != SYNTAXES.find_syntax_plain_text().name).then_some(found)
}

/// Colours a text whose hidden characters are written out already. Each line becomes `<span class="l">…</span>`.
pub(super) fn colour<'a>(text: &'a str, specific: &str) -> Coloured<'a> {
    let (shown, rest) = text.split_at(coloured_length(text));
    let mut html = String::with_capacity(shown.len() * 2);
    let mut state = syntax(specific).map(|syntax| (ParseState::new(syntax), ScopeStack::new()));
    let begun = Instant::now();
    for line in shown.split_inclusive('\n') {
        html.push_str("<span class=\"l\">");
        if begun.elapsed() > PATIENCE {
            state = None;
        }
        let done = match &mut state {
            Some((parse, scopes)) if line.len() <= MAX_LINE => push_line(&mut html, line, parse, scopes),
            _ => {
                push_html(&mut html, line);
                true
            }
        };
        if !done {
            state = None;
        }
        html.push_str("</span>");
    }
    Coloured { html, rest }
}

/// Where the part to be coloured ends: at the end of a line where there is one.
fn coloured_length(text: &str) -> usize {
    let mut end = text.len();
    if end > MAX_BYTES {
        end = (0..=MAX_BYTES).rev().find(|place| text.is_char_boundary(*place)).unwrap_or_default();
        end = text[..end].rfind('\n').map_or(end, |place| place + 1);
    }
    text[..end].match_indices('\n').nth(MAX_LINES - 1).map_or(end, |(place, _)| place + 1)
}

/// Appends one line; false when the syntax failed on it, which then stands there without colours.
fn push_line(html: &mut String, line: &str, parse: &mut ParseState, scopes: &mut ScopeStack) -> bool {
    let Ok(changes) = parse.parse_line(line, &SYNTAXES) else {
        push_html(html, line);
        return false;
    };
    let mut pieces: Vec<(Range<usize>, &'static str)> = Vec::new();
    let mut from = 0;
    let mut fine = true;
    for (place, change) in &changes {
        push_piece(&mut pieces, from..*place, class(scopes));
        from = (*place).max(from);
        fine &= scopes.apply(change).is_ok();
    }
    push_piece(&mut pieces, from..line.len(), class(scopes));
    for (range, class) in pieces {
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
    fine
}

/// Adds a piece, to the one before if that looks the same.
fn push_piece(pieces: &mut Vec<(Range<usize>, &'static str)>, range: Range<usize>, class: &'static str) {
    match pieces.last_mut() {
        _ if range.is_empty() => {}
        Some((before, same)) if *same == class => before.end = range.end,
        _ => pieces.push((range, class)),
    }
}

fn class(scopes: &ScopeStack) -> &'static str {
    let known = |scope: &Scope| CLASSES.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|(_, class)| *class);
    scopes.scopes.iter().rev().find_map(known).unwrap_or_default()
}
