//! A page of assets, read with few statements: what belongs to many assets is read at once, not once for each of them.
//!
//! What must hold: an asset is the same here as read by itself; contents and conversations are read one asset at a time,
//! since those of a page may not fit in memory.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use rusqlite::{Connection, Row};

use super::{AssetRow, Transfer, Which, WholeAsset, columns};
use crate::store::StoreError;
use crate::store::checksum::{self, summed};
use crate::store::records::item::{self, SharedItems};
use crate::store::records::{annotation, conversation, format, related};

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
    pub(in crate::store) fn of_rows(rows: impl Iterator<Item = i64>) -> Self {
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
    let (mut chunk, mut items) = (Vec::new(), SharedItems::default());
    for asset in statement.query_map([clip(page.0), clip(page.1)], AssetRow::of)? {
        chunk.extend(checksum::skip_if_damaged(asset)?);
        if chunk.len() == CHUNK && each_whole(db, std::mem::take(&mut chunk), transfer, &mut items, each)?.is_break() {
            return Ok(());
        }
    }
    each_whole(db, chunk, transfer, &mut items, each).map(drop)
}

/// Calls `each` with these assets and all that belongs to them.
fn each_whole(
    db: &Connection,
    assets: Vec<AssetRow>,
    transfer: Transfer,
    shared: &mut SharedItems,
    each: &mut impl FnMut(WholeAsset) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, StoreError> {
    let set = AssetSet::of(&assets);
    let mut formats = format::of_assets(db, &set)?;
    let mut items = item::of_assets(db, &set, shared)?;
    let mut annotations = annotation::of_assets(db, &set)?;
    let mut related = related::of_assets(db, &set)?;
    // Few assets have any, and they may be long: they are read one asset at a time.
    let conversations = conversation::of_assets(db, &set)?;
    for asset in assets {
        let row = asset.row;
        // One with a damaged format has none here.
        let Some(formats) = formats.remove(&row) else { continue };
        let whole = WholeAsset {
            formats: format::with_sound_contents(db, formats, transfer)?,
            items: items.remove(&row).unwrap_or_default(),
            annotations: annotations.remove(&row).unwrap_or_default(),
            conversations: if conversations.contains(&row) { conversation::of_asset(db, row)? } else { Vec::new() },
            related: related.remove(&row).unwrap_or_default(),
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
    use crate::record;
    use crate::store::disk::file;
    use crate::store::records::annotation::NewAnnotation;
    use crate::store::records::create::OnDuplicate;
    use crate::store::records::format::Content;
    use crate::store::records::item::{ItemKind, NewItem};
    use crate::store::records::related::{NewRelated, RelatedKind};
    use crate::store::tests::assets::new_asset;
    use crate::store::{NewConversation, Store};

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

    /// A store of so many assets with all that an asset can be linked with, but for conversations.
    fn filled(data: &Path, assets: usize) -> (Store, Vec<String>) {
        let store = Store::open(data).expect("a store");
        let note =
            |text: &str| NewAnnotation { kind: "SUMMARY".to_owned(), text: text.to_owned(), document: "{}".to_owned() };
        let item = |kind, key: Option<&str>, annotations| NewItem {
            id: None,
            kind,
            key: key.map(str::to_owned),
            name: format!("a {kind:?}"),
            document: r#"{"more":1}"#.to_owned(),
            annotations,
            counters: Vec::new(),
            mechanism: "MANUAL".to_owned(),
        };
        let summaries = [1, 2].map(|number| {
            let notes = vec![note(&format!("{number}")), note("more")];
            store.make_item(item(ItemKind::Summary, None, notes), Vec::new()).expect("a summary").id
        });
        let person = NewRelated {
            kind: RelatedKind::Person,
            document: r#"{"type":{"basic":{"email":"a@b.example"}}}"#.to_owned(),
            mechanism: "MANUAL".to_owned(),
            link: "{}".to_owned(),
            annotations: vec![note("of a person")],
        };
        let shared = store.make_related(person.clone(), None).expect("a person").related_record.id;
        let ids: Vec<String> = (0..assets)
            .map(|number| {
                let mut new = new_asset(&format!("{number}.txt"), Content::Text("text".to_owned()));
                new.items = vec![
                    item(ItemKind::Tag, Some("t"), Vec::new()),
                    item(ItemKind::Website, Some(&format!("https://{number}.example/")), Vec::new()),
                ];
                new.annotations = vec![note("of an asset")];
                new.related = [RelatedKind::Person, RelatedKind::Anchor, RelatedKind::Hint]
                    .map(|kind| NewRelated { kind, ..person.clone() })
                    .into();
                let id = store.create_asset(new, OnDuplicate::Create).expect("an asset").id;
                summaries.iter().for_each(|summary| store.link(&id, ItemKind::Summary, summary).expect("linked"));
                store.link_related(&id, RelatedKind::Person, &shared).expect("linked");
                id
            })
            .collect();
        (store, ids)
    }

    #[test]
    fn a_page_of_200_takes_few_statements_regardless_of_links() {
        let data = tempfile::tempdir().expect("a folder");
        drop(filled(data.path(), 200));
        let few = statements(data.path(), 10);
        let many = statements(data.path(), 200);
        assert_eq!((few.1, many.1), (10, 200));
        assert_eq!(few.0, many.0, "statements");
        // The page; formats, links, items, annotations, related records and conversations; annotations of three of those.
        assert!(many.0 <= 10, "{} statements", many.0);
    }

    #[test]
    fn an_asset_of_a_page_has_the_same_text_as_one_read_separately() {
        let data = tempfile::tempdir().expect("a folder");
        let (store, ids) = filled(data.path(), 5);
        let talk = NewConversation {
            name: Some("a talk".to_owned()),
            messages: vec![("USER".to_owned(), "hello".to_owned())],
            assets: vec![ids[1].clone(), ids[2].clone()],
        };
        store.make_conversation(talk).expect("a conversation");
        for transfer in [Transfer::Withheld, Transfer::Full] {
            let mut page = Vec::new();
            let each = |whole| {
                page.push(whole);
                ControlFlow::Continue(())
            };
            store.each_asset(Which::All, (0, 10), transfer, each).expect("a page");
            assert_eq!(page.len(), 5);
            for whole in page {
                let alone = store.asset(&whole.asset.id, transfer).expect("the asset");
                let text = |whole: &WholeAsset| {
                    let text = record::asset_text(store.identity(), whole, transfer);
                    String::from_utf8(text).expect("text")
                };
                assert_eq!(text(&whole), text(&alone));
                assert_eq!((whole.items.len(), whole.related.len()), (4, 4));
            }
        }
    }
}
