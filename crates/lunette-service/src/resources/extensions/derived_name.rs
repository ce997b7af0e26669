//! Names for text that is saved without one: of its first heading, function or line.
//!
//! What must hold: the same text in the same language gets the same name; a name has 1 to [`MAX_CHARACTERS`] characters,
//! none of which is hidden, and no space around it; text without a visible character gets none.
//!
//! Our choice: the interface says that a name is optional. Clients show assets without one as unnamed, and what they
//! save from an editor or a command line has none.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::classify::sample;
use lunette_client::model::display::is_hidden;
use lunette_client::model::language::language;

mod definition;

/// The most characters of a name.
const MAX_CHARACTERS: usize = 60;

/// The name of a text in a language; none for a text that shows nothing.
pub(crate) fn derived_name(specific: &str, text: &str) -> Option<String> {
    let text = sample(text);
    let code = language(specific).is_some_and(|language| language.generic == "CODE");
    let of_structure = match specific {
        "md" | "mdown" | "mdwn" | "markdown" | "markdn" | "hljs-markdown" => heading(text),
        "html" | "htm" | "xhtml" | "shtml" | "svg" => title(text),
        _ if code => definition::first(text),
        _ => None,
    };
    of_structure.and_then(|name| shortened(&name)).or_else(|| line(text))
}

/// The first heading of Markdown, without its marks.
fn heading(text: &str) -> Option<String> {
    let mut name: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_YAML_STYLE_METADATA_BLOCKS) {
        match (event, &mut name) {
            (Event::Start(Tag::Heading { .. }), name) => *name = Some(String::new()),
            (Event::End(TagEnd::Heading(_)), Some(heading)) if !heading.trim().is_empty() => break,
            (Event::End(TagEnd::Heading(_)), name) => *name = None,
            (Event::Text(text) | Event::Code(text), Some(name)) => name.push_str(&text),
            (Event::SoftBreak | Event::HardBreak, Some(name)) => name.push(' '),
            _ => {}
        }
    }
    name
}

/// What a page says in its `title` or its first heading.
fn title(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    ["title", "h1", "h2"].iter().find_map(|tag| {
        let start = lower.find(&format!("<{tag}>")).or_else(|| lower.find(&format!("<{tag} ")))?;
        let inner = start + lower[start..].find('>')? + 1;
        let end = inner + lower[inner..].find(&format!("</{tag}"))?;
        Some(without_tags(&text[inner..end])).filter(|title| !title.trim().is_empty())
    })
}

fn without_tags(text: &str) -> String {
    let mut inside = false;
    text.chars()
        .filter(|c| {
            let tag = inside || *c == '<';
            inside = if *c == '<' { true } else { inside && *c != '>' };
            !tag
        })
        .collect()
}

/// The first line that says something, without the signs of comments and lists around it.
fn line(text: &str) -> Option<String> {
    let lines = || text.lines().map(str::trim).filter(|line| !is_preamble(line));
    let says = |line: &&str| line.contains(char::is_alphanumeric);
    let bare = lines().map(without_signs).find(says);
    bare.and_then(shortened).or_else(|| text.lines().find_map(shortened))
}

/// Lines that all texts of a kind begin with.
fn is_preamble(line: &str) -> bool {
    let lower = line.get(..16).unwrap_or(line).to_ascii_lowercase();
    ["#!", "<?xml", "<?php", "<!doctype", "@echo off", "```"].iter().any(|begin| lower.starts_with(begin))
}

fn without_signs(line: &str) -> &str {
    let mut line = line;
    // A sign may follow another: `/* - [ ] one`.
    while let Some(rest) = SIGNS.iter().find_map(|sign| line.strip_prefix(sign)) {
        line = rest.trim_start();
    }
    let line = ["*/", "-->", "\"\"\"", "{", ";", ",", "("]
        .iter()
        .fold(line, |line, sign| line.strip_suffix(sign).map_or(line, str::trim_end));
    line.trim()
}

/// What comments and items of lists begin with.
const SIGNS: [&str; 23] = [
    "///", "//!", "//", "/**", "/*", "*/", "<!--", "\"\"\"", "'''", "# ", "## ", "### ", "#### ", "--", ";;", "; ",
    "% ", "* ", "- [ ] ", "- [x] ", "- ", "> ", "REM ",
];

/// A name in one line of at most [`MAX_CHARACTERS`] characters, cut between words where it can be; none if nothing is left.
fn shortened(text: &str) -> Option<String> {
    let visible: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !is_hidden(*c)).collect();
    let name = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, next)) = name.char_indices().nth(MAX_CHARACTERS) else {
        return Some(name).filter(|name| !name.is_empty());
    };
    let whole = if next == ' ' { Some(end) } else { name[..end].rfind(' ') };
    let bare = |end: usize| name[..end].trim_end_matches([' ', ',', ';', ':', '-', '(']);
    let cut = whole.map(bare).filter(|cut| !cut.is_empty()).unwrap_or_else(|| bare(end));
    Some(if cut.is_empty() { name[..end].trim_end() } else { cut }.to_owned())
}

#[cfg(test)]
mod tests;
