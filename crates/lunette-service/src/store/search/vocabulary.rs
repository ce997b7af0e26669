//! Words of the vocabulary that may be meant by a word: with the same stem, spelt alike, or with a piece in common.
//!
//! What must hold: every look-up reads a bounded part of the vocabulary.

use std::sync::LazyLock;

use rusqlite::{Connection, params};
use snowball_stemmers_rs::{Algorithm, Stemmer};

use super::parts::LONGEST;
use crate::store::StoreError;

/// The most words that one look-up reads.
const READ: i64 = 200_000;
/// The most longer words that begin with a word.
const COMPLETIONS: i64 = 48;
/// The most words with the same stem that are looked through.
const STEMS: i64 = 4_000;
/// The fewest letters of a word that is completed, corrected, and looked for in pieces.
const COMPLETED: usize = 3;
const CORRECTED: usize = 3;
const PIECE: usize = 4;
/// The most words with a piece in common.
const PIECES: usize = 24;

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// The stem of an English word; another word as it is.
pub(super) fn stem(word: &str) -> String {
    if word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    STEMMER.stem(word).into_owned()
}

pub(super) struct Vocabulary<'a>(pub(super) &'a Connection);

impl Vocabulary<'_> {
    /// Whether any text has or had this word.
    pub(super) fn has(&self, word: &str) -> Result<bool, StoreError> {
        let query = "SELECT EXISTS (SELECT 1 FROM search_vocabulary WHERE word = ?1)";
        Ok(self.0.prepare_cached(query)?.query_row([word], |row| row.get(0))?)
    }

    /// Longer words that begin with this one.
    pub(super) fn completions(&self, word: &str) -> Result<Vec<String>, StoreError> {
        if word.chars().count() < COMPLETED {
            return Ok(Vec::new());
        }
        self.beginning_with(word, COMPLETIONS)
    }

    /// Other words with the same stem.
    pub(super) fn with_same_stem(&self, word: &str) -> Result<Vec<String>, StoreError> {
        let stem_of_word = stem(word);
        // The stem of `queries` is `queri`, and that of `hoping` is `hope`.
        let begin = stem_of_word.strip_suffix(['i', 'e', 'y']).unwrap_or(&stem_of_word);
        if begin.len() < 2 {
            return Ok(Vec::new());
        }
        let mut words = self.beginning_with(begin, STEMS)?;
        words.retain(|other| other != word && stem(other) == stem_of_word);
        Ok(words)
    }

    fn beginning_with(&self, begin: &str, most: i64) -> Result<Vec<String>, StoreError> {
        let query = "SELECT word FROM search_vocabulary WHERE word >= ?1 AND word < ?2 AND word <> ?1 LIMIT ?3";
        let mut query = self.0.prepare_cached(query)?;
        let words = query.query_map(params![begin, format!("{begin}\u{10FFFF}"), most], |row| row.get(0))?;
        Ok(words.collect::<Result<_, _>>()?)
    }

    /// The words that are spelt most alike, if any is alike enough: one edit away for up to five letters, and else two.
    /// An edit inserts, removes or replaces a letter, or swaps two.
    pub(super) fn spelt_alike(&self, word: &str) -> Result<Vec<String>, StoreError> {
        let letters: Vec<char> = word.chars().collect();
        if letters.len() < CORRECTED || word.bytes().any(|byte| byte.is_ascii_digit()) {
            return Ok(Vec::new());
        }
        let most = if letters.len() <= 5 { 1 } else { 2 };
        let typed = (letters, stem(word).chars().collect::<Vec<char>>());
        let mut best = (most, Vec::new());
        self.each_near(word, most, |other| {
            let distance = distance_between(&typed, other, best.0);
            if distance < best.0 {
                best = (distance, Vec::new());
            }
            if distance == best.0 {
                best.1.push(other.to_owned());
            }
        })?;
        Ok(best.1)
    }

    /// Calls the closure with words of about this length that begin with the same letter, and with those that the word is
    /// with another first letter, one more or one less.
    fn each_near(&self, word: &str, most: usize, mut give: impl FnMut(&str)) -> Result<(), StoreError> {
        let first: String = word.chars().take(1).collect();
        let count = word.chars().count();
        let query = "SELECT word FROM (SELECT word FROM search_vocabulary WHERE word >= ?1 AND word < ?2 LIMIT ?5)
                     WHERE length(word) BETWEEN ?3 AND ?4";
        let mut query = self.0.prepare_cached(query)?;
        // Words with the same stem differ in length by more than they are misspelt.
        let (shortest, longest) = (count.saturating_sub(most + 3), count + most + 3);
        let mut rows =
            query.query(params![first, format!("{first}\u{10FFFF}"), shortest as i64, longest as i64, READ])?;
        while let Some(row) = rows.next()? {
            give(row.get_ref(0)?.as_str().unwrap_or_default());
        }
        let rest: String = word.chars().skip(1).collect();
        let swapped: String =
            word.chars().skip(1).take(1).chain(word.chars().take(1)).chain(word.chars().skip(2)).collect();
        let replaced = ('a'..='z').flat_map(|letter| [format!("{letter}{word}"), format!("{letter}{rest}")]);
        for other in replaced.chain([rest.clone(), swapped]) {
            if !other.starts_with(&first) && self.has(&other)? {
                give(&other);
            }
        }
        Ok(())
    }

    /// Words with a piece in common: those that the word is made of, that begin as it does, and that have it within.
    pub(super) fn pieces(&self, word: &str) -> Result<Vec<String>, StoreError> {
        let letters = word.chars().count();
        if !(PIECE..=LONGEST).contains(&letters) || word.bytes().any(|byte| byte.is_ascii_digit()) {
            return Ok(Vec::new());
        }
        let mut pieces = Vec::new();
        let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
        for piece in
            ends.iter().skip(PIECE).map(|end| &word[..*end]).chain(ends.iter().rev().skip(PIECE).map(|at| &word[*at..]))
        {
            if piece != word && self.has(piece)? {
                pieces.push(piece.to_owned());
            }
        }
        let begin = &word[..ends[PIECE.max(letters * 3 / 5)]];
        pieces.extend(self.beginning_with(begin, PIECES as i64)?);
        pieces.extend(self.containing(word)?);
        pieces.retain(|piece| piece != word);
        pieces.truncate(2 * PIECES);
        Ok(pieces)
    }

    fn containing(&self, word: &str) -> Result<Vec<String>, StoreError> {
        let query = "SELECT word FROM (SELECT word FROM search_vocabulary LIMIT ?2) WHERE instr(word, ?1) LIMIT ?3";
        let mut query = self.0.prepare_cached(query)?;
        let words = query.query_map(params![word, READ, PIECES as i64], |row| row.get(0))?;
        Ok(words.collect::<Result<_, _>>()?)
    }
}

