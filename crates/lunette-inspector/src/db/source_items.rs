//! The items that were imported from libraries of other programs, by connection and source.

use crate::db::rows::SOURCE_ITEM;
use crate::db::{Database, DatabaseError};

/// An item that was imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceItem {
    /// Its id within its source.
    pub item: String,
    /// The id of the created asset.
    pub asset: String,
    /// A hash of the imported content.
    pub hash: String,
}

impl Database {
    /// The items imported from a source; damaged rows are skipped. Blocks.
    pub(crate) fn source_items(&self, connection: &str, source: &str) -> Result<Vec<SourceItem>, DatabaseError> {
        let found = self.read(|db| SOURCE_ITEM.read(db, "connection = ?1 AND source = ?2", [connection, source]))?;
        let items = found.rows.into_iter().filter_map(|(_, columns)| {
            let [_, _, item, asset, hash] = <[String; 5]>::try_from(columns).ok()?;
            Some(SourceItem { item, asset, hash })
        });
        Ok(items.collect())
    }

    /// Stores items imported from a source; earlier rows of the same items are replaced. Blocks.
    pub(crate) fn keep_source_items(
        &self,
        connection: &str,
        source: &str,
        items: &[SourceItem],
    ) -> Result<(), DatabaseError> {
        self.write(|transaction| {
            items.iter().try_for_each(|SourceItem { item, asset, hash }| {
                SOURCE_ITEM.insert(transaction, &[connection, source, item, asset, hash]).map(drop)
            })
        })
    }
}
