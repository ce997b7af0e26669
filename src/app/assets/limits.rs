//! How much of the assets that were opened stays in memory.
//!
//! What must hold: it is bounded in number and in bytes. What was used longest ago goes first; the asset that is open, and one that is being written, stay whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::Remote;
use crate::app::assets::Assets;
use crate::app::assets::page::{AssetPage, Content};
use crate::app::context::Context;
use lunette_client::model::id::AssetId;
use lunette_client::model::json_budget;
use lunette_client::model::record::Record;

/// How many asset pages are kept.
const PAGES: usize = 64;
/// How many bytes of memory they take.
const PAGE_BYTES: usize = 64 * 1024 * 1024;

impl Assets {
    /// Notes that an asset was opened: it is the last of which anything is dropped.
    pub(in crate::app) fn record_opened(&mut self, id: &AssetId, cx: &mut Context<'_>) {
        cx.pages.opened.retain(|known| known != id);
        cx.pages.opened.push(id.clone());
    }

    /// Drops what is known of the assets that were opened longest ago, where it is more than is kept.
    pub(in crate::app) fn drop_old_pages(&mut self, cx: &mut Context<'_>) {
        let pages = &mut cx.pages.of;
        cx.pages.opened.retain(|id| pages.contains_key(id));
        for id in surplus(pages, &cx.pages.opened, cx.pages.open.as_ref(), (PAGES, PAGE_BYTES)) {
            pages.remove(&id);
        }
    }
}

/// The pages to be dropped, so that no more than so many are left, of no more than so many bytes.
fn surplus(
    pages: &BTreeMap<AssetId, AssetPage>,
    opened: &[AssetId],
    open: Option<&AssetId>,
    (most, most_bytes): (usize, usize),
) -> Vec<AssetId> {
    let (mut count, mut bytes) = (pages.len(), pages.values().map(weight).sum::<usize>());
    let mut dropped = Vec::new();
    // Those that were read without being opened come first.
    let unopened = pages.keys().filter(|id| !opened.contains(id));
    for id in unopened.chain(opened).filter(|id| Some(*id) != open) {
        if count <= most && bytes <= most_bytes {
            break;
        }
        if let Some(page) = pages.get(id).filter(|page| !page.writing) {
            count -= 1;
            bytes -= weight(page);
            dropped.push(id.clone());
        }
    }
    dropped
}

/// How many bytes of memory a page holds.
fn weight(page: &AssetPage) -> usize {
    let AssetPage { record, content, formats, activities, conversations, .. } = page;
    let content = match content.value() {
        Some(Content::Text(text) | Content::Part(text, _)) => text.len(),
        Some(Content::Bytes(bytes)) => bytes.len(),
        Some(Content::Large(_) | Content::None) | None => 0,
    };
    content + tree(record) + tree(formats) + tree(activities) + tree(conversations)
}

fn tree<R: Record>(record: &Remote<Arc<R>>) -> usize {
    record.value().map_or(0, |record| json_budget::tree_bytes(record.tree()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: usize) -> AssetPage {
        AssetPage { content: Remote::Known(Content::Text("x".repeat(text).into())), ..AssetPage::default() }
    }

    #[test]
    fn the_least_recently_opened_asset_is_evicted_whatever_its_id() {
        let ids: Vec<AssetId> = (0..5).map(|place| crate::app::listing::rows::AssetRow::sample(place).id).collect();
        let mut pages: BTreeMap<_, _> = ids.iter().map(|id| (id.clone(), page(1_000))).collect();
        let opened: Vec<AssetId> = [3, 0, 4, 1].iter().map(|place| ids[*place].clone()).collect();
        let dropped = |pages: &BTreeMap<_, _>, open, most| {
            let dropped = surplus(pages, &opened, Some(&ids[open]), most);
            dropped.iter().map(|id| ids.iter().position(|known| known == id).expect("one of them")).collect::<Vec<_>>()
        };
        assert_eq!(dropped(&pages, 1, (9, 1_000_000)), [0; 0]);
        assert_eq!(dropped(&pages, 1, (9, 2_500)), [2, 3, 0], "one that was never opened goes before them");
        assert_eq!(dropped(&pages, 3, (2, 1_000_000)), [2, 0, 4], "the one that is open stays");
        pages.insert(ids[0].clone(), AssetPage { writing: true, ..page(1_000) });
        assert_eq!(dropped(&pages, 1, (9, 0)), [2, 3, 4], "and so does one that is being written");
    }
}
