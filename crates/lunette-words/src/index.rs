//! An index of texts in memory, such as the rows of a list, and the search in it.
//!
//! What must hold: the work is bounded for any query; equal texts give equal results.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::convert::Infallible;
use std::ops::{Bound, RangeInclusive};

use crate::lexicon::Lexicon;
use crate::rank::{FieldWords, Place, Ranking};
use crate::step::{FoundBy, Steps};
use crate::synonyms::Synonyms;
use crate::units::{Units, Variant};
use crate::{MOST, parts};

/// The most texts that are read of one variant.
const READ: usize = 20_000;
/// How many texts are read for their order.
const ORDERED: usize = 400;

/// What is said of something: its name, its tags, its websites, and what else describes it.
pub type Fields = [String; 4];

/// What is searched.
pub trait Texts {
    /// What is said of the one with this number.
    fn fields(&self, number: u32) -> Fields;
    /// How often it was used, and when it was updated.
    fn standing(&self, number: u32) -> (i64, i64);
}

/// The words of texts, and which texts have each.
#[derive(Debug, Default)]
pub struct Index {
    words: BTreeMap<Box<str>, Vec<u32>>,
    count: usize,
}

impl Index {
    /// The index of the first `count` texts.
    pub fn of(texts: &impl Texts, count: usize) -> Self {
        let mut index = Self { words: BTreeMap::new(), count };
        for number in 0..u32::try_from(count).unwrap_or(u32::MAX) {
            for word in parts::words(&texts.fields(number).join("\n")) {
                match index.words.get_mut(word.as_str()) {
                    Some(numbers) => numbers.push(number),
                    None => drop(index.words.insert(word.into(), vec![number])),
                }
            }
        }
        index
    }

    /// What has any of the words of a query, in any way, but for those that are found already: best first. `None` if there
    /// is nothing to look for.
    pub fn search(
        &self,
        texts: &impl Texts,
        query: &str,
        except: &HashSet<u32>,
        synonyms: &Synonyms,
    ) -> Option<(Steps, Vec<(u32, FoundBy)>)> {
        let mut units = Units::of(query);
        if units.is_empty() {
            return None;
        }
        let Ok(counts) = units.expand(self, synonyms, || Ok(()));
        let places = self.places(&units, except);
        let ranking = Ranking { units: &units, counts: &counts, texts: self.count.max(1) as f64 };
        let mut rough: Vec<u32> = places.keys().copied().collect();
        rough.sort_by_cached_key(|number| Reverse(ranking.rough(&places[number]).rough_rank((*number).into())));
        rough.truncate(ORDERED);
        rough.sort_by_cached_key(|number| {
            let (used, updated) = texts.standing(*number);
            let words: FieldWords = texts.fields(*number).map(|text| parts::words(&text));
            Reverse(ranking.score(&places[number], &words, 0).rank(used, updated, (*number).into()))
        });
        rough.truncate(MOST);
        let found = rough.into_iter().map(|number| (number, ranking.found_by(&places[&number]))).collect();
        Some((units.steps(), found))
    }

    /// Which texts have which parts.
    fn places(&self, units: &Units, except: &HashSet<u32>) -> HashMap<u32, Vec<Place>> {
        let mut places: HashMap<u32, Vec<Place>> = HashMap::new();
        for (index, unit) in units.units.iter().enumerate() {
            for (variant, found) in unit.variants.iter().enumerate() {
                for number in self.having(found).into_iter().filter(|number| !except.contains(number)).take(READ) {
                    let places = places.entry(number).or_insert_with(|| vec![Place::default(); units.units.len()]);
                    places[index].add(variant, false);
                }
            }
        }
        places
    }

    /// The texts that have a variant, in order.
    fn having(&self, variant: &Variant) -> Vec<u32> {
        let mut lists = variant.terms.iter().map(|term| self.words.get(term.as_str()).map_or(&[][..], Vec::as_slice));
        if variant.all {
            let mut all = lists.next().unwrap_or_default().to_vec();
            lists.for_each(|list| all.retain(|number| list.binary_search(number).is_ok()));
            return all;
        }
        let mut any: Vec<u32> = lists.flatten().copied().collect();
        any.sort_unstable();
        any.dedup();
        any
    }

