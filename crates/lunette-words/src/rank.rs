//! The order of what does not have every word as typed.
//!
//! Our choice: what has more of the words comes first, where a piece of a word counts half; then by bm25 with a weight for
//! each field and for how the word was found. Two whose bm25 is in the same band of [`BAND`] are equal, if the furthest step
//! that they took is the same one: of these, the one that was used more often comes first, then the one that was updated
//! later. So the order is a function of what is stored.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::step::{FoundBy, Step};
use crate::units::{Unit, Units};

/// The weights of name, tags, websites and description, and of content.
const WEIGHTS: [f64; 4] = [5.0, 3.5, 1.5, 2.5];
const CONTENT: f64 = 1.0;
/// The usual parameters of bm25: how fast more occurrences stop to count, and how much the length of a text counts.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.4;
/// The usual length of a content, in bytes.
const USUAL_BYTES: f64 = 1_000.0;
/// The most words of a variant that are marked in a passage.
const MARKED: usize = 8;
/// How much larger a bm25 at the end of a band is than at its beginning.
pub const BAND: f64 = 0.02;

/// Where something has a part: the index of the closest variant, in what is said of it and in its content.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    metadata: Option<u8>,
    content: Option<u8>,
}

impl Place {
    /// Adds that it has a variant.
    pub fn add(&mut self, variant: usize, in_content: bool) {
        let number = u8::try_from(variant).unwrap_or(u8::MAX);
        let at = if in_content { &mut self.content } else { &mut self.metadata };
        *at = Some(at.map_or(number, |before| before.min(number)));
    }

    /// Whether its content alone has the part.
    pub fn in_content_alone(&self) -> bool {
        self.metadata.is_none() && self.content.is_some()
    }

    /// The closest variant.
    fn best(&self) -> Option<u8> {
        self.metadata.into_iter().chain(self.content).min()
    }
}

/// How much of the query something has, in halves of words; then how well, and by which step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    halves: usize,
    bm25: f64,
    step: Step,
}

/// What something is compared by, the best being the greatest.
pub type Rank = (usize, i64, Reverse<Step>, i64, i64, u64, i64);

impl Score {
    /// The rank of something with this score that was used so often, was updated then, and is in this row.
    pub fn rank(self, used: i64, updated: i64, row: i64) -> Rank {
        // A score is not negative, so that its bits are in its order.
        let band = (self.bm25.ln() / (1.0 + BAND).ln()).floor() as i64;
        (self.halves, band, Reverse(self.step), used, updated, self.bm25.to_bits(), row)
    }

    /// What is compared before the texts are read, the best being the greatest.
    pub fn rough_rank(self, row: i64) -> (usize, u64, i64) {
        (self.halves, self.bm25.to_bits(), row)
    }
}

/// The words of the texts of something: of its name, its tags, its websites and its description.
pub type FieldWords = [HashSet<String>; 4];

/// Ranks what has parts of a query.
pub struct Ranking<'a> {
    /// The parts.
    pub units: &'a Units,
    /// How many texts have each variant of each part.
    pub counts: &'a [Vec<usize>],
    /// How many texts there are.
    pub texts: f64,
}

