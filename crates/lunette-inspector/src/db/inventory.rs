//! The stored inventory of a connection: the applications as they were last seen, their changes, and their usage by
//! day. The inventory decides about the content of the texts.
//!
//! What must hold: the changes of one response are compared and written in one transaction, so that two windows that
//! see the same change store it once.

use std::collections::BTreeMap;

use rusqlite::Connection;

use crate::db::rows::{INVENTORY_CHANGE, INVENTORY_DAY, INVENTORY_KNOWN};
use crate::db::{Database, DatabaseError};

/// The item that marks a list as read, for a list that was empty.
const READ: &str = "";

/// How many changes of a connection are kept; the oldest are deleted.
const CHANGES_KEPT: usize = 10_000;

/// How many days of a connection are kept; the oldest are deleted.
const DAYS_KEPT: usize = 730;

/// The stored items of a list, each with its number.
pub(crate) type Records = BTreeMap<String, (i64, String)>;

/// What to write.
#[derive(Default)]
pub(crate) struct Update {
    /// The changed records; `None` removes one.
    pub records: BTreeMap<String, Option<String>>,
    /// The changes, oldest first.
    pub changes: Vec<String>,
}

/// Everything that a window shows.
#[derive(Debug, Default)]
pub(crate) struct InventoryTexts {
    /// The items of a list by their numbers.
    pub items: BTreeMap<i64, String>,
    /// The changes, oldest first.
    pub changes: Vec<String>,
    /// The counters of each day, oldest first.
    pub days: Vec<(String, String)>,
}

impl Database {
    /// Writes what `compare` returns for the stored items of a list, and then what `count` returns for the counters of
    /// a day and the numbers of the items, which stay the same as long as an item is stored. Blocks.
    pub(crate) fn update_inventory(
        &self,
        connection: &str,
        source: &str,
        day: &str,
        compare: impl FnOnce(Option<&Records>) -> Update,
        count: impl FnOnce(&Update, &BTreeMap<String, i64>, &str) -> Option<String>,
    ) -> Result<(), DatabaseError> {
        self.write_unsynced(|db| {
            let known = records(db, connection, source)?;
            let update = compare(known.as_ref());
            let mut numbers: BTreeMap<String, i64> =
                known.iter().flatten().map(|(item, (number, _))| (item.clone(), *number)).collect();
            if known.is_none() {
                INVENTORY_KNOWN.insert(db, &[connection, source, READ, ""])?;
            }
            for (item, record) in &update.records {
                let number = numbers.remove(item);
                if let Some(record) = record {
                    let number = INVENTORY_KNOWN.insert_at(db, number, &[connection, source, item, record])?;
                    numbers.insert(item.clone(), number);
                } else {
                    let delete = "DELETE FROM inventory_known WHERE connection = ?1 AND source = ?2 AND item = ?3";
                    db.prepare_cached(delete)?.execute([connection, source, item])?;
                }
            }
            update
                .changes
                .iter()
                .try_for_each(|change| INVENTORY_CHANGE.insert(db, &[connection, change]).map(drop))?;
            if let Some(counters) = count(&update, &numbers, &counters(db, connection, day)?) {
                INVENTORY_DAY.insert(db, &[connection, day, &counters])?;
            }
            trim(db, connection)
        })
    }

    /// The changes and the usage of a connection, and the items of one list; damaged rows are skipped. Blocks.
    pub(crate) fn inventory(&self, connection: &str, source: &str) -> Result<InventoryTexts, DatabaseError> {
        self.read(|db| {
            let records = records(db, connection, source)?.unwrap_or_default();
            let changes = INVENTORY_CHANGE.read(db, "connection = ?1", [connection])?.rows;
            let mut days = INVENTORY_DAY.read(db, "connection = ?1", [connection])?.rows;
            days.sort_by(|one, other| one.1[1].cmp(&other.1[1]));
            let last = |(_, columns): (i64, Vec<String>)| columns.into_iter().next_back();
            let day = |(_, columns): (i64, Vec<String>)| {
                let [_, day, counters] = <[String; 3]>::try_from(columns).ok()?;
                Some((day, counters))
            };
            Ok(InventoryTexts {
                items: records.into_iter().map(|(item, (number, _))| (number, item)).collect(),
                changes: changes.into_iter().filter_map(last).collect(),
                days: days.into_iter().filter_map(day).collect(),
            })
        })
    }
}

/// The stored items of a list; `None` if it was never read.
fn records(db: &Connection, connection: &str, source: &str) -> rusqlite::Result<Option<Records>> {
    let rows = INVENTORY_KNOWN.read(db, "connection = ?1 AND source = ?2", [connection, source])?.rows;
    let read = !rows.is_empty();
    let items = rows.into_iter().filter_map(|(number, columns)| {
        let [_, _, item, record] = <[String; 4]>::try_from(columns).ok()?;
        (item != READ).then_some((item, (number, record)))
    });
    Ok(read.then(|| items.collect()))
}

/// The counters of a day; empty if there are none.
fn counters(db: &Connection, connection: &str, day: &str) -> rusqlite::Result<String> {
    let rows = INVENTORY_DAY.read(db, "connection = ?1 AND day = ?2", [connection, day])?.rows;
    let counters = rows.into_iter().next().and_then(|(_, columns)| columns.into_iter().nth(2));
    Ok(counters.unwrap_or_default())
}

/// Deletes the oldest changes and days beyond the limits.
fn trim(db: &Connection, connection: &str) -> rusqlite::Result<()> {
    for (table, order, limit) in [("inventory_change", "id", CHANGES_KEPT), ("inventory_day", "day", DAYS_KEPT)] {
        let surplus = format!(
            "DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE connection = ?1 ORDER BY {order} DESC LIMIT \
             -1 OFFSET {limit})"
        );
        db.prepare_cached(&surplus)?.execute([connection])?;
    }
    Ok(())
}
