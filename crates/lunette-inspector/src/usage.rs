//! How often assets were used in the windows of a data folder: opened, copied or exported.
//!
//! Our choice: it is counted here and not by the service. The scores of the interface count what was done to an asset,
//! such as a link, and reporting each opening to the service would be a write. An export of many assets at once says
//! nothing about one of them, and is not counted.

use std::collections::HashMap;
use std::sync::Arc;

use crate::db::{Database, DatabaseError};
use crate::tasks::Ended;
use lunette_client::model::id::{AssetId, CompactId};

/// Why a use was not counted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UseError {
    /// It could not be stored.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Storing it panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// The uses of the assets of a connection; in memory in a window without a data folder.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    uses: HashMap<CompactId, u16>,
    /// The database, and the name of the connection in it.
    store: Option<(Arc<Database>, String)>,
}

impl Usage {
    /// Reads the uses of the assets of a connection; none of them, and a message, if that fails. Blocks.
    pub(crate) fn open(database: Arc<Database>, connection: &str) -> (Self, Option<String>) {
        let (uses, problem) = match database.asset_uses(connection) {
            Ok(uses) => (uses, None),
            Err(error) => (Vec::new(), Some(format!("What was used most is not known: {error}"))),
        };
        let parsed = |(asset, uses): (String, u16)| Some((CompactId::from(&asset.parse::<AssetId>().ok()?), uses));
        let uses = uses.into_iter().filter_map(parsed).collect();
        (Self { uses, store: Some((database, connection.to_owned())) }, problem)
    }

    /// How often an asset was used.
    pub fn of(&self, asset: CompactId) -> u16 {
        self.uses.get(&asset).copied().unwrap_or_default()
    }

    /// Counts one more use of an asset; returns what writes it, which blocks.
    pub(crate) fn add(&mut self, asset: &AssetId) -> impl FnOnce() -> Result<(), UseError> + Send + use<> {
        let uses = self.uses.entry(asset.into()).or_default();
        *uses = uses.saturating_add(1);
        let (store, asset) = (self.store.clone(), asset.clone());
        move || match store {
            Some((database, connection)) => Ok(database.count_asset_use(&connection, asset.as_str())?),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_are_counted_across_windows_and_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = |connection: &str| {
            let database = Database::open(folder.path()).expect("a database").database;
            Usage::open(database, connection)
        };
        let asset: AssetId = "00000000-0000-4000-8000-000000000001".parse().expect("an id");
        let ((mut one, _), (mut other, _)) = (open("here"), open("here"));
        assert_eq!(one.of((&asset).into()), 0);
        one.add(&asset)().expect("written");
        other.add(&asset)().expect("written");
        one.add(&asset)().expect("written");
        assert_eq!(one.of((&asset).into()), 2);
        let (again, problem) = open("here");
        assert_eq!((again.of((&asset).into()), problem), (3, None));
        assert_eq!(open("elsewhere").0.of((&asset).into()), 0);
    }
}