    fn starting_at(&self, begin: &str) -> impl Iterator<Item = &str> {
        self.words.range::<str, _>((Bound::Included(begin), Bound::Unbounded)).map(|(word, _)| &**word)
    }
}

impl Lexicon for Index {
    type Error = Infallible;

    fn has(&self, word: &str) -> Result<bool, Infallible> {
        Ok(self.words.contains_key(word))
    }

    fn beginning_with(&self, begin: &str, most: usize) -> Result<Vec<String>, Infallible> {
        let words = self.starting_at(begin).take_while(|word| word.starts_with(begin)).filter(|word| *word != begin);
        Ok(words.take(most).map(str::to_owned).collect())
    }

    fn containing(&self, text: &str, read: usize, most: usize) -> Result<Vec<String>, Infallible> {
        Ok(self
            .words
            .keys()
            .take(read)
            .filter(|word| word.contains(text))
            .take(most)
            .map(|word| (**word).to_owned())
            .collect())
    }

    fn each_of_length(
        &self,
        begin: &str,
        lengths: RangeInclusive<usize>,
        read: usize,
        give: &mut dyn FnMut(&str),
    ) -> Result<(), Infallible> {
        let words = self.starting_at(begin).take_while(|word| word.starts_with(begin)).take(read);
        words.filter(|word| lengths.contains(&word.chars().count())).for_each(give);
        Ok(())
    }

    fn count(&self, variant: &Variant) -> Result<usize, Infallible> {
        Ok(self.having(variant).len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::Step;

    struct Named(Vec<(&'static str, i64)>);

    impl Texts for Named {
        fn fields(&self, number: u32) -> Fields {
            [self.0[number as usize].0.to_owned(), String::new(), String::new(), String::new()]
        }

        fn standing(&self, number: u32) -> (i64, i64) {
            (self.0[number as usize].1, 0)
        }
    }

    fn found(names: &[(&'static str, i64)], query: &str) -> (Steps, Vec<(&'static str, FoundBy)>) {
        let texts = Named(names.to_vec());
        let index = Index::of(&texts, names.len());
        let (steps, found) =
            index.search(&texts, query, &HashSet::new(), Synonyms::ours()).expect("something to look for");
        (steps, found.into_iter().map(|(number, by)| (names[number as usize].0, by)).collect())
    }

    #[test]
    fn texts_in_memory_are_found_by_every_step() {
        let names = [("getUserName", 0), ("queries", 0), ("prune", 0), ("authentication", 0)];
        for (query, name, step) in [
            ("user missing", "getUserName", Step::Any),
            ("get-user-names", "getUserName", Step::Forms),
            ("qureies", "queries", Step::Spelling),
            ("delete", "prune", Step::Synonyms),
            ("enticat", "authentication", Step::Pieces),
        ] {
            let (_, found) = found(&names, query);
            assert_eq!(found.first().map(|(name, by)| (*name, by.step)), Some((name, step)), "{query}");
        }
        let (steps, found) = found(&names, "qureies xyzzy");
        assert_eq!(steps.replaced, [("qureies".to_owned(), vec!["queries".to_owned()])]);
        assert_eq!(found[0].1.missing, ["xyzzy"]);
    }

    #[test]
    fn a_word_in_quotation_marks_is_not_replaced() {
        let (steps, found) = found(&[("queries input", 0)], "\"qureies\" inptu");
        assert_eq!(steps.replaced, [("inptu".to_owned(), vec!["input".to_owned()])]);
        assert_eq!(
            (steps.words, &found[0].1.missing),
            (vec!["qureies".to_owned(), "inptu".to_owned()], &vec!["qureies".to_owned()])
        );
    }

    #[test]
    fn of_equals_what_was_used_more_often_comes_first_and_the_same_query_gives_the_same_list() {
        let names = [("alpha one", 0), ("alpha two", 3), ("alpha six", 1), ("alpha beta", 0)];
        let order = |query| found(&names, query).1.into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(order("alpha beta x"), ["alpha beta", "alpha two", "alpha six", "alpha one"]);
        assert_eq!(order("alpha beta x"), order("alpha beta x"));
    }
}
