//! How much of the log stays in memory.
//!
//! What must hold: it is bounded in number and in bytes. What is oldest goes first; a call keeps its line when its bodies
//! go, and says so.

use std::sync::Arc;

use crate::app::session::Session;
use crate::app::session::log::LogEntry;

/// How many calls the log keeps.
const LOG_LINES: usize = 2_000;
/// How many of them may be calls in the background.
const BACKGROUND_LINES: usize = 500;
/// How many bytes of bodies the log keeps.
const LOG_BYTES: usize = 32 * 1024 * 1024;
impl Session {
    /// Keeps a call in the log, in the order of its number: two calls that end at the same time may be reported in either
    /// order. Those in the background drive out one another only, and none that the user made.
    pub(in crate::app) fn keep_line(&mut self, line: Arc<LogEntry>) {
        let log = &mut self.log;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u64, body: usize) -> Arc<LogEntry> {
        Arc::new(LogEntry::sample(number, body))
    }

    #[test]
    fn the_oldest_bodies_are_dropped_first_and_their_entries_kept() {
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
    fn calls_are_ordered_by_number_whatever_order_they_are_recorded_in() {
        let mut log = Vec::new();
        for number in [2, 1, 4, 5, 3] {
            insert_in_order(&mut log, line(number, 0));
        }
        assert_eq!(log.iter().map(|line| line.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    }
}
