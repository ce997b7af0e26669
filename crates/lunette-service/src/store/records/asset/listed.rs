//! What a list shows of assets, read with as little as that takes.
//!
//! What must hold: it says what the records of the assets say; a page is found without reading those before it.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::str::FromStr;

use rusqlite::{Connection, OptionalExtension as _, Row};
use serde_json::Value;

use super::{AssetSet, ByAsset, Score};
use crate::store::checksum::summed;
use crate::store::records::annotation;
use crate::store::records::item::ItemKind;
use crate::store::{Store, StoreError, checksum};

mod fingerprint;

pub(crate) use fingerprint::AssetMarks;

/// How many assets are read at a time.
const CHUNK: usize = 256;
/// How many items are remembered within a page before they are read anew: most are linked to many assets.
const MAX_ITEMS: usize = 100_000;

/// What a list shows of an asset.
pub(crate) struct ListedAsset {
    position: Position,
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    /// The language of the original format.
    pub(crate) specific: Option<String>,
    /// The size of the original format, in bytes.
    pub(crate) size: Option<i64>,
    /// Microseconds since 1970 UTC.
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) favorited: bool,
    pub(crate) score: Score,
    pub(crate) items: Vec<Rc<Label>>,
    /// The row of what the original format came from.
    origin: Option<i64>,
    pub(crate) application: Option<Rc<Origin>>,
    /// The path that its description says it was imported from.
    pub(crate) path: Option<String>,
}

/// The application that a format came from.
pub(crate) struct Origin {
    pub(crate) id: String,
    pub(crate) name: String,
}

/// What a list shows of an item that an asset is linked to.
pub(crate) struct Label {
    pub(crate) kind: ItemKind,
    /// The address of a website.
    pub(crate) key: Option<String>,
    pub(crate) name: String,
}

/// A position in the list of assets, most recently updated first: what follows it is what it was, whatever is added before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    updated: i64,
    row: i64,
}

impl Position {
    const BEGINNING: Self = Self { updated: i64::MAX, row: i64::MAX };
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.updated, self.row)
    }
}

impl FromStr for Position {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (updated, row) = text.split_once(':').ok_or(())?;
        let number = |text: &str| text.parse().map_err(drop);
        Ok(Self { updated: number(updated)?, row: number(row)? })
    }
}

impl ListedAsset {
    fn of(row: &Row) -> rusqlite::Result<Self> {
        checksum::verify(row, 14, "asset", 1)?;
        checksum::verify(row, 17, "format", 18)?;
        let (asset, updated) = (row.get(0)?, row.get(4)?);
        Ok(Self {
            position: Position { updated, row: asset },
            id: row.get(1)?,
            name: row.get(2)?,
            created: row.get(3)?,
            updated,
            favorited: row.get::<_, Option<bool>>(5)?.unwrap_or_default(),
            score: Score {
                manual: row.get(6)?,
                automatic: row.get(7)?,
                priority: row.get(8)?,
                reuse: row.get(9)?,
                update: row.get(10)?,
                reference: row.get(11)?,
                searched: row.get(12)?,
            },
            specific: row.get(13)?,
            size: row.get(15)?,
            items: Vec::new(),
            origin: row.get(16)?,
            application: None,
            path: None,
        })
    }
}

impl Label {
    fn of(row: &Row) -> rusqlite::Result<(i64, Self)> {
        checksum::verify(row, 5, "item", 4)?;
        let kind = ItemKind::of(row.get_ref(1)?.as_str().unwrap_or_default());
        Ok((row.get(0)?, Self { kind, key: row.get(2)?, name: row.get(3)? }))
    }
}

/// The items of a page by row, where None is a damaged one, and the applications that its assets came from; each is
/// read once.
#[derive(Default)]
struct Labels {
    items: HashMap<i64, Option<Rc<Label>>>,
    origins: HashMap<i64, Option<Rc<Origin>>>,
}

