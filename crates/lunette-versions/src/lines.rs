//! What changed between two texts, in a line: how many lines were added and removed, and the first that differs.

use imara_diff::{Algorithm, Diff, InternedInput};

/// The longest first line that is given, in characters.
const FIRST_LINE: usize = 120;
/// Texts of which one is larger are not compared, in bytes.
const MAX_TEXT: usize = 10 << 20;

/// The lines that a text has more and less than an earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineChanges {
    /// How many lines were added.
    pub added: u32,
    /// How many lines were removed.
    pub removed: u32,
    /// The first line that was added, or else removed, without the spaces around it and cut to 120 characters; empty where
    /// nothing changed.
    pub first: String,
}

/// Compares two texts by their lines. None if one is not text, or is larger than 10 MiB.
pub fn line_changes(old: &[u8], new: &[u8]) -> Option<LineChanges> {
    if old.len().max(new.len()) > MAX_TEXT {
        return None;
    }
    let (old, new) = (std::str::from_utf8(old).ok()?, std::str::from_utf8(new).ok()?);
    let input = InternedInput::new(old, new);
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let first = diff.hunks().next().and_then(|hunk| {
        let token = match hunk.after.is_empty() {
            false => input.after.get(hunk.after.start as usize),
            true => input.before.get(hunk.before.start as usize),
        };
        token.map(|token| input.interner[*token].trim().chars().take(FIRST_LINE).collect())
    });
    Some(LineChanges {
        added: diff.count_additions(),
        removed: diff.count_removals(),
        first: first.unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(old: &str, new: &str) -> (u32, u32, String) {
        let changes = line_changes(old.as_bytes(), new.as_bytes()).expect("texts");
        (changes.added, changes.removed, changes.first)
    }

    #[test]
    fn lines_are_counted_and_the_first_that_differs_is_given() {
        assert_eq!(changes("a\nb\nc\n", "a\nx\nc\nd\n"), (2, 1, "x".to_owned()));
        assert_eq!(changes("a\n  b \n", "a\n"), (0, 1, "b".to_owned()));
        assert_eq!(changes("a\n", "a\n"), (0, 0, String::new()));
        assert_eq!(changes("", &"é".repeat(500)), (1, 0, "é".repeat(120)));
    }

    #[test]
    fn bytes_and_very_large_texts_are_not_compared() {
        assert_eq!(line_changes(&[0xff], b"a"), None);
        assert_eq!(line_changes(b"a", &vec![b'a'; MAX_TEXT + 1]), None);
    }
}
