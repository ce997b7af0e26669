//! Languages that are known by their structure: JSON, markup, diffs, messages of HTTP.
//!
//! Rules are tried from the most to the least certain, and yield nothing if in doubt.

use serde::de::IgnoredAny;

use super::markdown;

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
        .or_else(|| http(trimmed))
        .or_else(|| markdown::is_certain(trimmed).then_some("md"))
}

/// One web address and nothing else.
fn link(text: &str, cut: bool) -> Option<&'static str> {
    let one = !cut && text.len() <= 2_048 && !text.contains(char::is_whitespace);
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let host = rest.split(['/', ':']).next().unwrap_or_default();
    (one && (rest.contains('.') || host == "localhost") && !rest.contains(['"', '<', '>', '{']))
        .then_some("uniform_resource_locator")
}

fn json(text: &str, cut: bool) -> Option<&'static str> {
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let is_json = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    if !cut {
        // One value, or one on each line.
        let whole = is_json(text) || text.lines().count() > 1 && text.lines().all(is_json);
        return whole.then_some("json");
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
    let hunk = text.starts_with("@@ -") && text.lines().next().is_some_and(|line| line[4..].contains(" @@"));
    (git || unified || hunk).then_some("hljs-diff")
}

fn dockerfile(text: &str) -> Option<&'static str> {
    let mut steps = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = steps.next()?;
    let begins = first.starts_with("FROM ") || (first.starts_with("ARG ") && text.contains("\nFROM "));
    let known =
        ["RUN ", "COPY ", "CMD ", "ENTRYPOINT ", "WORKDIR ", "ENV ", "ADD ", "EXPOSE ", "USER ", "LABEL ", "ARG "];
    (begins && steps.any(|line| known.iter().any(|step| line.starts_with(step)))).then_some("dockerfile")
}

/// A request or a response with its headers.
fn http(text: &str) -> Option<&'static str> {
    let line = text.lines().next()?;
    let mut words = line.split(' ');
    let method = words.next()?;
    let request = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].contains(&method)
        && words.nth(1).is_some_and(|word| word.starts_with("HTTP/"))
        && words.next().is_none();
    let response = method.starts_with("HTTP/") && line.len() > 8 && line.as_bytes()[8..].starts_with(b" ");
    (request || response).then_some("hljs-http")
}
