//! Languages that are known by their structure: JSON, markup, diffs, data files, Markdown.
//!
//! Each rule is asked in turn, from the surest to the least sure, and says nothing rather than something doubtful.

use serde::de::IgnoredAny;

/// The language of a text by markup that prose has only on purpose. `cut` says that the text goes on after what is given.
pub(super) fn by_markup(text: &str, cut: bool) -> Option<&'static str> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return None;
    }
    link(trimmed, cut)
        .or_else(|| json(trimmed, cut))
        .or_else(|| markup(trimmed))
        .or_else(|| diff(trimmed))
        .or_else(|| dockerfile(trimmed))
        .or_else(|| markdown(trimmed))
}

/// The language of a text by the form of its lines: settings, styles, recipes, tables.
pub(super) fn by_data(text: &str) -> Option<&'static str> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return None;
    }
    toml_or_ini(trimmed)
        .or_else(|| css(trimmed))
        .or_else(|| yaml(trimmed))
        .or_else(|| makefile(text))
        .or_else(|| table(trimmed))
}

/// One web address and nothing else.
fn link(text: &str, cut: bool) -> Option<&'static str> {
    let one = !cut && text.len() <= 2_048 && !text.contains(char::is_whitespace);
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    (one && rest.contains('.') && !rest.contains(['"', '<', '>', '{'])).then_some("uniform_resource_locator")
}

fn json(text: &str, cut: bool) -> Option<&'static str> {
    if !text.starts_with(['{', '[']) {
        return None;
    }
    if !cut {
        return serde_json::from_str::<IgnoredAny>(text).is_ok().then_some("json");
    }
    // The end is missing: what there is must fail at its end only.
    let error = serde_json::from_str::<IgnoredAny>(text).err()?;
    error.is_eof().then_some("json")
}

/// Elements that a piece of a page begins with.
const HTML_TAGS: &[&str] = &[
    "a", "article", "body", "br", "button", "code", "div", "form", "footer", "h1", "h2", "h3", "head", "header", "hr",
    "i", "iframe", "img", "input", "label", "li", "link", "main", "meta", "nav", "ol", "p", "pre", "script", "section",
    "span", "strong", "style", "table", "template", "title", "ul",
];

fn markup(text: &str) -> Option<&'static str> {
    if text.contains("<?php") || text.starts_with("<?=") {
        return Some("php");
    }
    let lower: String = text.chars().take(2_000).collect::<String>().to_ascii_lowercase();
    let begins = |with: &str| lower.starts_with(with);
    if begins("<!doctype html") || begins("<html") {
        return Some("html");
    }
    if begins("<?xml") || begins("<!doctype svg") || begins("<svg") {
        let root =
            lower.split('<').find(|part| part.starts_with(|c: char| c.is_ascii_alphabetic())).unwrap_or_default();
        return match root.split(|c: char| !c.is_ascii_alphanumeric()).next() {
            Some("svg") => Some("svg"),
            Some("html") => Some("html"),
            _ => Some("xml"),
        };
    }
    if begins("<!--") {
        return markup(text.split_once("-->")?.1.trim_start());
    }
    let tag = lower.strip_prefix('<')?;
    let name = tag.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '_'))).next()?;
    let whole =
        tag.contains('>') && (lower.contains(&format!("</{name}")) || lower.contains("/>") || text.ends_with('>'));
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !whole {
        return None;
    }
    match name {
        "template" if lower.contains("<script") => Some("vue"),
        name if HTML_TAGS.contains(&name) => Some("html"),
        _ => Some("xml"),
    }
}

fn diff(text: &str) -> Option<&'static str> {
    let git = text.starts_with("diff --git ") || text.starts_with("Index: ");
    let unified = text.starts_with("--- ") && text.contains("\n+++ ") && text.contains("\n@@ ");
    (git || unified).then_some("hljs-diff")
}

