//! What is looked for: the parts of the words of a query, and the words that each may be found by.

use lunette_client::model::search_terms::is_spaceless;

use crate::groups::IRREGULAR;
use crate::lexicon::{self, Lexicon};
use crate::parts::{Typed, is_common};
use crate::step::{Step, Steps};
use crate::synonyms::Synonyms;
use crate::typed;

/// The most parts of a query that are looked for.
const UNITS: usize = 24;
/// The most words that one is found by in one way.
const TERMS: usize = 64;
/// The most words spelt alike that are counted, and that are looked for.
const COUNTED: usize = 16;
const ALIKE: usize = 3;

/// A word of the query.
#[derive(Debug)]
pub struct Word {
    /// As typed.
    pub text: String,
    /// Whether it is looked for as typed alone.
    as_typed: bool,
    /// Of a script without spaces: an asset has it if it has half of its pairs.
    pub(crate) spaceless: bool,
    /// All its parts as one word, where it has several.
    joined: Option<String>,
}

/// A part of a word of the query.
#[derive(Debug)]
pub struct Unit {
    /// The index of the word.
    pub(crate) word: usize,
    text: String,
    /// What it is found by, the closest first.
    pub variants: Vec<Variant>,
}

/// Words that a part is found by.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// How they are related to the part.
    pub step: Step,
    /// Any of these; they are words of [`crate::parts`].
    pub terms: Vec<String>,
    /// Whether it takes all of the terms.
    pub all: bool,
}

impl Variant {
    fn any(step: Step, mut terms: Vec<String>) -> Option<Self> {
        terms.truncate(TERMS);
        (!terms.is_empty()).then_some(Self { step, terms, all: false })
    }
}

/// The parts of a query.
#[derive(Debug)]
pub struct Units {
    /// The words, without those that almost every sentence has.
    pub words: Vec<Word>,
    /// Their parts.
    pub units: Vec<Unit>,
    ignored: Vec<String>,
    replaced: Vec<(String, Vec<String>)>,
}

