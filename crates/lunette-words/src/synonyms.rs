//! Words of the same meaning: our list for developers' English, or the one that a user made of it.
//!
//! What must hold: a list is bounded; a word of it is one word of the index, in small letters.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::groups::Groups;
use crate::parts::{LONGEST, Typed};

/// The most groups of a list, and the most words of a group.
pub const MOST_GROUPS: usize = 500;
/// The most words of a group.
pub const MOST_WORDS: usize = 24;
/// The name of the file of a user's own list, in the data folder that the service and the inspector share.
pub const FILE: &str = "synonyms.txt";
/// The size of the largest list, in bytes.
pub const MOST_BYTES: usize = MOST_GROUPS * MOST_WORDS * 4 * (LONGEST + 1);

static OURS: LazyLock<Synonyms> = LazyLock::new(|| Synonyms::read(include_str!("synonyms.txt")));

/// Groups of words of the same meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Synonyms {
    lines: Vec<Vec<String>>,
    groups: Groups,
}

/// Why a list is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SynonymsError {
    /// A group has one word.
    #[error("line {0} has a single word; a group has at least two")]
    Single(usize),
    /// A group has more than [`MOST_WORDS`].
    #[error("line {0} has more than {MOST_WORDS} words")]
    Words(usize),
    /// There are more than [`MOST_GROUPS`].
    #[error("there are more than {MOST_GROUPS} groups")]
    Groups,
    /// A word is not one word of the index.
    #[error("“{1}” in line {0} is not a word of letters and digits that is at most {LONGEST} letters long")]
    Word(usize, String),
}

impl Default for Synonyms {
    fn default() -> Self {
        OURS.clone()
    }
}

impl Synonyms {
    fn of(lines: Vec<Vec<String>>) -> Self {
        let groups = Groups::of(lines.iter().map(|line| line.iter().map(|word| term(word)).collect()));
        Self { lines, groups }
    }

    /// Our list.
    pub fn ours() -> &'static Self {
        &OURS
    }

    /// Reads a group a line, in small letters, each word once; empty lines and those that begin with `#` are not groups.
    /// Fails at the first line that is not a group.
    pub fn parse(text: &str) -> Result<Self, SynonymsError> {
        let mut lines = Vec::new();
        for (number, words) in groups(text) {
            if let Some(word) = words.iter().find(|word| !is_word(word)) {
                return Err(SynonymsError::Word(number, word.chars().take(LONGEST).collect()));
            }
            match words.len() {
                0 => {}
                1 => return Err(SynonymsError::Single(number)),
                2..=MOST_WORDS => lines.push(words),
                _ => return Err(SynonymsError::Words(number)),
            }
        }
        if lines.len() > MOST_GROUPS { Err(SynonymsError::Groups) } else { Ok(Self::of(lines)) }
    }

    /// The groups of a list that another program may have written: what is not a group is left out.
    pub fn read(text: &str) -> Self {
        let lines = groups(text).map(|(_, mut words)| {
            words.retain(|word| is_word(word));
            words.truncate(MOST_WORDS);
            words
        });
        Self::of(lines.filter(|words| words.len() > 1).take(MOST_GROUPS).collect())
    }

    /// The list as text, a group a line.
    pub fn text(&self) -> String {
        self.lines.iter().map(|words| words.join(" ") + "\n").collect()
    }

    /// How many groups there are.
    pub fn count(&self) -> usize {
        self.lines.len()
    }

    /// How many groups are not among ours, and how many of ours are missing.
    pub fn changes(&self) -> (usize, usize) {
        let set = |list: &Self| -> BTreeSet<BTreeSet<String>> {
            list.lines.iter().map(|words| words.iter().cloned().collect()).collect()
        };
        let (own, ours) = (set(self), set(&OURS));
        (own.difference(&ours).count(), ours.difference(&own).count())
    }

    /// The others of the groups that a word or a form of it is in.
    pub(crate) fn others(&self, word: &str) -> &[String] {
        self.groups.others(word)
    }
}

/// The words of each line, with its number from 1.
fn groups(text: &str) -> impl Iterator<Item = (usize, Vec<String>)> {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim_start().starts_with('#'));
    lines.map(|(line, number)| {
        let mut words: Vec<String> = Vec::new();
        let split = line.split(|letter: char| letter.is_whitespace() || letter == ',');
        for word in split.filter(|word| !word.is_empty()).map(str::to_lowercase) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        (number, words)
    })
}

/// Whether this is one word of the index.
fn is_word(word: &str) -> bool {
    let typed = Typed::of(word);
    word.chars().all(char::is_alphanumeric) && typed.parts.len() == 1 && typed.joined.is_none()
}

/// A word as the index has it.
fn term(word: &str) -> String {
    Typed::of(word).parts.pop().unwrap_or_else(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(text: &str) -> Vec<String> {
        Synonyms::parse(text).expect("a list").text().lines().map(str::to_owned).collect()
    }

    #[test]
    fn our_list_is_valid_and_read_as_it_is_written() {
        let ours = Synonyms::ours();
        assert_eq!(Synonyms::parse(&ours.text()).as_ref(), Ok(ours));
        assert!(ours.others("deleting").contains(&"prune".to_owned()));
        assert_eq!(ours.changes(), (0, 0));
    }

    #[test]
    fn a_list_is_in_small_letters_and_has_each_word_once() {
        assert_eq!(parsed("# mine\n\n Standup, DAILY  daily\nCafé bar"), ["standup daily", "café bar"]);
        let mine = Synonyms::parse("café bar").expect("a list");
        assert_eq!(mine.others("bar"), ["cafe".to_owned()]);
        assert_eq!(mine.changes(), (1, Synonyms::ours().count()));
    }

    #[test]
    fn what_is_no_group_is_refused_with_its_line_and_left_out_of_a_file() {
        let many = (0..=MOST_WORDS).map(|number| format!("w{number}")).collect::<Vec<_>>().join(" ");
        for (text, error) in [
            ("a b\nalone", SynonymsError::Single(2)),
            (many.as_str(), SynonymsError::Words(1)),
            ("user_name login", SynonymsError::Word(1, "user_name".to_owned())),
            ("天气好 今天", SynonymsError::Word(1, "天气好".to_owned())),
            (&"a b\n".repeat(MOST_GROUPS + 1), SynonymsError::Groups),
        ] {
            assert_eq!(Synonyms::parse(text), Err(error));
        }
        assert_eq!(Synonyms::read("alone\nuser_name login sign\na b").text(), "login sign\na b\n");
    }

    proptest! {
        #[test]
        fn any_text_is_read_within_bounds(text in "\\PC{0,200}", lines in prop::collection::vec("[a-z ,#_]{0,40}", 0..20)) {
            for text in [text, lines.join("\n")] {
                let read = Synonyms::read(&text);
                prop_assert_eq!(&Synonyms::parse(&read.text()), &Ok(read.clone()));
                if let Ok(parsed) = Synonyms::parse(&text) {
                    prop_assert_eq!(parsed, read);
                }
            }
        }
    }
}
