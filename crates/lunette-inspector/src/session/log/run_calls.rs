//! The calls of a run in the log: one entry stands for all of them, and opens to those that are kept.
//!
//! What must hold: the entry counts every call; of the calls themselves the newest are kept, and the failed ones longer.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::LogEntry;
use crate::listing::RowList;
use lunette_client::model::size::{grouped, plural};

/// How many calls of a run the log keeps that succeeded, and how many that failed.
const KEPT: usize = 200;
/// How many runs the log keeps.
const RUNS: usize = 20;

/// What all calls of a run were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCalls {
    /// How many there were.
    pub count: u64,
    /// How many of them failed.
    pub failed: u64,
    /// How long they took together.
    pub total: Duration,
}

impl RunCalls {
    /// How long one of them took on average.
    pub fn mean(&self) -> Duration {
        self.total.checked_div(u32::try_from(self.count).unwrap_or(u32::MAX)).unwrap_or_default()
    }

    fn with(self, call: &LogEntry) -> Self {
        Self {
            count: self.count + 1,
            failed: self.failed + u64::from(call.error.is_some()),
            total: self.total + call.elapsed,
        }
    }
}

impl fmt::Display for RunCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", plural(self.count, "call"))?;
        if self.failed > 0 {
            write!(f, ", {} failed", grouped(self.failed))?;
        }
        Ok(())
    }
}

impl LogEntry {
    /// Whether it is a call of this run, and not the entry of all of them.
    pub fn is_call_of(&self, run: u128) -> bool {
        self.calls.is_none() && self.run.as_ref().is_some_and(|group| group.id == run)
    }

    fn is_entry_of(&self, run: u128) -> bool {
        self.calls.is_some() && self.run.as_ref().is_some_and(|group| group.id == run)
    }

    /// The entry of all calls of the run of this one, the newest of them.
    fn entry_of_run(&self, calls: RunCalls, bytes: usize) -> Self {
        Self {
            status: None,
            url: String::new(),
            elapsed: calls.mean(),
            size: bytes,
            content_type: None,
            request_body: None,
            response_body: String::new(),
            error: None,
            curl: String::new(),
            calls: Some(calls),
            ..self.clone()
        }
        .weighed()
    }
}

/// Counts a call of a run, which is in the log, and drops calls of the run beyond the limits. The entry of the run moves
/// behind the call.
pub(crate) fn count_call(log: &mut RowList<LogEntry>, call: &Arc<LogEntry>) {
    let Some(run) = call.run.as_ref().map(|group| group.id) else { return };
    let known = log.iter().rev().position(|line| line.is_entry_of(run)).map(|from_end| log.len() - 1 - from_end);
    let (calls, bytes, newest) = known.map_or_else(Default::default, |index| {
        let entry = &log[index];
        (entry.calls.unwrap_or_default(), entry.size, entry.number)
    });
    let entry = call.entry_of_run(calls.with(call), bytes + call.size);
    let entry = LogEntry { number: call.number.max(newest), ..entry };
    if let Some(index) = known {
        log.remove(index);
    }
    drop_oldest_of(log, run, call.error.is_some());
    let behind = log.iter().rev().take_while(|line| line.number > entry.number).count();
    log.insert(log.len() - behind, Arc::new(entry));
    if known.is_none() {
        drop_oldest_run(log);
    }
}

/// Drops the oldest call of a run that failed, or that did not, if there are too many of them.
fn drop_oldest_of(log: &mut RowList<LogEntry>, run: u128, failed: bool) {
    let same = |line: &Arc<LogEntry>| line.is_call_of(run) && line.error.is_some() == failed;
    let surplus = log.iter().filter(|line| same(line)).count() > KEPT;
    let oldest = log.iter().position(same).filter(|_| surplus);
    oldest.into_iter().for_each(|oldest| log.remove(oldest));
}

/// Drops the run whose last call is the oldest, if there are too many runs.
fn drop_oldest_run(log: &mut RowList<LogEntry>) {
    let mut last = HashMap::new();
    let entries = log.iter().filter(|line| line.calls.is_some());
    last.extend(entries.map(|line| (line.run.as_ref().map(|group| group.id), line.number)));
    if last.len() <= RUNS {
        return;
    }
    let Some((oldest, _)) = last.into_iter().min_by_key(|(_, number)| *number) else { return };
    let of_run = |line: &LogEntry| line.run.as_ref().map(|group| group.id) == oldest;
    for index in (0..log.len()).rev() {
        if of_run(&log[index]) {
            log.remove(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CallError;
    use crate::listing::{Query, apply_query};
    use lunette_client::client::CallGroup;

    /// A call of the run with this number.
    fn call(number: u64, run: u128, failed: bool) -> Arc<LogEntry> {
        let group = CallGroup { id: run, title: format!("Run {run}") };
        let error = failed.then(|| CallError::Internal { target: None, problem: "no".to_owned() });
        let line = LogEntry { error, elapsed: Duration::from_millis(number), ..LogEntry::sample(number, 12, 1) };
        Arc::new(line.of_run(Some(Arc::new(group))))
    }

    fn log(calls: impl IntoIterator<Item = Arc<LogEntry>>) -> RowList<LogEntry> {
        let mut log = RowList::default();
        for call in calls {
            log.insert(log.len(), Arc::clone(&call));
            count_call(&mut log, &call);
        }
        log
    }

    #[test]
    fn the_calls_of_a_run_are_one_entry_which_counts_all_of_them_and_keeps_the_failed_ones() {
        let log = log((1..=1_000).map(|number| call(number, 7, number == 3 || number == 4)));
        let shown = apply_query(&log, &Query::default());
        assert_eq!(shown.len(), 1, "only the entry of the run is listed");
        let entry = &log[shown[0] as usize];
        assert_eq!(entry.outcome(), "1,000 calls, 2 failed");
        assert_eq!(entry.elapsed, Duration::from_micros(500_500));
        let kept: Vec<u64> = log.iter().filter(|line| line.is_call_of(7)).map(|line| line.number).collect();
        assert_eq!(kept.len(), KEPT + 2);
        assert_eq!(kept[..3], [3, 4, 1_000 - KEPT as u64 + 1]);
    }

    #[test]
    fn the_oldest_run_is_dropped_as_a_whole() {
        let runs = RUNS as u64 + 1;
        let log = log((1..=2 * runs).map(|number| call(number, u128::from(number.div_ceil(2)), false)));
        assert!(!log.iter().any(|line| line.run.as_ref().is_some_and(|group| group.id == 1)));
        assert_eq!(log.len(), 3 * RUNS);
    }
}
