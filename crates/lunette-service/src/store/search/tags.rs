//! Assets by the tags they have.

use rusqlite::params;

use crate::store::{Store, StoreError};

impl Store {
    /// The ids of assets that have at least one of these tags, those with most of them first, then the newest updated;
    /// with how many of them each has. Case-insensitive; a tag is given by text or id.
    pub(crate) fn tagged(
        &self,
        tags: &[String],
        saved: bool,
        limit: usize,
    ) -> Result<Vec<(String, usize)>, StoreError> {
        self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT asset.id, count(DISTINCT wanted.key) AS tags
                 FROM json_each(?1) AS wanted
                 JOIN item ON item.kind = 'tag'
                   AND (item.id = wanted.value OR item.folded_name = wanted.value OR lower(item.name) = wanted.value)
                 JOIN link ON link.item = item.row JOIN asset ON asset.row = link.asset
                 WHERE asset.deleted IS NULL AND (NOT ?2 OR (asset.document ->> '$.pseudo') IS NOT 1)
                 GROUP BY asset.row ORDER BY tags DESC, asset.updated DESC, asset.row DESC LIMIT ?3",
            )?;
            let wanted: Vec<String> = tags.iter().map(|tag| tag.to_lowercase()).collect();
            let wanted = serde_json::Value::from(wanted).to_string();
            let found = statement.query_map(params![wanted, saved, limit as i64], |row| {
                Ok((row.get(0)?, usize::try_from(row.get::<_, i64>(1)?).unwrap_or_default()))
            })?;
            Ok(found.collect::<Result<_, _>>()?)
        })
    }
}
