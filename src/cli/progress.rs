//! How far a verb is, on stderr, and texts from elsewhere made safe for a terminal.

use std::io::{self, IsTerminal as _, Write as _};

/// How far it is, on stderr: one line that is written over on a terminal, ten lines at most elsewhere.
#[derive(Default)]
pub(super) struct ProgressLine {
    tenth: usize,
}

impl ProgressLine {
    pub fn show(&mut self, done: usize, total: usize, last: Option<&str>) {
        let mut err = io::stderr().lock();
        let written = if err.is_terminal() {
            let name: String = escaped(last.unwrap_or_default()).chars().take(50).collect();
            let end = if done == total { "\r\x1b[K" } else { "" };
            write!(err, "\r\x1b[K{done} of {total}  {name}{end}").and_then(|()| err.flush())
        } else if total > 0 && done * 10 / total > self.tenth {
            self.tenth = done * 10 / total;
            writeln!(err, "{done} of {total}")
        } else {
            Ok(())
        };
        written.ok(); // Progress that nobody can see is not missed.
    }
}

/// A text whose characters that move the cursor or turn the text around are escaped.
pub(super) fn escaped(text: &str) -> String {
    let turns =
        |letter: char| matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() || turns(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_command_the_terminal() {
        assert_eq!(escaped("a\x1b[2Jb\u{202e}ü😀"), "a\\u{1b}[2Jb\\u{202e}ü😀");
    }
}
