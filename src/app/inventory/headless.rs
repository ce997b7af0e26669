//! The inventory without a window: what was read is compared with what is kept, and the changes are given back.

use std::sync::Arc;

use jiff::Zoned;

use super::join::{Answers, Scope};
use super::observed::{Change, SETTLED, Source};
use super::since::Since;
use super::store::InventoryStore;
use crate::app::db::{Database, DatabaseError};
use crate::app::listing::RowList;
use crate::app::listing::rows::{ApplicationRow, ExternalRow};

/// What was read of the lists.
pub struct Inventory(Answers);

impl Inventory {
    /// Of the lists that could be read.
    pub fn new(tracked: Option<Vec<Arc<ApplicationRow>>>, external: Vec<Arc<ExternalRow>>) -> Self {
        Self(Answers { tracked: tracked.map(RowList::from), external: Some(RowList::from(external)) })
    }

    /// Keeps what differs from what is known, and returns the changes since a day, newest first. Lists that failed are
    /// left as they were. Blocks.
    pub fn changes(
        &self,
        failed: &[Source],
        database: Arc<Database>,
        connection: &str,
        since: Since,
    ) -> Result<Vec<Arc<Change>>, DatabaseError> {
        let (store, now) = (InventoryStore::of(database, connection), Zoned::now());
        for source in Source::ALL {
            if let Some(answer) = self.0.of(source).filter(|_| !failed.contains(&source)) {
                store.observe(source, &answer, &now, SETTLED)?;
            }
        }
        let (scope, start) = (Scope::default(), since.start(&now));
        let mut changes = store.read()?.changes;
        changes.retain(|change| change.at >= start && scope.takes(change));
        changes.reverse();
        Ok(changes)
    }
}
