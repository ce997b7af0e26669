//! The assets of the open tag, website or workstream summary, as a list.
//!
//! What must hold: they are rows of the list of assets, so that a change of an asset is seen in both; they are those that
//! the record of the item names or, where the service does not say that, those that say it themselves. They are chosen in
//! the background, and only while they are drawn.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Links, Output, read};
use crate::change::{Item, LinkKind};
use crate::context::Context;
use crate::filter::List;
use crate::listing::rows::AssetRow;
use crate::listing::{AnyList as _, Listing, Query, RowList, apply_query};
use crate::request_versions::ResourceKey;
use crate::tasks::Ended;
use crate::{CallError, Remote};
use lunette_client::model::id::{AssetId, CompactId};

/// What says which assets have an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToldBy {
    /// The record of the item.
    #[default]
    Item,
    /// The assets in the list alone; the service does not say which others have it.
    Assets,
    /// Nothing.
    Nothing,
}

/// The assets of the open item.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemAssets {
    /// Their rows. Those that the list of assets does not have consist of their id.
    pub list: Listing<AssetRow>,
    /// What says that these are its assets.
    pub told_by: ToldBy,
    /// How many of them the list of assets does not have.
    pub unlisted: usize,
    /// The assets that the record of the item names; `None` inside if the service does not say.
    ids: Remote<Option<Arc<Vec<AssetId>>>>,
    /// What the rows were chosen from.
    of: Option<Source>,
    /// Whether they are being chosen.
    choosing: bool,
}

/// What rows are chosen from.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The list of assets.
    pub rows: RowList<AssetRow>,
    /// Whether all of it is there, so that an asset that it does not have will not come.
    pub complete: bool,
}

impl Source {
    fn same(&self, other: &Self) -> bool {
        self.complete == other.complete && self.rows.same(&other.rows)
    }
}

/// The rows that were chosen, in their order.
pub(crate) struct Chosen {
    rows: RowList<AssetRow>,
    query: Query,
    order: Vec<u32>,
    told_by: ToldBy,
    unlisted: usize,
    /// Whether the list that they were chosen from is still read, and has more of them.
    more: bool,
}

impl Default for ItemAssets {
    fn default() -> Self {
        let (told_by, ids) = Default::default();
        Self { list: Listing::of(List::Linked), told_by, unlisted: 0, ids, of: None, choosing: false }
    }
}

impl ItemAssets {
    /// Whether the rows are to be chosen from these, since they were not.
    pub fn due(&self, source: &Source) -> bool {
        let known = matches!(self.ids, Remote::Known(_));
        known && !self.choosing && !self.of.as_ref().is_some_and(|of| of.same(source))
    }

    /// Removes the rows; the query stays.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        *self = Self { list: std::mem::replace(&mut self.list, Listing::of(List::Linked)), ..Self::default() };
    }
}

impl Links {
    /// Reads which assets the open item has.
    pub(super) fn load_assets(&mut self, cx: &mut Context<'_>) {
        let Some(item) = self.open.as_ref().map(|page| page.item.clone()) else { return };
        self.assets.ids.start_loading();
        self.assets.list.rows.start_loading();
        let (client, vendor) = (cx.client(), cx.connection.vendor);
        let read = async move { read::reported_assets(&client?.with_json_limit(read::LONG_LIST), &item, vendor).await };
        cx.read(ResourceKey::LinkAssets, read, Output::AssetsOfItem);
    }

    pub(super) fn assets_of_item_read(&mut self, ids: Result<Option<Vec<AssetId>>, CallError>) {
        let assets = &mut self.assets;
        if let Err(error) = &ids {
            assets.list.resolve(Err(error.clone()));
        }
        assets.ids.resolve(ids.map(|ids| ids.map(Arc::new)));
        assets.of = None;
    }

    /// Chooses the rows of the open item.
    pub(super) fn choose_assets(&mut self, source: Source, cx: &mut Context<'_>) {
        let Some(item) = self.open.as_ref().map(|page| page.item.clone()) else { return };
        let assets = &mut self.assets;
        if !assets.due(&source) {
            return;
        }
        assets.choosing = true;
        assets.of = Some(source.clone());
        let ids = assets.ids.value().cloned().flatten();
        let query = assets.list.query.clone();
        let of = item.clone();
        let choose = move || Ok::<_, Ended>(chosen(&item, ids.as_deref().map(Vec::as_slice), &source, query));
        cx.run_blocking(choose, move |chosen| Output::AssetsChosen(of, chosen.map(Box::new)));
    }

