//! The drafts of a connection in the database.

use crate::db::rows::{DRAFT, IMPORTED};
use crate::db::{Database, DatabaseError};

/// A draft: its key and its input, as JSON.
pub(crate) type DraftTexts = (String, String);

impl Database {
    /// The drafts of a connection, and how many are damaged. Blocks.
    pub(crate) fn drafts(&self, connection: &str) -> Result<(Vec<DraftTexts>, usize), DatabaseError> {
        let found = self.read(|db| DRAFT.read(db, "connection = ?1", [connection]))?;
        let texts = found.rows.into_iter().filter_map(|(_, mut columns)| {
            let draft = columns.pop()?;
            Some((columns.pop()?, draft))
        });
        Ok((texts.collect(), found.damaged))
    }

    /// Stores drafts of a connection and deletes keys without one; only the newest `most` drafts are kept. Blocks.
    pub(crate) fn change_drafts(
        &self,
        connection: &str,
        changes: &[(String, Option<String>)],
        most: usize,
    ) -> Result<(), DatabaseError> {
        self.write(|transaction| {
            for (key, draft) in changes {
                match draft {
                    Some(draft) => drop(DRAFT.insert(transaction, &[connection, key, draft])?),
                    None => {
                        let statement = "DELETE FROM draft WHERE connection = ?1 AND key = ?2";
                        transaction.prepare_cached(statement)?.execute([connection, key])?;
                    }
                }
            }
            let surplus = "DELETE FROM draft WHERE connection = ?1 AND id NOT IN
                (SELECT id FROM draft WHERE connection = ?1 ORDER BY json_extract(draft, '$.at') DESC LIMIT ?2)";
            transaction.prepare_cached(surplus)?.execute((connection, most as i64)).map(drop)
        })
    }

    /// Imports the drafts of a file of an earlier version once. Newer drafts are kept. Blocks.
    pub(crate) fn import_drafts(&self, connection: &str, drafts: &[DraftTexts]) -> Result<(), DatabaseError> {
        let source = Self::draft_source(connection);
        self.write(|transaction| {
            if !IMPORTED.read(transaction, "source = ?1", [&source])?.rows.is_empty() {
                return Ok(());
            }
            for (key, draft) in drafts {
                let known = DRAFT.read(transaction, "connection = ?1 AND key = ?2", [connection, key])?;
                if known.rows.is_empty() {
                    DRAFT.insert(transaction, &[connection, key, draft])?;
                }
            }
            IMPORTED.insert(transaction, &[&source]).map(drop)
        })
    }

    /// The name of a connection's file of drafts in the table of imported files.
    pub(crate) fn draft_source(connection: &str) -> String {
        format!("drafts of {connection}")
    }

    /// Whether a file of an earlier version was imported. Blocks.
    pub(crate) fn imported(&self, source: &str) -> Result<bool, DatabaseError> {
        self.read(|db| Ok(!IMPORTED.read(db, "source = ?1", [source])?.rows.is_empty()))
    }
}