impl Units {
    /// The parts of a query. Words in quotation marks are looked for as typed.
    pub fn of(query: &str) -> Self {
        let mut units = Self { words: Vec::new(), units: Vec::new(), ignored: Vec::new(), replaced: Vec::new() };
        for typed::TypedWord { text, as_typed } in typed::words(query) {
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
            let spaceless = is_spaceless(text);
            units.words.push(Word { text: text.to_owned(), as_typed, spaceless, joined: typed.joined });
            units.units.extend(parts.into_iter().map(|text| Unit { word, text, variants: Vec::new() }));
        }
        units
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// What was looked for.
    pub fn steps(self) -> Steps {
        Steps {
            words: self.words.into_iter().map(|word| word.text).collect(),
            ignored: self.ignored,
            replaced: self.replaced,
        }
    }

    /// Adds what each part may be found by, closer ways first, and further ones where those find nothing. Gives for each
    /// variant of each part how many texts have it. `check` is called before each part; its error ends the work.
    pub fn expand<L: Lexicon>(
        &mut self,
        lexicon: &L,
        synonyms: &Synonyms,
        mut check: impl FnMut() -> Result<(), L::Error>,
    ) -> Result<Vec<Vec<usize>>, L::Error> {
        let mut counts = Vec::new();
        for index in 0..self.units.len() {
            check()?;
            counts.push(self.expand_one(index, lexicon, synonyms)?);
        }
        Ok(counts)
    }

    fn expand_one<L: Lexicon>(
        &mut self,
        index: usize,
        lexicon: &L,
        synonyms: &Synonyms,
    ) -> Result<Vec<usize>, L::Error> {
        let text = self.units[index].text.clone();
        if self.words[self.units[index].word].as_typed {
            self.units[index].variants.extend(typed_alone(&text, lexicon)?);
            return count(lexicon, &self.units[index].variants);
        }
        self.units[index].variants = self.direct(index, lexicon)?;
        let found = count(lexicon, &self.units[index].variants)?;
        // What it is made of may be a coincidence.
        let mut own = self.units[index].variants.iter().zip(&found).filter(|(variant, _)| !variant.all);
        if own.all(|(_, count)| *count == 0) {
            let alike = most_frequent(lexicon, lexicon::spelt_alike(lexicon, &text)?)?;
            self.correct(index, alike, lexicon)?;
        }
        self.units[index].variants.extend(of_same_meaning(&text, lexicon, synonyms)?);
        let found = count(lexicon, &self.units[index].variants)?;
        if found.iter().any(|count| *count > 0) {
            return Ok(found);
        }
        self.units[index].variants.extend(Variant::any(Step::Pieces, lexicon::pieces(lexicon, &text)?));
        count(lexicon, &self.units[index].variants)
    }

    /// What a part is found by as typed and in other forms.
    fn direct<L: Lexicon>(&self, index: usize, lexicon: &L) -> Result<Vec<Variant>, L::Error> {
        let unit = &self.units[index];
        let typed = typed_terms(&unit.text, lexicon)?;
        let mut forms = lexicon::with_same_stem(lexicon, &unit.text)?;
        forms.extend(IRREGULAR.others(&unit.text).iter().cloned());
        forms.extend(self.words[unit.word].joined.clone());
        forms.extend(self.joined_with_neighbours(index));
        forms.retain(|form| !typed.contains(form));
        let mut variants: Vec<Variant> =
            [Variant::any(Step::Any, typed), Variant::any(Step::Forms, forms)].into_iter().flatten().collect();
        let split = lexicon::split(lexicon, &unit.text)?;
        variants.extend(split.map(|(one, other)| Variant { step: Step::Forms, terms: vec![one, other], all: true }));
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
    fn correct<L: Lexicon>(&mut self, index: usize, alike: Vec<String>, lexicon: &L) -> Result<(), L::Error> {
        let unit = &mut self.units[index];
        let mut terms = alike.clone();
        for word in &alike {
            terms.extend(lexicon::with_same_stem(lexicon, word)?);
        }
        unit.variants.extend(Variant::any(Step::Spelling, terms));
        if !alike.is_empty() {
            self.replaced.push((unit.text.clone(), alike));
        }
        Ok(())
    }
}

fn count<L: Lexicon>(lexicon: &L, variants: &[Variant]) -> Result<Vec<usize>, L::Error> {
    variants.iter().map(|variant| lexicon.count(variant)).collect()
}

/// A part as typed, and the words that begin with it.
fn typed_terms<L: Lexicon>(text: &str, lexicon: &L) -> Result<Vec<String>, L::Error> {
    let mut typed = vec![text.to_owned()];
    typed.extend(lexicon::completions(lexicon, text)?);
    Ok(typed)
}

fn typed_alone<L: Lexicon>(text: &str, lexicon: &L) -> Result<Option<Variant>, L::Error> {
    Ok(Variant::any(Step::Any, typed_terms(text, lexicon)?))
}

/// Words of the same meaning as a part, in all their forms.
fn of_same_meaning<L: Lexicon>(text: &str, lexicon: &L, synonyms: &Synonyms) -> Result<Option<Variant>, L::Error> {
    let mut terms = Vec::new();
    for other in synonyms.others(text) {
        terms.push(other.clone());
        terms.extend(lexicon::with_same_stem(lexicon, other)?);
    }
    Ok(Variant::any(Step::Synonyms, terms))
}

/// The words that most texts have, of those that any has.
fn most_frequent<L: Lexicon>(lexicon: &L, words: Vec<String>) -> Result<Vec<String>, L::Error> {
    let mut counted = Vec::new();
    for word in words.into_iter().take(COUNTED) {
        let count = lexicon.count(&Variant { step: Step::Spelling, terms: vec![word.clone()], all: false })?;
        counted.extend((count > 0).then_some((count, word)));
    }
    counted.sort_by(|(one, word), (other, other_word)| other.cmp(one).then_with(|| word.cmp(other_word)));
    counted.truncate(ALIKE);
    Ok(counted.into_iter().map(|(_, word)| word).collect())
}
