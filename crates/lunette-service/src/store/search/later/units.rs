//! What is looked for: the parts of the words of a query, and the words that each may be found by.

use super::super::parts::{Typed, is_common};
use super::super::synonyms::{IRREGULAR, SYNONYMS};
use super::super::vocabulary::Vocabulary;
use super::{Step, Steps};
use crate::store::StoreError;
use lunette_client::model::search_terms::is_spaceless;

/// The most parts of a query that are looked for.
const UNITS: usize = 24;
/// The most words that one is found by in one way.
const TERMS: usize = 64;
/// The most words spelt alike that are looked for.
pub(super) const ALIKE: usize = 3;

/// A word of the query.
pub(super) struct Word {
    /// As typed.
    pub(super) text: String,
    /// Of a script without spaces: an asset has it if it has half of its pairs.
    pub(super) spaceless: bool,
}

/// A part of a word of the query.
pub(super) struct Unit {
    /// The index of the word.
    pub(super) word: usize,
    pub(super) text: String,
    pub(super) variants: Vec<Variant>,
}

/// Words that a part is found by.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Variant {
    pub(super) step: Step,
    /// Any of these.
    pub(super) terms: Vec<String>,
    /// Whether it takes all of the terms.
    pub(super) all: bool,
}

impl Variant {
    fn any(step: Step, mut terms: Vec<String>) -> Option<Self> {
        terms.truncate(TERMS);
        (!terms.is_empty()).then_some(Self { step, terms, all: false })
    }

    /// As an expression of FTS5. A term has no quotation mark (see `parts`).
    pub(super) fn expression(&self) -> String {
        let terms: Vec<String> = self.terms.iter().map(|term| format!("\"{}\"", term.replace('"', ""))).collect();
        format!("({})", terms.join(if self.all { " AND " } else { " OR " }))
    }
}

/// The parts of a query.
pub(super) struct Units {
    pub(super) words: Vec<Word>,
    pub(super) units: Vec<Unit>,
    /// All parts of each word as one word, where it has several.
    joined: Vec<Option<String>>,
    ignored: Vec<String>,
    replaced: Vec<(String, Vec<String>)>,
}

impl Units {
    pub(super) fn of(query: &str) -> Self {
        let mut units = Self {
            words: Vec::new(),
            units: Vec::new(),
            joined: Vec::new(),
            ignored: Vec::new(),
            replaced: Vec::new(),
        };
        for text in query.split_whitespace() {
            let typed = Typed::of(text);
            let parts: Vec<String> =
                typed.parts.into_iter().filter(|part| !is_common(part) || is_spaceless(part)).collect();
            if units.words.iter().any(|word| word.text == text) || units.ignored.iter().any(|word| word == text) {
                continue;
            }
            if parts.is_empty() || units.units.len() + parts.len() > UNITS {
                // A query of very many words is cut.
                if units.ignored.len() < UNITS {
                    units.ignored.push(text.to_owned());
                }
                continue;
            }
            let word = units.words.len();
            units.words.push(Word { text: text.to_owned(), spaceless: is_spaceless(text) });
            units.joined.push(typed.joined);
            units.units.extend(parts.into_iter().map(|text| Unit { word, text, variants: Vec::new() }));
        }
        units
    }

    pub(super) fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// What was looked for.
    pub(super) fn steps(self) -> Steps {
        Steps {
            words: self.words.into_iter().map(|word| word.text).collect(),
            ignored: self.ignored,
            replaced: self.replaced,
        }
    }

    /// What a part is found by as typed and in other forms.
    pub(super) fn direct(&self, index: usize, vocabulary: &Vocabulary) -> Result<Vec<Variant>, StoreError> {
        let unit = &self.units[index];
        let mut typed = vec![unit.text.clone()];
        typed.extend(vocabulary.completions(&unit.text)?);
        let mut forms = vocabulary.with_same_stem(&unit.text)?;
        forms.extend(IRREGULAR.others(&unit.text).iter().map(|form| (*form).to_owned()));
        forms.extend(self.joined[unit.word].clone());
        forms.extend(self.joined_with_neighbours(index));
        forms.retain(|form| !typed.contains(form));
        let mut variants: Vec<Variant> =
            [Variant::any(Step::Any, typed), Variant::any(Step::Forms, forms)].into_iter().flatten().collect();
        variants.extend(split(&unit.text, vocabulary)?);
        Ok(variants)
    }

    /// A part and the one before or behind it as one word.
    fn joined_with_neighbours(&self, index: usize) -> impl Iterator<Item = String> {
        let text = |index: usize| self.units.get(index).map(|unit| unit.text.as_str());
        let before = index.checked_sub(1).and_then(text).zip(text(index));
        let behind = text(index).zip(text(index + 1));
        before.into_iter().chain(behind).map(|(one, other)| format!("{one}{other}"))
    }

    /// What a part is found by whose own forms no asset has: words spelt alike, those that more assets have first.
    pub(super) fn correct(
        &mut self,
        index: usize,
        alike: Vec<String>,
        vocabulary: &Vocabulary,
    ) -> Result<(), StoreError> {
        let unit = &mut self.units[index];
        let mut terms = alike.clone();
        for word in &alike {
            terms.extend(vocabulary.with_same_stem(word)?);
        }
        unit.variants.extend(Variant::any(Step::Spelling, terms));
        if !alike.is_empty() {
            self.replaced.push((unit.text.clone(), alike));
        }
        Ok(())
    }
}

/// Words of the same meaning as a part, in all their forms.
pub(super) fn of_same_meaning(text: &str, vocabulary: &Vocabulary) -> Result<Option<Variant>, StoreError> {
    let mut terms = Vec::new();
    for other in SYNONYMS.others(text) {
        terms.push((*other).to_owned());
        terms.extend(vocabulary.with_same_stem(other)?);
    }
    Ok(Variant::any(Step::Synonyms, terms))
}

/// Words with a piece of it.
pub(super) fn by_pieces(text: &str, vocabulary: &Vocabulary) -> Result<Option<Variant>, StoreError> {
    Ok(Variant::any(Step::Pieces, vocabulary.pieces(text)?))
}

/// The two words that a word is made of, where there are such.
fn split(text: &str, vocabulary: &Vocabulary) -> Result<Option<Variant>, StoreError> {
    if text.len() < 6 || !text.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Ok(None);
    }
    for at in (3..=text.len() - 3).rev() {
        let (one, other) = text.split_at(at);
        if vocabulary.has(one)? && vocabulary.has(other)? {
            let terms = vec![one.to_owned(), other.to_owned()];
            return Ok(Some(Variant { step: Step::Forms, terms, all: true }));
        }
    }
    Ok(None)
}
