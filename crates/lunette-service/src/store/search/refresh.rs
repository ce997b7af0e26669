//! Updates the search index from the metadata of assets.
//!
//! What must hold: the triggers of the schema record every asset whose metadata changed, whatever wrote it; the writer
//! calls this before each commit, so that readers always find current data.

use rusqlite::Connection;

use crate::store::StoreError;

/// Reindexes what the triggers recorded; does nothing if there is nothing.
pub(in crate::store) fn refresh(db: &Connection) -> Result<(), StoreError> {
    if !db.prepare_cached("SELECT EXISTS (SELECT 1 FROM search_stale)")?.query_row([], |row| row.get(0))? {
        return Ok(());
    }
    for statement in [
        "DELETE FROM search_text WHERE row IN (SELECT row FROM search_stale)
         AND NOT EXISTS (SELECT 1 FROM asset WHERE asset.row = search_text.row AND deleted IS NULL)",
        "INSERT INTO search_text (row, name, tag, website, description)
         SELECT source.row, name, tag, website, description
         FROM search_stale CROSS JOIN search_source AS source ON source.row = search_stale.row WHERE true
         ON CONFLICT (row) DO UPDATE SET name = excluded.name, tag = excluded.tag, website = excluded.website,
           description = excluded.description",
        "DELETE FROM search_stale",
    ] {
        db.prepare_cached(statement)?.execute([])?;
    }
    Ok(())
}