impl Labels {
    /// Returns an application; None if its record says neither.
    fn origin(&mut self, db: &Connection, row: i64) -> Result<Option<Rc<Origin>>, StoreError> {
        if let Some(known) = self.origins.get(&row) {
            return Ok(known.clone());
        }
        let mut read = db.prepare_cached("SELECT document FROM origin WHERE row = ?1")?;
        let document: Option<String> = read.query_row([row], |row| row.get(0)).optional()?;
        let tree: Option<Value> = document.and_then(|document| serde_json::from_str(&document).ok());
        let text = |field: &str| Some(tree.as_ref()?.get(field)?.as_str()?.to_owned());
        let origin = text("id").zip(text("name")).map(|(id, name)| Rc::new(Origin { id, name }));
        if self.origins.len() < MAX_ITEMS {
            self.origins.insert(row, origin.clone());
        }
        Ok(origin)
    }

    /// Reads those of these items that are not known yet.
    fn read(&mut self, db: &Connection, items: impl Iterator<Item = i64> + Clone) -> Result<(), StoreError> {
        if self.items.len() > MAX_ITEMS {
            self.items.clear();
        }
        let missing: BTreeSet<i64> = items.filter(|item| !self.items.contains_key(item)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let rows = serde_json::json!(missing).to_string();
        self.items.extend(missing.into_iter().map(|item| (item, None)));
        let query = concat!(
            "SELECT row, kind, key, name, id, ",
            summed!(item),
            " FROM item WHERE row IN (SELECT value FROM json_each(?1))"
        );
        let mut statement = db.prepare_cached(query)?;
        for (row, label) in checksum::skip_damaged(statement.query_map([&rows], Label::of)?)? {
            self.items.insert(row, Some(Rc::new(label)));
        }
        Ok(())
    }
}

impl Store {
    /// Calls `each` with at most `limit` saved assets that follow a position, most recently updated first, until it has
    /// enough. Returns the position of the last one if there may be more.
    pub(crate) fn each_listed_asset(
        &self,
        after: Option<Position>,
        limit: u64,
        mut each: impl FnMut(&ListedAsset) -> ControlFlow<()>,
    ) -> Result<Option<Position>, StoreError> {
        self.read(|db| each_listed(db, after.unwrap_or(Position::BEGINNING), limit, &mut each))
    }
}

fn each_listed(
    db: &Connection,
    after: Position,
    limit: u64,
    each: &mut impl FnMut(&ListedAsset) -> ControlFlow<()>,
) -> Result<Option<Position>, StoreError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut statement = db.prepare_cached(concat!(
        "SELECT asset.row, asset.id, asset.name, asset.created, asset.updated, favorited, score_manual,
         score_automatic, score_priority, score_reuse, score_update, score_reference, score_searched, specific, ",
        summed!(asset),
        ", size, origin, format.row IS NULL OR ",
        summed!(format),
        ", format.id
         FROM asset LEFT JOIN format ON format.asset = asset.row AND format.place = 0
         WHERE deleted IS NULL AND pseudo = 0 AND (asset.updated, asset.row) < (?1, ?2)
         ORDER BY asset.updated DESC, asset.row DESC LIMIT ?3"
    ))?;
    let (mut chunk, mut labels, mut last, mut count) = (Vec::new(), Labels::default(), None, 0);
    for asset in statement.query_map([after.updated, after.row, limit], ListedAsset::of)? {
        count += 1;
        if let Some(asset) = checksum::skip_if_damaged(asset.map_err(StoreError::from))? {
            last = Some(asset.position);
            chunk.push(asset);
        }
        if chunk.len() == CHUNK && each_of(db, std::mem::take(&mut chunk), &mut labels, each)?.is_break() {
            return Ok(None);
        }
    }
    let ended = each_of(db, chunk, &mut labels, each)?.is_break() || count < limit;
    Ok(last.filter(|_| !ended))
}

/// The rows of the items that assets are linked to.
fn links_of(db: &Connection, set: &AssetSet) -> Result<ByAsset<i64>, StoreError> {
    let query = "SELECT asset, item FROM link WHERE asset IN (SELECT value FROM json_each(?1)) ORDER BY asset, item";
    set.read(db, query, 0, |row| row.get(1))
}

