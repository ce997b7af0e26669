//! Whether two texts are near duplicates: copies of which some words were edited, or which were reformatted.
//!
//! Our choice: the mean of two Jaccard coefficients, of the different words and of the different pairs of words one behind
//! the other, is at least [`NEAR`]. Words are runs of letters and digits, whatever their case, and what is between them does
//! not count. Words that very many texts have do not count either, nor pairs of them, so that a licence that many texts begin
//! with makes no near duplicates. The coefficients are exact, and not estimated by a MinHash: only some texts that have rare
//! words in common are compared, and reading one takes longer than comparing it. Texts of fewer than [`SHORT`] words must
//! have the same words in the same order.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension as _};

use crate::store::StoreError;
use lunette_client::model::search_terms::is_spaceless;

/// From how much on texts are near duplicates.
pub(super) const NEAR: f64 = 0.5;
/// Texts with fewer words are short.
const SHORT: usize = 8;
/// How many numbers stand for a text when all texts are compared.
const KEYS: usize = 8;
/// With fewer other words, those that very many texts have count too.
const ENOUGH: usize = 4;

/// The beginning of the text of an asset's original, in characters; None if it has no text.
pub(super) fn text(db: &Connection, asset: i64) -> Result<Option<String>, StoreError> {
    let query = "SELECT iif(octet_length(text) > 32768, substr(text, 1, 32768), text)
                 FROM format JOIN content ON content.format = format.row WHERE asset = ?1 AND place = 0";
    let text: Option<Option<String>> = db
        .prepare_cached(query)?
        .query_row([asset], |row| Ok(row.get_ref(0)?.as_str().ok().map(str::to_owned)))
        .optional()?;
    Ok(text.flatten())
}

/// The same number for the same text on every machine (FNV-1a).
pub(super) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// A text that others are compared with.
pub(super) struct Compared {
    /// The hashes of the words that do not count.
    common: HashSet<u64>,
    shingles: Shingles,
}

impl Compared {
    /// A text; words with these hashes are in very many texts.
    pub(super) fn of(text: &str, common: HashSet<u64>) -> Self {
        let shingles = Shingles::of(text, |word| common.contains(&word));
        if shingles.is_enough() {
            return Self { common, shingles };
        }
        Self { shingles: Shingles::of(text, |_| false), common: HashSet::new() }
    }

    /// How much another text has in common with it, from 0 to 1.
    pub(super) fn similarity_to(&self, text: &str) -> f64 {
        self.shingles.similarity(&Shingles::of(text, |word| self.common.contains(&word)))
    }
}

/// The words of a text and their pairs, as hashes.
#[derive(Debug, Default)]
pub(super) struct Shingles {
    /// The different words, in order.
    words: Vec<u64>,
    /// The different pairs of words one behind the other, in order.
    pairs: Vec<u64>,
    /// How many words there are.
    count: usize,
    /// The hash of all words in their order.
    all: u64,
}

impl Shingles {
    /// The shingles of a text; words that `is_common` takes do not count.
    pub(super) fn of(text: &str, is_common: impl Fn(u64) -> bool) -> Self {
        let mut shingles = Self::default();
        let mut last: Option<(u64, bool)> = None;
        each_word(text, &mut |word| {
            let word = hash(word);
            let counts = !is_common(word);
            shingles.words.extend(counts.then_some(word));
            let pair = last.filter(|(_, last_counts)| counts || *last_counts).map(|(last, _)| followed(last, word));
            shingles.pairs.extend(pair);
            shingles.all = followed(shingles.all, word);
            shingles.count += 1;
            last = Some((word, counts));
        });
        for hashes in [&mut shingles.words, &mut shingles.pairs] {
            hashes.sort_unstable();
            hashes.dedup();
        }
        shingles
    }

    /// Numbers of which near duplicates most likely share one: the smallest hashes of pairs, or that of a short text.
    pub(super) fn keys(&self) -> &[u64] {
        match self.count {
            0 => &[],
            count if count < SHORT => std::slice::from_ref(&self.all),
            _ => &self.pairs[..self.pairs.len().min(KEYS)],
        }
    }

