//! Texts of users and services inside of other texts: HTML and XML, Markdown, and commands of a POSIX shell.
//!
//! What must hold: a reader of the format gets the text that was given, apart from hidden characters, which Markdown
//! shows. Each format is escaped here and nowhere else.

use std::borrow::Cow;

use super::display::{Breaks, display_text};

/// Appends a text for an element or a quoted attribute of HTML or XML: five characters are escaped, nothing else changes.
pub fn push_html(to: &mut String, text: &str) {
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

/// Returns a text for HTML, with hidden characters shown.
pub fn html(text: &str, breaks: Breaks) -> String {
    let shown = display_text(text, breaks);
    let mut escaped = String::with_capacity(shown.len() + shown.len() / 8);
    push_html(&mut escaped, &shown);
    escaped
}

/// Returns a text for XML, without the characters that XML forbids and without control characters.
pub fn xml(text: &str) -> String {
    let allowed = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let mut escaped = String::with_capacity(text.len());
    push_html(&mut escaped, &text.chars().filter(allowed).collect::<String>());
    escaped
}

/// Returns a text for one line of Markdown: nothing in it is markup or HTML, and no address becomes a link.
pub fn markdown(text: &str, breaks: Breaks) -> String {
    markdown_at(text, breaks, Place::LineStart)
}

/// Returns a text that follows other text on its line of Markdown, as in a cell of a table: `24.7 KB` begins no list
/// there.
pub fn markdown_within(text: &str, breaks: Breaks) -> String {
    markdown_at(text, breaks, Place::WithinLine)
}

/// Where a text is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    LineStart,
    WithinLine,
}

fn markdown_at(text: &str, breaks: Breaks, place: Place) -> String {
    let shown = display_text(text, breaks);
    let mut escaped = String::with_capacity(shown.len() + 8);
    let mut rest = shown.trim().chars().peekable();
    let mut before = ' ';
    let mut digits_only = place == Place::LineStart;
    while let Some(c) = rest.next() {
        let next = rest.peek().copied().unwrap_or(' ');
        match c {
            // Entities, since some readers know no backslash before HTML.
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // Within a word it is not emphasis.
            '_' if before.is_alphanumeric() && next.is_alphanumeric() => escaped.push(c),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '$' | '!' | '{' | '}' | '@' | '^' => {
                escaped.extend(['\\', c]);
            }
            // An address would become a link by itself.
            ':' if next == '/' => escaped.push_str("\\:"),
            '.' if before.eq_ignore_ascii_case(&'w') => escaped.push_str("\\."),
            // A list, a rule or a heading at the beginning of a line.
            '-' | '+' | '=' | ':' if place == Place::LineStart && escaped.is_empty() => escaped.extend(['\\', c]),
            '.' | ')' if digits_only && !escaped.is_empty() => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
        digits_only &= c.is_ascii_digit();
        before = c;
    }
    escaped
}

/// Returns a text as one word of a POSIX shell, in quotes.
pub fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns a text as one word of a POSIX shell, in quotes only if it needs them.
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._/:,@%+".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text.into() } else { shell_quoted(text).into() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser};

    use super::*;

    /// A text of one word of markup or another.
    const TEXTS: &str =
        "([<>&\"'`=/\\\\ \n\t\\[\\](){}|:#*_.w~$!@^+0-9-]|http://|www\\.|&amp;|a|é|\\PC|[\u{0}-\u{1f}]){0,24}";

    /// The text of an element, as a reader of HTML or XML gives it.
    fn unescaped(html: &str) -> String {
        let known = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
        known.iter().fold(html.to_owned(), |text, (entity, c)| text.replace(entity, c))
    }

    /// The words of a document, and what else it has apart from its outermost blocks.
    fn read(document: &str) -> (String, usize) {
        let (mut words, mut others) = (String::new(), 0);
        for event in Parser::new_ext(document, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
            match event {
                Event::Text(text) => words.push_str(&text),
                _ => others += 1,
            }
        }
        (words, others)
    }

    #[test]
    fn ordinary_names_stay_readable_in_markdown() {
        let names = [
            ("main.rs (v1.2) – done, 100%", "main.rs (v1.2) – done, 100%"),
            ("a_b*c", "a_b\\*c"),
            ("_b_ c_ _d", "\\_b\\_ c\\_ \\_d"),
            ("- x", "\\- x"),
            ("12. x", "12\\. x"),
        ];
        for (name, escaped) in names {
            assert_eq!(markdown(name, Breaks::Spaced), escaped);
        }
        assert_eq!(markdown_within("24.7 KB", Breaks::Spaced), "24.7 KB");
    }

    #[test]
    fn only_words_that_need_quotes_are_quoted_for_a_shell() {
        assert_eq!(shell_word("/home/u/a-b.sqlite3"), "/home/u/a-b.sqlite3");
        assert_eq!((shell_word(""), shell_word("it's $HOME")), ("''".into(), r"'it'\''s $HOME'".into()));
    }

    #[cfg(unix)]
    #[test]
    fn hostile_words_round_trip_through_a_shell() {
        let words = ["it's", "$HOME `id` \\\\ !", "a\nb", "'", "''\\''", "*", "~", "-n", "ü😀", "#x", "a;b|c&d>e<f"];
        for word in words {
            for quoted in [shell_quoted(word), shell_word(word).into_owned()] {
                let output = std::process::Command::new("sh").args(["-c", &format!("printf %s {quoted}")]).output();
                assert_eq!(output.expect("a shell").stdout, word.as_bytes(), "{quoted}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_round_trips_through_html(text in TEXTS) {
            let mut escaped = String::new();
            push_html(&mut escaped, &text);
            prop_assert!(!escaped.contains(['<', '>', '"', '\'']), "{}", escaped);
            prop_assert_eq!(unescaped(&escaped), text);
        }

        #[test]
        fn any_text_round_trips_through_xml_without_characters_that_it_forbids(text in TEXTS) {
            let kept: String =
                text.chars().filter(|c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')).collect();
            prop_assert_eq!(unescaped(&xml(&text)), kept);
        }

        #[test]
        fn any_text_round_trips_through_markdown(text in TEXTS) {
            for breaks in [Breaks::Spaced, Breaks::Escaped] {
                let shown = display_text(&text, breaks).trim().to_owned();
                let (words, others) = read(&markdown(&text, breaks));
                prop_assert_eq!((words, others), (shown.clone(), if shown.is_empty() { 0 } else { 2 }));
                let (words, others) = read(&format!("| a |\n| - |\n| {} |\n", markdown_within(&text, breaks)));
                prop_assert_eq!((words, others), (format!("a{shown}"), 10));
            }
        }

        #[test]
        fn any_word_of_a_shell_is_quoted_whole(text in TEXTS) {
            let word = shell_word(&text).into_owned();
            if word != text {
                let inside = word.strip_prefix('\'').and_then(|word| word.strip_suffix('\'')).unwrap_or_default();
                prop_assert_eq!(inside.replace(r"'\''", "'"), text.clone());
                prop_assert_eq!(inside.matches('\'').count(), 3 * text.matches('\'').count());
            }
        }
    }
}
