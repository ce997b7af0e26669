//! Finding assets.
//!
//! Our choice: an asset matches if every term of the query is a substring of its metadata (name, tags, websites,
//! descriptions), or a prefix of a word in its content; in scripts without spaces, any substring of the content. Exact
//! names come first, then metadata before content, each ranked by bm25, ties by most recent update. Of very many matches
//! only the newest are ranked: in metadata by field, in content by time. Where it finds few assets, a search goes on (see
//! `later`).
//!
//! What must hold: the index is maintained by triggers of the schema and by the writer, never by callers: before each
//! commit, except for the content of large batches, which follows in commits of its own; a search says how much of that
//! is left; queries have no syntax; only the content of returned assets is read.

use std::collections::HashSet;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use lunette_client::model::search_terms::SearchTerms;

use super::interrupt::InterruptToken;
use super::{Store, StoreError};

mod expression;
mod filter;
mod forms;
mod hit;
mod later;
mod metadata;
mod refresh;
mod relation;
mod synonyms;
mod tags;
mod texts;
mod vocabulary;

pub(crate) use filter::{Filter, Span};
pub(super) use forms::forget_words;
pub(crate) use hit::{Field, Hit, Mark, MatchLocation};
pub(crate) use lunette_words::{FoundBy, Steps, typed};
pub(super) use refresh::{index_waiting, newest_waiting, postpone, refresh, register};
pub(crate) use relation::{RelatedAsset, Why};
pub(super) use synonyms::UserSynonyms;
pub(crate) use texts::Texts;

use expression::{Index, expression, words_expression};
use lunette_words::{ENOUGH, Synonyms};

/// With more hits than this, only the newest are ranked.
const RANKED: usize = 2_000;

/// A search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    /// The terms; without any, everything that passes the filter, most recently updated first.
    pub(crate) words: SearchTerms,
    /// The query as typed: exact matches come first.
    pub(crate) query: String,
    /// The filter.
    pub(crate) filter: Option<Filter>,
    /// The limit on hits.
    pub(crate) limit: usize,
    /// Whether it goes on where it finds few assets that have every word as typed.
    pub(crate) goes_on: bool,
}

/// A hit: the row of the asset, and for one found by its content only, the row of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Candidate {
    asset: i64,
    format: Option<i64>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchMatches {
    /// The matching assets, best first, each once.
    pub(crate) hits: Vec<Hit>,
    /// How many contents were not looked through, since they are not indexed yet.
    pub(crate) unindexed: usize,
    /// What was done after the exact search, if it went on.
    pub(crate) steps: Option<Steps>,
}

impl Store {
    /// Runs a search.
    #[cfg(test)]
    pub(crate) fn search(&self, search: &Search) -> Result<SearchMatches, StoreError> {
        self.search_interruptible(search, &InterruptToken::default())
    }

    /// Runs a search until it is interrupted.
    pub(crate) fn search_interruptible(
        &self,
        search: &Search,
        interrupt: &InterruptToken,
    ) -> Result<SearchMatches, StoreError> {
        let own = if search.goes_on { self.synonyms.read() } else { None };
        let synonyms = own.as_deref().unwrap_or_else(|| Synonyms::ours());
        self.read(|db| interrupt.run_interruptible(db, || Finder { db, search, synonyms }.found(interrupt)))
    }
}

/// One search in one moment of the database.
struct Finder<'a> {
    db: &'a Connection,
    search: &'a Search,
    /// The words of the same meaning.
    synonyms: &'a Synonyms,
}

/// An index, and how its rows lead to assets.
struct Source {
    table: &'static str,
    /// Joins the index to `asset`.
    join: &'static str,
    /// The score of a row: the smaller, the better.
    score: &'static str,
    /// The row of the format, where the index has it.
    format: &'static str,
}

const WORD: Source = Source {
    table: "search_word",
    join: "CROSS JOIN format ON format.row = search_word.rowid CROSS JOIN asset ON asset.row = format.asset",
    score: "bm25(search_word)",
    format: "format.row",
};
const SCRIPT: Source = Source {
    table: "search_script",
    join: "CROSS JOIN format ON format.row = search_script.rowid CROSS JOIN asset ON asset.row = format.asset",
    score: "bm25(search_script)",
    format: "format.row",
};

