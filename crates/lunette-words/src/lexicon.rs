//! Words that may be meant by a word: with the same stem, spelt alike, or with a piece in common.
//!
//! What must hold: every look-up reads a bounded part of the vocabulary.

use std::ops::RangeInclusive;

use crate::parts::LONGEST;
use crate::spelling::distance_between;
use crate::stem::stem;
use crate::units::Variant;

/// The most words that one look-up reads.
const READ: usize = 200_000;
/// The most longer words that begin with a word.
const COMPLETIONS: usize = 48;
/// The most words with the same stem that are looked through.
const STEMS: usize = 4_000;
/// The fewest letters of a word that is completed, corrected, and looked for in pieces.
const COMPLETED: usize = 3;
const CORRECTED: usize = 3;
const PIECE: usize = 4;
/// The most words with a piece in common.
const PIECES: usize = 24;

/// What texts have: their different words, as [`crate::parts`] gives them, and how many texts have some of them.
pub trait Lexicon {
    /// Why a look-up failed.
    type Error;

    /// Whether any text has or had this word.
    fn has(&self, word: &str) -> Result<bool, Self::Error>;

    /// The first words that begin with this text, in their order, at most so many; without the text itself.
    fn beginning_with(&self, begin: &str, most: usize) -> Result<Vec<String>, Self::Error>;

    /// Words that have this text within, at most so many, among the first `read` words.
    fn containing(&self, text: &str, read: usize, most: usize) -> Result<Vec<String>, Self::Error>;

    /// Calls the closure with the words of these lengths in letters, among the first `read` that begin with a text.
    fn each_of_length(
        &self,
        begin: &str,
        lengths: RangeInclusive<usize>,
        read: usize,
        give: &mut dyn FnMut(&str),
    ) -> Result<(), Self::Error>;

    /// How many texts have a variant; it may be counted up to a limit.
    fn count(&self, variant: &Variant) -> Result<usize, Self::Error>;
}

/// Longer words that begin with this one.
pub(crate) fn completions<L: Lexicon>(lexicon: &L, word: &str) -> Result<Vec<String>, L::Error> {
    if word.chars().count() < COMPLETED {
        return Ok(Vec::new());
    }
    lexicon.beginning_with(word, COMPLETIONS)
}

/// Other words with the same stem.
pub(crate) fn with_same_stem<L: Lexicon>(lexicon: &L, word: &str) -> Result<Vec<String>, L::Error> {
    let stem_of_word = stem(word);
    // The stem of `queries` is `queri`, and that of `hoping` is `hope`.
    let begin = stem_of_word.strip_suffix(['i', 'e', 'y']).unwrap_or(&stem_of_word);
    if begin.len() < 2 {
        return Ok(Vec::new());
    }
    let mut words = lexicon.beginning_with(begin, STEMS)?;
    words.retain(|other| other != word && stem(other) == stem_of_word);
    Ok(words)
}

/// The words that are spelt most alike, if any is alike enough: one edit away for up to five letters, and else two. An edit
/// inserts, removes or replaces a letter, or swaps two.
pub(crate) fn spelt_alike<L: Lexicon>(lexicon: &L, word: &str) -> Result<Vec<String>, L::Error> {
    let letters: Vec<char> = word.chars().collect();
    if letters.len() < CORRECTED || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return Ok(Vec::new());
    }
    let most = if letters.len() <= 5 { 1 } else { 2 };
    let typed = (letters, stem(word).chars().collect::<Vec<char>>());
    let mut best = (most, Vec::new());
    each_near(lexicon, word, most, &mut |other| {
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

/// Calls the closure with words of about this length that begin with the same letter, and with those that the word is with
/// another first letter, one more or one less.
fn each_near<L: Lexicon>(lexicon: &L, word: &str, most: usize, give: &mut dyn FnMut(&str)) -> Result<(), L::Error> {
    let first: String = word.chars().take(1).collect();
    let count = word.chars().count();
    // Words with the same stem differ in length by more than they are misspelt.
    let lengths = count.saturating_sub(most + 3)..=count + most + 3;
    lexicon.each_of_length(&first, lengths, READ, give)?;
    let rest: String = word.chars().skip(1).collect();
    let swapped: String =
        word.chars().skip(1).take(1).chain(word.chars().take(1)).chain(word.chars().skip(2)).collect();
    let replaced = ('a'..='z').flat_map(|letter| [format!("{letter}{word}"), format!("{letter}{rest}")]);
    for other in replaced.chain([rest.clone(), swapped]) {
        if !other.starts_with(&first) && lexicon.has(&other)? {
            give(&other);
        }
    }
    Ok(())
}

/// Words with a piece in common: those that the word is made of, that begin as it does, and that have it within.
pub(crate) fn pieces<L: Lexicon>(lexicon: &L, word: &str) -> Result<Vec<String>, L::Error> {
    let letters = word.chars().count();
    if !(PIECE..=LONGEST).contains(&letters) || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return Ok(Vec::new());
    }
    let mut pieces = Vec::new();
    let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
    for piece in
        ends.iter().skip(PIECE).map(|end| &word[..*end]).chain(ends.iter().rev().skip(PIECE).map(|at| &word[*at..]))
    {
        if piece != word && lexicon.has(piece)? {
            pieces.push(piece.to_owned());
        }
    }
    let begin = &word[..ends[PIECE.max(letters * 3 / 5)]];
    pieces.extend(lexicon.beginning_with(begin, PIECES)?);
    pieces.extend(lexicon.containing(word, READ, PIECES)?);
    pieces.retain(|piece| piece != word);
    pieces.truncate(2 * PIECES);
    Ok(pieces)
}

/// The two words that a word is made of, where there are such.
pub(crate) fn split<L: Lexicon>(lexicon: &L, word: &str) -> Result<Option<(String, String)>, L::Error> {
    if word.len() < 6 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Ok(None);
    }
    for at in (3..=word.len() - 3).rev() {
        let (one, other) = word.split_at(at);
        if lexicon.has(one)? && lexicon.has(other)? {
            return Ok(Some((one.to_owned(), other.to_owned())));
        }
    }
    Ok(None)
}
