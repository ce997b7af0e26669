//! Versions of the assets of a service of others, which keeps none itself: kept in the inspector's database from what
//! is read and written anyway.
//!
//! What must hold: nothing is asked of the service for them; nothing is made up for a time in which nobody watched, and
//! a content that was not read is not known; all of it happens in the background; what is forgotten is gone from the
//! file.

use std::sync::Arc;

use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::model::version::Checkpoints;
use serde_json::{Value, json};

use crate::db::versions::StoredCheckpoint;
use crate::db::{Database, DatabaseError};
use crate::settings::VersionBounds;
use crate::tasks::Ended;

mod append;
mod facts;
mod forget;
mod prune;
mod read;
mod recorder;
mod sighting;
mod state;

pub use facts::Who;
pub use read::Known;
pub use recorder::{Recorded, Recorder};

/// Why versions cannot be read or changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VersionError {
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The version was never there, or is no longer kept.
    #[error("version {0} is not kept")]
    NotKept(i64),
    /// The version is damaged.
    #[error("version {0} cannot be read: it is damaged, or depends on a version that is")]
    Unreadable(i64),
    /// The version was forgotten alone.
    #[error("version {0} was forgotten")]
    Forgotten(i64),
    /// The version is the newest, which is not forgotten alone.
    #[error(
        "version {0} is what the asset was last seen as: change or delete the asset and forget the version then, or forget \
         all of its past"
    )]
    Newest(i64),
    /// The content was not read while the asset was so.
    #[error("the content was not read when version {0} was seen")]
    NotRead(i64),
    /// What is stored does not have the form of a version.
    #[error("what is stored of it is damaged: {0}")]
    Damaged(String),
    /// Another program reads the database, so that its log cannot be emptied.
    #[error(
        "the versions are deleted, but their bytes may stay in the database's log until other windows of this data folder \
         are closed"
    )]
    LogInUse,
    /// The work panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// The versions that are kept of the assets of a connection.
#[derive(Clone, Debug)]
pub struct LocalVersions {
    database: Arc<Database>,
    connection: String,
    bounds: VersionBounds,
}

impl LocalVersions {
    /// Those of a connection, which is named as its journal is.
    pub fn new(database: Arc<Database>, connection: &str, bounds: VersionBounds) -> Self {
        Self { database, connection: connection.to_owned(), bounds }
    }

    /// Returns them with other bounds.
    #[must_use]
    pub fn with_bounds(self, bounds: VersionBounds) -> Self {
        Self { bounds, ..self }
    }

    /// The checkpoints, the newest first. Blocks.
    pub fn checkpoints(&self) -> Result<Checkpoints, VersionError> {
        let found = self.database.read_versions(&self.connection, |rows| rows.checkpoints())?;
        let checkpoints = found.into_iter().map(|checkpoint| {
            let mut tree =
                json!({ "id": checkpoint.id.to_string(), "name": checkpoint.name, "at": read::stamp(checkpoint.at) });
            if checkpoint.is_automatic {
                tree["automatic"] = true.into();
            }
            if let Ok(assets) = serde_json::from_str::<Value>(&checkpoint.assets) {
                tree["assets"] = assets;
            }
            tree
        });
        let tree = json!({ "iterable": checkpoints.collect::<Vec<_>>() });
        Checkpoints::from_tree(tree).map_err(|error| VersionError::Damaged(error.to_string()))
    }

    /// Gives this moment a name; the versions of these assets (None for all) that are there now are kept, whatever the
    /// bounds. Blocks.
    pub fn add_checkpoint(&self, name: &str, assets: Option<&[AssetId]>) -> Result<(), VersionError> {
        let ids = assets.map(|assets| assets.iter().map(AssetId::as_str).collect::<Vec<_>>());
        let ids = ids.map(|ids| json!(ids).to_string()).unwrap_or_default();
        let at = jiff::Timestamp::now().as_microsecond();
        let checkpoint = StoredCheckpoint { id: 0, name: name.to_owned(), at, assets: ids, is_automatic: false };
        Ok(self.database.change_versions(&self.connection, |rows| rows.add_checkpoint(&checkpoint)).map(drop)?)
    }

    /// Deletes a checkpoint by its id. Returns whether there was one. Blocks.
    pub fn delete_checkpoint(&self, id: &str) -> Result<bool, VersionError> {
        let Ok(id) = id.parse::<i64>() else { return Ok(false) };
        Ok(self.database.change_versions(&self.connection, |rows| rows.delete_checkpoint(id))?)
    }
}

#[cfg(test)]
mod tests;
