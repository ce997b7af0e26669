//! The progress of a verb on stderr, and escaping text for a terminal.

use std::io::{self, IsTerminal as _, Write as _};

use lunette_client::client::{Client, Limiter};
use lunette_client::model::display::{Breaks, beginning, display_text, is_hidden};
use lunette_inspector::session::limiter_words;

/// The progress on stderr: one line that is overwritten on a terminal, at most ten lines otherwise.
#[derive(Default)]
pub(in crate::cli) struct ProgressLine {
    tenth: usize,
    /// How the calls are paced, at a service of others.
    pace: Option<Limiter>,
}

impl ProgressLine {
    /// For work at the service of this client.
    pub fn of(client: &Client) -> Self {
        Self { tenth: 0, pace: client.limiter().cloned() }
    }

    pub fn show(&mut self, done: usize, total: usize, last: Option<&str>) {
        if crate::cli::is_quiet() {
            return;
        }
        let pace = self.pace.as_ref().map(|pace| format!(" ({})", limiter_words(pace))).unwrap_or_default();
        let mut err = io::stderr().lock();
        let written = if err.is_terminal() {
            let name: String = escaped(last.unwrap_or_default()).chars().take(50).collect();
            let end = if done == total { "\r\x1b[K" } else { "" };
            write!(err, "\r\x1b[K{done} of {total}{pace}  {name}{end}").and_then(|()| err.flush())
        } else if total > 0 && done * 10 / total > self.tenth {
            self.tenth = done * 10 / total;
            writeln!(err, "{done} of {total}{pace}")
        } else {
            Ok(())
        };
        written.ok(); // Progress that nobody can see is not missed.
    }
}

/// The most characters of a name, a path or a reason in a row. JSON and lines for other programs have all of them.
pub(in crate::cli) const LONGEST: usize = 200;

/// Returns a text of one line for people: characters that are hidden or end a line are escaped, and it is cut at
/// [`LONGEST`] characters.
pub(in crate::cli) fn escaped(text: &str) -> String {
    whole(&beginning(text, LONGEST))
}

/// Returns a text with control and direction characters escaped, whatever its length.
pub(in crate::cli) fn whole(text: &str) -> String {
    display_text(text, Breaks::Escaped).into_owned()
}

/// Returns the same JSON with characters that move the cursor, reorder or hide text written as JSON escapes.
pub(in crate::cli) fn visible(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        match is_hidden(letter) && letter != '\n' {
            true => letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| text.push_str(&format!("\\u{unit:04x}"))),
            false => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_escaped_text_and_the_json_is_unchanged() {
        let tree =
            serde_json::json!({ "a\u{202e}b": ["\u{9b}31m\u{7f}", "\u{e0041}\u{200b}", "\u{1b}[2J", "ü 日本 \n"] });
        let text = format!("{tree:#}\n");
        let shown = visible(&text);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).expect("JSON"), tree);
        assert!(shown.chars().all(|letter| letter == '\n' || !is_hidden(letter)), "{shown}");
        assert!(shown.contains("ü 日本"));
    }

    #[test]
    fn hostile_names_are_escaped_for_the_terminal() {
        assert_eq!(escaped("a\x1b[2Jb\u{202e}\tü😀"), "a<U+001B>[2Jb<U+202E><U+0009>ü😀");
    }

    #[test]
    fn a_name_of_any_length_is_cut_before_it_is_escaped() {
        assert_eq!(escaped(&"n".repeat(60_000_000)).chars().count(), LONGEST + 1);
        assert_eq!(whole(&"n".repeat(1000)).len(), 1000);
    }
}