    pub(super) fn assets_chosen(&mut self, item: &Item, chosen: Result<Box<Chosen>, Ended>, cx: &Context<'_>) {
        let assets = &mut self.assets;
        assets.choosing = false;
        if self.open.as_ref().is_none_or(|page| page.item.id != item.id) {
            assets.of = None;
            return;
        }
        let chosen = match chosen {
            Ok(chosen) => *chosen,
            Err(ended) => return assets.list.resolve(Err(CallError::from(ended))),
        };
        let Chosen { rows, query, order, told_by, unlisted, more } = chosen;
        (assets.told_by, assets.unlisted) = (told_by, unlisted);
        let rows = match more {
            true => Remote::Loading { previous: Some(rows).filter(|rows| !rows.is_empty()) },
            false => Remote::Known(rows),
        };
        let before = std::mem::replace(&mut assets.list.rows, rows);
        if before.value().is_some_and(|rows| rows.len() > DROPPED_AT_ONCE) {
            cx.discard(before);
        }
        match query == assets.list.query {
            true => (assets.list.order, assets.list.applying_query) = (Arc::new(order), false),
            false => assets.list.apply(),
        }
    }
}

/// Up to so many rows are dropped at once; more in the background.
const DROPPED_AT_ONCE: usize = 5_000;

/// Chooses the rows of an item, and puts them in the order of a query.
fn chosen(item: &Item, ids: Option<&[AssetId]>, source: &Source, query: Query) -> Chosen {
    let (rows, told_by, unlisted) = match ids {
        Some(ids) => {
            let (rows, unlisted) = named(ids, source);
            (rows, ToldBy::Item, unlisted)
        }
        None => {
            let rows: RowList<AssetRow> = source.rows.iter().filter(|row| has(row, item)).cloned().collect();
            let tells = !rows.is_empty() || source.rows.iter().any(|row| row.reports(item.kind));
            (rows, if tells { ToldBy::Assets } else { ToldBy::Nothing }, 0)
        }
    };
    let order = apply_query(&rows, &query);
    // Those that are not listed yet are awaited.
    let more = !source.complete && (unlisted > 0 || told_by == ToldBy::Nothing);
    let unlisted = if source.complete { unlisted } else { 0 };
    Chosen { rows, query, order, told_by, unlisted, more }
}

/// Returns the rows of these assets in the order of the list, then those that it does not have; and how many these are.
fn named(ids: &[AssetId], source: &Source) -> (RowList<AssetRow>, usize) {
    let mut wanted: HashSet<CompactId> = ids.iter().map(CompactId::from).collect();
    let mut rows: Vec<Arc<AssetRow>> =
        source.rows.iter().filter(|row| wanted.remove(&row.compact_id())).cloned().collect();
    let unlisted = wanted.len();
    if source.complete {
        let missing = ids.iter().filter(|id| wanted.remove(&CompactId::from(*id)));
        rows.extend(missing.filter_map(|id| AssetRow::recent(id.as_str(), "")).map(Arc::new));
    }
    (rows.into(), unlisted)
}

/// Whether the row of an asset says that it has an item. A row names its items, but not their ids.
fn has(row: &AssetRow, item: &Item) -> bool {
    match item.kind {
        LinkKind::Tag => row.tags().iter().any(|tag| **tag == *item.text),
        LinkKind::Website => {
            let address = item.url.as_deref().unwrap_or(&item.text);
            row.websites().iter().any(|website| website.rsplit('\n').next() == Some(address))
        }
        LinkKind::Summary => row.summaries().iter().any(|summary| **summary == *item.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(rows: impl Iterator<Item = usize>, complete: bool) -> Source {
        Source { rows: rows.map(AssetRow::sample).map(Arc::new).collect(), complete }
    }

    fn tag(text: &str) -> Item {
        Item::new(LinkKind::Tag, "a tag", text, None)
    }

    fn ids(indices: &[usize]) -> Vec<AssetId> {
        indices.iter().map(|index| AssetRow::sample(*index).id()).collect()
    }

    #[test]
    fn the_assets_that_the_record_names_are_listed_and_those_that_the_list_lacks_by_their_id() {
        let named = ids(&[7, 2, 90]);
        let loading = chosen(&tag("x"), Some(&named), &source(0..10, false), Query::default());
        assert_eq!(loading.rows.iter().map(|row| row.id()).collect::<Vec<_>>(), ids(&[2, 7]));
        assert_eq!((loading.unlisted, loading.told_by, loading.more), (0, ToldBy::Item, true));
        let complete = chosen(&tag("x"), Some(&named), &source(0..10, true), Query::default());
        assert_eq!(complete.rows.iter().map(|row| row.id()).collect::<Vec<_>>(), ids(&[2, 7, 90]));
        assert_eq!((complete.order, complete.unlisted, complete.more), (vec![0, 1, 2], 1, false));
    }

    #[test]
    fn where_the_record_does_not_say_it_the_assets_do_and_none_is_not_unknown() {
        let of = |text: &str, source: &Source| chosen(&tag(text), None, source, Query::default());
        let rows = source(0..5, true);
        assert_eq!((of("http", &rows).rows.len(), of("http", &rows).told_by), (5, ToldBy::Assets));
        assert_eq!((of("spare", &rows).rows.len(), of("spare", &rows).told_by), (0, ToldBy::Assets));
        let silent = AssetRow::recent("00000000-0000-4000-8000-000000000001", "a").map(Arc::new);
        let silent = Source { rows: silent.into_iter().collect(), complete: true };
        assert_eq!((of("http", &silent).rows.len(), of("http", &silent).told_by), (0, ToldBy::Nothing));
    }
}
