//! Which assets have the links of one: tags, websites, workstream summaries, persons, anchors and conversations.

use std::collections::HashSet;

use rusqlite::{Connection, params};

use super::{CONVERSATION, Candidates, RELATED_RECORD, SHARING, Subject};
use crate::store::StoreError;
use crate::store::checksum::{self, summed};
use crate::store::records::item::ItemKind;

/// The most links of a kind of record that are looked at.
const LINKS: i64 = 64;
/// Up to how many assets of an item are counted.
const COUNTED: i64 = 4_000;

/// An item that an asset is linked to.
pub(super) struct Linked {
    pub(super) row: i64,
    pub(super) kind: ItemKind,
    /// The text of a tag, the address of a website, the name of a summary.
    pub(super) text: String,
    /// What it counts.
    pub(super) weight: f64,
}

/// What an asset is linked to.
pub(super) struct Links {
    pub(super) items: Vec<Linked>,
    /// The rows of persons and anchors.
    pub(super) persons: HashSet<i64>,
    pub(super) anchors: HashSet<i64>,
    pub(super) conversations: HashSet<i64>,
}

impl Links {
    /// Reads what an asset is linked to, and adds who else is.
    pub(super) fn gather(db: &Connection, subject: &Subject, candidates: &mut Candidates) -> Result<Self, StoreError> {
        let items = items(db, subject)?;
        for item in &items {
            let query = "SELECT asset FROM link WHERE item = ?1 ORDER BY asset DESC LIMIT ?2";
            add(db, query, item.row, item.weight, candidates)?;
        }
        let of_kind = |kind: &str| -> Result<HashSet<i64>, StoreError> {
            let query = "SELECT aside FROM aside_link JOIN aside ON aside.row = aside_link.aside
                         WHERE asset = ?1 AND kind = ?2 LIMIT ?3";
            let mut query = db.prepare_cached(query)?;
            let rows = query.query_map(params![subject.row, kind, LINKS], |row| row.get(0))?;
            Ok(rows.collect::<Result<_, _>>()?)
        };
        let (persons, anchors) = (of_kind("person")?, of_kind("anchor")?);
        for related in persons.iter().chain(&anchors) {
            let query = "SELECT asset FROM aside_link WHERE aside = ?1 ORDER BY asset DESC LIMIT ?2";
            add(db, query, *related, RELATED_RECORD, candidates)?;
        }
        let query = "SELECT conversation FROM conversation_asset WHERE asset = ?1 LIMIT ?2";
        let mut query = db.prepare_cached(query)?;
        let rows = query.query_map([subject.row, LINKS], |row| row.get(0))?;
        let conversations: HashSet<i64> = rows.collect::<Result<_, _>>()?;
        for conversation in &conversations {
            let query = "SELECT asset FROM conversation_asset WHERE conversation = ?1 ORDER BY asset DESC LIMIT ?2";
            add(db, query, *conversation, CONVERSATION, candidates)?;
        }
        Ok(Self { items, persons, anchors, conversations })
    }
}

/// Adds the newest assets that a query finds, each with this weight.
fn add(
    db: &Connection,
    query: &'static str,
    of: i64,
    weight: f64,
    candidates: &mut Candidates,
) -> Result<(), StoreError> {
    let mut query = db.prepare_cached(query)?;
    for asset in query.query_map(params![of, SHARING as i64], |row| row.get(0))? {
        candidates.of(asset?).score += weight;
    }
    Ok(())
}

/// The items of an asset, with what each counts.
fn items(db: &Connection, subject: &Subject) -> Result<Vec<Linked>, StoreError> {
    let query = concat!(
        "SELECT item.row, kind, CASE kind WHEN 'website' THEN coalesce(key, name) ELSE name END, id, ",
        summed!(item),
        ", (SELECT count(*) FROM (SELECT 1 FROM link AS other WHERE other.item = item.row LIMIT ?3))
         FROM link JOIN item ON item.row = link.item WHERE link.asset = ?1 ORDER BY item.row LIMIT ?2"
    );
    let mut query = db.prepare_cached(query)?;
    let rows = query.query_map([subject.row, LINKS, COUNTED], |row| {
        checksum::verify(row, 4, "item", 3)?;
        let having = usize::try_from(row.get::<_, i64>(5)?).unwrap_or_default();
        let kind = ItemKind::of(row.get_ref(1)?.as_str().unwrap_or_default());
        Ok(Linked { row: row.get(0)?, kind, text: row.get(2)?, weight: subject.weight(having) })
    })?;
    checksum::skip_damaged(rows)
}
