//! Forgets what is kept of an asset, or one version of it, so that the bytes are gone from the database.
//!
//! What must hold: a version that hung on one that is forgotten can still be read; the number of what is forgotten
//! stays, so that it is not taken for one that was never there.

use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_versions::encode;

use super::facts::{ContentState, Facts};
use super::read::chain;
use super::{LocalVersions, VersionError};
use crate::db::versions::{RowResult, StoredAsset, StoredVersion, VersionRows};

impl LocalVersions {
    /// Deletes everything that is kept of an asset, so that its bytes are gone from the database. Returns how many
    /// versions there were. Blocks.
    pub fn forget(&self, asset: &AssetId) -> Result<usize, VersionError> {
        let count = self.database.change_versions(&self.connection, |rows| {
            let Some(stored) = rows.asset(asset.as_str())? else { return Ok(0) };
            let count = rows.past(stored.id)?.len() + 1;
            rows.delete_asset(stored.id)?;
            Ok(count)
        })?;
        self.empty_log().map(|()| count)
    }

    /// Deletes what is kept of one version but its number and its time, so that its bytes are gone from the database.
    /// Fails for the newest, and for one that is not kept. Blocks.
    pub fn forget_one(&self, asset: &AssetId, number: &VersionNumber) -> Result<(), VersionError> {
        let number = i64::from(number.number());
        self.database.change_versions(&self.connection, |rows| {
            let Some(stored) = rows.asset(asset.as_str())? else { return Ok(Err(VersionError::NotKept(number))) };
            if stored.newest.number == number {
                return Ok(Err(VersionError::Newest(number)));
            }
            let past = rows.past(stored.id)?;
            let Some(row) = past.iter().find(|row| row.number == number) else {
                return Ok(Err(VersionError::NotKept(number)));
            };
            let facts = Facts::from_number(row.facts);
            if facts.forgotten {
                return Ok(Err(VersionError::Forgotten(number)));
            }
            store_whole_before(rows, &stored, &past, number)?;
            let facts = Facts { content: ContentState::Unread, forgotten: true, ..facts };
            let (record, content) = Default::default();
            rows.put_past(stored.id, &StoredVersion { facts: facts.number(), record, content, ..row.clone() })?;
            Ok(Ok(()))
        })??;
        self.empty_log()
    }

    fn empty_log(&self) -> Result<(), VersionError> {
        match self.database.truncate_log()? {
            true => Ok(()),
            false => Err(VersionError::LogInUse),
        }
    }
}

/// Stores whole what hangs on a version: the record of the one before it, and the content of the last one before it
/// whose content is known.
fn store_whole_before(
    rows: &VersionRows<'_>,
    stored: &StoredAsset,
    past: &[StoredVersion],
    number: i64,
) -> RowResult<()> {
    let (mut record_due, mut content_due) = (true, true);
    for version in chain(rows, stored.clone())?.into_iter().filter(|version| version.number < number) {
        let Some(row) = past.iter().find(|row| row.number == version.number) else { continue };
        let record = version.state.filter(|_| record_due).map(|state| encode(&state.text(), None));
        let content = version.content.filter(|_| content_due).map(|content| encode(&content, None));
        (record_due, content_due) = (record_due && record.is_none(), content_due && content.is_none());
        if record.is_some() || content.is_some() {
            let record = record.unwrap_or_else(|| row.record.clone());
            let content = content.unwrap_or_else(|| row.content.clone());
            rows.put_past(stored.id, &StoredVersion { record, content, ..row.clone() })?;
        }
        if !record_due && !content_due {
            break;
        }
    }
    Ok(())
}
