//! The vocabulary of the index of forms, and how many texts have words of it.

use std::ops::RangeInclusive;

use rusqlite::{Connection, params};

use crate::store::StoreError;
use lunette_words::Lexicon;
use lunette_words::units::Variant;

/// A variant that more texts have is common: it is looked for only together with others, and not counted further.
pub(super) const COMMON: usize = 2_000;

/// The vocabulary of a store.
pub(super) struct Vocabulary<'a>(pub(super) &'a Connection);

/// A variant as an expression of FTS5. A term has no quotation mark (see `lunette_words::parts`).
pub(super) fn expression(variant: &Variant) -> String {
    let terms: Vec<String> = variant.terms.iter().map(|term| format!("\"{}\"", term.replace('"', ""))).collect();
    format!("({})", terms.join(if variant.all { " AND " } else { " OR " }))
}

impl Lexicon for Vocabulary<'_> {
    type Error = StoreError;

    fn has(&self, word: &str) -> Result<bool, StoreError> {
        let query = "SELECT EXISTS (SELECT 1 FROM search_vocabulary WHERE word = ?1)";
        Ok(self.0.prepare_cached(query)?.query_row([word], |row| row.get(0))?)
    }

    fn beginning_with(&self, begin: &str, most: usize) -> Result<Vec<String>, StoreError> {
        let query = "SELECT word FROM search_vocabulary WHERE word >= ?1 AND word < ?2 AND word <> ?1 LIMIT ?3";
        let mut query = self.0.prepare_cached(query)?;
        let words = query.query_map(params![begin, end_of(begin), most as i64], |row| row.get(0))?;
        Ok(words.collect::<Result<_, _>>()?)
    }

    fn containing(&self, text: &str, read: usize, most: usize) -> Result<Vec<String>, StoreError> {
        let query = "SELECT word FROM (SELECT word FROM search_vocabulary LIMIT ?2) WHERE instr(word, ?1) LIMIT ?3";
        let mut query = self.0.prepare_cached(query)?;
        let words = query.query_map(params![text, read as i64, most as i64], |row| row.get(0))?;
        Ok(words.collect::<Result<_, _>>()?)
    }

    fn each_of_length(
        &self,
        begin: &str,
        lengths: RangeInclusive<usize>,
        read: usize,
        give: &mut dyn FnMut(&str),
    ) -> Result<(), StoreError> {
        let query = "SELECT word FROM (SELECT word FROM search_vocabulary WHERE word >= ?1 AND word < ?2 LIMIT ?5)
                     WHERE length(word) BETWEEN ?3 AND ?4";
        let mut query = self.0.prepare_cached(query)?;
        let (shortest, longest) = (*lengths.start() as i64, *lengths.end() as i64);
        let mut rows = query.query(params![begin, end_of(begin), shortest, longest, read as i64])?;
        while let Some(row) = rows.next()? {
            give(row.get_ref(0)?.as_str().unwrap_or_default());
        }
        Ok(())
    }

    fn count(&self, variant: &Variant) -> Result<usize, StoreError> {
        let query = "SELECT count(*) FROM (SELECT 1 FROM search_form WHERE search_form MATCH ?1 LIMIT ?2)";
        let mut query = self.0.prepare_cached(query)?;
        let count: i64 = query.query_row(params![expression(variant), COMMON as i64], |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or_default())
    }
}

/// Behind all words that begin with a text.
fn end_of(begin: &str) -> String {
    format!("{begin}\u{10FFFF}")
}
