//! Updates the search index from the metadata and the content of assets.
//!
//! What must hold: the triggers of the schema record every asset whose metadata changed and every content that is new,
//! whatever wrote it; the writer calls [`refresh`] before each commit, so that readers always find current data. Only
//! the content of large batches may wait: what waits is recorded in the commit that stores it, so that it is indexed
//! whatever happens.

use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, Transaction};

use super::forms;
use crate::store::StoreError;
use lunette_client::model::search_terms::is_spaceless;

/// New content up to this size is indexed in the commit that stores it. Our choice: about two milliseconds.
const AT_ONCE_BYTES: i64 = 64 << 10;
/// How much waiting content is indexed in one commit: about 50 milliseconds, for which other writes wait.
const STEP_BYTES: i64 = 2 << 20;
const STEP_CONTENTS: i64 = 512;

/// Registers what the statements of this module need on the writer's connection.
pub(in crate::store) fn register(writer: &Connection) -> Result<(), StoreError> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    Ok(writer.create_scalar_function("has_script", 1, flags, |context| {
        Ok(match context.get_raw(0) {
            ValueRef::Text(bytes) => is_spaceless(&String::from_utf8_lossy(bytes)),
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Blob(_) => false,
        })
    })?)
}

/// Reindexes what the triggers recorded; does nothing if there is nothing.
pub(in crate::store) fn refresh(db: &Connection) -> Result<(), StoreError> {
    let is_stale = |query: &str| db.prepare_cached(query)?.query_row([], |row| row.get::<_, bool>(0));
    if is_stale("SELECT EXISTS (SELECT 1 FROM search_stale)")? {
        run(db, &METADATA)?;
        forms::index_metadata(db)?;
        run(db, &["DELETE FROM search_stale"])?;
    }
    if is_stale("SELECT EXISTS (SELECT 1 FROM search_content_stale)")? {
        index_content(db)?;
    }
    Ok(())
}

/// Indexes the new contents that the triggers recorded.
fn index_content(db: &Connection) -> Result<(), StoreError> {
    run(db, &CONTENT)?;
    forms::index_contents(db)?;
    run(db, &CONTENT_INDEXED)
}

fn run(db: &Connection, statements: &[&str]) -> Result<(), StoreError> {
    statements.iter().try_for_each(|statement| Ok(db.prepare_cached(statement)?.execute([]).map(drop)?))
}

/// Lets the new content of formats after this row wait, if it is much.
pub(in crate::store) fn postpone(db: &Connection, after: i64) -> Result<(), StoreError> {
    let size =
        "SELECT coalesce(sum(size), 0) FROM search_content_stale JOIN format ON row = search_content_stale.format
                WHERE search_content_stale.format > ?1";
    if db.prepare_cached(size)?.query_row([after], |row| row.get::<_, i64>(0))? <= AT_ONCE_BYTES {
        return Ok(());
    }
    db.prepare_cached(
        "INSERT INTO search_content_waiting (format)
         SELECT format FROM search_content_stale WHERE format > ?1 ON CONFLICT DO NOTHING",
    )?
    .execute([after])?;
    db.prepare_cached("DELETE FROM search_content_stale WHERE format > ?1")?.execute([after])?;
    Ok(())
}

/// The newest that waits: a content, or else what an earlier version stored.
pub(in crate::store) fn newest_waiting(db: &Connection) -> Result<Option<i64>, StoreError> {
    let newest = "SELECT coalesce((SELECT max(format) FROM search_content_waiting),
                    (SELECT max(row) FROM search_form_waiting))";
    Ok(db.prepare_cached(newest)?.query_row([], |row| row.get(0))?)
}

/// How many contents wait.
pub(super) fn count_waiting(db: &Connection) -> Result<usize, StoreError> {
    let count: i64 =
        db.prepare_cached("SELECT count(*) FROM search_content_waiting")?.query_row([], |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or_default())
}

/// Indexes the oldest contents that wait, and what an earlier version stored if there are none.
pub(in crate::store) fn index_waiting(db: &Transaction) -> Result<(), StoreError> {
    if count_waiting(db)? == 0 && forms::waits(db)? {
        return forms::index_waiting(db);
    }
    // At least one, and as many as have this size together.
    let last: Option<i64> = db
        .prepare_cached(
            "SELECT max(format) FROM (
               SELECT waiting.format, sum(coalesce(size, 0)) OVER (ORDER BY waiting.format) - coalesce(size, 0) AS before
               FROM (SELECT format FROM search_content_waiting ORDER BY format LIMIT ?1) AS waiting
               LEFT JOIN format ON format.row = waiting.format)
             WHERE before < ?2",
        )?
        .query_row([STEP_CONTENTS, STEP_BYTES], |row| row.get(0))
        .optional()?
        .flatten();
    db.prepare_cached(
        "INSERT INTO search_content_stale (format)
         SELECT format FROM search_content_waiting WHERE format <= ?1 ON CONFLICT DO NOTHING",
    )?
    .execute([last])?;
    index_content(db)
}

const METADATA: [&str; 2] = [
    "DELETE FROM search_text WHERE row IN (SELECT row FROM search_stale)
     AND NOT EXISTS (SELECT 1 FROM asset WHERE asset.row = search_text.row AND deleted IS NULL)",
    "INSERT INTO search_text (row, name, tag, website, description)
     SELECT source.row, name, tag, website, description
     FROM search_stale CROSS JOIN search_source AS source ON source.row = search_stale.row WHERE true
     ON CONFLICT (row) DO UPDATE SET name = excluded.name, tag = excluded.tag, website = excluded.website,
       description = excluded.description",
];

/// The words of text content, its first million letters.
const CONTENT: [&str; 2] = [
    "INSERT INTO search_word (rowid, text)
     SELECT content.format, iif(octet_length(text) > 1000000, substr(text, 1, 1000000), text)
     FROM search_content_stale CROSS JOIN content ON content.format = search_content_stale.format
     WHERE text IS NOT NULL",
    "INSERT INTO search_script (rowid, text)
     SELECT content.format, substr(text, 1, 1000000) || char(10, 10)
     FROM search_content_stale CROSS JOIN content ON content.format = search_content_stale.format
     WHERE has_script(text)",
];

/// What no longer waits once it is indexed.
const CONTENT_INDEXED: [&str; 2] = [
    "DELETE FROM search_content_waiting WHERE format IN (SELECT format FROM search_content_stale)",
    "DELETE FROM search_content_stale",
];
