//! A page of assets, read with few statements: what belongs to many assets is read at once, not once for each of them.
//!
//! What must hold: an asset is the same here as read by itself; contents are read one asset at a time, since those of a
//! page may not fit in memory.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use rusqlite::{Connection, Row};

use super::{AssetRow, Transfer, Which, WholeAsset, columns};
use crate::store::checksum::summed;
use crate::store::{StoreError, annotation, checksum, conversation, format, item, related};

/// How many assets are read at a time.
const CHUNK: usize = 256;

/// The assets of a chunk, as queries take them: `IN (SELECT value FROM json_each(?1))`.
pub(in crate::store) struct AssetSet(String);

/// What belongs to assets, by the row of the asset.
pub(in crate::store) type ByAsset<T> = HashMap<i64, Vec<T>>;

impl AssetSet {
    fn of(assets: &[AssetRow]) -> Self {
        Self::of_rows(assets.iter().map(|asset| asset.row))
    }

    /// The assets of these rows.
    pub(super) fn of_rows(rows: impl Iterator<Item = i64>) -> Self {
        let rows: Vec<String> = rows.map(|row| row.to_string()).collect();
        Self(format!("[{}]", rows.join(",")))
    }

    /// The rows of a query that takes a set, by asset; `asset` is the column that names it. Damaged rows are omitted.
    pub(in crate::store) fn read<T>(
        &self,
        db: &Connection,
        query: &str,
        asset: usize,
        read: impl Fn(&Row) -> rusqlite::Result<T>,
    ) -> Result<ByAsset<T>, StoreError> {
        let mut statement = db.prepare_cached(query)?;
        let rows = statement.query_map([&self.0], |row| Ok((row.get::<_, i64>(asset)?, read(row)?)))?;
        let mut by_asset = ByAsset::new();
        for (asset, value) in checksum::skip_damaged(rows)? {
            by_asset.entry(asset).or_default().push(value);
        }
        Ok(by_asset)
    }

    /// The assets of the set that a query returns.
    pub(in crate::store) fn those(&self, db: &Connection, query: &str) -> Result<HashSet<i64>, StoreError> {
        let mut statement = db.prepare_cached(query)?;
        let rows = statement.query_map([&self.0], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Calls `each` with a page of assets, most recently updated first, until it has enough: `page` is offset and limit
/// (pagination).
pub(super) fn each(
    db: &Connection,
    which: Which,
    page: (u64, u64),
    transfer: Transfer,
    each: &mut impl FnMut(WholeAsset) -> ControlFlow<()>,
) -> Result<(), StoreError> {
    macro_rules! page {
        ($which:literal) => {
            concat!(
                "SELECT ",
                columns!(),
                " FROM asset WHERE deleted IS NULL ",
                $which,
                " ORDER BY updated DESC, row DESC LIMIT ?2 OFFSET ?1"
            )
        };
    }
    let clip = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let mut statement = db.prepare_cached(match which {
        Which::All => page!(""),
        Which::Saved => page!("AND pseudo = 0"),
        Which::Pseudo => page!("AND pseudo = 1"),
    })?;
    let mut chunk = Vec::new();
    for asset in statement.query_map([clip(page.0), clip(page.1)], AssetRow::of)? {
        chunk.extend(checksum::skip_if_damaged(asset)?);
        if chunk.len() == CHUNK && each_whole(db, std::mem::take(&mut chunk), transfer, each)?.is_break() {
            return Ok(());
        }
    }
    each_whole(db, chunk, transfer, each).map(drop)
}

/// Calls `each` with these assets and all that belongs to them.
fn each_whole(
    db: &Connection,
    assets: Vec<AssetRow>,
    transfer: Transfer,
    each: &mut impl FnMut(WholeAsset) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, StoreError> {
    let set = AssetSet::of(&assets);
    let mut formats = format::of_assets(db, &set)?;
    let mut items = item::of_assets(db, &set)?;
    let mut annotations = annotation::of_assets(db, &set)?;
    // Few assets have any of these, so that they are read by themselves.
    let conversations = conversation::of_assets(db, &set)?;
    let related = related::of_assets(db, &set)?;
    for asset in assets {
        let row = asset.row;
        let whole = WholeAsset {
            formats: format::with_sound_contents(db, formats.remove(&row).unwrap_or_default(), transfer)?,
            items: items.remove(&row).unwrap_or_default(),
            annotations: annotations.remove(&row).unwrap_or_default(),
            conversations: if conversations.contains(&row) { conversation::of_asset(db, row)? } else { Vec::new() },
            related: if related.contains(&row) { related::of_asset(db, row, &asset.id)? } else { Vec::new() },
            asset,
        };
        if each(whole).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::path::Path;

    use rusqlite::trace::{TraceEvent, TraceEventCodes};

    use super::*;
    use crate::store::item::ItemKind;
    use crate::store::tests::assets::{add, add_tag, store};
    use crate::store::{Store, file};

    thread_local! {
        static STATEMENTS: Cell<usize> = const { Cell::new(0) };
    }

    fn count(event: TraceEvent<'_>) {
        if let TraceEvent::Stmt(..) = event {
            STATEMENTS.set(STATEMENTS.get() + 1);
        }
    }

    /// How many statements a page takes, and how many assets it has.
    fn statements(data: &Path, limit: u64) -> (usize, usize) {
        let mut db = file::open_reader(&data.join("lunette.sqlite3")).expect("a reader");
        db.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(count)).expect("traced");
        STATEMENTS.set(0);
        let mut assets = 0;
        each(&db, Which::All, (0, limit), Transfer::Withheld, &mut |_| {
            assets += 1;
            ControlFlow::Continue(())
        })
        .expect("a page");
        (STATEMENTS.get(), assets)
    }

    #[test]
    fn a_page_takes_the_same_number_of_statements_however_many_assets_it_has() {
        let data = tempfile::tempdir().expect("a folder");
        let store = Store::open(data.path()).expect("a store");
        let tags = ["a", "b", "c"].map(|tag| add_tag(&store, tag));
        for number in 0..250 {
            let asset = add(&store, &format!("{number}.txt"), "text");
            tags.iter().for_each(|tag| store.link(&asset, ItemKind::Tag, tag).expect("linked"));
        }
        let few = statements(data.path(), 10);
        let many = statements(data.path(), 250);
        assert_eq!((few.1, many.1), (10, 250));
        assert_eq!(few.0, many.0, "statements");
        assert!(many.0 <= 8, "{} statements", many.0);
    }

    #[test]
    fn an_asset_of_a_page_is_the_same_as_read_by_itself() {
        let store = store();
        let tag = add_tag(&store, "x");
        let ids = ["one", "two", "three"].map(|name| add(&store, name, name));
        store.link(&ids[1], ItemKind::Tag, &tag).expect("linked");
        let mut page = Vec::new();
        let each = |whole| {
            page.push(whole);
            ControlFlow::Continue(())
        };
        store.each_asset(Which::All, (0, 10), Transfer::Full, each).expect("a page");
        assert_eq!(page.len(), 3);
        for whole in page {
            let alone = store.asset(&whole.asset.id, Transfer::Full).expect("the asset");
            assert_eq!(
                (&whole.asset, &whole.items, &whole.annotations),
                (&alone.asset, &alone.items, &alone.annotations)
            );
            assert_eq!(whole.formats.len(), alone.formats.len());
            assert_eq!(whole.formats[0].content, alone.formats[0].content);
        }
    }
}
