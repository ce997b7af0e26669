//! The index of forms: the different words of each text, with the parts of identifiers, and the vocabulary of all texts.
//! A row is a format's, for its content, or an asset's with a minus, for what is said of it.
//!
//! Our choice: without positions and counts, which take most of the room of an index, and without stems, which are looked
//! up in the vocabulary when somebody searches: so another stemmer needs no other index. A word stays in the vocabulary
//! when the last text with it is gone, and then leads to no asset.

use std::collections::BTreeSet;

use rusqlite::{Connection, params};

use crate::store::{StoreError, checksum};
use lunette_words::parts;

/// How much of what an earlier version stored is indexed in one commit.
const STEP_BYTES: usize = 2 << 20;
const STEP_TEXTS: i64 = 1_024;
/// The shortest and the longest word of the vocabulary, in characters.
const VOCABULARY: std::ops::RangeInclusive<usize> = 3..=24;

const CONTENT: &str = "iif(octet_length(text) > 1000000, substr(text, 1, 1000000), text)";
const METADATA: &str = "concat_ws(char(10), name, tag, website, description)";

/// Indexes the new contents that the triggers recorded.
pub(super) fn index_contents(db: &Connection) -> Result<(), StoreError> {
    let texts = format!(
        "SELECT content.format, {CONTENT} FROM search_content_stale
         CROSS JOIN content ON content.format = search_content_stale.format WHERE text IS NOT NULL"
    );
    index(db, &texts, usize::MAX).map(drop)
}

/// Indexes what is said of the assets that the triggers recorded, unless it is indexed and did not change.
pub(super) fn index_metadata(db: &Connection) -> Result<(), StoreError> {
    let texts = format!(
        "SELECT -search_text.row, {METADATA} FROM search_stale
         CROSS JOIN search_text ON search_text.row = search_stale.row
         WHERE NOT EXISTS (SELECT 1 FROM search_form_docsize WHERE id = -search_text.row)"
    );
    index(db, &texts, usize::MAX).map(drop)
}

/// Whether anything waits that an earlier version stored.
pub(super) fn waits(db: &Connection) -> Result<bool, StoreError> {
    Ok(db.prepare_cached("SELECT EXISTS (SELECT 1 FROM search_form_waiting)")?.query_row([], |row| row.get(0))?)
}

/// Indexes some of what waits.
pub(super) fn index_waiting(db: &Connection) -> Result<(), StoreError> {
    let next = format!("(SELECT row FROM search_form_waiting ORDER BY row LIMIT {STEP_TEXTS})");
    let texts = format!(
        "SELECT waiting.row, coalesce((SELECT {CONTENT} FROM content WHERE format = waiting.row),
           (SELECT {METADATA} FROM search_text WHERE search_text.row = -waiting.row)) AS text
         FROM {next} AS waiting ORDER BY waiting.row"
    );
    // Some of it may have changed, and is indexed already.
    db.prepare_cached(&format!("DELETE FROM search_form WHERE rowid IN {next}"))?.execute([])?;
    let last = index(db, &texts, STEP_BYTES)?;
    db.prepare_cached("DELETE FROM search_form_waiting WHERE row <= ?1")?.execute([last])?;
    Ok(())
}

/// Indexes the texts of a query until they have this many bytes together; returns the last row.
fn index(db: &Connection, texts: &str, bytes: usize) -> Result<Option<i64>, StoreError> {
    let (mut vocabulary, mut left, mut last) = (BTreeSet::new(), bytes, None);
    let mut texts = db.prepare_cached(texts)?;
    let mut insert = db.prepare_cached("INSERT INTO search_form (rowid, words) VALUES (?1, ?2)")?;
    let mut rows = texts.query([])?;
    while left > 0
        && let Some(row) = rows.next()?
    {
        let row_id: i64 = row.get(0)?;
        last = Some(row_id);
        let text = checksum::lossy(row, 1)?;
        left = left.saturating_sub(text.len().max(1));
        let words = parts::words(&text);
        if words.is_empty() {
            continue;
        }
        insert.execute(params![row_id, words.iter().map(String::as_str).collect::<Vec<_>>().join(" ")])?;
        vocabulary.extend(words.into_iter().filter(|word| is_in_vocabulary(word)));
    }
    if !vocabulary.is_empty() {
        let words = serde_json::to_string(&vocabulary).map_err(|error| StoreError::Broken(error.to_string()))?;
        let insert = "INSERT INTO search_vocabulary (word) SELECT value FROM json_each(?1) WHERE true
                      ON CONFLICT DO NOTHING";
        db.prepare_cached(insert)?.execute([words])?;
    }
    Ok(last)
}

/// Makes the indexes anew without what was deleted, and takes those words of texts out of the vocabulary that no text has
/// any more.
pub(in crate::store) fn forget_words(db: &Connection, texts: &[String]) -> Result<(), StoreError> {
    for table in ["search_part", "search_word", "search_script", "search_form"] {
        db.execute(&format!("INSERT INTO {table} ({table}) VALUES ('optimize')"), [])?;
    }
    let words: BTreeSet<String> =
        texts.iter().flat_map(|text| parts::words(text)).filter(|word| is_in_vocabulary(word)).collect();
    let mut is_there = db.prepare_cached("SELECT EXISTS (SELECT 1 FROM search_form WHERE search_form MATCH ?1)")?;
    let mut delete = db.prepare_cached("DELETE FROM search_vocabulary WHERE word = ?1")?;
    for word in words {
        let quoted = format!("\"{}\"", word.replace('"', "\"\""));
        if !is_there.query_row([quoted], |row| row.get::<_, bool>(0))? {
            delete.execute([word])?;
        }
    }
    Ok(())
}

fn is_in_vocabulary(word: &str) -> bool {
    VOCABULARY.contains(&word.chars().count()) && !word.starts_with(|letter: char| letter.is_ascii_digit())
}
