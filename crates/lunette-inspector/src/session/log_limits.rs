//! Limits of the log in memory.
//!
//! What must hold: the log is limited in number and in bytes, whatever a service sends. The calls of a run are limited by
//! themselves, so that they replace no others. The oldest bodies are dropped
//! first; a call without bodies keeps its entry, which says so. Entries are dropped only if they alone are too large.

use std::sync::Arc;

use crate::Remote;
use crate::listing::RowList;
use crate::session::Session;
use crate::session::log::{LogEntry, count_call};

/// How many calls the log keeps besides those of runs.
const LOG_LINES: usize = 2_000;
/// How many of them may be background calls.
const BACKGROUND_LINES: usize = 500;
/// How many bytes the log keeps, including bodies.
const LOG_BYTES: usize = 32 * 1024 * 1024;

impl Session {
    /// Adds a call to the log, ordered by its number: two calls that end at the same time may be reported in either
    /// order. Background calls replace only background calls, never calls of the user.
    pub(crate) fn keep_line(&mut self, line: Arc<LogEntry>) {
        let Remote::Known(log) = &mut self.log.rows else { return };
        let background = line.background;
        insert_in_order(log, Arc::clone(&line));
        count_call(log, &line);
        if background && log.iter().filter(|line| line.background).count() > BACKGROUND_LINES {
            let oldest = log.iter().position(|line| line.background);
            oldest.into_iter().for_each(|oldest| log.remove(oldest));
        }
        if log.iter().filter(|line| line.run.is_none()).count() > LOG_LINES {
            let oldest = log.iter().position(|line| line.run.is_none());
            oldest.into_iter().for_each(|oldest| log.remove(oldest));
        }
        limit_bytes(log, LOG_BYTES);
        // Many calls may end between two frames; the rows are chosen once.
        self.log.applying_query = true;
    }
}

/// Limits the log to this many bytes: drops the bodies of the oldest calls, and the oldest entries if that is not
/// enough, as with URLs of a megabyte. The newest entry is kept.
fn limit_bytes(log: &mut RowList<LogEntry>, most: usize) {
    let mut bytes = drop_bodies(log, most);
    let older = log.iter().take(log.len().saturating_sub(1));
    let surplus = older.take_while(|line| {
        let over = bytes > most;
        bytes -= line.weight().min(bytes);
        over
    });
    log.remove_first(surplus.count());
}

/// Drops the bodies of the oldest calls until the others have at most this many bytes. Returns their size.
fn drop_bodies(log: &mut RowList<LogEntry>, most: usize) -> usize {
    let mut bytes: usize = log.iter().map(|line| line.weight()).sum();
    for index in 0..log.len() {
        if bytes <= most {
            break;
        }
        let line = &log[index];
        if !line.dropped {
            let short = line.without_bodies();
            bytes = bytes - line.weight() + short.weight();
            log.replace(index, Arc::new(short));
        }
    }
    bytes
}

fn insert_in_order(log: &mut RowList<LogEntry>, line: Arc<LogEntry>) {
    let later = log.iter().rev().take_while(|known| known.number > line.number).count();
    let index = log.len() - later;
    log.insert(index, line);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u64, body: usize) -> Arc<LogEntry> {
        Arc::new(LogEntry::sample(number, 12, body))
    }

    #[test]
    fn the_oldest_bodies_are_dropped_first_and_their_entries_kept() {
        let mut log: RowList<_> = (0..10).map(|number| line(number, 1_000)).collect();
        let weight = |log: &RowList<LogEntry>| log.iter().map(|line| line.weight()).sum::<usize>();
        let most = weight(&log) - 2_000;
        drop_bodies(&mut log, most);
        let dropped: Vec<bool> = log.iter().map(|line| line.dropped).collect();
        assert!(dropped[..2].iter().all(|dropped| *dropped) && !dropped[4..].contains(&true), "{dropped:?}");
        assert!(weight(&log) <= most);
        assert!(log[0].response_body.is_empty() && log[0].size == 1_000 && log[9].response_body.len() == 1_000);
        assert!(log[0].curl.contains("no longer available"), "{}", log[0].curl);
    }

    #[test]
    fn lines_that_are_too_large_without_their_bodies_are_dropped_but_for_the_newest() {
        let mut log: RowList<_> = (0..10).map(|number| Arc::new(LogEntry::sample(number, 1_000, 10))).collect();
        limit_bytes(&mut log, 9_000);
        let numbers: Vec<u64> = log.iter().map(|line| line.number).collect();
        assert!(numbers.len() < 9 && numbers.ends_with(&[8, 9]), "{numbers:?}");
        assert!(log.iter().map(|line| line.weight()).sum::<usize>() <= 9_000);
        limit_bytes(&mut log, 0);
        assert_eq!(log.iter().map(|line| line.number).collect::<Vec<_>>(), [9]);
    }

    #[test]
    fn calls_are_ordered_by_number_regardless_of_recording_order() {
        let mut log = RowList::default();
        for number in [2, 1, 4, 5, 3] {
            insert_in_order(&mut log, line(number, 0));
        }
        assert_eq!(log.iter().map(|line| line.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    }
}
