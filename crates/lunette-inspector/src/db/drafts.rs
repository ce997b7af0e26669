//! The drafts of a connection in the database.

use crate::db::rows::DRAFT;
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
}
