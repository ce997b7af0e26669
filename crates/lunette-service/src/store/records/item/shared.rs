//! Items as assets show them: assets that are read together share an item that they are linked to.
//!
//! What must hold: items are shared within one read transaction only; the cache is bounded, however many items there are.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use rusqlite::{Connection, Row};

use super::{ItemKind, ItemRow, annotations, columns};
use crate::store::checksum::summed;
use crate::store::records::annotation::{self, AnnotationRow};
use crate::store::records::asset::{AssetSet, ByAsset};
use crate::store::{StoreError, checksum};

/// About how much memory the items of a read may take before they are read anew.
const MAX_BYTES: usize = 4 << 20;
/// What an item takes beside its texts.
const ITEM_BYTES: usize = 512;

/// An item without its assets.
#[derive(Debug)]
pub(crate) struct SharedItem {
    pub(crate) item: ItemRow,
    pub(crate) annotations: Vec<AnnotationRow>,
    /// Its record, once that was written, around what names the asset.
    pub(crate) record: OnceLock<[String; 2]>,
}

/// An item as listed in an asset.
#[derive(Debug)]
pub(crate) struct LinkedItem {
    pub(crate) shared: Arc<SharedItem>,
    pub(crate) mechanism: String,
}

impl SharedItem {
    fn new(item: ItemRow, annotations: Vec<AnnotationRow>) -> Arc<Self> {
        Arc::new(Self { item, annotations, record: OnceLock::new() })
    }

    /// About what it takes in memory with its record.
    fn bytes(&self) -> usize {
        let texts: usize = self.annotations.iter().map(|row| row.text.len() + row.document.len() + ITEM_BYTES).sum();
        ITEM_BYTES + 2 * (texts + self.item.name.len() + self.item.document.len())
    }
}

/// The items of a read by row; None is a damaged one.
#[derive(Default)]
pub(in crate::store) struct SharedItems {
    by_row: HashMap<i64, Option<Arc<SharedItem>>>,
    bytes: usize,
}

impl SharedItems {
    /// Reads those of these items that are not known yet.
    fn read(&mut self, db: &Connection, items: impl Iterator<Item = i64> + Clone) -> Result<(), StoreError> {
        if self.bytes > MAX_BYTES {
            *self = Self::default();
        }
        let mut missing: Vec<i64> = items.filter(|item| !self.by_row.contains_key(item)).collect();
        missing.sort_unstable();
        missing.dedup();
        if missing.is_empty() {
            return Ok(());
        }
        let rows = serde_json::json!(missing).to_string();
        self.by_row.extend(missing.into_iter().map(|item| (item, None)));
        let query = concat!("SELECT ", columns!(), " FROM item WHERE row IN (SELECT value FROM json_each(?1))");
        let mut statement = db.prepare_cached(query)?;
        let found = checksum::skip_damaged(statement.query_map([&rows], ItemRow::of)?)?;
        let mut annotations = match found.iter().any(|item| item.kind == ItemKind::Summary) {
            true => annotation::of_items(db, &rows)?,
            false => HashMap::new(),
        };
        for item in found {
            let row = item.row;
            let shared = SharedItem::new(item, annotations.remove(&row).unwrap_or_default());
            self.bytes += shared.bytes();
            self.by_row.insert(row, Some(shared));
        }
        Ok(())
    }
}

/// The items an asset is linked to, in order of creation: a link that is removed and added again returns to its
/// position, so that undo restores the asset exactly.
pub(in crate::store) fn of_asset(db: &Connection, asset: i64) -> Result<Vec<LinkedItem>, StoreError> {
    let mut statement = db.prepare_cached(concat!(
        "SELECT ",
        columns!(),
        ", mechanism FROM link JOIN item ON item.row = link.item WHERE asset = ?1 ORDER BY item.row"
    ))?;
    let rows = statement.query_map([asset], |row| Ok((ItemRow::of(row)?, row.get(14)?)))?;
    let mut items = Vec::new();
    for (item, mechanism) in checksum::skip_damaged(rows)? {
        items.push(LinkedItem { shared: SharedItem::new(item.clone(), annotations(db, &item)?), mechanism });
    }
    Ok(items)
}

/// The items that each of several assets is linked to, in order of creation.
pub(in crate::store) fn of_assets(
    db: &Connection,
    assets: &AssetSet,
    items: &mut SharedItems,
) -> Result<ByAsset<LinkedItem>, StoreError> {
    let query = "SELECT asset, item, mechanism FROM link WHERE asset IN (SELECT value FROM json_each(?1))
                 ORDER BY asset, item";
    let link = |row: &Row| Ok((row.get(1)?, row.get(2)?));
    let links: ByAsset<(i64, String)> = assets.read(db, query, 0, link)?;
    items.read(db, links.values().flatten().map(|(item, _)| *item))?;
    let linked = |(item, mechanism)| {
        let shared = items.by_row.get(&item)?.clone()?;
        Some(LinkedItem { shared, mechanism })
    };
    Ok(links.into_iter().map(|(asset, links)| (asset, links.into_iter().filter_map(linked).collect())).collect())
}
