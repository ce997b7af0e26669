//! Escapes untrusted texts in pages, in Markdown, and as links.

use url::Url;

use lunette_client::model::display::{Breaks, display_text};

/// A text for a page, in an element or in a quoted attribute: all five characters escaped, hidden ones shown.
pub(super) fn html(text: &str, breaks: Breaks) -> String {
    let shown = display_text(text, breaks);
    let mut escaped = String::with_capacity(shown.len() + shown.len() / 8);
    push_html(&mut escaped, &shown);
    escaped
}

/// Appends a text with the five characters escaped, and nothing else done to it.
pub(super) fn push_html(to: &mut String, text: &str) {
    let mut rest = text;
    while let Some(offset) = rest.find(['&', '<', '>', '"', '\'']) {
        to.push_str(&rest[..offset]);
        to.push_str(match rest.as_bytes()[offset] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => "&#39;",
        });
        rest = &rest[offset + 1..];
    }
    to.push_str(rest);
}

/// A text for one line of Markdown: nothing in it is markup, nor HTML, nor made a link by itself.
pub(super) fn markdown(text: &str) -> String {
    markdown_at(text, true)
}

/// Escapes a text that follows other words on its line: `24.7 KB` begins no list there.
pub(super) fn markdown_within(text: &str) -> String {
    markdown_at(text, false)
}

fn markdown_at(text: &str, begins_line: bool) -> String {
    let shown = display_text(text, Breaks::Spaced);
    let mut escaped = String::with_capacity(shown.len() + 8);
    let mut rest = shown.trim().chars().peekable();
    let mut before = ' ';
    let mut digits_only = begins_line;
    while let Some(c) = rest.next() {
        let next = rest.peek().copied().unwrap_or(' ');
        match c {
            // Entities, since some readers know no backslash before HTML.
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // Within a word it is no emphasis.
            '_' if before.is_alphanumeric() && next.is_alphanumeric() => escaped.push(c),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '$' | '!' | '{' | '}' | '@' | '^' => {
                escaped.extend(['\\', c]);
            }
            // An address would become a link by itself.
            ':' if next == '/' => escaped.push_str("\\:"),
            '.' if before.eq_ignore_ascii_case(&'w') => escaped.push_str("\\."),
            // A list, a rule or a heading at the beginning of a line.
            '-' | '+' | '=' | ':' if begins_line && escaped.is_empty() => escaped.extend(['\\', c]),
            '.' | ')' if digits_only && !escaped.is_empty() => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
        digits_only &= c.is_ascii_digit();
        before = c;
    }
    escaped
}

/// The address to link to, when it is one that may be linked: `http`, `https`, `mailto`. Otherwise None, and the
/// address is shown as text.
///
/// The address is given as it is understood, not as it was written, so that it means the same to every reader.
pub(super) fn link(address: &str) -> Option<String> {
    let url = Url::parse(address.trim()).ok()?;
    let allowed = match url.scheme() {
        "http" | "https" => url.has_host(),
        "mailto" => !url.path().is_empty(),
        _ => false,
    };
    allowed.then(|| {
        let mut plain = String::with_capacity(address.len());
        for c in url.as_str().chars() {
            match c {
                '<' => plain.push_str("%3C"),
                '>' => plain.push_str("%3E"),
                '"' => plain.push_str("%22"),
                '\'' => plain.push_str("%27"),
                '\\' => plain.push_str("%5C"),
                '`' => plain.push_str("%60"),
                c => plain.push(c),
            }
        }
        plain
    })
}
