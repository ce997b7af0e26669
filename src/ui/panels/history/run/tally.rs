//! What is worked out of a run's rows: those that are shown, and how fast it goes; not anew in each frame.

use std::collections::VecDeque;
use std::time::Duration;

use egui::Color32;

use crate::app::bulk::{Counts, Row, RowStatus, Run, RunId};
use crate::ui::theme::{Icon, Tokens};

/// One status of a row, without its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Not begun.
    Pending,
    /// Under way.
    Sending,
    /// Done.
    Done,
    /// So already.
    Unchanged,
    /// Not done.
    Failed,
    /// Nobody knows.
    Unknown,
}

impl Kind {
    /// All of them, what is over first.
    pub const ALL: [Self; 6] = [Self::Done, Self::Unchanged, Self::Failed, Self::Unknown, Self::Sending, Self::Pending];

    /// That of a row.
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

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Sending => "Sending",
            Self::Done => "Done",
            Self::Unchanged => "Unchanged",
            Self::Failed => "Failed",
            Self::Unknown => "Unknown",
        }
    }

    /// Its sign.
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

    /// Its colour; the word says the same.
    pub fn color(self, tokens: &Tokens) -> Color32 {
        match self {
            Self::Pending | Self::Unchanged => tokens.muted,
            Self::Sending => tokens.accent,
            Self::Done => tokens.ok,
            Self::Failed => tokens.error,
            Self::Unknown => tokens.warning,
        }
    }

    /// How many rows have it.
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

/// The rows of a run that are shown, and its rate.
#[derive(Default)]
pub struct Tally {
    found: Option<(RunId, Counts, Option<Kind>)>,
    places: Vec<u32>,
    rate: Rate,
}

impl Tally {
    /// Finds the rows of one status, or of any, in the run's order.
    pub fn find(&mut self, run: &Run, only: Option<Kind>) -> &[u32] {
        // A row that changes changes the counts.
        let made_of = Some((run.id, run.counts(), only));
        if self.found != made_of {
            let wanted = |row: &Row| only.is_none_or(|only| Kind::of(&row.status) == only);
            let places = (0_u32..).zip(run.rows.iter()).filter(|(_, row)| wanted(row));
            self.places = places.map(|(place, _)| place).collect();
            self.found = made_of;
        }
        &self.places
    }

    /// How fast the run goes: rows a second, and how long the rest will take.
    pub fn rate(&mut self, run: &Run, now: f64) -> Option<(f64, Duration)> {
        let counts = run.counts();
        self.rate.note(run.id, counts.ended(), now);
        self.rate.of(counts.pending + counts.sending)
    }
}

/// How many rows had ended when, of late.
#[derive(Default)]
struct Rate {
    run: Option<RunId>,
    points: VecDeque<(f64, usize)>,
}

/// How far back the rate looks, in seconds.
const WINDOW: f64 = 10.0;
/// Points nearer to each other than this are one, in seconds.
const APART: f64 = 0.25;

impl Rate {
    fn note(&mut self, run: RunId, ended: usize, now: f64) {
        let back = self.points.back().is_some_and(|(_, before)| *before > ended);
        if self.run != Some(run) || back {
            self.run = Some(run);
            self.points.clear();
        }
        if self.points.back().is_none_or(|(at, _)| now - at >= APART) {
            self.points.push_back((now, ended));
        }
        while self.points.front().is_some_and(|(at, _)| now - at > WINDOW) {
            self.points.pop_front();
        }
    }

    fn of(&self, rest: usize) -> Option<(f64, Duration)> {
        let ((first, before), (last, after)) = (self.points.front()?, self.points.back()?);
        let (seconds, rows) = (last - first, after.checked_sub(*before)?);
        if seconds < 2.0 * APART || rows == 0 {
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
            rate.note(run, ended, f64::from(second));
        }
        let (a_second, left) = rate.of(400).expect("a rate");
        assert_eq!((a_second.round(), left.as_secs()), (40.0, 10));
    }

    #[test]
    fn a_run_that_stands_has_no_rate() {
        let (run, mut rate) = (RunId::random(), Rate::default());
        (0..30_u32).for_each(|second| rate.note(run, 7, f64::from(second)));
        assert_eq!(rate.of(400), None);
    }
}