    /// Whether there are enough words that count.
    pub(super) fn is_enough(&self) -> bool {
        self.words.len() >= ENOUGH
    }

    /// How much two texts have in common, from 0 to 1.
    pub(super) fn similarity(&self, other: &Self) -> f64 {
        if self.count == 0 || other.count == 0 {
            return 0.0;
        }
        if self.count.min(other.count) < SHORT {
            return if (self.count, self.all) == (other.count, other.all) { 1.0 } else { 0.0 };
        }
        f64::midpoint(jaccard(&self.words, &other.words), jaccard(&self.pairs, &other.pairs))
    }
}

/// The different words of a text, as hashes.
pub(super) fn words(text: &str) -> HashSet<u64> {
    let mut words = HashSet::new();
    each_word(text, &mut |word| _ = words.insert(hash(word)));
    words
}

/// The hash of something with a word behind it.
fn followed(before: u64, word: u64) -> u64 {
    (before.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// How many of the hashes of both are in both.
fn jaccard(one: &[u64], other: &[u64]) -> f64 {
    let (mut left, mut right, mut both) = (0, 0, 0_usize);
    while let (Some(a), Some(b)) = (one.get(left), other.get(right)) {
        both += usize::from(a == b);
        left += usize::from(a <= b);
        right += usize::from(b <= a);
    }
    both as f64 / (one.len() + other.len() - both).max(1) as f64
}

/// Calls the closure with each word in small letters; with each letter of a script without spaces.
fn each_word(text: &str, give: &mut impl FnMut(&str)) {
    let mut folded = String::new();
    for word in text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if is_spaceless(word) {
            word.char_indices().for_each(|(at, letter)| give(&word[at..at + letter.len_utf8()]));
            continue;
        }
        folded.clear();
        folded.extend(word.chars().flat_map(char::to_lowercase));
        give(&folded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGINAL: &str = "fn retry<T>(mut call: impl FnMut() -> Option<T>, most: usize) -> Option<T> {
        for attempt in 0..most { if let Some(value) = call() { return Some(value); } sleep(attempt); } None }";

    fn similarity(one: &str, other: &str) -> f64 {
        Compared::of(one, HashSet::new()).similarity_to(other)
    }

    #[test]
    fn a_reformatted_copy_is_the_same_and_an_edited_one_is_near() {
        let reformatted = ORIGINAL.replace(' ', "\n\t").replace('{', " {\n").to_uppercase();
        assert!((similarity(ORIGINAL, &reformatted) - 1.0).abs() < f64::EPSILON);
        let edited = ORIGINAL.replace("attempt", "round").replace("most", "limit");
        assert!((NEAR..1.0).contains(&similarity(ORIGINAL, &edited)), "{}", similarity(ORIGINAL, &edited));
    }

    #[test]
    fn other_texts_of_the_same_language_are_not_near() {
        let other = "fn parse<T>(text: &str, base: u32) -> Option<T> {
            for digit in text.chars() { if let Some(value) = digit.to_digit(base) { push(value); } } None }";
        assert!(similarity(ORIGINAL, other) < NEAR, "{}", similarity(ORIGINAL, other));
    }

    #[test]
    fn words_that_very_many_texts_have_do_not_count_unless_there_are_few_others() {
        let licence = "granted free of charge to any person obtaining a copy of this software ";
        let common = || licence.split(' ').map(hash).collect::<HashSet<u64>>();
        let (one, other) = ("alpha beta gamma delta epsilon", "zeta eta theta iota kappa");
        let compared = Compared::of(&format!("{licence}{one}"), common());
        assert!(compared.similarity_to(&format!("{licence}{other}")) < f64::EPSILON);
        assert!(Compared::of(licence, common()).similarity_to(licence) > NEAR);
    }

    #[test]
    fn short_texts_are_near_only_if_their_words_are_the_same() {
        assert!(similarity("struct Meters(f64);", "struct  METERS (f64)") > NEAR);
        assert!(similarity("struct Meters(f64);", "struct Feet(f64);") < NEAR);
        assert!(similarity("", "") < NEAR && similarity("--", "//") < NEAR);
        assert!(similarity("今天天气很好我们去公园", "今天天气很好我们去公园吧") > NEAR);
    }
}