impl Finder<'_> {
    fn found(&self, interrupt: &InterruptToken) -> Result<SearchMatches, StoreError> {
        let exact = self.exact()?;
        let mut hits = hit::hits(self.db, self.search, &exact, &mut hit::READ_BYTES.clone())?;
        let goes_on = self.search.goes_on && !self.search.words.is_empty() && exact.len() < ENOUGH;
        let later = if goes_on { self.later(&exact, interrupt)? } else { None };
        let steps = later.map(|(steps, later)| {
            hits.extend(later);
            steps
        });
        Ok(SearchMatches { hits, unindexed: refresh::count_waiting(self.db)?, steps })
    }

    /// The assets that have every word as typed, best first.
    fn exact(&self) -> Result<Vec<Candidate>, StoreError> {
        let mut found = Vec::new();
        if self.search.words.is_empty() {
            self.newest(&mut found)?;
        } else {
            self.named(&mut found)?;
            self.by_metadata(&mut found)?;
            self.by_content(&mut found)?;
        }
        found.truncate(self.search.limit);
        Ok(found)
    }

    /// Without terms: everything that passes the filter.
    fn newest(&self, found: &mut Vec<Candidate>) -> Result<(), StoreError> {
        let (filter, mut values) = self.filter()?;
        values.push(limit(self.search.limit));
        self.take(
            &format!(
                "SELECT asset.row, NULL FROM asset WHERE {filter} ORDER BY asset.updated DESC, asset.row DESC LIMIT ?"
            ),
            values,
            found,
        )
    }

    /// Assets with exactly this name.
    fn named(&self, found: &mut Vec<Candidate>) -> Result<(), StoreError> {
        let (filter, mut values) = self.filter()?;
        values.insert(0, self.search.query.trim().to_lowercase().into());
        values.push(limit(self.search.limit));
        self.take(
            &format!(
                "SELECT asset.row, NULL FROM asset WHERE folded_name = ? AND {filter}
                 ORDER BY asset.updated DESC, asset.row DESC LIMIT ?"
            ),
            values,
            found,
        )
    }

    /// Assets whose content has every term. They rank after metadata matches.
    fn by_content(&self, found: &mut Vec<Candidate>) -> Result<(), StoreError> {
        let words = &self.search.words;
        if let Some(wanted) = words_expression(words.iter()) {
            self.best(&WORD, &wanted, false, found)?;
        }
        if words.spaceless()
            && let Some(wanted) = expression(self.db, Index::Script, words.iter())?
        {
            self.best(&SCRIPT, &wanted.text, wanted.short, found)?;
        }
        Ok(())
    }

    fn best(
        &self,
        source: &Source,
        wanted: &str,
        unranked: bool,
        found: &mut Vec<Candidate>,
    ) -> Result<(), StoreError> {
        if found.len() >= self.search.limit {
            Ok(())
        } else if unranked || self.everywhere(source, wanted)? {
            self.newest_of(source, wanted, found)
        } else {
            self.ranked(source, wanted, found)
        }
    }

    fn everywhere(&self, source: &Source, wanted: &str) -> Result<bool, StoreError> {
        let table = source.table;
        let count: i64 = self
            .db
            .prepare_cached(&format!("SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {table} MATCH ?1 LIMIT ?2)"))?
            .query_row((wanted, RANKED as i64), |row| row.get(0))?;
        Ok(count >= RANKED as i64)
    }

    fn ranked(&self, source: &Source, wanted: &str, found: &mut Vec<Candidate>) -> Result<(), StoreError> {
        let Source { table, join, score, format } = source;
        let (filter, mut values) = self.filter()?;
        values.insert(0, wanted.to_owned().into());
        let statement = format!(
            "SELECT asset.row, {format} FROM {table} {join} WHERE {table} MATCH ? AND {filter}
             ORDER BY {score}, asset.updated DESC, asset.row DESC"
        );
        self.take(&statement, values, found)
    }

    /// The newest made of very many, the newest updated of them first.
    fn newest_of(&self, source: &Source, wanted: &str, found: &mut Vec<Candidate>) -> Result<(), StoreError> {
        let Source { table, join, format, .. } = source;
        let (filter, mut values) = self.filter()?;
        values.insert(0, wanted.to_owned().into());
        values.push(limit(RANKED));
        let statement = format!(
            "SELECT asset, format FROM (
               SELECT asset.row AS asset, {format} AS format, asset.updated AS updated FROM {table} {join}
               WHERE {table} MATCH ? AND {filter} ORDER BY {table}.rowid DESC LIMIT ?
             ) ORDER BY updated DESC, asset DESC"
        );
        self.take(&statement, values, found)
    }

    /// The condition on `asset` that every search has, and its values.
    fn filter(&self) -> Result<(String, Vec<Value>), StoreError> {
        let mut condition = "asset.deleted IS NULL".to_owned();
        let mut values = Vec::new();
        if let Some(filter) = &self.search.filter {
            condition.push_str(" AND ");
            filter.write(&mut condition, &mut values);
        }
        Ok((condition, values))
    }

    /// Adds the hits of a statement that are not there yet.
    fn take(&self, statement: &str, values: Vec<Value>, found: &mut Vec<Candidate>) -> Result<(), StoreError> {
        let mut known: HashSet<i64> = found.iter().map(|candidate| candidate.asset).collect();
        let mut statement = self.db.prepare_cached(statement)?;
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            let candidate = Candidate { asset: row.get(0)?, format: row.get(1)? };
            if found.len() >= self.search.limit {
                break;
            }
            if known.insert(candidate.asset) {
                found.push(candidate);
            }
        }
        Ok(())
    }
}

fn limit(number: usize) -> Value {
    i64::try_from(number).unwrap_or(i64::MAX).into()
}
