//! Updates the search index from the metadata and the content of assets.
//!
//! What must hold: the triggers of the schema record every asset whose metadata changed and every content that is new,
//! whatever wrote it; the writer calls this before each commit, so that readers always find current data.

use rusqlite::Connection;

use crate::store::StoreError;

/// Reindexes what the triggers recorded; does nothing if there is nothing.
pub(in crate::store) fn refresh(db: &Connection) -> Result<(), StoreError> {
    let is_stale = |query: &str| db.prepare_cached(query)?.query_row([], |row| row.get::<_, bool>(0));
    if is_stale("SELECT EXISTS (SELECT 1 FROM search_stale)")? {
        run(db, &METADATA)?;
    }
    if is_stale("SELECT EXISTS (SELECT 1 FROM search_content_stale)")? {
        run(db, &CONTENT)?;
    }
    Ok(())
}

fn run(db: &Connection, statements: &[&str]) -> Result<(), StoreError> {
    statements.iter().try_for_each(|statement| Ok(db.prepare_cached(statement)?.execute([]).map(drop)?))
}

const METADATA: [&str; 3] = [
    "DELETE FROM search_text WHERE row IN (SELECT row FROM search_stale)
     AND NOT EXISTS (SELECT 1 FROM asset WHERE asset.row = search_text.row AND deleted IS NULL)",
    "INSERT INTO search_text (row, name, tag, website, description)
     SELECT source.row, name, tag, website, description
     FROM search_stale CROSS JOIN search_source AS source ON source.row = search_stale.row WHERE true
     ON CONFLICT (row) DO UPDATE SET name = excluded.name, tag = excluded.tag, website = excluded.website,
       description = excluded.description",
    "DELETE FROM search_stale",
];

/// The words of text content, its first million letters. Text with none but ASCII has no script: that is seen by its
/// lengths, before any letter is looked at.
const CONTENT: [&str; 3] = [
    "INSERT INTO search_word (rowid, text)
     SELECT content.format, iif(octet_length(text) > 1000000, substr(text, 1, 1000000), text)
     FROM search_content_stale CROSS JOIN content ON content.format = search_content_stale.format
     WHERE text IS NOT NULL",
    "INSERT INTO search_script (rowid, text)
     SELECT content.format, substr(text, 1, 1000000) || char(10, 10)
     FROM search_content_stale CROSS JOIN content ON content.format = search_content_stale.format
     WHERE octet_length(text) > length(text) AND text GLOB (SELECT pattern FROM search_spaceless)",
    "DELETE FROM search_content_stale",
];