impl Ranking<'_> {
    /// The score by where the words are, without the fields.
    pub fn rough(&self, places: &[Place]) -> Score {
        let bm25 = places.iter().enumerate().map(|(index, place)| {
            let metadata = place.metadata.map(|variant| (variant, WEIGHTS[0]));
            let content = place.content.map(|variant| (variant, CONTENT));
            self.bm25(index, metadata.into_iter().chain(content), 1.0)
        });
        Score { halves: self.halves(places), bm25: bm25.sum(), step: self.step(places) }
    }

    /// The score by the fields; `bytes` is the length of the content.
    pub fn score(&self, places: &[Place], fields: &FieldWords, bytes: i64) -> Score {
        let long = bytes as f64 / USUAL_BYTES;
        let length = 1.0 - LENGTH + LENGTH * (1.0 + long).ln().max(0.5);
        let bm25 = self.units.units.iter().enumerate().map(|(index, unit)| {
            let in_fields = fields.iter().zip(WEIGHTS);
            let in_fields = in_fields.filter_map(|(words, weight)| Some((variant_in(unit, words)?, weight)));
            self.bm25(index, in_fields.chain(places[index].content.map(|variant| (variant, CONTENT))), length)
        });
        Score { halves: self.halves(places), bm25: bm25.sum(), step: self.step(places) }
    }

    /// How something was found.
    pub fn found_by(&self, places: &[Place]) -> FoundBy {
        let missing = (0..self.units.words.len()).filter(|word| self.lacks(*word, places));
        let missing = missing.map(|word| self.units.words[word].text.clone()).collect();
        FoundBy { step: self.step(places), missing }
    }

    /// The words to mark in something.
    pub fn terms(&self, places: &[Place]) -> Vec<String> {
        let found = self.units.units.iter().zip(places).filter_map(|(unit, place)| variant(unit, place));
        found.flat_map(|variant| variant.terms.iter().take(MARKED)).cloned().collect()
    }

    /// The furthest step that was taken.
    fn step(&self, places: &[Place]) -> Step {
        let found = self.units.units.iter().zip(places).filter_map(|(unit, place)| variant(unit, place));
        found.map(|variant| variant.step).max().unwrap_or(Step::Any)
    }

    /// The bm25 of the occurrences of a part: which variant, and the weight of the field.
    fn bm25(&self, unit: usize, occurrences: impl Iterator<Item = (u8, f64)>, length: f64) -> f64 {
        let (mut weights, mut best) = (0.0, None);
        for (variant, weight) in occurrences {
            weights += weight * self.units.units[unit].variants[usize::from(variant)].step.weight();
            best = Some(best.map_or(variant, |best: u8| best.min(variant)));
        }
        let Some(best) = best else { return 0.0 };
        // Rare words are worth more than common ones.
        let found = self.counts[unit][usize::from(best)] as f64;
        let rare = (1.0 + (self.texts - found + 0.5).max(0.5) / (found + 0.5)).ln();
        rare * weights * (SATURATION + 1.0) / (weights + SATURATION * length)
    }

    /// How much of the words something has, in halves.
    fn halves(&self, places: &[Place]) -> usize {
        (0..self.units.words.len()).map(|word| self.halves_of(word, places)).sum()
    }

    fn halves_of(&self, word: usize, places: &[Place]) -> usize {
        let units = self.units.units.iter().zip(places).filter(|(unit, _)| unit.word == word);
        let halves: Vec<usize> =
            units.map(|(unit, place)| variant(unit, place).map_or(0, |variant| variant.step.halves())).collect();
        if self.units.words[word].spaceless {
            let had = halves.iter().filter(|halves| **halves > 0).count();
            return if had * 2 >= halves.len() { 2 } else { usize::from(had > 0) };
        }
        halves.iter().sum::<usize>() / halves.len().max(1)
    }

    /// Whether something lacks a part of a word; of a word without spaces, most pairs.
    fn lacks(&self, word: usize, places: &[Place]) -> bool {
        if self.units.words[word].spaceless {
            return self.halves_of(word, places) < 2;
        }
        let mut units = self.units.units.iter().zip(places).filter(|(unit, _)| unit.word == word);
        units.any(|(_, place)| place.best().is_none())
    }
}

/// The closest variant of a part that something has.
fn variant<'a>(unit: &'a Unit, place: &Place) -> Option<&'a crate::units::Variant> {
    unit.variants.get(usize::from(place.best()?))
}

/// The closest variant of a part that a field has.
fn variant_in(unit: &Unit, words: &HashSet<String>) -> Option<u8> {
    let has = |term: &String| words.contains(term);
    let at = unit
        .variants
        .iter()
        .position(|variant| if variant.all { variant.terms.iter().all(has) } else { variant.terms.iter().any(has) });
    at.and_then(|at| u8::try_from(at).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn use_and_recency_count_between_equals_alone() {
        let score = |bm25, step| Score { halves: 2, bm25, step };
        let plain = |one: Score| one.rank(0, 0, 0);
        let used = |one: Score| one.rank(9, 9, 9);
        assert!(used(score(5.0, Step::Any)) > plain(score(5.001, Step::Any)), "in the same band");
        assert!(used(score(5.0, Step::Any)) < plain(score(5.5, Step::Any)), "in another band");
        assert!(used(score(5.0, Step::Forms)) < plain(score(5.0, Step::Any)), "by another step");
        let more_words = Score { halves: 4, ..score(1.0, Step::Pieces) };
        assert!(used(score(5.0, Step::Any)) < plain(more_words), "with fewer words");
        assert!(score(5.0, Step::Any).rank(1, 0, 0) > score(5.0, Step::Any).rank(0, 9, 9), "use before recency");
    }
}
