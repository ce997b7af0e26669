//! Checkpoints: moments with a name, whose versions are kept for longer.

use rusqlite::{Connection, Transaction, params};

use crate::store::{Store, StoreError, new_id, now};

/// A moment with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checkpoint {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) at: i64,
    /// The ids of the assets that it is about; None for all.
    pub(crate) assets: Option<Vec<String>>,
    /// Whether a program made it by itself. It keeps no versions, and goes when it is older than versions may be.
    pub(crate) automatic: bool,
}

/// When the earliest checkpoint was made that somebody made. What changed since is kept.
pub(super) fn earliest(db: &Connection) -> Result<Option<i64>, StoreError> {
    Ok(db.prepare_cached("SELECT min(at) FROM checkpoint WHERE NOT automatic")?.query_row([], |row| row.get(0))?)
}

/// Deletes the checkpoints from before a time that programs made by themselves.
pub(super) fn delete_old(db: &Transaction, before: i64) -> Result<(), StoreError> {
    db.prepare_cached("DELETE FROM checkpoint WHERE automatic AND at < ?1")?.execute([before])?;
    Ok(())
}

impl Store {
    /// Gives this moment a name, for these assets or for all. `automatic` is whether a program does so by itself.
    pub(crate) fn make_checkpoint(
        &self,
        name: String,
        assets: Option<Vec<String>>,
        automatic: bool,
    ) -> Result<Checkpoint, StoreError> {
        self.write(move |db| {
            let checkpoint = Checkpoint { id: new_id(), name, at: now(), assets, automatic };
            let assets = checkpoint.assets.as_ref().map(|assets| serde_json::json!(assets).to_string());
            db.prepare_cached("INSERT INTO checkpoint (id, name, at, assets, automatic) VALUES (?1, ?2, ?3, ?4, ?5)")?
                .execute(params![checkpoint.id, checkpoint.name, checkpoint.at, assets, automatic])?;
            Ok(checkpoint)
        })
    }

    /// All checkpoints, the newest first.
    pub(crate) fn checkpoints(&self) -> Result<Vec<Checkpoint>, StoreError> {
        self.read(|db| {
            let mut statement =
                db.prepare_cached("SELECT id, name, at, assets, automatic FROM checkpoint ORDER BY row DESC")?;
            let checkpoints = statement.query_map([], |row| {
                let assets: Option<String> = row.get(3)?;
                let assets = assets.map(|assets| serde_json::from_str(&assets).unwrap_or_default());
                let (id, name, at, automatic) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(4)?);
                Ok(Checkpoint { id, name, at, assets, automatic })
            })?;
            Ok(checkpoints.collect::<Result<_, _>>()?)
        })
    }

    /// Deletes a checkpoint; the versions stay as long as any do.
    pub(crate) fn delete_checkpoint(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write_freeing(move |db| match db.execute("DELETE FROM checkpoint WHERE id = ?1", [&id])? {
            0 => Err(StoreError::not_found("checkpoint", &id)),
            _ => Ok(()),
        })
    }
}
