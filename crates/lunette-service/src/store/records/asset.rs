//! Assets: reading, changing, and their counters. `create` makes them, `trash` deletes and restores them.
//!
//! An asset is a row with what is listed, sorted and counted, and a JSON document with everything else that was ever
//! sent for it. What must hold: only the Trash shows a row with `deleted`; every change of an asset advances its
//! `updated`.

use std::ops::ControlFlow;

use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use super::activity::{self, Event, Metadata};
use super::annotation::{self, AnnotationRow};
use super::conversation::{self, ConversationRow};
use super::format::{self, FormatRow};
use super::item::{self, LinkedItem};
use super::related::{self, RelatedRecord};
use crate::store::checksum::{self, summed};
use crate::store::{PendingChange, Store, StoreError, each_text, now};

mod counter;
mod listed;
mod page;

pub(in crate::store) use counter::Counted;
pub(crate) use counter::Counter;
pub(crate) use listed::{AssetMarks, ListedAsset};
pub(in crate::store) use page::{AssetSet, ByAsset};

/// An asset without its formats and links.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AssetRow {
    pub(in crate::store) row: i64,
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    pub(crate) mechanism: String,
    /// Microseconds since 1970 UTC, as all times of the store.
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) favorited: Option<bool>,
    pub(crate) score: Score,
    /// A JSON object: the fields that have no column.
    pub(crate) document: String,
}

/// An asset's score; a counter that was never incremented is None.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) manual: i64,
    pub(crate) automatic: i64,
    pub(crate) priority: Option<i64>,
    pub(crate) reuse: Option<i64>,
    pub(crate) update: Option<i64>,
    pub(crate) reference: Option<i64>,
    pub(crate) searched: Option<i64>,
}

/// Which assets are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Assets that a user saved.
    Saved,
    /// Pseudo assets.
    Pseudo,
    All,
}

/// Whether the content of formats is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transfer {
    /// With content.
    Full,
    /// Without: the table of content is not touched.
    Withheld,
}

/// An asset with everything that its record includes.
pub(crate) struct WholeAsset {
    pub(crate) asset: AssetRow,
    pub(crate) formats: Vec<FormatRow>,
    pub(crate) items: Vec<LinkedItem>,
    pub(crate) annotations: Vec<AnnotationRow>,
    pub(crate) conversations: Vec<ConversationRow>,
    pub(crate) related: Vec<RelatedRecord>,
}

/// An update of an asset; None keeps the stored value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AssetChange {
    pub(crate) name: Option<String>,
    pub(crate) mechanism: Option<String>,
    pub(crate) favorited: Option<bool>,
    pub(crate) document: Option<String>,
    pub(crate) descriptions: Vec<Description>,
}

/// A description in an update.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Description {
    /// The annotation to edit; None creates a new one.
    pub(crate) id: Option<String>,
    pub(crate) text: String,
}

macro_rules! columns {
    () => {
        concat!(
            "row, id, name, mechanism, created, updated, favorited, score_manual, score_automatic, score_priority, \
             score_reuse, score_update, score_reference, score_searched, document, ",
            summed!(asset)
        )
    };
}
pub(in crate::store) use columns;

impl Score {
    /// The sum of all counters.
    pub(crate) fn total(&self) -> i64 {
        let counted = self.counters().into_iter().filter_map(|(_, counter)| counter).fold(0, i64::saturating_add);
        self.manual.saturating_add(self.automatic).saturating_add(counted)
    }

