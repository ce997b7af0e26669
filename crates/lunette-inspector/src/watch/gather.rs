//! Many changes of a folder as few batches.
//!
//! What must hold: a batch is ready once nothing changed for a while, or the first of its changes is old enough; what is
//! kept of a batch is bounded, and one that is larger means that everything is looked at.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::import::detect::{Changes, MAX_PATHS};

/// How long changes are gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pauses {
    /// A batch is ready once nothing has changed for this long.
    pub quiet: Duration,
    /// A batch is ready at the latest this long after its first change.
    pub longest: Duration,
}

impl Default for Pauses {
    /// Our choice: an editor has written a file after a second, and nobody waits longer than ten.
    fn default() -> Self {
        Self { quiet: Duration::from_secs(1), longest: Duration::from_secs(10) }
    }
}

/// The changes since the last batch.
#[derive(Debug, Default)]
pub struct Gathered {
    paths: BTreeSet<PathBuf>,
    all: bool,
    first: Option<Instant>,
    last: Option<Instant>,
}

impl Gathered {
    /// Notes that something has changed.
    pub fn note(&mut self, path: PathBuf, now: Instant) {
        self.touch(now);
        if !self.all {
            self.paths.insert(path);
            if self.paths.len() > MAX_PATHS {
                self.note_all(now);
            }
        }
    }

    /// Notes that it is not known what has changed.
    pub fn note_all(&mut self, now: Instant) {
        self.touch(now);
        self.all = true;
        self.paths = BTreeSet::new();
    }

    /// How long it is until a batch is ready; None where one is.
    pub fn rest(&self, pauses: &Pauses, now: Instant) -> Option<Duration> {
        let due = (self.last? + pauses.quiet).min(self.first? + pauses.longest);
        Some(due.saturating_duration_since(now)).filter(|rest| !rest.is_zero())
    }

    /// The batch; None where nothing has changed.
    pub fn take(&mut self) -> Option<Changes> {
        let Self { paths, all, first, .. } = std::mem::take(self);
        first.map(|_| if all { Changes::All } else { Changes::Paths(paths) })
    }

    fn touch(&mut self, now: Instant) {
        self.first.get_or_insert(now);
        self.last = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSES: Pauses = Pauses { quiet: Duration::from_secs(1), longest: Duration::from_secs(10) };

    #[test]
    fn a_burst_of_ten_thousand_changes_is_one_batch_of_bounded_size() {
        let (mut gathered, now) = (Gathered::default(), Instant::now());
        for number in 0..=MAX_PATHS {
            gathered.note(PathBuf::from(format!("/a/{number}")), now);
        }
        assert!(gathered.paths.is_empty(), "no path is kept of what is looked at as a whole");
        assert_eq!(gathered.rest(&PAUSES, now), Some(PAUSES.quiet));
        assert_eq!(gathered.rest(&PAUSES, now + PAUSES.quiet), None);
        assert_eq!((gathered.take(), gathered.take()), (Some(Changes::All), None));
    }

    #[test]
    fn a_batch_waits_for_quiet_but_not_for_ever() {
        let (mut gathered, start) = (Gathered::default(), Instant::now());
        for second in 0..30 {
            let now = start + Duration::from_millis(second * 500);
            gathered.note(PathBuf::from("/a/b"), now);
            assert_eq!(gathered.rest(&PAUSES, now).is_none(), second * 500 >= 10_000, "{second}");
        }
        assert_eq!(gathered.take(), Some(Changes::Paths([PathBuf::from("/a/b")].into())));
    }
}
