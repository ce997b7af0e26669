//! How much of the log and of the assets that were opened stays in memory.
//!
//! What must hold: both are bounded in number and in bytes. What was used longest ago goes first; a call keeps its line when
//! its bodies go, and says so; the asset that is open, and one that is being written, stay whole.

use std::sync::Arc;

use crate::app::App;
use crate::app::Remote;
use crate::app::log::LogLine;
use crate::app::state::{AssetPage, Content};
use crate::model::id::AssetId;
use crate::model::json_budget;
use crate::model::record::Record;

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
    /// Keeps a call in the log. Those in the background drive out one another only, and none that the user made.
    pub(super) fn keep_line(&mut self, line: Arc<LogLine>) {
        let log = &mut self.state.log;
        let background = line.background;
        log.push(line);
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
    pub(super) fn note_opened(&mut self, id: &AssetId) {
        self.opened.retain(|known| known != id);
        self.opened.push(id.clone());
    }

    /// Drops what is known of the assets that were opened longest ago, where it is more than is kept.
    pub(super) fn drop_old_pages(&mut self) {
        let open = self.state.asset.clone();
        let pages = &mut self.state.pages;
        self.opened.retain(|id| pages.contains_key(id));
        // Those that were read without being opened come first.
        let unopened = pages.keys().filter(|id| !self.opened.contains(id));
        let oldest: Vec<AssetId> = unopened.chain(&self.opened).cloned().collect();
        let mut bytes: usize = pages.values().map(weight).sum();
        for id in oldest {
            if bytes <= PAGE_BYTES && pages.len() <= PAGES {
                break;
            }
            if open.as_ref() != Some(&id)
                && let Some(page) = pages.get(&id).filter(|page| !page.writing)
            {
                bytes -= weight(page);
                pages.remove(&id);
            }
        }
    }
}

/// Drops the bodies of the oldest calls until the rest has no more than so many bytes.
fn drop_bodies(log: &mut [Arc<LogLine>], most: usize) {
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

/// How many bytes of memory a page holds.
fn weight(page: &AssetPage) -> usize {
    let AssetPage { record, content, formats, activities, conversations, export, .. } = page;
    let content = match content.value() {
        Some(Content::Text(text)) => text.len(),
        Some(Content::Bytes(bytes)) => bytes.len(),
        Some(Content::Large(_) | Content::None) | None => 0,
    };
    let document = export.as_ref().and_then(|export| export.document.value());
    let document = document.map_or(0, |document| document.bytes.len() + document.text.as_deref().map_or(0, str::len));
    content + document + tree(record) + tree(formats) + tree(activities) + tree(conversations)
}

fn tree<R: Record>(record: &Remote<Arc<R>>) -> usize {
    record.value().map_or(0, |record| json_budget::held(record.tree()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u64, body: usize) -> Arc<LogLine> {
        Arc::new(LogLine::sample(number, body))
    }

    #[test]
    fn the_oldest_bodies_go_first_and_their_lines_stay() {
        let mut log: Vec<_> = (0..10).map(|number| line(number, 1_000)).collect();
        let weight = |log: &[Arc<LogLine>]| log.iter().map(|line| line.weight()).sum::<usize>();
        let most = weight(&log) - 2_000;
        drop_bodies(&mut log, most);
        let dropped: Vec<bool> = log.iter().map(|line| line.dropped).collect();
        assert!(dropped[..2].iter().all(|dropped| *dropped) && !dropped[4..].contains(&true), "{dropped:?}");
        assert!(weight(&log) <= most);
        assert!(log[0].response_body.is_empty() && log[0].size == 1_000 && log[9].response_body.len() == 1_000);
        assert!(log[0].curl.contains("no longer kept"), "{}", log[0].curl);
    }
}