    /// The counters by their names on the wire.
    pub(crate) fn counters(&self) -> [(&'static str, Option<i64>); 5] {
        [
            ("priority", self.priority),
            ("reuse", self.reuse),
            ("update", self.update),
            ("reference", self.reference),
            ("searched", self.searched),
        ]
    }
}

impl AssetRow {
    pub(in crate::store) fn of(row: &Row) -> rusqlite::Result<Self> {
        checksum::verify(row, 15, "asset", 1)?;
        Ok(Self {
            row: row.get(0)?,
            id: row.get(1)?,
            name: row.get(2)?,
            mechanism: row.get(3)?,
            created: row.get(4)?,
            updated: row.get(5)?,
            favorited: row.get(6)?,
            score: Score {
                manual: row.get(7)?,
                automatic: row.get(8)?,
                priority: row.get(9)?,
                reuse: row.get(10)?,
                update: row.get(11)?,
                reference: row.get(12)?,
                searched: row.get(13)?,
            },
            document: row.get(14)?,
        })
    }
}

/// The asset of this id; distinguishes unknown from deleted ones.
pub(in crate::store) fn find(db: &Connection, id: &str) -> Result<AssetRow, StoreError> {
    let found = db
        .prepare_cached(concat!("SELECT ", columns!(), ", deleted FROM asset WHERE id = ?1"))?
        .query_row([id], |row| match row.get::<_, Option<i64>>(16)? {
            None => AssetRow::of(row).map(Some),
            Some(_) => Ok(None),
        })
        .optional()?;
    match found {
        Some(Some(asset)) => Ok(asset),
        Some(None) => Err(StoreError::gone("asset", id)),
        None => Err(StoreError::not_found("asset", id)),
    }
}

pub(in crate::store) fn row_of(db: &Connection, id: &str) -> Result<i64, StoreError> {
    let found = db
        .prepare_cached("SELECT row, deleted FROM asset WHERE id = ?1")?
        .query_row([id], |row| Ok((row.get(0)?, row.get::<_, Option<i64>>(1)?)))
        .optional()?;
    match found {
        Some((row, None)) => Ok(row),
        Some((_, Some(_))) => Err(StoreError::gone("asset", id)),
        None => Err(StoreError::not_found("asset", id)),
    }
}

/// Advances `updated`; it never goes back, whatever the clock does.
pub(in crate::store) fn touch(db: &Connection, asset: i64) -> Result<(), StoreError> {
    db.prepare_cached("UPDATE asset SET updated = max(?2, updated + 1) WHERE row = ?1")?.execute([asset, now()])?;
    Ok(())
}

/// Advances `updated` and adds to the score, in one statement.
pub(in crate::store) fn touch_and_score(db: &Connection, asset: i64, rank: i64) -> Result<(), StoreError> {
    db.prepare_cached(
        "UPDATE asset SET updated = max(?2, updated + 1), score_manual = score_manual + ?3 WHERE row = ?1",
    )?
    .execute([asset, now(), rank])?;
    Ok(())
}

/// An asset with all that belongs to it. Fails if its content is read and damaged.
pub(in crate::store) fn whole(db: &Connection, asset: AssetRow, transfer: Transfer) -> Result<WholeAsset, StoreError> {
    let formats = format::of_asset(db, asset.row, transfer)?;
    with_formats(db, asset, formats)
}

/// An asset of a list, with all that belongs to it.
///
/// Our choice: damaged content is omitted, and the list is returned. Reading the asset by itself fails and says why.
pub(in crate::store) fn listed(db: &Connection, asset: AssetRow, transfer: Transfer) -> Result<WholeAsset, StoreError> {
    let formats = format::of_listed_asset(db, asset.row, transfer)?;
    with_formats(db, asset, formats)
}

fn with_formats(db: &Connection, asset: AssetRow, formats: Vec<FormatRow>) -> Result<WholeAsset, StoreError> {
    Ok(WholeAsset {
        formats,
        items: item::of_asset(db, asset.row)?,
        annotations: annotation::of_asset(db, asset.row)?,
        conversations: conversation::of_asset(db, asset.row)?,
        related: related::of_asset(db, asset.row)?,
        asset,
    })
}

impl Store {
    /// One asset with all that belongs to it.
    pub(crate) fn asset(&self, id: &str, transfer: Transfer) -> Result<WholeAsset, StoreError> {
        self.read(|db| whole(db, find(db, id)?, transfer))
    }

