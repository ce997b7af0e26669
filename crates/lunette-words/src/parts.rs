//! The words of a text as the index of forms has them: `getUserName`, `get_user_name` and `get-user-name` are `get`,
//! `user`, `name`, and `getusername`. Case and accents are folded; scripts without spaces give pairs of letters.
//!
//! What must hold: a word has no space and no ASCII punctuation, so that the index takes it as one word.

use std::collections::HashSet;

use lunette_client::model::search_terms::{Folded, is_spaceless};

/// Longer words are not indexed: they are data.
pub const LONGEST: usize = 32;
/// The most parts of an identifier that are also indexed as one word.
const JOINED: usize = 4;
/// Longer numbers are not indexed.
const DIGITS: usize = 8;
/// A word that changes more often between letters and digits is not indexed.
const CHANGES: usize = 2;
/// The most different words of a text.
pub const WORDS: usize = 20_000;

/// Words that almost every English sentence has, in order. They are neither indexed nor counted.
const COMMON: [&str; 62] = [
    "about", "all", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did",
    "do", "does", "for", "from", "had", "has", "have", "how", "if", "in", "into", "is", "it", "its", "me", "my", "not",
    "of", "on", "one", "or", "our", "should", "so", "some", "than", "that", "the", "their", "them", "then", "there",
    "these", "this", "to", "was", "we", "were", "what", "when", "where", "which", "will", "with", "would", "you",
];

/// Whether this is a word that almost every sentence has, or a single ASCII letter.
pub fn is_common(word: &str) -> bool {
    word.len() < 2 || COMMON.binary_search(&word).is_ok()
}

/// Whether a text may be a word of the index.
fn is_indexed(word: &str) -> bool {
    let letters = word.chars().count();
    let changes =
        word.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    let number = word.bytes().all(|byte| byte.is_ascii_digit());
    (1..=LONGEST).contains(&letters) && !is_common(word) && changes <= CHANGES && !(number && letters > DIGITS)
}

/// Whether a letter may be within a word. Accents that are letters of their own belong to the letter before.
fn is_word_letter(letter: char) -> bool {
    letter.is_alphanumeric()
        || matches!(letter, '_' | '-' | '\u{300}'..='\u{36F}' | '\u{591}'..='\u{5C7}' | '\u{64B}'..='\u{65F}' | '\u{94D}')
}

/// An identifier or a word of a text.
struct Compound<'a>(&'a str);

impl<'a> Compound<'a> {
    /// Those of a text.
    fn all(text: &'a str) -> impl Iterator<Item = Self> {
        text.split(|letter| !is_word_letter(letter)).filter(|part| !part.is_empty()).map(Self)
    }

    /// Its parts as they are written.
    fn parts(&self) -> Vec<&'a str> {
        let mut parts = Vec::new();
        for piece in self.0.split(['_', '-']).filter(|piece| !piece.is_empty()) {
            let (mut begin, mut before) = (0, None::<char>);
            let mut letters = piece.char_indices().peekable();
            while let Some((at, letter)) = letters.next() {
                let next = letters.peek().map(|(_, next)| *next);
                let begins = before.is_some_and(|before| {
                    letter.is_uppercase() && (!before.is_uppercase() || next.is_some_and(char::is_lowercase))
                });
                if begins {
                    parts.push(&piece[begin..at]);
                    begin = at;
                }
                before = Some(letter);
            }
            parts.push(&piece[begin..]);
        }
        parts
    }
}

/// Folds a part without an accent or a capital into `word`.
fn fold(part: &str, word: &mut String) {
    if part.is_ascii() {
        word.extend(part.bytes().map(|byte| char::from(byte.to_ascii_lowercase())));
    } else {
        word.push_str(&Folded::of(part).into_text().replace(|letter: char| letter.is_ascii_punctuation(), ""));
    }
}

