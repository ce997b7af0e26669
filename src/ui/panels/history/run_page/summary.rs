//! Values derived from the rows of a run: the visible rows and the rate; not recomputed in each frame.

use std::collections::VecDeque;
use std::time::Duration;

use egui::Color32;

use crate::ui::theme::{Icon, Tokens};
use lunette_inspector::runs::{Counts, RowStatus, Run, RunId, RunRow};

/// The status of a row, without its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Not started.
    Pending,
    /// In progress.
    Sending,
    /// Done.
    Done,
    /// Nothing to change.
    Unchanged,
    /// Not done.
    Failed,
    /// The outcome is unknown.
    Unknown,
}

impl RowKind {
    /// All of them, finished ones first.
    pub const ALL: [Self; 6] = [Self::Done, Self::Unchanged, Self::Failed, Self::Unknown, Self::Sending, Self::Pending];

    /// Returns the status of a row.
    pub fn of(status: &RowStatus) -> Self {
        match status {
            RowStatus::Pending => Self::Pending,
            RowStatus::Sending => Self::Sending,
            RowStatus::Done => Self::Done,
            RowStatus::Unchanged(_) => Self::Unchanged,
            RowStatus::Failed(_) => Self::Failed,
            RowStatus::Unknown(_) => Self::Unknown,
        }
    }

    /// Returns its label.
    pub fn label(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Sending => "Sending",
            Self::Done => "Done",
            Self::Unchanged => "Unchanged",
            Self::Failed => "Failed",
            Self::Unknown => "Unknown",
        }
    }

    /// Returns its icon.
    pub fn icon(self) -> Icon {
        match self {
            Self::Pending => Icon::PENDING,
            Self::Sending => Icon::SEND,
            Self::Done => Icon::DONE,
            Self::Unchanged => Icon::CHECK,
            Self::Failed => Icon::ERROR,
            Self::Unknown => Icon::UNKNOWN,
        }
    }

    /// Returns its colour; the label says the same.
    pub fn color(self, tokens: &Tokens) -> Color32 {
        match self {
            Self::Pending | Self::Unchanged => tokens.muted,
            Self::Sending => tokens.accent,
            Self::Done => tokens.ok,
            Self::Failed => tokens.error,
            Self::Unknown => tokens.warning,
        }
    }

    /// Returns how many rows have it.
    pub fn count(self, counts: &Counts) -> usize {
        match self {
            Self::Pending => counts.pending,
            Self::Sending => counts.sending,
            Self::Done => counts.done,
            Self::Unchanged => counts.unchanged,
            Self::Failed => counts.failed,
            Self::Unknown => counts.unknown,
        }
    }
}

/// The visible rows of a run, and its rate.
#[derive(Default)]
pub struct RunSummary {
    found: Option<(RunId, Counts, Option<RowKind>)>,
    indices: Vec<u32>,
    rate: Rate,
}

impl RunSummary {
    /// Returns the rows of one status, or all, in the run's order.
    pub fn find(&mut self, run: &Run, status_filter: Option<RowKind>) -> &[u32] {
        // A row that changes also changes the counts.
        let made_of = Some((run.id, run.counts(), status_filter));
        if self.found != made_of {
            let wanted =
                |row: &RunRow| status_filter.is_none_or(|status_filter| RowKind::of(&row.status) == status_filter);
            let indices = (0_u32..).zip(run.rows.iter()).filter(|(_, row)| wanted(row));
            self.indices = indices.map(|(index, _)| index).collect();
            self.found = made_of;
        }
        &self.indices
    }

    /// Returns the rate of the run: rows per second, and the remaining time.
    pub fn rate(&mut self, run: &Run, now: f64) -> Option<(f64, Duration)> {
        let counts = run.counts();
        self.rate.record(run.id, counts.ended(), now);
        self.rate.of(counts.pending + counts.sending)
    }
}

/// How many rows had finished at recent times.
#[derive(Default)]
struct Rate {
    run: Option<RunId>,
    points: VecDeque<(f64, usize)>,
}

/// The period over which the rate is measured, in seconds.
const RATE_WINDOW: f64 = 10.0;
/// Minimum distance between two samples, in seconds.
const MIN_SAMPLE_GAP: f64 = 0.25;

impl Rate {
    fn record(&mut self, run: RunId, ended: usize, now: f64) {
        let back = self.points.back().is_some_and(|(_, before)| *before > ended);
        if self.run != Some(run) || back {
            self.run = Some(run);
            self.points.clear();
        }
        if self.points.back().is_none_or(|(at, _)| now - at >= MIN_SAMPLE_GAP) {
            self.points.push_back((now, ended));
        }
        while self.points.front().is_some_and(|(at, _)| now - at > RATE_WINDOW) {
            self.points.pop_front();
        }
    }

    fn of(&self, rest: usize) -> Option<(f64, Duration)> {
        let ((first, before), (last, after)) = (self.points.front()?, self.points.back()?);
        let (seconds, rows) = (last - first, after.checked_sub(*before)?);
        if seconds < 2.0 * MIN_SAMPLE_GAP || rows == 0 {
            return None;
        }
        let rate = rows as f64 / seconds;
        Some((rate, Duration::try_from_secs_f64(rest as f64 / rate).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_seconds() {
        let (run, mut rate) = (RunId::random(), Rate::default());
        for second in 0..30_u32 {
            let ended = if second < 15 { 0 } else { (second as usize - 15) * 40 };
            rate.record(run, ended, f64::from(second));
        }
        let (a_second, left) = rate.of(400).expect("a rate");
        assert_eq!((a_second.round(), left.as_secs()), (40.0, 10));
    }

    #[test]
    fn a_stopped_run_has_no_rate() {
        let (run, mut rate) = (RunId::random(), Rate::default());
        (0..30_u32).for_each(|second| rate.record(run, 7, f64::from(second)));
        assert_eq!(rate.of(400), None);
    }
}
