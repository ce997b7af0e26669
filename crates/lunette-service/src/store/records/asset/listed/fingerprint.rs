//! What tells assets apart, read with as little as that takes: no content is read, since its hash is stored.
//!
//! What must hold: it says what the records of the assets say.

use std::ops::ControlFlow;
use std::rc::Rc;

use rusqlite::{Connection, Row};

use super::{AssetSet, ByAsset, CHUNK, Label, Labels};
use crate::store::checksum::summed;
use crate::store::records::annotation;
use crate::store::records::item::ItemKind;
use crate::store::{Store, StoreError, checksum};

/// What tells an asset apart.
pub(crate) struct AssetMarks {
    row: i64,
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    /// The language of the original format.
    pub(crate) specific: Option<String>,
    pub(crate) favorited: bool,
    /// Microseconds since 1970 UTC.
    pub(crate) updated: i64,
    /// The size of the original format, in bytes.
    pub(crate) size: Option<i64>,
    /// The SHA-256 of the content of the original format.
    pub(crate) content: Option<Vec<u8>>,
    /// The last description.
    pub(crate) description: Option<String>,
    items: Vec<Rc<Label>>,
}

impl AssetMarks {
    fn of(row: &Row) -> rusqlite::Result<Self> {
        checksum::verify(row, 8, "asset", 1)?;
        checksum::verify(row, 9, "format", 10)?;
        Ok(Self {
            row: row.get(0)?,
            id: row.get(1)?,
            name: row.get(2)?,
            favorited: row.get::<_, Option<bool>>(3)?.unwrap_or_default(),
            updated: row.get(4)?,
            specific: row.get(5)?,
            size: row.get(6)?,
            content: row.get(7)?,
            description: None,
            items: Vec::new(),
        })
    }

    /// What makes each linked item of a kind the same at another service: the text of a tag, the address of a website, the
    /// name of a workstream summary.
    pub(crate) fn keys(&self, kind: ItemKind) -> impl Iterator<Item = &str> {
        let of_kind = self.items.iter().filter(move |item| item.kind == kind);
        of_kind.map(|item| item.key.as_deref().unwrap_or(&item.name))
    }
}

impl Store {
    /// Calls `each` with what tells at most `limit` assets apart that were created after the one of a number, until it has
    /// enough. Returns the number of the last one if there may be more.
    pub(crate) fn each_fingerprint(
        &self,
        after: i64,
        limit: i64,
        mut each: impl FnMut(&AssetMarks) -> ControlFlow<()>,
    ) -> Result<Option<i64>, StoreError> {
        self.read(|db| each_marked(db, after, limit, &mut each))
    }
}

fn each_marked(
    db: &Connection,
    after: i64,
    limit: i64,
    each: &mut impl FnMut(&AssetMarks) -> ControlFlow<()>,
) -> Result<Option<i64>, StoreError> {
    let mut statement = db.prepare_cached(concat!(
        "SELECT asset.row, asset.id, asset.name, favorited, asset.updated, specific, size, sha256, ",
        summed!(asset),
        ", format.row IS NULL OR ",
        summed!(format),
        ", format.id
         FROM asset LEFT JOIN format ON format.asset = asset.row AND format.place = 0
         WHERE deleted IS NULL AND asset.row > ?1 ORDER BY asset.row LIMIT ?2"
    ))?;
    let (mut chunk, mut labels, mut last, mut count) = (Vec::new(), Labels::default(), None, 0);
    for asset in statement.query_map([after, limit], AssetMarks::of)? {
        count += 1;
        if let Some(asset) = checksum::skip_if_damaged(asset.map_err(StoreError::from))? {
            last = Some(asset.row);
            chunk.push(asset);
        }
        if chunk.len() == CHUNK && each_of(db, std::mem::take(&mut chunk), &mut labels, each)?.is_break() {
            return Ok(None);
        }
    }
    let ended = each_of(db, chunk, &mut labels, each)?.is_break() || count < limit;
    Ok(last.filter(|_| !ended))
}

/// Calls `each` with these assets, their items and their descriptions.
fn each_of(
    db: &Connection,
    assets: Vec<AssetMarks>,
    labels: &mut Labels,
    each: &mut impl FnMut(&AssetMarks) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, StoreError> {
    let set = AssetSet::of_rows(assets.iter().map(|asset| asset.row));
    let linked: ByAsset<i64> = super::links_of(db, &set)?;
    labels.read(db, linked.values().flatten().copied())?;
    let mut descriptions = annotation::descriptions(db, &set)?;
    for mut asset in assets {
        let items = linked.get(&asset.row).into_iter().flatten();
        asset.items = items.filter_map(|item| labels.items.get(item)?.clone()).collect();
        asset.description = descriptions.remove(&asset.row).and_then(|mut texts| texts.pop());
        if each(&asset).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}