/// Calls `each` with these assets and their items.
fn each_of(
    db: &Connection,
    assets: Vec<ListedAsset>,
    labels: &mut Labels,
    each: &mut impl FnMut(&ListedAsset) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, StoreError> {
    let set = AssetSet::of_rows(assets.iter().map(|asset| asset.position.row));
    let linked = links_of(db, &set)?;
    labels.read(db, linked.values().flatten().copied())?;
    let mut paths = annotation::import_paths(db, &set)?;
    for mut asset in assets {
        let items = linked.get(&asset.position.row).into_iter().flatten();
        asset.items = items.filter_map(|item| labels.items.get(item)?.clone()).collect();
        asset.application = asset.origin.map(|row| labels.origin(db, row)).transpose()?.flatten();
        asset.path = paths.remove(&asset.position.row).and_then(|mut said| said.pop()).flatten();
        if each(&asset).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::collections::HashSet;

    use rusqlite::trace::{TraceEvent, TraceEventCodes};

    use super::*;
    use crate::store::disk::file;
    use crate::store::records::annotation::NewAnnotation;
    use crate::store::records::create::OnDuplicate;
    use crate::store::records::format::Content;
    use crate::store::tests::assets::{add, add_tag, new_asset, store};

    /// The names of a page, and what follows it.
    fn page(store: &Store, after: Option<Position>, limit: u64) -> (Vec<String>, Option<Position>) {
        let mut names = Vec::new();
        let next = store.each_listed_asset(after, limit, |asset| {
            names.extend(asset.name.clone());
            ControlFlow::Continue(())
        });
        (names, next.expect("a page"))
    }

    thread_local! {
        static STATEMENTS: Cell<usize> = const { Cell::new(0) };
    }

    fn count(event: TraceEvent<'_>) {
        if let TraceEvent::Stmt(..) = event {
            STATEMENTS.set(STATEMENTS.get() + 1);
        }
    }

    #[test]
    fn a_page_of_200_takes_five_statements_though_each_of_its_assets_has_items_and_a_path_of_its_own() {
        let data = tempfile::tempdir().expect("a folder");
        let store = Store::open(data.path()).expect("a store");
        for number in 0..200 {
            let mut new = new_asset(&format!("{number}.txt"), Content::Text("text".to_owned()));
            let text = format!("Imported from folder {number}/{number}.txt");
            new.annotations = vec![NewAnnotation { kind: "DESCRIPTION".to_owned(), text, document: "{}".to_owned() }];
            let asset = store.create_asset(new, OnDuplicate::Create).expect("an asset").id;
            let tag = add_tag(&store, &format!("tag {number}"));
            store.link(&asset, ItemKind::Tag, &tag).expect("linked");
        }
        let mut db = file::open_reader(&data.path().join("lunette.sqlite3")).expect("a reader");
        db.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(count)).expect("traced");
        let (mut tags, mut paths) = (Vec::new(), HashSet::new());
        let mut each = |asset: &ListedAsset| {
            paths.extend(asset.path.clone());
            tags.extend(asset.items.iter().map(|item| item.name.clone()));
            ControlFlow::Continue(())
        };
        each_listed(&db, Position::BEGINNING, 200, &mut each).expect("a page");
        // The assets, their links, the items, the descriptions, and the one application that all assets came from.
        assert_eq!((tags.len(), paths.len(), STATEMENTS.get()), (200, 200, 5));
    }

    #[test]
    fn paging_is_stable_while_items_are_added() {
        let store = store();
        (0..5).for_each(|number| drop(add(&store, &format!("{number}.txt"), "text")));
        let (first, next) = page(&store, None, 2);
        assert_eq!(first, ["4.txt", "3.txt"]);
        add(&store, "new.txt", "text");
        let next = next.expect("more").to_string().parse().ok();
        let (second, next) = page(&store, next, 2);
        assert_eq!(second, ["2.txt", "1.txt"]);
        let (third, next) = page(&store, next, 2);
        assert_eq!((third, next), (vec!["0.txt".to_owned()], None));
    }

    #[test]
    fn an_asset_has_its_items_in_the_order_of_its_record() {
        let store = store();
        let asset = add(&store, "a.rs", "fn main() {}");
        for tag in ["one", "two"] {
            let tag = add_tag(&store, tag);
            store.link(&asset, ItemKind::Tag, &tag).expect("linked");
        }
        let each = |listed: &ListedAsset| {
            let names: Vec<&str> = listed.items.iter().map(|item| item.name.as_str()).collect();
            assert_eq!((names, listed.specific.as_deref(), listed.size), (vec!["one", "two"], Some("txt"), Some(12)));
            ControlFlow::Continue(())
        };
        assert_eq!(store.each_listed_asset(None, 10, each).expect("a page"), None);
    }
}
