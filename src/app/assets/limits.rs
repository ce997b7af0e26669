//! How much of the log and of the assets that were opened stays in memory.
//!
//! What must hold: both are bounded in number and in bytes. What was used longest ago goes first; a call keeps its line
//! when its bodies go, and says so; the asset that is open, and one that is being written, stay whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::assets::page::{AssetPage, Content};
use crate::app::session::log::LogEntry;
use crate::app::{App, Remote};
use lunette_client::model::id::AssetId;
use lunette_client::model::json_budget;
use lunette_client::model::record::Record;

/// How many calls the log keeps.
const LOG_LINES: usize = 2_000;
/// How many of them may be calls in the background.
const BACKGROUND_LINES: usize = 500;
/// How many bytes of bodies the log keeps.
const LOG_BYTES: usize = 32 * 1024 * 1024;
/// How many asset pages are kept.
const PAGES: usize = 64;
/// How many bytes of memory they take.
const PAGE_BYTES: usize = 64 * 1024 * 1024;

impl App {
    /// Keeps a call in the log, in the order of its number: two calls that end at the same time may be reported in either
    /// order. Those in the background drive out one another only, and none that the user made.
    pub(in crate::app) fn keep_line(&mut self, line: Arc<LogEntry>) {
        let log = &mut self.state.session.log;
        let background = line.background;
        insert_in_order(log, line);
        if background
            && log.iter().filter(|line| line.background).count() > BACKGROUND_LINES
            && let Some(oldest) = log.iter().position(|line| line.background)
        {
            log.remove(oldest);
        }
        let surplus = log.len().saturating_sub(LOG_LINES);
        log.drain(..surplus);
        drop_bodies(log, LOG_BYTES);
    }

    /// Notes that an asset was opened: it is the last of which anything is dropped.
    pub(in crate::app) fn record_opened(&mut self, id: &AssetId) {
        self.state.pages.opened.retain(|known| known != id);
        self.state.pages.opened.push(id.clone());
    }

    /// Drops what is known of the assets that were opened longest ago, where it is more than is kept.
    pub(in crate::app) fn drop_old_pages(&mut self) {
        let pages = &mut self.state.pages.of;
        self.state.pages.opened.retain(|id| pages.contains_key(id));
        for id in surplus(pages, &self.state.pages.opened, self.state.pages.open.as_ref(), (PAGES, PAGE_BYTES)) {
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

/// Drops the bodies of the oldest calls until the rest has no more than so many bytes.
fn drop_bodies(log: &mut [Arc<LogEntry>], most: usize) {
    let mut bytes: usize = log.iter().map(|line| line.weight()).sum();
    for line in log.iter_mut() {
        if bytes <= most {
            return;
        }
        if !line.dropped {
            let short = line.without_bodies();
            bytes -= line.weight() - short.weight().min(line.weight());
            *line = Arc::new(short);
        }
    }
}

fn insert_in_order(log: &mut Vec<Arc<LogEntry>>, line: Arc<LogEntry>) {
    let place = log.partition_point(|known| known.number < line.number);
    log.insert(place, line);
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

    fn line(number: u64, body: usize) -> Arc<LogEntry> {
        Arc::new(LogEntry::sample(number, body))
    }

    #[test]
    fn the_oldest_bodies_go_first_and_their_lines_stay() {
        let mut log: Vec<_> = (0..10).map(|number| line(number, 1_000)).collect();
        let weight = |log: &[Arc<LogEntry>]| log.iter().map(|line| line.weight()).sum::<usize>();
        let most = weight(&log) - 2_000;
        drop_bodies(&mut log, most);
        let dropped: Vec<bool> = log.iter().map(|line| line.dropped).collect();
        assert!(dropped[..2].iter().all(|dropped| *dropped) && !dropped[4..].contains(&true), "{dropped:?}");
        assert!(weight(&log) <= most);
        assert!(log[0].response_body.is_empty() && log[0].size == 1_000 && log[9].response_body.len() == 1_000);
        assert!(log[0].curl.contains("no longer available"), "{}", log[0].curl);
    }

    #[test]
    fn calls_are_in_the_order_of_their_numbers_whichever_is_reported_first() {
        let mut log = Vec::new();
        for number in [2, 1, 4, 5, 3] {
            insert_in_order(&mut log, line(number, 0));
        }
        assert_eq!(log.iter().map(|line| line.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    }

    fn page(text: usize) -> AssetPage {
        AssetPage { content: Remote::Known(Content::Text("x".repeat(text).into())), ..AssetPage::default() }
    }

    #[test]
    fn the_asset_opened_longest_ago_goes_first_whatever_its_id() {
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
