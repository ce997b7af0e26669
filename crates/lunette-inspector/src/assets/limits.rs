//! Limits of opened assets in memory.
//!
//! What must hold: they are limited in number and in bytes. The least recently used are dropped first; the shown assets,
//! and one that is being written, are kept. Drafts are never dropped. The size of a record is computed once.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Remote;
use crate::assets::Assets;
use crate::assets::page::{AssetPage, Content, OpenAssets};
use lunette_client::model::activity::Activities;
use lunette_client::model::asset::{Asset, Formats};
use lunette_client::model::conversation::Conversations;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record;
use lunette_json::budget;

/// How many asset pages are kept.
const PAGES: usize = 64;
/// How many bytes of memory they take.
const PAGE_BYTES: usize = 64 * 1024 * 1024;

impl Assets {
    /// Records that an asset was opened: it is dropped last.
    pub(super) fn record_opened(&mut self, id: &AssetId) {
        self.pages.opened.retain(|known| known != id);
        self.pages.opened.push(id.clone());
    }

    /// Drops the least recently opened assets that exceed the limits, but none that is being written. Returns the
    /// dropped ones.
    pub(crate) fn drop_old_pages(&mut self, writing: impl Fn(&AssetId) -> bool) -> Vec<AssetId> {
        let shown = self.pages.shown_ids();
        let OpenAssets { of: pages, opened, peeked, .. } = &mut self.pages;
        let weights = &mut self.weights;
        opened.retain(|id| pages.contains_key(id));
        weights.retain(|id, _| pages.contains_key(id));
        let weigh =
            |(id, page): (&AssetId, &AssetPage)| (id.clone(), weights.entry(id.clone()).or_default().weigh(page));
        let weighed: BTreeMap<AssetId, usize> = pages.iter().map(weigh).collect();
        let kept = |id: &AssetId| shown.contains(id) || peeked.as_ref() == Some(id) || writing(id);
        let dropped = surplus(&weighed, opened, kept, (PAGES, PAGE_BYTES));
        for id in &dropped {
            pages.remove(id);
            weights.remove(id);
        }
        dropped
    }
}

/// The pages to drop, so that the limits in number and in bytes are met.
fn surplus(
    weights: &BTreeMap<AssetId, usize>,
    opened: &[AssetId],
    kept: impl Fn(&AssetId) -> bool,
    (most, most_bytes): (usize, usize),
) -> Vec<AssetId> {
    let (mut count, mut bytes) = (weights.len(), weights.values().sum::<usize>());
    let mut dropped = Vec::new();
    // Assets that were read without being opened are dropped first.
    let unopened = weights.keys().filter(|id| !opened.contains(id));
    for id in unopened.chain(opened).filter(|id| !kept(id)) {
        if count <= most && bytes <= most_bytes {
            break;
        }
        if let Some(weight) = weights.get(id) {
            count -= 1;
            bytes -= weight;
            dropped.push(id.clone());
        }
    }
    dropped
}

/// The size of a page in memory, with the sizes computed before.
#[derive(Default)]
pub(super) struct PageWeight {
    record: RecordWeight<Asset>,
    formats: RecordWeight<Formats>,
    activities: RecordWeight<Activities>,
    conversations: RecordWeight<Conversations>,
}

/// A record with its size in memory.
struct RecordWeight<R> {
    of: Option<Arc<R>>,
    bytes: usize,
}

impl<R> Default for RecordWeight<R> {
    fn default() -> Self {
        Self { of: None, bytes: 0 }
    }
}

impl PageWeight {
    fn weigh(&mut self, page: &AssetPage) -> usize {
        let Self { record, formats, activities, conversations } = self;
        let content = match page.content.value() {
            Some(Content::Text(text) | Content::Part(text, _)) => text.len(),
            Some(Content::Bytes(bytes)) => bytes.len(),
            Some(Content::Large(_) | Content::None) | None => 0,
        };
        let head = page.head.value().map_or(0, |head| head.len());
        let lists = formats.weigh(&page.formats) + activities.weigh(&page.activities);
        content + head + record.weigh(&page.record) + lists + conversations.weigh(&page.conversations)
    }
}

impl<R: Record> RecordWeight<R> {
    /// Computes the size of a record if it is not the same as before.
    fn weigh(&mut self, now: &Remote<Arc<R>>) -> usize {
        let now = now.value();
        if self.of.as_ref().map(Arc::as_ptr) != now.map(Arc::as_ptr) {
            self.bytes = now.map_or(0, |record| budget::tree_bytes(record.tree()));
            self.of = now.cloned();
        }
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: usize) -> AssetPage {
        AssetPage { content: Remote::Known(Content::Text("x".repeat(text).into())), ..AssetPage::default() }
    }

    #[test]
    fn the_least_recently_opened_asset_is_evicted_regardless_of_its_id() {
        let ids: Vec<AssetId> = (0..5).map(|index| crate::listing::rows::AssetRow::sample(index).id()).collect();
        let pages: BTreeMap<_, _> = ids.iter().map(|id| (id.clone(), page(1_000))).collect();
        let opened: Vec<AssetId> = [3, 0, 4, 1].iter().map(|index| ids[*index].clone()).collect();
        let weighed = |(id, page): (&AssetId, &AssetPage)| (id.clone(), PageWeight::default().weigh(page));
        let weights = pages.iter().map(weighed).collect();
        let dropped = |kept: &[usize], most| {
            let dropped = surplus(&weights, &opened, |id| kept.iter().any(|kept| ids[*kept] == *id), most);
            dropped.iter().map(|id| ids.iter().position(|known| known == id).expect("one of them")).collect::<Vec<_>>()
        };
        assert_eq!(dropped(&[1], (9, 1_000_000)), [0; 0]);
        assert_eq!(dropped(&[1], (9, 2_500)), [2, 3, 0], "one that was never opened goes before them");
        assert_eq!(dropped(&[3], (2, 1_000_000)), [2, 0, 4], "the one that is open stays");
        assert_eq!(dropped(&[1, 0], (9, 0)), [2, 3, 4], "and so does one that is being written");
    }

    #[test]
    fn a_record_is_weighed_again_only_if_it_was_replaced() {
        let record = |text: &str| {
            let tree = serde_json::json!({ "iterable": [], "more": text });
            Remote::Known(Arc::new(Activities::from_tree(tree).expect("activities")))
        };
        let mut page = AssetPage { activities: record("a"), ..page(1_000) };
        let mut weight = PageWeight::default();
        let first = weight.weigh(&page);
        assert!(first > 1_000);
        weight.activities.bytes += 7;
        assert_eq!(weight.weigh(&page), first + 7, "the same record keeps the weight that it has");
        page.activities = record("another");
        assert!(weight.weigh(&page) != first + 7 && weight.activities.of.is_some());
        page.activities = Remote::NotRequested;
        assert_eq!(weight.weigh(&page), 1_000);
    }
}
