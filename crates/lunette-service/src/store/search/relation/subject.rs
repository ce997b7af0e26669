//! The asset whose relations are looked for.

use rusqlite::{Connection, OptionalExtension as _};

use super::near;
use crate::store::records::annotation;
use crate::store::records::asset::AssetSet;
use crate::store::{StoreError, checksum};
use lunette_client::model::import_path;
use lunette_client::model::name_shape::name_shape;

/// An asset as far as it is compared with others.
pub(super) struct Subject {
    pub(super) row: i64,
    pub(super) name: String,
    pub(super) folded_name: String,
    /// The shape of its name.
    pub(super) shape: Option<String>,
    /// The rows of its formats.
    pub(super) formats: Vec<i64>,
    /// The digest and the size of its original.
    pub(super) digest: Option<Vec<u8>>,
    pub(super) size: i64,
    /// The beginning of the text of its original; empty if it has none.
    pub(super) text: String,
    /// The folder that it was imported from.
    pub(super) folder: Option<String>,
    /// About how many assets there are.
    pub(super) assets: f64,
}

impl Subject {
    pub(super) fn read(db: &Connection, row: i64) -> Result<Self, StoreError> {
        let (name, folded_name) = db
            .prepare_cached("SELECT name, folded_name FROM asset WHERE row = ?1")?
            .query_row([row], |found| Ok((checksum::lossy(found, 0)?, checksum::lossy(found, 1)?)))?;
        let mut formats = db.prepare_cached("SELECT row FROM format WHERE asset = ?1 ORDER BY place")?;
        let formats = formats.query_map([row], |found| found.get(0))?.collect::<Result<Vec<i64>, _>>()?;
        let original = "SELECT sha256, size FROM format WHERE asset = ?1 AND place = 0";
        let original = db.prepare_cached(original)?.query_row([row], |found| Ok((found.get(0)?, found.get(1)?)));
        let (digest, size) = original.optional()?.unzip();
        let text = near::text(db, row)?.unwrap_or_default();
        let paths = annotation::import_paths(db, &AssetSet::of_rows([row].into_iter()))?;
        let path = paths.into_values().next().and_then(|mut paths| paths.pop()).flatten();
        let assets: i64 =
            db.prepare_cached("SELECT coalesce(max(row), 1) FROM asset")?.query_row([], |found| found.get(0))?;
        Ok(Self {
            row,
            shape: name_shape(&name),
            name,
            folded_name,
            formats,
            digest,
            size: size.unwrap_or_default(),
            text,
            folder: path.as_deref().and_then(import_path::folder).map(str::to_owned),
            assets: assets.max(2) as f64,
        })
    }

    /// What something counts that so many texts or assets have: almost 1 if few have it, almost 0 if all have it.
    pub(super) fn weight(&self, having: usize) -> f64 {
        (1.0 + self.assets / (having.max(1) as f64)).ln() / (1.0 + self.assets).ln()
    }
}
