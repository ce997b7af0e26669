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

    /// The best passage of a text on one line, with the matches in it; None without a match.
    pub fn passage(&self, text: &str) -> Option<(String, Vec<Range>)> {
        let folded = Folded::of(text);
        let at = self.iter().filter_map(|word| begins(&folded, word)).min().or_else(|| {
            let parts = self.iter().flat_map(|word| word.split(|letter: char| !letter.is_alphanumeric()));
            parts.filter(|part| !part.is_empty()).filter_map(|part| begins(&folded, part)).min()
        })?;
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
            let parts = self.iter().flat_map(|word| word.split(|letter: char| !letter.is_alphanumeric()));
            ranges = ranges_in(&Folded::of(&passage), parts);
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
        let before = text.as_str()[..at].chars().next_back();
        if before.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_') {
            return Some(at);
        }
        first = first.or(Some(at));
    }
    first
}

fn ranges_in<'a>(text: &Folded, words: impl Iterator<Item = &'a str>) -> Vec<Range> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        found.extend(text.as_str().match_indices(word).take(MAX_MARKS).map(|(at, word)| (at, at + word.len())));
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
        assert_eq!(marked("abc bcd e", "xabcdex"), "x[abcde]x");
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