/// The parts of a word as typed, and all of them as one word if there are several.
#[derive(Debug, PartialEq, Eq)]
pub struct Typed {
    /// Its parts.
    pub parts: Vec<String>,
    /// All parts as one word.
    pub joined: Option<String>,
}

impl Typed {
    /// The parts of a word of a query.
    pub fn of(word: &str) -> Self {
        let mut parts: Vec<String> = Vec::new();
        for compound in Compound::all(word) {
            for part in compound.parts() {
                let mut folded = String::new();
                fold(part, &mut folded);
                if is_spaceless(&folded) {
                    pairs(&folded, &mut |pair| parts.push(pair.to_owned()));
                } else if !folded.is_empty() && folded.chars().count() <= LONGEST {
                    parts.push(folded);
                }
            }
        }
        let joined = parts.concat();
        let several =
            (2..=JOINED).contains(&parts.len()) && joined.chars().count() <= LONGEST && !is_spaceless(&joined);
        Self { parts, joined: several.then_some(joined) }
    }
}

/// Each two letters one behind the other; a letter alone is given alone.
fn pairs(text: &str, give: &mut impl FnMut(&str)) {
    let at: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    if at.len() == 2 {
        give(text);
    }
    at.windows(3).for_each(|pair| give(&text[pair[0]..pair[2]]));
}

/// Calls the closure with each word of a text, as often as it occurs.
fn each_word(text: &str, give: &mut impl FnMut(&str)) {
    let mut word = String::new();
    for compound in Compound::all(text) {
        let parts = compound.parts();
        for part in &parts {
            word.clear();
            fold(part, &mut word);
            if is_spaceless(&word) {
                pairs(&word, give);
            } else if is_indexed(&word) {
                give(&word);
            }
        }
        if (2..=JOINED).contains(&parts.len()) {
            word.clear();
            parts.iter().for_each(|part| fold(part, &mut word));
            if is_indexed(&word) && !is_spaceless(&word) {
                give(&word);
            }
        }
    }
}

/// The different words of a text, at most [`WORDS`].
pub fn words(text: &str) -> HashSet<String> {
    let mut words = HashSet::new();
    each_word(text, &mut |word| {
        if words.len() < WORDS && !words.contains(word) {
            words.insert(word.to_owned());
        }
    });
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted(text: &str) -> Vec<String> {
        let mut words: Vec<String> = words(text).into_iter().collect();
        words.sort_unstable();
        words
    }

    #[test]
    fn an_identifier_has_its_parts_and_is_a_word_itself_however_it_is_written() {
        for text in ["getUserName", "get_user_name", "get-user-name", "GetUserName", "__get_User-name--"] {
            assert_eq!(sorted(text), ["get", "getusername", "name", "user"], "{text}");
        }
        assert_eq!(sorted("HTTPServer2"), ["http", "httpserver2", "server2"]);
        assert_eq!(sorted("ÜberGröße"), ["groẞe".to_lowercase(), "uber".to_owned(), "ubergroße".to_owned()]);
    }

    #[test]
    fn common_words_long_numbers_and_data_are_left_out() {
        let text = "the a 404 123456789 a1b2c3d4e5 sha256 0123456789abcdef0123456789abcdef01234567";
        assert_eq!(sorted(text), ["404", "sha256"]);
        assert!(COMMON.is_sorted());
    }

    #[test]
    fn scripts_without_spaces_give_pairs() {
        assert_eq!(sorted("今天天气 气"), ["今天", "天天", "天气", "气"]);
    }

    proptest! {
        #[test]
        fn a_word_is_one_word_of_the_index(text in "\\PC{0,200}") {
            let typed = Typed::of(&text);
            for word in words(&text).iter().chain(&typed.parts).chain(&typed.joined) {
                prop_assert!(!word.is_empty());
                prop_assert!(!word.contains(|letter: char| letter.is_ascii() && !letter.is_ascii_alphanumeric()), "{word:?}");
            }
        }
    }
}
