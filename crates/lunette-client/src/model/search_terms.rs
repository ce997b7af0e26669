//! Search queries, and where their terms occur in a text.
//!
//! A query has no syntax: it is words separated by spaces, and every character is literal. What must hold: case and
//! accents are folded exactly as by SQLite's index (FTS5, `remove_diacritics`), so that what the index finds is also
//! found and marked here. Offsets are in Unicode scalar values, which every client can count.

mod case_fold;

pub use case_fold::Folded;

/// The most different terms of a query that are searched for.
const MAX_TERMS: usize = 32;
/// The longest passage, in characters.
const MAX_PASSAGE_LETTERS: usize = 160;
/// How many characters of a passage come before the match.
const LEADING_LETTERS: usize = 40;
/// The most matches marked in a text.
const MAX_MARKS: usize = 64;

/// The letters of scripts that write no spaces between words, and pictures for words; the schema of the store has the
/// same list.
const SPACELESS: [(char, char); 12] = [
    ('\u{0E00}', '\u{0FFF}'),
    ('\u{1000}', '\u{11FF}'),
    ('\u{1780}', '\u{17FF}'),
    ('\u{2600}', '\u{27BF}'),
    ('\u{2E80}', '\u{9FFF}'),
    ('\u{A960}', '\u{A97F}'),
    ('\u{AC00}', '\u{D7FF}'),
    ('\u{F900}', '\u{FAFF}'),
    ('\u{FF66}', '\u{FFDC}'),
    ('\u{1B000}', '\u{1B2FF}'),
    ('\u{1F000}', '\u{1FAFF}'),
    ('\u{20000}', '\u{3FFFF}'),
];

/// A range of a text: start inclusive, end exclusive.
pub type Range = (usize, usize);

/// The terms of a query, with case and accents folded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchTerms(Vec<String>);

impl SearchTerms {
    /// Parses a query into its terms, each once; only the first of very many.
    pub fn of(query: &str) -> Self {
        let mut words: Vec<String> = Vec::new();
        for part in query.split_whitespace() {
            let word = Folded::of(part).into_text();
            if !word.is_empty() && !words.contains(&word) && words.len() < MAX_TERMS {
                words.push(word);
            }
        }
        Self(words)
    }

    /// Whether there is nothing to search for.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The words.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(String::as_str)
    }

    /// Whether any word has letters of a script without spaces.
    pub fn spaceless(&self) -> bool {
        self.iter().any(is_spaceless)
    }

    /// Whether every term occurs in the text.
    pub fn all_in(&self, text: &Folded) -> bool {
        self.iter().all(|word| text.as_str().contains(word))
    }

    /// The matches in a text, in order, not overlapping.
    pub fn ranges(&self, text: &str) -> Vec<Range> {
        ranges_in(&Folded::of(text), self.iter())
    }

    /// The parts of the words between characters that are neither letters nor digits.
    fn parts(&self) -> impl Iterator<Item = &str> + Clone {
        let parts = self.iter().flat_map(|word| word.split(|letter: char| !letter.is_alphanumeric()));
        parts.filter(|part| !part.is_empty())
    }

    /// The best passage of a text on one line, with the matches in it; None without a match.
    pub fn passage(&self, text: &str) -> Option<(String, Vec<Range>)> {
        let folded = Folded::of(text);
        let at = self
            .iter()
            .filter_map(|word| begins(&folded, word))
            .min()
            .or_else(|| self.parts().filter_map(|part| begins(&folded, part)).min())?;
        let (start, _) = folded.range(at, at);
        let from = start.saturating_sub(LEADING_LETTERS);
        let cut: Vec<char> = text.chars().skip(from).take(MAX_PASSAGE_LETTERS).collect();
        // A passage begins with its line where that is near, and else with a whole word.
        let head = &cut[..(start - from).min(cut.len())];
        let line = head.iter().rposition(|letter| *letter == '\n').map(|index| index + 1);
        let word = || head.iter().position(|letter| letter.is_whitespace()).map(|index| index + 1);
        let begin = line.or_else(|| if from == 0 { None } else { word() }).unwrap_or_default();
        let passage = one_line(&cut[begin..]);
        let mut ranges = self.ranges(&passage);
        if ranges.is_empty() {
            ranges = ranges_in(&Folded::of(&passage), self.parts());
        }
        Some((passage, ranges))
    }
}

/// Whether a text has letters of a script without spaces.
pub fn is_spaceless(text: &str) -> bool {
    // Most text is ASCII, which is seen at many bytes a step.
    !text.is_ascii()
        && text.chars().any(|letter| {
            letter >= SPACELESS[0].0 && SPACELESS.iter().any(|(from, to)| (*from..=*to).contains(&letter))
        })
}

/// The text with each control character as a space, so that it is one line of the same length.
fn one_line(letters: &[char]) -> String {
    let text: String = letters.iter().map(|letter| if letter.is_control() { ' ' } else { *letter }).collect();
    text.trim_end().to_owned()
}

