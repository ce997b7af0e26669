//! Search hits: where and how exactly an asset matched, and passages with marked terms.

use rusqlite::{Connection, OptionalExtension as _};

use super::{Candidate, Search};
use crate::store::{StoreError, checksum};
use lunette_client::model::search_terms::{Folded, Range};
use lunette_words::FoundBy;

/// How much content is read for passages, in bytes; later hits have none.
pub(super) const READ_BYTES: usize = 4 << 20;
/// The most tags, and the most website lines, returned as passages.
const LINES: usize = 3;
/// Longer names are abbreviated.
const NAME_LETTERS: usize = 200;

/// Where an asset matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatchLocation {
    Name,
    Tag,
    Website,
    Description,
    Content,
    /// Terms in different fields.
    Several,
    /// Nowhere: the search had no terms.
    Filter,
}

/// One hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) id: String,
    pub(crate) location: MatchLocation,
    /// The query equals the whole name, tag or address.
    pub(crate) exact: bool,
    /// Whether it is a pseudo asset, which no user saved.
    pub(crate) pseudo: bool,
    pub(crate) marks: Vec<Mark>,
    /// How it was found, if it does not have every word as typed.
    pub(crate) found_by: Option<FoundBy>,
}

/// A passage with the ranges of its matches, in Unicode scalar values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) field: Field,
    pub(crate) text: String,
    pub(crate) ranges: Vec<Range>,
}

/// What a passage is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Name,
    Tag,
    Website,
    Description,
    Content,
}

/// The metadata of an asset.
struct MatchedText {
    id: String,
    pseudo: bool,
    name: String,
    tag: String,
    website: String,
    description: String,
}

/// The hits for candidates, in their order; `budget` is how much content may still be read for passages, in bytes.
pub(super) fn hits(
    db: &Connection,
    search: &Search,
    candidates: &[Candidate],
    budget: &mut usize,
) -> Result<Vec<Hit>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT id, (document ->> '$.pseudo') IS 1, search_text.name, tag, website, description
         FROM asset JOIN search_text ON search_text.row = asset.row WHERE asset.row = ?1",
    )?;
    let mut hits = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let reported = statement.query_row([candidate.asset], |row| {
            Ok(MatchedText {
                id: row.get(0)?,
                pseudo: row.get(1)?,
                name: checksum::lossy(row, 2)?,
                tag: checksum::lossy(row, 3)?,
                website: checksum::lossy(row, 4)?,
                description: checksum::lossy(row, 5)?,
            })
        })?;
        let mut hit = reported.hit(search);
        if let Some(format) = candidate.format {
            hit.location = MatchLocation::Content;
            hit.marks.extend(content_mark(db, search, format, budget)?);
        }
        hits.push(hit);
    }
    Ok(hits)
}

impl MatchedText {
    fn hit(self, search: &Search) -> Hit {
        let words = &search.words;
        let typed = search.query.trim().to_lowercase();
        let is_it = |text: &str| !typed.is_empty() && text.to_lowercase() == typed;
        let has_all = |text: &str| words.all_in(&Folded::of(text));
        let location = if words.is_empty() {
            MatchLocation::Filter
        } else if has_all(&self.name) {
            MatchLocation::Name
        } else if has_all(&self.tag) {
            MatchLocation::Tag
        } else if has_all(&self.website) {
            MatchLocation::Website
        } else if has_all(&self.description) {
            MatchLocation::Description
        } else {
            MatchLocation::Several
        };
        let exact = is_it(&self.name) || self.tag.lines().any(is_it) || self.website.lines().any(is_it);
        let marks = if words.is_empty() { Vec::new() } else { self.marks(search) };
        Hit { id: self.id, location, exact, pseudo: self.pseudo, marks, found_by: None }
    }

    fn marks(&self, search: &Search) -> Vec<Mark> {
        let words = &search.words;
        let mut marks = Vec::new();
        let name = if self.name.chars().count() <= NAME_LETTERS {
            Some((self.name.clone(), words.ranges(&self.name)))
        } else {
            words.passage(&self.name)
        };
        let mut add = |field, passage: Option<(String, Vec<Range>)>| {
            if let Some((text, ranges)) = passage.filter(|(_, ranges)| !ranges.is_empty()) {
                marks.push(Mark { field, text, ranges });
            }
        };
        add(Field::Name, name);
        for (field, lines) in [(Field::Tag, &self.tag), (Field::Website, &self.website)] {
            let found = lines.lines().filter_map(|line| words.passage(line));
            found.take(LINES).for_each(|passage| add(field, Some(passage)));
        }
        add(Field::Description, words.passage(&self.description));
        marks
    }
}

/// The passage of a content, while the read budget lasts.
fn content_mark(db: &Connection, search: &Search, format: i64, budget: &mut usize) -> Result<Option<Mark>, StoreError> {
    if *budget == 0 {
        return Ok(None);
    }
    let text: Option<Option<String>> = db
        .prepare_cached(
            "SELECT iif(octet_length(text) > 1000000, substr(text, 1, 1000000), text) FROM content WHERE format = ?1",
        )?
        .query_row([format], |row| row.get(0))
        .optional()?;
    let Some(text) = text.flatten() else { return Ok(None) };
    *budget = budget.saturating_sub(text.len());
    let passage = search.words.passage(&text).filter(|(_, ranges)| !ranges.is_empty());
    Ok(passage.map(|(text, ranges)| Mark { field: Field::Content, text, ranges }))
}
