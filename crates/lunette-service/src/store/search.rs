//! Finding assets.
//!
//! Our choice: an asset is found where every word of the query is any part of what is said of it (name, tags, websites,
//! descriptions), or where every word begins one of its content; in scripts without spaces any part of content. Exact
//! names come first, then what is said of an asset before what it holds, each ranked by bm25 with weights, the newest
//! updated first where that is the same. Of a query that is everywhere only the newest are ranked, by their place alone:
//! what is everywhere tells nothing apart.
//!
//! What must hold: the index is kept by triggers of the schema and by the writer before each commit, never by who
//! writes; no query is syntax; none reads content but of assets that are given back.

use std::collections::HashSet;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use lunette_client::model::search_terms::SearchTerms;

use super::{Store, StoreError};

mod expression;
mod filter;
mod hit;
mod refresh;
mod tags;
mod texts;

pub(crate) use filter::{Filter, Span};
pub(crate) use hit::{Field, Hit, Mark, MatchLocation};
pub(super) use refresh::refresh;
pub(crate) use texts::Texts;

use expression::{Index, expression, words_expression};

/// More than so many hits in one place are not ranked: the newest are taken.
const RANKED: usize = 2_000;

/// What is searched for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    /// The words; without any, everything that the filter leaves, newest updated first.
    pub(crate) words: SearchTerms,
    /// The query as it was typed: what is exactly so comes first.
    pub(crate) query: String,
    /// What else must hold of an asset.
    pub(crate) filter: Option<Filter>,
    /// At most so many are given back.
    pub(crate) limit: usize,
}

/// An asset that may be given back: its row, and for one found by its content alone the row of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Candidate {
    asset: i64,
    format: Option<i64>,
}

impl Store {
    /// The assets that a search finds, best first, each once.
    pub(crate) fn search(&self, search: &Search) -> Result<Vec<Hit>, StoreError> {
        self.read(|db| Finder { db, search }.hits())
    }
}

/// One search in one moment of the database.
struct Finder<'a> {
    db: &'a Connection,
    search: &'a Search,
}

/// Which of the indexes is asked, and how a row of it leads to its asset.
struct Source {
    table: &'static str,
    /// Joins the index to `asset`.
    join: &'static str,
    /// The score of a row: the smaller, the better.
    score: &'static str,
    /// The row of the format, where the index has it.
    format: &'static str,
}

const PART: Source = Source {
    table: "search_part",
    join: "CROSS JOIN asset ON asset.row = search_part.rowid",
    score: "bm25(search_part, 10.0, 5.0, 4.0, 2.0)",
    format: "NULL",
};
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
    fn hits(&self) -> Result<Vec<Hit>, StoreError> {
        let mut found = Vec::new();
        if self.search.words.is_empty() {
            self.newest(&mut found)?;
        } else {
            self.named(&mut found)?;
            self.said(&mut found)?;
            self.held(&mut found)?;
        }
        found.truncate(self.search.limit);
        hit::hits(self.db, self.search, &found)
    }

    /// Without words: what the filter leaves.
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

    /// Assets that are called exactly so.
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

    /// Assets of which every word is said.
    fn said(&self, found: &mut Vec<Candidate>) -> Result<(), StoreError> {
        let words = &self.search.words;
        let Some(wanted) = expression(self.db, Index::Part, words.iter())? else { return Ok(()) };
        // The terms that begin with a short word are many: to weigh each would cost more than it tells.
        if wanted.short || self.everywhere(&PART, &wanted.text)? {
            for columns in ["name", "tag", "website", "description", "name tag website description"] {
                if found.len() >= self.search.limit {
                    break;
                }
                self.newest_of(&PART, &format!("{{{columns}}} : ({})", wanted.text), found)?;
            }
            return Ok(());
        }
        self.ranked(&PART, &wanted.text, found)
    }

    /// Assets whose content has every word. They come after those of which it is said.
    fn held(&self, found: &mut Vec<Candidate>) -> Result<(), StoreError> {
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

    /// Adds what a statement gives and what is not there yet.
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