/// The matches of a term in folded text: preferably at the beginning of a word, else anywhere.
fn begins(text: &Folded, word: &str) -> Option<usize> {
    let mut first = None;
    for (at, _) in text.as_str().match_indices(word).take(1_000) {
        if begins_word(text.as_str(), at) {
            return Some(at);
        }
        first = first.or(Some(at));
    }
    first
}

/// Whether no word goes on at this place of a text.
fn begins_word(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_none_or(|letter| !letter.is_alphanumeric() && letter != '_')
}

/// Whether a word is one character of a script that writes words of several.
fn is_single(word: &str) -> bool {
    word.chars().nth(1).is_none() && !is_spaceless(word)
}

/// The matches of words in a text, in order, not overlapping. Beside longer words a single character is a match only
/// where a word begins: it is in nearly every text.
fn ranges_in<'a>(text: &Folded, words: impl Iterator<Item = &'a str> + Clone) -> Vec<Range> {
    let has_longer = words.clone().any(|word| !is_single(word));
    let mut found: Vec<(usize, usize)> = Vec::new();
    for word in words {
        let anywhere = !has_longer || !is_single(word);
        let matches = text.as_str().match_indices(word).filter(|(at, _)| anywhere || begins_word(text.as_str(), *at));
        found.extend(matches.take(MAX_MARKS).map(|(at, word)| (at, at + word.len())));
    }
    found.sort_unstable();
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (from, to) in found {
        match joined.last_mut() {
            Some((_, end)) if from <= *end => *end = to.max(*end),
            _ => joined.push((from, to)),
        }
    }
    joined.truncate(MAX_MARKS);
    joined.into_iter().map(|(from, to)| text.range(from, to)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(query: &str, text: &str) -> String {
        let letters: Vec<char> = text.chars().collect();
        let mut message = String::new();
        let mut at = 0;
        for (from, to) in SearchTerms::of(query).ranges(text) {
            message.extend(&letters[at..from]);
            message.push('[');
            message.extend(&letters[from..to]);
            message.push(']');
            at = to;
        }
        message.extend(&letters[at..]);
        message
    }

    #[test]
    fn words_are_highlighted_ignoring_case_and_accents() {
        assert_eq!(marked("uber CAFE", "Das ÜBER-Café"), "Das [ÜBER]-[Café]");
        assert_eq!(marked("cafe", "Cafe\u{301} e"), "[Cafe\u{301}] e");
        assert_eq!(marked("σοφοσ", "ΣΟΦΟΣ"), "[ΣΟΦΟΣ]");
    }

    #[test]
    fn words_are_highlighted_in_every_script() {
        assert_eq!(marked("天气", "今天天气很好"), "今天[天气]很好");
        assert_eq!(marked("テスト", "これはテストです"), "これは[テスト]です");
        assert_eq!(marked("سلام", "السلام عليكم"), "ال[سلام] عليكم");
        assert_eq!(marked("😀", "a😀b"), "a[😀]b");
    }

    #[test]
    fn touching_and_overlapping_highlights_are_joined() {
        assert_eq!(marked("abc bcd de", "xabcdex"), "x[abcde]x");
    }

    #[test]
    fn beside_longer_words_a_single_character_is_highlighted_only_where_a_word_begins() {
        assert_eq!(
            marked("read a / file", "a/b: read a file at /etc, a-c"),
            "[a]/b: [read] [a] [file] [a]t [/]etc, [a]-c"
        );
        assert_eq!(marked("a /", "a/b: band"), "[a/]b: b[a]nd");
        assert_eq!(marked("天 weather", "今天天气很好"), "今[天天]气很好");
        let (passage, ranges) = SearchTerms::of("x/y src/a.rs").passage("the src of a map").expect("a passage");
        assert_eq!((passage.as_str(), ranges), ("the src of a map", vec![(4, 7), (11, 12)]));
    }

    #[test]
    fn punctuation_is_searched_literally() {
        assert_eq!(marked("\"a* NEAR(", "x \"a* near( y"), "x [\"a*] [near(] y");
    }

    #[test]
    fn a_passage_starts_at_a_line_or_word() {
        let words = SearchTerms::of("needle");
        let text = "first line\nsecond with a needle\nthird";
        let (passage, ranges) = words.passage(text).expect("a passage");
        assert_eq!((passage.as_str(), ranges), ("second with a needle third", vec![(14, 20)]));
        let long = format!("{}needle{}", "word ".repeat(100), " word".repeat(100));
        let (passage, ranges) = words.passage(&long).expect("a passage");
        assert!(passage.starts_with("word ") && passage.chars().count() <= MAX_PASSAGE_LETTERS, "{passage}");
        let (from, to) = ranges[0];
        assert_eq!(passage.chars().skip(from).take(to - from).collect::<String>(), "needle");
        assert_eq!(words.passage("nothing"), None);
    }

    #[test]
    fn a_query_of_many_words_is_cut() {
        let query = (0..1000).map(|number| format!("w{number}")).collect::<Vec<_>>().join(" ");
        assert_eq!(SearchTerms::of(&query).iter().count(), MAX_TERMS);
    }
}