/// How many edits another word is away, by itself or by its stem; more than `most` if it is further away than that.
fn distance_between((letters, stem_letters): &(Vec<char>, Vec<char>), other: &str, most: usize) -> usize {
    let other_letters: Vec<char> = other.chars().collect();
    let whole = distance(letters, &other_letters, most);
    if whole <= most || letters.len() == stem_letters.len() && !other.ends_with(['s', 'd', 'g', 'e', 'r', 'y', 'n']) {
        return whole;
    }
    let other_stem: Vec<char> = stem(other).chars().collect();
    if stem_letters.len().min(other_stem.len()) < PIECE {
        whole
    } else {
        distance(stem_letters, &other_stem, most).min(whole)
    }
}

/// How many edits lead from one word to the other; more than `most` if it is more.
fn distance(one: &[char], other: &[char], most: usize) -> usize {
    if one.len().abs_diff(other.len()) > most {
        return most + 1;
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.iter().enumerate() {
        let mut row = Vec::with_capacity(other.len() + 1);
        row.push(i + 1);
        for (j, other_letter) in other.iter().enumerate() {
            let replaced = last[j] + usize::from(letter != other_letter);
            let mut edits = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *letter == other[j - 1] && one[i - 1] == *other_letter {
                edits = edits.min(before_last[j - 1] + 1);
            }
            row.push(edits);
        }
        if row.iter().min().is_some_and(|edits| *edits > most) {
            return most + 1;
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_inserts_removes_replaces_or_swaps() {
        for (one, other, edits) in [
            ("debounce", "debuonce", 1),
            ("git", "gti", 1),
            ("tree", "tre", 1),
            ("a", "b", 1),
            ("abcd", "badc", 2),
            ("abc", "abc", 0),
        ] {
            let letters = |word: &str| word.chars().collect::<Vec<_>>();
            assert_eq!(distance(&letters(one), &letters(other), 3), edits, "{one} {other}");
        }
        assert_eq!(distance(&['a'; 3], &['b'; 3], 1), 2);
    }
}