fn dockerfile(text: &str) -> Option<&'static str> {
    let mut steps = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = steps.next()?;
    let begins = first.starts_with("FROM ") || (first.starts_with("ARG ") && text.contains("\nFROM "));
    let known =
        ["RUN ", "COPY ", "CMD ", "ENTRYPOINT ", "WORKDIR ", "ENV ", "ADD ", "EXPOSE ", "USER ", "LABEL ", "ARG "];
    (begins && steps.any(|line| known.iter().any(|step| line.starts_with(step)))).then_some("dockerfile")
}

fn markdown(text: &str) -> Option<&'static str> {
    let mut score = 0;
    let mut fenced = false;
    let mut blank_before = true;
    for line in text.lines() {
        let line = line.trim_end();
        if line.starts_with("```") {
            fenced = !fenced;
            score += 3;
        } else if !fenced {
            let markers = line.len() - line.trim_start_matches('#').len();
            let heading = (1..=6).contains(&markers) && line[markers..].starts_with(' ');
            // A comment of a script looks like a heading, but has no blank line after it as a rule.
            score += if heading && markers > 1 { 3 } else { i32::from(heading && blank_before) * 2 };
            let item = line.trim_start();
            score += i32::from(item.starts_with("- [ ] ") || item.starts_with("- [x] ")) * 3;
            score += i32::from(
                item.starts_with("> ") || item.starts_with("* ") || item.starts_with("- ") && item.contains(' '),
            );
            score += i32::from(line.contains("](http") || line.contains("](./") || line.starts_with("![")) * 4;
            score += i32::from(item.starts_with("|--") || item.starts_with("| --") || item.starts_with("|:-")) * 5;
            score += i32::from(line.matches("**").count() >= 2) * 2;
            score -= i32::from(line.ends_with([';', '{', '}'])) * 3;
            score -= i32::from(item.starts_with("#!") || line.ends_with(':') && blank_before && item.len() < 20);
        }
        blank_before = line.is_empty();
    }
    let items_only = text.lines().all(|line| line.trim_start().starts_with("- ") || line.trim().is_empty());
    (score >= 4 && !(items_only && text.contains(": "))).then_some("md")
}

/// Whether a text has what Markdown has and plain text does not: headings, fences, links.
pub(super) fn is_surely_markdown(text: &str) -> bool {
    let heading = |line: &str| line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
    text.lines().filter(|line| heading(line)).count() >= 2 || text.contains("\n```") || text.contains("](http")
}

/// `[section]` and `key = value`: TOML when every value is one of TOML's, INI otherwise.
fn toml_or_ini(text: &str) -> Option<&'static str> {
    let (mut sections, mut pairs, mut typed) = (0, 0, 0);
    let mut open = 0_i32;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])) {
        if open <= 0 && line.starts_with('[') && line.ends_with(']') && !line.contains(['(', '"', ',']) {
            sections += 1;
        } else if open > 0 {
            open += brackets(line);
        } else if let Some((key, value)) = line.split_once('=') {
            let key_is_plain =
                key.trim().chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | ' '));
            let assigned = !key.trim().is_empty() && key_is_plain && !value.starts_with(['=', '>']);
            if !assigned || (sections == 0 && key.trim().contains(' ')) || line.ends_with([';', '{', ')']) {
                return None;
            }
            pairs += 1;
            typed += i32::from(toml_value(value.trim()));
            open = brackets(value).max(0);
        } else {
            return None;
        }
    }
    match (sections, pairs) {
        (1.., 1..) if typed == pairs => Some("toml"),
        (1.., 1..) => Some("ini"),
        (0, 3..) if typed == pairs && text.contains(" = ") && text.contains(['"', '[']) => Some("toml"),
        _ => None,
    }
}

fn brackets(text: &str) -> i32 {
    text.chars().map(|c| i32::from(matches!(c, '[' | '{')) - i32::from(matches!(c, ']' | '}'))).sum()
}

fn toml_value(value: &str) -> bool {
    value.starts_with(['"', '\'', '[', '{', '+', '-'])
        || value.starts_with("true")
        || value.starts_with("false")
        || value.starts_with(|c: char| c.is_ascii_digit())
}

