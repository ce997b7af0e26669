//! The related records of an asset, and of several at once.

use std::collections::HashSet;

use rusqlite::{Connection, Row};

use super::{RelatedKind, RelatedLink, RelatedRecord, RelatedRow, annotations};
use crate::store::checksum::summed;
use crate::store::records::annotation::{self, Grouped};
use crate::store::records::asset::{AssetSet, ByAsset};
use crate::store::{StoreError, checksum};

macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT aside.row, kind, aside.id, aside.created, aside.updated, aside.document, ",
            summed!(aside),
            ", aside_link.mechanism, aside_link.document, asset.id, asset.row
             FROM aside_link JOIN aside ON aside.row = aside_link.aside JOIN asset ON asset.row = aside_link.asset
             WHERE aside_link.asset ",
            $condition,
            " ORDER BY aside_link.asset, aside.row"
        )
    };
}

/// The ones linked to an asset, in order of creation.
pub(in crate::store) fn of_asset(db: &Connection, asset: i64) -> Result<Vec<RelatedRecord>, StoreError> {
    let mut statement = db.prepare_cached(select!("= ?1"))?;
    let rows = statement.query_map([asset], linked)?;
    let mut related = checksum::skip_damaged(rows)?;
    for record in &mut related {
        record.annotations = annotations(db, &record.related_record)?;
    }
    Ok(related)
}

/// The ones linked to each of several assets, in order of creation.
pub(in crate::store) fn of_assets(db: &Connection, assets: &AssetSet) -> Result<ByAsset<RelatedRecord>, StoreError> {
    let mut by_asset = assets.read(db, select!("IN (SELECT value FROM json_each(?1))"), 10, linked)?;
    add_annotations(&mut by_asset, RelatedKind::Person, |persons| annotation::of_persons(db, persons))?;
    add_annotations(&mut by_asset, RelatedKind::Anchor, |anchors| annotation::of_anchors(db, anchors))?;
    Ok(by_asset)
}

/// One as an asset sees it, without its annotations.
fn linked(row: &Row) -> rusqlite::Result<RelatedRecord> {
    let link = RelatedLink { asset: row.get(9)?, mechanism: row.get(7)?, document: row.get(8)? };
    Ok(RelatedRecord { related_record: RelatedRow::of(row)?, links: vec![link], annotations: Vec::new() })
}

/// Reads the annotations of the records of a kind with one statement; with none if there are no such records.
fn add_annotations(
    by_asset: &mut ByAsset<RelatedRecord>,
    kind: RelatedKind,
    read: impl FnOnce(&str) -> Result<Grouped<String>, StoreError>,
) -> Result<(), StoreError> {
    let records = by_asset.values_mut().flatten().filter(|record| record.related_record.kind == kind);
    let records: Vec<&mut RelatedRecord> = records.collect();
    if records.is_empty() {
        return Ok(());
    }
    let ids: HashSet<&str> = records.iter().map(|record| record.related_record.id.as_str()).collect();
    let annotations = read(&serde_json::json!(ids).to_string())?;
    for record in records {
        if let Some(of_record) = annotations.get(&record.related_record.id) {
            record.annotations = of_record.clone();
        }
    }
    Ok(())
}