    /// One asset with all that belongs to it, as in lists.
    pub(crate) fn listed_asset(&self, id: &str, transfer: Transfer) -> Result<WholeAsset, StoreError> {
        self.read(|db| listed(db, find(db, id)?, transfer))
    }

    /// Calls `each` with a page of assets, most recently updated first, until it has enough: `page` is offset and limit
    /// (pagination).
    pub(crate) fn each_asset(
        &self,
        which: Which,
        page: (u64, u64),
        transfer: Transfer,
        mut each: impl FnMut(WholeAsset) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.read(|db| page::each(db, which, page, transfer, &mut each))
    }

    /// Calls `each` with the ids of assets, most recently updated first, until it has enough.
    pub(crate) fn each_asset_id(
        &self,
        which: Which,
        each: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        macro_rules! ids {
            ($which:literal) => {
                concat!("SELECT id FROM asset WHERE deleted IS NULL ", $which, " ORDER BY updated DESC, row DESC")
            };
        }
        self.read(|db| {
            let mut statement = db.prepare_cached(match which {
                Which::All => ids!(""),
                Which::Saved => ids!("AND pseudo = 0"),
                Which::Pseudo => ids!("AND pseudo = 1"),
            })?;
            each_text(statement.query([])?, each)
        })
    }

    /// Changes an asset as `decide` says, given its current state, in one transaction.
    pub(crate) fn update_asset(
        &self,
        id: &str,
        decide: impl FnOnce(&WholeAsset) -> Result<AssetChange, StoreError> + Send + 'static,
    ) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write(move |db| {
            let before = whole(db, find(db, &id)?, Transfer::Withheld)?;
            let change = decide(&before)?;
            apply(db, &before, change)
        })
    }

    /// Begins to increment a counter and to record that. `updated` is unchanged: counting is not an edit. Fails at the
    /// largest value.
    pub(crate) fn begin_increment(&self, id: &str, counter: Counter) -> Result<PendingChange, StoreError> {
        let id = id.to_owned();
        self.queue_change(move |db| {
            let asset = row_of(db, &id)?;
            counter.one_more(db, Counted::Asset, asset)?;
            activity::record_increment(db, asset, counter)
        })
    }

    /// Increments a counter, and waits until that is durable.
    #[cfg(test)]
    pub(crate) fn increment(&self, id: &str, counter: Counter) -> Result<(), StoreError> {
        self.begin_increment(id, counter)?.wait().map(drop)
    }
}

fn apply(db: &Transaction, before: &WholeAsset, change: AssetChange) -> Result<(), StoreError> {
    let AssetChange { name, mechanism, favorited, document, descriptions } = change;
    let document = document.map(|document| related::without_own(db, document)).transpose()?;
    let asset = &before.asset;
    let renamed = name.is_some() && name != asset.name;
    let edited = mechanism.as_ref().is_some_and(|new| *new != asset.mechanism)
        || favorited.is_some_and(|new| new != asset.favorited.unwrap_or_default())
        || document.as_ref().is_some_and(|new| *new != asset.document);
    let described = annotation::describe(db, asset.row, descriptions)?;
    if !renamed && !edited && !described {
        return Ok(());
    }
    if renamed {
        let metadata = Metadata::Rename { previous: asset.name.as_deref(), current: name.as_deref() };
        activity::record(db, asset.row, Event::Renamed, &metadata)?;
    }
    if described {
        activity::record(db, asset.row, Event::Described, &Metadata::None)?;
    }
    if edited {
        activity::record(db, asset.row, Event::Updated, &Metadata::None)?;
    }
    let folded = name.as_ref().map(|name| name.to_lowercase());
    db.prepare_cached(
        "UPDATE asset SET name = coalesce(?2, name), folded_name = coalesce(?3, folded_name),
         mechanism = coalesce(?4, mechanism), favorited = coalesce(?5, favorited), document = coalesce(?6, document)
         WHERE row = ?1",
    )?
    .execute(params![asset.row, name, folded, mechanism, favorited, document])?;
    touch(db, asset.row)
}