fn css(text: &str) -> Option<&'static str> {
    let (mut rules, mut declarations, mut scss) = (0, 0, false);
    for line in text.lines().map(str::trim) {
        let declaration = line.trim_end_matches('}').trim_end();
        if let Some(selector) = line.strip_suffix('{').or_else(|| line.split_once('{').map(|(front, _)| front)) {
            let selector = selector.trim();
            let simple = !selector.is_empty() && !selector.contains(['(', '=', ';', '"']) || selector.starts_with('@');
            rules +=
                i32::from(simple && selector.starts_with(|c: char| c.is_ascii_lowercase() || ".#@*:&[".contains(c)));
            scss |= selector.starts_with('&') || selector.starts_with("@mixin");
        }
        let inner = declaration.rsplit_once('{').map_or(declaration, |(_, inner)| inner).trim();
        if let Some((property, _)) = inner.strip_suffix(';').and_then(|inner| inner.split_once(':')) {
            let property = property.trim();
            scss |= property.starts_with('$');
            let plain = property.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '-' | '$'));
            declarations += i32::from(plain && !property.is_empty() && !inner.contains("::"));
        }
    }
    let enough = rules >= 1 && declarations >= 1 && declarations >= rules;
    let other = ["function ", "interface ", "struct ", "return ", "class ", "=>"];
    let css = enough && !other.iter().any(|word| text.contains(word));
    css.then_some(if scss { "scss" } else { "css" })
}

fn yaml(text: &str) -> Option<&'static str> {
    let (mut keys, mut items, mut others) = (0, 0, 0);
    let mut block = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line == "---" || block.is_some_and(|deeper| indent > deeper) {
            continue;
        }
        block = (line.ends_with('|') || line.ends_with('>') || line.ends_with("|-") || line.ends_with(">-"))
            .then_some(indent);
        let body = line.strip_prefix("- ");
        items += i32::from(body.is_some() || line == "-");
        if is_yaml_pair(body.unwrap_or(line)) {
            keys += 1;
        } else if body.is_none() {
            others += 1;
        }
    }
    let marked = text.starts_with("---\n") || text.starts_with("%YAML");
    let enough =
        keys >= 2 && others * 4 <= keys || keys >= 1 && marked && others == 0 || keys >= 1 && items >= 2 && others == 0;
    enough.then_some("yaml")
}

/// `key: value` or `key:`, where the key is one word and the line is no code.
fn is_yaml_pair(line: &str) -> bool {
    let Some((key, value)) = line.split_once(':') else { return false };
    let key = key.trim_matches(['"', '\'']);
    let word =
        !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '$' | '<'));
    word && (value.is_empty() || value.starts_with(' ')) && !line.ends_with([';', '{', ',', '('])
}

fn makefile(text: &str) -> Option<&'static str> {
    let mut after_target = false;
    let mut recipes = 0;
    for line in text.lines() {
        recipes += i32::from(after_target && line.starts_with('\t'));
        let target = line.split_once(':').is_some_and(|(target, rest)| {
            let plain = |c: char| c.is_alphanumeric() || "._-/%$() ".contains(c);
            !target.is_empty()
                && target.chars().all(plain)
                && !target.starts_with([' ', '\t'])
                && !rest.contains(['{', ';'])
        });
        after_target = target || after_target && (line.starts_with('\t') || line.is_empty());
    }
    let python =
        ["def ", "class ", "import "].iter().any(|word| text.starts_with(word) || text.contains(&format!("\n{word}")));
    (recipes >= 1 && !python).then_some("hljs-makefile")
}

/// Rows with the same number of commas or tabs, at least three of them.
fn table(text: &str) -> Option<&'static str> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(50).collect();
    let whole = &lines[..lines.len().saturating_sub(1).max(1)];
    let even = |mark: char| {
        let columns = whole[0].matches(mark).count();
        columns >= 1 && whole.iter().all(|line| line.matches(mark).count() == columns)
    };
    let plain = lines.iter().all(|line| !line.ends_with([';', '{', ',', ')', '.']));
    (lines.len() >= 3 && plain && (even(',') || even('\t') && !lines[0].starts_with('\t'))).then_some("csv")
}
